import type { Answer } from '../../../src/wallet/answer.ts';
import type { BackTo, CardSettlement } from '../../../src/wallet/bank-cards.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Call, Execution, Preview, Wallet } from '../../../src/wallet/wallet.ts';
import type { Moved } from './model-wallet.ts';
import { nameOf, type Paid, type PaidKind } from './paid.ts';

/** What the model wallet lends. */
interface Wallets {
  /** Whose number acts for the principal agent. */
  readonly principal: { readonly phone: Msisdn } | undefined;
  read<T>(call: Call | undefined, answer: () => Answer<T>): Promise<Answer<T>>;
  preview(order: Paid, call: Call | undefined): Promise<Answer<Preview>>;
  pay(order: Paid, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** A call that only begins a payment: it moves once its payer has been at their bank. */
  begin(order: Paid, call: Call & { requestId: string }, backTo?: BackTo): Promise<Answer<Execution>>;
}

/** A payment that waits for its payer at their bank's page. */
export interface AtBank {
  confirm(): void;
  /** What the payer's browser brings back to us, whatever they did there. */
  readonly token: string | undefined;
}

/** What changes a payment by card, and makes no operation of its own. */
export const SETTLEMENTS: ReadonlySet<string> = new Set<PaidKind>(['card-capture', 'card-reverse']);

export function isSettlement({ order: { kind } }: Pick<Moved, 'order'>): boolean {
  return SETTLEMENTS.has(kind);
}

/** What the gateway calls the payment of an operation. */
export function orderIdOf({ id }: Pick<Moved, 'id'>): string {
  return `O${id}`;
}

/** True while a payment only holds money: it is shown to nobody. */
export function isHeld({ order: { kind, isReserved }, status }: Moved): boolean {
  return kind === 'card-payment' && isReserved === true && status === 1;
}

/**
 * What becomes of a reservation when it is taken or released. False where there is nothing to take any more: the first of both
 * counts.
 */
export function settlesCard(order: Paid, moved: readonly Moved[]): boolean {
  const payment = moved.find((each) => orderIdOf(each) === order.to);
  if (!payment || !isHeld(payment) || order.amount > payment.order.amount) return false;
  payment.status = order.kind === 'card-capture' ? 2 : 4;
  payment.order = { ...payment.order, amount: order.amount };
  return true;
}

/** Cards: a deposit, a payment to a merchant by a stranger, and what the merchant does with that. */
export function modelCards({ read, preview, pay, begin, principal }: Wallets): Partial<Wallet> {
  return {
    savedCards: (_phone, call) => read(call, () => ({ kind: 'ok', value: [] })),
    previewCardCashIn: ({ wallet, amount }, call) => preview(cardOrder('card-cash-in', wallet, amount), call),
    cashInByCard: ({ wallet, amount, backTo }, call) =>
      begin(cardOrder('card-cash-in', wallet, amount), call, backTo),
    previewCardPayment: ({ merchant, amount }, call) =>
      preview(cardOrder('card-payment', merchant, amount), call),
    payByCard: ({ merchant, amount, isReserved, backTo }, call) =>
      begin({ ...cardOrder('card-payment', merchant, amount), isReserved }, call, backTo),
    previewFloatByCard: ({ amount }, call) => preview(floatOrder(amount), call),
    loadFloatByCard: ({ amount, backTo }, call) => begin(floatOrder(amount), call, backTo),
    captureCard: (order, call) => pay(settlementOf('card-capture', order), call),
    reverseCard: (order, call) => pay(settlementOf('card-reverse', order), call),
    previewCardRefund: (order, call) => preview(settlementOf('card-refund', order), call),
    refundCard: (order, call) => pay(settlementOf('card-refund', order), call),
  };

  /** Whoever hears of a load is who has asked for it: the agent has a code and no number. */
  function floatOrder(amount: Centimes): Paid {
    if (!principal) throw new Error('nobody acts for the principal agent');
    return cardOrder('float-card', principal.phone, amount);
  }
}

function cardOrder(kind: PaidKind, wallet: Msisdn, amount: Centimes): Paid {
  return { kind, from: wallet, to: wallet, amount, what: nameOf(kind, '', amount) };
}

function settlementOf(kind: PaidKind, { merchant, amount, orderId }: CardSettlement): Paid {
  return { kind, from: merchant, to: orderId, amount: centimes(amount), what: nameOf(kind, '', amount) };
}
