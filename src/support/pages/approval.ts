import type { Context } from 'hono';
import type { ApprovalRefusal } from '../access/accounts.ts';
import type { Guarded } from '../access/guard.ts';
import type { Act } from '../access/roles.ts';
import type { Tools } from './options.ts';

/**
 * The reason why the signed-in agent may not approve a proposal. Undefined where they may ("four eyes"). `notNow`: the
 * agent has read another proposal, or this one is over. A proposal that was made meanwhile has been read by nobody.
 * @param at the `at` of the proposal that they have read
 * @param proposes the act that a proposer must be allowed: the proposer may have lost it since
 */
export async function whyNotApproved(
  { refusesApproval }: Pick<Tools, 'refusesApproval'>,
  c: Context<Guarded>,
  proposal: { readonly by: string; readonly at: number } | undefined,
  { at, proposes }: { readonly at: number; readonly proposes: Act },
): Promise<ApprovalRefusal | 'notNow' | undefined> {
  if (proposal?.at !== at) return 'notNow';
  return refusesApproval(proposal.by, c.var.who.id, proposes);
}
