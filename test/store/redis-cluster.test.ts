import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { StoreDown } from '../../src/store/store.ts';
import { type RedisCluster, redisClient, startRedisCluster } from '../kit/redis-server.ts';
import { describeStore } from './store-contract.ts';
import { testAgainstModel } from './store-model.ts';

let cluster: RedisCluster;
let stores = 0;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster.stop());
const open = (options = {}) => openRedisStore({ url: cluster.url, prefix: `test${stores++}:`, ...options });

describeStore('Redis Cluster', open);
testAgainstModel('Redis Cluster', open);

/** The keys of every node. */
async function keysOfNodes(): Promise<string[][]> {
  return Promise.all(
    cluster.nodes.map(async ({ url }) => {
      const client = await redisClient(url).connect();
      const keys = await client.keys('slots:*');
      client.destroy();
      return keys;
    }),
  );
}

describe('the Redis store on a cluster', () => {
  test('all keys of a partition are in one slot, and the partitions use every node', async () => {
    const store = await open({ prefix: 'slots:' });
    const odd = ['a', '{b}', '}{', '{}', '{p009}'];
    for (let partition = 0; partition < 24; partition++) {
      const writes = odd.map((key) => ({ key, version: 0, value: 'x', dueAt: 5 }));
      expect(await store.commit(partition, { writes, turn: 'x' })).toBe(true);
    }
    await store.close();
    const nodes = await keysOfNodes();
    expect(nodes.every((keys) => keys.length > 0)).toBe(true);
    const keys = nodes.flat();
    expect(keys).toHaveLength(24 * (odd.length + 2));
    const client = await redisClient(`${cluster.nodes[0]?.url}`).connect();
    const slots = new Map<string, Set<unknown>>();
    for (const key of keys) {
      const tag = key.slice(0, 'slots:{p000}'.length);
      slots.set(
        tag,
        (slots.get(tag) ?? new Set()).add(await client.sendCommand(['CLUSTER', 'KEYSLOT', key])),
      );
    }
    client.destroy();
    expect(slots.size).toBe(24);
    expect([...slots.values()].map((of) => of.size)).toEqual(new Array(24).fill(1));
  });

  test('one URL is enough with `cluster`', async () => {
    const store = await openRedisStore({ url: `${cluster.nodes[1]?.url}`, cluster: true, prefix: 'one:' });
    for (let partition = 0; partition < 24; partition++) {
      expect(await store.commit(partition, { writes: [{ key: 'a', version: 0, value: 'x' }] })).toBe(true);
    }
    await store.close();
  });

  test('a node that hangs takes only its own partitions, and comes back', async () => {
    const store = await open({ deadlineMs: 1_000 });
    const all = Array.from({ length: 256 }, (_, partition) => partition);
    const write = { key: 'a', version: 0, value: 'x', dueAt: 5 };
    await Promise.all(all.map((partition) => store.commit(partition, { writes: [write] })));
    const lost = async () => {
      const reads = await Promise.allSettled(all.map((partition) => store.read(partition, ['a'])));
      return reads.filter((result) => result.status === 'rejected');
    };
    const sleeper = Number(cluster.nodes[2]?.pid);
    process.kill(sleeper, 'SIGSTOP');
    try {
      const asleep = await lost();
      expect(asleep.length).toBeGreaterThan(50);
      expect(asleep.length).toBeLessThan(120);
      expect(asleep.every(({ reason }) => reason instanceof StoreDown)).toBe(true);
      // Nobody else is held up, neither then nor while the connection is made anew.
      for (let again = 0; again < 5; again++) expect(await lost()).toHaveLength(asleep.length);
      // Each question is later than the lease of the one before.
      let now = 5;
      const howManyDue = () => {
        now += 10;
        return store.due(now, 1_000, 1).then(
          (due) => due.length,
          () => -1,
        );
      };
      await expect.poll(howManyDue).toBe(all.length - asleep.length);
    } finally {
      process.kill(sleeper, 'SIGCONT');
    }
    await expect.poll(async () => (await lost()).length, { interval: 200 }).toBe(0);
    await store.close();
  });
});
