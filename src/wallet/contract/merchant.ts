import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';
import { operationResult } from './transfers.ts';

/** v2.3 shows this scope for the capture and reversal of card payments. It does not show that pushed ones need it too. */
const scope = 'operations:merchant-payment';

/** Partner API v2.3, "Merchant payments": preview and execution take the same body. */
const byNumber = z.object({
  CustomerPhoneNumber: phone,
  Amount: decimal.positive(),
  Reason: text,
  RecipientPhoneNumber: phone,
  BeneficiaryId: z.int().optional(),
});
const byQr = z.object({ CustomerPhoneNumber: phone, QrCodeContent: text, Amount: decimal.positive() });

/** Partner API v2.3, "Merchant payments": those that a customer pushes. Cards are the merchant's business. */
export const merchant = {
  previewMerchantPayment: endpoint('POST', '/api/operations/merchant/payment/push/manual/preview', scope, {
    body: byNumber,
    data: previewResult,
  }),
  executeMerchantPayment: endpoint('POST', '/api/operations/merchant/payment/push/manual', scope, {
    body: byNumber,
    data: operationResult,
  }),
  previewQrPayment: endpoint('POST', '/api/operations/merchant/payment/push/qrcode/preview', scope, {
    body: byQr,
    data: previewResult,
  }),
  executeQrPayment: endpoint('POST', '/api/operations/merchant/payment/push/qrcode', scope, {
    body: byQr,
    data: operationResult,
  }),
};
