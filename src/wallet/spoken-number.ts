import { isDirham } from './dirham.ts';
import { normalised } from './letters.ts';

/**
 * Numbers in words, as people in Morocco say money: French, English, standard Arabic, and Darija in both scripts. A family
 * is a language with its own numbers. Words of two families are never one number: `fifty cents` is not 150.
 */
type Family = readonly (readonly [value: number, words: RegExp])[];

/** The word by itself. */
function whole(words: string): RegExp {
  return new RegExp(`^(?:${words.replaceAll(' ', '|')})$`);
}

const HUNDRED = 100;
const THOUSAND = 1000;
/** Smaller numbers that stand alone are often no amount: `un virement`, `one of them`. */
const ALONE_MIN = 10;

const FRENCH: Family = [
  [1, whole('un une')],
  [2, whole('deux')],
  [3, whole('trois')],
  [4, whole('quatres?')],
  [5, whole('cinq')],
  [6, whole('six')],
  [7, whole('sept')],
  [8, whole('huit')],
  [9, whole('neuf')],
  [10, whole('dix')],
  [11, whole('onze')],
  [12, whole('douze')],
  [13, whole('treize')],
  [14, whole('quatorze')],
  [15, whole('quinze')],
  [16, whole('seize')],
  [20, whole('vingts?')],
  [30, whole('tr[ea]nte')],
  [40, whole('[qc]u?arante')],
  [50, whole('cinqu[ae]nte')],
  [60, whole('soix[ae]nte')],
  [70, whole('septante')],
  [80, whole('huitante octante')],
  [90, whole('nonante')],
  [HUNDRED, whole('cents?')],
  [THOUSAND, whole('mille mil')],
];

const ENGLISH: Family = [
  [1, whole('one')],
  [2, whole('two')],
  [3, whole('three')],
  [4, whole('four')],
  [5, whole('five')],
  [6, whole('six')],
  [7, whole('seven')],
  [8, whole('eight')],
  [9, whole('nine')],
  [10, whole('ten')],
  [11, whole('eleven')],
  [12, whole('twelve')],
  [13, whole('thirteen')],
  [14, whole('fourteen')],
  [15, whole('fifteen')],
  [16, whole('sixteen')],
  [17, whole('seventeen')],
  [18, whole('eighteen')],
  [19, whole('nineteen')],
  [20, whole('twenty')],
  [30, whole('thirty')],
  [40, whole('fou?rty')],
  [50, whole('fifty')],
  [60, whole('sixty')],
  [70, whole('seventy')],
  [80, whole('eighty')],
  [90, whole('ninety')],
  [HUNDRED, whole('hundred')],
  [THOUSAND, whole('thousand')],
];

const ARABIC_HUNDRED = '(?:ميه|مايه|ميا)';
const ARABIC: Family = [
  [1, whole('واحده?')],
  [2, whole('اثنان اثنين اتنين [جز]وج')],
  [3, whole('[ثت]لاثه? [ثت]لاته? تلت')],
  [4, whole('ا?ربعه?')],
  [5, whole('خمسه?')],
  [6, whole('سته?')],
  [7, whole('سبعه?')],
  [8, whole('[ثت]ماني?ه? تمنيه تمن')],
  [9, whole('تسعه? تسعود')],
  [10, whole('عشر[ها]?')],
  [11, whole('حداش')],
  [12, whole('[طت]ناش')],
  [13, whole('تل[طت]اش')],
  [14, whole('ربع[طت]اش')],
  [15, whole('خمس[طت]اش')],
  [16, whole('س[طت]اش')],
  [17, whole('سبع[طت]اش')],
  [18, whole('تمن[طت]اش')],
  [19, whole('تسع[طت]اش')],
  [20, whole('عشر[وي]ن')],
  [30, whole('[ثت]لا[ثت][وي]ن')],
  [40, whole('ا?ربع[وي]ن')],
  [50, whole('خمس[وي]ن')],
  [60, whole('ست[وي]ن')],
  [70, whole('سبع[وي]ن')],
  [80, whole('[ثت]مان[وي]ن')],
  [90, whole('تسع[وي]ن')],
  [HUNDRED, whole(ARABIC_HUNDRED)],
  [200, whole('(?:مايت|ميت)(?:ان|ين|اين|ي)')],
  [300, whole(`(?:[ثت]لا?[ثت])${ARABIC_HUNDRED}`)],
  [400, whole(`ا?ربع${ARABIC_HUNDRED}`)],
  [500, whole(`خمس${ARABIC_HUNDRED}`)],
  [600, whole(`ست${ARABIC_HUNDRED}`)],
  [700, whole(`سبع${ARABIC_HUNDRED}`)],
  [800, whole(`[ثت]ما?ن[يه]?${ARABIC_HUNDRED}`)],
  [900, whole(`تسع${ARABIC_HUNDRED}`)],
  [THOUSAND, whole('الفا? الاف')],
  [2000, whole('الف(?:ان|ين|ي)')],
];

/** Darija in Latin letters is spelt as it is heard, with or without its short vowels. */
const LATIN_HUNDRED = 'm(?:i?ya|ia)[ht]?';
const DARIJA: Family = [
  [1, whole('wa(?:7|h)e?da?')],
  [2, whole('[jz](?:ou?|u)[jz]')],
  [3, whole('t[ae]?l[ae]?t+a?')],
  [4, whole('[ae]?r[ae]?b3a?')],
  [5, whole('(?:kh|5)[ae]?ms[ae]?')],
  [6, whole('s[ae]?t+a stt')],
  [7, whole('s[ae]?b3a?')],
  [8, whole('tm[ae]?n(?:ya|ia)?')],
  [9, whole('t[ae]?s[ae]?3(?:a|ou?d|ud)?')],
  [10, whole('3[ae]?[cs]hra?')],
  [11, whole('(?:7|h)[ae]?d+[ae]?[cs]h')],
  [12, whole('tn[ae]?[cs]h')],
  [13, whole('t[ae]?l+[ae]?t+[ae]?[cs]h')],
  [14, whole('r[ae]?b3[ae]?t+[ae]?[cs]h')],
  [15, whole('(?:kh|5)[ae]?m[ae]?s[ae]?t+[ae]?[cs]h')],
  [16, whole('s[ae]?t+[ae]?[cs]h')],
  [17, whole('s[ae]?b3[ae]?t+[ae]?[cs]h')],
  [18, whole('tm[ae]?n[ae]?t+[ae]?[cs]h')],
  [19, whole('t[ae]?s3[ae]?t+[ae]?[cs]h')],
  [20, whole('3[ae]?[cs]hrin')],
  [30, whole('t[ae]?latin')],
  [40, whole('[ae]?r[ae]?b3in')],
  [50, whole('(?:kh|5)[ae]?msin')],
  [60, whole('s[ae]?t+in')],
  [70, whole('s[ae]?b3in')],
  [80, whole('t[ae]?manin')],
  [90, whole('t[ae]?s3in')],
  [HUNDRED, whole(LATIN_HUNDRED)],
  [200, whole('m[iy]+t(?:ay|ai|ei|[aei])?n')],
  [300, whole(`t[ae]?l[ae]?t+[ae]?${LATIN_HUNDRED}`)],
  [400, whole(`[ae]?r[ae]?b[ae]?3[ae]?${LATIN_HUNDRED}`)],
  [500, whole(`(?:kh|5)[ae]?m[ae]?s[ae]?${LATIN_HUNDRED}`)],
  [600, whole(`s[ae]?t+[ae]?${LATIN_HUNDRED}`)],
  [700, whole(`s[ae]?b[ae]?3[ae]?${LATIN_HUNDRED}`)],
  [800, whole(`tm[ae]?n[ae]?${LATIN_HUNDRED}`)],
  [900, whole(`t[ae]?s[ae]?3[ae]?${LATIN_HUNDRED}`)],
  [THOUSAND, whole('2?alf 2?alaf')],
  [2000, whole('2?alf(?:ay|ei|[aei])n')],
];

/** The word that joins two parts of a number, by family. */
const AND: ReadonlyMap<Family, RegExp> = new Map([
  [FRENCH, whole('et')],
  [ENGLISH, whole('and')],
  [ARABIC, whole('و')],
  [DARIJA, whole('w o u ou')],
]);
/** In these families a thousand without its unit may be francs: `عشر آلاف` is often 100 dirhams. */
const IN_FRANCS: ReadonlySet<Family> = new Set([ARABIC, DARIJA]);
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

/** Most words are no number. One look tells. */
const BEGINS = new RegExp(
  `^(?:[1-9]\\d{0,2}|a|[بل]?(?:${[...AND.keys()].flatMap((family) => family.map(([, names]) => names.source.slice(1, -1))).join('|')}))$`,
);

/** The longest number that begins at a place. */
function spokenAt(words: readonly string[], at: number): Spoken | undefined {
  if (!BEGINS.test(words[at] ?? '')) return undefined;
  let longest: Spoken | undefined;
  for (const family of AND.keys()) {
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
  if (AND.get(family)?.test(word)) return partOf(family, words[at + 1] ?? '', at + 2, true);
  return family === ARABIC && word.startsWith('و') ? partOf(family, word.slice(1), at + 1, true) : undefined;
}

function partOf(family: Family, word: string, end: number, isJoined: boolean): Part | undefined {
  const value = family.find(([, names]) => names.test(word))?.[0];
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
