import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RecordsDown } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { describeRecords } from './records-contract.ts';

const places: string[] = [];
const newPlace = () => {
  const place = mkdtempSync(join(tmpdir(), 'wasl-records-'));
  places.push(place);
  return place;
};
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

describeRecords('SQLite', (isNew) => openSqliteRecords(isNew ? newPlace() : (places.at(-1) as string)));

test('a second opening is refused with a sentence', async () => {
  const place = newPlace();
  const records = await openSqliteRecords(place);
  await expect(openSqliteRecords(place)).rejects.toThrow(RecordsDown);
  await records.close();
  await (await openSqliteRecords(place)).close();
});

test('a file of another format is refused', async () => {
  const place = newPlace();
  writeFileSync(
    join(place, 'records.db'),
    'a text of several words, longer than the head of a database'.repeat(20),
  );
  await expect(openSqliteRecords(place)).rejects.toThrow(RecordsDown);
});
