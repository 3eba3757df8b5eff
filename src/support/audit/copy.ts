import type { AuditRow } from '../../records/records.ts';
import type { Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import {
  type AuditArchive,
  type ChainDeps,
  type Head,
  keyOf,
  type Link,
  linkAt,
  linkCodec,
  linkIn,
  PARTITION,
  readHead,
  rowOf,
} from './chain.ts';
import { goOnBehind, type PutBack } from './put-back.ts';

/** Entries that are copied into the records at once. */
const COPIED_AT_ONCE = 200;

/** Called where something is amiss that only a log tells. */
export interface OnCopying {
  /** Entries are in the store no more that nobody has copied: the first of them, and the last. */
  readonly onGap: (from: number, to: number) => void;
  /** The store was put back to an older state, and the chain goes on behind what the records have. */
  readonly onPutBack: (putBack: PutBack) => void;
}

/** Says it in the log. */
export function copyingLog(log: {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}): OnCopying {
  return {
    onGap: (from, to) =>
      log.error({ from, to }, 'audit entries have left the store, and the records lack them'),
    onPutBack: (putBack) =>
      log.error(
        { ...putBack },
        'the audit in the store was older than in the records, and goes on behind what these have',
      ),
  };
}

interface CopyDeps extends ChainDeps, OnCopying {
  readonly records: AuditArchive;
}

/**
 * Copies the next entries that the records do not have yet; gives whether there may be more. Whoever else does so at the same time does
 * no harm. Entries that do not hang on the last one of the records come from a store that was put back: they are brought behind it first.
 */
export async function copyNext(deps: CopyDeps): Promise<boolean> {
  const { store, records, onGap, onPutBack } = deps;
  const last = await lastIn(records);
  const head = await readHead(deps);
  const links = await linksAfter(store, last?.n ?? 0, head, onGap);
  if (last && !isBoundTo(last, head, links)) {
    const putBack = await goOnBehind(deps, last);
    if (putBack) onPutBack(putBack);
    // Another process may have done it: what was read before is the chain no more.
    if (putBack || (await readHead(deps)).mac !== head.mac) return true;
  }
  if (links.length > 0) await records.addAudit(links.map(asRow));
  return links.length === COPIED_AT_ONCE;
}

/** Copies all that the records do not have yet. */
export async function copyAudit(deps: CopyDeps): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await copyNext(deps);
}

async function lastIn(records: AuditArchive): Promise<Link | undefined> {
  const n = await records.auditedTo();
  const [row] = await records.auditRange(n, n);
  return row && linkIn(row.link);
}

/** Whether what follows in the store hangs on the last entry of the records, as far as that can be seen. */
function isBoundTo(last: Link, head: Head, [next]: readonly Link[]): boolean {
  if (head.n <= last.n) return head.n === last.n && head.mac === last.mac;
  return next?.n !== last.n + 1 || next.prev === last.mac;
}

/**
 * Entries after one, in their order. Those that have left the store uncopied are left out: a copy that was begun anew, or put back,
 * goes on with the first one that is still there.
 */
async function linksAfter(
  store: Pick<Store, 'read'>,
  after: number,
  { n: end }: Head,
  onGap: OnCopying['onGap'],
): Promise<Link[]> {
  const next = await linksFrom(store, after + 1, end);
  if (next.length > 0 || end <= after) return next;
  const first = await firstLeft(store, after + 1, end);
  const links = await linksFrom(store, first, end);
  if (links.length > 0) onGap(after + 1, first - 1);
  return links;
}

async function linksFrom(store: Pick<Store, 'read'>, first: number, end: number): Promise<Link[]> {
  const count = Math.max(0, Math.min(COPIED_AT_ONCE, end - first + 1));
  const keys = Array.from({ length: count }, (_, i) => keyOf(first + i));
  return (await readDocs(store, PARTITION, keys)).flatMap((doc) => linkCodec.readable(doc) ?? []);
}

/** The number of the first entry that the store has, at most `last`: they leave it in their order, so that a few reads find it. */
async function firstLeft(store: Pick<Store, 'read'>, first: number, last: number): Promise<number> {
  let [low, high] = [first, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await linkAt({ store }, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As the store has it: a copy is compared with that letter for letter. */
function asRow(link: Link): AuditRow {
  return { ...rowOf(link), link: JSON.stringify(link) };
}
