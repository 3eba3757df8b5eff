import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { fromDecimal, toDecimal } from '../money.ts';
import type { RetailAgentFile } from '../services.ts';
import type { FloatCardCalls, PrincipalCalls } from '../wallet.ts';
import { retailAgent } from './agents.ts';
import { cardBody, executed } from './bank-cards.ts';
import type { Send } from './call.ts';
import { mapped, previewed, words, yes } from './read.ts';

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

/** Partner API v2.3, "Card cash-in" and "Tokenized cards": the calls of a principal agent. */
export function floatCardCalls(send: Send): FloatCardCalls {
  return {
    async previewFloatByCard({ code, amount }, call) {
      const request = { query: { code }, body: { Amount: toDecimal(amount) } };
      return previewed(amount, await send(API.previewAgentCardCashIn, request, call));
    },
    async loadFloatByCard(order, call) {
      // The API shows no call that charges an agent's saved card. So none is kept, even where the order asks for it.
      const body = { ...cardBody(order.card, order), keepAlive: false };
      const request = { query: { code: order.code }, body };
      return mapped(await send(API.executeAgentCardCashIn, request, call), executed);
    },
    async agentCards(code, call) {
      const query = { code, pageSize: CARDS_MAX, pageNumber: 1 };
      return mapped(await send(API.listAgentCards, { query }, call), ({ collection }) =>
        collection.map(({ customerTokenizedCardId: id, maskedPan, cardName }) => ({
          id,
          last4: maskedPan.slice(-4),
          ...words('name', cardName),
        })),
      );
    },
    async renameAgentCard({ code, id: cardId, name: cardName }, call) {
      const request = { params: { cardId }, query: { code }, body: { cardName } };
      return yes(await send(API.renameAgentCard, request, call));
    },
    async deleteAgentCard({ code, id: cardId }, call) {
      return yes(await send(API.deleteAgentCard, { params: { cardId }, query: { code } }, call));
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

/** More than an agent saves. */
const CARDS_MAX = 50;
