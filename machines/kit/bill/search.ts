import { latinDigits } from '../../../src/wallet/money.ts';
import type { Creditor } from '../../../src/wallet/services.ts';
import type { Choice } from '../screen.ts';

/** With the history, three pages of nine choices; whoever is not among them is found by name. */
export const CREDITORS_SHOWN_MAX = 26;

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

/** Those that are offered, and the way to the history. */
export function creditorChoices(creditors: readonly Creditor[]): readonly Choice[] {
  return [
    ...creditors.map(({ id, name, logo }) => ({
      id,
      key: 'bill-payment.option',
      values: { option: { text: name } },
      ...(logo && { picture: logo }),
    })),
    { id: 'history', key: 'bill-payment.history' },
  ];
}
