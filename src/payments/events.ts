import type { EventKind } from '../wallet/contract/webhooks.ts';
import type { PaymentEvent } from './payment.ts';
import { PAYMENT_KINDS, PAYMENTS, type PaymentKind } from './payments.ts';

/** What an event of the wallet means here: something for a payment, or nothing, for a reason. */
export type EventMeaning = PaymentEvent | { readonly kind: 'ignored'; readonly why: string };

/** The events that a way to pay says something of. */
type ConcernsPayment = { [Kind in PaymentKind]: keyof (typeof PAYMENTS)[Kind]['events'] }[PaymentKind];

/**
 * The events that concern no way to pay of Wasl's. An event that is neither here nor with a way to pay does not compile,
 * nor does one that is in both.
 */
const IGNORED = {
  'customer.level.updated': ignored('no money moves, and the level is read from the wallet when it is shown'),
  'payment.card.authorized': ignored('nobody can pay by card here'),
  'bank-transfer.initiated': ignored('nobody can make a bank transfer here'),
  'bank-transfer.completed': ignored('nobody can make a bank transfer here'),
  'bank-transfer.received': ignored('v2.3 does not show which of its numbers is the recipient'),
  'cashin.network.executed': ignored('nobody can ask for such a reference here'),
  'cashout.network.executed': ignored('nobody can ask for such a reference here'),
} satisfies Record<Exclude<EventKind, ConcernsPayment>, EventMeaning>;

const CONCERNING = Object.assign({}, ...PAYMENT_KINDS.map((kind) => PAYMENTS[kind].events)) as Record<
  ConcernsPayment,
  PaymentEvent
>;

/** Every kind of event (Partner API v2.3, "Event kinds") and what it means. */
export const EVENTS: Readonly<Record<EventKind, EventMeaning>> = { ...IGNORED, ...CONCERNING };

function ignored(why: string): EventMeaning {
  return { kind: 'ignored', why };
}
