import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import { bulkForm, CASE, LABEL, PAYMENT, saidBy, session, TEAM } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as, acts } = theConsole();

test('a team has the cases of its kind and those it was given, and its agents take them first', async () => {
  const [sara, omar, nadia] = [as('sara', 'supervisor'), as('omar'), as('nadia')];
  stage.case = { ...CASE, kind: 'payment', subject: PAYMENT.id };
  expect(await omar.text('/inbox'), 'without a team there is no list of it').not.toContain('show=team');
  expect(await sara.said('/organisation/teams', TEAM)).toBe('done');
  expect(stage.done[0]).toMatch(/^audit sara writeTeam [\da-f]{8} Paiements: omar payment$/);
  const id = stage.done[0]?.split(' ')[3] ?? '';
  const listed = async (who: typeof omar, show: string) =>
    (await who.text(`/inbox?${show}`)).includes('c-2345678');
  expect([await listed(omar, 'show=team'), await listed(nadia, 'show=team')]).toEqual([true, false]);
  expect([await listed(nadia, `show=all&team=${id}`), await listed(nadia, 'show=all&team=00000000')]).toEqual(
    [true, false],
  );
  // An agent of another team sees no news of it, and takes it last.
  await sara.post('/organisation/teams', { name: 'Accueil', member: 'sara', kind: 'stuck' });
  expect(await omar.text('/inbox/news')).toContain('data-free="1"');
  expect(await nadia.text('/inbox/news'), 'an agent without a team has all cases').toContain('data-free="1"');
  expect(await sara.text('/inbox/news')).toContain('data-free="0"');
  stage.done = [];
  for (const each of [omar, sara]) await each.post('/inbox/next');
  expect(acts()).toEqual(['next omar', 'next sara', 'next sara']);
  // A case of another kind is the team's only once it was given to it.
  stage.case = { ...CASE, owner: { id: 'nadia', name: 'Nadia' } };
  await nadia.post('/cases/c-2345678/urgent');
  expect(await listed(omar, 'show=team')).toBe(false);
  stage.done = [];
  await nadia.post('/cases/c-2345678/give', { to: `team:${id}` });
  expect(stage.done).toEqual([`audit nadia giveCase c-2345678 give team:${id}`, 'giveCase c-2345678 nadia']);
  stage.case = { ...CASE, team: id };
  await nadia.post('/cases/c-2345678/urgent');
  expect(await listed(omar, 'show=team')).toBe(true);
  expect(await nadia.text('/cases/c-2345678')).toMatch(/<dt>Team<\/dt><dd><bdi>Paiements/);
  for (const to of ['team:00000000', 'team:'])
    expect(await nadia.said('/cases/c-2345678/give', { to })).toBe('notFound');
  // A removed team has no cases.
  await sara.post('/organisation/teams/remove', { id });
  expect(await listed(omar, 'show=team')).toBe(false);
});

test('any agent labels cases, the inbox filters by label, and a removed label stays on its cases', async () => {
  const [sara, nadia, vera] = [as('sara', 'supervisor'), as('nadia'), as('vera', 'viewer')];
  expect(await nadia.text('/inbox'), 'there is none to choose').not.toMatch(
    /name="label"><option|value="label"/,
  );
  await sara.post('/organisation/labels', LABEL);
  expect(stage.done[0]).toBe('audit sara writeLabel 1a2b3c4d Client pro مهني Business blue');
  stage.case = { ...CASE, owner: { id: 'omar', name: 'Omar' } };
  for (const path of [session, '/cases/c-2345678']) {
    expect(await nadia.text(path)).toMatch(
      /name="label" value="1a2b3c4d"> <span class="label blue"><bdi>Business/,
    );
    expect(await vera.text(path)).not.toContain('name="label"');
  }
  const step = { at: NOW, what: 'labelled', by: 'nadia', note: LABEL.id } as const;
  stage.case = { ...stage.case, labels: [LABEL.id], steps: [...CASE.steps, step] };
  for (const path of [session, '/cases/c-2345678']) {
    const page = await nadia.text(path);
    expect(page).toMatch(/aria-label="Remove the label \W*Business\W*"/);
    expect(page, 'it is on already').not.toContain('type="checkbox" name="label"');
    expect(await vera.text(path)).toContain('<bdi>Business</bdi>');
  }
  expect(await nadia.text('/cases/c-2345678')).toMatch(/<b>Labelled<\/b>[^\n]*<span dir="auto">Business</);
  const shows = async (label: string) =>
    (await nadia.text(`/inbox?show=all&label=${label}`)).includes('c-2345678');
  await nadia.post('/cases/c-2345678/note', { text: 'the list is read anew' });
  expect([await shows(LABEL.id), await shows('00000000'), await shows('<b>')]).toEqual([true, false, true]);
  expect(await nadia.text('/inbox/csv?show=all')).toMatch(/,Labels\r\n[^\n]*,Business\r\n/);
  stage.done = [];
  await nadia.post('/inbox/next', { label: '00000000' });
  expect(await nadia.goesTo('/inbox/next', { label: LABEL.id })).not.toContain('noCase');
  for (const [act, label, said] of [
    ['label', '', 'notFound'],
    ['label', 'ffffffff', 'notFound'],
    ['unlabel', 'ffffffff', 'notFound'],
    ['label', LABEL.id, 'done'],
  ] as const) {
    expect(await nadia.said(`/cases/c-2345678/${act}`, { label }), `${act} ${label}`).toBe(said);
    const bulk = await nadia.sends('/inbox/bulk', bulkForm([CASE.id], { act, label, show: 'all' }));
    // Of several, it names the act and says how many there were.
    expect(saidBy(bulk), `${act} ${label}`).toBe(said === 'done' ? 'done-labelCase-1' : said);
  }
  await sara.post('/organisation/labels/remove', { id: LABEL.id });
  expect(await nadia.said('/cases/c-2345678/label', { label: LABEL.id })).toBe('notFound');
  expect(await nadia.said('/cases/c-2345678/unlabel', { label: LABEL.id })).toBe('done');
  expect(await nadia.text('/cases/c-2345678')).toContain('<bdi>Business</bdi>');
  expect(await sara.text('/organisation')).toContain('removed: it stays on the cases that have it');
  await sara.post('/organisation/labels', LABEL);
  expect(await sara.text('/organisation')).not.toContain('removed: it stays');
  expect(await sara.said('/organisation/labels/remove', { id: 'ffffffff' })).toBe('notFound');
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name in a language', { ...LABEL, 'name-ar': ' ' }, 'labelName'],
  ['a name that is markup', { ...LABEL, 'name-fr': '<b>' }, 'labelName'],
  ['a long name', { ...LABEL, 'name-en': 'a'.repeat(25) }, 'labelName'],
  ['a colour that is not in the table', { ...LABEL, colour: 'red;}' }, 'labelColour'],
  ['another one’s name', { ...LABEL, id: '99999999', 'name-fr': 'Autre', 'name-ar': 'غيره' }, 'labelTaken'],
])('a label with %s is refused', async (_, form, said) => {
  const sara = as('sara', 'supervisor');
  await sara.post('/organisation/labels', LABEL);
  expect(await sara.said('/organisation/labels', form)).toBe(said);
  expect((await sara.text('/organisation')).match(/class="label blue"><bdi>/g)).toHaveLength(1);
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name', { ...TEAM, name: ' ' }, 'teamName'],
  ['a name that is markup', { ...TEAM, name: '<b>' }, 'teamName'],
  ['a long name', { ...TEAM, name: 'a'.repeat(41) }, 'teamName'],
  ['the same name', { ...TEAM, kind: 'asked' }, 'teamTaken'],
  ['a kind that is another one’s', { ...TEAM, name: 'Autre' }, 'teamKind'],
])('a team with %s is refused', async (_, form, said) => {
  const sara = as('sara', 'supervisor');
  await sara.post('/organisation/teams', TEAM);
  const refused = await sara.swaps('/organisation/teams', form);
  expect(refused).toEqual([409, expect.stringContaining('Nothing was saved')]);
  expect(await sara.goesTo('/organisation/teams', form)).toBe(`/support/organisation?said=${said}`);
  const forms = (await sara.text('/organisation')).match(/action="\/support\/organisation\/teams"/g);
  expect(forms, 'one to change the team, one for a new team').toHaveLength(2);
});

const TEAM_ID = 'cafe0001';
test.each([
  'Cartes : niveau 2',
  'Crédit, épargne',
  'Agences (Nord)',
  '(VIP) 50 % + frais',
  'Litiges: a, b; c | d / e # f?',
  'بطاقات: المستوى 2 (الشمال)',
  'team:cafe0001',
  '24h/24 “urgent” = oui',
])('a team, label, macro and filter may be called %j, and what is done by them works', async (name) => {
  const [sara, nadia] = [as('sara', 'supervisor'), as('nadia')];
  const label = { ...LABEL, 'name-en': name.slice(0, 24).trim() };
  const macro = { id: '5e5e5e5e', name, label: LABEL.id, give: TEAM_ID };
  for (const [path, form] of [
    ['teams', { ...TEAM, id: TEAM_ID, name }],
    ['labels', label],
    ['macros', macro],
  ] as const)
    expect(await sara.said(`/organisation/${path}`, form), path).toBe('done');
  expect(
    await nadia.said('/inbox/filters', { show: 'all', team: TEAM_ID, name: name.slice(0, 30).trim() }),
  ).toBe('done');
  expect(await nadia.said('/cases/c-2345678/give', { to: `team:${TEAM_ID}` })).toBe('done');
  expect(await nadia.said('/cases/c-2345678/label', { label: LABEL.id })).toBe('done');
  stage.case = { ...CASE, team: TEAM_ID, labels: [LABEL.id] };
  const page = await nadia.text('/cases/c-2345678');
  const written = (text: string) => text.replaceAll('"', '&quot;');
  expect(page).toContain(`<bdi>${written(name)}</bdi>`);
  expect(page).toContain(`<bdi>${written(label['name-en'])}</bdi>`);
});

test.each(['', ' ', '<b>', 'a<b', 'x>y', '=1+2', '@a', '-x', 'a\nb', 'a\u202eb', 'a\u200bb', 'a\0b', '٪50'])(
  'nothing may be called %j',
  async (name) => {
    const sara = as('sara', 'supervisor');
    expect(await sara.said('/organisation/teams', { ...TEAM, name })).toBe('teamName');
    expect(await sara.said('/organisation/macros', { id: '5e5e5e5e', name, snooze: 'hour' })).toBe(
      'macroName',
    );
  },
);

test('agents are offered the answers that a supervisor writes, and the audit has their texts', async () => {
  const sara = as('sara', 'supervisor');
  const texts = {
    'text-fr': 'Passez en agence.',
    'text-ar': 'المرجو زيارة الوكالة.',
    'text-en': 'Come to a branch.',
  };
  const words = { 'word-fr': 'agence', 'word-ar': 'وكالة', 'word-en': 'agency' };
  stage.owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  const answered = await sara.post('/organisation/answers', { ...texts, ...words }, { 'hx-request': 'true' });
  expect([answered.status, answered.headers.get('hx-redirect')]).toEqual([
    204,
    '/support/organisation?said=done',
  ]);
  expect(stage.done[0]).toMatch(
    /^audit sara writeAnswer [\da-f]{8} agence وكالة agency: Passez en agence\./s,
  );
  const id = stage.done[0]?.split(' ')[3] ?? '';
  const offered = async () =>
    /data-word="(agency)" data-text="([^"]*)"/.exec(await as('nadia').text(session))?.slice(1);
  expect(await offered(), 'her word, the customer’s language').toEqual(['agency', 'Passez en agence.']);
  await sara.post('/organisation/answers', { ...texts, ...words, id, 'text-fr': 'Venez en agence.' });
  expect(await offered()).toEqual(['agency', 'Venez en agence.']);
  const { 'text-ar': _gone, ...two } = texts;
  expect(await sara.said('/organisation/answers', { ...two, ...words, id })).toBe('answerText');
  for (const said of ['done', 'notFound'])
    expect(await sara.said('/organisation/answers/remove', { id })).toBe(said);
  expect(await offered()).toBeUndefined();
});
