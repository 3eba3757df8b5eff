import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { webRoutes } from '../../src/channels/web/routes.ts';
import { createStreams, deliverWeb, type Elsewhere } from '../../src/channels/web/streams.ts';
import type { Address } from '../../src/conversation/incoming.ts';
import { listening, type Server } from '../../src/http/listening.ts';
import { type FakeConversations, fakeConversations, fakeLog, keyRenderer, push, secrets } from './fakes.ts';

let conversations: FakeConversations;
let servers: Server[];
let listeners: Listening[];

beforeEach(() => {
  bus.listeners.clear();
  bus.told.length = 0;
  bus.isDown = false;
  conversations = fakeConversations();
  servers = [];
  listeners = [];
});

afterEach(async () => {
  for (const listener of listeners) listener.stop();
  for (const server of servers) await server.close();
});

/** The connection between the processes of a test, in place of the store. */
const bus = { listeners: new Set<Parameters<Elsewhere['listen']>[0]>(), told: [] as string[], isDown: false };
const elsewhere: Elsewhere = {
  async tell(_address, name) {
    if (bus.isDown) throw new Error('the store is down');
    bus.told.push(name);
    for (const { named } of bus.listeners) named(name);
  },
  async listen(listener) {
    bus.listeners.add(listener);
    return async () => void bus.listeners.delete(listener);
  },
};

/** One process of several: its own streams, the same conversations. */
async function process() {
  const streams = createStreams(elsewhere);
  const app = new Hono().route(
    '/chat',
    webRoutes({
      readQr: async () => ({ kind: 'none' }),
      conversations,
      renderer: keyRenderer,
      secrets,
      streams,
      secure: false,
      embedOrigins: [],
      proxies: [],
      walletUrl: 'https://wallet.example',
      log: fakeLog().log,
    }),
  );
  const server = await listening(app, 0, '127.0.0.1');
  servers.push(server);
  return { origin: server.url, streams, deliver: deliverWeb(streams) };
}

/** A browser's address, and its cookie. */
async function visitor(origin: string): Promise<{ cookie: string; address: Address }> {
  const cookie = (await fetch(`${origin}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  await fetch(`${origin}/chat/messages`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'message-1', opened: true }),
  });
  return { cookie, address: conversations.heard.at(-1)?.address ?? 'web:' };
}

interface Listening {
  /** The next message of the stream, or undefined at its end. */
  next(): Promise<{ id: string; text: string } | undefined>;
  stop(): void;
}

async function listen(origin: string, cookie: string): Promise<Listening> {
  const controller = new AbortController();
  const answer = await fetch(`${origin}/chat/events`, { headers: { cookie }, signal: controller.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  const listening: Listening = {
    async next() {
      for (;;) {
        const end = buffer.indexOf('\n\n');
        if (end >= 0) {
          const event = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          const data = /^data: (.+)$/m.exec(event)?.[1];
          if (event.includes('event: push') && data) return JSON.parse(data);
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        buffer += decoder.decode(value, { stream: true });
      }
    },
    stop: () => controller.abort(),
  };
  listeners.push(listening);
  return listening;
}

test('a chat that opens hears waiting messages, then new ones, each once', async () => {
  const { origin, deliver } = await process();
  const { cookie, address } = await visitor(origin);
  conversations.held.set(address, [push('waited')]);
  const chat = await listen(origin, cookie);
  expect(await chat.next()).toMatchObject({ id: 'waited', text: 'fr done.waited', screenId: null });
  expect(await deliver(address, push('waited'))).toBe('held');
  expect(await deliver(address, push('new', { language: 'ar', screenId: 9 }))).toBe('held');
  expect(await chat.next()).toMatchObject({ id: 'new', text: 'ar done.new', direction: 'rtl', screenId: 9 });
});

test('a message with a picture is not overtaken by the next one', async () => {
  const { origin, deliver } = await process();
  const { cookie, address } = await visitor(origin);
  const chat = await listen(origin, cookie);
  const picture = { qr: 'MERCHANT 1' };
  const code = push('code', { screen: { key: 'receive-payment.shown', expects: 'nothing', picture } });
  await Promise.all([deliver(address, code), deliver(address, push('paid'))]);
  expect(await chat.next()).toMatchObject({ id: 'code', qr: expect.stringMatching(/^data:image\/png/) });
  expect(await chat.next()).toMatchObject({ id: 'paid' });
});

test('a message for another process is delivered at once, and by no other process', async () => {
  const [one, two] = [await process(), await process()];
  const [mine, theirs] = [await visitor(one.origin), await visitor(one.origin)];
  const chat = await listen(one.origin, mine.cookie);
  await listen(one.origin, theirs.cookie);
  const looks = vi.spyOn(conversations, 'waiting');
  conversations.held.set(mine.address, [push('elsewhere')]);
  expect(await two.deliver(mine.address, push('elsewhere'))).toBe('held');
  expect(await chat.next()).toMatchObject({ id: 'elsewhere' });
  expect(looks.mock.calls).toEqual([[mine.address]]);
});

test('a process does not look for its own messages, and publishes nothing personal', async () => {
  const { origin, deliver } = await process();
  const { cookie, address } = await visitor(origin);
  const chat = await listen(origin, cookie);
  const looks = vi.spyOn(conversations, 'waiting');
  await deliver(address, push('one'));
  expect(await chat.next()).toMatchObject({ id: 'one' });
  expect(looks).not.toHaveBeenCalled();
  expect(bus.told).toEqual([expect.stringMatching(new RegExp(`^[-\\da-f]{36} ${address}$`))]);
});

test('without a connection between processes, a chat still hears its own process', async () => {
  const { origin, deliver } = await process();
  const { cookie, address } = await visitor(origin);
  const chat = await listen(origin, cookie);
  bus.isDown = true;
  expect(await deliver(address, push('here'))).toBe('held');
  expect(await chat.next()).toMatchObject({ id: 'here' });
});

test('after the word of the others was lost, every chat looks', async () => {
  const { origin } = await process();
  const { cookie, address } = await visitor(origin);
  const chat = await listen(origin, cookie);
  conversations.held.set(address, [push('unheard')]);
  for (const { missed } of bus.listeners) missed();
  expect(await chat.next()).toMatchObject({ id: 'unheard' });
});

test('a message comes again to a chat that opens again, until it was seen', async () => {
  const { origin } = await process();
  const { cookie, address } = await visitor(origin);
  conversations.held.set(address, [push('first'), push('second')]);
  const before = await listen(origin, cookie);
  expect(await before.next()).toMatchObject({ id: 'first' });
  before.stop();
  await fetch(`${origin}/chat/seen`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: ['first'] }),
  });
  const after = await listen(origin, cookie);
  expect(await after.next()).toMatchObject({ id: 'second' });
});

test('a chat does not hear messages to another', async () => {
  const { origin, deliver } = await process();
  const [one, two] = [await visitor(origin), await visitor(origin)];
  const chat = await listen(origin, one.cookie);
  await deliver(two.address, push('for-two'));
  await deliver(one.address, push('for-one'));
  expect(await chat.next()).toMatchObject({ id: 'for-one' });
});

test('without a cookie nothing is heard', async () => {
  const { origin } = await process();
  const answer = await fetch(`${origin}/chat/events`);
  expect(answer.status).toBe(401);
  await answer.body?.cancel();
});

test('a fifth window closes the first, and a stop closes all', async () => {
  const { origin, streams } = await process();
  const { cookie } = await visitor(origin);
  const windows: Listening[] = [];
  for (let i = 0; i < 5; i++) windows.push(await listen(origin, cookie));
  expect(await windows[0]?.next()).toBeUndefined();
  streams.close();
  for (const window of windows) expect(await window.next()).toBeUndefined();
});

test('one network address has so many chats open and no more, until one is closed', async () => {
  const { origin, streams } = await process();
  const { cookie } = await visitor(origin);
  const leaves = Array.from({ length: 249 }, () => streams.enter('127.0.0.1'));
  expect(leaves).not.toContain(undefined);
  const chat = await listen(origin, cookie);
  const headers = { cookie, 'accept-language': 'ar' };
  const refused = await fetch(`${origin}/chat/events`, { headers });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    error: 'too many streams',
    says: { text: 'ar nav.tooManyOpen', direction: 'rtl' },
  });
  expect(streams.enter('127.0.0.2')).toBeDefined();
  // Counted out twice, one chat makes room for one.
  leaves[0]?.();
  leaves[0]?.();
  const another = await listen(origin, cookie);
  expect((await fetch(`${origin}/chat/events`, { headers })).status).toBe(429);
  const ended = (async () => expect(await another.next()).toBeUndefined())();
  chat.stop();
  streams.close();
  await ended;
  await expect.poll(() => streams.enter('127.0.0.1')).toBeDefined();
});

test('a process holds so many chats open and no more, until one is closed', async () => {
  const most = 20_000;
  const streams = createStreams(elsewhere);
  const listener = { push: () => {}, look: () => {}, close: () => {} };
  const opens = (i: number) => streams.open(`web:${i}` as Address, listener);
  const removes = await Promise.all(Array.from({ length: most }, (_, i) => opens(i)));
  expect(removes).not.toContain(undefined);
  expect(await opens(most)).toBeUndefined();
  removes[7]?.();
  expect(await opens(most)).toBeDefined();
});
