import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { accountLevel, cin, decimal, latinName, otp, phone, pin, rib, text } from './fields.ts';
import { codes, ifAny, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'customers';
/** "success": the payload is not shown. Any payload is read as a yes. */
const success = z.unknown();

/** Partner API v2.3, "Customer status": 0 not exists, 1 not confirmed, 2 confirmed, 3 active, 4 locked temporarily, 5 locked. */
export const CUSTOMER_STATUSES = {
  NOT_EXISTS: 0,
  NOT_CONFIRMED: 1,
  CONFIRMED: 2,
  ACTIVE: 3,
  LOCKED_TEMPORARY: 4,
  LOCKED: 5,
} as const;
export const customerStatus = codes(CUSTOMER_STATUSES);
export type CustomerStatus = z.output<typeof customerStatus>;

/** Partner API v2.3, "Account types": `walletType`. */
export const WALLET_TYPES = { CONSUMER: 'P', MERCHANT: 'C' } as const;
/** Partner API v2.3, "Endpoints / Customers": the reasons of `unregister`. */
export const UNREGISTER_REASONS = {
  INSTITUTION: 1,
  INSTITUTION_FRAUD: 2,
  CLIENT_TERMINATION: 3,
  CLIENT_PHONE_LOST: 4,
  CLIENT: 5,
} as const;

/** Partner API v2.3, "Customer". The optional fields are not shown: only the fields that Wasl needs are required. */
export const customerProfile = z.object({
  id: ifAny(z.int()),
  fullName: ifAny(z.string()),
  firstName: ifAny(z.string()),
  lastName: ifAny(z.string()),
  phoneNumber: phone,
  balance: decimal,
  accountType: ifAny(z.int()),
  rib: reads(z.string().nullish(), rib),
  /** 1 to 4. The level of a merchant, whose limit is negotiated, is not shown. */
  accountLevel,
  customerStatus,
  partnerId: ifAny(z.int()),
});

/** Partner API v2.3, "Endpoints / Customers": all twelve. */
export const customers = {
  customerStatus: endpoint('GET', '/api/customers/status', scope, {
    query: z.object({ PhoneNumber: phone }),
    data: z.object({ status: customerStatus, message: ifAny(z.string()) }),
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
      walletType: codes(WALLET_TYPES),
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
    data: z.object({ logged: z.boolean(), remainingAttempts: ifAny(z.int().min(0)) }),
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
    body: z.object({ PhoneNumber: phone, Reason: codes(UNREGISTER_REASONS) }),
    data: success,
  }),
};
