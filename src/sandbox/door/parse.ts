import type { HonoRequest } from 'hono';
import { z } from 'zod';
import { customers } from '../../wallet/contract/customers.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import type { ErrorName } from '../../wallet/contract/errors.ts';
import type { Request } from '../core/core.ts';
import { isRefusal, type Refusal, refusal } from '../core/refusal.ts';

/** A request before it is parsed. */
export interface RawRequest {
  readonly params: Record<string, string>;
  readonly query: URLSearchParams;
  /** Undefined where it is no JSON object, or not the multipart form that it should be. */
  readonly body: Record<string, unknown> | undefined;
}
type Parsed = Pick<Request, 'params' | 'query' | 'body'>;

/**
 * The code for a value of the wrong form, by its field. Only 20000, 20006 and 26005 are shown in v2.3, for some
 * endpoints each. The rest is this sandbox's reading.
 */
const CODES: readonly (readonly [RegExp, ErrorName])[] = [
  [/^(sender|recipient|customer)?phoneNumber$/i, 'phoneInvalid'],
  [/PhoneNumber$/, 'phoneInvalid'],
  [/^(refund)?amount$/i, 'amountInvalid'],
  [/^kycDocuments$/, 'documentInvalid'],
];
/** Fields that mean this only in the calls about customers: elsewhere a `code` is an agent's, and a `firstName` is printed on a card. */
const CUSTOMERS_CODES: typeof CODES = [
  [/^(pin|newPin)$/, 'pinFormat'],
  [/^(code|otp)$/, 'otpIncorrect'],
  [/^(firstName|lastName|cin|walletType)$/, 'registrationInvalid'],
];
const OF_CUSTOMERS: ReadonlySet<Endpoint> = new Set(Object.values(customers));

/** Nothing in the contract lies deeper: a list of the body, one of its items, a field. */
const DEPTH_MAX = 3;

/** Reads a request by its contract: what is missing comes first (10001), then what has the wrong form. */
export function parse(endpoint: Endpoint, raw: RawRequest): Parsed | Refusal {
  if (raw.body === undefined) {
    const wanted = endpoint.multipart ? 'a multipart form' : 'a JSON object';
    return refusal('parameterInvalid', { detail: `the body is not ${wanted}` });
  }
  const codes = OF_CUSTOMERS.has(endpoint) ? [...CODES, ...CUSTOMERS_CODES] : CODES;
  const params = checked(endpoint.params, fromText(endpoint.params, raw.params), codes);
  if (isRefusal(params)) return params;
  const query = checked(endpoint.query, fromQuery(endpoint.query, raw.query), codes);
  if (isRefusal(query)) return query;
  const given = endpoint.anyCase ? asWritten(endpoint.body, raw.body) : raw.body;
  const body = checked(endpoint.body, given, codes);
  return isRefusal(body) ? body : { params, query, body };
}

function checked(
  schema: z.ZodObject,
  body: Record<string, unknown>,
  codes: typeof CODES,
): Record<string, unknown> | Refusal {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path }) => path.join('.'));
  const absent = absentFrom(schema, body).filter((name) => wrong.includes(name));
  // The detail names fields and never shows values: a value may be a PIN.
  if (absent.length > 0) return refusal('missingParameters', { detail: absent.join(', ') });
  const [where = ''] = wrong;
  const [field = ''] = where.split('.');
  const code = codes.find(([pattern]) => pattern.test(field))?.[1];
  return refusal(code ?? 'parameterInvalid', { detail: where });
}

/** The names in the case of the contract, whatever their case in the request. */
function asWritten(schema: z.ZodObject, body: Record<string, unknown>): Record<string, unknown> {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
}

/**
 * The required fields that are missing or empty. An optional field that is empty lacks nothing. It also looks into lists: an
 * item without its amount lacks a parameter.
 */
function absentFrom(schema: z.ZodObject, body: Record<string, unknown>): readonly string[] {
  const there = withoutEmpty(body);
  const issues = schema.safeParse(there).error?.issues ?? [];
  return issues.filter(({ path }) => valueAt(path, there) === undefined).map(({ path }) => path.join('.'));
}

export function withoutEmptyFields(body: RawRequest['body']): RawRequest['body'] {
  const isThere = ([, value]: readonly [string, unknown]) => value !== null && value !== '';
  return body && Object.fromEntries(Object.entries(body).filter(isThere));
}

/** With undefined in place of null and empty text. */
function withoutEmpty(value: unknown, depth = 0): unknown {
  if (value === null || value === '') return undefined;
  if (depth === DEPTH_MAX || typeof value !== 'object' || value instanceof File) return value;
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, depth + 1));
  const fields = Object.entries(value as object);
  return Object.fromEntries(fields.map(([name, each]) => [name, withoutEmpty(each, depth + 1)]));
}

function valueAt(path: readonly PropertyKey[], body: unknown): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body);
}

function fromQuery(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const fields = Object.entries(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    const texts = query.getAll(name);
    if (texts.length === 0) return [];
    const kind = inner(field);
    if (kind instanceof z.ZodArray) return [[name, texts.map((text) => typed(inner(kind.element), text))]];
    return [[name, texts.length > 1 ? texts : typed(kind, texts[0] ?? '')]];
  });
  return Object.fromEntries(fields);
}

function fromText(schema: z.ZodObject, texts: Record<string, string>): Record<string, unknown> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    typed(inner(field), texts[name] ?? ''),
  ]);
  return Object.fromEntries(fields);
}

export function inner(field: unknown): unknown {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? inner(field.unwrap()) : field;
}

/** Text as the number or flag that the contract asks for. Left as text where it is none, and so refused. */
function typed(kind: unknown, text: string): unknown {
  const numbers =
    kind instanceof z.ZodLiteral && [...kind.values].every((value) => typeof value === 'number');
  if (numbers || kind instanceof z.ZodNumber) return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind instanceof z.ZodBoolean)
    return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  return text;
}

type Fields = Record<string, unknown>;
/** `kycDocuments[0].docType`: the list, which of it, the field. */
const IN_LIST = /^(\w+)\[(\d{1,4})\]\.(\w+)$/;

/**
 * A multipart form as the object that its contract describes: lists in the order of their indices, texts as the numbers or
 * flags they should be, files as they are. Undefined for a body that is none.
 */
export async function readForm(schema: z.ZodObject, request: HonoRequest): Promise<Fields | undefined> {
  // A body of another kind than a form throws.
  const form = await request.formData().catch(() => undefined);
  if (!form) return undefined;
  const fields: Fields = {};
  const lists = new Map<string, Fields[]>();
  for (const [name, value] of form.entries()) {
    const [, list = '', index = '', field = ''] = IN_LIST.exec(name) ?? [];
    const kind = inner(schema.shape[list]);
    const item = kind instanceof z.ZodArray ? inner(kind.element) : undefined;
    if (item instanceof z.ZodObject) {
      const items = lists.get(list) ?? [];
      items[Number(index)] = { ...items[Number(index)], [field]: read(item, field, value) };
      lists.set(list, items);
    } else if (Object.hasOwn(schema.shape, name)) {
      fields[name] = read(schema, name, value);
    }
  }
  // Indices that are left out leave no gap.
  for (const [list, items] of lists) fields[list] = items.filter((item) => item !== undefined);
  return fields;
}

function read(schema: z.ZodObject, field: string, value: string | File): unknown {
  return typeof value === 'string' ? typed(inner(schema.shape[field]), value) : value;
}

/** The bytes of every file in a form, at any depth. */
export async function contentsOf(value: unknown): Promise<ReadonlyMap<File, Uint8Array>> {
  const files = filesIn(value);
  const contents = await Promise.all(files.map((file) => file.arrayBuffer()));
  return new Map(files.map((file, n) => [file, new Uint8Array(contents[n] ?? new ArrayBuffer())]));
}

function filesIn(value: unknown): File[] {
  if (value instanceof File) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
}
