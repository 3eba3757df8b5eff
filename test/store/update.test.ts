import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codec } from '../../src/store/codec.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { OVERTAKEN, TooContended, UPDATE_TRIES_MAX, untilCommitted, update } from '../../src/store/update.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';

const COUNT = codec<number>('count', z.number());
const PARTITION = 17;
const directory = newDirectory('update');
let server: RedisServer;
const stores: Record<string, Store> = {};
beforeAll(async () => {
  server = await startRedis();
  stores.redis = await openRedisStore({ url: server.url });
  stores.sqlite = await openSqliteStore({ directory });
});
afterAll(async () => {
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await server.stop();
});

/** Adds one under a key, and gives the sum. */
function add(store: Store, key: string, meanwhile?: () => Promise<unknown>): Promise<number> {
  return update(store, PARTITION, [key], async (doc) => {
    const sum = (COUNT.read(doc) ?? 0) + 1;
    await meanwhile?.();
    return { writes: [COUNT.write(doc, sum)], result: sum };
  });
}
async function countIn(store: Store, key: string): Promise<number | undefined> {
  const [doc] = await store.read(PARTITION, [key]);
  return doc && COUNT.parse(key, doc.value);
}

describe.each(['sqlite', 'redis'])('an update on %s', (name) => {
  const storeOf = () => stores[name] as Store;

  test('loses no change made at the same time', async () => {
    const sums = await Promise.all(Array.from({ length: 20 }, () => add(storeOf(), 'many')));
    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await countIn(storeOf(), 'many')).toBe(20);
  });

  test('reads again when another writer was faster', async () => {
    const others = [() => add(storeOf(), 'raced')];
    expect(await add(storeOf(), 'raced', async () => others.pop()?.())).toBe(2);
  });

  test('writes several documents in one commit, or none', async () => {
    const move = (amount: number) =>
      update(storeOf(), PARTITION, ['from', 'to'], (from, to) => {
        const left = (COUNT.read(from) ?? 5) - amount;
        if (left < 0) return { result: 'too much' };
        const writes = [COUNT.write(from, left), COUNT.write(to, (COUNT.read(to) ?? 0) + amount)];
        return { writes, durable: true, result: 'moved' };
      });
    expect(await Promise.all([move(4), move(4)])).toEqual(expect.arrayContaining(['moved', 'too much']));
    expect([await countIn(storeOf(), 'from'), await countIn(storeOf(), 'to')]).toEqual([1, 4]);
  });

  test('commits nothing when there is nothing to write', async () => {
    expect(await update(storeOf(), PARTITION, ['idle'], (doc) => ({ result: doc.version }))).toBe(0);
    expect(await countIn(storeOf(), 'idle')).toBeUndefined();
  });

  test('gives up without a write when another writer is always faster', async () => {
    let others = 0;
    const lost = add(storeOf(), 'contended', async () => {
      others++;
      await add(storeOf(), 'contended');
    });
    await expect(lost).rejects.toThrow(TooContended);
    expect(others).toBe(UPDATE_TRIES_MAX);
    expect(await countIn(storeOf(), 'contended')).toBe(UPDATE_TRIES_MAX);
  });
});

test('an attempt that is always overtaken ends as StoreDown', async () => {
  await expect(untilCommitted(async () => OVERTAKEN)).rejects.toThrow(StoreDown);
});
