import type { Commit, Partition, Store } from '../store/store.ts';
import type { Meter } from './meter.ts';

/** How often there is something to do for the sake of being late with it. */
const EVERY_MS = 5_000;
/** One document for all processes. */
const PARTITION: Partition = 0;
/** Its key, as the worker names it: a chore `lag`, and in it one `probe`. */
const KEY = 'lag:probe';

interface WorkerLag {
  /** Writes the probe down where it is not there yet. Rejects with `StoreDown`. */
  begin(): Promise<void>;
  /** The chore: the probe has fallen due. */
  measure(): Promise<void>;
}

/**
 * How late workers are. One document falls due again and again, and the worker that takes it tells how long after its moment
 * that was. It also runs where nothing is measured, for another process that does. If no worker runs at all, nobody tells
 * anything, which is an alarm as well.
 */
export function createWorkerLag(
  store: Pick<Store, 'read' | 'commit'>,
  meter: Pick<Meter, 'workerLag'> | undefined,
  now: () => number,
): WorkerLag {
  const next = (version: number): Commit => {
    const at = now() + EVERY_MS;
    return { writes: [{ key: KEY, version, value: String(at), dueAt: at }] };
  };
  return {
    async begin() {
      const [probe] = await store.read(PARTITION, [KEY]);
      if (!probe) await store.commit(PARTITION, next(0));
    },
    async measure() {
      const [probe] = await store.read(PARTITION, [KEY]);
      const isOurs = await store.commit(PARTITION, next(probe?.version ?? 0));
      if (probe && isOurs) meter?.workerLag(Math.max(0, now() - Number(probe.value)) / 1_000);
    },
  };
}

/** Another process tells of its own records. This one's word counts for so long. */
const BELIEVED_MS = 60_000;

/** How far turns are recorded, in one group of partitions, as this process has last seen it. */
export interface RecordingProgress {
  readonly group: number;
  readonly lagMs: number;
  readonly fill: number;
}

/** Groups go from process to process: each tells of those that it has recorded lately. */
export function createRecordingState(now: () => number) {
  const known = new Map<number, RecordingProgress & { readonly at: number }>();
  return {
    noted: (progress: RecordingProgress) => void known.set(progress.group, { ...progress, at: now() }),
    /** Undefined where this process records nothing. */
    worst() {
      const fresh = [...known.values()].filter(({ at }) => now() - at < BELIEVED_MS);
      if (fresh.length === 0) return undefined;
      return {
        lagSeconds: Math.max(...fresh.map(({ lagMs }) => lagMs)) / 1_000,
        fill: Math.max(...fresh.map(({ fill }) => fill)),
      };
    },
  };
}
