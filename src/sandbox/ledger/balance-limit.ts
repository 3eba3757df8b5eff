import { BALANCE_MAX_CENTIMES } from '../../wallet/contract/limits.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import type { Customer } from '../customers/customer.ts';

/**
 * True when a wallet may not be given that much (Partner API v2.3, "Limits"). Money on its way counts: two payments at once
 * must not take a wallet over its limit. A merchant's limit is negotiated once its documents are verified: here there is
 * none.
 */
export function exceedsLimit({ db, ledger }: Core, customer: Customer, amount: Centimes): boolean {
  if (customer.walletType === 'C' && customer.level > 1) return false;
  const max = BALANCE_MAX_CENTIMES[customer.level];
  const after = ledger.balance(customer.account) + amount;
  // If there is room for all money on its way to anybody, the part for this wallet need not be added up.
  if (after + ledger.balance(ledger.own(customer.tenant, 'transit')) <= max) return false;
  const onItsWay = db.get<{ sum: number | null }>(
    'SELECT SUM(amount) AS sum FROM operations WHERE receiverId = ? AND status = 1',
    customer.id,
  );
  return after + (onItsWay?.sum ?? 0) > max;
}
