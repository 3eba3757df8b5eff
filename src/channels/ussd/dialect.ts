import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { Expected, Input } from '../../conversation/incoming.ts';
import { parseJson } from '../../http/json.ts';
import type { Log } from '../../log/lines.ts';

/** One request of a gateway, as its dialect reads it. */
export interface UssdRequest {
  /** The caller's number, as the gateway writes it. */
  readonly phoneNumber: string;
  readonly session: string;
  /** The typed answers: all since the dial where the gateway repeats them, else the latest. A bare dial: none. */
  readonly answers: readonly string[];
  /**
   * The same for every repeat of this request, and different for every other request of its session. Undefined where
   * the gateway gives no such thing, so that each request counts as a new answer. It may hold a PIN: only an HMAC of it
   * is kept.
   */
  readonly repeatKey: readonly string[] | undefined;
}

/** The gateway says that a session is over: its caller has hung up, it was released, or it took too long. */
export interface UssdEnd extends Pick<UssdRequest, 'phoneNumber' | 'session'> {
  readonly over: 'abort' | 'release' | 'timeout';
  /** The page of its last request has provably not left, so that no handset has shown it. */
  readonly unseen?: true;
  /** The gateway confirms that the page which ended it has reached the handset. */
  readonly shown?: true;
}

/** One page for the handset. */
export interface UssdPage {
  readonly text: string;
  /** True: the session is over and nothing can be answered. */
  readonly ends: boolean;
  /** The name of the step for the gateway's dashboard: a screen key, never data. */
  readonly step: string;
  /** The page without its choices, for a gateway that writes and numbers them in its own way. */
  readonly body: string;
  readonly choices: readonly { readonly answer: string; readonly label: string }[];
  /** The kind of answer that is asked for. `nothing` where the session ends. */
  readonly asks: Expected;
  /** No handset can have sent the request, for this reason. There is nothing to show. */
  readonly refused?: string;
}

/** The parts that a dialect's routes use. */
export interface UssdGateway {
  /**
   * Carries a request to the page that answers it. It knows no HTTP. Never rejects for what a customer or a gateway can
   * cause. The page after the end of a session is empty.
   */
  readonly take: (request: UssdRequest | UssdEnd) => Promise<UssdPage>;
  /** The code that customers dial, `*123#`. */
  readonly serviceCode: string;
  readonly log: Log;
}

/** The protocol of one gateway. A dialect translates requests and pages, and knows no conversation. */
export interface UssdDialect {
  /** Its place in the URL: `/ussd/<name>`. */
  readonly name: string;
  /**
   * Registers every route that the gateway calls, below the dialect's place in the URL. The gateway's secret and the
   * length of the body have been checked before any of them runs.
   */
  readonly routes: (app: Hono, gateway: UssdGateway) => void;
}

/** Answers a gateway that speaks HTTP: with the page in its own words, or 400 to a request that no handset can have sent. */
export async function respond(
  { take }: Pick<UssdGateway, 'take'>,
  request: UssdRequest,
  write: (page: UssdPage) => Response,
): Promise<Response> {
  const page = await take(request);
  return page.refused === undefined ? write(page) : badRequest(page.refused);
}

/** The answer to a request that is not as the gateway documents it. `why` names fields and never quotes a value. */
export function badRequest(why: string): Response {
  return new Response(`bad request: ${why}\n`, {
    status: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

/**
 * The request of a gateway that sends only the latest answer and does not count its requests: the dial brings the whole
 * dialled string. Nothing tells a repeat of `1` from a second `1`, so only the dial can be known again.
 */
export function latestAnswer(
  text: string,
  dial: { readonly isDial: boolean; readonly serviceCode: string },
): Pick<UssdRequest, 'answers' | 'repeatKey'> {
  return dial.isDial
    ? { answers: dialledAnswers(text, dial.serviceCode), repeatKey: [] }
    : { answers: [text], repeatKey: undefined };
}

/** The answers behind the service code of a dialled string: `*123*1*0612345678#` → `1`, `0612345678`. */
export function dialledAnswers(dialled: string, serviceCode: string): string[] {
  const code = serviceCode.replace(/#$/, '');
  const plain = dialled.trim().replace(/#$/, '');
  const rest = plain.startsWith(`${code}*`) ? plain.slice(code.length + 1) : '';
  return rest === '' ? [] : rest.split('*');
}

/**
 * Reads the fields of a form or of a query, once. Undefined when a field is given twice, because two readers could then
 * read two different values. An unescaped `+212…` arrives as ` 212…`, which the parser of numbers takes as well.
 */
export function readFields(text: string): ReadonlyMap<string, string> | undefined {
  const given = new URLSearchParams(text);
  const fields = new Map(given);
  return fields.size === given.size ? fields : undefined;
}

/** Reads a request in JSON. A response: it is none, for the reason that the response says. */
export async function readJson<T>(c: Context, schema: z.ZodType<T>): Promise<T | Response> {
  const read = schema.safeParse(parseJson(await c.req.text()));
  if (read.success) return read.data;
  const fields = read.error.issues.map((issue) => issue.path.join('.')).filter(Boolean);
  return badRequest(fields.length ? `wrong or missing: ${fields.join(', ')}` : 'not JSON');
}

/** A page as the many gateways take it that follow Africa's Talking: `CON …`, or `END …` where the session ends. */
export function conOrEnd({ text, ends }: UssdPage, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${ends ? 'END' : 'CON'} ${text}`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
}

/** Longer than any session id that a gateway documents. */
const SESSION_MAX_CHARS = 200;
/** Far above the longest answer of a handset (182 septets), far below a harmful size. */
const ANSWER_MAX_CHARS = 300;
/** A session lasts at most 180 s (facts of every gateway): nobody types more. */
const ANSWERS_MAX = 100;

/** The reason why no handset can have sent this. Undefined where one can. */
export function implausible({
  session,
  answers,
}: Pick<UssdRequest, 'session' | 'answers'>): string | undefined {
  if (session === '' || session.length > SESSION_MAX_CHARS) return 'the session id is missing or too long';
  const isTooLong = answers.length > ANSWERS_MAX || answers.some(({ length }) => length > ANSWER_MAX_CHARS);
  return isTooLong ? 'more was typed than a handset can send' : undefined;
}

/**
 * A typed answer as an input. A lone `0` and `00` mean back and menu on every screen. `98` and `99` mean more and help
 * on choice screens only (ARCHITECTURE.md, navigation). A channel does not know the screen, so the engine reads them.
 */
export function typed(answer: string): Input {
  const text = answer.trim();
  if (text === '0') return { type: 'went', to: 'back', typed: text };
  if (text === '00') return { type: 'went', to: 'menu', typed: text };
  return { type: 'said', text };
}
