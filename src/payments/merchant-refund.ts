import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { Centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { ChargebackRequest } from '../wallet/services.ts';
import { DEFAULT_REASON, type PaymentMethod, type Placed } from './payment.ts';

export interface ReceivedPayment {
  /** The wallet's operation. */
  readonly id: number;
  readonly amount: Centimes;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payer: Msisdn;
  /** The amount that can still be given back, as far as Wasl knows. Absent: all of it. */
  readonly left?: Centimes;
}

/** All of a payment, or a part of it, goes back to who paid it. */
export interface MerchantRefundOrder extends Placed {
  readonly kind: 'merchant-refund';
  readonly to: Msisdn;
  readonly original: Omit<ReceivedPayment, 'payer' | 'left'>;
}

/**
 * A merchant gives back a payment from another wallet. The API calls it a chargeback, but it is a payment that is
 * executed at once, and no dispute. It has no event. The list shows it without its payment, so two refunds of the same
 * amount to one customer cannot be told apart there. Wasl tells the payer once it is done.
 */
export const merchantRefund = {
  type: OPERATION_TYPES.CHARGEBACK,
  guard: 'list',

  said: {
    called: 'merchant-refund.called',
    values: ({ to, original }) => ({
      to: { masked: to },
      paid: { money: original.amount },
      paidAt: { date: original.at },
    }),
  },
  /** Each further part of one payment is asked about, whatever its amount. */
  alike: { beneficiary: ({ to }) => to, name: ({ original }) => String(original.id) },
  listed: { statementName: 'statement.refund', beneficiary: ({ to }) => to, receiver: ({ to }) => to },
  followed: { takenBack: 'read', events: {} },
  payee: { hears: 'refund' },

  preview: (order, { api, call }) => api.previewChargeback(requestOf(order), call),
  execute: (order, { api, call }) => api.chargeback(requestOf(order), call),
} satisfies PaymentMethod<MerchantRefundOrder>;

function requestOf({ from, to, amount, original }: MerchantRefundOrder): ChargebackRequest {
  return { from, to, amount, originalId: original.id, reason: DEFAULT_REASON };
}
