import type { Address } from '../conversation/incoming.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';

/** How long an agent sees the data of a session after having said why. */
export const REVEALED_MS = 5 * 60_000;
/** How many sessions an agent may reveal within an hour. */
export const REVEALS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;
const TRIES_MAX = 5;

interface Reveal {
  readonly address: Address;
  /** In ms since 1970. */
  readonly at: number;
}

export interface Reveals {
  /** Until when this agent sees this session's data, in ms since 1970; undefined where they don't. */
  until(agent: string, address: Address): Promise<number | undefined>;
  /** False: this agent has looked at too many within the hour. */
  reveal(agent: string, address: Address): Promise<boolean>;
}

/** Who may see whose data for a moment. In the store, so that the limit holds over all processes. */
export function createReveals(store: Store, now: () => number): Reveals {
  const keyOf = (agent: string) => `support:reveals:${agent}`;

  async function read(agent: string) {
    const key = keyOf(agent);
    const [doc] = await store.read(partitionOf(key), [key]);
    const all = doc ? (JSON.parse(doc.value) as Reveal[]) : [];
    return { key, version: doc?.version ?? 0, recent: all.filter(({ at }) => now() - at < HOUR_MS) };
  }

  return {
    async until(agent, address) {
      const { recent } = await read(agent);
      const last = recent.findLast((each) => each.address === address);
      return last && now() < last.at + REVEALED_MS ? last.at + REVEALED_MS : undefined;
    },
    async reveal(agent, address) {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const { key, version, recent } = await read(agent);
        if (recent.length >= REVEALS_PER_HOUR) return false;
        const value = JSON.stringify([...recent, { address, at: now() } satisfies Reveal]);
        const write = { key, version, value, keepUntil: now() + HOUR_MS };
        if (await store.commit(partitionOf(key), { writes: [write] })) return true;
      }
      return false;
    },
  };
}
