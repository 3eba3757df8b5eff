import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { namesOf, paidFor } from '../../src/payments/bill-labels.ts';
import { BILLS_NAMED_MAX, type BillPaymentOrder } from '../../src/payments/bill-payment.ts';
import { receipt } from '../../src/payments/receipt.ts';
import { NBSP } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';

const renderer = createRenderer();
const order: BillPaymentOrder = {
  kind: 'bill-payment',
  from: msisdn('0611223344'),
  amount: centimes(1_234_50),
  creditor: { id: '1001', name: 'SRM Casa-Settat (test)' },
  receivable: { id: '01', name: 'Eau et électricité' },
  reference: '123456789012',
  all: true,
  items: [],
  answers: [],
  params: [],
};
const BILL = { id: '1', date: '05/10/2026', amount: order.amount, type: 0 };
const quote = { fees: centimes(0), total: order.amount, openLoop: false, at: 0, alike: [] };
const SETTLED = { settlement: 'R289300000001' };
const PAID = {
  fr: /Eau et électricité, Eau 10\/2026, 05\/10\/2026/,
  ar: /الماء والكهرباء، الماء 10\/2026، 05\/10\/2026/,
  en: /Water and electricity, Water 10\/2026, 05\/10\/2026/,
};
const STAMPED = { ...SETTLED, stampNumber: '20260000123456', stampText: 'Droit de timbre payé sur état' };

describe.each(LANGUAGES)('a receipt in %s', (language) => {
  const ended = (facts: Readonly<Record<string, string>>, outcome: 'succeeded' | 'failed' = 'succeeded') =>
    receipt({ order, quote, outcome, reference: '934800000077', facts, operationId: 934800000077 });

  test('names the operation and the settlement in a chat, on USSD and by SMS, in at most two segments', () => {
    const screen = ended(SETTLED);
    const chat = renderer.chat(screen, language).text;
    const { pages } = renderer.ussd(screen, language, 0);
    const shown = Array.from({ length: pages }, (_, page) => renderer.ussd(screen, language, page).text);
    for (const text of [chat, shown.join('\n')]) {
      for (const number of [SETTLED.settlement, '934800000077']) expect(text).toContain(number);
    }
    const { text, segments } = renderer.sms(screen, language);
    expect(segments).toBeLessThanOrEqual(2);
    for (const essential of [SETTLED.settlement, '934800000077', 'SRM Casa-Settat', '234'])
      expect(text).toContain(essential);
  });

  test('of a tax has the number and the words of the tax office', () => {
    const screen = ended(STAMPED);
    for (const { text } of [renderer.chat(screen, language), renderer.sms(screen, language)]) {
      expect(text).toContain(STAMPED.stampNumber);
      expect(text).toContain('934800000077');
      expect(text).toMatch(/Droit de timbre pay[ée] sur [ée]tat/);
    }
  });

  test('is a file only if it is paid and its operation is known', () => {
    expect(ended(SETTLED).document).toEqual({ kind: 'bill-receipt', operationId: 934800000077 });
    expect(ended({}, 'failed').document).toBeUndefined();
    expect(receipt({ order, quote, outcome: 'succeeded', reference: '77' }).document).toBeUndefined();
  });

  test('says the number that was given and the bills that were paid, and never a password', () => {
    const bill = { id: '1', date: '05/10/2026', amount: order.amount, type: 0 };
    const paid: BillPaymentOrder = {
      ...order,
      items: [
        { ...bill, description: 'Eau 10/2026' },
        { ...bill, id: '2', description: 'Eau' },
        { ...bill, id: '3', description: 'Timbre', type: 3, amount: centimes(10_50) },
      ],
      answers: [
        { name: 'code', sealed: 'SECRET' as never },
        { name: 'contract', value: '4711001' },
      ],
    };
    const screen = receipt({ order: paid, quote, outcome: 'succeeded', reference: '25', facts: SETTLED });
    const { text, receipt: card } = renderer.chat(screen, language);
    for (const shown of [text, card?.text])
      for (const part of ['4711001', PAID[language], /(?:Timbre|التنبر|Stamp duty) : ?10,50|10.50/])
        expect(shown?.replaceAll(NBSP, ' ')).toMatch(part);
    expect(text).not.toMatch(/SECRET/);
    const { pages } = renderer.ussd(screen, language, 0);
    const shown = Array.from({ length: pages }, (_, page) => renderer.ussd(screen, language, page).text);
    for (const each of [shown.join('\n'), renderer.sms(screen, language).text])
      expect(each).toContain('4711001');
  });

  test('of a payment that the store has lost says what it was for, and nothing empty', () => {
    const { text } = renderer.chat(ended(SETTLED), language);
    expect(text).toMatch(/Eau et électricité|الماء والكهرباء|Water and electricity/);
    expect(text).not.toMatch(/\n\n|\(\)|: *\n/);
  });
});

test.each([
  ['Factures', ['Facture 07/2026'], 'Facture 07/2026'],
  [
    'Factures',
    ['Facture 07/2026', 'Facture 08/2026', 'Facture 09/2026'],
    'Facture 07/2026, 08/2026, 09/2026',
  ],
  ['Eau', ['Facture eau 07/2026', 'Facture eau 08/2026'], 'Facture eau 07/2026, 08/2026'],
  ['Eau et électricité', ['Facture 07/2026'], 'Eau et électricité, Facture 07/2026'],
  ['Cotisations', ['Cotisation 07/2026'], 'Cotisation 07/2026'],
  ['Amendes', ['Amende'], 'Amende 05/10/2026'],
  ['TVA', ['Taxe A 1', 'Taxe B 2'], 'TVA, Taxe A 1, Taxe B 2'],
  ['Factures', ['07/2026'], 'Factures, 07/2026'],
  ['Factures', [''], 'Factures, 05/10/2026'],
  ['Factures', [], 'Factures'],
])('%s, %j: each word is said once', (service, descriptions, text) => {
  const bills = descriptions.map((description) => ({ ...BILL, description }));
  expect(paidFor(service, bills)).toMatchObject({ text });
});

test.each([
  [1, 'Facture 1'],
  [3, 'Facture 1, 2, 3'],
  [4, 'Facture 1 … 4 (4)'],
  [12, 'Facture 1 … 12 (12)'],
])('of %i bills at most three are named where room is short', (count, text) => {
  const bills = Array.from({ length: count }, (_, i) => ({ ...BILL, description: `Facture ${i + 1}` }));
  expect(namesOf(bills, BILLS_NAMED_MAX)).toMatchObject({ text });
});
