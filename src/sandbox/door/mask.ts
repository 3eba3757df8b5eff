import { passesLuhn } from '../../wallet/bank-cards.ts';
import { SECRET_FIELDS } from '../../wallet/contract/fields.ts';
import { CREDITORS } from '../bills/catalog.ts';

/** Replaces a secret in the log. */
export const MASK = '••••';

const DEPTH_MAX = 8;
const ITEMS_MAX = 20;
const FIELDS_MAX = 100;
const TEXT_LENGTH_MAX = 1_000;

/** Also names that v2.3 does not have: somebody who tries things out may send them all the same. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [...SECRET_FIELDS, 'token', 'password', 'motDePasse', 'codeAcces', 'cvc', 'secret'].map((name) =>
    name.toLowerCase(),
  ),
);
/** `code` is a voucher or a one-time code in some places and an agent in others. The latter is no secret. */
const AGENT_CODE = /^[A-Za-z]{2}-\d{1,8}$/;
/** A one-time code or a voucher, whatever it is called. */
const CODE = /^(?:\d{3}-\d{3}|[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]{4})$/;
const CARD_DIGITS_MIN = 13;
const CARD_NUMBER = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** The fields of bill forms whose values may be read. Passwords, and fields that no form has, are not among them. */
const OPEN_BILL_FIELDS: ReadonlySet<unknown> = new Set(
  CREDITORS.flatMap(({ receivables }) => receivables)
    .flatMap(({ form }) => form)
    .filter(({ typeChamp }) => typeChamp !== 'password')
    .map(({ nomChamp }) => nomChamp),
);

/** A copy to keep of a body, a query or an answer: cut to a size, and without secrets, at any depth. */
export function masked(value: unknown, name = '', depth = 0): unknown {
  if (value === null || value === undefined) return value;
  if (isSecret(name, value)) return MASK;
  if (typeof value === 'string') return shortened(value);
  if (typeof value !== 'object') return value;
  if (value instanceof File) return `<file ${value.type || 'of no type'}, ${value.size} bytes>`;
  if (value instanceof Uint8Array) return `<${value.byteLength} bytes>`;
  if (depth === DEPTH_MAX) return '…';
  if (Array.isArray(value)) {
    const more = value.length > ITEMS_MAX ? [`… ${value.length - ITEMS_MAX} more`] : [];
    return [...value.slice(0, ITEMS_MAX).map((each) => masked(each, name, depth + 1)), ...more];
  }
  const isHidden = 'valChamp' in value && !OPEN_BILL_FIELDS.has((value as { nomChamp?: unknown }).nomChamp);
  // Every request pays for this: a copy in one go, not by way of lists, and of the kind that engines are quick with.
  const copy: Record<string, unknown> = {};
  let room = FIELDS_MAX;
  for (const [key, each] of Object.entries(value)) {
    if (room-- === 0) break;
    const kept = isHidden && key === 'valChamp' ? MASK : masked(each, key, depth + 1);
    if (key === '__proto__') Object.defineProperty(copy, key, { value: kept, enumerable: true });
    else copy[key] = kept;
  }
  return copy;
}

function isSecret(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.trim() : '';
  if (CODE.test(text)) return true;
  const kind = kindOf(name);
  return kind === 'code' ? !AGENT_CODE.test(text) : kind === 'secret';
}

type Kind = 'secret' | 'code' | 'open';
const kinds = new Map<string, Kind>();
/** Above what the whole contract has. Names that somebody makes up are not remembered for ever. */
const KINDS_MAX = 2_000;

/** The kind of a field by its name. It is asked some forty times a request, about the same few names. */
function kindOf(name: string): Kind {
  const known = kinds.get(name);
  if (known) return known;
  const lower = name.toLowerCase();
  const kind = lower === 'code' ? 'code' : SECRET_NAMES.has(lower) ? 'secret' : 'open';
  if (kinds.size < KINDS_MAX) kinds.set(name, kind);
  return kind;
}

function shortened(text: string): string {
  if (text.length < CARD_DIGITS_MIN) return text;
  const without = text.replace(CARD_NUMBER, (number) =>
    passesLuhn(number.replace(/\D/g, '')) ? MASK : number,
  );
  return without.length > TEXT_LENGTH_MAX ? `${without.slice(0, TEXT_LENGTH_MAX)}…` : without;
}
