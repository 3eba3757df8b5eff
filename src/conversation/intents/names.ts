import { z } from 'zod';
import { methodOf } from '../../payments/payments.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Partition, Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import { INTENT_KEPT_MS, type Intent, intentKey } from './intent.ts';

/** What a name's note says. */
interface NameNote {
  /** The newest payment of this name. */
  readonly intent: string;
}
export const nameCodec = codec<NameNote>('name', z.object({ intent: z.string() }));

/** How customers read our own reference: its first eight characters. */
const SHORT_REFERENCE = /^[\da-f]{8}$/;

/** Where it is noted, in the intent's own partition, whose name begins so: it is written with the intent. */
export function shortNameKey(id: string): string {
  return `reference:${id.slice(0, 8)}`;
}

/** What others call a payment: the wallet its operation, the bill network its bill. */
type Named = Pick<Intent, 'id' | 'order'> & { readonly operationId?: number | undefined };

const operationKey = (operationId: number | string) => `operation:${operationId}`;
const billKey = (reference: string) => `bill:${reference}`;

/**
 * Notes which intent others' names belong to, for support agents who know only those. Each note lies in a partition of its
 * own, so it is written before the intent says the same: one that a crash leaves behind is written again with the fact, and
 * whoever follows it looks at the intent.
 */
export async function noteNames(store: Store, named: Named, now: number): Promise<void> {
  const { id } = named;
  await Promise.all(
    othersNotes(named).map(async (key) => {
      const partition = partitionOf(key);
      const write = (doc: KeyedDoc) =>
        store.commit(partition, {
          writes: [nameCodec.write(doc, { intent: id }, { keepUntil: now + INTENT_KEPT_MS })],
        });
      // Almost always it is new: it is read only where it is not.
      if (await write({ key, version: 0, value: '' })) return;
      const [doc] = await readDocs(store, partition, [key]);
      if (nameCodec.read(doc)?.intent !== id) await write(doc);
    }),
  );
}

/** What a payment is called besides its id, as it is looked up: its first eight characters, and what others call it. */
export function namesOf({ id, order, operationId }: Named): string[] {
  const reference = methodOf(order).reference?.(order);
  return [
    id.slice(0, 8),
    ...(operationId === undefined ? [] : [String(operationId)]),
    ...(reference === undefined ? [] : [reference.toLowerCase()]),
  ];
}

/** The keys of the notes that lie in partitions of their own. */
function othersNotes({ order, operationId }: Named): string[] {
  const reference = methodOf(order).reference?.(order);
  return [
    ...(operationId === undefined ? [] : [operationKey(operationId)]),
    ...(reference === undefined ? [] : [billKey(reference)]),
  ];
}

/** Takes away the notes of a payment that is about to leave the store, but for the one that lies beside it. */
export async function forgetNames(store: Store, named: Named): Promise<void> {
  for (const key of othersNotes(named)) {
    const partition = partitionOf(key);
    const [doc] = await readDocs(store, partition, [key]);
    // Another payment may have the name by now.
    if (nameCodec.readable(doc)?.intent !== named.id) continue;
    await store.commit(partition, { writes: [{ key, version: doc.version, value: null }] });
  }
}

/** Payments that begin alike and are open at the same time: more than that nobody has ever seen. */
const ALIKE_MAX = 5;

/**
 * The ids of the payments that somebody may mean, by any reference that customers read, the likeliest first: digits may be an
 * operation, a bill and our own reference. A name that can be nothing else is taken for an id.
 */
export async function intentsNamed(store: Store, name: string): Promise<string[]> {
  const others = /^\d+$/.test(name) ? [operationKey(name), billKey(name)] : [];
  const noted = await Promise.all(others.map((key) => noteAt(store, partitionOf(key), key)));
  const short = name.toLowerCase();
  const own = SHORT_REFERENCE.test(short)
    ? await intentsBeginning(store, short)
    : others.length > 0
      ? []
      : [short];
  return [...new Set([...noted.filter((id) => id !== undefined), ...own])];
}

/** Two may begin alike: those that are open are asked about. And what an older version has claimed has no note. */
async function intentsBeginning(store: Store, short: string): Promise<string[]> {
  const partition = Number.parseInt(short.slice(0, 2), 16);
  const open = await store.scheduled(partition, intentKey(short), ALIKE_MAX);
  const noted = await noteAt(store, partition, shortNameKey(short));
  return [...open.map(({ key }) => key.slice(intentKey('').length)), ...(noted === undefined ? [] : [noted])];
}

async function noteAt(store: Store, partition: Partition, key: string): Promise<string | undefined> {
  const [doc] = await readDocs(store, partition, [key]);
  return nameCodec.read(doc)?.intent;
}
