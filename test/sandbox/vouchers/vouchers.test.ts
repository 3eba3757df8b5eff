import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../../src/channels/qr/pixels.ts';
import { Database } from '../../../src/sandbox/core/database.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { ARTICLES, BRANDS, OUT_OF_STOCK_SKU, PROVIDER_ID } from '../../../src/sandbox/vouchers/catalog.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import {
  balanceOf,
  CANNOT_PAY,
  CHECKED_AT,
  call,
  errorOf,
  FATIMA,
  IN_BALANCE,
  NOBODY,
  NOON,
  newcomer,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { served } from '../served.ts';

const CODE = /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/;

/** A voucher of 100 DH for Fatima herself, or what is given instead. */
function order(more: Record<string, unknown> = {}) {
  const mine = {
    customerPhoneNumber: FATIMA,
    destinationPhoneNumber: FATIMA,
    beneficiaryName: 'Fatima Zahra',
  };
  return { ...mine, providerSkuId: 'SOUK-100', providerId: PROVIDER_ID, ...more };
}

async function codeOf(wallet: Sandbox, more: Record<string, unknown> = {}): Promise<unknown> {
  return (await call(wallet, 'executeVoucher', order(more))).body.data.operation.code;
}

describe('the catalog', () => {
  test('has eight brands, each with articles from 50 to 1 000 DH', async () => {
    const brands = (await call(wallet, 'listBrands', { phoneNumber: FATIMA })).body.data;
    expect(brands).toMatchObject({ count: 8, collection: BRANDS.map(({ id }) => ({ id })) });
    for (const { id, name, expirationDelay } of brands.collection) {
      expect(name).toContain('(test)');
      expect(expirationDelay).toBeGreaterThan(0);
      const articles = (await call(wallet, 'listArticles', { phoneNumber: FATIMA, brandId: id })).body.data;
      expect(articles.count).toBeGreaterThanOrEqual(3);
      for (const { price, brandId } of articles.collection) {
        expect(brandId).toBe(id);
        expect(price).toBeGreaterThanOrEqual(50);
        expect(price).toBeLessThanOrEqual(1_000);
      }
    }
  });

  test.each<[string, 'listBrands' | 'listArticles', Record<string, unknown>, number, number]>([
    ['brands, three to a page', 'listBrands', { take: 3 }, 3, 8],
    ['the last of them', 'listBrands', { take: 3, page: 3 }, 2, 8],
    ['a page past the end', 'listBrands', { page: 2 }, 0, 8],
    ['articles', 'listArticles', { brandId: 1 }, 5, 5],
    ['articles of all brands', 'listArticles', { take: 100 }, ARTICLES.length, ARTICLES.length],
    ['articles, two to a page', 'listArticles', { brandId: 1, take: 2, page: 3 }, 1, 5],
    ['articles of a brand there is not', 'listArticles', { brandId: 99 }, 0, 0],
  ])('lists %s', async (_, name, given, shown, count) => {
    const said = await call(sandbox(), name, { phoneNumber: FATIMA, ...given });
    expect(said.body.data.collection).toHaveLength(shown);
    expect(said.body.data.count).toBe(count);
  });

  test('tells one brand and an article in full', async () => {
    const brand = await call(wallet, 'readBrand', { id: 1 });
    expect(brand.body).toEqual({
      data: {
        id: 1,
        name: 'Souk Frais (test)',
        description: 'Supermarchés et épicerie',
        image: '/pictures/souk.png',
        expirationDelay: 180,
      },
    });
    const articles = await call(wallet, 'listArticles', { phoneNumber: FATIMA, brandId: 1 });
    expect(articles.body.data.collection[1]).toEqual({
      providerSkuId: 'SOUK-100',
      productName: 'Souk Frais 100 DH (test)',
      imageUrl: '/pictures/souk-100.png',
      price: 100,
      description: "Bon d'achat de 100 DH, valable 180 jours",
      providerId: PROVIDER_ID,
      brandId: 1,
    });
  });

  test('has a picture of everything, without a key', async () => {
    const images = [...BRANDS, ...ARTICLES].map(({ image }) => image);
    expect(new Set(images).size).toBe(images.length);
    for (const image of images) {
      const picture = await wallet.app.request(image);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(sizeOf(new Uint8Array(await picture.arrayBuffer()))).toEqual({
        kind: 'png',
        width: 480,
        height: 300,
      });
    }
    expect((await wallet.app.request('/pictures/none.png')).status).toBe(404);
  });

  test.each<[string, 'listBrands' | 'listArticles' | 'readBrand', Record<string, unknown>, ErrorName]>([
    ['brands for nobody', 'listBrands', { phoneNumber: NOBODY }, 'customerNotFound'],
    ['brands without a number', 'listBrands', {}, 'missingParameters'],
    ['a page before the first', 'listBrands', { phoneNumber: FATIMA, page: 0 }, 'parameterInvalid'],
    ['articles for nobody', 'listArticles', { phoneNumber: NOBODY, brandId: 1 }, 'customerNotFound'],
    ['articles of an empty brand', 'listArticles', { phoneNumber: FATIMA, brandId: '' }, 'parameterInvalid'],
    ['a brand there is not', 'readBrand', { id: 99 }, 'articleUnknown'],
    ['a brand in words', 'readBrand', { id: 'souk' }, 'parameterInvalid'],
  ])('refuses %s', async (_, name, given, error) => {
    expect(await call(sandbox(), name, given)).toMatchObject(errorOf(error));
  });
});

describe('a purchase', () => {
  test.each([
    ['SOUK-100', 100, 2],
    ['MODE-300', 300, 2],
    ['JEU-500', 500, 5],
  ])('a preview gives the price and changes nothing: %s', async (providerSkuId, price, fees) => {
    const said = await call(wallet, 'previewVoucher', order({ providerSkuId }));
    expect(said.body.data).toEqual({
      type: 23,
      operation: {
        ...order({ providerSkuId }),
        voucherName: expect.stringContaining('(test)'),
        amount: price,
      },
      feesAmount: fees,
      totalAmount: price + fees,
      checkedAt: CHECKED_AT,
      openLoop: false,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3_500);
    expect(wallet.executions()).toEqual([]);
  });

  test('is answered with the voucher, and has no webhook', async () => {
    const { wallet, partner } = await served();
    const gift = order({ destinationPhoneNumber: NOBODY, beneficiaryName: 'Amina' });
    const said = await call(wallet, 'executeVoucher', gift, { 'C-Request-Id': 'ours' });
    expect(said.body).toEqual({
      data: {
        type: 23,
        operationId: 1,
        transactionStatus: 2,
        operation: {
          operationType: 23,
          voucherName: 'Souk Frais 100 DH (test)',
          amount: 100,
          cashBack: 0,
          totalAmount: 102,
          reason: 'Souk Frais 100 DH (test)',
          recipientPhoneNumber: NOBODY,
          checkedAt: CHECKED_AT,
          urlActivateCard: null,
          destinationPhoneNumber: NOBODY,
          beneficiaryName: 'Amina',
          code: expect.stringMatching(CODE),
          description: "Bon d'achat de 100 DH, valable 180 jours",
        },
        feesAmount: 2,
        totalAmount: 102,
        checkedAt: CHECKED_AT,
        openLoop: false,
      },
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3_398);
    await wallet.clock.advance(60 * 60_000);
    expect(partner.received).toEqual([]);
    expect(wallet.executions('ours')).toMatchObject([
      { type: 23, amount: 100_00, receiver: NOBODY, status: 2 },
    ]);
    expect(wallet.checkLedger()).toMatchObject({
      ...IN_BALANCE,
      totals: { transit: 0, switch: 100_00, fees: 2_00 },
    });
    const listed = await call(wallet, 'listOperations', { PhoneNumber: FATIMA, OperationType: [23] });
    expect(listed.body.data).toMatchObject({
      count: 1,
      collection: [{ operationType: 23, totalAmount: 102 }],
    });
  });

  test('gives every voucher a code of its own, by the seed', async () => {
    const three = async (seed: string) => {
      const wallet = sandbox({ seed });
      return [await codeOf(wallet), await codeOf(wallet), await codeOf(wallet)];
    };
    const codes = await three('one');
    expect(new Set(codes).size).toBe(3);
    expect(await three('one')).toEqual(codes);
    expect(await three('two')).not.toEqual(codes);
  });

  test('leaves no code in the file, in a list or in a message', async () => {
    const folder = newDirectory();
    const file = join(folder, 'sandbox.db');
    const wallet = createSandbox({ file, clock: { now: () => NOON } });
    const code = await codeOf(wallet, { destinationPhoneNumber: YOUSSEF });
    const read = await call(wallet, 'readOperation', { id: 1, PhoneNumber: FATIMA });
    expect(JSON.stringify([read.body, wallet.sms(), wallet.executions()])).not.toContain(code);
    await wallet.close();
    const db = new Database(file);
    const tables = db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
    const rows = tables.flatMap(({ name }) => db.all<object>(`SELECT * FROM ${name}`));
    db.close();
    expect(JSON.stringify(rows)).toContain(FATIMA);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('the outcome of a purchase', () => {
  test.each([
    ['fails later', MAGIC.failsLater, 1, 3, 3_500],
    ['stays open', MAGIC.staysOpen, 1, 1, 3_398],
    ['is reversed', MAGIC.reversal, 2, 4, 3_500],
  ])('a purchase that %s', async (_, destinationPhoneNumber, answered, status, balance) => {
    const { data } = (await call(wallet, 'executeVoucher', order({ destinationPhoneNumber }))).body;
    expect(data.transactionStatus).toBe(answered);
    // An unpaid voucher is not handed out.
    expect(data.operation.code).toEqual(answered === 2 ? expect.stringMatching(CODE) : null);
    await wallet.clock.advance(60_000);
    expect(wallet.executions()).toMatchObject([{ status }]);
    expect(await balanceOf(wallet, FATIMA)).toBe(balance);
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['without a name', { beneficiaryName: '' }, 'missingParameters'],
    ['without an article', { providerSkuId: undefined }, 'missingParameters'],
    ['without a provider', { providerId: undefined }, 'missingParameters'],
    ['of an unknown article', { providerSkuId: 'SOUK-101' }, 'articleUnknown'],
    ['of another provider', { providerId: PROVIDER_ID + 1 }, 'articleUnknown'],
    ['of a sold-out article', { providerSkuId: OUT_OF_STOCK_SKU }, 'outOfStock'],
    ['for a national number', { destinationPhoneNumber: '0612345678' }, 'phoneInvalid'],
    ['for a landline', { destinationPhoneNumber: '+212522123456' }, 'phoneInvalid'],
    ...CANNOT_PAY.map(([from, customerPhoneNumber, error]): [string, Record<string, unknown>, ErrorName] => [
      from,
      { customerPhoneNumber },
      error,
    ]),
  ])('is refused by preview and execution alike: %s', async (_, more, error) => {
    const before = wallet.checkLedger();
    expect(await call(wallet, 'previewVoucher', order(more))).toMatchObject(errorOf(error));
    expect(await call(wallet, 'executeVoucher', order(more))).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });

  test.each([
    ['a centime short of the fee', 101.99, 400],
    ['to the last centime', 102, 200],
  ])('takes the fee into account: %s', async (_, dirhams, status) => {
    const customerPhoneNumber = '+212611111111';
    wallet.addCustomer(newcomer(customerPhoneNumber, dirhams));
    expect((await call(wallet, 'previewVoucher', order({ customerPhoneNumber }))).status).toBe(status);
    const said = await call(wallet, 'executeVoucher', order({ customerPhoneNumber }));
    expect(said.status).toBe(status);
    if (status === 400) expect(said).toMatchObject(errorOf('insufficientFunds'));
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
  });

  test('a sold-out article is in the catalog all the same', () => {
    expect(ARTICLES.map(({ sku }) => sku)).toContain(OUT_OF_STOCK_SKU);
  });
});
