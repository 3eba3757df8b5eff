import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../src/check.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { sealAnswer } from '../../src/conversation/turn/finish/keep-answer.ts';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { noteConsole } from '../../src/support/access/console-address.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { bundled, QUIET_PACKAGES, SHORT_LIVED } from '../kit/bundled.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { type PostgresServer, query, startPostgres } from '../kit/postgres-server.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { configOf } from '../kit/settings.ts';
import { COMPILED, ROOT } from '../kit/tree.ts';
import { STORES } from '../kit/world.ts';

/** Some forty starts: `help.test.ts` starts the file itself. */
const program = await bundled(join(ROOT, 'src/support/main.ts'));
const SECRETS_KEY = 'a secrets key of the tests: 32 characters';

/** The command on a store of its own. */
function theCommand(kind: (typeof STORES)[number]) {
  const directory = newDirectory('command');
  let redis: RedisServer | undefined;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === 'redis') [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  });
  afterAll(async () => {
    await Promise.all([redis?.stop(), postgres?.stop()]);
  });
  const open = () => (redis ? openRedisStore({ url: redis.url }) : openSqliteStore({ directory }));

  const storeSettings = () => ({
    DATA_DIR: directory,
    ...(redis && postgres && { REDIS_URL: redis.url, RECORDS_URL: postgres.url }),
  });
  const openRecords = async () =>
    postgres ? openPostgresRecords(postgres.url) : openSqliteRecords(directory);
  /** Writes into the records what nobody should. */
  async function forge(text: string): Promise<void> {
    if (postgres) return void (await query(postgres.url, text));
    using db = new DatabaseSync(join(directory, 'records.db'));
    db.exec(text);
  }

  const support = (...args: string[]) => supportWith({}, ...args);
  async function supportWith(settings: Readonly<Record<string, string>>, ...args: string[]) {
    const env = {
      ...process.env,
      SECRETS_KEY,
      PUBLIC_URL: 'https://wasl.example',
      ...COMPILED,
      ...storeSettings(),
      ...settings,
    };
    const child = spawn(process.execPath, [...SHORT_LIVED, QUIET_PACKAGES, program, ...args], {
      cwd: ROOT,
      env,
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    const [code] = await once(child, 'close');
    return { code: code as number, out, err };
  }
  return { open, openRecords, forge, support, supportWith, storeSettings };
}

describe.each(STORES)('npm run support, for an account, on %s', (kind) => {
  const { open, openRecords, support, supportWith, storeSettings } = theCommand(kind);

  test('add-admin makes an account and a link that sets it up', async () => {
    const { code, out } = await support('add-admin', 'nadia', 'Nadia B.');
    expect(code).toBe(0);
    const token = /^For one use within an hour: https:\/\/wasl\.example\/support\/set-up\/([\w-]+)\n$/.exec(
      out,
    )?.[1];
    const [store, records] = [await open(), await openRecords()];
    const secrets = createSecrets(SECRETS_KEY);
    const accounts = createAccounts({ store, settings: records.settings, secrets, now: Date.now });
    expect(await accounts.ofSetUp(token ?? '')).toMatchObject({
      id: 'nadia',
      name: 'Nadia B.',
      role: 'admin',
    });
    await Promise.all([store.close(), records.close()]);
  });

  test('a refused command prints one sentence', async () => {
    expect(await support('add-admin', 'nadia', 'Again')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is an account of that name'),
    });
    expect(await support('add-admin', 'Not A Name', 'X')).toMatchObject({ code: 1, out: '' });
    expect(await support('reset', 'nobody')).toMatchObject({ code: 1, out: '' });
    expect(await support('fly')).toMatchObject({
      code: 1,
      err: expect.stringContaining('npm run support -- add-admin'),
    });
  });

  test('a confirmed account can approve', async () => {
    expect(await support('confirm', 'nadia')).toMatchObject({ code: 0, out: 'nadia is confirmed.\n' });
    expect(await support('confirm', 'nobody')).toMatchObject({ code: 1 });
    const [store, records] = [await open(), await openRecords()];
    const secrets = createSecrets(SECRETS_KEY);
    const accounts = createAccounts({ store, settings: records.settings, secrets, now: Date.now });
    expect(await accounts.find('nadia')).toMatchObject({ confirmed: true });
    await accounts.create({ id: 'badr', name: 'Badr', role: 'agent' });
    await accounts.create({ id: 'carla', name: 'Carla', role: 'agent' });
    await accounts.confirm('badr', 'nadia');
    await Promise.all([store.close(), records.close()]);
    const lines: string[] = [];
    const config = configOf({ SECRETS_KEY, ...storeSettings() });
    await check(config, (line) => lines.push(line));
    expect(lines).toContain(
      'Who can approve what another one proposes: badr (agent, but not with nadia), nadia (admin).',
    );
  });

  test('reset makes a new link', async () => {
    expect(await support('reset', 'nadia')).toMatchObject({
      code: 0,
      out: expect.stringContaining('https://wasl.example/support/set-up/'),
    });
  });

  test('the link leads to the console’s own address', async () => {
    expect(await supportWith({ SUPPORT_URL: 'https://console.internal' }, 'reset', 'nadia')).toMatchObject({
      code: 0,
      out: expect.stringContaining('https://console.internal/support/set-up/'),
    });
  });

  test('without PUBLIC_URL the link leads to HOST, and a wrong HOST is refused', async () => {
    expect(await supportWith({ PUBLIC_URL: '', HOST: '::1', PORT: '9090' }, 'reset', 'nadia')).toMatchObject({
      code: 0,
      out: expect.stringContaining('http://[::1]:9090/support/set-up/'),
    });
    const records = await openRecords();
    await noteConsole(records.settings, 'http://127.0.0.1:8082');
    await records.close();
    expect(
      await supportWith({ PUBLIC_URL: '', PORT: '9090' }, 'reset', 'nadia'),
      'another process is the console',
    ).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^For one use within an hour: http:\/\/127\.0\.0\.1:8082\/support\/set-up\/[\w-]+\n$/,
      ),
    });
    const nowhere = { PUBLIC_URL: '', HOST: 'here and there', SANDBOX: 'true' };
    expect(await supportWith(nowhere, 'add-admin', 'omar', 'Omar')).toEqual({
      code: 1,
      out: '',
      err: 'HOST=here and there makes no address: set SUPPORT_URL, where people reach the console.\n',
    });
    expect(await support('reset', 'omar')).toMatchObject({
      err: expect.stringContaining('there is no such account'),
    });
  });

  test('the command asks to stop Wasl when it uses the embedded store', async () => {
    const store = await open();
    expect(await support('reset', 'nadia')).toMatchObject(
      kind === 'redis'
        ? { code: 0 }
        : { code: 1, out: '', err: expect.stringContaining('Stop Wasl, run this again and start Wasl') },
    );
    await store.close();
  });
});

describe.each(STORES)('npm run support, for the audit, on %s', (kind) => {
  const { open, openRecords, forge, support } = theCommand(kind);

  test('verify-audit says whether the audit is whole, or names the first broken entry', async () => {
    for (const id of ['nadia', 'omar']) await support('add-admin', id, id);
    const whole = await support('verify-audit');
    expect(whole).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^The audit is whole: \d+ entries, 0 of them with no known outcome\. Its end is not proven: only a witness shows/,
      ),
    });
    const witness = /: (\d+:[\w:-]+)\n$/.exec(whole.out)?.[1] ?? '';
    expect(await support('verify-audit', witness)).toMatchObject({
      code: 0,
      out: expect.not.stringContaining('not proven'),
    });
    await forge(`UPDATE audit SET link = replace(link, 'createAccount', 'resetAccount') WHERE n = 2`);
    expect(await support('verify-audit')).toMatchObject({
      code: 1,
      err: expect.stringContaining('The audit is broken: entry 2 is not as it was written'),
    });
  });

  test('open-answer opens a sealed answer for its own payment only, with an entry in the audit', async () => {
    const answer = JSON.stringify({ kind: 'accepted', operationId: 23 });
    const then = Date.now() - 40 * 24 * 3_600_000;
    const sealed = sealAnswer(
      createSecrets(SECRETS_KEY),
      'payment-1',
      { kind: 'accepted', operationId: 23 },
      then,
    );
    expect(await support('open-answer', 'payment-1', sealed)).toMatchObject({ code: 0, out: `${answer}\n` });
    expect(await support('open-answer', 'payment-2', sealed)).toMatchObject({ code: 1, out: '' });
    expect(await support('open-answer', 'payment-1', 'garbled')).toMatchObject({ code: 1, out: '' });
    const store = await open();
    const records = await openRecords();
    const audit = createAudit(store, createSecrets(SECRETS_KEY), Date.now, records.audit);
    const { entries } = await audit.page({ act: 'openAnswer', limit: 10 });
    expect(entries.map(({ who, on }) => [who, on])).toEqual([['command', 'payment-1']]);
    await Promise.all([records.close(), store.close()]);
  });
});
