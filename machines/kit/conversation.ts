import { type PromiseActorLogic, setup } from 'xstate';
import type { KeptContract } from '../../src/payments/bill-payment.ts';
import type { ReceivedPayment } from '../../src/payments/merchant-refund.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Rib } from '../../src/wallet/rib.ts';
import type { CustomerStatus } from '../../src/wallet/wallet.ts';
import { effects, type Period } from './effects.ts';
import type { MachineEvent } from './input.ts';
import type { Screen, Sentence, StateMeta } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** The facts at the moment when it begins. */
interface Moment {
  /** The wallet's payments are frozen. */
  readonly isFrozen?: true;
  /** `statement` only: the PIN for the balance was right a moment ago, in this contact. */
  readonly mayView?: true;
  /** `top-up` and `bill-payment` only: a longer dial goes on behind the entry that has led here. */
  readonly isFollowed?: true;
  /** `onboarding` only: our code has proven the number, so that of the wallet is the second one. */
  readonly hadCode?: true;
}

/** The input of `help` alone. */
interface HelpStart {
  /** It interrupts the opening of a wallet, so there is none yet. */
  readonly isOpening?: true;
  /** The wallet is locked, and this says so. */
  readonly locked?: LockedSays;
}

/** The input of every conversation. `wallet` is set once the customer's number is proven. */
export interface Start extends Wish, Moment, HelpStart {
  readonly wallet?: Msisdn;
  /** True once the customer has proven the wallet to be theirs on this address: by the SIM (USSD) or by PIN. */
  readonly linked: boolean;
  /** `menu` only: the number was proven in this turn, by a code or by what the channel knows. */
  readonly isProven?: boolean;
  /** The link to the wallet can be undone here: it was made by PIN, not by the SIM. */
  readonly canUnlink?: boolean;
  /** The wallet is a merchant's, as far as that is known (`readStatus`): its menus offer what a merchant does. */
  readonly isMerchant?: boolean;
  /** The code of the agent that the wallet's customer is, as far as that is known (`readStatus`). */
  readonly agent?: string;
  /** The code of the principal agent that the number acts for: only where messages are shown. */
  readonly principal?: string;
  /** Messages with buttons are shown here, not pages. */
  readonly isChat?: boolean;
  /** There are support agents who can be asked for. */
  readonly advisers?: boolean;
  readonly identifies?: boolean;
  /** `onboarding` only: the customer's status in the wallet. */
  readonly status?: CustomerStatus;
  /** A sentence to say first: why we are here. */
  readonly notice?: Sentence;
  /** `menu` and `account` only: entries that the wallet has said are not enabled. */
  readonly without?: readonly string[];
  /** `rating`: the case that is asked about. `help`: that of the request to an adviser that is open already. */
  readonly case?: string;
  /** `resume` only: what would be continued, as a sentence. */
  readonly broken?: Sentence;
}

/** The menu of a locked wallet says this: until a new PIN is chosen, or until a person unlocks it. */
export type LockedSays = 'menu.lockedForNow' | 'menu.locked';

/** The help, where the bot offers it by itself. */
export interface HelpOffer {
  /**
   * - `urgent`: the customer was robbed or cheated; `missing`: money has not arrived, and the last payment is named.
   * - `unclear`: the customer was not understood twice in a row, `lost`: three times.
   * - `several`: two things were asked for in one line.
   * - `leaves`: the customer asks for a payment in the middle of another request.
   * - `undo`: they want a payment back, or have paid a wrong number; `cancel`: they give up where nothing is under way.
   * - `again`: they want to make the last payment once more, perhaps with the amount among the values.
   * - `unmatched`: they miss a payment that they have named, and none that was made here is it.
   */
  readonly why:
    | 'urgent'
    | 'missing'
    | 'unclear'
    | 'several'
    | 'lost'
    | 'leaves'
    | 'undo'
    | 'cancel'
    | 'again'
    | 'unmatched';
  /** A sentence that offers to go on with the conversation that the customer would leave. */
  readonly leaves?: Sentence;
  /** The conversations that may be meant, the nearest first. */
  readonly meanings?: readonly string[];
  /** Values that came with the request. */
  readonly filled?: Filled;
  /** `undo` and `missing`: the way to pay of the payment that was named. Its number, its payee and its amount are among the values. */
  readonly of?: PaidAs;
  /** The same: it was made so many days before today. */
  readonly daysAgo?: number;
}

/**
 * How customers name the way that something was paid. `numbered`: to a number, whichever way. `unclearFigure`: by a figure that can be read in
 * several ways, so it is none that is known. `incoming`: money that was to come to them, so no payment that was made here. `paid`: whatever
 * they have paid, so no deposit.
 */
export type PaidAs =
  | 'transfer'
  | 'airtime'
  | 'bill'
  | 'voucher'
  | 'merchant'
  | 'numbered'
  | 'unclearFigure'
  | 'incoming'
  | 'paid';

interface FilledPayment {
  /** The one whose receipt or code is wanted: its intent's id. */
  readonly payment?: string;
  /** The one that is to be given back. */
  readonly original?: ReceivedPayment;
  /** The last payment is made again: a transfer is for whoever was paid last. */
  readonly toLast?: true;
}

/** A request that a freeze has stopped, and how the choice is called that begins it again. */
export interface Stopped extends Omit<Offer, 'choice'> {
  readonly called: Sentence;
}

interface FilledFreeze {
  /** The customer wants to undo the freeze, so the PIN is asked at once. */
  readonly thaws?: true;
  /** `freeze` only: a payment was asked for while all are frozen. */
  readonly refuses?: true;
  /** The same: what was stopped. It is offered after the thaw. */
  readonly stopped?: Stopped | undefined;
}

interface FilledTopUp {
  /** It is for the customer's own number. */
  readonly isOwn?: true;
  /** Of the number that is topped up. */
  readonly operator?: Operator;
}

interface FilledVoucher {
  /** It is for somebody else, who is not named yet. */
  readonly isGift?: true;
}

/** Values that can be filled in before a conversation begins: all of them were read with certainty. */
export interface Filled extends FilledPayment, FilledFreeze, FilledTopUp, FilledVoucher {
  readonly to?: Msisdn;
  readonly amount?: Centimes;
  readonly rib?: Rib;
  /** How the holder of that account is called. */
  readonly holder?: string;
  /** The saved beneficiary that `to` or `rib` is taken from. */
  readonly beneficiaryId?: number;
  /** The customer's name for a saved recipient. */
  readonly payee?: string;
  /** Words to look for: a creditor, a brand. */
  readonly search?: string;
  /** The contract of bills that the customer has agreed to keep. */
  readonly contract?: KeptContract;
  /** `bill-payment` and `top-up` only: what was paid before, and nothing is asked. */
  readonly looksBack?: true;
  /** The content of a merchant's QR code. */
  readonly qr?: string;
  /** The days of which a merchant wants to know the takings. */
  readonly period?: Period;
  readonly code?: string;
  /** A file of payouts was sent where none is asked for. */
  readonly givesFile?: true;
  /** `help` only. */
  readonly help?: HelpOffer;
}

/**
 * A request made in one line, kept while another conversation must come first: language, linking, unlocking. It stays a
 * wish: the menu decides whether it begins, and a payment still asks for its confirmation and PIN.
 */
export interface Wish {
  readonly wanted?: string | undefined;
  /** The values that the customer has given with it. The conversation begins with them. */
  readonly filled?: Filled | undefined;
}

export function wishOf({ wanted, filled }: Wish): Pick<Start, 'wanted' | 'filled'> {
  return { ...(wanted !== undefined && { wanted }), ...(filled && { filled }) };
}

/** The context of every conversation. */
export interface Remembered {
  /** Said above the next screen, then forgotten by the engine. */
  notice?: Sentence | undefined;
}

/**
 * How a conversation ends, as data for the engine. A final state with a screen stays visible until the customer acts. A
 * final state without a screen leads on: back to the interrupted conversation (`resume`), to `next`, or to the menu.
 */
export interface Ending {
  readonly next?: string;
  readonly status?: CustomerStatus;
  /** Go back to the interrupted conversation, which gets `resumed`. */
  readonly resume?: 'asItWas' | 'fromCheckpoint';
  /** The input of `next`. */
  readonly filled?: Filled | undefined;
  /** The request that the customer made before this conversation interrupted it. */
  readonly wanted?: string | undefined;
  readonly notice?: Sentence | undefined;
  readonly language?: 'fr' | 'ar' | 'en';
  /** The number that the customer has proven to be theirs: the session moves to that wallet's partition. */
  readonly proven?: Msisdn;
  /** By a contact card of the chat, or by our code. */
  readonly provenBy?: 'contact' | 'code';
  /** The PIN was right on this address: outcomes and received money may be shown here. */
  readonly linked?: true;
  /** The wallet is closed. No chat is linked to it any more, and a new customer agrees to the terms again. */
  readonly closed?: true;
  /** The customer takes this chat away from the wallet: it forgets whose it was. */
  readonly unlinked?: true;
  /** The customer agreed to the terms with this version of them. */
  readonly consent?: string;
  /** The wallet says that this conversation's service is not enabled: the menu leaves it out for the rest of the visit. */
  readonly notEnabled?: string;
  /** The conversations that the choices of the last screen begin. */
  readonly offer?: Offer | readonly Offer[] | undefined;
}

/** The conversation behind one choice of a last screen, and its input. */
export interface Offer {
  readonly choice: string;
  readonly next: string;
  readonly filled: Filled;
}

/**
 * Tags tell the engine what it may do in a state.
 *
 * - `resumable`: a redial offers to continue from here.
 * - `sent`: money is under way, so "cancel" shows its status.
 * - `news`: a last screen that the next dial repeats when its answer came too late. It shows nothing that a PIN
 *   protects.
 * - `private`: the PIN opened this screen, so a chat history keeps none of it.
 */
export type Tag = 'resumable' | 'sent' | 'news' | 'private' | 'list';

/** XState's `setup` with Wasl's words in it. Every machine begins with `conversation<Context>()`. */
export function conversation<Context extends Remembered>() {
  return setup({
    types: {} as {
      context: Context;
      events: MachineEvent;
      input: Start;
      output: Ending;
      meta: StateMeta<Context>;
      tags: Tag;
    },
    // The whole table of effects in the type of every chart takes 2.5 times the type-check. `calls<>()` checks each name.
    actors: effects as unknown as Record<string, PromiseActorLogic<unknown, unknown>>,
  });
}

type Chart<Context extends Remembered> = Parameters<
  ReturnType<typeof conversation<Context>>['createMachine']
>[0];

/** The chart of a conversation: version 1 unless it says otherwise. It ends with the output of its final state. */
export function machine<Context extends Remembered>(chart: Chart<Context>) {
  return conversation<Context>().createMachine({ version: '1', output: ending, ...chart });
}

/** A screen that carries the context's notice, if there is one. */
export function screen<Context extends Remembered>(make: (context: Context) => Screen): StateMeta<Context> {
  return {
    screen: (context) => (context.notice ? { ...make(context), notice: context.notice } : make(context)),
  };
}

type StateConfig<Context extends Remembered> = Parameters<
  ReturnType<typeof conversation<Context>>['createStateConfig']
>[0];
type PartOfState = 'tags' | 'entry' | 'exit' | 'after';
const PARTS_OF_STATE: ReadonlySet<string> = new Set<PartOfState>(['tags', 'entry', 'exit', 'after']);

/**
 * States that show a screen and wait: `const state = states<Context>()`, then
 * `askingAmount: state({ shows, said, back })`. Each input that the state takes stands beside its screen.
 */
export function states<Context extends Remembered>() {
  return ({
    shows,
    ...parts
  }: Pick<StateConfig<Context>, PartOfState> &
    NonNullable<StateConfig<Context>['on']> & { readonly shows: (context: Context) => Screen }) => {
    const partsOf = (isOfState: boolean) =>
      Object.fromEntries(Object.entries(parts).filter(([name]) => PARTS_OF_STATE.has(name) === isOfState));
    return { ...partsOf(true), meta: screen(shows), on: partsOf(false) } as StateConfig<Context>;
  };
}

/** A final state with a screen: a place of rest, which stays until the customer acts. */
export function last<Context extends Remembered>(
  says: SentenceKey | ((context: Context) => Omit<Screen, 'expects'>),
  more: { readonly tags?: Tag; readonly output?: Ending } = {},
) {
  return {
    type: 'final' as const,
    ...more,
    meta: screen<Context>((context) => ({
      ...(typeof says === 'string' ? { key: says } : says(context)),
      expects: 'nothing',
    })),
  };
}

/** The customer has given the request up at the PIN, before the wallet was asked for anything. */
export const cancelled = {
  type: 'final',
  output: { next: 'menu', notice: { key: 'nav.cancelled' } },
} as const;

/** A value that the conversation must have by then. A missing one is a bug of its machine. */
export function known<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error('a conversation went on without what it needs');
  return fact;
}

/** The machine's output is the output of the final state it ended in. */
function ending({ event }: { event: { output?: unknown } }): Ending {
  return (event.output ?? {}) as Ending;
}
