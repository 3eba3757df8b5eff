import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { benchConsole } from './console.ts';
import { measure, median, type Sample } from './measure.ts';
import { benchSandbox } from './sandbox.ts';
import { benchTelegram } from './telegram.ts';
import { createDriver, TURNS_PER_CONVERSATION, walletOf } from './transfers.ts';

/**
 * `npm run bench`: turns of a transfer conversation per second, beside the floor of a bare GET and SET of 400 bytes on
 * the same Redis, interleaved in one run; then Telegram, the console, and the sandbox by itself. `--json` prints one object a line.
 */
const ROUNDS = 5;
const CONVERSATIONS = 1_500;
const FLOOR_OPERATIONS = 30_000;
const CONCURRENCIES = [1, 64] as const;
const FLOOR_BYTES = 400;

interface Figures {
  readonly name: string;
  readonly store: string;
  readonly concurrency: number;
  readonly turnsPerSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly cpuUsPerTurn: number;
  readonly bytesPerIdleSession: number;
  readonly ratioToFloor: number;
}

const redis = await startRedis();
const directory = mkdtempSync(join(tmpdir(), 'wasl-bench-'));
const renderer = createRenderer();
const client = createClient({ url: redis.url, commandOptions: { timeout: 0 } });
await client.connect();
const stores: Record<string, Store> = {
  redis: await openRedisStore({ url: redis.url }),
  sqlite: await openSqliteStore({ directory }),
};
let customer = 0;
const outcomesPerSecond: number[] = [];

const samples = new Map<
  string,
  { name: string; store: string; concurrency: number; bytes: number; samples: Sample[] }
>();
for (const concurrency of CONCURRENCIES) {
  for (let round = -1; round < ROUNDS; round++) {
    // The first round only warms up.
    const keep = round >= 0;
    add('floor', 'redis', concurrency, FLOOR_BYTES, await floor(concurrency), keep);
    for (const [name, store] of Object.entries(stores)) {
      const { sample, bytes } = await wasl(store, concurrency);
      add('wasl', name, concurrency, bytes, sample, keep);
    }
  }
}
print([...samples.values()].map(figures));
const kept = await turnStreamBytes();
if (!process.argv.includes('--json')) {
  console.log(`turn stream (capped): ${kept} bytes a turn on Redis`);
  console.log(`outcomes told: ${Math.round(median(outcomesPerSecond))} a second, over all rows`);
}

print(await benchTelegram(client, stores.redis as Store, renderer));
print(await benchConsole(stores.redis as Store, renderer));
print(await benchSandbox(directory));

await Promise.all(Object.values(stores).map((store) => store.close()));
await client.close();
await redis.stop();
rmSync(directory, { recursive: true, force: true });

async function floor(concurrency: number): Promise<Sample> {
  const text = 'x'.repeat(FLOOR_BYTES);
  await client.set('floor:0', text);
  return measure(FLOOR_OPERATIONS / (concurrency === 1 ? 10 : 1), concurrency, 1, async (i, took) => {
    const startedAt = process.hrtime.bigint();
    const key = `floor:${i % 1000}`;
    await client.get(key);
    await client.set(key, text);
    took(Number(process.hrtime.bigint() - startedAt) / 1000);
  });
}

async function wasl(store: Store, concurrency: number): Promise<{ sample: Sample; bytes: number }> {
  const driver = createDriver(store, renderer);
  const first = customer;
  const count = CONVERSATIONS / (concurrency === 1 ? 10 : 1);
  customer += count;
  // Nobody is new: the language was chosen on an earlier day.
  const sample = await measure(count, concurrency, TURNS_PER_CONVERSATION, (i, took) =>
    driver.conversation(walletOf(first + i), took),
  );
  const outcomes = await measure(count, concurrency, 1, (i) => driver.outcome(walletOf(first + i)));
  outcomesPerSecond.push(outcomes.turns / outcomes.seconds);
  return { sample, bytes: await driver.idleBytes(walletOf(first)) };
}

function add(
  name: string,
  store: string,
  concurrency: number,
  bytes: number,
  sample: Sample,
  keep: boolean,
): void {
  const key = `${name} ${store} ${concurrency}`;
  const entry = samples.get(key) ?? { name, store, concurrency, bytes, samples: [] };
  samples.set(key, entry);
  if (keep) entry.samples.push(sample);
}

function figures({
  name,
  store,
  concurrency,
  bytes,
  samples: taken,
}: NonNullable<ReturnType<typeof samples.get>>): Figures {
  const floorTaken = samples.get(`floor redis ${concurrency}`)?.samples ?? [];
  const speeds = taken.map(({ turns, seconds }) => turns / seconds);
  const floorSpeed = median(floorTaken.map(({ turns, seconds }) => turns / seconds));
  const us = taken.flatMap((sample) => sample.us).sort((a, b) => a - b);
  return {
    name,
    store,
    concurrency,
    turnsPerSecond: Math.round(median(speeds)),
    p50Us: Math.round(us[Math.floor(us.length * 0.5)] ?? 0),
    p99Us: Math.round(us[Math.floor(us.length * 0.99)] ?? 0),
    cpuUsPerTurn: Math.round(median(taken.map(({ cpuUs, turns }) => cpuUs / turns))),
    bytesPerIdleSession: bytes,
    ratioToFloor: Math.round((median(speeds) / floorSpeed) * 1000) / 1000,
  };
}

function print(rows: readonly object[]): void {
  if (process.argv.includes('--json')) for (const row of rows) console.log(JSON.stringify(row));
  else console.table(rows);
}

async function turnStreamBytes(): Promise<number> {
  const streams = await client.keys('*turns');
  let bytes = 0;
  let entries = 0;
  for (const stream of streams) {
    bytes += (await client.memoryUsage(stream, { SAMPLES: 0 })) ?? 0;
    entries += await client.xLen(stream);
  }
  return Math.round(bytes / entries);
}
