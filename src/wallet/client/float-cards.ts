import { API } from '../contract/api.ts';
import { toDecimal } from '../money.ts';
import type { FloatCardCalls } from '../wallet.ts';
import { cardBody, executed } from './bank-cards.ts';
import type { Send } from './call.ts';
import { mapped, previewed, words, yes } from './read.ts';

/** More than an agent saves. */
const CARDS_MAX = 50;

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
