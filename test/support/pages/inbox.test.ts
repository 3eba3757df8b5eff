import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import { CASE, PAYMENT, readUntil, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();
const NEW = /class="unseen">new</;
const manyCases = (length: number) =>
  Array.from({ length }, (_, i) => ({
    ...CASE,
    id: `c-9${String(i).padStart(6, '0')}`,
    subject: `web:${i}`,
  }));

test('the inbox lists cases by owner, and a viewer cannot take one', async () => {
  const page = await as('nadia').text('/inbox?show=unassigned');
  for (const part of ['c-2345678', 'Asked for an adviser', '+212 6•• •• •• 78', 'late by', '/inbox/next'])
    expect(page).toContain(part);
  expect(page).not.toMatch(/612345678/);
  expect(await as('nadia').text('/inbox?show=mine')).toContain('No cases here');
  expect(await as('nadia').text('/inbox'), 'it opens where there is work').toMatch(
    /href="[^"]*show=unassigned" aria-current="page"/,
  );
  // The filters of an agent apply to the list, its counts and the next case.
  stage.case = { ...CASE, language: 'fr' };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  const narrowed = (query: string) => as('nadia').text(`/inbox?show=unassigned&${query}`);
  expect(await narrowed('speaks=fr&kind=asked')).toContain('c-2345678');
  for (const query of ['speaks=ar', 'kind=payment']) expect(await narrowed(query)).not.toContain('c-2345678');
  expect(await narrowed('speaks=ar')).toContain('name="speaks" value="ar"');
  expect(await narrowed('speaks=xx')).toContain('c-2345678');
  stage.case = { ...CASE, owner: { id: 'nadia', name: 'Nadia' } };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  expect(await as('nadia').text('/inbox'), 'given to her by somebody else').toMatch(NEW);
  expect(await as('omar').text('/inbox')).toContain('No cases here');
  stage.case = { ...stage.case, steps: [...CASE.steps, { at: NOW, what: 'assigned', by: 'nadia' }] };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  expect(await as('nadia').text('/inbox')).not.toMatch(NEW);
  expect(await as('vera', 'viewer').text('/inbox')).not.toContain('/inbox/next');
});

test('the next case opens on its page, or the agent reads that there is none', async () => {
  const nadia = as('nadia');
  expect(await nadia.goesTo('/inbox/next')).toMatch(/^\/support\/sessions\//);
  expect(stage.done).toEqual(['audit nadia nextCase', 'next nadia', 'audit nadia nextCase c-2345678']);
  stage.case = { ...CASE, kind: 'payment', subject: PAYMENT.id };
  expect(await nadia.goesTo('/inbox/next')).toBe(`/support/payments/${PAYMENT.id}`);
  stage.acted = 'notNow';
  expect(await nadia.said('/inbox/next')).toBe('noCase');
  expect(await nadia.text('/inbox?said=noCase')).toContain('no case to assign to you');
});

test('an agent saves a filter of the inbox under a name, and a supervisor saves one for all', async () => {
  const [sara, nadia, omar] = [as('sara', 'supervisor'), as('nadia'), as('omar')];
  const saved = async (who: typeof nadia, path: string, name: string, more = {}) => {
    return who.said(`/inbox/filters${path}`, { show: 'all', speaks: 'fr', kind: 'asked', name, ...more });
  };
  stage.case = { ...CASE, language: 'fr' };
  expect(await saved(nadia, '', 'Français & urgent')).toBe('done');
  expect(stage.done[0]).toMatch(
    /^audit nadia writeFilter [\da-f]{8} Français & urgent: show=all&speaks=fr&kind=asked$/,
  );
  const id = stage.done[0]?.split(' ')[3] ?? '';
  const tab = /<a href="([^"]*)" ><bdi>Français &amp; urgent<\/bdi> <span class="count">1</;
  const [, path = ''] = tab.exec(await nadia.text('/inbox')) ?? [];
  expect(path).toBe('/support/inbox?show=all&amp;speaks=fr&amp;kind=asked');
  const query = path.replaceAll('&amp;', '&').replace('/support', '');
  expect(await nadia.text(query)).toMatch(/aria-current="page"><bdi>Français/);
  for (const page of [await omar.text('/inbox'), await sara.text('/inbox')])
    expect(page).not.toContain('<bdi>Français');
  for (const [name, said] of [
    ['', 'filterName'],
    ['<b>', 'filterName'],
    ['a'.repeat(31), 'filterName'],
    ['Français & urgent', 'filterTaken'],
  ] as const)
    expect(await saved(nadia, '', name), name).toBe(said);
  // Unknown choices are left out.
  const unknown = { show: 'nothing', speaks: 'de', kind: 'toString', team: '../../x', label: '"' };
  await saved(nadia, '', 'Bad', unknown);
  expect(stage.done.at(-1)).toMatch(/ Bad: show=mine$/);
  expect(await omar.said('/inbox/filters/remove', { id })).toBe('notFound');
  await nadia.post('/inbox/filters/remove', { id });
  expect(await nadia.text('/inbox')).not.toContain('<bdi>Français');

  expect(await saved(sara, '/shared', 'À tous')).toBe('done');
  const shared = stage.done.at(-1)?.split(' ')[3] ?? '';
  const theirs = await omar.text('/inbox?show=all&speaks=fr&kind=asked');
  expect(theirs).toMatch(/aria-current="page"><bdi>À tous/);
  expect(theirs, 'it is not theirs to remove').not.toMatch(/filters\/shared|filters\/remove/);
  expect(await sara.text('/inbox?show=all&speaks=fr&kind=asked')).toContain('/inbox/filters/shared/remove"');
  await sara.post('/inbox/filters/shared/remove', { id: shared });
  expect(await omar.text('/inbox')).not.toContain('<bdi>À tous');
  for (let i = 0; i < 21; i++)
    expect(await saved(omar, '', `Filter ${i}`), `${i}`).toBe(i < 20 ? 'done' : 'full');
});

test('a viewer cannot choose cases, and a case that did not change stays chosen', async () => {
  const page = await as('nadia').text(`/inbox?show=unassigned&said=noReason&not=${CASE.id}`);
  expect(page).toMatch(/<input type="checkbox" form="bulk" name="id" value="c-2345678"[^>]*checked/);
  expect(await as('vera', 'viewer').text('/inbox?show=unassigned')).not.toMatch(/checkbox|id="bulk"/);
});

test('a list of the inbox is saved as the page shows it, masked', async () => {
  const csv = await as('vera', 'viewer').text('/inbox/csv?show=unassigned');
  const [heads = '', line = '', end] = csv.split('\r\n');
  expect(heads).toMatch(/^Case,Reason,Customer,/);
  expect([line, end]).toEqual([
    expect.stringContaining('c-2345678,Asked for an adviser,+212 6•• •• •• 78,USSD,'),
    '',
  ]);
  expect((await as('vera', 'viewer').text('/inbox/csv?show=snoozed')).split('\r\n')).toHaveLength(2);
});

test('a long list of the inbox has pages, also in its live part', async () => {
  stage.otherCases = manyCases(249);
  const omar = as('omar');
  const idsOn = async (page: string) =>
    [...page.matchAll(/name="id" value="(c-[^"]+)"/g)].map(([, id = '']) => id);
  const pages = await Promise.all(
    ['', '&page=2', '&page=3', '&page=9'].map((page) => omar.text(`/inbox?show=all${page}`)),
  );
  const [one = [], two = [], three = [], beyond] = await Promise.all(pages.map(idsOn));
  expect([one.length, two.length, three.length, beyond]).toEqual([100, 100, 50, three]);
  expect(new Set([...one, ...two, ...three]).size).toBe(250);
  expect(pages[1]).toContain('/support/inbox/live?show=all&amp;page=2');
  expect(pages.map((page) => /rel="(?:prev|next)"/g.test(page))).toEqual([true, true, true, true]);
  const live = await omar.get('/inbox/live?show=all&page=2');
  expect(await idsOn(await readUntil(live, '</ul>'))).toEqual(two);
  const chosen = { id: two[0] ?? '', act: 'urgent-is-none', show: 'all', page: '2' };
  expect(await omar.goesTo('/inbox/bulk', chosen), 'back to the same list').toContain('show=all&page=2');
});

test('the case in hand stands above a list that does not have it', async () => {
  stage.case = { ...CASE, owner: { id: 'omar', name: 'Omar' } };
  const [list = '', work = ''] = (await as('nadia').text(session)).split('class="session-head"');
  expect(list).toMatch(/Case on screen[\s\S]*aria-current="true"[\s\S]*No cases here/);
  expect(work).not.toContain('Case on screen');
  expect(await as('omar').text(session), 'his list has it').not.toContain('Case on screen');
});
