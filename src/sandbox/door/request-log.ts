import type { Context, MiddlewareHandler } from 'hono';
import { API, API_HEADERS, type ApiName } from '../../wallet/contract/api.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import { isRefusal, toBusinessError } from '../core/refusal.ts';
import type { Struck } from '../faults/faults.ts';
import type { Clock } from '../time/clock.ts';
import { masked } from './mask.ts';

/** The newest are kept, in memory only. */
export const REQUESTS_MAX = 500;

/** Notes of a request while it is served. Nothing of them is kept as it is. */
export interface Note {
  readonly url: URL;
  operation?: ApiName;
  partner?: number;
  body?: unknown;
  struck?: Struck;
  /** The handler's answer, without its envelope. */
  answer?: unknown;
}

/** A request as it is kept: without secrets, without the key. */
export interface Logged {
  readonly id: number;
  /** By the sandbox's clock. */
  readonly at: number;
  /** Null where nobody has its key. Its body is then not kept. */
  readonly partner: number | null;
  /** Null where there is no such operation. */
  readonly operation: ApiName | null;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly requestId: string;
  /** Of the request. A form is written otherwise than JSON. */
  readonly isForm: boolean;
  /** Undefined where there was none, or none that could be read. */
  readonly body: unknown;
  /** Null where a fault has kept the answer. */
  readonly status: number | null;
  readonly answer: unknown;
  readonly struck: readonly string[];
  /** Of the real clock. */
  readonly durationMs: number;
}

const ANSWERS_KEPT: readonly string[] = ['resetBefore', 'answerLost', 'resetAfter'];

/** The newest requests to the Partner API with one key, and those with a key that nobody has. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #all: () => readonly RequestLog[];
  #entries: Logged[] = [];
  #count = 0;

  /** @param all the logs of all keys. A request with an unknown key is in each, because its sender may be any partner */
  constructor(clock: Clock, all: () => readonly RequestLog[]) {
    this.#clock = clock;
    this.#all = all;
  }

  /** Middleware that notes what is served, and writes it down when the answer is there. */
  readonly watch: MiddlewareHandler<{ Variables: { note: Note } }> = async (c, next) => {
    const startedAt = performance.now();
    const note: Note = { url: new URL(c.req.url) };
    c.set('note', note);
    await next();
    this.#write(c, note, Math.round((performance.now() - startedAt) * 100) / 100);
  };

  /** Newest first. */
  entries(): Logged[] {
    return this.#entries.toReversed();
  }

  clear(): void {
    this.#entries = [];
  }

  /** How many there were. Rises with each. */
  count(): number {
    return this.#count;
  }

  #write(c: Context, note: Note, durationMs: number): void {
    const entry = { at: this.#clock.now(), ...logged(c, note), durationMs };
    for (const log of note.partner === undefined ? this.#all() : [this]) log.#keep(entry);
  }

  #keep(entry: Omit<Logged, 'id'>): void {
    this.#count++;
    this.#entries.push({ id: this.#count, ...entry });
    if (this.#entries.length > REQUESTS_MAX) this.#entries.shift();
  }
}

/** The log's entry of a request and its answer. */
function logged(
  c: Context,
  { url, operation, partner, body, struck = {}, answer }: Note,
): Omit<Logged, 'id' | 'at' | 'durationMs'> {
  const { pathname, searchParams } = url;
  const { method } = c.req;
  const faults = Object.keys(struck);
  const isKnown = partner !== undefined;
  return {
    partner: partner ?? null,
    operation: operation ?? null,
    method,
    path: String(masked(pathname)),
    query: isKnown ? [...searchParams].map(([name, value]) => [name, String(masked(value, name))]) : [],
    requestId: isKnown ? (c.req.header(API_HEADERS.requestId) ?? '') : '',
    isForm: c.req.header('content-type')?.startsWith('multipart/') ?? false,
    body: method === 'GET' ? undefined : masked(body),
    status: faults.some((name) => ANSWERS_KEPT.includes(name)) ? null : c.res.status,
    answer: masked(isRefusal(answer) ? toBusinessError(answer).body : enveloped(operation, answer)),
    struck: faults,
  };
}

/** As it goes out. A file is only named. */
function enveloped(operation: ApiName | undefined, answer: unknown): unknown {
  const { envelope = false, binary = false } = operation ? (API[operation] as Endpoint) : {};
  return envelope && !binary && answer !== null && answer !== undefined ? { data: answer } : answer;
}
