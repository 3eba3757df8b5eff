import { type CardSettlementOrder, foundOf, SETTLEMENT, settlementOf } from './card-settlement.ts';
import type { PaymentMethod } from './payment.ts';

/** A merchant collects a card reservation, all of it or a part. The rest is released. */
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
  // Another amount means that somebody else collected it, or that the wallet lists it differently. A person looks.
  followed: {
    ...SETTLEMENT.followed,
    find: (order, { api, call }) =>
      foundOf(order, api, call, ({ status, amount }) =>
        status === 'failed' ? { state: 'failed' } : amount === order.amount ? { state: 'succeeded' } : {},
      ),
  },
} satisfies PaymentMethod<CardCaptureOrder>;
