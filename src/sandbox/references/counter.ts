import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, isRefusal, type Refusal, type Request, refuse, type Tenant } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import type { Operation, Operations } from '../operations/operation.ts';
import type { Book, NewReference, Reference } from './book.ts';

const { CASHIN } = OPERATION_TYPES;
type Wanted = Omit<NewReference, 'tenant'>;

/** Where cash changes hands: an agent's till, or the network's. */
export interface Till {
  readonly account: number;
  /** As operations name it. */
  readonly name: string;
  readonly method: 'Agent' | 'Network';
  /** Fields of the webhook. */
  readonly told?: Readonly<Record<string, unknown>>;
}

/** Pays cash in and out on references: the checks of a request and of its execution, and the execution. */
export function createCounter(core: Core, customers: Customers, operations: Operations, book: Book) {
  const { ledger } = core;

  /** Whose wallet it is: account, and the customer's id where it is one's. */
  function walletOf(tenant: Tenant, { type, phone, code, amount }: Wanted) {
    if (code !== null) {
      const agent = findAgent(core, tenant, code, 'principal');
      return isRefusal(agent) ? agent : { account: agent.account, customer: null, name: code };
    }
    const customer =
      type === CASHIN ? customers.get(tenant, phone ?? '') : customers.usable(tenant, phone ?? '');
    if (isRefusal(customer)) return customer;
    if (type === CASHIN) {
      // As with transfers: a wallet whose PIN is missing or locked for now can still be paid.
      if (customer.status === 1 || customer.status === 5) return refuse('recipientUnavailable');
      if (exceedsLimit(core, customer, amount)) return refuse('recipientLimit');
    }
    return { account: customer.account, customer: customer.id, name: customer.phone };
  }

  /** What is in the way of an order, as it would be executed now; undefined where nothing is. */
  function refused(tenant: Tenant, wanted: Wanted): Refusal | undefined {
    const wallet = walletOf(tenant, wanted);
    if (isRefusal(wallet)) return wallet;
    return wanted.type === CASHIN ? undefined : short(wallet.account, wanted);
  }

  function short(account: number, { amount, fees }: Wanted): Refusal | undefined {
    return ledger.balance(account) < amount + fees ? refuse('insufficientFunds') : undefined;
  }

  return {
    refused,

    /** Executes a reference at a till, at once and for good. Gives it as it is then. */
    execute(
      { tenant, requestId, struck }: Pick<Request, 'tenant' | 'requestId' | 'struck'>,
      reference: Reference,
      till: Till,
    ): Reference | Refusal {
      const spent = book.spent(reference);
      if (spent) return spent;
      const wallet = walletOf(tenant, reference);
      if (isRefusal(wallet)) return wallet;
      const { type, amount, fees } = reference;
      const side = { account: till.account, customer: null, name: till.name };
      const [payer, payee] = type === CASHIN ? [side, wallet] : [wallet, side];
      // The network brings its own cash; an agent has only what is on the account.
      const lacking =
        till.method === 'Network' && payer === side ? undefined : short(payer.account, reference);
      if (lacking) return lacking;
      const operation: Operation = operations.execute(
        {
          tenant: tenant.id,
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
          openLoop: 0,
          requestId,
          settlesAs: STATUSES.COMPLETED,
          told: JSON.stringify({
            ...till.told,
            // "Sender phone number", of which a till has none.
            PrimaryAccountNumber: wallet.name,
            SecondaryAccountNumber: type === CASHIN ? wallet.name : null,
          }),
        },
        struck,
        0,
      );
      return book.executed(reference, operation);
    },
  };
}
export type Counter = ReturnType<typeof createCounter>;
