import { isOneScript, latinDigits } from './digits.ts';
import { DIRHAM } from './dirham.ts';
import { AMOUNT_MAX_CENTIMES, type Centimes, centimes } from './money.ts';
import { readSpokenNumber } from './spoken-number.ts';

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
