import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { type MovingLine, startMovingLine } from '../kit/moving-line.ts';
import { type RedisServer, redisClient, startRedis } from '../kit/redis-server.ts';

/** Keys that the old server loads from the new one, and how long each takes it (µs): it is loading for as long as a test lasts. */
const LOADED_KEYS = 3_000;
const LOAD_DELAY_MICROS = 20_000;
const NEVER = 0;
/** Longer than a listener waits between two signs of life. */
const STANDS_STILL_MS = 2_100;

let before: RedisServer;
let after: RedisServer;
let line: MovingLine;
let store: Store;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  before = await startRedis({ args: ['--loading-process-events-interval-bytes', '1024'] });
  after = await startRedis();
  line = await startMovingLine(before.port);
  store = await open();
  await store.commit(1, { writes: [{ key: 'where', version: NEVER, value: 'before' }] });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  line.close();
  await Promise.all([before.kill(), after.kill()]);
});

async function open(options: Partial<Parameters<typeof openRedisStore>[0]> = {}): Promise<Store> {
  const opened = await openRedisStore({ url: `redis://127.0.0.1:${line.port}`, ...options });
  closing.push(() => opened.close());
  return opened;
}

/** The new states of the old server. Each one refuses writes and stays connected. */
const ENDS = {
  'only reads (READONLY)': () => [['REPLICAOF', '127.0.0.1', '1']],
  'has lost its master (MASTERDOWN)': () => [
    ['CONFIG', 'SET', 'replica-serve-stale-data', 'no'],
    ['REPLICAOF', '127.0.0.1', '1'],
  ],
  'is loading (LOADING)': () => [
    ['CONFIG', 'SET', 'key-load-delay', `${LOAD_DELAY_MICROS}`],
    ['REPLICAOF', '127.0.0.1', `${after.port}`],
  ],
} satisfies Record<string, () => string[][]>;
type End = keyof typeof ENDS;

/** The old server is demoted, and the address leads to the new one. Nothing closes a connection. */
async function failOver(end: End): Promise<void> {
  await ask(after, [['EVAL', `for i = 1, ${LOADED_KEYS} do redis.call('SET', 'filler:' .. i, i) end`, '0']]);
  await ask(before, ENDS[end]());
  await expect.poll(refusals).toContain(end.replace(/^.*\((\w+)\)$/, '$1'));
  line.moves(after.port);
}

async function ask({ url }: RedisServer, commands: readonly string[][]): Promise<void> {
  const client = await redisClient(url)
    .on('error', () => {})
    .connect();
  for (const command of commands) await client.sendCommand(command);
  client.destroy();
}

/** The first words of what the old server refuses a read and a write with. */
async function refusals(): Promise<string> {
  const said = (command: string[]) => ask(before, [command]).catch(({ message }: Error) => message);
  const both = [await said(['GET', 'x']), await said(['SET', 'x', ''])];
  return both.map((answer) => answer?.split(' ')[0]).join(' ');
}

let keys = 0;
const writes = () => store.commit(1, { writes: [{ key: `new-${keys++}`, version: NEVER, value: 'x' }] });
const where = async (asked: Store) => (await asked.read(1, ['where']).catch(() => []))[0]?.value;

describe('a Redis behind one address that fails over', () => {
  test.each(Object.keys(ENDS) as End[])('is followed by commits when the old one %s', async (end) => {
    await failOver(end);
    await expect.poll(() => writes().catch(() => 'refused')).toBe(true);
    expect(await where(store)).toBe(undefined);
  });

  test.each(Object.keys(ENDS) as End[])('is followed by reads when the old one %s', async (end) => {
    await failOver(end);
    await ask(after, [['SET', 'wasl:{p001}:where', '1|after']]);
    await expect.poll(() => where(store)).toBe('after');
  });

  test('is followed by replicated commits', async () => {
    const careful = await open({ replicasMin: 1 });
    const third = await startRedis({ args: ['--replicaof', `127.0.0.1 ${after.port}`] });
    closing.push(() => third.kill());
    await failOver('only reads (READONLY)');
    const claim = { writes: [{ key: 'claim', version: NEVER, value: 'x' }], replicated: true };
    await expect.poll(() => careful.commit(1, claim).catch(() => 'refused')).toBe(true);
  });

  test.each(Object.keys(ENDS) as End[])('is followed by listeners when the old one %s', async (end) => {
    const heard: string[] = [];
    closing.push(
      await store.watch({ turn: (turn) => void heard.push(turn), missed: () => void heard.push('missed') }),
    );
    await failOver(end);
    await expect
      .poll(async () => {
        await store.commit(1, { writes: [], turn: 'said' }).catch(() => {});
        return heard;
      })
      .toEqual(expect.arrayContaining(['missed', 'said']));
  });

  test('is not looked for by a listener whose own process stood still', async () => {
    const heard: string[] = [];
    closing.push(await store.watch({ turn: (turn) => void heard.push(turn), missed: () => {} }));
    const made = line.connections();
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    // Its timers are late together, and the answers of Redis wait behind them.
    for (let times = 0; times < 4; times++) {
      await new Promise(setImmediate);
      Atomics.wait(nobody, 0, 0, STANDS_STILL_MS);
    }
    await expect
      .poll(async () => {
        await store.commit(1, { writes: [], turn: 'said' }).catch(() => {});
        return heard;
      })
      .toContain('said');
    expect(line.connections()).toBe(made);
  });

  test('is looked for once a second at most, and no waiting call stays uncertain', async () => {
    const begun = performance.now();
    const made = line.connections();
    await ask(before, ENDS['only reads (READONLY)']());
    const refused = await Promise.all(
      Array.from({ length: 2_000 }, () => writes().catch((error) => error as StoreDown)),
    );
    expect(
      refused.filter((error) => !(error instanceof StoreDown && 'isUndone' in error && error.isUndone)),
    ).toEqual([]);
    expect(line.connections() - made).toBeGreaterThan(0);
    expect(line.connections() - made).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1_000);
  });
});
