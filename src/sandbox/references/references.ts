import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { toDecimal } from '../../wallet/money.ts';
import { findAgent } from '../agents/agents.ts';
import type { Core, Handlers, Request } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { findReference } from './book.ts';
import { executeReference } from './counter.ts';
import { executedAtOf, isoOf, partnerName, type RequestCall, requestOf, requests } from './requests.ts';

type ExecutionCall =
  | 'executeAgentCashIn'
  | 'executeAgentCashOut'
  | 'executeNetworkCashIn'
  | 'executeNetworkCashOut';
const { CASHIN, CASHOUT } = OPERATION_TYPES;
/** Where a request names no entity. Not shown in v2.3. */
const ENTITY_DEFAULT = 'Sandbox network';

/** Partner API v2.3, "Reference-based cash-in / cash-out": requests, and their execution at a till. */
export const references: Handlers<RequestCall | ExecutionCall> = {
  ...requests,
  executeAgentCashIn: (core, request) => executeByAgent(core, CASHIN, request),
  executeAgentCashOut: (core, request) => executeByAgent(core, CASHOUT, request),
  executeNetworkCashIn: (core, request) => executeByNetwork(core, CASHIN, request),
  executeNetworkCashOut: (core, request) => executeByNetwork(core, CASHOUT, request),
};

function executeByAgent(core: Core, type: 1 | 2, request: Request<Api['executeAgentCashIn']>) {
  const { tenant, body } = request;
  const agent = findAgent(core, tenant, body.Code);
  const reference = findReference(core, tenant, type, body.Reference);
  // Those of the bill network are paid there.
  if (reference.billNetwork) refuse('referenceUnknown');
  const till = { account: agent.account, name: agent.code, method: 'Agent' } as const;
  return requestOf(core, executeReference(core, request, reference, till));
}

/** Not shown in v2.3: what `withContext` changes; here nothing. */
function executeByNetwork(core: Core, type: 1 | 2, request: Request<Api['executeNetworkCashIn']>) {
  const { tenant, body } = request;
  const reference = findReference(core, tenant, type, body.reference);
  const name = body.entity || ENTITY_DEFAULT;
  const executed = executeReference(core, request, reference, {
    account: core.ledger.own(tenant.id, 'cash'),
    name,
    method: 'Network',
    webhookFields: { NetworkName: name, Reference: reference.reference },
  });
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
