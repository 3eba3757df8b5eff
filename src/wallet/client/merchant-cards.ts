import type { Answer } from '../answer.ts';
import type { CardRefundRequest, CardSettlement } from '../bank-cards.ts';
import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { ERRORS } from '../contract/errors.ts';
import { toDecimal } from '../money.ts';
import type { Execution, MerchantCardCalls } from '../wallet.ts';
import { cardBody, executed } from './bank-cards.ts';
import type { Send } from './call.ts';
import { mapped, previewed } from './read.ts';

/** Partner API v2.3, "Merchant payments": those by card, and what becomes of them. */
export function merchantCardCalls(send: Send): MerchantCardCalls {
  return {
    async previewCardPayment({ merchant, amount }, call) {
      const request = { query: { PhoneNumber: merchant }, body: { Amount: toDecimal(amount) } };
      return previewed(amount, await send(API.previewCardPayment, request, call));
    },
    async payByCard(order, call) {
      const { merchant, card, isReserved } = order;
      // A stranger's card is never kept, even where the order asks for it.
      const body = { ...cardBody(card, order), keepAlive: false, autoCapture: !isReserved };
      return taken(await send(API.executeCardPayment, { query: { phoneNumber: merchant }, body }, call));
    },
    async captureCard(order, call) {
      return mapped(await send(API.captureCardPayment, { body: settlement(order) }, call), () => FINAL);
    },
    async reverseCard(order, call) {
      return mapped(await send(API.reverseCardPayment, { body: settlement(order) }, call), () => FINAL);
    },
    async previewCardRefund(order, call) {
      return previewed(order.amount, await send(API.previewRefund, { body: refund(order) }, call));
    },
    async refundCard(order, call) {
      const answer = await send(API.refundCardPayment, { body: refund(order) }, call);
      // Not shown in v2.3: whether it names the refund, or the payment that is refunded.
      return mapped(answer, ({ operationId }) => ({
        ...FINAL,
        ...(operationId && operationId !== order.operationId && { operationId }),
      }));
    },
  };
}

/**
 * The answer to a payment. Without 3D Secure its bank has answered already: any `responseCode` but 0 is a refusal
 * (Partner API v2.3, "Card payment result"). Only this answer and the event give the ids of the gateway. No read gives
 * them.
 */
function taken(answer: Answer<Data<typeof API.executeCardPayment>>): Answer<Execution> {
  if (answer.kind !== 'ok') return answer;
  const { redirect, responseCode, orderId, transactionTrackId: trackId } = answer.value;
  if (!redirect && (responseCode ?? 0) !== 0)
    return { kind: 'refused', code: String(ERRORS.cardRefused.code), description: `code ${responseCode}` };
  return { kind: 'ok', value: { ...executed(answer.value), facts: { orderId, trackId } } };
}

function settlement({ merchant, amount, orderId, trackId }: CardSettlement) {
  return {
    PhoneNumber: merchant,
    Amount: toDecimal(amount),
    OrderId: orderId,
    TransactionTrackId: trackId,
  };
}

function refund({ merchant, amount, orderId, trackId, operationId }: CardRefundRequest) {
  return {
    PhoneNumber: merchant,
    OperationId: operationId,
    RefundAmount: toDecimal(amount),
    OrderId: orderId,
    TransactionTrackId: trackId,
  };
}

/** No event follows any of them (open question 53). A capture and a reversal make no operation of their own. */
const FINAL: Execution = { isFinal: true };
