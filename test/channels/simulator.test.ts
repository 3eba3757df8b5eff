import { afterAll, expect, test } from 'vitest';
import arDemo from '../../locales/ar/demo.json' with { type: 'json' };
import ar from '../../locales/ar/simulator.json' with { type: 'json' };
import enDemo from '../../locales/en/demo.json' with { type: 'json' };
import en from '../../locales/en/simulator.json' with { type: 'json' };
import frDemo from '../../locales/fr/demo.json' with { type: 'json' };
import fr from '../../locales/fr/simulator.json' with { type: 'json' };
import { simulatorRoutes } from '../../src/channels/simulator/routes.ts';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import { TURN_EVENT } from '../../src/conversation/record/turn-event.ts';
import { PLAIN_FAULT_NAMES } from '../../src/sandbox/faults/faults.ts';
import { bankTransferFees, TARIFFS } from '../../src/sandbox/ledger/fees.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { fakeConversations } from './fakes.ts';

const demo = { fr: frDemo, ar: arDemo, en: enDemo };
const PHONE = msisdn('0612345678');
const ORIGIN = 'http://localhost';
const conversations = fakeConversations();
const inbox = createSmsInbox(() => 1);
const sandbox = createSandbox({ file: ':memory:' });
afterAll(() => sandbox.close());
const options = {
  conversations,
  customers: async () => [{ name: 'Fatima', phone: PHONE, pin: '1234', status: 3 as const }],
  inbox: async (phone: Msisdn) => inbox.of(phone),
  serviceCode: '*123#',
  sandboxUrl: 'http://localhost:8081',
};
const OPEN = [{ id: 7, kind: 'cash-in' as const, amount: 300 }];
const executed: number[] = [];
const counter = { open: () => OPEN, execute: async (id: number) => void executed.push(id) };
const app = simulatorRoutes({ ...options, counter, faults: sandbox.faults });

test('the page has every label in every language, and no inline script or style', async () => {
  const html = await (await app.request('/')).text();
  const labels = JSON.parse(/id="labels">(.*)<\/script>/.exec(html)?.[1] ?? '');
  const used = [...html.matchAll(/data-(?:label|aria|title)="(\w+)"/g)].map(([, name]) => name as string);
  expect(used.length).toBeGreaterThan(20);
  for (const language of ['fr', 'ar', 'en']) {
    for (const name of used) expect(labels[language][name], `${language} ${name}`).toBeTruthy();
  }
  expect(html.replace(JSON.stringify(labels), '')).not.toMatch(
    /\{\{|"" (?:data|aria)|<script>| on\w+=| style=/,
  );
});

test.each(['fr', 'ar', 'en'])('terms and tariffs of the demonstration, in %s', async (language) => {
  const shown = simulatorRoutes({ ...options, tariffs: TARIFFS });
  const [terms, tariffs] = await Promise.all(
    ['terms', 'tariffs'].map(async (page) => (await shown.request(`/simulator/${page}/${language}`)).text()),
  );
  const { only } = demo[language as 'fr'];
  for (const page of [terms, tariffs]) expect(page).toContain(only.replaceAll("'", '&#39;'));
  // 1,000.00 is the last amount of the lower fee for a bank transfer, which the sandbox charges.
  expect(bankTransferFees(centimes(1_000_00))).toBe(5_00);
  expect(tariffs).toMatch(/1000[.,]00/);
  expect(tariffs?.match(/<tr>/g)).toHaveLength(Object.values(TARIFFS).flat().length);
  expect((await app.request(`/simulator/tariffs/${language}`)).status).toBe(404);
});

test.each([
  'simulator.css',
  'handset.css',
  'simulator.js',
  'handset.js',
  'phone.js',
  'septets.js',
  'faults.js',
  'behind.js',
  'behind.css',
  'bot-chat.js',
  'bot-message.js',
  'bot-chat.css',
])('serves %s', async (name) => {
  expect((await app.request(`/simulator/public/${name}`)).status).toBe(200);
});

test('starts with the seeded customers', async () => {
  expect(await (await app.request('/simulator/start')).json()).toEqual({
    serviceCode: '*123#',
    sandboxUrl: 'http://localhost:8081',
    console: false,
    customers: [{ name: 'Fatima', phone: PHONE, pin: '1234', status: 3 as const }],
    faults: PLAIN_FAULT_NAMES,
    telegram: false,
    whatsapp: false,
    behind: false,
  });
});

test('the counter is played for the open references of a number, and for no other', async () => {
  const asks = (body: object, origin = 'http://localhost') =>
    app.request('/simulator/counter', {
      method: 'POST',
      headers: { host: 'localhost', origin },
      body: JSON.stringify(body),
    });
  expect(await (await app.request(`/simulator/counter?phone=${encodeURIComponent(PHONE)}`)).json()).toEqual(
    OPEN,
  );
  expect((await asks({ phone: PHONE, id: 7 })).status).toBe(204);
  expect((await asks({ phone: PHONE, id: 8 })).status).toBe(400);
  expect((await asks({ phone: 'x', id: 7 })).status).toBe(400);
  expect((await asks({ phone: PHONE, id: 7 }, 'https://evil.example')).status).toBe(403);
  expect((await app.request('/simulator/counter?phone=x')).status).toBe(400);
  expect(executed).toEqual([7]);
});

test('every fault has a name in every language', () => {
  for (const labels of [fr, ar, en] as Record<string, string>[]) {
    const named = Object.keys(labels).filter((key) => key.startsWith('fault_'));
    expect(named.sort()).toEqual(PLAIN_FAULT_NAMES.map((name) => `fault_${name}`).sort());
  }
});

test('every start of a turn has a name in every language', () => {
  const kinds = TURN_EVENT.options.flatMap(({ shape }) =>
    'input' in shape
      ? shape.input.options.flatMap(({ shape: { type } }) =>
          'values' in type ? [...type.values] : [...type.options],
        )
      : [...shape.kind.values],
  );
  expect(kinds).toEqual(expect.arrayContaining(['said', 'payment']));
  for (const labels of [fr, ar, en] as Record<string, string>[])
    for (const kind of kinds) expect(labels, kind).toHaveProperty(`behind_${kind}`);
});

const setFault = (body: unknown, origin = ORIGIN, to = app) =>
  to.request('/simulator/faults', {
    method: 'POST',
    headers: { host: 'localhost', origin },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('sets one fault at a time, for the next payment or for all, and none', async () => {
  expect((await setFault({ name: 'listLag', times: 'always' })).status).toBe(200);
  expect(sandbox.faults.list()).toMatchObject([{ name: 'listLag', probability: 1 }]);
  expect(sandbox.faults.list()[0]?.count).toBeUndefined();
  const answer = await setFault({ name: 'answerLost', times: 'once' });
  expect(await answer.json()).toMatchObject([{ name: 'answerLost', count: 1 }]);
  expect(await (await app.request('/simulator/faults')).json()).toHaveLength(1);
  expect(await (await setFault({ name: 'answerLost', times: 'off' })).json()).toEqual([]);
});

test.each([
  ['a fault that is none', { name: 'toString', times: 'once' }, ORIGIN, 400],
  ['another time', { name: 'listLag', times: 'twice' }, ORIGIN, 400],
  ['no time', { name: 'listLag' }, ORIGIN, 400],
  ['no JSON', '{', ORIGIN, 400],
  ['another site', { name: 'listLag', times: 'once' }, 'https://evil.example', 403],
])('sets no fault: %s', async (_, body, origin, status) => {
  expect((await setFault(body, origin)).status).toBe(status);
  expect(sandbox.faults.list()).toEqual([]);
});

test('without faults to set, there is no way to set one', async () => {
  const without = simulatorRoutes(options);
  expect((await without.request('/simulator/faults')).status).toBe(404);
  expect((await setFault({ name: 'listLag', times: 'once' }, ORIGIN, without)).status).toBe(404);
});

test('shows the inbox of a number, and of nothing else', async () => {
  await inbox.send(PHONE, 'code 417-902');
  const answer = await app.request(`/simulator/inbox?phone=${encodeURIComponent(PHONE)}`);
  expect(await answer.json()).toEqual([{ at: 1, text: 'code 417-902' }]);
  for (const phone of ['', '+254711123456', "'; DROP"]) {
    const refused = await app.request(`/simulator/inbox?phone=${encodeURIComponent(phone)}`);
    expect(refused.status).toBe(400);
  }
});

test.each([
  ['a language', { phone: PHONE, language: 'ar' }, ORIGIN, 204],
  ['an unknown language', { phone: PHONE, language: 'de' }, ORIGIN, 400],
  ['an unknown number', { phone: '05', language: 'ar' }, ORIGIN, 400],
  ['no JSON', '{', ORIGIN, 400],
  ['another site', { phone: PHONE, language: 'ar' }, 'https://evil.example', 403],
])('a phone is told to speak: %s', async (_, body, origin, status) => {
  conversations.heard.length = 0;
  const answer = await app.request('/simulator/language', {
    method: 'POST',
    headers: { host: 'localhost', origin },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect(answer.status).toBe(status);
  const heard =
    status === 204 ? [{ address: `ussd:${PHONE}`, inputs: [{ type: 'speaks', language: 'ar' }] }] : [];
  expect(conversations.heard).toMatchObject(heard);
});

test.each<[string, number, readonly string[], string?]>([
  ['both owners', 204, [PHONE], JSON.stringify({ phones: [PHONE, '+212655555555'] })],
  ['no list', 400, [], JSON.stringify({ phones: PHONE })],
  ['too many', 400, [], JSON.stringify({ phones: [PHONE, PHONE, PHONE] })],
  ['no JSON', 400, [], '{'],
])('starts over for seeded customers alone: %s', async (_, status, restored, body) => {
  const asked: string[] = [];
  const over = simulatorRoutes({ ...options, startOver: async (phone) => void asked.push(phone) });
  const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const post = (more: Record<string, string>) =>
    over.request('/simulator/start-over', {
      method: 'POST',
      headers: { ...headers, ...more },
      ...(body && { body }),
    });
  expect((await post({})).status).toBe(status);
  expect(asked).toEqual(restored);
  expect((await post({ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })).status).toBe(
    403,
  );
});
