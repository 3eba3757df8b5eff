import type { Payment } from '../../../machines/kit/effects.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { PaymentEnv } from '../../payments/payment.ts';
import {
  alikeName,
  keptOrder,
  listedName,
  methodOf,
  type Order,
  orderValues,
} from '../../payments/payments.ts';
import { keptQuote, type Quote } from '../../payments/quote.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Execution } from '../../wallet/wallet.ts';
import { ownAddress } from '../channel.ts';
import type { Changes, Effect, EffectEnv } from '../effects/effect.ts';
import {
  type Book,
  type BookFacts,
  type Entry,
  entered,
  isBusy,
  lookAlikes,
  noted,
  ownerOf,
} from '../session/book.ts';
import { refusalOfOrder, withSent } from '../session/safety.ts';
import type { Outgoing } from '../session/session.ts';
import { sealVoucherCode } from '../session/unseal.ts';
import { sealForBuyer, voucherCodeKey, voucherCodeWrite, withVoucher } from '../session/voucher-codes.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { receiptMessage } from './elsewhere.ts';
import type { Fact } from './evidence.ts';
import {
  INTENT_KEPT_MS,
  type Intent,
  type IntentState,
  intentCodec,
  intentKey,
  learn,
  SEND_WITHIN_MS,
} from './intent.ts';
import { needsOf } from './needs-person.ts';
import { openSentence, outcomeOf, paymentAnswer } from './notification.ts';
import { nextCheck } from './schedule.ts';
import { withOutcome } from './taken-payments.ts';

/** The customer waits for the result of a payment, not for the file that goes with it. */
const FIND_MAX_MS = 2_000;

/** The input of a payment: the order, the confirmed data, and the operations that were listed before it. */
export interface Paying {
  readonly order: Order;
  readonly quote: Quote;
  readonly before: readonly number[];
}

/**
 * Moves money, once. The claim writes the intent as `sent` and takes the wallet's slot before the first byte goes out.
 * After that nothing is ever sent again for this intent, whatever the answer or the lack of one (docs/safety.md).
 */
export const pay: Effect<Paying, Payment> = {
  kind: 'money',
  keys: ({ ref }) => [intentKey(ref), voucherCodeKey(ref)],

  claim({ wallet, docs: [doc] }, { order, quote, before }, { ref, address, at, served, skewMs }) {
    const refusal = refusalOfOrder(wallet, order, { address, at, served });
    if (refusal) return { instead: { kind: 'rejected', failure: refusal } };
    if (isBusy(wallet, at) || hasUnasked(wallet, order, quote, at)) return { instead: { kind: 'busy' } };
    const intent = sent({ id: ref, address, order, quote: keptQuote(quote), before }, at, skewMs());
    return claimed(wallet, doc, intent);
  },

  async run({ order }, env) {
    // A frozen process may wake up long after its claim: by then the customer has read that nobody knows, and may have paid again.
    if (env.now() > env.at + SEND_WITHIN_MS) return { kind: 'unsent' };
    return send(order, env);
  },

  settle({ wallet, docs: [doc, codeDoc] }, answer, { ref, now, served, address }) {
    const before = intentCodec.read(doc);
    if (!before) throw new Error(`intent ${ref} is gone`);
    const intent = answered(before, answer, wallet, now());
    const changes: Changes =
      intent === before
        ? {}
        : {
            writes: [intentWrite(doc, intent, now()), ...keptCodeWrites(codeDoc, intent, answer, now())],
            wallet: withOutcome(
              withBought({ ...wallet, ...noted(wallet, ref, bookFacts(intent)) }, intent, answer),
              intent,
              before,
            ),
            caseUpdates: needsOf(intent, now()),
          };
    // An answer that is known already has handed its code on.
    const code = intent !== before && 'voucherCode' in answer ? answer.voucherCode : undefined;
    const hasNewOutcome = outcomeOf(intent) !== outcomeOf(before);
    const isNumber = address === ownAddress(intent.wallet);
    const receipt = hasNewOutcome && isNumber ? receiptMessage(intent, served, now()) : undefined;
    const say = [...(code ? [codeMessage(intent, code, now())] : []), ...(receipt ? [receipt] : [])];
    return {
      ...changes,
      output: paymentAnswer(intent, answer),
      say,
      ...(hasNewOutcome && { newOutcomeOf: intent }),
    };
  },

  unsafe: { kind: 'unsent' },
  lost: { kind: 'unknown' },
};

/** True where the book has a payment just like it that its customer was not asked about. */
export function hasUnasked(wallet: WalletDoc, order: Order, { alike }: Quote, at: number): boolean {
  const names = { alike: alikeName(order), listed: listedName(order) };
  return lookAlikes(wallet, names, at, methodOf(order).alike.forMs).some(
    ({ id }) => !alike.some((known) => known.id === id),
  );
}

/** A payment as it is written down before its first byte goes out. */
export function sent(
  { order, ...of }: Pick<Intent, 'id' | 'address' | 'order' | 'quote' | 'before'>,
  at: number,
  skewMs = 0,
): Intent {
  return {
    ...of,
    wallet: order.from,
    order: keptOrder(order),
    state: 'sent',
    sentAt: at,
    ...(skewMs !== 0 && { skewMs }),
    evidence: [],
    audit: [
      [of.quote.at, 'previewed', { kind: 'quoted' }],
      [at, 'sent', { kind: 'confirmed' }],
    ],
  };
}

/** The documents written with it: the intent, and its entry in the wallet's book. */
export function claimed(
  wallet: WalletDoc,
  doc: KeyedDoc | undefined,
  intent: Intent,
): { readonly wallet: WalletDoc; readonly writes: readonly Write[] } {
  const { sentAt: at } = intent;
  const counted = withSent(wallet, intent.order, at);
  return {
    wallet: { ...counted, ...entered(counted, entryOf(intent), at) },
    writes: [intentWrite(doc, intent, at)],
  };
}

/** The part of its process that sending a payment needs. */
export type Sending = PaymentEnv & Pick<EffectEnv, 'secrets' | 'address' | 'now' | 'ref'>;

/** Sends the payment, once, and interprets the answer. */
export async function send(order: Order, env: Sending): Promise<Payment> {
  return classified(await executed(order, env), order, env);
}

/** The intent after the wallet's answer, whenever that arrives. Earlier knowledge is kept. */
export function answered(intent: Intent, answer: Payment, book: Book, at: number): Intent {
  if (answer.kind === 'busy' || answer.kind === 'settled') return intent;
  const { operationId = undefined, isFinal = undefined } = answer.kind === 'accepted' ? answer : {};
  const after = withFact(
    intent,
    {
      kind: 'answer',
      said: answer.kind,
      ...(isFinal && { isFinal }),
      ...(operationId !== undefined && { operationId }),
    },
    book,
    at,
  );
  const known = 'facts' in answer ? answer.facts : undefined;
  return known && after !== intent ? { ...after, facts: { ...after.facts, ...known } } : after;
}

/** The intent after a fact, with the payment that the fact's operation belongs to already, if there is one. */
export function withFact(intent: Intent, fact: Fact, book: Book, at: number): Intent {
  const operationId = operationIn(fact);
  const owner = operationId === undefined ? undefined : ownerOf(book, operationId);
  return learn(intent, fact, at, owner === intent.id ? undefined : owner);
}

/** The operation that a fact says is this payment's. */
function operationIn(fact: Fact): number | undefined {
  if (fact.kind === 'webhook' || fact.kind === 'read') return fact.operation.id;
  return fact.kind === 'answer' || fact.kind === 'own-key' || fact.kind === 'only-match'
    ? fact.operationId
    : undefined;
}

/** The wallet's answer. One that is final and names no operation is asked for it once more: a receipt is fetched by it. */
async function executed(order: Order, env: Sending): Promise<Answer<Execution>> {
  const { execute, followed, receipt } = methodOf(order);
  const { find } = followed;
  const answer = await execute(order, env);
  const isKnown = answer.kind !== 'ok' || !answer.value.isFinal || answer.value.operationId !== undefined;
  if (!find || !receipt?.document || isKnown) return answer;
  const call = { timeoutMs: FIND_MAX_MS };
  const found = await find(order, { api: env.api, call, openKept: env.openKept, sentAt: env.now() });
  const operationId = found.kind === 'ok' ? found.value?.operationId : undefined;
  return operationId ? { kind: 'ok', value: { ...answer.value, operationId } } : answer;
}

/**
 * Classifies the wallet's answer to an execution. A status in it is not taken as final. An answer that is the only one
 * there will ever be is final (open question 8).
 */
function classified(answer: Answer<Execution>, order: Order, env: Sending): Payment {
  const { secrets, address, now, ref: id } = env;
  if (answer.kind === 'refused') return { kind: 'rejected', failure: answer };
  if (answer.kind !== 'ok') return { kind: answer.kind };
  const { operationId, isFinal, facts, voucherCode, redirect } = answer.value;
  return {
    kind: 'accepted',
    ...(operationId && { operationId }),
    ...(isFinal && { isFinal }),
    ...(redirect !== undefined && { redirect }),
    ...((facts || voucherCode) && { facts: { ...facts, ...(voucherCode && { codeSent: 'yes' }) } }),
    ...(voucherCode && {
      voucherCode: sealVoucherCode(secrets, voucherCode, address, now()),
      keptCode: sealForBuyer(secrets, voucherCode, { id, wallet: order.from }, now()),
    }),
  };
}

/** The wallet with the voucher that an answer has brought, if it has: its code can be seen again. */
export function withBought(
  wallet: WalletDoc,
  { id, order, sentAt: at }: Intent,
  answer: CodeBrought,
): WalletDoc {
  if (!keptCodeIn(answer) || order.kind !== 'voucher') return wallet;
  return withVoucher(wallet, { id, brand: order.brand, article: order.article.name, at });
}

/** The code of that voucher in a document of its own. */
export function keptCodeWrites(
  doc: KeyedDoc | undefined,
  { wallet, sentAt: at }: Intent,
  answer: CodeBrought,
  now: number,
): Write[] {
  const sealed = keptCodeIn(answer);
  return sealed ? [voucherCodeWrite(doc, { wallet, at, sealed }, now)] : [];
}

/** An answer to a payment, as far as it brings a code to keep. */
type CodeBrought = Payment | { readonly keptCode?: Sealed | undefined };

function keptCodeIn(answer: CodeBrought): Sealed | undefined {
  return 'keptCode' in answer ? answer.keptCode : undefined;
}

/** The message that carries a voucher code: sealed until the moment it is delivered. */
export function codeMessage({ id, order, quote }: Intent, code: Sealed, now: number): Outgoing {
  const screen = { key: 'voucher.code', values: orderValues(order, quote), expects: 'nothing' } as const;
  return { id: codeMessageId(id), screen, sealed: { code }, money: true, tries: 0, tryAt: now };
}

/** @param intent its id */
export function codeMessageId(intent: string): string {
  return `code-${intent}`;
}

/** The entry of an intent in its wallet's book. */
export function entryOf(intent: Intent): Entry {
  const { id, order, sentAt: at } = intent;
  const [alike, listed] = [alikeName(order), listedName(order)];
  return { id, alike, ...(listed !== alike && { listed }), at, ...bookFacts(intent) };
}

/** The facts of an intent for the wallet's book. */
export function bookFacts(intent: Intent): BookFacts & Pick<Entry, 'state'> {
  const { state, order, operationId, others, isByList = false } = intent;
  const says = openSentence(intent);
  const { waitsFor } = methodOf(order);
  return {
    // A payment that waits too long for its customer is no look-alike of the next one.
    state: waitsFor && state === 'not-found' ? 'void' : BOOK_STATES[state],
    ...((waitsFor === 'other' || (waitsFor && state === 'accepted')) && { waits: true as const }),
    ...(operationId !== undefined && { operationId, isByList }),
    ...(others && { others }),
    ...(says && { says }),
  };
}
const BOOK_STATES: Readonly<Record<IntentState, Entry['state']>> = {
  sent: 'open',
  accepted: 'open',
  unknown: 'open',
  'not-found': 'open',
  human: 'open',
  succeeded: 'done',
  reversed: 'void',
  rejected: 'void',
  unsent: 'void',
  failed: 'void',
};

/** How an intent is written: with the moment of its next check. */
export function intentWrite(doc: KeyedDoc | undefined, intent: Intent, now: number): Write {
  const dueAt = nextCheck(intent, now) ?? null;
  return intentCodec.write(doc, intent, { dueAt, keepUntil: now + INTENT_KEPT_MS });
}
