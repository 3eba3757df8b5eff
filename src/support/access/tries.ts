import type { Secrets } from '../../conversation/secrets.ts';
import type { Store } from '../../store/store.ts';
import { SUPPORT_PARTITION } from './accounts.ts';

/** Tries before one has to wait: of an account, and of an address, behind which a whole office may be. */
const FREE = { account: 5, address: 30 } as const;
const WAIT_FIRST_MS = 30_000;
const WAIT_MAX_MS = 15 * 60_000;
/** Wrong tries are forgotten after so long without another. */
const TRIES_KEPT_MS = 24 * 60 * 60_000;
const COMMITS_MAX = 50;

export interface Tried {
  readonly account: string;
  /** The network address it comes from. */
  readonly address: string;
}

interface Count {
  readonly wrong: number;
  readonly until: number;
}

/** Counts wrong passwords and codes, on all processes together. What is waited for grows with each. */
export function createTries(store: Store, secrets: Pick<Secrets, 'digest'>, now: () => number) {
  type Kind = keyof typeof FREE;
  const kinds = Object.keys(FREE) as Kind[];
  // A name may be a password that was typed in the wrong field, so it is not written down.
  const keysOf = (of: Tried) =>
    kinds.map((kind) => `support-tries:${secrets.digest(JSON.stringify(['tries', kind, of[kind]]))}`);

  async function write(
    of: Tried,
    step: (counts: readonly Count[]) => readonly Count[] | undefined,
  ): Promise<boolean> {
    const keys = keysOf(of);
    for (let tries = 0; tries < COMMITS_MAX; tries++) {
      const docs = await store.read(SUPPORT_PARTITION, keys);
      const next = step(docs.map((doc) => (doc ? (JSON.parse(doc.value) as Count) : { wrong: 0, until: 0 })));
      if (!next) return false;
      const writes = keys.map((key, i) => ({
        key,
        version: docs[i]?.version ?? 0,
        value: next[i]?.wrong ? JSON.stringify(next[i]) : null,
        keepUntil: now() + TRIES_KEPT_MS,
      }));
      if (await store.commit(SUPPORT_PARTITION, { writes })) return true;
    }
    throw new Error('the tries could not be counted: too many at once');
  }

  return {
    /**
     * Counts a try as wrong before it is made, so that many at once are counted all the same.
     * @returns how many seconds to wait instead; 0: go on
     */
    async begin(of: Tried): Promise<number> {
      let waitMs = 0;
      await write(of, (counts) => {
        waitMs = Math.max(0, ...counts.map(({ until }) => until - now()));
        if (waitMs > 0) return undefined;
        return counts.map(({ wrong, until }, i) => {
          const over = wrong + 1 - FREE[kinds[i] as Kind];
          const wait = Math.min(WAIT_FIRST_MS * 2 ** over, WAIT_MAX_MS);
          return { wrong: wrong + 1, until: over < 0 ? until : now() + wait };
        });
      });
      return Math.ceil(waitMs / 1000);
    },

    /** It was right: the account's count begins anew, and the address's is as before. */
    async succeeded(of: Tried): Promise<void> {
      await write(of, ([, address]) => [
        { wrong: 0, until: 0 },
        { wrong: Math.max(0, (address?.wrong ?? 0) - 1), until: 0 },
      ]);
    },
  };
}
