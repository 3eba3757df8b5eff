import { latinDigits } from '../../src/wallet/money.ts';

/** Those whose name or description has all the words, however they are accented; all of them without words. */
export function matching<T extends { readonly name: string; readonly description?: string }>(
  entries: readonly T[],
  search = '',
): readonly T[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return entries.filter(({ name, description = '' }) => {
    const text = folded(`${name} ${description}`);
    return words.every((word) => text.includes(word));
  });
}

/** Without accents, case and vowel marks, and with Latin digits. */
function folded(text: string): string {
  return latinDigits(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
}
