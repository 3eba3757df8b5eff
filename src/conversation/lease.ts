import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { update } from '../store/update.ts';

/** A thing that one process of all may hold at a time. */
export interface Lease {
  /** Resolves once this process may hold it. Rejects when `stopping` aborts. */
  wait(stopping: AbortSignal): Promise<void>;
  /** Aborts when it may no longer. */
  readonly lost: () => AbortSignal;
  give(): Promise<void>;
}

/** How long a process may hold it without saying so again, and how often it says so. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

const leaseCodec = codec('lease', z.object({ holder: z.string(), until: z.number() }));

/** Every process holds one of its own. */
export const OWN: Lease = {
  wait: async () => {},
  lost: () => new AbortController().signal,
  give: async () => {},
};

/** One process of all on the store holds it: the others wait until that one is gone, or has not renewed its lease. */
export function leased(store: Store, name: string, now: () => number = Date.now): Lease {
  const holder = randomUUID();
  const key = `lease:${name}`;
  let lost = new AbortController();
  let until = 0;
  const change = (ms: number) =>
    update(store, partitionOf(key), [key], (doc) => {
      const stored = leaseCodec.readable(doc);
      const isAnothers = stored !== undefined && stored.holder !== holder && stored.until > now();
      if (isAnothers) return { result: 0 };
      const value = { holder, until: now() + ms };
      return { writes: [leaseCodec.write(doc, value, { keepUntil: now() + LEASE_MS })], result: value.until };
    });
  const renew = async () => {
    for (const { signal } = lost; !signal.aborted; ) {
      await sleep(RENEW_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      until = (await change(LEASE_MS).catch(() => until)) || 0;
      // A store that is away leaves us the lease until its time is over.
      if (until - RENEW_MS <= now()) lost.abort();
    }
  };
  return {
    async wait(stopping) {
      if (until > now() && !lost.signal.aborted) return;
      for (;;) {
        until = await change(LEASE_MS).catch(() => 0);
        if (until > 0) break;
        await sleep(RENEW_MS, undefined, { signal: stopping, ref: false });
      }
      lost = new AbortController();
      void renew();
    },
    lost: () => lost.signal,
    async give() {
      lost.abort();
      if (until > now()) await change(0).catch(() => {});
      until = 0;
    },
  };
}
