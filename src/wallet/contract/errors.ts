/** The meaning of a business error code. `status` is the HTTP status it comes with, 400 where absent. */
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
 * Not shown in v2.3 ("The complete table of error codes per endpoint: not shown"). These are the sandbox's own codes
 * where the document is silent (open question 9). 422 where the state of the wallet forbids the request. A partner's
 * wallet will use other codes, and a customer then reads the general sentence.
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
  agentUnknown: { code: 90024, means: 'No agent has this code' },
  receiptNotFound: { code: 90025, means: 'There is no receipt for this operation' },
  merchantUnknown: { code: 90026, means: 'No merchant has this number' },
  qrUnknown: { code: 90027, means: 'The QR code is not that of a merchant' },
  qrAmount: { code: 90028, means: 'The QR code carries another amount' },
  qrPaid: { code: 90029, means: 'The QR code has been paid already', status: 422 },
  cardNumberInvalid: { code: 90200, means: 'The card number is not valid' },
  cardExpired: { code: 90201, means: 'The card has expired' },
  cardInternational: { code: 90202, means: 'International cards are not allowed for this payment' },
  cardRefused: { code: 90203, means: 'The card was refused' },
  savedCardUnknown: { code: 90204, means: 'There is no such saved card' },
  cardPaymentUnknown: { code: 90205, means: 'There is no such card payment' },
  cardPaymentState: { code: 90206, means: 'The state of the card payment forbids this', status: 422 },
  captureExceeded: { code: 90207, means: 'The amount exceeds what was authorised' },
  reverseAmount: { code: 90208, means: 'The amount is not the one that was authorised' },
  refundExceeded: { code: 90209, means: 'The amount exceeds what was captured and not yet refunded' },
  gatewayRefused: { code: 90210, means: 'The gateway refuses this', status: 422 },
  levelNotHigher: { code: 90130, means: 'The customer has this account level already', status: 422 },
  identificationMissing: {
    code: 90131,
    means: 'The customer has not been to the identity provider since the last request',
    status: 422,
  },
  upgradePending: { code: 90132, means: 'The identity provider is still verifying', status: 422 },
  merchantDocumentsOnly: { code: 90134, means: 'A merchant is verified by its documents', status: 422 },
  programUnknown: { code: 90300, means: 'There is no such card programme' },
  applicationUnknown: { code: 90301, means: 'There is no such card application' },
  applicationDecided: { code: 90302, means: 'The card application has been decided already', status: 422 },
  issuedCardUnknown: { code: 90303, means: 'The customer has no such card' },
  issuedCardState: { code: 90304, means: 'The state of the card forbids this', status: 422 },
  referenceUnknown: { code: 90120, means: 'There is no such reference' },
  referenceExpired: { code: 90121, means: 'The reference has expired', status: 422 },
  referenceUsed: { code: 90122, means: 'The reference has been executed already', status: 422 },
  originalUnknown: { code: 90110, means: 'There is no such operation to give money back of' },
  originalOther: { code: 90111, means: 'The original operation was between others' },
  originalNotDone: { code: 90112, means: 'The original operation is not completed', status: 422 },
  originalExceeded: { code: 90113, means: 'More would be given back than was paid', status: 422 },
  documentInvalid: { code: 90133, means: 'A document is of a type or size that is not allowed' },
  agentNotFunded: { code: 90100, means: 'The principal agent of the partner has no float left', status: 422 },
  beneficiaryUnknown: { code: 90101, means: 'The customer has no such beneficiary' },
  bankUnreachable: { code: 90102, means: 'The RIB is not that of an account that can be paid' },
  retailAgentUnknown: { code: 90140, means: 'No retail agent has this code' },
  agentPhoneTaken: { code: 90141, means: 'Another agent has this phone number' },
  beneficiaryOther: { code: 90150, means: 'The beneficiary has another number' },
} as const satisfies Record<string, ApiError>;

/** As `SANDBOX_ERRORS`, for partners: no conversation can meet them, so no customer has a sentence. */
export const PARTNER_ERRORS = {
  notEnrolled: {
    code: 90129,
    means: 'The wallet is not enrolled with the switch and reaches no other provider',
    status: 422,
  },
} as const satisfies Record<string, ApiError>;

export const ERRORS = { ...DOCUMENTED_ERRORS, ...SANDBOX_ERRORS, ...PARTNER_ERRORS };
export type ErrorName = keyof typeof ERRORS;
/** A business error code as text, as it comes out of an `Answer`. */
export type ErrorCode = `${(typeof ERRORS)[ErrorName]['code']}`;

/**
 * The other refusals that an answer can hold: HTTP statuses of a module that is not enabled or a scope that is missing
 * ("Sandbox onboarding rules" 4), and the bill network's own refusals inside a 200 ("Errors" 4).
 */
const FURTHER_CODES = ['http403', 'http404', 'bill104', 'bill107', 'bill109'] as const;
/** The bill network's refusals that a conversation acts on (Partner API v2.3, "Errors" 4). */
export const BILL_REFUSALS = {
  creditorClosed: 'bill104',
  nothingToPay: 'bill107',
  fieldMissing: 'bill109',
} as const satisfies Record<string, (typeof FURTHER_CODES)[number]>;
/** A sealed value is too old to be opened (secrets pass through). The wallet never gives this code. */
export const EXPIRED_CODE = 'expired';
/**
 * Refusals by Wasl itself, for the customer's safety (`session/safety.ts`). The wallet never gives them. Where a large
 * payment waits, the refusal says until when: after a new link, in that chat, and after a new PIN or a thaw,
 * everywhere.
 */
export const SAFETY_CODES = {
  frozen: 'frozen',
  newLink: 'newLink',
  /** The same for payments from the principal agent's float, which no USSD customer makes. */
  newLinkOfPrincipal: 'newLinkOfPrincipal',
  newPin: 'newPin',
  newThaw: 'newThaw',
  /** The customer tried too many amounts without the PIN. Their refusals would tell the balance. */
  pinFirst: 'pinFirst',
  /** Wasl does not know the agent any more, or support has stopped it. */
  noAgent: 'noAgent',
  /** The agent has tried too many references that the wallet does not know. */
  manyReferences: 'manyReferences',
  /** The wallet has sent all payments of this kind that it can send in a day. The limit stops a thief who tries cards. */
  manyCards: 'manyCards',
  /** Too many different cards were refused on the merchant's links. A thief may be trying stolen cards there. */
  manyRefusedCards: 'manyRefusedCards',
  /** The number does not act for the principal agent any more. */
  noPrincipal: 'noPrincipal',
  /** After a failover it could be sent twice: the key lacks the scope for its list, and commits wait for no replica. */
  unguarded: 'unguarded',
} as const;

/** True if Wasl itself has refused and has not called the wallet. */
export function isOurRefusal(code: string): boolean {
  return code === EXPIRED_CODE || Object.values<string>(SAFETY_CODES).includes(code);
}

const CUSTOMER_ERRORS = { ...DOCUMENTED_ERRORS, ...SANDBOX_ERRORS };
/**
 * The refusals that a conversation can act on, by name: a business error that customers have a sentence for, the bill
 * network's own refusal, or a secret grown too old. A conversation that meets one of `PARTNER_ERRORS` does not compile
 * until that error has its sentence.
 */
export type RefusalName =
  | keyof typeof CUSTOMER_ERRORS
  | keyof typeof BILL_REFUSALS
  | keyof typeof SAFETY_CODES
  | 'expired';
const REFUSAL_CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(CUSTOMER_ERRORS).map(([name, { code }]) => [name, String(code)])),
  ...BILL_REFUSALS,
  ...SAFETY_CODES,
  expired: EXPIRED_CODE,
};

export function refusalCode(name: RefusalName): string {
  return REFUSAL_CODES[name] ?? name;
}

/** Every code that a customer can meet, as text: each has a sentence in each language. */
export const ERROR_CODES: readonly string[] = [
  ...Object.values(CUSTOMER_ERRORS).map(({ code }) => `${code}` as ErrorCode),
  ...FURTHER_CODES,
  ...Object.values(SAFETY_CODES),
  EXPIRED_CODE,
];

/**
 * True when a module is not enabled for this partner. Its telco code is not shown in v2.3 ("Errors" 3), so its words count
 * in addition to the sandbox's own code.
 */
export function isNotEnabled(refusal: { readonly code: string; readonly description: string }): boolean {
  const codes = ['http403', 'http404', String(SANDBOX_ERRORS.serviceNotEnabled.code)];
  return codes.includes(refusal.code) || /not enabled|not activated|non activ/i.test(refusal.description);
}
