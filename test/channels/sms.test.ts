import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { africasTalkingSms } from '../../src/channels/sms/africas-talking.ts';
import { createHttpSms } from '../../src/channels/sms/http.ts';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import type { SmsAnswer, SmsSender } from '../../src/channels/sms/sms.ts';
import { deliverUssd } from '../../src/channels/ussd/deliver.ts';
import type { Delivery } from '../../src/conversation/incoming.ts';
import { listening, type Server } from '../../src/http/listening.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { fakeLog, keyRenderer, push } from './fakes.ts';

const PHONE = msisdn('+212612345678');
const API_KEY = 'atsk_never-in-a-log';

let server: Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A provider that answers as it is told, and what it was asked. */
async function provider(status: number, body: unknown) {
  const asked: { headers: Headers; form: URLSearchParams }[] = [];
  const app = new Hono().post('/version1/messaging', async (c) => {
    asked.push({ headers: c.req.raw.headers, form: new URLSearchParams(await c.req.text()) });
    return c.body(typeof body === 'string' ? body : JSON.stringify(body), status as 201);
  });
  server = await listening(app, 0, '127.0.0.1');
  const { lines, log } = fakeLog();
  const { url } = server;
  const provider = africasTalkingSms({ username: 'wasl', from: 'WASL' }, url);
  const send = createHttpSms({ provider, secret: API_KEY, log });
  return { send, asked, lines };
}

const answered = (...statusCodes: number[]) => ({
  SMSMessageData: {
    Message: 'Sent to 1/1 Total Cost: KES 0.8000',
    Recipients: statusCodes.map((statusCode) => ({
      statusCode,
      number: PHONE,
      status: 'Success',
      cost: 'KES 0.8000',
      messageId: 'ATXid_1',
    })),
  },
});

test("Africa's Talking is asked as it wants to be", async () => {
  const { send, asked } = await provider(201, answered(101));
  expect(await send(PHONE, 'Vous avez reçu 50,00 DH')).toBe('accepted');
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
    username: 'wasl',
    to: '+212612345678',
    message: 'Vous avez reçu 50,00 DH',
    bulkSMSMode: '1',
    from: 'WASL',
  });
  expect(asked[0]?.headers.get('apikey')).toBe(API_KEY);
  expect(asked[0]?.headers.get('accept')).toContain('application/json');
});

test.each<[string, number, unknown, SmsAnswer]>([
  ['processed', 201, answered(100), 'accepted'],
  ['sent', 201, answered(101), 'accepted'],
  ['queued', 201, answered(102), 'accepted'],
  ['an invalid number, inside a 201', 201, answered(403), 'refused'],
  ['a landline, inside a 201', 201, answered(404), 'refused'],
  ['no credit, inside a 201', 201, answered(405), 'later'],
  ['a blocked sender, inside a 201', 201, answered(406), 'refused'],
  ['no route, inside a 201', 201, answered(407), 'later'],
  ['a provider error, inside a 201', 201, answered(500), 'later'],
  ['nobody served, inside a 201', 201, answered(), 'later'],
  ['a 201 of another shape', 201, { ok: true }, 'later'],
  ['a 201 that is no JSON', 201, '<html>', 'later'],
  ['a wrong key', 401, 'The supplied authentication is invalid', 'later'],
  ['too many requests', 429, '', 'later'],
  ['a broken provider', 503, '', 'later'],
])('%s', async (_, status, body, answer) => {
  const { send, asked, lines } = await provider(status, body);
  expect(await send(PHONE, 'a text with 7391')).toBe(answer);
  expect(asked.length).toBe(1);
  expect(lines.length).toBe(answer === 'accepted' ? 0 : 1);
  for (const secret of [API_KEY, '7391', '612345678']) expect(lines.join('\n')).not.toContain(secret);
});

test('a provider that is not there', async () => {
  const { lines, log } = fakeLog();
  const provider = africasTalkingSms({ username: 'wasl' }, 'http://127.0.0.1:9');
  const send = createHttpSms({ provider, secret: API_KEY, log });
  expect(await send(PHONE, 'text')).toBe('later');
  expect(lines.join('\n')).not.toContain(API_KEY);
});

test('the simulator keeps the newest messages of each number', async () => {
  let now = 0;
  const inbox = createSmsInbox(() => ++now);
  for (let i = 1; i <= 60; i++) await inbox.send(PHONE, `message ${i}`);
  expect(inbox.of(PHONE)).toHaveLength(50);
  expect(inbox.of(PHONE).at(-1)).toEqual({ at: 60, text: 'message 60' });
  expect(inbox.of(msisdn('0712345678'))).toEqual([]);
});

test('the simulator forgets the number that was silent longest', async () => {
  const inbox = createSmsInbox();
  const number = (i: number) => msisdn(`06${String(i).padStart(8, '0')}`);
  for (let i = 0; i < 1_000; i++) await inbox.send(number(i), 'first');
  await inbox.send(number(0), 'again');
  await inbox.send(PHONE, 'one more');
  expect(inbox.of(number(0))).toHaveLength(2);
  expect(inbox.of(number(1))).toEqual([]);
  expect(inbox.of(PHONE)).toHaveLength(1);
});

const BY_SMS = { status: 'held', bySms: true } as const;
test.each<[string, boolean, SmsAnswer | undefined, Delivery, number]>([
  ['a money outcome goes by SMS and waits for the dial', true, 'accepted', BY_SMS, 1],
  ['an SMS that could not go is tried again', true, 'later', 'later', 1],
  ['a number that no SMS reaches is told at the dial', true, 'refused', 'held', 1],
  ['without a sender it waits for the dial', true, undefined, 'held', 0],
  ['what is not money costs no SMS', false, 'accepted', 'held', 0],
])('%s', async (_, money, sms, delivery, count) => {
  const sent: [Msisdn, string][] = [];
  const sender: SmsSender | undefined =
    sms &&
    (async (to, text) => {
      sent.push([to, text]);
      return sms;
    });
  const deliver = deliverUssd({ sms: sender, renderer: keyRenderer });
  expect(await deliver(`ussd:${PHONE}`, push('paid', { money, language: 'en' }))).toEqual(delivery);
  expect(sent).toEqual(count ? [[PHONE, 'en done.paid']] : []);
});
