import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { findAgent } from '../agents/agents.ts';
import type { Core, Request, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer, usableCustomer } from '../customers/customer.ts';
import { requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { executeOperation } from '../operations/operation.ts';
import { markExecuted, type NewReference, type Reference, requireUsable } from './book.ts';

const { CASHIN } = OPERATION_TYPES;
type Wanted = Omit<NewReference, 'tenant'>;

/** The place where cash changes hands: an agent's till, or the network's. */
export interface Till {
  readonly account: number;
  readonly name: string;
  readonly method: 'Agent' | 'Network';
  readonly webhookFields?: Readonly<Record<string, unknown>>;
}

/** A reference that is executed at a till: who pays whom. */
interface Side {
  readonly account: number;
  /** The customer whose wallet it is. Null for an agent's account and for a till. */
  readonly customer: number | null;
  readonly name: string;
}
/** For whom a reference is executed, and what strikes it. */
export type Asked = Pick<Request, 'tenant' | 'requestId' | 'struck'>;

/** Refuses an order that could not be executed now. */
export function requireExecutable(core: Core, tenant: Tenant, wanted: Wanted): void {
  const wallet = walletOf(core, tenant, wanted);
  const isChecked = wanted.type !== CASHIN && core.settings.cashOutFunds === 'checked';
  if (isChecked) requireFunds(core, wallet.account, wanted.amount + wanted.fees);
}

/** Executes a reference at a till, at once and for good. Gives it as it is then. */
export function executeReference(core: Core, asked: Asked, reference: Reference, till: Till): Reference {
  const { counterEvents, referenceRequest, paidReference } = core.settings;
  if (reference.operation && paidReference === 'repeated') return reference;
  requireUsable(core, reference);
  const wallet = walletOf(core, asked.tenant, reference);
  const { type, amount, fees } = reference;
  const side = { account: till.account, customer: null, name: till.name };
  const [payer, payee] = type === CASHIN ? [side, wallet] : [wallet, side];
  // The network brings its own cash. An agent has only what is on the account.
  if (payer !== side || till.method !== 'Network') requireFunds(core, payer.account, amount + fees);
  const operation = executeOperation(
    core,
    asked,
    {
      type,
      amount,
      fees,
      reason: reference.description ?? reference.reference,
      payer: payer.account,
      senderId: payer.customer,
      sender: payer.name,
      payee: payee.account,
      receiverId: payee.customer,
      receiver: payee.name,
      method: till.method,
      settlesAs: STATUSES.COMPLETED,
      told: JSON.stringify({
        ...till.webhookFields,
        // "Sender phone number", of which a till has none.
        PrimaryAccountNumber: wallet.name,
        SecondaryAccountNumber: type === CASHIN && counterEvents === 'both' ? wallet.name : null,
        ...(referenceRequest === 'none' && { CRequestId: '' }),
      }),
    },
    0,
  );
  return markExecuted(core, reference, operation);
}

function walletOf(core: Core, tenant: Tenant, { type, phone, code, amount }: Wanted): Side {
  if (code !== null) {
    const { account } = findAgent(core, tenant, code, 'principal');
    return { account, customer: null, name: code };
  }
  const find = type === CASHIN ? getCustomer : usableCustomer;
  const customer = find(core, tenant, phone ?? '');
  if (type === CASHIN) {
    // As with transfers: a wallet whose PIN is missing or locked for now can still be paid.
    if (customer.status === 1 || customer.status === 5) refuse('recipientUnavailable');
    if (exceedsLimit(core, customer, amount)) refuse('recipientLimit');
  }
  return { account: customer.account, customer: customer.id, name: customer.phone };
}
