import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '../../machines/kit/effects.ts';
import { problem } from '../../machines/kit/problem.ts';
import type { Sentence } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import type { CardPaymentOrder } from '../payments/card-payment.ts';
import type { FloatCardOrder } from '../payments/float-card.ts';
import type { KeyedDoc } from '../store/codec.ts';
import type { Partition } from '../store/store.ts';
import { readDocs, type Update, update } from '../store/update.ts';
import { centimes } from '../wallet/money.ts';
import { newCaseId } from './cases/changes.ts';
import { tellCases } from './cases/tell.ts';
import { caseUpdate } from './cases/update.ts';
import type { CardInHand } from './incoming.ts';
import {
  type CardLink,
  cardLinkCodec,
  cardLinkKey,
  cardLinkWrite,
  refusedCardsOf,
  reopened,
  stateOf,
} from './intents/card-link.ts';
import { type Intent, intentCodec, intentKey, isOpen, SEND_WITHIN_MS } from './intents/intent.ts';
import { listOperations } from './intents/look-alikes.ts';
import { listedFrom } from './intents/match.ts';
import { claimed, type Sending, send, sent } from './intents/pay.ts';
import { pendingKey, pendingWrite } from './pending/pending.ts';
import { isOurRef, newRef, partitionOfRef } from './record/ref.ts';
import { returnToken } from './session/form.ts';
import { refusalOfOrder } from './session/safety.ts';
import { walletKey, walletStateOf, walletWrite } from './session/wallet-doc.ts';
import { keepAnswer } from './turn/finish/keep-answer.ts';
import type { TurnDeps } from './turn-deps.ts';

/** How long the wallet may take to answer. */
const CALL_MAX_MS = 30_000;
/** How long the payer waits for the list of earlier payments. */
const LIST_MAX_MS = 3_000;
/** How long the payer waits for the store once the wallet has answered. */
const STORED_MS = 2_000;

/** A link as its page shows it. */
export interface CardLinkSeen extends Pick<CardLink, 'merchant' | 'amount' | 'fees'> {
  /** It loads the float of the principal agent that `merchant` names. */
  readonly isFloat: boolean;
  readonly isReserved: boolean;
  /** Of one that was used: `unsure` while nobody knows whether it was paid, `over` once it is known not to be. */
  readonly state: ReturnType<typeof stateOf> | 'unsure';
}

/** The result for a card that was typed on its page. */
export type CardLinkPaid =
  | { readonly kind: 'bank'; readonly link: string }
  /** Done, as far as the payer has to do with it. */
  | { readonly kind: 'taken' }
  /** Nothing was moved: another card may be tried, as long as the link can be paid. */
  | { readonly kind: 'refused'; readonly why: Sentence }
  /** Nobody knows. */
  | { readonly kind: 'unsure' }
  /** The link cannot be paid any more. */
  | { readonly kind: 'closed'; readonly state: 'used' | 'over' };

/**
 * Pages on which strangers pay a merchant by card, and administrators load the float of the principal agent. The holder
 * of a link may pay, once, and sees only the recipient and the amount.
 */
export interface CardLinks {
  /** Undefined where the id is no link of ours. Changes nothing. */
  cardLink(id: string): Promise<CardLinkSeen | undefined>;
  /** Pays with the card in hand, which is written nowhere. Rejects with `StoreDown` while nothing was sent. */
  payCardLink(id: string, card: CardInHand): Promise<CardLinkPaid | undefined>;
}

interface CardLinksDeps
  extends Pick<
    TurnDeps,
    | 'store'
    | 'secrets'
    | 'api'
    | 'budgets'
    | 'served'
    | 'answeredLate'
    | 'answerLost'
    | 'stopping'
    | 'background'
    | 'now'
    | 'skewMs'
  > {}

export function createCardLinks(deps: CardLinksDeps): CardLinks {
  return {
    cardLink: (id) => seen(deps, id),
    payCardLink: (id, card) => pay(deps, id, card),
  };
}

async function seen(deps: CardLinksDeps, id: string): Promise<CardLinkSeen | undefined> {
  const link = await read(deps, id);
  if (!link) return undefined;
  const { merchant, amount, fees, isReserved = false, float } = link;
  return {
    merchant,
    amount,
    fees,
    isReserved,
    isFloat: float !== undefined,
    state: await seenState(deps, link),
  };
}

async function seenState({ store, now }: CardLinksDeps, link: CardLink): Promise<CardLinkSeen['state']> {
  const { id, payment } = link;
  const partition = partitionOfRef(id);
  if (payment === undefined || partition === undefined) return stateOf(link, now());
  const [doc] = await readDocs(store, partition, [intentKey(payment)]);
  const intent = intentCodec.read(doc);
  // It has left the store for the records: the merchant knows of it.
  if (!intent || intent.state === 'succeeded') return 'used';
  return isOpen(intent) || intent.state === 'human' ? 'unsure' : 'over';
}

async function read({ store, secrets }: CardLinksDeps, id: string): Promise<CardLink | undefined> {
  const partition = isOurRef(id, secrets) ? partitionOfRef(id) : undefined;
  if (partition === undefined) return undefined;
  const [doc] = await readDocs(store, partition, [cardLinkKey(id)]);
  return cardLinkCodec.read(doc);
}

async function pay(deps: CardLinksDeps, id: string, card: CardInHand): Promise<CardLinkPaid | undefined> {
  const link = await read(deps, id);
  const partition = partitionOfRef(id);
  if (!link || partition === undefined) return undefined;
  const isMerchants = link.float === undefined;
  if (isMerchants && !(await deps.budgets.hasRoom(refusedCardsOf(link.wallet))))
    return { kind: 'closed', state: 'over' };
  const before = stateOf(link, deps.now()) === 'open' ? await listedBefore(deps, link) : [];
  const begun = await claim(deps, partition, link, before);
  if ('state' in begun) return { kind: 'closed', ...begun };
  const { intent, docs } = begun;
  const tried = watched(card, deps, link);
  const answer = await answerTo(deps, intent, tried.card);
  if (isMerchants && answer.kind === 'rejected')
    deps.background.add(countRefused(deps, link, tried.digest()), 'A refused card could not be counted');
  const kept = keep(deps, { partition, intent, docs }, answer);
  deps.background.add(kept, 'A payment by card could not be written down');
  // The payer goes on to their bank: a store that is down keeps nobody back from there, and this process keeps the answer.
  await Promise.race([kept.catch(() => {}), sleep(STORED_MS, undefined, { ref: false })]);
  return paid(answer, intent.order.kind === 'float-card' ? 'float-card.notTaken' : 'card-payment.notTaken');
}

/** Enough to tell the cards of a day apart, and too little to find out which they are. */
const DIGEST_CHARS = 4;

/** The card on its way, and a digest of its number once it was taken. */
function watched(card: CardInHand, { secrets }: CardLinksDeps, { wallet }: CardLink) {
  let digest = '';
  const take = () => {
    const given = card.take();
    if (given && 'pan' in given)
      digest = secrets.digest(`refused card ${wallet} ${given.pan}`).slice(0, DIGEST_CHARS);
    return given;
  };
  return { card: { take }, digest: () => digest };
}

/** Counts a refused card, once. The one that leaves no room for others closes the links, and a person has to look. */
async function countRefused(
  { budgets, store, now }: CardLinksDeps,
  { wallet, address }: CardLink,
  card: string,
): Promise<void> {
  const [once, all] = [{ budget: 'refusedCard', of: `${wallet} ${card}` } as const, refusedCardsOf(wallet)];
  if (!(await budgets.hasRoom(once)) || (await budgets.charge([once, all]))) return;
  if (await budgets.hasRoom(all)) return;
  const about = 'card-payment.tooMany';
  const opening = { kind: 'asked', subject: address, address, wallet, about } as const;
  await tellCases(store, wallet, caseUpdate(now(), { what: 'opened', case: newCaseId(), opening }));
}

/**
 * An operation that the wallet lists already is not this payment's. A merchant is paid the same by card all day, and
 * the list names nobody. Where the list cannot be read, the payer does not wait for it. A listed operation is never
 * taken for the payment by itself, but only shown to a person.
 */
async function listedBefore({ api, now, skewMs }: CardLinksDeps, link: CardLink): Promise<readonly number[]> {
  const since = listedFrom(now(), skewMs());
  const listed = await listOperations(api, orderOf(link), since, { timeoutMs: LIST_MAX_MS });
  return listed.kind === 'ok'
    ? [...listed.value.operations.map(({ id }) => id), ...listed.value.leftOut]
    : [];
}

/** The payment of a link, and the documents as its claim has left them. */
interface Begun {
  readonly intent: Intent;
  readonly docs: readonly KeyedDoc[];
}

/** Writes down, before anything is sent, that the link is being paid: once for all who have the link. */
function claim(
  { store, secrets, served, now, skewMs }: CardLinksDeps,
  partition: Partition,
  { id, wallet }: CardLink,
  before: readonly number[],
): Promise<Begun | { readonly state: 'used' | 'over' }> {
  const ref = newRef(partition, secrets);
  const keys = [cardLinkKey(id), walletKey(wallet), intentKey(ref), pendingKey(wallet, ref)];
  return update(store, partition, keys, (...all): Update<Awaited<ReturnType<typeof claim>>> => {
    const [linkDoc, walletDoc, doc, pendingDoc] = all as [KeyedDoc, KeyedDoc, KeyedDoc, KeyedDoc];
    const link = cardLinkCodec.read(linkDoc);
    const at = now();
    const state = link ? stateOf(link, at) : 'over';
    if (!link || state !== 'open') return { result: { state: state === 'used' ? state : 'over' } };
    const owner = walletStateOf(walletDoc);
    const { address, isReserved } = link;
    const order = orderOf(link);
    if (refusalOfOrder(owner.value, order, { address, at, served })) return { result: { state: 'over' } };
    const intent = sent({ id: ref, address, order, quote: quoteOf(link), before }, at, skewMs());
    const { wallet: after, writes } = claimed(owner.value, doc, intent);
    const [intentAfter] = writes;
    const reservation = { kind: 'reservation', wallet, payment: ref, at } as const;
    return {
      writes: [
        cardLinkWrite(linkDoc, { ...link, payment: ref }),
        walletWrite(wallet, owner, after),
        ...writes,
        ...(isReserved ? [pendingWrite(pendingDoc, reservation, at)] : []),
      ],
      durable: true,
      replicated: true,
      result: {
        intent,
        docs: [{ ...doc, version: intentAfter?.next ?? 0, value: intentAfter?.value ?? '' }],
      },
    };
  });
}

function orderOf({ id, wallet, amount, isReserved, float }: CardLink): CardPaymentOrder | FloatCardOrder {
  if (float) return { kind: 'float-card', from: wallet, code: float.code, amount, link: id };
  return { kind: 'card-payment', from: wallet, amount, link: id, ...(isReserved && { isReserved }) };
}

/** As the merchant was shown it. */
function quoteOf({ amount, fees, at }: CardLink): Intent['quote'] {
  return { fees, total: centimes(amount + fees), openLoop: false, at, alike: [] };
}

/** Makes the call, once. After any failure in it the outcome is unknown. */
async function answerTo(
  { api, secrets, served: { formAt }, now }: CardLinksDeps,
  { id: ref, order, address, sentAt }: Intent,
  card: CardInHand,
): Promise<Payment> {
  // A process that was frozen must not send a payment that others have taken for lost meanwhile.
  if (now() > sentAt + SEND_WITHIN_MS) return { kind: 'unsent' };
  const env: Sending = {
    ...{ api, secrets, address, ref, now },
    takeCard: () => card.take(),
    backAt: () => formAt && `${formAt}/back/${returnToken(ref, secrets, now())}`,
    call: { requestId: ref, timeoutMs: CALL_MAX_MS },
    open: () => undefined,
    openKept: () => undefined,
  };
  return send(order, env).catch(() => ({ kind: 'unknown' }));
}

/** Writes the answer down for as long as it takes, and leaves the link to another card where nothing was moved. */
async function keep(
  deps: CardLinksDeps,
  { partition, intent: { id, order }, docs }: Begun & { readonly partition: Partition },
  answer: Payment,
): Promise<void> {
  await keepAnswer(deps, { ref: id, docs }, answer);
  if (answer.kind !== 'rejected' && answer.kind !== 'unsent') return;
  const used = order.kind === 'card-payment' || order.kind === 'float-card' ? order.link : undefined;
  if (used === undefined) return;
  await update(deps.store, partition, [cardLinkKey(used)], (doc): Update<void> => {
    const link = cardLinkCodec.read(doc);
    if (link?.payment !== id) return { result: undefined };
    return { writes: [cardLinkWrite(doc, reopened(link, answer.kind))], result: undefined };
  });
}

function paid(answer: Payment, notTaken: SentenceKey): CardLinkPaid {
  switch (answer.kind) {
    case 'accepted':
      return answer.redirect === undefined ? { kind: 'taken' } : { kind: 'bank', link: answer.redirect };
    case 'rejected':
      return { kind: 'refused', why: problem(answer.failure) ?? { key: notTaken } };
    case 'unsent':
      return { kind: 'refused', why: { key: notTaken } };
    default:
      return { kind: 'unsure' };
  }
}
