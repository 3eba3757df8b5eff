import { html, raw } from 'hono/html';
import { BASE } from '../access/endpoints.ts';
import type { ConversationFigures, StateFigures } from '../figures.ts';
import { type Html, layout } from '../layout.ts';
import { flowName, stepName } from '../names.ts';
import { say } from '../sentences.ts';
import { sessionCount } from './current-load.ts';
import { type Asked, bar, queryOf, rangeForm } from './figures.ts';
import { named, table, type View } from './parts.ts';

/** A state with what was counted in it, and who is there now. */
export type StateNow = StateFigures & { readonly now: number };

export interface Known {
  /** There are at least so many. */
  readonly isPartial: boolean;
  readonly isFilling: boolean;
}

/** States that a funnel names. The others are counted. */
const STOPS_SHOWN_MAX = 3;

/** A conversation: how customers went through it on some days, and how many are in it now. */
export interface Funnel {
  readonly machine: string;
  /** Absent: nobody began it. */
  readonly figures?: ConversationFigures | undefined;
  readonly now: number;
}

/** A funnel for each conversation that was begun on some days: begun, stopped where, came back, completed. */
export function machinesPage(funnels: readonly Funnel[], asked: Asked, view: View, known: Known): Html {
  const { language } = view;
  const title = say(language, 'console.machines');
  const [begun, others] = [
    funnels.filter(({ figures }) => figures),
    funnels.filter(({ figures }) => !figures),
  ];
  const most = Math.max(1, ...begun.map(({ figures }) => figures?.started ?? 0));
  const heads = [
    ...(['console.machine', 'console.started', 'console.completed', 'console.funnelStopped'] as const),
    ...(['console.funnelBack', 'console.figuresNow'] as const),
  ];
  const lines = begun.map((funnel) => funnelRow(funnel, most, asked, view, known));
  const count = { count: { count: others.length } };
  return layout(view, title, 'machines')`<div class="stats"><div class="head"><h1>${title}</h1></div>
${rangeForm(asked, `${BASE}/machines`, view)}
<section class="panel"><p class="hint">${say(language, 'console.funnelHint')}</p>
${
  begun.length === 0
    ? html`<p class="empty">${say(language, 'console.nothingYet')}</p>`
    : table(heads, lines, view, { label: title, className: 'funnels' })
}
${others.length > 0 && html`<details><summary>${say(language, 'console.funnelOthers', count)}</summary><ul class="queue">${others.map((each) => html`<li>${machineLink(each.machine, asked, view)} ${nowIn(each, view, known)}</li>`)}</ul></details>`}
${known.isFilling && fillingPart(language)}</section></div>`;
}

function funnelRow(funnel: Funnel, most: number, asked: Asked, view: View, known: Known): Html {
  const { machine, figures } = funnel;
  if (!figures) return html``;
  const { language } = view;
  const { started, completed, dropped, stopped, back } = figures;
  const ofAll = (count: number) => (started > 0 ? count / started : 0);
  const percent = `${Math.round(ofAll(completed) * 100)} %`;
  const step = ({ state, dropped: count }: StateFigures) =>
    html`<li>${named(stepName(`${machine}.${state}`, language) || state, state)} <span class="number">${count}</span> ${bar(ofAll(count), count)}</li>`;
  const more = { count: { count: stopped.length - STOPS_SHOWN_MAX } };
  return html`<tr><td>${machineLink(machine, asked, view)}</td>
<td class="number">${started} ${bar(started / most, started)}</td>
<td class="number">${completed} · ${percent} ${bar(ofAll(completed), percent)}</td>
<td><span class="number">${dropped}</span>${stopped.length > 0 && html`<ol class="stops">${stopped.slice(0, STOPS_SHOWN_MAX).map(step)}</ol>`}${stopped.length > STOPS_SHOWN_MAX && html`<p class="hint">${say(language, 'console.funnelMore', more)}</p>`}</td>
<td class="number">${back}</td><td class="number">${nowIn(funnel, view, known)}</td></tr>`;
}

function machineLink(machine: string, asked: Asked, { language }: View): Html {
  return html`<a href="${BASE}/machines/${machine}${queryOf(asked)}">${named(flowName(machine, language), machine)}</a>`;
}

function nowIn({ now }: Funnel, { language }: View, { isPartial }: Known): Html | string {
  return sessionCount(now, isPartial && now > 0, language);
}

/**
 * One conversation: its states on the diagram and in a table, with the number of customers there now. Both stay as they
 * are while the page is open.
 * @param marked the state that the agent came from: every drawing of the stream marks it, too
 */
export function machinePage(
  machine: string,
  parts: Readonly<Record<'diagram' | 'states', string>>,
  asked: Asked,
  marked: string | undefined,
  view: View,
): Html {
  const { language } = view;
  const title = flowName(machine, language);
  const path = `${BASE}/machines/${machine}`;
  return layout(
    view,
    title,
    'machines',
  )`<div class="stats" hx-ext="sse" sse-connect="${path}/live${queryOf(asked)}${marked !== undefined && `&at=${encodeURIComponent(marked)}`}"><div class="head"><h1>${title}</h1>
<a href="${BASE}/machines">${say(language, 'console.machines')}</a></div>
${rangeForm(asked, path, view)}
<section class="panel"><p class="hint">${say(language, 'console.figuresLegend')}</p><div class="diagram" dir="ltr" tabindex="0" role="region" aria-label="${say(language, 'console.figuresDiagram')}" sse-swap="diagram">${raw(parts.diagram)}</div></section>
<section class="panel"><h2>${say(language, 'console.figuresDropOff')}</h2><div sse-swap="states">${raw(parts.states)}</div></section></div>`;
}

/** The states that anything was counted in, or anybody is in. */
export function statesPart(
  machine: string,
  states: readonly StateNow[],
  view: View,
  { isPartial, isFilling }: Known,
): Html {
  const { language } = view;
  const shown = states.filter(({ visits, dropped, now }) => visits || dropped || now);
  const filling = isFilling && fillingPart(language);
  if (shown.length === 0) return html`<p class="empty">${say(language, 'console.nothingYet')}</p>${filling}`;
  const heads = ['console.state', 'console.visits', 'console.dropped', 'console.figuresNow'] as const;
  const rows = shown.map(
    ({ state, visits, dropped, now }) => html`<tr>
<td>${named(stepName(`${machine}.${state}`, language), state)}</td>
<td class="number">${visits}</td><td class="number">${dropped} ${visits > 0 && bar(dropped / visits, dropped)}</td><td class="number">${sessionCount(now, isPartial && now > 0, language)}</td></tr>`,
  );
  return html`${table(heads, rows, view, { label: say(language, 'console.figuresDropOff') })}${filling}`;
}

function fillingPart(language: View['language']): Html {
  return html`<p class="hint" role="status">${say(language, 'console.filling')}</p>`;
}
