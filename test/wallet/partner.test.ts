import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPartnerClient } from '../../src/wallet/client/partner.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import { createOperations, type Operations } from '../kit/operations.ts';
import { answering, ok, refused, say, unknown } from './answering.ts';

type Ask = (partner: Operations) => Promise<unknown>;

/** The result of a call when the wallet answers so, and the request that reached the wallet. */
async function asked(status: number, body: unknown, ask: Ask) {
  const { url, requests } = await answering(say(status, body));
  const partner = createOperations({ url, apiKey: 'our-key', timeoutMs: 5_000 });
  return { answer: await ask(partner), requests };
}

const scan = (name: string, content: string) => new File([content], name, { type: 'application/pdf' });
const rename: Ask = (partner) =>
  partner.renameAgentCard({ params: { cardId: 7 }, query: { code: 'PA-1' }, body: { cardName: 'Till' } });
const update: Ask = (partner) =>
  partner.updateRetailAgent({ params: { code: 'RA/1' }, body: { Name: 'New' } });

test('every operation of the contract is a call of its name', async () => {
  const partner = createOperations({ url: 'http://127.0.0.1:9', apiKey: 'k' });
  expect(Object.keys(partner)).toEqual(Object.keys(API));
});

test.each([
  ['customerInfo', 'GET /api/customers/info?phoneNumber=%2B212600000001'],
  ['readOperation', 'GET /api/operations/12?PhoneNumber=%2B212600000001'],
  ['deleteBeneficiary', 'DELETE /api/customer/beneficiaries/3?PhoneNumber=%2B212600000001'],
  ['validateCardApplication', 'PUT /api/cards/applications/5/validate'],
] as const satisfies readonly (readonly [ApiName, string])[])(
  '%s is sent once, as %s',
  async (name, line) => {
    const phone = '+212600000001';
    const asks: Record<typeof name, Ask> = {
      customerInfo: (partner) => partner.customerInfo({ query: { phoneNumber: phone } }),
      readOperation: (partner) =>
        partner.readOperation({ params: { id: 12 }, query: { PhoneNumber: phone } }),
      deleteBeneficiary: (partner) =>
        partner.deleteBeneficiary({ params: { Id: 3 }, query: { PhoneNumber: phone } }),
      validateCardApplication: (partner) => partner.validateCardApplication({ params: { id: 5 } }),
    };
    const { answer, requests } = await asked(503, '', asks[name]);
    expect(answer).toEqual(unknown('http503'));
    expect(requests.map((request) => request.line)).toEqual([line]);
    expect(requests[0]?.headers).toMatchObject({
      'svc-api-key': 'our-key',
      'c-request-id': expect.any(String),
    });
  },
);

test('documents go as a form, under names with their places, in one request with its length', async () => {
  const { answer, requests } = await asked(200, { data: true }, (partner) =>
    partner.uploadMerchantDocuments({
      query: { phoneNumber: '+212600000011' },
      body: {
        kycDocuments: [
          { docType: 1, docFront: scan('front.pdf', 'FRONT'), docBack: scan('back.pdf', 'BACK') },
          { docType: 5, docFront: scan('rib.pdf', 'RIB') },
        ],
      },
    }),
  );
  expect(answer).toEqual(ok(true));
  expect(requests).toHaveLength(1);
  const [{ headers, body }] = requests as [(typeof requests)[0]];
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(headers['content-length']).toBe(String(body.length));
  const parts = [...body.matchAll(/name="([^"]+)"(?:; filename="([^"]+)")?[\s\S]*?\r\n\r\n(.*)\r\n/g)];
  expect(parts.map(([, ...part]) => part)).toEqual([
    ['kycDocuments[0].docType', undefined, '1'],
    ['kycDocuments[0].docFront', 'front.pdf', 'FRONT'],
    ['kycDocuments[0].docBack', 'back.pdf', 'BACK'],
    ['kycDocuments[1].docType', undefined, '5'],
    ['kycDocuments[1].docFront', 'rib.pdf', 'RIB'],
  ]);
});

test('no circuit breaker answers for the wallet unless it is asked for, and then it says so', async () => {
  const { url, requests } = await answering(say(503, ''));
  const asks = async (breaker?: boolean) => {
    const partner = createPartnerClient({ url, apiKey: 'k', breaker });
    const answers = [];
    for (let i = 0; i < 25; i++) answers.push(await partner.cards.get({ id: i }));
    return answers.at(-1);
  };
  expect(await asks()).toMatchObject(unknown('http503'));
  expect(requests).toHaveLength(25);
  expect(await asks(true)).toMatchObject({ kind: 'unsent', why: 'circuitOpen' });
});

test('a browser is refused, because the key is a secret', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  expect(() => createPartnerClient({ url: 'http://127.0.0.1:9', apiKey: 'k' })).toThrow('not from a browser');
});

describe('a success without a body', () => {
  test.each([
    ['nothing at all', 200, ''],
    ['an empty envelope', 200, { data: null }],
    ['anything else', 200, 'OK'],
    ['204', 204, ''],
  ])('%s is a yes', async (_, status, body) => {
    expect((await asked(status, body, rename)).answer).toEqual(ok(null));
  });

  test('is none where a body belongs', async () => {
    const { answer } = await asked(200, '', (partner) => partner.readBrand({ params: { id: 1 } }));
    expect(answer).toEqual(unknown('unreadable'));
  });
});

describe('problem details', () => {
  test.each([
    [
      'a business code',
      400,
      { title: 'Bad', detail: 'No such agent', errorCode: 90140 },
      refused('90140', 'No such agent'),
    ],
    ['a code without detail', 400, { title: 'Bad', errorCode: 90140 }, refused('90140', 'Bad')],
    ['no code', 400, { type: 'about:blank', title: 'Bad', status: 400 }, refused('http400', 'Bad')],
    ['a key that is not authorized', 401, { title: 'Unauthorized' }, refused('http401', 'Unauthorized')],
    [
      'a key, in detail',
      401,
      { title: 'Unauthorized', detail: 'Unknown key' },
      refused('http401', 'Unknown key'),
    ],
    ['a key, in plain words', 401, { message: 'Unknown key' }, refused('http401', 'Unknown key')],
    ['no words at all', 401, { title: null, detail: null }, refused('http401')],
    ['what is no problem at all', 400, '<html>', refused('http400')],
    ['a 422 without a code, which may be anything', 422, { title: 'x' }, unknown('http422')],
    ['a server in trouble', 500, { title: 'x', errorCode: 1 }, unknown('http500')],
  ])('%s', async (_, status, body, answer) => {
    const { answer: came, requests } = await asked(status, body, update);
    expect(came).toEqual(answer);
    expect(requests[0]?.line).toBe('PUT /api/agents/retail/RA%2F1');
  });

  test('count for no operation without them', async () => {
    const { answer } = await asked(400, { title: 'Bad' }, (partner) =>
      partner.readBrand({ params: { id: 1 } }),
    );
    expect(answer).toEqual(unknown('http400'));
  });
});

test.each([
  ['Cvv', { Cvv: '739', Amount: 10 }],
  ['cvv', { cvv: '739', amount: 10 }],
])('a wallet that quotes the %s does not get it into a description', async (_, card) => {
  const { answer } = await asked(400, { errorCode: 90203, errorDescription: 'wrong code 739' }, (partner) =>
    partner.executeSavedCardCashIn({
      params: { cardId: 1 },
      query: { PhoneNumber: '+212600000001' },
      body: card as never,
    }),
  );
  expect(answer).toEqual(refused('90203', 'wrong code ••••'));
});
