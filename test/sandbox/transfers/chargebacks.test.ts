import { expect, test } from 'vitest';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  KHADIJA,
  NOBODY,
  newcomer,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';

/** Fatima has sent Youssef 200. Gives what charges it back. */
async function paid(wallet: Sandbox, settled = true) {
  const { body } = await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 200));
  if (settled) await wallet.clock.advance(1_200);
  return (Amount: number, more: object = {}) => ({
    SourcePhoneNumber: YOUSSEF,
    Amount,
    Description: 'Contestation',
    DestinationPhoneNumber: FATIMA,
    OriginalOperationId: body.data.operationId,
    ...more,
  });
}

test('a chargeback is previewed without changing anything', async () => {
  const back = await paid(wallet);
  const { body } = await call(wallet, 'previewChargeback', back(50));
  expect(body.data).toMatchObject({
    type: 12,
    operation: { sourcePhoneNumber: YOUSSEF, destinationPhoneNumber: FATIMA, amount: 50 },
    feesAmount: 0,
  });
  expect(await balanceOf(wallet, YOUSSEF)).toBe(1400);
});

test('it gives the money back at once and for good, and both list it', async () => {
  const back = await paid(wallet);
  const { body } = await call(wallet, 'executeChargeback', back(200));
  expect(body.data).toMatchObject({
    operationType: 12,
    transactionStatus: 2,
    feesAmount: 0,
    receiver: FATIMA,
  });
  expect([await balanceOf(wallet, FATIMA), await balanceOf(wallet, YOUSSEF)]).toEqual([3498, 1200]);
  for (const [PhoneNumber, sens] of [
    [FATIMA, 1],
    [YOUSSEF, 2],
  ]) {
    const list = await call(wallet, 'listOperations', { PhoneNumber, OperationType: 12 });
    expect(list.body.data.collection).toMatchObject([{ amount: 200, sens }]);
  }
  expect(wallet.checkLedger().balanced).toBe(true);
});

test('in parts it gives back the payment, and no more', async () => {
  const back = await paid(wallet);
  const answers = [];
  for (const dirhams of [120, 80.01, 80, 0.01]) {
    answers.push((await call(wallet, 'executeChargeback', back(dirhams))).body.errorCode);
  }
  const exceeded = errorOf('originalExceeded').body.errorCode;
  expect(answers).toEqual([undefined, exceeded, undefined, exceeded]);
  expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
});

test('an undone chargeback can be made again', async () => {
  const back = await paid(wallet);
  wallet.faults.set({ name: 'reversal', operation: 'executeChargeback', count: 1 });
  await call(wallet, 'executeChargeback', back(200));
  expect(await call(wallet, 'executeChargeback', back(200))).toMatchObject(errorOf('originalExceeded'));
  await wallet.clock.advance(5_000);
  expect((await call(wallet, 'executeChargeback', back(200))).status).toBe(200);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test.each([
  ['all of it', 200, 3500, 1200],
  ['a part', 80, 3500, 1200],
])('a reversed payment does not give a chargeback back again: %s', async (_, dirhams, ...then) => {
  wallet.faults.set({ name: 'reversal', operation: 'executeTransfer', count: 1 });
  const back = await paid(wallet);
  expect((await call(wallet, 'executeChargeback', back(dirhams))).status).toBe(200);
  await wallet.clock.advance(5_000);
  expect(wallet.executions()).toMatchObject([{ status: 4 }, { status: 2 }]);
  expect([await balanceOf(wallet, FATIMA), await balanceOf(wallet, YOUSSEF)]).toEqual(then);
  expect(wallet.checkLedger()).toMatchObject({ faults: [] });
});

test('a chargeback undone after its payment leaves both as before', async () => {
  wallet.faults.set({ name: 'reversal' });
  const back = await paid(wallet);
  await wallet.clock.advance(4_000);
  expect((await call(wallet, 'executeChargeback', back(80))).status).toBe(200);
  await wallet.clock.advance(5_000);
  expect(wallet.executions()).toMatchObject([{ status: 4 }, { status: 4 }]);
  expect([await balanceOf(wallet, FATIMA), await balanceOf(wallet, YOUSSEF)]).toEqual([3500, 1200]);
  expect(wallet.checkLedger()).toMatchObject({ faults: [] });
});

test('of a payment to a merchant, also a locked one', async () => {
  const shop = '+212611111111';
  wallet.addCustomer(newcomer(shop, 0, { walletType: 'C' }));
  const { body } = await call(wallet, 'executeMerchantPayment', transfer(FATIMA, shop, 90));
  await wallet.clock.advance(1_200);
  for (const pin of ['0000', '0000', '0000']) await call(wallet, 'loginCustomer', { phoneNumber: shop, pin });
  const order = {
    SourcePhoneNumber: shop,
    Amount: 90,
    Description: 'Fraude',
    DestinationPhoneNumber: FATIMA,
    OriginalOperationId: body.data.operationId,
  };
  expect((await call(wallet, 'executeChargeback', order)).body.data).toMatchObject({ transactionStatus: 2 });
});

test.each<[string, number, object, ErrorName]>([
  ['an operation there is not', 10, { OriginalOperationId: 99 }, 'originalUnknown'],
  ['another source', 10, { SourcePhoneNumber: KHADIJA }, 'originalOther'],
  ['another destination', 10, { DestinationPhoneNumber: KHADIJA }, 'originalOther'],
  [
    'the wrong way round',
    10,
    { SourcePhoneNumber: FATIMA, DestinationPhoneNumber: YOUSSEF },
    'originalOther',
  ],
  ['nobody as source', 10, { SourcePhoneNumber: NOBODY }, 'customerNotFound'],
  ['nobody as destination', 10, { DestinationPhoneNumber: NOBODY }, 'customerNotFound'],
  ['more than was paid', 200.01, {}, 'originalExceeded'],
  ['nothing', 0, {}, 'amountInvalid'],
  ['a tenth of a centime', 1.001, {}, 'amountInvalid'],
  ['no description', 10, { Description: '' }, 'missingParameters'],
  ['an id that is none', 10, { OriginalOperationId: 'x' }, 'parameterInvalid'],
])('refused by preview and execution alike: %s', async (_, dirhams, more, error) => {
  const order = (await paid(wallet))(dirhams, more);
  const before = wallet.checkLedger();
  for (const name of ['previewChargeback', 'executeChargeback'] as const)
    expect(await call(wallet, name, order)).toMatchObject(errorOf(error));
  expect(wallet.checkLedger()).toEqual(before);
});

test.each<[string, (wallet: Sandbox) => Promise<object>, ErrorName]>([
  ['one that is still open', async (wallet) => (await paid(wallet, false))(10), 'originalNotDone'],
  [
    'what the source has spent',
    async (wallet) => {
      const back = await paid(wallet);
      await call(wallet, 'executeTransfer', transfer(YOUSSEF, NOBODY, 1300));
      return back(200);
    },
    'insufficientFunds',
  ],
  [
    'what was paid to another provider',
    async (wallet) => {
      const back = await paid(wallet);
      const { body } = await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 10));
      return back(10, { OriginalOperationId: body.data.operationId });
    },
    'originalOther',
  ],
  [
    'a top-up',
    async (wallet) => {
      const back = await paid(wallet);
      const order = { recipientPhoneNumber: FATIMA, amount: 20, operator: 1, rechargeType: 0 };
      const { body } = await call(wallet, 'executeTopUp', { customerPhoneNumber: FATIMA, ...order });
      return back(10, { OriginalOperationId: body.data.operationId });
    },
    'originalUnknown',
  ],
  [
    'one that failed',
    async (wallet) => {
      const back = await paid(wallet);
      const { body } = await call(wallet, 'executeMerchantPayment', transfer(FATIMA, MAGIC.failsLater, 10));
      await wallet.clock.advance(1_200);
      return back(10, { OriginalOperationId: body.data.operationId });
    },
    'originalOther',
  ],
  [
    'more than the destination may hold',
    async (wallet) => {
      const back = await paid(wallet);
      await call(wallet, 'executeTransfer', transfer(KHADIJA, FATIMA, 600));
      return back(200);
    },
    'recipientLimit',
  ],
])('refused: %s', async (_, order, error) => {
  const given = await order(wallet);
  expect(await call(wallet, 'executeChargeback', { ...given })).toMatchObject(errorOf(error));
  await wallet.clock.advance(1_200);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test('a partner cannot charge back a payment of another one', async () => {
  const wallet = sandbox({ partners: [{ apiKey: 'other-key', scopes: '*' }] });
  const order = (await paid(wallet))(10);
  const theirs = await call(wallet, 'executeChargeback', order, { 'Svc-Api-Key': 'other-key' });
  expect(theirs).toMatchObject(errorOf('originalUnknown'));
});
