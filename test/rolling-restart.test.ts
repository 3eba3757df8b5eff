import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { API_KEY_DEFAULT } from '../src/sandbox/sandbox.ts';
import { startBalancer } from './kit/balancer.ts';
import { ASKS_FROM_500_DH } from './kit/first-payments.ts';
import { newDirectory } from './kit/new-directory.ts';
import { startProgram } from './kit/program.ts';
import { startRedis } from './kit/redis-server.ts';

/** Customers who dial all the time, one after the other each. */
const LANES = 6;
const SECRET = 'a secret of the gateway';

test('processes are replaced one after the other behind a plain balancer, and no gateway sees an error', async () => {
  const directory = newDirectory('rolling');
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const sandbox = await startProgram('src/sandbox/main.ts', { DATA_DIR: directory, SANDBOX_PORT: '0' });
  onTestFinished(() => sandbox.stop());
  const launch = async () => {
    const wasl = await startProgram('src/main.ts', {
      PORT: '0',
      DATA_DIR: directory,
      REDIS_URL: redis.url,
      WALLET_URL: sandbox.url,
      WALLET_API_KEY: API_KEY_DEFAULT,
      WEBHOOK_KEYS: 'a webhook key of this test',
      SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
      CHANNELS: 'ussd',
      USSD_SECRETS: SECRET,
      LOG_LEVEL: 'silent',
      // So long the balancer has for its two looks, also where the machine stands still.
      DRAIN_MS: '5000',
      ...ASKS_FROM_500_DH,
    });
    onTestFinished(() => wasl.stop());
    return wasl;
  };
  const balancer = await startBalancer();
  onTestFinished(() => balancer.close());
  const [first, second] = [await launch(), await launch()];
  for (const { url } of [first, second]) balancer.add(url);
  await balancer.serves(2);

  const load = dialing(`${balancer.url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`);
  await load.goesOn();
  for (const old of [first, second]) {
    const next = await launch();
    balancer.add(next.url);
    await balancer.serves(3);
    await old.stop();
    await balancer.serves(2);
    await load.goesOn();
  }
  const pages = await load.stop();
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter((page) => !/^200 (?:CON|END) /.test(page) || page.includes('ne répond pas'))).toEqual(
    [],
  );
});

/** Dials until it is stopped: the menu, one step into a transfer, and again. Gives status and text of every answer. */
function dialing(door: string) {
  const pages: string[] = [];
  let isOver = false;
  const lane = async (_: unknown, number: number) => {
    for (let n = 0; !isOver; n++) {
      for (const text of ['', '1', '1*1']) {
        const phoneNumber = `+21261000${String(number).padStart(4, '0')}`;
        const body = new URLSearchParams({ sessionId: `${number}-${n}`, phoneNumber, text });
        const page = await fetch(door, { method: 'POST', body }).then(
          async (answer) => `${answer.status} ${await answer.text()}`,
          (error) => `none: ${error}`,
        );
        pages.push(page);
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    /** Waits until every process has had its share of further answers. */
    async goesOn() {
      for (const enough = pages.length + 60; pages.length < enough; ) await sleep(10);
    },
    async stop() {
      isOver = true;
      await lanes;
      return pages;
    },
  };
}
