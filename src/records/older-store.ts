import { type Intent, intentCodec, intentKey, isOpen } from '../conversation/intents/intent.ts';
import { entryOf, intentWrite } from '../conversation/intents/pay.ts';
import { partitionOfRef } from '../conversation/record/ref.ts';
import { entered } from '../conversation/session/book.ts';
import { walletKey, walletStateOf, walletWrite } from '../conversation/session/wallet-doc.ts';
import { PARTITIONS, type Partition, type Store } from '../store/store.ts';
import { idAt, positionOf } from '../store/turn-id.ts';
import { readDocs, update } from '../store/update.ts';
import { intentIn, LEAVES_AFTER_MS } from './payment-row.ts';
import { recordedUpTo } from './recorder.ts';
import type { Cursor, PaymentRow, Records } from './records.ts';

/** Older than this, a store has not only lost its last writes in a crash or a failover: somebody has put an old copy in its place. */
const OLDER_MAX_MS = 10 * 60_000;
/** Payments over for longer are looked for in the records where they are not in the store: no look-alike is compared with them. */
const PUT_BACK_MS = 24 * 3_600_000;
/**
 * The time that one step of the recorder covers: payments of this time before the store's last sign of life may be missing
 * too.
 */
const MARGIN_MS = 60_000;
const ROWS_PER_STEP = 200;
const INTENTS = intentKey('');
/** Payments of one partition that are followed at a time: far more than there are. */
const FOLLOWED_MAX = 10_000;
/** Before the id of every payment. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** How much older a store is than its records. */
interface Older {
  /** The partitions with recorded turns that the store does not have. */
  readonly partitions: readonly Partition[];
  /** Its last sign of life, in ms since 1970. Absent: it knows of none. */
  readonly aliveAt?: number;
  /** The time from there to the last recorded turn that it does not have. `Infinity`: it knows of nothing. */
  readonly byMs: number;
}

/**
 * Tells whether the store has forgotten turns that are recorded, as after the restore of an older copy. Gives undefined if
 * it has not. Ask before the recorder goes on, because after that the streams fit again. A process may die before it tells
 * the store how far it has recorded. Its turns are still in the store then. Rejects with `StoreDown`.
 */
export async function olderStore(
  store: Pick<Store, 'turnsAfter' | 'read'>,
  records: Pick<Records, 'cursors' | 'turns'>,
): Promise<Older | undefined> {
  const cursors = await records.cursors(Array.from({ length: PARTITIONS }, (_, i) => i));
  const lost = await Promise.all(
    cursors.map(async (cursor) => ((await hasTurn(store, cursor)) ? [] : [cursor.partition])),
  );
  const partitions = lost.flat();
  if (partitions.length === 0) return undefined;
  const last = await Promise.all(partitions.map((partition) => records.turns(partition, 1)));
  const lastAt = Math.max(...last.flat().map(({ at }) => at));
  const aliveAt = await recordedUpTo(store);
  return aliveAt === undefined
    ? { partitions, byMs: Number.POSITIVE_INFINITY }
    : { partitions, aliveAt, byMs: Math.max(0, lastAt - aliveAt) };
}

/** Whether the store has the last turn that is recorded of a partition, or knows at least that it is recorded. */
async function hasTurn(store: Pick<Store, 'turnsAfter'>, { partition, to }: Cursor): Promise<boolean> {
  const position = positionOf(to);
  const { entries, recordedTo } = await store.turnsAfter(partition, idAt(position - 1n), 1);
  const [entry] = entries;
  return (
    (recordedTo !== undefined && positionOf(recordedTo) >= position) ||
    (entry !== undefined && positionOf(entry.id) === position)
  );
}

/** A payment of which the records know more than the store. */
interface Behind {
  readonly row: PaymentRow;
  /** The store has it, but not its last steps. */
  readonly isThere: boolean;
}

/**
 * Payments of which the records know more than the store. They took a step since the store was surely whole (ms since 1970),
 * or the store follows them although they left it long ago.
 */
export async function* paymentsBehind(
  store: Pick<Store, 'read' | 'scheduled'>,
  records: Pick<Records, 'livePayments' | 'payment'>,
  since: number,
): AsyncGenerator<Behind> {
  for await (const row of steppedSince(records, since)) {
    const behind = await isBehind(store, row);
    if (behind) yield behind;
  }
  for (let partition = 0; partition < PARTITIONS; partition++)
    for (const { key } of await store.scheduled(partition, INTENTS, FOLLOWED_MAX)) {
      const row = await records.payment(key.slice(INTENTS.length));
      const behind = row?.lookAt === null && (await isBehind(store, row));
      if (behind) yield behind;
    }
}

async function isBehind(store: Pick<Store, 'read'>, row: PaymentRow): Promise<Behind | undefined> {
  const [doc] = await readDocs(store, partitionOf(row), [intentKey(row.id)]);
  const isThere = doc.version > 0;
  const known = intentCodec.readable(doc);
  // A document of a later release is newer than anything that this one knows.
  if (isThere && !known) return undefined;
  return (known?.audit.length ?? 0) < row.steps ? { row, isThere } : undefined;
}

async function* steppedSince(
  records: Pick<Records, 'livePayments'>,
  since: number,
): AsyncGenerator<PaymentRow> {
  let [from, after] = [since - MARGIN_MS + LEAVES_AFTER_MS, FIRST_ID];
  for (;;) {
    const rows = await records.livePayments(from, after, ROWS_PER_STEP);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_STEP) return;
    [from, after] = [last.lookAt ?? from, last.id];
  }
}

interface BringBackDeps {
  readonly store: Store;
  readonly records: Pick<Records, 'livePayments' | 'payment'>;
  readonly now: () => number;
}

/**
 * Puts payments from the records back into an older store, with their entries in the wallets' books. They are then named to
 * their customers, hold their look-alikes back and are followed to their outcome, as if nothing had been lost. Runs before
 * anything else is done with the store. Gives their number. Rejects with `StoreDown`.
 */
async function bringBack({ store, records, now }: BringBackDeps, since: number): Promise<number> {
  let count = 0;
  for await (const { row, isThere } of paymentsBehind(store, records, since)) {
    const intent = intentIn(row);
    if (!isThere && !isOpen(intent) && row.sentAt < now() - PUT_BACK_MS) continue;
    if (await putBack(store, row, intent, now())) count++;
  }
  return count;
}

function putBack(store: Store, row: PaymentRow, intent: Intent, now: number): Promise<boolean> {
  const keys = [intentKey(row.id), walletKey(intent.wallet)] as const;
  return update(store, partitionOf(row), keys, (doc, walletDoc) => {
    // Another process that starts may have been faster.
    if ((intentCodec.readable(doc)?.audit.length ?? 0) >= row.steps) return { result: false };
    const wallet = walletStateOf(walletDoc);
    const entries = wallet.value.entries.filter(({ id }) => id !== row.id);
    const book = entered({ entries }, entryOf(intent), now);
    const writes = [
      intentWrite(doc, intent, now),
      walletWrite(intent.wallet, wallet, { ...wallet.value, ...book }),
    ];
    return { writes, durable: true, result: true };
  });
}

function partitionOf({ id }: PaymentRow): Partition {
  const partition = partitionOfRef(id);
  if (partition === undefined) throw new Error(`${id} is no payment of ours`);
  return partition;
}

/** How much older the store is, for people. */
export function olderSentence({ partitions, aliveAt, byMs }: Older): string {
  const age =
    aliveAt === undefined
      ? 'it knows nothing of them'
      : `its last sign of life is of ${new Date(aliveAt).toISOString()}, ${Math.ceil(byMs / 1_000)} s before theirs`;
  return `the live store is older than the records (${partitions.length} of ${PARTITIONS} partitions; ${age})`;
}

/**
 * Why no process may start with this store, or undefined if one may.
 * @param isMeant somebody has put an older copy in its place on purpose
 */
export function refusalOf(older: Older | undefined, isMeant: boolean): string | undefined {
  if (!older || isMeant || older.byMs <= OLDER_MAX_MS) return undefined;
  return `${olderSentence(older)}. Put a newer copy in its place, or have this one go on with STORE_RESTORED=true (docs/operator/backup.md, "A live store that is older than the records")`;
}

/**
 * Compares a store with its records before a process does anything. Payments that a crash or a failover lost come back, and
 * a sentence says so. Gives that sentence, or undefined if nothing was lost. Throws if the store is an old copy that nobody
 * meant to use.
 */
export async function meetRecords(
  deps: BringBackDeps & { readonly records: Pick<Records, 'cursors' | 'turns'> },
  isMeant: boolean,
): Promise<string | undefined> {
  const older = await olderStore(deps.store, deps.records);
  if (!older) return undefined;
  const refusal = refusalOf(older, isMeant);
  if (refusal !== undefined) throw new Error(refusal);
  const count = await bringBack(deps, older.aliveAt ?? 0);
  return `${olderSentence(older)}: ${count} payments came back from the records`;
}
