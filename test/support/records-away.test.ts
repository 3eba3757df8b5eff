import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { TRUSTED_MS } from '../../src/support/access/account-book.ts';
import { type PostgresServer, startPostgres } from '../kit/postgres-server.ts';
import { createOffice, type Office, PASSWORD } from './office.ts';

let postgres: PostgresServer;
let office: Office;
beforeAll(async () => {
  postgres = await startPostgres();
  office = await createOffice({
    store: 'redis',
    records: async () => openPostgresRecords(await postgres.place()),
  });
});
afterAll(async () => {
  await office.close();
  await postgres.stop();
});

const MINUTE_MS = 60_000;
const AWAY = [
  ['en', 'You cannot sign in now'],
  ['fr', 'La connexion n’est pas possible pour le moment'],
  ['ar', 'لا يمكن تسجيل الدخول حاليا'],
] as const;

test('two agents work on while PostgreSQL is stopped, and everything is there once it is back', async () => {
  const [nadia, omar] = [await office.staff('nadia', 'agent'), await office.staff('omar', 'supervisor')];
  const [carla, badr] = [await office.staff('carla', 'admin'), await office.staff('badr', 'agent')];
  await omar.post('/support/organisation/teams', { name: 'Accueil', member: 'nadia', kind: 'stuck' });
  expect(await nadia.text('/support/inbox')).toContain('Accueil');
  await carla.post('/support/me/language', { language: 'fr' });
  await badr.post('/support/me/language', { language: 'ar' });
  const dina = await office.staff('dina', 'admin');
  await dina.post('/support/principal/agents/RA-1/number', { phone: '0612345678', why: 'another phone' });
  const proposal = /proposals\/approve.*?name="at" value="(\d+)"/s.exec(
    await carla.text('/support/principal'),
  );
  await postgres.kill();
  // A morning in which both are at work: nobody is signed out for being idle.
  for (let minutes = 0; minutes < 20; minutes += 10) {
    office.clock.ahead += 10 * MINUTE_MS;
    for (const path of ['/support', '/support/me'])
      for (const agent of [omar, nadia, carla, badr])
        expect([path, (await agent.get(path)).status]).toEqual([path, 200]);
  }

  const found = await nadia.post('/support/search', { for: '0612345678' });
  expect(found.status, 'a search by number').toBeLessThan(400);
  for (const [language, sentence] of AWAY) {
    const headers = { 'accept-language': language, origin: office.url };
    const body = new URLSearchParams({ id: 'nadia', password: PASSWORD, code: nadia.code() });
    const answer = await office.browser().send('/support/sign-in', { method: 'POST', body, headers });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining(sentence)]);
  }
  const team = { name: 'Retards', member: 'nadia', kind: 'payment' };
  const refused = [
    await omar.get('/support/organisation'),
    await omar.post('/support/organisation/teams', team),
    await nadia.post('/support/me/language', { language: 'fr' }),
    await carla.post('/support/accounts/nadia/role', { role: 'admin' }),
    await carla.post('/support/principal/proposals/approve', { at: proposal?.[1] ?? 'none' }),
    ...(await Promise.all(
      ['/support/audit', '/support/audit?check=1', '/support/figures'].map((path) => omar.get(path)),
    )),
  ];
  for (const page of refused)
    expect([page.url, page.status, await page.text()]).toEqual([
      page.url,
      503,
      expect.stringMatching(/The history and the settings cannot be|L’historique et les réglages sont inj/),
    ]);
  for (const [agent, sentence] of [
    [nadia, 'The cases cannot be reached now'],
    [carla, 'Les dossiers sont injoignables pour le moment'],
    [badr, 'لا يمكن الوصول إلى الملفات حاليا'],
  ] as const) {
    const inbox = await agent.get('/support/inbox');
    expect([inbox.status, await inbox.text()]).toEqual([200, expect.stringContaining(sentence)]);
    expect((await agent.get('/support/inbox/news')).status).toBe(200);
  }
  expect(await carla.text('/support/audit'), 'in the language of the account').toMatch(/Cette page revient/);
  expect((await nadia.get('/support/inbox/csv')).status, 'no table without its cases').toBe(503);
  expect((await omar.get('/support/back')).headers.get('hx-refresh')).toBeNull();
  expect((await carla.post('/support/accounts/badr/disable')).status, 'who must go, goes').toBe(303);
  expect([await badr.isIn(), await nadia.isIn()]).toEqual([false, true]);

  await postgres.starts();
  await expect.poll(async () => (await omar.get('/support/audit')).status).toBe(200);
  expect((await omar.get('/support/back')).headers.get('hx-refresh'), 'pages that wait load again').toBe(
    'true',
  );
  expect(await nadia.text('/support/inbox')).toContain('No cases here');
  const { entries } = await office.audit.page({ limit: 50 });
  const acts = entries.map(({ who, act, end }) => `${who} ${act} ${end ?? ''}`.trim());
  expect(acts).toEqual(
    expect.arrayContaining([
      'nadia search done',
      'carla disableAccount done',
      'omar writeTeam failed',
      'omar seeAudit failed',
    ]),
  );
  expect(await office.audit.verify()).toMatchObject({ ok: true, open: 0 });
  expect((await omar.post('/support/organisation/teams', team)).status).toBe(303);
  expect((await badr.signIn('badr')).status, 'an account that was disabled meanwhile').toBe(401);
  expect((await nadia.signIn('nadia')).status).toBe(303);
}, 60_000);

test('nobody is let in by accounts that could not be compared with PostgreSQL for four hours', async () => {
  const nadia = await office.staff('amal', 'agent');
  expect(await nadia.isIn()).toBe(true);
  await postgres.kill();
  const visits = TRUSTED_MS / (20 * MINUTE_MS);
  for (let visit = 1; visit < visits; visit++) {
    office.clock.ahead += 20 * MINUTE_MS;
    expect([visit, await nadia.isIn()]).toEqual([visit, true]);
  }
  office.clock.ahead += 20 * MINUTE_MS;
  expect(await nadia.isIn()).toBe(false);
  await postgres.starts();
  await expect.poll(() => nadia.isIn()).toBe(true);
}, 60_000);
