import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { answering, FATIMA, HASTY_MS, ok, refused, say, unknown, YOUSSEF } from './answering.ts';

/** Enough for a judgement of any kind of call. */
const MANY = 40;
const TURNED_AWAY = { kind: 'unsent', why: 'circuitOpen' };
const STATUS = { data: { status: 3 } };
const ORDER = { from: FATIMA, to: YOUSSEF, amount: centimes(200_00), reason: 'test' };

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A limit that a busy machine does not reach. Only the tests of a hanging wallet use a lower one. */
const PATIENT_MS = 60_000;

/** A wallet that can be told to answer differently, and what its circuit breakers say. */
async function changing(first: Handle, timeoutMs = PATIENT_MS) {
  let handle = first;
  const { url, requests } = await answering((request, response) => handle(request, response));
  const changes: string[] = [];
  const wallet = createWallet({
    url,
    apiKey: 'key',
    timeoutMs,
    onChange: (kind, isOpen) => changes.push(`${kind} ${isOpen ? 'open' : 'closed'}`),
  });
  const status = () => wallet.customerStatus(FATIMA);
  const turnsTo = (next: Handle) => {
    handle = next;
  };
  const fails = async () => {
    for (let i = 0; i < MANY; i++) await status();
  };
  return { wallet, requests, changes, status, fails, turnsTo };
}

describe('the circuit breaker before the wallet', () => {
  test.each<[string, Handle, boolean]>([
    ['is down (503)', say(503, ''), true],
    ['is overloaded behind a proxy (502)', say(502, ''), true],
    ['breaks every connection', (request) => void request.socket.destroy(), true],
    ['refuses (a business error)', say(400, { errorCode: 26001, errorDescription: 'No' }), false],
    ['fails in one request (500)', say(500, ''), false],
    ['asks for patience (429)', say(429, ''), false],
    ['answers', say(200, STATUS), false],
  ])('a wallet that %s', async (_label, handle, isTurnedAway) => {
    const { requests, fails, changes, status } = await changing(handle);
    await fails();
    expect(changes).toEqual(isTurnedAway ? ['read open'] : []);
    expect(requests.length < MANY).toBe(isTurnedAway);
    if (isTurnedAway) expect(await status()).toEqual(TURNED_AWAY);
  });

  test('a wallet that hangs keeps no later call waiting, and a rejected call is never sent', async () => {
    const { wallet, requests, status } = await changing(() => {}, HASTY_MS);
    expect(await Promise.all(Array.from({ length: MANY }, status))).toEqual(
      Array.from({ length: MANY }, () => unknown('timeout')),
    );
    expect(requests).toHaveLength(MANY);
    expect(await status()).toEqual(TURNED_AWAY);
    expect(requests).toHaveLength(MANY);
    // Payments are counted apart: whether they get through is only known by trying.
    expect(await wallet.transfer(ORDER, { requestId: 'r' })).toEqual(unknown('timeout'));
  });

  test('an optional read is not waited for, and still counts towards a wallet that hangs', async () => {
    const { wallet, changes } = await changing(() => {}, HASTY_MS);
    const [first] = await Promise.all([
      Promise.race([
        wallet.customerStatus(FATIMA).then(() => 'needed'),
        wallet.customerStatus(FATIMA, { spare: true }).then(() => 'spare'),
      ]),
      ...Array.from({ length: MANY }, () => wallet.customerStatus(FATIMA, { spare: true })),
    ]);
    expect(first).toBe('spare');
    await expect.poll(() => changes).toEqual(['read open']);
  });

  test('a wallet that is always slow gets the time that it needs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // Each answer takes so long on a clock that only answers move.
    const slow = async () => {
      await vi.advanceTimersByTimeAsync(250);
      return Response.json(STATUS);
    };
    const wallet = createWallet({ url: 'http://wallet.test', apiKey: 'key', fetch: slow });
    expect(await wallet.customerStatus(FATIMA, { spare: true })).toEqual(unknown('timeout'));
    for (let i = 0; i < 5; i++) await wallet.customerStatus(FATIMA);
    expect(await wallet.customerStatus(FATIMA, { spare: true })).toEqual(ok({ status: 3 }));
  });

  test('one call tries again, and when it is answered all are let through', async () => {
    const { requests, changes, status, fails, turnsTo } = await changing(say(503, ''));
    await fails();
    turnsTo(say(200, STATUS));
    const before = requests.length;
    await expect.poll(status).toEqual(ok({ status: 3 }));
    expect(requests).toHaveLength(before + 1);
    expect(await Promise.all([status(), status(), status()])).toEqual([
      ok({ status: 3 }),
      ok({ status: 3 }),
      ok({ status: 3 }),
    ]);
    expect(changes).toEqual(['read open', 'read closed']);
  });

  test('while one call tries, the others are turned away at once', async () => {
    const { requests, status, fails, turnsTo } = await changing(say(503, ''));
    await fails();
    const held: ServerResponse[] = [];
    turnsTo((_, response) => void held.push(response));
    const before = requests.length;
    const answers: unknown[] = [];
    const asks = setInterval(() => void status().then((answer) => answers.push(answer)), 20);
    await expect.poll(() => held.length).toBe(1);
    await status();
    clearInterval(asks);
    expect(requests).toHaveLength(before + 1);
    expect(answers).toContainEqual(TURNED_AWAY);
    say(400, { errorCode: 26001, errorDescription: 'No' })({} as IncomingMessage, held[0] as ServerResponse);
    // A refusal is an answer, too.
    turnsTo(say(400, { errorCode: 26001, errorDescription: 'No' }));
    await expect.poll(status).toEqual(refused('26001', 'No'));
  });

  test('the queue for a connection is limited, and a call beyond it is rejected and never sent', async () => {
    const { url, requests } = await answering(() => {});
    // A call that waits half of this time would be rejected as well, long after the end of this test.
    const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 3_600_000, compartment: 'background' });
    const stop = new AbortController();
    let orders = 0;
    const some = (count: number) =>
      Array.from({ length: count }, () =>
        wallet.transfer(ORDER, { requestId: `${orders++}`, signal: stop.signal }),
      );
    const busy = some(8);
    await expect.poll(() => requests.length).toBe(8);
    const waiting = some(8 * 8);
    expect(await Promise.all(some(1))).toEqual([{ kind: 'unsent', why: 'busy' }]);
    stop.abort();
    await Promise.all([...busy, ...waiting]);
    expect(requests).toHaveLength(8);
  });
});
