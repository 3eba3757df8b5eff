import { z } from 'zod';
import { cardPayment, cardPreview, savedCardPayment } from './card-cash-in.ts';
import { endpoint } from './endpoint.ts';
import { decimal, decimalIfAny, phone, text } from './fields.ts';
import { ifAny } from './shown.ts';

/** v2.3 shows it for capture and reversal. It does not show that the payment itself needs it too. */
const scope = 'operations:merchant-payment';

/** Partner API v2.3, "Merchant payments": capture and reverse take the same body. */
const settlement = z.object({
  PhoneNumber: phone,
  /** The amount to capture, or the authorised amount that is released. */
  Amount: decimal.positive(),
  OrderId: text,
  TransactionTrackId: text,
  /** True leaves the gateway out. */
  SkipGatewayCall: z.boolean().optional(),
});

/**
 * Partner API v2.3, "Card payment result": the answer to capture, reverse and refund. Not shown: the meaning of
 * `refundAmount` for the first two. Here it is the amount that goes back to the card.
 */
const settlementResult = z.object({
  phoneNumber: ifAny(phone),
  operationId: ifAny(z.int()),
  refundAmount: decimalIfAny,
  orderId: ifAny(z.string()),
  transactionTrackId: ifAny(z.string()),
});

/** Partner API v2.3, "Merchant payments": those by card. `PhoneNumber` is the merchant's. */
export const merchantCards = {
  /** Its type is 5, though the event of the payment has type 24 (open question 15). */
  previewCardPayment: endpoint('POST', '/api/operations/merchant/payment/card/preview', scope, {
    query: z.object({ PhoneNumber: phone }),
    ...cardPreview,
  }),
  executeCardPayment: endpoint('POST', '/api/operations/merchant/payment/card', scope, {
    query: z.object({ phoneNumber: phone.optional() }),
    ...cardPayment,
  }),
  executeSavedCardPayment: endpoint(
    'POST',
    '/api/operations/merchant/payment/tokenized/card/{cardId}',
    scope,
    { ...savedCardPayment },
  ),
  captureCardPayment: endpoint('POST', '/api/operations/merchant/payment/card/capture', scope, {
    body: settlement,
    data: settlementResult,
  }),
  reverseCardPayment: endpoint('POST', '/api/operations/merchant/payment/card/reverse', scope, {
    body: settlement,
    data: settlementResult,
  }),
  refundCardPayment: endpoint('POST', '/api/operations/merchant/payment/card/refund', 'operations:refund', {
    body: z.object({
      PhoneNumber: phone,
      OperationId: z.int(),
      RefundAmount: decimal.positive(),
      OrderId: text.optional(),
      TransactionTrackId: text.optional(),
    }),
    data: settlementResult,
  }),
};
