import type { Context } from 'hono';
import type { Address } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { aboutWhom } from './about.ts';
import { REASON_MAX_CHARACTERS, REASON_MIN_CHARACTERS } from './acts.ts';
import { answer } from './answer.ts';
import type { Tools } from './options.ts';

/** Shows whoever is signed in a customer's data, for the reason that they give. @param back the page that it is asked for on */
export async function revealTo(
  { desk, audit, reveals }: Pick<Tools, 'desk' | 'audit' | 'reveals'>,
  c: Context<Guarded>,
  address: Address,
  back: string,
): Promise<Response> {
  const { id, name } = c.var.who;
  const { why, tell } = await c.req.parseBody();
  const reason = typeof why === 'string' ? why.trim().slice(0, REASON_MAX_CHARACTERS) : '';
  const about = await aboutWhom({ desk }, address);
  await audit.append({ who: id, act: 'reveal', on: address, ...about, why: reason });
  if (reason.length < REASON_MIN_CHARACTERS) return answer(c, 'noReason', back);
  if (!(await reveals.reveal(id, address))) return answer(c, 'tooMany', back);
  if (tell === 'yes') await desk.tellRevealed(address, { id, name });
  return answer(c, 'revealed', back);
}
