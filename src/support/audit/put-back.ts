import type { KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import { OVERTAKEN, readDocs, untilCommitted } from '../../store/update.ts';
import {
  type AuditArchive,
  type ChainDeps,
  deedIn,
  HEAD,
  type Head,
  headCodec,
  headWrite,
  isProven,
  isTrueHead,
  isTrueLink,
  keyOf,
  type Link,
  type LinkId,
  linkAfter,
  linkCodec,
  linkIn,
  linkWrite,
  NOTHING,
  PARTITION,
  readHead,
  type Written,
} from './chain.ts';

/** Entries that are read at once. */
const BATCH = 500;
/** So many of the entries that the store has lost are put back into it: a failover loses fewer. All of them are in the records. */
const PUT_BACK_MAX = 1_000;
/** Among so many of the last entries one that was moved is looked for. */
const LOOKED_AT_MAX = 5_000;
/** The account in the entry that tells of it. */
const WASL = 'wasl';

/** A store that was put back to an older state: it had not these entries of the records. */
export interface PutBack {
  readonly from: number;
  readonly to: number;
  /** How many entries were written meanwhile under numbers that were not free, and are now behind those. */
  readonly moved: number;
}

interface Deps extends ChainDeps {
  readonly records: AuditArchive;
}

/** How the chain in the store and the one in the records part: each hangs on the last entry that they have in common. */
interface Fork {
  /** `NOTHING` where there is none. */
  readonly common: LinkId;
  /** The store's entries behind it, the earliest first. */
  readonly ours: readonly Link[];
  /** The records' entries behind it: the last ones, and those whose places are taken in the store. */
  readonly theirs: readonly Link[];
  /** Under which numbers the records have entries of the store, by what these were written as. */
  readonly known: ReadonlyMap<string, number>;
}

/**
 * Mends the chain after a store was put back to an older state (a failover, a restore). The store's chain then goes on
 * with numbers that the records have given to other entries. The entries of the records become the chain again, in the
 * store as well (`PUT_BACK_MAX`). Entries written meanwhile are entered anew behind it, with their former number and
 * digest, and one more entry tells of it: all of it at once, or nothing. `bound`: the store goes on where the records
 * end. `refused`: it does not, and an entry in either is not as our own processes have written it.
 */
export function goOnBehind(deps: Deps, last: Link): Promise<PutBack | 'bound' | 'refused'> {
  let before: readonly Link[] = [];
  return untilCommitted(async () => {
    const parted = await partedNow(deps, last, before);
    if (typeof parted !== 'object') return parted;
    const { headDoc, fork } = parted;
    before = fork.ours;
    const moved = anew(deps, last, fork);
    const putBack = { from: fork.common.n + 1, to: last.n, moved: moved.length };
    const newest = moved.at(-1) ?? last;
    const end = linkAfter(deps, newest, said(putBack), Math.max(deps.now(), newest.at));
    const writes = [
      headWrite(deps, headDoc, end),
      ...(await documents(deps, [...fork.theirs, ...moved, end])),
    ];
    return (await deps.store.commit(PARTITION, { writes, durable: true })) ? putBack : OVERTAKEN;
  });
}

/**
 * The first entry of the records that the store lacks, where it was put back and has no other fault. Otherwise
 * undefined.
 */
export async function putBackAt(deps: Deps, last: Link): Promise<number | undefined> {
  const parted = await untilCommitted(() => partedNow(deps, last, []));
  return typeof parted === 'object' ? parted.fork.common.n + 1 : undefined;
}

/** @param before what an earlier try has found of the store: it is not read again */
async function partedNow(
  deps: Deps,
  last: Link,
  before: readonly Link[],
): Promise<{ readonly headDoc: KeyedDoc; readonly fork: Fork } | 'bound' | 'refused' | typeof OVERTAKEN> {
  const readHeadDoc = async () => (await readDocs(deps.store, PARTITION, [HEAD]))[0];
  const headDoc = await readHeadDoc();
  const head = headCodec.read(headDoc);
  const parted = await partedAt(deps, head ?? NOTHING, last, before);
  if (parted?.common.n === last.n) return 'bound';
  const fork = parted && (await forkOf(deps, head, last, parted));
  if (fork) return { headDoc, fork };
  // An entry that another process added meanwhile looks like one that is not ours.
  return (await readHeadDoc()).version === headDoc.version ? 'refused' : OVERTAKEN;
}

/**
 * Goes back from the head to the last entry that the records have too, or that the first one of theirs hangs on. Undefined where something
 * on the way is not ours.
 */
async function partedAt(
  deps: Deps,
  head: Head,
  last: Link,
  before: readonly Link[],
): Promise<Pick<Fork, 'common' | 'ours'> | undefined> {
  const later: Link[] = [];
  const found = (common: LinkId, earlier: readonly Link[] = []) => ({
    common,
    ours: [...earlier, ...later.toReversed()],
  });
  let { mac } = head;
  for (let top = head.n; top > 0; top -= BATCH) {
    const numbers = Array.from({ length: Math.min(top, BATCH) }, (_, i) => top - i);
    const docs = await readDocs(deps.store, PARTITION, numbers.map(keyOf));
    const copies = await rowsOf(deps, top - numbers.length + 1, Math.min(top + 1, last.n));
    for (const [i, n] of numbers.entries()) {
      const isForgotten = !copies.has(n) && copies.get(n + 1)?.prev === mac;
      if (copies.get(n)?.mac === mac || isForgotten) return found({ n, mac });
      if (before.at(-1)?.mac === mac) {
        const [first] = before;
        return first && found({ n: first.n - 1, mac: first.prev }, before);
      }
      const link = linkCodec.readable(docs[i]);
      if (link?.n !== n || link.mac !== mac) return undefined;
      if (!isTrueLink(deps, link) || !isProven(deps, link)) return undefined;
      later.push(link);
      mac = link.prev;
    }
  }
  return mac === NOTHING.mac ? found(NOTHING) : undefined;
}

async function rowsOf({ records }: Deps, from: number, to: number): Promise<Map<number, Link>> {
  const rows = from > to ? [] : await records.auditRange(from, to);
  return new Map(rows.flatMap(({ link }) => linkIn(link) ?? []).map((link) => [link.n, link] as const));
}

/** The fork, where both ends were written by us and nothing stands behind them. Otherwise undefined. */
async function forkOf(
  deps: Deps,
  head: Head | undefined,
  last: Link,
  { common, ours }: Pick<Fork, 'common' | 'ours'>,
): Promise<Fork | undefined> {
  if (head && !isTrueHead(deps, head)) return undefined;
  const isLast = await isSealedEnd(deps, last);
  const isFree = await isFreeFrom(deps, (head?.n ?? 0) + 1, last.n + ours.length + 1);
  const theirs = isLast && isFree && (await theirsIn(deps, common, last, ours));
  return theirs ? { common, ours, ...theirs } : undefined;
}

/**
 * True for what the records have as the last entry, where they had no later one when they last had all there was: who can write them seals
 * nothing. An older state of all of them is not told apart.
 */
async function isSealedEnd(deps: Deps, last: LinkId): Promise<boolean> {
  const end = await deps.records.auditEnd();
  const sealed = end && headCodec.readable({ key: '', version: 1, value: end.sealed });
  if (!sealed || !isTrueHead(deps, sealed, true) || sealed.n > last.n) return false;
  return (await rowsOf(deps, sealed.n, sealed.n)).get(sealed.n)?.mac === sealed.mac;
}

/** A store that was put back has nothing behind its head, until somebody goes on. */
async function isFreeFrom({ store }: Deps, from: number, to: number): Promise<boolean> {
  for (let first = from; first <= to; first += BATCH) {
    const keys = Array.from({ length: Math.min(BATCH, to - first + 1) }, (_, i) => keyOf(first + i));
    const docs = await readDocs(store, PARTITION, keys);
    if (docs.some(({ version }) => version > 0)) return false;
  }
  return true;
}

/** The chain of the records from there to its last entry. Undefined where it is not whole. */
async function theirsIn(
  deps: Deps,
  common: LinkId,
  last: Link,
  ours: readonly Link[],
): Promise<Pick<Fork, 'theirs' | 'known'> | undefined> {
  const written = new Set(ours.map(originOf));
  const top = common.n + ours.length;
  const theirs: Link[] = [];
  const known = new Map<string, number>();
  let before: LinkId | undefined = common;
  for (let from = common.n + 1; from <= last.n; from += BATCH) {
    const rows = [...(await rowsOf(deps, from, Math.min(from + BATCH - 1, last.n))).values()];
    for (const link of rows) {
      // After old entries were forgotten in time, the first one left hangs on nothing.
      const isFirst = before === NOTHING && link.n > 1 && link.prevAt + deps.keptMs <= deps.now();
      const hangs = isFirst || (link.n === (before?.n ?? 0) + 1 && link.prev === before?.mac);
      if (!hangs || !isTrueLink(deps, link)) return undefined;
      if (link.n <= top || link.n > last.n - PUT_BACK_MAX) theirs.push(link);
      if (written.has(originOf(link))) known.set(originOf(link), link.n);
      before = link;
    }
  }
  return before?.mac === last.mac ? { theirs, known } : undefined;
}

/** The first digest of an entry, from before all of its moves. */
function originOf({ mac, was }: Link): string {
  return was?.mac ?? mac;
}

/**
 * The entries written meanwhile, behind the last entry of the records. Entries that these have already stay where they
 * are.
 */
function anew(deps: Deps, last: Link, { ours, known }: Fork): Link[] {
  const added: Link[] = [];
  const places = new Map<number, number>();
  for (const link of ours) {
    // Its time is over, in the records as well.
    if (link.at + deps.keptMs <= deps.now()) continue;
    const there = known.get(originOf(link));
    const before = added.at(-1) ?? last;
    places.set(link.n, there ?? before.n + 1);
    if (there !== undefined) continue;
    const { n, mac, at, was = { n, mac, at }, of } = link;
    const closes = of === undefined ? {} : { of: places.get(of) ?? of };
    added.push(linkAfter(deps, before, { ...deedIn(link), ...closes, was }, Math.max(at, before.at)));
  }
  return added;
}

function said({ from, to, moved }: PutBack): Written {
  const what = moved === 0 ? `${from}-${to}` : `${from}-${to}, ${moved} entered anew`;
  return { who: WASL, act: 'rejoinAudit', what, end: 'done' };
}

async function documents(deps: Deps, links: readonly Link[]): Promise<Write[]> {
  const keys = links.map(({ n }) => keyOf(n));
  const docs = await readDocs(deps.store, PARTITION, keys);
  return links.map((link, i) => linkWrite(deps, link, docs[i]?.version ?? 0));
}

/** The place of an entry that was moved. It is looked for among the last ones. */
export async function movedTo(deps: ChainDeps, { mac }: LinkId): Promise<LinkId | undefined> {
  const head = await readHead(deps);
  for (let top = head.n; top > Math.max(0, head.n - LOOKED_AT_MAX); top -= BATCH) {
    const keys = Array.from({ length: Math.min(top, BATCH) }, (_, i) => keyOf(top - i));
    const links = (await readDocs(deps.store, PARTITION, keys)).flatMap(
      (doc) => linkCodec.readable(doc) ?? [],
    );
    const found = links.find((link) => link.mac === mac || link.was?.mac === mac);
    if (found) return { n: found.n, mac: found.mac };
  }
  return undefined;
}
