import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { type AgentCashOrder, agentCash } from './agent-cash.ts';
import { OPERATIONS_PAGE_SIZE, type PaymentMethod, whole } from './payment.ts';

/** A line of a file of payouts to a wallet here: a reference that was made for its number, executed by the principal agent. */
export interface PayoutOrder extends AgentCashOrder {
  readonly kind: 'payout';
  readonly customer: Msisdn;
  /** The file, by its digest, and the line of it. */
  readonly file: string;
  readonly line: number;
}

const FOLLOWED_MS = 3_600_000;

/**
 * Money for a wallet here from the float of the principal agent. The API has no such transfer, but a deposit by reference comes to the
 * same (open question 118), and has a key: a reference is executed once, so a lost answer is looked up and never sent again.
 */
export const payout = {
  ...agentCash('cash-in', (request, { api, call }) => api.agentCashIn(request, call)),
  ofAgent: 'principal',
  madeIn: 'payouts',
  inBulk: true,
  followedMs: FOLLOWED_MS,
  endsWithPerson: true,
  type: OPERATION_TYPES.CASHIN,
  statementName: 'statement.deposit',
  called: 'payout.called',
  recipientHears: 'deposit',

  guard: {
    // Each line has a reference of its own, so the wallet would execute a second one. The recipient's list shows the first.
    async lines({ customer }, api, page, call, from) {
      const filter = { types: [OPERATION_TYPES.CASHIN], from, page, pageSize: OPERATIONS_PAGE_SIZE };
      return whole(await api.operations(customer, filter, call));
    },
  },
  /** The recipient's list names the operation of a line that the store has lost. They are shown it as money that came in. */
  async read({ customer }, id, { api, call }) {
    const answer = await api.operation(customer, id, call);
    return answer.kind === 'ok' ? { kind: 'ok', value: { ...answer.value, direction: 2 } } : answer;
  },
} satisfies PaymentMethod<PayoutOrder>;
