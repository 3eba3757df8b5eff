import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { EventKind } from '../wallet/contract/webhooks.ts';
import type { CashKind } from '../wallet/services.ts';
import type { PaymentEvent } from './payment.ts';
import { PAYMENT_KINDS, PAYMENTS, type PaymentKind } from './payments.ts';

export type EventMeaning =
  | PaymentEvent
  /** The account level has changed: which it is now is read. */
  | { readonly kind: 'level' }
  /** A reference was executed, of which the event names the number. */
  | { readonly kind: 'reference'; readonly of: CashKind; readonly type: number };

/** The events that a way to pay says something of. */
type ConcernsPayment = {
  [Kind in PaymentKind]: keyof (typeof PAYMENTS)[Kind]['followed']['events'];
}[PaymentKind];

/** Events about the wallet itself, and those that concern references for cash, which are no payments. */
const NO_PAYMENTS = {
  'customer.level.updated': { kind: 'level' },
  'cashin.network.executed': { kind: 'reference', of: 'cash-in', type: OPERATION_TYPES.CASHIN },
  'cashout.network.executed': { kind: 'reference', of: 'cash-out', type: OPERATION_TYPES.CASHOUT },
} as const satisfies Partial<Record<EventKind, EventMeaning>>;

const CONCERNING = Object.assign(
  {},
  ...PAYMENT_KINDS.map((kind) => PAYMENTS[kind].followed.events),
) as Record<ConcernsPayment, PaymentEvent>;

/** Every kind of event (Partner API v2.3, "Event kinds") and what it means: one that has no meaning does not compile. */
export const EVENTS: Readonly<Record<EventKind, EventMeaning>> = {
  ...NO_PAYMENTS,
  ...CONCERNING,
};
