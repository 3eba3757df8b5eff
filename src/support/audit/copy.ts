import type { Log } from '../../log/lines.ts';
import type { AuditEnd, AuditRow } from '../../records/records.ts';
import type { Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import {
  type AuditArchive,
  type ChainDeps,
  type Head,
  headOf,
  isTrueHead,
  isTrueLink,
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
  /** The store was put back to an older state, and the chain goes on behind the entries of the records. */
  readonly onPutBack: (putBack: PutBack) => void;
  /** The next entries in the store do not hang on the last entry of the records, which is that one. Nothing is copied. */
  readonly onRefused: (last: number) => void;
}

/** Says it in the log. */
export function copyingLog(log: Pick<Log, 'say'>): OnCopying {
  return {
    onGap: (from, to) => log.say('Audit entries have left the store before they were copied', { from, to }),
    onPutBack: (putBack) => log.say('The audit in the store was older than in the records', { ...putBack }),
    onRefused: (last) => log.say('The audit is not copied', { last }),
  };
}

interface CopyDeps extends ChainDeps, OnCopying {
  readonly records: AuditArchive;
}

/**
 * Copies the next entries that the records do not have yet, and tells whether there may be more. Another process may do
 * so at the same time without harm. Entries that do not hang on the last one of the records come from a store that was
 * put back: they are brought behind it first.
 */
export async function copyNext(deps: CopyDeps): Promise<boolean> {
  const { store, records, onGap, onPutBack, onRefused } = deps;
  const last = await lastIn(records);
  const head = await readHead(deps);
  const links = await linksAfter(store, last?.link.n ?? 0, head.n, onGap);
  if (last && !mayHangOn(last.link, head, links)) {
    const done = await goOnBehind(deps, last.link);
    if (done !== 'refused') {
      if (done !== 'bound') onPutBack(done);
      return true;
    }
    onRefused(last.link.n);
    if (!isTampered(deps, links)) return false;
  }
  const newest = links.at(-1) ?? last?.link;
  const end = newest && endAt(deps, newest, head);
  if (links.length === 0 && (!end || (await records.auditEnd())?.sealed === end.sealed)) return false;
  // If another process was faster, the next step sees the entries that it has copied.
  await records.addAudit(links.map(asRow), last?.text, end);
  return newest !== undefined && newest.n < head.n;
}

/** The mark of the last entry that the records get, once they have all there is. */
function endAt(deps: ChainDeps, newest: Link, head: Head): AuditEnd | undefined {
  const isAll = newest.n === head.n && newest.mac === head.mac && isTrueHead(deps, head);
  return isAll ? { n: newest.n, sealed: JSON.stringify(headOf(deps, newest, true)) } : undefined;
}

/** One entry that was tampered with, in a chain that goes on: it is copied as it is, as all later ones would be lost. The check finds it. */
function isTampered(deps: ChainDeps, [next, after]: readonly Link[]): boolean {
  return (
    next !== undefined &&
    after !== undefined &&
    !isTrueLink(deps, next) &&
    isTrueLink(deps, after) &&
    after.prev === next.mac
  );
}

/** Copies all that the records do not have yet. */
export async function copyAudit(deps: CopyDeps): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await copyNext(deps);
}

/** The last entry that the records have, and its text there. */
export async function lastIn(
  records: AuditArchive,
): Promise<{ readonly link: Link; readonly text: string } | undefined> {
  const n = await records.auditedTo();
  const [row] = await records.auditRange(n, n);
  const link = row && linkIn(row.link);
  return row && link?.n === n ? { link, text: row.link } : undefined;
}

/** Whether what follows in the store can hang on the last entry of the records: behind a gap, anything can. */
function mayHangOn(last: Link, head: Head, [next]: readonly Link[]): boolean {
  if (head.n <= last.n) return head.n === last.n && head.mac === last.mac;
  return next?.n !== last.n + 1 || next.prev === last.mac;
}

/**
 * Entries after one, in their order, as far as there is no gap. Those that have left the store uncopied are left out: a copy that was
 * begun anew, or put back, goes on with the first one that is still there.
 */
async function linksAfter(
  store: Pick<Store, 'read'>,
  after: number,
  end: number,
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
  const links = (await readDocs(store, PARTITION, keys)).map((doc) => linkCodec.readable(doc));
  const gap = links.indexOf(undefined);
  return links.slice(0, gap === -1 ? count : gap).flatMap((link) => link ?? []);
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
