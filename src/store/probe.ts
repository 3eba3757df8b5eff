import { randomUUID } from 'node:crypto';
import type { Partition, Store } from './store.ts';

/** Partitions that are written to, far from one another: on a Redis Cluster they are rarely all of one node. */
const PROBED: readonly Partition[] = [0, 64, 128, 192];
/** How long a probe is kept: nobody reads it. */
const PROBE_KEPT_MS = 10_000;

/**
 * True when this process can write to some of the store now. A node of a cluster that is down stops its own customers' turns
 * in every process alike. That is no reason to take this process away from the others' customers.
 */
export async function canWrite(store: Pick<Store, 'commit'>, now: number): Promise<boolean> {
  const write = { key: `probe:${randomUUID()}`, version: 0, value: '1', keepUntil: now + PROBE_KEPT_MS };
  const tries = PROBED.map((partition) => store.commit(partition, { writes: [write] }));
  return Promise.any(tries).then(
    () => true,
    () => false,
  );
}
