import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { codec, isObject, type KeyedDoc, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { type Partition, SAME, type Store, type Write } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../channel.ts';
import type { IntentState } from '../intents/intent.ts';
import type { Payout } from './file.ts';

/** As long as payments are kept. */
const KEPT_MS = 400 * 24 * 3_600_000;
/** How often the lines of a file that is over are counted again. */
const COUNTED_MIN_MS = 60_000;
const COUNTED_MAX_MS = 3_600_000;
/** Files of one principal agent that are listed, the newest first. With more, those that are over are left out. */
const LISTED_MAX = 100;
/** Lines of one document: a step writes these, however long their file is. Part of every key, and so fixed for ever. */
export const LINES_TOGETHER = 10;

/**
 * The progress of a file. `checking`: its lines are asked about, one by one. `ready`: it waits for a number that
 * releases it. `running`: its lines are paid, one at a time. `stopped`: it waits until a person lets it continue.
 * `done`: every line was processed.
 */
type BatchState = 'checking' | 'ready' | 'running' | 'stopped' | 'done' | 'withdrawn';
/**
 * The reason why a file has stopped. `float`: the float has ended. `frozen`: the payments of the number that released
 * it are frozen. `notAllowed`: that number may not release it any more. `wallet`: the wallet cannot be reached.
 * `unguarded`: nothing would keep a line from being paid twice after a failover. `oddRow`: the wallet's list has a row
 * that cannot be read.
 */
export type StopReason = 'float' | 'frozen' | 'notAllowed' | 'wallet' | 'unguarded' | 'oddRow';
/** Those that are found when a line is claimed. */
export type NotClaimed = Extract<StopReason, 'frozen' | 'notAllowed' | 'unguarded' | 'oddRow'>;

const money = z.custom<Centimes>((value) => typeof value === 'number');
const sum = z.object({ count: z.number(), sum: money });

/** The results of the processed lines: the sum that was really paid, and the sum that is not confirmed yet. */
const tally = z.object({ paid: sum, open: sum });
export type Tally = Readonly<z.infer<typeof tally>>;

/** Before anything is paid. */
export const NONE_YET: Tally = {
  paid: { count: 0, sum: centimes(0) },
  open: { count: 0, sum: centimes(0) },
};

/** A line that is being paid. */
const current = z.object({
  /** Of its payment: written down before that is claimed, so that nobody makes another one for it. */
  ref: z.string(),
  /** Of a line to a wallet: the reference that is executed. */
  reference: z.string().exactOptional(),
  madeAt: z.number().exactOptional(),
  /** Until when an answer that was lost is waited for: only then the next line is paid. */
  waitsUntil: z.number().exactOptional(),
});
export type Current = Readonly<z.infer<typeof current>>;

/** A file of payouts. Moments are in ms since 1970. */
const batch = z.object({
  /** The digest of its payouts. */
  id: z.string(),
  /** The principal agent's code. */
  code: z.string(),
  fileName: z.string(),
  at: z.number(),
  /** The giver of the file: an administrator's account, or a number that acts for the principal agent. */
  by: z.custom<{ readonly account: string } | { readonly phone: Msisdn }>(isObject),
  state: textOf<BatchState>(),
  count: z.number(),
  sum: money,
  /** Lines that were asked about so far, and come to so far. */
  checked: z.number(),
  next: z.number(),
  /** The banks' fees for their lines. `payable` is the sum to pay, without the lines that are refused. */
  fees: money,
  payable: sum,
  /** As it was counted last (`tally.ts`). */
  tally: tally.exactOptional(),
  /** Nothing of that can change any more. */
  isSettled: z.literal(true).exactOptional(),
  current: current.exactOptional(),
  /** The time when the file came to its next line. Payments for that line, or for a later one, come after this. */
  advancedAt: z.number().exactOptional(),
  /** How often the next line was begun. A payment that is proven to have moved nothing is begun anew, as another payment. */
  attempt: z.number().exactOptional(),
  released: z.object({ by: textOf<Msisdn>(), address: textOf<Address>(), at: z.number() }).exactOptional(),
  why: textOf<StopReason>().exactOptional(),
  /** It has stopped or ended, and the customer who released it was not told yet. */
  untold: z.literal(true).exactOptional(),
  endedAt: z.number().exactOptional(),
});
export type Batch = Readonly<z.infer<typeof batch>>;
const batchCodec = codec<Batch>('file of payouts', batch);

/** A line of a file, with the findings before its payment, and its result. */
export interface Line extends Payout {
  /** The code with which the wallet would refuse it: it is not paid. */
  readonly refused?: string;
  /** It was refused so when it was about to be paid, and not beforehand. */
  readonly isLate?: true;
  /** The bank's fee. */
  readonly fees?: Centimes;
  /** Its payment, once somebody has come to it. */
  readonly ref?: string;
  /** How far that has come, as it was read last. */
  readonly state?: IntentState;
  /** The code with which the wallet has refused it. */
  readonly code?: string;
  /** The wallet listed a payment just like it that Wasl knew nothing of: it is taken for this line's, and nothing was sent. */
  readonly isListed?: true;
}

const linesCodec = codec<{ readonly lines: readonly Line[] }>(
  'lines of payouts',
  z.object({
    lines: z.array(z.looseObject({ name: z.string(), amount: z.number(), reason: z.string() })),
  }) as never,
);
const listCodec = codec<{ readonly ids: readonly string[] }>(
  'files of payouts',
  z.object({ ids: z.array(z.string()) }),
);

/** Each file is a document of its own, with its lines in further documents beside it. Any process can continue it. */
const batchKey = (id: string) => `payout:${id}`;
const linesKey = (id: string, part: number) => `payout-lines:${id}:${part}`;
const listKey = (code: string) => `payouts:${code}`;

function partitionOfBatch(id: string): Partition {
  return partitionOf(batchKey(id));
}

/** A file and those of its lines that it has come to. */
export interface Known {
  readonly batch: Batch;
  /** Those that are stored together with the one that is next. */
  readonly lines: readonly Line[];
  /** The place of the first of them in the file. */
  readonly from: number;
}

/** A file. Undefined where there is none. */
export async function readBatch(store: Pick<Store, 'read'>, id: string): Promise<Batch | undefined> {
  const [doc] = await readDocs(store, partitionOfBatch(id), [batchKey(id)]);
  return batchCodec.read(doc);
}

export async function readLines(
  store: Pick<Store, 'read'>,
  { id, count }: Pick<Batch, 'id' | 'count'>,
): Promise<readonly Line[]> {
  const docs = await readDocs(store, partitionOfBatch(id), lineKeys(id, count));
  return docs.flatMap((doc) => linesCodec.read(doc)?.lines ?? []);
}

/** A file with the lines that it has come to. */
export async function readKnown(store: Pick<Store, 'read'>, id: string): Promise<Known | undefined> {
  const batch = await readBatch(store, id);
  if (!batch) return undefined;
  const part = partOf(batch);
  const [doc] = await readDocs(store, partitionOfBatch(id), [linesKey(id, part)]);
  return knownIn(batch, part, doc);
}

function lineKeys(id: string, count: number): string[] {
  return Array.from({ length: Math.ceil(count / LINES_TOGETHER) }, (_, part) => linesKey(id, part));
}

function partOf({ state, checked, next }: Batch): number {
  return Math.floor((state === 'checking' ? checked : next) / LINES_TOGETHER);
}

function knownIn(batch: Batch, part: number, doc: KeyedDoc | undefined): Known {
  return { batch, lines: linesCodec.read(doc)?.lines ?? [], from: part * LINES_TOGETHER };
}

/** The files of a principal agent, the newest first. */
export async function listBatches(store: Pick<Store, 'read'>, code: string): Promise<readonly Batch[]> {
  const key = listKey(code);
  const [doc] = await readDocs(store, partitionOf(key), [key]);
  const all = await Promise.all(
    (listCodec.read(doc)?.ids ?? []).map(async (id) => {
      const [each] = await readDocs(store, partitionOfBatch(id), [batchKey(id)]);
      return batchCodec.readable(each);
    }),
  );
  return all.filter((each) => each !== undefined);
}

/** Writes a new file down. False where the same was given before, and was not withdrawn. The list is written first: it misses none. */
export async function addBatch(store: Store, batch: Batch, lines: readonly Line[]): Promise<boolean> {
  const { id, code, at, count } = batch;
  const key = listKey(code);
  const listed = await listBatches(store, code);
  const isOver = ({ state }: Batch) => state === 'done' || state === 'withdrawn';
  const over = new Set(
    listed
      .slice(LISTED_MAX - 1)
      .filter(isOver)
      .map((each) => each.id),
  );
  await update(store, partitionOf(key), [key], (doc): Update<void> => {
    const ids = listCodec.read(doc)?.ids ?? [];
    const after = [id, ...ids.filter((each) => each !== id && !over.has(each))];
    return { writes: [listCodec.write(doc, { ids: after })], durable: true, result: undefined };
  });
  const keys = [batchKey(id), ...lineKeys(id, count)];
  return update(store, partitionOfBatch(id), keys, (...[doc, ...lineDocs]): Update<boolean> => {
    const before = batchCodec.read(doc);
    if (before && before.state !== 'withdrawn') return { result: false };
    const parts = lineDocs.map((each, i) =>
      linesWrite(each, lines.slice(i * LINES_TOGETHER, (i + 1) * LINES_TOGETHER), at),
    );
    return { writes: [batchWrite(doc, batch, at), ...parts], durable: true, result: true };
  });
}

/**
 * Changes a file and the part of its lines at which it stands. Undefined leaves it as it is.
 * @param come the file as the caller has read it, which tells the part; the change is given the file as it is now
 */
export function changeBatch(
  store: Store,
  come: Batch,
  now: number,
  to: (
    known: Known,
  ) => { readonly batch: Batch; readonly lines?: readonly Line[]; readonly waitMs?: number } | undefined,
): Promise<Batch | undefined> {
  const { id } = come;
  const part = partOf(come);
  const keys = [batchKey(id), linesKey(id, part)] as const;
  return update(store, partitionOfBatch(id), keys, (doc, linesDoc): Update<Batch | undefined> => {
    const batch = batchCodec.read(doc);
    const after = batch && to(knownIn(batch, part, linesDoc));
    if (!after) return { result: undefined };
    const { lines, waitMs } = after;
    const writes = [
      batchWrite(doc, after.batch, now, waitMs),
      ...(lines ? [linesWrite(linesDoc, lines, now)] : []),
    ];
    return { writes, durable: true, result: after.batch };
  });
}

/**
 * Writes down how the lines of a file went, and the lines themselves where more is known of them. Undefined where there
 * is no such file.
 * @param isDue whether the file was due for this: then it gets its next due time, as long as anything can change. A
 *   mere look leaves that time as it is
 */
export function writeTally(
  store: Store,
  { id, count }: Pick<Batch, 'id' | 'count'>,
  { now, isDue }: { readonly now: number; readonly isDue: boolean },
  to: (
    batch: Batch,
    lines: readonly Line[],
  ) => { readonly lines: readonly Line[]; readonly tally: Tally; readonly isSettled: boolean },
): Promise<Batch | undefined> {
  const keys = [batchKey(id), ...lineKeys(id, count)];
  return update(store, partitionOfBatch(id), keys, (...[doc, ...lineDocs]): Update<Batch | undefined> => {
    const batch = batchCodec.read(doc);
    if (!batch) return { result: undefined };
    const parts = lineDocs.map((each) => linesCodec.read(each)?.lines ?? []);
    const { lines, tally, isSettled } = to(batch, parts.flat());
    const after: Batch = { ...batch, tally, ...(isSettled && { isSettled }) };
    if (!isDue && isDeepStrictEqual(after, batch)) return { result: batch };
    const write = batchWrite(doc, after, now);
    let from = 0;
    const changed = parts.flatMap((part, i) => {
      const of = lines.slice(from, from + part.length);
      from += part.length;
      return of.every((line, j) => line === part[j]) ? [] : [linesWrite(lineDocs[i], of, now)];
    });
    return { writes: [isDue ? write : { ...write, dueAt: SAME }, ...changed], durable: true, result: after };
  });
}

function linesWrite(doc: KeyedDoc | undefined, lines: readonly Line[], now: number): Write {
  return linesCodec.write(doc, { lines }, { keepUntil: now + KEPT_MS });
}

function batchWrite(doc: KeyedDoc | undefined, batch: Batch, now: number, waitMs = 0): Write {
  return batchCodec.write(doc, batch, { dueAt: dueOf(batch, now, waitMs), keepUntil: now + KEPT_MS });
}

/**
 * The time when a file is due. A file that runs by itself, or whose end must be told, is due at once or after the wait.
 * A file that is over is counted again as long as banks have yet to answer. It is counted less often the longer it is
 * over.
 */
function dueOf(batch: Batch, now: number, waitMs: number): number | null {
  const { state, untold, tally, isSettled, released, endedAt = released?.at ?? now } = batch;
  if (state === 'checking' || state === 'running' || untold) return now + waitMs;
  const isOpen = state === 'done' ? !isSettled : state === 'stopped' && (tally?.open.count ?? 0) > 0;
  return isOpen ? now + Math.min(Math.max(now - endedAt, COUNTED_MIN_MS), COUNTED_MAX_MS) : null;
}
