import { describe, expect, test } from 'vitest';
import { readWebhook, testWebhook } from '../../src/wallet/client/webhooks.ts';
import { walletEvent } from '../../src/wallet/contract/webhooks.ts';

const SECRET = 'our-secret';
const KINDS = walletEvent.options.map(({ shape }) => shape.EventId.value);

/** A webhook with a body of any kind, and the secret. */
const authentic = (body: unknown) => ({ headers: { 'X-Api-Key': SECRET }, body });
const transfer = () => JSON.parse(testWebhook('transfer.received', SECRET).body);

test.each(KINDS)('a test event of %s is read as itself', (kind) => {
  const reading = readWebhook(testWebhook(kind, SECRET, { Amount: 12.5 }), SECRET);
  expect(reading).toMatchObject({ kind: 'event', status: 200, event: { EventId: kind, Amount: 12.5 } });
});

test.each([
  ['payment.confirmed', 25],
  ['payment.received', 5],
  ['payment.card.authorized', 24],
  ['bank-transfer.received', 9],
  ['cashout.network.executed', 2],
  ['customer.level.updated', 0],
] as const)('a test event of %s has the type of operation that v2.3 shows', (kind, OperationType) => {
  expect(JSON.parse(testWebhook(kind, SECRET).body).data).toMatchObject({ OperationType });
});

test.each<[string, (text: string) => unknown]>([
  ['text', (text) => text],
  ['bytes', (text) => Buffer.from(text)],
  ['parsed JSON', (text) => JSON.parse(text)],
])('a body of %s is read', (_, as) => {
  const { headers, body } = testWebhook('payment.received', SECRET);
  expect(readWebhook({ headers, body: as(body) }, SECRET).kind).toBe('event');
});

test.each<[string, Headers | Record<string, string | string[]>]>([
  ['of fetch', new Headers({ 'X-Api-Key': SECRET })],
  ['of Node', { 'x-api-key': SECRET }],
  ['in a list', { 'X-API-KEY': [SECRET] }],
])('headers %s are read', (_, headers) => {
  expect(readWebhook({ headers, body: transfer() }, SECRET).kind).toBe('event');
});

describe('a forgery is told from everything else', () => {
  test.each<[string, Record<string, string>]>([
    ['another secret', { 'x-api-key': 'guessed' }],
    ['a part of the secret', { 'x-api-key': 'our-secre' }],
    ['no secret', {}],
    ['an empty secret', { 'x-api-key': '' }],
  ])('with %s, whatever its body is', (_, headers) => {
    for (const body of [transfer(), '{', { data: { EventId: 'new.kind' } }])
      expect(readWebhook({ headers, body }, SECRET)).toEqual({ kind: 'forged', status: 401 });
  });

  test('a kind that v2.3 does not list is authentic, and gets a 200, so that it is not sent for 72 hours', () => {
    const data = { ...transfer().data, EventId: 'loyalty.earned' };
    expect(readWebhook(authentic({ data }), SECRET)).toEqual({
      kind: 'unlisted',
      status: 200,
      eventId: 'loyalty.earned',
      data,
    });
  });

  test.each<[string, unknown, readonly string[]]>([
    ['no JSON', '{', ['body']],
    ['nothing', undefined, ['body']],
    ['no data', {}, ['data']],
    ['an amount in words', { data: { ...transfer().data, Amount: 'ten' } }, ['data.Amount']],
    ['no kind', { data: { ...transfer().data, EventId: 7 } }, ['data.EventId']],
  ])('one with %s is unreadable, and says which fields', (_, body, fields) => {
    expect(readWebhook(authentic(body), SECRET)).toEqual({ kind: 'unreadable', status: 400, fields });
  });
});

test('two secrets are good while one replaces the other', () => {
  for (const secret of ['old', 'new'])
    expect(readWebhook(testWebhook('transfer.received', secret), ['old', 'new']).kind).toBe('event');
  expect(readWebhook(testWebhook('transfer.received', 'older'), ['old', 'new']).kind).toBe('forged');
});

test('a secret is needed', () => {
  for (const secrets of ['', []])
    expect(() => readWebhook(authentic(transfer()), secrets)).toThrow('without a secret');
});
