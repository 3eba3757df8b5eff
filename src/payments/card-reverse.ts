import { type CardSettlementOrder, foundOf, SETTLEMENT, settlementOf } from './card-settlement.ts';
import type { PaymentMethod } from './payment.ts';

/** A merchant gives up what a card payment has reserved, all of it: the card is never charged. */
export interface CardReverseOrder extends CardSettlementOrder {
  readonly kind: 'card-reverse';
}

export const cardReverse = {
  ...SETTLEMENT,
  said: { called: 'card-reverse.called', values: ({ payment }) => ({ paidAt: { date: payment.at } }) },
  execute: (order, { api, call }) => api.reverseCard(settlementOf(order), call),
  followed: {
    ...SETTLEMENT.followed,
    find: (order, { api, call }) =>
      foundOf(order, api, call, ({ status }) => ({ state: status === 'failed' ? 'succeeded' : 'failed' })),
  },
} satisfies PaymentMethod<CardReverseOrder>;
