import { beforeEach, describe, expect, test } from 'vitest';
import type { QrReading } from '../../src/channels/qr/decode.ts';
import { type WebOptions, webRoutes } from '../../src/channels/web/routes.ts';
import { createStreams } from '../../src/channels/web/streams.ts';
import type { WebPush } from '../../src/push/web-push.ts';
import { StoreDown } from '../../src/store/store.ts';
import { alone } from '../kit/alone.ts';
import {
  ALONE,
  CHOICE,
  type FakeConversations,
  fakeConversations,
  fakeLog,
  keyRenderer,
  reply,
  secrets,
} from './fakes.ts';

const HOST = 'wasl.example';
let conversations: FakeConversations;
let logged: ReturnType<typeof fakeLog>;

beforeEach(() => {
  conversations = fakeConversations();
  logged = fakeLog();
});

function app(options: Partial<WebOptions> = {}) {
  return webRoutes({
    readQr: async () => ({ kind: 'none' }),
    conversations,
    renderer: keyRenderer,
    secrets,
    streams: createStreams(ALONE),
    secure: true,
    embedOrigins: [],
    proxies: [],
    walletUrl: 'https://wallet.example/api',
    log: logged.log,
    ...options,
  });
}

async function cookieOf(web: ReturnType<typeof app>): Promise<string> {
  const page = await web.request('/');
  return page.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A request as our own page makes it. */
function post(cookie: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      host: HOST,
      origin: `https://${HOST}`,
      'content-type': 'application/json',
      cookie,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

describe('the page', () => {
  test('gives a new visitor a cookie that only this host reads, and no script', async () => {
    const cookie = (await app().request('/')).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-wasl=[\w-]{32}; /);
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag);
    expect(cookie).not.toContain('Domain');
  });

  test.each([
    [true, expect.stringMatching(/^max-age=\d{8,}/)],
    [false, null],
  ])('served by https (%s) it asks browsers to come by https only', async (secure, header) => {
    const page = await app({ secure }).request('/');
    expect(page.headers.get('strict-transport-security')).toEqual(header);
  });

  test('keeps a visitor’s cookie, and replaces a foreign one', async () => {
    const web = app();
    const cookie = await cookieOf(web);
    expect((await web.request('/', { headers: { cookie } })).headers.get('set-cookie')).toBeNull();
    const odd = await web.request('/', { headers: { cookie: '__Host-wasl=short' } });
    expect(odd.headers.get('set-cookie')).toMatch(/^__Host-wasl=[\w-]{32};/);
  });

  test('without https, for trying it out, the cookie is a plain one', async () => {
    const cookie = (await app({ secure: false }).request('/')).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^wasl=/);
    expect(cookie).not.toContain('Secure');
  });

  test('is framed by nobody but us', async () => {
    const page = await app().request('/');
    expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self'$/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('is framed by the partners that are named, with a cookie that works there', async () => {
    const page = await app({ embedOrigins: ['https://partner.example'] }).request('/');
    expect(page.headers.get('content-security-policy')).toMatch(
      /frame-ancestors 'self' https:\/\/partner\.example$/,
    );
    // These two headers could not name them, and would keep them out.
    expect(page.headers.get('permissions-policy')).toContain('camera=(), microphone=(), geolocation=()');
    expect(page.headers.get('x-frame-options')).toBeNull();
    expect(page.headers.get('cross-origin-resource-policy')).toBeNull();
    expect(page.headers.get('set-cookie')).toMatch(/SameSite=None/);
    expect(page.headers.get('set-cookie')).toMatch(/Partitioned/);
  });

  test('cannot be embedded without https', () => {
    expect(() => app({ secure: false, embedOrigins: ['https://partner.example'] })).toThrow(/https/);
  });

  test('runs no inline script and carries its labels in every language', async () => {
    const html = await (await app().request('/')).text();
    expect(html).not.toMatch(/<script(?![^>]*(?:src=|type="application\/json"))/);
    expect(html).not.toMatch(/ on\w+=| style=|\{\{/);
    const labels = JSON.parse(/id="labels">(.*)<\/script>/.exec(html)?.[1] ?? '');
    expect(Object.keys(labels)).toEqual(['fr', 'ar', 'en']);
    for (const [, label] of html.matchAll(/data-(?:label|aria)="(\w+)"/g)) {
      for (const language of ['fr', 'ar', 'en']) expect(labels[language][label as string]).toBeTruthy();
    }
  });

  test.each([
    'chat.js',
    'fields.js',
    'history.js',
    'line.js',
    'notifications.js',
    'offline.css',
    'payment-card.js',
    'pieces.js',
    'chat.css',
    'palette.css',
    'look.css',
    'icon.svg',
  ])('serves %s', async (name) => {
    const file = await app().request(`/public/${name}`);
    expect(file.status).toBe(200);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    const headers = { 'if-none-match': file.headers.get('etag') ?? '' };
    expect((await app().request(`/public/${name}`, { headers })).status).toBe(304);
  });

  test.each(['/public/../routes.ts', '/public/%2e%2e/routes.ts', '/public/', '/public/chat.html'])(
    'serves no %s',
    async (path) => {
      expect((await app().request(path)).status).toBe(404);
    },
  );
});

describe('a photo', () => {
  const photo = (
    cookie: string,
    query: string,
    type = 'image/jpeg',
    body = 'a picture',
  ): [string, RequestInit] => [
    `/photos?${query}`,
    {
      ...post(cookie, body),
      headers: {
        host: HOST,
        origin: `https://${HOST}`,
        'content-type': type,
        'content-length': String(body.length),
        cookie,
      },
    },
  ];
  const found = async () => ({ kind: 'found', texts: ['a code'] }) as const;

  test('is read, and its code is the answer to the screen', async () => {
    const web = app({ readQr: found });
    const answer = await web.request(...photo(await cookieOf(web), 'id=message-1&answers=7&guess=ar'));
    expect(answer.status).toBe(200);
    expect(conversations.heard.at(-1)).toMatchObject({
      inputs: [{ type: 'photo', qr: 'a code' }],
      screenId: 7,
      language: 'ar',
    });
  });

  test('without a code is still a photo', async () => {
    const web = app();
    await web.request(...photo(await cookieOf(web), 'id=message-1'));
    expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'photo' }]);
  });

  test.each([
    ['no id', 'answers=7', 'image/jpeg', 'x', 400],
    ['another screen than a number', 'id=message-1&answers=x', 'image/jpeg', 'x', 400],
    ['more in the address', 'id=message-1&choice=confirm', 'image/jpeg', 'x', 400],
    ['too many bytes', 'id=message-1', 'image/png', 'x'.repeat(2_000_001), 413],
  ])('with %s is refused', async (_, query, type, body, status) => {
    const web = app({ readQr: found });
    expect((await web.request(...photo(await cookieOf(web), query, type, body))).status).toBe(status);
    expect(conversations.heard).toEqual([]);
  });

  test.each([
    ['image/svg+xml', '<svg/>'],
    ['application/pdf', '%PDF-1.7'],
    ['', ''],
  ])('of another format (%j) is not read: the screen says what to send', async (type, body) => {
    const web = app({ readQr: found });
    const answer = await web.request(...photo(await cookieOf(web), 'id=message-1', type, body));
    expect(answer.status).toBe(200);
    expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'photo' }]);
  });

  test('of lines of a table is called that, and not read', async () => {
    const web = app({ readQr: found });
    await web.request(...photo(await cookieOf(web), 'id=message-1', 'text/csv', ''));
    expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'photo', table: true }]);
  });

  test('of a stranger, or from another site, is not looked at', async () => {
    const web = app({ readQr: found });
    expect((await web.request(...photo('', 'id=message-1'))).status).toBe(401);
    const [path, init] = photo(await cookieOf(web), 'id=message-1');
    const foreign = { ...init.headers, origin: 'https://evil.example' };
    expect((await web.request(path, { ...init, headers: foreign })).status).toBe(403);
  });

  test.each([['image/webp'], ['image/gif']])('of type %s is read as well', async (type) => {
    const web = app({ readQr: found });
    await web.request(...photo(await cookieOf(web), 'id=message-1', type));
    expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'photo', qr: 'a code' }]);
  });

  test('of a visitor waits for their last one, and another visitor’s is read', async () => {
    const reading = Promise.withResolvers<QrReading>();
    const web = app({ readQr: () => reading.promise });
    const [one, other] = [await cookieOf(web), await cookieOf(web)];
    const send = (cookie: string) => web.request(...photo(cookie, 'id=message-1'));
    const first = [send(one), send(other)];
    expect((await send(one)).status).toBe(503);
    reading.resolve({ kind: 'none' });
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(one)).status).toBe(200);
  });

  test('counts for the network that it comes from', async () => {
    const callers: string[] = [];
    const readQr = async (_: Uint8Array, caller: string) => {
      callers.push(caller);
      return { kind: 'none' } as const;
    };
    const web = app({ readQr, proxies: ['127.0.0.1'] });
    const [path, init] = photo(await cookieOf(web), 'id=message-1');
    const headers = { ...init.headers, 'x-forwarded-for': '196.200.1.1' };
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    await web.request(path, { ...init, headers }, env);
    expect(callers).toEqual(['196.200.1.1']);
  });

  test('while the decoder is busy can be sent again', async () => {
    const web = app({ readQr: async () => ({ kind: 'busy' }) });
    expect((await web.request(...photo(await cookieOf(web), 'id=message-1'))).status).toBe(503);
  });
});

describe('files of a document', () => {
  const PDF = new File(['%PDF-1.7 front'], 'x.pdf');
  const PNG = new File(['png'], 'x.png');
  beforeEach(() => {
    conversations.asked = 'now';
  });
  const posted = async (
    files: readonly File[],
    more: Readonly<Record<string, string>> = {},
    web = app(),
    env?: object,
  ) => {
    const form = new FormData();
    for (const file of files) form.append('file', file);
    const encoded = new Response(form);
    const body = new Uint8Array(await encoded.arrayBuffer());
    const headers = {
      host: HOST,
      origin: `https://${HOST}`,
      'content-type': encoded.headers.get('content-type') ?? '',
      'content-length': String(body.length),
      cookie: await cookieOf(web),
      ...more,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    return web.request('/files?id=message-1&answers=7', { method: 'POST', headers: given, body }, env);
  };

  test('that were not asked for are not read: the screen says what to send', async () => {
    conversations.asked = undefined;
    expect((await posted([PDF, PNG])).status).toBe(200);
    expect(conversations.heard).toMatchObject([{ inputs: [{ type: 'photo' }] }]);
    expect(conversations.heard[0]).not.toHaveProperty('document');
  });

  test('one at a time of a visitor, four of a network: the next can be sent again', async () => {
    const web = app({ proxies: ['127.0.0.1'] });
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    // Each body begins, and never goes on.
    const slow = async (network: string, cookie: string) =>
      web.request(
        '/files?id=message-1',
        {
          method: 'POST',
          headers: {
            ...{ host: HOST, origin: `https://${HOST}`, cookie, 'x-forwarded-for': network },
            ...{ 'content-type': 'multipart/form-data; boundary=b', 'content-length': '1000' },
          },
          body: new ReadableStream(),
          duplex: 'half',
        } as RequestInit,
        env,
      );
    const of = async (network: string, cookie: string) =>
      (await posted([PDF], { cookie, 'x-forwarded-for': network }, web, env)).status;
    const [own, ...others] = await Promise.all([...Array(4)].map(() => cookieOf(web)));
    void slow('196.200.1.1', own ?? '');
    await expect.poll(() => of('41.1.1.1', own ?? '')).toBe(503);
    expect(await of('196.200.1.1', await cookieOf(web))).toBe(200);
    for (const cookie of others) void slow('196.200.1.1', cookie);
    const fresh = await cookieOf(web);
    await expect.poll(() => of('196.200.1.1', fresh)).toBe(503);
    expect(await of('41.1.1.1', fresh)).toBe(200);
  });

  test('are given to the conversation side by side, in memory alone', async () => {
    expect((await posted([PDF, PNG])).status).toBe(200);
    const [{ document, ...incoming } = expect.fail()] = conversations.heard.slice(-1);
    expect(incoming).toMatchObject({ inputs: [{ type: 'photo' }], screenId: 7 });
    expect(JSON.stringify(document)).toBe('{}');
    const sides = document?.take()?.map((bytes) => new TextDecoder().decode(bytes));
    expect(sides).toEqual(['%PDF-1.7 front', 'png']);
    expect(document?.take()).toBeUndefined();
  });

  test.each([
    ['none', [], {}, 400],
    ['three', [PDF, PDF, PDF], {}, 400],
    ['no form', [PDF], { 'content-type': 'application/pdf' }, 400],
    ['a broken form', [PDF], { 'content-type': 'multipart/form-data; boundary=another' }, 400],
    ['too long a body', [PDF], { 'content-length': '10065537' }, 413],
    ['a body of no length', [PDF], { 'content-length': '' }, 411],
    ['another site', [PDF], { origin: 'https://evil.example' }, 403],
    ['a stranger', [PDF], { cookie: '' }, 401],
  ] as const)('are refused: %s', async (_, files, headers, status) => {
    expect((await posted(files, headers)).status).toBe(status);
    expect(conversations.heard).toEqual([]);
  });
});

describe('a message', () => {
  test.each([
    [{ text: 'bonjour' }, { type: 'said', text: 'bonjour' }],
    [{ text: "'; DROP TABLE sessions 😀\u202e" }, { type: 'said', text: "'; DROP TABLE sessions 😀\u202e" }],
    [{ choice: 'send' }, { type: 'chose', choice: 'send' }],
    [{ went: 'back' }, { type: 'went', to: 'back' }],
    [{ language: 'ar' }, { type: 'speaks', language: 'ar' }],
    [{ opened: true }, { type: 'opened' }],
  ])('%j is heard as %j', async (said, input) => {
    const web = app();
    const answer = await web.request('/messages', post(await cookieOf(web), { id: 'message-1', ...said }));
    expect(answer.status).toBe(200);
    expect(conversations.heard).toMatchObject([{ inputs: [input] }]);
  });

  test('is answered with the screen, ready to be shown', async () => {
    const web = app();
    conversations.reply = reply(CHOICE, { language: 'ar' });
    const answer = await web.request(
      '/messages',
      post(await cookieOf(web), { id: 'message-1', opened: true }),
    );
    expect(await answer.json()).toEqual({
      reader: null,
      idle: [],
      screenId: 7,
      language: 'ar',
      direction: 'rtl',
      text: 'ar menu.choose',
      choices: [{ id: 'send', label: 'menu.transfer' }],
      expects: 'choice',
    });
  });

  test('says which screen it answers and which language the browser speaks', async () => {
    const web = app();
    const message = { id: 'message-1', choice: 'send', answers: 6, guess: 'en' };
    await web.request('/messages', post(await cookieOf(web), message));
    expect(conversations.heard).toMatchObject([{ screenId: 6, language: 'en' }]);
  });

  test('the address is no secret that anyone could write with', async () => {
    const web = app();
    const cookie = await cookieOf(web);
    await web.request('/messages', post(cookie, { id: 'message-1', opened: true }));
    const address = conversations.heard[0]?.address ?? '';
    expect(address).toMatch(/^web:[\w-]{16}$/);
    expect(cookie).not.toContain(address.slice('web:'.length));
  });

  test.each([
    ['an address', '203.0.113.9', undefined, '203.0.113.9'],
    ['one that says that it is another', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['another, behind our proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['the one that our proxy has added', '10.0.0.1', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
    ['IPv4 on a dual-stack socket', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['IPv6, of which one customer has a network', '2001:db8:1:2ff::9', undefined, '20010db8000102/56'],
    ['another address of that network', '2001:db8:1:201:a:b:c:d', undefined, '20010db8000102/56'],
    ['the network beside it', '2001:db8:1:300::', undefined, '20010db8000103/56'],
    ['a balancer that writes the port', '10.0.0.7', '196.201.1.2:51234', '196.201.1.2'],
    ['one that writes it behind IPv6', '10.0.0.7', '[2001:db8:1:200::1]:443', '20010db8000102/56'],
    ['IPv6 in brackets', '10.0.0.7', '[2001:db8:1:200::1]', '20010db8000102/56'],
    ['a proxy that says nothing', '10.0.0.7', undefined, '10.0.0.7'],
    ['a proxy that hides who it is', '10.0.0.7', '196.201.1.2, unknown', '10.0.0.7'],
    ['no address behind a second proxy', '10.0.0.7', 'nonsense, 10.0.0.8', '10.0.0.8'],
    ['a number that is no address', '10.0.0.7', '196.201.1.2.9', '10.0.0.7'],
    ['a zone', '10.0.0.7', 'fe80::1%eth0', '10.0.0.7'],
    ['a list that ends with a comma', '10.0.0.7', '196.201.1.2,', '10.0.0.7'],
    ['a sender who has gone', '', undefined, 'unknown'],
  ])('says which network it comes from: %s', async (_, remoteAddress, forwarded, network) => {
    const web = app({ proxies: ['10.0.0.0/8'] });
    const sent = post(
      await cookieOf(web),
      { id: 'message-1', opened: true },
      { ...(forwarded && { 'x-forwarded-for': forwarded }) },
    );
    await web.request('/messages', sent, { incoming: { socket: { remoteAddress } } });
    expect(conversations.heard[0]?.origin).toEqual({ kind: 'network', name: network });
  });

  test('has no network when no address is known', async () => {
    const web = app();
    await web.request('/messages', post(await cookieOf(web), { id: 'message-1', opened: true }));
    expect(conversations.heard[0]).not.toHaveProperty('origin');
  });

  test('sent again is the same one, and from another browser it is a new one', async () => {
    const web = app();
    const [one, two] = [await cookieOf(web), await cookieOf(web)];
    for (const cookie of [one, one, two])
      await web.request('/messages', post(cookie, { id: 'same-one', text: '1' }));
    const [first, again, other] = conversations.heard;
    expect(again?.id).toBe(first?.id);
    expect(other?.id).not.toBe(first?.id);
    expect(other?.address).not.toBe(first?.address);
  });
});

describe('a message that is refused', () => {
  test.each([
    ['no JSON', '{"id":'],
    ['a list', []],
    ['no id', { text: '1' }],
    ['an id of another kind', { id: 7, text: '1' }],
    ['a PIN as id', { id: '1234', text: '1' }],
    ['nothing done', { id: 'message-1' }],
    ['two things at once', { id: 'message-1', text: '1', choice: 'send' }],
    ['something unknown', { id: 'message-1', text: '1', admin: true }],
    ['an unknown way', { id: 'message-1', went: 'more' }],
    ['an unknown language', { id: 'message-1', language: 'de' }],
    ['too long a text', { id: 'message-1', text: 'x'.repeat(1_001) }],
    ['a screen of another kind', { id: 'message-1', text: '1', answers: '7' }],
    ['a typed internal event', { id: 'message-1', type: 'xstate.done.actor.login' }],
  ])('with %s is refused', async (_, body) => {
    const web = app();
    const answer = await web.request('/messages', post(await cookieOf(web), body));
    expect(answer.status).toBe(400);
    expect(conversations.heard).toEqual([]);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['another port', { origin: `https://${HOST}:8443` }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['no page at all', { origin: '' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 400],
  ])('from %s is refused', async (_, headers, status) => {
    const web = app();
    const message = post(await cookieOf(web), { id: 'message-1', text: '1' }, headers);
    expect((await web.request('/messages', message)).status).toBe(status);
    expect(conversations.heard).toEqual([]);
  });

  test.each(['', 'wasl=short', '__Host-wasl=', '__Host-wasl=../../etc/passwd0000000'])(
    'with the cookie %j is refused',
    async (cookie) => {
      const answer = await app().request('/messages', post(cookie, { id: 'message-1', text: '1' }));
      expect(answer.status).toBe(401);
      expect(conversations.heard).toEqual([]);
    },
  );

  test('of a megabyte is refused', async () => {
    const web = app();
    const answer = await web.request('/messages', post(await cookieOf(web), 'x'.repeat(1024 * 1024)));
    expect(answer.status).toBe(413);
  });

  test.each([new StoreDown('full'), new TypeError('a bug that quotes 7391')])(
    'that cannot be stored gets an error (%s), and the log quotes nothing',
    async (error) => {
      const web = app();
      conversations.reply = error;
      const answer = await web.request(
        '/messages',
        post(await cookieOf(web), { id: 'message-1', text: '7391' }),
      );
      expect(answer.status).toBe(503);
      expect(logged.lines.join('\n')).toContain(error.name);
      expect(logged.lines.join('\n')).not.toMatch(alone('7391'));
    },
  );

  test.each([
    ['what the page speaks', { guess: 'ar' }, 'fr', 'ar', 'rtl'],
    ["the browser's, where the page does not say", {}, 'de, en;q=0.8, fr;q=0.5', 'en', 'ltr'],
    ["the browser's, of a country", {}, 'ar-MA', 'ar', 'rtl'],
    ["the house's, where it has none of ours", {}, 'de', 'fr', 'ltr'],
    ["the house's, where nobody says", {}, '', 'fr', 'ltr'],
  ])(
    'that cannot be stored is answered with the known state of payments, in %s',
    async (_, more, header, spoken, dir) => {
      const web = app();
      conversations.reply = new StoreDown('stands still');
      const body = { id: 'message-1', text: 'x', ...more };
      const answer = await web.request(
        '/messages',
        post(await cookieOf(web), body, header ? { 'accept-language': header } : {}),
      );
      expect(await answer.json()).toMatchObject({
        says: { text: `${spoken} nav.unavailable`, direction: dir },
      });
    },
  );
});

test('notifications are for browsers that have our cookie and a wallet, of our own page, and end with it', async () => {
  const kept = new Map<string, unknown>();
  const webPush: WebPush = {
    publicKey: async () => 'the key',
    subscribe: async (address, given) => given !== undefined && !!kept.set(address, given),
    unsubscribe: async (address) => void kept.delete(address),
    send: async () => {},
  };
  const web = app({ webPush });
  const cookie = await cookieOf(web);
  expect(await (await web.request('/push', { headers: { cookie } })).json()).toEqual({ key: 'the key' });
  const statusOf = async (...asked: Parameters<typeof web.request>) => (await web.request(...asked)).status;
  expect(await statusOf('/push', post('', { endpoint: 'x' }))).toBe(401);
  expect(await statusOf('/push', post(cookie, { endpoint: 'x' }, { origin: 'https://evil.example' }))).toBe(
    403,
  );
  expect(await statusOf('/push', post(cookie, { endpoint: 'x' }, { 'content-type': 'text/plain' }))).toBe(
    400,
  );
  conversations.linked = false;
  expect(await statusOf('/push', post(cookie, { endpoint: 'x' }))).toBe(400);
  expect(kept.size).toBe(0);
  conversations.linked = true;
  for (const end of [{ ...post(cookie, ''), method: 'DELETE' }, undefined]) {
    expect(await statusOf('/push', post(cookie, { endpoint: 'x' }))).toBe(204);
    expect(kept.size).toBe(1);
    expect(await statusOf(end ? '/push' : '/leave', end ?? post(cookie, ''))).toBe(204);
    expect(kept.size).toBe(0);
  }
  expect((await app().request('/push', { headers: { cookie } })).status).toBe(404);
});

test('leaving makes the browser another visitor', async () => {
  const web = app();
  const cookie = await cookieOf(web);
  const left = await web.request('/leave', post(cookie, ''));
  expect(left.status).toBe(204);
  expect(left.headers.get('set-cookie')?.split(';')[0]).not.toBe(cookie);
  expect((await web.request('/leave', post(cookie, '', { origin: 'https://evil.example' }))).status).toBe(
    403,
  );
});

test.each([
  ['what was seen', { ids: ['a', 'b'] }, 204, ['a', 'b']],
  ['nothing', { ids: [] }, 400, []],
  ['too much', { ids: Array.from({ length: 101 }, String) }, 400, []],
  ['something else', { id: 'a' }, 400, []],
])('acknowledging %s', async (_, body, status, seen) => {
  const web = app();
  expect((await web.request('/seen', post(await cookieOf(web), body))).status).toBe(status);
  expect(conversations.seen).toEqual(seen);
});
