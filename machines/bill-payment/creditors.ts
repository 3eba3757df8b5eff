import type { Creditor } from '../../src/wallet/services.ts';
import type { Choice } from '../kit/screen.ts';

/** With the history this makes three pages of nine choices. The customer finds all other creditors by name. */
export const CREDITORS_SHOWN_MAX = 26;

/** Those that are offered, and the way to the history, unless that is known to be empty (`isFirst`). */
export function creditorChoices(creditors: readonly Creditor[], isFirst = false): readonly Choice[] {
  return [
    ...creditors.map(
      ({ id, name, logo }): Choice => ({
        id,
        key: 'bill-payment.option',
        values: { option: { text: name } },
        ...(logo && { picture: logo }),
        varies: true,
      }),
    ),
    ...(isFirst ? [] : [{ id: 'history', key: 'bill-payment.history', varies: true } as const]),
  ];
}
