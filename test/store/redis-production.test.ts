import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import {
  addReplicas,
  type RedisServer,
  redisClient,
  startRedisCluster,
  startTlsRedis,
  startWatchedRedis,
  type TlsRedis,
  takeOver,
  type WatchedRedis,
} from '../kit/redis-server.ts';

const ALL = Array.from({ length: 256 }, (_, partition) => partition);
const write = (key: string) => ({ key, version: 0, value: 'x' });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(options: Parameters<typeof openRedisStore>[0]): Promise<Store> {
  const store = await openRedisStore(options);
  closing.push(() => store.close());
  return store;
}

describe('Redis that Sentinels watch', () => {
  async function watched(): Promise<WatchedRedis> {
    const redis = await startWatchedRedis();
    closing.push(() => redis.stop());
    return redis;
  }

  test('is found by its name, and again after its primary was killed', async () => {
    const redis = await watched();
    const store = await opened({ url: 'redis://wallet', sentinels: redis.sentinels });
    expect(await store.commit(1, { writes: [write('before')] })).toBe(true);
    await redis.primary.kill();
    await expect(store.read(1, ['before'])).rejects.toThrow(StoreDown);
    await expect.poll(() => store.commit(1, { writes: [write('after')] }).catch(() => false)).toBe(true);
    const [before, after] = await store.read(1, ['before', 'after']);
    expect([before?.value, after?.value]).toEqual(['x', 'x']);
  });

  test('after a planned failover payments wait for the old primary as a replica', async () => {
    const redis = await watched();
    const heard: string[] = [];
    const store = await opened({ url: 'redis://wallet', sentinels: redis.sentinels, replicasMin: 1 });
    let payments = 0;
    const pays = () =>
      store.commit(1, { writes: [write(`payment ${payments++}`)], replicated: true }).catch(() => false);
    await expect.poll(pays).toBe(true);
    const stop = await store.watch({ turn: (turn) => void heard.push(turn), missed: () => {} });
    closing.push(stop);
    await store.commit(1, { writes: [write('a')] });
    await redis.failOver();
    await expect.poll(() => store.commit(1, { writes: [], turn: 'again' }).catch(() => false)).toBe(true);
    // Reads come from the new primary, too: soon nothing is read of a replica that may be behind.
    const replica = redisClient(redis.replica.url);
    await replica.connect();
    await replica.set('wasl:{p001}:a', '7|new');
    replica.destroy();
    await expect.poll(() => store.read(1, ['a']).catch(() => [])).toEqual([{ value: 'new', version: 7 }]);
    await expect
      .poll(async () => {
        await store.commit(1, { writes: [], turn: 'news' });
        return heard.includes('news');
      })
      .toBe(true);
    await expect.poll(pays).toBe(true);
    expect(store.lacksReplicas()).toBe(false);
  });

  test('a user limited to its own keys finds the primary, and a wrong password is named', async () => {
    const redis = await watched();
    const admin = redisClient(redis.primary.url);
    await admin.connect();
    await admin.sendCommand(
      'ACL SETUSER wasl on >s3cret ~wasl:* &wasl:* +@all -@admin -@dangerous +info'.split(' '),
    );
    admin.destroy();
    const { sentinels } = redis;
    const store = await opened({ url: 'redis://wasl:s3cret@wallet', sentinels });
    expect(await store.commit(1, { writes: [write('a')] })).toBe(true);
    await expect(
      openRedisStore({ url: 'redis://wasl:wr0ng@wallet', sentinels, connectMs: 500 }),
    ).rejects.toThrow('WRONGPASS');
  });

  test('an unknown name and missing Sentinels stop the start with a sentence', async () => {
    const { sentinels } = await watched();
    await expect(openRedisStore({ url: 'redis://other', sentinels, connectMs: 500 })).rejects.toThrow(
      'no Sentinel names the primary of other',
    );
    const gone = openRedisStore({ url: 'redis://wallet', sentinels: 'redis://127.0.0.1:1', connectMs: 500 });
    await expect(gone).rejects.toThrow('no Sentinel names the primary of wallet');
  });
});

describe('Redis behind TLS, with users', () => {
  const USERS = [
    'default off',
    'wasl on >s3cret ~wasl:* &wasl:* +@all -@admin -@dangerous +info',
    'other on >s3cret ~other:* &other:* +@all',
  ];
  let redis: TlsRedis;
  beforeAll(async () => {
    redis = await startTlsRedis(USERS);
  });
  afterAll(() => redis.stop());
  const as = (user: string, { url }: TlsRedis) => url.replace('//', `//${user}:s3cret@`);

  test('works with a user limited to its own keys', async () => {
    const store = await opened({ url: as('wasl', redis), ca: redis.ca, replicasMin: 0 });
    const heard: string[] = [];
    closing.push(await store.watch({ turn: (turn) => void heard.push(turn), missed: () => {} }));
    expect(await store.commit(1, { writes: [{ ...write('a'), dueAt: 5 }], turn: 'said' })).toBe(true);
    expect(await store.due(5, 10, 1)).toEqual([{ partition: 1, key: 'a' }]);
    expect(await store.scheduled(1, 'a', 10)).toHaveLength(1);
    await expect.poll(() => heard).toEqual(['said']);
  });

  test.each<[string, (redis: TlsRedis) => Parameters<typeof openRedisStore>[0]]>([
    ['a certificate that nobody vouches for', (redis) => ({ url: as('wasl', redis) })],
    ['a wrong password', (redis) => ({ url: as('wasl', redis).replace('s3cret', 'wr0ng'), ca: redis.ca })],
    ['no user', (redis) => ({ url: redis.url, ca: redis.ca })],
    ['plain Redis to a TLS port', (redis) => ({ url: as('wasl', redis).replace('rediss', 'redis') })],
  ])('%s is StoreDown, and no password is named', async (_label, options) => {
    const error = await openRedisStore({ ...options(redis), connectMs: 500 }).catch((error) => error);
    expect(error).toBeInstanceOf(StoreDown);
    expect(error.message).not.toMatch(/s3cret|wr0ng/);
  });

  test("another user's keys are refused", async () => {
    const store = await opened({ url: as('other', redis), ca: redis.ca });
    await expect(store.commit(1, { writes: [write('a')] })).rejects.toThrow(/NOPERM/);
    const own = await opened({ url: as('other', redis), ca: redis.ca, prefix: 'other:' });
    expect(await own.commit(1, { writes: [write('a')] })).toBe(true);
  });
});

describe('a Redis Cluster with replicas', () => {
  async function onCluster() {
    const cluster = await startRedisCluster();
    closing.push(() => cluster.stop());
    const replicas = await addReplicas(cluster);
    closing.push(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
    const store = await opened({ url: cluster.url });
    return { cluster, replicas, store };
  }

  test('a killed primary stops only its own partitions, until its replica takes over', async () => {
    const { cluster, replicas, store } = await onCluster();
    await Promise.all(ALL.map((partition) => store.commit(partition, { writes: [write('a')] })));
    const lost = async () => {
      const reads = await Promise.allSettled(ALL.map((partition) => store.read(partition, ['a'])));
      return ALL.filter((partition) => reads[partition]?.status === 'rejected');
    };
    const dying = cluster.nodes[1];
    await dying?.kill();
    const own = new Set(await lost());
    expect(own.size).toBeGreaterThan(50);
    expect(own.size).toBeLessThan(120);
    // How long a cluster takes to elect another primary is its own affair.
    await takeOver(replicas[1] as RedisServer);
    const strangers: number[] = [];
    await expect
      .poll(async () => {
        const now = await lost();
        strangers.push(...now.filter((partition) => !own.has(partition)));
        return now.length;
      })
      .toBe(0);
    expect(strangers, 'others that were held up').toEqual([]);
    expect(await store.commit(1, { writes: [write('b')] })).toBe(true);
  });

  test('a listener hears every partition again after a failover', async () => {
    const { cluster, replicas, store } = await onCluster();
    const heard = new Set<string>();
    let missed = 0;
    closing.push(await store.listen({ named: (name) => void heard.add(name), missed: () => void missed++ }));
    const allAreHeard = async () => {
      heard.clear();
      await Promise.allSettled(ALL.map((partition) => store.tell(partition, `${partition}`)));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return ALL.filter((partition) => heard.has(`${partition}`)).length;
    };
    await expect.poll(allAreHeard).toBe(ALL.length);
    // Its connections stay: it only says that its slots are another's now.
    await takeOver(replicas[0] as RedisServer);
    await expect.poll(allAreHeard).toBe(ALL.length);
    await cluster.nodes[1]?.kill();
    await takeOver(replicas[1] as RedisServer);
    await expect.poll(allAreHeard).toBe(ALL.length);
    await expect.poll(() => missed).toBeGreaterThan(0);
  });
});
