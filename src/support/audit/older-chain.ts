import { readDocs } from '../../store/update.ts';
import {
  type ChainDeps,
  deedIn,
  type Head,
  headCodec,
  isTrueHead,
  isTrueLink,
  type Link,
  type LinkId,
  linkAfter,
  linkCodec,
  linkIn,
  NOTHING,
} from './chain.ts';
import { PARTITION } from './outbox.ts';

/**
 * The chain of the release before this one, which kept it in the live store and copied it into the records. This release only
 * reads it: what the records have not got yet is taken over at the first start, and during a deploy, in which processes of that
 * release still write. Remove this file one release later.
 */
const HEAD = 'audit:head';
const keyOf = (n: number) => `audit:${n}`;
/** Entries that are read at once. */
const BATCH = 500;

/** Entries of the older chain, as they follow in the chain of the records. */
export interface Older {
  readonly links: readonly Link[];
  /** The digest of its head: up to there the records have all of it. */
  readonly head: string;
  /** True where our own keys sealed that head, and the last entry of the records is part of that chain. */
  readonly isSealed: boolean;
}

/**
 * The entries that the records have not got. Undefined where there is no older chain, or the records have all of it.
 * @param taken the head up to which they have it
 */
export async function olderAfter(
  deps: ChainDeps,
  taken: string | undefined,
  last: Link | undefined,
): Promise<Older | undefined> {
  const [doc] = await readDocs(deps.store, PARTITION, [HEAD]);
  const head = headCodec.readable(doc);
  if (!head || head.mac === taken) return undefined;
  const { common, ours } = await partedAt(deps, head);
  const isBound = common.n === (last?.n ?? 0) || last === undefined;
  const links = isBound ? ours : await anew(deps, common, ours, last);
  return { links, head: head.mac, isSealed: isBound && isTrueHead(deps, head, 'audit-head') };
}

/** Goes back from the head to the last entry that the records have as well. */
async function partedAt(
  { store, records }: ChainDeps,
  head: Head,
): Promise<{ readonly common: LinkId; readonly ours: readonly Link[] }> {
  const later: Link[] = [];
  for (let top = head.n; top > 0; top -= BATCH) {
    const numbers = Array.from({ length: Math.min(top, BATCH) }, (_, i) => top - i);
    const docs = await readDocs(store, PARTITION, numbers.map(keyOf));
    const rows = await records.range(top - numbers.length + 1, top);
    const copies = new Map(rows.map(({ n, link }) => [n, linkIn(link)?.mac] as const));
    for (const [i, n] of numbers.entries()) {
      const link = linkCodec.readable(docs[i]);
      const mac = later.at(-1)?.prev ?? head.mac;
      if (copies.get(n) === mac || !link) return { common: { n, mac }, ours: later.toReversed() };
      later.push(link);
    }
  }
  return { common: NOTHING, ours: later.toReversed() };
}

/** The same behind the last entry of the records, but for those that a process of that release has put there already. */
async function anew(
  deps: ChainDeps,
  common: LinkId,
  ours: readonly Link[],
  last: Link,
): Promise<readonly Link[]> {
  const places = new Map<string, number>();
  for (let from = common.n + 1; from <= last.n; from += BATCH)
    for (const row of await deps.records.range(from, Math.min(last.n, from + BATCH - 1))) {
      const link = linkIn(row.link);
      if (link) places.set(link.was?.mac ?? link.mac, link.n);
    }
  const moved = new Map<number, number>();
  const links: Link[] = [];
  for (const link of ours) {
    const before = links.at(-1) ?? last;
    const there = places.get(link.was?.mac ?? link.mac);
    moved.set(link.n, there ?? before.n + 1);
    if (there !== undefined) continue;
    const { n, mac, at, was = { n, mac, at }, of } = link;
    const closes = of === undefined ? {} : { of: moved.get(of) ?? of };
    const unproven = isTrueLink(deps, link) ? {} : { unproven: link.mac };
    links.push(
      linkAfter(deps, before, { ...deedIn(link), ...closes, was, ...unproven }, Math.max(at, before.at)),
    );
  }
  return links;
}
