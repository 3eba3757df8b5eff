import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { pageOrigin, sameOrigin } from '../../src/http/origin.ts';

const HOST = 'wasl.example:8080';

test.each([
  ['our own page', `http://${HOST}`, 'own'],
  ['our own page behind a proxy that ends TLS', `https://${HOST}`, 'own'],
  ['another site', 'https://evil.example', 'foreign'],
  ['another port of our host', 'http://wasl.example:8081', 'foreign'],
  ['a host that begins as ours does', `http://${HOST}.evil.example`, 'foreign'],
  ['a page without an origin, as in a sandboxed frame', 'null', 'foreign'],
  ['nonsense', 'not an address', 'foreign'],
  ['nothing at all', '', 'foreign'],
  ['no browser', undefined, 'unnamed'],
])('a request from %s', async (_, origin, expected) => {
  const app = new Hono();
  app.get('/', (c) => c.text(pageOrigin(c)));
  app.post('/act', sameOrigin, (c) => c.text('done'));
  const headers = { host: HOST, ...(origin !== undefined && { origin }) };
  expect(await (await app.request('/', { headers })).text()).toBe(expected);
  const answer = await app.request('/act', { method: 'POST', headers });
  expect(answer.status).toBe(expected === 'own' ? 200 : 403);
});

test('a request that names neither its origin nor a host changes nothing', async () => {
  const app = new Hono().post('/act', sameOrigin, (c) => c.text('done'));
  expect((await app.request('/act', { method: 'POST' })).status).toBe(403);
});

test.each(['GET', 'HEAD'])('%s changes nothing and needs no origin', async (method) => {
  const app = new Hono().get('/', sameOrigin, (c) => c.text('read'));
  expect((await app.request('/', { method, headers: { host: HOST } })).status).toBe(200);
});
