import { latinDigits } from './digits.ts';
import { DIRHAM } from './dirham.ts';
import { readSpokenNumber } from './spoken-number.ts';

/** Money inside Wasl: whole centimes of a dirham. Decimals exist only at the API's edge. */
export type Centimes = number & { readonly unit: 'centimes' };

/** The largest amount a customer can type: far above every wallet limit, far below lost precision. */
export const AMOUNT_MAX_CENTIMES = 100_000_000 as Centimes;

/** Brands a whole number of centimes. Throws on fractions: that is a bug, never a customer's mistake. */
export function centimes(whole: number): Centimes {
  if (!Number.isSafeInteger(whole)) throw new Error(`not a whole number of centimes: ${whole}`);
  return whole as Centimes;
}

/** Reads the API's decimal dirhams (`200.5`) as centimes. More than two decimals are rounded half up. */
export function fromDecimal(dirhams: number): Centimes {
  return centimes(Math.round(Number(`${dirhams}e2`)));
}

/** An amount in JSON with more than two decimals, or written with an exponent. */
const FINE_AMOUNT = /"\w*(?:amount|balance|price|prix|montant)\w*"\s*:\s*-?[\d.]*(?:\.\d{3}|\de-)/i;
const AMOUNT_NAME = /amount|balance|price|prix|montant/i;
/** Sums of binary fractions miss the centime by far less than this. */
const DUST_CENTIMES = 1e-6;

/**
 * Parses JSON of the wallet, and throws where it is none. Dust of floating point (`1.4e-14`) is rounded to the centime.
 * An amount with a real part of a centime becomes text: no reader takes it for an amount.
 */
export function parseAmounts(json: string): unknown {
  if (!FINE_AMOUNT.test(json)) return JSON.parse(json);
  return JSON.parse(json, (name, value) => {
    if (typeof value !== 'number' || !AMOUNT_NAME.test(name)) return value;
    const whole = Math.round(value * 100);
    // Zero may be left negative, which would be shown.
    return Math.abs(value * 100 - whole) < DUST_CENTIMES ? whole / 100 + 0 : String(value);
  });
}

/** Writes centimes as the API's decimal dirhams. */
export function toDecimal(amount: Centimes): number {
  return amount / 100;
}

export type AmountReading =
  | { ok: true; centimes: Centimes }
  | { ok: false; why: 'notAnAmount' | 'ambiguous' | 'tooPrecise' | 'zero' | 'tooLarge' };

const CURRENCY = new RegExp(`^${DIRHAM}\\.?\\s*(?=\\d)|\\s*${DIRHAM}\\s*[.,!?؟،]*$`, 'gi');
/** Signs behind an amount that say nothing: `200 DH !`, `200,-`. */
const ENDING = /\s*(?:[.,]-|[!?؟]+)$/;
/**
 * The signs that phones and keyboards slip between digits: bidi marks, embeddings and isolates, zero-width characters.
 * Overrides are not among them: after one of those the customer sees the digits in another order than we do.
 */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff]/g;
const HAS_LETTER = /\p{L}/u;
/** `1'200`. */
const APOSTROPHES = /(?<=\d)['’](?=\d)/g;
const SPACES = /[\s\u00a0\u202f]+/g;

/**
 * Reads an amount as people write it: `1 200,50`, `1200.5`, `١٢٠٠`, `200 DH`, `deux cents`. A text that two readers could read differently
 * (`1.500`: 1.5 or 1500?) is `ambiguous` and asked back, never guessed (typed numbers).
 */
export function readAmount(text: string): AmountReading {
  const plain = latinDigits(text.replace(INVISIBLE, ''))
    .replace(/٫/g, ',')
    .replace(/٬/g, ' ')
    .replace(APOSTROPHES, ' ')
    .replace(SPACES, ' ')
    .trim()
    .replace(CURRENCY, '')
    .replace(ENDING, '');
  if (!isOneScript(text)) return { ok: false, why: 'notAnAmount' };
  if (/^\d{1,3}[.,]\d{3}$/.test(plain) && !plain.startsWith('0')) return { ok: false, why: 'ambiguous' };
  const parts = /^(\d+|\d{1,3}(?: \d{3})+)(?:[.,](\d+))?$/.exec(plain) ?? grouped(plain);
  if (!parts) return spokenAmount(text);
  const fraction = parts[2] ?? '';
  if (fraction.length > 2) return { ok: false, why: 'tooPrecise' };
  const whole = (parts[1] ?? '').replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (whole.length > 9) return { ok: false, why: 'tooLarge' };
  const value = centimes(Number(whole) * 100 + Number(fraction.padEnd(2, '0')));
  if (value === 0) return { ok: false, why: 'zero' };
  return value > AMOUNT_MAX_CENTIMES ? { ok: false, why: 'tooLarge' } : { ok: true, centimes: value };
}

/** An amount in words: `deux cents dirhams`, `مية درهم`. */
function spokenAmount(text: string): AmountReading {
  const whole = HAS_LETTER.test(text) ? readSpokenNumber(text) : undefined;
  return whole === undefined ? { ok: false, why: 'notAnAmount' } : readAmount(String(whole));
}

/** `1.234,50` and `1,234.50`: two different marks say which one is the decimal. */
function grouped(plain: string): RegExpExecArray | null {
  return /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(plain) ?? /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(plain);
}

/** False for `12٣`: on a screen two kinds of digits side by side may change places (UAX #9), so nobody knows what was meant. */
export function isOneScript(text: string): boolean {
  return [/[0-9]/, /[\u0660-\u0669]/, /[\u06f0-\u06f9]/].filter((digits) => digits.test(text)).length < 2;
}

/** The same of a line, where words part its numbers: `ارسل ١٠٠ إلى 0612345678` can be read in one way only. */
export function hasOneScriptEach(line: string): boolean {
  return line.split(/\p{L}+/u).every(isOneScript);
}
