import type { CardRefundRequest } from '../wallet/bank-cards.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { CardPayment } from './card-payment.ts';
import type { PaymentMethod, Placed } from './payment.ts';

/** A merchant gives back what was paid by card, or a part of it: it goes back to the card. */
export interface CardRefundOrder extends Placed {
  readonly kind: 'card-refund';
  readonly payment: CardPayment;
}

/** It has no event, and the list shows no payment of it: two of one amount cannot be told apart. */
export const cardRefund = {
  madeIn: 'card-payments',
  type: OPERATION_TYPES.PAYMENT_REFUND,
  guard: 'list',

  said: {
    called: 'card-refund.called',
    values: ({ payment }) => ({ paid: { money: payment.amount }, paidAt: { date: payment.at } }),
  },
  /** Each further part of one payment is asked about, whatever its amount. */
  alike: { beneficiary: ({ payment }) => payment.id, name: ({ payment }) => payment.id },
  listed: { statementName: 'statement.refund', beneficiary: () => 'card', receiver: () => undefined },
  followed: { takenBack: 'read', events: {} },

  preview: (order, { api, call }) => api.previewCardRefund(requestOf(order), call),
  execute: (order, { api, call }) => api.refundCard(requestOf(order), call),
} satisfies PaymentMethod<CardRefundOrder>;

function requestOf({ from, amount, payment }: CardRefundOrder): CardRefundRequest {
  const { operationId, orderId, trackId } = payment;
  return { merchant: from, amount, operationId, orderId, trackId };
}
