import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, Request, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { executeOperation, type Operation, operationById, refundedAmount } from '../operations/operation.ts';
import { announce } from '../webhooks/webhooks.ts';
import { type CardPayment, LIFECYCLE, type PaymentAction, stateOf } from './payment.ts';
import { maskedPan } from './test-cards.ts';

/** A payment on which an action is possible. */
interface Found {
  readonly payment: CardPayment;
  readonly operation: Operation;
  readonly amount: Centimes;
}

export type Refund = Request<Api['refundCardPayment']>['body'];
type Settling = Request<Api['captureCardPayment']>;

/**
 * The ways on for an authorised card payment: captured, reversed or refunded (Partner API v2.3, "Card payment lifecycle").
 * None of them has an event, and the answer is final.
 */
export const settlements = {
  /** Once, for all or a part of what was authorised. The rest is released (open question 11). */
  captureCardPayment(core, request) {
    const found = findAuthorized(core, 'capture', request);
    const { payment, operation, amount } = found;
    if (amount > operation.amount) refuse('captureExceeded');
    requireGateway(payment, request.body.SkipGatewayCall);
    return settled(core, found, amount);
  },

  /** "Amount is the authorization amount to release": a part of it cannot be. */
  reverseCardPayment(core, request) {
    const found = findAuthorized(core, 'reverse', request);
    const { payment, operation, amount } = found;
    if (amount !== operation.amount) refuse('reverseAmount');
    requireGateway(payment, request.body.SkipGatewayCall);
    return settled(core, found, centimes(0));
  },

  /** In one part or several, from the merchant's wallet, at once. Fees are not given back. */
  refundCardPayment(core, request) {
    const { payment, operation } = giveBack(core, request);
    const named = core.settings.refundOperation === 'refund' ? operation.id : (operation.original ?? 0);
    return answer(payment, named, operation.amount);
  },
} satisfies SomeHandlers;

/** Refunds a payment. Gives it with the operation of the refund. */
export function giveBack(core: Core, request: Omit<Request<Api['refundCardPayment']>, 'params' | 'query'>) {
  const { payment, operation: original, amount } = refundable(core, request.tenant, request.body);
  const operation = executeOperation(
    core,
    request,
    {
      type: OPERATION_TYPES.PAYMENT_REFUND,
      amount,
      reason: payment.externalReference ?? '',
      payer: payment.account,
      senderId: payment.customer,
      sender: payment.receiver,
      payee: original.payer,
      receiver: maskedPan(payment.last4),
      method: 'Card',
      original: original.id,
    },
    0,
  );
  return { payment, operation };
}

/** The payment that a refund is of, if so much of it can be given back now. Any other is refused. */
export function refundable(core: Core, tenant: Tenant, refund: Refund): Found {
  const { PhoneNumber: phone, RefundAmount: dirhams, OperationId, OrderId, TransactionTrackId } = refund;
  const found = find(core, 'refund', { tenant, phone, dirhams }, 'operation = ?', OperationId);
  const { payment, operation, amount } = found;
  const isOther = (OrderId ?? payment.orderId) !== payment.orderId;
  if (isOther || (TransactionTrackId ?? payment.trackId) !== payment.trackId) refuse('cardPaymentUnknown');
  if (refundedAmount(core.db, operation) + amount > operation.amount) refuse('refundExceeded');
  requireFunds(core, payment.account, amount);
  requireGateway(payment, false);
  return found;
}

function findAuthorized(core: Core, action: 'capture' | 'reverse', { tenant, body }: Settling): Found {
  const { PhoneNumber: phone, Amount: dirhams, OrderId, TransactionTrackId } = body;
  const asked = { tenant, phone, dirhams };
  return find(core, action, asked, 'orderId = ? AND trackId = ?', OrderId, TransactionTrackId);
}

/** The payment of this merchant that a condition finds, if the action is possible in its state. Any other is refused. */
function find(
  core: Core,
  action: PaymentAction,
  { tenant, phone, dirhams }: { tenant: Tenant; phone: string; dirhams: number },
  where: string,
  ...values: readonly (string | number)[]
): Found {
  const { db, clock } = core;
  const amount = amountOf(dirhams);
  const payment = db.get<CardPayment>(
    `SELECT * FROM cardPayments WHERE tenant = ? AND receiver = ? AND purpose = 'payment' AND ${where}`,
    ...[tenant.id, phone, ...values],
  );
  if (!payment) refuse('cardPaymentUnknown');
  const operation = operationById(core, payment.operation);
  const refunded = operation ? refundedAmount(db, operation) : 0;
  const state = stateOf(payment, operation, refunded, clock.now());
  // Without an operation no state allows anything.
  if (!operation || !LIFECYCLE[state].includes(action))
    refuse('cardPaymentState', { detail: `it is ${state}` });
  return { payment, operation, amount };
}

/** Refuses what the gateway of a test card refuses, unless it is not asked. */
function requireGateway({ kind }: CardPayment, skips: boolean | undefined): void {
  if (kind === 'settlementRefused' && !skips) refuse('gatewayRefused');
}

/**
 * Ends a hold: the merchant gets what is captured, the income its share of the fees, the card the rest.
 * @param captured 0 releases all of it
 */
function endHold({ db, ledger, clock }: Core, { payment, operation }: Found, captured: Centimes): Centimes {
  const { id, tenant, amount, fees, payer } = operation;
  const share = centimes(Math.round((fees * captured) / amount));
  const rest = centimes(amount + fees - captured - share);
  const now = clock.now();
  ledger.post(tenant, now, id, [
    [ledger.own(tenant, 'transit'), -(amount + fees)],
    [payment.account, captured],
    [ledger.own(tenant, 'fees'), share],
    [payer, rest],
  ]);
  const status = captured > 0 ? STATUSES.COMPLETED : STATUSES.CANCELED;
  const left = captured > 0 ? { amount: captured, fees: share } : {};
  db.update('operations', id, { status, settlesAs: status, ...left, executedAt: now, settleAt: now });
  return rest;
}

/** Ends a hold and answers: `refundAmount` is what goes back to the card. */
function settled(core: Core, found: Found, captured: Centimes) {
  const { payment, operation, amount } = found;
  const back = endHold(core, found, captured);
  const completed = { ...operation, amount: captured, status: STATUSES.COMPLETED };
  if (captured > 0 && core.settings.captureEvent === 'sent')
    announce(core, 'payment.card.authorized', completed);
  return answer(payment, operation.id, core.settings.refundAmount === 'back' ? back : amount);
}

function answer({ orderId, trackId, receiver }: CardPayment, operationId: number, back: Centimes) {
  return {
    phoneNumber: receiver,
    operationId,
    refundAmount: toDecimal(back),
    orderId,
    transactionTrackId: trackId,
  };
}
