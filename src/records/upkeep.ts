import { z } from 'zod';
import type { CaseSettings } from '../conversation/cases/changes.ts';
import { codec } from '../store/codec.ts';
import { PARTITIONS, type Partition, type Store, type TurnEntry } from '../store/store.ts';
import { positionOf } from '../store/turn-id.ts';
import { readDocs, update } from '../store/update.ts';
import { archivePayments } from './archive-payments.ts';
import { moveCases } from './move-cases.ts';
import { KINDS, type Kind, type Records } from './records.ts';
import { rowOf } from './rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** So long figures are kept by the hour, then by the day. */
const TALLIES_BY_HOUR_MS = 3 * DAY_MS;
/**
 * Recorded turns stay in the live store for so long at most, in a partition where hardly any follow. They stay less if the
 * records keep them less.
 */
const TURNS_LIVE_DAYS_MAX = 30;
/** Turns of one partition that are looked at in one step: more than stay there. */
const TURNS_PER_STEP = 1_000;
/** All of it is seldom: one partition will do. */
const PARTITION: Partition = 1;

export interface UpkeepDeps {
  readonly store: Store;
  readonly records: Records;
  readonly settings?: CaseSettings;
  /** Moves the agents' audit from its outbox into the records, and the settings of the release before. */
  readonly takeOver: () => Promise<void>;
  readonly keptDays: Readonly<Record<Kind, number>>;
  readonly onForgotten: (kind: Kind, rows: number) => void;
  /** Called for a kind that could not be forgotten today, where others could. */
  readonly onNotForgotten: (kind: Kind, error: unknown) => void;
  readonly now: () => number;
}

interface Job {
  readonly everyMs: number;
  /** Gives whether there is more to do at once. */
  readonly work: (deps: UpkeepDeps) => Promise<boolean>;
}

type Jobs = Readonly<Record<string, Job>>;

const JOBS: Jobs = {
  /** Payments that are over leave the live store. */
  payments: { everyMs: MINUTE_MS, work: archivePayments },
  turns: { everyMs: DAY_MS, work: forgetLiveTurns },
  audit: { everyMs: 10_000, work: ({ takeOver }) => takeOver().then(() => false) },
  /** Cases of the release before. */
  'case-move': { everyMs: MINUTE_MS, work: moveCases },
  /** Figures of hours that nobody asks for any more one by one. */
  tallies: { everyMs: DAY_MS, work: fold },
  /** A step of each kind in a day: a clock that is far off costs no more than that. */
  retention: { everyMs: DAY_MS, work: forget },
};

const jobCodec = codec<{ readonly doneAt: number }>('upkeep', z.object({ doneAt: z.number() }));
const keyOf = (job: string) => `upkeep:${job}`;

/** The chores of the records. Any worker does them. */
export function createUpkeep(deps: UpkeepDeps) {
  let jobs = JOBS;
  return {
    /** Writes the documents that fall due for it, where they are not there yet. Rejects with `StoreDown`. @param more jobs of other rooms */
    begin(more: Jobs = {}): Promise<void> {
      jobs = { ...JOBS, ...more };
      return begin(deps, jobs);
    },
    /** Does one of its jobs. Called by the worker for `upkeep:<job>`. */
    run: (job: string) => run(deps, jobs[job], job),
  };
}

async function begin({ store, now }: UpkeepDeps, jobs: Jobs): Promise<void> {
  for (const job of Object.keys(jobs)) {
    await update(store, PARTITION, [keyOf(job)], (doc) => {
      const first = jobCodec.write(doc, { doneAt: 0 }, { dueAt: now() });
      return { writes: doc.version > 0 ? [] : [first], result: undefined };
    });
  }
}

async function run(deps: UpkeepDeps, job: Job | undefined, name: string): Promise<void> {
  const { store, now } = deps;
  const [doc] = await readDocs(store, PARTITION, [keyOf(name)]);
  if (!job || doc.version === 0) return;
  const hasMore = await job.work(deps);
  const dueAt = now() + (hasMore ? 0 : job.everyMs);
  await store.commit(PARTITION, { writes: [jobCodec.write(doc, { doneAt: now() }, { dueAt })] });
}

/** Turns whose time is over leave the live store, but for the last one that is recorded: it says how far that is. */
async function forgetLiveTurns({ store, keptDays, now }: UpkeepDeps): Promise<boolean> {
  const before = now() - Math.min(TURNS_LIVE_DAYS_MAX, keptDays.events) * DAY_MS;
  let hasMore = false;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const { entries, recordedTo } = await store.turnsAfter(partition, undefined, TURNS_PER_STEP);
    if (recordedTo === undefined) continue;
    const stays = (entry: TurnEntry) =>
      positionOf(entry.id) >= positionOf(recordedTo) ||
      (entry.record && rowOf(partition, entry).at >= before);
    const first = entries.find(stays) ?? entries.at(-1);
    if (first && first !== entries[0]) await store.recorded(partition, recordedTo, first.id);
    if (entries.length === TURNS_PER_STEP && !entries.some(stays)) hasMore = true;
  }
  return hasMore;
}

async function fold({ records, now }: UpkeepDeps): Promise<boolean> {
  await records.foldTallies(now() - TALLIES_BY_HOUR_MS);
  return false;
}

/** Each kind by itself: one that cannot be forgotten is tried again the next day, and soon where none can. */
async function forget({ records, keptDays, onForgotten, onNotForgotten, now }: UpkeepDeps): Promise<boolean> {
  const failed = new Map<Kind, unknown>();
  for (const kind of KINDS) {
    try {
      const rows = await records.forget(kind, now() - keptDays[kind] * DAY_MS);
      if (rows > 0) onForgotten(kind, rows);
    } catch (error) {
      failed.set(kind, error);
    }
  }
  if (failed.size === KINDS.length) throw failed.values().next().value;
  for (const [kind, error] of failed) onNotForgotten(kind, error);
  return false;
}
