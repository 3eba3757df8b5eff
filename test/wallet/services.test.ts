import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createWallet } from '../../src/wallet/client.ts';
import { isNotEnabled } from '../../src/wallet/contract/errors.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { TopUpRequest, VoucherRequest } from '../../src/wallet/services.ts';
import {
  type Ask,
  answering,
  asked,
  error,
  FATIMA,
  HASTY_MS,
  ok,
  refused,
  sent,
  unknown,
  YOUSSEF,
} from './answering.ts';
import { ORDER as BILL } from './bill-order.ts';

const CLASSIC: TopUpRequest = { from: FATIMA, to: YOUSSEF, amount: centimes(50_00), operator: 1 };
const PRODUCT: TopUpRequest = { ...CLASSIC, productCode: 7 };
const VOUCHER: VoucherRequest = {
  from: FATIMA,
  to: YOUSSEF,
  beneficiary: 'Mon frère',
  sku: 'SKU-1',
  providerId: 3,
};
const call = { requestId: 'r-1' };
const UNREADABLE = unknown('unreadable');

const products: Ask = (wallet) => wallet.topUpProducts(CLASSIC);
const topUp: Ask = (wallet) => wallet.topUp(CLASSIC, call);
const topUps: Ask = (wallet) => wallet.topUps(FATIMA);
const previewTopUp: Ask = (wallet) => wallet.previewTopUp(CLASSIC);
const brands: Ask = (wallet) => wallet.voucherBrands(FATIMA);
const articles: Ask = (wallet) => wallet.voucherArticles(FATIMA, 4);
const previewVoucher: Ask = (wallet) => wallet.previewVoucher(VOUCHER);
const buyVoucher: Ask = (wallet) => wallet.buyVoucher(VOUCHER, call);
const payBill: Ask = (wallet) => wallet.payBill(BILL, call);

const recharge = {
  customerPhoneNumber: FATIMA,
  recipientPhoneNumber: YOUSSEF,
  amount: 50,
  operator: 1,
  rechargeType: 0,
};
const voucher = {
  customerPhoneNumber: FATIMA,
  destinationPhoneNumber: YOUSSEF,
  beneficiaryName: 'Mon frère',
  providerSkuId: 'SKU-1',
  providerId: 3,
};
const TELCO = '/api/operations/service/telco/recharge';
const PHONE = '%2B212600000001';
test.each<[string, Ask, string, unknown]>([
  [
    'products',
    products,
    'POST /api/services/telco/catalog/b2b',
    { recipientPhoneNumber: YOUSSEF, amount: 50, operator: 1 },
  ],
  ['a preview', previewTopUp, `POST ${TELCO}/preview`, recharge],
  [
    'a preview of a product, without its code',
    (wallet) => wallet.previewTopUp(PRODUCT),
    `POST ${TELCO}/preview`,
    { ...recharge, rechargeType: 1 },
  ],
  ['a top-up', topUp, `POST ${TELCO}`, recharge],
  [
    'a top-up with a product',
    (wallet) => wallet.topUp(PRODUCT, call),
    `POST ${TELCO}`,
    { ...recharge, rechargeType: 1, productCode: 7 },
  ],
  [
    'a product of code 0',
    (wallet) => wallet.topUp({ ...PRODUCT, productCode: 0 }, call),
    `POST ${TELCO}`,
    { ...recharge, rechargeType: 1, productCode: 0 },
  ],
  [
    'half a dirham',
    (wallet) => wallet.topUp({ ...CLASSIC, amount: centimes(10_50) }, call),
    `POST ${TELCO}`,
    { ...recharge, amount: 10.5 },
  ],
  ['a history', topUps, `GET ${TELCO}?phoneNumber=${PHONE}`, undefined],
  [
    'a page of it',
    (wallet) => wallet.topUps(FATIMA, { page: 2, pageSize: 5 }),
    `GET ${TELCO}?phoneNumber=${PHONE}&pageNumber=2&pageSize=5`,
    undefined,
  ],
  ['brands', brands, `GET /api/vouchers/brands?phoneNumber=${PHONE}`, undefined],
  [
    'a page of them',
    (wallet) => wallet.voucherBrands(FATIMA, { page: 3, pageSize: 4 }),
    `GET /api/vouchers/brands?phoneNumber=${PHONE}&page=3&take=4`,
    undefined,
  ],
  [
    'articles',
    (wallet) => wallet.voucherArticles(FATIMA, 4, { page: 1 }),
    `GET /api/vouchers/articles?phoneNumber=${PHONE}&brandId=4&page=1`,
    undefined,
  ],
  ['a preview of a voucher', previewVoucher, 'POST /api/operations/voucher/preview', voucher],
  ['a purchase', buyVoucher, 'POST /api/operations/voucher/confirm', voucher],
])('sent: %s', async (_, ask, line, body) => {
  expect(await sent(ask)).toEqual({ line, body });
});

const entry = { productCode: 1, description: 'Étoile 3', arDescription: 'نجمة 3', enabled: true };
const item = {
  telcoRechargeOperationId: 9,
  customerId: 1,
  createdAt: '2026-11-20T10:00:00',
  completedAt: null,
  operatorId: 2,
  amount: 20.5,
  product: 'Étoile 3',
  type: 1,
  status: 2,
  destinationPhoneNumber: YOUSSEF,
};
const line = {
  id: 9,
  at: Date.parse('2026-11-20T10:00:00Z'),
  amount: 20_50,
  operator: 2,
  product: 'Étoile 3',
  to: YOUSSEF,
  status: 2,
};
const without = ({ product: _, ...rest }: typeof line) => rest;
const brand = { id: 4, name: 'Jeux (test)', description: 'x', image: '/img/4.png', expirationDelay: 90 };
const article = {
  providerSkuId: 'SKU-1',
  productName: 'Carte 100 DH',
  imageUrl: 'https://cdn.test/1.png',
  price: 100.5,
  description: 'Une carte',
  providerId: 3,
  brandId: 4,
};
const page = (collection: unknown[], count = collection.length) => ({ data: { collection, count } });
const entries = (list: unknown[], count = list.length) => ok({ entries: list, count });

/** Reads what the wallet answers with 200, or with 204 where the body is undefined. */
function reads(ask: Ask, rows: readonly (readonly [what: string, body: unknown, answer: unknown])[]): void {
  test.each(rows)('read: %s', async (_, body, answer) => {
    expect((await asked(body === undefined ? 204 : 200, body === undefined ? '' : body, ask)).answer).toEqual(
      answer,
    );
  });
}

reads(products, [
  ['products', { data: [entry] }, ok([{ code: 1, name: 'Étoile 3', arName: 'نجمة 3' }])],
  [
    'a product without Arabic',
    { data: [{ ...entry, arDescription: ' ' }] },
    ok([{ code: 1, name: 'Étoile 3' }]),
  ],
  ['a disabled product', { data: [{ ...entry, enabled: false }] }, ok([])],
  ['no product', { data: [] }, ok([])],
  ['no product, as null', { data: null }, ok([])],
  ['no product, as 204', undefined, ok([])],
  ['no product, as an empty 200', '', ok([])],
  ['products without envelope', [entry], UNREADABLE],
  ['an empty object', {}, UNREADABLE],
  ['a product whose code is a word', { data: [{ ...entry, productCode: '1' }] }, UNREADABLE],
  [
    'a product of which nobody says that it is enabled',
    { data: [{ ...entry, enabled: undefined }] },
    UNREADABLE,
  ],
]);

reads(previewTopUp, [
  [
    'a preview',
    { data: { type: 10, feesAmount: 1.5, totalAmount: 51.5 } },
    ok({ fees: 1_50, total: 51_50, openLoop: false }),
  ],
  ['a preview without numbers', { data: {} }, ok({ fees: 0, total: 50_00, openLoop: false })],
  ['a preview with a fee in words', { data: { feesAmount: '1.50' } }, UNREADABLE],
  ['a preview that is nothing', undefined, UNREADABLE],
]);

reads(topUp, [
  ['a top-up', { data: { operationType: 10, feesAmount: 0 } }, ok({ fees: 0, isFinal: true })],
  [
    'a top-up that names its operation',
    { data: { operationId: 5, feesAmount: 'x' } },
    ok({ operationId: 5, isFinal: true }),
  ],
  ['a top-up that is completed', { data: { transactionStatus: 2 } }, ok({ isFinal: true })],
  ['a top-up that is still open', { data: { operationId: 5, transactionStatus: 1 } }, ok({ operationId: 5 })],
  [
    'a top-up that has failed by now',
    { data: { operationId: 5, transactionStatus: 3 } },
    ok({ operationId: 5 }),
  ],
  ['a top-up without envelope', { operationType: 10 }, UNREADABLE],
  ['a top-up that answers nothing', undefined, UNREADABLE],
  ['a top-up that answers an empty 200', '', UNREADABLE],
]);

reads(topUps, [
  ['a history', { data: [item] }, ok({ entries: [line] })],
  [
    'a history, newest first in any order',
    { data: [item, { ...item, telcoRechargeOperationId: 10, createdAt: '2026-11-21T10:00:00+01:00' }] },
    ok({ entries: [{ ...line, id: 10, at: Date.parse('2026-11-21T09:00:00Z') }, line] }),
  ],
  [
    'a product as a number',
    { data: [{ ...item, product: 12 }] },
    ok({ entries: [{ ...line, product: '12' }] }),
  ],
  ['a status of tomorrow', { data: [{ ...item, status: 9 }] }, ok({ entries: [{ ...line, status: 9 }] })],
  ['an empty history', undefined, ok({ entries: [] })],
  [
    'an amount in words',
    { data: [{ ...item, amount: '20' }, item] },
    ok({ entries: [line], leftOut: [item.telcoRechargeOperationId] }),
  ],
  [
    'a line without date or id',
    { data: [{ ...item, createdAt: null, telcoRechargeOperationId: null }] },
    ok({ entries: [], leftOut: [0] }),
  ],
  [
    'a product that is no word',
    { data: [{ ...item, product: [], type: 'x' }] },
    ok({ entries: [without(line)] }),
  ],
  ['a history in a page', page([item]), UNREADABLE],
]);

reads(brands, [
  [
    'brands',
    page([brand], 41),
    entries([{ id: 4, name: 'Jeux (test)', description: 'x', picture: '/img/4.png', validDays: 90 }], 41),
  ],
  [
    'a bare brand',
    page([{ id: 4, name: 'Jeux', description: null, expirationDelay: 0 }]),
    entries([{ id: 4, name: 'Jeux' }]),
  ],
  ['no brand', page([]), entries([])],
  ['no brand, as 204', undefined, entries([])],
  ['no brand, as an empty 200', '', entries([])],
  ['no brand, as null', { data: null }, entries([])],
  [
    'brands without a count',
    { data: { collection: [{ id: 4, name: 'Jeux' }] } },
    entries([{ id: 4, name: 'Jeux' }], Number.MAX_SAFE_INTEGER),
  ],
  ['brands as a web page', '<html>', UNREADABLE],
]);

reads(articles, [
  [
    'articles',
    page([article]),
    entries([
      {
        sku: 'SKU-1',
        providerId: 3,
        brandId: 4,
        name: 'Carte 100 DH',
        price: 100_50,
        description: 'Une carte',
        picture: 'https://cdn.test/1.png',
      },
    ]),
  ],
  ['no article, as 204', undefined, entries([])],
  ['a price in words', page([{ ...article, price: '100' }]), UNREADABLE],
  ['an article that cannot be ordered', page([{ ...article, providerId: null }]), UNREADABLE],
]);

reads(previewVoucher, [
  [
    'a preview of a voucher',
    { data: { type: 23, feesAmount: 2, totalAmount: 102 } },
    ok({ fees: 2_00, total: 102_00, openLoop: false }),
  ],
  [
    'one with an amount instead of a total, and the name that we sent',
    { data: { feesAmount: 2, operation: { amount: 100, beneficiaryName: 'Mon frère' } } },
    ok({ fees: 2_00, total: 102_00, openLoop: false }),
  ],
  ['one that says no price', { data: { feesAmount: 2 } }, UNREADABLE],
  ['one with a price in words', { data: { operation: { amount: '100' } } }, UNREADABLE],
  ['one with a broken price', { data: { operation: { amount: 1e300 } } }, UNREADABLE],
]);

reads(buyVoucher, [
  [
    'a purchase',
    { data: { type: 23, operation: { code: 'ABCD-1234', amount: 100 }, feesAmount: 2 } },
    ok({ fees: 2_00, voucherCode: 'ABCD-1234', isFinal: true }),
  ],
  [
    'a purchase that names its operation',
    { data: { operationId: 8, operation: { code: 'ABCD-1234' } } },
    ok({ operationId: 8, voucherCode: 'ABCD-1234', isFinal: true }),
  ],
  [
    'a purchase that is still open',
    { data: { operationId: 8, transactionStatus: 1, operation: { code: null } } },
    ok({ operationId: 8 }),
  ],
  ['a purchase without a code', { data: { operation: {} } }, ok({ isFinal: true })],
  ['one with an empty code', { data: { operation: { code: '' } } }, ok({ isFinal: true })],
  ['one with null for its operation', { data: { operation: null } }, ok({ isFinal: true })],
  ['a purchase that says only yes', { data: true }, UNREADABLE],
  ['a purchase that answers nothing', undefined, UNREADABLE],
  ['a purchase cut short', '{"data":{"operation":{"code":"ABCD', UNREADABLE],
]);

test.each<[string, number, unknown, boolean]>([
  ['the sandbox’s own code', 400, { errorCode: 90017 }, true],
  ['a code nobody knows, in words', 400, { errorCode: 77, errorDescription: 'Service is not enabled' }, true],
  ['in French', 422, { errorCode: 77, errorDescription: 'Service non activé' }, true],
  ['404', 404, '', true],
  ['403', 403, '', true],
  ['another refusal', 400, error(90010), false],
])('a module that is not enabled: %s', async (_, status, body, is) => {
  for (const ask of [products, previewTopUp, brands]) {
    const { answer } = await asked(status, body, ask);
    expect(answer).toMatchObject({ kind: 'refused' });
    expect(isNotEnabled(answer as never)).toBe(is);
  }
});

describe.each<[string, Ask]>([
  ['a top-up', topUp],
  ['a bill payment', payBill],
  ['a voucher', buyVoucher],
])('%s moves money and is sent once', (_, ask) => {
  test.each<[number, unknown, unknown]>([
    [400, error(90010), refused('90010', 'No')],
    [401, '', refused('http401')],
    [302, '', unknown('http302')],
    [307, '', unknown('http307')],
    [408, '', unknown('http408')],
    [421, '', unknown('http421')],
    [422, {}, unknown('http422')],
    [429, '', unknown('http429')],
    [500, '', unknown('http500')],
    [503, '', unknown('http503')],
    [204, '', UNREADABLE],
    [200, '', UNREADABLE],
    [200, 'null', UNREADABLE],
    [200, '<html>', UNREADABLE],
    [200, [], UNREADABLE],
  ])('%i', async (status, body, expected) => {
    const { answer, requests } = await asked(status, body, ask);
    expect(answer).toEqual(expected);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers['c-request-id']).toBe('r-1');
  });

  test('no answer', async () => {
    const { url, requests } = await answering(() => {});
    expect(await ask(createWallet({ url, apiKey: 'key', timeoutMs: HASTY_MS }))).toEqual(unknown('timeout'));
    expect(requests).toHaveLength(1);
  });

  test('a lost connection', async () => {
    const { wallet, requests } = await answering((request) => void request.socket.destroy());
    expect(await ask(wallet)).toMatchObject({ kind: 'unknown' });
    expect(requests).toHaveLength(1);
  });
});

test('an unreadable voucher code is not in its error', async () => {
  const body = { data: { operation: { code: 'ABCD-1234' }, type: 23 } };
  for (const broken of [JSON.stringify(body).slice(0, -1), { operation: body.data.operation }]) {
    expect(inspect((await asked(200, broken, buyVoucher)).answer)).not.toContain('ABCD');
  }
  expect(inspect((await asked(500, body, buyVoucher)).answer)).not.toContain('ABCD');
});
