import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { africasTalkingSms } from '../../src/channels/sms/africas-talking.ts';
import { createHttpSms, httpSmsSchema, incomingIn, receiptIn } from '../../src/channels/sms/http.ts';
import { answerSms } from '../../src/channels/sms/incoming.ts';
import { requestIn } from '../../src/channels/sms/keywords.ts';
import { smsRoutes } from '../../src/channels/sms/routes.ts';
import { createBudgets } from '../../src/conversation/budgets.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createSmsStops } from '../../src/conversation/sms-stops.ts';
import { listening } from '../../src/http/listening.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { fakeLog, secrets } from './fakes.ts';

const PHONE = msisdn('0612345678');
const SECRET = 'the key of the provider';

async function inbox() {
  const store = await openSqliteStore({ directory: newDirectory() });
  onTestFinished(() => store.close());
  const sent: string[] = [];
  const stops = createSmsStops(store, secrets);
  const deps = {
    sms: async (_: unknown, text: string) => {
      sent.push(text);
      return 'accepted' as const;
    },
    stops,
    budgets: createBudgets({ store, secrets }),
    renderer: createRenderer(),
    serviceCode: '*123#',
  };
  return { store, stops, sent, hears: (text: string) => answerSms(deps, PHONE, text) };
}

test.each([
  ['SOLDE', 'balance', 'fr'],
  [' Solde. ', 'balance', 'fr'],
  ['mon solde', 'balance', 'fr'],
  ['chhal 3ndi?', 'balance', 'fr'],
  ['رصيد', 'balance', 'ar'],
  ['رَصِيد', 'balance', 'ar'],
  ['شحال عندي', 'balance', 'ar'],
  ['BALANCE', 'balance', 'en'],
  ['AIDE', 'help', 'fr'],
  ['مساعدة', 'help', 'ar'],
  ['help!', 'help', 'en'],
  ['STOP', 'stop', 'fr'],
  ['Arrêt', 'stop', 'fr'],
  ['7bess', 'stop', 'fr'],
  ['أوقف', 'stop', 'ar'],
  ['إيقاف', 'stop', 'ar'],
  ['unsubscribe', 'stop', 'en'],
  ['START', 'start', 'en'],
  ['ابدأ', 'start', 'ar'],
  ['7391', undefined, 'fr'],
  ['', undefined, 'fr'],
  ['stop it or not', undefined, 'fr'],
  ['solde 7391', undefined, 'fr'],
  ['أريد المال', undefined, 'ar'],
  ['constructor', undefined, 'fr'],
])('%j asks for %s, in %s', (text, request, language) => {
  expect(requestIn(text)).toEqual({ request, language });
});

test.each([
  ['SOLDE', "Votre solde ne s'envoie pas par SMS. Composez *123# pour le consulter."],
  ['رصيد', 'لا يرسل الرصيد برسالة قصيرة. ركبوا *123# للاطلاع عليه.'],
  ['7391', /^Pour vos opérations, composez \*123#\. N'envoyez jamais votre code PIN par SMS\./],
])('%s is answered by what is safe, and by the code to dial', async (text, answer) => {
  const { hears, sent } = await inbox();
  await hears(text);
  expect(sent).toEqual([typeof answer === 'string' ? answer : expect.stringMatching(answer)]);
  expect(sent.join()).not.toMatch(/7391|https?:|DH|درهم/);
});

test('a STOP is kept, also under the next key, until it is taken back', async () => {
  const { hears, sent, stops, store } = await inbox();
  await hears('STOP');
  expect(sent[0]).toMatch(/Les codes et les messages de sécurité arrivent toujours/);
  expect(await stops.has(PHONE)).toBe(true);
  expect(await stops.has(msisdn('0612345679'))).toBe(false);
  const [old, next] = [
    'a key for tests, and for nothing but tests',
    'another key for tests, and nothing else',
  ];
  const rotated = createSmsStops(store, createSecrets(next, old));
  expect(await rotated.has(PHONE)).toBe(true);
  await rotated.set(PHONE, false);
  expect(await stops.has(PHONE)).toBe(false);
});

test('two machines do not write to each other for ever, and a STOP counts all the same', async () => {
  const { hears, sent, stops } = await inbox();
  for (let i = 0; i < 8; i++) await hears('hello');
  await hears('STOP');
  expect(sent).toHaveLength(5);
  expect(await stops.has(PHONE)).toBe(true);
});

/** The providers of the documentation, as it has them. */
const EXAMPLES = readFileSync(new URL('../../docs/operator/sms.md', import.meta.url), 'utf8')
  .split('\n### ')
  .slice(1)
  .map((section) => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
    return [section.split('\n')[0] ?? '', httpSmsSchema.parse(JSON.parse(json))] as const;
  });
const example = (name: string) =>
  EXAMPLES.find(([title]) => title === name)?.[1] ?? africasTalkingSms({ username: 'wasl' });

let server: { close: () => Promise<void> } | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function provided(name: string, status: number, body: string) {
  const asked: { body: string; headers: Headers; url: string }[] = [];
  const app = new Hono().all('*', async (c) => {
    asked.push({ body: await c.req.text(), headers: c.req.raw.headers, url: c.req.url });
    return c.body(body, status as 200);
  });
  const listens = await listening(app, 0, '127.0.0.1');
  server = listens;
  const { lines, log } = fakeLog();
  const provider = { ...example(name), url: `${listens.url}/send` };
  const ids: string[] = [];
  const answer = await createHttpSms({ provider, secret: SECRET, log })(
    PHONE,
    'a "text" & {secret} {to}',
    (id) => ids.push(id),
  );
  return { asked, answer, ids, lines };
}

test.each([
  [
    'Infobip',
    200,
    '{"messages":[{"messageId":"m1","to":"212612345678","status":{"groupId":1,"groupName":"PENDING"}}]}',
    'accepted',
    ['m1'],
  ],
  ['Infobip', 200, '{"messages":[{"status":{"groupName":"REJECTED"}}]}', 'refused', []],
  ['Infobip', 401, '{"requestError":{}}', 'later', []],
  ['Twilio', 201, '{"sid":"SM1","status":"queued"}', 'accepted', ['SM1']],
  ['Twilio', 400, '{"code":21211,"message":"Invalid To","status":400}', 'refused', []],
  ['Twilio', 429, '{"code":20429}', 'later', []],
  ['Vonage', 200, '{"messages":[{"status":"0","message-id":"v1"}]}', 'accepted', ['v1']],
  ['Vonage', 200, '{"messages":[{"status":"3"}]}', 'refused', []],
  ['Vonage', 200, '{"messages":[{"status":"1"}]}', 'later', []],
  ['Vonage', 200, '<html>', 'later', []],
  ['Vonage', 200, '{"messages":{"0":{"status":0}}}', 'accepted', []],
  ['Vonage', 302, '{"messages":[{"status":"0"}]}', 'later', []],
  ['Vonage', 200, 'x'.repeat(100_000), 'later', []],
])('%s answers %i %s: %s', async (name, status, body, meaning, ids) => {
  const { asked, answer, ids: given, lines } = await provided(name, status, body);
  expect([answer, given]).toEqual([meaning, ids]);
  expect(asked).toHaveLength(1);
  for (const secret of [SECRET, '612345678', 'a "text"']) expect(lines.join()).not.toContain(secret);
});

test('a text stays a text, whatever it holds', async () => {
  const { asked } = await provided('Infobip', 200, '{}');
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    messages: [{ from: 'WALLET', destinations: [{ to: '212612345678' }], text: 'a "text" & {secret} {to}' }],
  });
  expect(asked[0]?.headers.get('authorization')).toContain('App ');
});

test.each([
  [
    'Infobip',
    '{"results":[{"messageId":"m1","to":"212612345678","status":{"groupName":"DELIVERED"}}]}',
    'delivered',
  ],
  ['Twilio', 'MessageSid=m1&To=%2B212612345678&MessageStatus=undelivered', 'failed'],
  ['Twilio', 'MessageSid=m1&To=%2B212612345678&MessageStatus=sent', undefined],
  ['Vonage', '{"messageId":"m1","msisdn":"212612345678","status":"delivered"}', 'delivered'],
  ["Africa's Talking", 'id=m1&phoneNumber=%2B212612345678&status=Success', 'delivered'],
  ["Africa's Talking", 'id=m1&phoneNumber=%2B212612345678&status=Buffered', undefined],
  ['Vonage', '{"msisdn":"212612345678","status":"delivered"}', undefined],
  ['Vonage', '[]', undefined],
  ['Vonage', '', undefined],
])('a delivery report of %s: %s', (name, said, status) => {
  const receipt = receiptIn(example(name), said);
  expect(receipt && [receipt.id, msisdn(receipt.number), receipt.status]).toEqual(
    status && ['m1', PHONE, status],
  );
});

test.each([
  ['Infobip', '{"results":[{"messageId":"m1","from":"212612345678","to":"1234","text":"SOLDE"}]}', 'SOLDE'],
  ['Twilio', 'MessageSid=m1&From=%2B212612345678&Body=%D8%B1%D8%B5%D9%8A%D8%AF', 'رصيد'],
  ['Twilio', 'From=%2B212612345678', undefined],
])('an SMS in by %s: %s', (name, said, text) => {
  expect(incomingIn(example(name), said)?.text).toBe(text);
});

describe('the doors of a provider', () => {
  const came: unknown[] = [];
  const events = {
    sms: async (...args: unknown[]) => void came.push(args),
    receipt: async (...args: unknown[]) => void came.push(args),
  };
  const app = smsRoutes(example('Twilio'), { secrets: ['the secret'], addresses: [], proxies: [] }, events);
  const post = async (path: string, body: string) => {
    came.length = 0;
    return (await app.request(path, { method: 'POST', body })).status;
  };

  test('hand on reports and SMS, with the provider’s id', async () => {
    expect(
      await post('/receipts?secret=the+secret', 'MessageSid=m1&To=%2B212612345678&MessageStatus=delivered'),
    ).toBe(200);
    expect(came).toEqual([[PHONE, { id: 'm1', status: 'delivered' }]]);
    expect(await post('/incoming?secret=the+secret', 'MessageSid=m2&From=%2B212612345678&Body=STOP')).toBe(
      200,
    );
    expect(came).toEqual([[PHONE, 'STOP', 'm2']]);
  });

  test.each([
    ['/incoming', 'MessageSid=m2&From=%2B212612345678&Body=STOP', 403],
    ['/receipts?secret=other', 'MessageSid=m1', 403],
    ['/incoming?secret=the+secret', 'nonsense', 400],
    ['/incoming?secret=the+secret', 'x'.repeat(100_000), 413],
    ['/incoming?secret=the+secret', 'MessageSid=m2&From=%2B33612345678&Body=STOP', 200],
    ['/receipts?secret=the+secret', 'nonsense', 200],
  ])('%s with %s is answered %i, and nothing is handed on', async (path, body, status) => {
    expect(await post(path, body)).toBe(status);
    expect(came).toEqual([]);
  });
});

test.each([
  ['no address', {}],
  ['a field that nobody knows', { url: 'https://x.example', body: 'x' }],
  ['two bodies', { url: 'https://x.example', form: {}, json: {} }],
  ['a method that sends nothing', { url: 'https://x.example', method: 'DELETE' }],
  ['nothing that is accepted', { url: 'https://x.example', accepted: { at: 'a', is: [] } }],
])('a configuration with %s is refused', (_, provider) => {
  expect(httpSmsSchema.safeParse(provider).success).toBe(false);
});
