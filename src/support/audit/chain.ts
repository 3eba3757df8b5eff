import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import type { AuditRow, Records } from '../../records/records.ts';
import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import type { Deed, End, Ending, Entry, Origin } from './deeds.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an entry is kept by default. */
const KEPT_DAYS = 2 * 365;
/** How long it stays in the live store where the records have it as well: much longer than they may be away. */
const IN_STORE_MS = 90 * DAY_MS;
const BATCH = 100;
const WHY_MAX_CHARACTERS = 600;

/** The partition of the chain in the live store. */
export const PARTITION = partitionOf('support:audit');
export const HEAD = 'audit:head';
export const keyOf = (n: number) => `audit:${n}`;

/** The archive in which entries are kept for years, and found. */
export type AuditArchive = Pick<Records, 'auditedTo' | 'addAudit' | 'auditRange' | 'auditPage' | 'auditEnd'>;

export interface ChainDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly records?: AuditArchive | undefined;
  /** How long an entry is kept (retention): in the records, or in the live store where there are none. */
  readonly keptMs: number;
  readonly now: () => number;
}

/** The retention of an audit, from days to ms. */
export function keptFor(days = KEPT_DAYS): number {
  return days * DAY_MS;
}

/** An entry to append: the beginning of an act, its end (`of`), or both in one. */
export type Written = Deed &
  Partial<Origin> & { readonly end?: Ending; readonly endWhy?: string; readonly of?: number };

/** Names an entry: its number alone may be given anew, where the store was put back to an older state. */
export interface LinkId {
  readonly n: number;
  readonly mac: string;
}

/** An entry as it is stored, chained to the one before by a keyed digest of it. */
export interface Link extends Written, LinkId {
  readonly at: number;
  /** Its former number and digest, before it was entered anew under another number, and when (`put-back.ts`). */
  readonly was?: LinkId & { readonly at: number };
  /** The seal of the head that it was put behind, where no key of then had made it: who has the older keys can still tell. */
  readonly unproven?: string;
  /** The digest of the entry before, and when that was: the oldest one that is kept proves that older ones were due to go. */
  readonly prev: string;
  readonly prevAt: number;
}

export interface Head {
  readonly n: number;
  readonly at: number;
  readonly mac: string;
  /** A keyed digest of the rest: an older head cannot be made from an older entry. */
  readonly seal: string;
}

export const headCodec = codec<Head>(
  'head of the audit',
  z.object({ n: z.number(), at: z.number(), mac: z.string(), seal: z.string() }),
);
/**
 * The digest proves the content of an entry. So `verify` finds an entry that was tampered with, which is not an error
 * here.
 */
export const linkCodec = codec<Link>('entry of the audit', isObject);

export const NOTHING: Head = { n: 0, at: 0, mac: '', seal: '' };

/** Adds an entry at the end of the chain, on the disk before it resolves. Rejects with `StoreDown`. */
export async function addLink(deps: ChainDeps, written: Written): Promise<LinkId> {
  const { n, mac } = await update(deps.store, PARTITION, [HEAD], (doc) => added(deps, doc, written));
  return { n, mac };
}

/** The same of how something ended. False, with nothing added, where that entry is not in its place in the store. */
export function closeLink(deps: ChainDeps, opened: LinkId, closing: Written): Promise<boolean> {
  return update(deps.store, PARTITION, [HEAD, keyOf(opened.n)], (head, doc) =>
    linkCodec.readable(doc)?.mac === opened.mac
      ? { ...added(deps, head, closing), result: true }
      : { result: false },
  );
}

function added(deps: ChainDeps, doc: KeyedDoc, written: Written) {
  const head = headCodec.read(doc) ?? NOTHING;
  const isProven = head === NOTHING || isTrueHead(deps, head);
  // A clock that is set back must not make an entry older than the one before it.
  const at = isProven ? Math.max(deps.now(), head.at) : deps.now();
  const link = linkAfter(deps, head, { ...written, ...(!isProven && { unproven: head.seal }) }, at);
  return { writes: [headWrite(deps, doc, link), linkWrite(deps, link, 0)], durable: true, result: link };
}

/** An entry behind another one, which may be the head. @param at in ms since 1970 */
export function linkAfter(
  { secrets }: Pick<ChainDeps, 'secrets'>,
  { n, at: prevAt, mac: prev }: LinkId & Pick<Link, 'at'>,
  { why, ...rest }: Written & Pick<Link, 'was' | 'unproven'>,
  at: number,
): Link {
  const reason = why ? { why: why.slice(0, WHY_MAX_CHARACTERS) } : {};
  const bare = { n: n + 1, at, ...rest, ...reason, prev, prevAt };
  return { ...bare, mac: secrets.digest(macText(bare)) };
}

/** The chain ends with that entry from then on. */
export function headWrite(deps: Pick<ChainDeps, 'secrets'>, doc: KeyedDoc, last: Link): Write {
  return headCodec.write(doc, headOf(deps, last));
}

/**
 * The sealed head of the chain, which ends with an entry. `ofRecords`: the end of the records. Neither can be taken for
 * the other.
 */
export function headOf(
  { secrets }: Pick<ChainDeps, 'secrets'>,
  { n, at, mac }: Link,
  ofRecords = false,
): Head {
  const top = { n, at, mac };
  return { ...top, seal: secrets.digest(sealText(top, ofRecords)) };
}

/** @param version of the document in its place. 0: there is none */
export function linkWrite({ records, keptMs }: ChainDeps, link: Link, version: number): Write {
  const keepUntil = link.at + (records ? IN_STORE_MS : keptMs);
  return linkCodec.write({ key: keyOf(link.n), version, value: '' }, link, { keepUntil });
}

/** True for an entry that was written under one of our keys, as it is. */
export function isTrueLink({ secrets }: Pick<ChainDeps, 'secrets'>, link: Link): boolean {
  return secrets.digests(macText(link)).includes(link.mac);
}

/** Whether the head was ours that an entry was put behind. */
export function isProven(deps: Pick<ChainDeps, 'secrets'>, { n, prev, prevAt, unproven }: Link): boolean {
  const head = { n: n - 1, at: prevAt, mac: prev, seal: unproven ?? '' };
  return unproven === undefined || isTrueHead(deps, head);
}

/** True for an end of the chain, or of the records, that was sealed by one of our keys. */
export function isTrueHead({ secrets }: Pick<ChainDeps, 'secrets'>, head: Head, ofRecords = false): boolean {
  return secrets.digests(sealText(head, ofRecords)).includes(head.seal);
}

/**
 * Fields added by later releases stand at the end, and are left out where all are absent. So entries of earlier
 * releases keep their digests.
 */
function macText(link: Omit<Link, 'mac'>): string {
  const { n, at, who, act, on, why, prev, prevAt } = link;
  const { from, session, about, what, of, end, endWhy, was, unproven } = link;
  const more = [
    ...[from, session, about, what, of, end, endWhy].map((each) => each ?? null),
    ...(was ? [was.n, was.mac, was.at] : []),
    ...(unproven === undefined ? [] : [unproven]),
  ];
  const text = ['audit', n, at, who, act, on ?? null, why ?? null, prev, prevAt];
  return JSON.stringify(more.every((each) => each === null) ? text : [...text, ...more]);
}

function sealText({ n, at, mac }: Omit<Head, 'seal'>, ofRecords: boolean): string {
  return JSON.stringify([ofRecords ? 'audit-end' : 'audit-head', n, at, mac]);
}

/** The head. `NOTHING` where there is none. */
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
  return linkCodec.readable(doc);
}

/** An entry of a number, from both places that may have it. */
export interface Found {
  readonly n: number;
  /** Absent where neither has it. */
  readonly link?: Link;
  /**
   * True where the two have different entries, the records lack one that they had, or its columns there are those of
   * another entry.
   */
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
      const link = linkCodec.readable(doc) ?? (copy && linkIn(copy.link));
      const isKept = link !== undefined && link.at + deps.keptMs > deps.now();
      const differs = copy
        ? (doc.version > 0 && copy.link !== doc.value) || !isFiledAsItIs(copy)
        : number <= auditedTo && isKept;
      yield { n: number, ...(link && { link }), ...(differs && { differs }) };
    }
  }
}

/** Entries are found by their columns. So a change of the columns would hide an entry, or give it another end. */
function isFiledAsItIs(copy: AuditRow): boolean {
  const link = linkIn(copy.link);
  if (!link) return false;
  const expected: Partial<AuditRow> = rowOf(link);
  return COLUMNS.every((column) => copy[column] === expected[column]);
}

const COLUMNS = ['n', 'at', 'who', 'act', 'on', 'about', 'of', 'end'] as const satisfies (keyof AuditRow)[];

/** An entry from the records. Undefined for one that cannot be read any more. */
export function linkIn(json: string): Link | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? linkCodec.read({ key: '', version: 1, value: json }) : undefined;
  } catch {
    return undefined;
  }
}

/** More than any id has: PostgreSQL refuses a NUL, and a text that its index has no room for. */
const NAME_CHARS_MAX = 2_000;

function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, NAME_CHARS_MAX);
}

/** An entry as it is filed in the records, but for its text. */
export function rowOf({ n, at, who, act, on, about, of, end }: Link): Omit<AuditRow, 'link'> {
  return {
    n,
    at,
    who,
    act,
    ...(on !== undefined && { on: storable(on) }),
    ...(about !== undefined && { about: storable(about) }),
    ...(of !== undefined && { of }),
    ...(end !== undefined && { end }),
  };
}

/** The fields of an entry that its digest proves. Any others in the document are ignored. */
export function deedIn({ who, act, on, about, why, what, from, session, end, endWhy }: Link): Written {
  const said = { on, about, why, what, from, session, end, endWhy };
  const fields = Object.entries(said).filter(([, value]) => value !== undefined);
  return { who, act, ...Object.fromEntries(fields) };
}

/** An entry for readers, with its end from the entry that closes it. */
export function entryOf(link: Link, closing?: Link): Entry {
  const entry = { n: link.n, at: link.at, ...deedIn(link) };
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
