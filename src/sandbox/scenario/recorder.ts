import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { parseJson } from '../../http/json.ts';
import { API_HEADERS } from '../../wallet/contract/api.ts';
import { TEST_CARDS } from '../cards/test-cards.ts';
import type { ResetOrder } from '../desk/deps.ts';
import type { Note } from '../door/request-log.ts';
import type { Clock } from '../time/clock.ts';
import type { Scenario, Step } from './scenario.ts';

const STEPS_MAX = 1_000;
/** They begin, keep or end a state as a whole, or are no part of the play. */
const NOT_PLAYED = /^\/sandbox\/(reset|scenario|recording|snapshots|partners)/;
const TEST_PANS: ReadonlySet<string> = new Set(Object.values(TEST_CARDS).map(({ pan }) => pan));

interface Recording {
  readonly seed: string;
  readonly at: number;
  readonly steps: Step[];
  /** Requests that a scenario file cannot hold: uploads, and those above the limit. */
  leftOut: number;
  last: number;
}

/**
 * Turns a played session into a scenario. It begins with a reset. Every call of the API, every act at the desk and every answer on
 * a page of 3D Secure becomes a step. The file holds the PINs of its customers, for play money, and no number of a real card.
 */
export class Recorder {
  readonly #clock: Clock;
  readonly #reset: (order: ResetOrder) => void;
  #recording: Recording | undefined;

  constructor(clock: Clock, reset: (order: ResetOrder) => void) {
    this.#clock = clock;
    this.#reset = reset;
  }

  /** Begins again with the seeded customers, and writes down what follows. */
  start(seed: string = randomUUID()): void {
    this.#reset({ seed });
    const at = this.#clock.now();
    this.#recording = { seed, at, steps: [], leftOut: 0, last: at };
  }

  /** The session so far. Undefined: nothing is recorded. */
  scenario(): Scenario | undefined {
    if (!this.#recording) return undefined;
    const { seed, at, steps, leftOut } = this.#recording;
    const about =
      leftOut > 0
        ? `${leftOut} requests are left out: uploads, or more than ${STEPS_MAX}`
        : 'A recorded session';
    return { about, seed, clock: { at: new Date(at).toISOString(), frozen: true }, steps };
  }

  stop(): Scenario | undefined {
    const played = this.scenario();
    this.#recording = undefined;
    return played;
  }

  readonly watch: MiddlewareHandler = async (c, next) => {
    const recording = this.#recording;
    const { method, path } = c.req;
    const isAct = path.startsWith('/api/') || (method !== 'GET' && /^\/(sandbox|3ds)\//.test(path));
    if (!recording || !isAct || NOT_PLAYED.test(path)) return next();
    const type = c.req.header('content-type') ?? '';
    const text = /^multipart\//.test(type) ? undefined : await c.req.raw.clone().text();
    const afterMs = this.#clock.now() - recording.last;
    await next();
    recording.last = this.#clock.now();
    if (text === undefined || recording.steps.length >= STEPS_MAX) {
      recording.leftOut++;
      return;
    }
    const requestId = c.req.header(API_HEADERS.requestId);
    const isStruck = Object.keys((c.get('note') as Note | undefined)?.struck ?? {}).length > 0;
    recording.steps.push({
      request: `${method} ${target(c.req.url)}`,
      ...(requestId && { requestId }),
      ...contentOf(withoutCards(text), type),
      ...(afterMs > 0 && { afterMs: Math.round(afterMs) }),
      ...(!isStruck && { status: c.res.status }),
    });
  };
}

/** Path and query, without the key's number. */
function target(url: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete('partner');
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}

function contentOf(text: string, type: string): Pick<Step, 'body' | 'form'> {
  if (text.trim() === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { form: Object.fromEntries(new URLSearchParams(text)) };
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { body: { ...body } } : {};
}

/** A card that is none of the sandbox's may be somebody's own. */
function withoutCards(text: string): string {
  return text.replace(/("pan"\s*:\s*")([^"]*)"/gi, (whole, name: string, pan: string) =>
    TEST_PANS.has(pan) ? whole : `${name}${TEST_CARDS.accepted.pan}"`,
  );
}
