import { html } from 'hono/html';
import type { BoundNumber, FloatLoad } from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { AgentCard } from '../../wallet/bank-cards.ts';
import { centimes } from '../../wallet/money.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import { type Html, layout } from '../layout.ts';
import { stateName } from '../names.ts';
import { say } from '../sentences.ts';
import { moment } from '../times.ts';
import { code, flash, form, money, type View } from './parts.ts';
import { reasonField } from './words.ts';

/** Another load of one amount within so long is pointed at before a card is typed. */
const ALIKE_MS = 15 * 60_000;
/** Partner API v2.3: a label of at most 50 characters. */
export const CARD_NAME_MAX = 50;

interface FloatCardsShown {
  readonly code: string;
  readonly takesCards: boolean;
  readonly numbers: readonly BoundNumber[];
  readonly loads: readonly FloatLoad[];
  readonly cards: Answer<readonly AgentCard[]>;
  readonly load?: FloatLoad | undefined;
}

/** The page to load the float by card: the price of a load, the page where its card is typed, the results, and the saved cards. */
export function floatCardsPage(shown: FloatCardsShown, view: View): Html {
  const { language } = view;
  const title = say(language, 'console.floatCard');
  return layout(view, title, 'principal')`<h1>${title} ${code(shown.code)}</h1>${flash(view)}
${shown.load && loadPart(shown.load, shown.loads, view)}
${beginPart(shown, view)}
<section class="panel"><h2>${say(language, 'console.floatCardLoads')}</h2>${
    shown.loads.length === 0
      ? html`<p class="hint">${say(language, 'console.floatCardNone')}</p>`
      : html`<ul>${shown.loads.map((each) => loadLine(each, language))}</ul>`
  }</section>
${cardsPart(shown.cards, view)}
<p><a href="${BASE}/principal">${say(language, 'console.principal')}</a></p>`;
}

function loadPart(load: FloatLoad, loads: readonly FloatLoad[], { language }: View): Html {
  const { amount, fees, phone, by, at, page, refused, payment } = load;
  const alike = loads.find(
    (each) =>
      each.id !== load.id &&
      each.amount === amount &&
      Math.abs(each.at - at) < ALIKE_MS &&
      mayHaveMoved(each),
  );
  const values = {
    amount: { money: amount },
    fees: { money: fees },
    total: { money: centimes(amount + fees) },
  };
  return html`<section class="panel"><p><b>${say(language, 'console.floatCardTotal', values)}</b></p>
<p>${say(language, 'console.floatCardBy')} <bdi>${by}</bdi> · <time dir="ltr">${moment(at)}</time> · ${say(language, 'console.floatCardNumber')} ${code(nationalNumber(phone))}</p>
<p role="status">${stateOf(load, language)}</p>
${refused > 0 && html`<p>${say(language, 'console.floatCardRefused', { count: { count: refused } })}</p>`}
${alike && html`<p class="note bad">${say(language, 'console.floatCardAlike', { state: { text: stateOf(alike, language) } })}</p>`}
${page !== undefined && html`<p><a class="button" href="${page}" target="_blank" rel="noopener">${say(language, 'console.floatCardOpenPage')}</a></p>`}
${payment && html`<p><a href="${BASE}/payments/${payment.id}">${code(payment.id)}</a></p>`}</section>`;
}

/** Whether it has loaded the float, or may have. */
function mayHaveMoved({ payment }: FloatLoad): boolean {
  return payment !== undefined && !['rejected', 'unsent', 'failed', 'reversed'].includes(payment.state);
}

function stateOf({ state, payment }: FloatLoad, language: Language): string {
  if (payment && ['sent', 'accepted', 'unknown'].includes(payment.state))
    return say(language, payment.saidDeclined ? 'console.floatCardDeclined' : 'console.floatCardWaiting');
  if (payment) return stateName(payment.state, language);
  return say(language, state === 'open' ? 'console.floatCardOpen' : 'console.floatCardOver');
}

function loadLine(load: FloatLoad, language: Language): Html {
  const { id, amount, at } = load;
  return html`<li><a href="${BASE}/principal/card?load=${id}">${money(amount, language)}</a> · <time dir="ltr">${moment(at)}</time> · ${stateOf(load, language)}</li>`;
}

function beginPart({ takesCards, numbers }: FloatCardsShown, view: View): Html {
  const { language } = view;
  const bound = numbers.filter((each) => each.bound);
  if (!takesCards) return html`<p class="hint">${say(language, 'console.floatCardOff')}</p>`;
  if (bound.length === 0) return html`<p class="hint">${say(language, 'console.floatCardNoNumbers')}</p>`;
  return html`<section class="panel"><p class="hint">${say(language, 'console.floatCardHint')}</p>
${form(
  '/principal/card',
  view,
)`<label>${say(language, 'console.floatAmount')}<input name="amount" inputmode="decimal" required maxlength="12" dir="ltr"></label>
<label>${say(language, 'console.floatCardNumber')}<select name="phone" dir="ltr">${bound.map(({ phone }) => html`<option value="${phone}">${nationalNumber(phone)}</option>`)}</select></label>
${reasonField(view)}<button>${say(language, 'console.floatCardBegin')}</button>`}</section>`;
}

/** Those that the wallet keeps for the agent. Wasl has none kept: no call is shown that would charge one. */
function cardsPart(cards: Answer<readonly AgentCard[]>, view: View): Html {
  const { language } = view;
  const list =
    cards.kind !== 'ok'
      ? html`<p class="note bad">${say(language, 'console.walletSilent')}</p>`
      : cards.value.length === 0
        ? html`<p class="hint">${say(language, 'console.agentCardsNone')}</p>`
        : cards.value.map((each) => cardPart(each, view));
  return html`<section class="panel"><h2>${say(language, 'console.agentCards')}</h2>${list}</section>`;
}

function cardPart({ id, last4, name }: AgentCard, view: View): Html {
  const { language } = view;
  const path = `/principal/cards/${id}`;
  return html`<details class="card"><summary>${code(`•••• ${last4}`)} <bdi>${name}</bdi></summary>
${form(`${path}/rename`, view)`<label>${say(language, 'console.agentCardName')}<input name="name" value="${name ?? ''}" required maxlength="${CARD_NAME_MAX}" dir="auto" autocomplete="off"></label><button>${say(language, 'console.agentCardRename')}</button>`}
<p class="hint">${say(language, 'console.agentCardDeleteHint')}</p>
${form(`${path}/delete`, view)`<button>${say(language, 'console.agentCardDelete')}</button>`}</details>`;
}
