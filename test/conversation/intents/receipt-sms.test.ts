import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/conversation/incoming.ts';
import { receiptMessage } from '../../../src/conversation/intents/elsewhere.ts';
import type { Intent } from '../../../src/conversation/intents/intent.ts';
import type { Order } from '../../../src/payments/payments.ts';
import { createRenderer } from '../../../src/screen/renderer.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import type { Rib } from '../../../src/wallet/rib.ts';

const [from, to] = [msisdn('+212600000001'), msisdn('+212655000002')];
const paid = { from, amount: centimes(12_345_50) };
const ORDERS: readonly Order[] = [
  { kind: 'transfer', ...paid, to },
  { kind: 'top-up', ...paid, to, operator: 1 },
  { kind: 'merchant-payment', ...paid, to },
  { kind: 'bank-transfer', ...paid, rib: '230780000000000000002530' as Rib, holder: 'Mohammed El Alaoui' },
  {
    ...{ kind: 'bill-payment', ...paid, reference: '000000000001', all: true },
    ...{ creditor: { id: '1', name: 'SRM Casablanca-Settat' }, receivable: { id: '1', name: 'Eau' } },
    ...{ items: [], answers: [], params: [] },
  },
  {
    ...{ kind: 'voucher', ...paid, to, beneficiary: 'Youssef', brand: 'Games' },
    article: { sku: 'a', providerId: 1, name: 'PlayStation 500 DH' },
  },
];
const { sms } = createRenderer();

test.each(ORDERS.flatMap((order) => LANGUAGES.map((language) => [order.kind, language, order] as const)))(
  'the receipt of a %s in %s names all of it and fits: one SMS, two in Arabic',
  (_, language, order) => {
    const quote = { fees: centimes(25_00), total: centimes(12_370_50), alike: [], at: 1 };
    const intent = {
      ...{ id: 'i', wallet: from, address: `ussd:${from}`, order, quote, state: 'succeeded' },
      ...{ sentAt: Date.UTC(2026, 10, 20, 13, 5), evidence: [], audit: [], operationId: 123_456_789 },
    } as unknown as Intent;
    const message = receiptMessage(intent, { smsReceipts: ['ussd'] }, 1);
    if (!message) throw new Error('no receipt');
    const { text, encoding, segments } = sms(message.screen, language);
    expect([encoding, segments], text).toEqual(language === 'ar' ? ['ucs2', 2] : ['gsm7', 1]);
    for (const value of [/12.?345/, /25/, /12.?370/, /20\/11\/2026/, /123456789/])
      expect(text).toMatch(value);
    expect(text).not.toMatch(/https?:|\b\d{16,}\b/);
    expect(receiptMessage(intent, { smsReceipts: [`telegram:${order.kind}`] }, 1)).toBeUndefined();
    expect(receiptMessage(intent, { smsReceipts: [`ussd:${order.kind}`] }, 1)).toBeDefined();
  },
);
