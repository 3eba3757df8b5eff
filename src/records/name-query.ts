import type { NameRow } from './records.ts';

/** A name is written again after so long, although it is the same: from then on its time of being kept counts. */
const NAME_AGAIN_MS = 24 * 3_600_000;

export interface Word {
  readonly word: string;
  readonly at: number;
}

/** True where a name is to be written in place of the words that are there. */
export function isNewName({ words, at }: NameRow, there: readonly Word[]): boolean {
  const newestAt = Math.max(...there.map((each) => each.at));
  const known = new Set(there.map(({ word }) => word));
  const isSame = new Set(words).size === known.size && words.every((word) => known.has(word));
  return at >= newestAt + (isSame && there.length > 0 ? NAME_AGAIN_MS : 0);
}

/** The number of words that are there, and their moment. */
export function nameOf(there: readonly Word[]): { readonly words: number; readonly at: number } | undefined {
  return there[0] && { words: there.length, at: there[0].at };
}

/**
 * Finds the wallets that have all of several words, the newest first. Each word is a list of digests, as a key that gives way to
 * another one leaves its own: one of them is enough. The last placeholder is how many are asked for.
 */
export function namesQuestion(words: readonly (readonly string[])[], limit: number) {
  let place = 0;
  const oneOf = (digests: readonly string[]) => `IN (${digests.map(() => `$${++place}`).join(', ')})`;
  const [first = [], ...others] = words;
  const conditions = [
    `n.word ${oneOf(first)}`,
    ...others.map(
      (digests) => `EXISTS (SELECT 1 FROM name o WHERE o.wallet = n.wallet AND o.word ${oneOf(digests)})`,
    ),
  ];
  return {
    text: `SELECT n.wallet FROM name n WHERE ${conditions.join(' AND ')} ORDER BY n.at DESC LIMIT $${++place}`,
    values: [...words.flat(), limit],
  };
}
