import { isDirham } from './dirham.ts';
import { normalised } from './letters.ts';
import said from './spoken-numbers.json' with { type: 'json' };

/**
 * Numbers in words, as people in Morocco say money: French, English, standard Arabic, and Darija in both scripts. A family
 * is a language with its own numbers. Words of two families are never one number: `fifty cents` is not 150.
 */
interface Family {
  readonly numbers: readonly (readonly [value: number, words: RegExp])[];
  /** The word that joins two parts of a number. */
  readonly and: RegExp;
}

const HUNDRED = 100;
const THOUSAND = 1000;
/** Smaller numbers that stand alone are often no amount: `un virement`, `one of them`. */
const ALONE_MIN = 10;

const FRENCH = familyOf(said.french);
const ENGLISH = familyOf(said.english);
const ARABIC = familyOf(said.arabic);
/** Darija in Latin letters is spelt as it is heard, with or without its short vowels. */
const DARIJA = familyOf(said.darija);
const FAMILIES: readonly Family[] = [FRENCH, ENGLISH, ARABIC, DARIJA];
/** In these families a thousand without its unit may be francs: `عشر آلاف` is often 100 dirhams. */
const IN_FRANCS: ReadonlySet<Family> = new Set([ARABIC, DARIJA]);

/** The words of a family as `spoken-numbers.json` has them: patterns, with a space between two of them. */
interface Said {
  readonly and: string;
  /** `<hundred>` stands for this in the words of its numbers. */
  readonly hundred?: string;
  readonly numbers: Readonly<Record<string, string>>;
}

function familyOf({ and, hundred = '', numbers }: Said): Family {
  const byValue = Object.entries(numbers).map(
    ([value, words]) => [Number(value), whole(words.replace('<hundred>', hundred))] as const,
  );
  return { numbers: byValue, and: whole(and) };
}

/** The word by itself. */
function whole(words: string): RegExp {
  return new RegExp(`^(?:${words.replaceAll(' ', '|')})$`);
}

const DIGITS = /^[1-9]\d{0,2}$/;
const PARTS = /[\s\u00a0\u202f-]+/;

/** A number in words that begins at a place of a line. */
interface Spoken {
  readonly value: number;
  /** The place behind it. */
  readonly end: number;
  readonly family: Family;
}

/**
 * Writes the numbers of a line in digits: `deux cents dirhams` as `200 dirhams`. A number that may be no amount stays as
 * it is: one below ten without its currency, and thousands of Arabic without theirs.
 */
export function inDigits(words: readonly string[]): string[] {
  const plainWords = words.map(normalised);
  const line: string[] = [];
  for (let at = 0; at < words.length; ) {
    const spoken = spokenAt(plainWords, at);
    if (spoken && isAmount(spoken, at, plainWords[spoken.end])) line.push(String(spoken.value));
    else line.push(...words.slice(at, spoken?.end ?? at + 1));
    at = spoken?.end ?? at + 1;
  }
  return line;
}

function isAmount({ value, end, family }: Spoken, at: number, next: string | undefined): boolean {
  if (next !== undefined && isDirham(next)) return true;
  return value >= THOUSAND ? !IN_FRANCS.has(family) : value >= ALONE_MIN || end - at > 1;
}

/** Tells whether a word is a part of a number. */
export function isNumberWord(word: string): boolean {
  return spokenAt([normalised(word)], 0) !== undefined;
}

/** The number that a text says in words, with or without its currency: `deux cents`, `مية درهم`. Whole dirhams. */
export function readSpokenNumber(text: string): number | undefined {
  const words = normalised(text).trim().split(PARTS);
  const spoken = spokenAt(words, 0);
  if (!spoken) return undefined;
  const rest = words.slice(spoken.end);
  const isAll = rest.length === 0 || (rest.length === 1 && isDirham(rest[0] ?? ''));
  return isAll ? spoken.value : undefined;
}

const ANY_NUMBER = FAMILIES.flatMap(({ numbers }) => numbers.map(([, words]) => words.source.slice(1, -1)));
/** Most words are no number. One look tells. */
const BEGINS = new RegExp(`^(?:[1-9]\\d{0,2}|a|[بل]?(?:${ANY_NUMBER.join('|')}))$`);

/** The longest number that begins at a place. */
function spokenAt(words: readonly string[], at: number): Spoken | undefined {
  if (!BEGINS.test(words[at] ?? '')) return undefined;
  let longest: Spoken | undefined;
  for (const family of FAMILIES) {
    const spoken = spokenIn(family, words, at);
    if (spoken && spoken.end > (longest?.end ?? at)) longest = spoken;
  }
  return longest;
}

/** One part of a number: its value, and whether the word for `and` stands before it or in it. */
interface Part {
  readonly value: number;
  readonly end: number;
  readonly isJoined: boolean;
}

function spokenIn(family: Family, words: readonly string[], at: number): Spoken | undefined {
  const first = firstPart(family, words, at);
  if (!first) return undefined;
  let sum: Sum =
    first.value < THOUSAND
      ? { thousands: 0, below: first.value, last: first.value }
      : { thousands: first.value, below: 0, last: first.value };
  let { end } = first;
  for (let part = partAt(family, words, end, true); part; part = partAt(family, words, end, true)) {
    const more: Sum | undefined = added(sum, part, family);
    if (!more) break;
    sum = more;
    ({ end } = part);
  }
  // Digits are a part of a number in words only before a thousand: `5 mille`.
  if (DIGITS.test(words[at] ?? '') && sum.thousands === 0) return undefined;
  return { value: sum.thousands + sum.below, end, family };
}

/** A number begins with a word for one, with digits before `thousand`, or in English with `a`. */
function firstPart(family: Family, words: readonly string[], at: number): Part | undefined {
  const word = words[at] ?? '';
  const next = partAt(family, words, at + 1, false);
  if (DIGITS.test(word))
    return next?.value === THOUSAND ? { value: Number(word), end: at + 1, isJoined: false } : undefined;
  const isArticle =
    family === ENGLISH && word === 'a' && (next?.value === HUNDRED || next?.value === THOUSAND);
  if (isArticle) return { value: 1, end: at + 1, isJoined: false };
  return partAt(family, words, at, false) ?? partOf(family, word.replace(/^[بل](?=.{3})/, ''), at + 1, false);
}

function partAt(family: Family, words: readonly string[], at: number, mayJoin: boolean): Part | undefined {
  const word = words[at] ?? '';
  const part = partOf(family, word, at + 1, false);
  if (part || !mayJoin) return part;
  if (family.and.test(word)) return partOf(family, words[at + 1] ?? '', at + 2, true);
  return family === ARABIC && word.startsWith('و') ? partOf(family, word.slice(1), at + 1, true) : undefined;
}

function partOf(family: Family, word: string, end: number, isJoined: boolean): Part | undefined {
  const value = family.numbers.find(([, words]) => words.test(word))?.[0];
  return value === undefined ? undefined : { value, end, isJoined };
}

interface Sum {
  readonly thousands: number;
  readonly below: number;
  /** The value of its last part. */
  readonly last: number;
}

/** The number with one more part. Undefined where the part begins another number: `vingt trente`. */
function added(sum: Sum, part: Part, family: Family): Sum | undefined {
  const { thousands, below, last } = sum;
  const { value, isJoined } = part;
  if (value >= THOUSAND) {
    const isSecond = thousands > 0 || value > THOUSAND || isJoined;
    return isSecond ? undefined : { thousands: (below || 1) * THOUSAND, below: 0, last: value };
  }
  if (value === HUNDRED && !isJoined && below >= 1 && below < ALONE_MIN)
    return { thousands, below: below * HUNDRED, last: value };
  // `quatre-vingt` is 80, and not 24.
  const isFourTwenties = family === FRENCH && value === 20 && last === 4 && !isJoined;
  if (isFourTwenties) return { thousands, below: below + 76, last: 80 };
  const isFree = (value >= HUNDRED ? below : below % HUNDRED) === 0;
  return isFree || isUnderHundred(last, part, family)
    ? { thousands, below: below + value, last: value }
    : undefined;
}

/** Tells whether two parts make one number below a hundred: `soixante` and `quinze`, `خمسة` and `وعشرين`. */
function isUnderHundred(last: number, { value, isJoined }: Part, family: Family): boolean {
  if (last >= HUNDRED || value >= HUNDRED) return false;
  if (family === FRENCH) {
    if (last === 10) return value >= 7 && value < 10;
    return last % 10 === 0 && (value < 10 || ((last === 60 || last === 80) && value <= 16));
  }
  if (family === ENGLISH) return last >= 20 && value < 10 && !isJoined;
  // Arabic says the units before the tens.
  return last < 10 && (isJoined ? value >= 20 : value === 10);
}
