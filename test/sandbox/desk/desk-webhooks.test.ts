import { expect, test } from 'vitest';
import { call, FATIMA, NOON, sandbox, transfer, YOUSSEF } from '../kit.ts';
import { receiver } from '../receiver.ts';
import { admin } from './desk-kit.ts';

const HOUR_MS = 3_600_000;

/** A partner who has just heard of a transfer, or not: as its endpoint answers. */
async function told(status = 200) {
  const partner = await receiver(status);
  const wallet = sandbox({ webhookUrl: partner.url, webhookKey: 'hook-key' });
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
  await wallet.clock.advance(1_200);
  return { wallet, partner, ask: admin(wallet) };
}

test('sent again: the same body once more, with a new C-Webhook-Id', async () => {
  const { wallet, partner, ask } = await told();
  expect((await ask('POST /webhooks/1', { act: 'resend' })).body).toMatchObject({
    state: 'due',
    dueAt: NOON + 1_200,
  });
  await wallet.settle();
  const [first, second] = partner.received;
  expect(partner.received).toHaveLength(2);
  expect(second?.text).toBe(first?.text);
  expect(second?.headers['x-api-key']).toBe('hook-key');
  expect(second?.headers['c-webhook-id']).not.toBe(first?.headers['c-webhook-id']);
  expect((await ask('GET /webhooks/1')).body).toMatchObject({
    state: 'delivered',
    attempts: 2,
    tries: [
      { at: NOON + 1_200, answer: '200' },
      { at: NOON + 1_200, answer: '200' },
    ],
  });
});

test('an abandoned one is sent again', async () => {
  const { wallet, partner, ask } = await told(500);
  await wallet.clock.advance(73 * HOUR_MS);
  const before = (await ask('GET /webhooks/1')).body;
  expect(before.state).toBe('dead');
  expect(before.tries).toHaveLength(before.attempts);
  partner.answer(200);
  await ask('POST /webhooks/1', { act: 'resend' });
  await wallet.settle();
  expect((await ask('GET /webhooks/1')).body).toMatchObject({
    state: 'delivered',
    attempts: before.attempts + 1,
  });
});

test('duplicated: a second event with the same WebhookId', async () => {
  const { wallet, partner, ask } = await told();
  expect((await ask('POST /webhooks/1', { act: 'duplicate' })).body).toMatchObject({
    id: 2,
    attempts: 0,
    state: 'due',
  });
  await wallet.settle();
  expect(partner.received.map(({ data }) => data.WebhookId)).toEqual(
    Array(2).fill(partner.received[0]?.data.WebhookId),
  );
  expect((await ask('GET /webhooks')).body.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
});

test('delayed: it comes so much later', async () => {
  const { wallet, partner, ask } = await told(500);
  const { dueAt } = (await ask('GET /webhooks/1')).body;
  expect((await ask('POST /webhooks/1', { act: 'delay', ms: HOUR_MS })).body.dueAt).toBe(dueAt + HOUR_MS);
  await wallet.clock.advance(HOUR_MS);
  expect(partner.received).toHaveLength(1);
  await wallet.clock.advance(60_000);
  expect(partner.received).toHaveLength(2);
});

test('dropped: it never comes', async () => {
  const { wallet, partner, ask } = await told(500);
  expect((await ask('POST /webhooks/1', { act: 'drop' })).body).toMatchObject({
    state: 'dead',
    lastAnswer: 'dropped',
  });
  await wallet.clock.advance(72 * HOUR_MS);
  expect(partner.received).toHaveLength(1);
});

/** A webhook whose receiver has it, and does not answer. */
async function onItsWay() {
  const partner = await receiver(0);
  const wallet = sandbox({
    webhookUrl: partner.url,
    settings: { settleAfterMs: 0, webhookTimeoutMs: 1_000 },
  });
  const ask = admin(wallet);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
  const settled = wallet.settle();
  await expect.poll(() => partner.received.length).toBe(1);
  return { partner, wallet, ask, settled };
}

test('dropped while it is on its way: it is not tried again', async () => {
  const { ask, settled } = await onItsWay();
  await ask('POST /webhooks/1', { act: 'drop' });
  await settled;
  expect((await ask('GET /webhooks/1')).body).toMatchObject({
    state: 'dead',
    tries: [{ answer: 'timeout' }],
  });
});

test('on its way during a reset, it does not change the event with its number afterwards', async () => {
  const { partner, wallet, ask, settled } = await onItsWay();
  await ask('POST /reset', { seed: 'test' });
  partner.answer(200);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
  await settled;
  expect((await ask('GET /webhooks/1')).body).toMatchObject({
    state: 'delivered',
    tries: [{ answer: '200' }],
  });
});

test.each([{ act: 'delay', ms: 5 }, { act: 'drop' }])('%j does nothing to a delivered one', async (order) => {
  const { ask } = await told();
  const before = (await ask('GET /webhooks/1')).body;
  expect((await ask('POST /webhooks/1', order)).status).toBe(409);
  expect((await ask('GET /webhooks/1')).body).toEqual(before);
});

test.each([
  {},
  { act: 'burn' },
  { act: 'delay' },
  { act: 'delay', ms: 0 },
  { act: 'delay', ms: '5' },
  { act: 'drop', ms: 1 },
])('%j is no act', async (order) => {
  const { ask } = await told();
  expect((await ask('POST /webhooks/1', order)).status).toBe(400);
});

test('forged: with a forger’s key, once, and no money has moved', async () => {
  const { wallet, partner, ask } = await told();
  const ledger = wallet.checkLedger();
  partner.answer(401);
  const order = { event: 'transfer.received', properties: { Amount: 5000, SecondaryAccountNumber: FATIMA } };
  expect((await ask('POST /webhooks', order)).status).toBe(201);
  await wallet.clock.advance(72 * HOUR_MS);
  const [, forged, ...more] = partner.received;
  expect(more).toEqual([]);
  expect(forged?.headers['x-api-key']).toBe('the-key-of-a-forger');
  expect(forged?.data).toMatchObject({ EventId: 'transfer.received', Amount: 5000, OperationStatus: 2 });
  expect((await ask('GET /webhooks/2')).body).toMatchObject({ state: 'dead', lastAnswer: '401' });
  expect(wallet.checkLedger()).toEqual(ledger);
});

test('forged with the leaked key, and with an invented one', async () => {
  const { wallet, partner, ask } = await told();
  await ask('POST /webhooks', { event: 'payment.failed', key: null });
  await ask('POST /webhooks', { event: 'payment.failed', key: 'yesterdays-key' });
  await wallet.settle();
  expect(partner.received.slice(1).map(({ headers }) => headers['x-api-key'])).toEqual([
    'hook-key',
    'yesterdays-key',
  ]);
});
