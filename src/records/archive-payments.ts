import { type Intent, intentCodec, intentKey } from '../conversation/intents/intent.ts';
import { intentWrite } from '../conversation/intents/pay.ts';
import { nextCheck } from '../conversation/intents/schedule.ts';
import { partitionOfRef } from '../conversation/record/ref.ts';
import type { KeyedDoc } from '../store/codec.ts';
import type { Partition, Store } from '../store/store.ts';
import { readDocs } from '../store/update.ts';
import { intentIn, LEAVES_AFTER_MS, lastStepOf, paymentRowOf } from './payment-row.ts';
import type { PaymentRow, Records } from './records.ts';

/** One that is not over yet, or that only a later release can read, is looked at again after this. */
const LOOK_AGAIN_MS = 24 * 3_600_000;
/** Payments that are looked at one after the other, before others are let in. */
const LOOKS_PER_STEP = 100;

interface ArchiveDeps {
  readonly store: Store;
  readonly records: Pick<Records, 'record' | 'paymentsToLookAt' | 'setLook'>;
  readonly now: () => number;
}

/**
 * Takes payments out of the live store that are over since `LEAVES_AFTER_MS`, once the records have their last step: a webhook
 * that comes later finds them there. Gives whether there may be more.
 */
export async function archivePayments(deps: ArchiveDeps): Promise<boolean> {
  const rows = await deps.records.paymentsToLookAt(deps.now(), LOOKS_PER_STEP);
  for (const row of rows) await look(deps, row);
  return rows.length === LOOKS_PER_STEP;
}

async function look(deps: ArchiveDeps, row: PaymentRow): Promise<void> {
  const { store, records, now } = deps;
  const { id } = row;
  const partition = partitionOfRef(id);
  if (partition === undefined) throw new Error(`${id} is no payment of ours`);
  const [doc] = await readDocs(store, partition, [intentKey(id)]);
  if (doc.version === 0) return gone(deps, row, partition, doc);
  const intent = intentCodec.readable(doc);
  const latest = paymentRowOf(doc);
  if (!intent || !latest) return records.setLook({ ...row, lookAt: now() + LOOK_AGAIN_MS });
  await records.record({ events: [], payments: [latest], cursors: [] });
  if (!isOver(intent, now())) return records.setLook({ ...latest, lookAt: now() + LOOK_AGAIN_MS });
  const writes = [{ key: doc.key, version: doc.version, value: null }];
  const hasLeft = await store.commit(partition, { writes, durable: true });
  await records.setLook({ ...latest, lookAt: hasLeft ? null : now() + LOOK_AGAIN_MS });
}

/** It has left, or the store has lost it: then one that is not over is put back, so that somebody goes on looking for its end. */
async function gone(
  { store, records, now }: ArchiveDeps,
  row: PaymentRow,
  partition: Partition,
  doc: KeyedDoc,
): Promise<void> {
  const intent = intentIn(row);
  if (nextCheck(intent, now()) === undefined) return records.setLook({ ...row, lookAt: null });
  const write = { ...intentWrite(doc, intent, now()), dueAt: now() };
  await store.commit(partition, { writes: [write], durable: true });
  await records.setLook({ ...row, lookAt: now() + LOOK_AGAIN_MS });
}

/** Nobody looks for it any more, nobody has to be reminded of it, and nothing was learnt of it for long. */
function isOver(intent: Intent, now: number): boolean {
  return nextCheck(intent, now) === undefined && lastStepOf(intent) + LEAVES_AFTER_MS <= now;
}
