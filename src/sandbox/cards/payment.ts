import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Operation } from '../operations/operation.ts';
import type { Card, Reason } from './test-cards.ts';

/** Wrong codes on the 3D Secure page until the payment fails. Not shown in v2.3. */
export const THREE_DS_TRIES_MAX = 3;

/** A payment by card as a row: a merchant's, or money that a wallet is loaded with. */
export interface CardPayment extends Card {
  readonly id: number;
  readonly tenant: number;
  readonly purpose: 'cash-in' | 'payment';
  /** The account that is credited, and whose it is: a phone number, or an agent's code. */
  readonly account: number;
  /** Null where an agent is credited. */
  readonly customer: number | null;
  readonly receiver: string;
  readonly receiverName: string;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** The issuer's coming answer. The CVV that it depends on is not kept. */
  readonly verdict: Reason;
  /** The name under which the card is saved when it is accepted. Null where it is not. */
  readonly saveAs: string | null;
  /** 1 where it is only authorised, and captured later. */
  readonly holds: 0 | 1;
  readonly acceptUrl: string | null;
  readonly declineUrl: string | null;
  readonly externalReference: string | null;
  /** The delivery to `notificationUrl` of how it ended. */
  readonly notification: number | null;
  readonly token: string;
  readonly orderId: string;
  readonly trackId: string;
  readonly referenceId: string;
  readonly requestId: string;
  /** The faults of its request, `Struck` as JSON. */
  readonly faults: string;
  /** Until when 3D Secure can be gone through. */
  readonly expiresAt: number;
  readonly triesLeft: number;
  /** How 3D Secure and the issuer answered. Null until they have. */
  readonly reason: Reason | null;
  readonly operation: number | null;
}

/** `reversed` is an authorisation that was released, or lapsed. `refunded` a payment that was given back in full. */
export type PaymentState =
  | 'waiting'
  | 'expired'
  | 'declined'
  | 'authorized'
  | 'captured'
  | 'reversed'
  | 'refunded';
export type PaymentAction = 'capture' | 'reverse' | 'refund';

/**
 * Partner API v2.3, "Card payment lifecycle": what may be done in each state. A part of a captured payment that is refunded
 * leaves it captured, so that the rest can be refunded as well.
 */
export const LIFECYCLE: Readonly<Record<PaymentState, readonly PaymentAction[]>> = {
  waiting: [],
  expired: [],
  declined: [],
  authorized: ['capture', 'reverse'],
  captured: ['refund'],
  reversed: [],
  refunded: [],
};

/** The state of a payment: it waits for 3D Secure, was declined, or is what its operation says. */
export function stateOf(
  { reason, expiresAt }: Pick<CardPayment, 'reason' | 'expiresAt'>,
  operation: Pick<Operation, 'status' | 'amount'> | undefined,
  refunded: number,
  now: number,
): PaymentState {
  if (reason === null) return expiresAt <= now ? 'expired' : 'waiting';
  if (!operation) return 'declined';
  if (operation.status === STATUSES.OPEN) return 'authorized';
  if (operation.status !== STATUSES.COMPLETED) return 'reversed';
  return refunded < operation.amount ? 'captured' : 'refunded';
}
