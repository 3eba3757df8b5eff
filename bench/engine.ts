import { join } from 'node:path';
import { createClient } from 'redis';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { measure, median, type Sample } from './measure.ts';
import { createDriver, TURNS_PER_CONVERSATION, walletOf } from './transfers.ts';

/**
 * The engine alone: turns of a transfer conversation per second, beside the floor of a bare GET and SET of 400 bytes on the
 * same Redis, interleaved in one run.
 */
const ROUNDS = 5;
const CONVERSATIONS = 1_500;
const FLOOR_OPERATIONS = 30_000;
const CONCURRENCIES = [1, 64] as const;
const FLOOR_BYTES = 400;

interface Taken {
  readonly name: string;
  readonly store: string;
  readonly concurrency: number;
  readonly bytes: number;
  readonly samples: Sample[];
}
type RedisClient = ReturnType<typeof clientOf>;
const clientOf = (url: string) => createClient({ url, commandOptions: { timeout: 0 } });

const renderer = createRenderer();
let customer = 0;

/** @param directory for the embedded store */
export async function benchEngine(directory: string): Promise<readonly object[]> {
  const redis = await startRedis();
  const client = clientOf(redis.url);
  await client.connect();
  const stores: Record<string, Store> = {
    redis: await openRedisStore({ url: redis.url }),
    sqlite: await openSqliteStore({ directory: join(directory, 'engine') }),
  };
  const taken = new Map<string, Taken>();
  const outcomesPerSecond: number[] = [];
  for (const concurrency of CONCURRENCIES) {
    for (let round = -1; round < ROUNDS; round++) {
      // The first round only warms up.
      const keep = round >= 0;
      add(
        taken,
        { name: 'floor', store: 'redis', concurrency, bytes: FLOOR_BYTES },
        await floor(client, concurrency),
        keep,
      );
      for (const [name, store] of Object.entries(stores)) {
        const { sample, bytes, outcomes } = await wasl(store, concurrency);
        outcomesPerSecond.push(outcomes);
        add(taken, { name: 'wasl', store: name, concurrency, bytes }, sample, keep);
      }
    }
  }
  const rows = [...taken.values()].map((each) => figures(each, taken));
  const more = {
    name: 'turn stream (capped)',
    bytesPerTurn: await turnStreamBytes(client),
    ...(await documentBytes(client, stores.redis as Store)),
    outcomesPerSecond: Math.round(median(outcomesPerSecond)),
  };
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await client.close();
  await redis.stop();
  return [...rows, more];
}

async function floor(client: RedisClient, concurrency: number): Promise<Sample> {
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

async function wasl(store: Store, concurrency: number) {
  const driver = createDriver(store, renderer);
  const first = customer;
  const count = CONVERSATIONS / (concurrency === 1 ? 10 : 1);
  customer += count;
  // Nobody is new: the language was chosen on an earlier day.
  const sample = await measure(count, concurrency, TURNS_PER_CONVERSATION, (i, took) =>
    driver.conversation(walletOf(first + i), took),
  );
  const told = await measure(count, concurrency, 1, (i) => driver.outcome(walletOf(first + i)));
  return { sample, bytes: await driver.idleBytes(walletOf(first)), outcomes: told.turns / told.seconds };
}

function add(taken: Map<string, Taken>, of: Omit<Taken, 'samples'>, sample: Sample, keep: boolean): void {
  const key = `${of.name} ${of.store} ${of.concurrency}`;
  const entry = taken.get(key) ?? { ...of, samples: [] };
  taken.set(key, entry);
  if (keep) entry.samples.push(sample);
}

function figures({ name, store, concurrency, bytes, samples }: Taken, taken: ReadonlyMap<string, Taken>) {
  const floorTaken = taken.get(`floor redis ${concurrency}`)?.samples ?? [];
  const speeds = samples.map(({ turns, seconds }) => turns / seconds);
  const floorSpeed = median(floorTaken.map(({ turns, seconds }) => turns / seconds));
  const us = samples.flatMap((sample) => sample.us).sort((a, b) => a - b);
  return {
    name,
    store,
    concurrency,
    turnsPerSecond: Math.round(median(speeds)),
    p50Us: Math.round(us[Math.floor(us.length * 0.5)] ?? 0),
    p99Us: Math.round(us[Math.floor(us.length * 0.99)] ?? 0),
    cpuUsPerTurn: Math.round(median(samples.map(({ cpuUs, turns }) => cpuUs / turns))),
    bytesPerIdleSession: bytes,
    ratioToFloor: Math.round((median(speeds) / floorSpeed) * 1000) / 1000,
  };
}

/** `MEMORY USAGE` of a session and its wallet's document together: while the payment is under way, and once all is over. */
async function documentBytes(client: RedisClient, store: Store): Promise<object> {
  const driver = createDriver(store, renderer);
  const wallet = walletOf(customer++);
  await driver.conversation(wallet, () => {});
  const keys = [`*session:ussd:${wallet}`, `*wallet:${wallet}`];
  const bytes = async () => {
    const names = (await Promise.all(keys.map((key) => client.keys(key)))).flat();
    const sizes = await Promise.all(names.map((name) => client.memoryUsage(name, { SAMPLES: 0 })));
    return sizes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const active = await bytes();
  await driver.outcome(wallet);
  await driver.goesIdle(wallet);
  return { bytesActive: active, bytesIdle: await bytes() };
}

async function turnStreamBytes(client: RedisClient): Promise<number> {
  const streams = await client.keys('*turns');
  let bytes = 0;
  let entries = 0;
  for (const stream of streams) {
    bytes += (await client.memoryUsage(stream, { SAMPLES: 0 })) ?? 0;
    entries += await client.xLen(stream);
  }
  return Math.round(bytes / entries);
}
