import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { toDecimal } from '../../wallet/money.ts';
import { type Agent, findAgent, firstRetailAgent } from '../agents/agents.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { findReference, type Reference } from './book.ts';
import { type Asked, executeReference, type Till } from './counter.ts';
import { executedAtOf, isoOf, partnerName, requestOf, requests } from './requests.ts';

const { CASHIN, CASHOUT } = OPERATION_TYPES;
/** The entity of a request that names none. Not shown in v2.3. */
const ENTITY_DEFAULT = 'Sandbox network';

/** Partner API v2.3, "Reference-based cash-in / cash-out": requests, and their execution at a till. */
export const references = {
  ...requests,
  executeAgentCashIn: (core, request) => executeByAgent(core, CASHIN, request),
  executeAgentCashOut: (core, request) => executeByAgent(core, CASHOUT, request),
  executeNetworkCashIn: (core, request) => executeByNetwork(core, CASHIN, request),
  executeNetworkCashOut: (core, request) => executeByNetwork(core, CASHOUT, request),
} satisfies SomeHandlers;

function executeByAgent(core: Core, type: 1 | 2, request: Request<Api['executeAgentCashIn']>) {
  const { tenant, body } = request;
  const agent = findAgent(core, tenant, body.Code);
  const reference = findReference(core, tenant, type, body.Reference);
  // Those of the bill network are paid there.
  if (reference.billNetwork) refuse('referenceUnknown');
  return requestOf(core, executeReference(core, request, reference, tillOf(agent)));
}

function tillOf({ account, code }: Agent): Till {
  return { account, name: code, method: 'Agent' };
}

/** Executes a reference as the desk orders it: at the first retail agent's. */
export function atAgent(core: Core, asked: Asked, reference: Reference): Reference {
  if (reference.billNetwork) refuse('referenceUnknown');
  return executeReference(core, asked, reference, tillOf(firstRetailAgent(core, asked.tenant)));
}

/** The same at a network's counter. */
export function atNetwork(core: Core, asked: Asked, reference: Reference, name = ENTITY_DEFAULT): Reference {
  return executeReference(core, asked, reference, {
    account: core.ledger.own(asked.tenant.id, 'cash'),
    name,
    method: 'Network',
    webhookFields: { NetworkName: name, Reference: reference.reference },
  });
}

/** Not shown in v2.3: what `withContext` changes. Here nothing. */
function executeByNetwork(core: Core, type: 1 | 2, request: Request<Api['executeNetworkCashIn']>) {
  const { tenant, body } = request;
  const reference = findReference(core, tenant, type, body.reference);
  const name = body.entity || ENTITY_DEFAULT;
  const executed = atNetwork(core, request, reference, name);
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
