import { html } from 'hono/html';
import type { Value } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { channelOf } from '../../conversation/channel.ts';
import type { Intent, Settlement } from '../../conversation/desk/desk.ts';
import { payeeOf } from '../../conversation/desk/payee.ts';
import { type IntentState, needsPerson } from '../../conversation/intents/intent.ts';
import { outcomeMessage } from '../../conversation/intents/notification.ts';
import type { DeliveryRecord } from '../../conversation/session/delivery-record.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { maskPhones, maskSentence } from '../masks.ts';
import { flowName, paymentStateName, stateName } from '../names.ts';
import { keyIn, say } from '../sentences.ts';
import { endName, reasonName } from '../steps.ts';
import { moment } from '../times.ts';
import { approves, whyNot } from './freeze.ts';
import { CHANNEL_NAMES, code, form, innards, named, phone, row, type View } from './parts.ts';
import { evidenceField } from './words.ts';

/** How the states look whose end is not indifferent. */
const LOOKS: Readonly<Partial<Record<IntentState, 'good' | 'busy'>>> = {
  sent: 'busy',
  accepted: 'busy',
  unknown: 'busy',
  succeeded: 'good',
  'not-found': 'busy',
};
/** How customers read our own reference. */
export function shortReference({ id }: Pick<Intent, 'id'>): string {
  return id.slice(0, 8).toUpperCase();
}

export function stateBadge(intent: Intent, { language }: Pick<View, 'language'>): Html {
  return needsPerson(intent)
    ? html`<span class="badge bad">${stateName('human', language)}</span>`
    : html`<span class="badge ${LOOKS[intent.state] ?? ''}">${paymentStateName(intent, intent.state, language)}</span>`;
}

/** How much, masked. */
export function amountOf(intent: Intent, view: View, renderer: Pick<Renderer, 'chat'>): string {
  return said({ money: intent.order.amount }, 'amount', judging(intent, view), renderer);
}

/** An agent who proposes or approves an outcome sees the amount for as long as the payment waits for them. */
function judging(intent: Intent, view: View): View {
  const { who, sight } = view;
  const judges = needsPerson(intent) && may(who.role, 'approve');
  return judges ? { ...view, sight: { ...sight, amounts: true } } : view;
}

/** For whom or what it was, masked. */
function payee(intent: Intent, view: View, renderer: Pick<Renderer, 'chat'>): string {
  return Object.entries(payeeOf(intent))
    .map(([name, value]) => said(value, name, view, renderer))
    .join(' · ');
}

/** A value in the words that its customer reads, in a sentence which no customer is told. */
const VALUE = 'console.value' as SentenceKey;

function said(
  value: Value,
  name: string,
  { sight, language }: View,
  renderer: Pick<Renderer, 'chat'>,
): string {
  const masked = maskSentence({ key: VALUE, values: { [name]: value } }, sight).values?.[name] ?? value;
  return renderer.chat({ key: VALUE, values: { value: masked }, expects: 'nothing' }, language).text;
}

/** The payments of a wallet, the newest first: each with its audit, and the newest one open. */
export function paymentsPart(intents: readonly Intent[], view: View, renderer: Pick<Renderer, 'chat'>): Html {
  const { language } = view;
  if (intents.length === 0) return html`<p class="empty">${say(language, 'console.noPayments')}</p>`;
  return html`${intents.map(
    (intent) => html`<article class="payment" id="payment-${intent.id}">
<p class="payment-head"><a href="${BASE}/payments/${intent.id}">${code(shortReference(intent))}</a>
${named(flowName(intent.order.kind, language), intent.order.kind)} <b>${amountOf(intent, view, renderer)}</b> ${stateBadge(intent, view)}</p>
${auditPart(intent, view)}</article>`,
  )}`;
}

/** Everything about one payment, and what a person can do about it. */
export function paymentPart(
  intent: Intent,
  deliveries: readonly DeliveryRecord[],
  view: View,
  renderer: Pick<Renderer, 'chat'>,
): Html {
  const { language } = view;
  const { id, order, quote, operationId, wallet, sentAt, facts = {}, trouble } = intent;
  const alike = lookAlikesIn(intent);
  return html`<dl class="rows">
${row('console.state', stateBadge(intent, view), view)}
${row('console.kind', named(flowName(order.kind, language), order.kind), view)}
${row('console.amount', amountOf(intent, view, renderer), view)}
${row('console.fees', said({ money: quote.fees }, 'fees', judging(intent, view), renderer), view)}
${row('console.payee', payee(intent, view, renderer), view)}
${row('console.wallet', phone(wallet, view), view)}
${row('console.sentAt', html`<time dir="ltr">${moment(sentAt)}</time>`, view)}
${operationId !== undefined && row('console.operation', code(String(operationId)), view)}
${trouble && row('console.personNeeded', say(language, keyIn('trouble', trouble.kind)), view)}
${trouble && trouble.operationIds.length > 0 && row('console.operationsOfRequest', codes(trouble.operationIds), view)}
${alike.length > 0 && row('console.lookAlikes', codes(alike), view)}
${facts.settlement && row('console.settlement', code(facts.settlement), view)}
</dl>${innards(html`<dl class="rows">${row('console.requestId', code(id), view)}</dl>`, view)}
<h2>${say(language, 'console.steps')}</h2>
${auditPart(intent, view)}
<h2>${say(language, 'console.deliveries')}</h2>
${deliveriesPart(deliveries, view)}
${actsPart(intent, view)}`;
}

/** The messages that customers were sent about a payment outside of their own turns, and the result of each. */
function deliveriesPart(deliveries: readonly DeliveryRecord[], { language }: View): Html {
  if (deliveries.length === 0) return html`<p class="empty">${say(language, 'console.noDeliveries')}</p>`;
  return html`<ol class="steps">${deliveries.map(
    ({ at, address, event }) =>
      html`<li><time dir="ltr">${moment(at)}</time> <b title="${event.says}">${CHANNEL_NAMES[channelOf(address)]}${event.by === 'sms' && ' + SMS'}</b> · ${say(language, keyIn('delivery', event.outcome))}${event.tries > 1 && html` (${say(language, 'console.tries', { count: { count: event.tries } })})`}</li>`,
  )}</ol>`;
}

/** The other operations that the list has shown besides a success, which no webhook of ours has ever named. */
function lookAlikesIn({ evidence }: Intent): readonly number[] {
  return evidence.flatMap((fact) => (fact.kind === 'look-alikes' ? fact.operationIds : []));
}

function codes(operationIds: readonly number[]): Html {
  return html`${operationIds.map((id) => html`${code(String(id))} `)}`;
}

function auditPart(intent: Intent, { sight, language }: View): Html {
  return html`<ol class="steps">${intent.audit.map(([at, state, why]) => {
    const words = reasonName(why, language);
    return html`<li><time dir="ltr">${moment(at)}</time> <b>${named(paymentStateName(intent, state, language), state)}</b> · <span class="why" dir="auto">${sight.personal ? words : maskPhones(words)}</span></li>`;
  })}</ol>`;
}

function actsPart(intent: Intent, view: View): Html {
  const { who, language } = view;
  const path = `/payments/${intent.id}`;
  return html`<div class="acts">${may(who.role, 'resend') && outcomeMessage(intent, view.now) && form(`${path}/resend`, view)`<button>${say(language, 'console.resend')}</button>`}</div>
${intent.proposal ? proposalPart(intent, view, path) : may(who.role, 'propose') && needsPerson(intent) && settleForm(intent, view, path)}`;
}

/** The proposal of one agent. Another one approves it, and any agent who sees that it is wrong takes it back. */
function proposalPart({ proposal }: Intent, view: View, path: string): Html {
  const { who, language } = view;
  if (!proposal) return html``;
  const { by, at, as, evidence, operationId, webhook } = proposal;
  return html`<section class="card" aria-labelledby="proposal"><h2 id="proposal">${say(language, 'console.proposal')}</h2>
<p>${say(language, 'console.proposedBy', { agent: { name: by }, at: { date: at }, as: { text: endName(as, language) } })}</p>
<blockquote dir="auto">${evidence}</blockquote>
${operationId !== undefined && html`<p>${say(language, 'console.operation')} ${code(String(operationId))}</p>`}
${webhook !== undefined && html`<p><a href="${BASE}/webhooks/${encodeURIComponent(webhook)}">${say(language, 'console.ofWebhook')}</a></p>`}
<div class="acts">
${approves(by, 'approve', view) && form(`${path}/approve`, view)`<input type="hidden" name="at" value="${at}"><button class="main">${say(language, 'console.approve')}</button>`}
${may(who.role, 'withdraw') && form(`${path}/withdraw`, view)`<button>${say(language, 'console.withdraw')}</button>`}
</div>
${whyNot(by, 'approve', view)}</section>`;
}

/** A voucher without its code can only be handed over. Any other payment that waits for a person has ended in some way. */
function settleForm({ state }: Intent, view: View, path: string): Html {
  const { language } = view;
  const ends: readonly Settlement['as'][] =
    state === 'succeeded' ? ['handedOver'] : ['succeeded', 'failed', 'reversed'];
  return html`<section class="card" aria-labelledby="settle"><h2 id="settle">${say(language, 'console.settle')}</h2>
<p class="hint">${say(language, 'console.settleHint')}</p>
${form(
  `${path}/propose`,
  view,
)`<fieldset class="radios"><legend>${say(language, 'console.settleAs')}</legend>${ends.map(
  (as) => html`<label><input type="radio" name="as" value="${as}" required> ${endName(as, language)}</label>`,
)}</fieldset>
${evidenceField(view)}
<label>${say(language, 'console.operationIfAny')}<input name="operation" inputmode="numeric" pattern="[0-9]{1,15}" dir="ltr" autocomplete="off"></label>
<button class="main">${say(language, 'console.propose')}</button>`}</section>`;
}
