import { z } from 'zod';
import { codec, type KeyedDoc } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';

/** How long an agent sees the data of a session after having said why. */
export const REVEALED_MS = 5 * 60_000;
/** How many sessions an agent may reveal within an hour. */
export const REVEALS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/** `address`: that of a session, or another name for hidden data of a customer (`webhook:…`). `at`: in ms since 1970. */
const revealsCodec = codec('list of reveals', z.array(z.object({ address: z.string(), at: z.number() })));

/** How many searches somebody may make within an hour: each tells who is a customer. */
export const SEARCHES_PER_HOUR = 120;

/**
 * Agents who may see a customer's data for a moment. In the store, so that the limit holds over all processes.
 * @param what counts apart
 */
export function createReveals(
  store: Store,
  now: () => number,
  { what, max }: { readonly what: string; readonly max: number } = { what: 'reveals', max: REVEALS_PER_HOUR },
) {
  const keyOf = (agent: string) => `support:${what}:${agent}`;
  const recentIn = (doc: KeyedDoc) => (revealsCodec.read(doc) ?? []).filter(({ at }) => now() - at < HOUR_MS);

  return {
    /** The end of this agent's sight of this session's data, in ms since 1970. Undefined where they do not see them. */
    async until(agent: string, address: string): Promise<number | undefined> {
      const [doc] = await readDocs(store, partitionOf(keyOf(agent)), [keyOf(agent)]);
      const last = recentIn(doc).findLast((each) => each.address === address);
      return last && now() < last.at + REVEALED_MS ? last.at + REVEALED_MS : undefined;
    },
    /** False: this agent has looked at too many within the hour. */
    reveal: (agent: string, address: string): Promise<boolean> =>
      update(store, partitionOf(keyOf(agent)), [keyOf(agent)], (doc) => {
        const recent = recentIn(doc);
        if (recent.length >= max) return { result: false };
        const all = [...recent, { address, at: now() }];
        return { writes: [revealsCodec.write(doc, all, { keepUntil: now() + HOUR_MS })], result: true };
      }),
  };
}
