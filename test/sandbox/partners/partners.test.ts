import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { createSandbox, SEEDED } from '../../../src/sandbox/sandbox.ts';
import { API, type ApiName } from '../../../src/wallet/contract/api.ts';
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
  YOUSSEF,
} from '../kit.ts';

const OTHER = { 'Svc-Api-Key': 'other-key' };
const partners = [
  { apiKey: 'other-key', scopes: '*' },
  { apiKey: 'reader', scopes: 'customers operations:read' },
];

describe('keys', () => {
  test.each(Object.keys(API) as ApiName[])('%s asks for a key it knows', async (name) => {
    const wallet = sandbox();
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

  test('a fault that a key has set strikes, and is seen and cleared by, that partner alone', async () => {
    const wallet = sandbox({ partners });
    const ours = { 'Svc-Api-Key': wallet.apiKey };
    const theirs = await admin(wallet, '/sandbox/faults', post({ ...fault, count: 2 }, OTHER));
    expect(theirs.body.set).toMatchObject([{ ...fault, partner: 2, met: 0 }]);
    expect([await sent(wallet), await sent(wallet, OTHER), await sent(wallet)]).toEqual([200, 429, 200]);
    expect((await admin(wallet, '/sandbox/faults', { headers: ours })).body.set).toEqual([]);
    await admin(wallet, '/sandbox/faults', { method: 'DELETE', headers: ours });
    expect(await sent(wallet, OTHER)).toBe(429);
    expect(wallet.faults.list()).toEqual([]);
  });

  test('a fault without a partner strikes everybody, and is set and cleared apart', async () => {
    const wallet = sandbox({ partners });
    await admin(wallet, '/sandbox/faults', post(fault));
    await admin(wallet, '/sandbox/faults?partner=2', post(fault));
    expect([await sent(wallet), await sent(wallet, OTHER)]).toEqual([429, 429]);
    const listed = async (query: string) => (await admin(wallet, `/sandbox/faults${query}`)).body.set;
    expect(await listed('?partner=1')).toMatchObject([{ met: 2 }]);
    expect(await listed('?partner=2')).toHaveLength(2);
    await admin(wallet, '/sandbox/faults?partner=2', { method: 'DELETE' });
    expect(await listed('')).toMatchObject([{ met: 2 }]);
    await admin(wallet, '/sandbox/faults?partner=all', { method: 'DELETE' });
    expect(await sent(wallet)).toBe(200);
  });

  test('the desk clears the common faults, and no partner’s own', async () => {
    const wallet = sandbox({ partners });
    await admin(wallet, '/sandbox/faults', post(fault));
    await admin(wallet, '/sandbox/faults?partner=2', post(fault));
    await admin(wallet, `/sandbox/faults?name=${fault.name}&partner=shared`, { method: 'DELETE' });
    expect(wallet.faults.list()).toMatchObject([{ ...fault, partner: 2 }]);
  });

  test('a common setting also counts for a partner who had their own', async () => {
    const wallet = sandbox({ partners });
    await admin(wallet, '/sandbox/settings', post({ wrongPin: 'notLogged', billNetwork: 'up' }, OTHER));
    await admin(wallet, '/sandbox/settings', post({ billNetwork: 'down' }));
    const theirs = (await admin(wallet, '/sandbox/settings', { headers: OTHER })).body;
    expect(theirs).toMatchObject({ billNetwork: 'down', wrongPin: 'notLogged' });
  });

  test('a partner sets its own answers to wrong PINs and of the bill network, but not the delays', async () => {
    const wallet = sandbox({ partners });
    const wrong = { phoneNumber: FATIMA, pin: '0000' };
    const login = async (headers = {}) => (await call(wallet, 'loginCustomer', wrong, headers)).status;
    const network = async (headers = {}) =>
      (await call(wallet, 'listCreditors', {}, headers)).body.codeRetour;
    const order = { wrongPin: 'notLogged', billNetwork: 'down', settleAfterMs: 7 };
    const { body } = await admin(wallet, '/sandbox/settings', post(order, OTHER));
    expect(body).toMatchObject(order);
    expect([await login(OTHER), await login()]).toEqual([200, 400]);
    expect([await network(OTHER), await network()]).toEqual(['908', '000']);
    expect((await admin(wallet, '/sandbox/settings?partner=1')).body).toMatchObject({
      ...{ wrongPin: 'refused', billNetwork: 'up', settleAfterMs: 7 },
    });
    wallet.reset();
    expect((await admin(wallet, '/sandbox/settings', { headers: OTHER })).body).toMatchObject({
      ...{ wrongPin: 'refused', billNetwork: 'up', settleAfterMs: 1_200 },
    });
  });

  test('an unknown key sets nothing', async () => {
    const wallet = sandbox();
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
  const wallet = sandbox();
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
  const wallet = sandbox();
  const headers = { 'Svc-Api-Key': wallet.apiKey };
  const said = await wallet.app.request('/api/customers/login', { method: 'POST', body, headers });
  expect(said.status).toBe(status);
});

test.each([
  ['announced by its length', 'x'.repeat(1 << 20)],
  ['that is only seen as it comes', new Blob(['x'.repeat(1 << 20)]).stream()],
])('over HTTP, a megabyte %s is refused', async (_, body) => {
  const wallet = sandbox();
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

describe('the file', () => {
  const file = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'wasl-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'sandbox.db');
  };

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
    const wallet = sandbox();
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
    const wallet = sandbox();
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
