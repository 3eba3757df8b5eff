import { describe, expect, test } from 'vitest';
import {
  asksOf,
  leaving,
  refusalOf,
  refusalOfOrder,
  SAFETY_DEFAULTS,
  type Safety,
  thawed,
  withConfirmed,
  withLink,
  withSaved,
} from '../../../src/conversation/session/safety.ts';
import type { WalletDoc } from '../../../src/conversation/session/wallet-doc.ts';
import type { Order } from '../../../src/payments/payments.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import { DAY_MS, HOUR_MS } from '../../kit/durations.ts';
import { FATIMA, SENT_AT, YOUSSEF } from '../intents/sample.ts';

const HERE = 'web:here';
const ACTING = { code: 'PA-1001', bound: { at: 1, by: 'aicha', approvedBy: 'badr' } } as const;
const dh = (amount: number): Centimes => centimes(amount * 100);
const ASKING = {
  address: HERE,
  at: SENT_AT,
  served: { safety: { ...SAFETY_DEFAULTS, newRecipientFrom: dh(500) } },
} as const;
const doc = (safety: Safety = {}, more: Partial<WalletDoc> = {}): WalletDoc => ({
  entries: [],
  safety,
  ...more,
});
const order = (amount: number, more: object = {}): Order =>
  ({ kind: 'transfer', from: FATIMA, to: YOUSSEF, amount: dh(amount), ...more }) as Order;

describe('a refused payment', () => {
  test.each<[string, Safety, number, string | undefined]>([
    ['nothing known', {}, 5_000, undefined],
    ['frozen', { frozen: { at: 1 } }, 1, 'frozen'],
    ['frozen by support', { frozen: { at: 1, by: 'nadia' } }, 1, 'frozen'],
    ['a chat of today', { links: [{ address: HERE, at: SENT_AT - HOUR_MS }] }, 1_001, 'newLink'],
    ['the same, as much as may be', { links: [{ address: HERE, at: SENT_AT - HOUR_MS }] }, 1_000, undefined],
    ['a chat of yesterday', { links: [{ address: HERE, at: SENT_AT - DAY_MS }] }, 5_000, undefined],
    ['another chat of today', { links: [{ address: 'web:there', at: SENT_AT }] }, 5_000, undefined],
    ['a PIN of today', { newPinAt: SENT_AT - HOUR_MS }, 5_000, 'newPin'],
    ['a PIN of yesterday', { newPinAt: SENT_AT - DAY_MS }, 5_000, undefined],
    ['thawed today', { thawedAt: SENT_AT - HOUR_MS }, 5_000, 'newThaw'],
    ['thawed today, after a new PIN', { newPinAt: SENT_AT - 2, thawedAt: SENT_AT - 1 }, 5_000, 'newThaw'],
    ['frozen, with a new PIN', { frozen: { at: 1 }, newPinAt: SENT_AT }, 5_000, 'frozen'],
  ])('%s', (_, safety, amount, code) => {
    expect(refusalOf(doc(safety), dh(amount), ASKING)?.code).toBe(code);
  });

  test('incoming money waits for nothing, but is frozen all the same', () => {
    const deposit = { kind: 'card-cash-in', from: FATIMA, amount: dh(5_000) } as const;
    expect(refusalOf(doc({ newPinAt: SENT_AT }), leaving(deposit), ASKING)).toBeUndefined();
    expect(refusalOf(doc({ frozen: { at: 1 } }), leaving(deposit), ASKING)?.code).toBe('frozen');
  });

  test('a line of a file and the float of the principal agent do not wait in a chat linked today', () => {
    const asked = (kind: string, more: object = {}) =>
      refusalOfOrder(
        doc({ links: [{ address: HERE, at: SENT_AT }], ...more }, { principal: ACTING }),
        { kind, from: FATIMA, code: 'PA-1001', amount: dh(5_000) } as Order,
        ASKING,
      )?.code;
    for (const kind of ['payout', 'payout-transfer']) {
      expect(asked(kind)).toBeUndefined();
      expect(asked(kind, { frozen: { at: 1 } })).toBe('frozen');
    }
    expect(asked('b2b-top-up')).toBe('newLinkOfPrincipal');
    expect(asked('b2b-top-up', { newPinAt: SENT_AT + 1 })).toBe('newPin');
  });

  test('it names the time and the amount', () => {
    expect(refusalOf(doc({ newPinAt: SENT_AT }), dh(1_001), ASKING)).toMatchObject({
      until: SENT_AT + DAY_MS,
      above: dh(1_000),
    });
  });

  test('after any thaw large payments wait', () => {
    const after = thawed(doc({ frozen: { at: 1, by: 'nadia' } }), SENT_AT);
    expect(refusalOf(after, dh(1), ASKING)).toBeUndefined();
    expect(refusalOf(after, dh(1_001), ASKING)?.code).toBe('newThaw');
  });

  test('chats that are no longer linked are forgotten', () => {
    const one = withLink(doc({}, { linked: ['web:a'] }), 'web:a', 1);
    const two = withLink({ ...one, linked: ['web:b'] }, 'web:b', 2);
    expect(two.safety?.links).toEqual([{ address: 'web:b', at: 2 }]);
  });
});

describe('a questioned payment', () => {
  const saved = (ago: number, more: Partial<WalletDoc> = {}) =>
    withSaved(doc({}, more), [YOUSSEF], SENT_AT - ago);
  const largest = (amount: number, daysAgo = 0) =>
    withConfirmed(doc(), order(amount), SENT_AT - daysAgo * DAY_MS).safety ?? {};

  test.each<[string, WalletDoc, Order, readonly string[]]>([
    ['a little for somebody new', doc(), order(499), []],
    ['much for somebody new', doc(), order(500), ['newRecipient']],
    ['much for somebody known', doc({}, { paid: [YOUSSEF] }), order(500), []],
    ['much for somebody saved', doc(), order(500, { beneficiaryId: 7 }), []],
    ['much for somebody saved today', saved(HOUR_MS), order(500, { beneficiaryId: 7 }), ['newRecipient']],
    ['much for somebody saved yesterday', saved(DAY_MS), order(500, { beneficiaryId: 7 }), []],
    [
      'much for somebody saved today, and paid',
      saved(HOUR_MS, { paid: [YOUSSEF] }),
      order(500, { beneficiaryId: 7 }),
      [],
    ],
    [
      'much for who was paid by another way',
      doc({}, { paid: ['+212699999999'] }),
      order(500),
      ['newRecipient'],
    ],
    ['four times the usual', doc(largest(300), { paid: [YOUSSEF] }), order(1_200), ['unusual']],
    ['three times the usual', doc(largest(400), { paid: [YOUSSEF] }), order(1_200), []],
    ['ten times a little', doc(largest(50), { paid: [YOUSSEF] }), order(500), []],
    ['four times the usual of last year', doc(largest(300, 200), { paid: [YOUSSEF] }), order(1_200), []],
    ['the first one ever, of much', doc({}, { paid: [YOUSSEF] }), order(5_000), []],
    ['both', doc(largest(300)), order(1_200), ['newRecipient', 'unusual']],
    [
      'a voucher, of much: no person is paid',
      doc(),
      { kind: 'voucher', from: FATIMA, amount: dh(900), to: FATIMA } as Order,
      [],
    ],
    ['a deposit, of much', doc(largest(10)), { kind: 'card-cash-in', from: FATIMA, amount: dh(5_000) }, []],
  ])('%s', (_, wallet, asked, asks) => {
    expect(asksOf(wallet, asked, ASKING)).toEqual(asks);
  });

  test('the largest of each period is kept, for three months', () => {
    let wallet = doc();
    for (const [days, amount] of [
      [-300, 9_000],
      [-40, 200],
      [0, 50],
      [0, 30],
    ] as const)
      wallet = withConfirmed(wallet, order(amount), SENT_AT + days * DAY_MS);
    expect(wallet.safety?.largest?.map(({ amount }) => amount)).toEqual([dh(200), dh(50)]);
  });
});
