import { fromPromise, type InputFrom, type OutputFrom } from 'xstate';
import type { CashNumber } from '../../src/payments/agent-cash.ts';
import type { BillAnswer, KeptContract } from '../../src/payments/bill-payment.ts';
import type { CardPayment } from '../../src/payments/card-payment.ts';
import type { Recipient } from '../../src/payments/payment.ts';
import type { Order, PaymentKind } from '../../src/payments/payments.ts';
import type { Ask, LookedAgain, Quote } from '../../src/payments/quote.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import type { SavedCard } from '../../src/wallet/bank-cards.ts';
import type { DocTypeName } from '../../src/wallet/contract/kyc.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type {
  CardAction,
  CardApplication,
  CardProgram,
  CardService,
  CardTransaction,
  IssuedCard,
} from '../../src/wallet/issued-cards.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Rib } from '../../src/wallet/rib.ts';
import type {
  Beneficiary,
  BillField,
  BillPayment,
  CashKind,
  CashReference,
  Creditor,
  IssuedQr,
  NewRetailAgent,
  Paged,
  PrincipalAccount,
  Receivable,
  RetailAgent,
  RetailAgentDetails,
  RetailAgentFile,
  TopUp,
  TopUpProduct,
  Unpaid,
  VoucherArticle,
  VoucherBrand,
} from '../../src/wallet/services.ts';
import type {
  CustomerStatus,
  Facts,
  Operation,
  OperationStatus,
  Profile,
  UpgradeLevel,
} from '../../src/wallet/wallet.ts';
import type { Filled, PaidAs } from './conversation.ts';
import type { Learnt } from './input.ts';
import type { Failure } from './problem.ts';
import type { Sentence } from './screen.ts';
import type { Sealed } from './secret.ts';

/**
 * The calls a machine can ask for. This is the one place that declares the name, input and output of each. XState takes
 * these stubs, and nothing runs here. The engine's table (`src/conversation/effects`) has a row of these types for each
 * call, which says whether it is *read*, *guarded* or *money*, and runs it. A missing or different row does not
 * compile. Calls named `read…` are *read*.
 */
export const effects = {
  /**
   * `linked`: the customer's own address asks. `merchant` then says whether the wallet is a merchant's, as far as
   * known, and until when that counts as known. `agent` says the same of the customer's agent account.
   */
  readStatus: effect<
    { wallet: Msisdn; linked?: boolean },
    Answer<{
      status: CustomerStatus;
      /** `guessed`: the wallet has never said so, and it is taken for a consumer's. */
      merchant?: { is: boolean; until: number; guessed?: true | undefined };
      agent?: AgentMark | undefined;
      /** The id of the wallet's owner, as far as it is known. */
      owner?: number | undefined;
      /** The number has another wallet than before, and so another owner. */
      isAnothers?: true;
    }>
  >(),
  readBalance: effect<{ wallet: Msisdn }, Answer<Centimes>>(),
  readProfile: effect<{ wallet: Msisdn }, Answer<Profile>>(),
  /** A page of the statement, newest first. Pages count from 1. Without types: all types. */
  readOperations: effect<
    { wallet: Msisdn; types?: readonly number[]; page: number },
    /** `about`: what was paid, by the operation's id, where that is known. `leftOut`: there are more, which cannot be read. */
    Answer<{
      operations: readonly Operation[];
      about?: Readonly<Record<string, Sentence>>;
      isLast: boolean;
      leftOut?: true;
    }>
  >(),
  /** The bank of a RIB, by the operator's table. Nothing where the table names none. */
  readBank: effect<{ rib: Rib }, { kind: 'ok'; value: { bank?: string } }>(),
  /** Saved recipients, those paid last first, then by name; or a search's matches. `isAll`: no more. */
  readBeneficiaries: effect<
    { wallet: Msisdn; search?: string },
    Answer<{ entries: readonly Beneficiary[]; isAll: boolean }>
  >(),
  /** The recipients paid through Wasl, newest first, from Wasl's own data. */
  readRecipients: effect<{ wallet: Msisdn }, { kind: 'ok'; value: readonly PaidRecipient[] }>(),
  /** The contracts of bills that the customer has agreed to keep, paid last first, from Wasl's own data. */
  readContracts: effect<{ wallet: Msisdn }, { kind: 'ok'; value: readonly KeptContract[] }>(),
  /** Keeps a contract after the customer's yes. Without one it forgets all of them. */
  keepContract: effect<{ wallet: Msisdn; contract?: KeptContract }, { kind: 'ok'; value: true }>(),
  /** Saves a new recipient. `same`: this recipient is saved already. */
  saveBeneficiary: effect<
    { wallet: Msisdn; beneficiary: Omit<Beneficiary, 'id'> },
    Answer<Beneficiary> | { kind: 'same' }
  >(),
  changeBeneficiary: effect<{ wallet: Msisdn; beneficiary: Beneficiary }, Answer<Beneficiary>>(),
  /** @returns the name of the deleted recipient. */
  deleteBeneficiary: effect<{ wallet: Msisdn; beneficiary: Beneficiary }, Answer<string>>(),
  /** `busy`: another payment of this wallet is under way. */
  preview: effect<{ order: Order }, Answer<Quote> | { kind: 'busy' }>(),

  readTopUpProducts: effect<
    { to: Msisdn; amount: Centimes; operator: Operator },
    Answer<readonly TopUpProduct[]>
  >(),
  /** The newest top-ups of a wallet. */
  /** Tells whether a merchant can be paid, by the order of any amount. */
  readMerchant: effect<{ order: Order }, Answer<true>>(),
  readTopUps: effect<{ wallet: Msisdn }, Answer<readonly TopUp[]>>(),

  readCreditors: effect<Record<never, never>, Answer<readonly Creditor[]>>(),
  readReceivables: effect<{ creditor: string }, Answer<readonly Receivable[]>>(),
  readBillForm: effect<{ creditor: string; receivable: string }, Answer<readonly BillField[]>>(),
  /** Refused with `expired` when a sealed answer is too old to be opened. */
  readUnpaid: effect<
    { wallet: Msisdn; creditor: string; receivable: string; answers: readonly BillAnswer[] },
    Answer<Unpaid>
  >(),
  readBillPayments: effect<{ wallet: Msisdn; page: number }, Answer<Paged<BillPayment>>>(),

  readBrands: effect<{ wallet: Msisdn; page: number }, Answer<Paged<VoucherBrand>>>(),
  readArticles: effect<{ wallet: Msisdn; brand: number; page: number }, Answer<Paged<VoucherArticle>>>(),

  /**
   * The customer's last payment from here. One that is not named was made within a day. Absent: there is none, or nobody knows. `stands`: how
   * the last payment stands, also one that took nothing. `isOpen`: its outcome is not known.
   */
  readLastPayment: effect<
    { of?: PaidAs; to?: Msisdn; payee?: string; amount?: Centimes; daysAgo?: number },
    {
      kind: 'ok';
      payment?: { readonly called: Sentence; readonly reference: string };
      /** The request that makes this payment once more. */
      again?: { readonly wanted: PaymentKind; readonly filled: Filled };
      stands?: Sentence;
      isOpen?: true;
      /** Payments were made, and none of them is the one that was named. */
      isOther?: true;
      deposit?: Sentence;
    }
  >(),
  /** Vouchers that were bought through Wasl and whose codes can be seen again, the newest first. */
  readVouchers: effect<{ wallet: Msisdn }, { kind: 'ok'; value: readonly VoucherEntry[] }>(),
  /** The voucher's code. Refused where it can no longer be opened. */
  readVoucherCode: effect<{ wallet: Msisdn; id: string }, Answer<Sealed>>(),

  readSavedCards: effect<{ wallet: Msisdn }, Answer<readonly SavedCard[]>>(),
  /** For good. One that was lost may be sent again. */
  deleteSavedCard: effect<{ wallet: Msisdn; card: number }, Answer<true>>(),

  /** A page of a merchant's completed payments, newest first, from page 1. Without a period: of all times. */
  readPayments: effect<
    { wallet: Msisdn; types: readonly number[]; page: number; period?: Period },
    Answer<{ payments: readonly TakenPayment[]; isLast: boolean }>
  >(),
  readTakings: effect<{ wallet: Msisdn; period: Period }, Answer<Takings>>(),
  /** The card payments through Wasl's links, newest first. */
  readCardPayments: effect<{ wallet: Msisdn }, { kind: 'ok'; value: readonly CardPaymentEntry[] }>(),
  /** A page on which somebody can pay by card, once. `tooMany`: the wallet has been given too many today. */
  createCardLink: effect<
    { wallet: Msisdn; amount: Centimes; isReserved: boolean },
    Answer<CardLink> | { kind: 'tooMany' }
  >(),
  /** The documents that a merchant has sent through Wasl, and whether any can be sent from here. */
  readDocuments: effect<
    { wallet: Msisdn },
    { kind: 'ok'; value: { takesFiles: boolean; client?: KybClient; sent: readonly SentDocument[] } }
  >(),
  /**
   * Sends a document. Its sides are the files that the chat keeps by these names, then the files that came with this
   * very answer. `none`: there are fewer files than sides. `unfit`: the side that cannot be sent, from 0, and why.
   * `inChat`: whether the files that the chat keeps are still there. A lost document may be sent again.
   */
  sendDocument: effect<
    {
      wallet: Msisdn;
      client: KybClient;
      document: DocTypeName;
      sides: 1 | 2;
      files: readonly string[];
    },
    | Answer<SentDocument & { client: KybClient; inChat?: 'erased' | 'left' }>
    | { kind: 'none' }
    | { kind: 'unfit'; side: number; why: UnfitFile }
    | { kind: 'tooMany' }
  >(),
  /** The code on a merchant's counter. */
  readStaticQr: effect<{ wallet: Msisdn }, Answer<IssuedQr>>(),
  /** A new one, that asks for an amount. */
  createQr: effect<{ wallet: Msisdn; amount: Centimes }, Answer<IssuedQr>>(),

  /** The account level, without what a PIN protects. A merchant's limit is negotiated, and nobody else's to say. */
  readLevel: effect<{ wallet: Msisdn }, Answer<{ level: number; isMerchant: boolean }>>(),
  /**
   * A link to the identity provider's page, sent to this chat or number only. `tooMany`: this wallet has used up its
   * links of this hour. `later`: no link can be sent at the moment.
   */
  sendIdentityLink: effect<{ wallet: Msisdn; level: UpgradeLevel }, IdentityLink>(),

  /** The customer's cards and applications, and the cards that can be applied for. */
  readCards: effect<{ wallet: Msisdn }, Answer<Cards>>(),
  /** Only the cards: a customer who has lost one waits for nothing else. `isSpare`: where they do not come at once, nothing waits for them. */
  readOwnCards: effect<{ wallet: Msisdn; isSpare?: true }, Answer<readonly IssuedCard[]>>(),
  readCard: effect<{ wallet: Msisdn; card: number }, Answer<IssuedCard>>(),
  /** A page of a card's payments. Pages count from 1. */
  readCardTransactions: effect<
    { wallet: Msisdn; card: number; page: number },
    Answer<{ transactions: readonly CardTransaction[]; isLast: boolean }>
  >(),
  /** A service is turned on or off alone: the others stay as the wallet has them. */
  changeCard: effect<{ wallet: Msisdn; card: number; change: CardChange }, Answer<true>>(),
  /** Followed until it is decided. `before`: the applications that were there. */
  applyForCard: effect<
    { wallet: Msisdn; program: CardProgram; before: readonly number[] },
    Answer<CardApplication>
  >(),

  /**
   * Our own code to a number that says it is the customer's (web, Telegram). `isAnew`: another one is sent, even where that of the
   * last SMS can still be used.
   */
  sendLinkCode: effect<{ phone: Msisdn; isAnew?: true }, LinkCodeSent>(),
  checkLinkCode: effect<{ phone: Msisdn; code: Sealed }, LinkCodeChecked>(),
  /** A code that proves the number in a chat, for the page that shows it on USSD. `tooMany`: the number was shown too many. */
  showLinkCode: effect<{ wallet: Msisdn }, { kind: 'ok'; value: Sealed } | { kind: 'tooMany' }>(),

  /** `tooMany`: the wallet would send one code more than a customer may have in an hour. */
  register: effect<
    { phone: Msisdn; firstName: string; lastName: string; cin: string; walletType?: 'P' | 'C' },
    Answer<true> | { kind: 'tooMany' }
  >(),
  confirmRegistration: effect<{ phone: Msisdn; code: Sealed }, Answer<true>>(),
  resendOtp: effect<{ phone: Msisdn }, Answer<true> | { kind: 'tooMany' }>(),
  /** The PIN as typed twice. Nothing is sent when the two differ. */
  createPin: effect<{ phone: Msisdn; first: Sealed; second: Sealed }, Answer<true> | { kind: 'differ' }>(),
  /**
   * Our own count over all channels stopped the call before the wallet. `tooMany`: too many wrong codes. `unchecked`:
   * too many that the wallet left without an answer.
   */
  login: effect<
    { wallet: Msisdn; pin: Sealed },
    Answer<true> | { kind: 'tooMany' } | { kind: 'unchecked' }
  >(),

  /** The old PIN counts as a guess, together with every `login`. */
  changePin: effect<
    { wallet: Msisdn; old: Sealed; first: Sealed; second: Sealed },
    Answer<Thawed> | PinsTyped | { kind: 'same' } | { kind: 'tooMany' } | { kind: 'unchecked' }
  >(),
  sendResetCode: effect<{ wallet: Msisdn }, Answer<true> | { kind: 'tooMany' }>(),
  resetPin: effect<
    { wallet: Msisdn; code: Sealed; first: Sealed; second: Sealed },
    Answer<Thawed> | PinsTyped | { kind: 'tooMany' }
  >(),
  /** Stops every payment through Wasl at once and on all channels. A payment that is claimed already continues. */
  freeze: effect<{ wallet: Msisdn; toThaw?: true }, { kind: 'ok'; value: Frozen } | { kind: 'none' }>(),
  /** Undoes the freeze that began `at`. Any other freeze stays. */
  thaw: effect<{ wallet: Msisdn; at: number }, Answer<Thawed>>(),
  unregister: effect<{ wallet: Msisdn; reason: 3 | 4 | 5 }, Answer<true>>(),

  /** The facts that are read before a cash reference is requested. Those that cannot be read are left out. */
  readCashDesk: effect<{ wallet: Msisdn; kind: CashKind }, { kind: 'ok'; value: CashDesk }>(),
  /**
   * The checks of a withdrawal before the PIN: payments are frozen, large ones wait, or the balance is too low (not by how much). Also the questions
   * to ask before it. `fees`: as the operator's tariff says. Where they cannot be read, the wallet answers when the reference is requested.
   */
  previewWithdrawal: effect<
    { wallet: Msisdn; amount: Centimes },
    Answer<{ asks: readonly Ask[]; fees?: Centimes }>
  >(),
  /**
   * Requests a reference for cash. It moves no money: an agent or a counter does that later. `unknown`: nobody knows
   * whether a reference exists, or its number. `isHeld`: the balance has fallen by that amount meanwhile, so a person
   * looks at it. `tooMany`: the wallet has used up its references of today.
   */
  requestReference: effect<
    ReferenceOrder,
    Answer<NumberedReference> | { kind: 'unknown'; why: string; isHeld: true } | { kind: 'tooMany' }
  >(),
  /** The references that Wasl has asked for, the newest first: open deposits with their number. */
  readReferences: effect<{ wallet: Msisdn }, { kind: 'ok'; value: readonly NumberedReference[] }>(),
  /** One reference as the wallet has it now. Without an answer: as it was known before. */
  readReference: effect<
    { wallet: Msisdn; id: string },
    Answer<NumberedReference & { hints: ReferenceHints }>
  >(),

  /**
   * The customer claims to be the agent of this code. The wallet tells whose number that is. `notYours`: another
   * customer's. `tooMany`: try again in an hour. `stopped`: support has stopped this agent.
   */
  becomeAgent: effect<
    { wallet: Msisdn; code: string },
    Answer<RetailAgent> | { kind: 'notYours' } | { kind: 'tooMany' } | { kind: 'stopped' }
  >(),
  readAgent: effect<{ wallet: Msisdn }, Answer<RetailAgent>>(),
  /**
   * A number that a customer gave an agent for a deposit: its reference, as the wallet has it now. With `takesNumber`
   * it may also be a mobile number: `number`, or `either` where it is a reference too. `billNetwork`: the reference is
   * paid at the bill network.
   */
  readCash: effect<{ wallet: Msisdn; given: Sealed; takesNumber?: boolean }, CashNumberFound>(),
  /** The same for a withdrawal, or for either where there is no kind. Guesses are counted. */
  findCash: effect<
    { wallet: Msisdn; given: Sealed; kind?: CashKind; takesNumber?: boolean },
    CashNumberFound
  >(),
  /** A reference for a customer's number, which an agent executes next. `tooMany`: the agent has asked for too many today. */
  requestDeposit: effect<
    { wallet: Msisdn; customer: Msisdn; amount: Centimes },
    Answer<FoundCash> | { kind: 'tooMany' }
  >(),
  /** The operations of an agent today. Pages of the list count from 1. */
  readAgentDay: effect<{ wallet: Msisdn; page: number }, Answer<AgentDay>>(),

  /** The account of the principal agent that this number acts for. */
  readFloat: effect<{ wallet: Msisdn }, Answer<PrincipalAccount>>(),
  /** A reference with which its float is paid in at a counter. `tooMany`: the number has asked for too many today. */
  requestFloat: effect<{ wallet: Msisdn; amount: Centimes }, Answer<CashReference> | { kind: 'tooMany' }>(),
  /** A page of the principal agent's retail agents. Pages count from 1. */
  readRetailAgents: effect<
    { wallet: Msisdn; page: number },
    Answer<{ agents: readonly RetailAgentFile[]; isLast: boolean }>
  >(),
  /** Asks two administrators for an agent's number. `tooMany`: too many wait, or the number has asked too often today. */
  askForRetailAgent: effect<
    { wallet: Msisdn; wish: AgentWish },
    | { kind: 'ok' | 'tooMany' }
    /** It could not succeed: it waits already, the agent has the number, another one has, or there is no such agent. */
    | { kind: 'inVain'; why: 'waits' | 'hasNumber' | 'numberTaken' | 'noAgent' }
    | Extract<Answer<never>, { kind: 'refused' | 'unknown' }>
  >(),
  /** Fields that are left out stay unchanged. The number is not a field of it: see `askForRetailAgent`. */
  changeRetailAgent: effect<{ wallet: Msisdn; code: string; to: RetailAgentDetails }, Answer<true>>(),

  /**
   * One screen of the files of payouts of the principal agent that this number acts for, and its float. It begins after
   * a file, as that was shown, or at the first one where nothing follows. Files that wait for somebody come first.
   */
  readPayouts: effect<{ wallet: Msisdn; after?: PayoutPlace | undefined }, Answer<PayoutsRead>>(),
  /** Takes the form's file whole or not at all. `none`: there was none. `twice`: it was given before. */
  givePayouts: effect<
    { wallet: Msisdn },
    | Answer<PayoutEntry>
    | { kind: 'none' | 'twice' | 'tooMany' }
    | { kind: 'wrong'; wrong: readonly PayoutWrong[] }
  >(),
  /** Lets one be paid, or go on. `own`: who has given it does not release it. `notNow`: it is not as it was shown any more. */
  releasePayouts: effect<
    { wallet: Msisdn } & PayoutRelease,
    Answer<PayoutEntry> | { kind: 'notNow' } | { kind: 'own' }
  >(),

  /** Records that the customer wants a support agent. `opensAt`: when an agent is there, in ms. Absent: now. */
  /** `since`: when the customer has asked first, in ms, where that request is still open. `due`: the time of an answer, `isLate` once it is over. */
  /** `tooMany`: strangers at this network have asked too often. */
  askForPerson: effect<
    Record<never, never>,
    | { kind: 'ok'; opensAt?: number; since?: number; case?: string; due?: number; isLate?: true }
    | { kind: 'tooMany' }
  >(),
  /** Closes the customer's open case. `rates`: its id, where an adviser has answered. `none`: no case. */
  closeCase: effect<Record<never, never>, { kind: 'ok'; rates?: string } | { kind: 'none' }>(),
  /** Keeps the customer's rating of a case. A case that is not settled opens again. */
  rateCase: effect<{ case: string; answer: CaseAnswer }, { kind: 'ok' }>(),

  /**
   * After the PIN: the operations listed before this payment, and the changes since the confirmation. `isUnsaved`: the
   * recipient is known not to be saved, so nothing is looked up.
   */
  lookAgain: effect<{ order: Order; quote: Quote; isUnsaved?: boolean }, Answer<LookedAgain>>(),
  pay: effect<{ order: Order; quote: Quote; before: readonly number[] }, Payment>(),
};

export type EffectName = keyof typeof effects;
export type InputOf<Name extends EffectName> = InputFrom<(typeof effects)[Name]>;
export type OutputOf<Name extends EffectName> = OutputFrom<(typeof effects)[Name]>;

/** The customer's rating: 1 good, 2 fair, 3 bad; or not settled. */
export type CaseAnswer = 1 | 2 | 3 | 'notYet';

export interface PaidRecipient extends Recipient {
  readonly kind: PaymentKind;
}

/** Places to pay in cash: at an agent, or at a counter of the bill network. */
export type CashInWay = 'agents' | 'bill-network';

/** The data of operator and wallet about cash, before a reference is requested. */
export interface CashDesk {
  /** It can be paid in at one of them, or at both. */
  readonly ways: readonly CashInWay[];
  /** The highest balance at the wallet's level. */
  readonly limit?: Centimes;
  /** The room that is left below it, which reveals the balance: only where a PIN has just opened that. */
  readonly left?: Centimes;
  readonly open: readonly ReferenceEntry[];
  readonly hints: ReferenceHints;
}

/** The data said together with a reference. */
export interface ReferenceHints {
  /** How long it can be used, where the operator says so. */
  readonly hours?: number;
  /** The place to go, in the customer's language. */
  readonly points?: string;
  /** It is said once more by SMS. */
  readonly sms?: true;
}

export interface ReferenceOrder {
  readonly wallet: Msisdn;
  readonly kind: CashKind;
  readonly amount: Centimes;
  /** `cash-in` only. */
  readonly way?: CashInWay;
}

/** `lost`: nobody was told its number. `reversed`: what was executed with it has been undone. */
export type ReferenceState = 'asked' | 'open' | 'executed' | 'expired' | 'reversed' | 'lost';

/** A reference as a list shows it: without its number. */
export interface ReferenceEntry {
  readonly id: string;
  readonly kind: CashKind;
  readonly way?: CashInWay;
  readonly amount: Centimes;
  /** When it was asked for, ms since 1970. */
  readonly at: number;
  readonly state: ReferenceState;
}

/**
 * The wallet's customer is a retail agent: the wallet confirmed it for the code that they typed. `until` ends that
 * knowledge. Moments are in ms since 1970.
 */
export interface AgentMark {
  readonly code: string;
  readonly name: string;
  readonly until: number;
  readonly stopped?: Stopped;
}

/** Support has stopped the agent in Wasl: the API has no such call. Two people undo it. */
interface Stopped {
  /** The support agent, and why. */
  readonly by: string;
  readonly at: number;
  readonly reason: string;
  /** The proposal of one support agent to restore the agent, with its reason. Another support agent approves it. */
  readonly proposal?: { readonly by: string; readonly at: number; readonly reason: string };
}

/**
 * A number that acts for the operator's principal agent. The API authenticates none (open question 110). Two
 * administrators bind a number at the console, and nobody by typing the code. Moments are in ms since 1970.
 */
export interface PrincipalMark {
  readonly code: string;
  /** The two administrators. Absent until the second one approves. */
  readonly bound?: { readonly at: number; readonly by: string; readonly approvedBy: string };
  /** One administrator's proposal to unbind a number, or to bind another one. Another one approves it. */
  readonly proposal?: { readonly by: string; readonly at: number; readonly reason: string };
}

/** A retail agent that is to be opened, or the number that one is to have: either serves customers with the agent's float. */
export type AgentWish = { readonly open: NewRetailAgent } | { readonly code: string; readonly phone: Msisdn };

interface PayoutsRead {
  readonly files: readonly PayoutEntry[];
  /** The last file of the screen before. */
  readonly after: PayoutPlace | undefined;
  readonly hasMore: boolean;
  readonly float: Centimes;
  readonly takesFiles: boolean;
}

/** The place of a file in the list. */
export type PayoutPlace = Pick<PayoutEntry, 'id' | 'state' | 'at'>;

/** A file of payouts, as somebody sees it who acts for the principal agent. Moments are in ms since 1970. */
export interface PayoutEntry {
  readonly id: string;
  readonly fileName: string;
  readonly at: number;
  readonly state: 'checking' | 'ready' | 'running' | 'stopped' | 'done' | 'withdrawn';
  readonly count: number;
  readonly sum: Centimes;
  /** Without the lines that the wallet would refuse. */
  readonly payable: { readonly count: number; readonly sum: Centimes };
  readonly refused: number;
  readonly fees: Centimes;
  /** How many lines were come to. */
  readonly next: number;
  readonly why?: 'float' | 'frozen' | 'notAllowed' | 'wallet' | 'unguarded' | 'oddRow';
  /** Of the lines that were come to: what was really paid, and what is not confirmed yet. */
  readonly tally?: Readonly<Record<'paid' | 'open', { readonly count: number; readonly sum: Centimes }>>;
  /** The amount that the release takes from the float. */
  readonly needs?: Centimes;
  /** The answer to the line that is paid was lost, and is waited for until then. */
  readonly waitsUntil?: number;
  /** This number has submitted the file, or its submitter has named this number. Another person releases it. */
  readonly notBy?: 'giver' | 'named';
}
/** The fault of a file or of one line. Lines count from 1, with the heading. */
export interface PayoutWrong {
  readonly line?: number;
  readonly why:
    | 'notText'
    | 'tooLarge'
    | 'empty'
    | 'tooMany'
    | 'quotes'
    | 'columns'
    | 'account'
    | 'ribKey'
    | 'name'
    | 'amount'
    | 'reason'
    | 'twice';
}
/** The file to release, and the first line of it. */
export interface PayoutRelease {
  readonly id: string;
  readonly next: number;
}

/** The number that a customer gave an agent, by its kind. */
type CashNumberFound =
  | Answer<FoundCash>
  | { kind: 'number'; phone: Msisdn }
  | { kind: 'either'; phone: Msisdn; found: FoundCash }
  | { kind: 'billNetwork' };

/** A reference for cash that somebody else has, as an agent sees it. */
export interface FoundCash {
  readonly kind: CashKind;
  readonly number: CashNumber;
  readonly amount: Centimes;
  readonly status: OperationStatus;
  /** When it was made, ms since 1970. */
  readonly madeAt: number;
  /** The owner of the wallet. Absent where the wallet does not say. */
  readonly customer?: Msisdn;
}

/** An agent's operations since a moment (ms since 1970): midnight in Morocco, or later where not all of them are known. */
export interface AgentDay {
  readonly since: number;
  /** By whom they are listed: the wallet itself, or Wasl, which knows of its own alone. */
  readonly by: 'wallet' | 'wasl';
  readonly deposits: Sum;
  readonly withdrawals: Sum;
  /** A page of them, newest first. */
  readonly page: readonly AgentOperation[];
  readonly isLast: boolean;
}
export interface Sum {
  readonly count: number;
  readonly total: Centimes;
}
export interface AgentOperation {
  readonly kind: CashKind;
  readonly amount: Centimes;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `open`: nobody knows yet. */
  readonly state: 'done' | 'open' | 'notDone';
  readonly customer?: Msisdn;
}

/** A payment that a merchant has taken. `givenBack`: by Wasl. The API does not tell of other channels. */
export type TakenPayment = Operation & { readonly givenBack?: Centimes };

/**
 * A card payment of a merchant: what it holds can be taken or released while it is `reserved`, and given back once it is
 * `captured`.
 */
export interface CardPaymentEntry extends CardPayment {
  readonly state: 'reserved' | 'captured' | 'released';
  /** The collected part of a reservation. */
  readonly captured?: Centimes;
  /** The refunds, each with the payment that made it. */
  readonly refunds?: readonly { readonly id: string; readonly amount: Centimes }[];
}

/** A link that somebody can pay by, and the wallet's fee for it. */
export interface CardLink {
  readonly link: string;
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** The legal form of a merchant (Partner API v2.3, "Merchant KYB documents"). It is not sent to the API. */
export type KybClient = 'company' | 'professional' | 'association';
export type UnfitFile = 'empty' | 'tooLarge' | 'otherType' | 'gone' | 'notNow';
/** A document as it was sent: what became of it the API does not tell. */
export interface SentDocument {
  readonly document: DocTypeName;
  /** In ms since 1970. */
  readonly at: number;
}

/** A voucher that was bought, as a list shows it: without its code. */
export interface VoucherEntry {
  /** Of its payment. */
  readonly id: string;
  readonly brand: string;
  readonly article: string;
  /** When it was bought, ms since 1970. */
  readonly at: number;
  /** The wallet has taken the purchase back: its code is not shown any more. */
  readonly takenBack?: true;
}

/** A reference with its number, as long as that is kept: that of a withdrawal is worth money, and sealed. */
export interface NumberedReference extends ReferenceEntry {
  readonly number?: { readonly code: string } | { readonly sealed: Sealed };
  /** The wallet was asked about it and has not answered: it may have been used since. */
  readonly isAsKnown?: true;
}

/** Since when payments are frozen (ms since 1970), and whether only support agents can thaw them. */
export interface Frozen {
  readonly at: number;
  readonly bySupport?: true;
}
/** Payments above this amount wait until then (ms since 1970). */
export interface Thawed {
  readonly until: number;
  readonly above: Centimes;
}

/** Days as they are in Morocco. `week`: today and the six days before. */
export type Period = 'today' | 'yesterday' | 'week';
/** A merchant's takings of a period, added up from the wallet's list. */
export interface Takings {
  /** How many payments, and what they come to. */
  readonly count: number;
  readonly total: Centimes;
  /** The refunds of that period. */
  readonly givenBack: Centimes;
  /** There are more payments than this, which is as many as are added up: the sums say nothing. */
  readonly moreThan?: number;
  /** There are payments that cannot be read, and are in no sum. */
  readonly leftOut?: true;
}

/** `tooMany`: for an hour, `isForToday`: for a day. `byOthers`: strangers have asked too often. */
/** `isEarlier`: the code of the last SMS can still be used. */
type LinkCodeSent =
  | { kind: 'sent'; isEarlier?: true }
  | { kind: 'tooMany'; isForToday?: true; byOthers?: true }
  | { kind: 'noSms' }
  | { kind: 'later' };
/** A new PIN fails here: the entries differ, a sealed value has expired, or (`same`) it is the old PIN. */
export type PinsTyped = { kind: 'differ' } | { kind: 'expired' };
/** `shown`: on USSD, by no SMS. */
export type LinkCodeChecked = { kind: 'right'; shown?: true } | { kind: 'wrong' } | { kind: 'expired' };

/** The link itself is sealed, and only in the message that brings it. */
type IdentityLink = { kind: 'sent'; link?: Sealed } | { kind: 'tooMany' } | { kind: 'later' };

/** The wallet's data about a customer and issued cards. */
export interface Cards {
  readonly programs: readonly CardProgram[];
  readonly applications: readonly CardApplication[];
  readonly cards: readonly IssuedCard[];
}
/** A change of a card's state. `isLost`: the wallet is told that it was lost or stolen. */
export type CardChange =
  | { readonly action: CardAction; readonly isLost?: true }
  | { readonly service: CardService; readonly isOn: boolean };

/**
 * The result of sending money. Wasl follows `accepted` and `unknown` until their outcome is known. `rejected`, `unsent`
 * and `busy` are proven not to have moved anything. `busy`: another payment of this wallet, or one just like it, is
 * under way. `settled`: the outcome is known, from the answer itself (`isFinal`) or from a faster webhook.
 */
export type Payment =
  | {
      kind: 'accepted';
      operationId?: number;
      isFinal?: true;
      facts?: Facts;
      /** Sealed for the chat that has ordered it. */
      voucherCode?: Sealed;
      /** The same, sealed for the wallet that has paid. */
      keptCode?: Sealed;
      /** The customer goes on at their bank's page. */
      redirect?: string;
    }
  | { kind: 'unknown' }
  | ({ kind: 'settled' } & Learnt)
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'unsent' }
  | { kind: 'busy' };

function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('a machine runs nothing')));
}
