import { expect, test } from 'vitest';
import { rowOf } from '../../src/records/rows.ts';
import { ADDRESS, DAY_MS, HOUR_MS, NOW, type OpenRecords, theRecords } from './records-contract.ts';

const MINUTE_MS = 60_000;

/** Events of cases, and what the records count of them. */
function cases(open: OpenRecords) {
  const { records, add } = theRecords(open);
  let id = 0;
  /** The event of a case that was closed an hour after it was opened, or is open again. */
  const closing = (it: object, isReopened = false) => {
    id++;
    const openedAt = NOW - HOUR_MS;
    const whole = {
      kind: 'asked',
      openedAt,
      closedAt: NOW,
      end: 'solved',
      steps: [],
      address: ADDRESS,
      ...it,
    };
    return rowOf(17, {
      id: `${id}`,
      record: JSON.stringify({ at: NOW, event: { kind: 'case', isReopened }, refs: [], case: whole }),
    });
  };
  const owner = { id: 'nadia', name: 'Nadia' };
  const after = (minutes: number) => NOW - HOUR_MS + minutes * MINUTE_MS;
  const worked = [
    { at: after(0), what: 'opened' },
    { at: after(10), what: 'assigned', note: 'Nadia' },
    { at: after(12), what: 'answered', by: 'nadia' },
    { at: after(20), what: 'waiting', by: 'nadia' },
    { at: after(50), what: 'customerWrote' },
    { at: after(60), what: 'closed', by: 'nadia' },
  ];
  const first = {
    id: 'c-1',
    owner,
    team: 't1',
    steps: worked,
    firstAnswerAt: after(12),
    rating: 1,
    labels: ['x', 'y'],
  };
  const report = async (by: 'agent' | 'team', from = NOW, to = NOW + 1) => records.reports(by, from, to);
  const figures = async () =>
    (await records.tallies(0, NOW * 2))
      .map(({ what, name, detail, n, ms }) =>
        [what, name, detail, n, ms / MINUTE_MS].filter((each) => each !== '').join(' '),
      )
      .sort();
  return { records, add, closing, owner, after, worked, first, report, figures };
}

export function countsCases(open: OpenRecords): void {
  const { records, add, closing, after, worked, first, report, figures } = cases(open);

  test('a closed case counts once in the figures, with what has become of it', async () => {
    const event = closing(first);
    await add([event], '1');
    await add([event], '1');
    const counted = [
      'answered asked 1 12',
      'closed asked solved 1 60',
      'labelled x asked 1 0',
      'labelled y asked 1 0',
    ];
    expect(await figures()).toEqual([...counted, 'rated asked 1 1 0'].sort());
    await add([closing({ ...first, rating: 3, steps: [...worked, { at: NOW, what: 'rated' }] })], '2');
    expect(await figures()).toEqual([...counted, 'rated asked 3 1 0'].sort());
    const [day] = await records.tallyDays(NOW - HOUR_MS, NOW + DAY_MS, []);
    expect(day).toMatchObject({ n: 1, day: 0 });
    await add([closing(first, true)], '3');
    expect(await figures(), 'it is open again').toEqual([]);
    expect(await report('agent')).toEqual([]);
  });

  test('a report has the closed cases of each agent and team, with the means of their times', async () => {
    const late = { breachedAt: after(30), end: 'byItself' };
    await add(
      [
        closing(first),
        closing({ ...first, id: 'c-2', rating: 3, steps: [...worked, { at: NOW, what: 'reopened' }] }),
        closing({ id: 'c-3', owner: { id: 'omar', name: 'Omar' }, team: 't1', ...late }),
        closing({ id: 'c-4', ...late }),
      ],
      '4',
    );
    const took = { n: 1, at: NOW, who: 'sara', act: 'takeOver', end: 'done', link: '1' };
    const refused = { ...took, n: 2, who: 'omar', end: 'refused', link: '2' };
    await records.audit.add([took, refused], undefined);
    const nadia = {
      who: 'nadia',
      conversations: 0,
      closed: 2,
      solved: 2,
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
      { ...omar, ...none, who: 'sara', conversations: 1, closed: 0, late: 0, handlingMs: null },
    ]);
    expect(await report('team')).toEqual([
      {
        who: 't1',
        conversations: null,
        closed: 3,
        solved: 2,
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
  const { records, add, closing, owner, report, figures } = cases(open);

  test('closed cases are forgotten with the audit, one week per call', async () => {
    const weeks = [0, 10, 20].map((age) => NOW - age * 7 * DAY_MS);
    await add(
      weeks.map((closedAt, i) => closing({ id: `c-${i}`, owner, openedAt: closedAt, closedAt })),
      '3',
    );
    const left = async () => (await report('agent', 0, NOW + 1))[0]?.closed ?? 0;
    await records.forget('audit', NOW + DAY_MS);
    expect(await left(), 'a clock that is far ahead costs a week').toBe(2);
    await records.forget('audit', NOW - 15 * 7 * DAY_MS);
    expect(await left()).toBe(2);
  });

  test.each<[string, object]>([
    ['no moments', { id: 'c-9', openedAt: 'x' }],
    ['a moment of its end that is text', { id: 'c-9', closedAt: 'x' }],
    ['no id', { id: undefined }],
    ['a kind that is a number', { id: 'c-9', kind: 5 }],
  ])('an event of a case that this release cannot read is kept and not counted: %s', async (_, odd) => {
    await add([closing(odd)], '5');
    expect([await figures(), await report('agent')]).toEqual([[], []]);
    expect(await records.turns(17, 5)).toHaveLength(1);
  });
}
