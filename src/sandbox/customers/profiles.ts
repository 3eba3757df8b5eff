import type { CustomerStatus } from '../../wallet/contract/customers.ts';
import { toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal } from '../core/core.ts';
import { ribOf } from '../core/random.ts';
import type { Customers } from './customer.ts';

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

/** What a customer is and has (Partner API v2.3, "Customers"). */
export function profiles(
  { ledger }: Core,
  customers: Customers,
): Handlers<'customerStatus' | 'customerDefault' | 'customerBalance' | 'customerInfo'> {
  return {
    /** Open question 1: an unknown number is status 0, not an error. */
    customerStatus({ tenant, query }) {
      const status = customers.find(tenant, query.PhoneNumber)?.status ?? 0;
      return { status, message: STATUS_MESSAGES[status] };
    },

    /** Not shown in v2.3: a confirmed wallet is its number's default one, unless the switch does not know it. */
    customerDefault({ tenant, query }) {
      const customer = customers.find(tenant, query.phoneNumber);
      return customer !== undefined && customer.status >= 2 && customer.closeLoop === 0;
    },

    customerBalance({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      return isRefusal(customer) ? customer : { balance: toDecimal(ledger.balance(customer.account)) };
    },

    customerInfo({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      if (isRefusal(customer)) return customer;
      const { id, firstName, lastName, account, level, status } = customer;
      return {
        id,
        fullName: `${firstName} ${lastName}`,
        firstName,
        lastName,
        phoneNumber: customer.phone,
        balance: toDecimal(ledger.balance(account)),
        accountType: ACCOUNT_TYPES[customer.walletType],
        rib: ribOf(account),
        accountLevel: level,
        customerStatus: status,
        partnerId: tenant.id,
      };
    },
  };
}
