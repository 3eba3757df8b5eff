import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { createSandbox, SEEDED } from '../../../src/sandbox/sandbox.ts';
import { API, type ApiName } from '../../../src/wallet/contract/api.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { card } from '../cards/cards-kit.ts';
import {
  balanceOf,
  call,
  FATIMA,
  lastOtp,
  NOBODY,
  NOON,
  type Said,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';

const OTHER = { 'Svc-Api-Key': 'other-key' };
const partners = [
  { apiKey: 'other-key', scopes: '*' },
  { apiKey: 'reader', scopes: 'customers operations:read' },
];

describe('keys', () => {
  test.each(Object.keys(API) as ApiName[])('%s asks for a key it knows', async (name) => {
    const given = { id: 1 };
    expect((await call(wallet, name, given, { 'Svc-Api-Key': 'unknown' })).status).toBe(401);
    expect((await call(wallet, name, given, { 'Svc-Api-Key': '' })).status).toBe(401);
    expect((await call(wallet, name, given)).status).not.toBe(401);
  });

  test('and for the scope', async () => {
    const wallet = sandbox({ partners });
    const reader = { 'Svc-Api-Key': 'reader' };
    expect((await call(wallet, 'listOperations', { PhoneNumber: FATIMA }, reader)).status).toBe(200);
    expect((await call(wallet, 'listAllOperations', {}, reader)).status).toBe(403);
    expect((await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10), reader)).status).toBe(403);
  });

  test('the work of one partner is hidden from the other', async () => {
    const wallet = sandbox({ partners, settings: { settleAfterMs: 0 } });
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    const theirs = await call(wallet, 'customerBalance', { phoneNumber: FATIMA }, OTHER);
    expect(theirs.body.data.balance).toBe(3500);
    expect((await call(wallet, 'listAllOperations', {}, OTHER)).body.data.count).toBe(0);
    expect((await call(wallet, 'readOperation', { id: 1, PhoneNumber: FATIMA }, OTHER)).status).toBe(400);
    expect(await balanceOf(wallet, FATIMA)).toBe(3400);
    expect(wallet.checkLedger().balanced).toBe(true);
  });
});

describe('deliberate faults', () => {
  const admin = async (of: ReturnType<typeof sandbox>, path: string, init: RequestInit = {}) => {
    const response = await of.app.request(path, init);
    return { status: response.status, body: (await response.json()) as Said['body'] };
  };
  const post = (body: object, headers = {}) => ({ method: 'POST', body: JSON.stringify(body), headers });
  const fault = { name: 'tooManyRequests' } as const;
  const sent = async (of: ReturnType<typeof sandbox>, headers = {}) =>
    (await call(of, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1), headers)).status;

  test('faults and settings are one key’s own', async () => {
    const wallet = sandbox({ partners });
    const order = { wrongPin: 'notLogged', billNetwork: 'down', settleAfterMs: 7 };
    const theirs = await admin(wallet, '/sandbox/faults', post({ ...fault, count: 2 }, OTHER));
    expect(theirs.body.set).toMatchObject([{ ...fault, met: 0 }]);
    await admin(wallet, '/sandbox/settings?partner=2', post(order));
    expect([await sent(wallet), await sent(wallet, OTHER), await sent(wallet)]).toEqual([200, 429, 200]);
    expect((await admin(wallet, '/sandbox/faults')).body.set).toEqual([]);
    await admin(wallet, '/sandbox/faults', { method: 'DELETE' });
    expect(await sent(wallet, OTHER)).toBe(429);
    expect((await admin(wallet, '/sandbox/settings', { headers: OTHER })).body).toMatchObject(order);
    expect((await admin(wallet, '/sandbox/settings')).body).toMatchObject({ wrongPin: 'refused' });
  });

  test('an unknown key sets nothing', async () => {
    for (const [path, order] of [
      ['faults', fault],
      ['settings', { wrongPin: 'notLogged' }],
    ] as const) {
      const said = await admin(wallet, `/sandbox/${path}`, post(order, { 'Svc-Api-Key': 'unknown' }));
      expect(said.status).toBe(404);
    }
    expect(wallet.faults.list()).toEqual([]);
  });
});

test('the request id comes back on every answer', async () => {
  for (const given of [{ phoneNumber: FATIMA }, { phoneNumber: NOBODY }, {}]) {
    const said = await call(wallet, 'customerBalance', given, { 'C-Request-Id': 'abc-1' });
    expect(said.headers.get('C-Request-Id')).toBe('abc-1');
  }
  const refused = await call(wallet, 'customerBalance', {}, { 'C-Request-Id': 'abc-2', 'Svc-Api-Key': 'x' });
  expect(refused.headers.get('C-Request-Id')).toBe('abc-2');
});

test.each([
  ['no JSON', '{"phoneNumber":', 400],
  ['a list', '[]', 400],
  ['a word', '"x"', 400],
  ['nothing', '', 400],
  ['a megabyte', JSON.stringify({ phoneNumber: 'x'.repeat(1 << 20) }), 413],
])('a body of %s is refused', async (_, body, status) => {
  const headers = { 'Svc-Api-Key': wallet.apiKey };
  const said = await wallet.app.request('/api/customers/login', { method: 'POST', body, headers });
  expect(said.status).toBe(status);
});

test.each([
  ['announced by its length', 'x'.repeat(1 << 20)],
  ['that is only seen as it comes', new Blob(['x'.repeat(1 << 20)]).stream()],
])('over HTTP, a megabyte %s is refused', async (_, body) => {
  const server = await wallet.listen(0);
  onTestFinished(server.close);
  const headers = { 'Svc-Api-Key': wallet.apiKey };
  const order = { method: 'POST', headers, body, duplex: 'half' } as const;
  const said = await fetch(`${server.url}/api/customers/login`, order);
  expect(said.status).toBe(413);
  expect(said.headers.get('content-type')).toBe('application/json');
  expect(await said.json()).toEqual({ message: 'The body is longer than 65536 bytes' });
});

test('same seed and same requests: same codes, ids and references', async () => {
  const play = async (seed: string) => {
    const wallet = sandbox({ seed });
    const ali = {
      phoneNumber: NOBODY,
      firstName: 'Ali',
      lastName: 'Bennani',
      cin: 'AB12345',
      walletType: 'P',
    };
    await call(wallet, 'registerCustomer', ali);
    const said = await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10));
    return JSON.stringify([lastOtp(wallet, NOBODY), said.body]);
  };
  expect(await play('one')).toBe(await play('one'));
  expect(await play('one')).not.toBe(await play('two'));
});

describe('one key never touches another', () => {
  const ask = async (of: ReturnType<typeof sandbox>, path: string, headers = {}, body?: object) =>
    (
      await of.app.request(`/sandbox${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    ).json() as Promise<Said['body']>;
  /** All that a key sees of its sandbox. */
  const seen = async (of: ReturnType<typeof sandbox>, headers = {}) =>
    JSON.stringify(
      await Promise.all(
        [
          'clock',
          'wallets',
          'operations',
          'snapshots',
          'faults',
          'settings',
          'sms',
          'requests',
          'ledger',
        ].map((path) => ask(of, `/${path}`, headers)),
      ),
    );

  test.each([
    ['a reset', '/reset', { seed: 'mine', frozenAt: '2020-01-01T00:00:00Z' }],
    ['a frozen clock', '/clock', { frozen: true }],
    ['72 hours', '/clock', { advanceMs: 72 * 3_600_000 }],
    ['a snapshot', '/snapshots', { name: 'mine' }],
    ['a restored snapshot', '/snapshots/kept/restore', {}],
    ['an empty float', '/float', { centimes: 0 }],
  ])('%s of either', async (_, path, order) => {
    const wallet = sandbox({ partners });
    const ours = { 'Svc-Api-Key': wallet.apiKey };
    for (const [mine, others] of [
      [ours, OTHER],
      [OTHER, ours],
    ]) {
      await ask(wallet, '/snapshots', mine, { name: 'kept' });
      await call(wallet, 'resendOtp', { phoneNumber: FATIMA }, mine);
      await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10), others);
      const [before, own] = [await seen(wallet, others), await seen(wallet, mine)];
      await ask(wallet, path, mine, order);
      expect(await seen(wallet, others)).toBe(before);
      expect(await seen(wallet, mine)).not.toBe(own);
    }
  });

  test('one call makes a second key, with the same seed and other ids, and it outlives a restart', async () => {
    const path = file();
    const before = createSandbox({ file: path, seed: 'test' });
    const second = before.addKey({ apiKey: 'second-key' });
    const headers = { 'Svc-Api-Key': second.apiKey };
    const codes = [];
    for (const each of [{}, headers]) {
      await call(before, 'resendOtp', { phoneNumber: FATIMA }, each);
      codes.push((await ask(before, '/sms', each))[0].text);
    }
    expect(codes[0]).not.toBe(codes[1]);
    await call(before, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100), headers);
    await before.close();
    const after = sandbox({ file: path });
    expect(after.partner('second-key')?.executions()).toHaveLength(1);
    expect(after.executions()).toEqual([]);
    expect(() => after.addKey({ apiKey: 'second-key' })).toThrow('second-key');
  });

  test('the payer of either comes to their own page of 3D Secure', async () => {
    const wallet = sandbox({ partners });
    const page = async (headers = {}) => {
      const given = { phoneNumber: FATIMA, ...card(10) };
      const { body } = await call(wallet, 'executeCardCashIn', given, headers);
      return new URL(body.data.redirectionURL).pathname;
    };
    for (const headers of [{}, OTHER]) {
      const address = await page(headers);
      const form = new URLSearchParams({ answer: 'confirm', code: '123456' });
      await wallet.app.request(address, { method: 'POST', body: form });
    }
    expect(wallet.executions()).toHaveLength(1);
    expect(wallet.partner('other-key')?.executions()).toHaveLength(1);
  });
});

const file = (): string => {
  const folder = newDirectory();
  return join(folder, 'sandbox.db');
};

describe('the file', () => {
  test('keeps wallets and the moved clock between starts, seeded once', async () => {
    const options = { file: file(), settings: { settleAfterMs: 0 }, clock: { now: () => NOON } };
    const before = createSandbox(options);
    await call(before, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await before.clock.advance(3_600_000);
    await before.close();
    const after = sandbox(options);
    expect(await balanceOf(after, FATIMA)).toBe(3400);
    expect(after.clock.now()).toBe(NOON + 3_600_000);
    expect(after.sms()).toHaveLength(1);
  });

  test('belongs to one process at a time', () => {
    const path = file();
    sandbox({ file: path });
    expect(() => createSandbox({ file: path })).toThrow('locked');
  });

  test('holds no PIN', async () => {
    const path = file();
    const wallet = createSandbox({ file: path });
    await call(wallet, 'changePin', { phoneNumber: FATIMA, oldPin: '1234', newPin: '8642' });
    await call(wallet, 'loginCustomer', { phoneNumber: FATIMA, pin: '8643' });
    await wallet.close();
    const db = new Database(path);
    const tables = db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
    const values = tables.flatMap(({ name }) =>
      db.all<object>(`SELECT * FROM ${name}`).flatMap(Object.values),
    );
    db.close();
    expect(values.map(String)).toContain(FATIMA);
    expect(values.map(String).filter((value) => /^(8642|8643)$|"8642"|"8643"/.test(value))).toEqual([]);
  });
});

describe('the doors for the simulator', () => {
  const json = async (of: ReturnType<typeof sandbox>, path: string, init?: RequestInit) => {
    const response = await of.app.request(path, init);
    return { status: response.status, body: await response.json() };
  };

  test('customers, SMS, ledger, clock and reset', async () => {
    expect((await json(wallet, '/sandbox/customers')).body).toHaveLength(SEEDED.length);
    await call(wallet, 'resendOtp', { phoneNumber: FATIMA });
    const sms = await json(wallet, `/sandbox/sms?phone=${encodeURIComponent(FATIMA)}`);
    expect(sms.body).toMatchObject([{ phone: FATIMA, text: expect.stringMatching(/\d{3}-\d{3}/) }]);
    await call(wallet, 'resendOtp', { phoneNumber: FATIMA });
    const resent = await json(wallet, `/sandbox/sms?phone=${encodeURIComponent(FATIMA)}`);
    expect(resent.body).toEqual([
      expect.objectContaining({ text: expect.stringContaining(lastOtp(wallet, FATIMA)) }),
      ...(sms.body as unknown[]),
    ]);
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    const moved = await json(wallet, '/sandbox/clock', { method: 'POST', body: '{"advanceMs":2000}' });
    expect(moved.body).toEqual({ now: NOON + 2_000, frozen: false });
    expect((await json(wallet, '/sandbox/ledger')).body).toMatchObject({
      balanced: true,
      totals: { fees: 0 },
    });
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1300);
    await json(wallet, '/sandbox/reset', { method: 'POST' });
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
    expect(wallet.clock.now()).toBe(NOON);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test.each(['', '{}', '{"advanceMs":-1}', '{"advanceMs":"1"}', '{"advanceMs":1e15}'])(
    'the clock refuses %s',
    async (body) => {
      expect((await json(sandbox(), '/sandbox/clock', { method: 'POST', body })).status).toBe(400);
    },
  );

  test('a page of another site cannot push them', async () => {
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    const said = await json(wallet, '/sandbox/reset', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(said.status).toBe(403);
    expect(await balanceOf(wallet, FATIMA)).toBe(3400);
  });

  test('the page introduces itself', async () => {
    const { app } = sandbox();
    const page = async (path: string) => (await app.request(path)).text();
    expect(await page('/')).toContain('Svc-Api-Key: sandbox-key');
    expect(await page('/desk/wallets')).toContain('Fatima Zahra El Amrani');
    expect(await page('/desk/test-data')).toContain('+212699000001');
  });
});
