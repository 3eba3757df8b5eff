import type { Answer } from '../answer.ts';
import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { OPERATION_TYPES } from '../contract/fields.ts';
import { readPhone } from '../phone.ts';
import type { RetailAgent } from '../services.ts';
import type { AgentCalls, Execution } from '../wallet.ts';
import type { Send } from './call.ts';
import { LIST_ALL, toListed } from './operations.ts';
import { finalUnlessOpen, mapped, words } from './read.ts';

/** "Operation detail": the name for the method of an agent's operation. */
const BY_AGENT = 'Agent';

/** Partner API v2.3, "Agents": a retail agent, and the references that one executes. */
export function agentCalls(send: Send): AgentCalls {
  return {
    async retailAgent(code, call) {
      return mapped(await send(API.readRetailAgent, { params: { code } }, call), retailAgent);
    },
    async agentCashIn({ code, reference }, call) {
      return executed(
        await send(API.executeAgentCashIn, { body: { Code: code, Reference: reference } }, call),
      );
    },
    async agentCashOut({ code, reference }, call) {
      return executed(
        await send(API.executeAgentCashOut, { body: { Code: code, Reference: reference } }, call),
      );
    },
    async agentOperations({ code, types, from, page, pageSize }, call) {
      const query = {
        pageNumber: page,
        pageSize,
        operationType: types ? [...types] : [OPERATION_TYPES.CASHIN, OPERATION_TYPES.CASHOUT],
        from: from?.toISOString(),
        search: code,
        ...(!types && { method: BY_AGENT }),
      };
      return mapped(await send(LIST_ALL, { query }, call), toListed);
    },
  };
}

/** It names no operation: the reference finds it again. */
function executed(answer: Answer<Data<typeof API.executeAgentCashIn>>): Answer<Execution> {
  return mapped(answer, ({ operationStatus: status }) => ({ status, ...finalUnlessOpen(status) }));
}

export function retailAgent(agent: Data<typeof API.readRetailAgent>): RetailAgent {
  const { code, PhoneNumber, Name: name, FirstName, LastName, Address } = agent;
  const phone = readPhone(PhoneNumber);
  const person = [FirstName, LastName].filter(Boolean).join(' ');
  return { code, name, ...(phone && { phone }), ...words('person', person), ...words('address', Address) };
}
