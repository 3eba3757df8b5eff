import type { Filled } from '../../../machines/kit/conversation.ts';
import { isOneScript, latinDigits, readAmount } from '../../wallet/money.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { ALONE, FILLERS, WORDS } from './words.ts';

/** What a customer wants, said in one line: a conversation, and what of it is filled in already. */
export interface Shortcut {
  readonly machine: string;
  readonly filled: Filled;
}

/** Conversations that an amount can be filled into, and a number where somebody is paid. */
const PAYING = ['transfer', 'top-up', 'merchant-payment', 'card-cash-in', 'receive-payment'];
/** Conversations that begin with a list, where something can be looked for. */
const SEARCHED = ['bill-payment', 'voucher'];
/** Words of each conversation, the longest first, so that `pay bill` is not taken for `pay`. */
const PHRASES: readonly (readonly [words: readonly string[], machine: string])[] = Object.entries(WORDS)
  .flatMap(([machine, phrases]) => [machine, ...phrases].map((phrase) => [wordsOf(phrase), machine] as const))
  .sort(([a], [b]) => b.length - a.length);

const SKIPPED: ReadonlySet<string> = new Set(FILLERS.flatMap(wordsOf));
/** A Moroccan mobile number with or without spaces, dots and dashes in it; not the tail of a longer number. */
const NUMBER = /(?<![\d+])(?:(?:\+|00)?212[\s.-]?0?|0)[67](?:[\s.-]?\d){8}(?!\d)/g;

/**
 * Reads a line such as `/transfer 0612345678 200`, `envoyer 200 à 0612345678`, `recharge 50`, `رصيد`. Undefined for
 * anything else. Nothing about money is guessed: a number or an amount that could be read in two ways is left out, and so
 * asked for.
 */
export function readShortcut(text: string): Shortcut | undefined {
  const words = wordsOf(text);
  const known = PHRASES.find(([phrase]) => phrase.every((word, i) => words[i] === word));
  if (!known) return undefined;
  const [phrase, machine] = known;
  const rest = words.slice(phrase.length).join(' ');
  if (PAYING.includes(machine)) return { machine, filled: isOneScript(text) ? fill(rest) : {} };
  const said = meaningful(rest);
  if (!said) return { machine, filled: {} };
  const isLook = SEARCHED.includes(machine) && !ALONE.includes(phrase.join(' '));
  return isLook ? { machine, filled: { search: said } } : undefined;
}

/** One number and one amount, each only where nothing else could be meant. */
function fill(rest: string): Filled {
  const numbers = rest.match(NUMBER) ?? [];
  const left = meaningful(rest.replaceAll(NUMBER, ' '));
  // A word that nobody knows may change everything: "envoyer 200 moins 50".
  if (numbers.length > 1 || /\p{L}/u.test(left.replaceAll(/(dhs?|mad)$/g, ''))) return {};
  const to: Msisdn | undefined = readPhone(numbers[0] ?? '');
  // `200 300` could be two amounts as well as one.
  const amount = left && !left.includes(' ') ? readAmount(left) : undefined;
  return { ...(to && { to }), ...(amount?.ok && { amount: amount.centimes }) };
}

/**
 * The words of a line as they are compared: lower case, Latin digits, without what phones slip in, without accents, hamzas,
 * vowel marks and tatweel.
 */
function wordsOf(text: string): string[] {
  return latinDigits(text.normalize('NFD').replaceAll(/[\p{M}\p{Cf}\u0640]/gu, ''))
    .toLowerCase()
    .replace(/^\//, '')
    .replaceAll(/['’ʼ]/g, ' ')
    .replaceAll(/[?!؟،,;:](?=\s|$)/g, ' ')
    .split(/[\s\u00a0\u202f_]+/)
    .filter((word) => word !== '');
}

function meaningful(rest: string): string {
  return rest
    .split(' ')
    .filter((word) => word !== '' && !SKIPPED.has(word))
    .join(' ');
}
