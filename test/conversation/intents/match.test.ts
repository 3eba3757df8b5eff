import { describe, expect, test } from 'vitest';
import { findOperation } from '../../../src/conversation/intents/match.ts';
import { type Book, EMPTY_BOOK, type Entry } from '../../../src/conversation/session/book.ts';
import type { CardCashInOrder } from '../../../src/payments/card-cash-in.ts';
import type { MerchantPaymentOrder } from '../../../src/payments/merchant-payment.ts';
import type { MerchantRefundOrder } from '../../../src/payments/merchant-refund.ts';
import { alikeName, listedName } from '../../../src/payments/payments.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Operation } from '../../../src/wallet/wallet.ts';
import { FATIMA, intent, ORDER, operation, SENT_AT, YOUSSEF } from './sample.ts';

const MIN = 60_000;
const OURS = intent({ before: [3, 4] });
const claimedBy = (id: string): Book => ({
  entries: [{ id, alike: 'transfer', at: SENT_AT, state: 'open', operationId: 7 }],
});

test.each<[string, readonly Operation[], 'none' | 'several' | number, Book?]>([
  ['nothing is listed', [], 'none'],
  ['it is listed', [operation()], 7],
  ['it is still open', [operation({ status: 1 })], 7],
  ['it has failed', [operation({ status: 3 })], 7],
  ['it was listed before the send', [operation({ id: 3 })], 'none'],
  ['it and one listed before', [operation({ id: 4 }), operation()], 7],
  ['another type', [operation({ type: 9 })], 'none'],
  ['a centime more', [operation({ amount: centimes(ORDER.amount + 1) })], 'none'],
  ['a centime less', [operation({ amount: centimes(ORDER.amount - 1) })], 'none'],
  ['money that came in', [operation({ direction: 1 })], 'none'],
  ['to somebody else', [operation({ receiver: '+212611111111' })], 'none'],
  ['to the same number as another writes it', [operation({ receiver: '06 98 76 54 32' })], 7],
  ['to a receiver that is no number', [operation({ receiver: 'Y. BENALI' })], 7],
  ['to a receiver that is not said', [operation({ receiver: '' })], 7],
  ['to the sender', [operation({ receiver: FATIMA })], 'none'],
  ['dated two minutes before the send', [operation({ at: SENT_AT - 2 * MIN })], 7],
  ['dated more than that before', [operation({ at: SENT_AT - 2 * MIN - 1 })], 'none'],
  ['dated a quarter of an hour after the send', [operation({ at: SENT_AT + 15 * MIN })], 7],
  ['dated later than that', [operation({ at: SENT_AT + 15 * MIN + 1 })], 'none'],
  ['claimed by another payment', [operation()], 'none', claimedBy('another')],
  ['claimed by this one', [operation()], 7, claimedBy(OURS.id)],
  ['two that match', [operation(), operation({ id: 8 })], 'several'],
  ['two that match, one claimed by another', [operation(), operation({ id: 8 })], 8, claimedBy('another')],
  ['two, of which one is another amount', [operation(), operation({ id: 8, amount: centimes(100) })], 7],
])('%s', (_case, listed, expected, book = EMPTY_BOOK) => {
  const match = findOperation(OURS, listed, book);
  expect(match.kind === 'one' ? match.operation.id : match.kind).toBe(expected);
});

test('all candidates are named for the person who looks at them', () => {
  const listed = [operation(), operation({ id: 8 }), operation({ id: 9, direction: 1 })];
  expect(findOperation(OURS, listed, EMPTY_BOOK)).toEqual({ kind: 'several', ids: [7, 8] });
});

describe('a payment to a merchant', () => {
  const paid = { kind: 'merchant-payment', from: FATIMA, amount: ORDER.amount } as const;
  const byNumber: MerchantPaymentOrder = { ...paid, to: YOUSSEF };
  const byCode: MerchantPaymentOrder = { ...paid, qr: { content: 'one', merchant: 'x', name: 'Café' } };
  const listed = [operation({ type: 5 })];
  const sent = (order: MerchantPaymentOrder) => intent({ order });

  test.each<[string, MerchantPaymentOrder, MerchantPaymentOrder | undefined, string | number]>([
    ['by number, alone', byNumber, undefined, 7],
    ['by a code, alone', byCode, undefined, 7],
    ['by a code, beside one by number', byCode, byNumber, 'contested'],
    ['by number, beside one by a code', byNumber, byCode, 'contested'],
    ['by a code, beside another code', byCode, { ...paid, qr: { content: 'two' } }, 'contested'],
    ['by a code, beside another amount', byCode, { ...byNumber, amount: centimes(1) }, 7],
  ])('is found by its operation: %s', (_, order, other, expected) => {
    const rival = other && {
      id: 'other',
      alike: alikeName(other),
      listed: listedName(other),
      at: SENT_AT,
      state: 'open' as const,
    };
    const match = findOperation(sent(order), listed, { entries: rival ? [rival] : [] });
    expect(match.kind === 'one' ? match.operation.id : match.kind).toBe(expected);
  });

  test('by number never matches a payment to another one', () => {
    const elsewhere = operation({ type: 5, receiver: '+212611111111' });
    expect(findOperation(sent(byNumber), [elsewhere], EMPTY_BOOK).kind).toBe('none');
    expect(findOperation(sent(byCode), [elsewhere], EMPTY_BOOK).kind).toBe('one');
  });
});

describe('a partial refund of a merchant', () => {
  const part: MerchantRefundOrder = {
    ...{ kind: 'merchant-refund', from: FATIMA, to: YOUSSEF, amount: ORDER.amount },
    original: { id: 1, amount: centimes(ORDER.amount * 2), at: SENT_AT - MIN },
  };
  const listed = [operation({ type: 12 })];

  test.each<[string, MerchantRefundOrder | undefined, Partial<Entry>, string | number]>([
    ['alone', undefined, {}, 7],
    ['beside an equal part of the same payment', part, {}, 'contested'],
    [
      'beside an equal part of another payment',
      { ...part, original: { ...part.original, id: 2 } },
      {},
      'contested',
    ],
    ['beside an equal part whose operation is known', part, { operationId: 6 }, 7],
    ['beside another part of the same payment', { ...part, amount: centimes(1) }, {}, 7],
    ['beside one for another customer', { ...part, to: FATIMA }, {}, 7],
  ])('is found by its operation: %s', (_, other, known, expected) => {
    const names = other && { alike: alikeName(other), listed: listedName(other) };
    const rival: Entry | undefined = names && { id: 'other', ...names, at: SENT_AT, state: 'open', ...known };
    const match = findOperation(intent({ order: part }), listed, { entries: rival ? [rival] : [] });
    expect(match.kind === 'one' ? match.operation.id : match.kind).toBe(expected);
  });

  test('is not found when both are listed, and a person looks', () => {
    const both = [...listed, operation({ type: 12, id: 8 })];
    expect(findOperation(intent({ order: part }), both, EMPTY_BOOK)).toEqual({
      kind: 'several',
      ids: [7, 8],
    });
  });
});

describe('a deposit by card', () => {
  const typed: CardCashInOrder = { kind: 'card-cash-in', from: FATIMA, amount: ORDER.amount };
  const saved: CardCashInOrder = { ...typed, card: { id: 3, last4: '4242' } };

  test.each<[string, CardCashInOrder, string, string | number]>([
    ['by a card that was typed', typed, '**** 4242', 7],
    ['by a card that was typed, masked otherwise', typed, '424242XXXXXX4242', 7],
    ['by the saved card', saved, '**** 4242', 7],
    ['by the saved card, masked otherwise', saved, '4242 42•• •••• 4242', 7],
    ['by another card than the saved one', saved, '**** 1881', 'none'],
    ['a deposit in cash, by an agent with a number', typed, YOUSSEF, 'none'],
    ['a deposit in cash, by an agent with a code', typed, 'AG-4242', 'none'],
    ['a deposit in cash, by an agent with a name', saved, 'Agence Hay Riad', 'none'],
    ['a deposit that does not say from where', typed, '', 'none'],
  ])('is found by its operation: %s', (_, order, sender, expected) => {
    const listed = [operation({ type: 1, direction: 1, sender, receiver: FATIMA })];
    const match = findOperation(intent({ order }), listed, EMPTY_BOOK);
    expect(match.kind === 'one' ? match.operation.id : match.kind).toBe(expected);
  });

  test('is the one by card of two in the same minute, in cash and by card', () => {
    const deposit = { type: 1, direction: 1, receiver: FATIMA } as const;
    const listed = [
      operation({ ...deposit, sender: 'AG-1' }),
      operation({ ...deposit, id: 8, sender: '**** 4242' }),
    ];
    expect(findOperation(intent({ order: saved }), listed, EMPTY_BOOK)).toMatchObject({
      operation: { id: 8 },
    });
  });
});
