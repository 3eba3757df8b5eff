import type { Context } from 'hono';
import type { Address } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { aboutWhom } from './about.ts';
import { answer } from './answer.ts';
import type { Tools } from './options.ts';
import { REASON, typedIn } from './words.ts';

/** What is to be shown unmasked for a while. */
interface Hidden {
  /** As the audit names it. */
  readonly on: string;
  /** As the list of what an agent sees names it. */
  readonly subject: string;
  readonly about: { readonly about?: string };
  /** Tells the customer, where the agent wants that. */
  readonly tell?: () => Promise<unknown>;
}

/** Shows whoever is signed in a customer's data, for the reason that they give. @param back the page that it is asked for on */
export async function revealTo(
  tools: Pick<Tools, 'desk' | 'audit' | 'reveals'>,
  c: Context<Guarded>,
  address: Address,
  back: string,
): Promise<Response> {
  const { id, name } = c.var.who;
  const about = await aboutWhom(tools, address);
  const tell = () => tools.desk.tellRevealed(address, { id, name });
  return revealFor(tools, c, { on: address, subject: address, about, tell }, back);
}

/** The same of anything that is hidden. */
export async function revealFor(
  { audit, reveals }: Pick<Tools, 'audit' | 'reveals'>,
  c: Context<Guarded>,
  { on, subject, about, tell }: Hidden,
  back: string,
): Promise<Response> {
  const { id } = c.var.who;
  const { why, tell: isToTell } = await c.req.parseBody();
  const { text: reason, no } = typedIn(why, REASON);
  await audit.append({ who: id, act: 'reveal', on, ...about, why: reason });
  if (no) return answer(c, no, back);
  if (!(await reveals.reveal(id, subject))) return answer(c, 'tooMany', back);
  if (isToTell === 'yes') await tell?.();
  return answer(c, 'revealed', back);
}
