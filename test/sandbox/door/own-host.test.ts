import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandbox } from '../kit.ts';

async function served(host: string, shownAt?: string) {
  const server = await sandbox().listen(0, host, shownAt);
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  /** The status of an answer to somebody who believes to speak to another host. */
  return (name: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, headers: { host: name } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on('error', reject).end();
    });
}

describe('a sandbox for this machine alone', () => {
  test.each([
    ['localhost', '/', 200],
    ['127.0.0.1', '/sandbox/settings', 200],
    ['[::1]:8081', '/api/customers/balance?phoneNumber=%2B212600000001', 401],
    ['evil.example', '/', 421],
    ['evil.example', '/sandbox/settings', 421],
    ['evil.example', '/api/customers/balance?phoneNumber=%2B212600000001', 421],
    ['127.0.0.1.evil.example', '/sandbox/settings', 421],
  ])('asked as %j for %s: %d', async (name, path, status) => {
    const statusFor = await served('127.0.0.1');
    expect(await statusFor(name, path)).toBe(status);
  });

  test('answers at an address for others, too', async () => {
    const statusFor = await served('127.0.0.1', 'https://demo.example/wasl');
    expect(await statusFor('demo.example', '/sandbox/settings')).toBe(200);
    expect(await statusFor('evil.example', '/sandbox/settings')).toBe(421);
  });
});

test('a sandbox open to others answers to any name', async () => {
  const statusFor = await served('0.0.0.0');
  expect(await statusFor('sandbox.internal', '/sandbox/settings')).toBe(200);
});
