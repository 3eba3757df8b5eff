import { methodOf } from '../../payments/payments.ts';
import type { Store } from '../../store/store.ts';
import { type Intent, intentKey } from './intent.ts';

/** How customers read our own reference: its first eight characters. The first two name its partition. */
const SHORT_REFERENCE = /^[\da-f]{8}$/;
/** Payments that begin alike and are open at the same time: more than that nobody has ever seen. */
const ALIKE_MAX = 5;

/**
 * The names of a payment besides its id, for a search in the records: the first eight characters of the id, the
 * wallet's operation, and the bill network's reference.
 */
export function namesOf({ id, order, operationId }: Pick<Intent, 'id' | 'order' | 'operationId'>): string[] {
  const reference = methodOf(order).receipt?.reference?.(order);
  return [
    id.slice(0, 8),
    ...(operationId === undefined ? [] : [String(operationId)]),
    ...(reference === undefined ? [] : [reference.toLowerCase()]),
  ];
}

/** The ids of payments that begin so and are still looked for: the records may not have them yet. */
export async function openBeginning(store: Store, name: string): Promise<string[]> {
  const short = name.toLowerCase();
  if (!SHORT_REFERENCE.test(short)) return [];
  const open = await store.scheduled(Number.parseInt(short.slice(0, 2), 16), intentKey(short), ALIKE_MAX);
  return open.map(({ key }) => key.slice(intentKey('').length));
}
