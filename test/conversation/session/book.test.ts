import { describe, expect, test } from 'vitest';
import {
  type Book,
  EMPTY_BOOK,
  type Entry,
  entered,
  isBusy,
  lookAlikes,
  noted,
  ownerOf,
} from '../../../src/conversation/session/book.ts';
import { alikeName } from '../../../src/payments/payments.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { FATIMA, ORDER, SENT_AT } from '../intents/sample.ts';

const SECOND = 1_000;
const MIN = 60 * SECOND;
const DAY = 24 * 60 * MIN;
const ALIKE = alikeName(ORDER);
const entry = (more: Partial<Entry> = {}): Entry => ({
  id: 'one',
  alike: ALIKE,
  at: SENT_AT,
  state: 'open',
  ...more,
});
const book = (...entries: Entry[]): Book => ({ entries });

describe('the slot', () => {
  test.each<[string, Book, number, boolean]>([
    ['nothing was paid', EMPTY_BOOK, 0, false],
    ['a payment is under way', book(entry()), 1, true],
    ['another payment, to somebody else', book(entry({ alike: 'other' })), 1, true],
    ['it has been for almost two minutes', book(entry()), 120 * SECOND - 1, true],
    ['after two minutes others pass', book(entry()), 120 * SECOND, false],
    ['it is done', book(entry({ state: 'done' })), 1, false],
    ['it moved nothing', book(entry({ state: 'void' })), 1, false],
    ['one is done, one is not', book(entry({ state: 'done' }), entry({ id: 'two' })), 1, true],
  ])('%s', (_case, of, afterMs, busy) => {
    expect(isBusy(of, SENT_AT + afterMs)).toBe(busy);
  });
});

describe('look-alikes and the fence', () => {
  test.each<[string, Entry, number, boolean]>([
    ['just sent', entry(), 1, true],
    ['open for three days', entry(), 3 * DAY, true],
    ['done a moment ago', entry({ state: 'done' }), 1, true],
    ['done almost a quarter of an hour ago', entry({ state: 'done' }), 15 * MIN - 1, true],
    ['done a quarter of an hour ago', entry({ state: 'done' }), 15 * MIN, false],
    ['proven to have moved nothing', entry({ state: 'void' }), 1, false],
    ['another amount', entry({ alike: alikeName({ ...ORDER, amount: centimes(1) }) }), 1, false],
    ['another recipient', entry({ alike: alikeName({ ...ORDER, to: FATIMA }) }), 1, false],
  ])('%s', (_case, each, afterMs, looksAlike) => {
    const found = lookAlikes(book(each), { alike: ALIKE }, SENT_AT + afterMs);
    expect(found).toEqual(looksAlike ? [each] : []);
  });
});

describe('an entry', () => {
  test('stands last, and leaves the old book unchanged', () => {
    const before = book(entry());
    expect(entered(before, entry({ id: 'two' }), SENT_AT).entries.map(({ id }) => id)).toEqual([
      'one',
      'two',
    ]);
    expect(before.entries).toHaveLength(1);
  });

  test.each<[string, Entry['state'], number, boolean]>([
    ['settled and young', 'done', 4 * DAY - 1, true],
    ['settled and old', 'done', 4 * DAY, false],
    ['void and old', 'void', 4 * DAY, false],
    ['open, however old', 'open', 400 * DAY, true],
  ])('stays when it is %s', (_case, state, afterMs, kept) => {
    const after = entered(book(entry({ state })), entry({ id: 'new' }), SENT_AT + afterMs);
    expect(after.entries.some(({ id }) => id === 'one')).toBe(kept);
  });

  test('never grows beyond its limit, and keeps the newest', () => {
    let of = EMPTY_BOOK;
    for (let i = 0; i < 600; i++) of = entered(of, entry({ id: `${i}`, state: 'done' }), SENT_AT);
    expect(of.entries).toHaveLength(500);
    expect(of.entries.at(-1)?.id).toBe('599');
  });

  test('gives way to no settled payment while it is open itself', () => {
    let of = book(entry({ id: 'open' }));
    for (let i = 0; i < 600; i++) of = entered(of, entry({ id: `${i}`, state: 'done' }), SENT_AT);
    expect(of.entries.some(({ id }) => id === 'open')).toBe(true);
  });
});

test('a fact is noted for its payment alone', () => {
  const after = noted(book(entry(), entry({ id: 'two' })), 'two', { state: 'done', operationId: 7 });
  expect(after.entries.map(({ state, operationId }) => [state, operationId])).toEqual([
    ['open', undefined],
    ['done', 7],
  ]);
});

test('an operation belongs to the payment that claimed it', () => {
  const of = book(entry({ operationId: 6 }), entry({ id: 'two', operationId: 7 }));
  expect([ownerOf(of, 7), ownerOf(of, 8)]).toEqual(['two', undefined]);
});
