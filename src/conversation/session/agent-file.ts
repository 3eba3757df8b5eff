import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { WalletFile } from '../../wallet/services.ts';
import type { Address } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';

/** A screenshot or a page: more than that has no place in a chat, nor in the store. */
export const AGENT_FILE_MAX_BYTES = 1_500_000;
/** A file that its customer does not fetch is gone after this. */
const KEPT_MS = 24 * 3_600_000;
/** One that was fetched can be fetched once more, where the first time has failed on the way. */
const FETCHED_KEPT_MS = 10 * 60_000;

const fileCodec = codec<{ readonly type: string; readonly sealed: Sealed; readonly at: number }>(
  'file of an agent',
  z.object({ type: z.string(), sealed: textOf<Sealed>(), at: z.number() }),
);

function keyOf(address: Address, id: string): string {
  return `file:${address}:${id}`;
}

export interface FilesDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly now: () => number;
}

/** Keeps a file for an address, sealed, until it is fetched, in the address's own partition. */
export async function keepFile(
  { store, secrets, now }: FilesDeps,
  address: Address,
  { type, bytes }: WalletFile,
): Promise<string> {
  const id = randomUUID();
  const key = keyOf(address, id);
  const sealed = secrets.seal(Buffer.from(bytes).toString('base64'), key, now());
  const doc = { key, version: 0, value: '' };
  const write = fileCodec.write(doc, { type, sealed, at: now() }, { keepUntil: now() + KEPT_MS });
  await store.commit(partitionOf(address), { writes: [write], durable: true });
  return id;
}

/** An agent's file for this address. Undefined: none, or its time after the first fetch is over. */
export async function fetchFile(
  { store, secrets, now }: FilesDeps,
  address: Address,
  id: string,
): Promise<WalletFile | undefined> {
  const key = keyOf(address, id);
  const [doc] = await readDocs(store, partitionOf(address), [key]);
  const kept = fileCodec.read(doc);
  const text = kept && secrets.open(kept.sealed, key, now(), KEPT_MS);
  if (!kept || text === undefined) return undefined;
  const keepUntil = Math.min(kept.at + KEPT_MS, now() + FETCHED_KEPT_MS);
  // A concurrent fetch may write this first. Then the file expires as well.
  await store.commit(partitionOf(address), { writes: [fileCodec.write(doc, kept, { keepUntil })] });
  return { type: kept.type, bytes: Buffer.from(text, 'base64') };
}
