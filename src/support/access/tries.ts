import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import type { Store } from '../../store/store.ts';
import { update } from '../../store/update.ts';
import { SUPPORT_PARTITION } from './account-book.ts';

/**
 * Free tries before the next one has to wait:
 * - `pair`: by one address for one account
 * - `account`: for one account from everywhere, so that its code is not found by many addresses
 * - `address`: by one address for any account
 * - `device`: in a browser that has signed in to this account before, whose tries count nowhere else
 */
const FREE = { pair: 5, account: 100, address: 30, device: 5 } as const;
type Kind = keyof typeof FREE;
const WAIT_FIRST_MS = 30_000;
const WAIT_MAX_MS = 15 * 60_000;
/** Wrong tries are forgotten after so long without another. */
const TRIES_KEPT_MS = 24 * 60 * 60_000;

export interface Tried {
  readonly account: string;
  /** The network address it comes from. */
  readonly address: string;
  /** The browser, where this account has signed in with it before, or is signed in now. */
  readonly device?: string | undefined;
  /** It brings the code of the account's authenticator app: what others try, from this address or from everywhere, is not held against it. */
  readonly hasCode?: boolean;
  /** It was right: the count of the account begins anew too. */
  readonly isRight?: boolean;
}

/** `turnedAway`: the `until` of the wait in which somebody was turned away already. */
const COUNT = z.object({ wrong: z.number(), until: z.number(), turnedAway: z.number().exactOptional() });
type Count = z.infer<typeof COUNT>;
const countCodec = codec('count of tries', COUNT);

interface TriesDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly now: () => number;
}

/** Counts wrong passwords and codes, on all processes together. The wait grows with each. */
export type Tries = ReturnType<typeof createTries>;

export function createTries(store: Store, secrets: Pick<Secrets, 'digest'>, now: () => number) {
  const deps: TriesDeps = { store, secrets, now };
  return {
    /**
     * Counts a try as wrong before it is made, so that many at once are counted all the same.
     * @returns how many seconds to wait instead. 0: go on. `isFirst`: nobody was turned away before in this wait
     */
    begin: (of: Tried) => begin(deps, of),
    /** It was right: the counts of account and browser begin anew. The address was not counted, as the try had the code. */
    succeeded: (of: Tried) =>
      change(deps, { ...of, isRight: true }, (counts) => counts.map(() => ({ wrong: 0, until: 0 }))),
  };
}

async function begin(deps: TriesDeps, of: Tried) {
  let waitMs = 0;
  let isFirst = false;
  await change(deps, of, (counts) => {
    const now = deps.now();
    waitMs = Math.max(0, ...counts.map(({ until }) => until - now));
    isFirst = counts.some(({ until, turnedAway }) => until > now && turnedAway !== until);
    if (waitMs > 0)
      return isFirst
        ? counts.map(({ until, ...count }) => ({ ...count, until, turnedAway: until }))
        : undefined;
    return counts.map(({ kind, wrong, until }) => {
      const over = wrong + 1 - FREE[kind];
      const wait = Math.min(WAIT_FIRST_MS * 2 ** over, WAIT_MAX_MS);
      return { wrong: wrong + 1, until: over < 0 ? until : now + wait };
    });
  });
  return { seconds: Math.ceil(waitMs / 1000), isFirst };
}

function countedFor({
  account,
  address,
  device,
  hasCode,
  isRight,
}: Tried): readonly (readonly [Kind, string])[] {
  if (device !== undefined) return [['device', JSON.stringify([account, device])]];
  return [
    ['pair', JSON.stringify([account, address])],
    ...(hasCode && !isRight ? [] : ([['account', account]] as const)),
    ...(hasCode || isRight ? [] : ([['address', address]] as const)),
  ];
}

function change(
  { store, secrets, now }: TriesDeps,
  of: Tried,
  step: (counts: readonly (Count & { readonly kind: Kind })[]) => readonly Count[] | undefined,
): Promise<void> {
  const counted = countedFor(of);
  // A name may be a password that was typed in the wrong field, so it is not written down.
  const keys = counted.map(
    ([kind, what]) => `support-tries:${secrets.digest(JSON.stringify(['tries', kind, what]))}`,
  );
  return update(store, SUPPORT_PARTITION, keys, (...docs) => {
    const counts = counted.map(([kind], i) => ({
      kind,
      ...(countCodec.read(docs[i]) ?? { wrong: 0, until: 0 }),
    }));
    const writes = (step(counts) ?? []).flatMap(({ wrong, until, turnedAway }, i) => {
      const doc = docs[i] as KeyedDoc;
      if (wrong > 0)
        return countCodec.write(
          doc,
          { wrong, until, ...(turnedAway && { turnedAway }) },
          { keepUntil: now() + TRIES_KEPT_MS },
        );
      return doc.version > 0 ? { key: doc.key, version: doc.version, value: null } : [];
    });
    return { writes, result: undefined };
  });
}
