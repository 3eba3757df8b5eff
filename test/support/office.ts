import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createEngine } from '../../src/conversation/engine.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { LINES } from '../../src/log/lines.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createAccess } from '../../src/support/access/access.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import type { OidcConfig } from '../../src/support/access/oidc.ts';
import { hashPassword } from '../../src/support/access/password.ts';
import type { Role } from '../../src/support/access/roles.ts';
import { newSecret } from '../../src/support/access/second-factor.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { createSupport } from '../../src/support/routes.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { startRedis } from '../kit/redis-server.ts';
import type { STORES } from '../kit/world.ts';

export const PASSWORD = 'four words in a row';
/** Cheap to check, for there are hundreds. */
const PASSWORD_HASH = await hashPassword(PASSWORD, { ln: 4, r: 1, p: 1 });
const STEP_MS = 30_000;

interface OfficeOptions {
  /** A SQLite file or a Redis of its own, or a Redis that is there already. */
  readonly store?: (typeof STORES)[number] | { readonly url: string };
  readonly sandbox?: boolean;
  readonly secure?: boolean;
  readonly oidc?: OidcConfig;
  readonly proxies?: readonly string[];
  /** Opens records in a folder. Absent: those beside the embedded store. */
  readonly records?: (directory: string) => Promise<Records>;
}

export type Office = Awaited<ReturnType<typeof createOffice>>;
export type Browser = ReturnType<typeof createBrowser>;

/** The office of the tests around it: one for all of them, or one for each. */
export function theOffice(
  options: OfficeOptions | (() => OfficeOptions) = {},
  one: 'for all' | 'for each' = 'for all',
) {
  let office: Office | undefined;
  const open = async () => {
    office = await createOffice(typeof options === 'function' ? options() : options);
  };
  const close = () => office?.close();
  if (one === 'for all') {
    beforeAll(open);
    afterAll(close);
  } else {
    beforeEach(open);
    afterEach(close);
  }
  return new Proxy({} as Office, { get: (_, name) => Reflect.get(office ?? {}, name) });
}

/** The console over real HTTP, on a real store, with a clock one can move. There are no customers. */
export async function createOffice(options: OfficeOptions = {}) {
  const { sandbox = false, secure = false, oidc, proxies = [] } = options;
  const directory = mkdtempSync(join(tmpdir(), 'wasl-office-'));
  const redis = options.store === 'redis' ? await startRedis() : undefined;
  const redisUrl = typeof options.store === 'object' ? options.store.url : redis?.url;
  const store = redisUrl ? await openRedisStore({ url: redisUrl }) : await openSqliteStore({ directory });
  const records = await (options.records ?? openSqliteRecords)(directory);
  // It stands still, so that a slow machine makes no difference.
  const begun = Date.now();
  const clock = { ahead: 0, now: () => begun + clock.ahead };
  const secrets = createSecrets('a secrets key of the tests, 32 characters');
  const renderer = createRenderer();
  const engine = createEngine({
    store,
    // Nobody answers there: the console calls no wallet.
    api: createWallet({ url: 'http://127.0.0.1:9', apiKey: 'none' }),
    caseTable: records.cases,
    secrets,
    alone: !redisUrl,
    served: { advisers: true, cash: { ...CASH_DEFAULTS, ownAgent: 'PA-1001' } },
    now: clock.now,
    sendCode: async () => 'none',
    deliver: async () => 'held',
    onError: () => {},
  });
  const lost: unknown[] = [];
  const warned: Readonly<Record<string, unknown>>[] = [];
  const support = createSupport({
    desk: engine.desk,
    store,
    secrets,
    renderer,
    webhooks: {
      stuck: async () => [],
      find: async () => undefined,
      content: async () => undefined,
      retry: async () => true,
      close: async () => true,
    },
    secure,
    proxies,
    oidc,
    records,
    names: { find: async () => [] },
    sandbox,
    log: {
      say: (line, fields = {}) =>
        void (LINES[line].level === 'error' ? lost : warned).push({ ...fields, message: line }),
    },
    now: clock.now,
  });
  const accounts = createAccounts({ store, settings: records.settings, secrets, now: clock.now });
  const audit = createAudit(store, secrets, clock.now, records.audit);
  // Accounts of the tests are made without an entry: the chain is older than any of them.
  await audit.append({ who: 'command', act: 'createAccount', on: 'first' });
  const access = createAccess({ store, accounts, secrets, now: clock.now, secure, sandbox });
  const app = new Hono().route('/support', support.routes);
  // Signs in without a password.
  app.get('/in/:id', async (c) => {
    const signIn = await access.enter(c.req.param('id'), (account) => account ?? 'notFound');
    if (!signIn) return c.notFound();
    signIn.give(c);
    return c.text('in');
  });
  const server = await new Promise<{ url: string; close(): void }>((resolve) => {
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => http.close() }),
    );
  });
  const browser = () => createBrowser(server.url, clock);
  /** A new sign-in of a person who has an account. */
  async function signedIn(id: string, theirs = browser()): Promise<Browser> {
    await theirs.get(`/in/${id}`);
    return theirs;
  }

  return {
    store,
    secrets,
    redisUrl,
    clock,
    accounts,
    audit,
    support,
    app,
    url: server.url,
    lost,
    warned,
    browser,
    signedIn,
    /** Signs in a person with a complete account. The sign-in itself has tests of its own. */
    async staff(id: string, role: Role): Promise<Browser> {
      const theirs = browser();
      const secret = newSecret();
      const created = await accounts.create({ id, name: `${id.toUpperCase()} B.`, role });
      if (!created.ok) throw new Error(`no account for ${id}: ${created.why}`);
      await accounts.change(id, (account) => {
        if (!account?.setUp) return 'notFound';
        const { setUp: _used, ...rest } = account;
        const sealed = secrets.seal(secret, `support-factor:${id}`, clock.now());
        return { ...rest, confirmed: true, password: PASSWORD_HASH, factor: { secret: sealed, usedTo: 0 } };
      });
      theirs.carries(secret);
      return signedIn(id, theirs);
    },
    async close() {
      server.close();
      await support.close();
      await engine.close();
      await records.close();
      await store.close();
      await redis?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A browser: it keeps cookies and says where its forms come from. */
export function createBrowser(url: string, clock: { ahead: number; now(): number }) {
  const cookies = new Map<string, string>();
  /** The secret in its owner's authenticator app. */
  let secret = '';

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      accept: 'text/html',
      'accept-language': 'en',
      ...(jar && { cookie: jar }),
      ...init.headers,
    };
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value && !/max-age=0/i.test(line)) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response;
  }

  const it = {
    cookies,
    send,
    /** Puts a secret into its owner's authenticator app. */
    carries(theirs: string): void {
      secret = theirs;
    },
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => send(path, { headers }),
    async text(path: string): Promise<string> {
      return (await send(path)).text();
    },
    async csrf(): Promise<string> {
      return /name="csrf" value="([^"]+)"/.exec(await it.text('/support/me'))?.[1] ?? '';
    },
    /** Sends a form as the console's own pages do. */
    async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
      const csrf = /sign-in$|set-up/.test(path) ? {} : { csrf: await it.csrf() };
      return it.form(path, { ...csrf, ...fields });
    },
    form: (path: string, fields: Readonly<Record<string, string>>, origin = url) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin } }),
    /** The code in the authenticator app. Each call waits for the next code, as each one works once. */
    code(): string {
      clock.ahead += STEP_MS;
      return it.sameCode();
    },
    sameCode: () => new TOTP({ secret }).generate({ timestamp: clock.now() }),
    /** Opens a set-up link and does what it asks. */
    async setUp(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
      const page = await it.text(path);
      secret = (/<code dir="ltr">([^<]+)</.exec(page)?.[1] ?? '').replaceAll(' ', '');
      const code = secret && it.code();
      return it.form(path, { password: PASSWORD, again: PASSWORD, code, ...fields });
    },
    /** Signs in, `from` another browser's authenticator app. */
    signIn: (id: string, fields: Readonly<Record<string, string>> = {}) =>
      it.form('/support/sign-in', { id, password: PASSWORD, code: it.code(), ...fields }),
    async isIn(): Promise<boolean> {
      return (await it.get('/support/me')).status === 200;
    },
  };
  return it;
}
