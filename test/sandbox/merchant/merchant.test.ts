import { describe, expect, test } from 'vitest';
import { PLAIN_FAULT_NAMES } from '../../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import { checksumOf } from '../../../src/wallet/qr/emvco.ts';
import { readMerchantQr } from '../../../src/wallet/qr/merchant-qr.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  NADIA_LOCKED,
  NOBODY,
  newcomer,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

const CAFE = '+212600000011';
const GROCER = '+212600000012';
const pushed = transfer;
const scanned = (content: string, dirhams: number, from = FATIMA) => ({
  CustomerPhoneNumber: from,
  QrCodeContent: content,
  Amount: dirhams,
});

interface Qr {
  readonly qrContent: string;
  readonly qrCodeReference: string;
}
const staticQr = async (of: Sandbox, more: object = {}): Promise<Qr> =>
  (await call(of, 'readStaticQr', { customerPhoneNumber: CAFE, ...more })).body.data;
const dynamicQr = async (of: Sandbox, amount: number, more: object = {}): Promise<Qr> =>
  (await call(of, 'createQr', { customerPhoneNumber: CAFE, amount, ...more })).body.data;

describe('a payment by number', () => {
  test('is previewed without changing anything', async () => {
    const { body } = await call(wallet, 'previewMerchantPayment', pushed(FATIMA, CAFE, 1200));
    expect(body.data).toMatchObject({
      type: 5,
      operation: { customerPhoneNumber: FATIMA, recipientPhoneNumber: CAFE, amount: 1200, reason: 'test' },
      feesAmount: 1,
      openLoop: false,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
  });

  test('takes the money at once and gives it when it settles', async () => {
    const { body } = await call(wallet, 'executeMerchantPayment', pushed(FATIMA, CAFE, 1200));
    expect(body.data).toMatchObject({ operationType: 5, transactionStatus: 1, sens: 2, totalAmount: 1201 });
    expect([await balanceOf(wallet, FATIMA), await balanceOf(wallet, CAFE)]).toEqual([2299, 2450]);
    await wallet.clock.advance(1_200);
    expect([await balanceOf(wallet, FATIMA), await balanceOf(wallet, CAFE)]).toEqual([2299, 3650]);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0, fees: 1_00 } });
  });

  test('is told to the partner as payment.received, with the id of the request', async () => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    await call(wallet, 'executeMerchantPayment', pushed(FATIMA, CAFE, 35), { 'C-Request-Id': 'ours' });
    await wallet.clock.advance(1_200);
    const [event, ...more] = partner.received;
    expect(more).toEqual([]);
    expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
    expect(event?.data).toMatchObject({
      EventId: 'payment.received',
      CRequestId: 'ours',
      OperationType: 5,
      OperationStatus: 2,
      Amount: 35,
      FeeAmount: 0,
      PrimaryAccountNumber: FATIMA,
      SecondaryAccountNumber: CAFE,
    });
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['a person', pushed(FATIMA, YOUSSEF, 10), 'merchantUnknown'],
    ['nobody', pushed(FATIMA, NOBODY, 10), 'merchantUnknown'],
    ['no wallet anywhere', pushed(FATIMA, MAGIC.noWallet, 10), 'merchantUnknown'],
    ['oneself', pushed(CAFE, CAFE, 10), 'selfTransfer'],
    ['more than there is', pushed(YOUSSEF, CAFE, 1200.01), 'insufficientFunds'],
    ['more than there is, with fees', pushed(YOUSSEF, CAFE, 1200), 'insufficientFunds'],
    ['from nobody', pushed(NOBODY, CAFE, 10), 'customerNotFound'],
    ['from a locked customer', pushed(NADIA_LOCKED, CAFE, 10), 'locked'],
    ['nothing', pushed(FATIMA, CAFE, 0), 'amountInvalid'],
    ['a tenth of a centime', pushed(FATIMA, CAFE, 1.001), 'amountInvalid'],
    ['without a reason', { ...pushed(FATIMA, CAFE, 10), Reason: undefined }, 'missingParameters'],
    ['a national number', pushed(FATIMA, '0600000011', 10), 'phoneInvalid'],
  ])('refused by preview and execution alike: %s', async (_, order, error) => {
    const before = wallet.checkLedger();
    expect(await call(wallet, 'previewMerchantPayment', order)).toMatchObject(errorOf(error));
    expect(await call(wallet, 'executeMerchantPayment', order)).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });

  test('a merchant with a locked wallet cannot be paid', async () => {
    wallet.addCustomer(newcomer('+212611111111', 0, { walletType: 'C', status: 5 }));
    expect(await call(wallet, 'previewMerchantPayment', pushed(FATIMA, '+212611111111', 10))).toMatchObject(
      errorOf('recipientUnavailable'),
    );
  });

  test('to a number that fails later gives the money back', async () => {
    await call(wallet, 'executeMerchantPayment', pushed(FATIMA, MAGIC.failsLater, 10));
    await wallet.clock.advance(1_200);
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
    expect(wallet.executions()).toMatchObject([{ type: 5, status: 3 }]);
    expect(wallet.checkLedger().balanced).toBe(true);
  });
});

describe('a code', () => {
  test('for the counter is always the same, and carries no amount', async () => {
    const qr = await staticQr(wallet);
    expect(await staticQr(wallet)).toEqual(qr);
    expect(await staticQr(wallet, { maskedNumber: true })).not.toEqual(qr);
    expect(readMerchantQr(qr.qrContent)).toEqual({
      ok: true,
      qr: { content: qr.qrContent, name: 'Café Atlas (test)', city: 'Casablanca', merchant: CAFE },
    });
  });

  test('for one payment carries amount, reference and bill, and is new every time', async () => {
    const [one, two] = [await dynamicQr(wallet, 45.5, { billNumber: 'F-1' }), await dynamicQr(wallet, 45.5)];
    expect(one.qrCodeReference).not.toBe(two.qrCodeReference);
    expect(readMerchantQr(one.qrContent)).toMatchObject({
      qr: { amount: 4550, reference: one.qrCodeReference, name: 'Café Atlas (test)' },
    });
    expect(one.qrContent).toContain('0103F-1');
  });

  test('can hide the number of its merchant, and is paid all the same', async () => {
    const qr = await dynamicQr(wallet, 20, { maskedNumber: true });
    expect(qr.qrContent).not.toContain(CAFE);
    expect((await call(wallet, 'executeQrPayment', scanned(qr.qrContent, 20))).status).toBe(200);
  });

  test('is found again by its reference', async () => {
    const qr = await dynamicQr(wallet, 20);
    const found = await call(wallet, 'readQrStatus', { reference: qr.qrCodeReference });
    expect(found.body.data).toEqual(qr);
    expect(await call(wallet, 'readQrStatus', { reference: '1' })).toMatchObject(errorOf('qrUnknown'));
  });

  test('without a number is that of the first merchant, and a person has none', async () => {
    expect((await call(wallet, 'readStaticQr')).body.data).toEqual(await staticQr(wallet));
    for (const name of ['readStaticQr', 'createQr'] as const)
      expect(await call(wallet, name, { customerPhoneNumber: FATIMA, amount: 5 })).toMatchObject(
        errorOf('merchantUnknown'),
      );
    expect(await call(wallet, 'createQr', { amount: 1.001 })).toMatchObject(errorOf('amountInvalid'));
  });
});

describe('a payment by code', () => {
  test('from the counter: any amount, again and again', async () => {
    const { qrContent } = await staticQr(wallet);
    for (const amount of [10, 10, 25]) {
      const preview = await call(wallet, 'previewQrPayment', scanned(qrContent, amount));
      expect(preview.body.data).toMatchObject({ type: 5, feesAmount: 0, openLoop: false });
      expect((await call(wallet, 'executeQrPayment', scanned(qrContent, amount))).status).toBe(200);
    }
    await wallet.clock.advance(1_200);
    expect(await balanceOf(wallet, CAFE)).toBe(2495);
    expect(wallet.executions()).toMatchObject(
      [10, 10, 25].map(() => ({ type: 5, receiver: CAFE, status: 2 })),
    );
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('for one payment works once, while it is under way and when it is done', async () => {
    const { qrContent } = await dynamicQr(wallet, 45.5);
    expect((await call(wallet, 'executeQrPayment', scanned(qrContent, 45.5))).status).toBe(200);
    for (const ms of [0, 1_200]) {
      await wallet.clock.advance(ms);
      for (const name of ['previewQrPayment', 'executeQrPayment'] as const)
        expect(await call(wallet, name, scanned(qrContent, 45.5, YOUSSEF))).toMatchObject(errorOf('qrPaid'));
    }
    expect(wallet.executions()).toHaveLength(1);
  });

  test('with a failed payment can be paid again', async () => {
    const { qrContent } = await dynamicQr(wallet, 45, { customerPhoneNumber: MAGIC.failsLater });
    expect((await call(wallet, 'executeQrPayment', scanned(qrContent, 45))).status).toBe(200);
    await wallet.clock.advance(1_200);
    expect((await call(wallet, 'previewQrPayment', scanned(qrContent, 45))).status).toBe(200);
  });

  test.each<[string, (qr: string) => Record<string, unknown>, ErrorName]>([
    ['another amount', (qr) => scanned(qr, 45), 'qrAmount'],
    ['an amount changed by hand', (qr) => scanned(cheaper(qr), 1), 'qrUnknown'],
    ['a letter changed', (qr) => scanned(qr.replace('Atlas', 'Atlos'), 45.5), 'qrUnknown'],
    ['half a code', (qr) => scanned(qr.slice(0, 50), 45.5), 'qrUnknown'],
    ['an address', () => scanned('https://pay.test', 45.5), 'qrUnknown'],
    ['no code', () => scanned('', 45.5), 'missingParameters'],
    ['nothing', (qr) => scanned(qr, 0), 'amountInvalid'],
    ['one’s own', (qr) => scanned(qr, 45.5, CAFE), 'selfTransfer'],
    ['from nobody', (qr) => scanned(qr, 45.5, NOBODY), 'customerNotFound'],
  ])('refused by preview and execution alike: %s', async (_, order, error) => {
    const { qrContent } = await dynamicQr(wallet, 45.5);
    const before = wallet.checkLedger();
    expect(await call(wallet, 'previewQrPayment', order(qrContent))).toMatchObject(errorOf(error));
    expect(await call(wallet, 'executeQrPayment', order(qrContent))).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });
});

describe.each(['executeMerchantPayment', 'executeQrPayment'] as const)('a fault strikes %s', (operation) => {
  test.each(PLAIN_FAULT_NAMES)('%s, and the ledger balances', async (name) => {
    const wallet = sandbox({ settings: { faultDelaysMs: { slowAnswer: 1 } } });
    const { qrContent } = await staticQr(wallet);
    wallet.faults.set({ name, operation, count: 1 });
    const order = operation === 'executeQrPayment' ? scanned(qrContent, 50) : pushed(FATIMA, CAFE, 50);
    await call(wallet, operation, order);
    expect(wallet.faults.list()).toEqual([]);
    await wallet.clock.advance(10_000);
    const isBefore = ['resetBefore', 'serverErrorBefore', 'tooManyRequests'].includes(name);
    expect(wallet.executions()).toHaveLength(isBefore ? 0 : 1);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('by the number of the merchant', async () => {
    const { qrContent } = await staticQr(wallet, { customerPhoneNumber: MAGIC.serverErrorAfter });
    const order =
      operation === 'executeQrPayment' ? scanned(qrContent, 50) : pushed(FATIMA, MAGIC.serverErrorAfter, 50);
    expect((await call(wallet, operation, order)).status).toBe(500);
    expect(wallet.executions()).toMatchObject([{ receiver: MAGIC.serverErrorAfter }]);
  });
});

describe('a picture of a code', () => {
  test.each([
    ['/qr/0600000011.svg', 'image/svg+xml', '<?xml'],
    ['/qr/0600000012.png', 'image/png', '\x89PNG'],
    ['/qr/0600000011.png?amount=45,50', 'image/png', '\x89PNG'],
    [`/qr/${GROCER}.svg`, 'image/svg+xml', '<?xml'],
  ])('%s', async (path, type, beginning) => {
    const answer = await sandbox().app.request(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString('latin1').startsWith(beginning)).toBe(true);
  });

  test.each(['/qr/0600000001.png', '/qr/0600000011.gif', '/qr/x.png', '/qr/0600000011.png?amount=-1'])(
    'not for %s',
    async (path) => {
      expect((await sandbox().app.request(path)).status).toBe(404);
    },
  );
});

/** The same code for a dirham, with its checksum right. */
function cheaper(content: string): string {
  const changed = content.replace('540545.50', '540501.00').slice(0, -4);
  return changed + checksumOf(changed);
}

test('the QR code of a closed wallet pays nobody, and the next owner of that number has another one', async () => {
  const phone = '+212611111111';
  const shop = (firstName: string) => wallet.addCustomer(newcomer(phone, 0, { firstName, walletType: 'C' }));
  shop('Ancienne');
  const old = await staticQr(wallet, { customerPhoneNumber: phone });
  expect((await call(wallet, 'unregisterCustomer', { PhoneNumber: phone, Reason: 5 })).status).toBe(200);
  shop('Nouvelle');
  expect(await call(wallet, 'executeQrPayment', scanned(old.qrContent, 10))).toMatchObject(
    errorOf('merchantUnknown'),
  );
  const fresh = await staticQr(wallet, { customerPhoneNumber: phone });
  expect(fresh.qrContent).toContain('Nouvelle');
  expect((await call(wallet, 'executeQrPayment', scanned(fresh.qrContent, 10))).status).toBe(200);
});
