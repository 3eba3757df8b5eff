import { expect, test } from 'vitest';
import { bulkForm, CASE, MISSING, saidBy } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test.each<[act: string, fields: Record<string, string>, audited: string, called: string]>([
  [
    'give',
    { to: 'omar', note: 'of another act' },
    'giveCase c-2345678 give omar',
    'giveCase c-2345678 nadia',
  ],
  ['snooze', { for: 'hour', to: 'omar' }, 'snoozeCase c-2345678 snooze hour', 'snoozeCase c-2345678'],
  [
    'close',
    { note: 'asked by mistake', for: 'hour' },
    'closeCase c-2345678 close: asked by mistake',
    'closeCase c-2345678 nadia asked by mistake',
  ],
])(
  'an act on several cases is in the audit once a case, with its result: %s',
  async (act, fields, audited, called) => {
    const chosen = [CASE.id, CASE.id, MISSING, 'no case'];
    const send = () => as('nadia').sends('/inbox/bulk', bulkForm(chosen, { act, ...fields, show: 'all' }));
    const one = (await send()).headers.get('location') ?? '';
    const query = Object.fromEntries(new URLSearchParams(one.split('?')[1]));
    expect(query).toMatchObject({ show: 'all', said: 'someNot', not: `${MISSING}:notFound`, did: act });
    expect(one, 'the note is in no address').not.toContain('mistake');
    expect(stage.done).toEqual([`audit nadia ${audited}`, expect.stringContaining(called), 'ended done']);
    const page = await as('nadia').text(one.replace('/support', ''));
    expect(page).toContain('Done, but not for all');
    expect(page).toMatch(/href="\/support\/cases\/c-7777777">.*<\/a> It is no longer there\./);
    for (const value of [act, fields.for, fields.to])
      if (value) expect(page, 'it stays as chosen').toContain(`<option value="${value}" selected>`);
    [stage.done, stage.acted] = [[], 'notNow'];
    await send();
    expect(stage.done.at(-1)).toBe('ended refused notNow');
  },
);

test.each<[why: string, chosen: readonly string[], fields: Readonly<Record<string, string>>, said: string]>([
  ['no case', [], { act: 'close', note: 'asked by mistake' }, 'noneChosen'],
  ['an act that is not for many', [CASE.id], { act: 'merge', into: CASE.id }, 'noneChosen'],
  ['no act', [CASE.id], { act: 'toString' }, 'noneChosen'],
  ['no macro', [CASE.id], { act: 'macro' }, 'noMacro'],
  ['a macro that is none', [CASE.id], { act: 'macro', macro: 'ffffffff:0' }, 'notFound'],
  ['no time', [CASE.id], { act: 'snooze', for: 'never' }, 'badTime'],
  ['nobody', [CASE.id], { act: 'give', to: 'nobody' }, 'notFound'],
])('several cases do not change with %s', async (_, chosen, fields, said) => {
  expect(saidBy(await as('nadia').sends('/inbox/bulk', bulkForm(chosen, fields)))).toBe(said);
  expect(stage.done.filter((each) => !/^(audit|ended refused)/.test(each))).toEqual([]);
});

test.each(['', 'asked by mistake'])(
  'one case or many close with the note %j: a note is optional',
  async (note) => {
    const nadia = as('nadia');
    const one = await nadia.post('/cases/c-2345678/close', { note });
    const closed = [...stage.done];
    stage.done = [];
    const many = await nadia.sends('/inbox/bulk', bulkForm([CASE.id], { act: 'close', note }));
    expect([one, many].map(saidBy)).toEqual(['done', 'done-closeCase-1']);
    expect(stage.done).toEqual([...closed, 'ended done']);
    expect(closed).toEqual([
      `audit nadia closeCase c-2345678 close${note && `: ${note}`}`,
      `closeCase c-2345678 nadia ${note}`,
    ]);
    expect(await nadia.text('/inbox?show=all')).toMatch(
      /class="row for-close">.*<input name="note" maxlength="500"/,
    );
  },
);

test.each([
  ['done-snoozeCase-1', /Done: .Case snoozed.\./],
  ['done-snoozeCase-12', /Done: .Case snoozed \(12\).\./],
  ['done-snoozeCase-x', /id="flash" role="status"><\/div>/],
  ['done-toString-2', /id="flash" role="status"><\/div>/],
])('after an act on several cases, %s reads %s', async (said, words) => {
  expect(await as('nadia').text(`/inbox?show=all&said=${said}`)).toMatch(words);
});

test('an agent who is shut out while several cases are dealt with does no more of them', async () => {
  stage.isStillIn = () => stage.done.length === 0;
  const chosen = [CASE.id, 'c-3456789', 'c-4567892'];
  const sent = await as('nadia').sends('/inbox/bulk', bulkForm(chosen, { act: 'snooze', for: 'hour' }));
  expect(sent.status).toBe(401);
  expect(stage.done.filter((each) => each.startsWith('snoozeCase'))).toHaveLength(1);
});
