import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyCaseUpdate, changeCase } from '../../../src/conversation/cases/apply.ts';
import {
  type Case,
  type CaseOwner,
  type Handler,
  isSnoozed,
  isTakenFrom,
  type Whose,
} from '../../../src/conversation/cases/case.ts';
import { type Cases, createCases } from '../../../src/conversation/cases/cases.ts';
import {
  answered,
  CASE_DEFAULTS,
  CASE_LABELS_MAX,
  type CaseActed,
  type Change,
  customerWrote,
  rated,
} from '../../../src/conversation/cases/changes.ts';
import { caseUpdate } from '../../../src/conversation/cases/update.ts';
import { openPostgresRecords } from '../../../src/records/postgres.ts';
import type { Records } from '../../../src/records/records.ts';
import { openSqliteRecords } from '../../../src/records/sqlite.ts';
import { isNewCase } from '../../../src/support/case-list.ts';
import { stepBefore } from '../../../src/support/pages/earlier-step.ts';
import { lazily } from '../../kit/lazily.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { type PostgresServer, startPostgres } from '../../kit/postgres-server.ts';
import { createWorld, HOUR_MS, MINUTE_MS, NADIA, OMAR, theWorld } from '../../kit/world.ts';

const needed = async () => true;

const RECORDS = ['sqlite', 'postgres'] as const;
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

function casesOn(kind: (typeof RECORDS)[number]) {
  let records: Records;
  let cases: Cases;
  // A Monday that is long to come.
  const clock = { at: Date.parse('2037-11-16T10:00:00Z') };
  let last = 0;
  const settings = { ...CASE_DEFAULTS, notifies: true };
  beforeAll(async () => {
    records =
      kind === 'postgres'
        ? openPostgresRecords(await postgres.place())
        : await openSqliteRecords(newDirectory('cases'));
    cases = createCases({ table: records.cases, settings, now: () => clock.at });
  });
  afterAll(() => records.close());
  const change = (id: string, to: Change) =>
    records.cases.write((tx) => changeCase(tx, { settings, at: clock.at }, id, to));
  /** What the engine tells of a case, at once. */
  const told = {
    answered: (id: string, by: CaseOwner) => change(id, answered(by)),
    customerWrote: (id: string) => change(id, customerWrote),
    rate: (id: string, rating: number) => change(id, rated(rating)),
    wakes: (whose: Whose) =>
      records.cases.write((tx) =>
        applyCaseUpdate(
          tx,
          settings,
          caseUpdate(clock.at, { what: 'woke', address: 'web:nobody', ...whose }),
        ),
      ),
  };
  const opened = (more: Partial<Parameters<Cases['open']>[0]> = {}): Promise<Case> =>
    cases.open({ kind: 'asked', subject: `web:${++last}`, address: `web:${last}`, language: 'fr', ...more });
  const found = async ({ id }: Case) => (await cases.find(id)) as Case;
  const stepsOf = async (it: Case) => (await found(it)).steps.map(({ what }) => what);
  const clear = async () => {
    for (const { id } of await cases.list()) await cases.close(id, 'solved', NADIA);
  };
  return {
    records: lazily(() => records),
    told,
    cases: lazily(() => cases),
    clock,
    opened,
    found,
    stepsOf,
    clear,
  };
}

describe.each(RECORDS)('a case, on %s', (kind) => {
  const { records, cases, clock, opened, found, stepsOf, clear } = casesOn(kind);

  test('one subject has one open case, and a second request is counted in it', async () => {
    const it = await opened();
    const again = await cases.open({ kind: 'asked', subject: it.subject });
    expect([again.id, await stepsOf(it)]).toEqual([it.id, ['opened', 'askedAgain']]);
    expect(it.id).toMatch(/^c-[2-9a-z]{7}$/);
    const other = await cases.open({ kind: 'stuck', subject: it.subject });
    expect(other.id).not.toBe(it.id);
    await cases.close(it.id, 'solved', NADIA, 'told her. Her PIN is 4821');
    expect((await found(it)).steps.at(-1)).toMatchObject({ by: 'nadia', note: 'told her. Her PIN is ••••' });
    const next = await cases.open({ kind: 'asked', subject: it.subject });
    expect(next.id).not.toBe(it.id);
    expect(await cases.reopen(it.id, 'nadia'), 'another one about the same is open').toBe('notNow');
    await clear();
  });

  test('twenty agents never get the same next case, and the earliest due comes first', async () => {
    const all: Case[] = [];
    for (let i = 0; i < 15; i++) {
      clock.at += 1_000;
      all.push(await opened());
    }
    await cases.setUrgent(all[9]?.id ?? '', true, OMAR);
    expect((await cases.next(NADIA))?.id).toBe(all[9]?.id);
    expect((await cases.next(NADIA))?.id).toBe(all[0]?.id);
    const agents = Array.from({ length: 20 }, (_, i) => ({ id: `a${i}`, name: `A${i}` }));
    const taken = await Promise.all(agents.map((agent) => cases.next(agent)));
    const ids = taken.flatMap((each) => each?.id ?? []);
    expect(ids).toHaveLength(13);
    expect(new Set(ids).size).toBe(13);
    for (const [i, each] of taken.entries()) if (each) expect((await found(each)).owner?.id).toBe(`a${i}`);
    await clear();
  });

  test('the second of two agents with the same action is told about the first', async () => {
    const it = await opened();
    const agents = [NADIA, OMAR];
    for (const [path, act] of [
      ['take', (by: typeof NADIA) => cases.assign(it.id, by, by)],
      ['urgent', (by: typeof NADIA) => cases.setUrgent(it.id, true, { ...by, mayTake: true })],
      ['label', ({ id }: typeof NADIA) => cases.label(it.id, ['vip'], true, id)],
      ['wait', (by: typeof NADIA) => cases.setWaiting(it.id, true, { ...by, mayTake: true })],
      ['close', (by: typeof NADIA) => cases.close(it.id, 'solved', { ...by, mayTake: true })],
    ] as const) {
      const came = await Promise.all(agents.map(act));
      const said = path === 'take' ? 'owned' : 'notNow';
      expect([...came].sort(), path).toEqual(['done', said].sort());
      const [winner] = came[0] === 'done' ? agents : agents.toReversed();
      const now = await found(it);
      expect(stepBefore(now, said, path, { label: 'vip' })?.by, path).toBe(winner?.id);
    }
  });

  test('a mention in a note of a merged case is told by the case that goes on', async () => {
    const wallet = '+212612345678' as never;
    const [it, into] = [await opened({ wallet }), await opened({ wallet })];
    await cases.note(it.id, 'nadia', '@omar @sara @lina', ['omar', 'sara', 'lina']);
    await cases.note(into.id, 'nadia', '@sara @omar', ['sara', 'omar']);
    await cases.looked(it.id, 'sara');
    await cases.looked(it.id, 'lina');
    await cases.looked(into.id, 'omar');
    expect(await cases.merge(it.id, into.id, { id: 'nadia' })).toBe('done');
    expect((await found(into)).mentions).toEqual({ omar: true, sara: true, lina: false });
    expect(await cases.list({ naming: 'omar' }), 'nobody is told twice').toEqual([await found(into)]);
    for (const name of ['omar', 'sara']) await cases.looked(into.id, name);
    await clear();
  });

  test('a mentioned agent is told until they look, and a mention of oneself is not told', async () => {
    const it = await opened();
    for (const said of ['done', 'notNow']) expect(await cases.looked(it.id, 'omar')).toBe(said);
    await cases.note(it.id, 'nadia', '@omar and @nadia: look', ['omar', 'nadia']);
    expect((await found(it)).mentions).toEqual({ omar: true });
    expect([await cases.looked(it.id, 'omar'), await cases.looked(it.id, 'omar')]).toEqual([
      'done',
      'notNow',
    ]);
    expect((await found(it)).mentions, 'it stays in their list').toEqual({ omar: false });
    await cases.note(it.id, 'nadia', 'for nobody');
    await cases.note(it.id, 'nadia', '   ', ['sara']);
    expect((await found(it)).mentions).toEqual({ omar: false });
    await cases.note(it.id, 'nadia', '@omar again', ['omar']);
    expect((await found(it)).mentions).toEqual({ omar: true });
    expect(await stepsOf(it)).toEqual(['opened', 'note', 'note', 'note']);
    await cases.note(it.id, 'nadia', '@sara too', ['sara']);
    await clear();
    const isListed = async (all: Promise<Case[]>) => (await all).some(({ id }) => id === it.id);
    const listed = async (name: string) => [
      await isListed(cases.list()),
      await isListed(cases.list({ naming: name })),
    ];
    const counted = async () => records.tallyDays(clock.at, clock.at + 1, []);
    const before = await counted();
    for (const name of ['omar', 'sara']) {
      expect(await listed(name), `it is closed, and ${name} has not looked`).toEqual([false, true]);
      expect([await cases.looked(it.id, name), await cases.looked(it.id, name)]).toEqual(['done', 'notNow']);
    }
    expect(await listed('sara')).toEqual([false, false]);
    expect(await counted(), 'it is closed, and counted, once').toEqual(before);
    expect((await found(it)).state).toBe('closed');
  });

  test.each([
    ['the one that stands still into it', (asked: Case, stuck: Case) => [stuck.id, asked.id] as const],
    ['it into the one that stands still', (asked: Case, stuck: Case) => [asked.id, stuck.id] as const],
  ])('a request of a customer goes on after any merge: %s', async (_, ids) => {
    const address = `web:merged-${_.length}` as const;
    const asked = await cases.open({ kind: 'asked', subject: address, address });
    const stuck = await cases.open({ kind: 'stuck', subject: address, address });
    await cases.assign(asked.id, { id: 'nadia', name: 'Nadia' }, NADIA);
    const [id, into] = ids(asked, stuck);
    expect(await cases.merge(id, into, NADIA)).toBe('done');
    expect(await cases.find(stuck.id)).toMatchObject({ state: 'closed', mergedInto: asked.id });
    expect((await cases.find(stuck.id))?.steps.at(-1)).toMatchObject({ what: 'closed', note: asked.id });
    expect(await cases.find(asked.id)).toMatchObject({ state: 'open', owner: { id: 'nadia' } });
    expect(await cases.close(stuck.id, 'byItself')).toBe('notNow');
  });
});

describe.each(RECORDS)('the next case of an agent, on %s', (kind) => {
  const { told, cases, clock, opened, found, clear } = casesOn(kind);

  test('an agent who merges their case into a free one goes on with it', async () => {
    const address = 'web:nobodys' as const;
    const one = await cases.open({ kind: 'payment', subject: 'p-1', address });
    const other = await cases.open({ kind: 'payment', subject: 'p-2', address });
    await cases.assign(one.id, { id: 'nadia', name: 'Nadia' }, NADIA);
    expect(await cases.merge(one.id, other.id, NADIA)).toBe('done');
    expect(await cases.find(other.id)).toMatchObject({ owner: { id: 'nadia' } });
  });

  test('labels are added once and removed, keep a snooze, and follow a merged case', async () => {
    const wallet = '+212612345678' as never;
    const [it, other] = [await opened({ wallet }), await opened({ wallet })];
    await cases.snooze(it.id, clock.at + HOUR_MS, NADIA);
    expect(await cases.label(it.id, ['one', 'two', 'one'], true, 'nadia')).toBe('done');
    expect(await cases.label(it.id, ['two'], true, 'omar'), 'it is on already').toBe('notNow');
    expect(await cases.label(it.id, ['three'], false, 'omar'), 'it is not on').toBe('notNow');
    expect(await cases.label(it.id, ['two', 'three'], false, 'omar')).toBe('done');
    expect(await found(it)).toMatchObject({ labels: ['one'], snoozedUntil: clock.at + HOUR_MS });
    expect((await found(it)).steps.slice(2).map(({ what, by, note }) => [what, by, note])).toEqual([
      ['labelled', 'nadia', 'one'],
      ['labelled', 'nadia', 'two'],
      ['unlabelled', 'omar', 'two'],
    ]);
    const many = Array.from({ length: CASE_LABELS_MAX }, (_, i) => `l${i}`);
    expect(await cases.label(it.id, many, true, 'nadia'), 'with the one it has').toBe('notNow');
    await cases.label(other.id, ['one', 'five'], true, 'nadia');
    await cases.merge(it.id, other.id, NADIA);
    expect((await found(other)).labels).toEqual(['one', 'five']);
    expect(await cases.label(it.id, ['one'], false, 'nadia'), 'it is closed').toBe('notNow');
    await cases.label(other.id, ['one', 'five'], false, 'nadia');
    expect(await found(other)).not.toHaveProperty('labels');
    expect(await cases.label('c-7777777', ['one'], true, 'nadia')).toBe('notFound');
    await clear();
  });

  test('an agent can limit the next case to some kinds, and the others stay free', async () => {
    const [first, second] = [await opened(), await opened()];
    expect((await cases.next(NADIA, { customers: [second.address as string] }))?.id).toBe(second.id);
    expect(await cases.next(NADIA, { kind: 'webhook' })).toBeUndefined();
    expect((await cases.next(OMAR))?.id).toBe(first.id);
    await clear();
  });

  test('a customer with a case of another agent is left to that agent, until nothing else is free or it is late', async () => {
    const wallet = '+212612000003' as never;
    const omars = await opened({ wallet });
    await cases.assign(omars.id, OMAR, OMAR);
    const [same, other, last] = [
      await opened({ kind: 'stuck', wallet }),
      await opened(),
      await opened({ kind: 'payment' }),
    ];
    expect((await cases.next(NADIA))?.id).toBe(other.id);
    clock.at = same.due;
    expect((await cases.next(NADIA))?.id, 'it is late').toBe(same.id);
    const again = await opened({ kind: 'stuck', wallet });
    expect((await cases.next(NADIA))?.id, 'what comes later comes first').toBe(last.id);
    expect((await cases.next(NADIA))?.id, 'nothing else is free').toBe(again.id);
    await clear();
  });

  test('an agent who takes the next case also gets the other free cases of its customer', async () => {
    const wallet = '+212612000004' as never;
    const first = await opened({ wallet });
    clock.at += 1_000;
    const stranger = await opened();
    const second = await opened({ kind: 'payment', wallet });
    expect((await cases.next(NADIA))?.id).toBe(first.id);
    expect((await found(second)).owner).toEqual(NADIA);
    expect((await cases.next(OMAR))?.id).toBe(stranger.id);
    await clear();
  });

  test('an answer about a payment is noted, and leaves the case due, snoozed or not', async () => {
    const it = await opened({ kind: 'payment' });
    await cases.assign(it.id, NADIA, NADIA);
    await told.answered(it.id, NADIA);
    expect(await found(it)).toMatchObject({ state: 'open', due: it.due, firstAnswerAt: clock.at });
    const until = clock.at + HOUR_MS;
    await cases.snooze(it.id, until, NADIA);
    await told.answered(it.id, NADIA);
    expect(await found(it)).toMatchObject({ state: 'open', snoozedUntil: until });
    await clear();
  });
});

describe.each(RECORDS)('the owner and the time limit of a case, on %s', (kind) => {
  const { told, cases, clock, opened, found, stepsOf, clear } = casesOn(kind);

  test('a case belongs to one agent, who hands it over, or a supervisor takes it', async () => {
    const it = await opened();
    expect(await cases.assign(it.id, NADIA, NADIA)).toBe('done');
    expect(await cases.assign(it.id, OMAR, OMAR)).toBe('owned');
    expect(await cases.assign(it.id, OMAR, NADIA), 'hers to give').toBe('done');
    expect(await found(it), 'she knows').not.toHaveProperty('mentions');
    expect(await cases.assign(it.id, NADIA, { ...NADIA, mayTake: true })).toBe('done');
    const taken = await found(it);
    expect(taken.steps.at(-1)).toMatchObject({ what: 'assigned', by: 'nadia', note: 'Nadia', from: 'omar' });
    const isToldTo = (agent: string) => isNewCase(taken, { agent, teams: [], now: clock.at });
    expect([taken.mentions, isToldTo('omar'), isToldTo('sara')], 'he is told').toEqual([
      { omar: true },
      true,
      false,
    ]);
    expect([isTakenFrom(taken, 'omar'), isTakenFrom(taken, 'nadia')]).toEqual([true, false]);
    await cases.looked(it.id, 'omar');
    expect((await found(it)).owner).toEqual(NADIA);
    expect(await cases.assign('c-nothing', NADIA, NADIA)).toBe('notFound');
    await cases.close(it.id, 'solved', NADIA);
    for (const act of [
      cases.assign(it.id, OMAR, { ...OMAR, mayTake: true }),
      cases.setWaiting(it.id, true, NADIA),
      cases.setUrgent(it.id, true, NADIA),
      cases.close(it.id, 'solved', NADIA),
    ])
      expect(await act).toBe('notNow');
    expect(await cases.reopen(it.id, 'omar')).toBe('done');
    expect(await found(it)).toMatchObject({ state: 'open', owner: NADIA });
    expect(await cases.reopen(it.id, 'omar')).toBe('notNow');
    await clear();
  });

  test('either the customer or the agent waits, and neither too long', async () => {
    const it = await opened();
    expect(it.due - clock.at).toBe(15 * MINUTE_MS);
    await told.answered(it.id, NADIA);
    expect(await found(it)).toMatchObject({ state: 'waiting', owner: NADIA, firstAnswerAt: clock.at });
    clock.at += HOUR_MS;
    expect(await told.customerWrote(it.id)).toBe('done');
    expect(await found(it)).toMatchObject({ state: 'open', due: clock.at + 15 * MINUTE_MS });
    expect(await told.customerWrote(it.id), 'more words of the same').toBe('notNow');
    await cases.setWaiting(it.id, true, NADIA);
    clock.at += 25 * HOUR_MS;
    await cases.look(it.id, needed);
    expect(await found(it)).toMatchObject({ state: 'open' });
    expect(await stepsOf(it)).toEqual(['opened', 'answered', 'customerWrote', 'waiting', 'goesOn']);
    await clear();
  });

  test('a late case is breached once, and a case without a need closes itself', async () => {
    const [it, free, owned] = [
      await opened(),
      await opened({ kind: 'payment' }),
      await opened({ kind: 'payment' }),
    ];
    await cases.assign(owned.id, NADIA, NADIA);
    await cases.look(it.id, needed);
    expect((await found(it)).breachedAt, 'it is not due yet').toBeUndefined();
    clock.at += 16 * MINUTE_MS;
    for (let i = 0; i < 2; i++) await cases.look(it.id, needed);
    expect((await stepsOf(it)).filter((what) => what === 'breached')).toHaveLength(1);
    expect(
      (await cases.list()).map(({ id }) => id),
      'it is still there',
    ).toContain(it.id);
    for (const each of [free, owned]) await cases.look(each.id, async () => false);
    expect(await found(free)).toMatchObject({ state: 'closed', end: 'byItself' });
    expect(await found(owned), 'an agent’s own is theirs to close').toMatchObject({ state: 'open' });
    await clear();
  });

  test('two cases of one customer become one, and cases of two customers do not', async () => {
    const wallet = '+212612345678' as const;
    const [one, two, other] = [
      await opened({ wallet: wallet as never }),
      await opened({ kind: 'payment', wallet: wallet as never }),
      await opened({ kind: 'payment' }),
    ];
    expect(await cases.merge(one.id, other.id, NADIA)).toBe('notNow');
    expect(await cases.merge(one.id, one.id, NADIA)).toBe('notNow');
    expect(await cases.merge(one.id, 'c-nothing', NADIA)).toBe('notFound');
    expect(await cases.merge(one.id, two.id, NADIA)).toBe('done');
    expect(await found(one)).toMatchObject({ state: 'closed', end: 'merged', mergedInto: two.id });
    expect(await found(two)).toMatchObject({ state: 'open', due: one.due });
    await clear();
  });

  test('a note is for other agents, changes nothing else, and outlives the steps around it', async () => {
    const it = await opened();
    await cases.assign(it.id, NADIA, NADIA);
    const before = await found(it);
    expect(await cases.note(it.id, 'omar', '  the bank calls back. PIN 4821 ')).toBe('done');
    const { steps, ...rest } = await found(it);
    expect(rest).toEqual({ ...before, steps: undefined });
    expect(await cases.note(it.id, 'omar', 'the bank calls back. PIN 4821'), 'sent twice').toBe('notNow');
    expect(stepBefore(await found(it), 'notNow', 'note', { text: 'the bank calls back. PIN 4821' })?.at).toBe(
      clock.at,
    );
    expect(steps.at(-1)).toMatchObject({ what: 'note', by: 'omar', note: 'the bank calls back. PIN ••••' });
    for (let i = 0; i < 70; i++) await cases.setUrgent(it.id, i % 2 === 0, NADIA);
    const kept = (await found(it)).steps;
    expect([kept.length, kept[0]?.what, kept.filter(({ what }) => what === 'note').length]).toEqual([
      60,
      'opened',
      1,
    ]);
    for (const nothing of ['', '  \n ']) expect(await cases.note(it.id, 'omar', nothing)).toBe('notNow');
    expect(await cases.note('c-nothing', 'omar', 'hello')).toBe('notFound');
    await cases.close(it.id, 'solved', NADIA);
    expect(await cases.note(it.id, 'omar', 'too late'), 'a closed one is in the records').toBe('notNow');
    await clear();
  });
});

describe.each(RECORDS)('two actions on one case, on %s', (kind) => {
  const { cases, clock, opened, found, clear } = casesOn(kind);

  test.each<[act: string, does: (id: string, by: Handler, other: string) => Promise<CaseActed>]>([
    ['gives it', (id, by) => cases.assign(id, { id: 'sara', name: 'Sara' }, by)],
    ['gives it to a team', (id, by) => cases.toTeam(id, { id: 'abcd1234', name: 'Payments' }, by)],
    ['lets it wait', (id, by) => cases.setWaiting(id, true, by)],
    ['marks it urgent', (id, by) => cases.setUrgent(id, true, by)],
    ['snoozes it', (id, by) => cases.snooze(id, clock.at + HOUR_MS, by)],
    ['merges it', (id, by, other) => cases.merge(id, other, by)],
    ['closes it', (id, by) => cases.close(id, 'solved', by)],
  ])('an agent who %s finds a case taken after another agent took it', async (_, does) => {
    const whose = { wallet: '+212612345678' as never };
    const [it, other] = [await opened(whose), await opened(whose)];
    // Omar's page has said that it is nobody's.
    expect((await found(it)).owner).toBeUndefined();
    await cases.assign(it.id, NADIA, NADIA);
    const taken = await found(it);
    expect(await does(it.id, OMAR, other.id)).toBe('owned');
    expect(await found(it), 'nothing has changed').toEqual(taken);
    expect(await does(it.id, { ...OMAR, mayTake: true }, other.id), 'a supervisor').toBe('done');
    await clear();
  });

  test('of two agents at once, one has the case or the other has closed it, and never both', async () => {
    for (let i = 0; i < 20; i++) {
      const it = await opened();
      const acts = [() => cases.assign(it.id, NADIA, NADIA), () => cases.close(it.id, 'solved', OMAR)];
      const ended = await Promise.all((i % 2 ? acts : acts.toReversed()).map((each) => each()));
      expect(ended.filter((each) => each === 'done')).toHaveLength(1);
      const { state, owner } = await found(it);
      expect([state, owner]).toEqual(owner ? ['open', NADIA] : ['closed', undefined]);
    }
    await clear();
  });

  test('a case without a need closes itself only while nobody has it', async () => {
    const it = await opened({ kind: 'stuck' });
    await cases.assign(it.id, NADIA, NADIA);
    expect(await cases.close(it.id, 'byItself')).toBe('owned');
    expect(await cases.close(it.id, 'byCustomer'), 'the customer’s word counts').toBe('done');
  });
});

describe.each(RECORDS)('a snoozed case, on %s', (kind) => {
  const { cases, clock, opened, found, clear } = casesOn(kind);

  test('a snoozed case is nobody’s next, comes back by itself, and keeps its due time', async () => {
    const it = await opened({ kind: 'payment' });
    const until = clock.at + HOUR_MS;
    expect(await cases.snooze(it.id, until, NADIA)).toBe('done');
    expect(await found(it)).toMatchObject({ state: 'open', snoozedUntil: until, due: it.due });
    expect(await cases.next(OMAR)).toBeUndefined();
    await cases.note(it.id, 'omar', 'seen');
    await cases.look(it.id, needed);
    expect((await found(it)).snoozedUntil, 'it is looked at too early').toBe(until);
    clock.at = until;
    expect((await cases.next(OMAR))?.id, 'also before the worker has come').toBe(it.id);
    await cases.snooze(it.id, clock.at + HOUR_MS, OMAR);
    clock.at += HOUR_MS;
    expect(await cases.due(), 'the worker comes then').toEqual([it.id]);
    await cases.look(it.id, needed);
    const after = await found(it);
    expect([after.snoozedUntil, after.due, after.steps.at(-1)]).toEqual([
      undefined,
      it.due,
      { at: clock.at, what: 'cameBack' },
    ]);
    await clear();
  });

  test('a late snoozed case is late and stays snoozed', async () => {
    const it = await opened();
    await cases.snooze(it.id, clock.at + HOUR_MS, NADIA);
    clock.at += 16 * MINUTE_MS;
    await cases.look(it.id, needed);
    expect(await found(it)).toMatchObject({ breachedAt: clock.at, snoozedUntil: clock.at + 44 * MINUTE_MS });
    await clear();
  });
});

describe.each(RECORDS)('the end of a snooze, on %s', (kind) => {
  const { told, cases, clock, opened, found, clear } = casesOn(kind);

  test.each<[what: string, wakes: (id: string, subject: string) => Promise<unknown>, state: string]>([
    ['the customer writes', (id) => told.customerWrote(id), 'open'],
    ['the customer asks again', (_, subject) => cases.open({ kind: 'asked', subject }), 'open'],
    ['it is given to somebody', (id) => cases.assign(id, OMAR, OMAR), 'open'],
    ['an agent answers', (id) => told.answered(id, OMAR), 'waiting'],
    ['an agent takes it up again', (id) => cases.setWaiting(id, false, OMAR), 'open'],
    ['it is closed', (id) => cases.close(id, 'solved', OMAR), 'closed'],
  ])('a snooze ends when %s', async (_, wakes, state) => {
    const it = await opened();
    await cases.snooze(it.id, clock.at + HOUR_MS, NADIA);
    clock.at += MINUTE_MS;
    await wakes(it.id, it.subject);
    const after = await found(it);
    expect([after.snoozedUntil, after.state]).toEqual([undefined, state]);
    if (state === 'open') expect(after.due, 'its due time is kept').toBe(it.due);
    await clear();
  });

  test('a snoozed case that waits for its customer returns to the agent at that time', async () => {
    const it = await opened();
    await told.answered(it.id, NADIA);
    const until = clock.at + 2 * HOUR_MS;
    await cases.snooze(it.id, until, NADIA);
    expect(await found(it)).toMatchObject({ state: 'open', due: until + 15 * MINUTE_MS, owner: NADIA });
    await told.customerWrote(it.id);
    expect(await found(it), 'an answer does not wait so long').toMatchObject({
      due: clock.at + 15 * MINUTE_MS,
    });
    for (const bad of [clock.at, clock.at - 1, clock.at + 31 * 24 * HOUR_MS, Number.NaN])
      expect(await cases.snooze(it.id, bad, NADIA)).toBe('notNow');
    await cases.close(it.id, 'solved', NADIA);
    expect(await cases.snooze(it.id, until, NADIA)).toBe('notNow');
    expect(await cases.snooze('c-nothing', until, NADIA)).toBe('notFound');
  });

  test('the same snooze sent twice counts once, and another one counts too', async () => {
    const it = await opened();
    const hour = () => clock.at + HOUR_MS;
    const snoozes = async (until: number | 'customer') => [
      await cases.snooze(it.id, until, NADIA),
      (await found(it)).steps.filter(({ what }) => what === 'snoozed').length,
    ];
    expect(await snoozes(hour())).toEqual(['done', 1]);
    clock.at += MINUTE_MS / 2;
    expect(await snoozes(hour()), 'the same press').toEqual(['notNow', 1]);
    expect(stepBefore(await found(it), 'notNow', 'snooze', { for: 'hour' })?.what).toBe('snoozed');
    clock.at += MINUTE_MS;
    expect(await snoozes(hour()), 'for longer').toEqual(['done', 2]);
    expect(await snoozes('customer')).toEqual(['done', 3]);
    clock.at += HOUR_MS;
    expect(await snoozes('customer'), 'until then anyway').toEqual(['notNow', 3]);
    expect(await snoozes(hour())).toEqual(['done', 4]);
    clock.at += HOUR_MS + 1;
    expect(await snoozes(hour()), 'it was back').toEqual(['done', 5]);
  });

  test('a case snoozed until its customer writes has no time limit until then, and 30 days at most', async () => {
    const it = await opened();
    clock.at = it.due + MINUTE_MS;
    await cases.look(it.id, needed);
    expect((await found(it)).breachedAt).toBe(clock.at);
    expect(await cases.snooze(it.id, 'customer', NADIA)).toBe('done');
    const snoozed = await found(it);
    expect(snoozed).toMatchObject({ snoozedFor: 'customer', snoozedUntil: clock.at + 30 * 24 * HOUR_MS });
    expect([snoozed.breachedAt, snoozed.due > clock.at + 30 * 24 * HOUR_MS]).toEqual([undefined, true]);
    await cases.note(it.id, 'omar', 'seen');
    await told.wakes({ address: 'web:another', wallet: '+212699999999' as never });
    expect(await found(it)).toMatchObject({ snoozedFor: 'customer' });
    clock.at += HOUR_MS;
    await told.wakes({ address: it.address as never });
    const after = await found(it);
    expect(after).toMatchObject({ state: 'open', due: clock.at + 15 * MINUTE_MS });
    expect([after.snoozedUntil, after.snoozedFor, after.steps.at(-1)]).toEqual([
      undefined,
      undefined,
      { at: clock.at, what: 'customerWrote' },
    ]);
    await cases.snooze(it.id, 'customer', NADIA);
    await cases.snooze(it.id, clock.at + HOUR_MS, NADIA);
    expect(await found(it), 'a time instead').not.toHaveProperty('snoozedFor');
    const nobodys = await cases.open({ kind: 'webhook', subject: 'w1' });
    expect(await cases.snooze(nobodys.id, 'customer', NADIA), 'nobody writes').toBe('notNow');
    await clear();
  });
});

describe.each(RECORDS)('the list of a customer’s cases, on %s', (kind) => {
  const { told, cases, clock, opened, found, clear } = casesOn(kind);

  test('the cases of a customer are found among many others', async () => {
    const wallet = '+212612000001' as never;
    const asleep = await opened({ wallet });
    await cases.snooze(asleep.id, 'customer', NADIA);
    const mine = await opened({ kind: 'payment', subject: 'p-600', wallet });
    await cases.assign(mine.id, NADIA, NADIA);
    const closed = await opened({ kind: 'stuck', wallet });
    await cases.note(closed.id, 'omar', '@nadia', ['nadia']);
    await cases.close(closed.id, 'solved', OMAR);
    for (let i = 0; i < 600; i++) await opened({ kind: 'stuck' });
    expect((await cases.ofCustomer({ wallet })).map(({ id }) => id)).toEqual([mine.id, asleep.id]);
    expect((await cases.ofCustomer({ address: asleep.address as never })).map(({ id }) => id)).toEqual([
      asleep.id,
    ]);
    await told.wakes({ wallet });
    expect(await found(asleep)).not.toHaveProperty('snoozedUntil');
    const listed = new Set((await cases.list()).map(({ id }) => id));
    expect(listed.size).toBeGreaterThan(600);
    expect([asleep, mine, closed].map(({ id }) => listed.has(id))).toEqual([true, true, false]);
    expect((await cases.list({ naming: 'nadia' })).map(({ id }) => id)).toContain(closed.id);
    await cases.note(mine.id, 'omar', 'the bank calls back');
    const again = await cases.list();
    expect(again.find(({ id }) => id === mine.id)?.steps.at(-1)?.note, 'read anew once it has changed').toBe(
      'the bank calls back',
    );
    await clear();
    await cases.looked(closed.id, 'nadia');
    expect(await cases.ofCustomer({ wallet })).toEqual([]);
  });

  test('a case given to a team belongs to nobody, and the company’s tools hear of it', async () => {
    const team = { id: 'abcd1234', name: 'Payments' };
    const it = await opened({ kind: 'payment' });
    await cases.assign(it.id, NADIA, NADIA);
    expect(await cases.toTeam(it.id, team, OMAR), 'it is hers').toBe('owned');
    expect(await cases.toTeam(it.id, team, NADIA)).toBe('done');
    const after = await found(it);
    expect([after.owner, after.team, after.steps.at(-1)]).toEqual([
      undefined,
      'abcd1234',
      { at: clock.at, what: 'toTeam', by: 'nadia', note: 'Payments' },
    ]);
    expect(await cases.toTeam(it.id, team, NADIA), 'it has it already').toBe('notNow');
    expect((await cases.next(OMAR))?.id).toBe(it.id);
    expect(
      await cases.toTeam(it.id, { id: 'other', name: 'Other' }, { id: 'sara', mayTake: true }),
      'a supervisor',
    ).toBe('done');
    expect((await found(it)).steps.at(-1)).toMatchObject({ what: 'toTeam', by: 'sara', from: 'omar' });
    expect((await found(it)).mentions, 'it was his').toEqual({ omar: true });
    await cases.close(it.id, 'solved', OMAR);
    expect(await cases.toTeam(it.id, team, OMAR)).toBe('notNow');
    await clear();
  });

  test('a rating is given once', async () => {
    const it = await opened();
    await cases.close(it.id, 'byCustomer');
    expect([await told.rate(it.id, 1), await told.rate(it.id, 3)]).toEqual(['done', 'notNow']);
    expect(await found(it)).toMatchObject({ rating: 1, end: 'byCustomer' });
  });
});

const world = theWorld({});

describe('a customer who needs an agent has a case', () => {
  const casesOf = async (phone: string) =>
    (await world.engine.desk.cases.list()).filter(({ wallet }) => wallet === phone);

  test('a request for an agent belongs to the agent who comes, waits for an answer, and ends with their word', async () => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web', language: 'ar' });
    await fatima.isAtMenu().chooses('transfer').says('conseiller').sees('help.asked');
    const [it] = await casesOf(fatima.phone);
    expect(it).toMatchObject({
      kind: 'asked',
      language: 'ar',
      about: 'transfer.askingRecipient',
      state: 'open',
    });
    await desk.takeOver(fatima.address, NADIA);
    expect((await desk.cases.find(it?.id ?? ''))?.owner).toEqual(NADIA);
    await desk.write(fatima.address, NADIA, 'Bonjour');
    expect((await casesOf(fatima.phone))[0]?.state).toBe('waiting');
    await fatima.says('un souci');
    await world.rests();
    expect((await casesOf(fatima.phone))[0]?.state).toBe('open');
    expect(await desk.takeOver(fatima.address, OMAR)).toBe('owned');
    expect(await desk.takeOver(fatima.address, OMAR, true), 'a supervisor').toBe('done');
    expect((await casesOf(fatima.phone))[0]?.owner).toEqual(OMAR);
    expect(await desk.write(fatima.address, NADIA, 'still here')).toBe('notOwner');
    expect((await desk.person(fatima.phone))?.cases).toHaveLength(1);
    expect(await desk.find(it?.id.toUpperCase() ?? '')).toMatchObject([{ kind: 'case' }]);
  });

  test.each(['ussd', 'web'] as const)(
    'a snoozed case comes back unread with the first message of its customer: on %s',
    async (channel) => {
      const { desk } = world.engine;
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('conseiller').sees('help.asked').chooses('continue');
      const caseNow = async () => (await casesOf(fatima.phone))[0] as Case;
      const { id } = await caseNow();
      await desk.takeOver(fatima.address, NADIA);
      await desk.handBack(fatima.address, NADIA);
      const seen = () => ({ agent: NADIA.id, teams: [], now: world.clock.now() });
      for (const until of ['customer', world.clock.now() + 24 * HOUR_MS] as const) {
        expect(await desk.snoozeCase(id, until, NADIA)).toBe('done');
        if (channel === 'web') await fatima.opens();
        await world.rests();
        expect([isSnoozed(await caseNow(), world.clock.now()), isNewCase(await caseNow(), seen())]).toEqual([
          true,
          false,
        ]);
        // Nobody of the company is in the conversation: the bot answers.
        await (channel === 'ussd' ? fatima.dials() : fatima.says('solde'));
        await world.rests();
        expect((await caseNow()).snoozedUntil).toBeUndefined();
        expect(isNewCase(await caseNow(), seen()), 'it is the agent’s, and new').toBe(true);
      }
    },
  );

  test('it also comes back for a message from another channel', async () => {
    const { desk } = world.engine;
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await fatima.isAtMenu().says('conseiller').sees('help.asked').chooses('continue');
    await chat.isAtMenu();
    const { id } = (await casesOf(fatima.phone))[0] as Case;
    await desk.snoozeCase(id, 'customer', NADIA);
    await chat.says('solde');
    await world.rests();
    expect((await casesOf(fatima.phone))[0]?.steps.at(-1)?.what).toBe('customerWrote');
    await desk.snoozeCase(id, world.clock.now() + HOUR_MS, NADIA);
    await desk.takeOver(chat.address, NADIA);
    await chat.says('un souci');
    await world.rests();
    expect((await casesOf(fatima.phone))[0]?.steps.at(-1)?.what, 'to an adviser').toBe('customerWrote');
  });

  test('an answer counts for the agent’s own cases of that customer, and for no other agent’s', async () => {
    const { desk } = world.engine;
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await fatima.isAtMenu().says('conseiller').sees('help.asked').chooses('continue');
    await chat.isAtMenu();
    // Of the time when each channel had a request of its own.
    const whose = { address: chat.address, wallet: fatima.phone };
    await desk.cases.open({ kind: 'asked', subject: chat.address, ...whose });
    const payment = await desk.cases.open({ kind: 'payment', subject: fatima.phone, wallet: fatima.phone });
    const stuck = await desk.cases.open({ kind: 'stuck', subject: fatima.address, address: fatima.address });
    await desk.cases.assign(stuck.id, OMAR, OMAR);
    const dialled = await desk.cases.about('asked', fatima.address);
    for (const { id } of [payment, dialled as Case]) await desk.cases.assign(id, NADIA, NADIA);
    await desk.takeOver(chat.address, NADIA);
    await desk.write(chat.address, NADIA, 'Bonjour');
    const now = await desk.cases.ofCustomer({ wallet: fatima.phone });
    expect(
      now.map(({ kind, address, state, firstAnswerAt }) => [kind, address, state, Boolean(firstAnswerAt)]),
    ).toEqual(
      expect.arrayContaining([
        ['asked', fatima.address, 'waiting', true],
        ['asked', chat.address, 'waiting', true],
        ['payment', undefined, 'open', true],
      ]),
    );
    expect(await desk.cases.find(stuck.id)).not.toHaveProperty('firstAnswerAt');
    await chat.says('un souci');
    await world.rests();
    const open = (await desk.cases.ofCustomer({ wallet: fatima.phone })).map(({ state }) => state);
    expect(open, 'and so does the customer’s').toEqual(['open', 'open', 'open']);
  });
});

describe('a stuck customer', () => {
  const casesOf = async (phone: string) =>
    (await world.engine.desk.cases.list()).filter(({ wallet }) => wallet === phone);

  test('a customer who is asked the same three times has one, until they go on by themselves', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    for (const _ of [1, 2]) await fatima.says('beaucoup');
    await world.rests();
    expect(await casesOf(fatima.phone)).toEqual([]);
    await fatima.says('beaucoup');
    await world.rests();
    expect(await casesOf(fatima.phone)).toMatchObject([{ kind: 'stuck', about: 'transfer.askingAmount' }]);
    await fatima.says('200');
    await world.rests();
    expect(await casesOf(fatima.phone)).toEqual([]);
  });

  test('the case of a stuck customer closes when they leave', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    for (const _ of [1, 2, 3]) await fatima.says('beaucoup');
    await world.rests();
    const [it] = await casesOf(fatima.phone);
    await world.passes(31 * MINUTE_MS);
    const after = await world.engine.desk.cases.find(it?.id ?? '');
    expect(after).toMatchObject({ state: 'closed', end: 'byItself' });
    expect(after?.breachedAt).toBeUndefined();
  });

  test('a customer with a locked PIN has one', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('200');
    for (const _ of [1, 2, 3]) await fatima.enters('9999');
    await world.rests();
    expect(await casesOf(fatima.phone)).toMatchObject([{ kind: 'stuck' }]);
  });
});

test('a closed case is in the records, found by its customer and by nobody else', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    const { desk } = world.engine;
    const [fatima, other] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    for (const each of [fatima, other]) {
      await each.isAtMenu().says('conseiller').sees('help.asked');
      await desk.takeOver(each.address, NADIA);
    }
    const [it] = (await desk.cases.list()).filter(({ wallet }) => wallet === fatima.phone);
    await desk.cases.close(it?.id ?? '', 'solved', NADIA, 'shown where');
    await world.recording.recorder.drain();
    const person = await desk.person(fatima.phone);
    expect(person?.cases).toMatchObject([{ id: it?.id, state: 'closed', end: 'solved' }]);
    expect((await desk.person(other.phone))?.cases).toMatchObject([{ state: 'open' }]);
    expect((await desk.timeline(fatima.phone, 100)).records.every(({ v }) => v === 2)).toBe(true);
  } finally {
    await world.close();
  }
});

test.each(['web', 'ussd'] as const)(
  'a customer who asks outside office hours hears when an agent is there, on %s',
  async (channel) => {
    const weekday = new Date(Date.now() + 24 * HOUR_MS).getUTCDay();
    const tomorrow = Array.from({ length: 7 }, (_, day) =>
      day === weekday ? ([[600, 1_000]] as const) : [],
    );
    const world = await createWorld({ cases: { ...CASE_DEFAULTS, hours: tomorrow } });
    try {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('conseiller').sees('help.askedClosed');
      const [it] = await world.engine.desk.cases.list();
      expect((it?.due ?? 0) - world.clock.now(), 'due when somebody is there').toBeGreaterThan(HOUR_MS / 2);
      await fatima.chooses('continue').sees('menu.choose');
    } finally {
      await world.close();
    }
  },
);
