import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type AgentCashOrder, agentCash } from './agent-cash.ts';
import type { PaymentMethod } from './payment.ts';

/** A line of a file of payouts to a wallet here: a reference that was made for its number, executed by the principal agent. */
export interface PayoutOrder extends AgentCashOrder {
  readonly kind: 'payout';
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
} satisfies PaymentMethod<PayoutOrder>;
