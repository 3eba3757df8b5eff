import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CASES } from '../../src/conversation/cases/case.ts';
import { createCases } from '../../src/conversation/cases/cases.ts';
import { CASE_DEFAULTS } from '../../src/conversation/cases/changes.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createOutgoing, handOn } from '../../src/webhooks/outgoing.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { NADIA } from '../kit/world-options.ts';

const KEY = 'a key of the tests, 32 characters';

let directory: string;
let store: Store;
let records: Records;
/** The events that the company's tool received, and its answers. */
let told: { readonly headers: IncomingMessage['headers']; readonly body: string }[];
let status: number;
let lost: unknown[];
const clock = { at: Date.parse('2026-11-16T10:00:00Z') };
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += String(part);
  told.push({ headers: request.headers, body });
  response.writeHead(status, status === 302 ? { location: 'https://elsewhere.example' } : {}).end();
});

beforeEach(async () => {
  directory = newDirectory('outgoing');
  store = await openSqliteStore({ directory });
  records = await openSqliteRecords(directory);
  [told, status, lost] = [[], 200, []];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await store.close();
  await records.close();
});

const cases = (notifies = true) =>
  createCases({ table: records.cases, settings: { ...CASE_DEFAULTS, notifies }, now: () => clock.at });
const waiting = async () => {
  await handOn(records.cases, store, () => clock.at);
  return (await store.scheduled(CASES, 'case-event:', 100)).map(({ key }) => key);
};
/** Delivers all waiting events once. */
async function deliver(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/cases`;
  const send = createOutgoing({
    store,
    url,
    key: KEY,
    now: () => clock.at,
    log: { say: (_, fields = {}) => lost.push(fields) },
  });
  for (const key of await waiting()) await send(key.slice('case-event:'.length));
}

test('each event of a case is sent once, signed, and names no customer', async () => {
  const all = cases();
  const wallet = '+212612345678' as never;
  const it = await all.open({ kind: 'asked', subject: 'web:1', address: 'web:1', wallet });
  await all.assign(it.id, NADIA, NADIA);
  await all.setUrgent(it.id, true, NADIA);
  await all.label(it.id, ['1a2b3c4d'], true, 'nadia');
  await all.close(it.id, 'solved', NADIA, 'called back');
  await deliver();
  expect(told.map(({ body }) => JSON.parse(body).type)).toEqual(
    expect.arrayContaining(['case.opened', 'case.assigned', 'case.closed']),
  );
  expect(told).toHaveLength(3);
  const last = told.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'case.closed');
  expect(last.data.labels).toEqual(['1a2b3c4d']);
  for (const { headers, body } of told) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', KEY).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(JSON.parse(body).data).toMatchObject({ id: it.id, kind: 'asked' });
    expect(body).not.toMatch(/612345678|web:1|called back/);
  }
  await deliver();
  expect([told.length, await waiting()]).toEqual([3, []]);
});

test.each([500, 404, 302])(
  'an event answered by %i is sent again under the same id until it is accepted',
  async (refusal) => {
    await cases().open({ kind: 'webhook', subject: 'w1' });
    status = refusal;
    for (let i = 0; i < 3; i++) await deliver();
    status = 204;
    await deliver();
    expect(told).toHaveLength(4);
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await waiting()).toEqual([]);
  },
);

test('an event that is refused for days is given up, and the log says so', async () => {
  await cases().open({ kind: 'webhook', subject: 'w1' });
  status = 500;
  for (let i = 0; i < 80; i++) await deliver();
  expect([told.length, lost.length, await waiting()]).toEqual([76, 1, []]);
});

test('without a receiver no event is kept', async () => {
  await cases(false).open({ kind: 'webhook', subject: 'w1' });
  expect(await waiting()).toEqual([]);
});
