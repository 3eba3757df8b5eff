import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import {
  type Core,
  type Handlers,
  isRefusal,
  type Refusal,
  type Request,
  refuse,
  type Tenant,
} from '../core/core.ts';
import { givenBack } from '../operations/given-back.ts';
import type { Operation, Operations } from '../operations/operation.ts';
import { forbidden, type PaymentAction, stateOf } from './lifecycle.ts';
import type { CardPayment } from './payment.ts';
import { maskedPan } from './test-cards.ts';

/** A payment on which an action is possible. */
interface Found {
  readonly payment: CardPayment;
  readonly operation: Operation;
  readonly amount: Centimes;
}

/** What is asked to be given back of a payment. */
export type Refund = Request<Api['refundCardPayment']>['body'];

/**
 * What becomes of a card payment that was authorised: captured, reversed or refunded (Partner API v2.3, "Card payment
 * lifecycle"). None of them has an event; the answer is final.
 */
export function createSettlements(core: Core, operations: Operations) {
  const { db, ledger, clock } = core;

  /** The payment of this merchant that a condition finds, if the action is possible in its state; else why not. */
  function find(
    action: PaymentAction,
    { tenant, phone, dirhams }: { tenant: number; phone: string; dirhams: number },
    where: string,
    ...values: readonly (string | number)[]
  ): Found | Refusal {
    const amount = fromDecimal(dirhams);
    if (toDecimal(amount) !== dirhams) return refuse('amountInvalid');
    const payment = db.get<CardPayment>(
      `SELECT * FROM cardPayments WHERE tenant = ? AND receiver = ? AND purpose = 'payment' AND ${where}`,
      ...[tenant, phone, ...values],
    );
    if (!payment) return refuse('cardPaymentUnknown');
    const operation = db.get<Operation>('SELECT * FROM operations WHERE id = ?', payment.operation);
    const refunded = operation ? givenBack(db, operation) : 0;
    const barred = forbidden(stateOf(payment, operation, refunded, clock.now()), action);
    // Without an operation no state allows anything.
    if (barred || !operation) return barred ?? refuse('cardPaymentState');
    return { payment, operation, amount };
  }

  const byGatewayIds = 'orderId = ? AND trackId = ?';
  const withGateway = ({ kind }: CardPayment, skips: boolean | undefined) =>
    kind === 'settlementRefused' && !skips ? refuse('gatewayRefused') : undefined;

  /**
   * Ends a hold: the merchant gets what is captured, the income its share of the fees, the card the rest.
   * @param captured 0 releases all of it
   */
  function endHold({ payment, operation }: Found, captured: Centimes): Centimes {
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
    const [left, fee] = captured > 0 ? [captured, share] : [amount, fees];
    db.run(
      `UPDATE operations SET status = ?, settlesAs = ?, amount = ?, fees = ?, executedAt = ?, settleAt = ?
       WHERE id = ?`,
      ...[status, status, left, fee, now, now, id],
    );
    return rest;
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

  /** The payment that a refund is of, if so much of it can be given back now; else why not. */
  function refundable(tenant: Tenant, refund: Refund): Found | Refusal {
    const { PhoneNumber: phone, RefundAmount: dirhams, OperationId, OrderId, TransactionTrackId } = refund;
    const found = find('refund', { tenant: tenant.id, phone, dirhams }, 'operation = ?', OperationId);
    if (isRefusal(found)) return found;
    const { payment, operation, amount } = found;
    const isOther = (OrderId ?? payment.orderId) !== payment.orderId;
    if (isOther || (TransactionTrackId ?? payment.trackId) !== payment.trackId)
      return refuse('cardPaymentUnknown');
    if (givenBack(db, operation) + amount > operation.amount) return refuse('refundExceeded');
    if (ledger.balance(payment.account) < amount) return refuse('insufficientFunds');
    return withGateway(payment, false) ?? found;
  }

  const order = ({ tenant, body }: Request<Api['captureCardPayment']>) =>
    ({ tenant: tenant.id, phone: body.PhoneNumber, dirhams: body.Amount }) as const;

  return {
    /** Once, for all or a part of what was authorised; the rest is released (open question 11). */
    capture(request) {
      const { OrderId, TransactionTrackId, SkipGatewayCall } = request.body;
      const found = find('capture', order(request), byGatewayIds, OrderId, TransactionTrackId);
      if (isRefusal(found)) return found;
      const { payment, operation, amount } = found;
      if (amount > operation.amount) return refuse('captureExceeded');
      const refused = withGateway(payment, SkipGatewayCall);
      return refused ?? answer(payment, operation.id, endHold(found, amount));
    },

    /** "Amount is the authorization amount to release": a part of it cannot be. */
    reverse(request) {
      const { OrderId, TransactionTrackId, SkipGatewayCall } = request.body;
      const found = find('reverse', order(request), byGatewayIds, OrderId, TransactionTrackId);
      if (isRefusal(found)) return found;
      const { payment, operation, amount } = found;
      if (amount !== operation.amount) return refuse('reverseAmount');
      const refused = withGateway(payment, SkipGatewayCall);
      return refused ?? answer(payment, operation.id, endHold(found, centimes(0)));
    },

    /** In one part or several, from the merchant's wallet, at once. Fees are not given back. */
    refund({ tenant, requestId, struck, body }) {
      const found = refundable(tenant, body);
      if (isRefusal(found)) return found;
      const { payment, operation: original, amount } = found;
      const operation = operations.execute(
        {
          tenant: tenant.id,
          type: OPERATION_TYPES.PAYMENT_REFUND,
          amount,
          fees: centimes(0),
          reason: payment.externalReference ?? '',
          payer: payment.account,
          senderId: payment.customer,
          sender: payment.receiver,
          payee: original.payer,
          receiverId: null,
          receiver: maskedPan(payment.last4),
          method: 'Card',
          original: original.id,
          openLoop: 0,
          requestId,
          settlesAs: STATUSES.COMPLETED,
        },
        struck,
        0,
      );
      return answer(payment, operation.id, amount);
    },
    refundable,
  } satisfies Record<PaymentAction | 'refundable', unknown> & {
    capture: Handlers<'captureCardPayment'>['captureCardPayment'];
    reverse: Handlers<'reverseCardPayment'>['reverseCardPayment'];
    refund: Handlers<'refundCardPayment'>['refundCardPayment'];
  };
}
export type Settlements = ReturnType<typeof createSettlements>;
