import { describe, expect, onTestFinished, test } from 'vitest';
import { IDLE_MS, SIGNED_IN_MAX_MS } from '../../src/support/access/access.ts';
import { SUPPORT_PARTITION } from '../../src/support/access/account-book.ts';
import { SET_UP_MS } from '../../src/support/access/accounts.ts';
import { BY_ITSELF, ENDPOINTS } from '../../src/support/access/endpoints.ts';
import { startRedis } from '../kit/redis-server.ts';
import { MINUTE_MS, STORES } from '../kit/world.ts';
import { createOffice, type Office, PASSWORD, theOffice } from './office.ts';

describe.each(STORES)('a sign-in, on %s', (store) => {
  const office = theOffice({ store });

  test('an invited person chooses a password, enrols a phone, and is in', async () => {
    const invited = await office.accounts.create({ id: 'nadia', name: 'Nadia B.', role: 'admin' });
    if (!invited.ok) throw new Error(invited.why);
    const link = `/support/set-up/${invited.token}`;
    const nadia = office.browser();
    const page = await nadia.text(link);
    expect(page).toContain('src="data:image/svg+xml;base64,');
    expect(page).toContain('Your sign-in name is');
    expect((await nadia.setUp(link, { again: 'another password' })).status).toBe(400);
    expect((await nadia.setUp(link, { password: 'short', again: 'short' })).status).toBe(400);
    expect((await nadia.setUp(link, { code: '000000' })).status).toBe(400);
    expect(await nadia.isIn()).toBe(false);
    const done = await nadia.setUp(link);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/support/inbox']);
    expect(nadia.cookies.has('wasl-device'), 'the browser is remembered').toBe(true);
    expect(await nadia.isIn()).toBe(true);
    // The link works once.
    expect((await office.browser().get(link)).status).toBe(410);
    expect((await office.browser().setUp(link)).status).toBe(410);
    expect(await nadia.post('/support/sign-out').then(({ status }) => status)).toBe(303);
    expect(await nadia.isIn()).toBe(false);
    expect((await nadia.signIn(' Nadia ')).status).toBe(303);
    expect(await nadia.isIn()).toBe(true);
  });

  test('a link that is an hour old, forged, or of a disabled account is refused', async () => {
    const made = await office.accounts.create({ id: 'late', name: 'Late', role: 'viewer' });
    const token = made.ok ? made.token : '';
    expect((await office.browser().get(`/support/set-up/${token}`)).status).toBe(200);
    expect((await office.browser().get(`/support/set-up/${token.slice(0, -1)}`)).status).toBe(410);
    await office.accounts.disable('late', 'nadia');
    expect((await office.browser().get(`/support/set-up/${token}`)).status).toBe(410);
    const again = await office.accounts.create({ id: 'later', name: 'Later', role: 'viewer' });
    office.clock.ahead += SET_UP_MS;
    expect((await office.browser().get(`/support/set-up/${again.ok && again.token}`)).status).toBe(410);
  });

  test.each([
    ['a wrong password', { password: 'not the password' }],
    ['a wrong code', { code: '000000' }],
    ['no code', { code: '' }],
    ['a name that nobody has', { id: 'nobody' }],
    ['a name of every object', { id: '__proto__' }],
    ['no password', { password: '' }],
  ])('%s is refused, in the same words', async (_what, wrong) => {
    const id = `omar${Math.floor(Math.random() * 1e9)}`;
    const omar = await office.staff(id, 'agent');
    const refused = await omar.signIn(id, wrong);
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await refused.text()).toContain('The name, the password or the code is not right.');
  });

  test('an unreadable form is refused and is no error of the process', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b', origin: office.url };
    const refused = await fetch(`${office.url}/support/sign-in`, {
      method: 'POST',
      headers,
      body: 'no form',
    });
    expect(refused.status).toBe(401);
  });
});

describe.each(STORES)('the secrets of a sign-in, on %s', (store) => {
  const office = theOffice({ store });

  test('a code works once, also for two sign-ins at the same moment', async () => {
    const salma = await office.staff('salma', 'agent');
    expect((await salma.signIn('salma')).status).toBe(303);
    expect(
      (await salma.form('/support/sign-in', { id: 'salma', password: PASSWORD, code: salma.sameCode() }))
        .status,
    ).toBe(401);
    const code = salma.code();
    const both = await Promise.all(
      [office.browser(), office.browser()].map((thief) =>
        thief.form('/support/sign-in', { id: 'salma', password: PASSWORD, code }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([303, 401]);
  });

  test('the store has no password, no secret of the phone and no cookie', async () => {
    const browser = await office.staff('canary', 'agent');
    const [doc] = await office.store.read(SUPPORT_PARTITION, ['support:accounts']);
    expect(doc?.value).toContain('canary');
    expect(doc?.value).not.toContain(PASSWORD);
    const account = await office.accounts.find('canary');
    const secret = account?.factor && office.accounts.openSecret('canary', account.factor.secret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(doc?.value).not.toContain(secret);
    for (const cookie of browser.cookies.values()) expect(await everything(office)).not.toContain(cookie);
  });

  test('a sign-in leads to the requested page, and never to another site', async () => {
    const agent = await office.staff('onward', 'agent');
    const next = async (path: string) =>
      (await agent.signIn('onward', { next: path })).headers.get('location');
    expect(await next('/support/sessions/Ab-9_')).toBe('/support/sessions/Ab-9_');
    for (const path of [
      '/support/webhooks/a.b%3A-1~',
      '/support/webhooks/...',
      '/support/audit?who=nadia&page=2%2B',
    ])
      expect(await next(path), path).toBe(path);
    for (const path of [
      '',
      '/support/..',
      '/support/webhooks/%0Ax%',
      '/support/a?b=//evil.example',
      '/support/a?b="><script>',
      '/support/a?b=\n',
      '//evil.example',
      '/support//evil.example',
      '/support/../x',
      'https://evil.example',
    ])
      expect(await next(path), path).toBe('/support/inbox');
    const asked = await office.browser().text('/support/sign-in?next=%2Fsupport%2Ftoday');
    expect(asked).toContain('name="next" value="/support/today"');
    expect(asked).toContain('Sign in to come back to this page');
    expect(await office.browser().text('/support/sign-in')).not.toContain('come back');
  });

  test('every sign-in, refusal and change of an account is in the audit', async () => {
    const admin = await office.staff('witness', 'admin');
    await admin.signIn('witness', { password: 'not the password' });
    await admin.post('/support/accounts', { id: 'fresh', name: 'Fresh', role: 'agent' });
    await admin.post('/support/accounts/fresh/role', { role: 'viewer' });
    await admin.post('/support/accounts/fresh/disable');
    await admin.post('/support/sign-out');
    const { entries } = await office.audit.page({ who: 'witness', limit: 20 });
    expect(entries.map(({ act, on, what }) => [act, on, what].filter(Boolean).join(' ')).reverse()).toEqual([
      'signInFailed address:127.0.0.1',
      'createAccount fresh agent',
      'changeRole fresh viewer',
      'disableAccount fresh',
      'signOut',
    ]);
    expect(await office.audit.verify()).toMatchObject({ ok: true });
  });
});

describe.each(STORES)('a sign-in ends, on %s', (store) => {
  const office = theOffice({ store });

  test('after half an hour without a request', async () => {
    const idle = await office.staff('idle', 'agent');
    office.clock.ahead += IDLE_MS - MINUTE_MS;
    expect(await idle.isIn()).toBe(true);
    office.clock.ahead += IDLE_MS - MINUTE_MS;
    expect(await idle.isIn()).toBe(true);
    office.clock.ahead += IDLE_MS;
    expect(await idle.isIn()).toBe(false);
  });

  test.each([...BY_ITSELF].filter((each) => each.startsWith('GET ')))(
    'after half an hour with a page that only asks for %s',
    async (endpoint) => {
      const away = await office.staff(`away-${endpoint.replace(/\W+/g, '-').toLowerCase()}`, 'admin');
      office.clock.ahead += IDLE_MS - MINUTE_MS;
      const path = endpoint.slice('GET '.length).replace(':machine', 'transfer').replace(':id', 'x');
      await (await away.get(`/support${path}`)).body?.cancel();
      office.clock.ahead += 2 * MINUTE_MS;
      expect(await away.isIn()).toBe(false);
    },
  );

  test('every endpoint called live or news counts as a request of the page itself', () => {
    const named = Object.keys(ENDPOINTS).filter((each) => /^GET .*\/(?:live|news)$/.test(each));
    expect([...BY_ITSELF]).toEqual(expect.arrayContaining(named));
    expect(Object.keys(ENDPOINTS)).toEqual(expect.arrayContaining([...BY_ITSELF]));
  });

  test('after half an hour with a page open, whose own requests do not count', async () => {
    const away = await office.staff('away', 'agent');
    const csrf = await away.csrf();
    for (const path of ['/support/sessions/x/live', '/support/sessions/x/renew', '/support/live']) {
      const stop = new AbortController();
      office.clock.ahead += IDLE_MS / 4;
      const change = { method: 'POST', body: new URLSearchParams({ csrf }), headers: { origin: office.url } };
      const { status } = await away.send(path, {
        signal: stop.signal,
        ...(path.endsWith('renew') && change),
      });
      expect(status, path).not.toBe(303);
      stop.abort();
    }
    office.clock.ahead += IDLE_MS / 4;
    expect(await away.isIn()).toBe(false);
  });

  test('after twelve hours, also of a busy agent', async () => {
    const busy = await office.staff('busy', 'agent');
    const end = office.clock.now() + SIGNED_IN_MAX_MS - MINUTE_MS;
    for (; office.clock.now() < end; office.clock.ahead += 20 * MINUTE_MS)
      expect(await busy.isIn()).toBe(true);
    office.clock.ahead += MINUTE_MS;
    expect(await busy.isIn()).toBe(false);
  });
});

describe.each(STORES)('a sign-in ends by an act, on %s', (store) => {
  const office = theOffice({ store });

  test('when the account is disabled, until it is enabled again', async () => {
    const admin = await office.staff('boss', 'admin');
    const agent = await office.staff('gone', 'agent');
    expect((await admin.post('/support/accounts/gone/disable')).status).toBe(303);
    expect(await agent.isIn()).toBe(false);
    expect((await agent.signIn('gone')).status).toBe(401);
    expect((await admin.post('/support/accounts/gone/enable')).status).toBe(303);
    expect(await agent.isIn()).toBe(false);
    expect((await agent.signIn('gone')).status).toBe(303);
  });

  test('when its role changes', async () => {
    const admin = await office.staff('chief', 'admin');
    const agent = await office.staff('rising', 'agent');
    await admin.post('/support/accounts/rising/role', { role: 'supervisor' });
    expect(await agent.isIn()).toBe(false);
    await agent.signIn('rising');
    expect((await agent.get('/support/audit')).status).toBe(200);
  });

  test('when the password changes, in all other browsers', async () => {
    const here = await office.staff('twice', 'agent');
    const there = office.browser();
    await there.form('/support/sign-in', { id: 'twice', password: PASSWORD, code: here.code() });
    expect(await there.isIn()).toBe(true);
    const password = 'five words in one row';
    const change = (fields: object) =>
      here.post('/support/me/password', { old: PASSWORD, password, again: password, ...fields });
    expect((await change({ old: 'not the password' })).status).toBe(400);
    expect((await change({ again: 'another one altogether' })).status).toBe(400);
    expect((await change({ password: 'twice twice twice', again: 'twice twice twice' })).status).toBe(400);
    expect(await there.isIn()).toBe(true);
    expect((await change({})).status).toBe(303);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false]);
    expect((await here.signIn('twice')).status).toBe(401);
    expect((await here.signIn('twice', { password })).status).toBe(303);
  });

  test('when its owner signs out everywhere', async () => {
    const here = await office.staff('everywhere', 'agent');
    const there = office.browser();
    await there.form('/support/sign-in', { id: 'everywhere', password: PASSWORD, code: here.code() });
    expect((await here.post('/support/me/sign-out-everywhere')).status).toBe(303);
    expect([await here.isIn(), await there.isIn()]).toEqual([false, false]);
  });

  test('by a sign-out, in that browser only', async () => {
    const here = await office.staff('once', 'agent');
    const there = office.browser();
    await there.form('/support/sign-in', { id: 'once', password: PASSWORD, code: here.code() });
    const cookies = new Map(here.cookies);
    await here.post('/support/sign-out');
    for (const [name, value] of cookies) here.cookies.set(name, value);
    expect([await here.isIn(), await there.isIn()]).toEqual([false, true]);
  });

  test('when an admin makes a new link: the old password and phone are void', async () => {
    const admin = await office.staff('resetter', 'admin');
    const agent = await office.staff('lost', 'agent');
    const page = await (await admin.post('/support/accounts/lost/reset')).text();
    const link = /http:\/\/[^<]+\/support\/set-up\/[\w-]+/.exec(page)?.[0] ?? '';
    expect(await agent.isIn()).toBe(false);
    expect((await agent.signIn('lost')).status).toBe(401);
    expect((await agent.setUp(link)).status).toBe(303);
    expect(await agent.isIn()).toBe(true);
  });
});

/** All documents of the accounts' partition that anybody could name. */
async function everything(office: Office): Promise<string> {
  const turns = await office.store.turns(SUPPORT_PARTITION, 100);
  const [doc] = await office.store.read(SUPPORT_PARTITION, ['support:accounts']);
  return JSON.stringify([turns, doc]);
}

test('a page without the store does not ask a signed-in person to sign in', async () => {
  const redis = await startRedis();
  const office = await createOffice({ store: { url: redis.url } });
  onTestFinished(() => office.close());
  const nadia = await office.staff('nadia', 'agent');
  expect(await nadia.isIn()).toBe(true);
  await redis.kill();
  const page = await nadia.get('/support');
  expect([page.status, await page.text()]).toEqual([503, expect.not.stringContaining('/support/sign-in')]);
});
