import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { ReplicasMissing, type Store, StoreDown } from '../../src/store/store.ts';
import {
  addReplicas,
  type RedisCluster,
  type RedisPair,
  type RedisServer,
  startRedisCluster,
  startRedisPair,
} from '../kit/redis-server.ts';
import { describeReplicated } from './store-replicated.ts';

const write = (key: string) => ({ writes: [{ key, version: 0, value: 'x' }] });
const sent = (key: string) => ({ ...write(key), replicated: true });
let stores = 0;

describe('a Redis with a replica', () => {
  let pair: RedisPair;
  beforeAll(async () => {
    pair = await startRedisPair();
  });
  afterAll(() => pair.stop());
  const warnings: string[] = [];
  const open = () =>
    openRedisStore({
      url: pair.primary.url,
      prefix: `test${stores++}:`,
      replicasMin: 1,
      warn: (sentence) => warnings.push(sentence),
    });
  const isBack = (store: Store) =>
    expect.poll(() => store.commit(1, sent(`probe${stores++}`)).catch(() => 'refused')).toBe(true);

  describeReplicated('Redis with a replica', async () => {
    const store = await open();
    // On a busy machine the first probe may find the replica late: until then nothing is sent, which is right.
    await isBack(store);
    return store;
  });

  describe('that is stopped', () => {
    let store: Store;
    const stop = (server: RedisServer) => process.kill(server.pid, 'SIGSTOP');
    const goOn = (server: RedisServer) => process.kill(server.pid, 'SIGCONT');
    beforeEach(async () => {
      store = await open();
      // A new store that finds the replica late sends nothing until it has found it.
      await isBack(store);
      await store.commit(1, sent('before'));
      stop(pair.replica);
    });
    afterEach(async () => {
      goOn(pair.replica);
      await isBack(store);
      await store.close();
    });

    test('holds nobody else back: another customer’s reads and commits are answered first', async () => {
      const order: string[] = [];
      const says = (what: string) => () => void order.push(what);
      const waiting = store.commit(1, sent('payment')).then(says('paid'), says('not safe'));
      await store.read(1, ['before']).then(says('read'));
      await store.commit(1, { ...write('plain'), durable: true }).then(says('committed'));
      await store.due(1, 10, 1).then(says('due'));
      await waiting;
      expect(order).toEqual(['read', 'committed', 'due', 'not safe']);
    });

    test('makes one commit unsafe, and the next ones are refused before they write', async () => {
      const first = await store.commit(1, sent('first')).catch((error) => error);
      expect(first).toBeInstanceOf(StoreDown);
      expect(first).not.toBeInstanceOf(ReplicasMissing);
      const next = store.commit(1, sent('next'));
      await expect(next).rejects.toThrow(ReplicasMissing);
      await expect(next).rejects.toThrow('fewer than 1 replicas can be reached, so nothing was written');
      const [written, refused] = await store.read(1, ['first', 'next']);
      expect([written?.value, refused]).toEqual(['x', undefined]);
    });

    test('many payments at once do not wait for one another', async () => {
      const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
      const ends = await Promise.allSettled(keys.map((key) => store.commit(1, sent(key))));
      const refused = ends.filter(
        (end) => end.status === 'rejected' && end.reason instanceof ReplicasMissing,
      );
      expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
      const written = (await store.read(1, keys)).filter(Boolean);
      expect(refused.length).toBe(keys.length - written.length);
      expect(written.length).toBe(1);
    });

    test('is missed from the start, and found when it is back', async () => {
      const late = await open();
      expect(warnings).toContain('fewer than 1 replicas can be reached: payments are refused until they can');
      await expect(late.commit(1, sent('refused'))).rejects.toThrow(ReplicasMissing);
      goOn(pair.replica);
      await isBack(late);
      expect(await late.read(1, ['refused'])).toEqual([undefined]);
      await late.close();
    });

    test('a moved version is reported also then, as it writes nothing', async () => {
      expect(await store.commit(1, sent('before'))).toBe(false);
    });
  });
});

describe('a cluster whose shards have a replica each', () => {
  let cluster: RedisCluster;
  let replicas: RedisServer[] = [];
  let store: Store;
  const partitions = Array.from({ length: 256 }, (_, partition) => partition);
  beforeAll(async () => {
    cluster = await startRedisCluster();
    replicas = await addReplicas(cluster);
    store = await openRedisStore({ url: cluster.url, prefix: 'shards:', replicasMin: 1 });
  });
  afterAll(async () => {
    await store.close();
    await Promise.all([cluster.stop(), ...replicas.map((replica) => replica.stop())]);
  });
  const commitAll = (key: string) =>
    Promise.all(partitions.map((partition) => store.commit(partition, sent(key)).catch((error) => error)));
  /** A replica may be late on a busy machine: until it is there its shard's commits are refused, which is right. */
  const allAreSafe = () => {
    const lost = async () => (await commitAll(`probe${stores++}`)).filter((end) => end !== true).length;
    return expect.poll(lost).toBe(0);
  };

  test('every partition finds its own shard, and its replica', async () => {
    await allAreSafe();
    expect((await commitAll('a')).filter((end) => end !== true)).toEqual([]);
    const found = await Promise.all(partitions.map((partition) => store.read(partition, ['a'])));
    expect(found.flat().filter((doc) => doc?.value === 'x')).toHaveLength(256);
  });

  test('a replica that is stopped stops the payments of its own shard only', async () => {
    const [asleep] = replicas as [RedisServer];
    process.kill(asleep.pid, 'SIGSTOP');
    await commitAll('b');
    const refused = (await commitAll('c')).filter((end) => end instanceof ReplicasMissing);
    process.kill(asleep.pid, 'SIGCONT');
    expect(refused.length).toBeGreaterThan(50);
    expect(refused.length).toBeLessThan(120);
    await allAreSafe();
  });

  test('a primary that is gone takes only its own partitions', async () => {
    const [gone] = cluster.nodes.toReversed() as [RedisServer];
    await gone.kill();
    const ends = await commitAll('e');
    const lost = ends.filter((end) => end instanceof StoreDown);
    expect(lost.length).toBeGreaterThan(50);
    expect(lost.length).toBeLessThan(120);
    expect(ends.filter((end) => end === true)).toHaveLength(256 - lost.length);
  });
});
