import type { KeyedDoc } from './codec.ts';
import { type Commit, type Partition, type Store, StoreDown } from './store.ts';

/** How often a change is tried while somebody else is always faster. */
export const UPDATE_TRIES_MAX = 100;

/** An attempt's answer when somebody else has written what it had read: it is made again. */
export const OVERTAKEN = Symbol('overtaken');

/** Somebody else was faster each time: nothing was written. */
export class TooContended extends StoreDown {
  override name = 'TooContended';

  constructor() {
    super(`somebody else was faster ${UPDATE_TRIES_MAX} times`);
  }
}

/** The commit to make, if any, and the result of the update. */
export interface Update<Result> extends Partial<Commit> {
  readonly result: Result;
}

/**
 * Changes documents of one partition: reads them, decides, and commits, again until nobody was faster. Without `writes`
 * nothing is committed. Rejects with `TooContended` after `UPDATE_TRIES_MAX` tries, and with `StoreDown`.
 * @param change is asked anew each time: it must do nothing that cannot be done twice
 * @param first the documents as they are known or expected to be: the first try reads none. Where they are not so, the commit is refused
 */
export function update<const Keys extends readonly string[], Result>(
  store: Store,
  partition: Partition,
  keys: Keys,
  change: (...docs: Keyed<Keys>) => Update<Result> | Promise<Update<Result>>,
  first?: Keyed<Keys>,
): Promise<Result> {
  let known = first;
  return untilCommitted(async () => {
    const docs = known ?? (await readDocs(store, partition, keys));
    known = undefined;
    const { result, writes = [], ...commit } = await change(...docs);
    if (writes.length === 0) return result;
    return (await store.commit(partition, { writes, ...commit })) ? result : OVERTAKEN;
  });
}

/**
 * Makes an attempt until nobody was faster. It is for changes that read and commit in their own way. `update` is for
 * documents whose keys are known. Rejects with `TooContended` after `UPDATE_TRIES_MAX` tries.
 * @param attempt reads anew each time, and gives `OVERTAKEN` if its commit was refused
 */
export async function untilCommitted<Result>(
  attempt: () => Promise<Result | typeof OVERTAKEN>,
): Promise<Result> {
  for (let tries = 0; tries < UPDATE_TRIES_MAX; tries++) {
    const result = await attempt();
    if (result !== OVERTAKEN) return result;
  }
  throw new TooContended();
}

/** One document for each key. */
type Keyed<Keys extends readonly string[]> = { readonly [I in keyof Keys]: KeyedDoc };

/** Documents of a partition with their keys. A missing one can be written as version 0. */
export async function readDocs<const Keys extends readonly string[]>(
  store: Pick<Store, 'read'>,
  partition: Partition,
  keys: Keys,
): Promise<Keyed<Keys>> {
  const docs = keys.length === 0 ? [] : await store.read(partition, keys);
  return keys.map((key, i) => ({
    key,
    version: docs[i]?.version ?? 0,
    value: docs[i]?.value ?? '',
  })) as unknown as Keyed<Keys>;
}
