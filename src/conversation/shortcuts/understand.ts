import type { Filled } from '../../../machines/kit/conversation.ts';
import { isOneScript, readAmount } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Navigation } from '../incoming.ts';
import { NUMBER, PAYING, SEARCHED } from './line.ts';
import type { Shortcut } from './shortcut.ts';
import { isNearly, normalised, wordsIn } from './spelling.ts';
import {
  ALTERNATIVES,
  CARRIERS,
  DARIJA_OF,
  GREETINGS,
  NEGATIONS,
  PHRASES_OF,
  THANKING,
  THANKS,
} from './vocabulary.ts';
import { PERIODS, WORDS } from './words.ts';

/** What somebody means who writes as people write. */
type Understood =
  | { readonly kind: 'wants'; readonly shortcut: Shortcut }
  | { readonly kind: 'went'; readonly to: Navigation }
  /** `either`: two things could be meant, or two were asked for. */
  | { readonly kind: 'either' | 'greets' | 'thanks' };

const MOVES: ReadonlySet<string> = new Set<Navigation>(['menu', 'back', 'cancel', 'help', 'language']);
/** A name for Darija: shorter ones are too many words at once. */
const CONSONANTS_MIN = 3;
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
  'bancaire',
  ...['كارط', 'بطاقه', 'بطاقتي', 'حساب', 'حسابي', 'كشف'],
]);
/** What is left of a line beside what was understood: more words could mean anything. */
const UNKNOWN_WORDS_MAX = 4;
const NUMERIC = /^-?\d[\d.,]*(?:dhs?|mad|درهم)?$/;

interface Phrase {
  readonly deed: string;
  readonly words: readonly string[];
  /** Compared by consonants. */
  readonly isDarija: boolean;
}

/** How well a phrase was found in a line. */
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
const NEGATED = listed(NEGATIONS);
const ALTERNATIVE = listed(ALTERNATIVES);
/** The longest first, so that `pay bill` is not taken for `pay`; what is spelt as it should be before what is guessed. */
const PHRASES: readonly Phrase[] = [
  ...phrasesOf(PHRASES_OF, false),
  ...phrasesOf(WORDS, false),
  ...phrasesOf(DARIJA_OF, true),
].sort((a, b) => b.words.length - a.words.length || Number(a.isDarija) - Number(b.isDarija));

/**
 * Reads what a customer writes in their own words: `je voudrais envoyer 200 dh à 0612345678`, `3tini rassid`, `بغيت نصيفط`.
 * Undefined where it is not clear what is wanted. Money is never guessed: an amount or a number is filled in only where every
 * word of the line was understood and it could be read in one way.
 */
export function understand(text: string): Understood | undefined {
  const line = normalised(text);
  const numbers = line.match(NUMBER) ?? [];
  const words = wordsIn(line.replaceAll(NUMBER, ' '));
  const said = words.filter((word) => !NUMERIC.test(word));
  const found = firstOf(said);
  if (!found) return courtesyIn(said, words.length > said.length || numbers.length > 0);
  const rest = said.filter((_, place) => !found.at.includes(place));
  const unknown = rest.filter((word) => !isCarrier(word));
  if (unknown.some((word) => NEGATED.has(word)) || rest.some((word) => isDenied(word))) return undefined;
  const { deed } = found.phrase;
  const other = firstOf(rest);
  const isChoice = unknown.some((word) => ALTERNATIVE.has(word));
  if (other && other.phrase.deed !== deed && (isChoice || !isPartOf(other, found)))
    return either(deed, other.phrase.deed);
  const amounts = words.filter((word) => NUMERIC.test(word));
  const hasNumbers = numbers.length > 0 || amounts.length > 0;
  if (!isCertain(found, unknown, said)) return undefined;
  if (MOVES.has(deed))
    return unknown.length > 0 || hasNumbers ? undefined : { kind: 'went', to: deed as Navigation };
  if (!PAYING.has(deed)) return hasNumbers ? undefined : withoutMoney(found, unknown);
  return wants(deed, unknown.length === 0 && isOneScript(text) ? filled(numbers, amounts) : {});
}

/** A deed that takes neither an amount nor a number: the rest of the line may be what is looked for. */
function withoutMoney(
  { phrase: { deed }, guessed }: Found,
  unknown: readonly string[],
): Understood | undefined {
  const rest = unknown.join(' ');
  if (deed === 'takings') return takingsOf(rest);
  return wants(deed, SEARCHED.has(deed) && guessed === 0 && rest ? { search: rest } : {});
}

/** Of today where no days are named; undefined where what is named is none that can be asked for. */
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

/** Of two deeds, one of which is a move, nobody can say what comes first. */
function either(a: string, b: string): Understood | undefined {
  return MOVES.has(a) || MOVES.has(b) ? undefined : { kind: 'either' };
}

/** A single word that also stands in what was found for another deed says nothing of its own: the `account` of `close account`. */
function isPartOf(other: Found, found: Found): boolean {
  return other.phrase.words.length < found.phrase.words.length;
}

/** A phrase that begins the line, or has more than one word, may stand beside words that nobody knows; a guessed one may not. */
function isCertain(
  { phrase, at, guessed }: Found,
  unknown: readonly string[],
  said: readonly string[],
): boolean {
  if (unknown.length === 0) return true;
  if (phrase.words.every((word) => TOO_COMMON.has(word))) return false;
  if (guessed > 0 || unknown.length > UNKNOWN_WORDS_MAX) return false;
  const isFirst = said.slice(0, at[0]).every((word) => isCarrier(word));
  return phrase.words.length > 1 || isFirst;
}

function filled(numbers: readonly string[], amounts: readonly string[]): Filled {
  if (numbers.length > 1) return {};
  const to = readPhone(numbers[0] ?? '');
  const amount = amounts.length === 1 ? readAmount(amounts[0] as string) : undefined;
  return { ...(to && { to }), ...(amount?.ok && { amount: amount.centimes }) };
}

function courtesyIn(said: readonly string[], hasNumbers: boolean): Understood | undefined {
  if (hasNumbers || said.length === 0) return undefined;
  const isPolite = said.every((word) => THANKED.has(word) || isCarrier(word));
  if (!isPolite) return undefined;
  if (said.some((word) => GRATEFUL.has(word))) return { kind: 'thanks' };
  return said.some((word) => GREETED.has(word) || GREETED.has(bare(word))) ? { kind: 'greets' } : undefined;
}

function isCarrier(word: string): boolean {
  return [word, bare(word)].some((it) => CARRIED.has(it) || GREETED.has(it) || GRATEFUL.has(it));
}

/** `ما بغيتش`, `ma bghitch`, `tsiftch`: the verb itself says that it is not wanted. */
function isDenied(word: string): boolean {
  return (
    /^(?:ma|m)?(?:bghi?|t?sift|nkhell?e?s|rid).*ch$/.test(word) ||
    /^(?:ما)?(?:بغيت|تصيفط|نصيفط|تخلص)ش$/.test(word)
  );
}

/** `ضاعتش` says that it is not lost: the letter that denies is no wrong key. */
function isDenial(word: string, of: string): boolean {
  return (
    /[شh]$/.test(word) && [`${of}ش`, `${of}ch`].some((denied) => word === denied || bare(word) === denied)
  );
}

/**
 * The longest phrase in a line, wherever it stands; of those as long the one with most words spelt as they should be, and the
 * first of them. Undefined where two deeds are as near to what is not spelt so.
 */
function firstOf(said: readonly string[]): Found | undefined {
  const places = said.map((_, place) => place);
  const bearing = places.filter((place) => !isCarrier(said[place] as string));
  let best: Found | undefined;
  let isTie = false;
  for (const phrase of PHRASES) {
    if (best && (best.guessed === 0 || phrase.words.length < best.phrase.words.length)) break;
    const found = findIn(said, bearing, phrase) ?? findIn(said, places, phrase);
    if (!found) continue;
    if (!best || found.guessed < best.guessed) {
      best = found;
      isTie = false;
    } else if (found.guessed === best.guessed && found.phrase.deed !== best.phrase.deed) isTie = true;
  }
  return isTie ? undefined : best;
}

/** Looks for a phrase in the words at some places of a line. */
function findIn(said: readonly string[], places: readonly number[], phrase: Phrase): Found | undefined {
  const { words, isDarija } = phrase;
  for (let from = 0; from + words.length <= places.length; from++) {
    const at = places.slice(from, from + words.length);
    const fits = at.map((place, i) => fitness(said[place] as string, words[i] as string, isDarija));
    if (fits.every((fit) => fit !== undefined))
      return { phrase, at, guessed: fits.filter((fit) => fit === 'near').length };
  }
  return undefined;
}

function fitness(word: string, wanted: string, isDarija: boolean): 'same' | 'near' | undefined {
  if (isSame(word, wanted)) return 'same';
  if (isDenial(word, wanted) || isDenial(wanted, word)) return undefined;
  const sound = isDarija ? consonants(wanted) : '';
  const soundsAlike = sound.length >= CONSONANTS_MIN && consonants(word) === sound;
  return soundsAlike || isNearly(word, wanted) || isNearly(bare(word), wanted) ? 'near' : undefined;
}

/** The same word, also with the Arabic article or a particle that is written together with it. */
function isSame(word: string, wanted: string): boolean {
  return word === wanted || bare(word) === wanted;
}

function bare(word: string): string {
  return word.replace(/^(?:وال|بال|فال|لل|ال|[وبفل](?=[\u0600-\u06ff]{4}))(?=[\u0600-\u06ff]{2})/, '');
}

/** Darija in Latin letters without its vowels, doubled letters and second spellings; the article stays off. */
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

function phrasesOf(of: Readonly<Record<string, readonly string[]>>, isDarija: boolean): Phrase[] {
  return Object.entries(of).flatMap(([deed, lines]) =>
    lines
      .flatMap((line) => line.split('|'))
      .flatMap(expanded)
      .map((phrase) => ({ deed, words: wordsOf(phrase), isDarija })),
  );
}

/** Behind an `=` the words that carry nothing count as well. */
function wordsOf(phrase: string): string[] {
  const words = wordsIn(normalised(phrase.replace(/^=/, '')));
  return phrase.startsWith('=') ? words : bearing(words);
}

/** Without the words that carry nothing, unless it is made of them. */
function bearing(words: string[]): string[] {
  const left = words.filter((word) => !CARRIED.has(word));
  return left.length > 0 ? left : words;
}

/** `{a,b} c` as `a c` and `b c`. */
function expanded(phrase: string): string[] {
  const [all, choices] = /\{([^}]*)\}/.exec(phrase) ?? [];
  if (all === undefined || choices === undefined) return [phrase];
  return choices.split(',').flatMap((one) => expanded(phrase.replace(all, one)));
}
