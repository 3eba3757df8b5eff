import { isDeepStrictEqual } from 'node:util';
import { type Claim, HOLDS_EITHER_WAY, INVITES_AGAIN } from '../../../machines/kit/claims.ts';
import type { Sentence } from '../../../machines/kit/screen.ts';
import { claimOf } from '../../../src/conversation/chart/releases.ts';
import type { Address } from '../../../src/conversation/incoming.ts';
import type { Intent } from '../../../src/conversation/intents/intent.ts';
import { methodOf, orderValues, PAYMENT_KINDS, type PaymentKind } from '../../../src/payments/payments.ts';
import { sentences } from '../../../src/screen/locales.ts';
import { OPERATION_TYPES, STATUSES } from '../../../src/wallet/contract/fields.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { CashKind } from '../../../src/wallet/services.ts';
import type { Execution } from './oracle.ts';

/** One text as it reached a customer, by the sentences it is made of. Moments are ms since 1970. */
export interface Spoken {
  /** When the input came in that it answers. Without one, when it left. */
  readonly askedAt: number;
  readonly at: number;
  readonly address: Address;
  /** The wallet that it may speak of. Absent in an unlinked chat. */
  readonly wallet?: Msisdn | undefined;
  /** The first page of a dial, an opened chat and the menu start a contact. A place of rest ends it. */
  readonly contact: 'starts' | 'ends' | 'goes on';
  /** In the order they are read, the labels of choices last. */
  readonly sentences: readonly Sentence[];
}

/** A payment as Wasl wrote it down. */
export interface Payment extends Pick<Intent, 'id' | 'wallet' | 'address' | 'order' | 'sentAt' | 'audit'> {
  /** When the store had it, where the test knows: it is dated a moment before, and nobody can read of it until then. */
  readonly writtenAt?: number | undefined;
}

/** From a moment on a wallet is frozen by its customer or by support, or by nobody. */
export interface Freezing {
  readonly wallet: Msisdn;
  readonly at: number;
  readonly by: 'customer' | 'support' | 'nobody';
}

/** The facts at the moment when a text leaves. */
interface Truth {
  /**
   * Everything that the wallet has made of the customers' requests, as its ledger has it then. A payment without Wasl
   * has no request id. Only the question about an equal payment speaks of it.
   */
  readonly executions: readonly Execution[];
  readonly payments: readonly Payment[];
  /** Operations that the customer was told of before: a sentence without a reference speaks of another payment. */
  readonly told: ReadonlySet<number>;
  /** Every freeze and thaw, oldest first. Absent: the test knows of none, and nothing is judged by them. */
  readonly freezes?: readonly Freezing[];
}

/** Said while the PIN is checked, and true whatever comes of it. */
const CONDITIONAL: ReadonlySet<string> = new Set(['pay.checkingPin']);
/** Speaks of another payment than the one whose values stand beside it. */
const OF_ANOTHER: ReadonlySet<string> = new Set([
  'pay.busy',
  'pay.stillBusy',
  // Another part of the same payment may be of another amount.
  'merchant-refund.confirmAgain',
  'merchant-refund.confirmUnconfirmed',
  'card-refund.confirmAgain',
  'card-refund.confirmUnconfirmed',
  'card-capture.confirmAgain',
  'card-capture.confirmUnconfirmed',
]);
const OPEN_STATES: ReadonlySet<string> = new Set(['sent', 'accepted', 'unknown']);
const NEVER_MADE: ReadonlySet<string> = new Set(['rejected', 'unsent']);
/** A refusal is dated before it is written: who is answered meanwhile, because the deadline struck, reads what is written. */
const WRITTEN_WITHIN_MS = 5_000;
/** A payment that is written again is dated before its commit, and a turn that begins between the two reads nothing of it. */
const COMMITTED_WITHIN_MS = 100;
const TYPES = {
  ...Object.fromEntries(PAYMENT_KINDS.map((kind) => [kind, methodOf({ kind }).type])),
  'cash-in': OPERATION_TYPES.CASHIN,
  'cash-out': OPERATION_TYPES.CASHOUT,
} as Readonly<Record<PaymentKind | CashKind, number>>;

/**
 * Compares a text about its customer's money with the facts of that moment (docs/safety.md, "The truth"). The result has
 * one line for each falsehood. A sentence without a row in the table of claims is false, too.
 */
export function falsehoods(spoken: Spoken, truth: Truth): string[] {
  const unknown = spoken.sentences.filter(({ key }) => claimIn(key) === undefined);
  if (unknown.length > 0) return unknown.map(({ key }) => `${key} has no row in the table of claims`);
  const { wallet } = spoken;
  if (wallet === undefined) return [];
  const told = new Set(truth.told);
  const lies = spoken.sentences.flatMap((sentence, i) => {
    const why = FALSE[claimOf(sentence.key)](sentence, { ...spoken, wallet }, { ...truth, told });
    for (const id of toldBy(sentence, wallet, truth.executions)) told.add(id);
    // An invitation to pay again must not stand below a payment that must not be made again, even if that is named.
    const again =
      sentence.key === 'pay.again'
        ? openDuring(spoken, truth)
        : INVITES_AGAIN.has(sentence.key)
          ? unnamed(spoken, truth, i)
          : [];
    return [
      ...(why ? [`${sentence.key} is false: ${why}`] : []),
      ...again.map(({ id }) => `${sentence.key} invites to pay again while ${id} is open`),
    ];
  });
  return [...lies, ...silences(spoken, truth), ...disorder(spoken), ...ofFreezes(spoken, truth)];
}

/** The operations that a customer knows of once they have read this sentence. */
export function toldBy(sentence: Sentence, wallet: Msisdn, executions: readonly Execution[]): number[] {
  const claim = claimIn(sentence.key);
  if (claim !== 'moved' && claim !== 'received') return [];
  return executions
    .filter((each) => each[claim === 'moved' ? 'sender' : 'receiver'] === wallet && fits(sentence, each))
    .map(({ operationId }) => operationId);
}

/**
 * Its outcome is not known, and was not when the text was asked for. A payment made at the same address may have been sent
 * by the very turn that the text answers.
 */
function isOpenDuring(
  { sentAt, writtenAt = sentAt, audit, address }: Payment,
  spoken: Pick<Spoken, 'askedAt' | 'at' | 'address'>,
): boolean {
  const { at } = spoken;
  const since = address === spoken.address ? at : spoken.askedAt;
  // Written again by whatever goes on beside this turn, which may have read before.
  const isReadable = writtenAt <= since && writtenAgainAt(audit) + COMMITTED_WITHIN_MS <= spoken.askedAt;
  return isReadable && OPEN_STATES.has(stateAt(audit, since)) && OPEN_STATES.has(stateAt(audit, at));
}

/** When a payment was written again that the store had lost after it had acknowledged it: until then nobody could read of it. */
function writtenAgainAt(audit: Payment['audit']): number {
  const isAgain = (why: Payment['audit'][number][2]) =>
    typeof why === 'object' && (why.kind === 'restored' || why.kind === 'rebuilt');
  return audit.findLast(([, , why]) => isAgain(why))?.[0] ?? Number.NEGATIVE_INFINITY;
}

/** Said of the payment that is asked for. Lines of a file and what others pay by card are asked for nowhere. */
function isAskedFor({ key }: Sentence): boolean {
  return key.startsWith('pay.');
}

/** A stranger has paid it by card, or it is a line of a file. A sentence about one's own request does not speak of it. */
function isAskedForNowhere({ requestId }: Execution, payments: readonly Payment[]): boolean {
  const payment = payments.find(({ id }) => id === requestId);
  if (!payment) return false;
  const { waitsFor, inBulk } = methodOf(payment.order);
  return waitsFor === 'other' || inBulk === true;
}

type Owned = Spoken & { readonly wallet: Msisdn };

/** The reason why a claim is false. Undefined: it is true. */
const FALSE: Readonly<
  Record<Claim, (sentence: Sentence, spoken: Owned, truth: Truth) => string | undefined>
> = {
  nothing: () => undefined,

  /** It is read as speaking of every payment that it does not tell apart, and that its reader does not know the end of. */
  notMoved(sentence, spoken, { executions, payments, told }) {
    const { wallet, sentences } = spoken;
    const isNamed = (name: (other: Sentence) => boolean) =>
      amountIn(sentence) === undefined &&
      sentences.some((other) => other !== sentence && claimOf(other.key) !== 'notMoved' && name(other));
    const moved = executions.find(
      (each) =>
        each.sender === wallet &&
        each.requestId !== '' &&
        isMade(sentence, each) &&
        isAbout(sentence, each, payments) &&
        !(isAskedFor(sentence) && isAskedForNowhere(each, payments)) &&
        (namesOperation(sentence) || sentence.key.endsWith('.notSentAt') || !told.has(each.operationId)) &&
        !isNamed((other) => claimOf(other.key) !== 'nothing' && isAbout(other, each, payments)),
    );
    if (moved) return `operation ${moved.operationId} took ${moved.amount}`;
    const open = payments.find(
      (each) =>
        each.wallet === wallet &&
        referenceIn(sentence) === undefined &&
        isOpenDuring(each, spoken) &&
        !isProvenUnsent(each, spoken) &&
        !(isAskedFor(sentence) && waitsForCustomer(each, spoken)) &&
        fitsOrder(sentence, each) &&
        !isNamed((other) => claimOf(other.key) !== 'nothing' && fitsOrder(other, each)),
    );
    return open && `nobody knows yet what became of ${open.id}`;
  },

  /** A process that stood still between its thought and its word says what was so when it was asked. */
  open(sentence, { wallet, at, askedAt }, { executions, payments }) {
    if (CONDITIONAL.has(sentence.key)) return undefined;
    if (executions.some((each) => each.sender === wallet && isAbout(sentence, each, payments)))
      return undefined;
    const made = payments.filter(
      (each) => each.wallet === wallet && each.sentAt <= at && fitsOrder(sentence, each),
    );
    if (made.length === 0) return 'no such payment was ever made';
    return made.every(({ audit }) =>
      NEVER_MADE.has(stateAt(audit, Math.min(askedAt, at - WRITTEN_WITHIN_MS))),
    )
      ? 'the wallet has refused it, or never had it'
      : undefined;
  },

  moved(sentence, { wallet, at }, { executions, payments }) {
    const succeeded = (id: string) =>
      payments.find((each) => each.id === id)?.audit.some(([when, it]) => it === 'succeeded' && when <= at);
    return executions.some(
      (each) =>
        each.sender === wallet &&
        // Only the question about an equal payment speaks of one without Wasl.
        (each.requestId !== '' || !isOfOwnPayment(sentence)) &&
        isAbout(sentence, each, payments) &&
        (each.status === STATUSES.COMPLETED ||
          // A till has executed it and taken it back. A payment's own request tells nobody of the first.
          (each.status === STATUSES.CANCELED && (succeeded(each.requestId) || each.reference !== undefined))),
    )
      ? undefined
      : 'no such operation is completed';
  },

  returned(sentence, { wallet }, { executions, payments }) {
    return executions.some(
      (each) =>
        each.sender === wallet && each.status > STATUSES.COMPLETED && isAbout(sentence, each, payments),
    )
      ? undefined
      : 'no such operation was reversed';
  },

  received(sentence, { wallet }, { executions }) {
    const amount = amountIn(sentence);
    const { total } = sentence.values ?? {};
    // The sum of many payments. The cost of a deposit is no such sum.
    if (amount === undefined && total && 'money' in total && !OF_ANOTHER.has(sentence.key)) {
      const came = executions.filter((each) => each.receiver === wallet && each.status !== STATUSES.OPEN);
      const sum = came.reduce((all, each) => all + each.amount, 0);
      return total.money <= sum ? undefined : `only ${sum} has come in`;
    }
    return executions.some(
      (each) =>
        each.receiver === wallet &&
        isOfAmount(sentence, each.amount) &&
        each.status !== STATUSES.OPEN &&
        isByIts(sentence, each) &&
        isIt(sentence, each),
    )
      ? undefined
      : 'no such operation has come in';
  },

  notReceived(sentence, { wallet }, { executions, told, payments }) {
    const came = executions.find(
      (each) =>
        each.receiver === wallet &&
        each.status === STATUSES.COMPLETED &&
        isOfKind(sentence, each.type) &&
        isOfAmount(sentence, each.amount) &&
        isByIts(sentence, each) &&
        isIt(sentence, each) &&
        // Nobody takes the refusal of a link for a payment made elsewhere, nor that of a load or a deposit for one made in the app.
        (!/^(card-payment|float-card|card-cash-in)\./.test(sentence.key) ||
          payments.some(({ id }) => id === each.requestId)) &&
        // One that names its moment is about the payment of then.
        !payments.some(
          ({ id, ...payment }) => id === each.requestId && !isSentThen(sentence, { id, ...payment }),
        ) &&
        !told.has(each.operationId),
    );
    return came && `operation ${came.operationId} has brought ${came.amount}`;
  },
};

/** Payments that are open and that a text, at its end or before one of its sentences, has not named. */
function unnamed(spoken: Spoken, truth: Truth, before = spoken.sentences.length) {
  const said = spoken.sentences.slice(0, before);
  return openDuring(spoken, truth).filter(
    (each) => !said.some((sentence) => names(sentence) && fitsOrder(sentence, each)),
  );
}

/** Payments whose outcome their customer cannot know. */
function openDuring(spoken: Spoken, { payments }: Truth) {
  return payments.filter(
    (each) =>
      each.wallet === spoken.wallet &&
      isOpenDuring(each, spoken) &&
      !waitsForCustomer(each, spoken) &&
      !isProvenUnsent(each, spoken),
  );
}

/**
 * It goes on once its customer has been at the bank, and is named only where it was begun. A payment of somebody else is
 * told when it has ended. Lines of a file are told together.
 */
function waitsForCustomer({ order, audit }: Payment, { at }: Pick<Spoken, 'at'>): boolean {
  const { waitsFor, inBulk } = methodOf(order);
  const isPending = waitsFor === 'customer' && stateAt(audit, at) === 'accepted';
  return waitsFor === 'other' || inBulk === true || isPending;
}

/** True for a sentence that tells which payment it speaks of, or that one is open. */
function names(sentence: Sentence): boolean {
  const claim = claimOf(sentence.key);
  return (
    claim === 'open' || (claim !== 'nothing' && claim !== 'received' && amountIn(sentence) !== undefined)
  );
}

/** Open payments that a text keeps quiet about although it starts or ends a contact. */
function silences(spoken: Spoken, truth: Truth): string[] {
  const { contact, sentences } = spoken;
  if (contact === 'goes on' || sentences.some(({ key }) => HOLDS_EITHER_WAY.has(key))) return [];
  const [first] = sentences;
  // A customer whom the store has forgotten is asked for the language first, and the question names what is open.
  if (contact === 'starts' && first?.key === 'language.choose') return [];
  return unnamed(spoken, truth).map(
    ({ id }) => `${first?.key} ${contact} a contact and does not name ${id}, which is open`,
  );
}

/** The side that must have frozen the wallet for a sentence to be true. */
const FROZEN_BY: Readonly<Record<string, Freezing['by']>> = {
  'freeze.still': 'customer',
  'freeze.thaw': 'customer',
  'help.thaw': 'customer',
  'freeze.bySupport': 'support',
  'freeze.stillBySupport': 'support',
  'freeze.thawed': 'nobody',
};

/** False sentences about a freeze. */
function ofFreezes({ wallet, askedAt, at, sentences }: Spoken, { freezes }: Truth): string[] {
  const during = (moment: number) =>
    freezes?.findLast((each) => each.wallet === wallet && each.at <= moment)?.by ?? 'nobody';
  const by = during(at);
  if (!freezes || during(askedAt) !== by) return [];
  return sentences.flatMap(({ key }) => {
    const must = FROZEN_BY[key] ?? by;
    return must === by ? [] : [`${key} is false: the wallet is frozen by ${by}`];
  });
}

/** Money received that is gone again: said of one operation, and no payment of one's own. */
const TAKEN_BACK = 'received.undone';

/** One's own payments come before everything else at the start of a contact, money received included. */
function disorder({ contact, sentences }: Spoken): string[] {
  if (contact !== 'starts') return [];
  const claims = sentences.map(({ key }) => claimOf(key));
  // Money by card was asked for, too. It is told in the order of its end.
  const received = sentences.findIndex(
    ({ key }) => claimOf(key) === 'received' && !/^(card-(cash-in|payment|capture)|float-card)\./.test(key),
  );
  const own = sentences.findLastIndex(
    ({ key }, i) => claims[i] !== 'nothing' && claims[i] !== 'received' && key !== TAKEN_BACK,
  );
  return received >= 0 && own > received
    ? [`${sentences[own]?.key} comes after ${sentences[received]?.key}`]
    : [];
}

/** True where the wallet has made what a sentence speaks of: an operation, or a change of what a card has reserved. */
function isMade({ key }: Sentence, { status }: Execution): boolean {
  if (key.startsWith('card-capture.')) return status === STATUSES.COMPLETED;
  if (key.startsWith('card-reverse.')) return status === STATUSES.CANCELED;
  return status <= STATUSES.COMPLETED;
}

/** True when a sentence can be read as speaking of this operation. */
function fits(sentence: Sentence, execution: Execution): boolean {
  const { type, amount, receiver } = execution;
  return (
    isOfKind(sentence, type) &&
    isOfAmount(sentence, amount) &&
    isTo(sentence, receiver) &&
    isIt(sentence, execution)
  );
}

export function fitsOrder(sentence: Sentence, payment: Payment): boolean {
  const { order } = payment;
  const to = order.kind === 'transfer' ? order.to : undefined;
  return (
    isOfKind(sentence, TYPES[order.kind]) &&
    !isOfAnotherByCard(sentence, order.kind) &&
    isOfAmount(sentence, order.amount) &&
    isTo(sentence, to) &&
    isSentThen(sentence, payment) &&
    !namesAnother(sentence, payment)
  );
}

/** `fits`, and what was ordered is not told apart from it by what the sentence names. */
function isAbout(sentence: Sentence, execution: Execution, payments: readonly Payment[]): boolean {
  const payment = payments.find(({ id }) => id === execution.requestId);
  if (!payment) return fits(sentence, execution);
  return (
    fits(sentence, execution) &&
    isSentThen(sentence, payment) &&
    !namesAnother(sentence, payment) &&
    !isByAnotherReference(sentence, execution, payment)
  );
}

/** A deposit by the customer's own reference is told apart by its number, where the ledger names that. */
function isByIts(sentence: Sentence, { reference }: Execution): boolean {
  const said = referenceIn(sentence);
  return !sentence.key.startsWith('cash-in.') || !said || !reference || said === reference;
}

/** A deposit at an agent is told apart by the number of its reference, where that is said. */
function isByAnotherReference(sentence: Sentence, { operationId, requestId }: Execution, { order }: Payment) {
  const said = referenceIn(sentence);
  if (said === undefined || order.kind !== 'agent-cash-in') return false;
  const own = [methodOf(order).receipt?.reference?.(order), String(operationId)];
  return !own.includes(said) && !requestId.toUpperCase().startsWith(said);
}

/**
 * A sentence that names a moment speaks of the payment that was sent then, and of one that was sent before in the same minute.
 * One that was sent after it in that minute is let be, though a page shows no seconds: whoever made it has an outcome of its own.
 */
function isSentThen({ values }: Sentence, { sentAt }: Payment): boolean {
  const { at } = values ?? {};
  if (!(at && 'date' in at)) return true;
  return sentAt <= at.date && minuteOf(sentAt) === minuteOf(at.date);
}

/** The part of a moment that a sentence shows. */
function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000);
}

/** A sentence about a payment that Wasl has made. Cash at a till is none. */
function isOfOwnPayment({ key }: Sentence): boolean {
  const [kind = ''] = key.split('.');
  return (PAYMENT_KINDS as readonly string[]).includes(kind) && !ASKS_OF_LISTED.test(key);
}

function isOfKind({ key }: Sentence, type: number): boolean {
  const [kind = ''] = key.split('.');
  return !(kind in TYPES) || TYPES[kind as PaymentKind | CashKind] === type;
}

/** A payment by card, its collection and its release have operations of one type. The sentences tell them apart. */
function isOfAnotherByCard({ key }: Sentence, ordered: PaymentKind): boolean {
  const [kind = ''] = key.split('.');
  return BY_CARD.has(kind) && BY_CARD.has(ordered) && kind !== ordered;
}
const BY_CARD: ReadonlySet<string> = new Set<PaymentKind>(['card-payment', 'card-capture', 'card-reverse']);

function isOfAmount(sentence: Sentence, amount: number): boolean {
  const said = amountIn(sentence);
  return said === undefined || said === amount;
}

/** Only a transfer's recipient is the number that its operation names. */
function isTo({ key, values }: Sentence, receiver: string | undefined): boolean {
  const paidTo = key.startsWith('merchant-payment.') ? values?.merchant : undefined;
  const to = key.startsWith('transfer.') ? values?.to : paidTo;
  return !to || !('phone' in to) || receiver === undefined || to.phone === receiver;
}

/**
 * The sentence names somebody or something else than this payment. An operation names no creditor, article or code. Its
 * payment does, unless it was rebuilt from the operation.
 */
function namesAnother({ key, values = {} }: Sentence, { order, audit: [first] }: Payment): boolean {
  const why = first?.[2];
  const isRebuilt = typeof why === 'object' && why.kind === 'rebuilt';
  if (isRebuilt || OF_ANOTHER.has(key) || ASKS_OF_LISTED.test(key)) return false;
  const ordered = orderValues(order);
  return PAYEES.some((name) => {
    const said = values[name];
    // Of a payment that was rebuilt, and then written again as it was, nobody was named.
    const isNamed = said && !(name === 'to' && 'say' in said);
    return isNamed && ordered[name] && !isDeepStrictEqual(said, ordered[name]);
  });
}
/** Asked of every operation that the list cannot tell from the payment asked for: whose it is may not be known yet. */
const ASKS_OF_LISTED = /\.confirm(Again|Unconfirmed)$/;
const PAYEES = ['to', 'end', 'operator', 'brand', 'article', 'creditor', 'receivable', 'merchant'] as const;

/** Said by the process that knows it, a moment before it is written: the claim's own commit had failed. */
function isProvenUnsent({ address, audit }: Payment, spoken: Pick<Spoken, 'address' | 'at'>): boolean {
  return address === spoken.address && stateAt(audit, spoken.at + WRITTEN_WITHIN_MS) === 'unsent';
}

/** True when the reference names one operation. A bill has the bill network's own name. */
function namesOperation(sentence: Sentence): boolean {
  return referenceIn(sentence) !== undefined && !sentence.key.startsWith('bill-payment.');
}

/** The operation of the reference, where one is said: its id, or the beginning of our own request's. */
function isIt(sentence: Sentence, { operationId, requestId }: Execution): boolean {
  const reference = referenceIn(sentence);
  if (reference === undefined) return true;
  return (
    reference === String(operationId) ||
    requestId.toUpperCase().startsWith(reference) ||
    // The bill network and cash have names of their own. An agent's operation may stand for another payment of the same reference.
    /^(?:bill-payment|cash-in|cash-out|agent-cash-in|agent-cash-out)\./.test(sentence.key)
  );
}

function amountIn({ key, values }: Sentence): number | undefined {
  if (OF_ANOTHER.has(key)) return undefined;
  const { amount } = values ?? {};
  return amount && 'money' in amount ? amount.money : undefined;
}

/** The reference that a sentence shows. A value that none of its words contains tells its reader nothing. */
function referenceIn({ key, values }: Sentence): string | undefined {
  const { reference } = values ?? {};
  if (!WORDS.get(key)?.includes('{{reference}}')) return undefined;
  return reference && 'code' in reference && reference.code ? reference.code : undefined;
}
const WORDS = sentences('fr');

function stateAt(audit: Payment['audit'], at: number): string {
  return audit.findLast(([when]) => when <= at)?.[1] ?? '';
}

function claimIn(key: string): Claim | undefined {
  try {
    return claimOf(key);
  } catch {
    return undefined;
  }
}
