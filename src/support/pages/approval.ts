import type { Context } from 'hono';
import type { ApprovalRefusal } from '../access/accounts.ts';
import type { Guarded } from '../access/guard.ts';
import type { Act } from '../access/roles.ts';
import type { Tools } from './options.ts';

/**
 * Why whoever is signed in does not approve a proposal; undefined where they may ("four eyes"). `notNow`: it is not the one that they
 * have read, or it is over: one that is made meanwhile was looked at by nobody.
 * @param at the `at` of the proposal that they have read
 * @param proposes what it takes to propose it: whoever has may have lost that since
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
