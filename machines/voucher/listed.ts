import type { Paged } from '../../src/wallet/services.ts';

/** One page of a wallet's list, as a conversation holds it. Pages count from 1. */
export interface Listed<T> {
  readonly page: number;
  /** Entries on the first page: the wallet may give smaller pages than it was asked for. */
  readonly size: number;
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

/** The list after a page of it was read. A page that turns out to be empty is not shown: the one before it was the last. */
export function listed<T>(
  before: Listed<T> | undefined,
  page: number,
  { entries, count }: Paged<T>,
): Listed<T> {
  if (before && page > 1 && entries.length === 0) return { ...before, hasMore: false };
  const size = page > 1 && before ? before.size : entries.length;
  return { page, size, entries, hasMore: (page - 1) * size + entries.length < count };
}

/** The page after the current one. */
export function next(list: Listed<unknown> | undefined): number {
  return (list?.page ?? 0) + 1;
}

/** The page before the current one. */
export function previous(list: Listed<unknown> | undefined): number {
  return (list?.page ?? 2) - 1;
}

/** True where a page comes before the one on show. */
export function isLater(list: Listed<unknown> | undefined): boolean {
  return list !== undefined && list.page > 1;
}
