import type { Filled } from '../../../machines/kit/conversation.ts';
import { hasOneScriptEach } from '../../wallet/digits.ts';
import { DIRHAM, isDirham } from '../../wallet/dirham.ts';
import { isNearly, normalised, PICTURES } from '../../wallet/letters.ts';
import type { Centimes } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { inDigits } from '../../wallet/spoken-number.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { GUESTS } from '../chart/main-conversation.ts';
import type { Navigation } from '../incoming.ts';
import { isInexact } from './inexact.ts';
import { isForLater, isNoOrder } from './not-an-order.ts';
import { NUMBER, PAYING, SEARCHED } from './plain-text.ts';
import { type Shortcut, unreadNotice } from './shortcut.ts';
import { nearKeys, wordsIn } from './spelling.ts';
import {
  ALTERNATIVES,
  AND,
  ARRIVING,
  CARRIERS,
  CONCEPTS,
  DARIJA_OF,
  FAREWELLS,
  FINE,
  GREETINGS,
  LOOKALIKES,
  NEGATIONS,
  NOT_ARRIVED,
  PERSONS,
  PHRASES_OF,
  RELATIVES,
  SAYINGS,
  SENT_MONEY,
  THANKING,
  THANKS,
  TOWARDS_SOMEBODY,
  WHOLE_OF,
} from './vocabulary.ts';
import { PERIODS, WORDS } from './words.ts';

/** The meaning of a line in a customer's own words. */
type Understood =
  | { readonly kind: 'wants'; readonly shortcut: Shortcut }
  | { readonly kind: 'went'; readonly to: Navigation }
  | Several
  | { readonly kind: Courtesy }
  /** The question for the fee of an amount, or of a payment. `pays`: the payment whose preview tells it. */
  | { readonly kind: 'fees'; readonly amount?: Centimes; readonly pays?: Shortcut }
  /**
   * The customer wants a payment back. `isNumber`: a number was wrong. `isReference`: a deposit or a withdrawal is to be cancelled. `of`: the
   * payment is named.
   */
  | {
      readonly kind: 'undoes';
      readonly isNumber: boolean;
      readonly isReference?: true;
      readonly of?: 'transfer';
    };
/** Two things could be meant, or two were asked for, in the order of the line. */
export interface Several extends Pick<Shortcut, 'filled' | 'says'> {
  readonly kind: 'either';
  readonly meanings: readonly string[];
}
export type Courtesy = 'greets' | 'thanks' | 'fine' | 'bye';

const MOVES: ReadonlySet<string> = new Set<Navigation>(['menu', 'back', 'cancel', 'help', 'language']);
/** A name for Darija: shorter ones are too many words at once. */
const CONSONANTS_MIN = 3;
/** A shorter name is too near to too many words: `found` to `fund`. */
const LIKE_CHARS_MIN = 5;
/** Words that begin much else: `carte postale` asks for no card. */
const TOO_COMMON: ReadonlySet<string> = new Set([
  'bon',
  'bons',
  'carte',
  'cartes',
  'card',
  'cards',
  'compte',
  'account',
  'pin',
  'bank',
  'pay',
  'bancaire',
  ...['كارط', 'بطاقه', 'بطاقتي', 'حساب', 'حسابي', 'كشف'],
]);
/** The number of words of a line that may stay unknown beside the understood ones. More words could mean anything. */
const UNKNOWN_WORDS_MAX = 4;
/** Marks requests to a bank that the bot does not serve: they are near to a deed, and none. */
const NOTHING = 'nothing';
/** The phrases of those who were robbed or cheated. */
const URGENT = 'urgent';
/** The phrases of those who look for their money. */
const MISSING = 'missing';
/** Paid twice, for no reason, or a balance that cannot be right. */
const WRONG_DEBIT = 'wrong-debit';
/** The question for the fee of an amount. */
const FEES = 'fees';
const ADVISER = 'adviser';
/** The phrases of customers who want a payment back, and of those whose number was wrong. */
const UNDO = 'undo';
const WRONG_NUMBER = 'wrong-number';
/** The same of a reference for cash. */
const UNDO_REFERENCE = 'undo-reference';
const UNDOES = [WRONG_NUMBER, UNDO, UNDO_REFERENCE];
/** Deeds that protect more than the help does. */
const PROTECTING: ReadonlySet<string> = new Set(['freeze', 'lost-card']);
const NUMERIC = new RegExp(`^-?\\d[\\d.,]*${DIRHAM}?$`);

/** One of the words of a phrase, by all that it is called. */
interface Wanted {
  readonly names: ReadonlySet<string>;
  /** Names that one wrong key is forgiven in. */
  readonly guessable: readonly string[];
  /** Stems of verbs, to which Darija puts a prefix: `sift` in `nsift`, `katsift`, `ghansift`. */
  readonly stems: readonly string[];
  /** The consonants of those. */
  readonly verbs: readonly string[];
  /** The consonants of names that are written in Darija. */
  readonly sounds: readonly string[];
}

/** The thing that must stand beside a saying, by the saying's first sign. */
const BESIDE: Readonly<Record<string, Beside>> = { '#': 'number', $: 'amount' };
type Beside = 'number' | 'amount';

interface Phrase {
  readonly deed: string;
  readonly words: readonly Wanted[];
  readonly isDarija: boolean;
  /** Says so only beside a mobile number (`donne 20 dh au 06…`) or an amount (`نخرج 100 درهم`). */
  readonly beside?: Beside | undefined;
}

interface Found {
  readonly phrase: Phrase;
  /** The places of its words in the line. */
  readonly at: readonly number[];
  /** How many of its words are not spelt as they should be. */
  readonly guessed: number;
}

const CARRIED = listed(CARRIERS);
const GREETED = listed(GREETINGS);
const THANKED = listed(THANKS);
const GRATEFUL = listed(THANKING);
const COURTESIES: readonly (readonly [Courtesy, readonly string[][]])[] = [
  ['bye', wordLists(FAREWELLS)],
  ['fine', wordLists(FINE)],
];
const SIGNS: readonly (readonly [Courtesy, RegExp])[] = [
  ['thanks', /[\u{1f64f}\u2764\u{1f970}\u{1f60d}\u{1f339}\u{1f490}]/u],
  ['greets', /\u{1f44b}/u],
  ['fine', /[\u{1f44d}\u{1f44c}\u2705\u{1f197}\u{1f642}\u{1f60a}\u{1f600}\u{1f601}\u{1f44f}\u{1f4aa}]/u],
];
const BILLERS = listed([CONCEPTS.biller]);
const FEE_WORDS = listed([CONCEPTS.fee, CONCEPTS.cost, CONCEPTS.howMuch]);
const PAY = conceptOf(CONCEPTS.pay)[0]?.[0];
const SENDS = listed([CONCEPTS.send]);
const SERVICES = listed([CONCEPTS.service]);
const TOWARDS = listed(TOWARDS_SOMEBODY);
const JOINING = listed(AND);
/** Articles that are a word for "to" in another language. */
const ARTICLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:send|sending|transfer|withdraw|deposit|load)$/, 'a'],
  [/^(?:envo|transf|retir|recharg|vir|depo|vers)/, 'l'],
];
const RELATED = listed(RELATIVES);
/** Words that look like another one, and are spelt right. */
const SPELT_RIGHT = listed(LOOKALIKES);
const NEGATED = listed(NEGATIONS);
const ALTERNATIVE = listed(ALTERNATIVES);
const MONEY_SENT = listed(SENT_MONEY);
const ARRIVED = listed(ARRIVING);
const NAMED_PERSONS = listed(PERSONS);
const WHOLE = new Map(
  Object.entries(WHOLE_OF).flatMap(([deed, lines]) =>
    wordLists([lines]).map((line) => [line.join(' '), deed] as const),
  ),
);
/** A word that stands in many phrases is looked for once. */
const WANTED = new Map<string, Wanted>();
/** Sorting some thousand phrases asks for the length of each many times. */
const LENGTHS = new WeakMap<Phrase, number>();
/** The longest first, so that `pay bill` is not taken for `pay`. Right spelling comes before guesses. */
const PHRASES: readonly Phrase[] = [
  ...phrasesOf(PHRASES_OF, false),
  ...phrasesOf(WORDS, false),
  ...phrasesOf(DARIJA_OF, true),
  ...sayingsOf(SAYINGS),
].sort((a, b) => lengthOf(b) - lengthOf(a) || Number(a.isDarija) - Number(b.isDarija));
const PHRASES_BY_FIRST = Map.groupBy(PHRASES.keys(), (place) => PHRASES[place]?.words[0]);
const ALL_WANTED = [...new Set(PHRASES.flatMap(({ words }) => words))];
/**
 * Each wanted word by all that leads to it, because a customer's word is compared with a few of them and not with each
 * of some thousand: its names, its sounds, and its names with one letter left out.
 */
const BY_NAME = indexed(({ names }) => names);
const BY_SOUND = indexed(({ sounds }) => sounds);
const BY_NEAR = indexed(({ guessable }) => guessable.flatMap(nearKeys));
const DEEDS_OF = new Map<Wanted, Set<string>>();
for (const { deed, words } of PHRASES)
  for (const wanted of words) DEEDS_OF.set(wanted, (DEEDS_OF.get(wanted) ?? new Set()).add(deed));
const WITH_STEMS = ALL_WANTED.filter(({ stems }) => stems.length > 0);

/**
 * Reads what a customer writes in their own words: `je voudrais envoyer 200 dh à 0612345678`, `3tini rassid`, `بغيت
 * نصيفط`. Undefined where the request is not clear. Money is never guessed. An amount or a number is filled in only
 * where every word of the line was understood and it could be read in one way. A line about a payment that was made, or
 * about money for the writer, orders none.
 * @param isExact forgives no wrong key: the line may as well be a name, or a search
 */
export function understand(text: string, isExact = false): Understood | undefined {
  const line = normalised(text);
  const numbers = line.match(NUMBER) ?? [];
  const words = inDigits(wordsIn(line.replaceAll(NUMBER, ' ')));
  const said = words.filter((word) => !NUMERIC.test(word));
  const hasNumber = numbers.length > 0;
  const has = { number: hasNumber, amount: words.length > said.length };
  const whole = words.length === said.length && !hasNumber ? WHOLE.get(said.join(' ')) : undefined;
  if (whole === 'adviser') return PERSON_WISH;
  if (whole) return wants(whole, {});
  const fits = fitsIn(said);
  const found = firstOf(said, has, fits);
  // Nothing else in a line outweighs a theft or money that is missing: not a payment that it tells of, nor a "not".
  const trouble = PROTECTING.has(found?.phrase.deed ?? '') ? undefined : troubleIn(said, fits);
  if (trouble) return urgent(trouble);
  const undo = UNDOES.find((deed) => stands(deed, said, fits));
  if (undo && !said.some((word) => ALTERNATIVE.has(word))) return undoes(undo, said);
  if (!found) return barePayment(said, has) ?? courtesyIn(said, has.amount || hasNumber);
  const rest = said.filter((_, place) => !found.at.includes(place));
  const unknown = rest.filter((word) => !isCarrier(word));
  if (unknown.some((word) => NEGATED.has(word)) || hasDenial(said, found)) return undefined;
  if (found.phrase.deed === NOTHING || (isExact && found.guessed > 0)) return undefined;
  const deed = paidBy(found.phrase.deed, numbers);
  const other = firstOf(rest, has);
  const isChoice = said.some((word) => ALTERNATIVE.has(word) || joins(word, other));
  const parts = { found, said, numbers, amounts: words.filter((it) => NUMERIC.test(it)) };
  const ofFee = isChoice ? undefined : feeBeside(deed, other, rest);
  if (ofFee) return asked(text, FEES, { ...parts, unknown: unknown.filter((word) => !ofFee.has(word)) });
  if (other && other.phrase.deed !== deed && (isChoice || !isPartOf(other, found)))
    return bothOf(
      text,
      [deed, other.phrase.deed],
      other.at.map((place) => rest[place] ?? ''),
      { ...parts, unknown },
    );
  if (!isCertain(found, unknown, said)) return undefined;
  return asked(text, deed, { ...parts, unknown });
}

/** Both deeds of a line, in its order. @param words those of the second one */
function bothOf(
  text: string,
  [deed, other]: readonly [string, string],
  words: readonly string[],
  { found, unknown, said, ...parts }: Line,
): Understood | undefined {
  const isFirst = said.indexOf(words[0] ?? '') > (found.at[0] ?? 0);
  const left = unknown.filter((word) => !words.includes(word) && !JOINING.has(word));
  return either(text, isFirst ? [deed, other] : [other, deed], { ...parts, found, said, unknown: left });
}

/** `frais d'une recharge de 20` asks for one thing, the fee of a payment: the words of the second phrase. */
function feeBeside(
  deed: string,
  other: Found | undefined,
  rest: readonly string[],
): ReadonlySet<string | undefined> | undefined {
  const deeds = [deed, other?.phrase.deed ?? ''];
  const isFee = deeds.includes(FEES) && deeds.some((each) => PAYING.has(each));
  return isFee ? new Set(other?.at.map((place) => rest[place])) : undefined;
}

/** A line that asks for one deed. */
interface Line {
  readonly found: Found;
  readonly unknown: readonly string[];
  readonly said: readonly string[];
  readonly numbers: readonly string[];
  readonly amounts: readonly string[];
}

function asked(text: string, deed: string, line: Line): Understood | undefined {
  const { found, unknown, said, numbers, amounts } = line;
  const hasNumbers = numbers.length > 0 || amounts.length > 0;
  if (MOVES.has(deed))
    return unknown.length > 0 || hasNumbers ? undefined : { kind: 'went', to: deed as Navigation };
  if (isPast(text, deed)) return undefined;
  if (isPaid(deed, found) && numbers.length > 0)
    return { kind: 'either', meanings: ['merchant-payment', 'transfer'], ...ordered(text, line) };
  if (PAYING.has(deed)) return payment(text, deed, line);
  // The phone of somebody else was lost.
  if (PROTECTING.has(deed) && unknown.some(isRelative)) return undefined;
  if (deed === URGENT) return urgent('theft');
  if (deed === MISSING || deed === WRONG_DEBIT) return urgent('missing');
  if (UNDOES.includes(deed)) return undoes(deed, said);
  if (deed === ADVISER && found.at.some((place) => isPerson(said[place] ?? ''))) return PERSON_WISH;
  if (deed === FEES) {
    const order = unknown.every(isPlain) ? filled(numbers, exactly(amounts, said)) : {};
    const pays = order.amount !== undefined && hasOneScriptEach(text) && paidIn(text, said, numbers);
    return {
      kind: 'fees',
      ...(order.amount !== undefined && { amount: order.amount }),
      ...(pays && { pays: { machine: pays, filled: order } }),
    };
  }
  return hasNumbers && deed !== ADVISER
    ? undefined
    : withoutMoney(found, [...billerIn(found, said), ...unknown]);
}

/** The payment whose fee is asked for: `frais pour envoyer 500`. */
function paidIn(text: string, said: readonly string[], numbers: readonly string[]): string | undefined {
  const deed = firstOf(
    said.filter((word) => !FEE_WORDS.has(word) && !FEE_WORDS.has(bare(word))),
    { number: numbers.length > 0, amount: true },
  )?.phrase.deed;
  return deed && PAYING.has(deed) && !isPast(text, deed) ? paidBy(deed, numbers) : undefined;
}

function urgent(isUrgent: 'theft' | 'missing'): Understood {
  return { kind: 'wants', shortcut: { machine: ADVISER, filled: {}, isUrgent } };
}

function undoes(deed: string, said: readonly string[]): Understood {
  const isSend = said.some((word) => SENDS.has(word) || SENDS.has(bare(word)));
  return {
    kind: 'undoes',
    isNumber: deed === WRONG_NUMBER,
    ...(deed === UNDO_REFERENCE && { isReference: true }),
    ...(deed === UNDO && isSend && { of: 'transfer' }),
  };
}

const PERSON_WISH: Understood = {
  kind: 'wants',
  shortcut: { machine: ADVISER, filled: {}, asksPerson: true },
};

function isPerson(word: string): boolean {
  return NAMED_PERSONS.has(word) || NAMED_PERSONS.has(bare(word));
}

function isRelative(word: string): boolean {
  return [word, bare(word), word.replace(/^ل/, '')].some((form) => RELATED.has(form));
}

/** A word that changes neither the amount nor the number beside it. */
function isPlain(word: string): boolean {
  return isInexact(word) || isRelative(word);
}

function payment(text: string, machine: string, line: Line): Understood {
  const { filled, ...order } = ordered(text, line);
  const isOwn = machine === 'top-up' && line.numbers.length === 0 && OWN_NUMBER.test(normalised(text));
  return { kind: 'wants', shortcut: { machine, filled: { ...filled, ...(isOwn && { isOwn }) }, ...order } };
}

/** `mon numéro`, `my line`, `نمرتي`. */
const OWN_NUMBER =
  /(?:^|[^\p{L}])(?:mon (?:numero|num)|ma ligne|my (?:number|line)|ل?نمرتي|ل?رقمي|l?ne?mrti)(?:$|[^\p{L}])/u;

/** `payer`, `bghit nkhelles`: nobody knows whom. */
function barePayment(said: readonly string[], has: Readonly<Record<Beside, boolean>>): Several | undefined {
  const [word, ...more] = said.filter((each) => !isCarrier(each));
  const isAlone = word !== undefined && more.length === 0 && !has.amount && !has.number;
  if (!isAlone || !PAY) return undefined;
  return fitness({ word, stem: bare(word), sound: '' }, PAY) === 'same'
    ? { kind: 'either', meanings: ['bill-payment', 'merchant-payment', 'transfer'], filled: {} }
    : undefined;
}

/** The values that a line fills in, and the notice about the rest. */
function ordered(text: string, line: Line): Pick<Shortcut, 'filled' | 'says'> {
  if (isForLater(text)) return { filled: {}, says: 'nav.paysNow' };
  const filled = certain(text, line);
  return { filled, ...unreadNotice(figuresOf(line), filled) };
}

function figuresOf({ numbers, amounts }: Line): string {
  return [...numbers, ...amounts].join(' ');
}

/** No amount is exact beside a vague word. A number beside it still is. */
function exactly(amounts: readonly string[], said: readonly string[]): readonly string[] {
  return said.some(isInexact) ? [] : amounts;
}

/** A customer who writes of a past payment asks about it, and does not pay again. */
function isPast(text: string, deed: string): boolean {
  return (PAYING.has(deed) || deed === 'bill-payment') && isNoOrder(text, deed);
}

/** A customer who names a mobile number sends to a wallet, whichever word they use: `virement de 300 dh au 06…`. */
function paidBy(deed: string, numbers: readonly string[]): string {
  return deed === 'bank-transfer' && numbers.length === 1 ? 'transfer' : deed;
}

/** A deed that takes neither an amount nor a number. The rest of the line may be a search. */
function withoutMoney(
  { phrase: { deed }, guessed }: Found,
  unknown: readonly string[],
): Understood | undefined {
  const rest = unknown.join(' ');
  if (deed === 'takings') return takingsOf(rest);
  return wants(deed, SEARCHED.has(deed) && guessed === 0 && rest ? { search: rest } : {});
}

/** The biller's name is searched for, even where it is a part of the understood words: `payer redal`. */
function billerIn({ phrase: { deed }, at }: Found, said: readonly string[]): string[] {
  return deed === 'bill-payment'
    ? at.flatMap((place) => (BILLERS.has(said[place] ?? '') ? [said[place] as string] : []))
    : [];
}

/** The takings of today where no days are named. Undefined where nobody can ask for the named days. */
function takingsOf(said: string): Understood | undefined {
  if (said === '') return wants('takings', {});
  const named = PERIODS.find(([, names]) =>
    names.some((name) => wordsIn(normalised(name)).join(' ') === said),
  );
  return named && wants('takings', { period: named[0] });
}

function wants(machine: string, filled: Filled): Understood {
  return { kind: 'wants', shortcut: { machine, filled } };
}

/** Of two deeds where one is a move, nobody can say which comes first. What was done already is not asked for. */
function either(text: string, deeds: readonly string[], line: Line): Understood | undefined {
  if (deeds.some((deed) => MOVES.has(deed))) return undefined;
  const meanings = deeds.filter((deed) => !isPast(text, deed));
  if (meanings.length === 0) return undefined;
  // Beside a payment that takes money as well, nobody can say whose amount it is.
  if (meanings.length === deeds.length && meanings.some((deed) => GUESTS.has(deed)))
    return { kind: 'either', meanings, ...ordered(text, line) };
  return { kind: 'either', meanings, filled: {}, ...unreadNotice(figuresOf(line), {}) };
}

/** Whom `payer 45 à 06…` pays is not said: a merchant, or somebody who gets money as everybody does. */
function isPaid(deed: string, { phrase: { words } }: Found): boolean {
  return deed === 'transfer' && words.length === 1 && words[0]?.names.has('pay') === true;
}

/** Where something stays unclear, nothing is filled in. */
function certain(text: string, { unknown, numbers, amounts, said }: Line): Filled {
  return unknown.every(isPlain) && hasOneScriptEach(text) ? filled(numbers, exactly(amounts, said)) : {};
}

/** A single word that is also part of another deed's phrase says nothing of its own: the `account` of `close account`. */
function isPartOf(other: Found, found: Found): boolean {
  return lengthOf(other.phrase) < Math.floor(lengthOf(found.phrase));
}

/** A phrase that begins the line, or has more than one word, may stand beside unknown words. A guessed phrase may not. */
function isCertain(
  { phrase, at, guessed }: Found,
  unknown: readonly string[],
  said: readonly string[],
): boolean {
  if (unknown.length === 0) return true;
  if (phrase.words.every(isTooCommon)) return false;
  if (guessed > 0 || unknown.length > UNKNOWN_WORDS_MAX) return false;
  if (hasOtherObject({ phrase, at, guessed }, said)) return false;
  const isFirst = said.slice(0, at[0]).every((word) => isCarrier(word));
  return phrase.words.length > 1 || isFirst;
}

/**
 * One word alone beside words that nobody knows asks for nothing that is known: `envoyer un colis`, `balance ta musique`, `وقف
 * الطاكسي`. Behind `à`, `to` or `ل` stands a person who is paid, and behind `facture` the name to look for.
 */
function hasOtherObject({ phrase, at }: Found, said: readonly string[]): boolean {
  const [place = 0] = at;
  const verb = said[place] ?? '';
  const { deed } = phrase;
  if (lengthOf(phrase) >= 2) return false;
  if (SEARCHED.has(deed)) return BILLERS.has(verb) || SERVICES.has(bare(verb));
  if (!PAYING.has(deed)) return true;
  const behind = said
    .slice(place + 1)
    .filter((word) => !ARTICLES.some(([of, it]) => it === word && of.test(verb)));
  const next = behind.find((word) => TOWARDS.has(word) || !isCarrier(word));
  return next !== undefined && !TOWARDS.has(next) && !isInexact(next) && !/^ل(?!ا)/.test(next);
}

/** How much a phrase says: its words, of which those that carry nothing count little. */
function lengthOf(phrase: Phrase): number {
  const known = LENGTHS.get(phrase);
  if (known !== undefined) return known;
  const { words } = phrase;
  const empty = words.filter(
    ({ names }) => names.size === 1 && [...names].every((name) => CARRIED.has(name)),
  );
  const length = words.length - empty.length + empty.length / 100;
  LENGTHS.set(phrase, length);
  return length;
}

function isTooCommon({ names }: Wanted): boolean {
  return names.size === 1 && [...names].every((name) => TOO_COMMON.has(name) || CARRIED.has(name));
}

function filled(numbers: readonly string[], amounts: readonly string[]): Filled {
  if (numbers.length > 1) return {};
  const to = readPhone(numbers[0] ?? '');
  const amount = amounts.length === 1 ? readAmount(amounts[0] as string) : undefined;
  return { ...(to && { to }), ...(amount?.ok && { amount: amount.centimes }) };
}

function courtesyIn(said: readonly string[], hasNumbers: boolean): Understood | undefined {
  if (hasNumbers || said.length === 0) return undefined;
  const plainly = said.filter((word) => !GREETED.has(word) || said.length === 1);
  const named = COURTESIES.find(([, lists]) =>
    lists.some((list) => [said, plainly].some((line) => isSameLine(list, line))),
  );
  if (named) return { kind: named[0] };
  const isPolite = said.every((word) => THANKED.has(word) || isCarrier(word));
  if (!isPolite) return undefined;
  if (said.some((word) => GRATEFUL.has(word))) return { kind: 'thanks' };
  return said.some((word) => GREETED.has(word) || GREETED.has(bare(word))) ? { kind: 'greets' } : undefined;
}

/**
 * The deeds whose words stand in a line that was not understood, the nearest first. A word counts the more, the fewer deeds have
 * it, and a misspelt one counts half. These are only for a question: nobody can tell from them what the customer wants.
 */
export function nearest(text: string): readonly string[] {
  const line = normalised(text).replaceAll(NUMBER, ' ');
  const said = inDigits(wordsIn(line)).filter((word) => !NUMERIC.test(word) && !isCarrier(word));
  const scores = new Map<string, number>();
  for (const [wanted, fit] of fitsIn(said)) {
    const deeds = DEEDS_OF.get(wanted) ?? new Set();
    const weight = (fit.includes('same') ? 1 : 0.5) / deeds.size;
    for (const deed of deeds) scores.set(deed, (scores.get(deed) ?? 0) + weight);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([deed]) => deed);
}

/** The courtesy of a line of pictures alone: `👍`, `🙏`. */
export function courtesyOfSigns(text: string): Courtesy | undefined {
  if (text.replaceAll(PICTURES, '').trim() !== '') return undefined;
  return SIGNS.find(([, signs]) => signs.test(text))?.[0];
}

function isSameLine(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** True where a phrase of a deed stands in the line, letter for letter. */
function stands(deed: string, said: readonly string[], fits: Fits): boolean {
  const places = said.map((_, place) => place);
  const bearing = places.filter((place) => !isCarrier(said[place] as string));
  return phrasesBeside(fits).some(
    (phrase) =>
      phrase.deed === deed && [bearing, places].some((each) => findIn(fits, each, phrase)?.guessed === 0),
  );
}

function troubleIn(said: readonly string[], fits: Fits): 'theft' | 'missing' | undefined {
  if (stands(URGENT, said, fits)) return 'theft';
  return isMissing(said) || stands(WRONG_DEBIT, said, fits) ? 'missing' : undefined;
}

/** True where money was sent, and has not arrived. */
function isMissing(said: readonly string[]): boolean {
  const has = (list: ReadonlySet<string>) => said.some((word) => list.has(word) || list.has(bare(word)));
  const isNotThere = said.some((word) => NOT_ARRIVED.some((form) => form.test(word)));
  if (isNotThere) return said.length === 1 || has(MONEY_SENT);
  const isDenying = has(NEGATED) || said.includes('ما') || said.includes('مازال');
  return has(MONEY_SENT) && has(ARRIVED) && isDenying;
}

function isCarrier(word: string): boolean {
  return (
    isDirham(word) || [word, bare(word)].some((it) => CARRIED.has(it) || GREETED.has(it) || GRATEFUL.has(it))
  );
}

/** `ما بغيتش`, `ma bghitch`, `tsiftch`: the verb itself says that it is not wanted. */
function isDenied(word: string): boolean {
  return (
    /^(?:ma|m)?(?:bghi?|t?sift|nkhell?e?s|rid).*ch$/.test(word) ||
    /^ma[^aeiou].{2,}ch$/.test(word) ||
    /^(?:ما)?(?:بغيت|تصيفط|نصيفط|تخلص)ش$/.test(word) ||
    /^ما.{3,}ش$/.test(word)
  );
}

function hasDenial(said: readonly string[], { at }: Found): boolean {
  return said.some(
    (word, place) => !at.includes(place) && (isDenied(word) || isDeniedBehind(said[place - 1], word)),
  );
}

/** `ما بقاش`, `ma bqach` in two words. */
function isDeniedBehind(before: string | undefined, word: string): boolean {
  return (before === 'ما' || before === 'ma') && /.(?:ش|ch)$/.test(word);
}

/** `recharger et payer`, `نشارجي ونخلص` ask for two things. */
function joins(word: string, other: Found | undefined): boolean {
  if (!other || other.guessed > 0) return false;
  return JOINING.has(word) || /^و[\u0600-\u06ff]{3}/.test(word);
}

/** `ضاعتش` says that it is not lost: the letter that denies is no wrong key. */
function isDenial(word: string, of: string): boolean {
  return (
    /[شh]$/.test(word) && [`${of}ش`, `${of}ch`].some((denied) => word === denied || bare(word) === denied)
  );
}

/**
 * The longest phrase in a line, wherever it stands. Of phrases of the same length, it is the one with the most words in
 * the right spelling, and then the first. Undefined where two deeds are equally near to misspelt words.
 */
function firstOf(
  said: readonly string[],
  has: Readonly<Record<Beside, boolean>>,
  fits = fitsIn(said),
): Found | undefined {
  // Most typed texts are numbers, and there are over a thousand phrases.
  if (said.length === 0) return undefined;
  const places = said.map((_, place) => place);
  const bearing = places.filter((place) => !isCarrier(said[place] as string));
  let best: Found | undefined;
  let isTie = false;
  for (const phrase of phrasesBeside(fits)) {
    if (best && (best.guessed === 0 || lengthOf(phrase) < lengthOf(best.phrase))) break;
    if (phrase.beside && !has[phrase.beside]) continue;
    if (!phrase.words.every((wanted) => fits.has(wanted))) continue;
    const found = findIn(fits, bearing, phrase) ?? findIn(fits, places, phrase);
    if (!found) continue;
    if (!best || found.guessed < best.guessed) {
      best = found;
      isTie = false;
    } else if (found.guessed === best.guessed && found.phrase.deed !== best.phrase.deed) isTie = true;
  }
  return isTie ? undefined : best;
}

type Fitness = 'same' | 'near' | undefined;

type Fits = ReadonlyMap<Wanted, readonly Fitness[]>;

/** How well each word of a line fits each wanted word. It leaves out the wanted words that are nowhere in the line. */
function fitsIn(said: readonly string[]): Fits {
  const fits = new Map<Wanted, Fitness[]>();
  for (const [place, word] of said.entries()) {
    const spelt = { word, stem: bare(word), sound: consonants(word) };
    // `about` is no misspelt `abort`.
    const isExact = isInexact(word) || SPELT_RIGHT.has(word);
    for (const wanted of nearTo(spelt)) {
      const fit = fitness(spelt, wanted);
      if (!fit || (isExact && fit === 'near')) continue;
      const each = fits.get(wanted) ?? [];
      each[place] = fit;
      fits.set(wanted, each);
    }
  }
  return fits;
}

function nearTo({ word, stem, sound }: Spelt): ReadonlySet<Wanted> {
  const near = new Set([word, stem].flatMap((form) => BY_NAME.get(form) ?? []));
  for (const wanted of WITH_STEMS) near.add(wanted);
  for (const wanted of BY_SOUND.get(sound) ?? []) near.add(wanted);
  for (const key of [word, stem].flatMap(nearKeys))
    for (const wanted of BY_NEAR.get(key) ?? []) near.add(wanted);
  return near;
}

/** The phrases whose first word is in the line, in the order of `PHRASES`. */
function phrasesBeside(fits: Fits): Phrase[] {
  return [...fits.keys()]
    .flatMap((wanted) => PHRASES_BY_FIRST.get(wanted) ?? [])
    .sort((a, b) => a - b)
    .map((place) => PHRASES[place] as Phrase);
}

function findIn(fits: Fits, places: readonly number[], phrase: Phrase): Found | undefined {
  const { words } = phrase;
  for (let from = 0; from + words.length <= places.length; from++) {
    let guessed = 0;
    const isThere = words.every((wanted, i) => {
      const fit = fits.get(wanted)?.[places[from + i] as number];
      if (fit === 'near') guessed++;
      return fit;
    });
    if (isThere) return { phrase, at: places.slice(from, from + words.length), guessed };
  }
  return undefined;
}

/** A word of a line, without its article, and without its vowels. */
interface Spelt {
  readonly word: string;
  readonly stem: string;
  readonly sound: string;
}

/** The best fit of a name. A word that is there as it is written comes before one that is like it. */
function fitness({ word, stem, sound }: Spelt, { names, guessable, stems, verbs, sounds }: Wanted): Fitness {
  if (names.has(word) || names.has(stem) || stems.some((verb) => isFormOf(word, verb))) return 'same';
  const isLike = guessable.some((name) => isLikeName(word, stem, name));
  return isLike || sounds.some((wanted) => sound === wanted) || verbs.some((verb) => soundsLike(sound, verb))
    ? 'near'
    : undefined;
}

function isLikeName(word: string, stem: string, name: string): boolean {
  return (isNearly(word, name) || isNearly(stem, name)) && !isDenial(word, name) && !isDenial(name, word);
}

/** `nsift`, `katsiftliha` and `غنصيفط` are forms of `sift` and `صيفط`. `tsiftch` denies it. */
function isFormOf(word: string, stem: string): boolean {
  const at = word.indexOf(stem);
  return (
    at >= 0 &&
    /^(?:|(?:ka|gha|kan|ghan|kat|kay)?[nty]?[ea]?|[كغ]?[نتيا]?)$/.test(word.slice(0, at)) &&
    /^(?:|h[ae]|hom|li(?:ya|ha|h|k)?|ها|و|ليا|لي|لها)$/.test(word.slice(at + stem.length))
  );
}

function indexed(keysOf: (wanted: Wanted) => Iterable<string>): ReadonlyMap<string, readonly Wanted[]> {
  const index = new Map<string, Wanted[]>();
  for (const wanted of ALL_WANTED)
    for (const key of new Set(keysOf(wanted))) {
      const known = index.get(key);
      if (known) known.push(wanted);
      else index.set(key, [wanted]);
    }
  return index;
}

function soundsLike(word: string, verb: string): boolean {
  return word.endsWith(verb) && /^(?:k|gh)?[nty]?$/.test(word.slice(0, word.length - verb.length));
}

function bare(word: string): string {
  return word.replace(/^(?:وال|بال|فال|لل|ال|[وبفل](?=[\u0600-\u06ff]{4}))(?=[\u0600-\u06ff]{2})/, '');
}

/** Darija in Latin letters without its vowels, doubled letters and second spellings. The article is removed. */
function consonants(word: string): string {
  return word
    .replace(/^l(?=[^aeiouy]{2})/, '')
    .replaceAll('sh', 'ch')
    .replaceAll('q', '9')
    .replaceAll('h7', '7')
    .replaceAll(/[aeiouy']/g, '')
    .replaceAll(/(.)\1+/g, '$1');
}

function listed(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split('|')).map(normalised));
}

function wordLists(lines: readonly string[]): string[][] {
  return lines.flatMap((line) => line.split('|')).map((name) => wordsIn(normalised(name)));
}

function phrasesOf(of: Readonly<Record<string, readonly string[]>>, isDarija: boolean): Phrase[] {
  return Object.entries(of).flatMap(([deed, lines]) =>
    lines
      .flatMap((line) => line.split('|'))
      .flatMap(expanded)
      .map((phrase) => ({
        deed,
        words: wordsOf(phrase).map((word) => wantedWord(word, isDarija)),
        isDarija,
      })),
  );
}

/** The sayings made of the names of `CONCEPTS`. A name of several words gives a saying of its own. */
function sayingsOf(of: Readonly<Record<string, string>>): Phrase[] {
  const concepts = new Map(Object.entries(CONCEPTS).map(([name, names]) => [name, conceptOf(names)]));
  return Object.entries(of).flatMap(([deed, sayings]) =>
    sayings.split('|').flatMap((saying) => {
      const names = [...saying.matchAll(/<(\w+)>/g)].map(([, name = '']) => concepts.get(name) ?? []);
      return (saying.startsWith('~') ? orders(names) : [names])
        .flatMap(combined)
        .map((words) => ({ deed, words, isDarija: false, beside: BESIDE[saying[0] ?? ''] }));
    }),
  );
}

/** The word itself, by how it sounds in Darija. */
function wantedWord(word: string, isDarija: boolean): Wanted {
  const key = isDarija ? `darija ${word}` : word;
  const known = WANTED.get(key);
  if (known) return known;
  const sound = consonants(word);
  const sounds = isDarija && sound.length >= CONSONANTS_MIN ? [sound] : [];
  const wanted = { names: new Set([word]), guessable: [word], stems: [], verbs: [], sounds };
  WANTED.set(key, wanted);
  return wanted;
}

/** The names of one word together, and each of several words. */
function conceptOf(list: string): Wanted[][] {
  const names = list.split('|').map((name) => wordsIn(normalised(name)));
  const single = names.filter((name) => name.length === 1).flat();
  const stems = list
    .split('|')
    .filter((name) => name.startsWith('-'))
    .map((name) => normalised(name).slice(1));
  const own = single.filter((name) => !stems.includes(name));
  const verbs = stems.map(consonants).filter((sound) => sound.length >= CONSONANTS_MIN);
  const guessable = own.filter((name) => name.length >= LIKE_CHARS_MIN);
  return [
    [{ names: new Set(own), guessable, stems, verbs, sounds: [] }],
    ...names.filter((name) => name.length > 1).map((name) => name.map((word) => wantedWord(word, false))),
  ];
}

function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((others) => [one, ...others]));
}

/** One way to say each, after the other. */
function combined(ways: readonly Wanted[][][]): Wanted[][] {
  return ways.reduce<Wanted[][]>(
    (begun, way) => begun.flatMap((words) => way.map((more) => [...words, ...more])),
    [[]],
  );
}

/** Behind an `=` the words that carry nothing count as well. */
function wordsOf(phrase: string): string[] {
  const words = wordsIn(normalised(phrase.replace(/^=/, '')));
  return phrase.startsWith('=') ? words : bearing(words);
}

/** Without the words that carry nothing, unless one is left: `cash in` is more than `cash`, and `acheter crédit` than a loan. */
function bearing(words: string[]): string[] {
  const left = words.filter((word) => !CARRIED.has(word));
  return left.length > 1 ? left : words;
}

/** `{a,b} c` as `a c` and `b c`. */
function expanded(phrase: string): string[] {
  const [all, choices] = /\{([^}]*)\}/.exec(phrase) ?? [];
  if (all === undefined || choices === undefined) return [phrase];
  return choices.split(',').flatMap((one) => expanded(phrase.replace(all, one)));
}
