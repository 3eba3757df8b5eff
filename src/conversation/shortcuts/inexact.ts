import { normalised } from '../../wallet/letters.ts';
import { isNumberWord } from '../../wallet/spoken-number.ts';
import { VAGUE } from './vocabulary.ts';

/** Articles that are numbers as well. */
const ARTICLES: ReadonlySet<string> = new Set(['un', 'une', 'one', 'واحد', 'wahed', 'wa7ed', 'wahd', 'wa7d']);

/**
 * A word beside which no amount is exact: `environ`, `شي`, `some`, or a number in words that could not be read. What else the
 * customer said is still certain.
 */
export function isInexact(word: string): boolean {
  const plain = normalised(word);
  return VAGUE.has(plain) || (!ARTICLES.has(plain) && isNumberWord(plain));
}
