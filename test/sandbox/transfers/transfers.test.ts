import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  HAMZA_LOCKED_FOR_NOW,
  KHADIJA,
  MEHDI_NEARLY_FULL,
  NADIA_LOCKED,
  NOBODY,
  NOON,
  newcomer,
  OMAR_NOT_CONFIRMED,
  SALMA_WITHOUT_PIN,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';

test('a preview gives the price and changes nothing', async () => {
  const said = await call(wallet, 'previewTransfer', transfer(FATIMA, YOUSSEF, 200));
  expect(said).toMatchObject({ status: 200 });
  expect(said.body).toEqual({
    data: {
      type: 3,
      operation: { customerPhoneNumber: FATIMA, recipientPhoneNumber: YOUSSEF, amount: 200, reason: 'test' },
      feesAmount: 2,
      checkedAt: new Date(NOON).toISOString(),
      openLoop: false,
    },
  });
  expect(await balanceOf(wallet, FATIMA)).toBe(3500);
});

describe('an execution', () => {
  test('takes the money at once and gives it when it settles', async () => {
    const said = await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 200));
    expect(said.body.data).toMatchObject({
      transactionStatus: 1,
      sens: 2,
      amount: 200,
      feesAmount: 2,
      totalAmount: 202,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3298);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 202_00, fees: 0 } });

    await wallet.clock.advance(1_199);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
    await wallet.clock.advance(1);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1400);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0, fees: 2_00 } });
  });

  test('settles before the answer when the settings say so', async () => {
    const wallet = sandbox({ settings: { settleAfterMs: 0 } });
    const said = await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 200));
    expect(said.body.data.transactionStatus).toBe(2);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1400);
  });

  test('to a number it does not know goes to another provider', async () => {
    const wallet = sandbox({ settings: { settleAfterMs: 0 } });
    const preview = await call(wallet, 'previewTransfer', transfer(FATIMA, NOBODY, 200));
    expect(preview.body.data).toMatchObject({ openLoop: true, feesAmount: 4 });
    await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 200));
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { switch: 200_00, fees: 4_00 } });
  });

  test('that fails later gives the money back', async () => {
    const said = await call(wallet, 'executeTransfer', transfer(FATIMA, MAGIC.failsLater, 200));
    expect(said.body.data.transactionStatus).toBe(1);
    await wallet.clock.advance(1_200);
    const { operationId: id } = said.body.data;
    const read = await call(wallet, 'readOperation', { id, PhoneNumber: FATIMA });
    expect(read.body.data.transactionStatus).toBe(3);
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0, fees: 0 } });
  });

  test('counts money on its way against the recipient’s limit', async () => {
    const fill = () => call(wallet, 'executeTransfer', transfer(FATIMA, MEHDI_NEARLY_FULL, 15));
    expect((await fill()).status).toBe(200);
    expect(await fill()).toMatchObject(errorOf('recipientLimit'));
    expect(wallet.checkLedger().balanced).toBe(true);
  });
});

test.each([
  ['up to 100', 100, 0, 2],
  ['a centime more', 100.01, 2, 4],
  ['up to 1 000', 1000, 2, 4],
  ['above', 1000.01, 5, 10],
])('fees: %s', async (_, amount, own, openLoop) => {
  wallet.addCustomer(newcomer('+212611111111', 50_000));
  const fee = async (to: string) =>
    (await call(wallet, 'previewTransfer', transfer('+212611111111', to, amount))).body.data.feesAmount;
  expect([await fee(YOUSSEF), await fee(NOBODY)]).toEqual([own, openLoop]);
});

test.each<[string, Record<string, unknown>, ErrorName]>([
  ['nothing but a sender', { CustomerPhoneNumber: FATIMA }, 'missingParameters'],
  ['without a reason', { ...transfer(FATIMA, YOUSSEF, 10), Reason: '' }, 'missingParameters'],
  [
    'names in other cases',
    { customerPhoneNumber: FATIMA, amount: 10, reason: 'x', recipientPhoneNumber: YOUSSEF },
    'missingParameters',
  ],
  ['a national number', transfer(FATIMA, '0600000002', 10), 'phoneInvalid'],
  ['a landline', transfer(FATIMA, '+212522123456', 10), 'recipientUnknown'],
  ['no money', transfer(FATIMA, YOUSSEF, 0), 'amountInvalid'],
  ['less than none', transfer(FATIMA, YOUSSEF, -10), 'amountInvalid'],
  ['a tenth of a centime', transfer(FATIMA, YOUSSEF, 10.001), 'amountInvalid'],
  ['a tiny amount', transfer(FATIMA, YOUSSEF, 1e-9), 'amountInvalid'],
  ['a huge amount', transfer(FATIMA, YOUSSEF, 1e300), 'amountInvalid'],
  ['an amount in words', { ...transfer(FATIMA, YOUSSEF, 1), Amount: '10' }, 'amountInvalid'],
  ['from nobody', transfer(NOBODY, YOUSSEF, 10), 'customerNotFound'],
  ['to oneself', transfer(FATIMA, FATIMA, 10), 'selfTransfer'],
  ['more than there is', transfer(YOUSSEF, FATIMA, 1_200), 'insufficientFunds'],
  ['over the recipient’s limit', transfer(KHADIJA, YOUSSEF, 2_800.01), 'recipientLimit'],
  ['to no wallet anywhere', transfer(FATIMA, MAGIC.noWallet, 10), 'recipientUnknown'],
  ['to an unconfirmed customer', transfer(FATIMA, OMAR_NOT_CONFIRMED, 10), 'recipientUnavailable'],
  ['to a locked customer', transfer(FATIMA, NADIA_LOCKED, 10), 'recipientUnavailable'],
  ['from an unconfirmed customer', transfer(OMAR_NOT_CONFIRMED, FATIMA, 10), 'notConfirmed'],
  ['from a customer without a PIN', transfer(SALMA_WITHOUT_PIN, FATIMA, 10), 'pinNotCreated'],
  ['from a temporarily locked customer', transfer(HAMZA_LOCKED_FOR_NOW, FATIMA, 10), 'lockedTemporarily'],
])('refused by preview and execution alike: %s', async (_, order, error) => {
  const before = wallet.checkLedger();
  expect(await call(wallet, 'previewTransfer', order)).toMatchObject(errorOf(error));
  expect(await call(wallet, 'executeTransfer', order)).toMatchObject(errorOf(error));
  expect(wallet.checkLedger()).toEqual(before);
});
