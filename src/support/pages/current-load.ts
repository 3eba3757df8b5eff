import { html } from 'hono/html';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Spread } from '../board.ts';
import { type Html, LANGUAGE_NAMES } from '../layout.ts';
import { flowName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { bar } from './figures.ts';
import { CHANNEL_NAMES, type View } from './parts.ts';

/** The number of conversations that are shown with their customers. The list can be filtered by any. */
const MACHINES_MAX = 8;
/** Below this, turns a second have a decimal. */
const FEW = 10;

/** Digits are the Latin ones in every language. */
const NUMBERS: Readonly<Record<Language, Intl.NumberFormat>> = {
  fr: new Intl.NumberFormat('fr', { maximumFractionDigits: 1 }),
  ar: new Intl.NumberFormat('ar-MA-u-nu-latn', { maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 }),
};

/** The present load, as figures: there may be more turns than an agent can read. */
interface Now {
  readonly perSecond: number;
  readonly spread: Spread;
  /** There are at least so many: some are not known. */
  readonly isPartial: boolean;
  /** True while earlier records are being read. */
  readonly isFilling: boolean;
}

/** A count of sessions: `≥ 50,000` where some that are under way may be missing. */
export function sessionCount(count: number, isPartial: boolean, language: Language): Html {
  const shown = NUMBERS[language].format(count);
  return isPartial ? html`<bdi dir="ltr">≥ ${shown}</bdi>` : html`<bdi>${shown}</bdi>`;
}

/** Turns a second, how many sessions are under way, and where: by channel, language and conversation. */
export function nowPart({ perSecond, spread, isPartial, isFilling }: Now, { language }: View): Html {
  const text = (key: ConsoleKey) => say(language, key);
  const rate = NUMBERS[language].format(perSecond < FEW ? perSecond : Math.round(perSecond));
  const group = (title: ConsoleKey, field: string, lines: readonly Line[]) =>
    groupPart(text(title), lines, (count) => sessionCount(count, isPartial, language), field, spread.total);
  const channels = Object.entries(CHANNEL_NAMES).map(([id, name]) => lineOf(id, name, spread.channels));
  const languages = LANGUAGES.map((id) => lineOf(id, LANGUAGE_NAMES[id], spread.languages));
  const machines = [...spread.machines.keys()]
    .map((id) => lineOf(id, flowName(id, language), spread.machines))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, MACHINES_MAX);
  return html`<div class="now"><dl class="big">
<div><dt>${text('console.turnsPerSecond')}</dt><dd><bdi>${rate}</bdi></dd></div>
<div><dt>${text('console.figuresNow')}</dt><dd>${sessionCount(spread.total, isPartial, language)}</dd></div></dl>
${group('console.channel', 'channel', channels)}
${group('console.customerLanguage', 'speaks', languages)}
${machines.length > 0 && group('console.machines', 'place', machines)}</div>
${isFilling && html`<p class="hint" role="status">${text('console.filling')}</p>`}`;
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

function lineOf(id: string, name: string, counts: ReadonlyMap<string, number>): Line {
  return { id, name, count: counts.get(id) ?? 0 };
}

/** Each line narrows the list below to itself. */
function groupPart(
  title: string,
  lines: readonly Line[],
  shown: (count: number) => Html,
  field: string,
  total: number,
): Html {
  return html`<section><h3>${title}</h3><ul class="shares">${lines.map(
    ({ id, name, count }) =>
      html`<li><a href="${BASE}?${field}=${id}">${name}</a> <span class="number">${shown(count)}</span> ${bar(count / Math.max(1, total), name)}</li>`,
  )}</ul></section>`;
}
