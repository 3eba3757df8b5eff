/** Words of a person's name as they are looked for: however they are written, spaced or pointed, they are the same. */

/** More of a name is in no wallet. */
const CHARS_MAX = 200;
/** The most words of a name that a search uses. A name has hardly more. */
export const NAME_WORDS_MAX = 8;
/** A letter alone is an initial: it would find everybody. */
const LETTERS_MIN = 2;
/** Shorter than that is no name of its own: `Elise` is not `Al-Ise`. */
const BARE_MIN = 4;

/** Particles that belong to the word after them, and are often written with it: `El Amrani`, `Ben Ali`, `عبد الله`. */
const PARTICLES: ReadonlySet<string> = new Set([
  ...['el', 'al', 'ben', 'bel', 'bin', 'ibn', 'bent', 'bint', 'bou', 'abou', 'abu', 'ait', 'oulad', 'ouled'],
  ...['abd', 'abdel', 'abdal', 'abdul', 'ال', 'بن', 'ابن', 'بنت', 'بو', 'ابو', 'ايت', 'اولاد', 'عبد'],
]);
/** Those of them that a name is often said without. */
const LEFT_OUT = /^(?:el|al|ben|bel|ال|بن)(?=.)/;
/** Letters of Arabic that are written one for the other. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ء: '',
  ـ: '',
};

/**
 * The words by which a name is found: each one, with what belongs to it (`elamrani`) and without (`amrani`). Case, accents, points,
 * doubled letters, hyphens and apostrophes do not count, nor the shapes of alef, hamza, ya and ta marbuta. Latin and Arabic letters
 * are each as they are written: neither is made into the other.
 */
export function wordsOfName(name: string): string[] {
  const parts = partsOf(name);
  const words = parts.flatMap((_, first) => {
    if (first > 0 && PARTICLES.has(parts[first - 1] ?? '')) return [];
    const joined: string[] = [];
    for (let from = first; from <= first + particlesFrom(parts, first); from++)
      joined.push(wordFrom(parts, from));
    return joined.flatMap((word) => [
      word,
      word.replace(LEFT_OUT, (it) => (word.length - it.length >= BARE_MIN ? '' : it)),
    ]);
  });
  return [...new Set(words)].filter(({ length }) => length >= LETTERS_MIN).slice(0, 2 * NAME_WORDS_MAX);
}

/** The words of a searched name. A person matches if their name has all of them. Empty for a text that is no name. */
export function wordsSearched(text: string): string[] {
  if (/\p{N}/u.test(text)) return [];
  const parts = partsOf(text);
  const words = parts.flatMap((_, i) =>
    i > 0 && PARTICLES.has(parts[i - 1] ?? '') ? [] : [wordFrom(parts, i)],
  );
  return [...new Set(words)].filter(({ length }) => length >= LETTERS_MIN).slice(0, NAME_WORDS_MAX);
}

function wordFrom(parts: readonly string[], from: number): string {
  return parts.slice(from, from + particlesFrom(parts, from) + 1).join('');
}

/** How many particles stand before a word, from one of them on. */
function particlesFrom(parts: readonly string[], from: number): number {
  const to = parts.findIndex((part, i) => i >= from && !PARTICLES.has(part));
  return (to < 0 ? parts.length - 1 : to) - from;
}

function partsOf(text: string): string[] {
  return text
    .slice(0, CHARS_MAX)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[ٱىیکةءـ]/g, (letter) => SAME_LETTERS[letter] ?? letter)
    .replace(/(\p{L})\1+/gu, '$1')
    .split(/\P{L}+/u)
    .filter((part) => part !== '');
}
