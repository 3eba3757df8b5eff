import { z } from 'zod';
import { BARE, endpoint } from './endpoint.ts';
import { pageNumber, pageSize, phone, text } from './fields.ts';
import { ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'cards:tokenized';

/** Partner API v2.3, "Tokenized card": `maskedPan` is the last 4 digits. */
const customerCard = z.object({
  customerBankCardId: z.int(),
  maskedPan: z.string(),
  issuer: ifAny(z.string()),
  scheme: ifAny(z.string()),
  cardName: ifAny(z.string()),
});
const agentCard = z.object({
  customerTokenizedCardId: z.int(),
  maskedPan: z.string(),
  /** The CVV must be entered again on each cash-in. */
  requiredCvv: z.boolean(),
  cardName: ifAny(z.string()),
});

const ofAgent = { params: z.object({ cardId: z.int() }) };
const whose = z.object({ code: text });
const count = z.int().min(0);

/** Partner API v2.3, "Tokenized cards": cards that customers, merchants and agents have saved (`keepAlive`). */
export const tokenizedCards = {
  listCustomerCards: endpoint('GET', '/api/customers/tokenized/cards', scope, {
    query: z.object({ PhoneNumber: phone, PageSize: pageSize, PageNumber: pageNumber }),
    data: z.object({ collection: z.array(customerCard), count }),
  }),
  readCustomerCard: endpoint('GET', '/api/customers/tokenized/cards/{id}', scope, {
    params: z.object({ id: z.int() }),
    query: z.object({ PhoneNumber: phone }),
    data: customerCard,
  }),
  /** Not shown in v2.3: its answer. */
  deleteCustomerCard: endpoint('DELETE', '/api/customers/tokenized/cards/{cardId}', scope, {
    params: z.object({ cardId: z.int() }),
    query: z.object({ phoneNumber: phone }),
    data: z.boolean(),
  }),
  listAgentCards: endpoint('GET', '/api/agents/tokenized/cards', scope, {
    query: z.object({ code: text, pageSize, pageNumber }),
    data: z.object({ collection: z.array(agentCard), count }),
  }),
  readAgentCard: endpoint('GET', '/api/agents/tokenized/cards/{cardId}', scope, {
    ...ofAgent,
    query: whose,
    data: agentCard,
  }),
  /** Only the label changes. HTTP 200 without a body, like the deletion ("General model" 2). */
  renameAgentCard: endpoint('PUT', '/api/agents/tokenized/cards/{cardId}', scope, {
    ...ofAgent,
    query: whose,
    body: z.object({ cardName: text.max(50) }),
    ...BARE,
  }),
  deleteAgentCard: endpoint('DELETE', '/api/agents/tokenized/cards/{cardId}', scope, {
    ...ofAgent,
    query: whose,
    ...BARE,
  }),
};
