/** What a business error code means. `status` is the HTTP status it comes with; 400 where absent. */
export interface ApiError {
  readonly code: number;
  readonly means: string;
  readonly status?: 400 | 422;
}

/** Partner API v2.3, "Errors": every code the document shows. */
export const DOCUMENTED_ERRORS = {
  missingParameters: { code: 10001, means: 'A required parameter or body field is absent' },
  phoneInvalid: { code: 20000, means: 'Phone number format invalid (expected +212*********)' },
  customerNotFound: { code: 20005, means: 'Specified user could not be found' },
  registrationInvalid: { code: 20006, means: 'Initial registration parameters incorrect or invalid' },
  registrationLocked: {
    code: 20008,
    means: 'Registration temporarily locked for security or policy reasons',
  },
  registrationPending: { code: 20009, means: 'Request pending confirmation; wait for processing' },
  noPendingRequest: { code: 20017, means: 'No pending request for that phone number; redo register' },
  pinIncorrect: { code: 26001, means: 'PIN incorrect' },
  pinAlreadySet: { code: 26004, means: 'A PIN is already set; use update or reset' },
  pinFormat: { code: 26005, means: 'PIN does not match the required format (4 digits)' },
} as const satisfies Record<string, ApiError>;

/**
 * Not shown in v2.3 ("The complete table of error codes per endpoint: not shown"): the sandbox's own codes for what
 * the document is silent about (open question 9). 422 where the state of the wallet forbids the request. A partner's
 * wallet will use other codes; a customer then reads the general sentence.
 */
export const SANDBOX_ERRORS = {
  parameterInvalid: { code: 90001, means: 'A parameter has a value that is not allowed' },
  alreadyRegistered: { code: 90002, means: 'This phone number already has a wallet' },
  otpIncorrect: { code: 90003, means: 'The one-time code is incorrect' },
  otpExpired: { code: 90004, means: 'The one-time code has expired or was never sent; ask for a new one' },
  lockedTemporarily: { code: 90005, means: 'The wallet is locked temporarily; reset the PIN', status: 422 },
  locked: { code: 90006, means: 'The wallet is locked', status: 422 },
  pinNotCreated: { code: 90007, means: 'The wallet has no PIN yet', status: 422 },
  notConfirmed: { code: 90008, means: 'The registration is not confirmed yet', status: 422 },
  balanceNotZero: {
    code: 90009,
    means: 'The wallet still holds money or has an open operation',
    status: 422,
  },
  insufficientFunds: { code: 90010, means: 'The balance does not cover the amount and its fees' },
  recipientLimit: { code: 90011, means: 'The recipient may not hold that much at their account level' },
  selfTransfer: { code: 90012, means: 'Sender and recipient are the same wallet' },
  recipientUnknown: { code: 90013, means: 'The recipient has no wallet at any provider' },
  recipientUnavailable: { code: 90014, means: 'The recipient cannot receive money at the moment' },
  amountInvalid: { code: 90015, means: 'The amount must be positive, with at most two decimals' },
  operationNotFound: { code: 90016, means: 'The customer has no such operation' },
  serviceNotEnabled: { code: 90017, means: 'The service is not enabled' },
  productUnknown: { code: 90018, means: 'The operator has no such product for this amount' },
  topUpRefused: { code: 90019, means: 'The operator refuses this top-up' },
  articleUnknown: { code: 90020, means: 'The voucher is not in the catalog' },
  outOfStock: { code: 90021, means: 'The voucher is out of stock' },
  billChanged: { code: 90022, means: 'The items are not those of the unpaid bills' },
  billExpired: { code: 90023, means: 'The reference of the unpaid bills has expired' },
  agentUnknown: { code: 90024, means: 'No principal agent has this code' },
  receiptNotFound: { code: 90025, means: 'There is no receipt for this operation' },
  merchantUnknown: { code: 90026, means: 'No merchant has this number' },
  qrUnknown: { code: 90027, means: 'The QR code is not that of a merchant' },
  qrAmount: { code: 90028, means: 'The QR code carries another amount' },
  qrPaid: { code: 90029, means: 'The QR code has been paid already', status: 422 },
} as const satisfies Record<string, ApiError>;

export const ERRORS = { ...DOCUMENTED_ERRORS, ...SANDBOX_ERRORS };
export type ErrorName = keyof typeof ERRORS;
/** A business error code as text, as it comes out of an `Answer`. */
export type ErrorCode = `${(typeof ERRORS)[ErrorName]['code']}`;

/**
 * What else an answer can be refused with: HTTP statuses of a module that is not enabled or a scope that is missing
 * ("Sandbox onboarding rules" 4), and the bill network's own refusals inside a 200 ("Errors" 4).
 */
const FURTHER_CODES = ['http403', 'http404', 'bill104', 'bill107', 'bill109'] as const;
/** A sealed value that was needed is too old to be opened (design rule 6). Never said by the wallet. */
export const EXPIRED_CODE = 'expired';

/** Every code there is a name for, as text: each has a sentence for the customer in each language. */
export const ERROR_CODES: readonly string[] = [
  ...Object.values(ERRORS).map(({ code }) => `${code}` as ErrorCode),
  ...FURTHER_CODES,
  EXPIRED_CODE,
];

/**
 * True when a module is not enabled for this partner. Its telco code is not shown in v2.3 ("Errors" 3), so its words count
 * beside the sandbox's own code.
 */
export function isNotEnabled(refusal: { readonly code: string; readonly description: string }): boolean {
  const codes = ['http403', 'http404', String(SANDBOX_ERRORS.serviceNotEnabled.code)];
  return codes.includes(refusal.code) || /not enabled|not activated|non activ/i.test(refusal.description);
}
