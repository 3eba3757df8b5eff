import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OWN_RELEASE } from '../src/conversation/chart/releases.ts';
import type { Wasl } from '../src/program.ts';
import { openPostgresRecords } from '../src/records/postgres.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { partitionOf } from '../src/store/partition.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { consoleAddress } from '../src/support/access/console-address.ts';
import { freePort } from './kit/free-port.ts';
import { newDirectory } from './kit/new-directory.ts';
import { startPostgres } from './kit/postgres-server.ts';
import { startRedis } from './kit/redis-server.ts';
import { startWasl } from './kit/start-wasl.ts';

const SECRET = 'a secret of the gateway';

/** A Redis, and processes of Wasl on it. */
async function town() {
  const directory = newDirectory('roles');
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const sandbox = createSandbox({ file: join(directory, 'sandbox.db') });
  const wallet = await sandbox.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    await wallet.close();
    await sandbox.close();
  });
  const launch = async (ROLES: string, METRICS_PORT = '0') => {
    const wasl = await startWasl({
      PORT: '0',
      METRICS_PORT,
      ROLES,
      REDIS_URL: redis.url,
      RECORDS_URL: postgres.url,
      WALLET_URL: wallet.url,
      WALLET_API_KEY: sandbox.apiKey,
      WEBHOOK_KEYS: 'a webhook key of this test',
      SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
      USSD_SECRETS: SECRET,
      SUPPORT: 'true',
      LOG_LEVEL: 'silent',
    });
    onTestFinished(() => wasl.close());
    return wasl;
  };
  const dial = async ({ url }: Wasl) => {
    const body = new URLSearchParams({ sessionId: 'one', phoneNumber: '+212600000001', text: '' });
    return fetch(`${url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`, { method: 'POST', body });
  };
  return { redis, postgres, launch, dial };
}

test('a process whose store is away shows it on /ready, and goes on telling customers so', async () => {
  const { redis, launch, dial } = await town();
  const doors = await launch('doors');
  const ready = async () => {
    const answer = await fetch(`${doors.url}/ready`);
    return [answer.status, ((await answer.json()) as { store: boolean }).store];
  };
  expect(await ready()).toEqual([200, true]);
  await redis.kill();
  await expect.poll(ready).toEqual([200, false]);
  const answer = await dial(doors);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^END .*service/s)]);
});

test('a process that waits for conversations of another release says so and serves its metrics', async () => {
  const { redis, launch } = await town();
  const store = await openRedisStore({ url: redis.url });
  onTestFinished(() => store.close());
  const newer = {
    release: 'b',
    charts: ['b', OWN_RELEASE],
    words: ['b', OWN_RELEASE],
    begins: 'b',
    beat: 1,
    steps: {},
  };
  const value = JSON.stringify({ processes: { newer }, releases: [] });
  await store.commit(partitionOf('fleet'), { writes: [{ key: 'fleet', version: 0, value }] });
  const port = await freePort();
  const waits = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return /^wasl_waits_for_release (\d)$/m.exec(text)?.[1];
  };
  // Once that process has said nothing for a while, it is gone.
  const opened = launch('doors', `${port}`);
  await expect.poll(() => waits().catch(() => 'closed')).toBe('1');
  await opened;
  expect(await waits()).toBe('0');
});

test('doors, worker and console are three processes, each does its part, and together they are one', async () => {
  const { postgres, launch, dial } = await town();
  const [doors, worker, console] = [await launch('doors'), await launch('worker'), await launch('console')];

  const status = async ({ url }: Wasl, path: string) => (await fetch(url + path)).status;
  const statuses = async (wasl: Wasl) => [
    (await dial(wasl)).status,
    await status(wasl, '/chat'),
    await status(wasl, '/support/sign-in'),
    await status(wasl, '/ready'),
    await status(wasl, '/health'),
  ];
  expect(await statuses(doors)).toEqual([200, 200, 404, 200, 200]);
  expect(await statuses(worker)).toEqual([404, 404, 404, 200, 200]);
  expect(await statuses(console)).toEqual([404, 404, 200, 200, 200]);

  const records = openPostgresRecords(postgres.url);
  onTestFinished(() => records.close());
  expect(await consoleAddress(records.settings), 'links of other processes lead there').toBe(console.url);

  const lagsSeen = async ({ metricsUrl }: Wasl) =>
    /^wasl_worker_lag_seconds_count (\d+)$/m.exec(await (await fetch(`${metricsUrl}/metrics`)).text())?.[1];
  // Every few seconds once more: the first one may be long ago.
  await expect.poll(() => lagsSeen(worker)).toMatch(/^[1-9]/);
  expect([await lagsSeen(doors), await lagsSeen(console)]).toEqual(['0', '0']);
});
