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

const ALL = { stranger: 200, listed: ['sandbox-key', 'shop-key-1', 'shop-key-2'], deleted: 200 };
const OWN = { stranger: 401, listed: ['sandbox-key'], deleted: 404 };
describe.each([
  ['on this machine', '127.0.0.1', undefined, ALL],
  ['where others reach it', '0.0.0.0', undefined, OWN],
  ['where a proxy shows it to others', '127.0.0.1', 'https://demo.example', OWN],
])('the desk of a further key, %s', (_, host, shownAt, expected) => {
  const KEY = 'shop-key-1';
  async function shop() {
    const wallet = sandbox();
    const server = await wallet.listen(0, host, shownAt);
    onTestFinished(() => server.close());
    const { port } = new URL(server.url);
    for (const apiKey of [KEY, 'shop-key-2']) wallet.addKey({ apiKey });
    return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  }
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`me:${password}`)}` });

  test.each<[string, Record<string, string>, number]>([
    ['no key', {}, expected.stranger],
    ['another key as password', basic('shop-key-2'), expected.stranger],
    ['the first key as password', basic('sandbox-key'), expected.stranger],
    ['no Basic', { authorization: 'Bearer shop-key-1' }, expected.stranger],
    ['its key as password', basic(KEY), 200],
    ['its key as a header', { 'Svc-Api-Key': KEY }, 200],
  ])('with %s', async (_name, headers, status) => {
    const ask = await shop();
    for (const path of ['/?partner=2', '/desk/requests?partner=2', '/sandbox/settings?partner=2'])
      expect((await ask(path, headers)).status).toBe(status);
    expect((await ask('/sandbox/settings', headers)).status).toBe(200);
  });

  test('another partner neither reads its key nor deletes it, and it deletes itself', async () => {
    const ask = await shop();
    const page = await (await ask('/desk/settings')).text();
    const listed = (await (await ask('/sandbox/partners')).json()) as { apiKey: string }[];
    expect(listed.map(({ apiKey }) => apiKey)).toEqual(expected.listed);
    expect(page.includes(KEY)).toBe(expected.listed.includes(KEY));
    expect((await ask('/sandbox/partners/3', {}, 'DELETE')).status).toBe(expected.deleted);
    expect((await ask('/sandbox/partners/2', { 'Svc-Api-Key': KEY }, 'DELETE')).status).toBe(200);
    expect((await ask('/sandbox/settings?partner=2')).status).toBe(404);
  });
});
