import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.ts';
import type { Data, Endpoint, Request } from '../contract/endpoint.ts';
import { PAGE_SIZE_DEFAULT } from '../contract/limits.ts';
import { shownOf } from '../contract/shown.ts';
import type { Call } from '../wallet.ts';
import { sortedBill } from './bills.ts';
import { createObserved, type WalletOptions } from './call.ts';
import type { Tolerant } from './tolerant.ts';

/** The parts of a response beside its answer. */
export interface Exchange {
  /** The HTTP status. Undefined if no answer came. */
  readonly status: number | undefined;
  readonly requestId: string;
  /** The words of the server about a refusal or failure, without what must stay secret. Else empty. */
  readonly said: string;
  /** The fields that are not as v2.3 shows them. They may be missing, or be a code that v2.3 does not list. */
  readonly surprises: readonly string[];
}
export type PartnerAnswer<T> = Answer<T> & Exchange;

/** An answer with a list: its first page, or with `for await` the entries of all pages. */
export type Listing<T> = Promise<PartnerAnswer<T>> & AsyncIterable<unknown>;

/** A page could not be read: `answer` says why. */
export class ListError extends Error {
  override name = 'ListError';
  readonly answer: PartnerAnswer<unknown>;
  constructor(answer: PartnerAnswer<unknown>) {
    super(`a page of the list could not be read: ${answer.kind}`);
    this.answer = answer;
  }
}

type Fields = Readonly<Record<string, unknown>>;
/** Sends an operation with its fields, wherever they go. */
export type Ask = <E extends Endpoint>(endpoint: E, fields?: Fields, call?: Call) => Listing<Data<E>>;

/** Sends each call once, at most, and reads it as v2.3 shows it. A field that the reader tolerates is a surprise. */
export function createAsk(options: WalletOptions): Ask {
  const send = createObserved(options);
  const published = new Map<Endpoint, Endpoint>();
  const shown = <E extends Endpoint>(endpoint: E): E => {
    const made: Endpoint & Tolerant = {
      ...endpoint,
      data: shownOf(endpoint.data),
      tolerates: endpoint.data,
    };
    const known = published.get(endpoint) ?? made;
    published.set(endpoint, known);
    return known as E;
  };
  const ask = async <E extends Endpoint>(
    endpoint: E,
    request: Request<E>,
    call: Call = {},
  ): Promise<PartnerAnswer<Data<E>>> => {
    const requestId = call.requestId ?? randomUUID();
    const { answer, status, said, odd } = await send(shown(endpoint), request, { ...call, requestId });
    const sorted = sortedBill(endpoint.path, answer, request.body);
    return { ...sorted, status, requestId, said, surprises: sorted.kind === 'refused' ? [] : odd };
  };
  return (endpoint, fields = {}, call) => {
    const request = partsOf(endpoint, fields);
    const first = ask(endpoint, request, call);
    const pages = () =>
      entries(endpoint, request, first, (next) => ask(endpoint, next, { ...call, requestId: randomUUID() }));
    return Object.assign(first, { [Symbol.asyncIterator]: pages });
  };
}

/**
 * The place of each field: in the path, the query or the body. Where query and body have the same name, `owner` is the one
 * of the query (v2.3, "Beneficiaries").
 */
function partsOf<E extends Endpoint>({ method, params, query, body }: E, fields: Fields): Request<E> {
  const parts: Record<'params' | 'query' | 'body', Record<string, unknown>> = {
    params: {},
    query: {},
    body: {},
  };
  for (const [name, value] of Object.entries(fields)) {
    if (name in params.shape) parts.params[name] = value;
    else if (name === 'owner') parts.query.phoneNumber = value;
    else if (name in query.shape && !(name in body.shape)) parts.query[name] = value;
    else parts.body[name] = value;
  }
  const hasBody = method !== 'GET' && Object.keys(body.shape).length > 0;
  return { params: parts.params, query: parts.query, ...(hasBody && { body: parts.body }) } as Request<E>;
}

/** The entries of all pages. Each page is read once, when it is needed. */
async function* entries<E extends Endpoint>(
  { query }: E,
  request: Request<E>,
  first: Promise<PartnerAnswer<Data<E>>>,
  ask: (request: Request<E>) => Promise<PartnerAnswer<Data<E>>>,
): AsyncGenerator<unknown> {
  const named = (names: readonly string[]) => names.find((name) => name in query.shape) ?? '';
  const [pageName, sizeName] = [
    named(['PageNumber', 'pageNumber', 'page']),
    named(['PageSize', 'pageSize', 'take']),
  ];
  const asked = (request.query ?? {}) as Fields;
  const size = Number(asked[sizeName] ?? PAGE_SIZE_DEFAULT);
  let answer = await first;
  for (let page = Number(asked[pageName] ?? 1); ; page++) {
    if (answer.kind !== 'ok') throw new ListError(answer);
    const { rows, count } = rowsOf(answer.value);
    yield* rows;
    const isLast = count === undefined ? rows.length < size : (page - 1) * size + rows.length >= count;
    if (isLast || rows.length === 0 || pageName === '') return;
    answer = await ask({ ...request, query: { ...asked, [pageName]: page + 1 } } as Request<E>);
  }
}

/** The fields that hold the entries of a list. */
export const LISTS = ['collection', 'listeCreanciers', 'listeCreance'] as const;

function rowsOf(value: unknown): { readonly rows: readonly unknown[]; readonly count: number | undefined } {
  if (Array.isArray(value)) return { rows: value, count: undefined };
  const { count, ...fields } = value as Fields;
  const rows = LISTS.map((name) => fields[name]).find((list) => Array.isArray(list));
  if (!rows) throw new TypeError('this answer is no list');
  return { rows: rows as unknown[], count: typeof count === 'number' ? count : undefined };
}
