import { API, type ApiName } from '../../wallet/contract/api.ts';
import { resolved } from '../../wallet/published/fields.ts';
import {
  answerName,
  componentSchemas,
  ref,
  type Schema,
  type Schemas,
} from '../../wallet/published/schemas.ts';
import { isRecord } from '../door/answers.ts';
import type { Check } from './checks.ts';

/** An answer as it came. */
export interface Found {
  readonly status: number;
  readonly type: string;
  /** Whether `C-Request-Id` came back. */
  readonly echoes: boolean;
  readonly isJson: boolean;
  readonly isEmpty: boolean;
  readonly body: unknown;
  /** Why there was no answer. */
  readonly problem?: string;
}
interface Deviation {
  readonly document: string;
  readonly found: string;
}

const SHOWN_MAX = 60;

let published: Schemas | undefined;
/** The promises of v2.3, from the contract. */
const schemas = (): Schemas => (published ??= componentSchemas());

/** The places of an answer that are otherwise than v2.3 says. */
export function deviations(check: Check, found: Found): ReadonlyMap<string, Deviation> {
  const all = new Map<string, Deviation>();
  const note: Note = (where, document, what) => {
    if (!all.has(where)) all.set(where, { document, found: what });
  };
  const { call, errorCode, codeRetour, statuses = [errorCode === undefined ? 200 : 400] } = check;
  if (found.problem) {
    note('connection', 'an answer', found.problem);
    return all;
  }
  if (!statuses.includes(found.status)) note('status', statuses.join(' or '), String(found.status));
  if (!found.echoes) note('C-Request-Id', 'comes back', 'does not come back');
  if (!found.isJson) note('body', 'JSON', 'no JSON');
  else if (!found.isEmpty && !/\bjson\b/.test(found.type)) note('Content-Type', 'JSON', found.type || 'none');
  if (!statuses.includes(found.status) || !found.isJson) return all;
  if (errorCode !== undefined) judgeError(found.body, { errorCode, errorDescription: '' }, note);
  else if (found.status === 200 && codeRetour !== undefined)
    judgeError(found.body, { codeRetour, msg: '' }, note);
  else if (found.status === 200) judgeContent(call, found.body, note);
  return all;
}

type Note = (where: string, document: string, what: string) => void;

/** The code of a refusal, and that it has words. */
function judgeError(body: unknown, wanted: Readonly<Record<string, string | number>>, note: Note): void {
  const came = isRecord(body) ? body : {};
  for (const [name, value] of Object.entries(wanted)) {
    const isRight = value === '' ? typeof came[name] === 'string' : came[name] === value;
    if (!isRight) note(name, value === '' ? 'text' : String(value), formOf(came[name]));
  }
}

function judgeContent(call: ApiName, body: unknown, note: Note): void {
  const { envelope } = API[call];
  const hasEnvelope = isRecord(body) && 'data' in body && Object.keys(body).length === 1;
  if (envelope && !hasEnvelope) note('envelope', '{ "data": … }', 'none');
  if (!envelope && hasEnvelope) note('envelope', 'none: at the root', '{ "data": … }');
  judge(hasEnvelope ? body.data : body, ref(answerName(call)), envelope ? 'data' : '', note);
}

function judge(value: unknown, wanted: Schema, where: string, note: Note): void {
  const schema = resolved(wanted, schemas());
  if (schema['x-not-in-v2.3'] || (schema.nullable && value === null)) return;
  const { properties, items, required = [] } = schema;
  if (!isOf(schema, value)) note(where || 'body', nameOf(schema), formOf(value));
  else if (items && Array.isArray(value)) for (const each of value) judge(each, items, `${where}[]`, note);
  else if (properties && isRecord(value))
    for (const [name, field] of Object.entries(properties)) {
      const place = where === '' ? name : `${where}.${name}`;
      const lower = name.toLowerCase();
      const other = Object.keys(value).find((each) => each !== name && each.toLowerCase() === lower);
      if (!(name in value) && other) note(place, `the name ${name}`, `the name ${other}`);
      else if (name in value || required.includes(name)) judge(value[name], field, place, note);
    }
}

const NAMES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  'date-time': 'a date of ISO 8601',
  '^\\+212\\d{9}$': '+212 and 9 digits',
  '^\\d{24}$': '24 digits',
  object: 'an object',
  array: 'a list',
};

function nameOf({ type = '', format = '', pattern = '', enum: values }: Schema): string {
  if (values) return `one of ${values.join(', ')}`;
  return NAMES[pattern] ?? NAMES[format] ?? (pattern || NAMES[type]) ?? type;
}

function isOf({ type, format, pattern, enum: values }: Schema, value: unknown): boolean {
  if (values) return values.includes(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'object') return isRecord(value);
  if (type === 'array') return Array.isArray(value);
  if (type !== 'string') return type === undefined || typeof value === type;
  if (typeof value !== 'string') return false;
  if (format === 'date-time')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

/** The fields of an answer with the kinds of their values, those of all items of a list together. */
export function shapeOf(value: unknown, where = ''): ReadonlyMap<string, string> {
  const shape = new Map<string, string>();
  const put = (place: string, kind: string) => {
    const known = shape.get(place);
    shape.set(place, known === undefined || known === 'null' ? kind : known);
  };
  if (Array.isArray(value))
    for (const each of value) for (const [at, kind] of shapeOf(each, `${where}[]`)) put(at, kind);
  else if (isRecord(value)) {
    if (where !== '') put(where, 'object');
    for (const [name, each] of Object.entries(value))
      for (const [at, kind] of shapeOf(each, where === '' ? name : `${where}.${name}`)) put(at, kind);
  } else put(where || 'body', value === null ? 'null' : typeof value);
  return shape;
}

/** A value as a page shows it: never long, and of text only its form, because it may be somebody's. */
function formOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'string')
    return `text such as ${JSON.stringify(value.replace(/\d/g, '9').replace(/\p{L}/gu, 'x')).slice(0, SHOWN_MAX)}`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
