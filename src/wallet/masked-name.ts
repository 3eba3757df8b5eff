import { cleanName } from './names.ts';

/** A first name that is longer is cut. */
const NAME_CHARS_MAX = 20;
/** Signs that no part of a name has. */
const NO_NAME = /[^\p{L}\p{M}'’-]/gu;

/**
 * `Youssef B.`: the first name, and the first letter of the last. A name of one word is its first letter. Undefined for a text without a
 * letter.
 */
export function maskedName(whole: string): string | undefined {
  // A first name may hold the last name, too, and a name may try to read as a link or a number.
  const words = whole.split(/\s+/).map((word) => cleanName(word.replace(NO_NAME, ''), NAME_CHARS_MAX));
  const [first = '', ...others] = words.filter((word) => /\p{L}/u.test(word));
  const initial = (word: string) => `${[...word][0]?.toLocaleUpperCase('fr')}.`;
  const last = others.at(-1);
  if (!first) return undefined;
  return last ? `${first} ${initial(last)}` : initial(first);
}
