import type { Sentence } from '../../../machines/kit/screen.ts';
import { merchantKey } from '../../../src/payments/merchant-payment.ts';
import { methodOf, type Order, PAYMENT_KINDS, type PaymentKind } from '../../../src/payments/payments.ts';
import type { Centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { ReferenceKind } from '../town/kinds.ts';
import { keyIn } from './merchants.ts';

/** A payment, in the words of the customer, of Wasl or of the wallet. */
export interface Paid {
  readonly kind: PaidKind;
  readonly from: Msisdn;
  /** A number, or a creditor. */
  readonly to: string;
  readonly amount: Centimes;
  /** Kind, beneficiary and amount: two payments of one name are the same to the customer. */
  readonly what: string;
  /** The bill network's own name for it. */
  readonly reference?: string;
  /** A card that is not charged yet. */
  readonly isReserved?: boolean;
  /** Cash at a till, with a reference of the customer. The wallet tells of a network's till only. */
  readonly till?: 'agent' | 'network';
}

/** Every kind, and the type of its operations. */
export const TYPES = Object.fromEntries(
  PAYMENT_KINDS.map((kind) => [kind, methodOf({ kind }).type]),
) as Readonly<Record<PaymentKind, number>>;
export type PaidKind = keyof typeof TYPES;
/** A customer's wish: a payment, a reference, which moves nothing by itself, or a look at the references. */
export type Wish = PaidKind | ReferenceKind | 'references';

function isPaidKind(kind: string | undefined): kind is PaidKind {
  return kind !== undefined && kind in TYPES;
}

/** It is paid from the float of the principal agent, of which the wallet knows the code alone. */
export function isOfPrincipal(kind: Wish): boolean {
  return kind === 'principal-float' || (isPaidKind(kind) && methodOf({ kind }).ofAgent === 'principal');
}

export function nameOf(kind: PaidKind, beneficiary: string, amount: number | undefined): string {
  return `${kind} ${beneficiary} ${amount}`;
}

/** Under this name the wallet's list shows it: whose code was paid there can be read by nobody. */
export function listedName(what: string): string {
  const [kind, ...more] = what.split(' ');
  return kind === 'merchant-payment' ? `${kind} ${more.at(-1)}` : what;
}

/** The name of the payment that an order of Wasl makes. */
export function whatOf(order: Order): string {
  const { kind, amount } = order;
  if (kind === 'bill-payment') {
    // An order that was rebuilt from a webhook knows names only. Here names are ids.
    const [creditor, receivable] = [order.creditor, order.receivable].map(({ id, name }) => id || name);
    return nameOf(kind, `${creditor}/${receivable}`, amount);
  }
  if (kind === 'voucher') return nameOf(kind, `${order.to} ${order.article.sku}`, amount);
  if (kind === 'merchant-payment') return nameOf(kind, merchantKey(order), amount);
  // No sentence names the card, nor the payment that something becomes of.
  if (isByCard(order)) return nameOf(kind, '', amount);
  if ('madeAt' in order) return nameOf(kind, order.customer ?? '', amount);
  return nameOf(kind, 'rib' in order ? order.rib : order.to, amount);
}

function isByCard(order: Order): order is Extract<Order, { kind: `card-${string}` | 'float-card' }> {
  return order.kind.startsWith('card-') || order.kind === 'float-card';
}

/**
 * The name of the payment that a sentence is about. In this wallet the names of creditors, receivables, articles and
 * codes are their ids.
 */
export function whatIn({ key, values = {} }: Sentence): string | undefined {
  const { payment } = values;
  const [first] = key === 'pay.askNew' && payment && 'lines' in payment ? payment.lines : [];
  if (first) return whatIn(first);
  const { to, amount, creditor, receivable, article } = values;
  const [kind] = key.split('.');
  if (!isPaidKind(kind) || !amount || !('money' in amount)) return undefined;
  if (kind === 'bill-payment') return nameOf(kind, `${named(creditor)}/${named(receivable)}`, amount.money);
  if (kind === 'merchant-payment') return nameOf(kind, keyIn(values.merchant), amount.money);
  if (kind === 'bank-transfer')
    return nameOf(
      kind,
      values.account && 'account' in values.account ? values.account.account : '',
      amount.money,
    );
  const number = to && 'phone' in to ? to.phone : to && 'masked' in to ? to.masked : '';
  return nameOf(kind, kind === 'voucher' ? `${number} ${named(article)}` : number, amount.money);
}

function named(value: NonNullable<Sentence['values']>[string] | undefined): string {
  return value && 'name' in value ? value.name : '';
}
