import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { alikeName, listedName, type Order, PAYMENT_KINDS } from '../../src/payments/payments.ts';
import { receipt } from '../../src/payments/receipt.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { flowName } from '../../src/support/names.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { readText } from '../kit/tree.ts';

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
  expect(PAYMENT_KINDS.filter((kind) => flowName(kind, 'fr') === kind)).toEqual([]);
});

describe('an unsent payment', () => {
  const renderer = createRenderer();
  const quote = { fees: centimes(0), total: centimes(100_00), openLoop: false, at: 0, alike: [] };
  const values = {
    ...{ to: { phone: YOUSSEF }, amount: { money: centimes(100_00) }, creditor: { name: 'Water' } },
    ...{ merchant: { name: 'Shop' }, article: { name: 'Hundred' }, end: { code: '2396' }, at: { date: 0 } },
  };

  test.each(PAYMENT_KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const)))(
    'names itself: %s in %s, in a chat, on USSD and by SMS',
    (kind, language) => {
      const { called, brief } = namesOf(kind, language);
      for (const key of [`${kind}.notSent`, `${kind}.notSentAt`] as const) {
        const screen = { key, values, expects: 'nothing' } as const;
        const page = renderer.ussd(screen, language, 0);
        const texts = [renderer.chat(screen, language).text, renderer.sms(screen, language).text, page.text];
        for (const text of texts)
          expect(
            [called, brief].some((name) => saysAll(name, text)),
            text,
          ).toBe(true);
        if (key === `${kind}.notSent`) expect(page.pages, page.text).toBe(1);
      }
    },
  );

  test('is not called refused, even for another payer or in a file', () => {
    const orders = PAYMENT_KINDS.map((kind) => ({
      ...TRANSFER,
      ...BILL,
      ...VOUCHER,
      ...REFUND,
      ...SETTLED,
      kind,
    }));
    const keys = orders.map(
      (order) => receipt({ order: order as unknown as Order, quote, outcome: 'unsent', reference: 'A' }).key,
    );
    expect(keys).toEqual(PAYMENT_KINDS.map((kind) => `${kind}.notSent`));
  });
});

const SETTLED = {
  payment: { amount: centimes(1), at: 1 },
  rib: '007780000123456789012396',
  holder: 'Ali',
  code: '1',
};

function namesOf(kind: string, language: string): { called: string; brief: string } {
  return JSON.parse(readText(`locales/${language}/${kind}.json`));
}

/** True where all words of a name that has places for values stand in a text. */
function saysAll(name: string, text: string): boolean {
  const words = name.split(/\{\{\w+\}\}/).flatMap((part) => part.split(/[\s()]+/));
  return words.every((word) => plain(text).includes(plain(word)));
}

/** USSD and SMS write some letters without their accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
