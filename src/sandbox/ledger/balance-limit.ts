import { BALANCE_MAX_CENTIMES } from '../../wallet/contract/limits.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import type { Customer } from '../customers/customer.ts';

/**
 * True when a wallet may not be given that much (Partner API v2.3, "Limits"). Money on its way counts: two payments at once
 * must not take a wallet over its limit. That of a merchant is negotiated once its documents are verified: here there is none.
 */
export function exceedsLimit({ db, ledger }: Core, customer: Customer, amount: Centimes): boolean {
  if (customer.walletType === 'C' && customer.level > 1) return false;
  const onItsWay = db.get<{ sum: number | null }>(
    'SELECT SUM(amount) AS sum FROM operations WHERE receiverId = ? AND status = 1',
    customer.id,
  );
  const held = ledger.balance(customer.account) + (onItsWay?.sum ?? 0);
  return held + amount > BALANCE_MAX_CENTIMES[customer.level];
}
