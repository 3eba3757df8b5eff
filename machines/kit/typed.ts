import { assign } from 'xstate';
import { latinDigits } from '../../src/wallet/digits.ts';
import { isDirham } from '../../src/wallet/dirham.ts';
import { normalised } from '../../src/wallet/letters.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import { type Rib, readRib } from '../../src/wallet/rib.ts';
import { readAmount } from '../../src/wallet/typed-amount.ts';
import type { Remembered } from './conversation.ts';
import type { MachineEvent } from './input.ts';
import { monthsIn } from './months.ts';
import type { Sentence } from './screen.ts';
import type { Sealed } from './secret.ts';
import type { SentenceKey } from './sentence-key.ts';

type SaidText = Extract<MachineEvent, { type: 'said' }>;

/** The result of reading a typed answer: its value, or the sentence that the customer reads instead. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: Sentence };

/**
 * Transitions for a typed answer: to `target` with what was read, else the question again with what is expected.
 * `const typed = typedAnswers<Context>()`, then `on: { said: typed(read, { target, know }) }`.
 */
export function typedAnswers<Context extends Remembered>() {
  return <T>(
    read: (text: string, context: Context) => Reading<T>,
    then: { readonly target: string; readonly know: (value: T, context: Context) => Partial<Context> },
  ) => {
    const facts = assign<Context, SaidText, undefined, MachineEvent, never>(({ event, context }) => {
      const reading = read(event.text, context);
      return reading.ok ? then.know(reading.value, context) : ({ notice: reading.why } as Partial<Context>);
    });
    const guard = ({ event, context }: { event: SaidText; context: Context }) => read(event.text, context).ok;
    return [{ guard, target: then.target, actions: facts }, { actions: facts }];
  };
}

type GaveSecret = Extract<MachineEvent, { type: 'gave' }>;

/**
 * Transitions for a secret: to `target` with the sealed one, else the question again with what a secret of this kind looks
 * like. `const given = givenSecrets<Context>()`, then `on: { gave: given({ target, know }, 'pin.format') }`.
 */
export function givenSecrets<Context extends Remembered>() {
  return (
    then: { readonly target: string; readonly know?: (secret: Sealed) => Partial<Context> },
    malformed: SentenceKey,
  ) => [
    {
      guard: ({ event }: { event: GaveSecret }) => event.wellFormed,
      target: then.target,
      actions: assign<Context, GaveSecret, undefined, MachineEvent, never>(
        ({ event }) => then.know?.(event.secret) ?? {},
      ),
    },
    {
      actions: assign<Context, GaveSecret, undefined, MachineEvent, never>(
        () => ({ notice: { key: malformed } }) as Partial<Context>,
      ),
    },
  ];
}

export function orTell<T>(value: T | undefined, why: Sentence): Reading<T> {
  return value === undefined ? { ok: false, why } : { ok: true, value };
}

/** An amount as people type it. */
export function amountIn(text: string): Reading<Centimes> {
  const amount = readAmount(text);
  return amount.ok
    ? { ok: true, value: amount.centimes }
    : { ok: false, why: { key: `amount.${amount.why}` } };
}

/** A mobile number as people type it. */
export function phoneIn(text: string): Reading<Msisdn> {
  const isUnfinished = /^0[67]\d{4,10}$/.test(latinDigits(text).replaceAll(/[\s.-]/g, ''));
  const why = isWords(text) ? 'mobile.noName' : isUnfinished ? 'mobile.unfinished' : 'mobile.notANumber';
  return orTell(readPhone(text), { key: why });
}

/** True for a name, where a number or an account is asked for as well. A question, an amount in words, a month and the address of a page are none. */
export function isName(text: string): boolean {
  const words = wordsOf(text);
  const saysMore = words.length > 1 && words.some((word) => isDirham(word) || monthsIn(word) !== undefined);
  return isWords(text) && words.length <= NAME_WORDS_MAX && !/[?؟/]/.test(text) && !saysMore;
}

const NAME_WORDS_MAX = 4;

/** True for words without a figure in them. */
export function isWords(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/\p{Nd}/u.test(text);
}

function wordsOf(text: string): string[] {
  return normalised(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Customers' words for themselves and for their own number, in the three languages and Darija. */
const ONESELF: ReadonlySet<string> = new Set(
  [
    'moi|a moi|pour moi|moi meme|pour moi meme|mon numero|le mien|me|myself|for me|for myself|my number|mine',
    'انا|لي|لنفسي|نفسي|رقمي|ليا|راسي|لراسي|نمرتي|liya|lia|rasi|lrasi|nmrti|nemrti|ra9mi|ana',
  ].flatMap((line) => line.split('|').map(normalised)),
);

/** The same where the customer's own number may be meant, which they need not type. */
export function phoneOrOwnIn(text: string, { wallet }: { readonly wallet: Msisdn }): Reading<Msisdn> {
  return ONESELF.has(wordsOf(text).join(' ')) ? { ok: true, value: wallet } : phoneIn(text);
}

/** The number of somebody else, who can be paid from this wallet. */
export function payeeIn(text: string, wallet: Msisdn, toYourself: SentenceKey): Reading<Msisdn> {
  return readPhone(text) === wallet ? { ok: false, why: { key: toYourself } } : phoneIn(text);
}

/** A RIB as people type it: its key is checked before anything else is asked. */
export function ribTyped(text: string): Reading<Rib> {
  const reading = readRib(text);
  return reading.ok
    ? { ok: true, value: reading.rib }
    : { ok: false, why: { key: reading.why === 'key' ? 'bank-transfer.wrongKey' : 'bank-transfer.notARib' } };
}

/** A payee that was typed: another wallet's number, or a bank account. */
type Payee = { readonly to: Msisdn } | { readonly rib: Rib };

/** More digits than any way to write a mobile number has: a RIB was meant. */
const PHONE_DIGITS_MAX = 15;

/** A mobile number, or a RIB. */
export function payeeOrRibIn(text: string, wallet: Msisdn, toYourself: SentenceKey): Reading<Payee> {
  if (text.replace(/\P{Nd}/gu, '').length > PHONE_DIGITS_MAX) {
    const rib = ribTyped(text);
    return rib.ok ? { ok: true, value: { rib: rib.value } } : rib;
  }
  const to = payeeIn(text, wallet, toYourself);
  return to.ok ? { ok: true, value: { to: to.value } } : to;
}
