import { describe, expect, test } from 'vitest';
import { FAULT_NAMES } from '../../../src/sandbox/faults/faults.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { call, FATIMA, NOBODY, sandbox, transfer, wallet, YOUSSEF } from '../kit.ts';
import { served } from '../served.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is only as good as the assertion on it
type AnyJson = any;

/** Sends so many times, and says which were struck. */
async function sendings(wallet: Sandbox, times: number): Promise<boolean[]> {
  const struck: boolean[] = [];
  for (let i = 0; i < times; i++) {
    struck.push((await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 1))).status === 500);
  }
  return struck;
}

describe('how often', () => {
  test('as many times as asked, then no more', async () => {
    wallet.faults.set({ name: 'serverErrorBefore', count: 2 });
    expect(await sendings(wallet, 4)).toEqual([true, true, false, false]);
    expect(wallet.faults.list()).toEqual([]);
  });

  test('with a probability: by the seed and nothing else', async () => {
    const pattern = async (seed: string) => {
      const wallet = sandbox({ seed });
      wallet.faults.set({ name: 'serverErrorBefore', probability: 0.3 });
      const struck = await sendings(wallet, 60);
      expect(wallet.executions()).toHaveLength(struck.filter((each) => !each).length);
      expect(wallet.faults.list()).toMatchObject([{ met: 60, struck: struck.filter(Boolean).length }]);
      return struck;
    };
    const one = await pattern('one');
    expect(one.filter(Boolean).length).toBeGreaterThan(8);
    expect(one.filter(Boolean).length).toBeLessThan(28);
    expect(await pattern('one')).toEqual(one);
    expect(await pattern('two')).not.toEqual(one);
  });

  test.each([
    [0, 0],
    [1, 3],
  ])('with a probability of %s', async (probability, times) => {
    wallet.faults.set({ name: 'serverErrorBefore', probability });
    expect((await sendings(wallet, 3)).filter(Boolean)).toHaveLength(times);
  });

  test('several strike together, and one that turns the request away leaves the others for the next', async () => {
    const { wallet, partner, send } = await served();
    for (const name of ['webhookNever', 'listLag', 'answerLost', 'tooManyRequests'] as const)
      wallet.faults.set({ name, count: 1 });
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'unknown', why: 'http429' });
    expect(wallet.faults.list()).toHaveLength(3);
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'unknown', why: 'UND_ERR_SOCKET' });
    expect(wallet.faults.list()).toEqual([]);
    await wallet.clock.advance(2_000);
    expect(wallet.executions('our-request')).toMatchObject([{ status: 2 }]);
    expect((await call(wallet, 'listOperations', { PhoneNumber: FATIMA })).body.data.count).toBe(0);
    expect(partner.received).toEqual([]);
  });

  test('set again, it begins again, and cleared or reset, it is gone', () => {
    wallet.faults.set({ name: 'answerLost', count: 5 });
    wallet.faults.set({ name: 'answerLost', count: 1 });
    wallet.faults.set({ name: 'answerLost', operation: 'loginCustomer' });
    wallet.faults.set({ name: 'listLag' });
    expect(wallet.faults.list()).toMatchObject([
      { name: 'answerLost', count: 1 },
      { name: 'answerLost', operation: 'loginCustomer' },
      { name: 'listLag', delayMs: 60_000 },
    ]);
    wallet.faults.clear('answerLost');
    expect(wallet.faults.list()).toMatchObject([{ name: 'listLag' }]);
    wallet.reset();
    expect(wallet.faults.list()).toEqual([]);
  });
});

describe('the admin API', () => {
  test('lists the faults and their settings, sets and clears', async () => {
    const { url, post } = await served();
    const faults = async () => (await (await fetch(`${url}/sandbox/faults`)).json()) as AnyJson;
    expect(Object.keys((await faults()).faults)).toEqual(FAULT_NAMES);
    await post('/sandbox/faults', { name: 'listLag', delayMs: 5_000, probability: 0.5, count: 3 });
    await post('/sandbox/faults', { name: 'staysOpen', operation: 'executeTransfer' });
    expect((await faults()).set).toEqual([
      { name: 'listLag', delayMs: 5_000, probability: 0.5, count: 3, met: 0, struck: 0 },
      {
        name: 'staysOpen',
        operation: 'executeTransfer',
        delayMs: YEAR_MS,
        probability: 1,
        met: 0,
        struck: 0,
      },
    ]);
    await fetch(`${url}/sandbox/faults?name=listLag`, { method: 'DELETE' });
    expect((await faults()).set).toMatchObject([{ name: 'staysOpen' }]);
    await fetch(`${url}/sandbox/faults`, { method: 'DELETE' });
    expect((await faults()).set).toEqual([]);
    expect((await fetch(`${url}/sandbox/faults?name=x`, { method: 'DELETE' })).status).toBe(400);
  });

  test('refuses any operation once, with a code of the API, and executes nothing', async () => {
    const { url, post, send } = await served();
    const order = { name: 'refused', code: 90014, operation: 'executeTransfer', count: 1 };
    expect((await post('/sandbox/faults', order)).status).toBe(200);
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'refused', code: '90014' });
    expect(await (await fetch(`${url}/sandbox/executions`)).json()).toEqual([]);
    expect(await send(YOUSSEF)).toMatchObject({ kind: 'ok' });
  });

  test('tells executions', async () => {
    const { url, send } = await served();
    await send(YOUSSEF);
    const executed = { operationId: 1, requestId: 'our-request', type: 3, amount: 200_00, status: 1 };
    const times = { createdAt: expect.any(Number), executedAt: null };
    const expected = [{ ...executed, ...times, sender: FATIMA, receiver: YOUSSEF }];
    expect(await (await fetch(`${url}/sandbox/executions?requestId=our-request`)).json()).toEqual(expected);
    expect(await (await fetch(`${url}/sandbox/executions?requestId=other`)).json()).toEqual([]);
  });

  test.each([
    ['no JSON', '{'],
    ['no name', {}],
    ['a name that is none', { name: 'constructor' }],
    ['an operation that is none', { name: 'answerLost', operation: 'transfer' }],
    ['an operation without money', { name: 'listLag', operation: 'loginCustomer' }],
    ['a probability above 1', { name: 'answerLost', probability: 1.1 }],
    ['a probability below 0', { name: 'answerLost', probability: -0.1 }],
    ['no times', { name: 'answerLost', count: 0 }],
    ['half a time', { name: 'answerLost', count: 0.5 }],
    ['a delay below 0', { name: 'slowAnswer', delayMs: -1 }],
    ['a delay of two years', { name: 'slowAnswer', delayMs: 2 * YEAR_MS }],
    ['something else', { name: 'answerLost', forever: true }],
    ['a refusal without its code', { name: 'refused' }],
    ['a refusal with a code that is none', { name: 'refused', code: 12345 }],
    ['a code of what is no refusal', { name: 'answerLost', code: 90010 }],
  ])('refuses %s', async (_, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await wallet.app.request('/sandbox/faults', { method: 'POST', body: text });
    expect(answer.status).toBe(400);
    expect(wallet.faults.list()).toEqual([]);
  });

  test('refuses another site', async () => {
    const headers = { origin: 'https://evil.example' };
    const body = JSON.stringify({ name: 'answerLost' });
    const answer = await wallet.app.request('/sandbox/faults', { method: 'POST', body, headers });
    expect(answer.status).toBe(403);
  });
});
