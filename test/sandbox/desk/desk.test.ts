import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { card } from '../cards/cards-kit.ts';
import { balanceOf, call, FATIMA, NOON, sandbox, transfer, wallet, YOUSSEF } from '../kit.ts';
import { admin } from './desk-kit.ts';

const HOUR_MS = 3_600_000;
const OTHER = { 'Svc-Api-Key': 'other-key' };
const partners = [{ apiKey: 'other-key', scopes: '*' }];

function folder(): string {
  const path = newDirectory();
  return path;
}

describe('the clock', () => {
  test('stands still, moves while it stands, and goes on from there', async () => {
    let real = NOON;
    const wallet = sandbox({ clock: { now: () => real } });
    const ask = admin(wallet);
    expect((await ask('POST /clock', { frozen: true })).body).toEqual({ now: NOON, frozen: true });
    real += HOUR_MS;
    expect((await ask('GET /clock')).body).toEqual({ now: NOON, frozen: true });
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await wallet.settle();
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
    expect((await ask('POST /clock', { advanceMs: 1_200 })).body).toEqual({
      now: NOON + 1_200,
      frozen: true,
    });
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1300);
    expect((await ask('POST /clock', { frozen: false })).body).toEqual({ now: NOON + 1_200, frozen: false });
    real += 10;
    expect(wallet.clock.now()).toBe(NOON + 1_210);
  });

  test('stands still after a restart too', async () => {
    const options = { file: join(folder(), 'sandbox.db'), clock: { now: () => NOON } };
    const before = createSandbox(options);
    await admin(before)('POST /clock', { frozen: true, advanceMs: HOUR_MS });
    await before.close();
    const after = sandbox({ ...options, clock: { now: () => NOON + 5 * HOUR_MS } });
    expect((await admin(after)('GET /clock')).body).toEqual({ now: NOON + HOUR_MS, frozen: true });
  });

  test('a reset ends a running journey through time', async () => {
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    const journey = wallet.clock.advance(72 * HOUR_MS);
    wallet.reset();
    await journey;
    expect(wallet.clock.now()).toBe(NOON);
  });
});

describe('snapshots', () => {
  /** Every row of every table, and what is beside them. */
  const everything = async (path: string, ask: ReturnType<typeof admin>) => {
    await ask('POST /snapshots', { name: 'copy' });
    const db = new DatabaseSync(join(path, '../snapshots/copy.db'), { readOnly: true });
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
    const rows = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1`).all()]);
    db.close();
    return JSON.stringify([rows, (await ask('GET /settings')).body, (await ask('GET /faults')).body.set]);
  };

  test('restore brings back exactly the saved data, time, faults and settings', async () => {
    const file = join(folder(), 'sandbox.db');
    let real = NOON;
    const wallet = sandbox({ file, clock: { now: () => real } });
    const ask = admin(wallet);
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await ask('POST /clock', { advanceMs: HOUR_MS, frozen: true });
    await ask('POST /faults', { name: 'listLag', count: 3 });
    await ask('POST /settings', { pinAttemptsMax: 7 });
    const before = await everything(file, ask);
    expect((await ask('POST /snapshots', { name: 'lunch' })).body).toMatchObject([
      { name: 'copy' },
      { name: 'lunch' },
    ]);

    real += HOUR_MS;
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 50));
    await ask('POST /clock', { advanceMs: HOUR_MS, frozen: false });
    await ask('DELETE /faults');
    wallet.reset({ seed: 'another' });
    expect(await everything(file, ask)).not.toBe(before);

    expect((await ask('POST /snapshots/lunch/restore')).body).toEqual({ restored: 'lunch' });
    expect(await everything(file, ask)).toBe(before);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1300);
    expect(wallet.clock.now()).toBe(NOON + HOUR_MS);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('after a restore the sandbox continues as it would have', async () => {
    const ask = admin(wallet);
    await ask('POST /snapshots', { name: 'a' });
    const next = async () => (await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10))).body;
    const first = await next();
    await ask('POST /snapshots/a/restore');
    expect(await next()).toEqual(first);
  });

  test('they outlive a reset and a restart, and are deleted by name', async () => {
    const options = { file: join(folder(), 'sandbox.db'), clock: { now: () => NOON } };
    const before = createSandbox(options);
    await admin(before)('POST /snapshots', { name: 'a' });
    before.reset();
    await before.close();
    const ask = admin(sandbox(options));
    expect((await ask('GET /snapshots')).body).toMatchObject([{ name: 'a', bytes: expect.any(Number) }]);
    expect((await ask('POST /snapshots/a/restore')).status).toBe(200);
    expect((await ask('DELETE /snapshots/a')).body).toEqual([]);
    expect((await ask('POST /snapshots/a/restore')).status).toBe(404);
  });

  test('a snapshot of another version is refused, and nothing is taken from it', async () => {
    const file = join(folder(), 'sandbox.db');
    const wallet = sandbox({ file });
    const ask = admin(wallet);
    await ask('POST /snapshots', { name: 'old' });
    const old = new DatabaseSync(join(file, '../snapshots/old.db'));
    old.exec('PRAGMA user_version = 1; DROP TABLE customers');
    old.close();
    expect((await ask('POST /snapshots/old/restore')).status).toBe(409);
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
  });
});

describe('partners', () => {
  test('a new key has wallets of its own, its scopes and its modules', async () => {
    const ask = admin(wallet);
    const order = { apiKey: 'shop-key-1', scopes: 'customers operations:read', modules: ['bills'] };
    const made = await ask('POST /partners', {
      ...order,
      webhookUrl: 'http://127.0.0.1:9/',
      webhookKey: 'k',
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: 2,
        apiKey: 'shop-key-1',
        modules: { telco: false, bills: true, vouchers: false, cards: false },
        webhookUrl: 'http://127.0.0.1:9/',
      },
    });
    const shop = { 'Svc-Api-Key': 'shop-key-1' };
    expect((await call(wallet, 'customerBalance', { phoneNumber: FATIMA }, shop)).body.data.balance).toBe(
      3500,
    );
    expect((await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1), shop)).status).toBe(403);
    expect(wallet.checkLedger().balanced).toBe(true);
    expect((await ask('GET /partners')).body).toHaveLength(2);
    wallet.reset();
    expect((await call(wallet, 'customerBalance', { phoneNumber: FATIMA }, shop)).status).toBe(200);
    expect((await ask('DELETE /partners/2')).body).toMatchObject([{ id: 1 }]);
    expect((await call(wallet, 'customerBalance', { phoneNumber: FATIMA }, shop)).status).toBe(401);
    for (const id of [1, 2, 99]) expect((await ask(`DELETE /partners/${id}`)).status).toBe(404);
  });

  test('one without a key gets one, the same by the same seed', async () => {
    const make = async () => (await admin(sandbox())('POST /partners')).body.apiKey;
    expect(await make()).toMatch(/^key-[\da-f-]{36}$/);
    expect(await make()).toBe(await make());
  });

  test.each([
    'GET /wallets',
    'GET /operations',
    'GET /accounts',
    'GET /executions',
    'GET /sms',
    'GET /webhooks',
    'GET /requests',
    'GET /modules',
    'GET /float',
  ])('%s is one partner’s own', async (path) => {
    const wallet = sandbox({ partners, webhookUrl: 'http://127.0.0.1:9/', settings: { settleAfterMs: 0 } });
    const ask = admin(wallet);
    const theirs = (await ask(path, undefined, OTHER)).body;
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await call(wallet, 'resendOtp', { phoneNumber: FATIMA });
    await ask('POST /float', { centimes: 5 });
    await ask('POST /modules', { telco: false });
    expect((await ask(path)).body).not.toEqual(theirs);
    expect((await ask(path, undefined, OTHER)).body).toEqual(theirs);
    expect((await ask(`${path}?partner=2`)).body).toEqual(theirs);
    expect((await ask(`${path}?partner=3`)).status).toBe(404);
    expect((await ask(path, undefined, { 'Svc-Api-Key': 'nobodys' })).status).toBe(404);
  });

  test('a partner does not find a thing of another one, even by its id', async () => {
    const wallet = sandbox({ partners, webhookUrl: 'http://127.0.0.1:9/', settings: { settleAfterMs: 0 } });
    const ask = admin(wallet);
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    for (const path of ['/operations/1', '/webhooks/1', '/requests/1']) {
      expect([path, (await ask(`GET ${path}`)).status]).toEqual([path, 200]);
      expect([path, (await ask(`GET ${path}`, undefined, OTHER)).status]).toEqual([path, 404]);
    }
    expect((await ask('POST /webhooks/1', { act: 'drop' }, OTHER)).status).toBe(404);
  });
});

describe('to look inside', () => {
  test('a wallet is found and opened, with all it has', async () => {
    const ask = admin(wallet);
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await call(wallet, 'resendOtp', { phoneNumber: FATIMA });
    for (const search of ['0600000001', '+212600000001', 'fatima', 'AB000001']) {
      const found = (await ask(`GET /wallets?search=${encodeURIComponent(search)}`)).body;
      expect([search, found.count, found.wallets[0].phone]).toEqual([search, 1, FATIMA]);
    }
    expect((await ask('GET /wallets?search=%25')).body.count).toBe(12);
    const file = (await ask(`GET /wallets/${encodeURIComponent(FATIMA)}`)).body;
    expect(file).toMatchObject({
      name: 'Fatima Zahra El Amrani',
      balance: 3400,
      hasPin: true,
      operations: [{ amount: 100, fees: 0, statusName: 'OPEN' }],
      sms: [{ text: expect.stringMatching(/\d{3}-\d{3}/) }],
      issuedCards: [{ maskedPan: expect.stringMatching(/^\*{4} \d{4}$/) }],
    });
    expect(file.beneficiaries).toHaveLength(3);
    expect(JSON.stringify(Object.keys(file))).not.toMatch(/pinHash|otp/);
    expect((await ask('GET /wallets/999')).status).toBe(404);
    expect((await ask('GET /wallets/0612345678')).status).toBe(404);
  });

  test('an operation shows its postings, which add up to zero', async () => {
    const wallet = sandbox({ webhookUrl: 'http://127.0.0.1:9/' });
    const ask = admin(wallet);
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    expect((await ask('GET /operations/1')).body.next).toEqual({ statusName: 'COMPLETED', at: NOON + 1_200 });
    await wallet.clock.advance(1_200);
    const { transactions, webhooks, statusName } = (await ask('GET /operations/1')).body;
    expect(statusName).toBe('COMPLETED');
    expect(transactions).toHaveLength(2);
    for (const { postings } of transactions)
      expect(postings.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(0);
    expect(webhooks).toMatchObject([{ event: 'transfer.received', state: 'due' }]);
    expect((await ask('GET /operations?search=0600000002')).body).toHaveLength(1);
    expect((await ask('GET /operations?search=nothing')).body).toEqual([]);
    expect((await ask('GET /operations/2')).status).toBe(404);
  });

  test('the sandbox works by its test data', async () => {
    const { body } = await admin(sandbox())('GET /test-data');
    expect(body.customers[0]).toMatchObject({ phone: FATIMA, pin: '1234', balance: 3500 });
    for (const kind of ['phones', 'cards', 'contracts', 'ribs'])
      expect(body[kind]).toContainEqual({ value: expect.any(String), means: expect.any(String) });
  });

  test('the pulse changes after a change, and only then', async () => {
    const ask = admin(wallet);
    const version = async () => (await ask('GET /pulse')).body.version;
    const calm = await version();
    expect(await version()).toBe(calm);
    await call(wallet, 'customerBalance', { phoneNumber: FATIMA });
    const asked = await version();
    expect(asked).not.toBe(calm);
    await ask('POST /settings', { otpTriesMax: 9 });
    expect(await version()).not.toBe(asked);
  });
});

test.each<[string, unknown]>([
  ['POST /clock', {}],
  ['POST /clock', { frozen: 'yes' }],
  ['POST /clock', { advanceMs: 1.5 }],
  ['POST /clock', { advance: 5 }],
  ['POST /clock', '{'],
  ['POST /reset', { seed: '' }],
  ['POST /reset', { frozenAt: 'noon' }],
  ['POST /reset', { everything: true }],
  ['POST /snapshots', {}],
  ['POST /snapshots', { name: '' }],
  ['POST /snapshots', { name: '../sandbox' }],
  ['POST /snapshots', { name: 'x'.repeat(41) }],
  ['POST /partners', { apiKey: 'short' }],
  ['POST /partners', { apiKey: 'with space' }],
  ['POST /partners', { scopes: '' }],
  ['POST /partners', { modules: ['cinema'] }],
  ['POST /partners', { webhookUrl: 'ftp://partner.example' }],
  ['POST /partner', { webhookUrl: 'partner' }],
  ['POST /partner', { apiKey: 'other-key' }],
  ['POST /partner', { scopes: 'a  b' }],
  ['POST /modules', { telco: 'no' }],
  ['POST /float', { centimes: -1 }],
  ['POST /settings', { pinAttemptsMax: 0 }],
  ['POST /faults', { name: 'x' }],
  ['DELETE /faults?name=x', undefined],
  ['POST /webhooks', { event: 'customer.deleted' }],
  ['POST /webhooks', { event: 'transfer.received', key: '' }],
  ['POST /webhooks', { event: 'transfer.received', properties: [] }],
])('%s refuses %j, and nothing changes', async (path, body) => {
  const wallet = sandbox({ partners });
  const ask = admin(wallet);
  const before = (await ask('GET /pulse')).body.version;
  const { status, body: said } = await ask(path, body);
  expect([status, typeof said.message]).toEqual([400, 'string']);
  expect((await ask('GET /pulse')).body.version).toBe(before);
});

test.each([
  ['POST /partners', { apiKey: 'other-key' }, 409],
  ['POST /snapshots/none/restore', {}, 404],
  ['DELETE /snapshots/none', undefined, 404],
  ['DELETE /snapshots/..%2Fsandbox', undefined, 404],
  ['POST /webhooks/1', { act: 'resend' }, 404],
  ['GET /requests/1', undefined, 404],
])('%s %j is answered with %d', async (path, body, status) => {
  expect((await admin(sandbox({ partners }))(path, body)).status).toBe(status);
});

test('the partner’s webhook address is set, and taken away', async () => {
  const ask = admin(sandbox());
  const set = await ask('POST /partner', { webhookUrl: 'https://partner.example/hooks', webhookKey: 'k' });
  expect(set.body).toMatchObject({
    webhookUrl: 'https://partner.example/hooks',
    webhookKey: 'k',
    scopes: '*',
  });
  expect((await ask('POST /partner', { webhookUrl: null })).body).toMatchObject({
    webhookUrl: null,
    webhookKey: 'k',
  });
});

/** The same script by HTTP, from a reset on, as for a repeatable demonstration. */
test('same seed, same moment and same requests: the same to the byte', async () => {
  const wallet = sandbox({ clock: { now: Date.now }, webhookUrl: 'http://127.0.0.1:9/' });
  const ask = admin(wallet);
  const play = async (seed: string) => {
    await ask('POST /reset', { seed, frozenAt: '2026-11-20T10:00:00Z' });
    const said: unknown[] = [];
    const does = async (...[name, given]: [Parameters<typeof call>[1], object]) =>
      said.push((await call(wallet, name, { ...given }, { 'C-Request-Id': `r${said.length}` })).body);
    const ali = {
      phoneNumber: '+212612345678',
      firstName: 'Ali',
      lastName: 'Bennani',
      cin: 'AB12345',
      walletType: 'P',
    };
    await does('registerCustomer', ali);
    await does('loginCustomer', { phoneNumber: FATIMA, pin: '1234' });
    await does('executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await does('executeTransfer', transfer(FATIMA, '+212699000109', 50));
    await does('requestCashOut', { PhoneNumber: FATIMA, phoneNumber: FATIMA, Amount: 100 });
    await does('listUnpaid', {
      phoneNumber: FATIMA,
      creancierId: '1001',
      creanceId: '01',
      creancierVals: [{ nomChamp: 'numContrat', valChamp: '20457813' }],
    });
    await does('executeCardCashIn', { phoneNumber: FATIMA, ...card(10, { keepAlive: true }) });
    await does('startIdentification', { PhoneNumber: '+212600000008' });
    await ask('POST /clock', { advanceMs: 72 * HOUR_MS });
    for (const path of ['/wallets', '/operations', '/accounts', '/sms', '/webhooks', '/ledger', '/clock'])
      said.push((await ask(`GET ${path}`)).body);
    return JSON.stringify(said);
  };
  const first = await play('one');
  expect(await play('one')).toBe(first);
  expect(await play('two')).not.toBe(first);
  expect(first).toContain('transfer.received');
  expect(first).not.toContain('errorCode');
});
