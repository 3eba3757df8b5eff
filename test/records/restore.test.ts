import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { createRecorder } from '../../src/records/recorder.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { verifyRecords } from '../../src/records/verify.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { postgresProgram, startPostgres } from '../kit/postgres-server.ts';

const says = (store: Store, i: number) =>
  store.commit(i % 3, { writes: [], turn: JSON.stringify({ at: Date.now(), address: 'web:x', i }) });
const drain = (store: Store, records: Records) =>
  createRecorder({ store, records, turnsMax: 10_000, onProgress() {}, now: Date.now }).drain();
const isWhole = async (store: Store, records: Records) =>
  (await verifyRecords(store, records)).every((finding) => finding.isWhole);
const numbersIn = async (records: Records) => {
  const all = await Promise.all([0, 1, 2].map((partition) => records.turns(partition, 1_000)));
  return all
    .flat()
    .map(({ record }) => Number(JSON.parse(record).i))
    .sort((a, b) => a - b);
};
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

test('PostgreSQL restored from a dump reports the gap and records again from the store', async () => {
  const server = await startPostgres();
  const directory = newDirectory('restore');
  const store = await openSqliteStore({ directory, recorded: true });
  onTestFinished(async () => {
    await store.close();
    await server.stop();
  });
  const url = await server.database();
  const records = openPostgresRecords(url);
  for (const i of upTo(30)) await says(store, i);
  await drain(store, records);
  const backup = join(directory, 'records.dump');
  execFileSync(postgresProgram('pg_dump') ?? '', ['--format=custom', `--file=${backup}`, url]);
  for (const i of upTo(60).slice(30)) await says(store, i);
  await drain(store, records);
  expect(await isWhole(store, records)).toBe(true);
  await records.close();

  const restored = await server.database();
  execFileSync(postgresProgram('pg_restore') ?? '', [`--dbname=${restored}`, '--exit-on-error', backup]);
  const again = openPostgresRecords(restored);
  expect(await numbersIn(again)).toEqual(upTo(30));
  expect(await isWhole(store, again)).toBe(false);
  await says(store, 60);
  await drain(store, again);
  expect(await numbersIn(again)).toEqual(upTo(61));
  expect(await isWhole(store, again)).toBe(true);
  await again.close();
});

test('a check does not miss turns that are recorded during it', async () => {
  const directory = newDirectory('verify');
  const store = await openSqliteStore({ directory, recorded: true });
  const records = await openSqliteRecords(directory);
  onTestFinished(async () => {
    await Promise.all([store.close(), records.close()]);
  });
  for (const i of upTo(3)) await says(store, i);
  await drain(store, records);
  const inventory = async () => {
    const found = await records.inventory();
    for (const i of upTo(6)) await says(store, i);
    await drain(store, records);
    return found;
  };
  expect(await isWhole(store, { ...records, inventory })).toBe(true);
});

test('a store and its records come back together from a copy of their folder, and go on', async () => {
  const [directory, backup] = ['a', 'b'].map((name) => newDirectory(`restore-${name}`)) as [string, string];
  const both = async (place: string) =>
    [await openSqliteStore({ directory: place, recorded: true }), await openSqliteRecords(place)] as const;
  const [store, records] = await both(directory);
  for (const i of upTo(30)) await says(store, i);
  await drain(store, records);
  for (const i of upTo(40).slice(30)) await says(store, i);
  await Promise.all([store.close(), records.close()]);
  cpSync(directory, backup, { recursive: true });

  const [later, laterRecords] = await both(directory);
  for (const i of upTo(60).slice(40)) await says(later, i);
  await drain(later, laterRecords);
  await later.close();
  // The store alone is from before: it gives the same ids to other turns.
  cpSync(join(backup, 'wasl.db'), join(directory, 'wasl.db'));
  const old = await openSqliteStore({ directory, recorded: true });
  for (const i of upTo(90).slice(60)) await says(old, i);
  await drain(old, laterRecords);
  expect(await numbersIn(laterRecords)).toEqual(upTo(90));
  expect(await isWhole(old, laterRecords)).toBe(true);
  await Promise.all([old.close(), laterRecords.close()]);

  const [restored, restoredRecords] = await both(backup);
  await drain(restored, restoredRecords);
  expect(await numbersIn(restoredRecords)).toEqual(upTo(40));
  expect(await isWhole(restored, restoredRecords)).toBe(true);
  await Promise.all([restored.close(), restoredRecords.close()]);
});
