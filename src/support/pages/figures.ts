import { html } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Cell } from './cells.ts';
import type { Table } from './figures-tables.ts';
import { CHANNEL_NAMES, choice, named, type View } from './parts.ts';

/** The figures that are asked for, as typed. Days are written `2026-11-22`. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly channel: string;
  readonly speaks: string;
}

/** Only this page draws. */
const CHARTS = html`<link rel="stylesheet" href="${BASE}/public/uPlot.min.css">
<link rel="stylesheet" href="${BASE}/public/charts.css">
<script defer src="${BASE}/public/uPlot.iife.min.js"></script>
<script defer src="${BASE}/public/charts.js"></script>`;

/** Figures of a time: what was counted, table by table, each to be saved as it is. */
export function figuresPage(
  tables: readonly Table[],
  asked: Asked,
  at: 'figures' | 'today' | 'reports',
  view: View,
): Html {
  const { language } = view;
  const title = say(language, `console.${at}`);
  const [charts, others] = [tables.filter(({ chart }) => chart), tables.filter(({ chart }) => !chart)];
  return layout(view, title, at, CHARTS)`<div class="stats"><div class="head"><h1>${title}</h1></div>
${rangeForm(asked, `${BASE}/${at === 'reports' ? at : 'figures'}`, view, at !== 'reports')}
<div class="charts">${charts.map((table) => tablePart(table, asked, view))}</div>
${others.map((table) => tablePart(table, asked, view))}</div>`;
}

/** The days that a page is narrowed to, and the channel and the language where it can be. */
export function rangeForm(
  { from, to, channel, speaks }: Asked,
  action: string,
  { language }: View,
  isNarrowed = true,
): Html {
  const text = (key: ConsoleKey) => say(language, key);
  const all = ['', text('console.all')] as const;
  return html`<form class="filters" method="get" action="${action}">
<label>${text('console.fromDay')}<input type="date" name="from" value="${from}"></label>
<label>${text('console.toDay')}<input type="date" name="to" value="${to}"></label>
${
  isNarrowed &&
  html`${choice(text('console.channel'), 'channel', [all, ...Object.entries(CHANNEL_NAMES)], channel)}
${choice(text('console.customerLanguage'), 'speaks', [all, ...Object.entries(LANGUAGE_NAMES)], speaks)}`
}
<button>${text('console.filter')}</button></form>`;
}

function tablePart(table: Table, asked: Asked, { language }: View): Html {
  const { name, title, hint, definitions = [], rows, chart } = table;
  return html`<section class="panel" aria-labelledby="h-${name}"><div class="head"><h2 id="h-${name}">${say(language, title)}</h2>
${rows.length > 0 && html`<a href="${BASE}/figures/csv/${name}${queryOf(asked)}" download>${say(language, 'console.saveCsv')}</a>`}</div>
${hint && rows.length > 0 && html`<p class="hint">${say(language, hint)}</p>`}
${
  rows.length === 0
    ? html`<p class="empty">${say(language, 'console.nothingYet')}</p>`
    : chart
      ? drawn(chart, rowsPart(table), language)
      : rowsPart(table)
}${rows.length > 0 && definitions.length > 0 && html`<dl class="definitions hint">${definitions.map(([head, meaning]) => html`<div><dt>${say(language, head)}</dt><dd>${say(language, meaning)}</dd></div>`)}</dl>`}</section>`;
}

function rowsPart({ name, heads, rows, chart }: Table): Html {
  const swatch = (head: string, i: number) => chart && i > 0 && html`<i class="swatch is-${head}"></i>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="h-${name}"><table><thead><tr>${heads.map(([head, shown], i) => html`<th scope="col">${swatch(head, i)}${shown}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => cellPart(cell, chart))}</tr>`)}</tbody></table></div>`;
}

/**
 * `charts.js` draws the table in the place before it, and folds it up. Without the script it stays. Screen readers read
 * the table.
 */
function drawn(chart: NonNullable<Table['chart']>, table: Html, language: Language): Html {
  return html`<div class="chart" data-chart="${chart}" aria-hidden="true" hidden></div>
<details class="of-chart" open><summary>${say(language, 'console.courseTable')}</summary>${table}</details>`;
}

function cellPart({ value, shown = String(value), link, share }: Cell, chart: Table['chart']): Html {
  const words = named(shown, String(value));
  const isNumber = typeof value === 'number' || share !== undefined;
  const raw = chart && html` data-value="${value}"`;
  return html`<td class="${isNumber ? 'number' : ''}"${raw}>${link ? html`<a href="${link}">${words}</a>` : isNumber ? html`<bdi>${shown}</bdi>` : words}${share !== undefined && html` ${bar(share, shown)}`}</td>`;
}

/** A bar, and its words for a screen reader. */
export function bar(share: number, says: string | number): Html {
  return html`<progress max="1" value="${Math.min(1, Math.max(0, share)).toFixed(3)}" aria-label="${says}"></progress>`;
}

/** The page's filters, for its links. */
export function queryOf(asked: Asked): string {
  return `?${new URLSearchParams(Object.entries(asked).filter(([, value]) => value))}`;
}
