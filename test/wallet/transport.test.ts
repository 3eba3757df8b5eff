import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants, createSecureServer } from 'node:http2';
import { connect } from 'node:net';
import { setImmediate as aMoment, setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listening as serving } from '../../src/http/listening.ts';
import { GivenUp, openTransport } from '../../src/wallet/client/transport.ts';
import { sortThrown } from '../../src/wallet/client/unsent.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { randomOf } from '../battery/town/random.ts';
import { startMovingLine } from '../kit/moving-line.ts';
import { answering, FATIMA, listening, ok, say, unknown, YOUSSEF } from './answering.ts';
import { CERTIFICATE } from './certificate.ts';

const ORDER = { from: FATIMA, to: YOUSSEF, amount: centimes(200_00), reason: 'test' };
/** As many as the wallet is asked for money at once, and one more. */
const CONNECTIONS_MAX = 256;
const NEVER_SENT = { kind: 'unsent', why: 'timeout' };

test('a payment that waited for a connection in vain is never sent, even when one is free again', async () => {
  const held: ServerResponse[] = [];
  const { url, requests } = await answering((_, response) => void held.push(response));
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 20_000 });
  const busy = Array.from({ length: CONNECTIONS_MAX }, (_, i) =>
    wallet.transfer(ORDER, { requestId: `busy-${i}` }),
  );
  await expect.poll(() => requests.length).toBe(CONNECTIONS_MAX);

  const signal = AbortSignal.timeout(100);
  expect(await wallet.transfer(ORDER, { requestId: 'late', signal })).toEqual(NEVER_SENT);

  for (const response of held) response.end('{"data":{"operationId":7}}');
  expect(await Promise.all(busy)).toEqual(busy.map(() => ok({ operationId: 7 })));
  held.splice(0);
  const next = wallet.transfer(ORDER, { requestId: 'next' });
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end('{"data":{"operationId":8}}');
  expect(await next).toEqual(ok({ operationId: 8 }));
  expect(requests.map(({ headers }) => headers['c-request-id'])).not.toContain('late');
});

test('a payment that waited half of its time for a connection is given up in time, and never sent', async () => {
  const held: ServerResponse[] = [];
  const { url, requests } = await answering((request, response) => {
    if (request.method === 'POST' || requests.length > 1) held.push(response);
    else say(200, { data: { status: 3 } })(request, response);
  });
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 60_000 });
  // A read has a connection that is free: of two calls that are begun together it has all of its time.
  expect(await wallet.customerStatus(FATIMA)).toEqual(ok({ status: 3 }));
  const busy = Array.from({ length: CONNECTIONS_MAX }, (_, i) =>
    wallet.transfer(ORDER, { requestId: `busy-${i}` }),
  );
  await expect.poll(() => held.length).toBe(CONNECTIONS_MAX);
  const sent = wallet.customerStatus(FATIMA, { timeoutMs: 1_000 });
  const late = wallet.transfer(ORDER, { requestId: 'late', timeoutMs: 1_000 });
  expect(await Promise.race([sent, late])).toEqual(NEVER_SENT);
  expect(await late).toEqual(NEVER_SENT);
  expect(await sent).toEqual(unknown('timeout'));
  for (const response of held) response.end('{"data":{"operationId":7}}');
  expect(await Promise.all(busy)).toEqual(busy.map(() => ok({ operationId: 7 })));
  expect(requests.map(({ headers }) => headers['c-request-id'])).not.toContain('late');
});

test('a payment that is called unsent never arrives, however the process and the wallet stall', async () => {
  const random = randomOf(30);
  const upTo = (ms: number) => random.between(0, ms);
  const standsStill = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  const arrived = new Set<unknown>();
  const { url } = await answering((request, response) => {
    arrived.add(request.headers['c-request-id']);
    setTimeout(() => response.end('{"data":{"operationId":7}}'), upTo(80));
  });
  const [few, many] = [openTransport(url, 'background'), openTransport(url, 'customers')];
  const made: Promise<readonly [id: string, kind: string]>[] = [];
  for (let i = 0; i < 600; i++) {
    const id = `payment-${i}`;
    const patience = { kind: 'act', timeoutMs: 60, signal: AbortSignal.timeout(upTo(90)) } as const;
    const request = { method: 'POST', url: `${url}/pay`, headers: { 'c-request-id': id } };
    const answer = (i % 3 === 0 ? many : few)(request, '{}', patience);
    made.push(
      answer.then(
        () => [id, 'ok'],
        (error) => [id, sortThrown(error).kind],
      ),
    );
    if (i % 20 === 0) standsStill(upTo(90));
    if (i % 10 === 0) await sleep(upTo(30));
    if (i % 7 === 0) await aMoment();
  }
  const answers = await Promise.all(made);
  // Whatever was still on its way comes before this one.
  const last = createWallet({ url, apiKey: 'key' });
  expect(await last.transfer(ORDER, { requestId: 'last' })).toEqual(ok({ operationId: 7 }));
  const unsent = answers.filter(([, kind]) => kind === 'unsent').map(([id]) => id);
  expect(unsent.filter((id) => arrived.has(id))).toEqual([]);
  expect(unsent).not.toEqual([]);
  expect(arrived.size).toBeGreaterThan(1);
});

test('reads, payments and files do not wait for each other', async () => {
  const { url, requests } = await answering((request, response) => {
    if (request.method === 'POST') return;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"status":3}}');
  });
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 20_000 });
  const stop = new AbortController();
  const busy = Array.from({ length: CONNECTIONS_MAX }, (_, i) =>
    wallet.transfer(ORDER, { requestId: `busy-${i}`, signal: stop.signal }),
  );
  await expect.poll(() => requests.length).toBe(CONNECTIONS_MAX);
  expect(await wallet.customerStatus(FATIMA)).toEqual(ok({ status: 3 }));
  stop.abort();
  expect(await Promise.all(busy)).toEqual(busy.map(() => unknown('timeout')));
});

/** Files have the fewest connections, and for each of them so many may wait. */
const FILE_CONNECTIONS_MAX = 16;
const FILES_WAITING_MAX = 8 * FILE_CONNECTIONS_MAX;

test('calls beyond the limit of waiting ones are never sent, and there is room again after the earlier ones', async () => {
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => void response.writeHead(200).end('%PDF');
  let isHeld = true;
  const { url } = await answering((_, response) => (isHeld ? void held.push(response) : answer(response)));
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 60_000 });
  const ask = (count: number) => Array.from({ length: count }, () => wallet.billReceipt(FATIMA, 12));
  const busy = ask(FILE_CONNECTIONS_MAX);
  await expect.poll(() => held.length).toBe(FILE_CONNECTIONS_MAX);
  const waiting = ask(FILES_WAITING_MAX);
  expect(await wallet.billReceipt(FATIMA, 12)).toEqual({ kind: 'unsent', why: 'busy' });

  isHeld = false;
  held.forEach(answer);
  const answers = await Promise.all([...busy, ...waiting]);
  expect(answers.filter(({ kind }) => kind === 'ok')).toHaveLength(FILE_CONNECTIONS_MAX + FILES_WAITING_MAX);
  expect(await wallet.billReceipt(FATIMA, 12)).toMatchObject({ kind: 'ok' });
});

test('calls to a wallet that cannot be reached wait for nothing once they have failed', async () => {
  const server = await serving(new Hono(), 0, '127.0.0.1');
  await server.close();
  const transport = openTransport(server.url);
  const asked = { method: 'GET', url: `${server.url}/receipt`, headers: {} };
  for (let i = 0; i <= FILES_WAITING_MAX; i++) {
    const failed = await transport(asked, null, { kind: 'file', timeoutMs: 60_000 }).catch((error) => error);
    expect(failed).not.toBeInstanceOf(GivenUp);
    expect(failed).toMatchObject({ code: 'ECONNREFUSED' });
  }
});

test('a payment abandoned before it begins is never sent', async () => {
  const { wallet, requests } = await answering(say(200, { data: {} }));
  expect(await wallet.transfer(ORDER, { requestId: 'r', signal: AbortSignal.abort() })).toEqual(NEVER_SENT);
  expect(await wallet.transfer(ORDER, { requestId: 'after' })).toEqual(ok({}));
  expect(requests.map(({ headers }) => headers['c-request-id'])).toEqual(['after']);
});

test('a wallet whose address leads elsewhere is followed after a minute, also under steady calls', async () => {
  const [before, after] = [await answering(say(200, {})), await answering(say(200, {}))];
  const line = await startMovingLine(Number(new URL(before.url).port));
  onTestFinished(() => line.close());
  const call = openTransport(`http://127.0.0.1:${line.port}`);
  const asks = async () => {
    const request = { method: 'GET', url: `http://127.0.0.1:${line.port}/`, headers: {} };
    await call(request, null, { kind: 'read', timeoutMs: 20_000 });
    // The connection is free again.
    await aMoment();
  };
  await asks();
  line.moves(Number(new URL(after.url).port));
  await asks();
  expect([before.requests.length, after.requests.length]).toEqual([2, 0]);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now + 61_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await asks();
  expect([before.requests.length, after.requests.length]).toEqual([2, 1]);
});

test('a wallet that takes no connection: never sent', async () => {
  const port = await deafServer();
  const wallet = createWallet({ url: `http://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 300 });
  expect(await wallet.transfer(ORDER, { requestId: 'r' })).toEqual(NEVER_SENT);
});

test.each([
  ['not found in the protocol', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'],
  ['no protocol at all', 'SSH-2.0-OpenSSH\r\n'],
])('an answer that is %s: unknown', async (_, answer) => {
  const { url } = await answering((request) => void request.socket.end(answer));
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 5_000 });
  expect(await wallet.transfer(ORDER, { requestId: 'r' })).toMatchObject({ kind: 'unknown' });
});

test('a file without a type has none, also where Hono has put its own Response in place', async () => {
  const server = await serving(new Hono(), 0, '127.0.0.1');
  onTestFinished(() => server.close());
  const { wallet } = await answering((_, response) => void response.writeHead(200).end('%PDF'));
  const file = { type: 'application/octet-stream', bytes: new Uint8Array(Buffer.from('%PDF')) };
  expect(await wallet.billReceipt(FATIMA, 12)).toEqual(ok(file));
});

test('a wallet that also speaks HTTP/2, where a refused request would be sent once more: it is sent once', async () => {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, CERTIFICATE.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const sent: string[] = [];
  const server = createSecureServer({ ...CERTIFICATE, allowHTTP1: true });
  server.on('request', (request, response) => {
    sent.push(`HTTP/${request.httpVersion} ${request.headers['c-request-id']}`);
    if (request.httpVersion === '2.0') request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"operationId":7}}');
  });
  const port = await listening(server);
  const wallet = createWallet({ url: `https://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 5_000 });
  expect(await wallet.transfer(ORDER, { requestId: 'r' })).toEqual(ok({ operationId: 7 }));
  expect(sent).toEqual(['HTTP/1.1 r']);
});

test('an answer without end is cut off, and is no answer', async () => {
  const { url } = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = 'x'.repeat(1_000_000);
    const more = () => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 15_000 });
  expect(await wallet.transfer(ORDER, { requestId: 'r' })).toEqual(unknown('unreadable'));
});

test('an answer in parts is put together again', async () => {
  const parts = ['{"data"', ':{"operationI', 'd":', '7', '}}'];
  const chunks = [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  const { url } = await answering(({ socket }) => void socket.end(head + chunks));
  const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 5_000 });
  expect(await wallet.transfer(ORDER, { requestId: 'r' })).toEqual(ok({ operationId: 7 }));
});

test.each(['', '/', '//', '/partner', '/partner/'])(
  'the address of a wallet may end in %j: paths are appended to it with one slash',
  async (end) => {
    const { url, requests } = await answering(say(200, { data: { status: 3 } }));
    const wallet = createWallet({ url: url + end, apiKey: 'key', timeoutMs: 5_000 });
    expect(await wallet.customerStatus(FATIMA)).toEqual(ok({ status: 3 }));
    const under = end.replace(/\/+$/, '');
    expect(requests.map(({ line }) => line)).toEqual([
      `GET ${under}/api/customers/status?PhoneNumber=${encodeURIComponent(FATIMA)}`,
    ]);
  },
);

test('an answer in chunks of one byte takes no more memory than it has bytes', async () => {
  const chunks = '1\r\n \r\n'.repeat(10_000);
  const { url } = await answering(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    let left = 300;
    const more = () => {
      while (left-- > 0) if (!socket.write(chunks)) return void socket.once('drain', more);
      socket.end('2\r\n{}\r\n0\r\n\r\n');
    };
    more();
  });
  const child = fork(new URL('./small-heap.ts', import.meta.url), [url], {
    execArgv: ['--max-old-space-size=64'],
    stdio: 'ignore',
  });
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  expect(said).toEqual(unknown('unreadable'));
});

/** A port where somebody listens who answers nobody: its queue of connections is full. */
async function deafServer(): Promise<number> {
  const child = fork(new URL('./deaf-server.ts', import.meta.url));
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = (await once(child, 'message')) as [number];
  process.kill(child.pid as number, 'SIGSTOP');
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    isFull = await Promise.race([once(socket, 'connect').then(() => false), sleep(200).then(() => true)]);
  }
  return port;
}
