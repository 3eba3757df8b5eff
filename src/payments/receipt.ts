import type { Receipt, Screen, Value, Values } from '../../machines/kit/screen.ts';
import type { Facts } from '../wallet/wallet.ts';
import { methodOf, type Order, orderValues } from './payments.ts';
import type { Quote } from './quote.ts';

/**
 * How a payment ended, or why nobody knows. All but `succeeded`, `unsent` and `double` are also the names of their
 * sentences (those have `done` and `notSent`). `double`: the wallet has made two operations for one request, or lists a
 * second one just like it (`alike`).
 */
export type Outcome =
  | 'succeeded'
  | 'refused'
  | 'unsent'
  | 'failed'
  | 'reversed'
  | 'notFound'
  | 'human'
  | 'double';

/** A payment that has ended: what was ordered, and what is known of its end. */
interface EndedPayment {
  readonly order: Order;
  readonly quote: Quote;
  readonly outcome: Outcome;
  readonly reference: string;
  readonly facts?: Facts | undefined;
  readonly operationId?: number | undefined;
  /** In ms since 1970. */
  readonly sentAt?: number | undefined;
}

/**
 * The end of an order as the customer reads it, in its conversation or anywhere else. The `facts` of the wallet's
 * answer choose the sentence. They are known only where there was an answer.
 */
export function receipt(ended: EndedPayment): Screen {
  const { order, quote, outcome, reference, facts = {}, operationId } = ended;
  const { said, receipt: { document } = {} } = methodOf(order);
  const { called, done, failedBesideAnother } = said;
  const codes = Object.entries(facts).map(([name, text]) => [name, { code: text }]);
  const values: Values = {
    ...orderValues(order, quote),
    reference: { code: reference },
    ...Object.fromEntries(codes),
    ...(facts.stampText && { stampText: { text: facts.stampText } }),
  };
  if (outcome === 'double') {
    const payment = { lines: [{ key: called, values }] };
    const key = facts.alike ? 'pay.alike' : 'pay.double';
    return { key, values: { ...values, payment }, expects: 'nothing' };
  }
  const name = outcome === 'succeeded' ? 'done' : outcome === 'unsent' ? 'notSent' : outcome;
  const hasFile = document && outcome === 'succeeded' && operationId !== undefined;
  return {
    key:
      (outcome === 'succeeded' && done?.(facts, order, quote)) ||
      (outcome === 'failed' && quote.alike.length > 0 && failedBesideAnother) ||
      `${order.kind}.${name}`,
    values,
    expects: 'nothing',
    ...(hasFile && { document: { kind: document, operationId } }),
    ...(outcome === 'succeeded' && isPaidHere(order) && { receipt: cardOf(ended, values) }),
  };
}

/** True where it is the wallet's own payment: what an agent or a console has paid, or a change of one, is no card. */
function isPaidHere({ kind }: Order): boolean {
  const { ofAgent, waitsFor, inBulk, listed } = methodOf({ kind });
  return !ofAgent && waitsFor !== 'other' && !inBulk && !listed.changesAnother;
}

/** Its figures, for a channel that shows them as a card. */
function cardOf({ quote, sentAt }: EndedPayment, values: Values): Receipt {
  const { amount, fees, total, reference, recipientName } = values;
  const number = values.merchant ?? values.creditor ?? values.to;
  const to: Value | undefined =
    recipientName && number
      ? { lines: [{ key: 'receipt.named', values: { name: recipientName, number } }] }
      : number;
  return {
    amount: amount ?? { money: quote.total },
    ...(to && { to }),
    ...(fees && { fees }),
    ...(total && { total }),
    at: { date: sentAt ?? quote.at },
    ...(reference && { reference }),
  };
}
