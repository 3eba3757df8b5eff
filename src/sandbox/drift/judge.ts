import type { Check, Documented, Shape } from './checks.ts';

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

/** The places of an answer that are otherwise than v2.3 says. */
export function deviations(check: Check, found: Found): ReadonlyMap<string, Deviation> {
  const all = new Map<string, Deviation>();
  const note = (where: string, document: string, what: string) => {
    if (!all.has(where)) all.set(where, { document, found: what });
  };
  const { statuses, envelope, answer, errorCode } = check;
  if (found.problem) {
    note('connection', 'an answer', found.problem);
    return all;
  }
  if (!statuses.includes(found.status)) note('status', statuses.join(' or '), String(found.status));
  if (!found.echoes) note('C-Request-Id', 'comes back', 'does not come back');
  if (!found.isJson) note('body', 'JSON', 'no JSON');
  else if (!found.isEmpty && !/\bjson\b/.test(found.type)) note('Content-Type', 'JSON', found.type || 'none');
  if (!statuses.includes(found.status) || !found.isJson) return all;
  if (errorCode !== undefined) judgeError(found.body, errorCode, note);
  if (found.status !== 200 || answer === undefined) return all;
  const hasEnvelope = isRecord(found.body) && 'data' in found.body && Object.keys(found.body).length === 1;
  if (envelope && !hasEnvelope) note('envelope', '{ "data": … }', 'none');
  if (!envelope && hasEnvelope) note('envelope', 'none: at the root', '{ "data": … }');
  const body = hasEnvelope ? (found.body as { data: unknown }).data : found.body;
  judge(body, answer, envelope ? 'data' : '', note);
  return all;
}

type Note = (where: string, document: string, what: string) => void;

function judgeError(body: unknown, code: number, note: Note): void {
  const { errorCode, errorDescription } = isRecord(body) ? body : {};
  if (errorCode !== code) note('errorCode', String(code), formOf(errorCode));
  if (typeof errorDescription !== 'string') note('errorDescription', 'text', formOf(errorDescription));
}

function judge(value: unknown, wanted: Documented, where: string, note: Note): void {
  if (typeof wanted === 'string') {
    const isOptional = wanted.endsWith('?');
    const kind = isOptional ? wanted.slice(0, -1) : wanted;
    if (isOptional && (value === undefined || value === null)) return;
    if (!isOf(kind, value)) note(where || 'body', NAMES[kind] ?? kind, formOf(value));
    return;
  }
  if (isList(wanted)) {
    if (!Array.isArray(value)) note(where || 'body', 'a list', formOf(value));
    else for (const each of value) judge(each, wanted[0], `${where}[]`, note);
    return;
  }
  if (!isRecord(value)) {
    note(where || 'body', 'an object', formOf(value));
    return;
  }
  judgeFields(value, wanted, where, note);
}

function judgeFields(value: Record<string, unknown>, wanted: Shape, where: string, note: Note): void {
  const names = Object.keys(value);
  for (const [name, kind] of Object.entries(wanted)) {
    const place = where === '' ? name : `${where}.${name}`;
    const other = names.find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
    if (!(name in value) && other) note(place, `the name ${name}`, `the name ${other}`);
    else judge(value[name], kind, place, note);
  }
}

const NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  decimal: 'a number',
  text: 'text',
  bool: 'true or false',
  date: 'a date of ISO 8601',
  phone: '+212 and 9 digits',
  rib: '24 digits',
  object: 'an object',
};

function isOf(kind: string, value: unknown): boolean {
  if (kind.startsWith('/')) return new RegExp(kind.slice(1, -1)).test(String(value));
  const [, from, to] = /^(\d+)-(\d+)$/.exec(kind) ?? [];
  if (from !== undefined)
    return Number.isInteger(value) && Number(value) >= Number(from) && Number(value) <= Number(to);
  const text = typeof value === 'string' ? value : undefined;
  switch (kind) {
    case 'int':
      return Number.isInteger(value);
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'object':
      return isRecord(value);
    case 'date':
      return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
    case 'phone':
      return text !== undefined && /^\+212\d{9}$/.test(text);
    case 'rib':
      return text !== undefined && /^\d{24}$/.test(text);
    default:
      return text !== undefined;
  }
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(wanted: Shape | readonly [Shape]): wanted is readonly [Shape] {
  return Array.isArray(wanted);
}
