import type { CardSettlement } from '../../../src/wallet/bank-cards.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import type { ModelWallet } from './model-wallet.ts';
import { nameOf, type Paid, type PaidKind } from './paid.ts';
import { ok } from './wallet-faults.ts';
import type { Moved } from './wallet-ledger.ts';

/** A payment that waits for its payer at their bank's page. */
export interface AtBank {
  confirm(): void;
  /** The payer's browser brings it back to Wasl, whatever the payer did there. */
  readonly token: string | undefined;
}

/** These payments change a payment by card, and make no operation of their own. */
export const SETTLEMENTS: ReadonlySet<string> = new Set<PaidKind>(['card-capture', 'card-reverse']);

export function isSettlement({ order: { kind } }: Pick<Moved, 'order'>): boolean {
  return SETTLEMENTS.has(kind);
}

/** The order id that the gateway gives to an operation. */
function orderIdOf({ id }: Pick<Moved, 'id'>): string {
  return `O${id}`;
}

/** True while a payment only holds money. The wallet shows it to nobody. */
export function isHeld({ order: { kind, isReserved }, status }: Moved): boolean {
  return kind === 'card-payment' && isReserved === true && status === 1;
}

/** Collects or releases a reservation. False when another request has done one of both before. */
export function settlesCard(order: Paid, moved: readonly Moved[]): boolean {
  const payment = moved.find((each) => orderIdOf(each) === order.to);
  if (!payment || !isHeld(payment) || order.amount > payment.order.amount) return false;
  payment.status = order.kind === 'card-capture' ? 2 : 4;
  payment.order = { ...payment.order, amount: order.amount };
  return true;
}

/** Cards: a deposit, a stranger's payment to a merchant, and its collection, release and refund. */
export function modelCards(wallet: ModelWallet): Partial<Wallet> {
  return {
    savedCards: (_phone, call) => wallet.read(call, () => ok([])),
    previewCardCashIn: ({ wallet: payer, amount }, call) =>
      wallet.preview(cardOrder('card-cash-in', payer, amount), call),
    cashInByCard: ({ wallet: payer, amount, backTo }, call) =>
      wallet.begin(cardOrder('card-cash-in', payer, amount), call, backTo),
    previewCardPayment: ({ merchant, amount }, call) =>
      wallet.preview(cardOrder('card-payment', merchant, amount), call),
    payByCard: ({ merchant, amount, isReserved, backTo }, call) =>
      wallet.begin({ ...cardOrder('card-payment', merchant, amount), isReserved }, call, backTo),
    previewFloatByCard: ({ amount }, call) => wallet.preview(floatOrder(amount), call),
    loadFloatByCard: ({ amount, backTo }, call) => wallet.begin(floatOrder(amount), call, backTo),
    captureCard: (order, call) => wallet.pay(settlementOf('card-capture', order), call),
    reverseCard: (order, call) => wallet.pay(settlementOf('card-reverse', order), call),
    previewCardRefund: (order, call) => wallet.preview(settlementOf('card-refund', order), call),
    refundCard: (order, call) => wallet.pay(settlementOf('card-refund', order), call),
  };

  /** The agent has a code and no number. So the number that acts for the agent stands for it. */
  function floatOrder(amount: Centimes): Paid {
    const { principal } = wallet.around;
    if (!principal) throw new Error('nobody acts for the principal agent');
    return cardOrder('float-card', principal.phone, amount);
  }
}

function cardOrder(kind: PaidKind, owner: Msisdn, amount: Centimes): Paid {
  return { kind, from: owner, to: owner, amount, what: nameOf(kind, '', amount) };
}

function settlementOf(kind: PaidKind, { merchant, amount, orderId }: CardSettlement): Paid {
  return { kind, from: merchant, to: orderId, amount: centimes(amount), what: nameOf(kind, '', amount) };
}
