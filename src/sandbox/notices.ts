import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../wallet/contract/fields.ts';
import { centimes } from '../wallet/money.ts';
import type { Struck } from './faults.ts';
import type { Operation } from './operation.ts';
import type { OperationEvent, Telling, Webhooks } from './webhooks.ts';

const FORGED_KEY = 'the-key-of-a-forger';
const FORGED_AMOUNT_TIMES = 10;
/** How far a forger is ahead where the true event would come at once. */
const FORGED_AHEAD_MS = 1_000;

/** Which webhooks an operation gives rise to, and when: the one that v2.3 documents, or what its faults make of it. */
export function createNotices(webhooks: Webhooks) {
  const announce = (operation: Operation, telling?: Telling) => {
    const event = eventOf(operation);
    if (event) webhooks.announce(event, operation, telling);
  };

  return {
    /** A new operation is told to nobody; only a forger says already that it is completed. */
    opened(operation: Operation, struck: Struck): void {
      const completed = { ...operation, status: STATUSES.COMPLETED };
      if ('webhookForgedKey' in struck) announce(completed, { key: FORGED_KEY });
      if ('webhookForgedAmount' in struck)
        announce({ ...completed, amount: centimes(operation.amount * FORGED_AMOUNT_TIMES) });
    },

    /** @param before the status that the operation had until now */
    moved(operation: Operation, before: OperationStatus, struck: Struck): void {
      if ('webhookNever' in struck) return;
      const isForged = 'webhookForgedKey' in struck || 'webhookForgedAmount' in struck;
      const aheadMs = isForged && operation.executedAt === operation.createdAt ? FORGED_AHEAD_MS : 0;
      const { webhookLate: afterMs = aheadMs, webhookOutOfOrder: staleAfterMs } = struck;
      const copies = 'webhookTwice' in struck ? 2 : 1;
      announce(operation, { afterMs, copies });
      if (staleAfterMs !== undefined)
        announce({ ...operation, status: before }, { afterMs: afterMs + staleAfterMs });
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;

/** Top-ups and vouchers have no event (open question 8). A bill has one for each way it can end. */
function eventOf({ type, status, refunds }: Operation): OperationEvent | undefined {
  if (type === OPERATION_TYPES.TRANSFER) return 'transfer.received';
  if (type === OPERATION_TYPES.MOBILE_PAYMENT) return 'payment.received';
  if (type !== OPERATION_TYPES.BILL_PAYMENT) return undefined;
  if (status === STATUSES.FAILED) return 'payment.failed';
  if (status !== STATUSES.CANCELED) return 'payment.confirmed';
  return refunds ? 'payment.refunded' : 'payment.cancelled';
}
