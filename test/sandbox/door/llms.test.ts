import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Server } from '../../../src/http/listening.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';

/**
 * Three integrations by somebody who has read only `llms.txt` and its pages. Each address, field and value that they use must be
 * written there: `read` fails for one that is not.
 */
let text = '';

beforeAll(async () => {
  const { app, close } = createSandbox({ file: ':memory:' });
  const page = async (path: string) => (await app.request(path)).text();
  const start = await page('/llms.txt');
  const links = [...start.matchAll(/\((\/llms\/[a-z-]+\.md)\)/g)].map(([, path = '']) => path);
  text = [start, ...(await Promise.all(links.map(page)))].join('\n');
  await close();
});

/** A word of the pages. */
function read<Word extends string>(word: Word): Word {
  expect(text).toContain(word);
  return word;
}

/** The names of fields, as the pages write them. */
function fields<Fields extends object>(body: Fields): Fields {
  for (const name of Object.keys(body)) expect(text, name).toMatch(new RegExp(`[\`"]${name}[\`"]`));
  return body;
}

interface Place {
  readonly url: string;
  readonly sandbox: Sandbox;
  // biome-ignore lint/suspicious/noExplicitAny: an integrator reads JSON
  call(method: string, path: string, query?: Record<string, string>, body?: object): Promise<any>;
}

async function begin(): Promise<Place> {
  const sandbox = createSandbox({ file: ':memory:', settings: { settleAfterMs: 0 } });
  const server: Server = await sandbox.listen(0);
  onTestFinished(async () => {
    await server.close();
    await sandbox.close();
  });
  return {
    url: server.url,
    sandbox,
    async call(method, path, query = {}, body) {
      read(
        path
          .replace(/\d{2,}$/, '{id}')
          .split('/')
          .slice(0, 4)
          .join('/'),
      );
      const answer = await fetch(`${server.url}${path}?${new URLSearchParams(fields(query))}`, {
        method,
        headers: { [read('Svc-Api-Key')]: read('sandbox-key'), 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(fields(body)) }),
      });
      const said = await answer.text();
      return { status: answer.status, ...(said !== '' && JSON.parse(said)) };
    },
  };
}

/** The integrator's own receiver of webhooks. */
async function listens() {
  const events: { key: unknown; data: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    events.push({ key: request.headers[read('X-Api-Key').toLowerCase()], data: JSON.parse(body).data });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

const until = (holds: () => unknown) => expect.poll(holds, { timeout: 10_000 });

test('a transfer, whose outcome comes by a webhook that was registered', async () => {
  const { call } = await begin();
  const hooks = await listens();
  await call('POST', read('/sandbox/partner'), {}, { webhookUrl: hooks.url, webhookKey: 'my-secret' });
  const order = {
    CustomerPhoneNumber: read('+212600000001'),
    RecipientPhoneNumber: read('+212600000002'),
    ...{ Amount: 50, Reason: 'rent' },
  };
  const preview = await call('POST', '/api/operations/transfer/preview', {}, order);
  expect(preview.data[read('feesAmount')]).toBeGreaterThanOrEqual(0);
  const { data } = await call('POST', '/api/operations/transfer', {}, order);
  await until(() => hooks.events).toHaveLength(1);
  const [event] = hooks.events;
  expect(event?.key).toBe('my-secret');
  expect(event?.data).toMatchObject({
    [read('EventId')]: read('transfer.received'),
    [read('OperationId')]: data[read('operationId')],
    [read('OperationStatus')]: 2,
  });
});

test('a bill that is answered with 908 and confirmed by its webhook', async () => {
  const { call } = await begin();
  const hooks = await listens();
  await call('POST', '/sandbox/partner', {}, { webhookUrl: hooks.url, webhookKey: 'my-secret' });
  const customer = { phoneNumber: '+212600000001' };
  const { listeCreanciers } = await call('GET', '/api/bills/creanciers');
  const named = (name: string) =>
    listeCreanciers.find((each: Record<string, string>) => each[read('nomCreancier')]?.includes(name));
  const { codeCreancier: creancierId } = named('Orange');
  const { listeCreance } = await call('GET', '/api/bills/creances', { creancierId });
  const { [read('codeCreance')]: creanceId } = listeCreance[0];
  const { creancierParams } = await call('GET', '/api/bills/form', { creancierId, creanceId });
  const asked = creancierParams.filter(
    (each: Record<string, string>) => each[read('typeChamp')] !== read('libelle'),
  );
  const creancierVals = asked.map((each: Record<string, string>, n: number) =>
    fields({ nomChamp: each.nomChamp, valChamp: n === 0 ? read('0990000908') : '' }),
  );
  const ids = { creancierId, creanceId };
  const found = await call('POST', '/api/bills/impayes', { ...customer, ...ids }, { creancierVals });
  expect(found.codeRetour).toBe(read('000'));
  const { refTxNetwork, impayesParams, globalParams } = found;
  const waiting = await call('GET', '/api/bills/reference/status', { reference: refTxNetwork });
  expect(waiting.status).toBe(read('EN_ATTENTE'));
  const order = { ...ids, refTxNetwork, totalPayment: true, listeArticleSelectionnes: impayesParams };
  const paid = await call('POST', '/api/bills/confirm', customer, { ...order, creancierVals, globalParams });
  expect(paid.codeRetour).toBe(read('908'));
  await until(() => hooks.events.map(({ data }) => data.EventId)).toEqual([read('payment.confirmed')]);
});

test('cash by reference and a card, to the accepted and the declined end', async () => {
  const { call, url } = await begin();
  const reference = await call(
    'POST',
    '/api/operations/cashin/request',
    {},
    { PhoneNumber: '+212600000001', Amount: 100 },
  );
  const { reference: number } = reference.data;
  await call('POST', '/api/operations/cashin/agent', {}, { Code: read('RA-2001'), Reference: number });
  // No webhook comes of it, as the pages say: the reference is read.
  read("An agent's execution (`cashin/agent`, `cashout/agent`) sends no webhook");
  const looked = await call('GET', '/api/operations/cashin/request', { Reference: number });
  expect(looked.data.status).toBe(2);

  const pays = async (pan: string) => {
    const card = {
      firstName: 'Fatima',
      lastName: 'El Amrani',
      cvv: '123',
      amount: 10,
      pan,
      keepAlive: false,
    };
    const urls = { acceptUrl: 'https://shop.example/ok', declineUrl: 'https://shop.example/no' };
    const body = { ...card, expiryDate: read('3012'), ...urls };
    const { data } = await call(
      'POST',
      '/api/operations/cashin/card',
      { phoneNumber: '+212600000001' },
      body,
    );
    const page = String(data[read('redirectionURL')]).replace(/^https?:\/\/[^/]+/, url);
    const form = new URLSearchParams({ answer: 'confirm', code: read('123456') });
    const back = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
    return new URL(back.headers.get('location') ?? '').searchParams.get(read('RESPONSE_CODE'));
  };
  expect(await pays(read('4242424242424242'))).toBe('0');
  expect(await pays(read('4000000000000002'))).toBe('5');
});

test.each([
  'YYMM',
  '48 hours',
  '`docType`',
  'commercial register',
  '90 days',
  '`PhoneNumber` for a customer, or `Code` for a principal agent',
  'no call',
  'PA-1001',
  '/sandbox/partners',
  '`25` BILL_PAYMENT',
  'v2.3 counts 114 operations',
  'Fees for the payer, in percent of the amount. (v2.3',
])('the pages say %s', (word) => {
  expect(text).toContain(word);
});
