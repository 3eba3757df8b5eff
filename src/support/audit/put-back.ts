import type { Write } from '../../store/store.ts';
import { OVERTAKEN, readDocs, untilCommitted } from '../../store/update.ts';
import {
  type AuditArchive,
  type ChainDeps,
  HEAD,
  type Head,
  headCodec,
  headWrite,
  isTrueHead,
  isTrueLink,
  type Known,
  keyOf,
  type Link,
  linkAfter,
  linkAt,
  linkCodec,
  linkIn,
  linkWrite,
  NOTHING,
  PARTITION,
  type Written,
} from './chain.ts';

/** Entries that are compared at once. */
const BATCH = 100;

/** The store had lost these entries; the records had them. */
export interface PutBack {
  readonly from: number;
  readonly to: number;
  /** How many entries were written meanwhile under numbers that were not free, and are now behind those. */
  readonly moved: number;
}

interface Deps extends ChainDeps {
  readonly records: AuditArchive;
}

/** Where the two part: what the store has above the last entry that it shares with the records, the earliest first. */
interface Branch {
  /** The number of the last common entry; 0: there is none. */
  readonly common: number;
  readonly links: readonly Link[];
  /** What the records have under these numbers: fewer where the store has gone further meanwhile. */
  readonly copies: readonly Link[];
}

/**
 * After a store was put back to an older state (a failover, a restore), its chain goes on with numbers that the records have given to
 * others. What the records have is made the chain again, in the store as well; what was written meanwhile is entered anew behind it,
 * as it was but for its number, and an entry says so. All of it at once, or nothing.
 *
 * Undefined, with nothing done, where that is not how it came: anything that our own processes have not written is left for the
 * check to find.
 */
export function goOnBehind(deps: Deps, last: Link): Promise<PutBack | undefined> {
  return untilCommitted(async () => {
    const [headDoc] = await readDocs(deps.store, PARTITION, [HEAD]);
    const head = headCodec.read(headDoc);
    const branch = await branchOf(deps, head ?? NOTHING, last);
    if (!(await isOurs(deps, head, last, branch))) return undefined;
    const { common, links } = branch;
    const putBack = { from: common + 1, to: last.n, moved: links.length };
    const added = anew(deps, last, branch, saying(putBack));
    const end = added.at(-1);
    if (!end) return undefined;
    const writes = [headWrite(deps, headDoc, end), ...(await documents(deps, branch, added))];
    return (await deps.store.commit(PARTITION, { writes, durable: true })) ? putBack : OVERTAKEN;
  });
}

async function branchOf({ store, records }: Deps, head: Head, last: Link): Promise<Branch> {
  const [links, copies]: [Link[], Link[]] = [[], []];
  for (let top = head.n; top > 0; top -= BATCH) {
    const numbers = Array.from({ length: Math.min(top, BATCH) }, (_, i) => top - i);
    const docs = await readDocs(store, PARTITION, numbers.map(keyOf));
    const rows = await records.auditRange(top - numbers.length + 1, Math.min(top, last.n));
    const copyOf = new Map(rows.map((row) => [row.n, row]));
    for (const [i, n] of numbers.entries()) {
      const [link, copy] = [linkCodec.readable(docs[i]), copyOf.get(n)];
      const isCommon = n <= last.n && (!copy || copy.link === docs[i]?.value);
      if (!link || isCommon) return { common: n, links: links.toReversed(), copies: copies.toReversed() };
      links.push(link);
      const theirs = copy && linkIn(copy.link);
      if (theirs) copies.push(theirs);
    }
  }
  return { common: 0, links: links.toReversed(), copies: copies.toReversed() };
}

/** Whether both ends were written by us, and hang on what they have in common. */
async function isOurs(
  deps: Deps,
  head: Head | undefined,
  last: Link,
  { common, links, copies }: Branch,
): Promise<boolean> {
  const [row] = await deps.records.auditRange(common, common);
  const shared = row ? linkIn(row.link) : NOTHING;
  if (shared?.n !== common || common >= last.n) return false;
  const isBeyond = (await linkAt(deps, (head?.n ?? 0) + 1)) !== undefined;
  return (
    hangsOn(deps, shared, links) &&
    hangsOn(deps, shared, copies) &&
    isTrueLink(deps, last) &&
    (links.at(-1) ?? shared).mac === (head?.mac ?? '') &&
    (head === undefined || isTrueHead(deps, head)) &&
    !isBeyond
  );
}

function hangsOn(deps: Deps, shared: Known, links: readonly Link[]): boolean {
  return links.every((link, i) => {
    const before = links[i - 1] ?? shared;
    return link.n === before.n + 1 && link.prev === before.mac && isTrueLink(deps, link);
  });
}

function saying({ from, to, moved }: PutBack): Written {
  const what = moved === 0 ? `${from}-${to}` : `${from}-${to}, ${moved} entered anew`;
  return { who: 'wasl', act: 'rejoinAudit', what, end: 'done' };
}

/** What was written meanwhile, behind the last entry of the records, and what is said of it. */
function anew(deps: Deps, last: Link, { common, links }: Branch, said: Written): Link[] {
  const added: Link[] = [];
  const push = (written: Written, at: number) => {
    const before = added.at(-1) ?? last;
    added.push(linkAfter(deps, before, written, Math.max(at, before.at)));
  };
  for (const { n: _n, at, prev: _prev, prevAt: _prevAt, mac: _mac, of, ...written } of links) {
    const moved = of !== undefined && of > common ? of + last.n - common : of;
    push({ ...written, ...(moved !== undefined && { of: moved }) }, at);
  }
  push(said, deps.now());
  return added;
}

/** In the store: what the records have, where it had something else, and what is new behind it. */
async function documents(deps: Deps, { copies }: Branch, added: readonly Link[]): Promise<Write[]> {
  const links = [...copies, ...added];
  const docs = await readDocs(
    deps.store,
    PARTITION,
    links.map(({ n }) => keyOf(n)),
  );
  return links.map((link, i) => linkWrite(deps, link, docs[i]?.version ?? 0));
}
