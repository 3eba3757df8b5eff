import { randomUUID } from 'node:crypto';
import ky from 'ky';
import type { Answer } from '../answer.ts';
import { API_HEADERS } from '../contract/api.ts';
import type { Data, Endpoint, Request } from '../contract/endpoint.ts';
import { type BusinessError, businessError, envelope } from '../contract/envelope.ts';
import { SECRET_FIELDS } from '../contract/fields.ts';
import type { Call } from '../wallet.ts';
import { sortThrown } from './unsent.ts';

export interface WalletOptions {
  /** Where the API lives; its paths are appended. */
  readonly url: string;
  readonly apiKey: string;
  /** For the whole call, from the first byte out to the last byte in. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export const WALLET_TIMEOUT_MS = 10_000;
const DESCRIPTION_LENGTH_MAX = 200;

/**
 * Makes the one door to the API: any endpoint of the contract, sent once and sorted by safety rule 6.
 * Nothing is ever sent twice: no retry, no redirect, and a body that can be read only once, because fetch repeats a
 * request on its own after 421 (Misdirected Request) as long as it can.
 */
export function createCaller({ url, apiKey, timeoutMs = WALLET_TIMEOUT_MS, fetch }: WalletOptions) {
  const http = ky.create({
    prefix: url,
    retry: 0,
    timeout: false,
    redirect: 'manual',
    throwHttpErrors: false,
    headers: { [API_HEADERS.key]: apiKey, accept: 'application/json' },
    ...(fetch && {
      fetch: (input: string | URL | globalThis.Request, init?: RequestInit) => fetch(input, init),
    }),
  });

  return async function send<E extends Endpoint>(
    endpoint: E,
    request: Request<E>,
    call: Call = {},
  ): Promise<Answer<Data<E>>> {
    const { requestId = randomUUID(), signal } = call;
    const deadline = AbortSignal.timeout(timeoutMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const body = endpoint.method === 'GET' ? undefined : onceOnly(request.body);
    try {
      const response = await http(path(endpoint, request.params), {
        method: endpoint.method,
        searchParams: searchParams(request.query),
        signal: stop,
        headers: { [API_HEADERS.requestId]: requestId, ...body?.headers },
        ...(body && { body: body.stream }),
      });
      return sortAnswer(endpoint, response.status, await response.text(), secretsOf(request.body));
    } catch (error) {
      return stop.aborted ? { kind: 'unknown', why: 'timeout' } : sortThrown(error);
    }
  };
}

/** JSON as a stream: sent as usual, with its length, but impossible to send again. */
function onceOnly(body: object | undefined) {
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { stream: new Blob([bytes]).stream(), headers: { 'content-length': `${bytes.length}`, ...type } };
}

function path(endpoint: Endpoint, params: object = {}): string {
  const values = new Map(Object.entries(params));
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
}

/** Lists are repeated parameters: `OperationType=3&OperationType=5`. */
function searchParams(query: object = {}): string[][] {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
}

function sortAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  text: string,
  secrets: readonly string[],
): Answer<Data<E>> {
  const body = json(text);
  if (status >= 200 && status < 300) return readSuccess(endpoint, body);
  const saysNo = status === 400 || status === 422 || status === 401 || status === 403 || status === 404;
  const error = saysNo ? businessError.safeParse(body).data : undefined;
  if (error) return refusal(error, secrets);
  if (status === 401 || status === 403 || status === 404) {
    return { kind: 'refused', code: `http${status}`, description: '' };
  }
  return { kind: 'unknown', why: `http${status}` };
}

/** The one place where the envelope is opened. */
function readSuccess<E extends Endpoint>(endpoint: E, body: unknown): Answer<Data<E>> {
  const opened = endpoint.envelope ? envelope.safeParse(body) : { success: true, data: { data: body } };
  if (!opened.success || !opened.data) return { kind: 'unknown', why: 'unreadable' };
  const read = endpoint.data.safeParse(opened.data.data);
  return read.success ? { kind: 'ok', value: read.data as Data<E> } : { kind: 'unknown', why: 'unreadable' };
}

function refusal(error: BusinessError, secrets: readonly string[]): Answer<never> {
  const { errorCode, errorDescription, remainingAttempts } = error;
  // A wallet that quotes the PIN it was given must not get it into our log.
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '••••'), errorDescription ?? '');
  const description = said.slice(0, DESCRIPTION_LENGTH_MAX);
  return {
    kind: 'refused',
    code: String(errorCode),
    description,
    ...(remainingAttempts !== undefined && { remainingAttempts }),
  };
}

function secretsOf(body: object = {}): string[] {
  return Object.entries(body)
    .filter(([name, value]) => SECRET_FIELDS.has(name) && value !== '')
    .map(([, value]) => String(value));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
