import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.ts';
import type { WalletClock } from '../clock.ts';
import { API_HEADERS } from '../contract/api.ts';
import type { Data, Endpoint, Request } from '../contract/endpoint.ts';
import {
  type BusinessError,
  businessError,
  envelope,
  type Problem,
  plainError,
  problemDetails,
} from '../contract/envelope.ts';
import { formFields } from '../form-fields.ts';
import { parseAmounts } from '../money.ts';
import { type OnOdd, oddFields } from '../odd-fields.ts';
import type { WalletFile } from '../services.ts';
import type { Call } from '../wallet.ts';
import { type BreakerOptions, guarded } from './breaker.ts';
import { UNREADABLE } from './read.ts';
import { quotable, secretsIn } from './secrets.ts';
import type { Tolerant } from './tolerant.ts';
import {
  type Body,
  type CallKind,
  type Compartment,
  type ConnectionUse,
  fetchTransport,
  openTransport,
  type Transport,
  type WalletResponse,
} from './transport.ts';
import { sortThrown, sparing } from './unsent.ts';

export interface WalletOptions {
  /** The address of the API. Its paths are appended. */
  readonly url: string;
  readonly apiKey: string;
  /** For the whole call, from the first byte out to the last byte in. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Further headers, computed for each request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Customers have connections of their own, and a circuit breaker of their own, beside what nobody waits for. */
  readonly compartment?: Compartment;
  /** False: no circuit breaker turns calls away. */
  readonly breaker?: boolean | undefined;
  /** Told when calls of a kind are turned away from now on, as most have failed, and when they are not any more. */
  readonly onChange?: BreakerOptions['onChange'] | undefined;
  /** Given, once, what says how full the connections are. */
  readonly onOpen?: ((use: () => readonly ConnectionUse[]) => void) | undefined;
  /** Told of the `Date` of each answer. */
  readonly clock?: Pick<WalletClock, 'answered'> | undefined;
  /** Told of each field of an answer that breaks the contract. */
  readonly onOdd?: OnOdd | undefined;
}

const WALLET_TIMEOUT_MS = 10_000;
/** No receipt is larger. */
export const FILE_BYTES_MAX = 5_000_000;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+/;
const ANY_MEDIA_TYPE = 'application/octet-stream';
const UTF8 = new TextDecoder();

/** Sends any endpoint of the contract once, and sorts its answer. */
export type Send = <E extends Endpoint>(
  endpoint: E,
  request: Request<E>,
  call?: Call,
) => Promise<Answer<Data<E>>>;

/**
 * Makes the one door to the API: any endpoint of the contract, sent once, its answer sorted by one table (docs/safety.md).
 * Nothing is ever sent twice: no retry, no redirect, and a transport that has no second try.
 */
export function createCaller(options: WalletOptions): Send {
  const deps = depsOf(options);
  return sparing((endpoint, request, call) => send(deps, endpoint, request, call));
}

/** The answer to one call, and all that came over the wire. */
interface Observed<T> {
  readonly answer: Answer<T>;
  readonly status: number | undefined;
  readonly said: string;
  readonly odd: readonly string[];
}

/** The same door, for a caller who wants to see what came over the wire. */
export function createObserved(options: WalletOptions) {
  const deps = depsOf(options);
  return async <E extends Endpoint>(
    endpoint: E,
    request: Request<E>,
    call: Call,
  ): Promise<Observed<Data<E>>> => {
    const odd: string[] = [];
    let whole: WalletResponse | undefined;
    const onOdd = (_path: string, field: string) => void odd.push(field);
    const onWhole = (came: WalletResponse) => {
      whole = came;
    };
    const answer = await send({ ...deps, onOdd, onWhole }, endpoint, request, call);
    const said = whole && !isSuccess(whole.status) ? saidIn(whole, request.body) : '';
    return { answer, status: whole?.status, said, odd };
  };
}

/** The words of the server about a failure: those of its JSON, or its text. */
function saidIn(whole: WalletResponse, asked: object | undefined): string {
  const text = UTF8.decode(whole.bytes);
  const body = json(text) as Readonly<Record<string, unknown>> | undefined;
  const words = [body?.errorDescription, body?.detail, body?.title, body?.message];
  const found = words.find((each): each is string => typeof each === 'string');
  return quotable(found ?? text, secretsIn(asked));
}

function depsOf(options: WalletOptions): CallerDeps {
  const { url, apiKey, timeoutMs = WALLET_TIMEOUT_MS, fetch, compartment, headers, onOpen } = options;
  const { onOdd = () => {}, clock, breaker = true } = options;
  const base = new URL(url).href.replace(/\/+$/, '');
  const always = { accept: 'application/json', [API_HEADERS.key]: apiKey };
  const open = () => openTransport(url, compartment, onOpen);
  const own = () => (breaker ? guarded(open(), options) : open());
  const transport = fetch ? fetchTransport(fetch) : own();
  return { base, transport, timeoutMs, always, headers, onOdd, clock };
}

interface CallerDeps {
  /** The address that paths are appended to. */
  readonly base: string;
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly always: Readonly<Record<string, string>>;
  readonly headers: WalletOptions['headers'];
  readonly onOdd: OnOdd;
  readonly clock: WalletOptions['clock'];
  /** Told of the whole answer, as it came. */
  readonly onWhole?: (whole: WalletResponse) => void;
}

async function send<E extends Endpoint>(
  { base, transport, timeoutMs, always, headers, onOdd, clock, onWhole }: CallerDeps,
  endpoint: E,
  request: Request<E>,
  { requestId = randomUUID(), signal, timeoutMs: atMost = timeoutMs }: Call = {},
): Promise<Answer<Data<E>>> {
  const patience = { kind: kindOf(endpoint), timeoutMs: Math.min(timeoutMs, atMost), signal };
  try {
    const isForm = endpoint.multipart && request.body;
    const { body, type } = isForm ? await formOf(isForm) : jsonOf(request.body);
    const sent = {
      ...always,
      ...headers?.(),
      [API_HEADERS.requestId]: requestId,
      ...(endpoint.binary && { accept: '*/*' }),
      ...(type && { 'content-type': type }),
    };
    const startedAt = performance.now();
    const asked = { method: endpoint.method, url: base + pathOf(endpoint, request), headers: sent };
    const whole = await transport(asked, body, patience);
    onWhole?.(whole);
    clock?.answered(whole.date, performance.now() - startedAt);
    if (endpoint.binary && isSuccess(whole.status)) return readData(endpoint, file(whole), onOdd);
    return sortAnswer(endpoint, whole.status, UTF8.decode(whole.bytes), request.body, onOdd);
  } catch (error) {
    return sortThrown(error);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function kindOf({ binary, method }: Endpoint): CallKind {
  if (binary) return 'file';
  return method === 'GET' ? 'read' : 'act';
}

interface Written {
  readonly body: Body;
  readonly type?: string | undefined;
}

function jsonOf(body: object | undefined): Written {
  return body ? { body: JSON.stringify(body), type: 'application/json' } : { body: null };
}

async function formOf(body: object): Promise<Written> {
  const form = new FormData();
  const fields = formFields(body, (value): value is Blob => value instanceof Blob);
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value);
  }
  // It writes the form, and says with which boundary.
  const written = new Response(form);
  const type = written.headers.get('content-type') ?? undefined;
  return { body: Buffer.from(await written.arrayBuffer()), type };
}

/** The path of a request. Lists are repeated parameters: `OperationType=3&OperationType=5`. */
function pathOf<E extends Endpoint>(endpoint: E, { params, query }: Request<E>): string {
  const values: Readonly<Record<string, unknown>> = params ?? {};
  const path = params
    ? endpoint.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])))
    : endpoint.path;
  let to = path;
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value])
      to += `${to === path ? '?' : '&'}${name}=${encodeURIComponent(String(each))}`;
  }
  return to;
}

function sortAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  text: string,
  asked: object | undefined,
  onOdd: OnOdd,
): Answer<Data<E>> {
  if (isSuccess(status)) {
    return endpoint.bare || text.trim() === ''
      ? readNothing(endpoint, onOdd)
      : readSuccess(endpoint, json(text), onOdd);
  }
  const body = json(text);
  const problem = endpoint.problems ? problemDetails.safeParse(body).data : undefined;
  const isPlainNo = status === 401 || status === 403 || status === 404;
  const error =
    isPlainNo || status === 400 || status === 422
      ? (businessErrorIn(problem) ?? businessError.safeParse(body).data)
      : undefined;
  if (error) return refusal(error, asked);
  if (isPlainNo || (status === 400 && endpoint.problems)) {
    const said = wordsOf(problem) ?? plainError.safeParse(body).data?.message;
    return { kind: 'refused', code: `http${status}`, description: quotable(said, secretsIn(asked)) };
  }
  return { kind: 'unknown', why: `http${status}` };
}

/** The one place where the envelope is opened. */
function readSuccess<E extends Endpoint>(endpoint: E, body: unknown, onOdd: OnOdd): Answer<Data<E>> {
  const opened = endpoint.envelope ? envelope.safeParse(body) : { success: true, data: { data: body } };
  if (!opened.success || !opened.data) return UNREADABLE;
  return opened.data.data === null && endpoint.none !== undefined
    ? readNothing(endpoint, onOdd)
    : readData(endpoint, opened.data.data, onOdd);
}

/** An answer without a body counts only where the contract gives it a meaning: an empty catalog, nothing found. */
function readNothing<E extends Endpoint>(endpoint: E, onOdd: OnOdd): Answer<Data<E>> {
  if (endpoint.none === undefined && endpoint.status !== 204) return UNREADABLE;
  return readData(endpoint, endpoint.none, onOdd);
}

/** Reads data by the contract. Deviations are counted, and read as far as this step needs it (`tolerant.ts`). */
function readData<E extends Endpoint & Tolerant>(endpoint: E, data: unknown, onOdd: OnOdd): Answer<Data<E>> {
  const strict = endpoint.data.safeParse(data);
  if (strict.success) return { kind: 'ok', value: strict.data as Data<E> };
  for (const field of oddFields(strict.error)) onOdd(endpoint.path, field);
  const read = endpoint.tolerates?.safeParse(data);
  return read?.success ? { kind: 'ok', value: read.data as Data<E> } : UNREADABLE;
}

/** A file as `{ type, bytes }`. Undefined where it is empty, too large, or JSON and so no file (v2.3, "General model" 2). */
function file(whole: WalletResponse): WalletFile | undefined {
  const type = MEDIA_TYPE.exec(whole.type ?? '')?.[0].toLowerCase();
  const bytes = new Uint8Array(whole.bytes);
  if (bytes.length === 0 || bytes.length > FILE_BYTES_MAX || type === 'application/json') return undefined;
  return { type: type ?? ANY_MEDIA_TYPE, bytes };
}

/** Problem details that carry a business code. Without one we use their HTTP status. */
function businessErrorIn(problem: Problem | undefined): BusinessError | undefined {
  const { errorCode } = problem ?? {};
  return errorCode ? { errorCode, errorDescription: wordsOf(problem) } : undefined;
}

function wordsOf(problem: Problem | undefined): string | undefined {
  return problem?.detail ?? problem?.title ?? undefined;
}

function refusal(error: BusinessError, asked: object | undefined): Answer<never> {
  const { errorCode, errorDescription, remainingAttempts } = error;
  const description = quotable(errorDescription, secretsIn(asked));
  return {
    kind: 'refused',
    code: String(errorCode),
    description,
    ...(remainingAttempts !== undefined && { remainingAttempts }),
  };
}

function json(text: string): unknown {
  try {
    return parseAmounts(text);
  } catch {
    return undefined;
  }
}
