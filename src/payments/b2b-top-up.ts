import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { centimes } from '../wallet/money.ts';
import type { Call } from '../wallet/wallet.ts';
import { AIRTIME, type AirtimeOrder } from './airtime.ts';
import { type HistoryApi, OPERATIONS_PAGE_SIZE, type PaymentMethod } from './payment.ts';

/** Airtime that the principal agent pays. `from` is the number that acts for it, whose PIN confirms it and of whose wallet nothing moves. */
export interface B2bTopUpOrder extends AirtimeOrder {
  readonly kind: 'b2b-top-up';
  /** The principal agent's. */
  readonly code: string;
}

/** How long the list is asked. After that a person looks, because no event tells of this payment. */
const FOLLOWED_MS = 3_600_000;
/** Partner API v2.3: sens 2 DEBIT. */
const DEBIT = 2;
/** How many pages of the list one operation is looked for on. */
const PAGES_MAX = 20;

/**
 * Airtime from the float of the principal agent. The API previews no price, its answer names no operation, and no event
 * tells of it (open questions 116 and 117). After a lost answer the list of all operations shows the outcome, where the
 * key may read it.
 */
export const b2bTopUp = {
  ...AIRTIME,
  ofAgent: 'principal',
  said: {
    ...AIRTIME.said,
    called: 'b2b-top-up.called',
    refusals: {
      insufficientFunds: 'b2b-top-up.floatTooLow',
      agentUnknown: 'problem.90140',
      amountInvalid: 'top-up.amountRefused',
    },
  },
  listed: { ...AIRTIME.listed, isFrom: (sender, { code }) => sender === code },

  async preview({ amount }) {
    return { kind: 'ok', value: { fees: centimes(0), total: amount, openLoop: false } };
  },
  execute: ({ code, to, amount, operator, product }, { api, call }) =>
    api.topUpB2b({ code, to, amount, operator, ...(product && { productCode: product.code }) }, call),
  guard: { history: listed },
  followed: {
    ...AIRTIME.followed,
    forMs: FOLLOWED_MS,
    endsWithPerson: true,
    async read(order, id, { api, call }) {
      for (let page = 1; page <= PAGES_MAX; page++) {
        const answer = await listed(order, api, page, call);
        if (answer.kind !== 'ok') return answer;
        const { operations, leftOut } = answer.value;
        const found = operations.find((each) => each.id === id);
        if (found) return { kind: 'ok', value: found };
        if (operations.length === 0 && !leftOut) break;
      }
      return { kind: 'unknown', why: 'the list does not show it any more' };
    },
  },
} satisfies PaymentMethod<B2bTopUpOrder>;

/** A page of what the list of all operations has of this agent's, newest first: on the agent's side of them. */
async function listed(
  { code }: B2bTopUpOrder,
  api: Pick<HistoryApi, 'agentOperations'>,
  page: number,
  call: Call,
) {
  const types = [OPERATION_TYPES.RECHARGE];
  const answer = await api.agentOperations({ code, types, page, pageSize: OPERATIONS_PAGE_SIZE }, call);
  if (answer.kind !== 'ok') return answer;
  const own = answer.value.operations.map((each) => ({ ...each, direction: DEBIT as typeof each.direction }));
  return { kind: 'ok' as const, value: { ...answer.value, operations: own } };
}
