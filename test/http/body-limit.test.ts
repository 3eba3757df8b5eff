import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bodyAtMost, uploadAtMost } from '../../src/http/body-limit.ts';
import { listening, type Server } from '../../src/http/listening.ts';

const MAX = 10;
let server: Server;
beforeAll(async () => {
  const app = new Hono();
  app.use('/', bodyAtMost(MAX));
  app.use('/upload', uploadAtMost(MAX));
  app.all('*', async (c) => c.text(`read ${(await c.req.text()).length}`));
  server = await listening(app, 0, '127.0.0.1');
  return () => server.close();
});

describe('a body of at most 10 bytes', () => {
  test.each([
    ['that is short', 'POST', 'x'.repeat(10), false, [200, 'read 10']],
    ['that is empty', 'POST', '', false, [200, 'read 0']],
    ['that is too long', 'POST', 'x'.repeat(11), false, [413, 'too large\n']],
    ['of a PUT that is too long', 'PUT', 'x'.repeat(11), false, [413, 'too large\n']],
    ['in chunks, short', 'POST', 'x'.repeat(10), true, [200, 'read 10']],
    ['in chunks, too long', 'POST', 'x'.repeat(11), true, [413, 'too large\n']],
    ['of a GET, which has none', 'GET', '', false, [200, 'read 0']],
  ] as const)('%s', async (_, method, body, inChunks, answer) => {
    expect(await ask(method, body, inChunks)).toEqual(answer);
  });

  test.each([
    ['that is short', 'POST', 'x'.repeat(10), false, [200, 'read 10']],
    ['that is too long', 'POST', 'x'.repeat(11), false, [413, 'too large\n']],
    ['in chunks, however short', 'POST', 'x', true, [411, 'length required\n']],
    ['of a GET, which has none', 'GET', '', false, [200, 'read 0']],
  ] as const)('of a file %s', async (_, method, body, inChunks, answer) => {
    expect(await ask(method, body, inChunks, '/upload')).toEqual(answer);
  });

  test('in chunks, refused midway: the rest of it is discarded, and the next request is answered', async () => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const chunk = `${(64_000).toString(16)}\r\n${'x'.repeat(64_000)}\r\n`;
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(`${(await once(socket, 'data'))[0]}`).toMatch(/^HTTP\/1\.1 413 /);
    socket.write(`${chunk.repeat(100)}0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*read 0/s);
  });

  test.each([
    ['says two lengths', 'Content-Length: 3\r\nContent-Length: 900\r\n\r\nabc'],
    ['says a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n384\r\n'],
    ['says a length that is no number', 'Content-Length: few\r\n\r\nabc'],
  ])('that %s is not read', async (_, rest) => {
    expect(await raw(`POST / HTTP/1.1\r\nHost: localhost\r\n${rest}`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

function ask(
  method: string,
  body: string,
  inChunks: boolean,
  path = '/',
): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const headers = inChunks || method === 'GET' ? {} : { 'content-length': body.length };
    const asked = request(server.url + path, { method, headers }, async (answer) =>
      resolve([answer.statusCode, await text(answer)]),
    );
    asked.on('error', reject);
    if (inChunks) for (const char of body) asked.write(char);
    asked.end(inChunks ? undefined : body);
  });
}

async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return text(socket);
}
