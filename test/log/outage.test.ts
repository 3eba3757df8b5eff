import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../../src/main.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { freePort } from '../kit/free-port.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startRedis } from '../kit/redis-server.ts';
import { configOf } from '../kit/settings.ts';

const SECRET = 'a secret of the gateway';
/** More than the circuit breaker needs to turn calls away. */
const CUSTOMERS = 40;

type Line = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: string };

/** A running Wasl on Redis whose wallet can be taken away, and everything that it logs. */
async function town(settings: Readonly<Record<string, string>> = {}) {
  const directory = newDirectory('outage');
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const sandbox = createSandbox({ file: join(directory, 'sandbox.db') });
  onTestFinished(() => sandbox.close());
  const port = await freePort();
  const config = configOf({
    PORT: '0',
    REDIS_URL: redis.url,
    WALLET_URL: `http://127.0.0.1:${port}`,
    WALLET_API_KEY: sandbox.apiKey,
    WEBHOOK_KEYS: 'a webhook key of this test',
    SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
    USSD_SECRETS: SECRET,
    CHANNELS: 'ussd',
    ...settings,
  });
  const written: string[] = [];
  const wasl = await start(config, { write: (line) => void written.push(line) });
  onTestFinished(() => wasl.close());
  let customers = 0;
  /** Another customer, who answers so one after the other. Gives the last page. */
  const dials = async (...answers: readonly string[]) => {
    const who = { sessionId: `${++customers}`, phoneNumber: `+2126000${10_000 + customers}` };
    const url = `${wasl.url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`;
    let page = '';
    for (let n = 0; n <= answers.length; n++) {
      const body = new URLSearchParams({ ...who, text: answers.slice(0, n).join('*') });
      page = await (await fetch(url, { method: 'POST', body })).text();
    }
    return page;
  };
  return {
    redis,
    walletComes: () => sandbox.listen(port, '127.0.0.1'),
    dials,
    lines: () => written.map((line): Line => JSON.parse(line)),
    /** How often each line of trouble was written. */
    troubles() {
      const messages = this.lines().flatMap(({ level, msg }) => (level === 'info' ? [] : msg));
      return Object.fromEntries(
        [...new Set(messages)].map((msg) => [msg, messages.filter((each) => each === msg).length]),
      );
    },
  };
}

const turnsIn = (lines: readonly Line[]) => lines.filter(({ msg }) => msg === 'A turn was answered').length;

test('a wallet that is down is a few lines, however many turns there are, and one more when it is back', async () => {
  const wasl = await town({ LOG_TURNS_PERCENT: '10' });
  for (let n = 0; n < CUSTOMERS; n++) await wasl.dials('3', '1');
  expect(turnsIn(wasl.lines()), 'every tenth turn').toBe((CUSTOMERS * 3) / 10);
  const { 'The wallet does not respond': circuit, 'A call to the wallet got no answer': calls } =
    wasl.troubles();
  expect(circuit).toBe(1);
  // Not sent as nobody listens there, or turned away: the first and the tenth of each call.
  expect(calls).toBeLessThanOrEqual(8);
  const down = wasl.lines().find(({ msg }) => msg === 'The wallet does not respond');
  expect(down).toMatchObject({
    calls: 'read',
    compartment: 'customers',
    todo: expect.stringContaining('#wasl'),
  });
  const wallet = await wasl.walletComes();
  onTestFinished(() => wallet.close());
  const over = () => wasl.lines().filter(({ msg }) => msg === 'It is over: The wallet does not respond');
  await expect
    .poll(async () => [await wasl.dials('3', '1'), over().length].at(-1), { timeout: 60_000 })
    .toBe(1);
}, 120_000);

test('a store that is away is a few lines and one for each turn that failed, none with a stack of its own', async () => {
  const wasl = await town({ LOG_TURNS_PERCENT: '0' });
  await wasl.redis.kill();
  const failing = 30;
  await Promise.all(Array.from({ length: failing }, () => wasl.dials()));
  const { 'A turn failed': failed, ...others } = wasl.troubles();
  expect(failed).toBe(failing);
  expect(others['A turn failed behind its answer'] ?? 0, 'its error').toBeLessThanOrEqual(4);
  const most = Object.values(others).reduce((sum, count) => sum + count, 0);
  expect(most, JSON.stringify(others)).toBeLessThan(40);
  const stacks = wasl.lines().filter(({ msg, at }) => msg.startsWith('A turn failed') && at !== undefined);
  expect(stacks.length).toBeLessThanOrEqual(2);
  expect(wasl.lines().find(({ msg }) => msg === 'A turn failed')).toMatchObject({
    level: 'warn',
    channel: 'ussd',
    gateway: 'africastalking',
    outcome: 'late',
    screen: 'nav.unavailable',
    trace: expect.stringMatching(/^[\da-f]{32}$/),
  });
}, 120_000);
