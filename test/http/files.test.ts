import { expect, test } from 'vitest';
import { files, LOOK } from '../../src/http/files.ts';

const app = () => files(LOOK, ['look.css', 'icon.svg']);

test.each([
  ['look.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml; charset=utf-8'],
])('%s is served as %s, to be asked for each time', async (name, type) => {
  const file = await app().request(`/${name}`);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe(type);
  expect(file.headers.get('cache-control')).toBe('no-cache');
  expect(file.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await file.text()).length).toBeGreaterThan(100);
});

test('a copy that is still good is not sent again, and any other one is', async () => {
  const etag = (await app().request('/look.css')).headers.get('etag') ?? '';
  const other = (await app().request('/icon.svg')).headers.get('etag') ?? '';
  expect(etag).not.toBe(other);
  const ask = async (tag: string) =>
    (await app().request('/look.css', { headers: { 'if-none-match': tag } })).status;
  expect(await ask(etag)).toBe(304);
  expect(await ask(`W/${etag}`)).toBe(304);
  expect(await ask(other)).toBe(200);
});

test.each(['/', '/palette.css', '/look.css/', '/..%2flook.css', '/%2e%2e/files.ts', '/look.css%00'])(
  'nothing is served at %s',
  async (path) => {
    expect((await app().request(path)).status).toBe(404);
  },
);

test('a name without its file is found at the start', () => {
  expect(() => files(LOOK, ['nothing.css'])).toThrow(/ENOENT/);
});
