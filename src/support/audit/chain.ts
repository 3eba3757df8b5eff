import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import type { AuditRow, Records } from '../../records/records.ts';
import { codec, isObject } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import type { Deed, End, Ending, Entry, Origin } from './deeds.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an entry is kept by default. */
const KEPT_DAYS = 2 * 365;
/** How long it stays in the live store where the records have it as well: much longer than they may be away. */
const IN_STORE_MS = 90 * DAY_MS;
const BATCH = 100;
const WHY_MAX_CHARACTERS = 600;
/** Entries that are copied into the records at once. */
const COPIED_AT_ONCE = 200;

const PARTITION = partitionOf('support:audit');
const HEAD = 'audit:head';
const keyOf = (n: number) => `audit:${n}`;

/** Where entries are kept for years, and found. */
export type AuditArchive = Pick<Records, 'auditedTo' | 'addAudit' | 'auditRange' | 'auditPage'>;

export interface ChainDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly records?: AuditArchive | undefined;
  /** How long an entry is kept (retention): in the records, or in the live store where there are none. */
  readonly keptMs: number;
  readonly now: () => number;
}

/** What an audit that is kept for so many days is kept for in ms. */
export function keptFor(days = KEPT_DAYS): number {
  return days * DAY_MS;
}

/** What is put into the chain: the beginning of something, its end (`of`), or something that is both. */
export type Written = Deed &
  Partial<Origin> & { readonly end?: Ending; readonly endWhy?: string; readonly of?: number };

/** An entry as it is stored, chained to the one before by a keyed digest of it. */
export interface Link extends Written {
  readonly n: number;
  readonly at: number;
  /** The digest of the entry before, and when that was: the oldest one that is kept proves that older ones were due to go. */
  readonly prev: string;
  readonly prevAt: number;
  readonly mac: string;
}

export interface Head {
  readonly n: number;
  readonly at: number;
  readonly mac: string;
  /** A keyed digest of the rest: an older head cannot be made from an older entry. */
  readonly seal: string;
}

const headCodec = codec<Head>(
  'head of the audit',
  z.object({ n: z.number(), at: z.number(), mac: z.string(), seal: z.string() }),
);
/** What is in an entry is proven by its digest: one that was tampered with is found by `verify`, and not an error. */
const linkCodec = codec<Link>('entry of the audit', isObject);

export const NOTHING: Head = { n: 0, at: 0, mac: '', seal: '' };

/** Adds an entry at the end of the chain, on the disk before it resolves. Gives its number. Rejects with `StoreDown`. */
export function addLink(
  { store, secrets, records, keptMs, now }: ChainDeps,
  written: Written,
): Promise<number> {
  const { why, ...rest } = written;
  return update(store, PARTITION, [HEAD], (doc) => {
    const head = headCodec.read(doc) ?? NOTHING;
    // A clock that is set back must not make an entry older than the one before it.
    const at = Math.max(now(), head.at);
    const bare = {
      n: head.n + 1,
      at,
      ...rest,
      ...(why && { why: why.slice(0, WHY_MAX_CHARACTERS) }),
      prev: head.mac,
      prevAt: head.at,
    };
    const link: Link = { ...bare, mac: secrets.digest(macText(bare)) };
    const top = { n: link.n, at, mac: link.mac };
    const keepUntil = at + (records ? IN_STORE_MS : keptMs);
    const writes = [
      headCodec.write(doc, { ...top, seal: secrets.digest(sealText(top)) }),
      linkCodec.write({ key: keyOf(link.n), version: 0, value: '' }, link, { keepUntil }),
    ];
    return { writes, durable: true, result: link.n };
  });
}

/** True for an entry that was written under one of our keys, as it is. */
export function isTrueLink({ secrets }: Pick<ChainDeps, 'secrets'>, link: Link): boolean {
  return secrets.digests(macText(link)).includes(link.mac);
}

/** True for an end of the chain that was sealed by one of our keys. */
export function isTrueHead({ secrets }: Pick<ChainDeps, 'secrets'>, head: Head): boolean {
  return secrets.digests(sealText(head)).includes(head.seal);
}

/** What was added later stands behind: entries of earlier releases have the digests that they had. */
function macText(link: Omit<Link, 'mac'>): string {
  const { n, at, who, act, on, why, prev, prevAt } = link;
  const { from, session, about, what, of, end, endWhy } = link;
  const more = [from, session, about, what, of, end, endWhy].map((each) => each ?? null);
  const text = ['audit', n, at, who, act, on ?? null, why ?? null, prev, prevAt];
  return JSON.stringify(more.every((each) => each === null) ? text : [...text, ...more]);
}

function sealText({ n, at, mac }: Omit<Head, 'seal'>): string {
  return JSON.stringify(['audit-head', n, at, mac]);
}

/** The head; `NOTHING` where there is none. */
export async function readHead({ store }: Pick<ChainDeps, 'store'>): Promise<Head> {
  const [doc] = await readDocs(store, PARTITION, [HEAD]);
  return headCodec.read(doc) ?? NOTHING;
}

/** The entry of that number in the live store. */
export async function linkAt(
  { store }: { readonly store: Pick<Store, 'read'> },
  n: number,
): Promise<Link | undefined> {
  const [doc] = await readDocs(store, PARTITION, [keyOf(n)]);
  return linkCodec.read(doc);
}

/** An entry of a number, from both places that may have it. */
export interface Found {
  readonly n: number;
  /** Absent where neither has it. */
  readonly link?: Link;
  /** What the two have is not the same, the records lack what they had, or it is filed there as another entry than it is. */
  readonly differs?: true;
}

/** The entries from `n` down to 1. Those that have left the live store come from the records. */
export async function* backwards(deps: ChainDeps, n: number): AsyncGenerator<Found> {
  const auditedTo = (await deps.records?.auditedTo()) ?? 0;
  for (let top = n; top > 0; top -= BATCH) {
    const numbers = Array.from({ length: Math.min(top, BATCH) }, (_, i) => top - i);
    const docs = await readDocs(deps.store, PARTITION, numbers.map(keyOf));
    const copies = new Map(
      (await deps.records?.auditRange(top - numbers.length + 1, top))?.map((row) => [row.n, row]),
    );
    for (const [i, doc] of docs.entries()) {
      const number = top - i;
      const copy = copies.get(number);
      const link = linkCodec.read(doc) ?? (copy && linkIn(copy.link));
      const isKept = link !== undefined && link.at + deps.keptMs > deps.now();
      const differs = copy
        ? (doc.version > 0 && copy.link !== doc.value) || !isFiledAsItIs(copy)
        : number <= auditedTo && isKept;
      yield { n: number, ...(link && { link }), ...(differs && { differs }) };
    }
  }
}

/** Entries are found by their columns: whoever changes those hides an entry, or gives it another end. */
function isFiledAsItIs(copy: AuditRow): boolean {
  const link = linkIn(copy.link);
  if (!link) return false;
  const meant: Partial<AuditRow> = rowOf(link);
  return COLUMNS.every((column) => copy[column] === meant[column]);
}

const COLUMNS = ['n', 'at', 'who', 'act', 'on', 'about', 'of', 'end'] as const satisfies (keyof AuditRow)[];

/** An entry from the records; undefined for what is none any more. */
function linkIn(json: string): Link | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? linkCodec.read({ key: '', version: 1, value: json }) : undefined;
  } catch {
    return undefined;
  }
}

/** Called where entries are in the store no more that nobody has copied: the first of them, and the last. */
export type OnGap = (from: number, to: number) => void;

/** Says it in the log. */
export function gapsIn(log: {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}): OnGap {
  return (from, to) =>
    log.error({ from, to }, 'audit entries have left the store, and the records lack them');
}

/**
 * Entries after one, in their order, for whoever keeps a copy of them. Those that have left the store uncopied are left out: a copy
 * that was begun anew, or put back, goes on with the first one that is still there.
 */
export async function entriesAfter(
  store: Pick<Store, 'read'>,
  after: number,
  limit: number,
  onGap: OnGap = () => {},
): Promise<AuditRow[]> {
  const [headDoc] = await readDocs(store, PARTITION, [HEAD]);
  const end = headCodec.read(headDoc)?.n ?? 0;
  const next = await rowsFrom(store, after + 1, Math.min(limit, end - after));
  if (next.length > 0 || end <= after) return next;
  const first = await firstLeft(store, after + 1, end);
  const rows = await rowsFrom(store, first, Math.min(limit, end - first + 1));
  if (rows.length > 0) onGap(after + 1, first - 1);
  return rows;
}

async function rowsFrom(store: Pick<Store, 'read'>, first: number, count: number): Promise<AuditRow[]> {
  if (count <= 0) return [];
  const docs = await readDocs(
    store,
    PARTITION,
    Array.from({ length: count }, (_, i) => keyOf(first + i)),
  );
  return docs.flatMap((doc) => {
    const link = linkCodec.read(doc);
    return link ? [{ ...rowOf(link), link: doc.value }] : [];
  });
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

/** Copies what the records do not have yet. Whoever else does so at the same time does no harm. */
export async function copyAudit(
  store: Pick<Store, 'read'>,
  records: AuditArchive,
  onGap?: OnGap,
): Promise<void> {
  for (;;) {
    const rows = await entriesAfter(store, await records.auditedTo(), COPIED_AT_ONCE, onGap);
    if (rows.length === 0) return;
    await records.addAudit(rows);
  }
}

function rowOf({ n, at, who, act, on, about, of, end }: Link): Omit<AuditRow, 'link'> {
  return {
    n,
    at,
    who,
    act,
    ...(on !== undefined && { on }),
    ...(about !== undefined && { about }),
    ...(of !== undefined && { of }),
    ...(end !== undefined && { end }),
  };
}

/** What is read of an entry, with the one that says how it ended. */
export function entryOf(link: Link, closing?: Link): Entry {
  const { prev: _prev, prevAt: _prevAt, mac: _mac, of: _of, ...entry } = link;
  if (!closing) return entry;
  const { end, endWhy, at: endedAt } = closing;
  return { ...entry, ...(end && { end }), ...(endWhy && { endWhy }), endedAt };
}

/** The same from the records. */
export function entryIn({ link, closing }: { readonly link: string; readonly closing?: string }): Entry[] {
  const [first, last] = [linkIn(link), closing === undefined ? undefined : linkIn(closing)];
  return first ? [entryOf(first, last)] : [];
}

/** How something ended, as an entry of its own. */
export function closingOf(opened: Pick<Link, 'n' | 'who' | 'act'>, { end, endWhy }: End): Written {
  const { n: of, who, act } = opened;
  return { who, act, of, end, ...(endWhy && { endWhy }) };
}
