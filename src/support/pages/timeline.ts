import { html } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import { hasFailed, outcomeCode } from '../../conversation/record/outcome.ts';
import type { Ran, TurnRecord } from '../../conversation/record/record.ts';
import type { Html } from '../layout.ts';
import { callName, eventCode, eventName, outcomeName } from '../names.ts';
import { say } from '../sentences.ts';
import { innards, named, table, timeOf, type View } from './parts.ts';

/** How many calls and webhooks are listed. */
const LINES_MAX = 40;

/** One call to the wallet, or one thing that was learnt of a payment. */
interface Line {
  readonly at: number;
  readonly words: string;
  /** How Wasl itself calls it. */
  readonly code: string;
  readonly ms?: number | undefined;
  readonly call?: Ran;
}

/** Wallet calls and webhooks, the newest first, with what support needs to ask the wallet's people about one. */
export function timelinePart(records: readonly TurnRecord[], view: View): Html {
  const { language } = view;
  const lines = records
    .flatMap((record) => linesOf(record, language))
    .toReversed()
    .slice(0, LINES_MAX);
  if (lines.length === 0) return html`<p class="empty">${say(language, 'console.noCalls')}</p>`;
  const heads = ['console.when', 'console.call', 'console.answer', 'console.took'] as const;
  const refs = lines.flatMap(({ at, words, call }) =>
    call ? [html`<li>${timeOf(at)} ${words} <code dir="ltr" class="ref">${call.ref}</code></li>`] : [],
  );
  const rows = lines.map(
    ({ at, words, code, ms, call }) => html`<tr>
<td>${timeOf(at)}</td><td>${named(words, code)}</td>
<td>${call && outcomePart(call, language)}</td>
<td class="number" dir="ltr">${ms === undefined ? '' : `${ms} ms`}</td></tr>`,
  );
  const label = say(language, 'console.timeline');
  return html`${table(heads, rows, view, { label, className: 'calls lines' })}${refs.length > 0 && innards(html`<p class="hint">${say(language, 'console.requestId')}</p><ul class="queue">${refs}</ul>`, view)}`;
}

function outcomePart(call: Ran, language: Language): Html {
  const { outcome } = call;
  return html`<span class="badge ${hasFailed(call) ? 'bad' : 'good'}" title="${outcomeCode(outcome)}">${outcomeName(outcome, language)}</span>`;
}

function linesOf({ at, event, ran, lagMs }: TurnRecord, language: Language): Line[] {
  const calls = ran.map(
    (call): Line => ({ at, words: callName(call.effect, language), code: call.effect, ms: call.ms, call }),
  );
  if (event.kind !== 'payment') return calls;
  return [{ at, words: eventName(event, language), code: eventCode(event), ms: lagMs }, ...calls];
}
