import { type Centimes, readAmount } from '../../src/wallet/money.ts';
import type { Sentence } from './screen.ts';

/** True when a text is an amount. */
export function isAmount(text: string): boolean {
  return readAmount(text).ok;
}

/** What a conversation remembers of a typed amount: the amount, or why it is none. */
export function amountOf(text: string): { amount: Centimes } | { notice: Sentence } {
  const amount = readAmount(text);
  return amount.ok ? { amount: amount.centimes } : { notice: { key: `amount.${amount.why}` } };
}
