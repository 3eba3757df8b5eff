import type { Steps } from '../../store/steps.ts';
import { StoreDown } from '../../store/store.ts';
import type { Case, CaseKind, Whose } from './case.ts';
import type { CaseEvent } from './changes.ts';
import type { CaseChoice, CaseSort } from './choice.ts';

/** The parts of work on cases. In a transaction nobody else reads a case until the work that has read it ends. */
export interface CaseTx {
  find(id: string): Steps<Case | undefined>;
  about(kind: CaseKind, subject: string): Steps<Case | undefined>;
  /** The latest case that was opened about who is at an address, also where it is closed. */
  lastAt(address: string): Steps<Case | undefined>;
  openOf(whose: Whose): Steps<Case[]>;
  /** Closed cases of a wallet, the latest first. */
  closedOf(wallet: string, limit: number): Steps<Case[]>;
  /** Chosen cases, in their order. @param page the first one, from 0, and how many */
  chosen(
    choice: CaseChoice,
    now: number,
    sort: CaseSort,
    page: readonly [from: number, limit: number],
  ): Steps<Case[]>;
  read(ids: readonly string[]): Steps<Case[]>;
  counts(choices: readonly CaseChoice[], now: number): Steps<number[]>;
  /** Open cases that are to be looked at by now, the longest waiting first. */
  lookAt(now: number, limit: number): Steps<string[]>;
  /** Adds a case. False where its name is taken, or another open one of its kind is about the same. */
  add(it: Case): Steps<boolean>;
  /** Writes a case that was read. */
  put(it: Case): Steps<void>;
  /** Notes that the update with this name is known. False where it was known before. */
  isNewUpdate(id: string, at: number): Steps<boolean>;
  /** Takes that note back. */
  isUnknown(id: string): Steps<void>;
  /** Puts an event for the company's own tools into the outbox, under a name of its own. */
  toOutbox(event: CaseEvent): Steps<void>;
  outbox(limit: number): Steps<readonly (readonly [id: string, event: string])[]>;
  /** Takes an event out of the outbox. */
  sent(id: string): Steps<void>;
}

/** The cases in the records. Both methods reject with `RecordsDown`, and then nothing has changed. */
export interface CaseTable {
  /** Only reads. */
  read<T>(work: (tx: CaseTx) => Steps<T>): Promise<T>;
  /** Does all of the work, or nothing. It may be done again from the beginning, so it must do nothing else. */
  write<T>(work: (tx: CaseTx) => Steps<T>): Promise<T>;
}

/** Stands for the cases of a process without records. Nobody opens its console. */
export const NO_CASES: CaseTable = { read: noRecords, write: noRecords };

async function noRecords(): Promise<never> {
  throw new StoreDown('there are no records, and so no cases');
}
