import { expect, test } from 'vitest';
import { simulatorRoutes } from '../../src/channels/simulator/routes.ts';
import { simulateWhatsApp } from '../../src/channels/simulator/whatsapp.ts';
import type { Address, Push } from '../../src/conversation/incoming.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { fakeConversations, push } from './fakes.ts';

const ADDRESS: Address = 'whatsapp:MA.212612345678';
const conversations = fakeConversations();
const kept: { from: string; body: string }[] = [];
const whatsapp = simulateWhatsApp({
  renderer: createRenderer(),
  secrets: createSecrets('a key of more than thirty-two characters'),
  formAt: 'http://localhost/form',
  readQr: async () => ({ kind: 'none' }),
  inbox: {
    works() {},
    save: async (from, pieces) => void kept.push(...pieces.map(({ body }) => ({ from, body }))),
    process: async () => {},
    rests: async () => {},
  },
  language: 'fr',
  log: { say() {}, over() {} },
});
const app = simulatorRoutes({
  ...{ conversations, customers: async () => [], inbox: async () => [] },
  ...{ serviceCode: '*123#', sandboxUrl: 'http://localhost:8081' },
  whatsapp: whatsapp.open(conversations),
});
const post = (body: object) =>
  app.request('/simulator/whatsapp', {
    method: 'POST',
    headers: { host: 'localhost', origin: 'http://localhost' },
    body: JSON.stringify({ phone: '0612345678', language: 'fr', ...body }),
  });
const newest = async () => {
  const answer = await app.request('/simulator/whatsapp/chat?phone=0612345678&language=fr');
  const { messages } = (await answer.json()) as { messages: readonly Record<string, unknown>[] };
  return messages.at(-1);
};
const RECEIVED: Push['screen'] = {
  key: 'received.money',
  values: { amount: { money: centimes(5_000) }, reference: { text: '17' } },
  expects: 'nothing',
};

test.each([
  ['writes', { does: 'write', text: 'solde' }, { type: 'text', text: { body: 'solde' } }],
  [
    'shares the own number',
    { does: 'share' },
    { type: 'contacts', contacts: [{ origin: 'contact_request', phones: [{ wa_id: '212612345678' }] }] },
  ],
])('a person %s: a signed webhook is kept', async (_, act, message) => {
  expect((await post(act)).status).toBe(204);
  expect(kept.at(-1)?.from).toBe(ADDRESS);
  expect(JSON.parse(kept.at(-1)?.body ?? '{}')).toMatchObject(message);
  expect(await newest()).toMatchObject({ by: 'person' });
});

test.each([
  ['a button that is not there', { does: 'press', message: 1, data: 'c:7:0' }, 404],
  ['another deed', { does: 'delete' }, 400],
  ['nothing written', { does: 'write', text: ' ' }, 400],
])('nothing comes of %s', async (_, act, status) => {
  const before = kept.length;
  expect((await post(act)).status).toBe(status);
  expect(kept).toHaveLength(before);
});

test('a message outside the 24 hours is a template, and is marked as one', async () => {
  const closed = { ...push('received'), screen: RECEIVED };
  await whatsapp.deliver(ADDRESS, closed);
  expect(await newest()).not.toHaveProperty('isTemplate');
  expect(await whatsapp.deliver(ADDRESS, { ...closed, isClosed: true })).toMatchObject({
    status: 'accepted',
  });
  expect(await newest()).toMatchObject({ isTemplate: true, text: expect.stringMatching(/50,00 DH/) });
});
