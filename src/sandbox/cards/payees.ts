import { findAgent, PRINCIPAL_AGENT } from '../agents/agents.ts';
import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { type Customer, usableCustomer } from '../customers/customer.ts';
import { findMerchant, firstMerchant } from '../merchant/merchants.ts';
import type { CardPayment } from './payment.ts';

export type Payee = Pick<
  CardPayment,
  'tenant' | 'purpose' | 'account' | 'customer' | 'receiver' | 'receiverName'
>;

export function walletPayee(core: Core, tenant: Tenant, phone: string): Payee {
  return payeeOf(usableCustomer(core, tenant, phone), 'cash-in');
}

/** An agent who loads its float. Not shown in v2.3: without a code it is the partner's principal agent. */
export function agentPayee(core: Core, tenant: Tenant, named?: string): Payee {
  if (named === undefined && core.settings.payeeWithoutName === 'refused')
    refuse('missingParameters', { detail: 'code' });
  const code = named ?? PRINCIPAL_AGENT.code;
  const { account, name } = findAgent(core, tenant, code);
  const credited = { account, customer: null, receiver: code, receiverName: name };
  return { tenant: tenant.id, purpose: 'cash-in', ...credited };
}

/** A merchant who is paid. Not shown in v2.3: without a number it is the partner's first. */
export function merchantPayee(core: Core, tenant: Tenant, phone?: string): Payee {
  const merchant = findMerchant(core, tenant, phone ?? firstMerchant(core, tenant));
  // Those of another provider are paid from wallets, not by the cards of this gateway.
  return merchant.customer ? payeeOf(merchant.customer, 'payment') : refuse('merchantUnknown');
}

function payeeOf(customer: Customer, purpose: Payee['purpose']): Payee {
  const { id, tenant, account, phone, firstName, lastName } = customer;
  const receiverName = `${firstName} ${lastName}`;
  return { tenant, purpose, account, customer: id, receiver: phone, receiverName };
}
