import { PARTITIONS, type Store } from '../store/store.ts';
import { positionOf } from '../store/turn-id.ts';
import type { Records } from './records.ts';

/** One thing that was looked at: what is so, and whether that is as it should be. */
export interface Finding {
  readonly isWhole: boolean;
  readonly sentence: string;
}

/** Looks whether records and live store are whole, and fit each other: after a restore above all. Rejects with `StoreDown`. */
export async function verifyRecords(
  store: Pick<Store, 'turnsAfter'>,
  records: Pick<Records, 'inventory'>,
): Promise<Finding[]> {
  const { migrations, count, missing, cursors } = await records.inventory();
  const recorded = new Map(cursors.map(({ partition, to }) => [partition, positionOf(to)]));
  const behind: number[] = [];
  let lost = 0;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const stream = await store.turnsAfter(partition, undefined, 0);
    lost += stream.lost;
    const to = stream.recordedTo === undefined ? undefined : positionOf(stream.recordedTo);
    if (to !== undefined && (recorded.get(partition) ?? -1n) < to) behind.push(partition);
  }
  return [
    {
      isWhole: migrations.made >= migrations.known,
      sentence: `tables: ${migrations.made} of ${migrations.known} migrations are made`,
    },
    {
      isWhole: true,
      sentence: `${count.events} turns, ${count.payments} payments, ${count.audit} entries of the audit`,
    },
    {
      isWhole: missing.length === 0,
      sentence:
        missing.length === 0
          ? 'every payment that a turn names is there'
          : `payments are missing: ${missing.join(', ')}`,
    },
    {
      isWhole: behind.length === 0,
      sentence:
        behind.length === 0
          ? 'the records have all that the live store says they have'
          : `in ${behind.length} of ${PARTITIONS} partitions turns are missing that were recorded once: these records are older than the store`,
    },
    {
      isWhole: lost === 0,
      sentence: lost === 0 ? 'no turn was lost' : `${lost} turns were lost at the limit (TURNS_MAX)`,
    },
  ];
}
