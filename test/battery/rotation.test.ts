import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackground } from '../../src/conversation/background.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Wasl } from '../../src/program.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';
import { ASKS_FROM_500_DH } from '../kit/first-payments.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { startWasl } from '../kit/start-wasl.ts';

/** Another `SECRETS_KEY`, as docs/operator/keys.md says it is brought in, while customers dial and webhooks wait. */
const OLD = 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra';
const NEW = 'Zt4vQm9Lw2Xc7Bn5Kd8Rf3Hs6Jp1Yg0A';
const RINGS = [`${OLD},${NEW}`, `${NEW},${OLD}`];
/** So many customers dial at the same time. */
const LINES = 12;
const DIAL: readonly (readonly [text: string, page: RegExp])[] = [
  ['', /العربية/],
  ['3', /1 Send/],
  ['3*1', /number/],
  ['3*1*0600000002', /Amount/],
  ['3*1*0600000002*1', /Sending MAD 1.00.*PIN/s],
  ['3*1*0600000002*1*1234', /sent|being processed/],
];
const WEBHOOKS = 50;
const WEBHOOK_KEY = 'a webhook key of the rotation';
const GATEWAY = 'a gateway secret of the rotation';
const directory = newDirectory('rotation');
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
});

test('a key is replaced in two processes under load, and no dial and no webhook is lost', async () => {
  const sandbox = createSandbox({ file: ':memory:', seed: 'tests', settings: { settleAfterMs: 50 } });

  const served = await sandbox.listen(0);
  const boot = (ring: string): Promise<Wasl> => {
    return startWasl({
      PORT: '0',
      DATA_DIR: directory,
      REDIS_URL: redis.url,
      WALLET_URL: served.url,
      WALLET_API_KEY: sandbox.apiKey,
      WEBHOOK_KEYS: WEBHOOK_KEY,
      SECRETS_KEY: ring,
      CHANNELS: 'ussd',
      USSD_SECRETS: GATEWAY,
      OUTCOME_WAIT_MS: '0',
      ...ASKS_FROM_500_DH,
      LOG_LEVEL: 'silent',
    });
  };
  const processes = await Promise.all([boot(OLD), boot(OLD)]);
  let turn = 0;
  const underway = new Map<Wasl, Set<Promise<unknown>>>();
  /** Posts to the next process, as a balancer without stickiness chooses it. */
  async function post(path: string, init: RequestInit): Promise<Response> {
    const wasl = processes[turn++ % processes.length] as Wasl;
    const headers = { ...init.headers, connection: 'close' };
    const answer = fetch(wasl.url + path, { ...init, method: 'POST', headers });
    const requests = underway.get(wasl) ?? new Set();
    underway.set(wasl, requests.add(answer));
    return answer.finally(() => requests.delete(answer));
  }

  // The wallet does not know these operations yet, so they wait.
  const hook = (url: string) => sandbox.setWebhook(`${url}/webhooks/wallet`, WEBHOOK_KEY);
  for (let n = 0; n < WEBHOOKS; n++) {
    const at = new Date().toISOString();
    const data = {
      EventId: 'transfer.received',
      WebhookId: `waits-${n}`,
      CRequestId: randomUUID(),
      OperationId: 900_000 + n,
      OperationType: 3,
      OperationStatus: 2,
      CreatedAt: at,
      ExecutedAt: at,
      Amount: 10,
      FeeAmount: 0,
      PrimaryAccountNumber: '+212600000002',
      SecondaryAccountNumber: '+212600000001',
    };
    const body = JSON.stringify({ data });
    const headers = { 'x-api-key': WEBHOOK_KEY };
    expect((await post('/webhooks/wallet', { body, headers })).status).toBe(200);
  }

  const strange: string[] = [];
  let transfers = 0;
  let isRotated = false;
  /** Somebody new dials and sends money. Every page must be the next one of that dial. */
  async function sendsMoney(phone: Msisdn): Promise<void> {
    sandbox.addCustomer({
      phone,
      firstName: 'Test',
      lastName: 'Customer',
      level: 2,
      status: 3,
      pin: '1234',
      balance: centimes(500_00),
    });
    for (const [text, expected] of DIAL) {
      const body = new URLSearchParams({ sessionId: phone, phoneNumber: phone, text });
      const path = `/ussd/africastalking?secret=${encodeURIComponent(GATEWAY)}`;
      const page = await (await post(path, { body })).text();
      if (!expected.test(page)) strange.push(`${text}: ${page}`);
    }
    transfers++;
  }
  const lines = Array.from({ length: LINES }, async (_, line) => {
    for (let n = 0; !isRotated; n++) await sendsMoney(msisdn(`+2126${70_000_000 + line * 100_000 + n}`));
  });
  for (const ring of RINGS)
    for (const i of processes.keys()) {
      // A rolling restart: the new process takes the place of the old one before that ends.
      const [old, next] = [processes[i] as Wasl, await boot(ring)];
      processes[i] = next;
      hook(next.url);
      await Promise.all(underway.get(old) ?? []);
      await old.close();
    }
  isRotated = true;
  await Promise.all(lines);
  expect(strange).toEqual([]);
  expect(transfers).toBeGreaterThan(LINES);
  expect(sandbox.executions()).toHaveLength(transfers);

  const store = await openRedisStore({ url: redis.url });
  const seen = createInbox({
    store,
    secrets: createSecrets(NEW, OLD),
    apply: async () => 'later',
    background: createBackground(() => {}),
    now: Date.now,
  });
  const waiting = (await seen.stuck()).filter(({ id }) => id.startsWith('waits-'));
  expect(waiting.map(({ state }) => state)).toEqual(Array.from({ length: WEBHOOKS }, () => 'waiting'));
  // Each can be opened, by what the last step leaves beside the old key.
  expect(waiting.every(({ operationId }) => operationId !== undefined)).toBe(true);
  await store.close();
  for (const each of processes) await each.close();
  await served.close();
  await sandbox.close();
});
