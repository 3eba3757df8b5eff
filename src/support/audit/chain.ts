import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import type { AuditRecords, AuditRow } from '../../records/records.ts';
import { codec, textOf } from '../../store/codec.ts';
import type { Store } from '../../store/store.ts';
import type { Audited, Deed, End, Ending, Entry, Origin } from './deeds.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 2 * 365;
const BATCH = 500;

export interface ChainDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly records: AuditRecords;
  /** How long an entry is kept (retention), in ms. */
  readonly keptMs: number;
  readonly now: () => number;
}

/** The retention of an audit, from days to ms. */
export function keptFor(days = KEPT_DAYS): number {
  return days * DAY_MS;
}

/** The content of an entry: the beginning of an act, or the act and its end in one. */
export type Written = Deed & Partial<Origin> & { readonly end?: Ending; readonly endWhy?: string };

export interface LinkId {
  readonly n: number;
  readonly mac: string;
}

/** The records have room for these numbers. */
export const NUMBER_MAX = 2 ** 31 - 1;
const NUMBER = z.int().min(0).max(NUMBER_MAX);
/** In ms since 1970, until the last one that a `Date` has. */
export const MOMENT = z.int().min(0).max(8.64e15);
const text = z.string().exactOptional();
/** The digest proves what an entry says. The shape keeps out what no database takes. */
export const DEED = z.object({
  who: z.string(),
  act: textOf<Audited>(),
  ...{
    on: text,
    about: text,
    why: text,
    what: text,
    from: text,
    session: text,
    end: textOf<Ending>().exactOptional(),
    endWhy: text,
  },
});

/** The last entry, with a keyed digest: nobody makes an older end from an older entry. */
const HEAD = z.object({ n: NUMBER, at: MOMENT, mac: z.string(), seal: z.string() });
export type Head = Readonly<z.infer<typeof HEAD>>;
export const headCodec = codec('head of the audit', HEAD);
/** An entry of the chain. A keyed digest binds it to the entry before. */
export const LINK = DEED.extend({
  n: NUMBER,
  at: MOMENT,
  of: NUMBER.exactOptional(),
  /**
   * Its number, digest and moment before it got its place here: those in the outbox (`outbox.ts`), or in a chain that an earlier
   * release kept in the store.
   */
  was: z.object({ n: z.int(), mac: z.string(), at: MOMENT }).exactOptional(),
  /** The seal that no key of that time had made, of the entry or of what it was put behind: an owner of older keys can still tell. */
  unproven: text,
  /** The digest of the entry before, and its moment: the oldest kept entry proves that older ones were due to go. */
  prev: z.string(),
  prevAt: MOMENT,
  mac: z.string(),
});
export type Link = Readonly<z.infer<typeof LINK>>;
const linkCodec = codec('entry of the audit', LINK);

export const NOTHING: Head = { n: 0, at: 0, mac: '', seal: '' };

/** The digest of an entry of the outbox begins with this: a chain of an earlier release has digests too. */
export const OF_OUTBOX = 'e:';

/** An entry behind another one. @param at in ms since 1970 */
export function linkAfter(
  { secrets }: Pick<ChainDeps, 'secrets'>,
  { n, at: prevAt, mac: prev }: LinkId & Pick<Link, 'at'>,
  said: Written & Pick<Link, 'of' | 'was' | 'unproven'>,
  at: number,
): Link {
  const bare = { n: n + 1, at, ...said, prev, prevAt };
  return { ...bare, mac: secrets.digest(macText(bare)) };
}

/** The sealed end of the chain, which is that entry. */
export function headOf({ secrets }: Pick<ChainDeps, 'secrets'>, { n, at, mac }: Omit<Head, 'seal'>): Head {
  const top = { n, at, mac };
  return { ...top, seal: secrets.digest(sealText('audit-end', top)) };
}

/** True for an entry that was written under one of our keys, as it is. */
export function isTrueLink({ secrets }: Pick<ChainDeps, 'secrets'>, link: Link): boolean {
  return secrets.digests(macText(link)).includes(link.mac);
}

/** True for an end of the chain that was sealed by one of our keys. @param of the chain of an earlier release has a head in the store */
export function isTrueHead(
  { secrets }: Pick<ChainDeps, 'secrets'>,
  head: Head,
  of: 'audit-end' | 'audit-head' = 'audit-end',
): boolean {
  return secrets.digests(sealText(of, head)).includes(head.seal);
}

/** Fields of later releases stand at the end, and are left out where all are absent. So older entries keep their digests. */
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

function sealText(of: string, { n, at, mac }: Omit<Head, 'seal'>): string {
  return JSON.stringify([of, n, at, mac]);
}

/** The last entry of the chain, as much of it as later ones need. */
export interface Last extends LinkId, Pick<Link, 'at' | 'was'> {
  /** False for an entry that is not as one of our keys has written it. */
  readonly isTrue: boolean;
  readonly text: string;
}

/** The last entry of the chain. Rejects with `RecordsDown`. */
export async function lastIn({
  records,
  secrets,
  now,
}: Pick<ChainDeps, 'secrets' | 'now'> & {
  readonly records: Pick<AuditRecords, 'lastNumber' | 'range'>;
}): Promise<Last | undefined> {
  const n = await records.lastNumber();
  const [row] = await records.range(n, n);
  if (!row) return undefined;
  const { link: text } = row;
  const link = linkIn(text);
  if (link?.n === n && isTrueLink({ secrets }, link)) return { ...link, isTrue: true, text };
  // Its moment is made up too, and must not become that of later entries.
  return { n, mac: link?.mac ?? '', at: Math.min(link?.at ?? now(), now()), isTrue: false, text };
}

interface Found {
  readonly n: number;
  readonly isThere: boolean;
  /** Absent where no entry is that can be read. */
  readonly link?: Link;
  /** True where its columns are those of another entry. */
  readonly isMisfiled?: true;
}

/** The places of the chain from `n` down to 1. Rejects with `RecordsDown`. */
export async function* backwards({ records }: Pick<ChainDeps, 'records'>, n: number): AsyncGenerator<Found> {
  for (let top = n; top > 0; top -= BATCH) {
    const rows = new Map((await records.range(top - BATCH + 1, top)).map((row) => [row.n, row]));
    if (rows.size === 0) {
      // A row far behind the others must not make a check last for hours.
      top = Math.max(0, await records.lastNumber(top)) + BATCH;
      yield { n: top - BATCH + 1, isThere: false };
      continue;
    }
    for (let at = top; at > Math.max(0, top - BATCH); at--) {
      const row = rows.get(at);
      const link = row && linkIn(row.link);
      yield {
        n: at,
        isThere: row !== undefined,
        ...(link && { link }),
        ...(row && !isFiledAsItIs(row) && { isMisfiled: true }),
      };
    }
  }
}

/** Entries are found by their columns. So a change of the columns would hide an entry, or give it another end. */
function isFiledAsItIs(row: AuditRow): boolean {
  const link = linkIn(row.link);
  if (!link) return false;
  const expected: Partial<AuditRow> = rowOf(link);
  return COLUMNS.every((column) => row[column] === expected[column]);
}

const COLUMNS = [
  ...(['n', 'at', 'who', 'act', 'on', 'about', 'of', 'end', 'origin'] as const satisfies (keyof AuditRow)[]),
];

/** An entry from the records. Undefined for one that cannot be read any more. */
export function linkIn(json: string): Link | undefined {
  return linkCodec.readable({ key: '', version: 1, value: json });
}

/** More than any id has. */
const NAME_BYTES_MAX = 2_000;

/** PostgreSQL refuses a NUL, and a text that its index has no room for. Half of a surrogate pair becomes U+FFFD. */
export function asFiled(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).subarray(0, NAME_BYTES_MAX).toString();
}

/** The number in the outbox that an entry had. Undefined for an entry of an earlier release. */
export function placeIn({ was }: Pick<Link, 'was'>): number | undefined {
  return was?.mac.startsWith(OF_OUTBOX) ? was.n : undefined;
}

/** An entry as it is filed in the records. */
export function rowOf(link: Link): AuditRow {
  const { n, at, who, act, on, about, of, end, was } = link;
  return {
    n,
    at,
    who: asFiled(who),
    act: asFiled(act),
    ...(on !== undefined && { on: asFiled(on) }),
    ...(about !== undefined && { about: asFiled(about) }),
    ...(of !== undefined && { of }),
    ...(end !== undefined && { end: asFiled(end) }),
    ...(was?.mac.startsWith(OF_OUTBOX) && { origin: was.mac }),
    link: JSON.stringify(link),
  };
}

/** The fields of an entry that its digest proves. Any others in the document are ignored. */
export function deedIn({ who, act, on, about, why, what, from, session, end, endWhy }: Written): Written {
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

/** How an act ended, as an entry of its own. @param of the number of the act's own entry */
export function closingOf({ who, act, end, endWhy }: Written, of: number): Written & Pick<Link, 'of'> {
  return { who, act, of, ...(end && { end }), ...(endWhy && { endWhy }) };
}

/** How an act ended, once it is known. */
export function endedAs(written: Written, { end, endWhy }: End): Written {
  const { end: _open, ...deed } = written;
  return { ...deed, end, ...(endWhy && { endWhy }) };
}
