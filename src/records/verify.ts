import { PARTITIONS, type Store } from '../store/store.ts';
import { positionOf } from '../store/turn-id.ts';
import { leftToMove } from './move-cases.ts';
import { olderSentence, olderStore, paymentsBehind } from './older-store.ts';
import type { Records } from './records.ts';

/** One thing that was looked at: what is so, and whether that is as it should be. */
export interface Finding {
  readonly isWhole: boolean;
  readonly sentence: string;
}

/** Looks whether records and live store are whole, and fit each other: after a restore above all. Rejects with `StoreDown`. */
export async function verifyRecords(
  store: Pick<Store, 'turnsAfter' | 'read' | 'scheduled'>,
  records: Pick<Records, 'inventory' | 'cursors' | 'turns' | 'livePayments' | 'payment' | 'cases'>,
): Promise<Finding[]> {
  // The store first: a recorder that works meanwhile moves the records ahead of what the store has said, never behind it.
  const recordedTo = new Map<number, bigint>();
  let lost = 0;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const stream = await store.turnsAfter(partition, undefined, 0);
    lost += stream.lost;
    if (stream.recordedTo !== undefined) recordedTo.set(partition, positionOf(stream.recordedTo));
  }
  const { migrations, count, missing, cursors } = await records.inventory();
  const recorded = new Map(cursors.map(({ partition, to }) => [partition, positionOf(to)]));
  const behind = [...recordedTo].filter(([partition, to]) => (recorded.get(partition) ?? -1n) < to);
  return [
    {
      isWhole: migrations.made >= migrations.known,
      sentence: `tables: ${migrations.made} of ${migrations.known} migrations are made`,
    },
    {
      isWhole: true,
      sentence: `the records have ${count.events} turns, ${count.payments} payments and ${count.audit} entries of the audit (the newest come a moment later), and find ${count.names} customers by their name`,
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
    await agesOf(store, records),
    await arrivalOf(store, records),
    {
      isWhole: lost === 0,
      sentence: lost === 0 ? 'no turn was lost' : `${lost} turns were lost at the limit (TURNS_MAX)`,
    },
  ];
}

/** Whether all cases of the release before have arrived. */
async function arrivalOf(store: Pick<Store, 'scheduled'>, records: Pick<Records, 'cases'>): Promise<Finding> {
  const { open, closed } = await leftToMove(store, records);
  const isWhole = open + closed === 0;
  return {
    isWhole,
    sentence: isWhole
      ? 'every case is in its table'
      : `${open} open and ${closed} closed cases of the release before are not in their table yet: a running Wasl moves them within minutes`,
  };
}

/** Whether the live store has forgotten what is recorded: as after the restore of an older copy of it. */
async function agesOf(
  store: Pick<Store, 'turnsAfter' | 'read' | 'scheduled'>,
  records: Pick<Records, 'cursors' | 'turns' | 'livePayments' | 'payment'>,
): Promise<Finding> {
  const older = await olderStore(store, records);
  if (!older) return { isWhole: true, sentence: 'the live store has forgotten nothing that is recorded' };
  let [missing, behind] = [0, 0];
  for await (const { isThere } of paymentsBehind(store, records, older.aliveAt ?? 0))
    if (isThere) behind++;
    else missing++;
  const payments = `${missing} payments are not in it, and of ${behind} it does not know the last steps`;
  return { isWhole: false, sentence: `${olderSentence(older)}: ${payments}` };
}
