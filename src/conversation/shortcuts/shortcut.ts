import type { Filled, HelpOffer } from '../../../machines/kit/conversation.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { hasOneScriptEach } from '../../wallet/digits.ts';
import { DIRHAM, isDirham } from '../../wallet/dirham.ts';
import { normalised, PICTURES, plain } from '../../wallet/letters.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { QR_CHARS_MAX } from '../../wallet/qr/merchant-qr.ts';
import { type Rib, ribIn } from '../../wallet/rib.ts';
import { inDigits, isNumberWord } from '../../wallet/spoken-number.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { isInexact } from './inexact.ts';
import { isForLater, isNoOrder } from './not-an-order.ts';
import { isIn } from './phrases.ts';
import { isForOneself, joinThousands, NUMBER, PAYING, parted, SEARCHED } from './plain-text.ts';
import { CONCEPTS, listed, SECOND_ORDER as ORDERED, PRONOUNS, RELATIVES, THE_SAME } from './vocabulary.ts';
import { ALONE, FILLERS, PERIODS, WORDS } from './words.ts';

/** A customer's request in one line: a conversation, and the answers that are filled in already. */
export interface Shortcut {
  readonly machine: string;
  readonly filled: Filled;
  /** The number of a reference, for where one is asked for first: `retrait client 215500000005`. */
  readonly reference?: string;
  /**
   * Said above the first question: that a payment goes at once, where another day was named. Or why the amount could not be read. Or
   * that not all of the request could.
   */
  readonly says?: SentenceKey;
  /** `adviser` only: the customer was robbed or cheated, or their money has not arrived. */
  readonly isUrgent?: 'theft' | 'missing';
  /** The same: what was said of the payment that is meant. */
  readonly about?: Pick<HelpOffer, 'of' | 'filled' | 'daysAgo'>;
  /** The same: the customer only asks where a payment stands. */
  readonly asksState?: true;
  /** `adviser` only: the customer names the person, so the request is made at once. */
  readonly asksPerson?: true;
}

/** Conversations that an agent has with the reference of a customer. */
const OF_REFERENCES: ReadonlySet<string> = new Set(['cash-in', 'cash-out', 'references']);
/** One run of digits that is no mobile number and no amount. References of bill networks have a prefix. */
const REFERENCE = /^(?:billref-)?\d{8,20}$/i;
/** As many digits as a reference has at least, in any script. A text with fewer need not be read as a line. */
const LONG_NUMBER = /(?:\p{Nd}\p{Cf}*){8}/u;

/** Far above any line that asks for something. A longer text is no request, and costs nothing to read. */
export const LINE_MAX_CHARS = 200;
/** Digits of a RIB, and words that they can be written in: each digit by itself behind an `MA` and its two. */
const RIB_DIGITS = 24;
const RIB_WORDS_MAX = RIB_DIGITS + 3;

/** The conversations in which a mobile number is asked for. */
const TO_NUMBERS: ReadonlySet<string> = new Set(['transfer', 'top-up', 'merchant-payment']);
/** A mobile number with fewer digits than it has, or more: `06 12 34 56`. */
const UNFINISHED_NUMBER = /(?<![\d+])0[67](?:[ .-]?\d){4,10}(?!\d)/;
/** The same where a merchant is named, whose number is all that stands there: `commerçant 99999`. */
const UNFINISHED_MERCHANT = /^\d{5,9}$/;
/** The conversations in which a bank account can be paid. */
const TO_BANKS = ['transfer', 'bank-transfer'];
/**
 * Words of each conversation, by the first of them, the longest first, so that `pay bill` is not taken for `pay`: every answer that
 * is typed is looked for here.
 */
const PHRASES = Map.groupBy(
  Object.entries(WORDS)
    .flatMap(([machine, phrases]) =>
      [machine, ...phrases].map((phrase) => [wordsOf(phrase), machine] as const),
    )
    .sort(([a], [b]) => b.length - a.length),
  ([[first = '']]) => first,
);

const SKIPPED: ReadonlySet<string> = new Set(FILLERS.flatMap(wordsOf));
/**
 * Reads a line such as `/transfer 0612345678 200`, `envoyer 200 à 0612345678`, `recharge 50`, `رصيد`. Undefined for
 * anything else. Nothing about money is guessed: a number or an amount that could be read in two ways is left out, and so
 * asked for.
 */
export function readShortcut(text: string): Shortcut | undefined {
  const [first = '', second] = text.length > LINE_MAX_CHARS ? [] : text.split(SECOND_ORDER);
  if (second === undefined) return readOne(text);
  const shortcut = readOne(first);
  const { amount, to, payee } = shortcut?.filled ?? {};
  return shortcut && amount !== undefined && (to ?? payee)
    ? { ...shortcut, says: 'nav.firstOnly' }
    : readOne(text);
}

/** `et 50 à maman` behind an order. */
const SECOND_ORDER = new RegExp(
  `\\s+(?:(?:${ORDERED.and})\\s+|و\\s*)(?=(?:(?:${ORDERED.send})\\s+)?\\p{Nd}[\\p{Nd}.,]*\\s*(?:dhs?|mad|درهم)?\\s*(?:(?:${ORDERED.to})\\s|ل))`,
  'iu',
);

function readOne(text: string): Shortcut | undefined {
  const words = wordsOf(text);
  const known = PHRASES.get(words[0] ?? '')?.find(([phrase]) => phrase.every((word, i) => words[i] === word));
  if (!known) return undefined;
  const [phrase, machine] = known;
  const rest = words.slice(phrase.length).join(' ');
  const reference = OF_REFERENCES.has(machine) && referenceIn(rest);
  if (reference) return { machine, filled: {}, reference };
  if (PAYING.has(machine)) return ofPayment(machine, rest, text);
  if (machine === 'takings') return ofPeriod(rest);
  if (machine === 'agent') return ofAgent(rest, text);
  if (machine === 'bill-payment' && isNoOrder(text, machine)) return undefined;
  const said = meaningful(rest);
  if (!said) return { machine, filled: {} };
  const isLook = SEARCHED.has(machine) && !ALONE.includes(phrase.join(' '));
  return isLook ? { machine, filled: soughtIn(machine, named(said), text) } : undefined;
}

function ofPayment(machine: string, rest: string, text: string): Shortcut | undefined {
  if (isNoOrder(text, machine)) return undefined;
  if (!hasOneScriptEach(text)) return { machine, filled: {}, ...unreadNotice(rest, {}) };
  if (isForLater(rest)) return { machine, filled: {}, says: 'nav.paysNow' };
  const { rib, others } = TO_BANKS.includes(machine) ? ribAmong(rest) : { rib: undefined, others: rest };
  const unfinished = rib ? undefined : withUnfinishedNumber(machine, rest);
  if (unfinished) return unfinished;
  const named = rib ? undefined : NAMED[machine]?.(rest, text);
  const filled = named ?? { ...fill(others), ...(rib && { rib }) };
  return { machine, filled, ...unreadNotice(others, filled) };
}

/** An order whose mobile number has too few digits: the number is asked for again, and the amount is kept. */
function withUnfinishedNumber(machine: string, rest: string): Shortcut | undefined {
  if (!TO_NUMBERS.has(machine) || rest.match(NUMBER)) return undefined;
  const [short] =
    UNFINISHED_NUMBER.exec(rest) ??
    ((machine === 'merchant-payment' && UNFINISHED_MERCHANT.exec(rest)) || []);
  if (short === undefined) return undefined;
  const { amount } = fill(rest.replace(short, ' '));
  return amount === undefined
    ? { machine, filled: {}, says: 'mobile.unfinished' }
    : { machine, filled: { amount }, says: 'mobile.unfinishedKept' };
}

/**
 * The same for a screen where words may be a search. It reads only a line with an amount, or a name of more than one
 * word and nothing besides: `retirer 300`, `mes références`. It does not read `recharge` or `facture redal`.
 */
export function readWhole(text: string): Shortcut | undefined {
  const shortcut = readShortcut(text);
  const hasAnswer = shortcut?.filled.amount !== undefined || shortcut?.reference !== undefined;
  const isWhole = hasAnswer || (wordsOf(text).length > 1 && calledIn(text) !== undefined);
  return isWhole ? shortcut : undefined;
}

/** The conversation whose name is all of the line: `envoyer`, `bank transfer`. */
export function calledIn(text: string): string | undefined {
  const machine = readShortcut(text)?.machine;
  const line = wordsOf(text).join(' ');
  return WORDS[machine ?? '']?.some((phrase) => wordsOf(phrase).join(' ') === line) ? machine : undefined;
}

/**
 * The words that are looked for, and that a voucher is a gift: `bon d'achat cadeau`, `carte netflix pour ma femme`. No brand is called as a
 * present or somebody near is.
 */
export function soughtIn(machine: string, said: string, text: string): Filled {
  const words = said.split(' ');
  const isGift = machine === 'voucher' && (words.some(saysGift) || GIVES.test(normalised(text)));
  const sought = isGift ? words.filter((word) => !saysGift(word) && !GIFT_BESIDE.has(word)).join(' ') : said;
  return { ...(sought !== '' && { search: asTyped(sought, text) }), ...(isGift && { isGift }) };
}

const GIVES = /(?<!\p{L})(?:offrir|un cadeau|a gift)(?!\p{L})/u;
const GIFT = /^(?:cadeaux?|kado|gift|present|كادو|هديه|هدية)$/;
const GIFT_BESIDE: ReadonlySet<string> = new Set(['en', 'un', 'une', 'ma', 'mon', 'mes', 'a', 'as', 'my']);

function saysGift(word: string): boolean {
  return GIFT.test(word) || relativeIn(word) !== undefined;
}

/** The words to search for. An amount or an article beside a name is no part of them, but a number as long as a contract's is. */
function named(said: string): string {
  const isAmount = (word: string) =>
    /^\d[\d.,]*$/.test(word.replace(AMOUNT_WITH_UNIT, '0')) && !/^\d{5,}$/.test(word);
  const words = said.split(' ').filter((word) => !isAmount(word) && !ARTICLES.has(word));
  return words.join(' ') || said;
}

const ARTICLES: ReadonlySet<string> = new Set(['d', 'l', 'des', 'les', 'un', 'une', 'en']);

/** The takings of the days that are named. Without such days, those of today. */
function ofPeriod(rest: string): Shortcut | undefined {
  if (rest === '') return { machine: 'takings', filled: {} };
  const named = PERIODS.find(([, names]) => names.some((name) => wordsOf(name).join(' ') === rest));
  return named && { machine: 'takings', filled: { period: named[0] } };
}

/** True for a line that names the reference of a deposit or a withdrawal, which may be worth money: it must not stay where it was typed. */
export function namesReference(text: string): boolean {
  return LONG_NUMBER.test(text) && readShortcut(text)?.reference !== undefined;
}

function referenceIn(rest: string): string | undefined {
  const said = meaningful(rest);
  return REFERENCE.test(said) && !readPhone(said) ? said : undefined;
}

/** With the code as it was typed: whether its capitals matter is not shown in v2.3. */
function ofAgent(rest: string, text: string): Shortcut | undefined {
  if (rest === '') return { machine: 'agent', filled: {} };
  const code = text.trim().split(/\s+/).at(-1) ?? '';
  return rest.includes(' ') || !/\d/.test(code) ? undefined : { machine: 'agent', filled: { code } };
}

/** The one run of words that is a RIB, and the other words. A line with two has no RIB. */
function ribAmong(rest: string): { readonly rib: Rib | undefined; readonly others: string } {
  if (rest.replace(/\D/g, '').length < RIB_DIGITS) return { rib: undefined, others: rest };
  const words = rest.split(' ');
  const runs = words.flatMap((_, from) =>
    words.slice(from, from + RIB_WORDS_MAX).flatMap((_, more) => {
      const rib = ribIn(words.slice(from, from + more + 1).join(' '));
      return rib
        ? [{ rib, others: [...words.slice(0, from), ...words.slice(from + more + 1)].join(' ') }]
        : [];
    }),
  );
  const [only, ...more] = runs;
  return only && more.length === 0 ? only : { rib: undefined, others: rest };
}

/** True where an order says whom it is for. */
export function namesPayee({ to, isOwn, payee, toLast, rib }: Filled): boolean {
  return (to ?? isOwn ?? payee ?? toLast ?? rib) !== undefined;
}

/** Words that stand before the recipient. */
const TO = new Set(['to', 'for', 'à', 'au', 'pour', 'إلى', 'ل'].flatMap(wordsOf));

/** Polite words behind a name or a wish, which are no part of it. */
export const POLITELY =
  /(?: (?:stp|svp|s il (?:te|vous) plait|merci|please|pls|plz|thanks|now|maintenant|aujourd hui|today|tout de suite|3afak|afak|daba|عافاك|عفاك|من فضلك|شكرا|دابا|الان|اليوم))+$/;
/** `40 à maman`, `à maman`, `40 dh à oncle Ali`: an amount, and words without a number in them behind it. */
function toSomebody(rest: string, text: string): Filled | undefined {
  const words = rest.split(' ');
  const at = words.findIndex((word) => TO.has(word));
  const payee = words
    .slice(at + 1)
    .join(' ')
    .replace(POLITELY, '');
  const said = words.slice(0, Math.max(at, 0)).join(' ');
  const before = fill(said);
  const isAmount = at === 0 || (before.to === undefined && (before.amount !== undefined || isUnread(said)));
  return at >= 0 && isAmount && /^[^\d]*\p{L}{2}[^\d]*$/u.test(payee) && meaningful(payee) !== ''
    ? {
        ...before,
        ...(THE_SAME.has(normalised(payee))
          ? { toLast: true }
          : !PRONOUNS.has(normalised(payee)) && { payee: asTyped(payee, text) }),
      }
    : undefined;
}

/** `samira 30`, `30 dh ma soeur`: a name of one word or two, and nothing else but an amount. */
function calledSo(rest: string, text: string): Filled | undefined {
  const words = rest.replace(POLITELY, '').split(' ');
  const isName = (word: string) =>
    /^\p{L}{3,}$/u.test(word) && meaningful(word) !== '' && !isInexact(word) && !BOUGHT.has(word);
  const name = words.filter(isName);
  const others = words.filter((word) => !isName(word)).join(' ');
  return name.length > 0 && name.length <= CALLED_WORDS_MAX && !/\p{L}/u.test(meaningful(others))
    ? { ...fill(others), payee: asTyped(name.map((word) => relativeIn(word) ?? word).join(' '), text) }
    : undefined;
}

/** A word for somebody near, without the "to" before it: `لماما`, `lweldi`. */
export function relativeIn(word: string): string | undefined {
  const unprefixed = word.replace(/^(?:ل|l(?=[^aeiou]))/, '');
  return (
    [unprefixed, word].find((each) => RELATIVES.has(normalised(each))) ??
    (isIn(RELATIVES, normalised(unprefixed)) ? unprefixed : undefined)
  );
}

const CALLED_WORDS_MAX = 2;
/** The goods, or their purpose: nobody is called so. */
const BOUGHT = listed([CONCEPTS.plan, CONCEPTS.data, CONCEPTS.credit, CONCEPTS.phone, CONCEPTS.operator]);
/** How somebody is named in the conversations where saved recipients are known. */
const NAMED: Readonly<Record<string, typeof calledSo>> = {
  transfer: toSomebody,
  'top-up': (rest, text) =>
    isForOneself(text) ? undefined : (toPhoneOf(rest, text) ?? calledSo(rest, text)),
};

/** `30 pour maman`. Behind `30 pour` there may be what is bought, too. */
function toPhoneOf(rest: string, text: string): Filled | undefined {
  return rest.split(' ').some((word) => BOUGHT.has(word)) ? undefined : toSomebody(rest, text);
}

/** A name with its capitals and accents, which it has not where lines are compared. */
export function asTyped(name: string, text: string): string {
  const words = parted(text).map((word) => word.replace(/[?!؟،,;:.]+$/, ''));
  const typed = [...words, ...words.map((word) => word.replace(/^\p{L}['’ʼ]/u, ''))];
  const compared = (word: string) =>
    [plain(word), normalised(word)].map((each) => ` ${each.replaceAll(/['’ʼ]/g, ' ')} `);
  return typed
    .flatMap((word) => compared(word).map((form) => [form, word] as const))
    .reduce((named, [form, word]) => named.replace(form, () => ` ${word} `), ` ${name} `)
    .trim();
}

/** A currency that is written behind its figure without a blank. */
const AMOUNT_BEFORE_UNIT = new RegExp(`(?<=^[-+]?\\d[\\d.,]*)${DIRHAM}(?= |$)`);
const AMOUNT_WITH_UNIT = new RegExp(`^\\d[\\d.,]*${DIRHAM}$`);
const SPACE_OR_HYPHEN = / |(?<=\p{L})-(?=\p{L})/u;

/** One number and one amount, each only where nothing else could be meant. A number beside an unclear amount is kept. */
function fill(rest: string): Filled {
  const numbers = rest.match(NUMBER) ?? [];
  const to: Msisdn | undefined = readPhone(numbers[0] ?? '');
  const left = meaningful(inDigits(rest.replaceAll(NUMBER, ' ').split(SPACE_OR_HYPHEN)).join(' ')).split(' ');
  // A word that nobody knows may change everything: "envoyer 200 moins 50".
  const unread = left.filter((word) => /\p{L}/u.test(word.replace(AMOUNT_WITH_UNIT, '')));
  if (numbers.length > 1 || !unread.every((word) => isInexact(word) || isNumberWord(word) || /\d/.test(word)))
    return {};
  // `200 300` could be two amounts as well as one.
  const amount = left.length === 1 && unread.length === 0 ? readAmount(left[0] ?? '') : undefined;
  return { ...(to && { to }), ...(amount?.ok && { amount: amount.centimes }) };
}

/**
 * The notice about a figure of an order that was not taken: none is dropped in silence. An amount that can be read in two ways, or is none
 * at all, has its own.
 * @param said the line without the words that ask for the payment
 */
export function unreadNotice(said: string, { amount, to }: Filled): Pick<Shortcut, 'says'> {
  const numbers = said.match(NUMBER) ?? [];
  const figures = said.replaceAll(NUMBER, ' ').match(FIGURES) ?? [];
  const isTaken =
    (figures.length === 0 || amount !== undefined) && (numbers.length === 0 || to !== undefined);
  if (isTaken) return {};
  const [figure = '', ...more] = figures;
  const reading = readAmount(figure);
  const isOnly = more.length === 0 && !reading.ok && reading.why !== 'notAnAmount';
  return { says: isOnly ? `amount.${reading.why}` : 'nav.notAll' };
}

/** Figures, with the sign and the marks that belong to them. */
const FIGURES = /[-+]?\d(?:[\d.,]*\d)?/g;

/** One figure that is no amount, and perhaps its currency: `1.500`, `0`, `-50 dh`. */
function isUnread(said: string): boolean {
  return /^[-+]?\d[\d.,]*$/.test(meaningful(said.replace(AMOUNT_BEFORE_UNIT, '')));
}

/** The words of a line as they are compared. Empty for a text that is too long to be a line. */
function wordsOf(text: string): string[] {
  if (text.length > LINE_MAX_CHARS) return [];
  const line = plain(text)
    .replace(/^\//, '')
    .replaceAll(PICTURES, ' ')
    .replaceAll(/['’ʼ]/g, ' ')
    .replaceAll(/[?!؟،,;:.]+(?=\s|$)/g, ' ');
  return parted(joinThousands(line));
}

function meaningful(rest: string): string {
  return rest
    .split(' ')
    .filter((word) => word !== '' && !SKIPPED.has(word) && !isDirham(word))
    .join(' ');
}

/** The request in a QR code; undefined where there is none, or more than a code for a payment holds. */
export function shortcutOfQr(qr: string | undefined): Shortcut | undefined {
  const isCode = qr !== undefined && qr.trim() !== '' && qr.length <= QR_CHARS_MAX;
  return isCode ? { machine: 'merchant-payment', filled: { qr } } : undefined;
}

/** The table of payouts that a principal agent sends as a file. */
export const GIVES_PAYOUTS: Shortcut = { machine: 'payouts', filled: { givesFile: true } };
