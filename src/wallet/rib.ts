import { isOneScript, latinDigits } from './digits.ts';

/** The 24 digits of a Moroccan bank account: bank (3), town (3), account (16) and key (2). Its key is true. */
export type Rib = string & { readonly kind: 'rib' };

export type RibReading =
  | { readonly ok: true; readonly rib: Rib }
  /** `length`: not 24 digits. `key`: a digit is wrong, or two have changed places. */
  | { readonly ok: false; readonly why: 'length' | 'key' };

/** Facts E2, and Partner API v2.3, "Limits". */
const RIB_DIGITS = 24;
/** The Moroccan IBAN is the RIB behind `MA` and two check digits: 64 for each, as every RIB is a multiple of 97. */
const IBAN_PREFIX = /^MA(\d{2})(?=\d)/i;
const IBAN_CHECK = '64';
const GROUPS = /^(\d{3})(\d{3})(\d{16})(\d{2})$/;
const MODULUS = 97n;

/**
 * Reads a RIB as people write it: in groups, with spaces, dots or dashes, in Arabic-Indic digits, or as the IBAN that it is
 * part of. Its key says whether it was typed rightly (facts E2), and so do the check digits of an IBAN.
 */
export function readRib(text: string): RibReading {
  const typed = undecorated(text);
  const [prefix = '', check = IBAN_CHECK] = IBAN_PREFIX.exec(typed) ?? [];
  const digits = typed.slice(prefix.length);
  if (!isOneScript(text) || digits.length !== RIB_DIGITS || /\D/.test(digits))
    return { ok: false, why: 'length' };
  return hasTrueKey(digits) && check === IBAN_CHECK
    ? { ok: true, rib: digits as Rib }
    : { ok: false, why: 'key' };
}

/** The RIB in a text that holds nothing else. Undefined where there is none. */
export function ribIn(text: string): Rib | undefined {
  const reading = readRib(text);
  return reading.ok ? reading.rib : undefined;
}

/** True where the two last of 24 digits are the key of the others. */
export function hasTrueKey(digits: string): boolean {
  return digits.slice(-2) === keyOf(digits.slice(0, -2));
}

/**
 * The key that makes 24 digits a multiple of 97: `01` to `97` (facts E2). `00`, `98` and `99` leave the same remainder as `97`, `01` and
 * `02`, and are no keys.
 */
export function keyOf(account: string): string {
  return String(MODULUS - ((BigInt(account) * 100n) % MODULUS)).padStart(2, '0');
}

/** Bank, town, account and key, as they are printed: `007 780 0001234567890123 96`. */
export function ribInGroups(rib: Rib): string {
  return rib.replace(GROUPS, '$1 $2 $3 $4');
}

/** The last four digits: only a person who knows the account recognises them. */
export function ribEnd(rib: Rib): string {
  return rib.slice(-4);
}

/** The first three digits, by which an operator's table names the bank. */
export function bankCode(rib: Rib): string {
  return rib.slice(0, 3);
}

/** Removes the signs that people and keyboards put between digits. A letter is no decoration. */
function undecorated(text: string): string {
  return latinDigits(text).replace(/[\s.\-\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff\u00a0\u202f]/g, '');
}
