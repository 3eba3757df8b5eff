import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Struck } from './faults.ts';

/** Only present behind a real socket. A test that calls the app in process has none. */
interface NodeBindings {
  readonly outgoing?: { destroy(): void; readonly socket: { resetAndDestroy(): void } | null };
}

/** The answer to a request that a fault keeps from being carried out. Undefined for one that is. */
export function insteadOfRequest(c: Context, struck: Struck): Response | undefined {
  if ('resetBefore' in struck) return hangUp(c, 'reset');
  if ('serverErrorBefore' in struck) return c.json({ message: 'Internal server error' }, 500);
  if ('tooManyRequests' in struck)
    return c.json({ message: 'Too many requests' }, 429, { 'retry-after': '1' });
  return undefined;
}

/** Changes the answer to a request that was carried out. */
export async function faultyAnswer(c: Context, struck: Struck, answer: Response): Promise<Response> {
  if (struck.slowAnswer !== undefined) await sleep(struck.slowAnswer, undefined, { ref: false });
  if ('answerLost' in struck) return hangUp(c, 'close');
  if ('resetAfter' in struck) return hangUp(c, 'reset');
  if ('serverErrorAfter' in struck) return c.json({ message: 'Internal server error' }, 500);
  if ('malformedBody' in struck) {
    const text = await answer.text();
    return c.body(text.slice(0, text.length / 2), answer.status as 200, {
      'content-type': 'application/json',
    });
  }
  return answer;
}

/** The connection ends without an answer. In process, where there is none, a 500. */
function hangUp(c: Context, how: 'close' | 'reset'): Response {
  const { outgoing } = (c.env ?? {}) as NodeBindings;
  if (!outgoing) return c.body(null, 500);
  if (how === 'reset') outgoing.socket?.resetAndDestroy();
  else outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
