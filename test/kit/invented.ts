import type { SentenceKey } from '../../machines/kit/sentence-key.ts';

/** A key that no sentence has: for tests of what does not depend on the words. */
export function invented(key: string): SentenceKey {
  return key as SentenceKey;
}
