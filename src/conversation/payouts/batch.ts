import { z } from 'zod';
import { codec, type KeyedDoc, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Partition, Store, Write } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../channel.ts';
import type { Payout } from './file.ts';

/** As long as payments are kept. */
const KEPT_MS = 400 * 24 * 3_600_000;
/** Files of one principal agent that are listed, the newest first. */
const LISTED_MAX = 100;

/**
 * How far a file has come. `checking`: its lines are asked about, one by one. `ready`: it waits for who releases it. `running`: its lines
 * are paid, one at a time. `stopped`: it waits for somebody to say that it goes on. `done`: every line was come to.
 */
export type BatchState = 'checking' | 'ready' | 'running' | 'stopped' | 'done' | 'withdrawn';
/** Why it has stopped: the float has ended, who has released it may not any more, or the wallet cannot be reached. */
export type StopReason = 'float' | 'notAllowed' | 'wallet';

/** A line that is being paid. */
export interface Current {
  /** Of its payment: written down before that is claimed, so that nobody makes another one for it. */
  readonly ref: string;
  /** Of a line to a wallet: the reference that is executed. */
  readonly reference?: string;
  readonly madeAt?: number;
}

/** A file of payouts. Moments are in ms since 1970. */
export interface Batch {
  /** The digest of what it pays. */
  readonly id: string;
  /** The principal agent's code. */
  readonly code: string;
  readonly fileName: string;
  readonly at: number;
  /** Who has given it: an administrator's account, or a number that acts for the principal agent. */
  readonly by: { readonly account: string } | { readonly phone: Msisdn };
  readonly state: BatchState;
  readonly count: number;
  readonly sum: Centimes;
  /** Lines that were asked about so far, and come to so far. */
  readonly checked: number;
  readonly next: number;
  /** What banks take for their lines, and what would be paid: without the lines that are refused. */
  readonly fees: Centimes;
  readonly payable: { readonly count: number; readonly sum: Centimes };
  readonly current?: Current;
  /** How often the next line was begun: what is proven to have moved nothing is begun anew, as another payment. */
  readonly attempt?: number;
  readonly released?: { readonly by: Msisdn; readonly address: Address; readonly at: number };
  readonly why?: StopReason;
  /** It has stopped or ended, and who has released it was not told yet. */
  readonly untold?: true;
  /** The payments of the lines, by their place; empty where there is none. */
  readonly refs: readonly string[];
  readonly endedAt?: number;
}

/** A line of it, and what was found out about it before. */
export interface Line extends Payout {
  /** The code with which the wallet would refuse it: it is not paid. */
  readonly refused?: string;
  /** What the bank takes. */
  readonly fees?: Centimes;
}

const batchCodec = codec<Batch>(
  'file of payouts',
  z.object({
    id: z.string(),
    code: z.string(),
    fileName: z.string(),
    at: z.number(),
    by: z.looseObject({}),
    state: textOf<BatchState>(),
    count: z.number(),
    sum: z.number(),
    checked: z.number(),
    next: z.number(),
    fees: z.number(),
    payable: z.looseObject({ count: z.number(), sum: z.number() }),
    current: z.looseObject({ ref: z.string() }).optional(),
    attempt: z.number().optional(),
    released: z.looseObject({ by: textOf<Msisdn>(), address: textOf<Address>(), at: z.number() }).optional(),
    why: z.string().optional(),
    untold: z.literal(true).optional(),
    refs: z.array(z.string()),
    endedAt: z.number().optional(),
  }) as never,
);
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

/** Each file is a document of its own, with its lines beside it: any process can go on with it. */
const batchKey = (id: string) => `payout:${id}`;
const linesKey = (id: string) => `payout-lines:${id}`;
const listKey = (code: string) => `payouts:${code}`;

function partitionOfBatch(id: string): Partition {
  return partitionOf(batchKey(id));
}

/** A file and its lines; undefined where there is none. */
export interface Known {
  readonly batch: Batch;
  readonly lines: readonly Line[];
}

export async function readBatch(store: Pick<Store, 'read'>, id: string): Promise<Known | undefined> {
  const [doc, linesDoc] = await readDocs(store, partitionOfBatch(id), [batchKey(id), linesKey(id)]);
  return knownIn(doc, linesDoc);
}

function knownIn(doc: KeyedDoc, linesDoc: KeyedDoc): Known | undefined {
  const batch = batchCodec.read(doc);
  return batch && { batch, lines: linesCodec.read(linesDoc)?.lines ?? [] };
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
  const { id, code, at } = batch;
  const key = listKey(code);
  await update(store, partitionOf(key), [key], (doc): Update<void> => {
    const ids = listCodec.read(doc)?.ids ?? [];
    const after = [id, ...ids.filter((each) => each !== id)].slice(0, LISTED_MAX);
    return { writes: [listCodec.write(doc, { ids: after })], durable: true, result: undefined };
  });
  return update(
    store,
    partitionOfBatch(id),
    [batchKey(id), linesKey(id)],
    (doc, linesDoc): Update<boolean> => {
      const before = batchCodec.read(doc);
      if (before && before.state !== 'withdrawn') return { result: false };
      const writes = [
        batchWrite(doc, batch, at),
        linesCodec.write(linesDoc, { lines }, { keepUntil: at + KEPT_MS }),
      ];
      return { writes, durable: true, result: true };
    },
  );
}

/** Changes a file, and its lines; undefined leaves it as it is. */
export function changeBatch(
  store: Store,
  id: string,
  now: number,
  to: (
    known: Known,
  ) => { readonly batch: Batch; readonly lines?: readonly Line[]; readonly waitMs?: number } | undefined,
): Promise<Batch | undefined> {
  const keys = [batchKey(id), linesKey(id)] as const;
  return update(store, partitionOfBatch(id), keys, (doc, linesDoc): Update<Batch | undefined> => {
    const known = knownIn(doc, linesDoc);
    const after = known && to(known);
    if (!after) return { result: undefined };
    const { batch, lines, waitMs } = after;
    const writes = [
      batchWrite(doc, batch, now, waitMs),
      ...(lines ? [linesCodec.write(linesDoc, { lines }, { keepUntil: now + KEPT_MS })] : []),
    ];
    return { writes, durable: true, result: batch };
  });
}

/** What goes on by itself, or is to be told, is due: at once, or when there is something to wait for. */
function batchWrite(doc: KeyedDoc, batch: Batch, now: number, waitMs = 0): Write {
  const goesOn = batch.state === 'checking' || batch.state === 'running' || batch.untold;
  return batchCodec.write(doc, batch, { dueAt: goesOn ? now + waitMs : null, keepUntil: now + KEPT_MS });
}
