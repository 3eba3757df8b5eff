import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type CardSettlementOrder, foundOf, settlementOf, stillReserved } from './card-settlement.ts';
import type { PaymentMethod } from './payment.ts';

/** A merchant gives up what a card payment has reserved, all of it: the card is never charged. */
export interface CardReverseOrder extends CardSettlementOrder {
  readonly kind: 'card-reverse';
}

export const cardReverse = {
  type: OPERATION_TYPES.CARD_PAYMENT,
  changesAnother: true,
  statementName: 'statement.payment',
  called: 'card-reverse.called',
  events: {},
  side: 'credit',

  values: ({ payment }) => ({ paidAt: { date: payment.at } }),
  beneficiary: ({ payment }) => payment.id,
  alike: ({ payment }) => payment.id,
  listedBeneficiary: ({ payment }) => payment.id,
  receiver: () => undefined,
  reference: ({ payment }) => String(payment.operationId),

  preview: stillReserved,
  execute: (order, { api, call }) => api.reverseCard(settlementOf(order), call),
  find: (order, { api, call }) =>
    foundOf(order, api, call, ({ status }) => ({ state: status === 'failed' ? 'succeeded' : 'failed' })),
} satisfies PaymentMethod<CardReverseOrder>;
