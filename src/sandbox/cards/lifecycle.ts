import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Operation } from '../operations/operation.ts';
import type { CardPayment } from './payment.ts';

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
