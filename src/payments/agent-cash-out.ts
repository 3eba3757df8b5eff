import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type AgentCashOrder, agentCash } from './agent-cash.ts';
import type { PaymentMethod } from './payment.ts';

/** A customer draws cash at an agent, by their reference and by nothing else. */
export interface AgentCashOutOrder extends AgentCashOrder {
  readonly kind: 'agent-cash-out';
}

/** The customer's wallet pays the agent's float, then the agent hands out cash. No event tells of it. */
const CASH = agentCash('cash-out', (request, { api, call }) => api.agentCashOut(request, call));

export const agentCashOut = {
  ...CASH,
  type: OPERATION_TYPES.CASHOUT,
  said: {
    ...CASH.said,
    called: 'agent-cash-out.called',
    doneAt: 'agent-cash-out.doneAt',
    failedBesideAnother: 'agent-cash-out.noSecond',
    refusals: {
      insufficientFunds: 'agent-cash-out.balanceTooLow',
      agentUnknown: 'problem.90140',
      referenceUsed: 'agent-cash-out.used',
    },
  },
  listed: { ...CASH.listed, side: 'credit' },
  payee: { hears: 'withdrawal' },
} satisfies PaymentMethod<AgentCashOutOrder>;
