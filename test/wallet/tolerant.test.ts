import { describe, expect, test } from 'vitest';
import { createWallet } from '../../src/wallet/client.ts';
import { API } from '../../src/wallet/contract/api.ts';
import { centimes, parseAmounts } from '../../src/wallet/money.ts';
import { type Ask, answering, FATIMA, ok, say, unknown, YOUSSEF } from './answering.ts';

const ROW = {
  operationId: 1,
  amount: 10,
  operationType: 3,
  transactionDate: '2026-11-20T10:00:00Z',
  sens: 2,
  transactionStatus: 2,
  feesAmount: 0,
  totalAmount: 10,
  sender: FATIMA,
  receiver: YOUSSEF,
};
const ODD = { ...ROW, operationId: 2 };

/** The value that a call reads from an answer, and the fields that counted as odd. */
async function reading(data: unknown, ask: Ask) {
  const { url } = await answering(say(200, { data }));
  const odd: string[] = [];
  const onOdd = (_path: string, field: string) => void odd.push(field);
  return { answer: (await ask(createWallet({ url, apiKey: 'key', onOdd }))) as never, odd };
}
/** The same of an answer of the bill network, which has no envelope. */
async function bare(body: unknown, ask: Ask) {
  const { url } = await answering(say(200, body));
  return (await ask(createWallet({ url, apiKey: 'key' }))) as never;
}
const listed = (rows: readonly unknown[], count: unknown = rows.length) =>
  reading({ collection: rows, count }, (wallet) => wallet.operations(FATIMA));

describe('one odd row of a list', () => {
  test.each<[string, object, Partial<{ status: number; sender: string; receiver: string }>]>([
    ['transactionStatus', { transactionStatus: 5 }, { status: 0 }],
    ['transactionStatus', { transactionStatus: 'DONE' }, { status: 0 }],
    ['transactionStatus', { transactionStatus: null }, { status: 0 }],
    ['transactionReference', { transactionReference: 7 }, {}],
    ['sender', { sender: 212600000001 }, { sender: '' }],
    ['receiver', { receiver: {} }, { receiver: '' }],
    ['method', { method: 3 }, {}],
  ])('with %s %o is read without it', async (field, more, as) => {
    const { answer, odd } = await listed([ROW, { ...ODD, ...more }]);
    expect(answer).toMatchObject({
      value: {
        operations: [
          { id: 1, status: 2 },
          { id: 2, ...as },
        ],
      },
    });
    expect(answer).not.toHaveProperty('value.leftOut');
    expect(odd).toEqual([`collection.${field}`]);
  });

  test.each<[string, object, number]>([
    ['amount', { amount: '10' }, 2],
    ['amount', { amount: null }, 2],
    ['amount', { amount: 10.004 }, 2],
    ['feesAmount', { feesAmount: 'free' }, 2],
    ['totalAmount', { totalAmount: [] }, 2],
    ['operationType', { operationType: 'P2P' }, 2],
    ['transactionDate', { transactionDate: 'yesterday' }, 2],
    ['sens', { sens: 3 }, 2],
    ['operationId', { operationId: 'A-7' }, 0],
  ])('with %s %o is left out, under its id, and costs no other', async (field, more, id) => {
    const { answer, odd } = await listed([{ ...ODD, ...more }, ROW]);
    expect(answer).toMatchObject({ value: { operations: [{ id: 1 }], count: 2, leftOut: [id] } });
    expect(odd).toEqual([`collection.${field}`]);
  });

  test('is left out when it is no object', async () => {
    expect((await listed([null, ROW])).answer).toMatchObject({ value: { leftOut: [0] } });
  });

  test('alone in its list leaves an empty list and its id', async () => {
    expect((await listed([{ ...ODD, sens: 0 }])).answer).toEqual(
      ok({ operations: [], count: 1, leftOut: [2] }),
    );
  });

  test('and no count: the rows are read', async () => {
    expect((await listed([ROW], 'many')).answer).toMatchObject({ value: { operations: [{ id: 1 }] } });
  });
});

test('a field that is no list is not read', async () => {
  expect(
    (await reading({ collection: 'none', count: 0 }, (wallet) => wallet.operations(FATIMA))).answer,
  ).toEqual(unknown('unreadable'));
});

test('the published contract stays strict', () => {
  const { data } = API.listOperations;
  expect(data.safeParse({ collection: [ROW], count: 1 }).success).toBe(true);
  expect(data.safeParse({ collection: [{ ...ROW, transactionStatus: 5 }], count: 1 }).success).toBe(false);
  expect(API.readOperation.data.safeParse({ ...ROW, sender: 7 }).success).toBe(false);
});

const REFERENCE = { reference: '123456789012', amount: 10, createdAt: '2026-11-20T10:00:00Z' };
const transfer = { from: FATIMA, to: YOUSSEF, amount: centimes(20_00), reason: 'x' };

test.each<[string, object, object]>([
  ['a fee of 1.4e-14', { feesAmount: 1.4e-14 }, { fees: 0, total: 20_00 }],
  ['a fee just below zero', { feesAmount: -1.4e-14 }, { fees: 0, total: 20_00 }],
  ['a total of 22.499999999999996', { feesAmount: 2.5, totalAmount: 22.499999999999996 }, { total: 22_50 }],
  ['a sum of 0.1 and 0.2', { feesAmount: 0.1 + 0.2 }, { fees: 30 }],
])('float dust is rounded to the centime: %s', async (_case, data, value) => {
  const { answer, odd } = await reading(data, (wallet) => wallet.previewTransfer(transfer));
  expect(answer).toMatchObject({ kind: 'ok', value });
  expect(odd).toEqual([]);
});

test.each([0.004, 2.005, 1e-7, 0.009999])('a real part of a centime is no dust: %d', async (feesAmount) => {
  const { answer, odd } = await reading({ feesAmount }, (wallet) => wallet.previewTransfer(transfer));
  expect(answer).toEqual(unknown('unreadable'));
  expect(odd).toEqual(['feesAmount']);
});

test('only amounts are rounded', () => {
  expect(parseAmounts('{"rate":0.12345,"amount":1.0000000000000002}')).toEqual({ rate: 0.12345, amount: 1 });
  expect(() => parseAmounts('{"amount":1.0000000000000002')).toThrow(SyntaxError);
});

const agentLine = { code: 'PA-1', to: YOUSSEF, amount: centimes(20_00), operator: 1 } as const;
const card = {
  wallet: FATIMA,
  amount: centimes(20_00),
  card: { id: 7, cvv: '123' },
  reference: 'x',
} as const;
const call = { requestId: 'r-1' };

describe('a step reads its own fields, with any odd fields beside them', () => {
  test.each<[string, unknown, Ask, unknown]>([
    [
      'a preview',
      { feesAmount: 2, type: 'P2P', operation: 7, checkedAt: 'now', openLoop: 'no' },
      (wallet) => wallet.previewTransfer(transfer),
      { fees: 2_00, total: 22_00, openLoop: false },
    ],
    [
      'a profile',
      { balance: 10, accountLevel: 2, customerStatus: 3, fullName: 7, rib: [], id: 'x', phoneNumber: null },
      (wallet) => wallet.profile(FATIMA),
      { balance: 10_00, level: 2, status: 3 },
    ],
    ['a status', { status: 3, message: {} }, (wallet) => wallet.customerStatus(FATIMA), { status: 3 }],
    [
      'a login',
      { logged: true, remainingAttempts: 'many' },
      (wallet) => wallet.login({ phone: FATIMA, pin: '7391' }),
      true,
    ],
    [
      'a redirect to 3-D Secure',
      { redirect: true, redirectionURL: 'https://bank.test/3ds', amount: '20', orderId: 5, gateway: 1 },
      (wallet) => wallet.cashInByCard(card, call),
      { redirect: 'https://bank.test/3ds' },
    ],
    [
      'a top-up from the float',
      { operationType: 'x', Amount: [], openLoop: 1, feesAmount: 'x' },
      (wallet) => wallet.topUpB2b(agentLine, call),
      { isFinal: true },
    ],
    [
      'a reference',
      { ...REFERENCE, operationStatus: 1, operationType: 'x', phoneNumber: 7, closedAt: 'never' },
      (wallet) => wallet.requestCashOut({ phone: FATIMA, amount: centimes(10_00) }),
      { reference: REFERENCE.reference, amount: 10_00, status: 1 },
    ],
    [
      'a reference that is looked up',
      { ...REFERENCE, status: 2, type: null, phoneNumber: 7, partner: [], code: 9 },
      (wallet) => wallet.cashReference('cash-in', REFERENCE.reference),
      { status: 2 },
    ],
  ])('%s', async (_case, data, ask, value) => {
    const { answer, odd } = await reading(data, ask);
    expect(answer).toMatchObject({ kind: 'ok', value });
    expect(odd.length).toBeGreaterThan(0);
  });

  test.each<[string, unknown, Ask]>([
    [
      'a preview without a fee that can be read',
      { feesAmount: 'free' },
      (wallet) => wallet.previewTransfer(transfer),
    ],
    [
      'a profile without a balance',
      { accountLevel: 2, customerStatus: 3 },
      (wallet) => wallet.profile(FATIMA),
    ],
    ['a status that is none', { status: 9 }, (wallet) => wallet.customerStatus(FATIMA)],
    [
      'a login that says neither',
      { logged: 'yes' },
      (wallet) => wallet.login({ phone: FATIMA, pin: '7391' }),
    ],
    [
      'a reference without its number',
      { ...REFERENCE, reference: null, operationStatus: 1 },
      (wallet) => wallet.requestCashOut({ phone: FATIMA, amount: centimes(10_00) }),
    ],
  ])('but not without it: %s', async (_case, data, ask) => {
    expect((await reading(data, ask)).answer).toEqual(unknown('unreadable'));
  });
});

describe('one odd row of a catalog costs itself', () => {
  const beneficiary = { id: 1, name: 'Ali', phoneNumber: YOUSSEF };
  test('a saved recipient with an odd RIB keeps their number', async () => {
    const rows = [beneficiary, { ...beneficiary, id: 2, rib: 7 }, { ...beneficiary, id: 'x' }];
    const { answer } = await reading({ collection: rows, count: 3 }, (wallet) =>
      wallet.beneficiaries(FATIMA),
    );
    expect(answer).toMatchObject({ value: { entries: [{ id: 1 }, { id: 2, phoneNumber: YOUSSEF }] } });
  });

  const BILL = { idArticle: '1', prixTTC: 10, typeArticle: 0, dateFacture: '2026-11', description: 'Nov' };
  const unpaid = (rows: readonly object[]) =>
    bare({ codeRetour: '000', refTxNetwork: '1', montantTotalTTC: {}, impayesParams: rows }, (wallet) =>
      wallet.unpaidBills({ from: FATIMA, creditorId: '1', receivableId: '1', values: [] }),
    );
  test('an unpaid bill with an odd date keeps its amount, and one without an amount is left out and not part of "all"', async () => {
    expect(await unpaid([BILL, { ...BILL, idArticle: '2', dateFacture: {}, description: 7 }])).toMatchObject({
      value: { items: [{ id: '1' }, { id: '2', date: '', amount: 1_000 }] },
    });
    const partial = await unpaid([BILL, { ...BILL, prixTTC: 'dix' }]);
    expect(partial).toMatchObject({ value: { items: [{ id: '1' }], isPartial: true } });
    expect(await unpaid([{ ...BILL, prixTTC: 'dix' }])).toEqual(unknown('unreadable'));
  });

  test('a field of a bill form with an odd label is asked by its name, and one of an unreadable kind is not', async () => {
    const field = { nomChamp: 'contrat', typeChamp: 'text', libelle: 'Contrat', contrainte: '1' };
    const creancierParams = [
      { ...field, libelle: 7 },
      { ...field, nomChamp: 'code', typeChamp: {} },
    ];
    const form = await bare({ codeRetour: '000', creancierParams, refTxNetwork: {} }, (wallet) =>
      wallet.billForm({ creditorId: '1', receivableId: '1' }),
    );
    expect(form).toMatchObject({ value: [{ name: 'contrat', label: 'contrat', required: true }] });
    expect(form).toHaveProperty('value.length', 1);
  });

  test.each<[string, object, Ask, object]>([
    [
      'a paid bill',
      {
        collection: [
          { amount: 10, status: 'PAYE', nomCreance: 7 },
          { amount: 'dix', status: 'PAYE' },
        ],
        count: 2,
      },
      (wallet) => wallet.billPayments(FATIMA),
      { entries: [{ amount: 1_000, status: 'PAYE' }], count: 2 },
    ],
    [
      'a code of a merchant',
      { qrContent: '000201', qrCodeReference: null },
      (wallet) => wallet.staticQr(FATIMA),
      { content: '000201' },
    ],
    [
      'a principal agent',
      { agent: { code: 'PA-1', name: 7 }, account: { balance: 10, rib: {}, accountLevel: 'x' } },
      (wallet) => wallet.principalAgent('PA-1'),
      { code: 'PA-1', balance: 1_000 },
    ],
  ])('%s is read without its odd fields', async (_case, data, ask, value) => {
    const { answer } = ask.toString().includes('bill')
      ? { answer: await bare(data, ask) }
      : await reading(data, ask);
    expect(answer).toMatchObject({ kind: 'ok', value });
  });

  test('a catalog of odd rows alone is not an empty one', async () => {
    const rows = [{ ...beneficiary, id: 'x' }];
    const { answer } = await reading({ collection: rows, count: 1 }, (wallet) =>
      wallet.beneficiaries(FATIMA),
    );
    expect(answer).toEqual(unknown('unreadable'));
  });
});
