import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { auditQuestion } from '../../src/records/audit-query.ts';
import { caseTx } from '../../src/records/case-rows.ts';
import type { AuditQuery } from '../../src/records/records.ts';
import { RecordsDown } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import type { Query } from '../../src/store/steps.ts';
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

test('cases are found by an index, and not by looking through all of them', async () => {
  const place = newPlace();
  await (await openSqliteRecords(place)).close();
  const db = new DatabaseSync(join(place, 'records.db'));
  const tx = caseTx();
  const questions = [
    tx.find('c-1'),
    tx.about('asked', 'web:1'),
    tx.lastAt('web:1'),
    tx.openOf({ wallet: '+212600000001' as never, address: 'web:1' }),
    tx.openOf({ address: 'web:1' }),
    tx.closedOf('+212600000001', 10),
    tx.lookAt(1, 10),
    tx.chosen({ stands: 'turn', owners: [''] }, 1, 'waiting', [0, 100]),
    tx.chosen({ naming: 'nadia' }, 1, 'due', [0, 100]),
    tx.counts([{}, { stands: 'waiting' }], 1),
  ];
  // Indexes of the few cases that are listed may be looked through.
  for (const question of questions) {
    const { text, values } = question.next().value as Query;
    const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(named);
    expect(
      plan
        .map(({ detail }) => String(detail))
        .filter((step) => /^SCAN cases(?! USING (?:COVERING )?INDEX cases(?:Listed|Mentions))/.test(step)),
    ).toEqual([]);
  }
  db.close();
});

test.each<readonly [filter: string, query: AuditQuery]>([
  ['an agent', { who: 'nadia' }],
  ['an act', { act: 'exportCustomer' }],
  ['a customer', { about: ['+212600000001'] }],
  ['acts that were refused', { end: 'refused' }],
  ['acts that failed', { end: 'failed', who: 'nadia' }],
])('the audit is filtered by %s with an index, however many entries it has', async (_, query) => {
  const place = newPlace();
  await (await openSqliteRecords(place)).close();
  const db = new DatabaseSync(join(place, 'records.db'));
  const { text, values } = auditQuestion(query, 10);
  const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(named);
  db.close();
  expect(plan.map(({ detail }) => String(detail)).filter((step) => /^SCAN a\b/.test(step))).toEqual([]);
});
