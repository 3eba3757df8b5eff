import { type CardSettlementOrder, foundOf, SETTLEMENT, settlementOf } from './card-settlement.ts';
import type { PaymentMethod } from './payment.ts';

/** A merchant takes what a card payment has reserved: all of it, or a part; the rest is released. */
export interface CardCaptureOrder extends CardSettlementOrder {
  readonly kind: 'card-capture';
}

export const cardCapture = {
  ...SETTLEMENT,
  said: {
    called: 'card-capture.called',
    values: ({ payment }) => ({ reserved: { money: payment.amount }, paidAt: { date: payment.at } }),
  },
  execute: (order, { api, call }) => api.captureCard(settlementOf(order), call),
  // What was captured with another amount was captured by somebody else, or the wallet lists it otherwise: a person looks.
  followed: {
    find: (order, { api, call }) =>
      foundOf(order, api, call, ({ status, amount }) =>
        status === 'failed' ? { state: 'failed' } : amount === order.amount ? { state: 'succeeded' } : {},
      ),
  },
} satisfies PaymentMethod<CardCaptureOrder>;
