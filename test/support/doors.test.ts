import { beforeEach, describe, expect, test } from 'vitest';
import { StoreDown } from '../../src/store/store.ts';
import { ENDPOINTS } from '../../src/support/access/endpoints.ts';
import { ACTS, type Act, may, ROLES } from '../../src/support/access/roles.ts';
import { type Browser, createOffice, theOffice } from './office.ts';

/** The parameters of each endpoint. Others have any value, as they do not change who may call it. */
const FILLED: Readonly<Record<string, string>> = {
  id: 'nobody-there',
  token: 'no-such-token',
  intent: 'no-such-intent',
};

const office = theOffice();

/** Every route that is mounted, as `POST /accounts/:id/role`. */
function mounted(): string[] {
  const routes = office.support.routes.routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path.replace(/(?<=.)\/$/, '')}`))];
}

function pathOf(endpoint: string): string {
  const path = endpoint.split(' ')[1] ?? '';
  return `/support${path === '/' ? '' : path}`.replace(/:(\w+)/g, (_, name: string) => FILLED[name] ?? 'x');
}

/**
 * Asks as the console's own scripts do: from our origin, with the token. It returns the guard's decision. The endpoint
 * itself may answer that it knows nobody of that name.
 */
async function ask(endpoint: string, browser: Browser, csrf: string): Promise<'unknown' | 'refused' | 'in'> {
  const path = pathOf(endpoint);
  const stop = new AbortController();
  const headers = { accept: '*/*', origin: office.url };
  const method = endpoint.split(' ')[0] ?? '';
  const body = method === 'GET' ? {} : { method, body: new URLSearchParams({ csrf }) };
  const response = await browser.send(path, { headers, signal: stop.signal, ...body });
  expect([500, 503], endpoint).not.toContain(response.status);
  const text = [401, 403].includes(response.status) ? await response.text() : '';
  // An event stream never ends by itself.
  stop.abort();
  if (text === 'sign in\n') return 'unknown';
  return text === 'forbidden\n' ? 'refused' : 'in';
}

describe('role × endpoint', () => {
  test('the table has every mounted route, and no other', () => {
    expect(mounted().sort()).toEqual(Object.keys(ENDPOINTS).sort());
  });

  test('a stranger opens only the pages that are for anyone', async () => {
    for (const [endpoint, needed] of Object.entries(ENDPOINTS)) {
      const came = await ask(endpoint, office.browser(), 'a token');
      expect([endpoint, came]).toEqual([endpoint, needed === 'anyone' ? 'in' : 'unknown']);
    }
  });

  test.each(ROLES)(
    '%s',
    async (role) => {
      const reader = await office.staff(`${role}.reads`, role);
      await office.staff(`${role}.changes`, role);
      for (const [endpoint, needed] of Object.entries(ENDPOINTS)) {
        // A change may end the sign-in, so each one has a new sign-in.
        const isRead = endpoint.startsWith('GET ');
        const browser = isRead ? reader : await office.signedIn(`${role}.changes`);
        const came = await ask(endpoint, browser, await browser.csrf());
        const isMeant = needed === 'anyone' || may(role, needed);
        expect([endpoint, came]).toEqual([endpoint, isMeant ? 'in' : 'refused']);
      }
    },
    120_000,
  );

  test('a higher role may do everything that a lower role may', () => {
    const ladder = ROLES.filter((role) => role !== 'auditor');
    for (const roles of Object.values(ACTS)) {
      const inLadder = roles.filter((role) => role !== 'auditor');
      expect(ladder.slice(-inLadder.length)).toEqual(inLadder);
    }
  });

  test('an auditor looks as a viewer does, reads and saves the audit, and may do nothing else', () => {
    const added = Object.keys(ACTS).filter((act) => may('auditor', act as Act) && !may('viewer', act as Act));
    expect(added).toEqual(['seeAudit', 'exportAudit']);
    const changing = Object.entries(ENDPOINTS).filter(
      ([endpoint, act]) => !endpoint.startsWith('GET') && act !== 'anyone' && may('auditor', act),
    );
    const own = ['ownAccount', 'seeSessions', 'seeCases'];
    expect(changing.filter(([, act]) => !own.includes(act))).toEqual([]);
  });

  test('an auditor opens the audit, and its check', async () => {
    const auditor = await office.staff('aicha', 'auditor');
    expect(await auditor.text('/support/audit?check=1')).toContain('The chain is whole');
    const page = await auditor.text('/support/inbox');
    expect(page).not.toContain('/next"');
    expect((await auditor.post('/support/cases/c-1/take')).status).toBe(403);
    expect((await auditor.post('/support/persons/x/reveal')).status).toBe(403);
  });

  test('an agent cannot close a webhook, as that erases its content', async () => {
    const close = async (role: 'agent' | 'supervisor') =>
      (await (await office.staff(`closing.${role}`, role)).post('/support/webhooks/w1/close')).status;
    expect([await close('agent'), await close('supervisor')]).toEqual([403, 303]);
  });

  test('a customer’s file is shown on a page that may load nothing', async () => {
    const agent = await office.staff('looking', 'agent');
    const { headers } = await agent.get('/support/sessions/nobody-there/files/x');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src 'self'; frame-ancestors 'none'; sandbox",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('an act that is not in the table is open to nobody', async () => {
    const admin = await office.staff('pathfinder', 'admin');
    const nowhere = await admin.get('/support/nothing');
    // With the menu: whoever is signed in is not sent to the sign-in.
    expect([nowhere.status, await nowhere.text()]).toEqual([
      404,
      expect.stringMatching(/sign-out[\s\S]*There is no such page(?![\s\S]*\/support\/sign-in)/),
    ]);
    expect(
      (await admin.send('/support/accounts', { method: 'DELETE', headers: { origin: office.url } })).status,
    ).toBe(404);
  });
});

describe('a request that changes data', () => {
  let agent: Browser;
  let id = 0;
  beforeEach(async () => {
    agent = await office.staff(`agent${id++}`, 'admin');
  });
  const create = (csrf: string, origin?: string) =>
    agent.form('/support/accounts', { id: `made${id++}`, name: 'Made', role: 'viewer', csrf }, origin);

  test('is refused without the token of our own page', async () => {
    const csrf = await agent.csrf();
    expect((await create(csrf)).status).toBe(200);
    expect((await create('')).status).toBe(403);
    expect((await create(`${csrf}x`)).status).toBe(403);
    expect((await create(csrf, 'https://evil.example')).status).toBe(403);
    expect((await create(csrf, 'null')).status).toBe(403);
    expect((await create(csrf, `${office.url}.evil.example`)).status).toBe(403);
  });

  test('without any origin is refused, also to sign in', async () => {
    const csrf = await agent.csrf();
    const body = new URLSearchParams({ csrf, id: 'made', name: 'Made', role: 'viewer' });
    expect((await agent.send('/support/accounts', { method: 'POST', body })).status).toBe(403);
    expect((await agent.send('/support/sign-in', { method: 'POST', body })).status).toBe(403);
    expect((await agent.form('/support/sign-in', {}, 'https://evil.example')).status).toBe(403);
  });

  test('may carry the token in a header, but no other person’s token', async () => {
    const headers = { origin: office.url, 'x-csrf-token': await agent.csrf() };
    const body = new URLSearchParams({ language: 'ar' });
    expect((await agent.send('/support/me/language', { method: 'POST', body, headers })).status).toBe(303);
    expect(await agent.text('/support/me')).toContain('dir="rtl"');
    const other = await office.staff(`other${id++}`, 'admin');
    expect((await other.send('/support/me/language', { method: 'POST', body, headers })).status).toBe(403);
  });

  test('in parts is read by its boundary: one with more parts than any of ours is no form', async () => {
    const sends = async (parts: number) => {
      const body = new FormData();
      for (const [name, value] of [
        ['csrf', await agent.csrf()],
        ['language', 'en'],
      ] as const)
        body.set(name, value);
      for (let part = 2; part < parts; part++) body.set(`part${part}`, '');
      const headers = { origin: office.url };
      return (await agent.send('/support/me/language', { method: 'POST', body, headers })).status;
    };
    expect([await sends(2), await sends(11)]).toEqual([303, 403]);
  });

  test('with a file is a form in parts, or none', async () => {
    const sent = await agent.post('/support/sessions/web~x/file');
    expect([sent.status, await sent.text()]).toEqual([403, expect.stringContaining('wrong token')]);
  });

  test('is refused when it is too large', async () => {
    expect((await create('x'.repeat(100_000))).status).toBe(413);
  });
});

describe('every page', () => {
  test.each(['/support/sign-in', '/support/me', '/support/nothing'])(
    '%s allows nothing that is not ours',
    async (path) => {
      const { headers } = await office.browser().get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('http');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  test('that a role cannot open says so, and names the roles that can change it', async () => {
    const agent = await office.staff('hicham', 'agent');
    const headers = { accept: 'text/html', 'accept-language': 'en' };
    const answer = await agent.send('/support/accounts', { headers });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Your role does not open this page.');
  });

  test('leads a stranger to the sign-in, and answers a fetch with 401', async () => {
    const page = await office.browser().get('/support/accounts');
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '/support/sign-in?next=%2Fsupport%2Faccounts',
    ]);
    expect((await office.browser().get('/support/accounts', { accept: 'application/json' })).status).toBe(
      401,
    );
  });

  test('has no script, style or handler in it', async () => {
    const admin = await office.staff('reader', 'admin');
    for (const path of ['/support/sign-in', '/support/me', '/support/accounts', '/support/audit?check=1']) {
      expect(await admin.text(path), path).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
    }
  });

  test('speaks the browser’s language until the account chooses one', async () => {
    const agent = await office.staff('polyglot', 'agent');
    const lang = async (accept: string) =>
      /<html lang="(\w+)"/.exec(
        await (await agent.get('/support/me', { 'accept-language': accept })).text(),
      )?.[1];
    expect(await lang('ar-MA,fr;q=0.5')).toBe('ar');
    expect(await lang('de')).toBe('fr');
    await agent.post('/support/me/language', { language: 'en' });
    expect(await lang('ar-MA,fr;q=0.5')).toBe('en');
  });
});

test('over https the cookie belongs to this host alone, and no script reads it', async () => {
  const secure = await createOffice({ secure: true });
  const invited = await secure.accounts.create({ id: 'nadia', name: 'Nadia', role: 'admin' });
  const done = await secure.browser().setUp(`/support/set-up/${invited.ok && invited.token}`);
  const [cookie = ''] = done.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-wasl-support=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  expect(done.headers.get('strict-transport-security')).toContain('max-age');
  await secure.close();
});

describe('the demo sign-in', () => {
  test('works once, beside the sandbox', async () => {
    const sandbox = await createOffice({ sandbox: true });
    const link = sandbox.support.demo?.link() ?? '';
    const guest = sandbox.browser();
    const { read } = sandbox.store;
    sandbox.store.read = () => Promise.reject(new StoreDown('away'));
    expect((await guest.get(link)).status, 'while nobody can come in').toBe(503);
    sandbox.store.read = read;
    expect((await guest.get(link)).status).toBe(200);
    expect((await guest.get('/support/accounts')).status).toBe(200);
    expect((await sandbox.browser().get(link)).status).toBe(410);
    expect((await sandbox.browser().get(`${link}x`)).status).toBe(410);
    await sandbox.close();
  });

  test('does not exist with a partner’s wallet, and old demo accounts cannot sign in', async () => {
    const sandbox = await createOffice({ sandbox: true, store: 'redis' });
    const guest = sandbox.browser();
    await guest.get(sandbox.support.demo?.link() ?? '');
    expect(await guest.isIn()).toBe(true);
    const partner = await createOffice({ sandbox: false, store: { url: sandbox.redisUrl ?? '' } });
    expect(partner.support.demo).toBeUndefined();
    const same = partner.browser();
    for (const [name, value] of guest.cookies) same.cookies.set(name, value);
    expect(await same.isIn()).toBe(false);
    expect((await same.get('/support/demo/anything')).status).toBe(410);
    await partner.close();
    await sandbox.close();
  });
});
