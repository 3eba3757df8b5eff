import type { Answer } from '../answer.ts';
import type { CardRefundRequest, CardSettlement } from '../bank-cards.ts';
import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { ERRORS } from '../contract/errors.ts';
import { toDecimal } from '../money.ts';
import type { ChargebackRequest, IssuedQr, MerchantPaymentRequest } from '../services.ts';
import type { Execution, MerchantCalls, MerchantCardCalls } from '../wallet.ts';
import { cardBody, executed } from './bank-cards.ts';
import type { Send } from './call.ts';
import { finalUnlessOpen, mapped, nameIn, previewed, toExecution, toPreview, words } from './read.ts';

/** Partner API v2.3, "Merchant payments", and what a merchant gives back of one by wallet ("chargeback"). An order says itself which of the two ways it goes. */
export function merchantCalls(send: Send): MerchantCalls {
  return {
    async previewMerchantPayment(order, call) {
      const answer =
        'to' in order
          ? await send(API.previewMerchantPayment, { body: byNumber(order) }, call)
          : await send(API.previewQrPayment, { body: byQr(order) }, call);
      return mapped(answer, (preview) => ({ ...toPreview(order.amount, preview), ...nameIn(preview) }));
    },
    async payMerchant(order, call) {
      const answer =
        'to' in order
          ? await send(API.executeMerchantPayment, { body: byNumber(order) }, call)
          : await send(API.executeQrPayment, { body: byQr(order) }, call);
      return mapped(answer, toExecution);
    },
    async previewChargeback(order, call) {
      const answer = await send(API.previewChargeback, { body: chargebackBody(order) }, call);
      return previewed(order.amount, answer);
    },
    async chargeback(order, call) {
      const answer = await send(API.executeChargeback, { body: chargebackBody(order) }, call);
      return mapped(answer, (result) => {
        const execution = toExecution(result);
        return { ...execution, ...finalUnlessOpen(execution.status) };
      });
    },
    async staticQr(merchant, call) {
      return mapped(await send(API.readStaticQr, { query: { customerPhoneNumber: merchant } }, call), issued);
    },
    async dynamicQr({ merchant, amount, billNumber }, call) {
      const query = { customerPhoneNumber: merchant };
      const body = { amount: toDecimal(amount), ...(billNumber && { billNumber }) };
      return mapped(await send(API.createQr, { query, body }, call), issued);
    },
    async qrByReference(reference, call) {
      return mapped(await send(API.readQrStatus, { query: { reference } }, call), issued);
    },
  };
}

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

function byNumber({ from, to, amount, reason }: Extract<MerchantPaymentRequest, { to: unknown }>) {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: toDecimal(amount), Reason: reason };
}

function byQr({ from, qrContent, amount }: Extract<MerchantPaymentRequest, { qrContent: unknown }>) {
  return { CustomerPhoneNumber: from, QrCodeContent: qrContent, Amount: toDecimal(amount) };
}

function chargebackBody({ from, to, amount, originalId, reason }: ChargebackRequest) {
  return {
    SourcePhoneNumber: from,
    DestinationPhoneNumber: to,
    Amount: toDecimal(amount),
    Description: reason,
    OriginalOperationId: originalId,
  };
}

function issued({ qrContent, qrCodeReference }: Data<typeof API.createQr>): IssuedQr {
  return { content: qrContent, ...words('reference', qrCodeReference) };
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
