import { CARDS, type Expected, type Screen } from '../../../../machines/kit/screen.ts';
import { passesLuhn } from '../../../wallet/bank-cards.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import type { Input, TypedSecret } from '../../incoming.ts';
import { namesReference } from '../../shortcuts/shortcut.ts';

/** The question that a text answers. */
type Asked = Pick<Screen, 'expects' | 'takesLongNumber'> & {
  /** The answer before was given where a PIN is asked for. */
  readonly afterPin?: true;
};

/** Screens where four digits are an answer like any other. */
const TAKES_NUMBERS: ReadonlySet<Expected> = new Set<Expected>(['amount', 'field']);
/** The same, with the number of a reference, which is erased in any case. */
const TAKES_DIGITS: ReadonlySet<Expected> = new Set<Expected>([...TAKES_NUMBERS, 'reference']);
/** The question is not known: a text that may be a secret is taken for one. */
const UNKNOWN: Asked = { expects: 'nothing' };

/** The kind of secret in a typed answer, which must not stay where it was typed; undefined: there is none. */
export function secretIn(input: Input | undefined, asked: Asked = UNKNOWN): TypedSecret | undefined {
  const { expects } = asked;
  if (input?.type !== 'said') return undefined;
  const text = latinDigits(input.text).trim();
  if (text.startsWith('/')) return holdsCardNumber(text, asked) ? 'card' : undefined;
  if (expects === 'password') return 'code';
  if (CARDS.has(expects) && /\d{3}/.test(text)) return 'card';
  if ((expects === 'otp' || expects === 'reference') && /\d{3}/.test(text)) return 'code';
  if (namesReference(text)) return 'code';
  if ((expects === 'pin' || expects === 'newPin') && /\d/.test(text)) return 'pin';
  // A PIN that comes a second too late, when nobody asks for it any more, is still one.
  if (FOUR_DIGITS.test(text) && (asked.afterPin || !TAKES_NUMBERS.has(expects))) return 'pin';
  return holdsCardNumber(text, asked) ? 'card' : undefined;
}

/** A PIN, for all that is known: an amount only where nothing else is asked for. */
export const FOUR_DIGITS = /^\d{4}$/;

/**
 * True for four digits where they are an answer, right after an answer where a PIN is asked for. They may be that PIN once
 * more, so the customer is asked to type them again.
 */
export function isLatePin(text: string, { expects, afterPin }: Asked): boolean {
  return afterPin === true && FOUR_DIGITS.test(latinDigits(text).trim()) && TAKES_DIGITS.has(expects);
}

/** In one piece, or in groups as cards print them, with the expiry or anything else around it. */
const CARD =
  /(?<!\d)(?:[2-6]\d{12,18}|[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}|3\d{3}([ -])\d{6}\2\d{4,5})(?!\d)/g;
/** Nothing but digits, as people group them. */
const NUMBER_ALONE = /^[\d\s\p{Cf}-]+$/u;
/** Facts E2: the digits of a RIB, whose groups may look like a card's number. */
const RIB_DIGITS = 24;
const IBAN_PREFIX = /\bMA[\s-]?\d{2}/i;
/** A card's number and the month and year that are printed below it: more digits are a RIB with a slip in it. */
const CARD_WITH_EXPIRY_DIGITS = 16 + 4;

/**
 * True where a text holds the number of a payment card (13 to 19 digits that pass Luhn's check). Where a number as long may
 * be the answer, one without other words is taken for it: a customer whose contract's number happens to pass could never pay
 * that bill. With an expiry or a word next to it, it is a card's there too.
 */
export function holdsCardNumber(text: string, { expects, takesLongNumber }: Asked): boolean {
  const latin = latinDigits(text);
  if (takesLongNumber && NUMBER_ALONE.test(latin)) return false;
  const digits = latin.replace(IBAN_PREFIX, '').replace(/\D/g, '').length;
  if (digits === RIB_DIGITS || (expects === 'account' && digits > CARD_WITH_EXPIRY_DIGITS)) return false;
  return (latin.match(CARD) ?? []).some((number) => passesLuhn(number.replace(/\D/g, '')));
}
