import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { createWallet } from '../../../src/wallet/client.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { balanceOf, call, FATIMA, MEHDI_NEARLY_FULL, request, sandbox, wallet, YOUSSEF } from '../kit.ts';
import { served } from '../served.ts';

async function ordered(wallet: Sandbox, path: string, body?: object) {
  const answer = await wallet.app.request(`/sandbox/references${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const listed = async (wallet: Sandbox, phone = FATIMA) =>
  (await ordered(wallet, `?phone=${encodeURIComponent(phone)}`)).body;

describe('references at the desk', () => {
  test('are listed by wallet, the newest first, with their numbers', async () => {
    const [first, second] = [await request(wallet, 'CashIn'), await request(wallet, 'CashOut', 50)];
    await request(wallet, 'CashIn', 10, YOUSSEF);
    expect(await listed(wallet)).toMatchObject([
      { reference: second, kind: 'cash-out', amount: 50, status: 1, phone: FATIMA },
      { reference: first, kind: 'cash-in', amount: 100, status: 1, phone: FATIMA },
    ]);
    expect((await ordered(wallet, '')).body).toHaveLength(3);
  });

  test.each([
    ['agent', 'CashIn', 100],
    ['network', 'CashIn', 100],
    ['agent', 'CashOut', -100],
    ['network', 'CashOut', -100],
  ] as const)('somebody executes one at an %s: %s', async (at, way, moves) => {
    const before = await balanceOf(wallet, FATIMA);
    await request(wallet, way);
    const [{ id }] = await listed(wallet);
    expect(await ordered(wallet, `/${id}`, { at })).toMatchObject({ status: 200, body: { status: 2 } });
    expect(await balanceOf(wallet, FATIMA)).toBe(before + moves);
    expect(wallet.checkLedger().faults).toEqual([]);
  });

  test.each<
    [string, (wallet: Sandbox) => Promise<{ status: number; body: { errorCode?: number } }>, number, number?]
  >([
    [
      'a second time',
      async (wallet) => {
        await request(wallet, 'CashIn');
        const [{ id }] = await listed(wallet);
        await ordered(wallet, `/${id}`, { at: 'agent' });
        return ordered(wallet, `/${id}`, { at: 'network' });
      },
      409,
      90122,
    ],
    [
      'of the bill network by an agent',
      async (wallet) => {
        await call(wallet, 'requestBillNetworkCashIn', { PhoneNumber: FATIMA, Amount: 10 });
        const [{ id }] = await listed(wallet);
        return ordered(wallet, `/${id}`, { at: 'agent' });
      },
      409,
      90120,
    ],
    [
      'over the level by now',
      async (wallet) => {
        for (const amount of [15, 15]) await request(wallet, 'CashIn', amount, MEHDI_NEARLY_FULL);
        const [{ id }, { id: other }] = await listed(wallet, MEHDI_NEARLY_FULL);
        await ordered(wallet, `/${id}`, { at: 'agent' });
        return ordered(wallet, `/${other}`, { at: 'agent' });
      },
      409,
      90011,
    ],
    ['that there is not', (wallet) => ordered(wallet, '/77', { at: 'agent' }), 404],
    ['whose id is none', (wallet) => ordered(wallet, '/x', { at: 'agent' }), 404],
    ['nowhere', (wallet) => ordered(wallet, '/1', { at: 'home' }), 400],
    ['without an order', (wallet) => ordered(wallet, '/1', {}), 400],
  ])('none %s', async (_, execute, status, code) => {
    const { status: answered, body } = await execute(sandbox());
    expect([answered, body.errorCode]).toEqual([status, code]);
  });

  test('the page of a wallet has them with a button for each way, until they are closed', async () => {
    const reference = await request(wallet, 'CashIn');
    const page = async () => (await wallet.app.request('/desk/wallets/1')).text();
    expect(await page()).toContain(reference);
    expect(await page()).toContain('At an agent');
    const [{ id }] = await listed(wallet);
    await ordered(wallet, `/${id}`, { at: 'network' });
    expect(await page()).not.toContain('At an agent');
  });
});

describe('amounts that force a fault on a reference', () => {
  const phone = msisdn(FATIMA);
  const asked = async (amount: number) => {
    const { url, wallet } = await served();
    const api = createWallet({ url, apiKey: wallet.apiKey });
    const patience = () => ({ signal: AbortSignal.timeout(2_000) });
    const answers = [
      await api.requestCashIn({ phone, amount: centimes(amount) }, patience()),
      await api.requestCashOut({ phone, amount: centimes(amount) }, patience()),
    ];
    return { kinds: answers.map(({ kind }) => kind), made: (await listed(wallet)).length, wallet };
  };

  test.each([
    ['nothing is made at 1.01', 101, 'unknown', 0],
    ['nor at 1.02', 102, 'unknown', 0],
    ['nor at 1.03', 103, 'unknown', 0],
    ['made, and the answer is lost, at 1.04', 104, 'unknown', 2],
    ['made, and reset, at 1.05', 105, 'unknown', 2],
    ['made, and an error, at 1.06', 106, 'unknown', 2],
    ['made, and unreadable, at 1.07', 107, 'unknown', 2],
    ['made, and too slow, at 1.08', 108, 'unknown', 2],
    ['no fault of an answer at 1.18', 118, 'ok', 2],
    ['nor at 1.00', 100, 'ok', 2],
    ['nor at 2.04, which strikes the execution', 204, 'ok', 2],
    ['nor at 11.04', 1_104, 'ok', 2],
  ])('%s', async (_, amount, kind, made) => {
    const { kinds, made: found } = await asked(amount);
    expect(kinds).toEqual([kind, kind]);
    expect(found).toBe(made);
  });

  test.each([
    ['2.18 is executed and then reversed', 218, [2, 4]],
    ['2.17 stays open', 217, [1, 1]],
    ['3.18 is executed', 318, [2, 2]],
  ])('%s', async (_, amount, statuses) => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const wallet = sandbox({ clock: { now: () => now } });
    const reference = await request(wallet, 'CashIn', amount / 100);
    await call(wallet, 'executeAgentCashIn', { Code: 'RA-2001', Reference: reference });
    const [{ status: first }] = await listed(wallet);
    now += 60_000;
    await wallet.settle();
    const [{ status: second }] = await listed(wallet);
    expect([first, second]).toEqual(statuses);
  });
});
