import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { centimes } from '../wallet/money.ts';
import type { TopUp, TopUpRequest } from '../wallet/services.ts';
import type { Operation } from '../wallet/wallet.ts';
import { AIRTIME, type AirtimeOrder } from './airtime.ts';
import { OPERATIONS_PAGE_SIZE, type PaymentMethod } from './payment.ts';

export interface TopUpOrder extends AirtimeOrder {
  readonly kind: 'top-up';
}

/** Airtime for a mobile number. It has no event: a lost answer is looked for in a history of its own (open question 8). */
export const topUp = {
  ...AIRTIME,
  said: {
    ...AIRTIME.said,
    called: 'top-up.called',
    refusals: { amountInvalid: 'top-up.amountRefused' },
  },
  payee: { again: ({ from, to }) => (to === from ? undefined : { to }) },

  preview: (order, { api, call }) => api.previewTopUp(requestOf(order), call),
  execute: (order, { api, call }) => api.topUp(requestOf(order), call),
  guard: {
    async history({ from }, api, page, call) {
      const answer = await api.topUps(from, { page, pageSize: OPERATIONS_PAGE_SIZE }, call);
      if (answer.kind !== 'ok') return answer;
      const { entries, ...odd } = answer.value;
      return { kind: 'ok', value: { operations: entries.map(asOperation(from)), ...odd } };
    },
  },
} satisfies PaymentMethod<TopUpOrder>;

function requestOf({ from, to, amount, operator, product }: TopUpOrder): TopUpRequest {
  return { from, to, amount, operator, ...(product && { productCode: product.code }) };
}

/**
 * v2.3 does not show that a history item has the id of the wallet's operation. Wasl reads it by that id afterwards. An
 * item that is neither completed, failed nor cancelled is still open (open question 30).
 */
function asOperation(from: string) {
  return ({ id, at, amount, to, status }: TopUp): Operation => ({
    id,
    type: OPERATION_TYPES.RECHARGE,
    status: status === 2 || status === 3 || status === 4 ? status : 1,
    direction: 2,
    amount,
    fees: centimes(0),
    total: amount,
    at,
    sender: from,
    receiver: to,
  });
}
