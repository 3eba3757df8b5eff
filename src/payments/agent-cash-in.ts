import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type AgentCashOrder, agentCash, nameOf } from './agent-cash.ts';
import type { PaymentMethod } from './payment.ts';

/** A customer pays cash in at an agent, who executes their reference, or one that was made for their number. */
export interface AgentCashInOrder extends AgentCashOrder {
  readonly kind: 'agent-cash-in';
}

/** A deposit at an agent: the agent's float pays it into the customer's wallet, by the reference. No event tells of it. */
const CASH = agentCash('cash-in', (request, { api, call }) => api.agentCashIn(request, call));

export const agentCashIn = {
  ...CASH,
  type: OPERATION_TYPES.CASHIN,
  said: {
    ...CASH.said,
    called: 'agent-cash-in.called',
    failedBesideAnother: 'agent-cash-in.noSecond',
    refusals: { insufficientFunds: 'agent-cash-in.floatTooLow', agentUnknown: 'problem.90140' },
  },
  /** A deposit by number has a reference of its own each time, so that the same one again can only be told by whom and how much. */
  alike: {
    ...CASH.alike,
    name: (order) => (order.customer ? `${order.customer} ${order.amount}` : nameOf(order)),
  },
  payee: { hears: 'deposit' },
} satisfies PaymentMethod<AgentCashInOrder>;
