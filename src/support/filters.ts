import type { Settings } from '../records/settings.ts';
import { type Book, createBook, isGivenName } from './book.ts';
import type { NameIn } from './sentences.ts';

/** Of one account, and of those that all have. */
const FILTERS_MAX = 20;
export const FILTER_NAME_MAX_CHARACTERS = 30;

/** The filters of the inbox, saved under a name. */
export interface Filter {
  readonly id: string;
  readonly name: string;
  /** Of the inbox's page: `show=all&kind=payment`. */
  readonly query: string;
}

/** The fault of a filter: an invalid name, or the name of another one of the same list. */
export function wrongIn({ name }: Filter, others: readonly Filter[]): NameIn<'said'> | undefined {
  if (!isGivenName(name, FILTER_NAME_MAX_CHARACTERS)) return 'filterName';
  return others.some((other) => other.name === name) ? 'filterTaken' : undefined;
}

/** Filters: each account's own, and those that supervisors keep for all. */
export function createFilters(settings: Settings, now: () => number) {
  const books = new Map<string, Book<Filter>>();
  return {
    /** @param account its id. Absent: the filters of all */
    of(account?: string): Book<Filter> {
      const name = account === undefined ? 'filters' : `filters:${account}`;
      const book = books.get(name) ?? createBook<Filter>(settings, name, FILTERS_MAX, now);
      books.set(name, book);
      return book;
    },
  };
}
