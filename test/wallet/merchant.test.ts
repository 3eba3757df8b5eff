import { expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import type { MerchantPaymentRequest } from '../../src/wallet/services.ts';
import { type Ask, asked, error, FATIMA, ok, refused, sent, unknown, YOUSSEF } from './answering.ts';

const BY_NUMBER: MerchantPaymentRequest = {
  from: FATIMA,
  to: YOUSSEF,
  amount: centimes(45_50),
  reason: 'Wasl',
};
const BY_QR: MerchantPaymentRequest = { from: FATIMA, amount: centimes(45_50), qrContent: '000201…' };
const call = { requestId: 'r-1' };

const previewByNumber: Ask = (wallet) => wallet.previewMerchantPayment(BY_NUMBER);
const previewByQr: Ask = (wallet) => wallet.previewMerchantPayment(BY_QR);
const payByNumber: Ask = (wallet) => wallet.payMerchant(BY_NUMBER, call);
const payByQr: Ask = (wallet) => wallet.payMerchant(BY_QR, call);
const staticQr: Ask = (wallet) => wallet.staticQr(YOUSSEF);
const dynamicQr: Ask = (wallet) => wallet.dynamicQr({ merchant: YOUSSEF, amount: centimes(45_50) });

const byNumber = { CustomerPhoneNumber: FATIMA, RecipientPhoneNumber: YOUSSEF, Amount: 45.5, Reason: 'Wasl' };
const byQr = { CustomerPhoneNumber: FATIMA, QrCodeContent: '000201…', Amount: 45.5 };
const PUSH = 'POST /api/operations/merchant/payment/push';
const QR = '/api/operations/merchant/qrcode';
const MERCHANT = 'customerPhoneNumber=%2B212600000002';

test.each<[string, Ask, string, unknown]>([
  ['a preview by number', previewByNumber, `${PUSH}/manual/preview`, byNumber],
  ['a payment by number', payByNumber, `${PUSH}/manual`, byNumber],
  ['a preview by code', previewByQr, `${PUSH}/qrcode/preview`, byQr],
  ['a payment by code', payByQr, `${PUSH}/qrcode`, byQr],
  ['a static code, without a body', staticQr, `GET ${QR}/static?${MERCHANT}`, undefined],
  ['a code for one payment', dynamicQr, `POST ${QR}?${MERCHANT}`, { amount: 45.5 }],
  [
    'one for a bill',
    (wallet) => wallet.dynamicQr({ merchant: YOUSSEF, amount: centimes(100), billNumber: 'F-1' }),
    `POST ${QR}?${MERCHANT}`,
    { amount: 1, billNumber: 'F-1' },
  ],
  [
    'a code by its reference',
    (wallet) => wallet.qrByReference('77'),
    `GET ${QR}/status?reference=77`,
    undefined,
  ],
])('sent: %s', async (_, ask, line, body) => {
  expect(await sent(ask)).toEqual({ line, body });
});

const UNREADABLE = unknown('unreadable');
test.each<[string, Ask, number, unknown, unknown]>([
  ['fees', previewByQr, 200, { data: { feesAmount: 1 } }, ok({ fees: 100, total: 4650, openLoop: false })],
  [
    'nothing but an envelope',
    previewByNumber,
    200,
    { data: {} },
    ok({ fees: 0, total: 4550, openLoop: false }),
  ],
  [
    'a name',
    previewByNumber,
    200,
    { data: { openLoop: true, operation: { recipientName: 'Café' } } },
    ok({ fees: 0, total: 4550, openLoop: true, recipientName: 'Café' }),
  ],
  ['a preview without envelope', previewByQr, 200, { feesAmount: 1 }, UNREADABLE],
  [
    'an execution',
    payByQr,
    200,
    { data: { operationId: 7, transactionStatus: 1, feesAmount: 0 } },
    ok({ operationId: 7, status: 1, fees: 0 }),
  ],
  ['one that is never final', payByNumber, 200, { data: { transactionStatus: 2 } }, ok({ status: 2 })],
  ['one that says nothing', payByNumber, 200, { data: {} }, ok({})],
  ['an empty one', payByNumber, 200, '', UNREADABLE],
  ['half of one', payByQr, 200, '{"data":', UNREADABLE],
  ['a refusal', payByQr, 400, error(90029), refused('90029', 'No')],
  ['a state that forbids it', payByQr, 422, error(90029), refused('90029', 'No')],
  ['no such right', payByNumber, 403, {}, refused('http403')],
  ['a broken server', payByNumber, 500, error(1), unknown('http500')],
  ['too many requests', payByNumber, 429, {}, unknown('http429')],
  [
    'a code',
    staticQr,
    200,
    { data: { qrContent: 'x', qrCodeReference: '77' } },
    ok({ content: 'x', reference: '77' }),
  ],
  ['a code without a reference', dynamicQr, 200, { data: { qrContent: 'x' } }, ok({ content: 'x' })],
  ['a code without content', staticQr, 200, { data: { qrContent: '', qrCodeReference: '7' } }, UNREADABLE],
])('answered: %s', async (_, ask, status, body, answer) => {
  const came = await asked(status, body, ask);
  expect(came.answer).toEqual(answer);
  expect(came.requests).toHaveLength(1);
});
