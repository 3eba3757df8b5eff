import { afterAll, beforeAll, expect, test } from 'vitest';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import { simulatorRoutes } from '../../src/channels/simulator/routes.ts';
import { simulateTelegram } from '../../src/channels/simulator/telegram.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { CHOICE, fakeConversations, keyRenderer, push, reply } from './fakes.ts';

const PHONE = msisdn('0612345678');
const USER = 212612345678;
const ADDRESS = `telegram:${USER}` as const;
const ORIGIN = 'http://localhost';
const BASE = { phone: '0612345678', language: 'fr' };
const conversations = fakeConversations();
const telegram = simulateTelegram({
  renderer: keyRenderer,
  secrets: createSecrets('a key of more than thirty-two characters'),
  readQr: createQrReader(),
  language: 'fr',
  log: { say() {}, over() {} },
});
const options = {
  conversations,
  customers: async () => [],
  inbox: async () => [],
  serviceCode: '*123#',
  sandboxUrl: 'http://localhost:8081',
};
const app = simulatorRoutes({ ...options, telegram: telegram.open(conversations) });
afterAll(() => telegram.close());

interface Chat {
  readonly messages: readonly {
    readonly id: number;
    readonly by: string;
    readonly text: string;
    readonly buttons: readonly (readonly { readonly text: string; readonly data: string }[])[];
    readonly file?: { readonly name: string; readonly isPicture: boolean };
  }[];
  readonly commands: readonly unknown[];
}

const chat = async (phone: string = PHONE): Promise<Chat> => {
  const query = new URLSearchParams({ phone, language: 'fr' });
  return (await (await app.request(`/simulator/telegram/chat?${query}`)).json()) as Chat;
};
const post = (body: unknown, origin = ORIGIN, to = app) =>
  to.request('/simulator/telegram', {
    method: 'POST',
    headers: { host: 'localhost', origin },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The engine hands over a message that waits in the outbox. */
const says = (id: string) => {
  conversations.held.set(ADDRESS, [push(id)]);
  return telegram.deliver(ADDRESS, push(id));
};

let button = { message: 0, data: '' };
beforeAll(async () => {
  conversations.reply = reply(CHOICE);
  expect((await post({ ...BASE, does: 'write', text: '/start' })).status).toBe(204);
  const { id = 0, buttons } = (await chat()).messages.at(-1) ?? { buttons: [] };
  button = { message: id, data: buttons[0]?.[0]?.data ?? '' };
});

test('a person’s message reaches the channel, and the chat shows the bot’s answer', async () => {
  expect(conversations.heard.at(-1)).toMatchObject({ address: `telegram:${USER}`, language: 'fr' });
  expect((await chat()).messages.map(({ by, text }) => [by, text])).toEqual([
    ['person', '/start'],
    ['bot', 'fr menu.choose'],
  ]);
  expect((await chat('0698765432')).messages).toEqual([]);
});

test('its commands are those that the channel has named', async () => {
  await expect.poll(async () => (await chat()).commands.length).toBeGreaterThan(5);
});

test('a shared number is the phone’s own', async () => {
  await post({ ...BASE, phone: '0611111111', does: 'share' });
  expect(conversations.heard.at(-1)?.inputs).toEqual([
    { type: 'contact', phone: msisdn('0611111111'), own: true },
  ]);
});

test('a press is answered on the button’s own screen', async () => {
  expect((await post({ ...BASE, does: 'press', ...button })).status).toBe(204);
  expect(conversations.heard.at(-1)).toMatchObject({
    screenId: 7,
    inputs: [{ type: 'picked', position: 0 }],
  });
});

test('a message of the wallet comes into the chat', async () => {
  await says('received');
  expect((await chat()).messages.at(-1)).toMatchObject({ by: 'bot', text: 'fr done.received' });
});

test('a message that comes during a turn is shown after it', async () => {
  const { receive } = conversations;
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  conversations.receive = async (incoming, ms) => {
    entered.resolve();
    await gate.promise;
    return receive(incoming, ms);
  };
  const turn = post({ ...BASE, does: 'write', text: '/menu' });
  await entered.promise;
  const told = telegram.chatAt(ADDRESS)?.inOrder(() => says('late'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  gate.resolve();
  await Promise.all([turn, told]);
  conversations.receive = receive;
  expect((await chat()).messages.slice(-2).map(({ text }) => text)).toEqual([
    'fr menu.choose',
    'fr done.late',
  ]);
});

test('a picture stays in its own chat, and is served as nothing that runs', async () => {
  const sent = await app.request('/simulator/telegram/photo?phone=0612345678&language=fr', {
    method: 'POST',
    headers: { host: 'localhost', origin: ORIGIN, 'content-type': 'image/png', 'content-length': '8' },
    body: '<script>',
  });
  expect(sent.status).toBe(204);
  expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'opened' }]);
  expect((await chat()).messages.at(-1)?.text).toMatch(/^fr telegram\.photoKind/);
  const message = (await chat()).messages.find(({ file }) => file);
  expect(message?.file).toEqual({ name: 'photo.png', bytes: 8, isPicture: true });
  const file = (phone: string) =>
    app.request(`/simulator/telegram/file?${new URLSearchParams({ phone, message: String(message?.id) })}`);
  const served = await file(PHONE);
  expect(served.headers.get('x-content-type-options')).toBe('nosniff');
  expect(served.headers.get('content-disposition')).toBe('attachment; filename="photo.png"');
  expect((await file('0698765432')).status).toBe(404);
});

test.each([
  ['another site', { ...BASE, does: 'write', text: 'a' }, 'https://evil.example', 403],
  ['no number', { ...BASE, phone: '05', does: 'write', text: 'a' }, ORIGIN, 400],
  ['another language', { ...BASE, language: 'de', does: 'write', text: 'a' }, ORIGIN, 400],
  ['nothing written', { ...BASE, does: 'write', text: ' ' }, ORIGIN, 400],
  ['too much written', { ...BASE, does: 'write', text: 'a'.repeat(4_097) }, ORIGIN, 400],
  ['another deed', { ...BASE, does: 'delete' }, ORIGIN, 400],
  ['another’s number shared', { ...BASE, does: 'share', contact: '0698765432' }, ORIGIN, 400],
  ['a button that is not there', { ...BASE, does: 'press', message: 1, data: 'c:7:0' }, ORIGIN, 404],
  ['no JSON', '{', ORIGIN, 400],
  ['a body without end', `"${'a'.repeat(70_000)}"`, ORIGIN, 413],
])('nothing comes of %s', async (_, body, origin, status) => {
  conversations.heard.length = 0;
  expect((await post(body, origin)).status).toBe(status);
  expect(conversations.heard).toEqual([]);
});

test.each([
  ['/simulator/telegram/chat?phone=0612345678&language=fr', 'GET'],
  ['/simulator/telegram/file?phone=0612345678&message=1', 'GET'],
  ['/simulator/telegram', 'POST'],
  ['/simulator/telegram/photo?phone=0612345678&language=fr', 'POST'],
])('without a simulated bot there is no %s', async (path, method) => {
  const without = simulatorRoutes(options);
  const headers = { host: 'localhost', origin: ORIGIN };
  expect((await without.request(path, { method, headers })).status).toBe(404);
});

test('a turn that is lost is said so, and not retold', async () => {
  conversations.reply = new Error('0612345678');
  const lost = await post({ ...BASE, does: 'write', text: '/menu' });
  conversations.reply = reply(CHOICE);
  expect([lost.status, await lost.json()]).toEqual([503, { error: 'unavailable' }]);
});
