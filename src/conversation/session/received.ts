import { costOf } from '../../../machines/kit/reference.ts';
import type { Screen } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Announcement, type TellDeps, tellWallet } from './tell.ts';

/**
 * Money that has come into a wallet: sent by a person, paid to a merchant, or given back by one. A merchant does not
 * see the payer's whole number. It is also cash that was paid in or drawn with a reference which Wasl has not asked
 * for, and a debit by a payment that was made outside Wasl.
 */
export type Received = ReceivedKind & {
  readonly operationId: number;
  readonly to: Msisdn;
  readonly from: Msisdn | undefined;
  /** Of a debit with its fee. */
  readonly amount: Centimes;
  /** Of a withdrawal, as the wallet lists it. */
  readonly fees?: Centimes;
  /** The wallet has undone it since: said where it was told, and nowhere else. */
  readonly undone?: true;
};

/** `at`: when a debit was made, in ms since 1970. Without it, a debit would read as money received. */
type ReceivedKind =
  | { readonly as: 'money' | 'payment' | 'refund' | 'deposit' | 'withdrawal'; readonly at?: never }
  | { readonly as: 'debit'; readonly at: number };

/** Notifies a customer, wherever they can be reached, that money has come or was debited. Once per operation and address. */
export function createReceived(deps: TellDeps): (received: Received) => Promise<void> {
  return (received) => tellWallet(deps, received.to, announcementOf(received));
}

function announcementOf(received: Received): Announcement {
  const { operationId, amount } = received;
  const name = String(operationId);
  const topic = received.as === 'debit' ? 'debit' : 'received';
  if (received.undone) {
    const message = {
      id: `undone-${operationId}`,
      screen: undoneOf(received),
      money: true,
      topic,
    } as const;
    return { name: `${name}-undone`, after: { name, message: saidOf(operationId) }, message };
  }
  const message = {
    id: saidOf(operationId),
    screen: screenOf(received),
    money: true,
    topic,
  } as const;
  const sum = { times: 1, total: amount };
  return {
    name,
    message:
      received.as === 'withdrawal' || received.as === 'debit' ? message : { ...message, received: sum },
  };
}

/** The id of the message that says so. */
function saidOf(operationId: number): string {
  return `received-${operationId}`;
}

const UNDONE: Partial<Record<Received['as'], SentenceKey>> = {
  withdrawal: 'cash-out.reversed',
  deposit: 'cash-in.reversed',
  debit: 'pay.debitUndone',
};

/** The earlier message is no longer true. */
function undoneOf({ as, operationId, amount }: Received): Screen {
  const key = UNDONE[as] ?? 'received.undone';
  const values = { amount: { money: amount }, reference: { code: String(operationId) } };
  return { key, values, expects: 'nothing' };
}

function screenOf({ as, operationId, from, amount, fees, at }: Received): Screen {
  const reference = { code: String(operationId) };
  if (as === 'debit')
    return {
      key: 'pay.debited',
      values: { total: { money: amount }, at: { date: at }, reference },
      expects: 'nothing',
    };
  const values = { amount: { money: amount }, reference };
  if (as === 'deposit') return { key: 'received.deposit', values, expects: 'nothing' };
  if (as === 'withdrawal' && fees !== undefined) {
    const cost = costOf(amount, fees);
    return { key: 'received.withdrawalPriced', values: { ...values, ...cost }, expects: 'nothing' };
  }
  if (as === 'withdrawal') return { key: 'received.withdrawal', values, expects: 'nothing' };
  if (as === 'payment') {
    return from
      ? { key: 'received.payment', values: { ...values, from: { masked: from } }, expects: 'nothing' }
      : { key: 'received.paymentOnly', values, expects: 'nothing' };
  }
  if (as === 'refund' && from)
    return { key: 'received.refund', values: { ...values, from: { phone: from } }, expects: 'nothing' };
  return from
    ? { key: 'received.from', values: { ...values, from: { phone: from } }, expects: 'nothing' }
    : { key: 'received.money', values, expects: 'nothing' };
}
