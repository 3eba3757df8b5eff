import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { update } from '../store/update.ts';
import { abilitiesOf, channelOf } from './channel.ts';
import type { Address, Deliver } from './incoming.ts';

/** A message waits so long for its turn in this process. Above this it is tried again later. */
const WAIT_MAX_MS = 2_000;
const KEPT_MS = 3_600_000;

/** When the next message of a channel may go, in ms since 1970. It is in the past by what a burst may still use. */
const paceCodec = codec<{ readonly next: number }>('pace', z.object({ next: z.number() }));

interface PaceDeps {
  readonly store: Store;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Delivers at the pace of a channel's own sender, such as a bot or a number: a token bucket for all processes on one
 * store. A message that would wait too long takes no place, and says when to try again. A channel without a pace is not
 * held up.
 */
export function paced(deliver: Deliver, { store, now = Date.now, wait = sleep }: PaceDeps): Deliver {
  return async (address, push) => {
    const ms = await placeOf(address, store, now());
    if (ms > WAIT_MAX_MS) return { status: 'later', afterMs: ms };
    if (ms > 0) await wait(ms);
    return deliver(address, push);
  };
}

/** Takes the next place of a channel, and gives the time until then, in ms. More than the longest wait: none was taken. */
async function placeOf(address: Address, store: Store, now: number): Promise<number> {
  const { pace } = abilitiesOf(address);
  if (!pace) return 0;
  const key = `pace:${channelOf(address)}`;
  const everyMs = 1_000 / pace.perSecond;
  return update(store, partitionOf(key), [key], (doc) => {
    const stored = paceCodec.readable(doc)?.next ?? 0;
    // A clock far ahead has no say: nobody waits longer than a queue can be.
    const next = Math.max(Math.min(stored, now + KEPT_MS), now - pace.burst * everyMs);
    const ms = Math.max(0, Math.ceil(next + everyMs - now));
    if (ms > WAIT_MAX_MS) return { result: ms };
    const write = paceCodec.write(doc, { next: next + everyMs }, { keepUntil: now + KEPT_MS });
    return { writes: [write], result: ms };
  });
}
