import { describe, expect, test } from 'vitest';
import {
  MONEY_OPERATIONS,
  PLAIN_FAULT_NAMES,
  type PlainFaultName,
} from '../../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { createWallet } from '../../../src/wallet/client.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { balanceOf, call, FATIMA, KHADIJA, transfer, wallet, YOUSSEF } from '../kit.ts';
import type { Received } from '../receiver.ts';
import { KEY, served } from '../served.ts';

const HOUR_MS = 60 * 60_000;

/** A webhook in a few words: its status, and what is wrong with it. */
function inWords({ headers, data }: Received): string {
  const key = headers['x-api-key'] === KEY ? [] : ['with a wrong key'];
  const amount = data.Amount === 200 ? [] : [`of ${data.Amount}`];
  return [data.OperationStatus, ...amount, ...key].join(' ');
}

interface Row {
  /** The kind of the client's answer, and why where it is unknown. */
  readonly answer: string;
  /** The statuses of the executions, after two hours. */
  readonly executed: readonly number[];
  readonly webhooks: readonly string[];
}
const nothing = { executed: [], webhooks: [] };
const once = { executed: [2], webhooks: ['2'] };

/** The effect of every fault. A forgotten row does not compile. */
const TABLE: Record<PlainFaultName, Row> = {
  resetBefore: { answer: 'unknown ECONNRESET', ...nothing },
  serverErrorBefore: { answer: 'unknown http500', ...nothing },
  tooManyRequests: { answer: 'unknown http429', ...nothing },
  answerLost: { answer: 'unknown UND_ERR_SOCKET', ...once },
  resetAfter: { answer: 'unknown ECONNRESET', ...once },
  serverErrorAfter: { answer: 'unknown http500', ...once },
  malformedBody: { answer: 'unknown unreadable', ...once },
  slowAnswer: { answer: 'unknown timeout', ...once },
  webhookTwice: { answer: 'ok', executed: [2], webhooks: ['2', '2'] },
  webhookLate: { answer: 'ok', ...once },
  webhookEarly: { answer: 'ok', ...once },
  webhookOutOfOrder: { answer: 'ok', executed: [2], webhooks: ['2', '1'] },
  webhookForgedKey: { answer: 'ok', executed: [2], webhooks: ['2 with a wrong key', '2'] },
  webhookForgedAmount: { answer: 'ok', executed: [2], webhooks: ['2 of 2000', '2'] },
  webhookNever: { answer: 'ok', executed: [2], webhooks: [] },
  listLag: { answer: 'ok', ...once },
  staysOpen: { answer: 'ok', executed: [1], webhooks: [] },
  reversal: { answer: 'ok', executed: [4], webhooks: ['2', '4'] },
};

type Served = Awaited<ReturnType<typeof served>>;
/** The three ways to ask for a fault. Each returns the number to send to. */
const WAYS: Record<string, (name: PlainFaultName, on: Served) => Promise<string>> = {
  'set by a test': async (name, { wallet }) => {
    wallet.faults.set({ name, operation: 'money' });
    return YOUSSEF;
  },
  'set through the admin API': async (name, { post }) => {
    expect((await post('/sandbox/faults', { name, operation: 'money' })).status).toBe(200);
    return YOUSSEF;
  },
  'asked for by its number': async (name) => MAGIC[name],
};

describe.each(Object.keys(WAYS))('a fault %s', (way) => {
  test.each(PLAIN_FAULT_NAMES)('%s', async (name) => {
    const on = await served();
    const { wallet, partner } = on;
    const recipient = await WAYS[way]?.(name, on);
    // Half a minute is more than a test wants to wait, and than a client would.
    const answer = await on.send(recipient ?? '', name === 'slowAnswer' ? 1_000 : undefined);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
    await wallet.clock.advance(2 * HOUR_MS);

    const why = answer.kind === 'unknown' ? ` ${answer.why}` : '';
    const executed = wallet.executions('our-request').map(({ status }) => status);
    const webhooks = partner.received.map(inWords);
    expect({ answer: `${answer.kind}${why}`, executed, webhooks }).toEqual(TABLE[name]);
    expect(wallet.executions()).toHaveLength(executed.length);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
    const fees = recipient === YOUSSEF ? 2 : 4;
    const paid = executed.length === 0 || executed[0] === 4 ? 0 : 200 + fees;
    expect(await balanceOf(wallet, FATIMA)).toBe(3_500 - paid);
  });
});

describe('in detail', () => {
  test('a slow answer comes in the end', async () => {
    const { wallet, send } = await served();
    wallet.faults.set({ name: 'slowAnswer', delayMs: 20 });
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'ok', value: { status: 1 } });
  });

  test('an early webhook is there before the answer, which still says OPEN', async () => {
    const { wallet, partner, send } = await served();
    wallet.faults.set({ name: 'webhookEarly' });
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'ok', value: { status: 1 } });
    expect(partner.received.map(inWords)).toEqual(['2']);
  });

  test('a webhook that comes twice is one event in two calls', async () => {
    const { wallet, partner, send } = await served();
    await send(MAGIC.webhookTwice);
    await wallet.clock.advance(2_000);
    const [first, second] = partner.received;
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['c-webhook-id']).not.toBe(first?.headers['c-webhook-id']);
  });

  test('a late webhook comes when its hour is over', async () => {
    const { wallet, partner, send } = await served();
    await send(MAGIC.webhookLate);
    await wallet.clock.advance(1_200 + HOUR_MS - 1);
    expect(partner.received).toHaveLength(0);
    await wallet.clock.advance(1);
    expect(partner.received).toHaveLength(1);
  });

  test.each([
    ['a wrong key', 'webhookForgedKey'],
    ['a wrong amount', 'webhookForgedAmount'],
  ] as const)(
    'a forger with %s comes while the operation is open, with an event of his own',
    async (_, name) => {
      const { wallet, partner, send } = await served();
      await send(MAGIC[name]);
      await wallet.settle();
      expect(partner.received).toHaveLength(1);
      await wallet.clock.advance(1_200);
      const [forged, real] = partner.received;
      expect(forged?.data.WebhookId).not.toBe(real?.data.WebhookId);
      expect(forged?.data.OperationId).toBe(real?.data.OperationId);
    },
  );

  test('a rejected forger does not come again', async () => {
    const { wallet, partner, send } = await served();
    partner.answer(401);
    await send(MAGIC.webhookForgedKey);
    await wallet.settle();
    await wallet.clock.advance(500);
    expect(wallet.deliveries()).toMatchObject([{ state: 'dead', attempts: 1, lastAnswer: '401' }]);
  });

  test('an operation missing in slow lists is read by its id meanwhile', async () => {
    const { wallet, send } = await served();
    await send(MAGIC.listLag);
    const count = async () =>
      (await call(wallet, 'listOperations', { PhoneNumber: FATIMA })).body.data.count +
      (await call(wallet, 'listAllOperations')).body.data.count;
    await wallet.clock.advance(59_999);
    expect(await count()).toBe(0);
    expect((await call(wallet, 'readOperation', { id: 1, PhoneNumber: FATIMA })).status).toBe(200);
    await wallet.clock.advance(1);
    expect(await count()).toBe(2);
  });

  test('a reversal takes the rest of the recipient’s money, and the float stands in for the difference', async () => {
    const { wallet, send } = await served();
    wallet.faults.set({ name: 'reversal', count: 1 });
    await send(YOUSSEF);
    await wallet.clock.advance(1_200);
    await call(wallet, 'executeTransfer', transfer(YOUSSEF, KHADIJA, 1_000));
    await call(wallet, 'executeTransfer', transfer(YOUSSEF, FATIMA, 300));
    const before = wallet.checkLedger().totals.float ?? 0;
    await wallet.clock.advance(5_000);
    expect(wallet.executions().map(({ status }) => status)).toEqual([4, 2, 2]);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(0);
    expect(await balanceOf(wallet, FATIMA)).toBe(3_800);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { float: before - 104_00 } });
    const seen = await call(wallet, 'readOperation', { id: 1, PhoneNumber: YOUSSEF });
    expect(seen.body.data).toMatchObject({ transactionStatus: 4, sens: 1 });
  });

  test('a call that moves no money is done without an answer', async () => {
    const { wallet, post, url } = await served();
    await post('/sandbox/faults', { name: 'answerLost', operation: 'loginCustomer' });
    const api = createWallet({ url, apiKey: wallet.apiKey });
    const wrong = { phone: msisdn(FATIMA), pin: '0000' };
    expect(await api.login(wrong)).toMatchObject({ kind: 'unknown' });
    wallet.faults.clear();
    expect(await api.login(wrong)).toMatchObject({ kind: 'refused', remainingAttempts: 1 });
  });

  test('a refused call is unknown to the client, and nothing is executed', async () => {
    const { wallet, send } = await served();
    wallet.faults.set({ name: 'answerLost' });
    expect(await send(MAGIC.noWallet)).toMatchObject({ kind: 'unknown' });
    expect(wallet.executions()).toEqual([]);
  });

  test('without an operation every operation is struck, and with "money" no preview is, by the number too', async () => {
    const preview = async () =>
      (await call(wallet, 'previewTransfer', transfer(FATIMA, MAGIC.serverErrorBefore, 10))).status;
    wallet.faults.set({ name: 'serverErrorBefore', operation: 'money' });
    expect(await preview()).toBe(200);
    wallet.faults.set({ name: 'serverErrorBefore', count: 1 });
    expect(await preview()).toBe(500);
    // A fault of what comes of an operation waits for one that has something come of it.
    wallet.faults.set({ name: 'webhookTwice', count: 1 });
    expect(await preview()).toBe(200);
    expect(wallet.faults.list()).toContainEqual(expect.objectContaining({ name: 'webhookTwice', met: 0 }));
  });
});

test('magic numbers are all different, and nobody’s', async () => {
  const status = async (phone: string) =>
    (await call(wallet, 'customerStatus', { PhoneNumber: phone })).body.data.status;
  const numbers = Object.values(MAGIC);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.map((phone) => msisdn(phone))).toEqual(numbers);
  expect(await Promise.all(numbers.map(status))).toEqual(numbers.map(() => 0));
});

// They follow from the names of operations, so a new one that moves money must be found here.
test('the operations that move money', () => {
  expect([...MONEY_OPERATIONS].sort()).toEqual([
    'captureCardPayment',
    'executeAgentCardCashIn',
    'executeAgentCashIn',
    'executeAgentCashOut',
    'executeBankTransfer',
    'executeBill',
    'executeCardCashIn',
    'executeCardPayment',
    'executeChargeback',
    'executeMerchantPayment',
    'executeNetworkCashIn',
    'executeNetworkCashOut',
    'executeQrPayment',
    'executeRefund',
    'executeSavedCardCashIn',
    'executeSavedCardPayment',
    'executeServiceVoucher',
    'executeTopUp',
    'executeTopUpB2b',
    'executeTransfer',
    'executeVoucher',
    'refundCardPayment',
    'reverseCardPayment',
  ]);
});
