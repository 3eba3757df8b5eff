import type { Answer } from '../answer.ts';
import type { Send } from './call.ts';

/** What a screen can do without is waited for so long at least … */
const SPARE_MIN_MS = 200;
/** … and else so many times as long as reads usually take. */
const SPARE_TIMES = 4;
/** How much of what is usual each answer decides. */
const NEWEST_SHARE = 1 / 8;

/**
 * Sends as `send` does, and answers a call that is `spare` with "unknown" once it takes longer than reads usually do: a wallet that
 * hangs keeps back nobody who does not need it, and one that is slow still answers. The call itself goes on to its own end, which is
 * what the circuit breaker judges by.
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
