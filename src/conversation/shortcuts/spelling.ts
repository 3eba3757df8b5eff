import { PICTURES, parted } from './plain-text.ts';

/** One wrong key is forgiven in words of this length at least, two neighbours that changed places in a shorter one too. */
const TYPO_CHARS_MIN = 5;
const SWAP_CHARS_MIN = 4;

/** The words of a line. A picture is none. A hyphen parts words, but not the digits of a number. */
export function wordsIn(line: string): string[] {
  const spaced = line
    .replaceAll(PICTURES, ' ')
    .replaceAll(/n['’ʼ`]t(?!\p{L})/gu, ' not')
    .replaceAll(/['’ʼ`]/g, ' ')
    .replaceAll(/[?!؟،,;:.]+(?=\s|$)/g, ' ')
    .replaceAll(/(?<=\p{L})-|-(?=\p{L})/gu, ' ');
  return parted(spaced);
}

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

/** Keys of a word. Of two words for which `isNearly` is true, one key at least is the same. */
export function nearKeys(word: string): string[] {
  if (word.length < SWAP_CHARS_MIN - 1) return [];
  return [word, ...Array.from(word, (_, place) => word.slice(0, place) + word.slice(place + 1))];
}
