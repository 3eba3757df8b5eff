import { describe, expect, test } from 'vitest';
import { alikeName, listedName, type Order, PAYMENT_KINDS } from '../../src/payments/payments.ts';
import { sentences } from '../../src/screen/locales.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';

const [FATIMA, YOUSSEF, SALMA] = [1, 2, 3].map((n) => `+21260000000${n}` as Msisdn) as [
  Msisdn,
  Msisdn,
  Msisdn,
];
const paid = { from: FATIMA, amount: centimes(100_00) };
const TRANSFER: Order = { kind: 'transfer', ...paid, to: YOUSSEF };
const TOP_UP: Order = { kind: 'top-up', ...paid, to: YOUSSEF, operator: 1 };
const BILL: Order = {
  ...{ kind: 'bill-payment', ...paid, reference: '000000000001', all: true },
  ...{ creditor: { id: '1', name: 'Water' }, receivable: { id: '1', name: 'Bills' } },
  ...{ items: [], answers: [], params: [] },
} as const;
const VOUCHER: Order = {
  ...{ kind: 'voucher', ...paid, to: YOUSSEF, beneficiary: 'Youssef', brand: 'Games' },
  article: { sku: 'a', providerId: 1, name: 'Hundred' },
} as const;
const MERCHANT: Order = { kind: 'merchant-payment', ...paid, to: YOUSSEF };
const REFUND: Order = {
  ...{ kind: 'merchant-refund', ...paid, to: YOUSSEF },
  original: { id: 1, amount: centimes(300_00), at: 1 },
};
const BY_CODE: Order = { kind: 'merchant-payment', ...paid, qr: { content: 'one', merchant: YOUSSEF } };

describe('two orders', () => {
  test.each<[string, Order, Order, { alike: boolean; listed: boolean }]>([
    ['to one person', TRANSFER, { ...TRANSFER }, { alike: true, listed: true }],
    ['to another person', TRANSFER, { ...TRANSFER, to: SALMA }, { alike: false, listed: false }],
    ['of another amount', TRANSFER, { ...TRANSFER, amount: centimes(1) }, { alike: false, listed: false }],
    ['of another kind', TRANSFER, TOP_UP, { alike: false, listed: false }],
    [
      'for one number, of another product',
      TOP_UP,
      { ...TOP_UP, product: { code: 1, name: 'Data' } },
      { alike: true, listed: true },
    ],
    [
      'of another creditor: the list names none',
      BILL,
      { ...BILL, creditor: { id: '2', name: 'Power' } },
      { alike: false, listed: true },
    ],
    ['of one creditor, another reference', BILL, { ...BILL, reference: '2' }, { alike: true, listed: true }],
    [
      'of another article: the list names none',
      VOUCHER,
      { ...VOUCHER, article: { ...VOUCHER.article, sku: 'b' } },
      { alike: false, listed: true },
    ],
    ['for another number', VOUCHER, { ...VOUCHER, to: SALMA }, { alike: false, listed: false }],
    ['to one merchant, by number and by their code', MERCHANT, BY_CODE, { alike: true, listed: true }],
    [
      'to a merchant by number, and by a code that nobody can read',
      MERCHANT,
      { ...BY_CODE, qr: { content: 'two' } },
      { alike: false, listed: true },
    ],
    [
      'of one payment, another part',
      REFUND,
      { ...REFUND, amount: centimes(1) },
      { alike: true, listed: false },
    ],
    [
      'of another payment of one customer',
      REFUND,
      { ...REFUND, original: { ...REFUND.original, id: 2 } },
      { alike: false, listed: true },
    ],
    ['to merchants by number', MERCHANT, { ...MERCHANT, to: SALMA }, { alike: false, listed: true }],
  ])('%s', (_, one, other, { alike, listed }) => {
    expect(alikeName(one) === alikeName(other)).toBe(alike);
    expect(listedName(one) === listedName(other)).toBe(listed);
  });
});

test('every way to pay has a name for the console', () => {
  const labels = sentences('fr');
  const nameOf = (kind: string) =>
    `console.flow-${kind}`.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(PAYMENT_KINDS.map(nameOf).filter((key) => !labels.has(key))).toEqual([]);
});
