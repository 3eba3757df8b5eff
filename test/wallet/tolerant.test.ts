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

/** What a call reads of an answer, and which fields were counted as odd. */
async function reading(data: unknown, ask: Ask) {
  const { url } = await answering(say(200, { data }));
  const odd: string[] = [];
  const onOdd = (_path: string, field: string) => void odd.push(field);
  return { answer: (await ask(createWallet({ url, apiKey: 'key', onOdd }))) as never, odd };
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

  test('that is no object is left out', async () => {
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

test('a list that is none is not read', async () => {
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
