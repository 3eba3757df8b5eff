import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { SEARCHED_MAX } from '../../../src/sandbox/operations/listing.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { call, errorOf, FATIMA, KHADIJA, NOBODY, NOON, sandbox, transfer, wallet, YOUSSEF } from '../kit.ts';

/** Fatima sends 10, 20 … 120 to Youssef, a minute apart. Khadija sends her 500. 30 leave for another provider. */
async function busyWallet(): Promise<Sandbox> {
  const wallet = sandbox({ settings: { settleAfterMs: 0 } });
  for (let i = 1; i <= 12; i++) {
    await call(wallet, 'executeTransfer', { ...transfer(FATIMA, YOUSSEF, i * 10), Reason: `gift ${i}` });
    await wallet.clock.advance(60_000);
  }
  await call(wallet, 'executeTransfer', transfer(KHADIJA, FATIMA, 500));
  await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 30));
  return wallet;
}

const minute = (n: number) => new Date(NOON + n * 60_000).toISOString();
test.each<[string, Record<string, unknown>, number, number]>([
  ['all, ten on the first page', {}, 10, 14],
  ['the second page', { PageNumber: 2 }, 4, 14],
  ['a page past the end', { PageNumber: 9 }, 0, 14],
  ['pages of three', { PageSize: 3 }, 3, 14],
  ['transfers', { OperationType: 3, PageSize: 50 }, 14, 14],
  ['transfers and bills', { OperationType: [3, 25], PageSize: 50 }, 14, 14],
  ['bills', { OperationType: [25] }, 0, 0],
  ['completed', { TransactionStatus: 2 }, 10, 14],
  ['open', { TransactionStatus: 1 }, 0, 0],
  ['credits', { Sens: 1 }, 1, 1],
  ['debits', { Sens: 2 }, 10, 13],
  ['from the tenth minute', { From: minute(10) }, 4, 4],
  ['to the second minute', { To: minute(1) }, 2, 2],
  ['between', { From: minute(3), To: minute(5) }, 3, 3],
  ['by reason', { Keyword: 'GIFT 12' }, 1, 1],
  ['by number', { Keyword: KHADIJA }, 1, 1],
  ['by a wildcard that is none', { Keyword: '%' }, 0, 0],
])('a wallet lists %s', async (_, filter, shown, count) => {
  const wallet = await busyWallet();
  const said = await call(wallet, 'listOperations', { PhoneNumber: FATIMA, ...filter });
  expect(said.body.data.collection).toHaveLength(shown);
  expect(said.body.data.count).toBe(count);
});

test('the newest come first, each from the side of the reader', async () => {
  const wallet = await busyWallet();
  const fatima = await call(wallet, 'listOperations', { PhoneNumber: FATIMA, PageSize: 2 });
  expect(fatima.body.data.collection).toMatchObject([
    { amount: 30, sens: 2, feesAmount: 2, totalAmount: 32, receiver: NOBODY },
    { amount: 500, sens: 1, feesAmount: 0, totalAmount: 500, sender: KHADIJA },
  ]);
  const youssef = await call(wallet, 'listOperations', { PhoneNumber: YOUSSEF, PageSize: 1 });
  expect(youssef.body.data).toMatchObject({ count: 12, collection: [{ amount: 120, sens: 1 }] });
});

test('a page says how many there are, in any state', async () => {
  const shown = async (PhoneNumber: string, more: object = {}) => {
    const given = { PhoneNumber, PageSize: 100, ...more };
    const { collection, count } = (await call(wallet, 'listOperations', given)).body.data;
    expect(count).toBe(collection.length);
    return count;
  };
  const both = async (more?: object) => [await shown(FATIMA, more), await shown(YOUSSEF, more)];
  const send = (to: string) => call(wallet, 'executeTransfer', transfer(FATIMA, to, 10));
  await send(YOUSSEF);
  await send(MAGIC.failsLater);
  wallet.faults.set({ name: 'reversal', count: 1 });
  await send(YOUSSEF);
  wallet.faults.set({ name: 'listLag', count: 1 });
  await send(YOUSSEF);
  expect(await both()).toEqual([3, 0]);
  await wallet.clock.advance(1_200);
  expect(await both()).toEqual([3, 2]);
  await wallet.clock.advance(5_000);
  expect(await both()).toEqual([3, 2]);
  expect(await both({ TransactionStatus: 4 })).toEqual([1, 1]);
  expect(await both({ TransactionStatus: 2 })).toEqual([1, 1]);
  expect(await shown(FATIMA, { TransactionStatus: 3 })).toBe(1);
  await wallet.clock.advance(60_000);
  expect(await both()).toEqual([4, 3]);
  const all = (await call(wallet, 'listAllOperations', { openLoop: true })).body.data;
  expect(all).toMatchObject({ count: 1, collection: [{ receiver: MAGIC.failsLater }] });
});

test('keywords are searched in the newest operations after the other filters', async () => {
  const folder = newDirectory();
  const options = { file: join(folder, 'sandbox.db'), clock: { now: () => NOON } };
  const before = createSandbox(options);
  await call(before, 'executeTransfer', { ...transfer(FATIMA, YOUSSEF, 10), Reason: 'needle' });
  await before.clock.advance(60_000);
  await call(before, 'executeTransfer', { ...transfer(FATIMA, YOUSSEF, 10), Reason: 'hay' });
  await before.close();
  const db = new Database(options.file);
  db.run('CREATE TEMP TABLE more AS SELECT * FROM operations WHERE id = 2');
  const names = db
    .all<{ name: string }>(`SELECT name FROM pragma_table_info('operations')`)
    .map(({ name }) => name);
  const columns = names.map((name) => (name === 'id' ? 'n.id' : name)).join(', ');
  db.run(
    `WITH RECURSIVE n (id) AS (SELECT 3 UNION ALL SELECT id + 1 FROM n WHERE id < ?)
     INSERT INTO operations SELECT ${columns} FROM n JOIN more ON true`,
    SEARCHED_MAX + 1,
  );
  db.close();
  const wallet = sandbox(options);
  const found = async (more: object) =>
    (await call(wallet, 'listOperations', { PhoneNumber: FATIMA, ...more })).body.data.count;
  expect(await found({})).toBe(SEARCHED_MAX + 1);
  expect(await found({ Keyword: 'hay' })).toBe(SEARCHED_MAX);
  expect(await found({ Keyword: 'needle' })).toBe(0);
  expect(await found({ Keyword: 'needle', To: minute(0) })).toBe(1);
});

test('one is read by id, only by its own customers', async () => {
  const wallet = await busyWallet();
  const read = (id: unknown, PhoneNumber: string) => call(wallet, 'readOperation', { id, PhoneNumber });
  expect(await read(1, YOUSSEF)).toMatchObject({
    status: 200,
    body: { data: { operationId: 1, amount: 10 } },
  });
  expect(await read(1, KHADIJA)).toMatchObject(errorOf('operationNotFound'));
  expect(await read(999, FATIMA)).toMatchObject(errorOf('operationNotFound'));
  expect(await read('x', FATIMA)).toMatchObject(errorOf('parameterInvalid'));
});

test('the recipient sees it once it is completed', async () => {
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10));
  const count = async (PhoneNumber: string) =>
    (await call(wallet, 'listOperations', { PhoneNumber })).body.data.count;
  expect([await count(FATIMA), await count(YOUSSEF)]).toEqual([1, 0]);
  await wallet.clock.advance(1_200);
  expect([await count(FATIMA), await count(YOUSSEF)]).toEqual([1, 1]);
});

test.each<[string, Record<string, unknown>, number]>([
  ['all', {}, 14],
  ['open loop', { openLoop: true }, 1],
  ['closed loop', { openLoop: false }, 13],
  ['by status', { operationStatus: [2, 3] }, 14],
  ['by type', { operationType: [1] }, 0],
  ['by method', { method: 'Card' }, 0],
  ['by text', { search: 'gift 3' }, 1],
])('the partner lists %s', async (_, filter, count) => {
  const said = await call(await busyWallet(), 'listAllOperations', filter);
  expect(said.body.data.count).toBe(count);
});

test('with details each operation says how and why it was made', async () => {
  const wallet = await busyWallet();
  const listed = async (includeDetails: boolean) =>
    (await call(wallet, 'listAllOperations', { includeDetails, pageSize: 1 })).body.data.collection[0];
  const details = { method: null, reason: 'test', openLoop: true, cRequestId: '' };
  expect(await listed(true)).toEqual({ ...(await listed(false)), ...details });
  expect(Object.keys(await listed(false))).not.toContain('reason');
});

test('a page deep in a long past is that page', async () => {
  const wallet = await busyWallet();
  const ids = async (PageNumber: number, PageSize: number) => {
    const said = await call(wallet, 'listOperations', { PhoneNumber: FATIMA, PageNumber, PageSize });
    return said.body.data.collection.map(({ operationId }: { operationId: number }) => operationId);
  };
  const all = await ids(1, 14);
  expect(all).toEqual([...all].sort((a, b) => b - a));
  expect(await ids(4, 4)).toEqual(all.slice(12));
  expect(await ids(3, 5)).toEqual(all.slice(10));
});

test.each([
  ['a page before the first', { PageNumber: 0 }],
  ['an unknown direction', { Sens: 3 }],
  ['a status in words', { TransactionStatus: 'open' }],
  ['two statuses', { TransactionStatus: [1, 2] }],
  ['a date that is none', { From: 'yesterday' }],
])('refused: %s', async (_, filter) => {
  const said = await call(sandbox(), 'listOperations', { PhoneNumber: FATIMA, ...filter });
  expect(said).toMatchObject(errorOf('parameterInvalid'));
});
