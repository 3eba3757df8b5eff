import { describe, expect, onTestFinished, test } from 'vitest';
import { createBackground } from '../../src/conversation/background.ts';
import type { Piece } from '../../src/conversation/inbox.ts';
import type { Address } from '../../src/conversation/incoming.ts';
import { createProviderInbox } from '../../src/conversation/provider-inbox.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { StoreDown } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startRedis } from '../kit/redis-server.ts';
import { DAY_MS, STORES } from '../kit/world.ts';

const FROM: Address = 'telegram:42';
const SECRETS = createSecrets('a secrets key for the tests, 32 characters');
const piece = (id: number, order = id): Piece => ({ id: `wamid.${id}`, order, body: `canary ${id}` });
const numbersTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** A store with processes on it, and a clock that a test moves. */
async function town(on: (typeof STORES)[number]) {
  const redis = on === 'redis' ? await startRedis() : undefined;
  const directory = newDirectory();
  const store = await (redis ? openRedisStore({ url: redis.url }) : openSqliteStore({ directory }));
  onTestFinished(async () => {
    await store.close();
    await redis?.stop();
  });
  const clock = { at: Date.UTC(2026, 10, 30) };
  const worked: string[] = [];
  const errors: unknown[] = [];
  return {
    store,
    clock,
    worked,
    errors,
    stored: async () => (await store.read(partitionOf(`provider:${FROM}`), [`provider:${FROM}`]))[0]?.value,
    /** @param work what comes before a piece counts as worked */
    process(work: (body: string) => Promise<void> = async () => {}) {
      const background = createBackground((error) => errors.push(error));
      const inbox = createProviderInbox({ store, secrets: SECRETS, background, now: () => clock.at });
      inbox.works('telegram', async (_, body) => {
        await work(body);
        worked.push(body);
      });
      /** Does what is due, as the worker does. */
      const due = async () => {
        for (const { key } of await store.due(clock.at, 100, 30_000))
          await inbox.process(key.slice('provider:'.length) as Address);
      };
      return { ...inbox, done: background.done, due };
    },
  };
}

describe.each(STORES)('an inbox for providers, on %s', (on) => {
  test('a storm of duplicates is worked once for each id, by whichever process', async () => {
    const { process, worked } = await town(on);
    const processes = [process(), process()];
    const storm = [...numbersTo(20), ...numbersTo(20), ...numbersTo(20).toReversed()];
    await Promise.all(storm.map((id, i) => processes[i % 2]?.save(FROM, [piece(id, 1)])));
    for (const each of processes) await each.done();
    // Two processes may work one piece at the same moment: the engine knows it by its id.
    expect(new Set(worked)).toEqual(new Set(numbersTo(20).map((id) => `canary ${id}`)));
    const before = worked.length;
    for (const id of storm) await processes[0]?.save(FROM, [piece(id, 1)]);
    await processes[0]?.done();
    expect(worked).toHaveLength(before);
  });

  test('pieces that wait together are worked in the order of their time', async () => {
    const { process, worked } = await town(on);
    const first = Promise.withResolvers<void>();
    const it = process((body) => (body === 'canary 1' ? first.promise : Promise.resolve()));
    for (const id of [1, 5, 3, 4, 2]) await it.save(FROM, [piece(id)]);
    first.resolve();
    await it.done();
    expect(worked).toEqual(numbersTo(5).map((id) => `canary ${id}`));
  });

  test('a piece of a process that was killed before its turn is worked by another one', async () => {
    const { process, worked, clock } = await town(on);
    const killed = process(() => new Promise(() => {}));
    await killed.save(FROM, [piece(1), piece(2)]);
    const next = process();
    await next.due();
    expect(worked, 'it is leased').toEqual([]);
    clock.at += 30_000;
    await next.due();
    expect(worked).toEqual(['canary 1', 'canary 2']);
    clock.at += DAY_MS;
    await next.due();
    expect(worked).toHaveLength(2);
  });

  test('a piece that fails is tried again, and what came behind it waits', async () => {
    const { process, worked, clock, errors } = await town(on);
    const weather = { isDown: true };
    const it = process(async () => {
      if (weather.isDown) throw new StoreDown('down');
    });
    await it.save(FROM, [piece(1)]);
    await it.save(FROM, [piece(2)]);
    await it.done();
    expect(worked).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
    weather.isDown = false;
    clock.at += 30_000;
    await it.due();
    expect(worked).toEqual(['canary 1', 'canary 2']);
  });

  test('nothing of a message can be read in the store, and nothing is left once it is worked', async () => {
    const { process, stored } = await town(on);
    const turn = Promise.withResolvers<void>();
    const it = process(() => turn.promise);
    await it.save(FROM, [piece(1)]);
    const waiting = (await stored()) ?? '';
    expect(waiting).not.toMatch(/canary|wamid/);
    turn.resolve();
    await it.done();
    expect(JSON.parse((await stored()) ?? '')).toMatchObject({ waiting: [], done: [expect.any(String)] });
  });

  test('more than a hundred that wait are refused, so that the provider brings them again', async () => {
    const { process, worked } = await town(on);
    const turn = Promise.withResolvers<void>();
    const it = process(() => turn.promise);
    await it.save(
      FROM,
      numbersTo(100).map((id) => piece(id)),
    );
    await expect(it.save(FROM, [piece(101)])).rejects.toThrow(StoreDown);
    turn.resolve();
    await it.done();
    await it.save(FROM, [piece(101)]);
    await it.done();
    expect(worked).toHaveLength(101);
  });

  test('one that is older than all that is remembered is not worked a second time', async () => {
    const { process, worked } = await town(on);
    const it = process();
    for (const id of numbersTo(102)) await it.save(FROM, [piece(id)]);
    await it.done();
    await it.save(FROM, [piece(1), piece(2), piece(50)]);
    await it.done();
    expect(worked).toHaveLength(102);
  });
});
