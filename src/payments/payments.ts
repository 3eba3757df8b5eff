import type { Values } from '../../machines/kit/screen.ts';
import { type Order, PAYMENTS } from './list.ts';
import type { PaymentMethod } from './payment.ts';
import type { Quote } from './quote.ts';

export { type Order, PAYMENTS } from './list.ts';

export type PaymentKind = Order['kind'];
/** The orders that a customer confirms in a conversation: somebody else makes the others. */
export type ConfirmedOrder = Exclude<
  Order,
  { kind: 'card-payment' | 'float-card' | 'payout' | 'payout-transfer' }
>;

export const PAYMENT_KINDS = Object.keys(PAYMENTS) as PaymentKind[];

const PAID_IN: ReadonlySet<string> = new Set(
  PAYMENT_KINDS.flatMap((kind) => {
    const { madeIn = kind, waitsFor, inBulk } = methodOf({ kind });
    return waitsFor === 'other' || inBulk ? [] : [madeIn];
  }),
);

/** True for the id of a machine that makes payments. */
export function isPaymentKind(machine: string): machine is PaymentKind {
  return Object.hasOwn(PAYMENTS, machine);
}

/**
 * True for a machine whose customer pays in it, which another payment of their wallet holds back. False where somebody else pays by its link, or a
 * file of many is released.
 */
export function paysIn(machine: string): boolean {
  return PAID_IN.has(machine);
}

/** How orders of this one's kind are paid. */
export function methodOf(order: Pick<Order, 'kind'>): PaymentMethod<Order> {
  return anyMethod(PAYMENTS[order.kind]);
}

/** The way to pay whose operations the wallet lists for who pays under a type; undefined where Wasl makes none of them. */
export function methodOfType(type: number): PaymentMethod<Order> | undefined {
  const methods = PAYMENT_KINDS.map((kind) => methodOf({ kind }));
  return methods.find((each) => each.type === type && !each.ofAgent && !each.listed.changesAnother);
}

/** Two orders with the same name here look alike: same type, beneficiary and amount (docs/safety.md: look-alikes). */
export function alikeName(order: Order): string {
  const { alike } = methodOf(order);
  return `${order.kind} ${alike.name?.(order) ?? `${alike.beneficiary(order)} ${order.amount}`}`;
}

/**
 * Two orders with the same name here look the same in the wallet's list of operations, which names no article, no bill and no code. An operation
 * there could be either (docs/safety.md: how an unknown outcome is found).
 */
export function listedName(order: Order): string {
  return `${order.kind} ${methodOf(order).listed.beneficiary(order)} ${order.amount}`;
}

/** The values of every sentence about an order. */
export function orderValues(order: Order, quote?: Quote): Values {
  return {
    amount: { money: order.amount },
    ...methodOf(order).said.values(order),
    ...(quote && { fees: { money: quote.fees }, total: { money: quote.total } }),
    ...(quote?.alike[0] && { alikeAt: { date: Math.max(...quote.alike.map(({ at }) => at)) } }),
    ...(quote?.maskedName && { recipientName: { name: quote.maskedName, unkept: true } }),
    ...(quote?.recipientName && { recipientName: { name: quote.recipientName } }),
  };
}

/** An order as it may be stored: without what was only sealed for its payment. */
export function keptOrder<O extends Order>(order: O): O {
  return (methodOf(order).secret?.kept(order) as O | undefined) ?? order;
}

/** A method is only ever handed orders of its own kind, which is what TypeScript cannot see in a table. */
function anyMethod(method: (typeof PAYMENTS)[PaymentKind]): PaymentMethod<Order> {
  return method as unknown as PaymentMethod<Order>;
}
