import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';

/** The name of this scope for QR codes is not shown in v2.3. */
const scope = 'operations:merchant-payment';

/** Partner API v2.3, "QR code": the status result, which creating one answers too (open question 14). */
const qrResult = z.object({ qrContent: text, qrCodeReference: text });
const more = { billNumber: z.string().optional(), additionalData: z.string().optional() };
/** `customerPhoneNumber`, not `phoneNumber`: the merchant whose code it is. */
const whose = z.object({ customerPhoneNumber: phone.optional(), maskedNumber: z.boolean().optional() });

/** Partner API v2.3, "QR code": those that a merchant shows. */
export const qrCodes = {
  /** A GET for which v2.3 shows a body: it is sent without one, and here not read (open question 14). */
  readStaticQr: endpoint('GET', '/api/operations/merchant/qrcode/static', scope, {
    query: whose,
    body: z.object(more),
    data: qrResult,
  }),
  createQr: endpoint('POST', '/api/operations/merchant/qrcode', scope, {
    query: whose,
    body: z.object({ amount: decimal.positive(), ...more }),
    data: qrResult,
  }),
  readQrStatus: endpoint('GET', '/api/operations/merchant/qrcode/status', scope, {
    query: z.object({ reference: text }),
    data: qrResult,
  }),
};
