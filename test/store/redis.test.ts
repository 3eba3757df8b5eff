import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { type RedisServer, redisClient, startRedis } from '../kit/redis-server.ts';
import { describeStore } from './store-contract.ts';
import { testAgainstModel } from './store-model.ts';
import { describeRecording } from './store-recording.ts';

/** Longer than the client library lets a connection be silent, or a server be on its way. */
const STANDSTILL_SECONDS = 6;
/** A connection has been asked for a sign of life by then. */
const SIGN_OF_LIFE_MS = 2_500;

let server: RedisServer;
let stores = 0;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
const open = (options = {}) => openRedisStore({ url: server.url, prefix: `test${stores++}:`, ...options });

describeStore('Redis', open);
testAgainstModel('Redis', open);
describeRecording('Redis', open);

describe('the Redis store and its server', () => {
  let store: Store;
  let admin: ReturnType<typeof redisClient>;
  beforeEach(async () => {
    store = await open();
    admin = redisClient(server.url);
    await admin.connect();
  });
  afterEach(async () => {
    await store.close();
    admin.destroy();
  });

  /** The commands that `work` made the server run, without our own. */
  async function commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    await admin.sendCommand(['CONFIG', 'RESETSTAT']);
    await work();
    const stats = `${await admin.sendCommand(['INFO', 'commandstats'])}`.matchAll(
      /cmdstat_(\w+)\S*:calls=(\d+)/g,
    );
    const counts = Array.from(stats, ([, name, calls]) => [name, Number(calls)]);
    return Object.fromEntries(counts.filter(([name]) => !['config', 'info', 'unlink'].includes(`${name}`)));
  }

  test('a read is one command and a commit one script', async () => {
    const writes = [{ key: 'a', version: 0, value: 'x', dueAt: 5, keepUntil: Date.now() + 60_000 }];
    await store.commit(1, { writes: [] });
    expect(await commandsOf(() => store.read(1, ['a']))).toEqual({ get: 1 });
    expect(await commandsOf(() => store.read(1, ['a', 'b', 'c']))).toEqual({ mget: 1 });
    expect(await commandsOf(() => store.commit(1, { writes, turn: 'x' }))).toEqual({
      evalsha: 1,
      getrange: 1,
      set: 1,
      zadd: 1,
      xadd: 1,
      pubsub: 1,
    });
  });

  test('turns are published only while somebody watches', async () => {
    const says = () => commandsOf(() => store.commit(1, { writes: [], turn: 'x' }));
    expect(await says()).not.toHaveProperty('spublish');
    const stop = await store.watch({ turn() {}, missed() {} });
    expect(await says()).toHaveProperty('spublish', 1);
    await stop();
    // The server notices later than we that nobody is there.
    await expect.poll(says).not.toHaveProperty('spublish');
  });

  test('a watcher is told of a lost connection, and then hears turns again', async () => {
    const heard: string[] = [];
    const stop = await store.watch({
      turn: (record) => void heard.push(record),
      missed: () => void heard.push('missed'),
    });
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    await expect.poll(() => heard).toContain('missed');
    // Turns between are missed, and the watcher is told so, until its partition is subscribed again.
    await expect
      .poll(async () => {
        await store.commit(1, { writes: [], turn: 'again' });
        return heard.includes('again');
      })
      .toBe(true);
    expect(heard[0]).toBe('missed');
    await stop();
  });

  test('scripts are sent again to a server without them', async () => {
    const writes = [{ key: 'a', version: 0, value: 'x', dueAt: 5 }];
    await admin.sendCommand(['SCRIPT', 'FLUSH']);
    expect(await store.commit(1, { writes })).toBe(true);
    await admin.sendCommand(['SCRIPT', 'FLUSH']);
    expect(await store.due(5, 10, 1)).toEqual([{ partition: 1, key: 'a' }]);
  });

  test('documents scheduled by an earlier release are due, and then listed', async () => {
    const old = await open({ prefix: 'old:' });
    await old.commit(1, { writes: [{ key: 'intent:a', version: 0, value: 'x' }] });
    await admin.zAdd('old:{p001}due', { score: 5, value: 'intent:a' });
    expect(await old.due(5, 10, 1)).toEqual([{ partition: 1, key: 'intent:a' }]);
    expect(await old.scheduled(1, 'intent:', 10)).toEqual([{ key: 'intent:a', at: 6 }]);
    expect(await old.commit(1, { writes: [{ key: 'intent:a', version: 1, value: 'y' }] })).toBe(true);
    expect(await old.due(9, 10, 1)).toEqual([]);
    await old.close();
  });

  test('a prefix that would move the hash tag is refused', async () => {
    await expect(open({ prefix: '{x}' })).rejects.toThrow(RangeError);
  });

  test('the stream stays near its cap', async () => {
    const small = await open({ turnsMax: 50, prefix: 'small:' });
    for (let i = 0; i < 1_000; i++) await small.commit(1, { writes: [], turn: `${i}` });
    expect(await admin.xLen('small:{p001}turns')).toBeLessThan(250);
    await small.close();
  });

  test('a server out of memory is StoreDown, and nothing is half-done', async () => {
    await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x', dueAt: 5 }] });
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
    const both = [
      { key: 'b', version: 0, value: 'y', dueAt: 5 },
      { key: 'a', version: 1, value: null },
    ];
    await expect(store.commit(1, { writes: both, turn: 'never' })).rejects.toThrow(StoreDown);
    await expect(store.commit(1, { writes: [], turn: 'never' })).rejects.toThrow(/OOM/);
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
    expect(await store.read(1, ['a', 'b'])).toEqual([{ value: 'x', version: 1 }, undefined]);
    expect(await store.turns(1, 10)).toEqual([]);
    expect(await store.commit(1, { writes: both })).toBe(true);
  });

  test('a server that only reads is StoreDown', async () => {
    await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
    const commit = store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] });
    await expect(commit).rejects.toThrow(StoreDown);
    await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  });
});

/** Before each test: a Redis server that the test may stop. */
function aServerOfItsOwn() {
  const opened: Store[] = [];
  let own: RedisServer;
  beforeEach(async () => {
    own = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await own.kill();
  });

  const openOwn = async (deadlineMs: number) => {
    const store = await openRedisStore({ url: own.url, deadlineMs });
    opened.push(store);
    await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] });
    return store;
  };
  const isBack = (store: Store) =>
    expect.poll(() => store.read(1, ['a']).catch(() => 'down'), { interval: 50 }).not.toBe('down');
  return {
    openOwn,
    isBack,
    opened,
    get server() {
      return own;
    },
    /** Starts the killed server again. */
    async restarts() {
      own = await startRedis({ port: own.port });
    },
  };
}

describe('the Redis store when its server goes away', () => {
  const own = aServerOfItsOwn();
  const { openOwn, isBack } = own;

  test('every call to a killed server is StoreDown, and works again after its start', async () => {
    const store = await openOwn(2_000);
    await own.server.kill();
    await expect(store.read(1, ['a'])).rejects.toThrow(StoreDown);
    await expect(store.commit(1, { writes: [], turn: 'x' })).rejects.toThrow(StoreDown);
    await expect(store.due(1, 1, 1)).rejects.toThrow(StoreDown);
    await expect(store.turns(1, 1)).rejects.toThrow(StoreDown);
    await own.restarts();
    await isBack(store);
    expect(await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'again' }] })).toBe(true);
  });

  test('every call ends when the server is killed in the middle of work', async () => {
    const store = await openOwn(2_000);
    const writes = [{ key: 'b', version: 0, value: 'x'.repeat(1_000) }];
    const calls = Array.from({ length: 5_000 }, () => store.commit(1, { writes }));
    const ends = Promise.allSettled(calls);
    await own.server.kill();
    const lost = (await ends).filter((result) => result.status === 'rejected');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ reason }) => reason instanceof StoreDown)).toBe(true);
  });

  test('calls to a hanging server end at their deadline, and work again when it wakes', async () => {
    const store = await openOwn(300);
    process.kill(own.server.pid, 'SIGSTOP');
    const reasons: unknown[] = [];
    const hang = async () => {
      while (reasons.length < 400) {
        await store.read(1, ['a']).catch((error) => reasons.push(error));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all(Array.from({ length: 20 }, hang));
    expect(reasons.every((reason) => reason instanceof StoreDown)).toBe(true);
    expect(String(reasons[0])).toContain('no answer within 300 ms');
    process.kill(own.server.pid, 'SIGCONT');
    await isBack(store);
    expect(await store.read(1, ['a'])).toEqual([{ value: 'x', version: 1 }]);
  });
});

describe('a silent connection of the Redis store', () => {
  const own = aServerOfItsOwn();
  const { openOwn, opened } = own;

  test('is replaced under steady work', async () => {
    const line = await startFreezableLine(own.server.port);
    const store = await openRedisStore({ url: `redis://127.0.0.1:${line.port}`, deadlineMs: 200 });
    opened.push(store);
    await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] });
    line.freeze();
    // Steady work keeps writing to the silent connection, so that its own idle timeout never comes.
    const read = () => store.read(1, ['a']).catch(() => 'down');
    const steady = setInterval(read, 10);
    await expect.poll(read, { interval: 50 }).toEqual([{ value: 'x', version: 1 }]);
    clearInterval(steady);
    line.close();
  });

  test('is replaced before its next use', async () => {
    const line = await startFreezableLine(own.server.port);
    const store = await openRedisStore({ url: `redis://127.0.0.1:${line.port}`, deadlineMs: 200 });
    opened.push(store);
    line.freeze();
    await expect.poll(() => line.connections(), { interval: 50 }).toBe(2);
    // The connection is there. Its first answer may take a moment more.
    const read = () => store.read(1, ['a']).catch(() => 'down');
    await expect.poll(read, { interval: 50 }).toEqual([undefined]);
    expect(line.connections()).toBe(2);
    line.close();
  });

  test('is replaced when it is silent from the start', async () => {
    const line = await startFreezableLine(own.server.port, 1);
    const url = `redis://127.0.0.1:${line.port}`;
    opened.push(await openRedisStore({ url, deadlineMs: 400, connectMs: 60_000 }));
    expect(line.connections()).toBe(2);
    line.close();
  });

  test('a call is answered after the whole machine stood still beyond any deadline', async () => {
    const store = await openOwn(20_000);
    process.kill(own.server.pid, 'SIGSTOP');
    const begun = store.commit(1, { writes: [{ key: 'b', version: 0, value: 'x' }] });
    await sleep(SIGN_OF_LIFE_MS);
    const wakes = `sleep ${STANDSTILL_SECONDS}; kill -CONT ${process.pid}; sleep 0.1; kill -CONT ${own.server.pid}`;
    spawn('sh', ['-c', wakes], { stdio: 'ignore' });
    process.kill(process.pid, 'SIGSTOP');
    expect(await begun).toBe(true);
    expect(await store.read(1, ['b'])).toEqual([{ value: 'x', version: 1 }]);
  });

  test('closing does not wait for a hanging server', async () => {
    const store = await openOwn(200);
    process.kill(own.server.pid, 'SIGSTOP');
    const read = store.read(1, ['a']);
    const [, outcome] = await Promise.all([store.close(), read.catch((error) => error)]);
    expect(outcome).toBeInstanceOf(StoreDown);
  });
});

describe('opening the Redis store without its server', () => {
  const own = aServerOfItsOwn();
  const { opened } = own;

  test.each([
    ['single', false],
    ['cluster', true],
  ])('opening gives up, and names no password: %s', async (_l, cluster) => {
    await own.server.kill();
    const url = `redis://user:s3cret@127.0.0.1:${own.server.port}`;
    const error = await openRedisStore({ url, cluster, connectMs: 300 }).catch((error) => error);
    expect(error).toBeInstanceOf(StoreDown);
    expect(error.message).toContain(`Redis at 127.0.0.1:${own.server.port}: `);
    expect(error.message).not.toContain('s3cret');
  });

  test('opening a server that hangs gives up', async () => {
    process.kill(own.server.pid, 'SIGSTOP');
    await expect(openRedisStore({ url: own.server.url, connectMs: 300 })).rejects.toThrow(StoreDown);
  });

  test('opening waits for a server that is still starting', async () => {
    await own.server.kill();
    const opening = openRedisStore({ url: own.server.url, connectMs: 60_000 });
    await own.restarts();
    opened.push(await opening);
    expect(await opened[0]?.read(1, ['a'])).toEqual([undefined]);
  });
});

/**
 * Passes connections on to a port. `freeze` silences the open ones without closing them, as a dead network does.
 * @param frozen so many of the first connections are silent from the beginning
 */
async function startFreezableLine(to: number, frozen = 0) {
  const sockets: Socket[] = [];
  const server = createServer((inside) => {
    const outside = connect(to, '127.0.0.1');
    for (const socket of [inside, outside]) socket.on('error', () => {});
    sockets.push(inside, outside);
    if (sockets.length > 2 * frozen) inside.pipe(outside).pipe(inside);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const freeze = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const connections = () => sockets.length / 2;
  return { port: (server.address() as AddressInfo).port, connections, freeze, close };
}
