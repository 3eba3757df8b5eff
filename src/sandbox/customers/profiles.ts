import type { CustomerStatus } from '../../wallet/contract/customers.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { ribOf } from '../transfers/rib.ts';
import { type Customer, findCustomer, getCustomer } from './customer.ts';

export const STATUS_MESSAGES: Record<CustomerStatus, string> = {
  0: 'Not exists',
  1: 'Not confirmed',
  2: 'Confirmed',
  3: 'Active',
  4: 'Locked temporary',
  5: 'Locked',
};
/** The values of accountType are not shown in v2.3. */
const ACCOUNT_TYPES = { P: 1, C: 2 };

/** The reads of a customer (Partner API v2.3, "Customers"). */
export const profiles = {
  /** Open question 1: an unknown number is status 0, or refused. */
  customerStatus(core, { tenant, query }) {
    const known = findCustomer(core, tenant, query.PhoneNumber);
    if (!known && core.settings.unknownStatus === 'refused') refuse('customerNotFound');
    const status = known?.status ?? 0;
    return { status, message: STATUS_MESSAGES[status] };
  },

  /** Not shown in v2.3: a confirmed wallet is its number's default one, unless the switch does not know it. */
  customerDefault(core, { tenant, query }) {
    const customer = findCustomer(core, tenant, query.phoneNumber);
    return customer !== undefined && customer.status >= 2 && customer.closeLoop === 0;
  },

  customerBalance(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    return { balance: toDecimal(core.ledger.balance(customer.account)) };
  },

  customerInfo(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    const { firstName, lastName, account, level, status } = customer;
    return {
      id: idOf(core, customer),
      fullName: `${firstName} ${lastName}`,
      firstName,
      lastName,
      phoneNumber: customer.phone,
      balance: toDecimal(core.ledger.balance(account)),
      accountType: ACCOUNT_TYPES[customer.walletType],
      rib: ribOf(account),
      accountLevel: level,
      customerStatus: status,
      partnerId: tenant.id,
      ...(core.settings.walletType === 'told' && { walletType: customer.walletType }),
    };
  },
} satisfies SomeHandlers;

/** Open question 132: a number that was closed and opened again has another id, or the one it had first. */
function idOf({ db, settings }: Core, { id, tenant, phone }: Customer): number {
  if (settings.reopenedId === 'new') return id;
  const sql = 'SELECT MIN(id) AS first FROM customers WHERE tenant = ? AND phone = ?';
  return db.get<{ first: number }>(sql, tenant, phone)?.first ?? id;
}
