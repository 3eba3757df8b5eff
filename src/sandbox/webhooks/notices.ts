import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import type { Struck } from '../faults/faults.ts';
import type { Operation } from '../operations/operation.ts';
import { announce, type DeliveryOptions, type OperationEvent, UNLISTED_EVENT } from './webhooks.ts';

const FORGED_KEY = 'the-key-of-a-forger';
const FORGED_AMOUNT_TIMES = 10;
/** How far a forger is ahead where the true event would come at once. */
const FORGED_AHEAD_MS = 1_000;

/** Announces a new operation: only bank transfers and card authorisations have a webhook then. */
export function announceOpened(core: Core, operation: Operation, struck: Struck): void {
  const { type, settlesAs } = operation;
  if (!('webhookNever' in struck)) {
    if (type === OPERATION_TYPES.BANK_TRANSFER) announce(core, 'bank-transfer.initiated', operation);
    const isHeld = type === OPERATION_TYPES.CARD_PAYMENT && settlesAs === STATUSES.CANCELED;
    if (isHeld) announceAll(core, operation);
  }
  const completed = { ...operation, status: STATUSES.COMPLETED };
  if ('webhookForgedKey' in struck) announceAll(core, completed, { key: FORGED_KEY });
  if ('webhookForgedAmount' in struck) {
    const amount = centimes(operation.amount * FORGED_AMOUNT_TIMES);
    announceAll(core, { ...completed, amount });
  }
}

/**
 * Announces that an operation has another status, in the way that its faults ask for.
 * @param before the status that the operation had until now
 */
export function announceMoved(
  core: Core,
  operation: Operation,
  before: OperationStatus,
  struck: Struck,
): void {
  if ('webhookNever' in struck) return;
  const isForged = 'webhookForgedKey' in struck || 'webhookForgedAmount' in struck;
  const aheadMs = isForged && operation.executedAt === operation.createdAt ? FORGED_AHEAD_MS : 0;
  const { webhookLate: afterMs = aheadMs, webhookOutOfOrder: staleAfterMs } = struck;
  const copies = 'webhookTwice' in struck ? 2 : 1;
  announceAll(core, operation, { afterMs, copies });
  if (staleAfterMs !== undefined)
    announceAll(core, { ...operation, status: before }, { afterMs: afterMs + staleAfterMs });
}

/** The operations of open question 8. */
const OTHERS: readonly number[] = [
  OPERATION_TYPES.RECHARGE,
  OPERATION_TYPES.VOUCHER,
  OPERATION_TYPES.CHARGEBACK,
  OPERATION_TYPES.PAYMENT_REFUND,
  OPERATION_TYPES.CASHIN,
  OPERATION_TYPES.CASHOUT,
];

/** The webhooks that an operation gives rise to in its status. */
function announceAll(core: Core, operation: Operation, options?: DeliveryOptions): void {
  const isNone = operation.type === OPERATION_TYPES.TRANSFER && core.settings.transferEvent === 'none';
  const events = isNone ? [] : eventsOf(operation);
  const isSilent = events.length === 0 && OTHERS.includes(operation.type);
  if (isSilent && core.settings.otherEvents === 'sent') announce(core, UNLISTED_EVENT, operation, options);
  for (const event of events) announce(core, event, operation, options);
}

const BILL_EVENTS = {
  [STATUSES.OPEN]: 'payment.confirmed',
  [STATUSES.COMPLETED]: 'payment.confirmed',
  [STATUSES.FAILED]: 'payment.failed',
  [STATUSES.CANCELED]: 'payment.cancelled',
} as const;

/**
 * Partner API v2.3, "Event kinds". Top-ups, vouchers, chargebacks and refunds have none (open question 8), nor has cash
 * over an agent's counter. A bill has one for each way it can end.
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
    // Once: when it is authorised. No event tells that it was released or given back.
    case OPERATION_TYPES.CARD_PAYMENT:
      return status === STATUSES.CANCELED ? [] : ['payment.card.authorized'];
    case OPERATION_TYPES.CASHOUT:
      return method === 'Network' ? ['cashout.network.executed'] : [];
    default:
      return [];
  }
}
