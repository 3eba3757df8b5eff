import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { toDecimal } from '../money.ts';
import type { ChargebackRequest, IssuedQr, MerchantPaymentRequest } from '../services.ts';
import type { MerchantCalls } from '../wallet.ts';
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
