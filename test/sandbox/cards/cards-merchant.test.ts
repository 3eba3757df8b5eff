import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import { PLAIN_FAULT_NAMES } from '../../../src/sandbox/faults/faults.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import { balanceOf, call, errorOf, FATIMA, NOBODY, newcomer, sandbox, wallet } from '../kit.ts';
import { receiver } from '../receiver.ts';
import { answers, CAFE, card, GROCER, held, ledgerOf, paid } from './cards-kit.ts';

const STUBBORN = { pan: TEST_CARDS.settlementRefused.pan };
const statusOf = (of: Sandbox) => of.executions().map(({ status }) => status);

describe('a merchant is paid by card', () => {
  test('previewed with type 5, which changes nothing', async () => {
    const before = wallet.checkLedger();
    const { body } = await call(wallet, 'previewCardPayment', { PhoneNumber: CAFE, Amount: 80 });
    expect(body.data).toMatchObject({
      type: 5,
      operation: { phoneNumber: CAFE, amount: 80 },
      openLoop: false,
    });
    expect(wallet.checkLedger()).toEqual(before);
  });

  test('captured by itself: the merchant has the money, and may read the operation', async () => {
    const { body } = await paid(wallet, 80, { feesPercent: 5 });
    expect(body.data).toMatchObject({ redirect: false, responseCode: 0, amount: 80, feesAmount: 4 });
    expect(await balanceOf(wallet, CAFE)).toBe(2530);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -84, fees: 4, transit: 0 });
    const read = await call(wallet, 'readOperation', { PhoneNumber: CAFE, id: body.data.operationId });
    expect(read.body.data).toMatchObject({ operationType: 24, transactionStatus: 2, sens: 1, amount: 80 });
  });

  test('after 3D Secure: until then there is no response code and no operation', async () => {
    const { body } = await paid(wallet, 80, { '3dSecure': undefined });
    expect(body.data).toMatchObject({ redirect: true, responseCode: null, operationId: null });
    await answers(wallet, body.data.redirectionURL, 'confirm');
    expect(await balanceOf(wallet, CAFE)).toBe(2530);
  });

  test('without a number it is the partner’s first merchant', async () => {
    await call(wallet, 'executeCardPayment', card(80, { '3dSecure': false }));
    expect(wallet.executions()).toMatchObject([{ type: 24, receiver: CAFE }]);
  });

  test.each([true, false])(
    'is told once, as payment.card.authorized, captured by itself: %s',
    async (autoCapture) => {
      const partner = await receiver();
      const wallet = sandbox({ webhookUrl: partner.url });
      const { ids } = await held(wallet, 80, { autoCapture, externalReference: 'table 4' });
      await wallet.settle();
      if (!autoCapture) await call(wallet, 'captureCardPayment', { ...ids, Amount: 80 });
      await wallet.clock.advance(60_000);
      const [event, ...more] = partner.received;
      expect(more).toEqual([]);
      expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
      expect(event?.data).toMatchObject({
        EventId: 'payment.card.authorized',
        OperationType: 24,
        OperationStatus: autoCapture ? 2 : 1,
        Amount: 80,
        Method: 'Card',
        PrimaryAccountNumber: CAFE,
        CustomData: 'table 4',
        GatewayOrderId: ids.OrderId,
        GatewayTrackId: ids.TransactionTrackId,
      });
    },
  );

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['a person', { phoneNumber: FATIMA }, 'merchantUnknown'],
    ['nobody', { phoneNumber: NOBODY }, 'merchantUnknown'],
    ['a merchant of another provider', { phoneNumber: '+212699000101' }, 'merchantUnknown'],
    ['nothing', { amount: 0 }, 'amountInvalid'],
    ['a tenth of a centime', { amount: 0.001 }, 'amountInvalid'],
    ['a number that is none', { pan: '4242424242424243' }, 'cardNumberInvalid'],
  ])('refused: %s', async (_, wrong, error) => {
    expect(await paid(wallet, 80, wrong)).toMatchObject(errorOf(error));
    expect(ledgerOf(wallet).gateway).toBe(0);
  });
});

describe('an authorisation', () => {
  test('holds the money in transit, so that neither the card nor the merchant has it', async () => {
    await held(wallet, 80, { feesPercent: 5 });
    expect(await balanceOf(wallet, CAFE)).toBe(2450);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -84, transit: 84 });
    expect(statusOf(wallet)).toEqual([1]);
  });

  test.each([
    ['all of it', 80, { merchant: 80, fees: 4, back: 0 }],
    [
      'a part, and the rest is released with its share of the fees',
      30,
      { merchant: 30, fees: 1.5, back: 52.5 },
    ],
    ['a centime', 0.01, { merchant: 0.01, fees: 0, back: 83.99 }],
  ])('is captured: %s', async (_, amount, { merchant, fees, back }) => {
    const { ids, operationId } = await held(wallet, 80, { feesPercent: 5 });
    const { body } = await call(wallet, 'captureCardPayment', { ...ids, Amount: amount });
    expect(body.data).toEqual({
      phoneNumber: CAFE,
      operationId,
      refundAmount: back,
      orderId: ids.OrderId,
      transactionTrackId: ids.TransactionTrackId,
    });
    expect(await balanceOf(wallet, CAFE)).toBe(2450 + merchant);
    const paid = merchant + fees;
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -paid, fees, transit: 0 });
    const read = await call(wallet, 'readOperation', { PhoneNumber: CAFE, id: operationId });
    expect(read.body.data).toMatchObject({ amount, transactionStatus: 2 });
  });

  test('is released by a reversal, without a debit', async () => {
    const { ids, operationId } = await held(wallet, 80, { feesPercent: 5 });
    const { body } = await call(wallet, 'reverseCardPayment', { ...ids, Amount: 80 });
    expect(body.data).toMatchObject({ operationId, refundAmount: 84, orderId: ids.OrderId });
    expect(ledgerOf(wallet)).toMatchObject({ gateway: 0, transit: 0, fees: 0 });
    expect(statusOf(wallet)).toEqual([4]);
  });

  test('lapses by itself after a week', async () => {
    const { ids } = await held(wallet, 80);
    await wallet.clock.advance(7 * 24 * 3_600_000);
    expect(statusOf(wallet)).toEqual([4]);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: 0, transit: 0 });
    expect(await call(wallet, 'captureCardPayment', { ...ids, Amount: 80 })).toMatchObject(
      errorOf('cardPaymentState'),
    );
  });

  type Wrong = [string, 'captureCardPayment' | 'reverseCardPayment', Record<string, unknown>, ErrorName];
  test.each<Wrong>([
    ['more than authorised', 'captureCardPayment', { Amount: 80.01 }, 'captureExceeded'],
    ['nothing', 'captureCardPayment', { Amount: 0 }, 'amountInvalid'],
    ['half a centime', 'captureCardPayment', { Amount: 0.005 }, 'amountInvalid'],
    ['no amount', 'captureCardPayment', { Amount: undefined }, 'missingParameters'],
    ['another order', 'captureCardPayment', { OrderId: '100000000000' }, 'cardPaymentUnknown'],
    ['another transaction', 'captureCardPayment', { TransactionTrackId: 'x' }, 'cardPaymentUnknown'],
    ['no transaction', 'captureCardPayment', { TransactionTrackId: undefined }, 'missingParameters'],
    ['another merchant’s', 'captureCardPayment', { PhoneNumber: GROCER }, 'cardPaymentUnknown'],
    ['a part released', 'reverseCardPayment', { Amount: 79 }, 'reverseAmount'],
    ['more released', 'reverseCardPayment', { Amount: 81 }, 'reverseAmount'],
    ['another merchant’s released', 'reverseCardPayment', { PhoneNumber: GROCER }, 'cardPaymentUnknown'],
  ])('refused: %s', async (_, name, wrong, error) => {
    const { ids } = await held(wallet, 80);
    const before = wallet.checkLedger();
    expect(await call(wallet, name, { ...ids, Amount: 80, ...wrong })).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });

  test.each(['captureCardPayment', 'reverseCardPayment'] as const)(
    'the gateway can refuse %s, and be left out',
    async (name) => {
      const { ids } = await held(wallet, 80, STUBBORN);
      const order = { ...ids, Amount: 80 };
      expect(await call(wallet, name, order)).toMatchObject(errorOf('gatewayRefused'));
      expect((await call(wallet, name, { ...order, SkipGatewayCall: true })).status).toBe(200);
      ledgerOf(wallet);
    },
  );
});

describe('a refund', () => {
  const refund = (of: Sandbox, OperationId: number, RefundAmount: number, more = {}) =>
    call(of, 'refundCardPayment', { PhoneNumber: CAFE, OperationId, RefundAmount, ...more });

  test('in parts, up to the captured amount, while fees stay', async () => {
    const { body } = await paid(wallet, 80, { feesPercent: 5 });
    const { operationId, orderId, transactionTrackId } = body.data;
    const first = await refund(wallet, operationId, 30);
    expect(first.body.data).toMatchObject({
      phoneNumber: CAFE,
      refundAmount: 30,
      orderId,
      transactionTrackId,
    });
    expect(await refund(wallet, operationId, 50.01)).toMatchObject(errorOf('refundExceeded'));
    const ids = { OrderId: orderId, TransactionTrackId: transactionTrackId };
    expect((await refund(wallet, operationId, 50, ids)).status).toBe(200);
    expect(await refund(wallet, operationId, 0.01)).toMatchObject(errorOf('cardPaymentState'));
    expect(await balanceOf(wallet, CAFE)).toBe(2450);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -4, fees: 4, transit: 0 });
    const read = await call(wallet, 'readOperation', { PhoneNumber: CAFE, id: first.body.data.operationId });
    expect(read.body.data).toMatchObject({
      operationType: 7,
      transactionStatus: 2,
      sens: 2,
      receiver: '**** 4242',
    });
  });

  test('of a partial capture, up to that part', async () => {
    const { ids, operationId } = await held(wallet, 80);
    await call(wallet, 'captureCardPayment', { ...ids, Amount: 30 });
    expect(await refund(wallet, operationId, 30.01)).toMatchObject(errorOf('refundExceeded'));
    expect((await refund(wallet, operationId, 30)).status).toBe(200);
    expect(ledgerOf(wallet).gateway).toBe(0);
  });

  test('not of money that the merchant has spent', async () => {
    wallet.addCustomer(newcomer('+212611111111', 0, { walletType: 'C' }));
    const { body } = await paid(wallet, 80, { phoneNumber: '+212611111111' });
    const away = {
      CustomerPhoneNumber: '+212611111111',
      RecipientPhoneNumber: FATIMA,
      Amount: 50,
      Reason: 'x',
    };
    await call(wallet, 'executeTransfer', away);
    expect(await refund(wallet, body.data.operationId, 80, { PhoneNumber: '+212611111111' })).toMatchObject(
      errorOf('insufficientFunds'),
    );
    ledgerOf(wallet);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['another merchant’s', { PhoneNumber: GROCER }, 'cardPaymentUnknown'],
    ['no such operation', { OperationId: 999 }, 'cardPaymentUnknown'],
    ['another order', { OrderId: '1' }, 'cardPaymentUnknown'],
    ['another transaction', { TransactionTrackId: '1' }, 'cardPaymentUnknown'],
    ['nothing', { RefundAmount: 0 }, 'amountInvalid'],
    ['no operation', { OperationId: undefined }, 'missingParameters'],
    ['an operation as a word', { OperationId: 'seven' }, 'parameterInvalid'],
  ])('refused: %s', async (_, wrong, error) => {
    const { body } = await paid(wallet, 80);
    expect(await refund(wallet, body.data.operationId, 80, wrong)).toMatchObject(errorOf(error));
  });

  test('not of money that loaded a wallet, nor when the gateway refuses', async () => {
    const loaded = { phoneNumber: CAFE, ...card(10, { '3dSecure': false }) };
    const { body } = await call(wallet, 'executeCardCashIn', loaded);
    expect(await refund(wallet, body.data.operationId, 10)).toMatchObject(errorOf('cardPaymentUnknown'));
    const stubborn = await paid(wallet, 80, STUBBORN);
    expect(await refund(wallet, stubborn.body.data.operationId, 80)).toMatchObject(errorOf('gatewayRefused'));
  });
});

describe('notificationUrl', () => {
  const ended = async (how: 'confirm' | 'decline' | 'never' | 'direct') => {
    const [partner, shop] = [await receiver(), await receiver()];
    const wallet = sandbox({ webhookUrl: partner.url, webhookKey: 'our-key' });
    const direct = how === 'direct' ? false : undefined;
    const { body } = await paid(wallet, 80, {
      '3dSecure': direct,
      notificationUrl: shop.url,
      externalReference: 'cart 7',
    });
    await wallet.settle();
    if (how === 'confirm' || how === 'decline') await answers(wallet, body.data.redirectionURL, how);
    await wallet.clock.advance(15 * 60_000);
    expect(shop.received).toHaveLength(1);
    expect(shop.received[0]?.headers['x-api-key']).toBeUndefined();
    ledgerOf(wallet);
    return { ...shop.received[0]?.data, wanted: body.data };
  };

  test.each([
    ['confirm', 0, 'SUCCESS'],
    ['decline', 17, 'CANCELED'],
    ['never', 68, 'SESSION_EXPIRED'],
    ['direct', 0, 'SUCCESS'],
  ] as const)('gets the outcome once: %s', async (how, RESPONSE_CODE, REASON_CODE) => {
    const { wanted, ...told } = await ended(how);
    expect(told).toMatchObject({
      RESPONSE_CODE,
      REASON_CODE,
      OPERATION: 'PAYMENT',
      orderId: wanted.orderId,
      transactionTrackId: wanted.transactionTrackId,
      amount: 80,
      externalReference: 'cart 7',
    });
    expect(told.operationId === null).toBe(RESPONSE_CODE !== 0);
  });
});

describe.each([
  'executeCardPayment',
  'executeCardCashIn',
  'captureCardPayment',
  'reverseCardPayment',
  'refundCardPayment',
] as const)('a fault strikes %s', (operation) => {
  test.each(PLAIN_FAULT_NAMES)('%s, and the ledger balances', async (name) => {
    const wallet = sandbox({ settings: { faultDelaysMs: { slowAnswer: 1 } } });
    const [hold, done] = [await held(wallet, 80), await paid(wallet, 80)];
    wallet.faults.set({ name, operation, count: 1 });
    const order = { PhoneNumber: CAFE, OperationId: done.body.data.operationId, RefundAmount: 5 };
    const body = operation.startsWith('execute')
      ? {
          phoneNumber: operation === 'executeCardPayment' ? CAFE : FATIMA,
          ...card(50, { '3dSecure': false }),
        }
      : operation === 'refundCardPayment'
        ? order
        : { ...hold.ids, Amount: 80 };
    await call(wallet, operation, body);
    expect(wallet.faults.list()).toEqual([]);
    await wallet.clock.advance(10_000);
    ledgerOf(wallet);
  });
});
