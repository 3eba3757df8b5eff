import type { Address } from '../incoming.ts';
import type { Case, CaseOwner, Whose } from './case.ts';
import type { Cases } from './cases.ts';

/** The kinds of cases that are about the one who is at an address, the more important one first. */
const KINDS = ['asked', 'stuck'] as const;

/** The open case of who is at an address. */
export async function caseAt(cases: Pick<Cases, 'about'>, address: Address): Promise<Case | undefined> {
  for (const kind of KINDS) {
    const found = await cases.about(kind, address);
    if (found) return found;
  }
  return undefined;
}

/** An agent has taken the conversation over: its case is theirs. */
export async function engaged(
  cases: Cases,
  address: Address,
  by: CaseOwner,
  isForced: boolean,
): Promise<void> {
  const found = await caseAt(cases, address);
  if (found && found.owner?.id !== by.id) await cases.assign(found.id, by, { id: by.id, mayTake: isForced });
}

/** An agent has written to the customer: that answers the case of this conversation, and all of the same customer that are theirs. */
export async function agentWrote(
  cases: Cases,
  whose: Whose & { address: Address },
  by: CaseOwner,
): Promise<void> {
  const here = await caseAt(cases, whose.address);
  const theirs = (await cases.ofCustomer(whose)).filter(({ owner }) => owner?.id === by.id);
  const ids = new Set([...(here ? [here] : []), ...theirs].map(({ id }) => id));
  for (const id of ids) await cases.answered(id, by);
}

/** The customer has written to the agent who has the conversation: to all that are theirs. */
export async function customerWrote(
  cases: Cases,
  whose: Whose & { address: Address },
  owner: string | undefined,
): Promise<void> {
  const here = await caseAt(cases, whose.address);
  const theirs = (await cases.ofCustomer(whose)).filter((it) => it.owner && it.owner.id === owner);
  const ids = new Set([...(here ? [here] : []), ...theirs].map(({ id }) => id));
  for (const id of ids) await cases.customerWrote(id);
}
