import { expect, test } from 'vitest';
import type { Case } from '../../../src/conversation/cases/case.ts';
import { dayBegins, dayOf } from '../../../src/support/times.ts';
import { FATIMA, NOW } from '../records.ts';
import { bulkForm, CASE, ids, LABEL, PAYMENT, session } from './fixtures.ts';
import { type Person, theConsole } from './stage.ts';

const { stage, as } = theConsole();
const IN_TWO_DAYS = dayOf(Date.now() + 48 * 3_600_000);

test.each<[path: string, form: Record<string, string>, audited: string, called: string]>([
  ['take', {}, 'nextCase', 'giveCase c-2345678 nadia'],
  ['give', { to: 'omar' }, 'giveCase', 'giveCase c-2345678 nadia'],
  ['wait', {}, 'changeCase', 'setWaiting c-2345678 true nadia'],
  ['go-on', {}, 'changeCase', 'setWaiting c-2345678 false nadia'],
  ['urgent', {}, 'changeCase', 'setUrgent c-2345678 true nadia'],
  ['merge', { into: 'c-other' }, 'mergeCase', 'merge c-2345678 c-other nadia'],
  ['close', { note: 'shown where' }, 'closeCase', 'closeCase c-2345678 nadia shown where'],
  ['reopen', {}, 'reopenCase', 'reopenCase c-2345678 nadia'],
  ['label', { label: LABEL.id }, `labelCase c-2345678 label ${LABEL.id}$`, `label c-2345678 true nadia`],
  ['unlabel', { label: LABEL.id }, `labelCase c-2345678 unlabel ${LABEL.id}$`, `label c-2345678 false nadia`],
  ['note', { text: 'the bank calls back' }, 'addNote', 'note c-2345678 nadia the bank calls back'],
  [
    'snooze',
    { for: 'tomorrow', at: `${IN_TWO_DAYS}T15:30` },
    'snoozeCase',
    `snoozeCase c-2345678 ${(dayBegins(IN_TWO_DAYS) ?? 0) + 15.5 * 3_600_000} nadia`,
  ],
])('an act on a case is in the audit before it is done: %s', async (path, form, audited, called) => {
  await as('sara', 'supervisor').post('/organisation/labels', LABEL);
  stage.done = [];
  const to = await as('nadia').goesTo(`/cases/c-2345678/${path}`, form);
  // Closed is over: an agent goes on.
  expect(to).toBe(path === 'close' ? '/support/inbox?said=done' : '/support/cases/c-2345678?said=done');
  expect(stage.done[0]).toMatch(
    new RegExp(`^audit nadia ${audited.includes(' ') ? audited : `${audited} c-2345678`}`),
  );
  expect(stage.done[1]).toBe(called);
  stage.isAuditDown = true;
  stage.done = [];
  expect((await as('nadia').post(`/cases/c-2345678/${path}`, form)).status).toBe(500);
  expect(stage.done).toEqual([]);
});

test.each<[why: string, others: readonly Partial<Case>[], next: string]>([
  ['the one that is due after it', [{}], '/support/cases/c-3456789/work'],
  ['nothing, where no other is left', [], '/support/inbox'],
  ["not a colleague's", [{ owner: { id: 'omar', name: 'Omar' } }, {}], '/support/cases/c-3456781/work'],
  ['not a snoozed one', [{ snoozedUntil: Date.now() + 3_600_000 }, {}], '/support/cases/c-3456781/work'],
  ['not one that waits for its customer', [{ state: 'waiting' }], '/support/inbox'],
])('the close of a case leads on to %s', async (_, others, next) => {
  const ids = ['c-3456789', 'c-3456781'];
  stage.otherCases = others.map((each, i) => ({ ...CASE, id: ids[i] ?? '', due: NOW + 1 + i, ...each }));
  const nadia = as('nadia');
  await nadia.text('/inbox?show=all');
  expect(await nadia.goesTo('/cases/c-2345678/close')).toBe(`${next}?said=done`);
  const byScript = await nadia.post('/cases/c-2345678/close', {}, { 'hx-request': 'true' });
  expect(byScript.headers.get('hx-redirect')).toBe(`${next}?said=done`);
  stage.acted = 'notNow';
  expect(await nadia.goesTo('/cases/c-2345678/close'), 'a refusal stays').toContain('c-2345678?said=notNow');
});

test('only its owner and supervisors change an assigned case, but every agent can add a note', async () => {
  const forms = ['wait', 'urgent', 'snooze', 'close', 'give', 'note'];
  const offered = async (who: Person) => {
    const pages = await who.text('/cases/c-2345678');
    return forms.filter((act) => pages.includes(`action="/support/cases/c-2345678/${act}"`));
  };
  expect(await offered(as('omar'))).toEqual(forms);
  stage.case = { ...CASE, owner: { id: 'nadia', name: 'Nadia' } };
  expect(await offered(as('omar'))).toEqual(['note']);
  expect(await as('omar').text(session)).not.toMatch(/c-2345678\/(snooze|close|go-on)"/);
  for (const who of [as('nadia'), as('sara', 'supervisor')]) expect(await offered(who)).toEqual(forms);
  const sends = async (who: Person, act: string) => {
    stage.done = [];
    const form = { for: 'hour', into: 'c-other', to: 'sara', text: 'x' };
    return [await who.said(`/cases/c-2345678/${act}`, form), stage.done.length];
  };
  for (const act of ['wait', 'go-on', 'urgent', 'not-urgent', 'snooze', 'merge', 'close', 'take', 'give']) {
    expect(await sends(as('omar'), act), act).toEqual(['owned', 2]);
    if (act !== 'give') expect(await sends(as('sara', 'supervisor'), act), act).toEqual(['done', 2]);
  }
  expect(await sends(as('omar'), 'note')).toEqual(['done', 2]);
  for (const [act, field] of [
    ['snooze', 'for'],
    ['close', 'note'],
    ['go-on', 'x'],
  ] as const) {
    stage.done = [];
    const value = act === 'snooze' ? 'hour' : 'asked by mistake';
    const { headers } = await as('omar').sends('/inbox/bulk', bulkForm([CASE.id], { act, [field]: value }));
    expect(headers.get('location'), act).toMatch(/said=owned&not=c-2345678%3Aowned$/);
    expect(stage.done.slice(2)).toEqual(['ended refused owned']);
  }
  stage.case = { ...stage.case, state: 'closed' };
  expect(await sends(as('omar'), 'reopen'), 'its customer is back, and it may not wait').toEqual(['done', 2]);
});

test('a case that was closed long ago can be read, but not changed', async () => {
  stage.archivedCase = {
    ...CASE,
    id: 'c-3333333',
    state: 'closed',
    closedAt: NOW - 31 * 24 * 3_600_000,
    end: 'solved',
  };
  const nadia = as('nadia');
  const page = await nadia.text(`/cases/${stage.archivedCase.id}`);
  expect(stage.done).toEqual([`audit nadia seeCase ${stage.archivedCase.id}`]);
  for (const part of ['c-3333333', 'closed', 'only be read', '/persons/']) expect(page).toContain(part);
  expect(page).not.toMatch(/action="[^"]*\/cases\//);
  expect((await nadia.get(`/cases/${stage.archivedCase.id}/work`)).headers.get('location')).toMatch(
    /cases\/c-3333333$/,
  );
  stage.archivedCase = { ...stage.archivedCase, kind: 'webhook', subject: 'w-long-gone' };
  expect(await nadia.text(`/cases/${stage.archivedCase.id}`), 'which is gone').not.toContain('w-long-gone');
});

test('the text of a note is on the page of its case and not in the audit, and a snooze ends in the future', async () => {
  const [nadia, vera] = [as('nadia'), as('vera', 'viewer')];
  await nadia.post('/cases/c-2345678/note', { text: 'the bank calls back' });
  expect(stage.done[0]).toBe('audit nadia addNote c-2345678 note');
  const note = { at: NOW, what: 'note', by: 'omar', note: 'the <b>bank</b>' } as const;
  stage.case = { ...CASE, steps: [...CASE.steps, note], snoozedUntil: Date.parse('2099-11-24T09:00Z') };
  for (const page of [await nadia.text(session), await nadia.text('/cases/c-2345678')]) {
    expect(page).toContain('the &lt;b&gt;bank&lt;/b&gt;');
    expect(page).toMatch(/snoozed until <time dir="ltr">24\/11\/2099 09:00/);
    for (const act of ['note', 'snooze', 'close', 'go-on'])
      expect(page).toContain(`action="/support/cases/c-2345678/${act}"`);
  }
  expect(await vera.text('/cases/c-2345678'), 'a viewer').not.toMatch(/c-2345678\/(note|snooze)"/);
  await nadia.post('/cases/c-2345678/urgent');
  const listed = async (show: string) => (await nadia.text(`/inbox?show=${show}`)).includes('c-2345678');
  expect([await listed('unassigned'), await listed('snoozed'), await listed('all')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await nadia.text('/inbox/news')).toContain('data-free="0"');
  await nadia.post('/cases/c-2345678/snooze', { for: 'customer' });
  expect(stage.done.slice(-2)).toEqual([
    'audit nadia snoozeCase c-2345678 snooze customer',
    'snoozeCase c-2345678 customer nadia',
  ]);
  stage.case = { ...stage.case, snoozedFor: 'customer' };
  expect(await nadia.text('/cases/c-2345678')).toContain('>snoozed until the customer writes<');
  const wrongTimes = ['soon', '2020-01-01T10:00', '2099-02-30T10:00'].map((at) => ({ at }));
  for (const wrong of [{}, { for: 'never' }, ...wrongTimes]) {
    stage.done = [];
    expect(await nadia.said('/cases/c-2345678/snooze', { ...wrong })).toBe('badTime');
    expect(stage.done.filter((each) => each.startsWith('snooze'))).toEqual([]);
  }
});

test('the audit takes a note as the reason only when a case closes', async () => {
  const nadia = as('nadia');
  await nadia.post('/cases/c-2345678/note', { text: 'seen', note: 'of another field' });
  expect(stage.done.join()).not.toContain('of another field');
});

test('the answer to an act brings the new case to a page without a stream', async () => {
  const nadia = as('nadia');
  const takes = async (kind: Case['kind']) => {
    stage.case = { ...CASE, kind, owner: { id: 'nadia', name: 'Nadia' } };
    return (await nadia.swaps('/cases/c-2345678/urgent'))[1];
  };
  for (const kind of ['payment', 'webhook'] as const)
    expect(await takes(kind)).toMatch(
      /note good">.*<section id="case-bar" hx-swap-oob="true".*<bdi>Nadia<\/bdi>/s,
    );
  for (const kind of ['asked', 'stuck'] as const) expect(await takes(kind)).not.toContain('case-bar');
});

test('a case cannot be given to an unknown agent', async () => {
  expect(await as('nadia').said('/cases/c-2345678/give', { to: 'nobody' })).toBe('notFound');
});

test('a session, a payment and a case show the other open cases of the customer, and can be merged with them', async () => {
  const owner = { id: 'sara', name: 'Sara' };
  const other: Case = { ...CASE, id: 'c-7654321', subject: 'web:x', address: 'web:x', owner };
  stage.otherCases = [other];
  const joins = (page: string) => [
    page.includes('/support/cases/c-7654321'),
    /<b><bdi>Sara<\/bdi><\/b>/.test(page),
    page.includes('/cases/c-2345678/merge'),
  ];
  const omar = as('omar');
  expect(joins(await omar.text(session))).toEqual([true, true, true]);
  expect(joins(await as('lina', 'viewer').text(session)), 'a viewer').toEqual([true, true, false]);
  expect(await omar.text(session), 'no number').not.toContain(FATIMA);
  await omar.post('/cases/c-2345678/merge', { into: other.id });
  expect(stage.done.at(-1)).toBe('merge c-2345678 c-7654321 omar');
  stage.case = { ...CASE, owner };
  expect(joins(await omar.text(session)), 'it is hers to join').toEqual([true, true, false]);
  stage.case = { ...CASE, kind: 'payment', subject: PAYMENT.id };
  expect(joins(await omar.text(`/payments/${PAYMENT.id}`))).toEqual([true, true, true]);
});

test.each([
  '/cases/c-nothing',
  '/cases/c-nothing/work',
  `/persons/${FATIMA}`,
  `/persons/${ids.idOf('web:x')}`,
  `/sessions/${FATIMA}`,
  `${session}x`,
  `/sessions/${ids.idOf('web:gone')}`,
  '/payments/nothing',
])('%s gives a 404', async (path) => {
  expect((await as('nadia').get(path)).status).toBe(404);
});
