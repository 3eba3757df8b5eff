import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { Case } from '../../src/conversation/cases/case.ts';
import { ownAddress } from '../../src/conversation/channel.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createAccess } from '../../src/support/access/access.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { newSecret } from '../../src/support/access/second-factor.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { query, startPostgres } from '../kit/postgres-server.ts';
import { startRedis } from '../kit/redis-server.ts';
import { nextRelease, thisRelease } from '../kit/release-trees.ts';
import { createBrowser } from '../support/office.ts';
import { report } from './town/oracle.ts';
import { type Instance, startBalancer, startInstance } from './versions-fleet.ts';

const LONG = process.env.LONG === '1';
/** Customers who ask for a person while each mixture of processes serves. */
const PER_PHASE = LONG ? 20 : 3;
/** Processes of each release. */
const INSTANCES = 2;
const SECRETS_KEY = 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra';
const SECRET = 'a secret of the gateway';
/** What comes of each case, in its order. */
const STEPS = ['opened', 'assigned', 'note', 'closed'];

test('T12: customers ask for a person and an agent helps, while a deploy and its rollback go on', {
  timeout: LONG ? 3_600_000 : 900_000,
}, async () => {
  const startedAt = performance.now();
  const { balancer, env, n, next, redisUrl, recordsUrl, joins } = await town();
  const running: Instance[] = [];
  onTestFinished(() => running.forEach((instance) => void instance.kill()));
  const start = async (tree: string) => {
    const instance = await startInstance(tree, { ...env, DATA_DIR: tree });
    running.push(instance);
    balancer.add(instance);
    return instance;
  };
  let behind = await Promise.all(Array.from({ length: INSTANCES }, () => start(n)));

  const store = await openRedisStore({ url: redisUrl });
  const records = openPostgresRecords(recordsUrl);
  onTestFinished(() => Promise.all([store.close(), records.close()]).then(() => {}));
  const agent = createBrowser(balancer.url, { ahead: 0, now: Date.now });
  const signIn = await signedIn(store, records);
  agent.cookies.set(signIn.name, signIn.value);

  const caseOf = (phone: Msisdn) =>
    records.cases.read((tx) => tx.about('asked', ownAddress(phone))) as Promise<Case | undefined>;
  const asked: { readonly phone: Msisdn; id: string }[] = [];
  const open: string[] = [];
  const refused: string[] = [];
  const does = async (id: string, act: string, fields = {}) => {
    const { status } = await agent.post(`/support/cases/${id}/${act}`, fields);
    if (status !== 303) refused.push(`${act}: ${status}`);
  };
  /** Customers ask, and the agent takes up what they ask. What was taken up before the last change of processes is closed. */
  const goesOn = async () => {
    expect(await agent.isIn()).toBe(true);
    const before = open.splice(0);
    const phones = Array.from({ length: PER_PHASE }, (_, i) => joins(asked.length + i));
    await Promise.all(phones.map((phone) => asksForPerson(balancer.url, phone)));
    for (const phone of phones) {
      await expect.poll(() => caseOf(phone), { timeout: 60_000 }).toBeDefined();
      const { id = '' } = (await caseOf(phone)) ?? {};
      asked.push({ phone, id });
      await does(id, 'take');
      await does(id, 'note', { text: `about ${phone}` });
      open.push(id);
    }
    for (const id of before) await does(id, 'close', { note: 'done' });
  };

  await goesOn();
  for (const tree of [next, n]) {
    const after: Instance[] = [];
    for (const old of behind) {
      after.push(await start(tree));
      await goesOn();
      await balancer.remove(old);
      await old.stop();
      await goesOn();
    }
    behind = after;
  }
  for (const id of open) await does(id, 'close', { note: 'done' });

  const cases = await Promise.all(
    asked.map(async ({ phone, id }) => ({ phone, it: await records.cases.read((tx) => tx.find(id)) })),
  );
  const stepsOf = (it?: Pick<Case, 'steps'>) => it?.steps.map(({ what }) => what);
  const wrong = cases.filter(({ it }) => JSON.stringify(stepsOf(it)) !== JSON.stringify(STEPS));
  const [rows] = await query(recordsUrl, 'SELECT count(*)::int AS cases FROM cases');
  const errors = running.map((instance) => instance.errors()).filter(Boolean);
  for (const instance of behind) await instance.stop();
  const audit = spawnSync(process.execPath, ['src/support/main.ts', 'verify-audit'], {
    cwd: n,
    env: { ...env, PATH: process.env.PATH },
    encoding: 'utf8',
  });
  report('T12 cases', { cases: cases.length, wrong: wrong.length, seconds: secondsSince(startedAt) });
  expect({ refused, errors: errors.slice(0, 3) }).toEqual({ refused: [], errors: [] });
  expect(wrong.map(({ phone, it }) => [phone, stepsOf(it)])).toEqual([]);
  expect(rows).toEqual({ cases: asked.length });
  expect([audit.status, audit.stderr]).toEqual([0, '']);
  expect(audit.stdout).toContain('The audit is whole');
});

/** Redis, PostgreSQL, a wallet with customers, and two releases. */
async function town() {
  const directory = newDirectory('versions');
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const balancer = await startBalancer();
  onTestFinished(() => balancer.close());
  const n = thisRelease(join(directory, 'n'));
  const sandbox = createSandbox({ file: ':memory:', seed: 'versions' });
  const served = await sandbox.listen(0);
  onTestFinished(() => served.close());
  return {
    balancer,
    n,
    next: nextRelease(n, join(directory, 'next')),
    redisUrl: redis.url,
    recordsUrl: postgres.url,
    joins(i: number): Msisdn {
      const phone = msisdn(`+2126${10_000_000 + i}`);
      const names = { firstName: 'Test', lastName: 'Customer' };
      sandbox.addCustomer({ phone, ...names, level: 2, status: 3, pin: '1234', balance: centimes(100_00) });
      return phone;
    },
    env: {
      REDIS_URL: redis.url,
      RECORDS_URL: postgres.url,
      WALLET_URL: served.url,
      WALLET_API_KEY: sandbox.apiKey,
      SECRETS_KEY,
      WEBHOOK_KEYS: 'a webhook key of the battery',
      USSD_SECRETS: SECRET,
      CHANNELS: 'ussd',
      SUPPORT: 'true',
      // The agent's browser speaks to the balancer without TLS.
      SECURE: 'false',
      DEPLOY_WAIT_SECONDS: '2',
      DRAIN_MS: '0',
      NODE_COMPILE_CACHE: join(directory, 'cache'),
    },
  };
}

/** The cookie of an agent. The sign-in itself has tests of its own. */
async function signedIn(
  store: Awaited<ReturnType<typeof openRedisStore>>,
  { settings, audit }: ReturnType<typeof openPostgresRecords>,
): Promise<{ readonly name: string; readonly value: string }> {
  const secrets = createSecrets(SECRETS_KEY);
  // The audit is older than any account.
  await createAudit(store, secrets, Date.now, audit).append({
    ...{ who: 'command', act: 'createAccount', on: 'nadia', end: 'done' },
  });
  const accounts = createAccounts({ store, settings, secrets, now: Date.now });
  expect(await accounts.create({ id: 'nadia', name: 'Nadia', role: 'supervisor' })).toMatchObject({
    ok: true,
  });
  await accounts.change('nadia', (account) => {
    if (!account) return 'notFound';
    const { setUp: _used, ...rest } = account;
    const secret = accounts.sealSecret('nadia', newSecret());
    return { ...rest, confirmed: true, password: 'not typed here', factor: { secret, usedTo: 0 } };
  });
  const access = createAccess({ store, accounts, secrets, now: Date.now, secure: false, sandbox: false });
  const door = new Hono().get('/', async (c) => {
    (await access.enter('nadia', (account) => account ?? 'notFound'))?.give(c);
    return c.text('in');
  });
  const given = (await door.request('/')).headers.getSetCookie().join();
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
  return { name, value };
}

/** Somebody dials, and asks for a person in the help. */
async function asksForPerson(url: string, phoneNumber: Msisdn): Promise<void> {
  const door = `${url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`;
  const sessionId = randomUUID();
  const seen: string[] = [];
  // French is chosen. The third entry of the help is an adviser, who need not be told what it is about.
  for (const text of ['', '1', '1*99', '1*99*3', '1*99*3*1']) {
    const body = new URLSearchParams({ sessionId, phoneNumber, text });
    const response = await fetch(door, { method: 'POST', body });
    seen.push(response.headers.get('at-ussd-hop-metadata') ?? `${response.status}`);
  }
  expect(seen, seen.join(' ')).toContain('help.asked');
}

function secondsSince(at: number): number {
  return Math.round((performance.now() - at) / 1_000);
}
