import { z } from 'zod';
import { codec } from '../store/codec.ts';
import type { Store } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import { SUPPORT_PARTITION } from './access/account-book.ts';
import { createFresh } from './fresh.ts';

/** An agent whose page is silent for so long is absent. The page reports every 20 s (`pages.js`). */
const PRESENT_MS = 60_000;
/** How long somebody counts as writing after a key. */
const WRITING_MS = 8_000;
const FRESH_MS = 1_000;
const KEY = 'support:present';

const PRESENT = z.object({
  id: z.string(),
  name: z.string(),
  /** In ms since 1970. */
  at: z.number(),
  /** The session that they look at, as URLs name it. */
  where: z.string().exactOptional(),
  writingUntil: z.number().exactOptional(),
});
export type Present = Readonly<z.infer<typeof PRESENT>>;

const presentCodec = codec('list of who is present', z.object({ agents: z.array(PRESENT) }));

/**
 * The agents at the console, over all processes. It stops nobody: it only tells who may be in the way.
 * @param changed called when somebody comes, goes elsewhere or begins to write
 */
export function createPresence(store: Store, now: () => number, changed: () => void) {
  const stillThere = (agents: readonly Present[]) => agents.filter(({ at }) => at > now() - PRESENT_MS);
  const present = createFresh(
    async () => {
      const [doc] = await readDocs(store, SUPPORT_PARTITION, [KEY]);
      return stillThere(presentCodec.readable(doc)?.agents ?? []);
    },
    FRESH_MS,
    now,
  );
  async function write(id: string, as: readonly Present[]): Promise<void> {
    await update(store, SUPPORT_PARTITION, [KEY], (doc) => {
      const others = stillThere(presentCodec.read(doc)?.agents ?? []).filter((each) => each.id !== id);
      return { writes: [presentCodec.write(doc, { agents: [...others, ...as] })], result: undefined };
    });
    present.expire();
    changed();
  }
  return {
    /** @param where the session's name in URLs, if they look at one */
    isHere(
      { id, name }: Pick<Present, 'id' | 'name'>,
      where: string | undefined,
      isWriting: boolean,
    ): Promise<void> {
      const writing = isWriting ? { writingUntil: now() + WRITING_MS } : {};
      return write(id, [{ id, name, at: now(), ...(where && { where }), ...writing }]);
    },
    left: (id: string) => write(id, []),
    all: present.read,
  };
}
