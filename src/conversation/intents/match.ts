import { listedName, methodOf, type Order } from '../../payments/payments.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import type { Operation } from '../../wallet/wallet.ts';
import { type Book, listedIn, ownerOf } from '../session/book.ts';
import type { Intent } from './intent.ts';
import { horizonMs } from './schedule.ts';

/** Our measure of the wallet's clock may be old, so an operation may be dated a little before we sent it. */
export const SKEW_MS = 2 * 60_000;
/** An operation dated later than this after the send is not ours, unless it waits for its customer. */
const LATE_MAX_MS = 15 * 60_000;
/** Partner API v2.3: sens 1 CREDIT. */
const CREDIT = 1;

type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly operation: Operation }
  /** Another open payment looks just like this one: nobody can say from the list whose operation it is. */
  | { readonly kind: 'contested' }
  | { readonly kind: 'several'; readonly ids: readonly number[] };

/** When an intent was sent, by the wallet's clock. */
export function sentThere({ sentAt, skewMs = 0 }: Pick<Intent, 'sentAt' | 'skewMs'>): number {
  return sentAt + skewMs;
}

/**
 * The moment from which on the wallet is asked for operations that may be an intent's. Nothing before it is this
 * payment. A header that is wrong about the clock hides nothing: the earlier one of the two clocks counts.
 */
export function listedFrom(at: number, skewMs = 0): Date {
  return new Date(at + Math.min(0, skewMs) - SKEW_MS);
}

/**
 * True when an operation could be this order. It compares the wallet's debit or credit, the type and the amount. It
 * compares the beneficiary where it can be read, and the sender where that is needed.
 */
export function matches(operation: Operation, order: Order): boolean {
  const { type, listed } = methodOf(order);
  return (
    (operation.type === type || operation.type === listed.otherType) &&
    operation.amount === order.amount &&
    (operation.direction === CREDIT) === (listed.side === 'credit') &&
    !isToAnother(operation.receiver, listed.receiver(order)) &&
    (listed.isFrom?.(operation.sender, order) ?? true)
  );
}

/** True where both are numbers, or both RIBs, and not the same: a number and a RIB may belong to one wallet. */
function isToAnother(listed: string, ordered: string | undefined): boolean {
  if (ordered === undefined) return false;
  const read = listedAs(ordered, listed);
  return read !== undefined && read !== ordered;
}

function listedAs(ordered: string, listed: string): string | undefined {
  return readPhone(ordered) ? readPhone(listed) : ribIn(listed);
}

/** True where the wallet has paid the order's recipient in the same way, and that is completed. */
export function wentToThem({ status, direction, receiver }: Operation, order: Order): boolean {
  const ordered = methodOf(order).listed.receiver(order);
  const isDebit = direction !== CREDIT;
  return (
    status === STATUSES.COMPLETED &&
    isDebit &&
    ordered !== undefined &&
    listedAs(ordered, receiver) === ordered
  );
}

/** The listed operation that an intent became: exactly one that is new, near in time and nobody else's. */
export function findOperation(intent: Intent, listed: readonly Operation[], book: Book): Match {
  const found = candidates(intent, listed, book);
  const [first, ...more] = found;
  if (!first) return { kind: 'none' };
  if (rivalsOf(intent, book).length > 0) return { kind: 'contested' };
  return more.length === 0
    ? { kind: 'one', operation: first }
    : { kind: 'several', ids: found.map((each) => each.id) };
}

/**
 * Operations that look like a payment that was made, and belong to no payment of ours. Counts are compared: where nobody knows the own
 * operation of this payment, or of another one that looks the same in the list, one operation is theirs. A merchant is paid the same by
 * strangers all day, so that a payment by another person has none.
 */
export function lookAlikesOf(intent: Intent, listed: readonly Operation[], book: Book): readonly number[] {
  if (methodOf(intent.order).waitsFor === 'other') return [];
  const ours = rivalsOf(intent, book).length + (intent.operationId === undefined ? 1 : 0);
  return candidates(intent, listed, book)
    .filter(({ id, status }) => id !== intent.operationId && ownerOf(book, id) === undefined && status <= 2)
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(ours)
    .map(({ id }) => id);
}

/** The listed operations that an intent could be: new, near in time, and nobody else's. */
function candidates(intent: Intent, listed: readonly Operation[], book: Book): readonly Operation[] {
  const { order, before, sentAt, skewMs, id } = intent;
  const from = listedFrom(sentAt, skewMs).getTime();
  const latest = Math.max(sentAt, sentThere(intent));
  const lateMs = methodOf(order).waitsFor !== undefined ? horizonMs(intent) : LATE_MAX_MS;
  return listed.filter((operation) => {
    const owner = ownerOf(book, operation.id);
    const near = operation.at >= from && operation.at <= latest + lateMs;
    return (
      near &&
      matches(operation, order) &&
      !before.includes(operation.id) &&
      (owner === undefined || owner === id)
    );
  });
}

/** Payments that look the same in the list, and whose own operation nobody knows: open, or done by an answer that named none. */
function rivalsOf({ id, order, sentAt }: Intent, book: Book): Book['entries'] {
  const listed = listedName(order);
  return book.entries.filter(
    (entry) =>
      entry.id !== id &&
      listedIn(entry) === listed &&
      entry.operationId === undefined &&
      (entry.state === 'open' || (entry.state === 'done' && entry.at > sentAt - LATE_MAX_MS)),
  );
}
