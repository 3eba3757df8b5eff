import { parseJson } from '../http/json.ts';
import { isObject } from '../store/codec.ts';
import { type Centimes, fromDecimal } from '../wallet/money.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';

/** More fields than any event has, and more than one of them says (Partner API v2.3, "Events"). */
const FIELDS_MAX = 60;
const VALUE_MAX_CHARS = 300;
/** The parts of an unreadable body that a person needs. */
const RAW_MAX_CHARS = 2_000;

/** More than any operation moves. */
const AMOUNT_MAX_DIRHAMS = 100_000_000;

/** The number of a reference is worth its cash: nobody at the console sees it ("secrets pass through"). */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['Reference']);

/** The content of a webhook, for the person who has to find out what it means. Nothing in it is proven. */
export interface WebhookContent {
  /** Its fields by name, in their order, with values as a person would type them. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The body itself, where it has no fields that can be read. */
  readonly raw?: string;
  /** The wallet that it names first, where that is a number. */
  readonly wallet?: Msisdn;
  readonly amount?: Centimes;
  readonly operationId?: number;
}

/** Reads the body of a webhook as far as that is possible: it may be of any form. */
export function contentOf(raw: string): WebhookContent {
  const body = parseJson(raw);
  const data = isObject(body) ? (isObject(body.data) ? body.data : body) : undefined;
  if (!data) return { fields: [], raw: raw.slice(0, RAW_MAX_CHARS) };
  const { PrimaryAccountNumber: payer, Amount, OperationId } = data;
  const wallet = typeof payer === 'string' ? readPhone(payer) : undefined;
  return {
    fields: Object.entries(data)
      .filter(([name]) => !SECRET_FIELDS.has(name))
      .slice(0, FIELDS_MAX)
      .map(([name, value]) => [name.slice(0, VALUE_MAX_CHARS), written(value)]),
    ...(wallet && { wallet }),
    ...(typeof Amount === 'number' &&
      Amount >= 0 &&
      Amount <= AMOUNT_MAX_DIRHAMS && { amount: fromDecimal(Amount) }),
    ...(typeof OperationId === 'number' &&
      Number.isSafeInteger(OperationId) &&
      OperationId > 0 && { operationId: OperationId }),
  };
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, VALUE_MAX_CHARS);
}
