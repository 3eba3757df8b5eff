import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { INTENT_KEPT_MS, type Intent, operationKey } from './intent.ts';

/** What an operation's note says. */
export interface OperationNote {
  readonly intent: string;
}

/**
 * Notes which intent an operation belongs to, for support agents who know only its number. It lies in a partition of its
 * own, so it is written before the intent says the same: one that a crash leaves behind is written again with the fact, and
 * whoever follows it looks at the intent.
 */
export async function noteOperation(
  store: Store,
  { id, operationId }: Pick<Intent, 'id' | 'operationId'>,
  now: number,
): Promise<void> {
  if (operationId === undefined) return;
  const key = operationKey(operationId);
  await store.commit(partitionOf(key), {
    writes: [
      {
        key,
        version: 0,
        value: JSON.stringify({ intent: id } satisfies OperationNote),
        keepUntil: now + INTENT_KEPT_MS,
      },
    ],
  });
}
