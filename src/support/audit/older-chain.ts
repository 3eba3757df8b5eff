import { z } from 'zod';
import { codec } from '../../store/codec.ts';
import { readDocs } from '../../store/update.ts';
import {
  type ChainDeps,
  deedIn,
  type Head,
  headCodec,
  isTrueHead,
  isTrueLink,
  type Last,
  LINK,
  type Link,
  type LinkId,
  linkAfter,
  linkIn,
  NOTHING,
} from './chain.ts';
import { PARTITION } from './outbox.ts';

/**
 * The chain of the release before this one, which kept it in the live store and copied it into the records. This release only reads it. Entries that
 * the records lack are taken over at the first start, and during a deploy, in which processes of that release still write. Remove this file one
 * release later.
 */
const HEAD = 'audit:head';
const keyOf = (n: number) => `audit:${n}`;
const BATCH = 500;
/** A digest. Those of the outbox have a prefix, and the records refuse the same one twice. */
const NAME = z.string().regex(/^[\w-]{0,100}$/);
const olderCodec = codec<Link>('entry of the older audit', LINK.extend({ mac: NAME, prev: NAME }));

/** Entries of the older chain, as they follow in the chain of the records. */
interface Older {
  readonly links: readonly Link[];
  /** The digest of its head: up to there the records have all of it. */
  readonly head: string;
  /** True where our own keys sealed that head, and the last entry of the records is part of that chain. */
  readonly isSealed: boolean;
}

/**
 * The entries that the records have not got. Undefined where there is no older chain, or the records have all of it.
 * @param taken the head up to which they have it
 * @param end the end of the records: whether it is proven, and its seal
 */
export async function olderAfter(
  deps: ChainDeps,
  taken: string | undefined,
  last: Last | undefined,
  end: { readonly isProven: boolean; readonly head: Head },
): Promise<Older | undefined> {
  const [doc] = await readDocs(deps.store, PARTITION, [HEAD]);
  const head = headCodec.readable(doc);
  if (!head || head.mac === taken) return undefined;
  const { common, ours } = await partedAt(deps, head);
  const isBound = last === undefined || (common.n === last.n && last.isTrue);
  const isSealed = isBound && isTrueHead(deps, head, 'audit-head');
  const isVouched = isSealed || end.isProven;
  const isAsItWas = isBound && isVouched && ours.every((link) => isTrueLink(deps, link));
  const unproven = isVouched ? undefined : end.head.seal;
  const links = isAsItWas ? ours : await anew(deps, common, ours, last ?? end.head, unproven);
  return { links, head: head.mac, isSealed };
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
      const link = olderCodec.readable(docs[i]);
      const mac = later.at(-1)?.prev ?? head.mac;
      if (copies.get(n) === mac || link?.n !== n) return { common: { n, mac }, ours: later.toReversed() };
      later.push(link);
    }
  }
  return { common: NOTHING, ours: later.toReversed() };
}

/**
 * The same behind the last entry of the records, but for those that a process of that release has put there already.
 * @param unproven the seal of an end of the records that is not ours
 */
async function anew(
  deps: ChainDeps,
  common: LinkId,
  ours: readonly Link[],
  last: LinkId & Pick<Link, 'at'>,
  unproven: string | undefined,
): Promise<readonly Link[]> {
  const places = await placesBehind(deps, common.n, last.n);
  const moved = new Map<number, number>();
  const links: Link[] = [];
  for (const link of ours) {
    const before = links.at(-1) ?? last;
    const isTrue = isTrueLink(deps, link);
    // An entry that somebody made up has no older digest.
    const { n, mac, at, of } = link;
    const was = (isTrue && link.was) || { n, mac, at };
    const there = places.get(was.mac);
    moved.set(link.n, there ?? before.n + 1);
    if (there !== undefined) continue;
    const closes = of === undefined ? {} : { of: moved.get(of) ?? of };
    const seal = isTrue ? (links.length === 0 ? unproven : undefined) : mac;
    const said = { ...deedIn(link), ...closes, was, ...(seal !== undefined && { unproven: seal }) };
    const moment = isTrue ? at : Math.min(at, deps.now());
    links.push(linkAfter(deps, before, said, Math.max(moment, before.at)));
  }
  return links;
}

/** The numbers of entries by the digests that they were first written with. */
async function placesBehind({ records }: ChainDeps, n: number, last: number): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for (let from = n + 1; from <= last; from += BATCH)
    for (const row of await records.range(from, Math.min(last, from + BATCH - 1))) {
      const link = linkIn(row.link);
      if (link) places.set(link.was?.mac ?? link.mac, link.n);
    }
  return places;
}
