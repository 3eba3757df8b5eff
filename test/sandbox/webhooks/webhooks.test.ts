import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { nextAttemptAt } from '../../../src/sandbox/webhooks/webhooks.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import { HOUR_MS, MINUTE_MS } from '../../kit/durations.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { call, FATIMA, NOON, sandbox, transfer, YOUSSEF } from '../kit.ts';
import { receiver } from '../receiver.ts';

const send = (to: ReturnType<typeof sandbox>, recipient = YOUSSEF) =>
  call(to, 'executeTransfer', transfer(FATIMA, recipient, 200), { 'C-Request-Id': 'our-request' });

test('a settled transfer is told to the partner, with all fields of the contract', async () => {
  const partner = await receiver();
  const wallet = sandbox({ webhookUrl: partner.url, webhookKey: 'hook-key' });
  await send(wallet);
  await wallet.settle();
  expect(partner.received).toHaveLength(0);
  await wallet.clock.advance(1_200);

  const [event] = partner.received;
  expect(partner.received).toHaveLength(1);
  expect(event?.headers).toMatchObject({ 'content-type': 'application/json', 'x-api-key': 'hook-key' });
  expect(event?.headers['c-webhook-id']).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(event?.headers['user-agent']).toContain('Webhooks');
  expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
  expect(event?.data).toMatchObject({
    EventId: 'transfer.received',
    CRequestId: 'our-request',
    OperationId: 1,
    OperationType: 3,
    OperationStatus: 2,
    Amount: 200,
    FeeAmount: 2,
    PrimaryAccountNumber: FATIMA,
    SecondaryAccountNumber: YOUSSEF,
    CreatedAt: new Date(NOON).toISOString(),
    ExecutedAt: new Date(NOON + 1_200).toISOString(),
  });
  expect(wallet.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1, lastAnswer: '200' }]);
});

test('a failed transfer is told too', async () => {
  const partner = await receiver();
  const wallet = sandbox({ webhookUrl: partner.url });
  await send(wallet, MAGIC.failsLater);
  await wallet.clock.advance(1_200);
  expect(partner.received[0]?.data).toMatchObject({
    OperationStatus: 3,
    SecondaryAccountNumber: MAGIC.failsLater,
  });
});

test('tried again after 1, 5, 30 and 60 minutes, then every 6 hours, and given up after 72', async () => {
  const partner = await receiver(500);
  const wallet = sandbox({ webhookUrl: partner.url, settings: { settleAfterMs: 0 } });
  await send(wallet);
  await wallet.settle();
  expect(partner.received).toHaveLength(1);
  const waits = [1, 5, 30, 60].map((minutes) => minutes * MINUTE_MS);
  for (const [made, wait] of [...waits, 6 * HOUR_MS, 6 * HOUR_MS].entries()) {
    await wallet.clock.advance(wait - 1);
    expect(partner.received).toHaveLength(made + 1);
    await wallet.clock.advance(1);
    expect(partner.received).toHaveLength(made + 2);
  }
  expect(wallet.deliveries()).toMatchObject([{ state: 'due', lastAnswer: '500' }]);
  await wallet.clock.advance(72 * HOUR_MS);
  // 5 attempts in the first 96 minutes, then 11 more until 67.6 hours.
  expect(wallet.deliveries()).toMatchObject([{ state: 'dead', attempts: 16 }]);
  await wallet.clock.advance(72 * HOUR_MS);
  expect(partner.received).toHaveLength(16);
});

test('the schedule adds up to the documented one', () => {
  const attempts: number[] = [];
  for (let at: number | undefined = 0; at !== undefined; at = nextAttemptAt(attempts.length, 0, at))
    attempts.push(at);
  const minutes = attempts.map((at) => at / MINUTE_MS);
  expect(minutes.slice(0, 7)).toEqual([0, 1, 6, 36, 96, 96 + 360, 96 + 720]);
  expect(minutes.at(-1)).toBeLessThanOrEqual(72 * 60);
  expect((minutes.at(-1) ?? 0) + 360).toBeGreaterThan(72 * 60);
});

test('a retry is the same event in a new call, and the first 200 ends them', async () => {
  const partner = await receiver(503);
  const wallet = sandbox({ webhookUrl: partner.url, settings: { settleAfterMs: 0 } });
  await send(wallet);
  await wallet.settle();
  partner.answer(200);
  await wallet.clock.advance(72 * HOUR_MS);
  const [first, second] = partner.received;
  expect(partner.received).toHaveLength(2);
  expect(second?.text).toBe(first?.text);
  expect(second?.headers['c-webhook-id']).not.toBe(first?.headers['c-webhook-id']);
});

test.each([
  ['another success', 202, '202'],
  ['no content', 204, '204'],
  ['a redirect', 302, '302'],
  ['a business error', 400, '400'],
  ['silence', 0, 'timeout'],
])('%s does not end the retries', async (_, status, lastAnswer) => {
  const partner = await receiver(status);
  // The receiver is silent at the end: a busy machine needs some of the time to bring the event.
  const webhookTimeoutMs = status === 0 ? 1_000 : 5_000;
  const wallet = sandbox({ webhookUrl: partner.url, settings: { settleAfterMs: 0, webhookTimeoutMs } });
  await send(wallet);
  await wallet.settle();
  expect(wallet.deliveries()).toMatchObject([{ state: 'due', attempts: 1, lastAnswer }]);
  expect(partner.received).toHaveLength(1);
});

test('the event waits while nobody listens', async () => {
  const wallet = sandbox({ webhookUrl: 'http://127.0.0.1:9/', settings: { settleAfterMs: 0 } });
  await send(wallet);
  await wallet.settle();
  expect(wallet.deliveries()).toMatchObject([{ state: 'due', lastAnswer: 'unreachable' }]);
});

test('another address counts from the next event on', async () => {
  const [first, second] = [await receiver(), await receiver()];
  const wallet = sandbox({ settings: { settleAfterMs: 0 } });
  for (const set of [undefined, first, second]) {
    if (set) wallet.setWebhook(set.url, 'hook-key');
    await send(wallet);
    await wallet.settle();
  }
  expect([first, second].map(({ received }) => received.map(({ data }) => data.OperationId))).toEqual([
    [2],
    [3],
  ]);
});

test('an event outlives a restart', async () => {
  const folder = newDirectory();
  const options = { file: join(folder, 'sandbox.db'), clock: { now: () => NOON } };
  const partner = await receiver(500);
  const before = createSandbox({ ...options, webhookUrl: partner.url, settings: { settleAfterMs: 0 } });
  await send(before);
  await before.settle();
  await before.close();

  partner.answer(200);
  const after = sandbox(options);
  await after.clock.advance(MINUTE_MS);
  expect(partner.received).toHaveLength(2);
  expect(partner.received[1]?.text).toBe(partner.received[0]?.text);
});

test('over HTTP, time works by itself', async () => {
  const partner = await receiver();
  const wallet = createSandbox({ file: ':memory:', webhookUrl: partner.url, settings: { settleAfterMs: 5 } });
  const server = await wallet.listen(0);
  onTestFinished(async () => {
    await server.close();
    await wallet.close();
  });
  await send(wallet);
  await expect.poll(() => partner.received.length).toBe(1);
});
