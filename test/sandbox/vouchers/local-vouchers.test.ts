import { expect, test } from 'vitest';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { balanceOf, call, errorOf, FATIMA, NADIA_LOCKED, NOBODY, sandbox, wallet } from '../kit.ts';

const order = (more: object = {}) => ({
  customerPhoneNumber: FATIMA,
  destinationPhoneNumber: NOBODY,
  beneficiaryName: 'Amina',
  skuId: 'LOCAL-LIVRE-100',
  ...more,
});

test.each<[string, object, number, number]>([
  ['all, ten on the first page', {}, 10, 31],
  ['the last page', { page: 4 }, 1, 31],
  ['a page past the end', { page: 9 }, 0, 31],
  ['those of a brand', { brandId: 3 }, 4, 4],
  ['those of no brand', { brandId: 99 }, 0, 0],
  ['by name, in capitals or not', { keyword: 'kitab' }, 4, 4],
  ['by price', { keyword: '1000 DH' }, 3, 3],
  ['by keyword and brand', { keyword: '500', brandId: 8 }, 1, 1],
  ['by what nobody sells', { keyword: 'avion' }, 0, 0],
])('the local catalog lists %s', async (_, filter, shown, count) => {
  const { body } = await call(sandbox(), 'listVouchers', { phoneNumber: FATIMA, ...filter });
  expect(body.data.collection).toHaveLength(shown);
  expect(body.data.count).toBe(count);
});

test('an article of the list can be bought by its id', async () => {
  const list = await call(wallet, 'listVouchers', { phoneNumber: FATIMA, keyword: 'kitab' });
  const { skuId, price } = list.body.data.collection[0];
  const preview = await call(wallet, 'previewServiceVoucher', order({ skuId }));
  expect(preview.body.data).toMatchObject({ type: 23, totalAmount: price + 2, operation: { skuId } });
  const { body } = await call(wallet, 'executeServiceVoucher', order({ skuId }));
  expect(body.data).toMatchObject({
    type: 23,
    transactionStatus: 2,
    operation: {
      amount: price,
      destinationPhoneNumber: NOBODY,
      code: expect.stringMatching(/^(\w{4}-){2}\w{4}$/),
    },
  });
  expect(await balanceOf(wallet, FATIMA)).toBe(3500 - price - 2);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test.each<[string, object, ErrorName]>([
  ['an id of the other flow', { skuId: 'LIVRE-100' }, 'articleUnknown'],
  ['no id', { skuId: '' }, 'missingParameters'],
  ['nobody as payer', { customerPhoneNumber: NOBODY }, 'customerNotFound'],
  ['a locked customer', { customerPhoneNumber: NADIA_LOCKED }, 'locked'],
  ['what is out of stock', { skuId: 'LOCAL-JOUET-500' }, 'outOfStock'],
  ['a number that is no mobile', { destinationPhoneNumber: '+212100000000' }, 'phoneInvalid'],
  ['no name', { beneficiaryName: undefined }, 'missingParameters'],
])('refused by preview and execution alike: %s', async (_, more, error) => {
  for (const name of ['previewServiceVoucher', 'executeServiceVoucher'] as const)
    expect(await call(wallet, name, order(more))).toMatchObject(errorOf(error));
  expect(wallet.checkLedger().totals).toMatchObject({ switch: 0 });
});

test('one that fails later has no code, and gives the money back', async () => {
  const { body } = await call(
    wallet,
    'executeServiceVoucher',
    order({ destinationPhoneNumber: MAGIC.failsLater }),
  );
  expect(body.data).toMatchObject({ transactionStatus: 1, operation: { code: null } });
  await wallet.clock.advance(1_200);
  expect(await balanceOf(wallet, FATIMA)).toBe(3500);
});

test('it needs the scope operation:voucher, the first flow another', async () => {
  const wallet = sandbox({ partners: [{ apiKey: 'local-only', scopes: 'operation:voucher' }] });
  const headers = { 'Svc-Api-Key': 'local-only' };
  expect((await call(wallet, 'executeServiceVoucher', order(), headers)).status).toBe(200);
  expect((await call(wallet, 'executeVoucher', order(), headers)).status).toBe(403);
  expect((await call(wallet, 'listVouchers', { phoneNumber: FATIMA }, headers)).status).toBe(403);
});
