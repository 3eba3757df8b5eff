import type { Log } from '../../log/lines.ts';
import {
  type ChainDeps,
  closingOf,
  deedIn,
  type Head,
  headCodec,
  headOf,
  isTrueHead,
  type Last,
  type Link,
  lastIn,
  linkAfter,
  linkIn,
  NOTHING,
  placeIn,
  rowOf,
} from './chain.ts';
import { olderAfter } from './older-chain.ts';
import {
  isTrueOutbox,
  isTrueWaiting,
  type Outbox,
  PARTITION,
  readOutbox,
  takenWrite,
  type Waiting,
  waitingAfter,
} from './outbox.ts';

/** Called where something is amiss that only a log tells. */
export interface OnTaking {
  /** Entries are in the outbox no more that the records have not got: the first of them, and the last. */
  readonly onGap: (from: number, to: number) => void;
}

/** Says it in the log. */
export function takingLog(log: Pick<Log, 'say'>): OnTaking {
  return {
    onGap: (from, to) => log.say('Audit entries have left the store before they were copied', { from, to }),
  };
}

export interface TakeDeps extends ChainDeps, OnTaking {}

/**
 * Moves all of the outbox to the end of the chain. The records take entries only behind the one that this process has seen as
 * the last one. So the chain has one writer at a time and no forks, whichever processes do this at once. Rejects with
 * `StoreDown`.
 *
 * An entry has a name, its digest. So the same entries may come again: from a store that was put back to an older state, or
 * because the records were. They are added where they are missing, and nowhere twice.
 */
export async function takeAll(deps: TakeDeps): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) after = await takeNext(deps, after);
}

/** Moves the next entries. Gives the number in the outbox behind which to go on, or undefined at its end. */
async function takeNext(deps: TakeDeps, after: number): Promise<number | undefined> {
  const outbox = await readOutbox(deps);
  const last = await lastIn(deps);
  const end = await endOf(deps, last);
  const older = await olderAfter(deps, outbox.taken.older, last, end);
  const isVouched = end.isProven || older?.isSealed === true;
  const mustSeal = isVouched && !end.isProven;
  if (older && older.links.length > 0) {
    await addLinks(deps, outbox, last, { ...older, s: outbox.taken.s, mustSeal });
    return after;
  }

  const taken = takenTo(outbox, last);
  // A store that was put back meanwhile gives the numbers behind its end again.
  const from = after > outbox.last ? taken : Math.max(after, taken);
  const { waiting, to } = await waitingAfter(deps.store, from, outbox.last);
  sayGaps(deps, waiting, outbox);
  const links = await linksOf(deps, waiting, last ?? end.head, isVouched ? undefined : end.head.seal);
  const s = waiting.at(-1)?.s ?? to;
  if (!(await addLinks(deps, outbox, last, { links, s, head: older?.head, mustSeal }))) return after;
  return s < outbox.last ? s : undefined;
}

/** Both must say so: the store, or the records, may have been put back to an older state. */
function takenTo({ taken }: Outbox, last: Last | undefined): number {
  return Math.min((last && placeIn(last)) ?? 0, taken.s);
}

interface Adding {
  readonly links: readonly Link[];
  readonly s: number;
  /** The head of the older chain, where this goes up to it. */
  readonly head: string | undefined;
  /** The records have no end of ours yet, and what they have is ours. */
  readonly mustSeal: boolean;
}

/** Gives false where another process was faster, so that this one looks again. */
async function addLinks(
  deps: TakeDeps,
  outbox: Outbox,
  last: Last | undefined,
  { links, s, head, mustSeal }: Adding,
): Promise<boolean> {
  const newest = links.at(-1) ?? last;
  if (newest && (links.length > 0 || mustSeal)) {
    const end = { n: newest.n, sealed: JSON.stringify(headOf(deps, newest)) };
    if (!(await deps.records.add(links.map(rowOf), last?.text, end))) return false;
  }
  const { n, mac } = newest ?? NOTHING;
  const writes = takenWrite(deps, outbox, { s, n, mac, ...(head !== undefined && { older: head }) });
  // Where another process has written meanwhile, the older mark stays. Entries that come again are known.
  if (writes.length > 0) await deps.store.commit(PARTITION, { writes });
  return true;
}

/** The end of the chain, as the records have it sealed. */
interface End {
  /** False where another than us has written it or the last entry, or the entry that it names is not there. */
  readonly isProven: boolean;
  /** `NOTHING` where there is none of ours. */
  readonly head: Head;
}

/** Whether the records end where we last said so. */
export async function endOf(deps: ChainDeps, last: Last | undefined): Promise<End> {
  const end = await deps.records.end();
  if (!end) return { isProven: last === undefined, head: NOTHING };
  const head = headCodec.readable({ key: '', version: 1, value: end.sealed });
  if (!head || !isTrueHead(deps, head))
    return { isProven: false, head: { ...NOTHING, seal: head?.seal ?? '' } };
  const [row] = await deps.records.range(head.n, head.n);
  const isThere = row !== undefined && linkIn(row.link)?.mac === head.mac;
  // After a long time without a single act all entries were forgotten, in time.
  const isForgotten = last === undefined && head.at + deps.keptMs <= deps.now();
  return { isProven: (isThere && last?.isTrue === true) || isForgotten, head };
}

/** The entries that are not in the chain yet, as they follow in it. @param unproven the seal of an end that is not ours */
async function linksOf(
  deps: TakeDeps,
  waiting: readonly Waiting[],
  last: Pick<Link, 'n' | 'at' | 'mac'>,
  unproven: string | undefined,
): Promise<readonly Link[]> {
  const kept = waiting.filter(({ at }) => at + deps.keptMs > deps.now());
  const places = new Map(
    await deps.records.known(kept.flatMap(({ mac, closes = [] }) => [mac].concat(closes))),
  );
  const links: Link[] = [];
  for (const entry of kept) {
    if (places.has(entry.mac)) continue;
    const before = links.at(-1) ?? last;
    const said = { ...saidBy(entry, places), was: { n: entry.s, mac: entry.mac, at: entry.at } };
    const isTrue = isTrueWaiting(deps, entry);
    const ofEnd = links.length === 0 ? unproven : undefined;
    const mark = isTrue ? (entry.unproven ?? ofEnd) : entry.mac;
    // Nobody without a key dates an entry, and with it those behind it, into the future.
    const at = isTrue ? entry.at : Math.min(entry.at, deps.now());
    const written = { ...said, ...(mark !== undefined && { unproven: mark }) };
    const link = linkAfter(deps, before, written, Math.max(at, before.at));
    places.set(entry.mac, link.n);
    links.push(link);
  }
  return links;
}

/** The end of an act refers to the act. Where that is nowhere any more, the end is an entry that has all of it. */
function saidBy(entry: Waiting, places: ReadonlyMap<string, number>) {
  const of = entry.closes === undefined ? undefined : places.get(entry.closes);
  return of === undefined ? deedIn(entry) : closingOf(entry, of);
}

/** Whether it was one of our keys, after all, that sealed what an entry was put behind. */
export function isProven(deps: Pick<ChainDeps, 'secrets'>, link: Link): boolean {
  const { n, prev, prevAt, unproven, was } = link;
  if (unproven === undefined) return true;
  const head = { n: n - 1, at: prevAt, mac: prev, seal: unproven };
  return (
    isTrueHead(deps, head) ||
    isTrueHead(deps, head, 'audit-head') ||
    isTrueOutbox(deps, was?.n ?? 0, unproven)
  );
}

/** Says once which entries are missing: behind the mark, up to the next one that is there. */
function sayGaps({ onGap }: OnTaking, waiting: readonly Waiting[], { taken, last }: Outbox): void {
  let next = taken.s + 1;
  for (const { s } of waiting) {
    if (s > next) onGap(next, s - 1);
    if (s >= next) next = s + 1;
  }
  if (waiting.length === 0 && next <= last) onGap(next, last);
}
