import { expect, test } from 'vitest';
import { plain } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { as, stage } = theConsole();
const RULES = {
  ...{ on: 'yes', capacity: '4', silent: '10' },
  ...{ 'target-asked': '5', 'target-stuck': '30', 'target-payment': '240', 'target-webhook': '480' },
};

test('supervisors set the rules of assignment and the skills of agents', async () => {
  const sara = as('sara', 'supervisor');
  expect(await sara.said('/organisation/rules', RULES)).toBe('done');
  expect(stage.done).toContain('audit sara writeRules rules on 4 10 5 30 240 480');
  expect(await sara.said('/organisation/skills', { id: 'omar', language: 'ar', capacity: '7' })).toBe('done');
  const page = plain(await sara.text('/organisation'));
  expect(page, 'seen without opening anything').toMatch(/<summary>.*?العربية · 7 at once/s);
  for (const part of [
    'name="on" value="yes" checked',
    'name="capacity" value="4"',
    'name="silent" value="10"',
  ])
    expect(page).toContain(part);
  expect(page).toMatch(/name="id" value="omar">.*?name="language" value="ar" checked.*?value="7"/s);
  expect(await sara.said('/organisation/skills', { id: 'omar', capacity: '0' })).toBe('done');
  expect(plain(await sara.text('/organisation')), 'who is dealt none').toContain('all languages · 0 at once');
  // Without languages and a number, an agent is as all are.
  expect(await sara.said('/organisation/skills', { id: 'omar', capacity: '' })).toBe('done');
  expect(await sara.text('/organisation')).not.toContain('value="ar" checked');
});

test.each<[why: string, path: string, form: Record<string, string>, said: string]>([
  ['no capacity', 'rules', { ...RULES, capacity: '' }, 'rules'],
  ['a capacity of 0', 'rules', { ...RULES, capacity: '0' }, 'rules'],
  ['a capacity of 51', 'rules', { ...RULES, capacity: '51' }, 'rules'],
  ['half a case', 'rules', { ...RULES, capacity: '1.5' }, 'rules'],
  ['a negative time', 'rules', { ...RULES, silent: '-1' }, 'rules'],
  ['more than a day', 'rules', { ...RULES, silent: '1441' }, 'rules'],
  ['a target in words', 'rules', { ...RULES, 'target-asked': 'five' }, 'rules'],
  ['a missing target', 'rules', { ...RULES, 'target-webhook': '' }, 'rules'],
  ['a number in another script', 'rules', { ...RULES, capacity: '٤' }, 'rules'],
  ['skills of nobody', 'skills', { id: 'nobody', language: 'fr' }, 'notFound'],
  ['skills without a number', 'skills', { id: 'omar', capacity: 'many' }, 'rules'],
])('%s is refused', async (_, path, form, said) => {
  const sara = as('sara', 'supervisor');
  expect(await sara.said(`/organisation/${path}`, form)).toBe(said);
  expect(await sara.text('/organisation')).toContain('name="capacity" value="5"');
});

test('an agent takes a break and ends it, and supervisors see it', async () => {
  const [omar, sara] = [as('omar'), as('sara', 'supervisor')];
  expect(await omar.text('/away')).toContain('Take a break');
  for (const _ of ['', 'pressed twice']) {
    const [status, shown] = await omar.swaps('/away', { away: 'yes' });
    expect([status, shown]).toEqual([200, expect.stringContaining('End the break')]);
  }
  expect(await sara.text('/organisation')).toContain('on a break');
  await omar.post('/presence');
  expect(plain(await sara.text('/inbox'))).toMatch(/Omar<\/bdi> · on a break|omar<\/bdi> · on a break/);
  expect(await sara.text('/away'), 'it is each one’s own').toContain('Take a break');
  const [, back] = await omar.swaps('/away', { away: 'no' });
  expect(back).toContain('Take a break');
  await omar.swaps('/away', { away: 'no' });
  expect(await sara.text('/organisation')).not.toContain('on a break');
  expect(stage.done.filter((entry) => entry.includes('setAway'))).toEqual([
    ...['away', 'away', 'back', 'back'].map((what) => `audit omar setAway omar ${what}`),
  ]);
});
