import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { type Customer, findCustomer } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';

/** The merchant who is paid. One without a wallet here is of another provider: one of the numbers that make something happen. */
interface Merchant {
  readonly phone: string;
  readonly name: string;
  readonly customer?: Customer;
}

const ELSEWHERE: ReadonlySet<string> = new Set(
  Object.values(MAGIC).filter((phone) => phone !== MAGIC.noWallet),
);

/** The partner's first merchant, who is meant without a number. Empty where there is none. */
export function firstMerchant({ db, settings }: Core, tenant: Tenant): string {
  if (settings.payeeWithoutName === 'refused') refuse('missingParameters', { detail: 'phoneNumber' });
  const sql = `SELECT phone FROM customers WHERE tenant = ? AND walletType = 'C' AND status <> 0 ORDER BY id`;
  return db.get<{ phone: string }>(sql, tenant.id)?.phone ?? '';
}

/** The merchant of a number, or 90026; 90014 for one that cannot be paid now. */
export function findMerchant(core: Core, tenant: Tenant, phone: string): Merchant {
  const customer = findCustomer(core, tenant, phone);
  if (!customer && ELSEWHERE.has(phone)) return { phone, name: 'Commerce lointain (test)' };
  if (customer?.walletType !== 'C') refuse('merchantUnknown');
  if (customer.status === 1 || customer.status === 5) refuse('recipientUnavailable');
  return { phone, name: `${customer.firstName} ${customer.lastName}`, customer };
}
