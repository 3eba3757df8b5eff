import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFleet, type Fleet, type FleetOptions } from '../../src/conversation/chart/fleet.ts';
import { OWN_RELEASE } from '../../src/conversation/chart/releases.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { update } from '../../src/store/update.ts';
import { lazily } from '../kit/lazily.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { STORES } from '../kit/world.ts';

const BEAT_MS = 5;
const FAR_MS = 3_600_000;

const running: Fleet[] = [];
const errors: unknown[] = [];
const newer = { release: 'b', charts: ['b', 'a'], words: ['b', 'a'], begins: 'a', beat: 1 };

function fleetOn(driver: (typeof STORES)[number]) {
  let redis: RedisServer | undefined;
  let directory: string;
  let store: Store;
  beforeAll(async () => {
    redis = driver === 'redis' ? await startRedis() : undefined;
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    directory = newDirectory('fleet');
    const prefix = directory.replaceAll('/', '.');
    store = redis ? await openRedisStore({ url: redis.url, prefix }) : await openSqliteStore({ directory });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((fleet) => fleet.leave()));
    await store.close();
    expect(errors.splice(0)).toEqual([]);
  });
  /** A process of a release. Its own release is the first in `knows`. */
  function processOf(knows: readonly [string, ...string[]], options: Partial<FleetOptions> = {}): Fleet {
    const onError = (error: unknown) => errors.push(error);
    const sentences = () => ({ fr: { nav: { busy: knows[0] } } });
    const own = { store, alone: false, sentences, quietMs: 0, onError, knows, beatMs: BEAT_MS };
    const fleet = createFleet({ ...own, goneAfterMs: FAR_MS, ...options });
    running.push(fleet);
    return fleet;
  }
  async function joined(...args: Parameters<typeof processOf>): Promise<Fleet> {
    const fleet = processOf(...args);
    await fleet.join();
    return fleet;
  }
  /** Another process as it was when it wrote last: it says no more, or what the test makes it say. */
  async function announces(id: string, says: object): Promise<void> {
    await update(store, partitionOf('fleet'), ['fleet'], (doc) => {
      const fleet = doc.version > 0 ? JSON.parse(doc.value) : { processes: {}, releases: [] };
      const value = JSON.stringify({ ...fleet, processes: { ...fleet.processes, [id]: says } });
      return { writes: [{ key: 'fleet', version: doc.version, value }], result: undefined };
    });
  }
  const announced = async () => {
    const [doc] = await store.read(partitionOf('fleet'), ['fleet']);
    return JSON.parse(doc?.value ?? '{}') as { processes: Record<string, { release: string }> };
  };
  return { store: lazily(() => store), processOf, joined, announces, announced };
}

/** The last word of a process that has ended. */
const GONE = { release: 'z', charts: ['z'], words: [], begins: 'z', beat: 9, steps: { z: 1 } };

describe.each(STORES)('the processes on one store, on %s', (driver) => {
  const { processOf, joined, announces } = fleetOn(driver);

  test('a single process begins on its own charts at once', async () => {
    expect((await joined(['b', 'a'])).begins()).toBe('b');
  });

  test('in an upgrade the older charts stay as long as a process knows no others, then the newer begin', async () => {
    const older = [await joined(['a']), await joined(['a'])];
    const newer = await joined(['b', 'a']);
    expect(newer.begins()).toBe('a');
    await older[0]?.leave();
    await sleep(5 * BEAT_MS);
    expect(newer.begins()).toBe('a');
    await older[1]?.leave();
    await expect.poll(() => newer.begins()).toBe('b');
  });

  test('in a rollback nobody begins on charts unknown to the older process once it has joined', async () => {
    const newer = [await joined(['b', 'a']), await joined(['b', 'a'])];
    expect(newer.map((each) => each.begins())).toEqual(['b', 'b']);
    const older = await joined(['a'], { quietMs: 1 });
    expect([...newer, older].map((each) => each.begins())).toEqual(['a', 'a', 'a']);
    expect(older.isKnownElsewhere('b')).toBe(true);
    await Promise.all(newer.map((each) => each.leave()));
    await expect.poll(() => older.isKnownElsewhere('b')).toBe(false);
  });

  test('a rollback waits until conversations on unknown charts come to rest', async () => {
    await announces('newer', { ...newer, steps: { a: 7, b: 1 } });
    let hasJoined = false;
    const waiting = processOf(['a'], { quietMs: FAR_MS });
    const never = waiting.join().then(() => {
      hasJoined = true;
    });
    await sleep(20 * BEAT_MS);
    expect(hasJoined).toBe(false);
    await joined(['a'], { quietMs: 50 });
    expect(hasJoined).toBe(false);
    await waiting.leave();
    await never;
  });

  test('a rollback does not wait for conversations on known charts', async () => {
    await announces('newer', { ...newer, steps: { a: 7, b: 0 } });
    await joined(['a'], { quietMs: FAR_MS });
  });
});

describe.each(STORES)('a process that joins a fleet, on %s', (driver) => {
  const { store, joined, announces, announced } = fleetOn(driver);

  test.each([
    ['has not learnt its words', { charts: ['b', 'a'], words: ['b'], begins: 'a' }],
    ['still begins on charts that it does not know', { charts: ['b', 'a'], words: ['b', 'a'], begins: 'b' }],
  ])('nobody joins while another process %s', async (_, others) => {
    await announces('newer', { release: 'b', beat: 1, steps: {}, ...others });
    const why: unknown[] = [];
    let hasJoined = false;
    const older = joined(['a'], { quietMs: 1, waits: (said) => why.push(said) }).then(() => {
      hasJoined = true;
    });
    await expect.poll(() => why).toEqual([{ release: 'a', others: ['b'] }]);
    await sleep(20 * BEAT_MS);
    expect(hasJoined).toBe(false);
    expect(why).toHaveLength(1);
    await announces('newer', {
      release: 'b',
      beat: 2,
      steps: {},
      charts: ['b', 'a'],
      words: ['b', 'a'],
      begins: 'a',
    });
    await older;
  });

  test.each([
    ['that was told not to wait', ['a'], 0],
    ['that shares no charts with it', ['c'], FAR_MS],
  ] as const)(
    'a process %s joins although others continue unknown conversations',
    async (_, knows, quietMs) => {
      const words = ['b', 'a', 'c'];
      await announces('newer', {
        release: 'b',
        charts: ['b', 'a'],
        words,
        begins: 'b',
        beat: 1,
        steps: { b: 3 },
      });
      await joined([...knows], { quietMs });
    },
  );

  test('a silent process is forgotten, and a process without a first word is not waited for', async () => {
    await announces('dead', GONE);
    const fleet = await joined(['b', 'a'], { goneAfterMs: 50, quietMs: 1 });
    await expect
      .poll(async () => Object.values((await announced()).processes).map(({ release }) => release))
      .toEqual(['b']);
    expect(fleet.begins()).toBe('b');
  });

  test('with three releases at once a release without shared charts begins on its own', async () => {
    await joined(['a']);
    await joined(['b', 'a']);
    expect((await joined(['c', 'b'])).begins()).toBe('c');
  });

  test('the entry of another version is preserved', async () => {
    const later = {
      release: 'b',
      charts: ['b', 'a'],
      words: ['b', 'a'],
      begins: 'a',
      beat: 1,
      steps: {},
      mood: 'good',
    };
    await announces('later', later);
    await joined(['a']);
    expect((await announced()).processes.later).toEqual(later);
  });

  test('the embedded store has no other process, so that nobody waits or announces anything', async () => {
    await announces('crashed', GONE);
    const fleet = await joined(['a'], { alone: true, quietMs: FAR_MS });
    expect(fleet.begins()).toBe('a');
    expect((await announced()).processes).toEqual({});
  });

  test('the words of a release are in the store for every other one', async () => {
    await joined([OWN_RELEASE]);
    const [doc] = await store.read(partitionOf('fleet'), [`words:${OWN_RELEASE}`]);
    const { sentences, claims, invitesAgain } = JSON.parse(doc?.value ?? '{}');
    expect(sentences).toEqual({ fr: { nav: { busy: OWN_RELEASE } } });
    expect(claims['transfer.done']).toBe('moved');
    expect(invitesAgain).toContain('pay.again');
  });
});
