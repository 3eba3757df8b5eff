import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Preview } from '../../src/wallet/wallet.ts';
import type { Screen, Values } from './screen.ts';

/**
 * A money movement as the customer asked for it. `kind` is the id of the machine that makes it and the name of its
 * locale file. A new way to pay is a new member of this union, and nothing else about the paying tail changes.
 */
export type Order = {
  readonly kind: 'transfer';
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
};

/** A preview, and when it was made (ms since 1970). */
export interface Quote extends Preview {
  readonly at: number;
}

/** What every sentence about an order may name. */
export function orderValues(order: Order, quote?: Quote): Values {
  return {
    amount: { money: order.amount },
    to: { phone: order.to },
    ...(quote && { fees: { money: quote.fees }, total: { money: quote.total } }),
    ...(quote?.recipientName && { recipientName: { name: quote.recipientName } }),
  };
}

/** How an order ended, as the customer is told: in the conversation that made it, or wherever the customer is. */
export function receipt(
  order: Order,
  quote: Quote,
  outcome: 'succeeded' | 'failed',
  operationId: number,
): Screen {
  const key = outcome === 'succeeded' ? `${order.kind}.done` : `${order.kind}.failed`;
  return {
    key,
    values: { ...orderValues(order, quote), reference: { code: String(operationId) } },
    expects: 'nothing',
  };
}
