import { StoreDown } from '../../store/store.ts';
import type { Case, CaseKind, Whose } from './case.ts';
import type { CaseEvent } from './changes.ts';

/** A question to the database of the records. Values are `$1`, `$2`, … */
export interface Query {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Work on cases, as the questions that it asks one after the other. So PostgreSQL and SQLite do the same work. */
export type Work<T> = Generator<Query, T, Rows>;

/** The parts of work on cases. In a transaction nobody else reads a case until the work that has read it ends. */
export interface CaseTx {
  find(id: string): Work<Case | undefined>;
  /** The open case of a kind about something. */
  about(kind: CaseKind, subject: string): Work<Case | undefined>;
  /** The latest case that was opened about who is at an address, also where it is closed. */
  lastAt(address: string): Work<Case | undefined>;
  /** Open cases of a customer. */
  openOf(whose: Whose): Work<Case[]>;
  /** Closed cases of a wallet, the latest first. */
  closedOf(wallet: string, limit: number): Work<Case[]>;
  /** The open cases, and closed ones that name somebody who has not looked, with how often each was written. */
  listed(limit: number): Work<readonly (readonly [id: string, version: number])[]>;
  read(ids: readonly string[]): Work<Case[]>;
  /** Open cases that are to be looked at by now, the longest waiting first. */
  lookAt(now: number, limit: number): Work<string[]>;
  /** Adds a case. False where its name is taken, or another open one of its kind is about the same. */
  add(it: Case): Work<boolean>;
  /** Writes a case that was read. */
  put(it: Case): Work<void>;
  /** Notes that the update with this name is known. False where it was known before. */
  isNewUpdate(id: string, at: number): Work<boolean>;
  /** Takes that note back. */
  isUnknown(id: string): Work<void>;
  /** Keeps an event for the company's own tools, under a name of its own. */
  tell(event: CaseEvent): Work<void>;
  /** Events for these tools that have not been handed on. */
  untold(limit: number): Work<readonly (readonly [id: string, event: string])[]>;
  /** Forgets an event that was handed on. */
  told(id: string): Work<void>;
}

/** The cases in the records. Both methods reject with `RecordsDown`, and then nothing has changed. */
export interface CaseTable {
  /** Only reads. */
  read<T>(work: (tx: CaseTx) => Work<T>): Promise<T>;
  /** Does all of the work, or nothing. It may be done again from the beginning, so it must do nothing else. */
  write<T>(work: (tx: CaseTx) => Work<T>): Promise<T>;
}

/** Stands for the cases of a process without records. Nobody opens its console. */
export const NO_CASES: CaseTable = { read: noRecords, write: noRecords };

async function noRecords(): Promise<never> {
  throw new StoreDown('there are no records, and so no cases');
}
