import { expect, test } from 'vitest';
import { CASE_DEFAULTS } from '../../src/conversation/cases/changes.ts';
import { type CaseUpdate, carried, carrying, caseUpdate } from '../../src/conversation/cases/update.ts';
import { rowOf } from '../../src/records/rows.ts';
import { NADIA } from '../kit/world-options.ts';
import { ADDRESS, HOUR_MS, NOW, type OpenRecords, theRecords } from './records-contract.ts';

const WALLET = '+212600000001' as never;
const OTHER = '+212600000002' as never;

/** Turns that carry updates of cases, and ways to record them. */
function turnsOfCases(open: OpenRecords) {
  const { records } = theRecords(open);
  const at = ADDRESS as never;
  let last = 0;
  /** The rows of turns that carry updates, one turn for each. */
  const turnsWith = (...all: readonly CaseUpdate[]) =>
    all.map((each) => {
      const { turn: record = '' } = carrying(JSON.stringify({ v: 2, at: NOW, event: { kind: 'input' } }), [
        each,
      ]);
      return rowOf(17, { id: `${++last}`, record, payments: ['cases'] });
    });
  /** The row of any other turn. */
  const row = (text: string) => rowOf(17, { id: `${++last}`, record: text, payments: ['cases'] });
  const record = (events: readonly ReturnType<typeof rowOf>[], settings = CASE_DEFAULTS) =>
    records.record({ events, payments: [], cursors: [], settings });
  const opened = (id: string, more: object = {}) =>
    caseUpdate(NOW, {
      what: 'opened',
      case: id,
      opening: { kind: 'asked', subject: ADDRESS, address: at, wallet: WALLET, ...more },
    });
  const found = (id: string) => records.cases.read((tx) => tx.find(id));
  return { records, turnsWith, record, opened, found, at, row };
}

/** What the records make of the updates that turns carry. */
export function appliesCaseUpdate(open: OpenRecords): void {
  const { records, turnsWith, record, opened, found, at, row } = turnsOfCases(open);

  test('an update opens a case, and one after it changes that case, in one batch', async () => {
    const whose = { address: at, wallet: WALLET };
    await record(
      turnsWith(
        opened('c-1'),
        caseUpdate(NOW + 1, { what: 'engaged', address: at, by: NADIA, isForced: false }),
        caseUpdate(NOW + 2, { what: 'answered', ...whose, by: NADIA }),
        caseUpdate(NOW + 3, { what: 'wrote', ...whose, owner: 'nadia' }),
        caseUpdate(NOW + 4, { what: 'settled', address: at }),
        caseUpdate(NOW + 5, { what: 'rated', address: at, case: 'c-1', rating: 1 }),
      ),
    );
    expect(await found('c-1')).toMatchObject({
      ...{ state: 'closed', end: 'byCustomer', owner: NADIA, rating: 1, firstAnswerAt: NOW + 2 },
      ...{ openedAt: NOW, closedAt: NOW + 4 },
    });
    const steps = (await found('c-1'))?.steps.map(({ what }) => what);
    expect(steps).toEqual(['opened', 'assigned', 'answered', 'customerWrote', 'closed', 'rated']);
  });

  test('a turn that is recorded again says nothing new, nor does the same update in another turn', async () => {
    const first = opened('c-1');
    const turn = turnsWith(first);
    for (let i = 0; i < 2; i++) await record(turn);
    await record(turnsWith(first));
    expect((await found('c-1'))?.steps).toHaveLength(1);
    await record(turnsWith(opened('c-2')));
    expect(
      (await found('c-1'))?.steps.map(({ what }) => what),
      'they ask again',
    ).toEqual(['opened', 'askedAgain']);
    expect(await found('c-2')).toBeUndefined();
  });

  test('an update that names an open case of its customer opens no other one, and that one goes on there', async () => {
    const there = { subject: 'web:2', address: 'web:2' };
    await record(turnsWith(opened('c-1'), opened('c-1', there)));
    expect(await found('c-1')).toMatchObject({ ...there, state: 'open' });
    expect(await records.cases.read((tx) => tx.openOf({ wallet: WALLET }))).toHaveLength(1);
    // Where the address has an open case of its own, neither takes the other's place.
    await record(turnsWith(opened('c-2'), opened('c-1', { subject: ADDRESS, address: at })));
    expect(await found('c-1')).toMatchObject(there);
    expect((await found('c-1'))?.steps.map(({ what }) => what)).toEqual([
      ...['opened', 'askedAgain', 'askedAgain'],
    ]);
    // Where the customer says that it is settled, they may be elsewhere.
    await record(turnsWith(caseUpdate(NOW + 1, { what: 'settled', address: at, case: 'c-1' })));
    expect(await found('c-1')).toMatchObject({ state: 'closed' });
    expect(await found('c-2')).toMatchObject({ state: 'open' });
  });

  test('a rating finds the case that was opened under another name', async () => {
    await record(
      turnsWith(opened('c-1'), caseUpdate(NOW, { what: 'rated', address: at, case: 'c-9', rating: 2 })),
    );
    expect(await found('c-1')).toMatchObject({ state: 'closed', rating: 2 });
    await record(turnsWith(caseUpdate(NOW + 1, { what: 'notYet', address: at, case: 'c-9' })));
    expect(await found('c-1')).toMatchObject({ state: 'open' });
  });

  test('a name that another case has is not taken from it', async () => {
    await record(
      turnsWith(opened('c-1'), opened('c-1', { subject: 'web:2', address: 'web:2', wallet: OTHER })),
    );
    expect(await found('c-1')).toMatchObject({ subject: ADDRESS });
    expect(await records.cases.read((tx) => tx.about('asked', 'web:2'))).toMatchObject({ wallet: OTHER });
  });

  test.each<[string, unknown]>([
    ['no list', { what: 'opened' }],
    ['a kind that a later release knows', [{ id: 'x', at: NOW, what: 'escalated', address: ADDRESS }]],
    [
      'an opening without a subject',
      [{ id: 'x', at: NOW, what: 'opened', case: 'c-1', opening: { kind: 'asked' } }],
    ],
    ['a moment that is text', [{ id: 'x', at: 'now', what: 'goesOn', address: ADDRESS }]],
    ['a moment that no clock shows', [{ id: 'x', at: 1e300, what: 'goesOn', address: ADDRESS }]],
    ['half a rating', [{ id: 'x', at: NOW, what: 'rated', address: ADDRESS, case: 'c-1', rating: 1.5 }]],
    [
      'a case of a kind that a later release knows',
      [{ id: 'x', at: NOW, what: 'opened', case: 'c-1', opening: { kind: 'fraud', subject: ADDRESS } }],
    ],
    ['null', null],
  ])('an update that this release cannot read is kept with its turn and left alone: %s', async (_, cases) => {
    const text = JSON.stringify({ at: NOW, event: { kind: 'input' }, cases });
    await record([row(text)]);
    expect(await records.cases.read((tx) => tx.counts([{}], NOW))).toEqual([0]);
    expect(await records.cases.events(NOW, NOW + 1), 'for that release').toHaveLength(1);
  });
}

/** What else follows from it. */
export function keepsToldCases(open: OpenRecords): void {
  const { records, turnsWith, record, opened, found, at, row } = turnsOfCases(open);

  test('an event for the company’s tools is written with its case, once, and leaves the outbox when it was sent', async () => {
    const outbox = async () =>
      (await records.cases.read((tx) => tx.outbox(10))).map(([, event]) => JSON.parse(event).type);
    const turn = turnsWith(opened('c-1'));
    for (let i = 0; i < 2; i++) await record(turn, { ...CASE_DEFAULTS, notifies: true });
    expect(await outbox()).toEqual(['case.opened']);
    const [first] = await records.cases.read((tx) => tx.outbox(10));
    await records.cases.write((tx) => tx.sent(first?.[0] ?? ''));
    expect(await outbox()).toEqual([]);
  });

  test('work that fails in the middle leaves nothing behind', async () => {
    await record(turnsWith(opened('c-1')));
    const failing = records.cases.write(function* (tx) {
      const it = yield* tx.find('c-1');
      if (it) yield* tx.put({ ...it, isUrgent: true });
      throw new Error('the process has had enough');
    });
    await expect(failing).rejects.toThrow('had enough');
    expect(await found('c-1')).not.toHaveProperty('isUrgent');
  });

  test('an erased customer has no case, and what their closed cases count for stays', async () => {
    const note = 'she called from Rabat';
    await record(turnsWith(opened('c-1'), caseUpdate(NOW + HOUR_MS, { what: 'settled', address: at })));
    await record(
      turnsWith(opened('c-2'), opened('c-3', { subject: 'web:2', address: 'web:2', wallet: OTHER })),
    );
    await records.cases.write(function* (tx) {
      const it = yield* tx.find('c-1');
      if (it) yield* tx.put({ ...it, steps: [...it.steps, { at: NOW, what: 'note', by: 'nadia', note }] });
    });
    const figures = await records.reports('kind', 0, NOW * 2);
    expect(figures).toMatchObject([{ closed: 1 }]);
    await records.erase(WALLET, [ADDRESS], 'erased:x');
    expect(await records.reports('kind', 0, NOW * 2)).toEqual(figures);
    expect(await found('c-2')).toBeUndefined();
    expect(JSON.stringify(await found('c-1'))).not.toMatch(/212600000001|Rabat/);
    expect(await records.cases.read((tx) => tx.closedOf(WALLET, 10))).toEqual([]);
    expect(await found('c-3'), 'another customer’s').toMatchObject({ wallet: OTHER });
  });

  test('a NUL in a forged record or update is no part of a row', async () => {
    const address = `web:\0${ADDRESS}`;
    const told = caseUpdate(NOW, {
      what: 'opened',
      case: 'c-\0',
      opening: { kind: 'asked', subject: address },
    });
    const forged = {
      v: 2,
      at: NOW,
      address,
      wallet: address,
      language: '\0',
      from: '\0.a',
      to: 'b.\0',
      cases: [told],
    };
    await record([row(JSON.stringify(forged)), row('\0'), ...turnsWith(opened('c-2'))]);
    expect(await found('c-2')).toMatchObject({ state: 'open' });
    expect(await records.turns(17, 10)).toHaveLength(3);
  });

  test('an update of a case that cannot be read is put aside, and all others are recorded', async () => {
    await record(turnsWith(opened('c-1'), opened('c-2', { subject: 'web:2', address: 'web:2' })));
    await records.cases.write(function* (tx) {
      yield* tx.put({ ...(yield* tx.find('c-1')), owner: 'damaged' } as never);
    });
    const refused: string[] = [];
    const wrote = caseUpdate(NOW + 1, { what: 'wrote', address: at });
    await records.record({
      events: turnsWith(
        wrote,
        caseUpdate(NOW + 2, { what: 'engaged', address: 'web:2' as never, by: NADIA, isForced: false }),
      ),
      payments: [],
      cursors: [],
      onRefused: ({ id }) => refused.push(id),
    });
    expect(refused).toEqual([wrote.id]);
    expect(await found('c-2')).toMatchObject({ owner: NADIA });
    expect(await records.cases.read((tx) => tx.read(['c-1', 'c-2'])), 'a list has the others').toHaveLength(
      1,
    );
  });

  test('an update that no turn carries is a record of its own', async () => {
    const { turn: text = '', carries } = carried([opened('c-1')]);
    expect(carries).toBe(true);
    await record([row(text)]);
    expect(await found('c-1')).toMatchObject({ state: 'open' });
    expect(carried([])).toEqual({});
  });
}
