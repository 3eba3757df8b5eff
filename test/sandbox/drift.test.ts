import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { driftPage, driftText } from '../../src/sandbox/drift/command.ts';
import { drift, type Report, type Target } from '../../src/sandbox/drift/drift.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { FATIMA, NOON, YOUSSEF } from './kit.ts';

const KNOWN = { phone: FATIMA, recipient: YOUSSEF, nobody: '+212600099999' };

function opened(): Sandbox {
  const clock = { now: () => NOON };
  const wallet = createSandbox({ file: ':memory:', seed: 'test', past: true, clock });
  onTestFinished(() => wallet.close());
  return wallet;
}
const targetOf = (wallet: Sandbox): Target => ({
  ...{ url: 'http://sandbox', apiKey: wallet.apiKey, known: KNOWN },
  send: (request) => wallet.app.fetch(request),
});

/** An answer on its way through the proxy. */
interface Passing {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: it is spoilt on purpose
  body: any;
}
/** Spoils the answers of those paths that begin so. */
type Spoil = readonly [path: string, how: (passing: Passing) => void];

/** A partner's real wallet, over HTTP: our sandbox behind a proxy that spoils its answers. */
async function proxied(...[path, how]: Spoil): Promise<Target> {
  const wallet = opened();
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const address = request.url ?? '/';
    const answer = await wallet.app.request(address, { method: request.method ?? 'GET', headers });
    const text = await answer.text();
    const passing: Passing = {
      status: answer.status,
      headers: new Headers(answer.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
    if (address.startsWith(path)) how(passing);
    if (passing.status === 0) return request.socket.destroy();
    response.writeHead(passing.status, Object.fromEntries(passing.headers));
    const { body } = passing;
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, apiKey: wallet.apiKey, known: KNOWN, send: (request) => fetch(request) };
}

const INFO = '/api/customers/info';
const BALANCE = '/api/customers/balance';
const LIST = '/api/operations?';

type How = Spoil[1];
const answers =
  (status: number): How =>
  (it) =>
    Object.assign(it, { status });
const sends =
  // biome-ignore lint/suspicious/noExplicitAny: as above
    (bodyOf: (body: any) => unknown): How =>
    (it) =>
      Object.assign(it, { body: bodyOf(it.body) });
/** Other fields in `data`: undefined leaves one out. */
const says = (fields: object): How =>
  sends(({ data, ...rest }) => ({ ...rest, data: { ...data, ...fields } }));

/** What the proxy does to the answers of a path, and the row that names it: question, place, document, partner. */
const SPOILT: readonly (readonly [string, ...Spoil, readonly [string, string, string, string]])[] = [
  ['an internal error', INFO, answers(500), ['profile', 'status', '200', '500']],
  ['a connection that ends', INFO, answers(0), ['profile', 'connection', 'an answer', 'fetch failed']],
  [
    'a 403 for a wrong key',
    BALANCE,
    (it) => answers(it.status === 401 ? 403 : it.status)(it),
    ['a wrong key', 'status', '401', '403'],
  ],
  ['no envelope', INFO, sends(({ data }) => data), ['profile', 'envelope', '{ "data": … }', 'none']],
  [
    'an envelope around bills',
    '/api/bills/creanciers',
    sends((data) => ({ data })),
    ['creditors', 'envelope', 'none: at the root', '{ "data": … }'],
  ],
  [
    'another case',
    INFO,
    says({ FullName: 'Fatima', fullName: undefined }),
    ['profile', 'data.fullName', 'the name fullName', 'the name FullName'],
  ],
  ['a missing field', INFO, says({ rib: undefined }), ['profile', 'data.rib', '24 digits', 'absent']],
  [
    'an amount as text',
    INFO,
    says({ balance: '3500.00' }),
    ['profile', 'data.balance', 'a number', 'text such as "9999.99"'],
  ],
  [
    'a status beyond the list',
    INFO,
    says({ customerStatus: 9 }),
    ['profile', 'data.customerStatus', 'one of 0, 1, 2, 3, 4, 5', '9'],
  ],
  [
    'a national number',
    INFO,
    says({ phoneNumber: '0600000001' }),
    ['profile', 'data.phoneNumber', '+212 and 9 digits', 'text such as "9999999999"'],
  ],
  [
    'a date of another form',
    LIST,
    ({ body: { data } }) => {
      for (const each of data.collection) each.transactionDate = '20/11/2026';
    },
    ['operations', 'data.collection[].transactionDate', 'a date of ISO 8601', 'text such as "99/99/9999"'],
  ],
  [
    'a list without its count',
    LIST,
    says({ count: undefined }),
    ['operations', 'data.count', 'a whole number', 'absent'],
  ],
  ['a page of HTML', INFO, sends(() => '<html>'), ['profile', 'body', 'JSON', 'no JSON']],
  [
    'text that is JSON',
    INFO,
    (it) => it.headers.set('content-type', 'text/plain'),
    ['profile', 'Content-Type', 'JSON', 'text/plain'],
  ],
  [
    'no request id',
    INFO,
    (it) => it.headers.delete('c-request-id'),
    ['profile', 'C-Request-Id', 'comes back', 'does not come back'],
  ],
  [
    'an error code as text',
    BALANCE,
    sends((body) => (body.errorCode ? { ...body, errorCode: String(body.errorCode) } : body)),
    ['the balance of nobody', 'errorCode', '20005', 'text such as "99999"'],
  ],
  [
    'no words of an error',
    BALANCE,
    sends(({ errorDescription: _, ...body }) => body),
    ['the balance of nobody', 'errorDescription', 'text', 'absent'],
  ],
  [
    'a number for a code of the network',
    '/api/bills/creances',
    sends((body) => ({ ...body, codeRetour: Number(body.codeRetour) })),
    ['receivables', 'codeRetour', 'one of 000, 104, 107, 109, 301, 908, 909, 910', '0'],
  ],
  ['a field more', INFO, says({ nickname: 'x' }), ['profile', 'data.nickname', '–', 'string']],
];

const found = ({ rows }: Report) =>
  rows.map(({ check, where, document, partner }) => [check, where, document, partner]);

describe('drift', () => {
  test('our sandbox answers as the document says, and like itself', async () => {
    const [ours, theirs] = [opened(), opened()];
    const report = await drift(targetOf(ours), targetOf(theirs), true);
    expect(report).toMatchObject({ rows: [], leftOut: [] });
    expect(report.compared.length).toBeGreaterThan(24);
  });

  test('by default nothing is written', async () => {
    const [ours, theirs] = [opened(), opened()];
    const before = theirs.executions().length;
    await drift(targetOf(ours), targetOf(theirs));
    expect(theirs.requests().every(({ method }) => method === 'GET')).toBe(true);
    expect(theirs.executions()).toHaveLength(before);
  });

  test.each(SPOILT)('names %s', async (_, path, how, row) => {
    const report = await drift(targetOf(opened()), await proxied(path, how));
    expect(found(report)).toContainEqual(row);
    // Only the answers that were spoilt are named.
    expect(new Set(report.rows.map(({ check }) => check)).size).toBeLessThanOrEqual(4);
  });

  test('the page says it in full, without the values of people, and escapes what came', async () => {
    const report = await drift(
      targetOf(opened()),
      await proxied(INFO, says({ customerStatus: '<b>1234</b>' })),
    );
    const page = driftPage(report, 'https://wallet.example/<x>', new Date(NOON));
    expect(page).toContain('customerStatus');
    expect(page).not.toMatch(/<b>|<x>|1234|\+2126/);
    expect(driftText(report)).toContain('profile: data.customerStatus: document one of 0');
  });

  test('a wallet that is not there is one row for each question', async () => {
    const nowhere = {
      ...targetOf(opened()),
      url: 'http://127.0.0.1:9',
      send: (request: Request) => fetch(request),
    };
    const report = await drift(targetOf(opened()), nowhere);
    expect(report.rows.map(({ where }) => where)).toContain('connection');
    expect(report.rows.filter(({ where }) => where === 'connection').length).toBeGreaterThan(10);
  });
});
