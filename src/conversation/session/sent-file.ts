import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { lookAtCustomersPdf } from '../../pdf/in-thread.ts';
import { codec, type KeyedDoc, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { documentFileOf } from '../../wallet/file-types.ts';
import type { WalletFile } from '../../wallet/services.ts';
import type { Address } from '../incoming.ts';
import type { FilesDeps } from './agent-file.ts';

/** Advisers can look at a customer's files for this time. A case is seldom open for longer. */
export const SENT_FILE_KEPT_MS = 7 * 24 * 3_600_000;
/** The limits of the files kept of one address at a time. They stop a sender who tries to fill the store. */
const SENT_FILES_MAX = 10;
const SENT_FILES_MAX_BYTES = 15_000_000;

/** The data of a file that is known without opening it. */
export interface SentFile {
  readonly id: string;
  /** `image/png`, `image/jpeg` or `application/pdf`, by its first bytes. */
  readonly type: string;
  readonly bytes: number;
  /** When it was sent, in ms since 1970. */
  readonly at: number;
}

/**
 * Why a file is not kept. `active`: a PDF that does more than show pages. `notNow`: it could not be looked at now. `tooMany`: with
 * those that are kept already.
 */
export type Unkept = 'empty' | 'tooLarge' | 'otherType' | 'active' | 'notNow' | 'tooMany';

const listCodec = codec<readonly SentFile[]>(
  'files for agents',
  z.array(z.object({ id: z.string(), type: z.string(), bytes: z.number(), at: z.number() })),
);
const fileCodec = codec<{ readonly type: string; readonly sealed: Sealed }>(
  'file for agents',
  z.object({ type: z.string(), sealed: textOf<Sealed>() }),
);

function listKey(address: Address): string {
  return `sent-files:${address}`;
}

function fileKey(address: Address, id: string): string {
  return `sent-file:${address}:${id}`;
}

/**
 * Keeps a customer's file for the person who talks to them: sealed, in the partition of their address, for a week. Its
 * description is not believed. A file that is no picture and no plain PDF is not kept.
 */
export async function keepSentFile(
  { store, secrets, now }: FilesDeps,
  address: Address,
  given: Uint8Array,
): Promise<SentFile | Unkept> {
  const file = documentFileOf(given);
  if (typeof file === 'string') return file;
  const { type, bytes } = file;
  const look = type === 'application/pdf' ? await lookAtCustomersPdf(bytes, address) : 'pages';
  if (look !== 'pages') return look === 'active' ? 'active' : 'notNow';
  const at = now();
  const sent: SentFile = { id: randomUUID(), type, bytes: bytes.length, at };
  const [list, key] = [listKey(address), fileKey(address, sent.id)];
  const sealed = secrets.seal(Buffer.from(bytes).toString('base64'), key, at);
  const keepUntil = at + SENT_FILE_KEPT_MS;
  return update(store, partitionOf(address), [list], (doc): Update<SentFile | Unkept> => {
    const all = [...keptIn(doc, at), sent];
    const total = all.reduce((sum, each) => sum + each.bytes, 0);
    if (all.length > SENT_FILES_MAX || total > SENT_FILES_MAX_BYTES) return { result: 'tooMany' };
    const written = fileCodec.write({ key, version: 0, value: '' }, { type, sealed }, { keepUntil });
    return { writes: [listCodec.write(doc, all, { keepUntil }), written], durable: true, result: sent };
  });
}

/** One of them, for an agent. Undefined where it was sent at another address, or too long ago. */
export async function readSentFile(
  { store, secrets, now }: FilesDeps,
  address: Address,
  id: string,
): Promise<WalletFile | undefined> {
  const key = fileKey(address, id);
  const [doc] = await readDocs(store, partitionOf(address), [key]);
  const kept = fileCodec.read(doc);
  const text = kept && secrets.open(kept.sealed, key, now(), SENT_FILE_KEPT_MS);
  return kept && text !== undefined ? { type: kept.type, bytes: Buffer.from(text, 'base64') } : undefined;
}

/** The files kept of an address, the earliest first, with only the data that is known without opening them. */
export async function sentFilesOf(store: Store, address: Address, now: number): Promise<readonly SentFile[]> {
  const [doc] = await readDocs(store, partitionOf(address), [listKey(address)]);
  return keptIn(doc, now);
}

/** Keys of an address's files, the list last: a broken erasure can be repeated in this order. */
export async function sentFileKeys(store: Store, address: Address, now: number): Promise<readonly string[]> {
  const files = await sentFilesOf(store, address, now);
  return [...files.map(({ id }) => fileKey(address, id)), listKey(address)];
}

function keptIn(doc: KeyedDoc | undefined, now: number): readonly SentFile[] {
  return (listCodec.read(doc) ?? []).filter(({ at }) => at > now - SENT_FILE_KEPT_MS);
}
