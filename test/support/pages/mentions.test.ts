import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import { CASE, plain, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('the named agent marks one mention as read, or all in the list, without opening a case', async () => {
  const omar = as('omar');
  const step = { at: NOW, what: 'assigned', by: 'sara', note: 'Sara', from: 'omar' } as const;
  stage.case = {
    ...CASE,
    owner: { id: 'sara', name: 'Sara' },
    language: 'ar',
    mentions: { omar: true, nadia: false },
    steps: [...CASE.steps, step],
  };
  const page = plain(await omar.text('/inbox?show=mentions'));
  expect(page).toMatch(/new<.*no longer yours<.*name="id" value="c-2345678"><button[^>]*>Mark as read/s);
  expect(page).toContain('Mark all as read');
  for (const other of [await omar.text('/inbox?show=all'), await as('nadia').text('/inbox?show=mentions')])
    expect(other).not.toMatch(/Mark as read<\/button|Mark all/);
  expect(plain(await omar.text('/inbox?show=all'))).toContain('no longer yours');
  for (const [form, looked] of [
    [{ id: 'c-2345678' }, true],
    [{ id: 'c-2345678', speaks: 'fr' }, true],
    [{}, true],
    [{ speaks: 'fr' }, false],
    [{ id: 'c-9999999' }, false],
    [{ id: '' }, false],
  ] as const) {
    stage.done = [];
    const to = await omar.goesTo('/inbox/read', form);
    expect(stage.done, JSON.stringify(form)).toEqual(looked ? ['looked c-2345678 omar'] : []);
    expect(to).toMatch(/^\/support\/inbox\?show=mentions.*&said=done$/);
  }
  stage.done = [];
  await as('nadia').post('/inbox/read');
  expect(stage.done, 'she has looked').toEqual([]);
  expect(plain(await as('nadia').text('/cases/c-2345678'))).toMatch(
    /Assigned to<.*sara.*Sara.*\(before: Omar\)/s,
  );
});

test('a note names an agent, who finds the case under mentions until they look at it', async () => {
  const [nadia, omar] = [as('nadia'), as('omar')];
  for (const [text, named] of [
    ['@omar, can you call? Not nadia@sara.example', 'omar'],
    ['for @Omar. And @nobody', 'omar'],
    ['@sara (@omar)', 'omar,sara'],
    ['for nobody', ''],
  ] as const) {
    const noted: unknown[] = [];
    stage.onNote = (...what) => void noted.push(...what);
    await nadia.post('/cases/c-2345678/note', { text });
    expect(noted, text).toEqual(['c-2345678', 'nadia', text, named === '' ? [] : named.split(',')]);
  }
  for (const [text, said] of [
    ['@omarr: look', 'toldNobody'],
    ['@omarr @omar', 'toldSome'],
    ['@sara @omar', 'done'],
    ['a@b', 'done'],
    ['for @Sara.', 'done'],
  ] as const) {
    expect(await nadia.said('/cases/c-2345678/note', { text }), text).toBe(said);
  }
  expect(await nadia.text('/cases/c-2345678?said=toldNobody')).toMatch(/note good">.*nobody was told/);
  expect(await nadia.text(session)).toMatch(/role="option"[^>]*data-word="omar" data-also="Omar"/);
  const note = { at: NOW, what: 'note', by: 'nadia', note: 'for @omar, <b>soon</b>, @omarr' } as const;
  stage.case = {
    ...CASE,
    owner: { id: 'nadia', name: 'Nadia' },
    mentions: { omar: true },
    steps: [...CASE.steps, note],
  };
  const listed = async (who: typeof omar) => /c-2345678\/work/.test(await who.text('/inbox?show=mentions'));
  await nadia.post('/cases/c-2345678/urgent');
  expect([await listed(omar), await listed(nadia), await listed(as('sara'))]).toEqual([true, false, false]);
  expect(await omar.text('/inbox/news')).toContain('data-news="1"');
  expect(await nadia.text('/inbox/news'), 'she has written it').toContain('data-news="0"');
  expect(await as('sara').text('/inbox/news')).toContain('data-news="0"');
  for (const path of [session, '/cases/c-2345678']) {
    stage.done = [];
    expect(await omar.text(path)).toContain(
      'for <b class="mention">@omar</b>, &lt;b&gt;soon&lt;/b&gt;, @omarr',
    );
    expect(stage.done).toContain('looked c-2345678 omar');
    stage.done = [];
    await nadia.text(path);
    expect(stage.done.join()).not.toContain('looked');
  }
  stage.case = { ...stage.case, mentions: { omar: false } };
  await nadia.post('/cases/c-2345678/urgent');
  expect([await listed(omar), await omar.text('/inbox/news')]).toEqual([
    true,
    expect.stringContaining('data-news="0"'),
  ]);
  stage.done = [];
  await omar.text(session);
  expect(stage.done.join(), 'they have looked').not.toContain('looked');
  // An agent who has not looked still finds the mention after the case is closed.
  stage.case = {
    ...stage.case,
    state: 'closed',
    closedAt: NOW,
    end: 'solved',
    mentions: { omar: true, sara: false },
  };
  const closed = { ...stage.case };
  await nadia.post('/cases/c-2345678/reopen');
  expect([await listed(omar), await listed(as('sara')), await listed(nadia)]).toEqual([true, false, false]);
  const mentions = await omar.text('/inbox?show=mentions');
  expect(mentions).toMatch(/c-2345678\/work.*<span class="unseen">new<.*<span class="badge ">closed</s);
  expect(mentions, 'there is nothing left to do about it').not.toMatch(
    /type="checkbox"[^>]*value="c-2345678"/,
  );
  expect(await omar.text('/inbox?show=all')).not.toContain('c-2345678/work');
  expect(await omar.text('/inbox/news')).toContain('data-news="1"');
  const { headers } = await omar.get('/cases/c-2345678/work');
  expect(headers.get('location')).toBe('/support/cases/c-2345678');
  stage.done = [];
  await omar.text('/cases/c-2345678');
  expect(stage.done).toContain('looked c-2345678 omar');
  stage.case = { ...closed, mentions: { omar: false } };
  await nadia.post('/cases/c-2345678/reopen');
  expect([await listed(omar), await omar.text('/inbox/news')]).toEqual([
    false,
    expect.stringContaining('data-news="0"'),
  ]);
});
