import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { type AgentCashOrder, agentCash } from './agent-cash.ts';
import { OPERATIONS_PAGE_SIZE, type PaymentMethod } from './payment.ts';

/** A line of a file of payouts to a wallet here: a reference that was made for its number, executed by the principal agent. */
export interface PayoutOrder extends AgentCashOrder {
  readonly kind: 'payout';
  readonly customer: Msisdn;
  /** The file, by its digest, and the line of it. */
  readonly file: string;
  readonly line: number;
}

const FOLLOWED_MS = 3_600_000;
const CASH = agentCash('cash-in', (request, { api, call }) => api.agentCashIn(request, call));

/**
 * Money for a wallet of ours from the float of the principal agent. The API has no such transfer. A deposit by
 * reference does the same (open question 118) and has a key: a reference is executed once. So a lost answer is looked
 * up and never sent again.
 */
export const payout = {
  ...CASH,
  ofAgent: 'principal',
  madeIn: 'payouts',
  inBulk: true,
  type: OPERATION_TYPES.CASHIN,

  said: { ...CASH.said, called: 'payout.called', calledAs: ['transfer'] },
  payee: { hears: 'deposit' },
  followed: {
    ...CASH.followed,
    forMs: FOLLOWED_MS,
    endsWithPerson: true,
    /** The recipient's list names the operation of a line that the store has lost. They are shown it as money that came in. */
    async read({ customer }, id, { api, call }) {
      const answer = await api.operation(customer, id, call);
      return answer.kind === 'ok' ? { kind: 'ok', value: { ...answer.value, direction: 2 } } : answer;
    },
  },

  guard: {
    // Each line has a reference of its own, so the wallet would execute a second one. The recipient's list shows the first.
    lines({ customer }, api, page, call, from) {
      const filter = { types: [OPERATION_TYPES.CASHIN], from, page, pageSize: OPERATIONS_PAGE_SIZE };
      return api.operations(customer, filter, call);
    },
  },
} satisfies PaymentMethod<PayoutOrder>;
