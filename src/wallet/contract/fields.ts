import { z } from 'zod';
import {
  CIN_LENGTH_MAX,
  CIN_LENGTH_MIN,
  NAME_LENGTH_MAX,
  NAME_LENGTH_MIN,
  PAGE_SIZE_DEFAULT,
  PIN_DIGITS,
  RIB_DIGITS,
} from './limits.ts';
import { anyhow, codes, ifAny, reads } from './shown.ts';

/** A wallet's number as the API writes it: `+212*********`. */
export const phone = z.string().regex(/^\+212\d{9}$/);
/** Decimal dirhams. A number above 10 000 000 000, or one with an exponent in JSON, is broken. */
export const decimal = z
  .number()
  .min(-1e10)
  .max(1e10)
  .refine((dirhams) => !`${dirhams}`.includes('e'));
/** A decimal that the reader does without. */
export const decimalIfAny = ifAny(decimal);
export const text = z.string().min(1);
/** Digits only. The document does not show whether the key of a RIB is checked. */
export const rib = z.string().regex(new RegExp(`^\\d{${RIB_DIGITS}}$`));
/**
 * Latin letters, and marks that stand over them. As ranges and not as `\p{Script=Latin}`, because patterns are published, and
 * few tools read them with the flag that such a name needs.
 */
export const LATIN = 'A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1e00-\u1eff';
const MARKS = '\u0300-\u036f';
/** Two Latin letters or more. v2.3 does not show that accents, spaces, hyphens and apostrophes can stand between them. */
export const latinName = z
  .string()
  .min(NAME_LENGTH_MIN)
  .max(NAME_LENGTH_MAX)
  .regex(new RegExp(`^[${LATIN}][${LATIN}${MARKS} .'’-]*[${LATIN}][${MARKS}]*$`));
export const cin = z.string().min(CIN_LENGTH_MIN).max(CIN_LENGTH_MAX);
export const pin = z.string().regex(new RegExp(`^\\d{${PIN_DIGITS}}$`));
/** The one-time code of an SMS. */
export const otp = z.string().regex(/^\d{3}-\d{3}$/);

/** Fields whose values must not appear in a log, a message or an error. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'pin',
  'oldPin',
  'newPin',
  'otp',
  'code',
  'cvv',
  'pan',
]);

/** Partner API v2.3, "Operation types". */
export const OPERATION_TYPES = {
  CASHIN: 1,
  CASHOUT: 2,
  TRANSFER: 3,
  MOBILE_PAYMENT: 5,
  PAYMENT_REFUND: 7,
  BANK_TRANSFER: 9,
  RECHARGE: 10,
  CHARGEBACK: 12,
  VOUCHER: 23,
  CARD_PAYMENT: 24,
  BILL_PAYMENT: 25,
} as const;
/** An answer can name a type that v2.3 does not know. The reader takes it all the same. */
export const operationType = reads(z.int(), codes(OPERATION_TYPES));

/** Partner API v2.3, "Operation and transaction statuses". */
export const STATUSES = { OPEN: 1, COMPLETED: 2, FAILED: 3, CANCELED: 4 } as const;
export const operationStatus = codes(STATUSES);
export type OperationStatus = z.output<typeof operationStatus>;
/** Partner API v2.3, "Operation and transaction statuses": `sens`. */
export const DIRECTIONS = { CREDIT: 1, DEBIT: 2 } as const;
export const direction = codes(DIRECTIONS);

/** ISO 8601. v2.3 does not show whether it has a time zone. */
export const dateTime = z.string().refine((at) => !Number.isNaN(Date.parse(at)));
/** A moment that the reader does without. */
export const dateTimeIfAny = anyhow(dateTime);
/** A moment that v2.3 shows as null until something has happened. */
export const dateTimeOrNull = anyhow(dateTime.nullable());

/** Partner API v2.3, "Common properties": `Method`. It shows no other words. */
export const METHODS = { CARD: 'Card', AGENT: 'Agent', NETWORK: 'Network' } as const;
export const method = reads(z.string(), codes(METHODS));

/** Partner API v2.3, "Account levels". A wallet can give a merchant another one. */
export const accountLevel = reads(z.int(), z.literal([1, 2, 3, 4]));

export const pageNumber = z.int().min(1).default(1);
export const pageSize = z.int().min(1).default(PAGE_SIZE_DEFAULT);
/** "Pagination of cards uses pageNumber/pageSize, while programs and applications use page/take." So do vouchers. */
export const paged = { page: pageNumber, take: pageSize };
