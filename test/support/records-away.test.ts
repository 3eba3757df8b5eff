import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { type PostgresServer, startPostgres } from '../kit/postgres-server.ts';
import { createOffice, type Office } from './office.ts';

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

test('two agents work on while PostgreSQL is stopped, and the audit has it all once it is back', async () => {
  const [nadia, omar] = [await office.staff('nadia', 'agent'), await office.staff('omar', 'supervisor')];
  await postgres.kill();

  for (const path of ['/support', '/support/inbox', '/support/me', '/support/organisation'])
    expect([path, (await omar.get(path)).status]).toEqual([path, 200]);
  const found = await nadia.post('/support/search', { for: '0612345678' });
  expect(found.status, 'a search by number').toBeLessThan(400);
  expect((await nadia.post('/support/me/language', { language: 'fr' })).status).toBe(303);
  await omar.post('/support/organisation/teams', { name: 'Accueil', member: 'nadia', kind: 'stuck' });

  for (const path of ['/support/audit', '/support/audit?check=1', '/support/figures']) {
    const page = await omar.get(path);
    expect([path, page.status, await page.text()]).toEqual([
      path,
      503,
      expect.stringContaining('The history cannot be reached'),
    ]);
  }

  await postgres.starts();
  await expect.poll(async () => (await omar.get('/support/audit')).status).toBe(200);
  const { entries } = await office.audit.page({ limit: 50 });
  const acts = entries.map(({ who, act, end }) => `${who} ${act} ${end ?? ''}`.trim());
  expect(acts).toEqual(
    expect.arrayContaining(['nadia search done', 'omar writeTeam done', 'omar seeAudit failed']),
  );
  expect(await office.audit.verify()).toMatchObject({ ok: true, open: 0 });
}, 60_000);
