import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { readText } from '../kit/tree.ts';
import { ask, ORANGE, order, search } from './bills/bill-kit.ts';
import { card } from './cards/cards-kit.ts';
import { admin } from './desk/desk-kit.ts';
import { balanceOf, call, FATIMA, lastOtp, NOBODY, sandbox, transfer, wallet, YOUSSEF } from './kit.ts';

const AMINA = '+212650000001';

/** The example of the package's page. */
const [, EXAMPLE = ''] = /^```json\n(.*?)^```$/ms.exec(readText('docs/integrator/sandbox-package.md')) ?? [];

describe('a scenario file', () => {
  test('makes customers, balances, contracts, faults, settings, the clock and webhooks', async () => {
    expect(await wallet.play(JSON.parse(EXAMPLE))).toEqual({ steps: 0, differences: [] });
    expect(await balanceOf(wallet, AMINA)).toBe(250.5);
    expect(await balanceOf(wallet, FATIMA)).toBe(12);
    expect(wallet.clock.now()).toBe(Date.parse('2026-11-20T10:00:00Z'));
    expect(wallet.faults.list()).toMatchObject([{ name: 'slowAnswer', count: 1 }]);
    expect(wallet.settings()).toMatchObject({ settleAfterMs: 0 });
    expect((await admin(wallet)('GET /partner')).body).toMatchObject({ webhookKey: 'secret' });
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
  });

  test('says what is due of a contract, and how its payment ends', async () => {
    const contracts = [{ contract: '0661234567', bills: [120, 80.5], like: 'unlistedNothing' }] as const;
    await wallet.play({ contracts, balances: { [FATIMA]: 900 } });
    const found = await search(wallet, ORANGE, '0661234567');
    expect(found).toMatchObject({ codeRetour: '000', montantTotalTTC: 200.5, nbreCreances: 2 });
    const paid = () => ask(wallet, 'executeBill', order(ORANGE, '0661234567', found));
    expect((await paid()).body.codeRetour).toBe('999');
  });

  const refused: readonly [string, unknown, string][] = [
    ['no object', [], 'expected object'],
    ['a name that is none', { clients: [] }, 'clients'],
    ['a number that is none', { customers: [{ phone: '0600000009' }] }, 'customers[0].phone'],
    ['a customer twice', { customers: [{ phone: AMINA }, { phone: AMINA }] }, 'is there twice'],
    ['a seeded customer', { customers: [{ phone: FATIMA }] }, 'set the money under balances'],
    ['the balance of nobody', { balances: { [NOBODY]: 5 } }, 'is no customer of this scenario'],
    ['a tenth of a centime', { balances: { [FATIMA]: 0.001 } }, 'two decimals'],
    ['an amount below 0', { balances: { [FATIMA]: -1 } }, 'balances'],
    ['a fault that is none', { faults: [{ name: 'flood' }] }, 'faults[0].name'],
    ['a setting that is none', { settings: { speed: 1 } }, 'settings'],
    ['a clock without a time', { clock: { at: 'noon' } }, 'clock.at'],
    ['a step to another host', { steps: [{ request: 'GET https://x.example/' }] }, 'steps[0].request'],
    ['a contract without an effect', { contracts: [{ contract: '1' }] }, 'like, bills or both'],
    ['a webhook to a file', { webhooks: { url: 'file:///etc/passwd' } }, 'webhooks.url'],
    ['the float of nobody', { float: { 'XX-1': 5 } }, 'float'],
  ];
  test.each(refused)('with %s is refused, says where, and changes nothing', async (_, content, where) => {
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    const said = await admin(wallet)('POST /scenario', content);
    expect(said.status).toBe(400);
    expect(said.body.message).toContain(where);
    expect(wallet.executions()).toHaveLength(1);
  });

  test('is played with its steps, and says where an answer differs', async () => {
    const steps: Scenario['steps'] = [
      { request: 'POST /api/customers/login', body: { phoneNumber: FATIMA, pin: '1234' }, status: 200 },
      { request: 'POST /api/customers/login', body: { phoneNumber: FATIMA, pin: '0000' }, status: 200 },
      { request: 'POST /sandbox/float', body: { centimes: 0 }, status: 200, afterMs: 1_000 },
    ];
    const said = await wallet.play({ clock: { at: '2026-01-01T00:00:00Z' }, steps });
    expect(said.differences).toMatchObject([{ step: 2, expected: 200, answered: 400 }]);
    expect(wallet.clock.now()).toBe(Date.parse('2026-01-01T00:00:01Z'));
    expect(wallet.float()).toBe(0);
  });
});

describe('the recorder', () => {
  test('turns a played session into a file that leads to the same state', async () => {
    const wallet = sandbox({ clock: { now: Date.now }, settings: { settleAfterMs: 0 } });
    const desk = admin(wallet);
    expect((await desk('GET /recording')).body).toBeNull();
    await desk('POST /recording', { seed: 'session' });
    const amina = { firstName: 'Amina', lastName: 'Bennani', cin: 'AB12345', walletType: 'P' };
    await call(wallet, 'registerCustomer', { phoneNumber: NOBODY, ...amina });
    const code = lastOtp(wallet, NOBODY);
    await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code, autoActivate: true });
    await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 100), { 'C-Request-Id': 'r-1' });
    await desk('POST /faults', { name: 'serverErrorAfter', operation: 'executeTransfer', count: 1 });
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 7));
    const given = { phoneNumber: FATIMA, ...card(10, { pan: '4916338506082832' }) };
    const { body } = await call(wallet, 'executeCardCashIn', given);
    const form = new URLSearchParams({ answer: 'confirm', code: '123456' });
    await wallet.app.request(new URL(body.data.redirectionURL).pathname, { method: 'POST', body: form });
    await desk('POST /clock', { advanceMs: 60_000 });
    const file = (await desk('DELETE /recording')).body;
    expect(JSON.stringify(file)).not.toContain('4916338506082832');
    expect(file.steps).toHaveLength(8);

    const states = async (of: typeof wallet) => {
      const all = ['/wallets', '/operations', '/accounts', '/sms'].map((path) => admin(of)(`GET ${path}`));
      const text = JSON.stringify((await Promise.all(all)).map((each) => each.body));
      // The recorder puts a test card in place of one that may be somebody's own.
      return text
        .replace(/\*{4} \d{4}/g, '')
        .replace(/"(createdAt|at|executedAt|otpExpiresAt|checkedAt)":\d+/g, '');
    };
    const again = sandbox();
    again.setSettings({ settleAfterMs: 0 });
    const played = await again.play({ ...file, settings: { settleAfterMs: 0 } });
    expect(played).toEqual({ steps: 8, differences: [] });
    expect(await states(again)).toBe(await states(wallet));
  });
});

describe('customers by one call', () => {
  test('with nothing said, and with everything', async () => {
    const desk = admin(wallet);
    const first = await desk('POST /customers');
    expect(first).toMatchObject({ status: 201, body: { phone: AMINA, level: 2, status: 3, pin: '1234' } });
    expect(await balanceOf(wallet, AMINA)).toBe(1_000);
    expect((await desk('POST /customers')).body.phone).toBe('+212650000002');
    const shop = {
      phone: NOBODY,
      firstName: 'Nora',
      lastName: 'Alami',
      walletType: 'C',
      level: 4,
      balance: 5.5,
    };
    expect((await desk('POST /customers', shop)).body).toMatchObject(shop);
    expect(await balanceOf(wallet, NOBODY)).toBe(5.5);
    expect((await desk('POST /customers', shop)).status).toBe(409);
    expect((await desk('POST /customers', { phone: '0612' })).status).toBe(400);
    expect((await desk('POST /customers', { balance: 0.001 })).status).toBe(400);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
  });
});

describe('a snapshot', () => {
  test('is downloaded, and loaded by another key and another sandbox', async () => {
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await admin(wallet)('POST /snapshots', { name: 'played' });
    const file = await wallet.app.request('/sandbox/snapshots/played');
    expect(file.headers.get('content-disposition')).toContain('played.db');
    const bytes = await file.arrayBuffer();
    const other = sandbox();
    const second = other.addKey({ apiKey: 'second-key' });
    const headers = { 'Svc-Api-Key': second.apiKey };
    const put = (body: string | ArrayBuffer | Uint8Array<ArrayBuffer>) =>
      other.app.request('/sandbox/snapshots/theirs', { method: 'PUT', headers, body });
    expect((await put(bytes)).status).toBe(200);
    await admin(other)('POST /snapshots/theirs/restore', {}, headers);
    const balance = await call(other, 'customerBalance', { phoneNumber: FATIMA }, headers);
    expect(balance.body.data.balance).toBe(3400);
    expect(await balanceOf(other, FATIMA)).toBe(3500);
    for (const none of ['', 'SQLite', new Uint8Array(bytes).slice(0, 5_000)])
      expect((await put(none)).status).toBe(400);
    expect((await admin(other)('GET /snapshots', undefined, headers)).body).toHaveLength(1);
  });
});
