import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { cin, decimal, latinName, otp, phone, pin, text } from './fields.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'customers';
/** "success": the payload is not shown. Any payload is read as a yes. */
const success = z.unknown();

/** Partner API v2.3, "Customer status": 0 not exists, 1 not confirmed, 2 confirmed, 3 active, 4 locked temporarily, 5 locked. */
export const customerStatus = z.literal([0, 1, 2, 3, 4, 5]);
export type CustomerStatus = z.output<typeof customerStatus>;

/** Partner API v2.3, "Customer". The optional fields are not shown: only the fields that Wasl needs are required. */
export const customerProfile = z.object({
  id: z.int().nullish(),
  fullName: z.string().nullish(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  phoneNumber: phone,
  balance: decimal,
  accountType: z.int().nullish(),
  rib: z.string().nullish(),
  /** 1 to 4. The level of a merchant, whose limit is negotiated, is not shown. */
  accountLevel: z.int(),
  customerStatus,
  partnerId: z.int().nullish(),
});

/** Partner API v2.3, "Endpoints / Customers": all twelve. */
export const customers = {
  customerStatus: endpoint('GET', '/api/customers/status', scope, {
    query: z.object({ PhoneNumber: phone }),
    data: z.object({ status: customerStatus, message: z.string().nullish() }),
  }),
  customerDefault: endpoint('GET', '/api/customers/default', scope, {
    query: z.object({ phoneNumber: phone }),
    data: z.boolean(),
  }),
  registerCustomer: endpoint('POST', '/api/customers/register', scope, {
    body: z.object({
      phoneNumber: phone,
      firstName: latinName,
      lastName: latinName,
      cin,
      walletType: z.enum(['P', 'C']),
      closeLoopOnly: z.boolean().optional(),
    }),
    status: 202,
    data: z.literal(true),
  }),
  confirmCustomer: endpoint('POST', '/api/customers/confirm', scope, {
    body: z.object({
      phoneNumber: phone,
      code: otp,
      autoActivate: z.boolean().optional(),
      /** "walletType must not be sent". */
      walletType: z.never().optional(),
    }),
    data: z.literal(true),
  }),
  resendOtp: endpoint('POST', '/api/customers/confirm/resend-otp', scope, {
    query: z.object({ phoneNumber: phone }),
    data: success,
  }),
  loginCustomer: endpoint('POST', '/api/customers/login', scope, {
    body: z.object({ phoneNumber: phone, pin: text }),
    data: z.object({ logged: z.boolean(), remainingAttempts: z.int().min(0).nullish() }),
  }),
  createPin: endpoint('POST', '/api/customers/pin', scope, {
    body: z.object({ phoneNumber: phone, pin }),
    data: z.literal(true),
  }),
  changePin: endpoint('PATCH', '/api/customers/pin', scope, {
    body: z.object({ phoneNumber: phone, oldPin: text, newPin: pin }),
    data: success,
  }),
  resetPin: endpoint('POST', '/api/customers/pin/reset', scope, {
    body: z.object({ phoneNumber: phone, otp, pin }),
    data: success,
  }),
  customerBalance: endpoint('GET', '/api/customers/balance', scope, {
    query: z.object({ phoneNumber: phone }),
    data: z.object({ balance: decimal }),
  }),
  customerInfo: endpoint('GET', '/api/customers/info', scope, {
    query: z.object({ phoneNumber: phone }),
    data: customerProfile,
  }),
  unregisterCustomer: endpoint('PUT', '/api/customers/unregister', scope, {
    /** 1 and 2 by the institution (unspecified, fraud), 3 to 5 by the client (termination, phone lost, unspecified). */
    body: z.object({ PhoneNumber: phone, Reason: z.literal([1, 2, 3, 4, 5]) }),
    data: success,
  }),
};
