import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type AgentCashOrder, agentCash } from './agent-cash.ts';
import type { PaymentMethod } from './payment.ts';

/** A customer draws cash at an agent, by their reference and by nothing else. */
export interface AgentCashOutOrder extends AgentCashOrder {
  readonly kind: 'agent-cash-out';
}

/**
 * A withdrawal at an agent: the customer's wallet pays the agent's float, and the agent hands the cash out once that is done. No
 * event tells of it.
 */
export const agentCashOut = {
  ...agentCash('cash-out', (request, { api, call }) => api.agentCashOut(request, call)),
  type: OPERATION_TYPES.CASHOUT,
  statementName: 'statement.withdrawal',
  called: 'agent-cash-out.called',
  failedBesideAnother: 'agent-cash-out.noSecond',
  recipientHears: 'withdrawal',
  doneAt: 'agent-cash-out.doneAt',
  side: 'credit',
  refusals: {
    insufficientFunds: 'agent-cash-out.balanceTooLow',
    agentUnknown: 'problem.90140',
    referenceUsed: 'agent-cash-out.used',
  },
} satisfies PaymentMethod<AgentCashOutOrder>;
