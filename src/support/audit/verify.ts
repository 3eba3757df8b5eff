import { readBook } from '../access/account-book.ts';
import { backwards, isTrueLink, type Link, type LinkId, lastIn, linkIn, NOTHING, placeIn } from './chain.ts';
import { type Outbox, readOutbox } from './outbox.ts';
import { endOf, isProven, type TakeDeps, takeAll } from './take.ts';
import { readWitness, type Witness, witnessOf } from './witness.ts';

/**
 * `ok` with a witness of the newest entry, for the next check. Otherwise the earliest entry that is not as it was
 * written. `missing`, `changed`: that entry is. `head`: the end of the chain was changed there. `begun`: the chain
 * begins with that entry, and accounts are older than it. `witness`: the given text is no witness of ours, so nothing
 * was checked.
 */
export type Verdict =
  | {
      readonly ok: true;
      readonly count: number;
      readonly head: string;
      /** No witness was given: newer entries, or all of an audit that was wiped with its accounts, may be missing. */
      readonly isEndUnproven?: true;
      /** Acts that were about to be done, whose end nobody has written down. */
      readonly open: number;
      /** Entries before which the store was put back to an older state: entries of the seconds before may be lost. Absent: none. */
      readonly putBack?: readonly number[];
    }
  | { readonly ok: false; readonly n: number; readonly why: Fault };
/** The printed sentence for a verdict with `isEndUnproven`. */
export const END_UNPROVEN = 'Its end is not proven: only a witness shows that nothing newer is missing.';
type Fault = 'missing' | 'changed' | 'head' | 'begun' | 'witness';
type Broken = Extract<Verdict, { readonly ok: false }>;

/**
 * Checks every entry that is kept, after it has moved what waits in the outbox. It finds out an attacker who can write
 * store and records, but has no key. It misses one who puts all back to an older state, or wipes all. A witness that was
 * kept elsewhere finds these. Rejects with `StoreDown`.
 * @param text a witness: from an earlier check, from the log, or as sent to `AUDIT_WITNESS_URL`
 */
export async function verifyChain(deps: TakeDeps, text: string | undefined): Promise<Verdict> {
  const seen = text === undefined ? undefined : readWitness(deps.secrets, text);
  if (text !== undefined && !seen) return { ok: false, n: 0, why: 'witness' };
  const outbox = await readOutbox(deps);
  await takeAll(deps);
  const newest = await lastIn(deps);
  const last = newest ?? NOTHING;
  const { broken, oldest, open, putBack } = await lookAtAll(deps, last, seen);
  const fault = broken ?? (await faultOfEnd(deps, outbox, seen)) ?? (await faultOfBeginning(deps, oldest));
  if (fault) return fault;
  // The next entry will say so: the store has given fewer numbers than the records have seen.
  if (((newest && placeIn(newest)) ?? 0) > outbox.last) putBack.push(last.n + 1);
  const end = seen ? {} : ({ isEndUnproven: true } as const);
  const whole = { ok: true, count: last.n, head: witnessOf(deps.secrets, last), open, ...end } as const;
  return putBack.length > 0 ? { ...whole, putBack } : whole;
}

interface Looked {
  readonly broken?: Broken;
  readonly oldest?: Link;
  readonly open: number;
  readonly putBack: number[];
}

async function lookAtAll(
  deps: TakeDeps,
  last: LinkId & Pick<Link, 'at'>,
  seen: Witness | undefined,
): Promise<Looked> {
  let broken: Broken | undefined;
  let oldest: Link | undefined;
  const counted = counting();
  // The entry of a witness of an earlier release may have been entered anew since.
  let isMoved = false;
  let above: Pick<Link, 'prevAt'> & { readonly prev?: string } = { prev: last.mac, prevAt: last.at };
  let unseen = last.n;
  for await (const { n, link, isMisfiled, isThere } of backwards(deps, last.n)) {
    // Forgotten when its time had come, and so is everything before it.
    if (!link && above.prevAt + deps.keptMs <= deps.now()) break;
    unseen = n - 1;
    const ours = link?.n === n && isTrueLink(deps, link) ? link : undefined;
    const isBound = above.prev === undefined || above.prev === link?.mac;
    isMoved ||= isSame(link?.was, seen);
    const isSeen = n !== seen?.n || isMoved || isSame(link, seen);
    counted.count(ours);
    const isBehindOurs = ours !== undefined && isProven(deps, ours);
    if (!(ours && isBound && isSeen) || isMisfiled || isForged(ours))
      broken = { ok: false, n, why: isThere ? 'changed' : 'missing' };
    else if (!isBehindOurs) broken = { ok: false, n: n - 1, why: 'head' };
    above = saidOfBefore(ours, isBehindOurs ? ours.prevAt : above.prevAt);
    oldest = link;
  }
  const { open, putBack, gaps } = counted;
  const fault = (await strayUpTo(deps, unseen)) ?? earliest(broken, gaps[0]);
  return { ...(fault && { broken: fault }), ...(oldest && { oldest }), open: open.size, putBack };
}

/** A changed entry proves nothing about the one before. One behind a made-up entry has a made-up moment of it. */
function saidOfBefore(link: Link | undefined, prevAt: number): Pick<Link, 'prevAt'> & { prev?: string } {
  return { prevAt, ...(link && { prev: link.prev }) };
}

/** Rows that the check does not come to must not be there: a reader would see them. */
async function strayUpTo({ records }: TakeDeps, n: number): Promise<Broken | undefined> {
  const [row] = await records.range(-(2 ** 31), n);
  return row && { ok: false, n: row.n, why: 'changed' };
}

function earliest(broken: Broken | undefined, gap: { readonly n: number } | undefined): Broken | undefined {
  const isGap = gap !== undefined && (broken === undefined || gap.n <= broken.n);
  return isGap ? { ok: false, n: gap.n, why: 'missing' } : broken;
}

/** Counts from the entries, the newest first: which are open, and what the numbers tell that they had in the outbox. */
function counting() {
  const [open, ended] = [new Set<number>(), new Set<number>()];
  const putBack: number[] = [];
  /** Places before which numbers were never in the chain, the earliest first, and the last one of those numbers. */
  let gaps: { readonly n: number; readonly to: number }[] = [];
  let above: { readonly n: number; readonly s: number } | undefined;
  /** @param link absent: the entry proves nothing */
  function count(link: Link | undefined): void {
    const s = link && placeIn(link);
    if (link?.of !== undefined) ended.add(link.of);
    else if (link?.end === 'open' && !ended.has(link.n)) open.add(link.n);
    if (link?.act === 'rejoinAudit') putBack.unshift(link.n);
    if (link && s === undefined) return;
    const before = above;
    above = undefined;
    if (!link || s === undefined) return;
    above = { n: link.n, s };
    // They were there before the store was put back.
    gaps = gaps.filter(({ to }) => to > s);
    if (before && before.s <= s) putBack.unshift(before.n);
    if (before && before.s > s + 1) gaps.unshift({ n: before.n, to: before.s - 1 });
    if (link.n === 1 && s > 1) gaps.unshift({ n: 1, to: s - 1 });
  }
  return {
    open,
    putBack,
    count,
    get gaps() {
      return gaps;
    },
  };
}

/** True for an entry that stood in the outbox otherwise than one of us had written it. */
function isForged({ unproven, was }: Link): boolean {
  return unproven !== undefined && unproven === was?.mac;
}

function isSame(one: LinkId | undefined, other: LinkId | undefined): boolean {
  return one !== undefined && one.n === other?.n && one.mac === other.mac;
}

/** The fault of the end: of the records, of the outbox, or of what both have said of the other. */
async function faultOfEnd(
  deps: TakeDeps,
  { last: outboxLast, taken, isSealed }: Outbox,
  seen: Witness | undefined,
): Promise<Broken | undefined> {
  const last = await lastIn(deps);
  const { n } = last ?? NOTHING;
  const end = await endOf(deps, last);
  const cut = { ok: false, n: n + 1, why: 'missing' } as const;
  if (!end.isProven) return end.head.n > n ? cut : { ok: false, n, why: 'head' };
  if (!isSealed) return { ok: false, n, why: 'head' };
  if (Math.max(taken.n, seen?.n ?? 0) > n) return cut;
  const isAllHere = !last || (placeIn(last) ?? outboxLast) >= outboxLast;
  if (!isAllHere || (!last && outboxLast > 0)) return cut;
  const [row] = await deps.records.range(taken.n, taken.n);
  const isSameTaken = !row || linkIn(row.link)?.mac === taken.mac;
  return isSameTaken ? undefined : { ok: false, n: taken.n, why: 'changed' };
}

/** Every account was made by somebody whose doing so is an entry: a chain that begins later has lost its beginning. */
async function faultOfBeginning({ store }: TakeDeps, oldest: Link | undefined): Promise<Broken | undefined> {
  const accounts = Object.values(await readBook(store));
  if (!oldest) return accounts.length > 0 ? { ok: false, n: 1, why: 'missing' } : undefined;
  const first = Math.min(...accounts.map(({ since }) => since ?? Number.POSITIVE_INFINITY));
  return oldest.n === 1 && first < oldest.at ? { ok: false, n: 1, why: 'begun' } : undefined;
}
