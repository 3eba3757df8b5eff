import { expect, onTestFinished, test } from 'vitest';
import { KINDS, type Kind, type Records, RecordsDown } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createUpkeep } from '../../src/records/upkeep.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { newDirectory } from '../kit/new-directory.ts';

/** Records that cannot forget these kinds: gives which were forgotten, and what is said of the others. */
async function forgetting(...cannot: readonly Kind[]) {
  const directory = newDirectory('upkeep');
  const [store, records] = [await openSqliteStore({ directory }), await openSqliteRecords(directory)];
  onTestFinished(async () => {
    await records.close();
    await store.close();
  });
  const [forgotten, failed]: [Kind[], Kind[]] = [[], []];
  const forget: Records['forget'] = async (kind) => {
    if (cannot.includes(kind)) throw new RecordsDown('PostgreSQL: 22003');
    return 1;
  };
  const upkeep = createUpkeep({
    store,
    records: { ...records, forget },
    takeOver: async () => {},
    keptDays: { events: 400, payments: 3_653, audit: 730, names: 400 },
    onForgotten: (kind) => void forgotten.push(kind),
    onNotForgotten: (kind) => void failed.push(kind),
    now: Date.now,
  });
  await upkeep.begin();
  return { run: () => upkeep.run('retention'), forgotten, failed };
}

test('a failing kind does not stop the deletion of the others', async () => {
  const { run, forgotten, failed } = await forgetting('events');
  await run();
  expect([forgotten, failed]).toEqual([KINDS.filter((kind) => kind !== 'events'), ['events']]);
});

test('records that are down are tried again soon, not on the next day', async () => {
  const { run, failed } = await forgetting(...KINDS);
  await expect(run()).rejects.toThrow(RecordsDown);
  expect(failed).toEqual([]);
});
