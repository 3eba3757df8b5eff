import { findAgent, PRINCIPAL_AGENT } from '../agents/agents.ts';
import { type Core, isRefusal, type Refusal, refuse, type Tenant } from '../core/core.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { findMerchant, firstMerchant } from '../merchant/merchants.ts';
import type { CardPayment } from './payment.ts';

/** Who gets the money of a card. */
export type Payee = Pick<
  CardPayment,
  'tenant' | 'purpose' | 'account' | 'customer' | 'receiver' | 'receiverName'
>;

/** A customer who loads their own wallet. */
export function walletPayee(customers: Customers, tenant: Tenant, phone: string): Payee | Refusal {
  const customer = customers.usable(tenant, phone);
  return isRefusal(customer) ? customer : payeeOf(customer, 'cash-in');
}

/** An agent who loads its float. Not shown in v2.3: without a code it is the partner's principal agent. */
export function agentPayee(core: Core, tenant: Tenant, code: string = PRINCIPAL_AGENT.code): Payee | Refusal {
  const agent = findAgent(core, tenant, code);
  if (isRefusal(agent)) return agent;
  const { account, name } = agent;
  const credited = { account, customer: null, receiver: code, receiverName: name };
  return { tenant: tenant.id, purpose: 'cash-in', ...credited };
}

/** A merchant who is paid. Not shown in v2.3: without a number it is the partner's first. */
export function merchantPayee(
  core: Core,
  customers: Customers,
  tenant: Tenant,
  phone?: string,
): Payee | Refusal {
  const merchant = findMerchant(customers, tenant, phone ?? firstMerchant(core, tenant));
  if (isRefusal(merchant)) return merchant;
  // Those of another provider are paid from wallets, not by the cards of this gateway.
  return merchant.customer ? payeeOf(merchant.customer, 'payment') : refuse('merchantUnknown');
}

function payeeOf(customer: Customer, purpose: Payee['purpose']): Payee {
  const { id, tenant, account, phone, firstName, lastName } = customer;
  const receiverName = `${firstName} ${lastName}`;
  return { tenant, purpose, account, customer: id, receiver: phone, receiverName };
}
