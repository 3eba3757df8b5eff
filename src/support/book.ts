import { z } from 'zod';
import { codec, isObject } from '../store/codec.ts';
import type { Store } from '../store/store.ts';
import { readDocs, type Update, update } from '../store/update.ts';
import { SUPPORT_PARTITION } from './access/accounts.ts';
import { createFresh } from './fresh.ts';

/** How old what pages see of a book may be. */
const FRESH_MS = 2_000;

/** The entries that supervisors write for everybody at the console, as one document. */
export interface Book<T extends { readonly id: string }> {
  /** All of it, in the order in which it was first written. */
  all(): Promise<readonly T[]>;
  /**
   * Writes one, in the place of the one with its id.
   * @param wrong what is wrong with it beside the others, if anything
   */
  put<W extends string>(it: T, wrong: (others: readonly T[]) => W | undefined): Promise<'done' | 'full' | W>;
  /** Changes an entry in its present form: changes written meanwhile stay. */
  edit(id: string, to: (it: T) => T): Promise<'done' | 'notFound'>;
  remove(id: string): Promise<'done' | 'notFound'>;
}

/**
 * A book, kept in the store.
 * @param name of its document: `support:teams`
 * @param max how many there can be: it is read with each page that shows it
 */
export function createBook<T extends { readonly id: string }>(
  store: Store,
  name: string,
  max: number,
  now: () => number,
): Book<T> {
  const bookCodec = codec<{ readonly all: readonly T[] }>(
    name,
    z.object({ all: z.array(z.custom<T>((value) => isObject(value) && typeof value.id === 'string')) }),
  );
  const kept = createFresh(
    async () => bookCodec.read((await readDocs(store, SUPPORT_PARTITION, [name]))[0])?.all ?? [],
    FRESH_MS,
    now,
  );
  const change = async <R extends string>(to: (all: readonly T[]) => readonly T[] | R) => {
    const result = await update(store, SUPPORT_PARTITION, [name], (doc): Update<R | 'done'> => {
      const all = to(bookCodec.read(doc)?.all ?? []);
      if (typeof all === 'string') return { result: all };
      return { writes: [bookCodec.write(doc, { all })], durable: true, result: 'done' };
    });
    kept.expire();
    return result;
  };
  return {
    all: kept.read,
    put: <W extends string>(it: T, wrong: (others: readonly T[]) => W | undefined) =>
      change<W | 'full'>((all) => {
        const others = all.filter(({ id }) => id !== it.id);
        if (others.length === all.length && all.length >= max) return 'full';
        const known = all.map((each) => (each.id === it.id ? it : each));
        return wrong(others) ?? (others.length === all.length ? [...all, it] : known);
      }),
    edit: (id, to) =>
      change<'notFound'>((all) =>
        all.some((each) => each.id === id)
          ? all.map((each) => (each.id === id ? to(each) : each))
          : 'notFound',
      ),
    remove: (id) =>
      change<'notFound'>((all) =>
        all.some((each) => each.id === id) ? all.filter((each) => each.id !== id) : 'notFound',
      ),
  };
}
