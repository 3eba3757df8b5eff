import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { commandIn } from '../src/commands.ts';
import { sessionKey } from '../src/conversation/session/sessions.ts';
import { SEEDED } from '../src/sandbox/partners/seed.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { partitionOf } from '../src/store/partition.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { bundled, QUIET_PACKAGES, SHORT_LIVED } from './kit/bundled.ts';
import { newDirectory } from './kit/new-directory.ts';
import { startRedis } from './kit/redis-server.ts';
import { COMPILED, ROOT } from './kit/tree.ts';

/** The process as newcomers and operators use it: started, stopped and wrongly configured. */
const QUIET = { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent', ...COMPILED };
/** Some forty starts: `help.test.ts` and `rolling-restart.test.ts` start the file itself. */
const program = await bundled(join(ROOT, 'src/main.ts'));
const PRODUCTION = {
  // Nobody answers there: nothing in these tests may need the wallet.
  WALLET_URL: 'http://127.0.0.1:9',
  WALLET_API_KEY: 'the partner key',
  SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
  WEBHOOK_KEYS: 'one webhook key of the tests',
  USSD_SECRETS: 'one ussd secret of the tests',
};

/** A directory of its own for each test, and every process started in it ended with it. */
const test = base.extend<{ house: ReturnType<typeof createHouse> }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture must name what it uses, here nothing.
  house: async ({}, use) => {
    const house = createHouse();
    await use(house);
    house.close();
  },
});

function createHouse() {
  const directory = newDirectory('start');
  const running: ChildProcess[] = [];
  return {
    directory,
    launch(env: Readonly<Record<string, string>> = {}, ...args: string[]) {
      const child = spawn(process.execPath, [...SHORT_LIVED, QUIET_PACKAGES, program, ...args], {
        cwd: ROOT,
        env: { ...QUIET, DATA_DIR: directory, ...env },
      });
      running.push(child);
      return watch(child);
    },
    close() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function watch(child: ChildProcessWithoutNullStreams) {
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return {
    closed,
    /** Types something, and leaves. */
    types: (text: string) => child.stdin.end(text),
    /** Its output so far. */
    printed: () => out,
    /** The address that it prints once it can be used. */
    async ready(): Promise<string> {
      while (!/"Wasl is ready"\}\n/.test(out)) {
        const ended = await Promise.race([once(child.stdout, 'data').then(() => undefined), closed]);
        if (ended) throw new Error(`did not start: ${ended.err}`);
      }
      return announced(out).url ?? `printed something else: ${out}`;
    },
    async stops(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal);
      return closed;
    },
  };
}

/** Where everything is, as the line says it that is printed once all of it can be used. */
function announced(out: string): {
  readonly url?: string;
  readonly supportUrl?: string;
  readonly sandboxUrl?: string;
} {
  const line = out.split('\n').find((each) => each.includes('"Wasl is ready"'));
  return line ? JSON.parse(line) : {};
}

/** The answer to a request that names another host than the one it reaches: browsers' `fetch` never does. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const [answer] = (await once(request(url, { headers: { host } }).end(), 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

/** One request of a USSD session, as Africa's Talking sends it. */
async function dial(url: string, text: string, { phone = '+212600000001', query = '' } = {}) {
  const body = new URLSearchParams({ sessionId: 'one', phoneNumber: phone, text });
  const response = await fetch(`${url}/ussd/africastalking${query}`, { method: 'POST', body });
  return response.text();
}

/** A stranger with a fresh cookie asks for a code to a number: gives what they read. */
async function asksForCode(url: string, phone: string, forwarded?: string): Promise<string> {
  const cookie = (await fetch(`${url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = {
    cookie,
    origin: url,
    'content-type': 'application/json',
    ...(forwarded && { 'x-forwarded-for': forwarded }),
  };
  const say = async (message: object) => {
    const body = JSON.stringify(message);
    const answer = await fetch(`${url}/chat/messages`, { method: 'POST', headers, body });
    return ((await answer.json()) as { text: string }).text;
  };
  await say({ id: 'message-1', opened: true, guess: 'fr' });
  return say({ id: 'message-2', text: phone, guess: 'fr' });
}

describe('starting', () => {
  test('prints the address of a page that works and a link to the console, and stops while both are open', async ({
    house,
  }) => {
    const wasl = house.launch();
    const url = await wasl.ready();
    expect(await (await fetch(`${url}/health`)).json()).toEqual({
      status: 'ok',
      replicasWaitedFor: 0,
      replicasMissing: false,
    });
    expect(await (await fetch(url)).text()).toContain('<html');
    expect(await statusFor(url, 'evil.example'), 'a page whose name points to this machine').toBe(421);
    const { customers } = (await (await fetch(`${url}/simulator/start`)).json()) as { customers: unknown[] };
    expect(customers).toHaveLength(SEEDED.length);

    const cookie = (await fetch(`${url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const chat = await fetch(`${url}/chat/events`, { headers: { cookie } });
    const heard = chat.text();
    const { supportUrl: link = '', sandboxUrl = '' } = announced(wasl.printed());
    expect(link).toMatch(`${url}/support/demo/`);
    const desk = await fetch(sandboxUrl);
    expect(await desk.text()).toMatch(/<title>/);
    const ticket = (await fetch(link)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const watched = await fetch(`${url}/support/live`, { headers: { cookie: ticket } });
    expect(watched.status).toBe(200);
    const seen = watched.text();
    expect(await wasl.stops()).toMatchObject({ code: 0, err: '' });
    await Promise.allSettled([heard, seen]);
    // A clean end leaves no journal behind.
    expect(existsSync(join(house.directory, 'wasl.db-wal'))).toBe(false);
  });

  test('killed in the middle of a conversation, it goes on there', async ({ house }) => {
    const first = house.launch();
    const before = await first.ready();
    expect(await dial(before, '')).toContain('العربية');
    expect(await dial(before, '3')).toContain('1 Send');
    expect(await dial(before, '3*1')).toContain('number');
    expect(await dial(before, '3*1*0600000002')).toContain('Amount');
    await first.stops('SIGKILL');

    const after = await house.launch().ready();
    expect(await dial(after, '3*1*0600000002*50')).toContain(
      'Sending MAD 50.00 to Youssef Benali, 0600000002',
    );
  });
});

test('the log names each step of the start and the stop, in JSON from the first line to the last', async ({
  house,
}) => {
  const wasl = house.launch({ LOG_LEVEL: 'info' });
  const url = await wasl.ready();
  const { code, out, err } = await wasl.stops('SIGTERM');
  expect([code, err]).toEqual([0, '']);
  const lines: Readonly<Record<string, unknown>>[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'Wasl starts',
    'Wasl is ready',
    'Wasl stops: /ready answers 503',
    'Wasl stops: it finishes open requests and takes no new one',
    'Wasl stops: it finishes what it has begun',
    'Wasl stops: the store is closed',
    'Wasl has stopped',
  ]);
  const { host, release, instance } = lines[0] ?? {};
  const own = { level: 'info', host, release, instance, role: 'doors,worker,console' };
  for (const line of lines) expect(line).toMatchObject(own);
  const charts = expect.stringMatching(/^[\da-f]{12}$/);
  expect(lines.find(({ msg }) => msg === 'Wasl starts')).toMatchObject({ charts, channels: ['ussd', 'web'] });
  expect(lines.find(({ msg }) => msg === 'Wasl is ready')).toMatchObject({ url });
});

test('a terminal shows a few plain lines with the three addresses, and no JSON', async ({ house }) => {
  const isTerminal = '--import data:text/javascript,process.stdout.isTTY=true';
  const wasl = house.launch({ LOG_LEVEL: 'info', NODE_OPTIONS: isTerminal });
  await expect.poll(wasl.printed, { timeout: 60_000 }).toContain('Ctrl+C stops it.');
  const { out } = await wasl.stops();
  expect(out).not.toContain('{');
  const addresses = out
    .split('\n')
    .flatMap((line) => /^ {2}(\S.*?) {3,}(http:\S+)$/.exec(line)?.slice(1) ?? []);
  expect(addresses).toEqual([
    'Two phones to try it with',
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    'Support console (one use)',
    expect.stringContaining('/support/demo/'),
    'The wallet behind it',
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  ]);
  expect(out.split('\n').length).toBeLessThan(15);
});

test('a customer is erased once the number is typed again, and not by a mistake', async ({ house }) => {
  const wasl = house.launch();
  const url = await wasl.ready();
  await dial(url, '');
  const payer = { phone: '+212600000002' };
  const typed = ['3', '1', '0600000001', '50', '1234'];
  for (let n = 0; n <= typed.length; n++) await dial(url, typed.slice(0, n).join('*'), payer);
  await wasl.stops();
  const tooEarly = await house.launch({}, 'customer', 'erase', '0600000002', '--yes').closed;
  expect(tooEarly).toMatchObject({ code: 1, err: '' });
  expect(tooEarly.out).toMatch(
    /^Nothing was erased, and nothing is erased later by itself\.\nPayment [\w-]{36} \(transfer, 50\.00 DH, sent \d{4}-\S+Z, \w+\) .*\nTry again .*\. Tell the customer that nothing is erased until then\.\n$/,
  );
  const erases = async (typed: string, ...args: string[]) => {
    const erasing = house.launch({}, 'customer', 'erase', '0600000001', ...args);
    erasing.types(typed);
    return erasing.closed;
  };
  const warned =
    /^This erases [12] turns?, and conversations, links, notifications, references, notes, files sent to agents, what their name is found by, and cases at ussd:\+212600000001\. It cannot be undone\.\nWhat stays: 0 payments.*; for 7 days, sealed, what a webhook says that could not be applied/;
  const refused = await erases('0600000002\n');
  expect(refused).toMatchObject({ code: 1, out: 'Nothing was erased: the number was not typed.\n' });
  expect(refused.err).toMatch(warned);
  expect(await erases(''), 'nobody is there to type').toMatchObject({ code: 1, out: refused.out });
  expect(await erases('06 00 00 00 01\n')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Erased: [12] turns?\./),
  });
  for (const [number, kept] of [
    ['0600000001', '+212600000001'],
    ['0677777777', '+212677777777'],
  ] as const)
    expect(
      await house.launch({}, 'customer', 'erase', number).closed,
      'erased before, or mistyped',
    ).toMatchObject({ code: 0, out: `Nothing is kept of ${kept}: is the number right?\n`, err: '' });
});

test('verify says that records and audit are whole, and that the end of the audit is not proven', async ({
  house,
}) => {
  const wasl = house.launch();
  await wasl.ready();
  await wasl.stops();
  const { code, out } = await house.launch({}, 'verify').closed;
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^whole: the agents' audit is whole: .*\. Its end is not proven: only a witness/m),
  ]);
});

test.for([['verify'], ['customer', 'export', '0600000001'], ['customer', 'erase', '0600000001', '--yes']])(
  'a folder without a store is said to have none, and stays as it is: %s',
  async (command, { house }) => {
    const elsewhere = join(house.directory, 'mistyped');
    expect(await house.launch({ DATA_DIR: elsewhere }, ...command).closed).toEqual({
      code: 1,
      out: `There is no store in ${elsewhere} (no wasl.db): set DATA_DIR to the folder that Wasl runs on.\n`,
      err: '',
    });
    expect(existsSync(elsewhere)).toBe(false);
  },
);

test('an error is logged by name and place, as its message may quote a customer', async ({ house }) => {
  // A session that cannot be read: the parser's message quotes it, over two lines.
  const store = await openSqliteStore({ directory: house.directory });
  const key = sessionKey('ussd:+212600000001');
  const unreadable = { key, version: 0, value: 'PIN\ntyped', dueAt: 1 };
  await store.commit(partitionOf('+212600000001'), { writes: [unreadable] });
  await store.close();

  const wasl = house.launch({ LOG_LEVEL: 'error' });
  await expect.poll(wasl.printed).toContain('"msg":"A chore failed"');
  const logged = wasl.printed();
  expect(logged).toContain('"chore":"session","error":"UnreadableDocument","at":["at ');
  expect(logged).not.toMatch(/PIN|typed|JSON"/);
});

describe('the start stops with one sentence', () => {
  test('a wrong setting', async ({ house }) => {
    const ended = await house.launch({ PORT: 'abc' }).closed;
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: 'Wasl cannot start: PORT must be a port number, 0 to 65535.\n',
    });
  });

  test('a data directory that another Wasl is using', async ({ house }) => {
    await house.launch().ready();
    const checked = await house.launch({}, 'check').closed;
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain(
      `The settings are good. Another process is using the store in ${house.directory}. If that is Wasl, it runs;`,
    );
    expect(checked.out).toMatch(/Not tried: the store and the records, which are in use/);
    expect(await house.launch().closed).toEqual({
      code: 1,
      out: '',
      err: `Wasl cannot start: Another process is using the store in ${house.directory}.\n`,
    });
  });

  test.for(['PORT', 'SANDBOX_PORT'])('a port that is in use: %s', async (setting, { house }) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ended = await house.launch({ [setting]: String(port) }).closed;
    other.close();
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: `Wasl cannot start: port ${port} is in use: set ${setting} to another.\n`,
    });
  });
});

describe('wasl lists its commands', () => {
  test.for<[string, readonly string[], number, RegExp]>([
    ['asked for help', ['customer', '--help'], 0, /^$/],
    ['told something else', ['chekc'], 1, /^There is no command chekc\.\n/],
  ])('%s', async ([, args, code, sentence], { house }) => {
    // A wrong setting keeps nobody from reading it.
    const ended = await house.launch({ PORT: 'abc' }, ...args).closed;
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(sentence);
    const help = code === 0 ? ended.out : ended.err;
    for (const command of ['check', 'verify', 'customer export <number>', 'customer erase <number>', 'help'])
      expect(help).toMatch(new RegExp(`^wasl ${command} +\\S`, 'm'));
  });

  test.for<[string, object]>([
    ['', { kind: 'start' }],
    ['help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
    ['verify', { kind: 'verify' }],
    ['check twice', { kind: 'wrong', why: 'wasl check takes nothing more.' }],
    ['customer export 0612345678', { kind: 'export', wallet: '+212612345678' }],
    ['customer erase --yes 0612345678', { kind: 'erase', wallet: '+212612345678', isSure: true }],
    ['customer erase 0612345678', { kind: 'erase', wallet: '+212612345678', isSure: false }],
    ['customer export 0612345678 --yes', { kind: 'wrong' }],
    ['customer forget 0612345678', { kind: 'wrong' }],
    [
      'customer erase 12',
      { kind: 'wrong', why: 'A number is a Moroccan mobile, such as +212612345678, not 12.' },
    ],
  ])('wasl %s', ([typed, command]) => {
    expect(commandIn(typed.split(' ').filter(Boolean))).toMatchObject(command);
  });
});

describe('wasl check', () => {
  test('reports the open doors, the strength of each secret and the store, and quotes no secret', async ({
    house,
  }) => {
    const sandbox = createSandbox({ file: ':memory:', apiKey: PRODUCTION.WALLET_API_KEY });
    const wallet = await sandbox.listen(0);
    const settings = {
      ...PRODUCTION,
      WALLET_URL: wallet.url,
      WEBHOOK_KEYS: 'Zt4vQm9Lw2Xc7Bn5Kd8Rf3Hs6Jp1Yg0A,an older key of 1999',
      HOST: '0.0.0.0',
      SUPPORT: 'true',
      SUPPORT_PHONE: '0801 000 000',
    };
    const { code, out, err } = await house.launch(settings, 'check').closed;
    const refused = await house.launch(
      { ...settings, WALLET_API_KEY: 'another key', SECURE: 'false' },
      'check',
    ).closed;
    await wallet.close();
    const away = await house.launch(settings, 'check').closed;
    await sandbox.close();
    expect([code, err]).toEqual([0, '']);
    expect([refused.code, away.code]).toEqual([1, 1]);
    expect(refused.out).toContain('NOT WELL: the wallet does not take WALLET_API_KEY (401)\n');
    expect(refused.out).toContain('Warning: SECURE=false: the cookie of the chat also goes over http');
    expect(away.out).toContain('NOT WELL: the wallet cannot be reached (ECONNREFUSED)\n');
    for (const line of [
      `Money: real, the wallet at ${wallet.url}`,
      'Listening on 0.0.0.0:0',
      'Customers are told to call: 0801 000 000',
      'They read the terms of use at: no address is named (TERMS_URL is not set)',
      'They read the tariffs at: no address is named (FEES_URL is not set)',
      'Open: USSD (with one of 1 secrets)',
      'Open: web chat (by https)',
      'Closed: Telegram',
      'Open: support console (password and code)',
      'Closed: simulator, sandbox and a demo administrator',
      'Believed about X-Forwarded-For: nobody',
      'Secret: WEBHOOK_KEYS (1 of 2): strong (32 characters, at most 155 bits)',
      'Secret: WEBHOOK_KEYS (2 of 2): weak (20 characters, at most 59 bits)',
      'Secret: WALLET_API_KEY: weak (15 characters, at most 47 bits)',
      'Cash: paid in at agents; references are valid for a time that is not known; nobody is told where to go; SMS of references on',
      `Store: embedded, in ${house.directory}; every payment is on the disk before it is sent; one process only`,
      'Warning: PUBLIC_URL is no https address: no link can lead customers here',
      'The store and the records can be opened. Wasl would start.',
      'Nobody can approve what another one proposes: confirm two accounts (npm run support -- confirm <name>).',
      'The wallet answers, and takes the key.',
      'Not tried: which scopes the key has, and that webhooks of the wallet come here; that the USSD gateway comes here; that the ports are free.',
    ])
      expect(out.split('\n')).toContain(line);
    for (const secret of [
      settings.SECRETS_KEY,
      'Zt4vQm9Lw2',
      'an older key',
      'the partner key',
      'one ussd secret',
    ])
      expect(out).not.toContain(secret);
    expect(existsSync(join(house.directory, 'sandbox.db'))).toBe(false);
  });

  test('says which promises Redis does not keep', async ({ house }) => {
    const redis = await startRedis();
    const { code, out } = await house.launch({ REDIS_URL: redis.url }, 'check').closed;
    await redis.stop();
    expect(code).toBe(0);
    expect(out).toContain('Secret: SECRETS_KEY: published, as play money needs none\n');
    expect(out).toContain('(no TLS); a payment waits for 0 replicas before it is sent\n');
    expect(out).toContain('Warning: payments do not wait for replicas of Redis');
    expect(out).toContain('Warning: Redis keeps no append-only file');
  });

  test.for<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'WALLET_URl is not a setting: WALLET_URL is; WALLET_URL is set, so',
      { WALLET_URl: 'https://a.example' },
      ['check'],
    ],
    ['Redis at 127.0.0.1:1: ', { REDIS_URL: 'redis://127.0.0.1:1' }, ['check']],
  ])('refuses: %s', async ([sentence, settings, args], { house }) => {
    const { code, err } = await house.launch(settings, ...args).closed;
    expect(code).toBe(1);
    expect(err).toContain(`Wasl cannot start: ${sentence}`);
  });
});

describe.concurrent('limits of patience', () => {
  test('a request that never ends does not keep it from stopping, nor does a second signal hurry it', async ({
    house,
  }) => {
    const wasl = house.launch();
    const { port } = new URL(await wasl.ready());
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /webhooks/wallet HTTP/1.1\r\nHost: x');
    socket.on('error', () => {});
    // Once this is answered, the server has read the half request before it.
    await fetch(`http://127.0.0.1:${port}/health`);
    void wasl.stops('SIGINT');
    expect(await wasl.stops('SIGTERM')).toMatchObject({ code: 0, err: '' });
  });

  test('a Redis that is not there', async ({ house }) => {
    const ended = await house.launch({ REDIS_URL: 'redis://user:secret@127.0.0.1:1' }).closed;
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/^Wasl cannot start: Redis at 127\.0\.0\.1:1: .*ECONNREFUSED.*\.\n$/);
    expect(ended.err).not.toContain('secret');
  });
});

describe('with a real wallet there is no back door', () => {
  test('the start is refused without protection (every setting: config.test.ts)', async ({ house }) => {
    const ended = await house.launch({ ...PRODUCTION, WEBHOOK_KEYS: '' }).closed;
    const err = 'Wasl cannot start: WEBHOOK_KEYS must be set with a real wallet.\n';
    expect(ended).toEqual({ code: 1, out: '', err });
  });

  test('no simulator, no sandbox, no SMS inbox, no seeded customer, no open gateway', async ({ house }) => {
    // A sandbox would find its port taken, and the start would be refused.
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const sandboxPort = (taken.address() as AddressInfo).port;
    const url = await house.launch({ ...PRODUCTION, SANDBOX_PORT: String(sandboxPort) }).ready();
    taken.close();

    for (const path of [
      '/',
      '/simulator/start',
      '/simulator/inbox?phone=0600000001',
      '/simulator/public/simulator.js',
      '/simulator/telegram/chat?phone=0600000001&language=fr',
      '/simulator/telegram/file?phone=0600000001&message=1',
      // The console is closed unless it is opened.
      '/support',
      '/support/sign-in',
      '/sandbox/customers',
      '/sandbox/sms',
      '/sandbox/clock',
      '/desk/wallets',
      '/desk/desk.js',
      '/api/customers/info?phoneNumber=%2B212600000001',
    ]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
    for (const path of [
      '/simulator/language',
      '/simulator/telegram',
      '/simulator/telegram/photo',
      '/sandbox/reset',
      '/sandbox/clock',
    ]) {
      expect([path, (await fetch(url + path, { method: 'POST' })).status]).toEqual([path, 404]);
    }
    expect(existsSync(join(house.directory, 'sandbox.db'))).toBe(false);

    const cookie = (await fetch(`${url}/chat`)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-wasl=[\w-]{32};/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; Secure/);

    expect(await dial(url, '')).toBe('forbidden\n');
    expect(await dial(url, '', { query: '?secret=one%20ussd%20secret%20of%20the%20tests' })).toMatch(/^CON /);
    const webhook = await fetch(`${url}/webhooks/wallet`, {
      method: 'POST',
      headers: { 'C-Webhook-Key': 'sandbox-webhook-key' },
      body: '{}',
    });
    expect(webhook.status).toBe(401);
  });

  test('a console that is opened has no demo sign-in, and prints no link to one', async ({ house }) => {
    const wasl = house.launch({ ...PRODUCTION, SUPPORT: 'true' });
    const url = await wasl.ready();
    expect(announced(wasl.printed()).supportUrl).toBeUndefined();
    expect((await fetch(`${url}/support/sign-in`)).status).toBe(200);
    expect((await fetch(`${url}/support/demo/anything`)).status).toBe(410);
  });
});

describe('codes by SMS', () => {
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, i) => `06120000${String(i).padStart(2, '0')}`);

  test('one address with fresh cookies gets 30 messages under any name, and one line in the log', async ({
    house,
  }) => {
    const wasl = house.launch({ LOG_LEVEL: 'error' });
    const url = await wasl.ready();
    const read: string[] = [];
    for (const [i, phone] of numbers(33).entries())
      read.push(await asksForCode(url, phone, `203.0.113.${i}`));
    expect(read.filter((text) => text.includes('Nous avons envoyé un code'))).toHaveLength(30);
    for (const text of read.slice(30)) expect(text).toContain('Attendez une heure');
    const { out } = await wasl.stops();
    expect(out.match(/"budget":"codesPerNetwork".*A budget of SMS is spent/g)).toHaveLength(1);
    expect(out).not.toContain('127.0.0.1"');
  });

  test('behind our proxy each address counts for itself', async ({ house }) => {
    const behind = await house.launch({ TRUSTED_PROXIES: '127.0.0.0/8' }).ready();
    const phones = numbers(31);
    for (const [i, phone] of phones.entries())
      expect(await asksForCode(behind, phone, `203.0.113.${i}`)).toContain('Nous avons envoyé un code');
  });

  test('all SMS of an hour have the limit that is set', async ({ house }) => {
    const url = await house.launch({ SMS_PER_HOUR_MAX: '2' }).ready();
    const read: string[] = [];
    for (const phone of numbers(3)) read.push(await asksForCode(url, phone));
    expect(read.map((text) => text.includes('Nous avons envoyé un code'))).toEqual([true, true, false]);
  });
});
