import type { Centimes } from './money.ts';
import type { Msisdn } from './phone.ts';

/** ISO/IEC 7812: of a card's number. */
export const PAN_DIGITS_MIN = 12;
export const PAN_DIGITS_MAX = 19;

/** A card as it is typed for one payment. It passes through the memory of one request, and is written nowhere. */
export interface CardDetails {
  readonly pan: string;
  /** YYMM. */
  readonly expiry: string;
  readonly cvv: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The customer agrees that the wallet saves it. */
  readonly keep: boolean;
}

/** The address to which the payer's browser comes back in any case, and the one to which the wallet reports the end. */
export interface BackTo {
  readonly accepted: string;
  readonly declined: string;
  readonly notified: string;
}

/** Money for a wallet from a card: one that is typed, or one that the wallet has saved, whose CVV is typed each time. */
export interface CardCashInRequest {
  readonly wallet: Msisdn;
  readonly amount: Centimes;
  readonly card: CardDetails | { readonly id: number; readonly cvv: string };
  /** Our own id of it: the wallet's event carries it (open question 13). */
  readonly reference: string;
  readonly backTo?: BackTo;
}

/** Money for a merchant from a payer's card, which is never kept. `isReserved`: it is only held. */
export interface CardPaymentRequest {
  readonly merchant: Msisdn;
  readonly amount: Centimes;
  readonly card: CardDetails;
  readonly isReserved: boolean;
  /** Our own id of it: the wallet's event carries it (open question 13). */
  readonly reference: string;
  readonly backTo?: BackTo;
}

/** Money for the float of a principal agent from a card, which is never kept: no call is shown that would charge a kept one. */
export interface FloatCardRequest {
  readonly code: string;
  readonly amount: Centimes;
  readonly card: CardDetails;
  /** Our own id of it: the wallet's event carries it (open question 13). */
  readonly reference: string;
  readonly backTo?: BackTo;
}

/** The gateway's names for a card payment. Every later act on it needs both, and no read gives them again. */
export interface GatewayIds {
  readonly orderId: string;
  readonly trackId: string;
}

/** The fate of money that a card payment holds. */
export interface CardSettlement extends GatewayIds {
  readonly merchant: Msisdn;
  /** The amount to take. A release takes all that was reserved. */
  readonly amount: Centimes;
}

/** Money that goes back to the card. */
export interface CardRefundRequest extends CardSettlement {
  /** The wallet's operation of the payment. */
  readonly operationId: number;
}

export interface SavedCard {
  readonly id: number;
  readonly last4: string;
  /** `VISA`, where the wallet says it. */
  readonly scheme?: string;
}

/** A card that the wallet has saved for an agent, by what may be seen of it. */
export interface AgentCard {
  readonly id: number;
  readonly last4: string;
  readonly name?: string;
}

/**
 * ISO/IEC 7812-1, annex B: true for digits that may be a card's number. None begins with 0, and zeros alone would pass. The check does
 * not see 09 and 90 change places.
 */
export function passesLuhn(digits: string): boolean {
  if (!/^[1-9]\d*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
