import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, createOffice, type Office } from './office.ts';
import { CLIENT, startProvider } from './oidc-provider.ts';

const PUBLIC_URL = 'https://wasl.example';

let provider: Awaited<ReturnType<typeof startProvider>>;
let office: Office;
beforeAll(async () => {
  provider = await startProvider();
  office = await createOffice({
    oidc: {
      issuer: provider.issuer,
      ...CLIENT,
      scope: 'openid profile',
      roleClaim: 'roles',
      roles: { 'wallet-support': 'agent', 'wallet-leads': 'supervisor' },
      publicUrl: PUBLIC_URL,
    },
  });
});
afterAll(async () => {
  await office.close();
  provider.close();
});
beforeEach(() => provider.becomes({}));

/** Goes to the provider and comes back with its answer. `change` alters the way back. */
async function comesBack(browser: Browser, change = (back: URL) => back): Promise<Response> {
  const away = await browser.get('/support/sign-in/oidc');
  const back = await fetch(away.headers.get('location') ?? '', { redirect: 'manual' });
  const { pathname, search } = change(new URL(back.headers.get('location') ?? ''));
  return browser.get(pathname + search);
}

/** Everybody whose claims are `claims` is told so, and is not in. */
async function expectRefused(response: Response, browser: Browser, sentence: string): Promise<void> {
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(sentence);
  expect(await browser.isIn()).toBe(false);
}

const FAILED = 'The company sign-in did not work.';

describe('the company’s own sign-in', () => {
  test('is offered, and asks with PKCE, state and nonce', async () => {
    const browser = office.browser();
    expect(await browser.text('/support/sign-in')).toContain('href="/support/sign-in/oidc"');
    await comesBack(browser);
    const asked = provider.seen.at(-1);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.clientId,
      redirect_uri: `${PUBLIC_URL}/support/sign-in/oidc/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('gives a person the role of their claim, on a page of ours', async () => {
    const browser = office.browser();
    const back = await comesBack(browser);
    // A redirect from the provider's site would come without the cookie, which is `SameSite=Strict`.
    expect(back.status).toBe(200);
    expect(await back.text()).toContain('http-equiv="refresh" content="0;url=/support/inbox"');
    const me = await browser.text('/support/me');
    expect(me).toContain('Nadia Bennis');
    expect(me).toContain('oidc.nadia');
    expect(me).not.toContain('/support/me/password');
    expect((await browser.get('/support/audit')).status).toBe(403);
  });

  test('a new role ends the older sign-ins', async () => {
    const agent = office.browser();
    await comesBack(agent);
    provider.becomes({ claims: { roles: ['wallet-support', 'wallet-leads'] } });
    const lead = office.browser();
    await comesBack(lead);
    expect((await lead.get('/support/audit')).status).toBe(200);
    expect(await agent.isIn()).toBe(false);
  });

  test('keeps persons apart whose names look alike', async () => {
    provider.becomes({ claims: { sub: 'Nadia' } });
    await comesBack(office.browser());
    const ids = (await office.accounts.all()).map(({ id }) => id);
    expect(ids).toContain('oidc.nadia');
    expect(ids.filter((id) => id.startsWith('oidc.'))).toHaveLength(2);
  });

  test.each([
    ['an unknown role', { roles: ['somebody-else'] }],
    ['no role', { roles: undefined }],
    ['a role that is no text', { roles: [{ admin: true }, 7] }],
    ['a role that every object has', { roles: ['constructor', '__proto__'] }],
  ])('%s does not come in, and leaves no account', async (_what, claims) => {
    provider.becomes({ claims: { ...claims, sub: 'stranger' } });
    const browser = office.browser();
    await expectRefused(await comesBack(browser), browser, 'Your company account has no role here.');
    expect(await office.accounts.find('oidc.stranger')).toBeUndefined();
    const { entries } = await office.audit.page({ who: 'oidc.stranger', limit: 1 });
    expect(entries[0]?.act).toBe('signInFailed');
  });

  test('an account that an admin has disabled does not come in', async () => {
    provider.becomes({ claims: { sub: 'gone' } });
    const browser = office.browser();
    await comesBack(browser);
    await office.accounts.disable('oidc.gone', 'nadia');
    expect(await browser.isIn()).toBe(false);
    await expectRefused(await comesBack(browser), browser, 'This account is disabled.');
  });

  const past = Math.floor(Date.now() / 1000) - 3_600;
  test.each([
    ['with another nonce', { claims: { nonce: 'another nonce' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: past, exp: past + 60 } }],
    ['for somebody else than us', { claims: { aud: 'another client' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a subject of spaces', { claims: { sub: '  ' } }],
    ['signed by somebody else', { forged: true }],
  ])('an ID token %s is refused', async (_what, person) => {
    provider.becomes(person);
    const browser = office.browser();
    await expectRefused(await comesBack(browser), browser, FAILED);
  });

  test('an account cannot take the display name of another account', async () => {
    await office.staff('omar', 'admin');
    for (const [sub, name] of [
      ['one', 'OMAR B.'],
      ['two', 'Ｏmar\u00a0b.'],
    ] as const) {
      provider.becomes({ claims: { sub, name } });
      await comesBack(office.browser());
      expect(await office.accounts.find(`oidc.${sub}`)).toMatchObject({ name: `oidc.${sub}` });
    }
  });
});

describe('the way back to the console', () => {
  test('is refused when this browser did not begin it: another state, none, or no cookie', async () => {
    const browser = office.browser();
    const otherState = (back: URL) => {
      back.searchParams.set('state', 'another');
      return back;
    };
    await expectRefused(await comesBack(browser, otherState), browser, FAILED);
    const noState = (back: URL) => {
      back.searchParams.delete('state');
      return back;
    };
    await expectRefused(await comesBack(browser, noState), browser, FAILED);
    const noCookie = (back: URL) => {
      browser.cookies.clear();
      return back;
    };
    await expectRefused(await comesBack(browser, noCookie), browser, FAILED);
  });

  test('works once, and for ten minutes', async () => {
    const browser = office.browser();
    let address = new URL('https://wasl.example');
    await comesBack(browser, (back) => {
      address = back;
      return back;
    });
    browser.cookies.delete('wasl-support');
    await expectRefused(await browser.get(address.pathname + address.search), browser, FAILED);
    const late = (back: URL) => {
      office.clock.ahead += 10 * 60_000 + 1;
      return back;
    };
    await expectRefused(await comesBack(browser, late), browser, FAILED);
  });

  test('a failure is in the log without text from outside', async () => {
    provider.becomes({ claims: { nonce: 'canary nonce' } });
    await comesBack(office.browser());
    expect(office.lost.at(-1)).toMatchObject({ message: 'A company sign-in failed', why: 'failed' });
    expect(JSON.stringify(office.lost)).not.toContain('canary');
  });

  test('an account of the company’s sign-in has no password and no set-up link', async () => {
    await comesBack(office.browser());
    expect(
      (await office.browser().form('/support/sign-in', { id: 'oidc.nadia', password: '', code: '' })).status,
    ).toBe(401);
    expect(await office.accounts.reset('oidc.nadia')).toEqual({ ok: false, why: 'notFound' });
    expect(await office.accounts.create({ id: 'oidc.x', name: 'X', role: 'admin' })).toEqual({
      ok: false,
      why: 'badName',
    });
  });
});

test('without a provider there is no company sign-in, and the page says when the provider is down', async () => {
  const none = await createOffice();
  expect((await none.browser().get('/support/sign-in/oidc')).status).toBe(404);
  expect((await none.browser().get('/support/sign-in/oidc/callback?code=x&state=y')).status).toBe(404);
  await none.close();
  const down = await createOffice({
    oidc: {
      issuer: 'http://127.0.0.1:9',
      ...CLIENT,
      scope: 'openid',
      roleClaim: 'roles',
      roles: {},
      publicUrl: PUBLIC_URL,
    },
  });
  const answer = await down.browser().get('/support/sign-in/oidc');
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining(FAILED)]);
  await down.close();
});
