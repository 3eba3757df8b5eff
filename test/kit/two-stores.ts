import { onTestFinished } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { newDirectory } from './new-directory.ts';
import { startRedis } from './redis-server.ts';
import type { STORES } from './world.ts';

/** The stores of two processes on one Redis, or twice the one of SQLite, until the running test ends. */
export async function twoStores(on: (typeof STORES)[number]): Promise<readonly [Store, Store]> {
  const redis = on === 'redis' ? await startRedis() : undefined;
  const directory = newDirectory('stores');
  const open = () => (redis ? openRedisStore({ url: redis.url }) : openSqliteStore({ directory }));
  const one = await open();
  const two = redis ? await open() : one;
  onTestFinished(async () => {
    for (const store of new Set([one, two])) await store.close();
    await redis?.stop();
  });
  return [one, two];
}
