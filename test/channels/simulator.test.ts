import { expect, test } from 'vitest';
import { simulatorRoutes } from '../../src/channels/simulator/routes.ts';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { fakeConversations } from './fakes.ts';

const PHONE = msisdn('0612345678');
const ORIGIN = 'http://localhost';
const conversations = fakeConversations();
const inbox = createSmsInbox(() => 1);
const app = simulatorRoutes({
  conversations,
  customers: async () => [{ name: 'Fatima', phone: PHONE, pin: '1234', status: 3 }],
  inbox: async (phone) => inbox.of(phone),
  serviceCode: '*123#',
  sandboxUrl: 'http://localhost:8081',
});

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

test.each(['simulator.css', 'handset.css', 'simulator.js', 'handset.js', 'phone.js', 'septets.js'])(
  'serves %s',
  async (name) => {
    expect((await app.request(`/simulator/public/${name}`)).status).toBe(200);
  },
);

test('starts with the seeded customers', async () => {
  expect(await (await app.request('/simulator/start')).json()).toEqual({
    serviceCode: '*123#',
    sandboxUrl: 'http://localhost:8081',
    customers: [{ name: 'Fatima', phone: PHONE, pin: '1234', status: 3 }],
  });
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
