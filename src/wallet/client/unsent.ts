import { subscribe } from 'node:diagnostics_channel';
import type { Answer } from '../answer.ts';
import type { Send } from './call.ts';
import { GivenUp } from './transport.ts';

/**
 * docs/safety.md, "Answers are sorted by one table": the closed list of codes that prove that nothing was sent. TLS has
 * no code of its own, see below.
 */
const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The answer was longer than any answer is. */
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/**
 * Errors that undici (here, and below Node's fetch) met before its connection stood: connecting or shaking hands (TLS).
 * The same ECONNRESET means "never sent" during a handshake and "unknown" after it. Only this tells them apart.
 */
const connectErrors = new WeakSet<object>();
subscribe('undici:client:connectError', (message) => {
  const { error } = message as { error?: unknown };
  if (error instanceof Error) connectErrors.add(error);
});

/** An error and what caused it, outermost first: fetch hides the socket's error two or three causes deep. */
function causes(error: unknown): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) chain.push(cause);
  return chain;
}

/** A call that threw. `why` is an error code or a fixed word: a message may quote what was sent. */
export function sortThrown(error: unknown): { kind: 'unsent' | 'unknown'; why: string } {
  if (error instanceof GivenUp) return { kind: error.isSent ? 'unknown' : 'unsent', why: error.why };
  const chain = causes(error);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  const unsent =
    chain.some((cause) => connectErrors.has(cause)) || codes.some((code) => UNSENT_CODES.has(code));
  const why = codes.at(-1) ?? 'network';
  return { kind: unsent ? 'unsent' : 'unknown', why: why === TOO_LARGE ? 'unreadable' : why };
}

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
