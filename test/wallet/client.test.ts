import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../../src/wallet/client/call.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { type Endpoint, endpoint } from '../../src/wallet/contract/endpoint.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import {
  answering,
  error,
  FATIMA,
  HASTY_MS,
  listening,
  ok,
  refused,
  say,
  unknown,
  YOUSSEF,
} from './answering.ts';

const ORDER = { from: FATIMA, to: YOUSSEF, amount: centimes(200_00), reason: 'test' };
const PIN = '7391';
const UNREADABLE = unknown('unreadable');

const transfer = (wallet: Wallet) => wallet.transfer(ORDER, { requestId: 'r-1' });
test.each<[string, number, unknown, unknown]>([
  [
    'a success',
    200,
    { data: { operationId: 7, transactionStatus: 1, feesAmount: 2.5 } },
    ok({ operationId: 7, status: 1, fees: centimes(250) }),
  ],
  [
    'a success under other names',
    201,
    { data: { operationId: 7, operationStatus: 2 } },
    ok({ operationId: 7, status: 2 }),
  ],
  ['a success that says nothing', 200, { data: true }, ok({})],
  ['a success with words for numbers', 200, { data: { operationId: 'x', feesAmount: 'y' } }, ok({})],
  ['a success without envelope', 200, { operationId: 7 }, unknown('unreadable')],
  ['half a success', 200, '{"data":{"operationId":7', unknown('unreadable')],
  ['a success in HTML', 200, '<html>', unknown('unreadable')],
  ['nothing at all', 204, '', unknown('unreadable')],
  ['an empty list', 200, [], unknown('unreadable')],
  ['a business error', 400, error(90010), refused('90010', 'No')],
  ['a business error with its code as text', 400, error('90010'), refused('90010', 'No')],
  ['a business error that explains nothing', 400, { errorCode: 20005 }, refused('20005')],
  ['a 400 without code', 400, { title: 'Bad Request' }, unknown('http400')],
  ['a 400 in HTML', 400, '<html>', unknown('http400')],
  ['401', 401, {}, refused('http401')],
  [
    '401 with words',
    401,
    { message: 'API key not authorized' },
    refused('http401', 'API key not authorized'),
  ],
  ['401 with words of another kind', 401, { message: 7 }, refused('http401')],
  ['401 that says nothing', 401, { message: null }, refused('http401')],
  ['403 with words', 403, { message: 'No scope' }, refused('http403', 'No scope')],
  ['404 with problem details', 404, { title: 'Not Found' }, refused('http404')],
  ['422 with words', 422, { message: 'No' }, unknown('http422')],
  ['403', 403, 'Forbidden', refused('http403')],
  ['404', 404, '', refused('http404')],
  ['404 with a code', 404, error(90016), refused('90016', 'No')],
  ['422 without code', 422, {}, unknown('http422')],
  ['422 with a code', 422, error(90006), refused('90006', 'No')],
  ['408', 408, error(1), unknown('http408')],
  ['409', 409, error(1), unknown('http409')],
  ['429', 429, error(1), unknown('http429')],
  ['500', 500, error(1), unknown('http500')],
  ['502', 502, '<html>', unknown('http502')],
  ['503', 503, {}, unknown('http503')],
  ['a redirect', 302, '', unknown('http302')],
  ['a redirect that keeps the method', 307, '', unknown('http307')],
  ['a misdirected request, which fetch would send again', 421, '', unknown('http421')],
])('a transfer is sent once and sorted: %s', async (_, status, body, answer) => {
  const { wallet, requests } = await answering(say(status, body));
  expect(await transfer(wallet)).toEqual(answer);
  expect(requests).toHaveLength(1);
});

test('every call carries the key and a request id, and parameters where the contract puts them', async () => {
  const { wallet, requests } = await answering(say(200, { data: { collection: [], count: 0 } }));
  await transfer(wallet);
  const from = new Date('2026-11-20T10:00:00Z');
  await wallet.operations(FATIMA, { types: [3, 25], from, page: 2 }, { requestId: 'r-2' });
  await wallet.resendOtp(FATIMA);
  await wallet.operation(FATIMA, 12);
  expect(requests.map(({ line, body }) => `${line} ${body}`)).toEqual([
    'POST /api/operations/transfer {"CustomerPhoneNumber":"+212600000001","RecipientPhoneNumber":"+212600000002","Amount":200,"Reason":"test"}',
    'GET /api/operations?PhoneNumber=%2B212600000001&OperationType=3&OperationType=25&From=2026-11-20T10%3A00%3A00.000Z&PageNumber=2 ',
    'POST /api/customers/confirm/resend-otp?phoneNumber=%2B212600000001 ',
    'GET /api/operations/12?PhoneNumber=%2B212600000001 ',
  ]);
  expect(requests.map(({ headers }) => headers['svc-api-key'])).toEqual(['key', 'key', 'key', 'key']);
  expect(requests.map(({ headers }) => headers['c-request-id'])).toEqual([
    'r-1',
    'r-2',
    expect.any(String),
    expect.any(String),
  ]);
  expect(requests[2]?.headers['c-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect(requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': expect.any(String),
  });
});

test.each<[string, Partial<Endpoint>, number, string, unknown]>([
  ['success is 204', { status: 204 }, 204, '', ok(undefined)],
  ['204 has a meaning', { none: 'nobody' }, 204, '', ok('nobody')],
  ['204 has a meaning, and an empty 200 as well', { none: 'nobody' }, 200, ' ', ok('nobody')],
  ['204 has a meaning, and null as well', { none: 'nobody' }, 200, '{"data":null}', ok('nobody')],
  ['204 has a meaning, and half an answer has none', { none: 'nobody' }, 200, '{"data":', UNREADABLE],
  ['204 has a meaning, and no data has none', { none: 'nobody' }, 200, '{}', UNREADABLE],
  ['204 has a meaning, and an error none', { none: 'nobody' }, 404, '', refused('http404')],
  ['204 has none', {}, 204, '', UNREADABLE],
])('no body, where %s', async (_, described, status, body, answer) => {
  const { url } = await answering(say(status, body));
  const anything: Endpoint = {
    ...endpoint('GET', '/api/x', '', { data: z.unknown() }),
    ...described,
  };
  expect(await createCaller({ url, apiKey: 'key' })(anything, {})).toEqual(answer);
});

test('a path before /api is kept', async () => {
  const { url, requests } = await answering(say(200, { data: true }));
  await createWallet({ url: `${url}/partner/v2/`, apiKey: 'key' }).isDefaultWallet(FATIMA);
  expect(requests[0]?.line).toBe('GET /partner/v2/api/customers/default?phoneNumber=%2B212600000001');
});

const tcp = async (on: (socket: Socket) => void, scheme = 'http') => {
  const port = await listening(createTcpServer((socket) => on(socket.on('error', () => {}))));
  return createWallet({ url: `${scheme}://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 5_000 });
};
const freePort = async () => {
  const server = createTcpServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe('connections that go wrong', () => {
  test('refused: unsent', async () => {
    const wallet = createWallet({ url: `http://127.0.0.1:${await freePort()}`, apiKey: 'key' });
    expect(await transfer(wallet)).toEqual({ kind: 'unsent', why: 'ECONNREFUSED' });
  });

  test('unknown host: unsent', async () => {
    const wallet = createWallet({ url: 'http://wallet.invalid', apiKey: 'key' });
    expect(await transfer(wallet)).toEqual({
      kind: 'unsent',
      why: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])(
    '%s, however deep: unsent',
    async (code) => {
      const cause = Object.assign(new Error('x'), { code });
      const wallet = createWallet({
        url: 'http://127.0.0.1',
        apiKey: 'key',
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('y', { cause }) })),
      });
      expect(await transfer(wallet)).toEqual({ kind: 'unsent', why: code });
    },
  );

  test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])(
    '%s: unknown',
    async (code) => {
      const cause = Object.assign(new Error('x'), { code });
      const wallet = createWallet({
        url: 'http://127.0.0.1',
        apiKey: 'key',
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
      });
      expect(await transfer(wallet)).toEqual(unknown(code));
    },
  );

  test('no TLS on the other side, or a reset during its handshake: unsent', async () => {
    const plain = await tcp(
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      'https',
    );
    expect(await transfer(plain)).toMatchObject({ kind: 'unsent' });
    const reset = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()), 'https');
    expect(await transfer(reset)).toMatchObject({ kind: 'unsent' });
  });

  test('reset after the request: unknown', async () => {
    const wallet = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await transfer(wallet)).toEqual(unknown('ECONNRESET'));
  });

  test('cut in the middle of the answer: unknown', async () => {
    const wallet = await tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":')),
    );
    expect(await transfer(wallet)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a call without an answer', () => {
  test('a kept connection dropped on the second request is not tried again', async () => {
    const heard: string[] = [];
    const wallet = await tcp((socket) =>
      socket.on('data', (data) => {
        if (!data.toString('latin1').startsWith('POST')) return;
        heard.push('POST');
        if (heard.length > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"data":{}}');
      }),
    );
    expect(await transfer(wallet)).toEqual(ok({}));
    expect(await transfer(wallet)).toMatchObject({ kind: 'unknown' });
    expect(heard).toHaveLength(2);
  });

  test('silence, and an answer that never ends: unknown after the time is up', async () => {
    const silent = await answering(() => {});
    const impatient = createWallet({ url: silent.url, apiKey: 'key', timeoutMs: HASTY_MS });
    expect(await transfer(impatient)).toEqual(unknown('timeout'));
    expect(silent.requests).toHaveLength(1);

    const endless = await answering((_, response) => void response.writeHead(200).write('{"data":'));
    expect(await transfer(createWallet({ url: endless.url, apiKey: 'key', timeoutMs: HASTY_MS }))).toEqual(
      unknown('timeout'),
    );
  });

  test('a call with its own time limit ends then as unknown, never later than the client’s limit', async () => {
    const { url } = await answering(() => {});
    const patient = createWallet({ url, apiKey: 'key', timeoutMs: 3_600_000 });
    expect(await patient.transfer(ORDER, { requestId: 'r', timeoutMs: HASTY_MS })).toEqual(
      unknown('timeout'),
    );
    const impatient = createWallet({ url, apiKey: 'key', timeoutMs: HASTY_MS });
    expect(await impatient.transfer(ORDER, { requestId: 'r', timeoutMs: 3_600_000 })).toEqual(
      unknown('timeout'),
    );
  });

  test('a call that the caller abandons is unknown, for any reason', async () => {
    const { wallet, requests } = await answering(() => {});
    for (const reason of [undefined, new Error('ECONNREFUSED')]) {
      const caller = new AbortController();
      const asked = wallet.transfer(ORDER, { requestId: 'r', signal: caller.signal });
      await expect.poll(() => requests.length).toBe(reason ? 2 : 1);
      caller.abort(reason);
      expect(await asked).toEqual(unknown('timeout'));
    }
  });
});

describe('invisible details are rounded off', () => {
  const asked = async <T>(status: number, body: unknown, ask: (wallet: Wallet) => Promise<T>) =>
    ask((await answering(say(status, body))).wallet);

  test.each<[string, number, unknown, unknown]>([
    ['an unknown number as an error', 400, error(20005), ok({ status: 0 })],
    ['an unknown number as a status', 200, { data: { status: 0, message: '' } }, ok({ status: 0 })],
    ['another error', 400, error(20000), refused('20000', 'No')],
  ])('status: %s', async (_, status, body, answer) => {
    expect(await asked(status, body, (wallet) => wallet.customerStatus(FATIMA))).toEqual(answer);
  });

  test.each<[string, number, unknown, unknown]>([
    ['yes', 200, { data: { logged: true, remainingAttempts: 3 } }, ok(true)],
    [
      'no, as a success',
      200,
      { data: { logged: false, remainingAttempts: 1 } },
      { ...refused('26001'), remainingAttempts: 1 },
    ],
    ['no, without a number', 200, { data: { logged: false } }, refused('26001')],
    [
      'no, as an error',
      400,
      { ...error(26001), remainingAttempts: 2 },
      { ...refused('26001', 'No'), remainingAttempts: 2 },
    ],
  ])('login: %s', async (_, status, body, answer) => {
    expect(await asked(status, body, (wallet) => wallet.login({ phone: FATIMA, pin: PIN }))).toEqual(answer);
  });

  test.each<[string, object, unknown]>([
    ['neither fee nor total', {}, { fees: 0, total: 200_00, openLoop: false }],
    ['a fee', { feesAmount: 2.1 }, { fees: 210, total: 202_10, openLoop: false }],
    [
      'a total of its own',
      { feesAmount: 2, totalAmount: 203 },
      { fees: 200, total: 203_00, openLoop: false },
    ],
    [
      'nulls',
      { feesAmount: null, totalAmount: null, openLoop: null, operation: null },
      { fees: 0, total: 200_00, openLoop: false },
    ],
    [
      'a name',
      { openLoop: true, operation: { recipientName: 'Ali' } },
      { fees: 0, total: 200_00, openLoop: true, recipientName: 'Ali' },
    ],
  ])('preview: %s', async (_, data, value) => {
    expect(await asked(200, { data }, (wallet) => wallet.previewTransfer(ORDER))).toEqual(ok(value));
  });

  test('an operation', async () => {
    const transactionDate = '2026-11-20T11:00:00+01:00';
    const data = {
      operationId: 1,
      amount: 10,
      operationType: 3,
      transactionDate,
      sens: 1,
      transactionStatus: 2,
    };
    expect(await asked(200, { data }, (wallet) => wallet.operation(FATIMA, 1))).toEqual(
      ok({
        id: 1,
        type: 3,
        status: 2,
        direction: 1,
        amount: 1000,
        fees: 0,
        total: 1000,
        at: Date.parse('2026-11-20T10:00:00Z'),
        sender: '',
        receiver: '',
      }),
    );
  });
});

test.each<[string, (wallet: Wallet) => Promise<unknown>]>([
  ['login', (wallet) => wallet.login({ phone: FATIMA, pin: PIN })],
  ['createPin', (wallet) => wallet.createPin({ phone: FATIMA, pin: PIN })],
  ['changePin', (wallet) => wallet.changePin({ phone: FATIMA, oldPin: PIN, newPin: PIN })],
  ['resetPin', (wallet) => wallet.resetPin({ phone: FATIMA, otp: PIN, pin: PIN })],
  ['confirm', (wallet) => wallet.confirm({ phone: FATIMA, code: PIN })],
])('%s: an answer never repeats a secret', async (_, ask) => {
  const quoting = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
    say(status, { errorCode: 26005, errorDescription: `PIN ${PIN} is not allowed` })(_request, response);
  for (const status of [400, 500, 200]) {
    const { wallet, requests } = await answering(quoting(status));
    expect(inspect(await ask(wallet), { depth: 9 })).not.toContain(PIN);
    expect(requests[0]?.body).toContain(PIN);
  }
  const nowhere = createWallet({ url: 'http://wallet.invalid', apiKey: 'key' });
  expect(inspect(await ask(nowhere), { depth: 9 })).not.toContain(PIN);
});

test('a redirect is not followed, not even by a `fetch` that would: the wallet is asked once', async () => {
  const { url, requests } = await answering((_, response) =>
    response.writeHead(307, { location: '/api/elsewhere' }).end(),
  );
  for (const fetch of [undefined, globalThis.fetch]) {
    const wallet = createWallet({ url, apiKey: 'key', ...(fetch && { fetch }) });
    expect(await transfer(wallet)).toEqual(unknown('http307'));
  }
  expect(requests).toHaveLength(2);
});
