import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { check } from '../../src/check.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startTlsRedis } from '../kit/redis-server.ts';
import { configOf } from '../kit/settings.ts';
import { asks, CLIENT, startConformingProvider } from './conforming-provider.ts';
import { type Browser, createOffice, type Office } from './office.ts';

const PUBLIC_URL = 'https://wasl.example';

let provider: Awaited<ReturnType<typeof startConformingProvider>>;
let office: Office;
beforeAll(async () => {
  provider = await startConformingProvider(PUBLIC_URL);
  office = await officeWith({});
});
afterAll(async () => {
  await office.close();
  provider.close();
});

function officeWith(more: {
  scope?: string;
  issuer?: string;
  prompt?: 'login' | 'select_account';
}): Promise<Office> {
  const roles = { 'wallet-support': 'agent' } as const;
  const scope = 'openid profile wasl';
  const oidc = {
    issuer: provider.issuer,
    ...CLIENT,
    scope,
    roleClaim: 'roles',
    roles,
    publicUrl: PUBLIC_URL,
  };
  return createOffice({ oidc: { ...oidc, ...more } });
}

type Person = ReturnType<typeof provider.person>;

/** Clicks on the company sign-in. @returns the address at the provider */
async function leaves(browser: Browser, path = '/support/sign-in/oidc'): Promise<string> {
  return (await browser.get(path)).headers.get('location') ?? '';
}

function back(browser: Browser, { at }: { readonly at: string }): Promise<Response> {
  const { pathname, search } = new URL(at);
  return browser.get(pathname + search);
}

async function signsIn(browser: Browser, person: Person, name: string): Promise<string> {
  return (await back(browser, await person.signsIn(await leaves(browser), name))).text();
}

describe('the company’s own sign-in, at a provider that others wrote', () => {
  test('reads role and name from userinfo, by the configured scope', async () => {
    const browser = office.browser();
    await signsIn(browser, provider.person(), 'nadia');
    expect(await browser.text('/support/me')).toContain('Nadia Bennis');
  });

  test('refuses a sign-in without a role claim, and the log lists the claims', async () => {
    const narrow = await officeWith({ scope: 'openid profile' });
    expect(await signsIn(narrow.browser(), provider.person(), 'nadia')).toContain('has no role here');
    expect(narrow.warned).toContainEqual(
      expect.objectContaining({
        why: 'noRole',
        account: 'oidc.nadia',
        claim: 'roles',
        found: 'absent',
        came: expect.stringMatching(/\bname\b/),
      }),
    );
    await narrow.close();
  });

  test('tells a person without a role so, and asks for another account the next time', async () => {
    const [browser, person] = [office.browser(), provider.person()];
    expect(await signsIn(browser, person, 'omar')).toContain('has no role here');
    expect(office.warned).toContainEqual(
      expect.objectContaining({ account: 'oidc.omar', found: '["canteen"]' }),
    );
    expect(await signsIn(browser, person, 'nadia')).toContain('url=/support/inbox"');
    expect(await browser.text('/support/me')).toContain('Nadia Bennis');
    // Once somebody is in, the provider’s own session is enough.
    const second = await person.goes(await leaves(browser));
    expect(second.at).toContain(`${PUBLIC_URL}/support/sign-in/oidc/callback?code=`);
  });

  test.each(['/support/sign-out', '/support/me/sign-out-everywhere'])(
    '%s ends the session at the provider, and the next sign-in asks for the account',
    async (path) => {
      const [browser, person] = [office.browser(), provider.person()];
      await signsIn(browser, person, 'nadia');
      const page = await (await browser.post(path)).text();
      const away = /content="0;url=([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
      expect((await person.signsOut(away)).at).toBe(`${PUBLIC_URL}/support/sign-in`);
      expect(await browser.isIn()).toBe(false);
      expect(asks(await person.goes(await leaves(office.browser())))).toBe(true);
    },
  );

  test('asks for an account after a sign-out, also while the provider’s session lives', async () => {
    const [browser, person] = [office.browser(), provider.person()];
    await signsIn(browser, person, 'nadia');
    await browser.post('/support/sign-out');
    expect(asks(await person.goes(await leaves(browser)))).toBe(true);
  });

  test.each(['select_account', 'login'] as const)(
    'asks in the way that the operator has set: %s',
    async (prompt) => {
      const browser = (await officeWith({ prompt })).browser();
      expect(new URL(await leaves(browser)).searchParams.get('prompt')).toBeNull();
      await signsIn(browser, provider.person(), 'omar');
      expect(new URL(await leaves(browser)).searchParams.get('prompt')).toBe(prompt);
    },
  );
});

describe('the way back from the company’s own sign-in', () => {
  test('two tabs sign in at once', async () => {
    const [browser, person] = [office.browser(), provider.person()];
    const [one, two] = [await leaves(browser), await leaves(browser)];
    expect((await back(browser, await person.signsIn(one, 'nadia'))).status).toBe(200);
    expect((await back(browser, await person.signsIn(two, 'nadia'))).status).toBe(200);
  });

  test('tabs that never come back do not pile up', async () => {
    const browser = office.browser();
    for (let i = 0; i < 9; i++) await leaves(browser);
    expect(browser.cookies.size).toBe(4);
  });

  test('leads to the requested page, and never to another site', async () => {
    const [browser, person] = [office.browser(), provider.person()];
    const asked = await browser.get('/support/cases/C-1?tab=notes&from=a%2Bb');
    const form = await browser.text(asked.headers.get('location') ?? '');
    const link = /href="(\/support\/sign-in\/oidc[^"]*)"/.exec(form)?.[1] ?? '';
    const came = await back(browser, await person.signsIn(await leaves(browser, link), 'nadia'));
    expect(await came.text()).toContain('url=/support/cases/C-1?tab=notes&amp;from=a%2Bb"');
    const evil = await leaves(browser, '/support/sign-in/oidc?next=https://evil.example');
    expect(await (await back(browser, await person.goes(evil))).text()).toContain('url=/support/inbox"');
  });

  test('a sign-in cancelled at the provider is no failure', async () => {
    const browser = office.browser();
    const link = '/support/sign-in/oidc?next=/support/inbox';
    const answer = await back(browser, await provider.person().cancels(await leaves(browser, link)));
    const page = await answer.text();
    expect([answer.status, page]).toEqual([200, expect.stringContaining('You have not signed in')]);
    expect(page).not.toContain('role="alert"');
    expect(page).toContain('href="/support/sign-in/oidc?next=%2Fsupport%2Finbox"');
    expect(office.warned.at(-1)).toMatchObject({
      why: 'cancelled',
      provider: expect.stringContaining('access_denied: '),
    });
  });

  test('a key that the provider has rotated is taken at once', async () => {
    await signsIn(office.browser(), provider.person(), 'nadia');
    provider.rotate();
    const browser = office.browser();
    await signsIn(browser, provider.person(), 'nadia');
    expect(await browser.isIn()).toBe(true);
  });

  test('the provider’s answer is in the log', async () => {
    const wrong = await createOffice({
      oidc: {
        ...{ issuer: provider.issuer, ...CLIENT, clientSecret: 'another secret' },
        ...{ scope: 'openid', roleClaim: 'roles', roles: {}, publicUrl: PUBLIC_URL },
      },
    });
    await signsIn(wrong.browser(), provider.person(), 'nadia');
    expect(wrong.lost).toContainEqual(
      expect.objectContaining({ why: 'failed', provider: expect.stringContaining('invalid_client') }),
    );
    expect(JSON.stringify(wrong.lost)).not.toContain('another secret');
    await wrong.close();
  });

  test('a hanging provider ends in a page that says so', async () => {
    const [browser, person] = [office.browser(), provider.person()];
    const came = await person.signsIn(await leaves(browser), 'nadia');
    provider.hang();
    const answer = await back(browser, came);
    expect(answer.status).toBe(403);
    expect(office.lost.at(-1)).toMatchObject({ error: expect.stringContaining('OAUTH_TIMEOUT') });
    provider.rotate();
  }, 20_000);
});

describe('`wasl check` asks the sign-in provider', () => {
  /** @returns whether all is well, and the line about the provider */
  async function checked(issuer: string) {
    const directory = newDirectory('check');
    const config = configOf({
      ...{ DATA_DIR: directory, SANDBOX: 'true', PUBLIC_URL, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'wasl' },
      ...{ OIDC_CLIENT_SECRET: CLIENT.clientSecret, OIDC_ROLES: 'wallet-support=agent' },
    });
    const lines: string[] = [];
    const isWell = await check(config, (line) => lines.push(line));
    return [isWell, lines.find((line) => /provider of the company sign-in/.test(line))];
  }

  test('an answering provider is fine', async () => {
    expect(await checked(provider.issuer)).toEqual([true, 'The provider of the company sign-in answers.']);
  });

  test.each([
    ['one that is away', () => 'http://127.0.0.1:9'],
    ['an address that is not its own', () => `${provider.issuer}/other`],
  ])('%s', async (_what, issuer) => {
    const [isWell, line] = await checked(issuer());
    expect([isWell, line]).toEqual([false, expect.stringContaining(`${issuer()}, does not answer`)]);
    expect(line).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  test('a provider with an unknown authority is named with the setting that trusts it', async () => {
    const tls = await startTlsRedis();
    onTestFinished(() => tls.stop());
    const [isWell, line] = await checked(`https://127.0.0.1:${tls.port}`);
    expect([isWell, line]).toEqual([false, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
  });
});
