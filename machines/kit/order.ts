import { OPERATORS, type Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type {
  BillItem,
  Creditor,
  GlobalParam,
  Receivable,
  TopUpProduct,
  VoucherArticle,
} from '../../src/wallet/services.ts';
import type { Facts, Preview } from '../../src/wallet/wallet.ts';
import { merchantKey, merchantOf, type ScannedQr } from './merchant.ts';
import type { Screen, Values } from './screen.ts';
import type { Sealed } from './secret.ts';

/** What every money movement has. `kind` is the id of the machine that makes it and the name of its locale file. */
interface Placed {
  readonly from: Msisdn;
  readonly amount: Centimes;
}

export interface TransferOrder extends Placed {
  readonly kind: 'transfer';
  readonly to: Msisdn;
}

export interface TopUpOrder extends Placed {
  readonly kind: 'top-up';
  /** The number that is topped up. */
  readonly to: Msisdn;
  readonly operator: Operator;
  /** Absent: a classic top-up, in dirhams. */
  readonly product?: TopUpProduct;
}

export interface BillPaymentOrder extends Placed {
  readonly kind: 'bill-payment';
  readonly creditor: Pick<Creditor, 'id' | 'name'>;
  readonly receivable: Receivable;
  /** `refTxNetwork`: the bill network's own name for it. */
  readonly reference: string;
  readonly all: boolean;
  readonly items: readonly BillItem[];
  readonly answers: readonly BillAnswer[];
  readonly params: readonly GlobalParam[];
}

/** What the customer filled into a bill form. A password is sealed, and is dropped when the payment is sent. */
export type BillAnswer =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly sealed: Sealed };

export interface VoucherPurchaseOrder extends Placed {
  readonly kind: 'voucher';
  /** Whose voucher it will be: the customer's own number, or that of the person it is given to. */
  readonly to: Msisdn;
  /** How that person is called: free text. */
  readonly beneficiary: string;
  readonly brand: string;
  readonly article: Pick<VoucherArticle, 'sku' | 'providerId' | 'name'>;
}

/** To a merchant: by number, or by what their QR code says. */
export type MerchantPaymentOrder = Placed & { readonly kind: 'merchant-payment' } & (
    | { readonly to: Msisdn }
    | { readonly qr: ScannedQr }
  );

/**
 * A money movement as the customer asked for it. A new way to pay is a new member of this union with a row in `ORDERS`
 * (what it is called) and one in the engine's `WAYS` (how it is made); nothing about the paying tail changes.
 */
export type Order =
  | TransferOrder
  | TopUpOrder
  | BillPaymentOrder
  | VoucherPurchaseOrder
  | MerchantPaymentOrder;
export type OrderKind = Order['kind'];

/** A payment that looks like the one about to be made: same type, beneficiary and amount, a short time ago. */
export interface LookAlike {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Nobody knows yet what became of it. */
  readonly open?: boolean;
}

/** A preview, when it was made (ms since 1970), and what looks like it. */
export interface Quote extends Preview {
  readonly at: number;
  readonly alike: readonly LookAlike[];
}

/** A preview older than this is made again before money moves (docs/safety.md, rule 1). */
export const QUOTE_FRESH_MS = 120_000;

/** True when two previews ask the same of the customer: money, provider and name. */
export function costsSame(a: Preview, b: Preview): boolean {
  return a.total === b.total && a.openLoop === b.openLoop && a.recipientName === b.recipientName;
}

/** What is found after the PIN: the listed operations, and what is new since the confirmation. */
export interface LookedAgain {
  /** Operations listed before this payment: none of them can be it. */
  readonly before: readonly number[];
  readonly alike: readonly LookAlike[];
  /** Another price, where the preview had grown old. */
  readonly requoted?: Quote;
}

/**
 * How a payment ended, or why nobody knows; but for `succeeded` and `double` also the name of the sentence that each kind of
 * payment has for it. `double`: the wallet has made two operations for one request.
 */
export type Outcome = 'succeeded' | 'refused' | 'failed' | 'reversed' | 'notFound' | 'human' | 'double';

/** A kind of order: what is told of it beside its amount, and what makes two of them the same to the customer. */
interface Kind<O> {
  readonly values: (order: O) => Values;
  readonly beneficiary: (order: O) => string;
  /** How it is called within a shared sentence: the key of "your transfer of … to …". */
  readonly called: string;
}
const ORDERS: { readonly [Name in OrderKind]: Kind<Extract<Order, { kind: Name }>> } = {
  transfer: {
    called: 'transfer.called',
    values: ({ to }) => ({ to: { phone: to } }),
    beneficiary: ({ to }) => to,
  },
  'top-up': {
    called: 'top-up.called',
    values: ({ to, operator, product }) => ({
      to: { phone: to },
      operator: { name: OPERATORS[operator] },
      product: product
        ? { name: product.name, ...(product.arName && { arName: product.arName }) }
        : { say: 'top-up.classic' },
    }),
    beneficiary: ({ to }) => to,
  },
  'bill-payment': {
    called: 'bill-payment.called',
    values: ({ creditor, receivable, items }) => ({
      creditor: { name: creditor.name },
      receivable: { name: receivable.name },
      count: { count: items.length },
    }),
    beneficiary: ({ creditor, receivable }) => `${creditor.id}/${receivable.id}`,
  },
  voucher: {
    called: 'voucher.called',
    values: ({ to, beneficiary, brand, article }) => ({
      to: { phone: to },
      beneficiary: { name: beneficiary },
      brand: { name: brand },
      article: { name: article.name },
    }),
    beneficiary: ({ to, article }) => `${to} ${article.providerId}/${article.sku}`,
  },
  'merchant-payment': {
    called: 'merchant-payment.called',
    values: (order) => ({ merchant: merchantOf(order) }),
    beneficiary: merchantKey,
  },
};

export const ORDER_KINDS = Object.keys(ORDERS) as readonly OrderKind[];

/** True for the id of a machine that makes payments. */
export function isOrderKind(machine: string): machine is OrderKind {
  return Object.hasOwn(ORDERS, machine);
}

/** Two orders with the same name here look alike: same type, beneficiary and amount (docs/safety.md, rule 2). */
export function alikeName(order: Order): string {
  return `${order.kind} ${rowOf(order).beneficiary(order)} ${order.amount}`;
}

/**
 * Two orders with the same name here are one and the same in the wallet's list of operations, which names no article, no bill
 * and no code: an operation there could be either (docs/safety.md, rule 7).
 */
export function listedName(order: Order): string {
  // Who was paid by a code is not known before the wallet says so.
  const to = order.kind !== 'merchant-payment' && 'to' in order ? order.to : '';
  return `${order.kind} ${to} ${order.amount}`;
}

/** What every sentence about an order may name. */
export function orderValues(order: Order, quote?: Quote): Values {
  return {
    amount: { money: order.amount },
    ...rowOf(order).values(order),
    ...(quote && { fees: { money: quote.fees }, total: { money: quote.total } }),
    ...(quote?.alike[0] && { alikeAt: { date: Math.max(...quote.alike.map(({ at }) => at)) } }),
    ...(quote?.recipientName && { recipientName: { name: quote.recipientName } }),
  };
}

/**
 * How an order ended, as the customer is told: in the conversation that made it, or wherever the customer is. What the
 * wallet's answer said for the receipt (`facts`) chooses the sentence: it is only known when that answer came.
 */
export function receipt(ended: {
  readonly order: Order;
  readonly quote: Quote;
  readonly outcome: Outcome;
  readonly reference: string;
  readonly facts?: Facts | undefined;
  readonly operationId?: number | undefined;
}): Screen {
  const { order, quote, outcome, reference, facts = {}, operationId } = ended;
  const codes = Object.entries(facts).map(([name, text]) => [name, { code: text }]);
  const values: Values = {
    ...orderValues(order, quote),
    reference: { code: reference },
    ...Object.fromEntries(codes),
    ...(facts.stampText && { stampText: { text: facts.stampText } }),
  };
  if (outcome === 'double') {
    const payment = { lines: [{ key: rowOf(order).called, values }] };
    return { key: 'pay.double', values: { ...values, payment }, expects: 'nothing' };
  }
  const sentence = outcome === 'succeeded' ? done(order, facts) : outcome;
  const hasFile = order.kind === 'bill-payment' && outcome === 'succeeded' && operationId !== undefined;
  return {
    key: `${order.kind}.${sentence}`,
    values,
    expects: 'nothing',
    ...(hasFile && { document: { kind: 'bill-receipt', operationId } as const }),
  };
}

/**
 * A bill's receipt names its settlement, and the stamp where there is one; a voucher is only complete with its code,
 * which only the answer ever says (docs/safety.md, rule 11).
 */
function done({ kind }: Order, { settlement, stampNumber, stampText, codeSent }: Facts): string {
  if (kind === 'bill-payment') {
    if (settlement && stampNumber && stampText) return 'doneStamped';
    return settlement ? 'doneSettled' : 'done';
  }
  return kind === 'voucher' && !codeSent ? 'doneWithoutCode' : 'done';
}

/** An order as it may be kept: without what was only sealed for its payment. */
export function keptOrder(order: Order): Order {
  if (order.kind !== 'bill-payment') return order;
  return { ...order, answers: order.answers.filter((answer) => 'value' in answer) };
}

function rowOf({ kind }: Order): Kind<Order> {
  return ORDERS[kind] as unknown as Kind<Order>;
}
