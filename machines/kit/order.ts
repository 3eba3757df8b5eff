import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Preview } from '../../src/wallet/wallet.ts';
import type { Screen, Values } from './screen.ts';

/**
 * A money movement as the customer asked for it. `kind` is the id of the machine that makes it and the name of its
 * locale file. A new way to pay is a new member of this union, and nothing else about the paying tail changes.
 */
export type Order = {
  readonly kind: 'transfer';
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
};

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

/** How a payment ended, or why nobody knows: what the customer is told. */
export type Outcome = 'succeeded' | 'failed' | 'reversed' | 'notFound' | 'human';
const SENTENCES: Readonly<Record<Outcome, string>> = {
  succeeded: 'done',
  failed: 'failed',
  reversed: 'reversed',
  notFound: 'notFound',
  human: 'human',
};

/** What every sentence about an order may name. */
export function orderValues(order: Order, quote?: Quote): Values {
  return {
    amount: { money: order.amount },
    to: { phone: order.to },
    ...(quote && { fees: { money: quote.fees }, total: { money: quote.total } }),
    ...(quote?.alike[0] && { alikeAt: { date: Math.max(...quote.alike.map(({ at }) => at)) } }),
    ...(quote?.recipientName && { recipientName: { name: quote.recipientName } }),
  };
}

/** How an order ended, as the customer is told: in the conversation that made it, or wherever the customer is. */
export function receipt(order: Order, quote: Quote, outcome: Outcome, reference: string): Screen {
  const values = { ...orderValues(order, quote), reference: { code: reference } };
  return { key: `${order.kind}.${SENTENCES[outcome]}`, values, expects: 'nothing' };
}
