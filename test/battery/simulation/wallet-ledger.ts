import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../../src/wallet/contract/fields.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Operation } from '../../../src/wallet/wallet.ts';
import type { Execution } from '../town/oracle.ts';
import { RECEIVED } from './merchants.ts';
import { isOfPrincipal, type Paid, TYPES } from './paid.ts';

const HOUR_MS = 3_600_000;
const { OPEN, COMPLETED, FAILED } = STATUSES;
const DIRECTIONS = { credit: 1, debit: 2 } as const;
const MASKED_CARD = '424242******4242';
/** The code of the principal agent. */
export const PRINCIPAL_CODE = 'PA-1001';
/** Prefix of the request id of a payment that did not come from Wasl. */
export const ELSEWHERE = 'elsewhere-';

/** Money that the model wallet has moved, with facts that only the wallet knows. */
export interface Moved {
  readonly id: number;
  readonly requestId: string;
  order: Paid;
  readonly at: number;
  /** From this moment on the list shows it. A look-up by its id always finds it. */
  readonly listedAt: number;
  status: OperationStatus;
  completedAt?: number;
  reversedAt?: number;
  /** When the webhook about its present status arrives. Undefined: never. */
  announcedAt: number | undefined;
  /** The code of a voucher. Only the answer to the purchase names it. */
  readonly code?: string;
}

/** The operation as the ledger shows it now. A payment from elsewhere belongs to no request of Wasl. */
export function executionOf({ id, requestId, order, status }: Moved): Execution {
  return {
    operationId: id,
    requestId: requestId.startsWith(ELSEWHERE) ? '' : requestId,
    type: TYPES[order.kind],
    amount: order.amount,
    sender: isCredit(order) ? MASKED_CARD : order.from,
    receiver: order.to,
    status,
    ...(order.till && order.reference !== undefined && { reference: order.reference }),
  };
}

/** True when the money comes from a card. */
function isCredit({ kind }: Paid): boolean {
  return kind === 'card-cash-in' || kind === 'card-payment' || kind === 'float-card';
}

/** True when a number sees the operation in its own list. */
export function isListedFor(phone: Msisdn, { order: { kind, from, to }, status }: Moved): boolean {
  if (isOfPrincipal(kind) && kind !== 'payout') return false;
  if (from === phone) return kind !== 'payout';
  return (kind === 'payout' || kind === 'transfer') && to === phone && status === COMPLETED;
}

/** The operation as its sender or receiver sees it. */
export function operationFor(phone: Msisdn, { id, order, at, status }: Moved): Operation {
  const isDebit = order.from === phone && !isCredit(order);
  const fees = centimes(isDebit ? 200 : 0);
  return {
    ...{ id, type: TYPES[order.kind], status, amount: order.amount, fees, at },
    direction: isDebit ? DIRECTIONS.debit : DIRECTIONS.credit,
    total: centimes(order.amount + fees),
    sender: isCredit(order) ? MASKED_CARD : order.kind === 'payout' ? PRINCIPAL_CODE : order.from,
    receiver: order.kind === 'card-refund' ? 'card' : order.to,
  };
}

/** The operation as the principal agent sees it. */
export function operationOfAgent({ id, order: { kind, to, amount }, status, at }: Moved): Operation {
  const sides = { sender: PRINCIPAL_CODE, receiver: to, direction: DIRECTIONS.debit } as const;
  return { id, type: TYPES[kind], status, amount, fees: centimes(0), total: amount, at, ...sides };
}

/** Two payments that a merchant has received, as the merchant's list shows them. */
export function receivedBy(phone: Msisdn, now: number) {
  const operations = RECEIVED.map(
    ({ id, payer, amount }): Operation => ({
      ...{ id, amount, total: amount, fees: centimes(0), type: OPERATION_TYPES.MOBILE_PAYMENT },
      ...{ status: COMPLETED, direction: DIRECTIONS.credit, at: now - HOUR_MS },
      ...{ sender: payer, receiver: phone },
    }),
  );
  return { operations, count: operations.length };
}

/** The event about the present status. Undefined: the wallet never announces such a payment (open question 8). */
export function eventOf({ order: { kind, till }, status, reversedAt }: Moved): string | undefined {
  if (till) {
    if (till === 'agent' || status !== COMPLETED) return undefined;
    return kind === 'agent-cash-in' ? 'cashin.network.executed' : 'cashout.network.executed';
  }
  if (kind === 'transfer') return 'transfer.received';
  if (kind === 'merchant-payment') return 'payment.received';
  if (TYPES[kind] === OPERATION_TYPES.BANK_TRANSFER)
    return status === OPEN ? 'bank-transfer.initiated' : 'bank-transfer.completed';
  if (kind === 'card-cash-in' || kind === 'float-card') return 'cashin.card.authorized';
  if (kind === 'card-payment') return 'payment.card.authorized';
  if (kind !== 'bill-payment') return undefined;
  if (status === FAILED) return 'payment.failed';
  if (status === COMPLETED) return 'payment.confirmed';
  return reversedAt === undefined ? 'payment.cancelled' : 'payment.refunded';
}

/** The body of a webhook. */
export function webhookOf(
  { id, requestId, order, at, status }: Moved,
  event: { readonly name: string; readonly id: string; readonly at: number; readonly amount: number },
): string {
  return JSON.stringify({
    data: {
      EventId: event.name,
      WebhookId: event.id,
      CRequestId: requestId,
      OperationId: id,
      TransactionId: id,
      OperationType: TYPES[order.kind],
      OperationStatus: status,
      CreatedAt: new Date(at).toISOString(),
      ExecutedAt: new Date(event.at).toISOString(),
      Amount: event.amount / 100,
      FeeAmount: order.till ? 0 : 2,
      PrimaryAccountNumber: payerOf(order),
      SecondaryAccountNumber: order.kind === 'float-card' ? PRINCIPAL_CODE : order.to,
      ...(order.till && { Reference: order.reference, NetworkName: 'Guichet 12', Method: 'Network' }),
      ...(order.kind === 'card-payment' && { GatewayOrderId: `O${id}`, GatewayTrackId: `T${id}` }),
    },
  });
}

/** The payer that an event names. */
function payerOf(order: Paid): string {
  if (order.till) return order.kind === 'agent-cash-in' ? order.to : order.from;
  if (isCredit(order)) return MASKED_CARD;
  return isOfPrincipal(order.kind) ? PRINCIPAL_CODE : order.from;
}
