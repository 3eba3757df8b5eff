import { html, raw } from 'hono/html';
import { BASE } from '../access/endpoints.ts';
import type { StateFigures } from '../figures.ts';
import { type Html, layout } from '../layout.ts';
import { flowName, stepName } from '../names.ts';
import { say } from '../sentences.ts';
import { sessionCount } from './current-load.ts';
import { type Asked, bar, queryOf, rangeForm } from './figures.ts';
import { named, type View } from './parts.ts';

/** A state with what was counted in it, and who is there now. */
export type StateNow = StateFigures & { readonly now: number };

/** How much is known of who is where. */
export interface Known {
  /** There are at least so many. */
  readonly isPartial: boolean;
  readonly isFilling: boolean;
}

/** All conversations, with how many customers are in each now. */
export function machinesPage(
  machines: readonly { readonly machine: string; readonly now: number }[],
  view: View,
  { isPartial, isFilling }: Known,
): Html {
  const { language, who } = view;
  const title = say(language, 'console.machines');
  return layout({
    title,
    language,
    who,
    at: 'machines',
    body: html`<div class="stats"><div class="head"><h1>${title}</h1></div>
<section class="panel"><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">${say(language, 'console.machine')}</th><th scope="col">${say(language, 'console.figuresNow')}</th></tr></thead>
<tbody>${machines.map(
      ({ machine, now }) =>
        html`<tr><td><a href="${BASE}/machines/${machine}">${named(flowName(machine, language), machine)}</a></td><td class="number">${sessionCount(now, isPartial && now > 0, language)}</td></tr>`,
    )}</tbody></table></div>${isFilling && fillingPart(language)}</section></div>`,
  });
}

/**
 * One conversation: its states on the diagram and in a table, with the number of customers there now. Both stay as they
 * are while the page is open.
 */
export function machinePage(
  machine: string,
  parts: Readonly<Record<'diagram' | 'states', string>>,
  asked: Asked,
  view: View,
): Html {
  const { language, who } = view;
  const title = flowName(machine, language);
  const path = `${BASE}/machines/${machine}`;
  return layout({
    title,
    language,
    who,
    at: 'machines',
    body: html`<div class="stats" hx-ext="sse" sse-connect="${path}/live${queryOf(asked)}"><div class="head"><h1>${title}</h1>
<a href="${BASE}/machines">${say(language, 'console.machines')}</a></div>
${rangeForm(asked, path, view)}
<section class="panel"><p class="hint">${say(language, 'console.figuresLegend')}</p><div class="diagram" dir="ltr" tabindex="0" role="region" aria-label="${say(language, 'console.figuresDiagram')}" sse-swap="diagram">${raw(parts.diagram)}</div></section>
<section class="panel"><h2>${say(language, 'console.figuresDropOff')}</h2><div sse-swap="states">${raw(parts.states)}</div></section></div>`,
  });
}

/** The states that anything was counted in, or anybody is in. */
export function statesPart(
  machine: string,
  states: readonly StateNow[],
  { language }: View,
  { isPartial, isFilling }: Known,
): Html {
  const shown = states.filter(({ visits, dropped, now }) => visits || dropped || now);
  const filling = isFilling && fillingPart(language);
  if (shown.length === 0) return html`<p class="empty">${say(language, 'console.nothingYet')}</p>${filling}`;
  const heads = ['console.state', 'console.visits', 'console.dropped', 'console.figuresNow'] as const;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say(language, 'console.figuresDropOff')}"><table><thead><tr>${heads.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${shown.map(
    ({ state, visits, dropped, now }) => html`<tr>
<td>${named(stepName(`${machine}.${state}`, language), state)}</td>
<td class="number">${visits}</td><td class="number">${dropped} ${visits > 0 && bar(dropped / visits, dropped)}</td><td class="number">${sessionCount(now, isPartial && now > 0, language)}</td></tr>`,
  )}</tbody></table></div>${filling}`;
}

function fillingPart(language: View['language']): Html {
  return html`<p class="hint" role="status">${say(language, 'console.filling')}</p>`;
}
