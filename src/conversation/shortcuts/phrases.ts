import { isDirham } from '../../wallet/dirham.ts';
import { inLatin, isNearly, normalised } from '../../wallet/letters.ts';
import { isInexact } from './inexact.ts';
import { nearKeys, wordsIn } from './spelling.ts';
import {
  CARRIERS,
  CONCEPTS,
  DARIJA_OF,
  GREETINGS,
  LOOKALIKES,
  listed,
  PHRASES_OF,
  SAYINGS,
  THANKING,
  TOO_COMMON,
} from './vocabulary.ts';
import { WORDS } from './words.ts';

/*
 * The phrases of all deeds, and where one of them stands in a customer's line. What the line means is said in `understand.ts`.
 */

/** A name for Darija: shorter ones are too many words at once. */
const CONSONANTS_MIN = 3;
/** A shorter name is too near to too many words: `found` to `fund`. */
const LIKE_CHARS_MIN = 5;

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

/** Tells whether a mobile number and an amount stand in the line. */
export type Has = Readonly<Record<Beside, boolean>>;

interface Phrase {
  readonly deed: string;
  readonly words: readonly Wanted[];
  readonly isDarija: boolean;
  /** Says so only beside a mobile number (`donne 20 dh au 06…`) or an amount (`نخرج 100 درهم`). */
  readonly beside?: Beside | undefined;
}

export interface Found {
  readonly phrase: Phrase;
  /** The places of its words in the line. */
  readonly at: readonly number[];
  /** How many of its words are not spelt as they should be. */
  readonly guessed: number;
}

type Fitness = 'same' | 'near' | undefined;

export type Fits = ReadonlyMap<Wanted, readonly Fitness[]>;

/** A word of a line, without its article, in the other form of a French verb, and without its vowels. */
interface Spelt {
  readonly word: string;
  readonly stem: string;
  readonly verb: string;
  readonly sound: string;
}

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
 * Each wanted word by all that leads to it: its names, its sounds, and its names with one letter left out. So a customer's word is compared with a
 * few of them and not with each of some thousand.
 */
const BY_NAME = indexed(({ names }) => names);
const BY_SOUND = indexed(({ sounds }) => sounds);
const BY_NEAR = indexed(({ guessable }) => guessable.flatMap(nearKeys));
const DEEDS_OF = new Map<Wanted, Set<string>>();
for (const { deed, words } of PHRASES)
  for (const wanted of words) DEEDS_OF.set(wanted, (DEEDS_OF.get(wanted) ?? new Set()).add(deed));
const WITH_STEMS = ALL_WANTED.filter(({ stems }) => stems.length > 0);
/** Most words have none of the stems in them: one look tells so, and they are compared with none. */
const ANY_STEM = new RegExp(WITH_STEMS.flatMap(({ stems }) => stems).join('|'));
const ANY_VERB = new RegExp(`(?:${WITH_STEMS.flatMap(({ verbs }) => verbs).join('|')})(?:l?hm?)?$`);
/** Carriers of Darija by their sound: `n9dar`, `وريني`. */
const CARRYING_SOUNDS = new Set(
  [...CARRIERS]
    .filter(isDarija)
    .map(consonants)
    .filter((sound) => sound.length >= CONSONANTS_MIN),
);
const SERVICES = listed([CONCEPTS.service]);
const PAY = conceptOf(CONCEPTS.pay)[0]?.[0];

/**
 * The longest phrase in a line, wherever it stands. Of phrases of the same length, it is the one with the most words in
 * the right spelling, and then the first. Undefined where two deeds are equally near to misspelt words.
 */
export function firstOf(said: readonly string[], has: Has, fits = fitsIn(said)): Found | undefined {
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

/** True where a phrase of a deed stands in the line, letter for letter. */
export function stands(deed: string, said: readonly string[], fits: Fits): boolean {
  const places = said.map((_, place) => place);
  const bearing = places.filter((place) => !isCarrier(said[place] as string));
  return phrasesBeside(fits).some(
    (phrase) =>
      phrase.deed === deed && [bearing, places].some((each) => findIn(fits, each, phrase)?.guessed === 0),
  );
}

/** How well each word of a line fits each wanted word. It leaves out the wanted words that are nowhere in the line. */
export function fitsIn(said: readonly string[]): Fits {
  const fits = new Map<Wanted, Fitness[]>();
  for (const [place, word] of said.entries()) {
    const spelt = speltAs(word);
    // `about` is no misspelt `abort`.
    const isExact = isInexact(word) || LOOKALIKES.has(word);
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

/**
 * The deeds whose words stand in a line, the nearest first. A word counts the more, the fewer deeds have it, and a misspelt one counts
 * half.
 */
export function deedsNear(said: readonly string[]): readonly string[] {
  const scores = new Map<string, number>();
  for (const [wanted, fit] of fitsIn(said)) {
    const deeds = DEEDS_OF.get(wanted) ?? new Set();
    const weight = (fit.includes('same') ? 1 : 0.5) / deeds.size;
    for (const deed of deeds) scores.set(deed, (scores.get(deed) ?? 0) + weight);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([deed]) => deed);
}

/** `payer`, `nkhelles`: in any of its forms, and spelt right. */
export function isPay(word: string): boolean {
  return PAY !== undefined && fitness(speltAs(word), PAY) === 'same';
}

/** How much a phrase says: its words, of which those that carry nothing count little. */
export function lengthOf(phrase: Phrase): number {
  const known = LENGTHS.get(phrase);
  if (known !== undefined) return known;
  const { words } = phrase;
  const empty = words.filter(
    ({ names }) => names.size === 1 && [...names].every((name) => CARRIERS.has(name)),
  );
  const length = words.length - empty.length + empty.length / 100;
  LENGTHS.set(phrase, length);
  return length;
}

export function isTooCommon({ names }: Wanted): boolean {
  return names.size === 1 && [...names].every((name) => TOO_COMMON.has(name) || CARRIERS.has(name));
}

/** True for a word of some deed, letter for letter. */
export function isKnown(word: string): boolean {
  return BY_NAME.has(word) || BY_NAME.has(bare(word));
}

/** A service with its article is no such word: `الما`. */
export function isCarrier(word: string): boolean {
  if (word !== bare(word) && SERVICES.has(bare(word))) return false;
  return (
    isDirham(word) ||
    [CARRIERS, GREETINGS, THANKING].some((list) => isIn(list, word)) ||
    (isDarija(word) && CARRYING_SOUNDS.has(consonants(word)))
  );
}

/** True where the word, or the word without its article, is in the list. */
export function isIn(list: ReadonlySet<string>, word: string): boolean {
  return list.has(word) || list.has(bare(word));
}

/** A word as the vocabulary spells it, where there is a wrong key or a glued article in it: `lelectriciter`. */
export function spelling(word: string, { names, guessable }: Wanted): string {
  const stem = bare(word);
  if (names.has(word)) return word;
  if (names.has(stem)) return /^[a-z]/.test(word) ? stem : word;
  return guessable.find((name) => isLikeName(word, stem, name)) ?? word;
}

/** Without the article: `الفاتورة`, `lfacture`, and `denvoyer` without its apostrophe. */
export function bare(word: string): string {
  return word.replace(
    /^(?:(?:وال|بال|فال|لل|ال|[وبفل](?=[\u0600-\u06ff]{4}))(?=[\u0600-\u06ff]{2})|(?:l|[dj](?=[aeiouh]))(?=[a-z\d]{4}))/,
    '',
  );
}

function speltAs(word: string): Spelt {
  const verb = word.replace(/(?<=[a-z]{3})(?:er|ez|ee)$/, 'e');
  return { word, stem: bare(word), verb, sound: consonants(word) };
}

/** Arabic script, or a mark of Darija in Latin letters: such a word has its vowels as anybody hears them. */
function isDarija(word: string): boolean {
  return /[\u0600-\u06ff]|[a-z]\d|\d[a-z]|kh|gh|^n[^aeiouy]/.test(word);
}

function nearTo({ word, stem, verb, sound }: Spelt): ReadonlySet<Wanted> {
  const near = new Set([word, stem, verb].flatMap((form) => BY_NAME.get(form) ?? []));
  if (ANY_STEM.test(word) || ANY_VERB.test(sound)) for (const wanted of WITH_STEMS) near.add(wanted);
  for (const wanted of BY_SOUND.get(sound) ?? []) near.add(wanted);
  for (const key of [word, stem].flatMap(nearKeys))
    for (const wanted of BY_NEAR.get(key) ?? []) near.add(wanted);
  return near;
}

/** The phrases whose first word is in the line, in the order of `PHRASES`. Each line is asked for some ten deeds. */
function phrasesBeside(fits: Fits): readonly Phrase[] {
  const known = BESIDE_LINE.get(fits);
  if (known) return known;
  const phrases = [...fits.keys()]
    .flatMap((wanted) => PHRASES_BY_FIRST.get(wanted) ?? [])
    .sort((a, b) => a - b)
    .map((place) => PHRASES[place] as Phrase);
  BESIDE_LINE.set(fits, phrases);
  return phrases;
}

const BESIDE_LINE = new WeakMap<Fits, readonly Phrase[]>();

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

/** The best fit of a name. A word that is there as it is written comes before one that is like it. */
function fitness({ word, stem, verb, sound }: Spelt, wanted: Wanted): Fitness {
  const { names, guessable, stems, verbs, sounds } = wanted;
  if ([word, stem, verb].some((form) => names.has(form)) || stems.some((each) => isFormOf(word, each)))
    return 'same';
  const isLatin = /^[a-z\d]/.test(word);
  // Of Arabic script the first person alone: `صاحب` is no form of `سحب`.
  const isHeard =
    (isLatin && sounds.includes(sound)) ||
    ((isLatin || /^[كغ]?ن/.test(word)) && verbs.some((each) => soundsLike(sound, each)));
  if (isHeard && isDarija(word)) return 'same';
  return isHeard || guessable.some((name) => isLikeName(word, stem, name)) ? 'near' : undefined;
}

function isLikeName(word: string, stem: string, name: string): boolean {
  return (isNearly(word, name) || isNearly(stem, name)) && !isDenial(word, name) && !isDenial(name, word);
}

/** `ضاعتش` says that it is not lost: the letter that denies is no wrong key. */
function isDenial(word: string, of: string): boolean {
  return (
    /[شh]$/.test(word) && [`${of}ش`, `${of}ch`].some((denied) => word === denied || bare(word) === denied)
  );
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

function soundsLike(word: string, verb: string): boolean {
  const at = word.lastIndexOf(verb);
  return (
    at >= 0 &&
    /^(?:k|gh)?[nty]?$/.test(word.slice(0, at)) &&
    /^(?:l?hm?)?$/.test(word.slice(at + verb.length))
  );
}

/** Darija in either script without its vowels, doubled letters and second spellings. The article is removed. */
function consonants(word: string): string {
  return (/[\u0600-\u06ff]/.test(word) ? inLatin(bare(word)) : word)
    .replace(/^l(?=[^aeiouy]{2})/, '')
    .replaceAll(/(?<!s)sh/g, 'ch')
    .replaceAll('q', '9')
    .replaceAll('h7', '7')
    .replaceAll(/[aeiouy']/g, '')
    .replaceAll(/(.)\1+/g, '$1');
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
  const left = words.filter((word) => !CARRIERS.has(word));
  return left.length > 1 ? left : words;
}

/** `{a,b} c` as `a c` and `b c`. */
function expanded(phrase: string): string[] {
  const [all, choices] = /\{([^}]*)\}/.exec(phrase) ?? [];
  if (all === undefined || choices === undefined) return [phrase];
  return choices.split(',').flatMap((one) => expanded(phrase.replace(all, one)));
}
