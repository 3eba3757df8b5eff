import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { listening } from '../../src/http/listening.ts';

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
