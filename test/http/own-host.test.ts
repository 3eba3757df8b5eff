import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { loopbackHosts, ownHostOnly } from '../../src/http/own-host.ts';

describe('a server for this machine alone', () => {
  const app = new Hono()
    .use(ownHostOnly(loopbackHosts(['https://demo.example/wasl', undefined])))
    .get('/', (c) => c.text('here'));
  const statusFor = async (host: string) => (await app.request('/', { headers: { host } })).status;

  test.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST:1', 'demo.example'])(
    'answers to %s',
    async (host) => {
      expect(await statusFor(host)).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example@localhost@x y',
    'demo.example.evil',
    '192.0.2.1',
    '',
  ])('not to "%s"', async (host) => {
    expect(await statusFor(host)).toBe(421);
  });
});
