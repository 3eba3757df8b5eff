import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownAddress } from '../../src/conversation/channel.ts';
import { sessionKey } from '../../src/conversation/session/sessions.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { nextRelease, thisRelease } from '../kit/release-trees.ts';
import { faultsOf, judge, report } from './town/oracle.ts';
import { type Balancer, type Instance, startBalancer, startInstance } from './versions-fleet.ts';
import { startLoad } from './versions-load.ts';

const LONG = process.env.LONG === '1';
const CUSTOMERS = LONG ? 40 : 4;
/** Transfers that are made while each mixture of processes serves. */
const PER_PHASE = LONG ? 400 : 2;
/** Processes of each release. */
const INSTANCES = 2;
const PIN = '1234';
const SECRET = 'a secret of the gateway';
const WEBHOOK_KEY = 'a webhook key of the battery';

let directory: string;
let redis: RedisServer;
let balancer: Balancer;
const running: Instance[] = [];

beforeEach(async () => {
  directory = newDirectory('versions');
  redis = await startRedis();
  balancer = await startBalancer();
});
afterEach(async () => {
  for (const instance of running.splice(0)) instance.kill();
  balancer.close();
  await redis.stop();
});

test('T12: a deploy and its rollback, one process after the other behind round robin, disturb no transfer', {
  timeout: LONG ? 3_600_000 : 900_000,
}, async () => {
  const startedAt = performance.now();
  const n = thisRelease(join(directory, 'n'));
  const next = nextRelease(n, join(directory, 'next'));
  const sandbox = createSandbox({ file: ':memory:', seed: 'versions', settings: { settleAfterMs: 200 } });
  const served = await sandbox.listen(0);
  sandbox.setWebhook(`${balancer.url}/webhooks/wallet`, WEBHOOK_KEY);
  const phones = Array.from({ length: CUSTOMERS }, (_, i) => {
    const phone = msisdn(`+2126${String(10_000_000 + i)}`);
    sandbox.addCustomer({
      phone,
      firstName: 'Test',
      lastName: 'Customer',
      level: 2,
      status: 3,
      pin: PIN,
      balance: centimes(10_000_00),
    });
    return phone;
  });
  const env = {
    REDIS_URL: redis.url,
    WALLET_URL: served.url,
    WALLET_API_KEY: sandbox.apiKey,
    SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
    WEBHOOK_KEYS: WEBHOOK_KEY,
    USSD_SECRETS: SECRET,
    CHANNELS: 'ussd',
    DEPLOY_WAIT_SECONDS: '2',
    // The balancer of this test takes a process out by itself, before it is told to end.
    DRAIN_MS: '0',
    NODE_COMPILE_CACHE: join(directory, 'cache'),
  };
  let behind = await Promise.all(Array.from({ length: INSTANCES }, () => start(n, env)));
  const load = startLoad(
    `${balancer.url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`,
    PIN,
    phones,
  );
  await load.more(PER_PHASE);
  for (const tree of [next, n]) {
    const after: Instance[] = [];
    for (const old of behind) {
      after.push(await start(tree, env));
      await load.more(PER_PHASE);
      await balancer.remove(old);
      await old.stop();
      await load.more(PER_PHASE);
    }
    behind = after;
  }
  await load.stop();
  const store = await openRedisStore({ url: redis.url });
  const verdict = await judge({ sandbox, store, wallets: phones });
  const sessions = await Promise.all(
    phones.map((phone) => store.read(partitionOf(phone), [sessionKey(ownAddress(phone))])),
  );
  await store.close();
  const { attempts, pages } = load;
  const done = new Set(verdict.executions.map(({ sender, amount }) => `${sender} ${amount}`));
  const completed = attempts.filter(({ phone, amount }) => done.has(`${phone} ${amount * 100}`));
  const asked = attempts.filter(({ keys }) => keys.includes('transfer.askReason'));
  report('T12 versions', {
    transfers: attempts.length,
    completed: completed.length,
    'on the newer chart': asked.length,
    pages: pages.length,
    'dialled again': attempts.reduce((sum, { redials }) => sum + redials, 0),
    'double payments': verdict.doublePayments,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  });
  const errors = running.map((instance) => instance.errors()).filter(Boolean);
  for (const instance of behind) await instance.stop();
  await served.close();
  await sandbox.close();
  expect({
    lost: attempts.flatMap(({ lost, keys }) => (lost === undefined ? [] : [`${lost} (${keys})`])).slice(0, 5),
    notTold: attempts.filter(({ isTold }) => !isTold).length,
    faults: faultsOf(verdict),
    errors: errors.slice(0, 3),
  }).toEqual({ lost: [], notTold: 0, faults: [], errors: [] });
  expect(completed).toHaveLength(attempts.length);
  // The older release has kept what only the newer one writes.
  expect(verdict.intents.filter(({ order }) => 'reason' in order)).toHaveLength(asked.length);
  expect(sessions.flat().map((doc) => doc?.value)).toEqual(
    phones.map(() => expect.stringContaining('"visits":')),
  );
  // Else nothing was rehearsed.
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(attempts.length);

  async function start(tree: string, env: Readonly<Record<string, string>>): Promise<Instance> {
    const instance = await startInstance(tree, { ...env, DATA_DIR: tree });
    running.push(instance);
    balancer.add(instance);
    return instance;
  }
});
