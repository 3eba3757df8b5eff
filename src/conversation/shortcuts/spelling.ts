import { PICTURES, SWAP_CHARS_MIN } from '../../wallet/letters.ts';
import { parted } from './plain-text.ts';

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

/** Keys of a word. Of two words for which `isNearly` is true, one key at least is the same. */
export function nearKeys(word: string): string[] {
  if (word.length < SWAP_CHARS_MIN - 1) return [];
  return [word, ...Array.from(word, (_, place) => word.slice(0, place) + word.slice(place + 1))];
}
