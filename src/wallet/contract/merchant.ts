import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';
import { operationResult } from './transfers.ts';

/** v2.3 shows this scope for the capture and reversal of card payments; that pushed ones need it too is not shown. */
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

/** Partner API v2.3, "QR code": the status result, which creating one answers too (open question 14). */
const qrResult = z.object({ qrContent: text, qrCodeReference: text });
const more = { billNumber: z.string().optional(), additionalData: z.string().optional() };
/** `customerPhoneNumber`, not `phoneNumber`: the merchant whose code it is. */
const whose = z.object({ customerPhoneNumber: phone.optional(), maskedNumber: z.boolean().optional() });

/** Partner API v2.3, "Merchant payments": those that a customer pushes. Cards are the merchant's business. */
export const merchant = {
  previewMerchantPayment: endpoint({
    method: 'POST',
    path: '/api/operations/merchant/payment/push/manual/preview',
    scope,
    body: byNumber,
    data: previewResult,
  }),
  executeMerchantPayment: endpoint({
    method: 'POST',
    path: '/api/operations/merchant/payment/push/manual',
    scope,
    body: byNumber,
    data: operationResult,
  }),
  previewQrPayment: endpoint({
    method: 'POST',
    path: '/api/operations/merchant/payment/push/qrcode/preview',
    scope,
    body: byQr,
    data: previewResult,
  }),
  executeQrPayment: endpoint({
    method: 'POST',
    path: '/api/operations/merchant/payment/push/qrcode',
    scope,
    body: byQr,
    data: operationResult,
  }),
  /** A GET for which v2.3 shows a body: it is sent without one, and here not read (open question 14). */
  readStaticQr: endpoint({
    method: 'GET',
    path: '/api/operations/merchant/qrcode/static',
    scope,
    query: whose,
    body: z.object(more),
    data: qrResult,
  }),
  createQr: endpoint({
    method: 'POST',
    path: '/api/operations/merchant/qrcode',
    scope,
    query: whose,
    body: z.object({ amount: decimal.positive(), ...more }),
    data: qrResult,
  }),
  readQrStatus: endpoint({
    method: 'GET',
    path: '/api/operations/merchant/qrcode/status',
    scope,
    query: z.object({ reference: text }),
    data: qrResult,
  }),
};
