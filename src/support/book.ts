import type { Change, Setting, Settings } from '../records/settings.ts';
import { isObject, jsonOf } from '../store/codec.ts';
import { StoreDown } from '../store/store.ts';
import { createFresh } from './fresh.ts';

/** How old what pages see of a book may be. */
const FRESH_MS = 2_000;
/** After SQL did not answer, pages ask it again so much later. */
const ASK_AGAIN_MS = 5_000;

/** One line of signs that can be seen, from a letter or digit on, without the signs of markup. */
const GIVEN_NAME = /^[\p{L}\p{N}(][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** True for a name that a team, label, macro or filter can have. Nothing is found by it: each has an id. */
export function isGivenName(name: string, maxCharacters: number): boolean {
  return GIVEN_NAME.test(name) && !/[<>]/.test(name) && name.length <= maxCharacters;
}

/** The entries that supervisors write for everybody at the console. */
export interface Book<T extends { readonly id: string }> {
  /** All of it, in the order in which it was first written. Rejects with `RecordsDown`. */
  all(): Promise<readonly T[]>;
  /** The same. While SQL is away: as it was last seen, for pages that show more than this. */
  seen(): Promise<readonly T[]>;
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
 * A book, kept in SQL.
 * @param kind of its entries there: `teams`
 * @param max how many there can be: it is read with each page that shows it
 */
export function createBook<T extends { readonly id: string }>(
  settings: Settings,
  kind: string,
  max: number,
  now: () => number,
): Book<T> {
  let [last, awayAt]: [readonly T[], number] = [[], Number.NEGATIVE_INFINITY];
  const kept = createFresh(
    async () => {
      last = entriesIn<T>((await settings.of(kind)).all);
      return last;
    },
    FRESH_MS,
    now,
  );
  const change = async <R extends string>(to: (all: readonly T[]) => readonly [string, T | null] | R) => {
    const result = await settings.change(kind, ({ all }): Change<R | 'done'> => {
      const next = to(entriesIn<T>(all));
      if (typeof next === 'string') return { result: next };
      const [id, it] = next;
      return { writes: [{ id, value: it && JSON.stringify(it) }], result: 'done' };
    });
    kept.expire();
    return result;
  };
  const found = (id: string, to: (it: T) => T | null) =>
    change<'notFound'>((all) => {
      const it = all.find((each) => each.id === id);
      return it ? [id, to(it)] : 'notFound';
    });
  return {
    all: kept.read,
    async seen() {
      if (now() - awayAt < ASK_AGAIN_MS) return last;
      try {
        return await kept.read();
      } catch (error) {
        if (!(error instanceof StoreDown)) throw error;
        awayAt = now();
        return last;
      }
    },
    put: <W extends string>(it: T, wrong: (others: readonly T[]) => W | undefined) =>
      change<W | 'full'>((all) => {
        const others = all.filter(({ id }) => id !== it.id);
        if (others.length === all.length && all.length >= max) return 'full';
        return wrong(others) ?? [it.id, it];
      }),
    edit: found,
    remove: (id) => found(id, () => null),
  };
}

function entriesIn<T extends { readonly id: string }>(all: readonly Setting[]): readonly T[] {
  return all.flatMap(({ value }) => {
    const entry = jsonOf(value);
    return isObject(entry) && typeof entry.id === 'string' ? [entry as unknown as T] : [];
  });
}
