import { expect, test } from 'vitest';
import type { Case } from '../../src/conversation/cases/case.ts';
import { ADDRESS, DAY_MS, HOUR_MS, NOW, type OpenRecords, theRecords } from './records-contract.ts';

const MINUTE_MS = 60_000;

/** Closed cases, and what the records count of them. */
function cases(open: OpenRecords) {
  const { records } = theRecords(open);
  /** A case that was closed an hour after it was opened. */
  const closed = (it: Pick<Case, 'id'> & Partial<Case>): Case => ({
    ...{
      kind: 'asked',
      subject: it.id,
      state: 'closed',
      openedAt: NOW - HOUR_MS,
      due: NOW,
      closedAt: NOW,
      end: 'solved',
    },
    ...{ steps: [], address: ADDRESS },
    ...it,
  });
  const add = (...all: readonly Case[]) =>
    records.cases.write(function* (tx) {
      for (const it of all) if (!(yield* tx.add(it))) yield* tx.put(it);
    });
  const owner = { id: 'nadia', name: 'Nadia' };
  const after = (minutes: number) => NOW - HOUR_MS + minutes * MINUTE_MS;
  const worked = [
    { at: after(0), what: 'opened' },
    { at: after(10), what: 'assigned', note: 'Nadia' },
    { at: after(12), what: 'answered', by: 'nadia' },
    { at: after(20), what: 'waiting', by: 'nadia' },
    { at: after(50), what: 'customerWrote' },
    { at: after(60), what: 'closed', by: 'nadia' },
  ] as const;
  const first = {
    id: 'c-1',
    owner,
    team: 't1',
    steps: worked,
    firstAnswerAt: after(12),
    rating: 1,
    labels: ['x', 'y'],
  } as const;
  const report = async (by: 'agent' | 'team' | 'kind', from = NOW, to = NOW + 1) =>
    records.reports(by, from, to);
  return { records, add, closed, owner, after, worked, first, report };
}

export function countsCases(open: OpenRecords): void {
  const { records, add, closed, after, worked, first, report } = cases(open);

  test('a closed case counts once in the figures, with what has become of it', async () => {
    await add(closed(first));
    await add(closed(first));
    const times = { firstAnswerMs: 12 * MINUTE_MS, resolutionMs: HOUR_MS };
    const counted = { who: 'asked', closed: 1, solved: 1, byCustomer: 0, ...times };
    const labels = () => records.labels(NOW, NOW + 1);
    expect(await report('kind')).toMatchObject([{ ...counted, good: 1, poor: 0 }]);
    expect(await labels()).toEqual(['x', 'y'].map((label) => ({ label, n: 1 })));
    await add(closed({ ...first, rating: 3, steps: [...worked, { at: NOW, what: 'rated' }] }));
    expect(await report('kind')).toMatchObject([{ ...counted, good: 0, poor: 1 }]);
    const days = await records.tallyDays(NOW - HOUR_MS, NOW + DAY_MS, []);
    const ofCase = { day: 0, detail: '', channel: 'ussd', language: '', n: 1 };
    expect(days.toSorted((a, b) => a.what.localeCompare(b.what))).toEqual([
      { ...ofCase, what: 'answered', ms: 12 * MINUTE_MS },
      { ...ofCase, what: 'closed', ms: 0 },
    ]);
    const { closedAt: _then, ...again } = closed(first);
    await add({ ...again, state: 'open' });
    expect([await report('kind'), await report('agent'), await labels()], 'it is open again').toEqual([
      [],
      [],
      [],
    ]);
  });

  test('closed cases are counted by the channel and the language of their customers', async () => {
    await add(
      closed({ id: 'c-1', language: 'fr', labels: ['x'] }),
      closed({ id: 'c-2', language: 'ar', end: 'byItself', labels: ['x', 'y'] }),
      closed({ id: 'c-3', kind: 'webhook', address: 'web:1', end: 'merged' }),
    );
    const counts = async (slice: Parameters<typeof records.labels>[2]) => [
      ...(await records.reports('kind', NOW, NOW + 1, slice)).map(({ who, closed: n }) => `${n} ${who}`),
      ...(await records.labels(NOW, NOW + 1, slice)).map(({ label, n }) => `${n} ${label}`),
    ];
    expect(await counts({})).toEqual(['2 asked', '1 webhook', '2 x', '1 y']);
    expect(await counts({ language: 'fr' })).toEqual(['1 asked', '1 webhook', '1 x']);
    expect(await counts({ channel: 'ussd', language: 'ar' })).toEqual(['1 asked', '1 x', '1 y']);
    expect(await counts({ channel: 'telegram' })).toEqual([]);
  });

  test('a report has the closed cases of each agent and team, with the means of their times', async () => {
    const late = { breachedAt: after(30), end: 'byItself' } as const;
    await add(
      closed(first),
      closed({ ...first, id: 'c-2', rating: 3, steps: [...worked, { at: NOW, what: 'reopened' }] }),
      closed({ id: 'c-3', owner: { id: 'omar', name: 'Omar' }, team: 't1', ...late }),
      closed({ id: 'c-4', ...late }),
    );
    const took = { n: 1, at: NOW, who: 'sara', act: 'takeOver', end: 'done', link: '1' };
    const refused = { ...took, n: 2, who: 'omar', end: 'refused', link: '2' };
    await records.audit.add([took, refused], undefined);
    const nadia = {
      who: 'nadia',
      conversations: 0,
      closed: 2,
      solved: 2,
      ...{ byCustomer: 0, byItself: 0, merged: 0 },
      late: 0,
      reopened: 1,
      good: 1,
      fair: 0,
      poor: 1,
    };
    const times = { firstAnswerMs: 12 * MINUTE_MS, handlingMs: 20 * MINUTE_MS, resolutionMs: HOUR_MS };
    const omar = {
      who: 'omar',
      conversations: 0,
      closed: 1,
      solved: 0,
      ...{ byCustomer: 0, byItself: 1, merged: 0 },
      late: 1,
      reopened: 0,
      good: 0,
      fair: 0,
      poor: 0,
    };
    const none = { firstAnswerMs: null, handlingMs: 0, resolutionMs: null };
    expect(await report('agent')).toEqual([
      { ...nadia, ...times },
      { ...omar, ...none },
      { ...omar, ...none, who: 'sara', conversations: 1, closed: 0, byItself: 0, late: 0, handlingMs: null },
    ]);
    expect(await report('team')).toEqual([
      {
        who: 't1',
        conversations: null,
        closed: 3,
        solved: 2,
        ...{ byCustomer: 0, byItself: 1, merged: 0 },
        late: 1,
        reopened: 1,
        good: 1,
        fair: 0,
        poor: 1,
        ...times,
        handlingMs: 800_000,
      },
    ]);
    expect(await report('agent', NOW + 1, NOW + DAY_MS)).toEqual([]);
  });
}

export function keepsCases(open: OpenRecords): void {
  const { records, add, closed, owner, report } = cases(open);

  test('closed cases are forgotten with the audit, one week per call', async () => {
    const weeks = [0, 10, 20].map((age) => NOW - age * 7 * DAY_MS);
    await add(...weeks.map((closedAt, i) => closed({ id: `c-${i}`, owner, openedAt: closedAt, closedAt })));
    const left = async () => (await report('agent', 0, NOW + 1))[0]?.closed ?? 0;
    await records.forget('audit', NOW + DAY_MS);
    expect(await left(), 'a clock that is far ahead costs a week').toBe(2);
    await records.forget('audit', NOW - 15 * 7 * DAY_MS);
    expect(await left()).toBe(2);
  });
}

export function measuresServiceLevels(open: OpenRecords): void {
  const { records, add, closed, after } = cases(open);
  const levels = (minutes: number, from = NOW, to = NOW + 1) => {
    const ms = minutes * MINUTE_MS;
    return records.levels(from, to, { asked: ms, stuck: 0, payment: 2 * HOUR_MS, webhook: 0 });
  };

  test('of each kind of case the share is told that was answered, or ended, within its target', async () => {
    await add(
      closed({ id: 'c-1', firstAnswerAt: after(10) }),
      closed({ id: 'c-2', firstAnswerAt: after(11) }),
      closed({ id: 'c-3', end: 'byCustomer' }),
      closed({ id: 'c-4', kind: 'payment' }),
      closed({ id: 'c-5', end: 'byItself', firstAnswerAt: after(1) }),
      closed({ id: 'c-6', end: 'merged', firstAnswerAt: after(1) }),
      closed({ id: 'c-7', closedAt: NOW + HOUR_MS }),
    );
    const payment = { kind: 'payment', n: 1, inTime: 1 };
    expect(await levels(10)).toEqual([{ kind: 'asked', n: 3, inTime: 1 }, payment]);
    expect(await levels(60)).toEqual([{ kind: 'asked', n: 3, inTime: 3 }, payment]);
    expect(await levels(0)).toEqual([{ kind: 'asked', n: 3, inTime: 0 }, payment]);
    expect(await levels(10, NOW + 1, NOW + HOUR_MS)).toEqual([]);
  });
}
