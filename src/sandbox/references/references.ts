import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { toDecimal } from '../../wallet/money.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, type Handlers, isRefusal, type Request, refuse } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import type { Operations } from '../operations/operation.ts';
import { createBook } from './book.ts';
import { createCounter } from './counter.ts';
import { executedAtOf, isoOf, partnerName, requestOf, requests } from './requests.ts';

type Calls = 'executeAgentCashIn' | 'executeAgentCashOut' | 'executeNetworkCashIn' | 'executeNetworkCashOut';
const { CASHIN, CASHOUT } = OPERATION_TYPES;
/** Where a request names no entity. Not shown in v2.3. */
const ENTITY_DEFAULT = 'Sandbox network';

/** Partner API v2.3, "Reference-based cash-in / cash-out": requests, and their execution at a till. */
export function references(core: Core, customers: Customers, operations: Operations) {
  const book = createBook(core);
  const counter = createCounter(core, customers, operations, book);

  function byAgent(type: 1 | 2, request: Request<Api['executeAgentCashIn']>) {
    const { tenant, body } = request;
    const agent = findAgent(core, tenant, body.Code);
    if (isRefusal(agent)) return agent;
    const reference = book.find(tenant, type, body.Reference);
    if (isRefusal(reference)) return reference;
    // Those of the bill network are paid there.
    if (reference.billNetwork) return refuse('referenceUnknown');
    const till = { account: agent.account, name: agent.code, method: 'Agent' } as const;
    const executed = counter.execute(request, reference, till);
    return isRefusal(executed) ? executed : requestOf(book, executed);
  }

  /** Not shown in v2.3: what `withContext` changes; here nothing. */
  function byNetwork(type: 1 | 2, request: Request<Api['executeNetworkCashIn']>) {
    const { tenant, body } = request;
    const reference = book.find(tenant, type, body.reference);
    if (isRefusal(reference)) return reference;
    const name = body.entity || ENTITY_DEFAULT;
    const executed = counter.execute(request, reference, {
      account: core.ledger.own(tenant.id, 'cash'),
      name,
      method: 'Network',
      told: { NetworkName: name, Reference: reference.reference },
    });
    if (isRefusal(executed)) return executed;
    return {
      reference: executed.reference,
      entity: name,
      createdAt: new Date(executed.createdAt).toISOString(),
      executedAt: isoOf(executedAtOf(executed)),
      phoneNumber: executed.phone,
      amount: toDecimal(executed.amount),
      description: executed.description,
      partner: partnerName(tenant),
    };
  }

  const executions: Handlers<Calls> = {
    executeAgentCashIn: (request) => byAgent(CASHIN, request),
    executeAgentCashOut: (request) => byAgent(CASHOUT, request),
    executeNetworkCashIn: (request) => byNetwork(CASHIN, request),
    executeNetworkCashOut: (request) => byNetwork(CASHOUT, request),
  };
  return { ...requests(core, book, counter), ...executions };
}
