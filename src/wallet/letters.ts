import { latinDigits } from './digits.ts';

/** Marks over and under letters, and signs that are not seen. */
const MARKS = /[\p{M}\p{Cf}\u0640]/gu;
/** Phones make long dashes of short ones. */
const DASHES = /[\p{Pd}\u2212]/gu;
/** The dots of this sign for a dirham end no sentence. */
const ABBREVIATED_DIRHAM = /(?<!\p{L})د\. ?م\.?(?!\p{L})/gu;

/** Pictures and flags, with the skin tones, joiners and frames that belong to them. They are no part of an order or of a name. */
export const PICTURES =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f|\u20e3/gu;

/**
 * A line as it is compared: lower case, Latin digits, one kind of dash, without accents, hamzas, vowel marks, tatweel and
 * the signs that phones slip in.
 */
export function plain(text: string): string {
  const bare = text.normalize('NFD').replaceAll(MARKS, '').replaceAll(DASHES, '-');
  return latinDigits(bare).replaceAll(ABBREVIATED_DIRHAM, ' درهم ').toLowerCase();
}

/** A line with one form for each letter. */
export function normalised(text: string): string {
  return plain(text).replaceAll('ى', 'ي').replaceAll('ة', 'ه');
}

const ARABIC = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';
const LATIN = 'a b t t j 7 kh d d r z s ch s d t d 3 gh f 9 k l m n h o y'.split(' ');

/** A normalised word of Arabic script in Latin letters, as people in Morocco type it: without the ending that is not heard. */
export function inLatin(word: string): string {
  return word
    .replace(/^و/, 'w')
    .replace(/(?<=.{3})ه$/, 'a')
    .replaceAll(/[\u0600-\u06ff]/g, (letter) => LATIN[ARABIC.indexOf(letter)] ?? '');
}

/** One wrong key is forgiven in words of this length at least, two neighbours that changed places in a shorter one too. */
const TYPO_CHARS_MIN = 5;
export const SWAP_CHARS_MIN = 4;

/** One letter too many, too few, another one, or two neighbours that changed places. */
export function isNearly(word: string, wanted: string): boolean {
  const longest = Math.max(word.length, wanted.length);
  if (Math.abs(word.length - wanted.length) > 1 || longest < SWAP_CHARS_MIN) return false;
  let i = 0;
  while (word[i] === wanted[i]) i++;
  const swapped = word[i] === wanted[i + 1] && word[i + 1] === wanted[i];
  if (swapped && word.slice(i + 2) === wanted.slice(i + 2)) return true;
  if (longest < TYPO_CHARS_MIN || i === 0) return false;
  return (
    word.slice(i + 1) === wanted.slice(i + 1) ||
    word.slice(i + 1) === wanted.slice(i) ||
    word.slice(i) === wanted.slice(i + 1)
  );
}

/** The least consonants of a name that another name may share with it. */
const CONSONANTS_MIN = 3;

/** True for one name in two scripts: `ماما` and `Maman`, `يوسف` and `Youssef`. Both are normalised. */
export function isNamesake(name: string, other: string): boolean {
  const isArabic = (word: string) => /[\u0600-\u06ff]/.test(word);
  if (isArabic(name) === isArabic(other)) return false;
  const [one, two] = [consonantsOf(name), consonantsOf(other)];
  return isNearly(inLatin(name), inLatin(other)) || (one.length >= CONSONANTS_MIN && one === two);
}

/** The first letter, and the consonants behind it. */
function consonantsOf(name: string): string {
  return inLatin(name)
    .replaceAll('7', 'h')
    .replaceAll(/9|q|c(?!h)/g, 'k')
    .replaceAll(/(?<=.)[aeiouwy3]/g, '')
    .replaceAll(/(.)\1+/g, '$1');
}
