import { html } from 'hono/html';
import {
  endOf,
  type PayoutBatch,
  type PayoutFile,
  type PayoutLine,
  type Wrong,
} from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import { type Html, layout } from '../layout.ts';
import { refusalName, stateName } from '../names.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { code, csrf, flash, form, money, row, type View } from './parts.ts';

/** Somebody has to release it, or will have to. */
const WAITING: readonly PayoutBatch['state'][] = ['checking', 'ready', 'stopped'];
/** The lines of one kind that are shown. The file of results has them all. */
const SHOWN_MAX = 100;

/** Files of payouts, and where another one is given. */
export function payoutsPage(files: readonly PayoutBatch[], view: View, wrong: readonly Wrong[] = []): Html {
  const { language } = view;
  const title = say(language, 'console.payouts');
  return layout(view, title, 'principal')`<h1>${title}</h1>${flash(view)}
${wrong.length > 0 && html`<section class="note bad" role="alert"><p>${say(language, 'console.payoutsWrong')}</p><ul>${wrong.map((each) => html`<li>${wrongName(each, language)}</li>`)}</ul></section>`}
<section class="panel"><h2>${say(language, 'console.payoutsGive')}</h2>
<p class="hint">${say(language, 'console.payoutsHint')}</p>
<form method="post" action="${BASE}/principal/payouts" enctype="multipart/form-data">${csrf(view)}
<label>${say(language, 'console.payoutsFile')}<input type="file" name="file" accept=".csv,text/csv" required></label>
<button>${say(language, 'console.payoutsGive')}</button></form></section>
<section class="panel"><h2>${say(language, 'console.payoutsGiven')}</h2>${
    files.length === 0
      ? html`<p class="hint">${say(language, 'console.payoutsNone')}</p>`
      : html`<ul>${files.map((each) => fileLine(each, language))}</ul>`
  }</section>
<p><a href="${BASE}/principal">${say(language, 'console.principal')}</a></p>`;
}

/** The same sums as in the chats: what would be paid, and what was. */
function fileLine({ id, fileName, state, payable, tally, at }: PayoutBatch, language: Language): Html {
  const sum = tally
    ? say(language, 'console.payoutsPaidOf', { paid: { money: tally.paid.sum }, of: { money: payable.sum } })
    : money(payable.sum, language);
  return html`<li><a href="${BASE}/principal/payouts/${id}"><bdi>${fileName}</bdi></a> · ${say(language, keyIn('payouts', state))} · ${sum} · <time dir="ltr">${moment(at)}</time></li>`;
}

/** One payout file: the sum to pay against the float, the progress so far, and the lines that are not paid. */
export function payoutPage(file: PayoutFile, float: Centimes | undefined, view: View): Html {
  const { language } = view;
  const { batch, lines } = file;
  const { id, fileName, by, state } = batch;
  const path = `/principal/payouts/${id}`;
  const those = (isIt: (line: PayoutLine) => boolean) =>
    lines.map((line, i) => ({ line, i })).filter(({ line }) => isIt(line));
  const isBefore = (line: PayoutLine) => line.refused !== undefined && !line.isLate;
  return layout(view, fileName, 'principal')`<h1><bdi>${fileName}</bdi></h1>${flash(view)}
<section class="panel">${coursePart(batch, language)}
<dl class="rows">${row('console.payoutsBy', 'phone' in by ? code(nationalNumber(by.phone)) : html`<bdi>${by.account}</bdi>`, { language })}
${moneyRows(file, float, language)}</dl>
${shortPart(file, float, language)}
${file.isUnguarded && state !== 'stopped' && html`<p class="note bad">${say(language, 'console.payoutsWhyUnguarded')}</p>`}
${WAITING.includes(state) && html`<p class="hint">${say(language, 'console.payoutsRelease')}</p>`}
<p><a href="${BASE}${path}/results.csv">${say(language, 'console.payoutsResults')}</a></p>
${(state === 'checking' || state === 'ready') && form(`${path}/withdraw`, view)`<button>${say(language, 'console.payoutsWithdraw')}</button>`}</section>
${linesPart(
  'console.payoutsOpenLines',
  those((line) => endOf(line) === 'open' || line === waitingLine(batch, lines)),
  language,
)}
${linesPart(
  'console.payoutsUnpaidLines',
  those((line) => endOf(line) === 'unpaid' && !isBefore(line)),
  language,
)}
${linesPart(
  'console.payoutsListedLines',
  those((line) => line.isListed === true),
  language,
)}
${linesPart('console.payoutsRefused', those(isBefore), language)}
<p><a href="${BASE}/principal/payouts">${say(language, 'console.payouts')}</a></p>`;
}

/** How far it has come, why it has stopped, and what it waits for. */
function coursePart({ state, next, count, why, current }: PayoutBatch, language: Language): Html {
  const until = current?.waitsUntil;
  return html`<p>${say(language, keyIn('payouts', state))} · ${say(language, 'console.payoutsCome', { next: { count: next }, count: { count } })}</p>
${state === 'stopped' && why && html`<p class="note bad">${say(language, keyIn('payoutsWhy', why))}</p>`}
${state === 'running' && until !== undefined && html`<p class="note busy">${say(language, 'console.payoutsWaits', { line: { count: next + 1 }, until: { date: until } })}</p>`}`;
}

/** The line that was sent and whose answer has not come. */
function waitingLine({ state, current, next }: PayoutBatch, lines: readonly PayoutLine[]) {
  return state === 'running' && current?.waitsUntil !== undefined ? lines[next] : undefined;
}

function moneyRows({ batch, lines: all }: PayoutFile, float: Centimes | undefined, language: Language): Html {
  const { payable, fees, tally, next } = batch;
  // The line whose answer was lost is no tallied line yet.
  const lost = waitingLine(batch, all)?.amount ?? 0;
  const lines = (count: number, sum: Centimes) =>
    html`${money(sum, language)} · ${say(language, 'console.payoutsLines', { count: { count } })}`;
  return html`${row('console.payoutsPayable', lines(payable.count, payable.sum), { language })}
${row('console.payoutsFees', money(fees, language), { language })}
${
  tally &&
  html`${row('console.payoutsPaid', lines(tally.paid.count, tally.paid.sum), { language })}
${row('console.payoutsOpen', lines(tally.open.count + (lost > 0 ? 1 : 0), centimes(tally.open.sum + lost)), { language })}
${row('console.payoutsUnpaid', say(language, 'console.payoutsLines', { count: { count: next - tally.paid.count - tally.open.count } }), { language })}`
}
${row('console.float', float === undefined ? say(language, 'console.walletSilent') : money(float, language), { language })}`;
}

/** The amount that the float lacks for a file that waits: an administrator can still load it. */
function shortPart({ needs }: PayoutFile, float: Centimes | undefined, language: Language): Html {
  if (needs === undefined || float === undefined || needs <= float) return html``;
  return html`<p class="note bad">${say(language, 'console.payoutsShort', { missing: { money: centimes(needs - float) } })}</p>`;
}

/** Lines by their number in the file, each with the reason for its place here. Nothing where there are none. */
function linesPart(
  title: ConsoleKey,
  of: readonly { readonly line: PayoutLine; readonly i: number }[],
  language: Language,
): Html {
  if (of.length === 0) return html``;
  return html`<section class="panel"><h2>${say(language, title, { count: { count: of.length } })}</h2><ul>${of
    .slice(0, SHOWN_MAX)
    .map(
      ({ line, i }) =>
        html`<li>${i + 1}. ${code(accountOf(line))} <bdi>${line.name}</bdi> ${money(line.amount, language)} ${whyPart(line, language)}</li>`,
    )}</ul>${of.length > SHOWN_MAX && html`<p class="hint">${say(language, 'console.payoutsMore', { count: { count: of.length - SHOWN_MAX } })}</p>`}</section>`;
}

/** The reason why the wallet has refused a line, with its code. Otherwise the progress of its payment. */
function whyPart({ refused, code: walletCode, ref, state }: PayoutLine, language: Language): Html {
  const refusal = refused ?? walletCode;
  const words =
    refusal === undefined ? stateName(state ?? 'unknown', language) : whyRefused(refusal, language);
  return html`${words && html`· ${ref ? html`<a href="${BASE}/payments/${ref}">${words}</a>` : words}`} ${refusal && code(refusal)}`;
}

/** Partner API v2.3: no such user. A number may have a wallet elsewhere all the same, which a float cannot pay. */
const NOT_HERE = '20005';

function whyRefused(refusal: string, language: Language): string | undefined {
  return refusal === NOT_HERE ? say(language, 'console.payoutsNotHere') : refusalName(refusal, language);
}

export function accountOf({ to }: Pick<PayoutLine, 'to'>): string {
  return 'phone' in to ? nationalNumber(to.phone) : to.rib;
}

function wrongName(wrong: Wrong, language: Language): string {
  const why = say(language, keyIn('wrong', wrong.why));
  return 'line' in wrong
    ? say(language, 'console.wrongLine', { line: { count: wrong.line }, why: { text: why } })
    : why;
}
