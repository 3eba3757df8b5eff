import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import type { Store } from '../../store/store.ts';
import { update } from '../../store/update.ts';
import { SUPPORT_PARTITION } from './accounts.ts';

/** Tries before one has to wait: of an account, and of an address, behind which a whole office may be. */
const FREE = { account: 5, address: 30 } as const;
type Kind = keyof typeof FREE;
const KINDS = Object.keys(FREE) as Kind[];
const WAIT_FIRST_MS = 30_000;
const WAIT_MAX_MS = 15 * 60_000;
/** Wrong tries are forgotten after so long without another. */
const TRIES_KEPT_MS = 24 * 60 * 60_000;

export interface Tried {
  readonly account: string;
  /** The network address it comes from. */
  readonly address: string;
}

interface Count {
  readonly wrong: number;
  readonly until: number;
}
const countCodec = codec<Count>('count of tries', z.object({ wrong: z.number(), until: z.number() }));

/** Counts wrong passwords and codes, on all processes together. What is waited for grows with each. */
export interface Tries {
  /**
   * Counts a try as wrong before it is made, so that many at once are counted all the same.
   * @returns how many seconds to wait instead; 0: go on
   */
  begin(of: Tried): Promise<number>;
  /** It was right: the account's count begins anew, and the address's is as before. */
  succeeded(of: Tried): Promise<void>;
}

interface TriesDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly now: () => number;
}

export function createTries(store: Store, secrets: Pick<Secrets, 'digest'>, now: () => number): Tries {
  const deps: TriesDeps = { store, secrets, now };
  return {
    begin: (of) => begin(deps, of),
    succeeded: (of) =>
      change(deps, of, ([, address]) => [
        { wrong: 0, until: 0 },
        { wrong: Math.max(0, (address?.wrong ?? 0) - 1), until: 0 },
      ]),
  };
}

async function begin(deps: TriesDeps, of: Tried): Promise<number> {
  let waitMs = 0;
  await change(deps, of, (counts) => {
    const now = deps.now();
    waitMs = Math.max(0, ...counts.map(({ until }) => until - now));
    if (waitMs > 0) return undefined;
    return counts.map(({ wrong, until }, i) => {
      const over = wrong + 1 - FREE[KINDS[i] as Kind];
      const wait = Math.min(WAIT_FIRST_MS * 2 ** over, WAIT_MAX_MS);
      return { wrong: wrong + 1, until: over < 0 ? until : now + wait };
    });
  });
  return Math.ceil(waitMs / 1000);
}

function change(
  { store, secrets, now }: TriesDeps,
  of: Tried,
  step: (counts: readonly Count[]) => readonly Count[] | undefined,
): Promise<void> {
  // A name may be a password that was typed in the wrong field, so it is not written down.
  const keys = KINDS.map(
    (kind) => `support-tries:${secrets.digest(JSON.stringify(['tries', kind, of[kind]]))}`,
  );
  return update(store, SUPPORT_PARTITION, keys, (...docs) => {
    const next = step(docs.map((doc) => countCodec.read(doc) ?? { wrong: 0, until: 0 }));
    const writes = (next ?? []).flatMap((count, i) => {
      const doc = docs[i] as KeyedDoc;
      if (count.wrong > 0) return countCodec.write(doc, count, { keepUntil: now() + TRIES_KEPT_MS });
      return doc.version > 0 ? { key: doc.key, version: doc.version, value: null } : [];
    });
    return { writes, result: undefined };
  });
}
