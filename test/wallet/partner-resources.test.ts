import { expect, test } from 'vitest';
import { CODE_VALUES } from '../../src/wallet/client/codes.ts';
import { createPartnerClient, type PartnerClient } from '../../src/wallet/client/partner.ts';
import { RESOURCES } from '../../src/wallet/client/resources.ts';
import { API } from '../../src/wallet/contract/api.ts';
import { readText } from '../kit/tree.ts';
import { answering, say } from './answering.ts';

const PHONE = '+212600000001';
const OPERATION = {
  operationId: 7,
  transactionId: 8,
  transactionReference: 'T8',
  amount: 200,
  operationType: 3,
  transactionDate: '2026-11-20T10:00:00Z',
  sens: 2,
  transactionStatus: 1,
  feesAmount: 2,
  totalAmount: 202,
  sender: PHONE,
  receiver: '+212600000002',
};
const ORDER = {
  CustomerPhoneNumber: PHONE,
  RecipientPhoneNumber: '+212600000002',
  Amount: 200,
  Reason: 'Rent',
};

async function asked(status: number, body: unknown, ask: (wallet: PartnerClient) => Promise<unknown>) {
  const { url, requests } = await answering(say(status, body));
  const answer = await ask(createPartnerClient({ url, apiKey: 'k' }));
  return { answer, requests };
}

test('every operation of the contract is one method', () => {
  const named = Object.values(RESOURCES).flatMap((methods): string[] => Object.values(methods));
  expect(named.sort()).toEqual(Object.keys(API).sort());
});

test('the page of the client lists every operation and every code', () => {
  const page = readText('docs/integrator/client.md');
  for (const [resource, methods] of Object.entries(RESOURCES)) {
    const names = Object.keys(methods).map((name) => `\`${name}\``);
    expect(page).toContain(`| \`${resource}\` | ${names.join(', ')} |`);
  }
  for (const name of Object.keys(CODE_VALUES)) expect(page).toContain(`\`${name}\``);
});

test('only the owner of beneficiaries shares a name with a field of the body', () => {
  const both = Object.entries(API).filter(([, { method, query, body }]) =>
    Object.keys(query.shape).some((name) => method !== 'GET' && name in body.shape),
  );
  expect(both.map(([name]) => name)).toEqual(['createBeneficiary', 'updateBeneficiary']);
});

test('fields go into the path, the query and the body', async () => {
  const { requests } = await asked(503, '', (wallet) =>
    wallet.beneficiaries.update({
      beneficiaryId: 3,
      owner: PHONE,
      name: 'Mum',
      phoneNumber: '+212600000002',
    }),
  );
  expect(requests[0]?.line).toBe('PUT /api/customer/beneficiaries/3?phoneNumber=%2B212600000001');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ name: 'Mum', phoneNumber: '+212600000002' });
});

test('an execution keeps all twelve fields', async () => {
  const { answer } = await asked(200, { data: OPERATION }, (wallet) =>
    wallet.transfers.execute(ORDER, { requestId: 'r-1' }),
  );
  expect(answer).toEqual({
    kind: 'ok',
    value: OPERATION,
    status: 200,
    requestId: 'r-1',
    said: '',
    surprises: [],
  });
});

test.each<[string, object, readonly string[]]>([
  ['a field that is missing', { totalAmount: undefined }, ['totalAmount']],
  ['a field of another kind', { sender: 7 }, ['sender']],
  ['a kind of operation that v2.3 does not list', { operationType: 99 }, ['operationType']],
])('%s is a surprise, and the answer is read', async (_, odd, surprises) => {
  const data = { ...OPERATION, ...odd };
  const { answer } = await asked(200, { data }, (wallet) => wallet.transfers.execute(ORDER));
  expect(answer).toMatchObject({ kind: 'ok', value: { operationId: 7 }, surprises });
});

test.each<[string, number, unknown, object]>([
  [
    'a refusal',
    400,
    { errorCode: 20005, errorDescription: 'No such user' },
    { kind: 'refused', code: '20005', said: 'No such user' },
  ],
  [
    'a server in trouble',
    502,
    'upstream is down',
    { kind: 'unknown', why: 'http502', said: 'upstream is down' },
  ],
  [
    'a preview without a sum that can be read',
    200,
    { data: { feesAmount: 'free' } },
    { kind: 'unknown', why: 'unreadable' },
  ],
])('%s says its HTTP status and the words of the server', async (_, status, body, answer) => {
  const came = await asked(status, body, (wallet) => wallet.transfers.preview(ORDER));
  expect(came.answer).toMatchObject({ ...answer, status });
  expect(came.requests).toHaveLength(1);
});

test.each([
  ['107', 'refused'],
  ['998', 'unknown'],
  ['908', 'ok'],
  ['301', 'ok'],
])('the bill network’s %s on confirm is %s', async (codeRetour, kind) => {
  const { answer, requests } = await asked(200, { codeRetour, msg: 'x' }, (wallet) =>
    wallet.bills.confirm({ phoneNumber: PHONE }),
  );
  expect(answer).toMatchObject({ kind });
  expect(requests).toHaveLength(1);
});

test('a list is read page by page, each page once', async () => {
  const { url, requests } = await answering(
    say(200, { data: { collection: [OPERATION, OPERATION], count: 5 } }),
  );
  const wallet = createPartnerClient({ url, apiKey: 'k' });
  let rows = 0;
  for await (const _ of wallet.operations.list({ PhoneNumber: PHONE, PageSize: 2 })) rows++;
  expect(rows).toBe(6);
  expect(requests.map(({ line }) => /PageNumber=(\d)/.exec(line)?.[1])).toEqual([undefined, '2', '3']);
});

test('a page that cannot be read ends the list with the answer', async () => {
  const { url } = await answering(say(500, ''));
  const list = createPartnerClient({ url, apiKey: 'k' }).operations.list({ PhoneNumber: PHONE });
  const reading = async () => {
    for await (const _ of list) throw new Error('there is no entry');
  };
  await expect(reading()).rejects.toMatchObject({ name: 'ListError', answer: { why: 'http500' } });
});
