import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  KHADIJA,
  NADIA_LOCKED,
  NOBODY,
  sandbox,
  send,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';

const RIB = '998780000000000000002167';
const CAFE = '+212600000011';
const save = (of: Sandbox, details: object, owner = KHADIJA) =>
  send(of, 'createBeneficiary', { query: { phoneNumber: owner }, body: { ...details } });
const change = (of: Sandbox, beneficiaryId: number, details: object, owner = KHADIJA) =>
  send(of, 'updateBeneficiary', {
    params: { beneficiaryId },
    query: { phoneNumber: owner },
    body: { ...details },
  });
const remove = (of: Sandbox, Id: number, owner = KHADIJA) =>
  send(of, 'deleteBeneficiary', { params: { Id }, query: { PhoneNumber: owner } });
const list = async (of: Sandbox, more: object = {}, owner = KHADIJA) =>
  (await call(of, 'listBeneficiaries', { PhoneNumber: owner, ...more })).body.data;
const names = async (of: Sandbox, more: object, owner = KHADIJA) =>
  (await list(of, more, owner)).collection.map(({ name }: { name: string }) => name);

test('Fatima has some from the start, and nobody else sees them', async () => {
  expect(await names(wallet, {}, FATIMA)).toEqual(['Youssef Benali', 'Maman', 'Résidence Al Manar (test)']);
  expect(await list(wallet)).toEqual({ collection: [], count: 0 });
});

test('a beneficiary is saved, changed and deleted', async () => {
  const saved = await save(wallet, { name: 'Youssef', phoneNumber: YOUSSEF, email: 'y@example.com' });
  const { id } = saved.body.data;
  expect(saved).toMatchObject({
    status: 200,
    body: { data: { id, name: 'Youssef', phoneNumber: YOUSSEF, rib: null, email: 'y@example.com' } },
  });
  const changed = await change(wallet, id, { name: 'Youssef B.', rib: RIB });
  expect(changed.body.data).toEqual({ id, name: 'Youssef B.', phoneNumber: null, rib: RIB, email: null });
  expect(await list(wallet)).toEqual({ collection: [changed.body.data], count: 1 });
  expect(await remove(wallet, id)).toMatchObject({ status: 200, body: { data: true } });
  expect(await list(wallet)).toEqual({ collection: [], count: 0 });
  expect(await remove(wallet, id)).toMatchObject(errorOf('beneficiaryUnknown'));
});

test('an id is not given to another beneficiary after a reset', async () => {
  const [first] = (await list(wallet, {}, FATIMA)).collection;
  wallet.reset();
  expect((await list(wallet, {}, FATIMA)).collection[0]).toEqual(first);
});

test.each<[string, object, ErrorName]>([
  ['without a name', { phoneNumber: YOUSSEF }, 'missingParameters'],
  ['without number and RIB', { name: 'Ali' }, 'missingParameters'],
  ['with neither, written as null', { name: 'Ali', phoneNumber: null, rib: null }, 'missingParameters'],
  ['with one letter', { name: 'A', phoneNumber: YOUSSEF }, 'parameterInvalid'],
  ['with digits for a name', { name: '12', phoneNumber: YOUSSEF }, 'parameterInvalid'],
  ['with a national number', { name: 'Ali', phoneNumber: '0600000002' }, 'phoneInvalid'],
  ['with a RIB of 23 digits', { name: 'Ali', rib: RIB.slice(1) }, 'parameterInvalid'],
  ['with a RIB in groups', { name: 'Ali', rib: '998 780 0000000000000021 67' }, 'parameterInvalid'],
  ['with half an e-mail', { name: 'Ali', phoneNumber: YOUSSEF, email: 'ali@' }, 'parameterInvalid'],
])('one %s is not saved', async (_, details, error) => {
  expect(await save(wallet, details)).toMatchObject(errorOf(error));
  expect((await list(wallet)).count).toBe(0);
});

test.each<[string, object]>([
  ['in Arabic', { name: 'أمي', phoneNumber: YOUSSEF }],
  ['by RIB alone', { name: 'Propriétaire', rib: RIB }],
  ['by both', { name: 'Ali', rib: RIB, phoneNumber: YOUSSEF, email: null }],
])('one %s is saved', async (_, details) => {
  expect((await save(sandbox(), details)).body.data).toMatchObject(details);
});

test.each<[string, (of: Sandbox) => Promise<unknown>, ErrorName]>([
  [
    'an owner nobody knows, listed',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: NOBODY }),
    'customerNotFound',
  ],
  [
    'an owner nobody knows, saved for',
    (of) => save(of, { name: 'Ali', rib: RIB }, NOBODY),
    'customerNotFound',
  ],
  ["somebody else's, changed", (of) => change(of, 1, { name: 'Ali', rib: RIB }), 'beneficiaryUnknown'],
  ["somebody else's, deleted", (of) => remove(of, 1), 'beneficiaryUnknown'],
  ['one that is not there', (of) => change(of, 99, { name: 'Ali', rib: RIB }), 'beneficiaryUnknown'],
  [
    'sorted by the age of the captain',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: FATIMA, SortBy: 'age' }),
    'parameterInvalid',
  ],
  [
    'sorted by SQL',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: FATIMA, SortBy: 'name; DROP' }),
    'parameterInvalid',
  ],
  [
    'sorted sideways',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: FATIMA, SortOrder: 'up' }),
    'parameterInvalid',
  ],
  [
    'page 0',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: FATIMA, PageNumber: 0 }),
    'parameterInvalid',
  ],
  [
    'from never',
    (of) => call(of, 'listBeneficiaries', { PhoneNumber: FATIMA, From: 'never' }),
    'parameterInvalid',
  ],
])('refused: %s', async (_, ask, error) => {
  expect(await ask(wallet)).toMatchObject(errorOf(error));
  expect((await list(wallet, {}, FATIMA)).count).toBe(3);
});

describe('the list', () => {
  const filled = async () => {
    const wallet = sandbox();
    await save(wallet, { name: 'Zineb', phoneNumber: '+212611111111', email: 'zineb@example.com' });
    await wallet.clock.advance(60_000);
    await save(wallet, { name: 'amine', phoneNumber: '+212622222222' });
    await save(wallet, { name: 'Banque', rib: RIB });
    return wallet;
  };

  test.each<[string, object, string[]]>([
    ['as saved', {}, ['Zineb', 'amine', 'Banque']],
    ['by name', { SortBy: 'name' }, ['amine', 'Banque', 'Zineb']],
    ['by name, backwards', { SortBy: 'Name', SortOrder: 'desc' }, ['Zineb', 'Banque', 'amine']],
    ['the newest first', { SortBy: 'createdAt', SortOrder: 'desc' }, ['amine', 'Banque', 'Zineb']],
    ['one page of two', { PageSize: 2, PageNumber: 2 }, ['Banque']],
    ['past the end', { PageNumber: 9 }, []],
    ['with part of a name', { Name: 'AMI' }, ['amine']],
    ['with part of a number', { BeneficiaryNumber: '6111' }, ['Zineb']],
    ['with a RIB', { Rib: RIB }, ['Banque']],
    ['with a word anywhere', { Search: 'example.com' }, ['Zineb']],
    ['with a sign of SQL', { Search: '%' }, []],
    ['until the first minute', { To: '2026-11-20T10:00:30Z' }, ['Zineb']],
    ['after the first minute', { From: '2026-11-20T10:00:30Z' }, ['amine', 'Banque']],
  ])('%s', async (_, query, expected) => {
    expect(await names(await filled(), query)).toEqual(expected);
  });

  test('counts all that match, and not only the page', async () => {
    expect((await list(await filled(), { PageSize: 1 })).count).toBe(3);
    expect((await list(await filled(), { PageSize: 1, Name: 'z' })).count).toBe(1);
  });
});

describe('paying a beneficiary', () => {
  const ways: readonly [string, ApiName, string][] = [
    ['a transfer', 'executeTransfer', YOUSSEF],
    ['its preview', 'previewTransfer', YOUSSEF],
    ['a payment', 'executeMerchantPayment', CAFE],
    ['its preview', 'previewMerchantPayment', CAFE],
  ];
  test.each(ways)('%s of its own number is made', async (_, name, to) => {
    const { id } = (await save(wallet, { name: 'Ali', phoneNumber: to })).body.data;
    expect(await call(wallet, name, { ...transfer(KHADIJA, to, 10), BeneficiaryId: id })).toMatchObject({
      status: 200,
    });
    await wallet.clock.advance(2_000);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test.each(ways)('%s of another number is not', async (_, name, to) => {
    const { id } = (await save(wallet, { name: 'Ali', phoneNumber: FATIMA, rib: RIB })).body.data;
    const order = transfer(KHADIJA, to, 10);
    expect(await call(wallet, name, { ...order, BeneficiaryId: id })).toMatchObject(
      errorOf('beneficiaryOther'),
    );
    // The first is Fatima's own.
    expect(await call(wallet, name, { ...order, BeneficiaryId: 1 })).toMatchObject(
      errorOf('beneficiaryUnknown'),
    );
    expect(await call(wallet, name, { ...order, BeneficiaryId: 99 })).toMatchObject(
      errorOf('beneficiaryUnknown'),
    );
    expect(await balanceOf(wallet, KHADIJA)).toBe(18_900);
    expect(wallet.checkLedger().balanced).toBe(true);
  });
});

test('a locked customer still has beneficiaries', async () => {
  expect((await save(wallet, { name: 'Ali', rib: RIB }, NADIA_LOCKED)).status).toBe(200);
});
