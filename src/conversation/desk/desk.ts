import type { AgentMark } from '../../../machines/kit/effects.ts';
import type { Screen } from '../../../machines/kit/screen.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { WalletFile } from '../../wallet/services.ts';
import type { Profile } from '../../wallet/wallet.ts';
import type { Case, CaseReceiver, Handler } from '../cases/case.ts';
import type { Cases } from '../cases/cases.ts';
import type { CaseActed } from '../cases/changes.ts';
import type { NumberProof } from '../channel.ts';
import type { Address, Language } from '../incoming.ts';
import type { Intent, Settlement } from '../intents/intent.ts';

export type { AgentWish } from '../../../machines/kit/effects.ts';
export type { AgentProposal } from '../agent-proposals.ts';
export type { Intent, Settlement } from '../intents/intent.ts';
export type { Batch as PayoutBatch, Line as PayoutLine } from '../payouts/batch.ts';
export type { Wrong } from '../payouts/file.ts';
export { endOf } from '../payouts/tally.ts';
export type { BoundNumber } from './binding.ts';
export type { FloatLoad } from './float-cards.ts';
export type { LineResult, PayoutFile } from './payouts.ts';
export type { Principal } from './principal.ts';

import type { TurnRecord } from '../record/record.ts';
import type { DeliveryRecord } from '../session/delivery-record.ts';
import type { Freeze } from '../session/safety.ts';
import type { Owner } from '../session/session.ts';
import type { Chart } from './chart.ts';
import type { Principal } from './principal.ts';

/** The support agent who acts. `name` is the name that customers read. */
export interface Agent {
  readonly id: string;
  readonly name: string;
}

interface ProvenNumber {
  readonly wallet?: Msisdn;
  readonly provenBy?: NumberProof | undefined;
}

/** One session as it is now. Sealed values stay sealed. */
export interface Watched extends ProvenNumber {
  readonly address: Address;
  readonly language: Language;
  /** When the customer was last here, in ms since 1970. */
  readonly at: number;
  /** Something can be shown to them now. Where nothing can, they must be called, or come by themselves. */
  readonly canPush: boolean;
  /** `transfer` and `askingAmount`. Absent where no conversation is under way. */
  readonly machine?: string;
  readonly state?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  /** The conversation that help or the language choice has interrupted, as `transfer.askingAmount`. */
  readonly suspended?: string;
  /** The wallet call under way. */
  readonly call?: { readonly src: string; readonly ref: string };
  readonly screen: Screen;
  /** How many messages wait for their channel or their customer. */
  readonly waiting: number;
  readonly owner?: Owner;
  /** The payment whose outcome the conversation waits for. */
  readonly intent?: string;
  /** Every payment of the wallet through Wasl is stopped. */
  readonly frozen?: Freeze;
  /** The retail agent that its customer is. */
  readonly agent?: AgentMark;
}

/** A customer: everything that belongs to one wallet. */
export interface Person {
  readonly wallet: Msisdn;
  /** The addresses where they have been seen, chats first. */
  readonly sessions: readonly Watched[];
  /** The notes of agents for each other, the newest first. */
  readonly notes: readonly Note[];
  /** First the open cases about them, by the time when each is due. Then the closed cases, the newest first. */
  readonly cases: readonly Case[];
}

/** An agent's note about a customer, for other agents. */
export interface Note {
  readonly at: number;
  /** The name that the agent goes by. */
  readonly by: string;
  readonly text: string;
}

/** A page of a customer's history, over all their channels, the newest first. */
export interface TimelinePage {
  readonly records: readonly TurnRecord[];
  /** Give it as `before` to read the next page. Absent at the end of the stored records. */
  readonly next?: number;
  /** False where the records could not be read: then only the last turns are there. */
  readonly isWhole: boolean;
}

/** A customer's data at the wallet, read when an agent looks. Only digests of the name are kept. */
export type Details = Pick<Profile, 'fullName' | 'level' | 'status'>;

/** A possible result of an agent's search. */
export type Found =
  | { readonly kind: 'payment'; readonly intent: Intent }
  | { readonly kind: 'case'; readonly it: Case }
  /** A call to the wallet, by its request id: the turn that has made it. */
  | { readonly kind: 'call'; readonly record: TurnRecord };

/** A customer who has asked for a person. */
export interface HelpRequest {
  readonly address: Address;
  readonly wallet?: Msisdn;
  readonly language: Language;
  /** When, in ms since 1970. */
  readonly at: number;
  /** The screen that asked it, as `transfer.askingAmount`. */
  readonly about?: string;
  /** On USSD nobody can be written to: a number to call back. */
  readonly callBack: boolean;
}

/** The result of an act. Anything but `done` changed nothing. */
export type Acted =
  | 'done'
  /** No such session or payment. */
  | 'notFound'
  | 'owned'
  /** Only the agent who has taken the conversation over may do this. */
  | 'notOwner'
  /** A call to the wallet is under way: in a moment. */
  | 'busy'
  /** The agent who proposed it cannot approve it. */
  | 'sameAgent'
  /** It makes no sense now: nothing to resend, nothing to settle. */
  | 'notNow'
  /** The same agent has just sent the same: the customer reads it once. */
  | 'again';

/** An operation that a webhook names, and why an agent takes it for a payment's. */
export interface NamedOperation {
  readonly webhook: string;
  readonly operationId: number;
  readonly evidence: string;
}

/** Why a file is not sent: its customer's channel takes none, it is neither a picture nor a PDF, a PDF that is more than pages, or too large. */
export type FileRefused = 'noFiles' | 'fileKind' | 'filePdf' | 'fileSize';

/** Why an operation cannot be taken for a payment's: it is another one, it has not ended, or the wallet does not show it. */
export type Mismatch = 'differs' | 'stillOpen' | 'notShown';

/** Some of what has happened. */
export interface Past {
  readonly records: readonly TurnRecord[];
  /** Records from before that moment (in ms since 1970) were left out. Absent: none was. */
  readonly leftOutBefore?: number | undefined;
}

/** The engine as the console sees it. There is no way to enter a PIN, or to confirm or start a payment. */
export interface Desk extends DeskReading, DeskPeople, DeskStepIn, DeskSettling, DeskFreezing, DeskStopping {
  /** The cases for people to handle. */
  readonly cases: Cases;
  /** The operator's principal agent, for administrators. Undefined where the operator has named none. */
  readonly principal: Principal | undefined;
}

/** Everybody's conversations and payments, as agents see them. */
export interface DeskReading {
  /** The newest turn records of an address, newest first. */
  turns(address: Address, limit: number): Promise<TurnRecord[]>;
  /**
   * Everybody's last records of the last `spanMs`, as many of each partition as the console can make use of, each part of them the
   * earliest first. Those of one address come in their order, but for chats that were linked to one wallet after another.
   */
  backlog(spanMs: number): AsyncIterable<Past>;
  /**
   * Tells of every turn from now on, whichever process takes it, as soon as it is committed. `missed`: some turns may
   * have been lost (a connection broke), so the listener must read its data again.
   */
  watch(listener: { turn(record: TurnRecord): void; missed(): void }): Promise<() => Promise<void>>;
  session(address: Address): Promise<Watched | undefined>;
  /** A payment by any reference that customers read: our own (whole or its first eight characters), an operation's, a bill's. */
  payment(reference: string): Promise<Intent | undefined>;
  /** The deliveries of the messages about a payment, the earliest first. */
  deliveries(payment: Pick<Intent, 'id' | 'wallet'>): Promise<DeliveryRecord[]>;
  /** The last deliveries to an address, the earliest first. @param limit records of the archive among which they are looked for */
  deliveredTo(address: Address, limit: number): Promise<DeliveryRecord[]>;
  /** The payments of a wallet, newest first. @param before ms since 1970: only what was sent earlier */
  payments(wallet: Msisdn, limit: number, before?: number): Promise<Intent[]>;
  /** Payments that only a person can bring to their end, the longest waiting first. */
  unsettled(): Promise<Intent[]>;
  /** Customers who have asked for a person, the longest waiting first. */
  helpRequests(): Promise<HelpRequest[]>;
  machines(): readonly string[];
  /** A machine as a chart. Undefined where there is none of that name. */
  chart(machine: string): Chart | undefined;
}

/** The data of one customer, as agents see it. */
export interface DeskPeople {
  /** A customer by their number. Undefined where nothing is known of it. */
  person(wallet: Msisdn): Promise<Person | undefined>;
  /** The history of a customer, the newest first. @param before ms since 1970: only what was earlier */
  timeline(wallet: Msisdn, limit: number, before?: number): Promise<TimelinePage>;
  /** The wallet's data of a customer. Undefined where the wallet does not answer in time. */
  details(wallet: Msisdn): Promise<Details | undefined>;
  /** Writes a note about a customer, for other agents. Secrets in it are left out. */
  note(wallet: Msisdn, by: Agent, text: string): Promise<Acted>;
  /** The possible meanings of a reference, an operation's number or a request id: each thing once, the likeliest first. */
  find(reference: string): Promise<Found[]>;
}

/** The acts of agents in a conversation, and with a case. */
export interface DeskStepIn {
  /** The bot pauses, the customer reads who has joined. @param isForced also from another agent */
  takeOver(address: Address, by: Agent, isForced?: boolean): Promise<Acted>;
  /** Renews the lease of the agent who has taken the conversation over. It leaves no record. */
  renew(address: Address, by: Agent): Promise<Extract<Acted, 'done' | 'notOwner'>>;
  write(address: Address, by: Agent, text: string): Promise<Acted>;
  /** Sends a picture or PDF of the agent who has taken over. It is kept for a day at most. */
  sendFile(address: Address, by: Agent, bytes: Uint8Array): Promise<Acted | FileRefused>;
  /** A file that the customer has sent to an agent, within a week. Undefined where it is not kept any more, or never was. */
  sentFile(address: Address, id: string): Promise<WalletFile | undefined>;
  handBack(address: Address, by: Agent): Promise<Acted>;
  /** Shows the customer their screen again. */
  nudge(address: Address, by: Agent): Promise<Acted>;
  toMenu(address: Address, by: Agent): Promise<Acted>;
  end(address: Address, by: Agent): Promise<Acted>;
  /** The customer's request for a person is done with. */
  answered(address: Address, by: Agent): Promise<Acted>;
  /**
   * Closes a case. A customer who has asked for a person, or has been answered, is asked for a rating. A customer at
   * the menu of a chat is asked at once, any other when they next come there.
   */
  closeCase(id: string, by: Agent & Handler, note?: string): Promise<CaseActed>;
  /** Opens a closed case again (`Cases.reopen`). Its customer who asks for a person again comes into it. */
  reopenCase(id: string, by: Agent): Promise<CaseActed>;
  /**
   * Gives a case to an agent, or to a team (`Cases.assign`, `Cases.toTeam`). If its former owner or the giver is
   * talking in its conversation, they leave it. Until its new agent comes, the customer is with the bot.
   */
  giveCase(id: string, to: CaseReceiver, by: Agent & Handler): Promise<CaseActed>;
  /** Puts a case off (`Cases.snooze`), until its customer says something anywhere at the latest: to an adviser, or to Wasl. */
  snoozeCase(id: string, until: number | 'customer', by: Handler): Promise<CaseActed>;
  /** Tells the customer that an agent has looked at their personal data. */
  tellRevealed(address: Address, by: Agent): Promise<Acted>;
}

/** How two of them bring a payment to its end. */
export interface DeskSettling {
  /** Tells the outcome of a payment again. A message that still waits is tried at once. */
  resend(intent: string, by: Agent): Promise<Acted>;
  /** One at a time: another proposal is first taken back. */
  propose(intent: string, by: Agent, settlement: Settlement): Promise<Acted>;
  /**
   * Proposes a webhook's operation as the outcome of a payment, even of one that is still followed. The wallet is asked
   * for the operation. It must be of the payment's wallet, type, amount and recipient, and no other payment's. As with
   * `propose`, another agent approves.
   */
  applyWebhook(intent: string, by: Agent, named: NamedOperation): Promise<Acted | Mismatch>;
  /**
   * By a second agent: then it is settled, and the customer notified.
   * @param at the `at` of the proposal that they have read
   */
  approve(intent: string, by: Agent, at: number): Promise<Acted>;
  /** Takes a proposal back. Any agent who sees that it is wrong can do so. */
  withdraw(intent: string, by: Agent): Promise<Acted>;
}

/** How a wallet’s payments are stopped, and go on again. */
export interface DeskFreezing {
  /** Stops every payment of a wallet through Wasl: its customer cannot undo it. */
  freeze(wallet: Msisdn, by: Agent): Promise<Acted>;
  /** To undo a freeze, also the customer's own. */
  proposeThaw(wallet: Msisdn, by: Agent, reason: string): Promise<Acted>;
  /**
   * By a second agent: then payments are possible again.
   * @param at the `at` of the proposal that they have read
   */
  approveThaw(wallet: Msisdn, by: Agent, at: number): Promise<Acted>;
  withdrawThaw(wallet: Msisdn, by: Agent): Promise<Acted>;
}

export interface DeskStopping {
  /** A retail agent serves nobody through Wasl any more. */
  stopAgent(wallet: Msisdn, by: Agent, reason: string): Promise<Acted>;
  proposeRestore(wallet: Msisdn, by: Agent, reason: string): Promise<Acted>;
  /**
   * By a second support agent: then the wallet is asked anew whose code it is.
   * @param at the `at` of the proposal that they have read
   */
  approveRestore(wallet: Msisdn, by: Agent, at: number): Promise<Acted>;
  withdrawRestore(wallet: Msisdn, by: Agent): Promise<Acted>;
}
