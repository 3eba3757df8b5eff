import { afterEach, beforeEach, expect, test } from 'vitest';
import { CASES, type Case, caseCodec, caseKey } from '../../src/conversation/cases/case.ts';
import { createCases } from '../../src/conversation/cases/cases.ts';
import { CASE_DEFAULTS } from '../../src/conversation/cases/changes.ts';
import { carrying, caseUpdate } from '../../src/conversation/cases/update.ts';
import { leftToMove, moveCases } from '../../src/records/move-cases.ts';
import type { Records } from '../../src/records/records.ts';
import { rowOf } from '../../src/records/rows.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { readDocs } from '../../src/store/update.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { NADIA } from '../kit/world-options.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2037-11-16T10:00:00Z');

let store: Store;
let records: Records;
beforeEach(async () => {
  const directory = newDirectory('move');
  [store, records] = [await openSqliteStore({ directory }), await openSqliteRecords(directory)];
});
afterEach(async () => {
  await store.close();
  await records.close();
});

function open(id: string, more: Partial<Case> = {}): Case {
  const wallet = '+212612345678' as never;
  const at = more.openedAt ?? NOW - 60_000;
  const first = { at, what: 'opened' } as const;
  return {
    id,
    kind: 'asked',
    subject: `web:${id}`,
    wallet,
    state: 'open',
    openedAt: at,
    due: NOW,
    steps: [first],
    ...more,
  };
}
function closed(id: string, closedAt: number): Case {
  const it = open(id, { openedAt: closedAt - 60_000 });
  return {
    ...it,
    state: 'closed',
    closedAt,
    end: 'solved',
    steps: [...it.steps, { at: closedAt, what: 'closed', by: 'nadia' }],
  };
}
/** Writes a case as the release before does. */
async function writes(it: Case): Promise<void> {
  const [doc] = await readDocs(store, CASES, [caseKey(it.id)]);
  await store.commit(CASES, { writes: [caseCodec.write(doc, it, { dueAt: it.due })] });
}
let turns = 0;
/** Records the end of a case as the release before does. */
const ends = (it: Case, isReopened = false) =>
  recordsText({ v: 1, at: it.closedAt, event: { kind: 'case', isReopened }, refs: [it.id], case: it });
const recordsText = (record: object) =>
  records.record({
    events: [rowOf(3, { id: `${++turns}`, record: JSON.stringify(record) })],
    payments: [],
    cursors: [],
  });
const deps = () => ({ store, records, now: () => NOW });
async function moves(): Promise<void> {
  while (await moveCases(deps()));
}
const found = (id: string) => records.cases.read((tx) => tx.find(id));

test('open and closed cases of the release before arrive, each once, and a check says so', async () => {
  await writes(open('c-1'));
  for (const [i, age] of [400, 90, 20, 1].entries()) await ends(closed(`c-old${i}`, NOW - age * DAY_MS));
  expect(await leftToMove(store, records, () => NOW)).toEqual({ open: 1, closed: 4 });
  await moves();
  expect(await leftToMove(store, records, () => NOW)).toEqual({ open: 0, closed: 0 });
  expect(await found('c-1')).toEqual(open('c-1'));
  expect(await found('c-old0')).toEqual(closed('c-old0', NOW - 400 * DAY_MS));
  const figures = await records.reports('kind', 0, NOW);
  await moves();
  expect(await records.reports('kind', 0, NOW), 'counted once').toEqual(figures);
  expect(figures).toMatchObject([{ closed: 4 }]);
});

test('what a process of that release does to a case meanwhile arrives too', async () => {
  await writes(open('c-1'));
  await moves();
  const clock = { at: NOW };
  const cases = createCases({ table: records.cases, settings: CASE_DEFAULTS, now: () => clock.at });
  await cases.assign('c-1', NADIA, NADIA);
  // It had read the case before that moved, and records its end.
  await ends({ ...closed('c-1', NOW + 1), openedAt: open('c-1').openedAt });
  await moveCases({ ...deps(), now: () => NOW + 2 });
  expect(await found('c-1')).toMatchObject({ state: 'closed', end: 'solved' });
  clock.at = NOW + 3;
  expect(await cases.reopen('c-1', 'nadia')).toBe('done');
  await moveCases({ ...deps(), now: () => NOW + 4 });
  expect((await found('c-1'))?.state, 'an end is not taken twice').toBe('open');
});

test('a case that moved and was opened anew by that release goes on as one', async () => {
  await writes(open('c-1'));
  await moves();
  // It finds no document of that name, and begins a new one under it.
  await writes(open('c-1', { openedAt: NOW }));
  await writes(open('c-2', { subject: 'web:c-1', openedAt: NOW }));
  await moves();
  expect((await found('c-1'))?.steps.map(({ what }) => what)).toEqual(['opened', 'askedAgain', 'askedAgain']);
  expect(await found('c-2')).toBeUndefined();
  expect(await leftToMove(store, records, () => NOW)).toEqual({ open: 0, closed: 0 });
});

test('an end that was taken back is none', async () => {
  await ends(closed('c-1', NOW - DAY_MS), true);
  await moves();
  expect(await found('c-1')).toBeUndefined();
  expect(await leftToMove(store, records, () => NOW)).toEqual({ open: 0, closed: 0 });
});

test('an update that a process of that release has recorded is applied, once', async () => {
  const opening = { kind: 'asked', subject: 'web:1', address: 'web:1' as never } as const;
  const { turn: record = '' } = carrying(JSON.stringify({ at: NOW - 1, event: { kind: 'input' } }), [
    caseUpdate(NOW - 1, { what: 'opened', case: 'c-1', opening }),
  ]);
  const row = rowOf(3, { id: `${++turns}`, record, payments: ['cases'] });
  const { caseUpdates: _unknown, ...asOnceRecorded } = row;
  await records.record({ events: [asOnceRecorded], payments: [], cursors: [] });
  expect(await found('c-1')).toBeUndefined();
  for (let i = 0; i < 2; i++) await moves();
  expect((await found('c-1'))?.steps).toHaveLength(1);
});

test.each<[string, unknown]>([
  ['no case', undefined],
  ['a case without an id', { ...closed('c-1', NOW), id: undefined }],
  ['a moment of its end that is text', { ...closed('c-1', NOW), closedAt: 'x' }],
  ['a kind that is a number', { ...closed('c-1', NOW), kind: 5 }],
])('a record that cannot be read keeps no other from moving: %s', async (_, odd) => {
  await recordsText({ at: NOW - 2, event: { kind: 'case' }, case: odd });
  await ends(closed('c-2', NOW - 1));
  await store.commit(CASES, { writes: [{ key: caseKey('c-odd'), version: 0, value: '{}', dueAt: NOW }] });
  await writes(open('c-3'));
  await moves();
  expect([(await found('c-2'))?.state, (await found('c-3'))?.state]).toEqual(['closed', 'open']);
});

test('a case whose row is damaged stays where it is, and the others arrive', async () => {
  await records.cases.write((tx) => tx.add({ ...open('c-1'), owner: 'damaged' } as never));
  await writes(open('c-1'));
  await writes(open('c-2'));
  await ends(closed('c-1', NOW - DAY_MS));
  await ends(closed('c-3', NOW - DAY_MS));
  await moves();
  expect([await found('c-2'), await found('c-3')]).toMatchObject([{ id: 'c-2' }, { id: 'c-3' }]);
  expect(await leftToMove(store, records, () => NOW)).toEqual({ open: 1, closed: 1 });
});
