import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { CAFE, GROCER, held, paid } from '../cards/cards-kit.ts';
import { balanceOf, call, errorOf, NOBODY, transfer, wallet } from '../kit.ts';

/** The café was paid 100 by card. Gives what refunds it. */
async function charged(wallet: Sandbox) {
  const { operationId, orderId, transactionTrackId } = (await paid(wallet, 100)).body.data;
  return (RefundAmount: number, more: object = {}) => ({
    PhoneNumber: CAFE,
    OperationId: operationId,
    RefundAmount,
    OrderId: orderId,
    TransactionTrackId: transactionTrackId,
    ...more,
  });
}

test('a refund is previewed without changing anything', async () => {
  const back = await charged(wallet);
  const { body } = await call(wallet, 'previewRefund', back(40));
  expect(body.data).toMatchObject({
    type: 7,
    operation: { phoneNumber: CAFE, refundAmount: 40 },
    feesAmount: 0,
  });
  expect(await balanceOf(wallet, CAFE)).toBe(2550);
});

test.each(['phoneNumber', 'PhoneNumber'])(
  'it gives money back to the card, for a body with %s',
  async (name) => {
    const { PhoneNumber, ...order } = (await charged(wallet))(100);
    const { body } = await call(wallet, 'executeRefund', { ...order, [name]: PhoneNumber });
    expect(body.data).toMatchObject({
      operationType: 7,
      transactionStatus: 2,
      sens: 2,
      amount: 100,
      sender: CAFE,
    });
    expect(await balanceOf(wallet, CAFE)).toBe(2450);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { gateway: 0 } });
  },
);

test('a reversed payment does not give a refund back again', async () => {
  wallet.faults.set({ name: 'reversal', operation: 'executeCardPayment', count: 1 });
  const back = await charged(wallet);
  expect((await call(wallet, 'executeRefund', back(40))).status).toBe(200);
  await wallet.clock.advance(5_000);
  expect(await balanceOf(wallet, CAFE)).toBe(2450);
  expect(wallet.checkLedger()).toMatchObject({ faults: [], totals: { gateway: 0 } });
});

test('in parts it gives back the payment, and no more, in either way', async () => {
  const back = await charged(wallet);
  expect((await call(wallet, 'executeRefund', back(60))).status).toBe(200);
  expect(await call(wallet, 'executeRefund', back(40.01))).toMatchObject(errorOf('refundExceeded'));
  expect((await call(wallet, 'refundCardPayment', back(30))).status).toBe(200);
  expect(await call(wallet, 'executeRefund', back(10.01))).toMatchObject(errorOf('refundExceeded'));
  expect((await call(wallet, 'executeRefund', back(10))).status).toBe(200);
  expect(await call(wallet, 'previewRefund', back(0.01))).toMatchObject(errorOf('cardPaymentState'));
  expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { gateway: 0 } });
});

test.each<[string, number, object, ErrorName]>([
  ['more than was paid', 100.01, {}, 'refundExceeded'],
  ['nothing', 0, {}, 'amountInvalid'],
  ['a tenth of a centime', 1.001, {}, 'amountInvalid'],
  ['another order', 10, { OrderId: 'other' }, 'cardPaymentUnknown'],
  ['another track', 10, { TransactionTrackId: 'other' }, 'cardPaymentUnknown'],
  ['another merchant', 10, { PhoneNumber: GROCER }, 'cardPaymentUnknown'],
  ['nobody', 10, { PhoneNumber: NOBODY }, 'cardPaymentUnknown'],
  ['another operation', 10, { OperationId: 99 }, 'cardPaymentUnknown'],
  ['no order', 10, { OrderId: undefined }, 'missingParameters'],
  ['no track', 10, { TransactionTrackId: '' }, 'missingParameters'],
])('refused by preview and execution alike: %s', async (_, dirhams, more, error) => {
  const order = (await charged(wallet))(dirhams, more);
  const before = wallet.checkLedger();
  for (const name of ['previewRefund', 'executeRefund'] as const)
    expect(await call(wallet, name, order)).toMatchObject(errorOf(error));
  expect(wallet.checkLedger()).toEqual(before);
});

test('refused: an authorisation, and money that the merchant has spent', async () => {
  const { operationId, ids } = await held(wallet, 50);
  const order = { ...ids, OperationId: operationId, RefundAmount: 50 };
  expect(await call(wallet, 'executeRefund', order)).toMatchObject(errorOf('cardPaymentState'));
  const back = await charged(wallet);
  await call(wallet, 'executeTransfer', transfer(CAFE, NOBODY, 2500));
  expect(await call(wallet, 'executeRefund', back(100))).toMatchObject(errorOf('insufficientFunds'));
  expect(wallet.checkLedger().balanced).toBe(true);
});
