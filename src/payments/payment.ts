import type { PaidAs } from '../../machines/kit/conversation.ts';
import type { Document, Value, Values } from '../../machines/kit/screen.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import type { Answer } from '../wallet/answer.ts';
import type { CardDetails } from '../wallet/bank-cards.ts';
import type { RefusalName } from '../wallet/contract/errors.ts';
import type { EventKind } from '../wallet/contract/webhooks.ts';
import type { Centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Rib } from '../wallet/rib.ts';
import type {
  Call,
  Execution,
  Facts,
  Listed,
  Operation,
  OperationFilter,
  Preview,
  Wallet,
} from '../wallet/wallet.ts';
import type { Quote } from './quote.ts';

/** The members of every order. Its `kind` is also the id of the machine that places it and the name of its locale file. */
export interface Placed {
  /** The wallet that pays. */
  readonly from: Msisdn;
  readonly amount: Centimes;
}

/** Whom a payment was for, by number or RIB, and how they are called where that was said. */
export interface Recipient {
  readonly to?: Msisdn;
  readonly rib?: Rib;
  readonly holder?: string;
}

/** How an operation of the wallet has ended. */
export type Ended = 'succeeded' | 'failed';

/** The result of a look by an order's own key: the wallet's operation, or how it ended where no operation is named. */
export interface Found {
  readonly operationId?: number;
  readonly state?: Ended;
  /** When it was executed, in ms since 1970, where the wallet says so. */
  readonly at?: number;
}

/** A card on its way to the call that it was typed for; of a saved one only its CVV is. */
export type TypedCard = CardDetails | { readonly cvv: string };

/** The environment of a call for an order: the wallet, how to call it, and the secrets that the customer gave for it. */
export interface PaymentEnv {
  readonly api: Wallet;
  /** The card that was typed for this very call, to be taken once; undefined where none was, or it is taken. */
  takeCard(): TypedCard | undefined;
  /** Where browsers of customers find our pages about this payment, which say that the conversation goes on; undefined: nowhere. */
  backAt(): string | undefined;
  /** The request id of this attempt, and when to give up. */
  readonly call: Call & { readonly requestId: string };
  /** Opens a secret of the customer's session; undefined when it is too old. */
  open(sealed: Sealed): string | undefined;
  /** Opens what was sealed for the wallet that pays; undefined when it is too old. */
  openKept(sealed: Sealed): string | undefined;
}

/** The environment of a look for an order by its own key. */
export interface FindEnv extends Pick<PaymentEnv, 'openKept'> {
  readonly api: Pick<Wallet, 'billStatus' | 'operation' | 'cashReference'> & HistoryApi;
  readonly call: Call;
  /** When it was sent, ms since 1970. */
  readonly sentAt: number;
}

/** The calls that lists of operations are read by, beside the wallet's list of the customer who pays. */
export type HistoryApi = Pick<Wallet, 'topUps' | 'agentOperations' | 'operations'>;

/** One page of a list of operations, the newest first, and the ids of rows that cannot be read. It may also show operations before `from`. */
export type Listing<O> = (
  order: O,
  api: HistoryApi,
  page: number,
  call: Call,
  from: NonNullable<OperationFilter['from']>,
) => Promise<Answer<Pick<Listed, 'operations' | 'leftOut'>>>;

/**
 * Keeps a payment from being sent twice after the store has lost it (docs/safety.md: every kind has a guard).
 * - `list`: the wallet's list of operations of the customer who pays, read before each send.
 * - `history`: another list, for the same purpose, which knows more or is the only one.
 * - `lines`: the list that shows lines of a file. The process that pays the file compares counts with it before each line.
 * - `once`: the wallet executes the key of the order once, such as a reference or a reservation.
 * - `payer`: for each send somebody types a card and confirms it at their bank.
 */
export type Guard<O> = 'list' | 'once' | 'payer' | { history: Listing<O> } | { lines: Listing<O> };

/**
 * The meaning of the wallet's event for a payment. All but `begun` say how the payment ended, which is read by its operation.
 * `received`: the recipient gets a message as well, if the wallet shows them an operation of this type as money that has come.
 */
export type PaymentEvent =
  /** The wallet has begun it, which is no end. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'received'; readonly as: 'money' | 'payment'; readonly type: number };

/** The event says how a payment ended, and nothing to anybody but its payer. */
export const ENDED: PaymentEvent = { kind: 'ended' };

/** The sentences that name a payment before it is made: each names amount, recipient, fee and total. */
export interface Confirmation {
  /** Of the screen that asks about what the customer may not expect. */
  readonly confirm: SentenceKey;
  /** Of the screen that takes the PIN, which confirms it. */
  readonly askPin: SentenceKey;
}

/** Its sentences, for its customer and for others. */
interface Said<O> {
  /** How a sentence about any payment calls it: the key of "your transfer of … to …". */
  readonly called: SentenceKey;
  /** The customers' words for it when they ask about one that was made. Absent: nothing but a payment. */
  readonly calledAs?: readonly PaidAs[];
  /** The values of its sentences in addition to the amount, the fee and the total. */
  values(order: O): Values;
  /** Its questions before the payment; `<kind>.confirm` and `<kind>.askPin` where absent. */
  confirmation?(quote: Quote): Confirmation;
  /** Its customer reads this sentence while the wallet has it and it has not ended, where that takes days. */
  readonly accepted?: SentenceKey;
  /** They read this sentence once where nothing has come of that for a while, or their browser has come back declined. */
  readonly unfinished?: SentenceKey;
  /** The sentence that tells of its success; `<kind>.done` where absent. */
  done?(facts: Facts, order: O, quote: Quote): SentenceKey | undefined;
  /** Says its success later than at once, where the customer has something to do: a sentence key with `at`. */
  readonly doneAt?: SentenceKey;
  /** Says its failure where there is another payment just like it, which the customer must not take for the failed one. */
  readonly failedBesideAnother?: SentenceKey;
  /** The sentences for refusals that mean something else here than elsewhere. */
  readonly refusals?: { readonly [Name in RefusalName]?: SentenceKey };
}

/** Decides which two orders look alike (docs/safety.md: look-alikes). */
interface Alike<O> {
  /** Whom or what it pays: two orders of one amount with the same one look alike. */
  beneficiary(order: O): string;
  /** The name that two orders which look alike share, where the amount is no part of it. */
  name?(order: O): string;
  /** For how long another one just like it is asked about, in ms; a quarter of an hour where absent. */
  readonly forMs?: number;
}

/** How the wallet's lists of operations show it. */
interface InList<O> {
  /** How a statement calls its operations: a sentence key. */
  readonly statementName: SentenceKey;
  /** Another type that the wallet may give them, where it is not shown which of two. */
  readonly otherType?: number;
  /** `credit`: it brings money into the wallet of who makes it, and the wallet lists it on that side. */
  readonly side?: 'credit';
  /** It changes an operation that is there: it makes none of its own, so none is listed, or looked for in a list. */
  readonly changesAnother?: true;
  /** The beneficiary as the list names them, which may be less (docs/safety.md: how an unknown outcome is found). */
  beneficiary(order: O): string;
  /** Names the goods, where the list does not: a sentence key with the values of the order. */
  about?(order: O): SentenceKey;
  /** The number or RIB that the wallet lists as receiver; undefined where the order does not say it. */
  receiver(order: O): Msisdn | Rib | undefined;
  /** True where the sender that the wallet lists can be this order's; absent: whatever is listed can. */
  isFrom?(sender: string, order: O): boolean;
}

/** How its outcome is found. The optional members are for kinds that differ from every other payment. */
export interface Followed<O> {
  /**
   * How Wasl learns that the wallet has taken a success back. No kind is without an answer.
   * - `event`: v2.3 shows an event that says so.
   * - `read`: no event does. A success is read again a minute, an hour and a day later.
   * - `never`: it changes the operation of another payment, which is followed itself.
   */
  readonly takenBack: 'event' | 'read' | 'never';
  /** The events that concern it. The others have their reasons in `events.ts`. */
  readonly events: { readonly [Kind in EventKind]?: PaymentEvent };
  /** For how long, in ms; 72 hours where absent. */
  readonly forMs?: number;
  /** When it is looked for first, in ms after it was sent. */
  readonly firstLooksMs?: readonly number[];
  /** Nothing but a list that may not be readable tells of it: what was not found by then is a person's to find out. */
  readonly endsWithPerson?: true;
  /** Looks for an order by a key of its own, which nothing else can be found by (docs/safety.md: how an unknown outcome is found). */
  find?(order: O, env: FindEnv): Promise<Answer<Found | undefined>>;
  /** How its operation is read by its id, where that takes more than the number of who pays. */
  read?(order: O, id: number, env: Pick<FindEnv, 'api' | 'call'>): Promise<Answer<Operation>>;
  /**
   * How it ended, by the status that an event gives its operation. For operations that the wallet shows to nobody: the event is all there is.
   * Undefined where the event says nothing of its end.
   */
  endByEvent?(order: O, status: number): Ended | undefined;
  /** True where another payment of ours changes its operation once it has succeeded: what is read then is how that one ended. */
  isChangedLater?(order: O): boolean;
  /** True when it is paid but something is missing that only a person can still give to the customer. */
  isIncomplete?(facts: Facts): boolean;
  /**
   * The order, as far as the wallet tells, of an operation whose intent the store has lost; undefined where it does
   * not tell. Absent where no event would bring such an operation to light.
   */
  rebuild?(
    operation: Operation,
    from: Msisdn,
    api: Pick<Wallet, 'billPayments'>,
  ): Promise<Answer<O | undefined>>;
}

/** The recipient, as the customer and the recipient themselves know it. */
interface Payee<O> {
  /** In the question about somebody who was not paid before; absent: nobody is asked that. */
  asked?(order: O): Value | undefined;
  /** Its preview tells that this number can be paid so. So the operator may let the wallet name its owner (`intents/payee-name.ts`). */
  readonly isNamed?: 'masked' | 'whole';
  /** Whom its customer may pay again: offered where the next one is asked for, and to be saved; absent: nobody. */
  again?(order: O): Recipient | undefined;
  /** The recipient is told that it is this, where no event of the wallet tells them. */
  readonly hears?: 'refund' | 'deposit' | 'withdrawal';
}

/** The part of an order that is sealed, for its call alone. */
interface Secret<O> {
  /** The order as it may be stored: without it. */
  kept(order: O): O;
  /** True when it can be opened no more, and is asked for again. */
  isExpired(order: O, open: PaymentEnv['open']): boolean;
}

/** The parts of its receipt beside the sentence. */
interface Receipt<O> {
  /** Its reference at others than the wallet, where that is no secret: customers read it there, and support agents search for it. */
  reference?(order: O): string | undefined;
  /** A file that the wallet has for each success. */
  readonly document?: Extract<Document['kind'], 'bill-receipt'>;
}

/**
 * All there is to say of one way to pay; `O` is its order. A new way to pay is a file with one of these, a machine that ends
 * in the paying tail, and its sentences. Machines read it too, so it is pure: it calls the wallet only when the engine hands
 * it one.
 */
export interface PaymentMethod<O> {
  /** The machine that makes it, where that is not the one of its kind. */
  readonly madeIn?: string;
  /** The type of its operations (Partner API v2.3, "Operation types"). */
  readonly type: number;
  /** Keeps it from being sent twice after the store has lost it. No kind is without a guard. */
  readonly guard: Guard<O>;
  readonly said: Said<O>;
  readonly alike: Alike<O>;
  readonly listed: InList<O>;
  readonly followed: Followed<O>;
  readonly payee?: Payee<O>;
  readonly receipt?: Receipt<O>;
  readonly secret?: Secret<O>;
  /**
   * Once the wallet has it, it waits for its customer, or for somebody else who pays it on a page of ours. They may never go on, so it is named as
   * open nowhere but in its own conversation, and holds nothing back. What somebody else pays its customer hears of when it has ended.
   */
  readonly waitsFor?: 'customer' | 'other';
  /** How many of them one wallet may send in a day; absent: any number. */
  readonly perDayMax?: number;
  /**
   * It is executed with an agent's float: no list that can be read with a wallet's number shows it, and nothing of the wallet's own
   * money moves. Who it is that the wallet's customer acts as: a retail agent, or for the principal agent.
   */
  readonly ofAgent?: 'retail' | 'principal';
  /** One of many that somebody has released together: nobody is told of it by itself, and it holds no other one back. */
  readonly inBulk?: true;

  preview(order: O, env: PaymentEnv): Promise<Answer<Preview>>;
  /** Moves money: called once for an intent, and never again. */
  execute(order: O, env: PaymentEnv): Promise<Answer<Execution>>;
}

/** The recipient's wallet sees this where the customer was not asked for a reason. */
export const DEFAULT_REASON = 'Wasl';
/** The most a page of operations may hold. */
export const OPERATIONS_PAGE_SIZE = 50;
