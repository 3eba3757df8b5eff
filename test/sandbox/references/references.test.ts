import { describe, expect, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  MEHDI_NEARLY_FULL,
  NADIA_LOCKED,
  NOBODY,
  NOON,
  newcomer,
  OMAR_NOT_CONFIRMED,
  request,
  SALMA_WITHOUT_PIN,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

const AGENT = 'RA-2001';
const HOUR_MS = 60 * 60_000;
type Way = 'CashIn' | 'CashOut';
const BOTH: readonly Way[] = ['CashIn', 'CashOut'];
const NOW = new Date(NOON).toISOString();

const billReference = async (wallet: Sandbox, more: object = {}): Promise<string> =>
  (await call(wallet, 'requestBillNetworkCashIn', { PhoneNumber: FATIMA, Amount: 100, ...more })).body.data
    .reference;
const look = (wallet: Sandbox, way: Way, Reference: string) =>
  call(wallet, `read${way}Request`, { Reference });
const atNetwork = (wallet: Sandbox, way: Way, reference: string, more: object = {}) =>
  call(wallet, `executeNetwork${way}`, { reference, ...more }, { 'C-Request-Id': 'ours' });
const atAgent = (wallet: Sandbox, way: Way, Reference: string, Code = AGENT) =>
  call(wallet, `executeAgent${way}`, { Code, Reference });

describe('a request', () => {
  test.each([
    ['CashIn', 1],
    ['CashOut', 2],
  ] as const)('for %s gives a numeric reference and moves nothing', async (way, type) => {
    const { body } = await call(wallet, `request${way}`, { PhoneNumber: FATIMA, Amount: 100.5 });
    const { reference } = body.data;
    expect(body.data).toEqual({
      createdAt: NOW,
      closedAt: null,
      reference: expect.stringMatching(/^\d{12}$/),
      phoneNumber: FATIMA,
      operationType: type,
      operationStatus: 1,
      amount: 100.5,
    });
    expect((await look(wallet, way, reference)).body.data).toEqual({
      reference,
      createdAt: NOW,
      executedAt: null,
      phoneNumber: FATIMA,
      amount: 100.5,
      partner: 'Partner 1',
      status: 1,
      type,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
    expect(await request(wallet, way)).not.toBe(reference);
  });

  test('at the bill network has a prefix, and the cash-in lookup finds it', async () => {
    const order = { PhoneNumber: FATIMA, Amount: 100, Description: 'Recharge du compte', FeesPercent: 1.5 };
    const { body } = await call(wallet, 'requestBillNetworkCashIn', order);
    expect(body.data).toEqual({
      reference: expect.stringMatching(/^BILLREF-\d{12}$/),
      createdAt: NOW,
      executedAt: null,
      phoneNumber: FATIMA,
      code: null,
      amount: 100,
      description: 'Recharge du compte',
      status: 1,
      type: 1,
    });
    const found = await look(wallet, 'CashIn', body.data.reference);
    expect(found.body.data).toEqual({ ...body.data, partner: 'Partner 1' });
  });

  test.each<[string, 'requestCashIn' | 'requestCashOut' | 'requestBillNetworkCashIn', object, ErrorName]>([
    ['in for nobody', 'requestCashIn', { PhoneNumber: NOBODY }, 'customerNotFound'],
    ['out for nobody', 'requestCashOut', { PhoneNumber: NOBODY }, 'customerNotFound'],
    [
      'in for an unconfirmed customer',
      'requestCashIn',
      { PhoneNumber: OMAR_NOT_CONFIRMED },
      'recipientUnavailable',
    ],
    ['in for a locked customer', 'requestCashIn', { PhoneNumber: NADIA_LOCKED }, 'recipientUnavailable'],
    ['out for a locked customer', 'requestCashOut', { PhoneNumber: NADIA_LOCKED }, 'locked'],
    ['out without a PIN', 'requestCashOut', { PhoneNumber: SALMA_WITHOUT_PIN }, 'pinNotCreated'],
    ['in over the limit', 'requestCashIn', { PhoneNumber: MEHDI_NEARLY_FULL }, 'recipientLimit'],
    ['out of what is not there', 'requestCashOut', { Amount: 3500.01 }, 'insufficientFunds'],
    ['nothing', 'requestCashIn', { Amount: 0 }, 'amountInvalid'],
    ['less than nothing', 'requestCashOut', { Amount: -5 }, 'amountInvalid'],
    ['a tenth of a centime', 'requestBillNetworkCashIn', { Amount: 1.001 }, 'amountInvalid'],
    ['a national number', 'requestCashIn', { PhoneNumber: '0600000001' }, 'phoneInvalid'],
    ['neither number nor code', 'requestBillNetworkCashIn', { PhoneNumber: undefined }, 'missingParameters'],
    ['number and code', 'requestBillNetworkCashIn', { Code: PRINCIPAL_AGENT.code }, 'parameterInvalid'],
    ['a retail agent', 'requestBillNetworkCashIn', { PhoneNumber: undefined, Code: AGENT }, 'agentUnknown'],
    ['fees of more than all', 'requestBillNetworkCashIn', { FeesPercent: 101 }, 'parameterInvalid'],
  ])('refused: %s', async (_, name, more, error) => {
    const given = { PhoneNumber: FATIMA, Amount: 100, ...more };
    expect(await call(sandbox(), name, given)).toMatchObject(errorOf(error));
  });
});

describe('the network', () => {
  test.each([
    ['CashIn', 3600, -100_00],
    ['CashOut', 3400, 100_00],
  ] as const)('executes a %s at once and for good', async (way, balance, cash) => {
    const reference = await request(wallet, way);
    const { status, body } = await atNetwork(wallet, way, reference, { entity: 'Comptoir 7' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          reference,
          entity: 'Comptoir 7',
          createdAt: NOW,
          executedAt: NOW,
          phoneNumber: FATIMA,
          amount: 100,
          description: null,
          partner: 'Partner 1',
        },
      },
    });
    expect((await look(wallet, way, reference)).body.data).toMatchObject({ status: 2, executedAt: NOW });
    expect(await balanceOf(wallet, FATIMA)).toBe(balance);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { cash, transit: 0 } });
  });

  test('answers the same with its context', async () => {
    const reference = await request(wallet, 'CashIn');
    expect((await atNetwork(wallet, 'CashIn', reference, { withContext: true })).status).toBe(200);
    const odd = await atNetwork(wallet, 'CashIn', reference, { withContext: 'perhaps' });
    expect(odd).toMatchObject(errorOf('parameterInvalid'));
  });

  test.each([
    ['CashIn', 'cashin.network.executed', 1, FATIMA],
    ['CashOut', 'cashout.network.executed', 2, null],
  ] as const)('sends a webhook for a %s: %s', async (way, kind, type, second) => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    const reference = await request(wallet, way);
    await atNetwork(wallet, way, reference, { entity: 'Comptoir 7' });
    await wallet.settle();
    const [event, ...more] = partner.received;
    expect(more).toEqual([]);
    expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
    expect(event?.data).toMatchObject({
      EventId: kind,
      CRequestId: 'ours',
      OperationType: type,
      OperationStatus: 2,
      Amount: 100,
      FeeAmount: 0,
      PrimaryAccountNumber: FATIMA,
      SecondaryAccountNumber: second,
      Method: 'Network',
      NetworkName: 'Comptoir 7',
      Reference: reference,
    });
  });

  test('takes the fees of a bill-network reference from the payer', async () => {
    const reference = await billReference(wallet, { FeesPercent: 1.5 });
    await atNetwork(wallet, 'CashIn', reference);
    expect(await balanceOf(wallet, FATIMA)).toBe(3600);
    expect(wallet.checkLedger().totals).toMatchObject({ cash: -101_50, fees: 1_50 });
  });

  test('pays in to a principal agent by its code', async () => {
    const before = wallet.float();
    const reference = await billReference(wallet, { PhoneNumber: undefined, Code: PRINCIPAL_AGENT.code });
    const { body } = await atNetwork(wallet, 'CashIn', reference);
    expect(body.data).toMatchObject({ phoneNumber: null });
    expect((await look(wallet, 'CashIn', reference)).body.data).toMatchObject({ code: PRINCIPAL_AGENT.code });
    expect(wallet.float()).toBe(before + 100_00);
  });
});

describe('an agent', () => {
  test.each([
    ['CashIn', 3600],
    ['CashOut', 3400],
  ] as const)('executes a %s with its own float, and nobody is told', async (way, balance) => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    const reference = await request(wallet, way);
    const { body } = await atAgent(wallet, way, reference);
    expect(body.data).toMatchObject({ reference, operationStatus: 2, closedAt: NOW, phoneNumber: FATIMA });
    expect(await balanceOf(wallet, FATIMA)).toBe(balance);
    await wallet.settle();
    expect(partner.received).toEqual([]);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0, cash: 0 } });
  });

  test('cannot pay in more than it has', async () => {
    wallet.setFloat(99_99 as never);
    const reference = await request(wallet, 'CashIn');
    expect(await atAgent(wallet, 'CashIn', reference, PRINCIPAL_AGENT.code)).toMatchObject(
      errorOf('insufficientFunds'),
    );
    expect((await look(wallet, 'CashIn', reference)).body.data.status).toBe(1);
  });
});

describe.each(BOTH)('a reference for %s', (way) => {
  const other = way === 'CashIn' ? 'CashOut' : 'CashIn';

  test('is executed once', async () => {
    const reference = await request(wallet, way);
    await atNetwork(wallet, way, reference);
    expect(await atNetwork(wallet, way, reference)).toMatchObject(errorOf('referenceUsed'));
    expect(await atAgent(wallet, way, reference)).toMatchObject(errorOf('referenceUsed'));
    expect(wallet.executions()).toHaveLength(1);
  });

  test('expires after 48 hours', async () => {
    const reference = await request(wallet, way);
    await wallet.clock.advance(48 * HOUR_MS - 1);
    expect((await look(wallet, way, reference)).body.data).toMatchObject({ status: 1 });
    await wallet.clock.advance(1);
    expect((await look(wallet, way, reference)).body.data).toMatchObject({ status: 3, executedAt: null });
    expect(await atNetwork(wallet, way, reference)).toMatchObject(errorOf('referenceExpired'));
    expect(await atAgent(wallet, way, reference)).toMatchObject(errorOf('referenceExpired'));
  });

  test('expires as the settings say', async () => {
    wallet.setSettings({ referenceValidMs: HOUR_MS });
    const reference = await request(wallet, way);
    await wallet.clock.advance(HOUR_MS);
    expect(await atNetwork(wallet, way, reference)).toMatchObject(errorOf('referenceExpired'));
  });

  test('is good for that only, and for its partner only', async () => {
    const wallet = sandbox({ partners: [{ apiKey: 'other-key', scopes: '*' }] });
    const reference = await request(wallet, way);
    const unknown = errorOf('referenceUnknown');
    expect(await atNetwork(wallet, other, reference)).toMatchObject(unknown);
    expect(await look(wallet, other, reference)).toMatchObject(unknown);
    expect(await atNetwork(wallet, way, '000000000000')).toMatchObject(unknown);
    expect(await atAgent(wallet, way, reference, 'RA-1')).toMatchObject(errorOf('agentUnknown'));
    const theirs = await call(
      wallet,
      `read${way}Request`,
      { Reference: reference },
      { 'Svc-Api-Key': 'other-key' },
    );
    expect(theirs).toMatchObject(unknown);
  });
});

test('an agent does not take a reference of the bill network', async () => {
  expect(await atAgent(wallet, 'CashIn', await billReference(wallet))).toMatchObject(
    errorOf('referenceUnknown'),
  );
});

test('stays open when the balance or room of the request is gone at the counter', async () => {
  const out = await request(wallet, 'CashOut', 1000, YOUSSEF);
  const into = await request(wallet, 'CashIn', 500, FATIMA);
  await call(wallet, 'executeTransfer', transfer(YOUSSEF, FATIMA, 300));
  expect(await atNetwork(wallet, 'CashOut', out)).toMatchObject(errorOf('insufficientFunds'));
  expect(await atNetwork(wallet, 'CashIn', into)).toMatchObject(errorOf('recipientLimit'));
  expect((await look(wallet, 'CashOut', out)).body.data.status).toBe(1);
  expect((await look(wallet, 'CashIn', into)).body.data.status).toBe(1);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test('a fault that keeps one open, or undoes it, is visible in it', async () => {
  wallet.faults.set({ name: 'reversal', operation: 'executeNetworkCashIn' });
  const reference = await request(wallet, 'CashIn');
  await atNetwork(wallet, 'CashIn', reference);
  await wallet.clock.advance(5_000);
  expect((await look(wallet, 'CashIn', reference)).body.data.status).toBe(4);
  expect(await balanceOf(wallet, FATIMA)).toBe(3500);
  expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { cash: 0 } });
});

test('lists of operations find cash by its method', async () => {
  await atNetwork(wallet, 'CashIn', await request(wallet, 'CashIn'));
  await atAgent(wallet, 'CashOut', await request(wallet, 'CashOut'));
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10));
  const listed = async (method: string) =>
    (await call(wallet, 'listAllOperations', { method })).body.data.collection;
  expect(await listed('Network')).toMatchObject([{ operationType: 1, sens: 1, receiver: FATIMA }]);
  expect(await listed('agent')).toMatchObject([
    { operationType: 2, sens: 2, sender: FATIMA, receiver: AGENT },
  ]);
  expect(await listed('Card')).toEqual([]);
});

test.each(BOTH)(
  'a reference for %s ends with its wallet, and the next owner of that number is not touched',
  async (way) => {
    const phone = '+212611111111';
    wallet.addCustomer(newcomer(phone, 100));
    const old = await request(wallet, way, 50, phone);
    const bill = await billReference(wallet, { PhoneNumber: phone });
    await call(wallet, 'executeTransfer', transfer(phone, YOUSSEF, 100));
    await wallet.clock.advance(HOUR_MS);
    expect((await call(wallet, 'unregisterCustomer', { PhoneNumber: phone, Reason: 5 })).status).toBe(200);
    wallet.addCustomer(newcomer(phone, 80));
    expect(await atNetwork(wallet, way, old)).toMatchObject(errorOf('referenceExpired'));
    expect(await atAgent(wallet, way, old)).toMatchObject(errorOf('referenceExpired'));
    expect(await atNetwork(wallet, 'CashIn', bill)).toMatchObject(errorOf('referenceExpired'));
    expect((await look(wallet, way, old)).body.data).toMatchObject({ status: 3, executedAt: null });
    expect(await balanceOf(wallet, phone)).toBe(80);
    expect((await atNetwork(wallet, way, await request(wallet, way, 50, phone))).status).toBe(200);
  },
);
