import { expect, onTestFinished, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { ok } from './answering.ts';

const FATIMA = msisdn('0600000001');
const YOUSSEF = msisdn('0600000002');
const NEWCOMER = msisdn('0612345678');
const yes = ok(true);

async function served(options: Partial<SandboxOptions> = {}) {
  const sandbox = createSandbox({ file: ':memory:', seed: 'client', ...options });
  const server = await sandbox.listen(0);
  onTestFinished(async () => {
    await server.close();
    await sandbox.close();
  });
  return { sandbox, wallet: createWallet({ url: server.url, apiKey: sandbox.apiKey }) };
}

test('a customer’s life: register, confirm, PIN, login, change, reset, close', async () => {
  const { sandbox, wallet } = await served();
  const phone = NEWCOMER;
  const otp = () => /\d{3}-\d{3}/.exec(sandbox.sms(phone).at(-1)?.text ?? '')?.[0] ?? '';
  expect(await wallet.customerStatus(phone)).toEqual(ok({ status: 0 }));
  expect(
    await wallet.register({ phone, firstName: 'Ali', lastName: 'Bennani', cin: 'AB12345', walletType: 'P' }),
  ).toEqual(yes);
  expect(await wallet.resendOtp(phone)).toEqual(yes);
  expect(await wallet.confirm({ phone, code: otp() })).toEqual(yes);
  expect(await wallet.createPin({ phone, pin: '1111' })).toEqual(yes);
  expect(await wallet.login({ phone, pin: '2222' })).toMatchObject({
    kind: 'refused',
    code: '26001',
    remainingAttempts: 2,
  });
  expect(await wallet.login({ phone, pin: '1111' })).toEqual(yes);
  expect(await wallet.changePin({ phone, oldPin: '1111', newPin: '3333' })).toEqual(yes);
  await wallet.resendOtp(phone);
  expect(await wallet.resetPin({ phone, otp: otp(), pin: '4444' })).toEqual(yes);
  expect(await wallet.isDefaultWallet(phone)).toEqual(yes);
  expect(await wallet.profile(phone)).toMatchObject(
    ok({
      fullName: 'Ali Bennani',
      phone,
      balance: 0,
      level: 1,
      status: 3,
      rib: expect.stringMatching(/^\d{24}$/),
    }),
  );
  expect(await wallet.unregister({ phone, reason: 3 })).toEqual(yes);
  expect(await wallet.customerStatus(phone)).toEqual(ok({ status: 0 }));
});

test('a transfer: preview, execution, list, by id, balance', async () => {
  const { sandbox, wallet } = await served();
  const order = { from: FATIMA, to: YOUSSEF, amount: centimes(200_50), reason: 'test' };
  expect(await wallet.previewTransfer(order)).toEqual(ok({ fees: 2_00, total: 202_50, openLoop: false }));
  expect(await wallet.transfer(order, { requestId: 'r' })).toEqual(
    ok({ operationId: 1, status: 1, fees: 2_00 }),
  );
  expect(await wallet.balance(FATIMA)).toEqual(ok(3_500_00 - 202_50));
  await sandbox.clock.advance(1_200);
  const operation = {
    id: 1,
    type: 3,
    status: 2,
    direction: 2,
    amount: 200_50,
    fees: 2_00,
    total: 202_50,
    sender: FATIMA,
    receiver: YOUSSEF,
  };
  expect(await wallet.operation(FATIMA, 1)).toMatchObject(ok(operation));
  expect(
    await wallet.operations(FATIMA, { types: [3], direction: 2, status: 2, from: new Date(0), pageSize: 5 }),
  ).toMatchObject(ok({ count: 1, operations: [operation] }));
});

test('the answer is lost after the execution: unknown, and the money has moved once', async () => {
  const { sandbox, wallet } = await served({ settings: { settleAfterMs: 0 } });
  const order = { from: FATIMA, to: msisdn(MAGIC.answerLost), amount: centimes(50_00), reason: 'test' };
  expect(await wallet.transfer(order, { requestId: 'r' })).toMatchObject({ kind: 'unknown' });
  expect(await wallet.operations(FATIMA)).toMatchObject(ok({ count: 1 }));
  expect(sandbox.checkLedger().balanced).toBe(true);
});

test('in process, without a network', async () => {
  const sandbox = createSandbox({ file: ':memory:' });
  onTestFinished(() => sandbox.close());
  const fetch: typeof globalThis.fetch = async (input, init) => sandbox.app.fetch(new Request(input, init));
  const wallet = createWallet({ url: 'http://sandbox', apiKey: sandbox.apiKey, fetch });
  expect(await wallet.balance(FATIMA)).toEqual(ok(3_500_00));
  expect(await wallet.login({ phone: FATIMA, pin: '1234' })).toEqual(yes);
});

test('a wrong key is refused, not unknown', async () => {
  const { sandbox } = await served();
  const server = await sandbox.listen(0);
  onTestFinished(server.close);
  const wallet = createWallet({ url: server.url, apiKey: 'wrong' });
  expect(await wallet.balance(FATIMA)).toEqual({
    kind: 'refused',
    code: 'http401',
    description: 'API key not authorized',
  });
});
