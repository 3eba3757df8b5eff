import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { fromDecimal } from '../money.ts';
import type { RetailAgentFile } from '../services.ts';
import type { PrincipalCalls } from '../wallet.ts';
import { retailAgent } from './agents.ts';
import type { Send } from './call.ts';
import { mapped, words, yes } from './read.ts';

/** Partner API v2.3, "Agents": the reads and acts of a principal agent. */
export function principalCalls(send: Send): PrincipalCalls {
  return {
    async createRetailAgent({ phone, name, firstName, lastName, cin, address, email }, call) {
      const body = {
        PhoneNumber: phone,
        Name: name,
        FirstName: firstName,
        LastName: lastName,
        Cin: cin,
        ...(address !== undefined && { Address: address }),
        ...(email !== undefined && { Email: email }),
      };
      return mapped(await send(API.createRetailAgent, { body }, call), retailAgent);
    },
    async changeRetailAgent(code, { phone, name, firstName, lastName, address, email }, call) {
      const body = {
        ...(phone !== undefined && { PhoneNumber: phone }),
        ...(name !== undefined && { Name: name }),
        ...(firstName !== undefined && { FirstName: firstName }),
        ...(lastName !== undefined && { LastName: lastName }),
        ...(address !== undefined && { Address: address }),
        ...(email !== undefined && { Email: email }),
      };
      return yes(await send(API.updateRetailAgent, { params: { code }, body }, call));
    },
    async retailAgents({ code, page, pageSize }, call) {
      const query = { Code: code, PageNumber: page, PageSize: pageSize };
      return mapped(await send(API.listRetailAgents, { query }, call), ({ collection, count }) => ({
        entries: collection.map(retailAgentFile),
        count,
      }));
    },
    async principalAgent(code, call) {
      const answer = await send(API.readPrincipalAgent, { params: { code } }, call);
      return mapped(answer, ({ agent, account }) => ({
        code: agent.code,
        balance: fromDecimal(account.balance),
        ...words('name', agent.name),
        ...words('rib', account.rib),
      }));
    },
  };
}

function retailAgentFile(agent: Data<typeof API.readRetailAgent>): RetailAgentFile {
  return {
    ...retailAgent(agent),
    ...words('firstName', agent.FirstName),
    ...words('lastName', agent.LastName),
    ...words('email', agent.Email),
  };
}
