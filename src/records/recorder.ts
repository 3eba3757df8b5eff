import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CaseSettings } from '../conversation/cases/changes.ts';
import { intentKey } from '../conversation/intents/intent.ts';
import { codec, type KeyedDoc } from '../store/codec.ts';
import { PARTITIONS, type Partition, type Store, type TurnStream } from '../store/store.ts';
import { earlierOf, positionOf } from '../store/turn-id.ts';
import { readDocs, update } from '../store/update.ts';
import { paymentRowOf } from './payment-row.ts';
import { type Batch, type EventRow, type PaymentRow, type Records, RecordsDown } from './records.ts';
import { rowOf } from './rows.ts';

/** Partitions are recorded in so many groups: each is one document that falls due, and one transaction. */
export const GROUPS = 8;
const GROUP_SIZE = PARTITIONS / GROUPS;
/** Turns of one partition that one transaction takes. */
const TURNS_PER_STEP = 500;
/** How many turns of a partition stay in the live store, for whoever looks at what is going on. */
const TURNS_LIVE = 200;
/** A group that has more to record is left to others after so long. Its lease lasts longer. */
const RUN_MAX_MS = 10_000;
const EVERY_MS = 1_000;
/** Records that cannot be reached are asked again after this. */
const AGAIN_MS = 5_000;
/** A group that is further behind is not kept up with. */
const BEHIND_MAX_MS = 30_000;

/** How recording stands, in one group of partitions, after this process has looked at it. */
export interface Progress {
  readonly group: number;
  /** How long ago the latest moment was up to which everything is recorded. */
  readonly lagMs: number;
  /** The share of its limit that the fullest stream has reached. */
  readonly fill: number;
  /** Turns that have gone at the limit since somebody last looked, before they were recorded. */
  readonly lost: number;
  /** False while the records take nothing. */
  readonly isWell: boolean;
}

interface RecorderDeps {
  readonly store: Store;
  readonly records: Pick<Records, 'cursors' | 'record'>;
  /** The limit of a stream, as the store has it. */
  readonly turnsMax: number;
  /** Turns of one partition that one transaction takes. Absent: `TURNS_PER_STEP`. */
  readonly turnsPerStep?: number;
  /** Turns of one partition that stay in the live store. Absent: `TURNS_LIVE`. */
  readonly turnsLive?: number;
  readonly onProgress: (progress: Progress) => void;
  readonly onRefused?: Batch['onRefused'];
  /** The operator's settings for cases. Absent: `CASE_DEFAULTS`. */
  readonly settings?: CaseSettings;
  readonly now: () => number;
}

/** The progress of a group: everything before `upTo` (ms since 1970) is recorded, and so many turns were lost in all. */
interface GroupDoc {
  readonly upTo: number;
  readonly lost: number;
}
const groupCodec = codec<GroupDoc>('recorder', z.object({ upTo: z.number(), lost: z.number() }));

const keyOf = (group: number) => `recorder:${group}`;
/** Until when the store knows that all was recorded, in ms since 1970: what writes to it says so every second or so. */
export async function recordedUpTo(store: Pick<Store, 'read'>): Promise<number | undefined> {
  const moments = await recordedMoments(store);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/** True while workers record all there is: a database that answers may still take nothing, as one whose disk is full. */
export async function isRecordedUntil(store: Pick<Store, 'read'>, now: number): Promise<boolean> {
  const moments = await recordedMoments(store);
  return moments.length === GROUPS && now - Math.min(...moments) < BEHIND_MAX_MS;
}

/** The moment up to which each group is recorded that was begun. */
async function recordedMoments(store: Pick<Store, 'read'>): Promise<readonly number[]> {
  const known = await Promise.all(
    Array.from({ length: GROUPS }, async (_, group) => {
      const [doc] = await readDocs(store, partitionOfGroup(group), [keyOf(group)]);
      return groupCodec.read(doc)?.upTo ?? [];
    }),
  );
  return known.flat();
}

/** Any partition of the group will do. On a cluster they are on several nodes. */
const partitionOfGroup = (group: number): Partition => group * GROUP_SIZE;

/**
 * Carries turns from the streams of the live store into the records, payments with them.
 *
 * A turn is recorded once although nothing is locked. Its row has the id that it has in its stream, so writing it again
 * changes nothing. The progress of a stream is written after its rows. A process that dies in between leaves turns that are
 * read once more. Only turns that are surely recorded leave the stream.
 */
export function createRecorder(deps: RecorderDeps) {
  const live = new Map<Partition, Recorded[]>();
  return {
    /** Writes the documents that fall due for it, where they are not there yet. Rejects with `StoreDown`. */
    begin: () => begin(deps),
    /** Records what there is of a group of partitions, and sets when to do so next. Called by the worker for `recorder:<group>`. */
    run: (group: string) => run(deps, live, Number(group)),
    /** Records everything that there is now: for a program that does nothing else, and for tests. Rejects with `RecordsDown`. */
    async drain(): Promise<void> {
      for (let group = 0; group < GROUPS; group++)
        while ((await step(deps, live, group)).hasMore) await sleep(0);
    },
  };
}

/** Turns of one partition that were recorded together, and stay in the stream for a while. */
interface Recorded {
  readonly from: string;
  readonly count: number;
}
type Live = Map<Partition, Recorded[]>;

async function begin({ store, now }: RecorderDeps): Promise<void> {
  for (let group = 0; group < GROUPS; group++) {
    await update(store, partitionOfGroup(group), [keyOf(group)], (doc) => {
      const first = groupCodec.write(doc, { upTo: now(), lost: 0 }, { dueAt: now() });
      return { writes: doc.version > 0 ? [] : [first], result: undefined };
    });
  }
}

async function run(deps: RecorderDeps, live: Live, group: number): Promise<void> {
  const { store, now } = deps;
  const partition = partitionOfGroup(group);
  const [doc] = await readDocs(store, partition, [keyOf(group)]);
  const before = groupCodec.read(doc);
  if (!before) return;
  const after = await recordGroup(deps, live, group, before);
  // A faster process has set it as well.
  await store.commit(partition, {
    writes: [groupCodec.write(doc, after.known, { dueAt: now() + after.waitMs })],
  });
}

async function recordGroup(
  deps: RecorderDeps,
  live: Live,
  group: number,
  before: GroupDoc,
): Promise<{ readonly known: GroupDoc; readonly waitMs: number }> {
  const { now, onProgress } = deps;
  const until = now() + RUN_MAX_MS;
  try {
    for (;;) {
      const startedAt = now();
      const { hasMore, oldestLeft, fill, lost } = await step(deps, live, group);
      const known = { upTo: hasMore ? Math.max(before.upTo, oldestLeft) : startedAt, lost };
      if (hasMore && startedAt < until) continue;
      onProgress({ group, lagMs: now() - known.upTo, fill, lost: lost - before.lost, isWell: true });
      return { known, waitMs: hasMore ? 0 : EVERY_MS };
    }
  } catch (error) {
    if (!(error instanceof RecordsDown)) throw error;
    const { fill, lost } = statusOf(deps, await readStreams(deps, group, () => undefined, 0));
    onProgress({ group, lagMs: now() - before.upTo, fill, lost: lost - before.lost, isWell: false });
    return { known: { ...before, lost }, waitMs: AGAIN_MS };
  }
}

/** One transaction: as much as it takes of each partition of a group. */
async function step(deps: RecorderDeps, live: Live, group: number) {
  const { store, records, turnsPerStep = TURNS_PER_STEP, turnsLive = TURNS_LIVE, settings, onRefused } = deps;
  const cursors = new Map<Partition, string>();
  for (const { partition, to } of await records.cursors(partitionsOf(group))) cursors.set(partition, to);
  const streams = await readStreams(deps, group, (partition) => cursors.get(partition), turnsPerStep);
  const fresh = streams.filter(({ stream }) => stream.entries.length > 0);
  if (fresh.length > 0) {
    await records.record({
      events: fresh.flatMap(({ partition, stream }) => eventsIn(partition, stream)),
      payments: (await Promise.all(fresh.map((each) => paymentsIn(store, each)))).flat(),
      cursors: fresh.map(({ partition, stream }) => ({ partition, to: lastOf(stream) })),
      ...(settings && { settings }),
      ...(onRefused && { onRefused }),
    });
    await Promise.all(
      fresh.map(({ partition, stream }) =>
        store.recorded(partition, lastOf(stream), keepFrom(live, partition, stream, turnsLive)),
      ),
    );
  }
  const full = fresh.filter(({ stream }) => stream.entries.length === turnsPerStep);
  const oldest = full.flatMap(({ partition, stream }) => eventsIn(partition, stream).at(-1)?.at ?? []);
  return { ...statusOf(deps, streams), hasMore: full.length > 0, oldestLeft: Math.min(...oldest) };
}

interface Read {
  readonly partition: Partition;
  readonly stream: TurnStream;
}

/**
 * Reads streams after the part that is recorded. The store may know of less than the records: a process died before it said so, or the store lost its
 * last writes. It may have given the same ids to others since. Then the store's word counts.
 */
function readStreams(
  { store }: RecorderDeps,
  group: number,
  cursorOf: (partition: Partition) => string | undefined,
  limit: number,
): Promise<Read[]> {
  return Promise.all(
    partitionsOf(group).map(async (partition) => {
      const cursor = cursorOf(partition);
      const stream = await store.turnsAfter(partition, cursor, limit);
      const known = earlierOf(cursor, stream.recordedTo);
      const isSame =
        cursor === undefined || (known !== undefined && positionOf(known) === positionOf(cursor));
      return { partition, stream: isSame ? stream : await store.turnsAfter(partition, known, limit) };
    }),
  );
}

function statusOf({ turnsMax }: RecorderDeps, streams: readonly Read[]) {
  return {
    fill: Math.max(...streams.map(({ stream }) => stream.length)) / turnsMax,
    lost: streams.reduce((sum, { stream }) => sum + stream.lost, 0),
  };
}

/** An entry that was erased for a customer's sake has only its id left. */
function eventsIn(partition: Partition, { entries }: TurnStream): EventRow[] {
  return entries.filter(({ record }) => record !== '').map((entry) => rowOf(partition, entry));
}

/** The payments that turns were of, as they are now: each once. One that has left already is recorded. */
async function paymentsIn(store: RecorderDeps['store'], { partition, stream }: Read): Promise<PaymentRow[]> {
  const ids = new Set(stream.entries.flatMap(({ payments = [] }) => payments));
  if (ids.size === 0) return [];
  const docs: readonly KeyedDoc[] = await readDocs(store, partition, [...ids].map(intentKey));
  return docs.flatMap((doc) => paymentRowOf(doc) ?? []);
}

/** The first turn that stays in the stream, or undefined if nothing is to go yet. */
function keepFrom(
  live: Live,
  partition: Partition,
  { entries }: TurnStream,
  turnsLive: number,
): string | undefined {
  const kept = [...(live.get(partition) ?? []), { from: entries[0]?.id ?? '', count: entries.length }];
  let count = kept.reduce((sum, each) => sum + each.count, 0);
  while (kept.length > 1 && count - (kept[0]?.count ?? 0) >= turnsLive) count -= kept.shift()?.count ?? 0;
  live.set(partition, kept);
  return kept[0]?.from;
}

function lastOf({ entries }: TurnStream): string {
  const last = entries.at(-1);
  if (!last) throw new Error('a stream without entries has no last one');
  return last.id;
}

function partitionsOf(group: number): Partition[] {
  return Array.from({ length: GROUP_SIZE }, (_, i) => group * GROUP_SIZE + i);
}
