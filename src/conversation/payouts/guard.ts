import { isDeepStrictEqual } from 'node:util';
import { PAYMENTS } from '../../payments/payments.ts';
import type { PayoutOrder } from '../../payments/payout.ts';
import type { PayoutTransferOrder } from '../../payments/payout-transfer.ts';
import type { Store } from '../../store/store.ts';
import type { Answer } from '../../wallet/answer.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { ribIn } from '../../wallet/rib.ts';
import type { Operation, Wallet } from '../../wallet/wallet.ts';
import { isUnlisted, listAll } from '../intents/look-alikes.ts';
import { listedFrom, SKEW_MS } from '../intents/match.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { type Batch, type Line, listBatches, readLines } from './batch.ts';
import { endOf } from './tally.ts';

const PATIENCE = { timeoutMs: 10_000 };

export type LineOrder = PayoutOrder | PayoutTransferOrder;

/** The operations that the wallet lists before a line is paid. `lost`: this very line, which the store has lost. */
export interface Seen {
  readonly before: readonly number[];
  readonly lost?: Operation;
}

interface GuardDeps {
  readonly api: Wallet;
  readonly store: Store;
  readonly skewMs: () => number;
  readonly outcomes: Pick<Outcomes, 'intentOf'>;
}

/**
 * Looks in the wallet's list for a payment of this line that the store has lost (docs/safety.md: a line is compared with the list).
 * Equal lines are legitimate, so counts are compared: one operation more than lines that are known to be paid is this line's.
 * `later`: the wallet does not answer. `unguarded`: the key cannot read the list, and a failover may lose writes. `oddRow`: a row of the list
 * cannot be read and may be this line's.
 */
export async function lookBefore(
  deps: GuardDeps,
  batch: Batch,
  order: LineOrder,
): Promise<Seen | 'later' | 'unguarded' | 'oddRow'> {
  const { api, store, skewMs } = deps;
  // The list of a recipient is short. The list of an agent has every line of the file, so it is read from the last line
  // on.
  const since =
    order.kind === 'payout' ? batch.at : Math.max(batch.advancedAt ?? 0, batch.released?.at ?? batch.at);
  const from = listedFrom(since, skewMs());
  const listed =
    order.kind === 'payout'
      ? await listAll(PAYMENTS.payout.guard.lines, order, api, from, PATIENCE)
      : await listAll(PAYMENTS['payout-transfer'].guard.lines, order, api, from, PATIENCE);
  if (isUnlisted(listed, order) && store.mayLoseWrites()) return 'unguarded';
  if (listed.kind !== 'ok') return listed.kind === 'refused' ? { before: [] } : 'later';
  const { operations, leftOut } = listed.value;
  if (leftOut.length > 0 && !(await areKnown(deps, batch, leftOut))) return 'oddRow';
  const all = operations.filter((operation) => isFor(order, operation));
  const own = await unexplained(deps, [batch], order, from, all);
  // Another file may have paid the same: that is looked for only where this file does not explain the list.
  const others = own.length > 0 ? await listBatches(store, batch.code) : [];
  const notThis = others.filter(({ id }) => id !== batch.id);
  const [lost] = await unexplained(deps, notThis, order, from, own);
  return { before: [...all.map(({ id }) => id), ...leftOut], ...(lost && { lost }) };
}

/** True where each of these operations is the payment of a line of the file that is written down. */
async function areKnown(
  { store, outcomes }: GuardDeps,
  batch: Batch,
  ids: readonly number[],
): Promise<boolean> {
  const refs = (await readLines(store, batch)).flatMap(({ ref }) => ref ?? []);
  const paid = await Promise.all(refs.map((ref) => outcomes.intentOf(ref)));
  const known = new Set(paid.map((intent) => intent?.operationId));
  return ids.every((id) => known.has(id));
}

/** True for a file that cannot be released now: a line to a bank is listed only for a key with the scope for it. */
export async function unguardedIn(
  { api, store }: Pick<GuardDeps, 'api' | 'store'>,
  { code, next }: Pick<Batch, 'code' | 'next'>,
  lines: readonly Line[],
): Promise<boolean> {
  const toBanks = lines.slice(next).some(({ to, refused }) => 'rib' in to && refused === undefined);
  if (!toBanks || !store.mayLoseWrites()) return false;
  const filter = { code, types: [OPERATION_TYPES.BANK_TRANSFER], pageSize: 1 };
  const answer: Answer<unknown> = await api.agentOperations(filter, PATIENCE);
  return isUnlisted(answer, { kind: 'payout-transfer' });
}

/** True for an operation that the agent has made for the same recipient and amount, and that has not failed. */
function isFor(order: LineOrder, { type, sender, receiver, amount, status }: Operation): boolean {
  return (
    type === PAYMENTS[order.kind].type &&
    sender === order.code &&
    amount === order.amount &&
    // One of an unknown status may have been paid.
    status <= STATUSES.COMPLETED &&
    (order.kind === 'payout' || ribIn(receiver) === order.rib)
  );
}

/** Those of the listed operations that the lines of these files leave over, the oldest first. */
async function unexplained(
  { store, outcomes }: GuardDeps,
  batches: readonly Batch[],
  order: LineOrder,
  from: Date,
  listed: readonly Operation[],
): Promise<readonly Operation[]> {
  if (listed.length === 0) return listed;
  const to = order.kind === 'payout' ? { phone: order.customer } : { rib: order.rib };
  const lines = await Promise.all(
    batches.map(async (batch) =>
      (await readLines(store, batch)).flatMap((line, i) => {
        const isLike = isDeepStrictEqual(line.to, to) && line.amount === order.amount;
        const ref = line.ref ?? (i === batch.next ? batch.current?.ref : undefined);
        return isLike && ref !== undefined ? [{ ...line, ref, isOver: line.ref !== undefined }] : [];
      }),
    ),
  );
  const owned = new Set<number>();
  let paid = 0;
  for (const { isOver, ...line } of lines.flat()) {
    const { state, operationId, sentAt = from.getTime() } = (await outcomes.intentOf(line.ref)) ?? {};
    // A begun payment without an intent was either not sent, or is the one that we look for here.
    if (state === undefined && !isOver) continue;
    if (operationId !== undefined) owned.add(operationId);
    else if (endOf({ ...line, ...(state && { state }) }) !== 'unpaid' && sentAt >= from.getTime() - SKEW_MS)
      paid++;
  }
  return listed
    .filter(({ id }) => !owned.has(id))
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(paid);
}
