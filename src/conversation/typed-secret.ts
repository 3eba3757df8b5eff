import type { Expected } from '../../machines/kit/screen.ts';
import { latinDigits } from '../wallet/money.ts';
import type { Raw, TypedSecret } from './incoming.ts';

/** Screens where four digits are an answer like any other. */
const TAKES_NUMBERS: ReadonlySet<Expected> = new Set<Expected>(['amount', 'field']);

/** What of a typed answer must not stay where it was typed; undefined: nothing. */
export function secretIn(raw: Raw | undefined, expects: Expected): TypedSecret | undefined {
  if (raw?.type !== 'said') return undefined;
  const text = latinDigits(raw.text).trim();
  if (text.startsWith('/')) return holdsCardNumber(text, expects) ? 'card' : undefined;
  if (expects === 'password') return 'code';
  if (expects === 'otp' && /\d{3}/.test(text)) return 'code';
  if ((expects === 'pin' || expects === 'newPin') && /\d/.test(text)) return 'pin';
  // A PIN that comes a second too late, when nobody asks for it any more, is still one.
  if (/^\d{4}$/.test(text) && !TAKES_NUMBERS.has(expects)) return 'pin';
  return holdsCardNumber(text, expects) ? 'card' : undefined;
}

/** In one piece, or in groups as cards print them, with the expiry or anything else around it. */
const CARD =
  /(?<!\d)(?:[2-6]\d{12,18}|[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}|3\d{3}([ -])\d{6}\2\d{4,5})(?!\d)/g;
/** Facts E2: the digits of a RIB, whose groups may look like a card's number. */
const RIB_DIGITS = 24;

/**
 * True where a text holds the number of a payment card (13 to 19 digits that pass Luhn's check). A field of a bill form is
 * left alone: contract numbers are as long, and one in ten passes.
 */
export function holdsCardNumber(text: string, expects: Expected): boolean {
  if (expects === 'field') return false;
  const latin = latinDigits(text);
  if (latin.replace(/\D/g, '').length === RIB_DIGITS) return false;
  return (latin.match(CARD) ?? []).some((number) => passesLuhn(number.replace(/\D/g, '')));
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
