import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { type ConnectionLimits, listening } from '../../src/http/listening.ts';

const HOUR_MS = 3_600_000;
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

/** A server with one request under way, which is answered when the test says so. */
async function busy(graceMs?: number) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const app = new Hono().get('/', async (c) => {
    asked.resolve();
    await gate.promise;
    return c.text('answered');
  });
  const server = await listening(app, 0, '127.0.0.1', graceMs === undefined ? {} : { graceMs });
  const answer = fetch(server.url).then((response) => response.text());
  await asked.promise;
  return { server, answer, goes: gate.resolve };
}

test.each([
  ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
  ...(hasIpv6 ? ([['::1', /^http:\/\/\[::1\]:\d+$/]] as const) : []),
] as const)('on %s its address can be opened', async (host, url) => {
  const server = await listening(
    new Hono().get('/', (c) => c.text('here')),
    0,
    host,
  );
  expect(server.url).toMatch(url);
  expect(await (await fetch(server.url)).text()).toBe('here');
  await server.close();
});

test('a request under way is answered before it closes', async () => {
  const { server, answer, goes } = await busy(HOUR_MS);
  const closed = server.close();
  // Long enough for it to be cut off, if it were to be.
  await sleep(50);
  goes();
  expect(await answer).toBe('answered');
  await closed;
});

test('without patience, one that never ends does not keep it open', async () => {
  const { server, answer } = await busy();
  const cut = expect(answer).rejects.toThrow();
  await server.close();
  await cut;
});

test('a port that is taken is refused', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(listening(new Hono(), port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});

const LIMITS: ConnectionLimits = {
  keepAliveMs: HOUR_MS,
  headersMs: HOUR_MS,
  requestMs: HOUR_MS,
  connectionsMax: 100,
};

/** A connection to a server that answers everything at once, and what comes back on it until it is closed. */
async function connected(limits: Partial<ConnectionLimits>) {
  const app = new Hono().all('/', async (c) => c.text(`got ${await c.req.text()}`));
  app.post('/unread', (c) => c.text('no', 403)).onError((_, c) => c.text('cut off', 500));
  const server = await listening(app, 0, '127.0.0.1', { limits: { ...LIMITS, ...limits } });
  onTestFinished(() => server.close());
  const open = () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return { socket, whole: text(socket) };
  };
  return { server, open };
}
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** Longer than a machine stands still: what comes of a request at once has come before it. */
const LONG_MS = 3_000;

test.each<[string, Partial<ConnectionLimits>, string, RegExp]>([
  ['is idle', { keepAliveMs: 50 }, REQUEST, /^HTTP\/1\.1 200 .*got $/s],
  ['never ends its head', { headersMs: 50 }, 'GET / HTTP/1.1\r\nHost', /^HTTP\/1\.1 408 /],
  [
    'never ends a body that nobody reads',
    { headersMs: LONG_MS, requestMs: LONG_MS },
    'POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    /^HTTP\/1\.1 403 /,
  ],
  [
    'never ends its body',
    { headersMs: 50, requestMs: 100 },
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    /^(?:HTTP\/1\.1 408 |$)/,
  ],
])('a connection that %s is closed', async (_, limits, bytes, answer) => {
  const { open } = await connected(limits);
  const { socket, whole } = open();
  socket.write(bytes);
  expect(await whole).toMatch(answer);
});

/** More than the library's time for a body that nobody reads. */
const DRAINED_MS = 700;

test('an unread late body does not end its connection', async () => {
  const { open } = await connected({});
  const { socket, whole } = open();
  socket.write('POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 403 /);
  await sleep(DRAINED_MS);
  socket.write(`abc${REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
  expect(await whole).toMatch(/got $/);
});

test('a connection beyond the limit is closed unanswered, and those before it are served', async () => {
  const { open } = await connected({ connectionsMax: 1, keepAliveMs: 50 });
  const first = open();
  await once(first.socket, 'connect');
  const second = open();
  expect(await second.whole).toBe('');
  first.socket.write(REQUEST);
  expect(await first.whole).toContain('200');
});

test('before it closes, a server asks open connections to move', async () => {
  const { server, open } = await connected({});
  const before = open();
  before.socket.write(REQUEST);
  const [answer] = await once(before.socket, 'data');
  expect(`${answer}`).toContain('Connection: keep-alive');
  server.drain();
  before.socket.write(REQUEST);
  expect(await before.whole).toMatch(/connection: close/i);
});

/** The first line of the answer to a target, sent as it is: `fetch` would tidy it. */
async function answerTo(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n', 1)[0] ?? '';
}

test.each([
  ['/%73upport', 400],
  ['/x/../support', 400],
  ['/x/%2e%2e/support', 400],
  ['/x/%2E./support', 400],
  ['/./support', 400],
  ['//support', 400],
  ['//x/support', 400],
  ['/x\\..\\support', 400],
  ['/support/%2e', 400],
  ['http://x/support', 400],
  ['/support%5fx', 400],
  ['/support#x', 400],
  ['/support', 200],
  ['/support?next=/%73upport/../x', 200],
  ['/support/a%2Fb', 200],
  ['/support/%2573', 200],
  ['/support/d%C3%A9pot', 200],
  ['/support/a~b.c_d-e', 200],
])('a page is reached under one spelling alone: %s', async (target, status) => {
  const app = new Hono().get('/support/:id?', (c) => c.text('in'));
  const server = await listening(app, 0, '127.0.0.1');
  expect(await answerTo(server.port, target)).toContain(` ${status} `);
  await server.close();
});
