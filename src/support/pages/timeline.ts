import { html } from 'hono/html';
import type { TurnRecord } from '../../conversation/record.ts';
import { hasFailed } from '../board.ts';
import type { Html } from '../layout.ts';
import { callName, cameName, eventName } from '../names.ts';
import { say } from '../sentences.ts';
import { named, timeOf, type View } from './parts.ts';

/** How many calls and webhooks are listed. */
const LINES_MAX = 40;

/** One call to the wallet, or one thing that the wallet has told. */
interface Line {
  readonly at: number;
  readonly what: string;
  readonly came: string;
  readonly isBad: boolean;
  readonly ms?: number | undefined;
  /** The call's `C-Request-Id`. */
  readonly ref?: string;
}

/** Wallet calls and webhooks, the newest first, with what support needs to ask the wallet's people about one. */
export function timelinePart(records: readonly TurnRecord[], { language }: View): Html {
  const lines = records.flatMap(linesOf).toReversed().slice(0, LINES_MAX);
  if (lines.length === 0) return html`<p class="empty">${say(language, 'console.noCalls')}</p>`;
  const head = ['console.when', 'console.call', 'console.answer', 'console.took', 'console.requestId'];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say(language, 'console.timeline')}"><table class="calls lines">
<thead><tr>${head.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({ at, what, came, isBad, ms, ref }) => html`<tr>
<td>${timeOf(at)}</td><td>${named(ref ? callName(what, language) : eventName(what, language), what)}</td>
<td>${came && html`<span class="badge ${isBad ? 'bad' : 'good'}" title="${came}">${cameName(came, language)}</span>`}</td>
<td class="number" dir="ltr">${ms === undefined ? '' : `${ms} ms`}</td>
<td>${ref && html`<code dir="ltr" class="ref" title="${ref}">${ref}</code>`}</td></tr>`,
  )}</tbody></table></div>`;
}

function linesOf({ at, event, ran, lagMs }: TurnRecord): Line[] {
  const calls = ran.map((each): Line => {
    const { src, ref, ms, came } = each;
    return { at, what: src, came, isBad: hasFailed(each), ms, ref };
  });
  const told = /^(?:intent|received|webhook) /.test(event);
  return told ? [{ at, what: event, came: '', isBad: false, ms: lagMs }, ...calls] : calls;
}
