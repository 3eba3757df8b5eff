import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { intentKey } from '../src/conversation/intents/intent.ts';
import { sessionKey } from '../src/conversation/session/sessions.ts';
import { walletKey } from '../src/conversation/session/wallet-doc.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { partitionOf } from '../src/store/partition.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Partition, Store, Write } from '../src/store/store.ts';
import { type RedisServer, startRedis } from '../test/kit/redis-server.ts';
import type { Asked, Took } from './growth-process.ts';
import { measure, median } from './measure.ts';
import { createDriver, type Driver, TURNS_PER_CONVERSATION, walletOf } from './transfers.ts';

/** How cost grows with what is stored, and with the processes that share a store. */
const SIZES = [10_000, 100_000, 1_000_000] as const;
const ROUNDS = 3;
const CONVERSATIONS = 400;
const AT_ONCE = 32;
const TICKS = 20;
const TICK_LIMIT = 100;
const LEASE_MS = 30_000;
/** Documents of one commit while the store is filled. */
const BATCH_DOCS = 120;
/** Nothing that is stored falls due while it is measured. */
const DUE_AFTER_MS = 24 * 3_600_000;
/** The wallets of the measured customers come after all that are stored. */
const FIRST_MEASURED = 20_000_000;

interface Subject {
  readonly name: string;
  readonly store: Store;
  readonly driver: Driver;
  /** Microseconds of CPU that the store's own server has used. */
  readonly serverUs: () => Promise<number>;
}

let customer = FIRST_MEASURED;

/** @param directory for the embedded store */
export async function benchGrowth(directory: string): Promise<readonly object[]> {
  const redis = await startRedis();
  const serverUs = await cpuOf(redis);
  const subjects = [
    await subject('redis', await openRedisStore({ url: redis.url }), serverUs.read),
    await subject('sqlite', await openSqliteStore({ directory: join(directory, 'growth') }), async () => 0),
  ];
  const rows: object[] = [];
  let stored = 0;
  for (const size of SIZES) {
    for (const each of subjects) {
      await fill(each, stored, size);
      rows.push({ store: each.name, stored: size, ...(await costs(each)) });
    }
    stored = size;
  }
  for (const { store } of subjects) await store.close();
  await serverUs.close();
  await redis.stop();
  return [...rows, ...(await benchProcesses())];
}

async function subject(name: string, store: Store, serverUs: () => Promise<number>): Promise<Subject> {
  return { name, store, driver: createDriver(store, createRenderer()), serverUs };
}

/** A server's CPU time so far, in microseconds. */
async function cpuOf({ url }: RedisServer) {
  const client = await createClient({ url }).connect();
  return {
    async read(): Promise<number> {
      const info = await client.info('cpu');
      const seconds = [/used_cpu_user:([\d.]+)/, /used_cpu_sys:([\d.]+)/].map((name) =>
        Number(name.exec(info)?.[1]),
      );
      return 1e6 * seconds.reduce((sum, each) => sum + each, 0);
    },
    close: () => client.close(),
  };
}

/** CPU of this process and of the store's server, in microseconds, for one of what is done. */
async function costs({ store, driver, serverUs }: Subject): Promise<object> {
  const spent = async (count: number, each: number, work: (i: number) => Promise<unknown>) => {
    const before = await serverUs();
    const { cpuUs } = await measure(count, AT_ONCE, 1, async (i) => void (await work(i)));
    return (cpuUs + (await serverUs()) - before) / (count * each);
  };
  const rounds: { turn: number; webhook: number; tick: number }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const first = customer;
    customer += CONVERSATIONS;
    const turn = await spent(CONVERSATIONS, TURNS_PER_CONVERSATION, (i) =>
      driver.conversation(walletOf(first + i), () => {}),
    );
    const webhook = await spent(CONVERSATIONS, 1, (i) => driver.outcome(walletOf(first + i)));
    const tick = await spent(TICKS, 1, () => store.due(Date.now(), TICK_LIMIT, LEASE_MS));
    // The first round only warms up.
    if (round >= 0) rounds.push({ turn, webhook, tick });
  }
  const of = (name: 'turn' | 'webhook' | 'tick') => Math.round(median(rounds.map((each) => each[name])));
  return { cpuUsPerTurn: of('turn'), cpuUsPerWebhook: of('webhook'), cpuUsPerWorkerTick: of('tick') };
}

/** Adds customers who have sent money and wait for its outcome: session, wallet and intent, each with what it is due for. */
async function fill({ store, driver }: Subject, from: number, to: number): Promise<void> {
  const model = await modelOf(store, driver);
  const waiting = new Map<Partition, Write[]>();
  let underWay: Promise<boolean>[] = [];
  for (let i = from; i < to; i++) {
    const wallet = walletOf(i);
    const partition = partitionOf(wallet);
    const writes = waiting.get(partition) ?? [];
    waiting.set(partition, writes);
    writes.push(...model(i, wallet));
    if (writes.length < BATCH_DOCS) continue;
    waiting.delete(partition);
    underWay.push(store.commit(partition, { writes }));
    if (underWay.length < AT_ONCE) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
  for (const [partition, writes] of waiting) await store.commit(partition, { writes });
}

/** The documents of a customer who has just sent money, made for anybody else. */
async function modelOf(
  store: Store,
  driver: Driver,
): Promise<(i: number, wallet: ReturnType<typeof walletOf>) => Write[]> {
  const one = walletOf(customer++);
  await driver.conversation(one, () => {});
  const id = driver.paymentOf(one);
  const keys = [sessionKey(`ussd:${one}`), walletKey(one), intentKey(id)];
  const texts = (await store.read(partitionOf(one), keys)).map((doc) => doc?.value ?? '');
  const dueAt = Date.now() + DUE_AFTER_MS;
  return (i, wallet) =>
    keys.map((key, at) => {
      const ref = id.slice(0, -12) + String(i).padStart(12, '0');
      const swap = (text: string) => text.replaceAll(one, wallet).replaceAll(id, ref);
      const due = key.startsWith('wallet:') ? {} : { dueAt: dueAt + i };
      return { key: swap(key), version: 0, value: swap(texts[at] ?? ''), ...due };
    });
}

/** The same work by one process, and by two that share a Redis: CPU of all of them and of Redis. */
async function benchProcesses(): Promise<readonly object[]> {
  const redis = await startRedis();
  const server = await cpuOf(redis);
  const children = [start(redis), start(redis)];
  await Promise.all(children.map((child) => once(child, 'message')));
  const taken: Record<1 | 2, number[]> = { 1: [], 2: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const count of [1, 2] as const) {
      const before = await server.read();
      const took = await Promise.all(
        children.slice(0, count).map((child) => ask(child, (CONVERSATIONS * 2) / count)),
      );
      const cpuUs = took.reduce((sum, each) => sum + each.cpuUs, (await server.read()) - before);
      if (round >= 0) taken[count].push(cpuUs / (CONVERSATIONS * 2 * TURNS_PER_CONVERSATION));
    }
  }
  for (const child of children) child.kill();
  await server.close();
  await redis.stop();
  const [one, two] = [median(taken[1]), median(taken[2])];
  return [
    { store: 'redis', processes: 1, cpuUsPerTurn: Math.round(one) },
    {
      store: 'redis',
      processes: 2,
      cpuUsPerTurn: Math.round(two),
      ratioToOne: Math.round((two / one) * 100) / 100,
    },
  ];
}

function start({ url }: RedisServer): ChildProcess {
  return fork(fileURLToPath(new URL('growth-process.ts', import.meta.url)), [url], { execArgv: [] });
}

async function ask(child: ChildProcess, count: number): Promise<Took> {
  const first = customer;
  customer += count;
  child.send({ first, count, atOnce: AT_ONCE } satisfies Asked);
  const [took] = (await once(child, 'message')) as [Took];
  return took;
}
