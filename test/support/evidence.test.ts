import { expect, test } from 'vitest';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createSessionIds } from '../../src/support/session-id.ts';
import { theOffice } from './office.ts';
import { plain } from './pages/fixtures.ts';

const office = theOffice({ records: openSqliteRecords });

/** The entries of a person in the audit, the earliest first: each act, its object and how it ended. */
async function knownOf(who: string): Promise<string[]> {
  const { entries } = await office.audit.page({ who, limit: 50 });
  return entries
    .toReversed()
    .map(({ act, on, what, end, endWhy }) => [act, on, what, end, endWhy].filter(Boolean).join(' '));
}

test('a refused act is in the audit, with its agent and the reason', async () => {
  const viewer = await office.staff('vera', 'viewer');
  expect((await viewer.get('/support/accounts')).status).toBe(403);
  expect((await viewer.get('/support/audit/export')).status).toBe(403);
  expect((await viewer.form('/support/me/language', { csrf: 'guessed', language: 'ar' })).status).toBe(403);
  const csrf = await viewer.csrf();
  const forged = await viewer.form('/support/sign-out', { csrf }, 'https://elsewhere.example');
  expect(forged.status).toBe(403);
  expect(await knownOf('vera')).toEqual([
    'denied GET /accounts refused forbidden',
    'denied GET /audit/export refused forbidden',
    'denied POST /me/language refused token',
    'denied POST /sign-out refused origin',
  ]);
  const { entries } = await office.audit.page({ who: 'vera', limit: 1 });
  expect(entries[0]).toMatchObject({ from: '127.0.0.1', session: expect.stringMatching(/^[\w-]{12}$/) });
});

test('a refusal by the guard or by the page is in the audit once', async () => {
  const rita = await office.staff('rita', 'agent');
  const id = createSessionIds(office.secrets).idOf('ussd:+212612345678');
  expect((await rita.get(`/support/sessions/${id}/live?look=forged`)).status).toBe(403);
  const csrf = await rita.csrf();
  expect((await rita.form('/support/search', { csrf, q: 'x'.repeat(70_000) })).status).toBe(413);
  expect(await knownOf('rita')).toEqual([
    // The request names the customer.
    `denied GET /sessions/:id/live GET /sessions/${id}/live refused look`,
    'denied POST /search refused 413',
  ]);
  const { entries } = await office.audit.page({ who: 'rita', limit: 1 });
  expect(entries[0]).toMatchObject({ session: expect.stringMatching(/^[\w-]{12}$/) });
});

test('refusals of strangers are counted in the log and are not in the audit', async () => {
  const stranger = office.browser();
  const { entries } = await office.audit.page({ limit: 1 });
  const said = office.warned.length;
  for (let n = 0; n < 5; n++)
    expect((await stranger.form('/support/sign-out', {}, 'https://elsewhere.example')).status).toBe(403);
  expect((await stranger.form('/support/sign-in', { id: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await office.audit.page({ limit: 1 })).entries).toEqual(entries);
  const line = expect.objectContaining({ message: 'The console refused requests of strangers' });
  expect(office.warned.slice(said)).toEqual(Array(6).fill(line));
});

test('a refused act is not shown as done', async () => {
  const admin = await office.staff('adam', 'admin');
  await admin.post('/support/accounts', { id: 'fresh', name: 'Fresh', role: 'agent' });
  await admin.post('/support/accounts', { id: 'fresh', name: 'Fresh', role: 'agent' });
  await admin.post('/support/accounts/adam/disable');
  await admin.post('/support/accounts/nobody/reset');
  const password = 'five words in one row';
  await admin.post('/support/me/password', { old: 'wrong', password, again: password });
  expect((await admin.get('/support/sessions/none')).status).toBe(404);
  expect(await knownOf('adam')).toEqual([
    'createAccount fresh agent done',
    'createAccount fresh agent refused taken',
    'disableAccount adam refused self',
    'resetAccount nobody refused notFound',
    'changePassword refused wrong',
  ]);
});

test('a lock-out is in the audit once for each wait', async () => {
  await office.staff('lena', 'agent');
  const stranger = office.browser();
  const tries = () => stranger.form('/support/sign-in', { id: 'lena', password: 'guessed', code: '000000' });
  for (let n = 1; n <= 5; n++) expect((await tries()).status).toBe(401);
  for (let n = 1; n <= 4; n++) expect((await tries()).status).toBe(429);
  const known = await knownOf('lena');
  expect(known.filter((each) => each.endsWith('refused wrong'))).toHaveLength(5);
  expect(known.filter((each) => each.endsWith('refused wait'))).toHaveLength(1);
});

test('a refusal is a sentence on the page, and a word in the saved file', async () => {
  const selma = await office.staff('selma', 'supervisor');
  const refused = { who: 'yto', act: 'denied', end: 'refused' } as const;
  for (const endWhy of ['forbidden', 'noReason', 'a word of another release'])
    await office.audit.append({ ...refused, endWhy });
  await office.audit.append({ who: 'yto', act: 'denied', end: 'failed', endWhy: 'RecordsDown' });
  const reasons = async () =>
    [
      ...(await selma.text('/support/audit?by=yto')).matchAll(
        /<\/span> <(?:small title="([^"]*)"|code dir="ltr")>([^<]*)/g,
      ),
    ].map(([, word, sentence]) => [word, sentence]);
  expect(await reasons()).toEqual([
    ['RecordsDown', 'The records did not answer.'],
    [undefined, 'a word of another release'],
    ['noReason', 'A reason in words is needed, of at least 10 characters.'],
    ['forbidden', 'Their role does not allow it.'],
  ]);
  const saved = await (await selma.get('/support/audit/export?by=yto')).text();
  expect(saved).toContain('refused,forbidden');
});

test.each([
  ['/support/inbox/csv?show=all', /^inbox .*show=all/],
  ['/support/figures/csv/payments?from=2026-11-01&to=2026-11-02', /^payments .*from=2026-11-01/],
])('saving a table is in the audit, with its name: %s', async (path, table) => {
  const who = `t${path.length}`;
  const taker = await office.staff(who, 'supervisor');
  const file = await taker.get(path);
  expect(file.headers.get('content-disposition')).toMatch(/filename="wasl-/);
  await file.text();
  await expect
    .poll(async () => (await office.audit.page({ who, act: 'saveTable', limit: 5 })).entries)
    .toMatchObject([{ what: expect.stringMatching(table), end: 'done' }]);
});

test('a supervisor finds entries by person, day and customer, and saves them', async () => {
  const sara = await office.staff('sara', 'supervisor');
  await office.audit.append({ who: 'omar', act: 'seeSession', on: 'web:1', about: '+212612345678' });
  await office.audit.append({ who: 'omar', act: 'reveal', on: 'ussd:+212612345678', why: '=2+3, "said" so' });
  const rows = async (query: string) =>
    [...(await sara.text(`/support/audit?${query}`)).matchAll(/<td class="number">(\d+)<\/td>/g)].length;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Casablanca' }).format(
    office.clock.now(),
  );
  expect(await rows('by=omar')).toBe(2);
  expect(await rows('about=0612345678&by=omar')).toBe(2);
  const url = createSessionIds(office.secrets).idOf('ussd:+212612345678');
  expect(await rows(`about=${url}&by=omar`), 'as the page of a customer asks').toBe(2);
  expect(await rows('about=%2B212612345679&by=omar')).toBe(0);
  expect(await rows(`by=omar&from=${today}&to=${today}`)).toBe(2);
  expect(await rows('by=omar&to=2020-01-31')).toBe(0);
  expect(await rows('by=omar&from=no+day&to=2026-02-31'), 'no day is no filter').toBe(2);
  expect(await rows('end=refused&act=denied&by=vera')).toBe(4);

  const csv = await sara.get('/support/audit/export?by=omar');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
  const bytes = await csv.bytes();
  expect([...bytes.slice(0, 3)], 'a spreadsheet reads it as UTF-8').toEqual([0xef, 0xbb, 0xbf]);
  const [head, reveal, seen] = new TextDecoder().decode(bytes).split('\r\n');
  expect(head).toBe(
    'No.,Time,Account,Network address,Sign-in,Act,About,Customer,Details,Reason,Outcome,Reason of the outcome,Time of the outcome',
  );
  expect(reveal, 'masked, and no formula').toMatch(
    /,omar,,,reveal,ussd:\+212 6•• •• •• 78,,,"'=2\+3, ""said"" so",,,$/,
  );
  expect(seen).toMatch(/,omar,,,seeSession,web:1,\+212 6•• •• •• 78,/);
  const lines = (await (await sara.get('/support/audit/export?as=jsonl&by=omar')).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).act)).toEqual(['reveal', 'seeSession']);
  expect((await knownOf('sara')).filter((each) => each.startsWith('exportAudit'))).toHaveLength(2);
});

test('a check takes a witness and shows its result', async () => {
  const sara = await office.staff('sada', 'supervisor');
  const verdict = await office.audit.verify();
  if (!verdict.ok) throw new Error(`broken: ${verdict.why} ${verdict.n}`);
  const check = (witness: string) =>
    sara.text(`/support/audit?${new URLSearchParams({ check: '1', witness })}`);
  expect(await check(verdict.head)).toContain('The chain is whole');
  expect(await check('')).toContain('The chain is whole');
  expect(await check(`${verdict.head}x`)).toContain('This is no checkpoint of ours');
});

test('a file that was not sent completely is not shown as saved', async () => {
  const zoe = await office.staff('zoe', 'supervisor');
  for (let n = 0; n < 30; n++) await office.audit.append({ who: 'zora', act: 'seeSession', on: `web:${n}` });
  const cookie = [...zoe.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const exported = async () =>
    (await office.app.request('/support/audit/export?by=zora', { headers: { cookie } })).body?.getReader();
  const cut = await exported();
  await cut?.read();
  expect(await knownOf('zoe'), 'it is still being sent').toEqual(['exportAudit open']);
  await cut?.cancel();
  await expect.poll(() => knownOf('zoe')).toEqual(['exportAudit failed cutOff']);
  const whole = await exported();
  while (!(await whole?.read())?.done);
  await expect.poll(() => knownOf('zoe')).toEqual(['exportAudit failed cutOff', 'exportAudit done']);
});

test('an act that was done is named, and a name that is no act is not believed', async () => {
  const lamia = await office.staff('lamia', 'supervisor');
  const form = { 'name-fr': 'Pro', 'name-ar': 'مهني', 'name-en': 'Business', colour: 'blue' };
  const done = await lamia.post('/support/organisation/labels', form);
  const to = done.headers.get('location') ?? '';
  expect(to).toBe('/support/organisation?said=done-writeLabel');
  expect(plain(await lamia.text(to))).toContain('<p class="note good">Done: Label saved.</p>');
  for (const said of ['done-everything', 'done-', 'done-constructor', 'done-<b>'])
    expect(await lamia.text(`/support/organisation?said=${encodeURIComponent(said)}`)).toMatch(
      /id="flash" role="status"><\/div>/,
    );
  const refused = await lamia.post('/support/organisation/labels', { ...form, colour: 'none' });
  expect(refused.headers.get('location')).toBe('/support/organisation?said=labelColour');
});
