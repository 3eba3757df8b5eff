import { html } from 'hono/html';
import type { PayoutBatch, PayoutLine, Wrong } from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import { createWriter } from '../../screen/values.ts';
import type { Centimes } from '../../wallet/money.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import { type Html, layout } from '../layout.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { code, csrf, flash, form, type Said, type View } from './parts.ts';

const STATES: Readonly<Record<PayoutBatch['state'], ConsoleKey>> = {
  checking: 'console.payoutsChecking',
  ready: 'console.payoutsReady',
  running: 'console.payoutsRunning',
  stopped: 'console.payoutsStopped',
  done: 'console.payoutsDone',
  withdrawn: 'console.payoutsWithdrawn',
};
const WRONG: Readonly<Record<Wrong['why'], ConsoleKey>> = {
  notText: 'console.wrongNotText',
  tooLarge: 'console.wrongTooLarge',
  empty: 'console.wrongEmpty',
  tooMany: 'console.wrongTooMany',
  quotes: 'console.wrongQuotes',
  columns: 'console.wrongColumns',
  account: 'console.wrongAccount',
  ribKey: 'console.wrongRibKey',
  name: 'console.wrongName',
  amount: 'console.wrongAmount',
  reason: 'console.wrongReason',
  twice: 'console.wrongTwice',
};
/** Refused lines that are shown; the file of results has them all. */
const REFUSED_MAX = 100;

/** Files of payouts, and where another one is given. */
export function payoutsPage(
  files: readonly PayoutBatch[],
  view: View,
  wrong: readonly Wrong[] = [],
  said?: Said,
): Html {
  const { who, language } = view;
  const title = say(language, 'console.payouts');
  return layout({
    title,
    language,
    who,
    at: 'principal',
    body: html`<h1>${title}</h1>${flash(said, language)}
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
<p><a href="${BASE}/principal">${say(language, 'console.principal')}</a></p>`,
  });
}

function fileLine({ id, fileName, state, sum, at }: PayoutBatch, language: Language): Html {
  return html`<li><a href="${BASE}/principal/payouts/${id}"><bdi>${fileName}</bdi></a> · ${say(language, STATES[state])} · ${money(sum, language)} · <time dir="ltr">${moment(at)}</time></li>`;
}

function money(amount: Centimes, language: Language): Html {
  return html`<b>${createWriter(language, 'chat')({ money: amount })}</b>`;
}

/** One of them: what would be paid, against what there is; how far it has come; and the lines that are not paid. */
export function payoutPage(
  { batch, lines }: { readonly batch: PayoutBatch; readonly lines: readonly PayoutLine[] },
  float: Centimes | undefined,
  view: View,
  said?: Said,
): Html {
  const { who, language } = view;
  const { id, fileName, by, state, count, payable, fees, next } = batch;
  const refused = lines.flatMap((line, i) => (line.refused === undefined ? [] : [{ ...line, i }]));
  const path = `/principal/payouts/${id}`;
  return layout({
    title: fileName,
    language,
    who,
    at: 'principal',
    body: html`<h1><bdi>${fileName}</bdi></h1>${flash(said, language)}
<section class="panel"><p>${say(language, 'console.payoutsBy')} ${'phone' in by ? code(nationalNumber(by.phone)) : html`<bdi>${by.account}</bdi>`}</p>
<p>${say(language, STATES[state])} · ${say(language, 'console.payoutsCome', { next: { count: next }, count: { count } })}</p>
<p>${say(language, 'console.payoutsPayable', { count: { count: payable.count } })} ${money(payable.sum, language)}</p>
<p>${say(language, 'console.payoutsFees')} ${money(fees, language)}</p>
<p>${say(language, 'console.float')} ${float === undefined ? say(language, 'console.walletSilent') : money(float, language)}</p>
<p class="hint">${say(language, 'console.payoutsRelease')}</p>
<p><a href="${BASE}${path}/results.csv">${say(language, 'console.payoutsResults')}</a></p>
${(state === 'checking' || state === 'ready') && form(`${path}/withdraw`, view, html`<button>${say(language, 'console.payoutsWithdraw')}</button>`)}</section>
<p><a href="${BASE}/principal/payouts">${say(language, 'console.payouts')}</a></p>
${
  refused.length > 0 &&
  html`<section class="panel"><h2>${say(language, 'console.payoutsRefused', { count: { count: refused.length } })}</h2><ul>${refused
    .slice(0, REFUSED_MAX)
    .map(
      ({ i, refused: why, ...line }) =>
        html`<li>${i + 1}. ${code(accountOf(line))} <bdi>${line.name}</bdi> ${money(line.amount, language)} ${code(why ?? '')}</li>`,
    )}</ul></section>`
}`,
  });
}

export function accountOf({ to }: Pick<PayoutLine, 'to'>): string {
  return 'phone' in to ? nationalNumber(to.phone) : to.rib;
}

function wrongName(wrong: Wrong, language: Language): string {
  const why = say(language, WRONG[wrong.why]);
  return 'line' in wrong
    ? say(language, 'console.wrongLine', { line: { count: wrong.line }, why: { text: why } })
    : why;
}
