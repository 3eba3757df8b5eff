import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../src/check.ts';
import type { Config } from '../../src/config.ts';
import { start } from '../../src/main.ts';
import { meetRecords, olderStore } from '../../src/records/older-store.ts';
import { createRecorder, GROUPS } from '../../src/records/recorder.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { verifyRecords } from '../../src/records/verify.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type PostgresServer, startPostgres } from '../kit/postgres-server.ts';
import { type RedisServer, redisClient, startRedis } from '../kit/redis-server.ts';
import { configOf } from '../kit/settings.ts';
import { type Customer, createWorld, HOUR_MS, type World } from '../kit/world.ts';

/** Its operations stay open. */
const NEVER_ENDS = '0699000117';

let server: PostgresServer;
let redis: RedisServer;
let world: World;
beforeAll(async () => {
  [server, redis] = await Promise.all([startPostgres(), startRedis()]);
  world = await createWorld({ store: { url: redis.url }, records: { url: server.url } });
  await world.recording.recorder.begin();
});
afterAll(async () => {
  await world?.close();
  await Promise.all([redis?.stop(), server?.stop()]);
});

/** A copy of everything that Redis has, as a backup has it. Gives what puts it in the place of what is there. */
async function backup(): Promise<() => Promise<void>> {
  const client = await redisClient(redis.url).connect();
  const type = client.withTypeMapping({ 36: Buffer });
  const all = await Promise.all(
    (await client.keys('*')).map(async (key) => [key, (await type.dump(key)) as unknown as Buffer] as const),
  );
  client.on('error', () => {});
  return async () => {
    // At once: who writes in between would be in the copy.
    const transaction = client.multi().flushDb();
    for (const [key, value] of all) transaction.addCommand(['RESTORE', key, '0', value]);
    await transaction.exec();
    await client.close();
  };
}

async function records(): Promise<void> {
  for (let group = 0; group < GROUPS; group++) await world.recording.recorder.run(String(group));
}

async function pays(who: Customer, to: string): Promise<string> {
  await who.dials().sees('menu.choose').chooses('transfer').says(to).says('20').enters();
  await world.passes(5_000);
  const [payment] = await world.engine.desk.payments(who.phone, 1);
  if (!payment) throw new Error('nothing was paid');
  return payment.id;
}

const notWhole = async () =>
  (await verifyRecords(world.store, world.records)).flatMap(({ isWhole, sentence }) =>
    isWhole ? [] : sentence,
  );

test('a Redis restored from an older copy is noticed, and later payments come back from the records', async () => {
  const [fatima, salma, youssef] = [1, 2, 3].map(() => world.customer()) as [Customer, Customer, Customer];
  for (const each of [fatima, salma, youssef]) await each.isAtMenu();
  await pays(fatima, NEVER_ENDS);
  await records();
  const restore = await backup();
  world.clock.ahead += HOUR_MS;
  const since = await pays(youssef, NEVER_ENDS);
  const paid = await pays(salma, '0655000000');
  await records();
  expect(await olderStore(world.store, world.records)).toBeUndefined();
  expect(await notWhole()).toEqual([]);

  await restore();
  expect(await world.store.read(0, ['anything'])).toEqual([undefined]);
  const older = await olderStore(world.store, world.records);
  expect(older?.partitions.length).toBeGreaterThan(1);
  expect(Math.round((older?.byMs ?? 0) / 60_000)).toBe(60);
  expect(await notWhole()).toEqual([
    expect.stringMatching(
      /^the live store is older than the records \(\d of 256 partitions; its last sign of life is of .+ s before theirs\): 2 payments are not in it/,
    ),
  ]);

  const deps = { store: world.store, records: world.records, now: world.clock.now };
  await expect(meetRecords(deps, false), 'no process starts by itself').rejects.toThrow(
    /STORE_RESTORED=true/,
  );
  expect(await meetRecords(deps, true)).toMatch(/: 2 payments came back from the records$/);
  expect(await meetRecords(deps, true), 'once').toMatch(/: 0 payments/);
  // Its customer reads of it at the next dial, and nobody pays it a second time unasked.
  await youssef.dials().isTold('transfer.notConfirmed', { amount: 2_000 });
  expect((await world.engine.desk.payment(paid))?.state).toBe('succeeded');
  expect((await world.engine.desk.payment(since))?.state).toBe('accepted');
  await records();
  expect(await notWhole(), 'and goes on').toEqual([]);
});

test('a recorder that died before its cursor was stored does not make the store look older', async () => {
  const { store, records: recorded, clock } = world;
  await world.customer().isAtMenu();
  const dies = Object.assign(Object.create(store), { recorded: () => Promise.reject(new Error('killed')) });
  const deps = { store: dies, records: recorded, turnsMax: 1_000, onProgress() {}, now: clock.now };
  await expect(createRecorder(deps).drain()).rejects.toThrow('killed');
  expect(await olderStore(store, recorded)).toBeUndefined();
  await records();
});

test('a process refuses a store of other records, unless the operator confirms it', async () => {
  const directory = newDirectory('older');
  const [store, kept] = [
    await openSqliteStore({ directory, recorded: true }),
    await openSqliteRecords(directory),
  ];
  await store.commit(7, { writes: [], turn: JSON.stringify({ at: Date.now(), address: 'web:x' }) });
  const deps = { store, records: kept, turnsMax: 1_000, onProgress() {}, now: Date.now };
  await createRecorder(deps).drain();
  await Promise.all([store.close(), kept.close()]);
  for (const name of ['wasl.db', 'wasl.db-wal', 'wasl.db-shm'])
    rmSync(join(directory, name), { force: true });
  const own = { PORT: '0', SANDBOX_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' };
  const configured = (settings: Readonly<Record<string, string>> = {}) => configOf({ ...own, ...settings });
  const starts = async (config: Config) => {
    const logged: string[] = [];
    await (await start(config, { write: (line) => void logged.push(line) })).close();
    return logged.join('');
  };
  const refusal = /1 of 256 partitions; it knows nothing of them.+STORE_RESTORED=true/;
  await expect(check(configured(), () => {})).rejects.toThrow(refusal);
  await expect(starts(configured())).rejects.toThrow(refusal);
  expect(await starts(configured({ STORE_RESTORED: 'true' }))).toContain('0 payments came back');
});
