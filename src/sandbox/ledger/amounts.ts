import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';

/** Decimal dirhams as centimes; 90006 where there are parts of a centime. */
export function amountOf(dirhams: number): Centimes {
  const amount = fromDecimal(dirhams);
  return toDecimal(amount) === dirhams ? amount : refuse('amountInvalid');
}

/** 90010 where an account does not hold so many centimes. */
export function requireFunds({ ledger }: Core, account: number, centimes: number): void {
  if (ledger.balance(account) < centimes) refuse('insufficientFunds');
}
