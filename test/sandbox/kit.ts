import { onTestFinished } from 'vitest';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SeedCustomer,
} from '../../src/sandbox/sandbox.ts';
import { API, API_HEADERS, type ApiName } from '../../src/wallet/contract/api.ts';
import { ERRORS, type ErrorName } from '../../src/wallet/contract/errors.ts';
import { centimes } from '../../src/wallet/money.ts';
import { lazily } from '../kit/lazily.ts';

/** 20/11/2026 10:00 UTC, and it stays so until a test moves it. */
export const NOON = Date.parse('2026-11-20T10:00:00Z');

export const FATIMA = '+212600000001';
export const YOUSSEF = '+212600000002';
export const KHADIJA = '+212600000003';
export const OMAR_NOT_CONFIRMED = '+212600000004';
export const SALMA_WITHOUT_PIN = '+212600000005';
export const HAMZA_LOCKED_FOR_NOW = '+212600000006';
export const NADIA_LOCKED = '+212600000007';
export const MEHDI_NEARLY_FULL = '+212600000008';
export const NOBODY = '+212612345678';

/** `NOON` as the API writes it. */
export const CHECKED_AT = new Date(NOON).toISOString();
/** The result of `checkLedger` for a ledger without a fault. */
export const IN_BALANCE = { balanced: true, faults: [] };

/** Customers whose payments are always refused, and the reason. */
export const CANNOT_PAY: readonly [from: string, phone: string, error: ErrorName][] = [
  ['from an unknown number', NOBODY, 'customerNotFound'],
  ['from an unconfirmed customer', OMAR_NOT_CONFIRMED, 'notConfirmed'],
  ['from a customer without a PIN', SALMA_WITHOUT_PIN, 'pinNotCreated'],
  ['from a temporarily locked customer', HAMZA_LOCKED_FOR_NOW, 'lockedTemporarily'],
  ['from a locked customer', NADIA_LOCKED, 'locked'],
];

/** A sandbox in memory whose clock stands still. It closes at the end of the test. */
export function sandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const opened = createSandbox({ file: ':memory:', seed: 'test', clock: { now: () => NOON }, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

let ofTest: Sandbox | undefined;
/** The sandbox of the running test, opened when the test first looks at it. */
export const wallet: Sandbox = lazily(() => {
  if (ofTest) return ofTest;
  onTestFinished(() => {
    ofTest = undefined;
  });
  ofTest = sandbox();
  return ofTest;
});

type Given = Record<string, unknown>;
export interface Said {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is only as good as the assertion on it
  readonly body: any;
  readonly headers: Headers;
}

/** Calls an operation of the API as a partner would, in process: parameters go where the contract puts them. */
export async function call(
  to: Sandbox,
  name: ApiName,
  given: Given = {},
  headers: Record<string, string> = {},
): Promise<Said> {
  const { query, params } = API[name];
  const those = (isThere: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => isThere(key)));
  const parts = {
    params: those((key) => key in params.shape),
    query: those((key) => key in query.shape),
    body: those((key) => !(key in query.shape) && !(key in params.shape)),
  };
  return send(to, name, parts, headers);
}

/** As `call`, with each part by itself: for a name that is in the query and in the body, and for forms. */
export async function send(
  to: Sandbox,
  name: ApiName,
  { params = {}, query = {}, body = {} }: { params?: Given; query?: Given; body?: Given | FormData },
  headers: Record<string, string> = {},
): Promise<Said> {
  const { method, path } = API[name];
  const search = Object.entries(query).flatMap(([key, values]) =>
    [values].flat().map((value): [string, string] => [key, String(value)]),
  );
  const target = `${path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(String(params[key])))}?${new URLSearchParams(search)}`;
  const isForm = body instanceof FormData;
  const response = await to.app.request(target, {
    method,
    headers: {
      [API_HEADERS.key]: to.apiKey,
      ...(!isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method !== 'GET' && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: parsed(text),
    headers: response.headers,
  };
}

/** As JSON, or as it is where that is not what came. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Asks for a reference for cash, and gives its number. */
export async function request(
  wallet: Sandbox,
  way: 'CashIn' | 'CashOut',
  Amount = 100,
  PhoneNumber = FATIMA,
): Promise<string> {
  return (await call(wallet, `request${way}`, { PhoneNumber, Amount })).body.data.reference;
}

/** The form of a business error, for comparisons. */
export function errorOf(name: ErrorName) {
  const { code, status = 400 } = { status: undefined, ...ERRORS[name] };
  return { status, body: { errorCode: code, errorDescription: expectText } };
}
const expectText = { asymmetricMatch: (value: unknown) => typeof value === 'string' && value.length > 10 };

export function lastOtp(of: Sandbox, phone: string): string {
  const otp = /\d{3}-\d{3}/.exec(of.sms(phone).at(-1)?.text ?? '')?.[0];
  if (!otp) throw new Error(`no code was sent to ${phone}`);
  return otp;
}

export function transfer(from: string, to: string, dirhams: number) {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: dirhams, Reason: 'test' };
}

export async function balanceOf(of: Sandbox, phone: string): Promise<number> {
  return (await call(of, 'customerBalance', { phoneNumber: phone })).body.data.balance;
}

export function newcomer(phone: string, dirhams: number, more: Partial<SeedCustomer> = {}): SeedCustomer {
  const balance = centimes(Math.round(dirhams * 100));
  return { phone, firstName: 'Amina', lastName: 'Test', level: 4, status: 3, balance, pin: '1234', ...more };
}
