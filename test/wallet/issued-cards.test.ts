import { describe, expect, test } from 'vitest';
import {
  type Ask,
  answering,
  asked,
  error,
  FATIMA,
  ok,
  refused,
  say,
  sent,
  unknown,
  YOUSSEF,
} from './answering.ts';

const CUSTOMER = 41;
const INFO = { phoneNumber: FATIMA, balance: 10, accountLevel: 2, customerStatus: 3 };
const SERVICES = { allowAtm: true, allowOnline: false, allowPos: true, contactlessEnabled: true };
const CARD = { id: 7, maskedPan: '**** **** **** 8189', customerId: CUSTOMER, cardStatus: 2, ...SERVICES };

/** The cards that are listed or read from a wallet with these answers. */
async function says(paths: Readonly<Record<string, unknown>>, ask: Ask) {
  const { wallet, requests } = await answering((request, response) => {
    const path = Object.keys(paths).find((each) => request.url?.startsWith(each));
    say(path === undefined ? 404 : 200, path === undefined ? {} : { data: paths[path] })(request, response);
  });
  return { answer: await ask(wallet), lines: requests.map(({ line }) => line) };
}
const listing = (records: readonly unknown[], info: object = { ...INFO, id: CUSTOMER }) =>
  says(
    { '/api/customers/info': info, '/api/cards?': { collection: records, count: records.length } },
    (wallet) => wallet.issuedCards(FATIMA),
  );
const reading = (record: unknown) =>
  says({ '/api/customers/info': { ...INFO, id: CUSTOMER }, '/api/cards/7': record }, (wallet) =>
    wallet.issuedCard(FATIMA, 7),
  );

describe('a customer’s cards', () => {
  test('are never listed without the customer’s id', async () => {
    const { lines } = await listing([CARD]);
    expect(lines).toEqual([
      expect.stringContaining('/api/customers/info'),
      `GET /api/cards?customerId=${CUSTOMER}&pageNumber=1&pageSize=50`,
    ]);
    for (const info of [INFO, { ...INFO, id: null }]) {
      const unnamed = await listing([CARD], info);
      expect(unnamed.answer).toEqual(unknown('unreadable'));
      expect(unnamed.lines).toHaveLength(1);
    }
  });

  test.each([
    ['all that is shown', CARD, { id: 7, state: 'active', last4: '8189', services: SERVICES }],
    ['known by its number', { id: 7, phoneNumber: FATIMA }, { id: 7, state: 'unknown' }],
    ['a status that v2.3 does not show', { ...CARD, cardStatus: 9 }, { state: 'unknown' }],
    ['a status that is text', { ...CARD, cardStatus: 'ACTIVE' }, { state: 'unknown' }],
    ['a service that is left out', { ...CARD, allowPos: null }, { id: 7, state: 'active', last4: '8189' }],
    ['plastic on its way', { ...CARD, cardType: 1, deliveryStatus: 2 }, { delivery: 'producing' }],
    ['no plastic', { ...CARD, cardType: 2, deliveryStatus: 1 }, { id: 7, state: 'active' }],
    ['fewer digits than four', { ...CARD, maskedPan: '••89' }, { id: 7, state: 'active' }],
  ])('%s', async (_, record, card) => {
    const { answer } = await listing([record]);
    expect(answer).toMatchObject(ok([card]));
    if (!('delivery' in card)) expect(JSON.stringify(answer)).not.toContain('delivery');
    if (!('services' in card) && 'allowPos' in record && record.allowPos === null)
      expect(JSON.stringify(answer)).not.toContain('services');
  });

  test.each([
    ['of another customer', { ...CARD, customerId: CUSTOMER + 1 }],
    ['of another number', { ...CARD, phoneNumber: YOUSSEF }],
    ['that say of nobody whose they are', { id: 7, cardStatus: 2 }],
    ['without an id', { ...CARD, id: undefined }],
    ['that are text', 'card 7'],
    ['that are nothing', null],
  ])('records %s are left out, and hide no other', async (_, record) => {
    const { answer } = await listing([record, { ...CARD, id: 8 }]);
    expect(answer).toMatchObject(ok([{ id: 8 }]));
    expect((answer as { value: readonly unknown[] }).value).toHaveLength(1);
  });

  test.each([
    ['the customer’s', CARD, ok({ id: 7, state: 'active', last4: '8189', services: SERVICES })],
    ['another’s', { ...CARD, customerId: 1 }, refused('90303')],
    ['nobody’s', { id: 7 }, refused('90303')],
    ['not readable', 'x', unknown('unreadable')],
  ])('one card is read: %s', async (_, record, expected) =>
    expect((await reading(record)).answer).toEqual(expected),
  );

  test.each([
    [
      'programmes',
      (wallet) => wallet.cardPrograms(),
      [{ id: 1, name: 'A', cardType: 1 }, { id: 2, cardType: 9 }, {}],
      [{ id: 1, name: 'A', kind: 'physical' }, { id: 2 }],
    ],
    [
      'applications',
      (wallet) => wallet.cardApplications(FATIMA),
      [{ id: 1, cardProgramId: 2, status: 3, rejectionReason: 'X' }, { id: 2, status: 9 }, 3],
      [
        { id: 1, programId: 2, state: 'rejected', reason: 'X' },
        { id: 2, state: 'unknown' },
      ],
    ],
    [
      'payments',
      (wallet) => wallet.cardTransactions(FATIMA, 7),
      [{ amount: 1.5, transactionDate: '2026-11-01T10:00:00Z', transactionStatus: 3 }, { amount: 2 }],
      [{ amount: 150, at: Date.UTC(2026, 10, 1, 10), declined: true }],
    ],
  ] satisfies [string, Ask, unknown[], unknown[]][])(
    '%s are read one by one',
    async (_, ask, collection, read) => {
      const { answer } = await asked(200, { data: { collection } }, ask);
      expect(answer).toEqual(ok(read));
    },
  );
});

describe('the calls to the wallet', () => {
  const change =
    (action: 'block' | 'activate', reason?: string): Ask =>
    (wallet) =>
      wallet.changeCard({ phone: FATIMA, id: 7, action, ...(reason && { reason }) });

  test.each([
    ['a block', change('block', 'Lost or stolen'), 'PUT /api/cards/7/block', { Reason: 'Lost or stolen' }],
    ['a block without a reason', change('block'), 'PUT /api/cards/7/block', {}],
    ['an activation', change('activate'), 'PUT /api/cards/7/activate', undefined],
    [
      'services',
      (wallet) => wallet.setCardServices({ phone: FATIMA, id: 7, services: SERVICES }),
      'PUT /api/cards/7/services',
      SERVICES,
    ],
    [
      'an application',
      (wallet) => wallet.applyForCard({ phone: FATIMA, programId: 2 }),
      'POST /api/cards/applications',
      undefined,
    ],
  ] satisfies [string, Ask, string, object | undefined][])('%s', async (_, ask, line, body) => {
    const request = await sent(ask);
    expect(request.line.split('?')).toEqual([line, expect.stringContaining('PhoneNumber=%2B212600000001')]);
    expect(request.body).toEqual(body);
  });

  test.each([
    ['an answer without a card', 200, { data: null }, change('block'), ok(true)],
    ['another state', 422, error(90304), change('block'), refused('90304', 'No')],
    [
      'services that were not set',
      200,
      { data: false },
      (wallet) => wallet.setCardServices({ phone: FATIMA, id: 7, services: SERVICES }),
      unknown('unreadable'),
    ],
    [
      'an application without an id',
      200,
      { data: {} },
      (wallet) => wallet.applyForCard({ phone: FATIMA, programId: 2 }),
      unknown('unreadable'),
    ],
    ['a module that is not enabled', 404, '', (wallet) => wallet.cardPrograms(), refused('http404')],
  ] satisfies [string, number, unknown, Ask, unknown][])('%s', async (_, status, body, ask, expected) =>
    expect((await asked(status, body, ask)).answer).toEqual(expected),
  );
});
