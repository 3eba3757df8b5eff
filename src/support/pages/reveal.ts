import type { Context } from 'hono';
import type { Case } from '../../conversation/cases/case.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { aboutWhom, answer, audited } from './answer.ts';
import type { Tools } from './options.ts';
import { REASON, typedIn } from './words.ts';

interface Hidden {
  readonly on: string;
  /** As the list of what an agent sees names it. */
  readonly subject: string;
  readonly about?: string | undefined;
  readonly own?: string | undefined;
  /** Tells the customer, where the agent wants that. */
  readonly tell?: () => Promise<unknown>;
}

/** The open case about a session, where it is this agent's own: it is reason enough to see the customer's data. */
export function ownCase(it: Case | undefined, agent: string): string | undefined {
  return it?.owner?.id === agent ? it.id : undefined;
}

/**
 * The reason why a file of the customer's stays closed. Undefined: the agent sees the data of this session, for a
 * reason that they gave a moment ago. Their own case is a reason, and so is their talk with the customer. It counts as
 * a reveal like any other.
 */
export async function whyClosed(
  { desk, reveals }: Pick<Tools, 'desk' | 'reveals'>,
  agent: string,
  address: Address,
): Promise<'noReason' | 'tooMany' | undefined> {
  if ((await reveals.until(agent, address)) !== undefined) return undefined;
  const talks = (await desk.session(address))?.owner?.id === agent;
  if (!talks && ownCase(await desk.cases.at(address).catch(whenAway), agent) === undefined) return 'noReason';
  return (await reveals.reveal(agent, address)) ? undefined : 'tooMany';
}

/**
 * Shows the signed-in agent a customer's data, for the reason that they give. @param back the page that it is asked for
 * on
 */
export async function revealTo(
  tools: Pick<Tools, 'desk' | 'audit' | 'reveals'>,
  c: Context<Guarded>,
  address: Address,
  back: string,
): Promise<Response> {
  const { id, name } = c.var.who;
  const about = await aboutWhom(tools, address);
  const own = ownCase(await tools.desk.cases.at(address).catch(whenAway), id);
  const tell = () => tools.desk.tellRevealed(address, { id, name });
  return revealFor(tools, c, { on: address, subject: address, about, tell, own }, back);
}

/** The same of anything that is hidden. */
export async function revealFor(
  tools: Pick<Tools, 'audit' | 'reveals'>,
  c: Context<Guarded>,
  { on, subject, about, tell, own = '' }: Hidden,
  back: string,
): Promise<Response> {
  const { why, tell: isToTell } = await c.req.parseBody();
  const typed = typedIn(why, REASON);
  const { text: reason, no } = own && typed.text === '' ? { text: own, no: undefined } : typed;
  await audited(tools, c, 'reveal', { on, about, why: reason });
  if (no) return answer(c, no, back);
  if (!(await tools.reveals.reveal(c.var.who.id, subject))) return answer(c, 'tooMany', back);
  if (isToTell === 'yes') await tell?.();
  return answer(c, 'revealed', back);
}
