import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import type { Struck } from '../faults/faults.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationEvent, Telling, Webhooks } from './webhooks.ts';

const FORGED_KEY = 'the-key-of-a-forger';
const FORGED_AMOUNT_TIMES = 10;
/** How far a forger is ahead where the true event would come at once. */
const FORGED_AHEAD_MS = 1_000;

/** Which webhooks an operation gives rise to, and when: the one that v2.3 documents, or what its faults make of it. */
export function createNotices(webhooks: Webhooks) {
  const announce = (operation: Operation, telling?: Telling) => {
    for (const event of eventsOf(operation)) webhooks.announce(event, operation, telling);
  };

  return {
    /** Of new operations only bank transfers and authorisations of cards are told; a forger says already that it is completed. */
    opened(operation: Operation, struck: Struck): void {
      if (operation.type === OPERATION_TYPES.BANK_TRANSFER && !('webhookNever' in struck))
        webhooks.announce('bank-transfer.initiated', operation);
      const isHeld =
        operation.type === OPERATION_TYPES.CARD_PAYMENT && operation.settlesAs === STATUSES.CANCELED;
      if (isHeld && !('webhookNever' in struck)) announce(operation);
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

const BILL_EVENTS = {
  [STATUSES.OPEN]: 'payment.confirmed',
  [STATUSES.COMPLETED]: 'payment.confirmed',
  [STATUSES.FAILED]: 'payment.failed',
  [STATUSES.CANCELED]: 'payment.cancelled',
} as const;

/**
 * Partner API v2.3, "Event kinds". Top-ups, vouchers, chargebacks and refunds have none (open question 8), nor has cash
 * over an agent's counter; a bill has one for each way it can end.
 */
function eventsOf({ type, status, refunds, method, receiverId }: Operation): readonly OperationEvent[] {
  switch (type) {
    case OPERATION_TYPES.TRANSFER:
      return ['transfer.received'];
    case OPERATION_TYPES.MOBILE_PAYMENT:
      return ['payment.received'];
    case OPERATION_TYPES.BILL_PAYMENT:
      return [status === STATUSES.CANCELED && refunds ? 'payment.refunded' : BILL_EVENTS[status]];
    case OPERATION_TYPES.BANK_TRANSFER:
      return receiverId !== null && status === STATUSES.COMPLETED
        ? ['bank-transfer.completed', 'bank-transfer.received']
        : ['bank-transfer.completed'];
    case OPERATION_TYPES.CASHIN:
      if (method === 'Card') return status === STATUSES.COMPLETED ? ['cashin.card.authorized'] : [];
      return method === 'Network' ? ['cashin.network.executed'] : [];
    // Once: when it is authorised. That it was released or given back has no event.
    case OPERATION_TYPES.CARD_PAYMENT:
      return status === STATUSES.CANCELED ? [] : ['payment.card.authorized'];
    case OPERATION_TYPES.CASHOUT:
      return method === 'Network' ? ['cashout.network.executed'] : [];
    default:
      return [];
  }
}
