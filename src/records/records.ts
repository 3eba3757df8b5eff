import type { CaseKind } from '../conversation/cases/case.ts';
import type { CaseSettings } from '../conversation/cases/changes.ts';
import type { CaseUpdate } from '../conversation/cases/update.ts';
import { UnreadableDocument } from '../store/codec.ts';
import type { Partition, TurnEntry } from '../store/store.ts';
import { StoreDown } from '../store/store.ts';
import type { recordsOn } from './statements.ts';

/** A turn record as it is kept for years: itself, and what it is found by. */
export interface EventRow {
  readonly partition: Partition;
  /** Its id in the stream of its partition (`TurnEntry`). */
  readonly id: string;
  /** When it happened, in ms since 1970. */
  readonly at: number;
  readonly address: string;
  readonly wallet?: string;
  /** The kind of the event. Empty: a release that this one does not know wrote it. */
  readonly kind: string;
  /** The names by which others may look for it: payments, and our ids of calls (`C-Request-Id`). */
  readonly refs: readonly string[];
  readonly record: string;
  /** Its share of the figures, counted once. Absent: nothing. */
  readonly tallies?: readonly (Tally & { readonly at: number })[];
  /** Its updates of cases. */
  readonly caseUpdates?: readonly CaseUpdate[];
}

/** The subject of a figure: the event, the conversation or kind of payment, the state, and the place. */
export interface TallyOf {
  readonly what:
    | ('entered' | 'moved' | 'left' | 'led' | 'back' | 'paid' | 'took' | 'failed' | 'lagged')
    | ('closed' | 'answered' | 'late');
  /** A machine, a call, or the kind of a payment or case. */
  readonly name: string;
  /**
   * A state, a way between two states (`a>b`), the outcome of a call (`refused 20005`), or the seconds within which a payment's
   * outcome was known or a webhook applied. Else empty.
   */
  readonly detail: string;
  readonly channel: string;
  /** Empty for payments. */
  readonly language: string;
}

/** How often, and how long it took in all, in ms. */
export interface Tally extends TallyOf {
  readonly n: number;
  readonly ms: number;
}

/** The same of one day, over all names. `day`: 0 for the first one that was asked for. */
export type DayTally = Omit<Tally, 'name'> & { readonly day: number };

/** The acts of agents: how often somebody did something, and how it ended (empty: nobody followed it). */
export interface AgentTally {
  readonly who: string;
  readonly act: string;
  readonly end: string;
  readonly n: number;
}

/** The channel and the language of customers that figures are narrowed to. Empty or absent: all. */
export interface Slice {
  readonly channel?: string | undefined;
  readonly language?: string | undefined;
}

/** The work of an agent or of a team in a time, or on a kind of case. Means are in ms, and null where there is nothing to count. */
export interface Report {
  /** The id of the agent or the team, or the kind. */
  readonly who: string;
  /** Conversations that the agent took over. Null for a team and a kind. */
  readonly conversations: number | null;
  readonly closed: number;
  /** Of these, ended by an agent or their customer. Others ended by themselves, or go on in another case. */
  readonly solved: number;
  readonly byCustomer: number;
  readonly byItself: number;
  readonly merged: number;
  /** Of these, due before anybody did something. */
  readonly late: number;
  /** Of these, closed before and opened again. */
  readonly reopened: number;
  /** From its opening to an agent's first answer. */
  readonly firstAnswerMs: number | null;
  /** While an agent had it, without the time in which it waited for its customer or was put off. */
  readonly handlingMs: number | null;
  /** From its opening to its end, of the solved ones. */
  readonly resolutionMs: number | null;
  readonly good: number;
  readonly fair: number;
  readonly poor: number;
}

/** How many cases of a kind were closed in a time, and how many of these had their first answer within the target. */
export interface ServiceLevel {
  readonly kind: CaseKind;
  readonly n: number;
  readonly inTime: number;
}

/** A payment with its audit, as it was when it was last looked at. */
export interface PaymentRow {
  readonly id: string;
  readonly wallet: string;
  /** In ms since 1970. */
  readonly sentAt: number;
  readonly state: string;
  /** How many steps it has taken: it only grows, so that of two copies the one with more is the newer. */
  readonly steps: number;
  /** Its other names: the wallet's operation, a bill's reference. */
  readonly names: readonly string[];
  readonly document: string;
  /** The next moment to check whether it can leave the live store, in ms since 1970. Null once it has. */
  readonly lookAt: number | null;
}

/** An entry of the agents' audit, as the console's chain has it. */
export interface AuditRow {
  readonly n: number;
  readonly at: number;
  readonly who: string;
  readonly act: string;
  readonly on?: string;
  /** The wallet of the customer it is about. */
  readonly about?: string;
  /** The entry whose end this one is. */
  readonly of?: number;
  /** How it ended, or `open`. */
  readonly end?: string;
  /** The name that it had before it got its number. No two entries have the same. */
  readonly origin?: string;
  /** The entry with its digests, as JSON. */
  readonly link: string;
}

/** The last entry of the agents' audit, sealed by the writer of the chain. */
export interface AuditEnd {
  readonly n: number;
  readonly sealed: string;
}

/** Chooses entries of the agents' audit: all that is given must be so. */
export interface AuditQuery {
  readonly who?: string;
  readonly act?: string;
  readonly on?: string;
  /** The subject of the act, by any of these names. */
  readonly about?: readonly string[];
  /** How it has ended by now, or `open`. */
  readonly end?: string;
  /** From then on, and until before then, in ms since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Entries before this number. */
  readonly before?: number;
}

/** An entry that was found, and the one that says how it ended. */
export type FoundAudit = Pick<AuditRow, 'n' | 'at' | 'act' | 'link'> & { readonly closing?: string };

/** How far the stream of a partition is in the records. */
export interface Cursor {
  readonly partition: Partition;
  readonly to: string;
}

/** The writes of one step of the recorder: all of them, or none. */
export interface Batch {
  readonly cursors: readonly Cursor[];
  readonly events: readonly EventRow[];
  readonly payments: readonly PaymentRow[];
  /** The operator's settings for the cases that events are about. Absent: `CASE_DEFAULTS`. */
  readonly settings?: CaseSettings;
  /** Called for an update that cannot be applied, such as one of a case that is damaged. It is put aside, and the batch goes on. */
  readonly onRefused?: (update: CaseUpdate, error: unknown) => void;
}

/** An event as it is read back. */
export interface KeptEvent extends TurnEntry {
  readonly partition: Partition;
  readonly at: number;
}

/** The owner of events: one address, or a wallet over all its addresses. */
export type Whose = { readonly address: string } | { readonly wallet: string };

/** By which words a customer's name is found: digests of them, and when the wallet has told it. */
export interface NameRow {
  readonly wallet: string;
  /** In ms since 1970. */
  readonly at: number;
  /** Keyed digests. Empty: the customer has no name any more. */
  readonly words: readonly string[];
}

/** The kinds of rows, each kept for a time of its own. */
export const KINDS = ['events', 'payments', 'audit', 'names'] as const;
export type Kind = (typeof KINDS)[number];

/** The records' own account of their contents. */
export interface Inventory {
  /** Migrations that were made, and those that this release knows. */
  readonly migrations: { readonly made: number; readonly known: number };
  readonly count: Readonly<Record<Kind, number>>;
  /** Payments that events name and that are not there. */
  readonly missing: readonly string[];
  readonly cursors: readonly Cursor[];
}

/** The rows of a customer who is to be forgotten, and their end. */
export interface Erased {
  readonly events: number;
  /** Kept, as the law asks for payments, under a name that leads to nobody. */
  readonly payments: number;
}

/**
 * Everything that has happened, for years. The live store holds only what is alive. There are two drivers, PostgreSQL and
 * SQLite, and `test/records` holds both to one contract. Every method rejects with `RecordsDown` when they cannot be reached
 * or written.
 */
export type Records = ReturnType<typeof recordsOn> & {
  isWell(): Promise<boolean>;
  close(): Promise<void>;
};
/** The agents' audit in the records: one chain of entries. */
export type AuditRecords = Records['audit'];

/** The records cannot be reached, are full or refuse to write. */
export class RecordsDown extends StoreDown {
  override name = 'RecordsDown';
}

/** True for an error that comes again however often an update of a case is tried, where the database does not tell that itself. */
export function isDamage(error: unknown): boolean {
  return error instanceof UnreadableDocument;
}

/** Retention goes at most so far in one step. */
export const RETENTION_STEP_MS = 7 * 24 * 3_600_000;
