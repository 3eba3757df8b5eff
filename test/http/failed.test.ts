import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failed } from '../../src/http/failed.ts';
import { listening, type Server } from '../../src/http/listening.ts';

let server: Server;
let seen: string[];
const printed = vi.spyOn(console, 'error');

beforeEach(async () => {
  seen = [];
  const app = new Hono();
  app.onError(
    failed(
      (error) => void seen.push(`request: ${(error as Error).message}`),
      (method) => void seen.push(`${method} cut off`),
    ),
  );
  const inside = new Hono();
  inside.post('/text', async (c) => c.text(await c.req.text()));
  inside.post('/json', async (c) => c.json(await c.req.json()));
  inside.post('/form', async (c) => c.text(String((await c.req.formData()).has('a'))));
  inside.post('/bug', async (c) => {
    await c.req.text();
    throw new Error('a bug');
  });
  server = await listening(app.route('/inside', inside), 0, '127.0.0.1');
});
afterEach(() => server.close());

describe('a body that is cut off is no error, and prints nothing', () => {
  test.each([
    ['text', 'Content-Length: 10', 'abc'],
    ['text', 'Content-Length: 10', ''],
    ['text', 'Transfer-Encoding: chunked', '3\r\nabc\r\n'],
    ['json', 'Content-Length: 10', '{"a":'],
    ['form', 'Content-Length: 90\r\nContent-Type: multipart/form-data; boundary=x', '--x\r\n'],
  ])('%s, %s, %j', async (path, head, body) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST /inside/${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`);
    // Once this is answered, the server has read the half request before it.
    await fetch(server.url);
    socket.destroy();
    await expect.poll(() => seen).toEqual(['POST cut off']);
    expect(printed).not.toHaveBeenCalled();
  });
});

test('a bug is reported and answered without a word of it', async () => {
  const answer = await fetch(`${server.url}/inside/bug`, { method: 'POST', body: 'whole' });
  expect([answer.status, await answer.text()]).toEqual([500, 'internal error\n']);
  expect(seen).toEqual(['request: a bug']);
  expect(printed).not.toHaveBeenCalled();
});

test('a body that is no JSON is not cut off', async () => {
  await fetch(`${server.url}/inside/json`, { method: 'POST', body: '{"a":' });
  expect(seen).toEqual([expect.stringMatching(/^request: /)]);
});
