import type { Answer } from '../answer.ts';
import type { Send } from './call.ts';

/** A call that a screen can do without may take at least so long … */
const SPARE_MIN_MS = 200;
/** … and else so many times as long as reads usually take. */
const SPARE_TIMES = 4;
/** How much each answer moves the usual time. */
const NEWEST_SHARE = 1 / 8;

/**
 * Sends as `send` does, and answers a `spare` call with "unknown" once it takes longer than reads usually do. So a
 * wallet that hangs holds up nobody who does not need it, and a slow one still answers. The call itself goes on to its
 * own end, by which the circuit breaker judges.
 */
export function sparing(send: Send): Send {
  let usualMs = 0;
  return (endpoint, request, call) => {
    const startedAt = performance.now();
    const answer = send(endpoint, request, call);
    if (endpoint.method !== 'GET') return answer;
    const noted = answer.then((it) => {
      const isAnswer = it.kind === 'ok' || it.kind === 'refused';
      if (isAnswer) usualMs += (performance.now() - startedAt - usualMs) * NEWEST_SHARE;
      return it;
    });
    return call?.spare ? within(Math.max(SPARE_MIN_MS, SPARE_TIMES * usualMs), noted) : noted;
  };
}

function within<T>(ms: number, answer: Promise<Answer<T>>): Promise<Answer<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', why: 'timeout' }), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
