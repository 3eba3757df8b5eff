import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';
import { CUSTOM_DATA_LENGTH_MAX, CVV_DIGITS } from './limits.ts';
import { previewResult } from './preview.ts';
import { ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:cashin';

export const cvv = z.string().regex(new RegExp(`^\\d{${CVV_DIGITS}}$`));
/** 12 to 19 digits (ISO/IEC 7812). The gateway decides whether they are a card's number. */
const pan = z.string().regex(/^\d{12,19}$/);
/** YYMM. */
export const expiryDate = z.string().regex(/^\d{2}(?:0[1-9]|1[0-2])$/);
const percent = z.number().min(0).max(100);
const webAddress = z.url({ protocol: /^https?$/ }).max(2_000);

/**
 * Partner API v2.3, "Card cash-in": the card body, which merchant card payments take as well. Not shown: what holds
 * where `autoCapture` or `allowInternationalCards` is left out (open questions 11 and 50).
 */
export const cardBody = z.object({
  firstName: text,
  lastName: text,
  cvv,
  amount: decimal.positive(),
  pan,
  expiryDate,
  /** True saves the card. */
  keepAlive: z.boolean(),
  cardName: z.string().max(50).optional(),
  '3dSecure': z.boolean().default(true),
  autoCapture: z.boolean().optional(),
  allowInternationalCards: z.boolean().optional(),
  /** Paid by the payer on top of the amount. */
  feesPercent: percent.optional(),
  internationalFeesPercent: percent.optional(),
  acceptUrl: webAddress.optional(),
  declineUrl: webAddress.optional(),
  /** Notified when the transaction ends. */
  notificationUrl: webAddress.optional(),
  /** Comes back as `CustomData` of the webhook (open question 13). */
  externalReference: z.string().max(CUSTOM_DATA_LENGTH_MAX).optional(),
});

/** "Card cash-in" and "Merchant payments": with a saved card only this (open question 12). */
const savedCardBody = z.object({ Cvv: cvv, Amount: decimal.positive() });

/** Partner API v2.3, "Card payment result". Some fields are said to be null. Whether others may be missing is not shown. */
export const cardPaymentResult = z.object({
  /** True when the payer must be sent to `redirectionURL` for 3D Secure. */
  redirect: z.boolean(),
  /** Merchant payments: 0 is a success. */
  responseCode: ifAny(z.int().nullable()),
  amount: decimal,
  transactionTrackId: text,
  orderId: text,
  transactionReferenceId: ifAny(z.string()),
  redirectionURL: ifAny(z.string().nullable()),
  acceptURL: ifAny(z.string().nullable()),
  declineURL: ifAny(z.string().nullable()),
  gateway: ifAny(z.string()),
  operationId: ifAny(z.int().nullable()),
  feesAmount: ifAny(decimal.nullable()),
});

/**
 * Partner API v2.3, "Card payment result": the data that the browser carries back to `acceptUrl` or `declineUrl`. A
 * code of 0 is a success, any other a failure. The document does not show that both ids come along.
 */
export const threeDsReturn = z.object({
  RESPONSE_CODE: z.coerce.number().int(),
  /** Readable, e.g. SUCCESS or DECLINED. */
  REASON_CODE: z.string(),
  /** E.g. PAYMENT. */
  OPERATION: z.string(),
  orderId: z.string().optional(),
  transactionTrackId: z.string().optional(),
});

/** The request and answer of every payment by card, for any receiver: spread into its endpoint. */
export const cardPreview = { body: z.object({ Amount: decimal.positive() }), data: previewResult };
export const cardPayment = { body: cardBody, data: cardPaymentResult };
export const savedCardPayment = {
  params: z.object({ cardId: z.int() }),
  query: z.object({ PhoneNumber: phone }),
  body: savedCardBody,
  data: cardPaymentResult,
};

/** Partner API v2.3, "Card cash-in". */
export const cardCashIn = {
  previewCardCashIn: endpoint('POST', '/api/operations/cashin/card/preview', scope, {
    query: z.object({ PhoneNumber: phone }),
    ...cardPreview,
  }),
  executeCardCashIn: endpoint('POST', '/api/operations/cashin/card', scope, {
    query: z.object({ phoneNumber: phone }),
    ...cardPayment,
  }),
  executeSavedCardCashIn: endpoint('POST', '/api/operations/cashin/card/{cardId}', scope, {
    ...savedCardPayment,
  }),
  previewAgentCardCashIn: endpoint('POST', '/api/operations/cashin/card/agent/preview', scope, {
    query: z.object({ code: text }),
    ...cardPreview,
  }),
  /** `code` is the agent whose wallet is credited. The receiver without a code is not shown. */
  executeAgentCardCashIn: endpoint('POST', '/api/operations/cashin/card/agent', scope, {
    query: z.object({ code: text.optional() }),
    ...cardPayment,
  }),
};
