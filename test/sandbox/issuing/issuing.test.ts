import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { cardManagement } from '../../../src/wallet/contract/card-management.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  call,
  errorOf,
  FATIMA,
  KHADIJA,
  NADIA_LOCKED,
  NOBODY,
  newcomer,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';

const PHYSICAL = 1;
const VIRTUAL = 2;
const DIGITAL = 3;
const DAY_MS = 24 * 3_600_000;

const applied = async (of: Sandbox, cardProgramId = VIRTUAL, PhoneNumber = YOUSSEF) =>
  (await call(of, 'createCardApplication', { PhoneNumber, cardProgramId })).body.data;
const validated = async (of: Sandbox, cardProgramId = VIRTUAL, PhoneNumber = YOUSSEF) => {
  const { id } = await applied(of, cardProgramId, PhoneNumber);
  return (await call(of, 'validateCardApplication', { id })).body.data;
};
/** A new card of Youssef. */
const issued = async (of: Sandbox, program = VIRTUAL) => {
  const { cardId } = await validated(of, program);
  return { id: cardId, PhoneNumber: YOUSSEF };
};
const cardOf = async (of: Sandbox, id: number) => (await call(of, 'readCard', { id })).body.data;
const does = (of: Sandbox, action: string, given: Record<string, unknown>) =>
  call(of, `${action}Card` as ApiName, given);

describe('programmes', () => {
  test('are of the three types, and paged with page and take', async () => {
    const { body } = await call(wallet, 'listCardPrograms');
    expect(cardManagement.listCardPrograms.data.parse(body.data)).toEqual(body.data);
    expect(body.data.count).toBe(3);
    expect(
      body.data.collection.map(({ cardType, isVirtual }: Record<string, unknown>) => [cardType, isVirtual]),
    ).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    const second = await call(wallet, 'listCardPrograms', { page: 2, take: 2 });
    expect(second.body.data).toMatchObject({ collection: [{ id: 3 }], count: 3 });
  });
});

describe('an application', () => {
  test('waits, is validated, and a card is issued', async () => {
    const application = await applied(wallet);
    expect(application).toMatchObject({
      id: 1,
      phoneNumber: YOUSSEF,
      cardProgramId: VIRTUAL,
      status: 1,
      rejectionReason: null,
      decidedAt: null,
      cardId: null,
    });
    const { body } = await call(wallet, 'validateCardApplication', { id: 1 });
    expect(body.data).toMatchObject({ id: 1, status: 2, decidedAt: '2026-11-20T10:00:00.000Z' });
    expect(await cardOf(wallet, body.data.cardId)).toMatchObject({
      phoneNumber: YOUSSEF,
      cardProgramId: VIRTUAL,
      cardType: 2,
      cardStatus: 1,
      deliveryStatus: 4,
      expiryDate: '2711',
      maskedPan: expect.stringMatching(/^\*{4} \d{4}$/),
      allowAtm: true,
    });
  });

  test.each([
    [{ reason: 'Pièce illisible' }, 'Pièce illisible'],
    [{}, null],
  ] as const)('is rejected with %j, which is stored', async (body, rejectionReason) => {
    const { id } = await applied(wallet);
    const rejected = await call(wallet, 'rejectCardApplication', { id, ...body });
    expect(rejected.body.data).toMatchObject({ status: 3, rejectionReason, cardId: null });
    const { body: list } = await call(wallet, 'listCardApplications', { status: 3 });
    expect(list.data).toEqual({ collection: [rejected.body.data], count: 1 });
  });

  describe.each(['validateCardApplication', 'rejectCardApplication'] as const)('decided by %s', (first) => {
    test.each(['validateCardApplication', 'rejectCardApplication'] as const)(
      'stays so after %s',
      async (then) => {
        const { id } = await applied(wallet);
        const { body } = await call(wallet, first, { id });
        expect(await call(wallet, then, { id })).toMatchObject(errorOf('applicationDecided'));
        const list = await call(wallet, 'listCardApplications');
        expect(list.body.data.collection).toEqual([body.data]);
        expect((await call(wallet, 'listCards', { cardProgramId: VIRTUAL })).body.data.count).toBe(
          first === 'validateCardApplication' ? 2 : 1,
        );
      },
    );
  });

  test('lists: all by status, or those of a customer, newest first', async () => {
    for (const phone of [YOUSSEF, KHADIJA, YOUSSEF]) await applied(wallet, PHYSICAL, phone);
    await call(wallet, 'validateCardApplication', { id: 1 });
    const ids = async (name: ApiName, given = {}) => {
      const { body } = await call(wallet, name, given);
      return [body.data.collection.map(({ id }: { id: number }) => id), body.data.count];
    };
    expect(await ids('listCardApplications')).toEqual([[3, 2, 1], 3]);
    expect(await ids('listCardApplications', { status: 1, take: 1, page: 2 })).toEqual([[2], 2]);
    expect(await ids('listCustomerCardApplications', { phoneNumber: YOUSSEF })).toEqual([[3, 1], 2]);
    expect(await ids('listCustomerCardApplications', { phoneNumber: FATIMA })).toEqual([[], 0]);
  });

  test.each<[string, ApiName, Record<string, unknown>, ErrorName]>([
    ['nobody', 'createCardApplication', { PhoneNumber: NOBODY, cardProgramId: 1 }, 'customerNotFound'],
    ['a locked customer', 'createCardApplication', { PhoneNumber: NADIA_LOCKED, cardProgramId: 1 }, 'locked'],
    [
      'no such programme',
      'createCardApplication',
      { PhoneNumber: YOUSSEF, cardProgramId: 9 },
      'programUnknown',
    ],
    ['without a programme', 'createCardApplication', { PhoneNumber: YOUSSEF }, 'missingParameters'],
    ['without a number', 'createCardApplication', { cardProgramId: 1 }, 'missingParameters'],
    [
      'a national number',
      'createCardApplication',
      { PhoneNumber: '0600000002', cardProgramId: 1 },
      'phoneInvalid',
    ],
    ['validated, though there is none', 'validateCardApplication', { id: 9 }, 'applicationUnknown'],
    ['rejected, though there is none', 'rejectCardApplication', { id: 9 }, 'applicationUnknown'],
    ['validated by a word', 'validateCardApplication', { id: 'first' }, 'parameterInvalid'],
    ['rejected with a number', 'rejectCardApplication', { id: 1, reason: 5 }, 'parameterInvalid'],
    ['listed with status 4', 'listCardApplications', { status: 4 }, 'parameterInvalid'],
    ['listed on page 0', 'listCardApplications', { page: 0 }, 'parameterInvalid'],
    ['listed for nobody', 'listCustomerCardApplications', { phoneNumber: NOBODY }, 'customerNotFound'],
  ])('refused: %s', async (_, name, given, error) => {
    expect(await call(sandbox(), name, given)).toMatchObject(errorOf(error));
  });
});

describe('the delivery of a card', () => {
  test('of plastic goes on day by day', async () => {
    const { id } = await issued(wallet, PHYSICAL);
    const seen: number[] = [];
    for (let day = 0; day < 5; day++) {
      seen.push((await cardOf(wallet, id)).deliveryStatus);
      await wallet.clock.advance(DAY_MS);
    }
    expect(seen).toEqual([1, 2, 3, 4, 4]);
  });

  test.each([VIRTUAL, DIGITAL])('of programme %d is there at once', async (program) => {
    const { id } = await issued(wallet, program);
    expect((await cardOf(wallet, id)).deliveryStatus).toBe(4);
  });

  test.each([
    [1, 0],
    [1, DAY_MS - 1],
    [2, DAY_MS],
    [2, DAY_MS + 1],
    [2, 2 * DAY_MS - 1],
    [3, 2 * DAY_MS + 12_345],
    [4, 3 * DAY_MS],
    [4, 40 * DAY_MS + 1],
  ])('is found by step %d alone after %d ms', async (step, ms) => {
    const { id } = await issued(wallet, PHYSICAL);
    await wallet.clock.advance(ms);
    expect((await cardOf(wallet, id)).deliveryStatus).toBe(step);
    const found = await Promise.all(
      [1, 2, 3, 4].map(async (deliveryStatusId) => {
        const { body } = await call(wallet, 'listCards', { deliveryStatusId, isVirtual: false });
        return body.data.collection.length;
      }),
    );
    expect(found).toEqual([1, 2, 3, 4].map((each) => Number(each === step)));
  });

  test('has a pace that can be set', async () => {
    const wallet = sandbox({ settings: { cardDeliveryStepMs: 1_000 } });
    const { id } = await issued(wallet, PHYSICAL);
    await wallet.clock.advance(2_000);
    expect((await cardOf(wallet, id)).deliveryStatus).toBe(3);
  });
});

describe('the list of cards', () => {
  test('is paged with pageNumber and pageSize, newest first', async () => {
    for (const program of [1, 2, 3]) await issued(wallet, program);
    const { body } = await call(wallet, 'listCards', { pageNumber: 2, pageSize: 3 });
    expect(cardManagement.listCards.data.parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({ collection: [{ id: 1 }], count: 4 });
    // Those of the other section are not known here.
    expect((await call(wallet, 'listCards', { page: 2, take: 3 })).body.data.collection).toHaveLength(4);
  });

  test.each<[string, Record<string, unknown>, number[]]>([
    ['those of a customer', { customerId: 2 }, [4, 3, 2]],
    ['those of a programme', { cardProgramId: 1 }, [2]],
    ['activated ones', { status: 2 }, [4, 1]],
    ['expired ones', { status: 5 }, []],
    ['virtual ones', { isVirtual: true }, [4, 3, 1]],
    ['plastic ones', { isVirtual: false }, [2]],
    ['those of a scheme', { schemaId: 2 }, [4]],
    ['delivered ones', { deliveryStatusId: 4 }, [4, 3, 1]],
    ['those being made', { deliveryStatusId: 2 }, [2]],
    ['all together', { customerId: 2, isVirtual: true, status: 1 }, [3]],
  ])('%s', async (_, filter, ids) => {
    for (const program of [1, 2, 3]) await issued(wallet, program);
    await does(wallet, 'activate', { id: 4, PhoneNumber: YOUSSEF });
    await wallet.clock.advance(DAY_MS);
    const { body } = await call(wallet, 'listCards', filter);
    expect(body.data.collection.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(body.data.count).toBe(ids.length);
  });

  test('knows cards by their account, and expired ones by the clock', async () => {
    const { id } = await issued(wallet);
    const { accountId } = await cardOf(wallet, id);
    expect((await call(wallet, 'listCards', { accountId })).body.data).toMatchObject({ count: 1 });
    await wallet.clock.advance(400 * DAY_MS);
    expect((await call(wallet, 'listCards', { status: 5 })).body.data).toMatchObject({
      collection: [{ id, cardStatus: 5 }, { id: 1 }],
    });
  });

  test('is empty for another partner but for the seeded card', async () => {
    const wallet = sandbox({ partners: [{ apiKey: 'other', scopes: 'cards:manage' }] });
    const { id } = await issued(wallet);
    const theirs = { 'Svc-Api-Key': 'other' };
    expect((await call(wallet, 'listCards', {}, theirs)).body.data.count).toBe(1);
    expect(await call(wallet, 'readCard', { id }, theirs)).toMatchObject(errorOf('issuedCardUnknown'));
    expect((await call(wallet, 'listCardApplications', {}, theirs)).body.data.count).toBe(0);
  });
});

describe('services', () => {
  const OFF = { allowAtm: false, allowOnline: true, allowPos: false, contactlessEnabled: true };

  test('are set all four at once', async () => {
    const card = await issued(wallet);
    const set = await call(wallet, 'setCardServices', { ...card, ...OFF });
    expect(set.body).toEqual({ data: true });
    expect(await cardOf(wallet, card.id)).toMatchObject(OFF);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['one left out', { allowPos: undefined }, 'missingParameters'],
    ['one as a word', { allowPos: 'no' }, 'parameterInvalid'],
    ['another customer’s card', { PhoneNumber: KHADIJA }, 'issuedCardUnknown'],
    ['no such card', { id: 99 }, 'issuedCardUnknown'],
    ['nobody’s card', { PhoneNumber: NOBODY }, 'customerNotFound'],
  ])('refused: %s', async (_, wrong, error) => {
    const card = await issued(wallet);
    expect(await call(wallet, 'setCardServices', { ...card, ...OFF, ...wrong })).toMatchObject(
      errorOf(error),
    );
    expect(await cardOf(wallet, card.id)).toMatchObject({ allowAtm: true });
  });
});

describe('transactions', () => {
  const mine = { cardId: 1, PhoneNumber: FATIMA };

  test('of the seeded card, newest first, paged and by date', async () => {
    const { body } = await call(wallet, 'listCardTransactions', mine);
    expect(cardManagement.listCardTransactions.data.parse(body.data)).toEqual(body.data);
    expect(body.data.count).toBe(6);
    expect(body.data.collection[0]).toMatchObject({
      cardId: 1,
      amount: 79.9,
      channel: 'ONLINE',
      transactionStatus: 2,
    });
    const page = await call(wallet, 'listCardTransactions', { ...mine, PageSize: 4, PageNumber: 2 });
    expect(page.body.data).toMatchObject({ collection: [{}, {}], count: 6 });
    const some = { ...mine, From: '2026-11-01T00:00:00Z', To: '2026-11-15T00:00:00Z' };
    expect((await call(wallet, 'listCardTransactions', some)).body.data.count).toBe(3);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('of a new card there are none', async () => {
    const { id, PhoneNumber } = await issued(wallet);
    const { body } = await call(wallet, 'listCardTransactions', { cardId: id, PhoneNumber });
    expect(body.data).toEqual({ collection: [], count: 0 });
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['another customer’s card', { PhoneNumber: YOUSSEF }, 'issuedCardUnknown'],
    ['no such card', { cardId: 99 }, 'issuedCardUnknown'],
    ['a day there is not', { From: 'yesterday' }, 'parameterInvalid'],
    ['page 0', { PageNumber: 0 }, 'parameterInvalid'],
    ['without a number', { PhoneNumber: '' }, 'missingParameters'],
  ])('refused: %s', async (_, wrong, error) => {
    expect(await call(sandbox(), 'listCardTransactions', { ...mine, ...wrong })).toMatchObject(
      errorOf(error),
    );
  });
});

test('a customer who has closed the wallet and opens another has none of the old cards', async () => {
  const phone = '+212611111111';
  wallet.addCustomer(newcomer(phone, 0));
  const { cardId } = await validated(wallet, VIRTUAL, phone);
  const pending = await applied(wallet, PHYSICAL, phone);
  const rejected = await applied(wallet, PHYSICAL, phone);
  const other = await applied(wallet, PHYSICAL);
  await call(wallet, 'rejectCardApplication', { id: rejected.id, reason: 'No income' });
  await call(wallet, 'unregisterCustomer', { PhoneNumber: phone, Reason: 5 });
  wallet.addCustomer(newcomer(phone, 0));
  expect(await cardOf(wallet, cardId)).toMatchObject({ cardStatus: 6, reason: 'The wallet was closed' });
  expect(await call(wallet, 'validateCardApplication', { id: pending.id })).toMatchObject(
    errorOf('applicationDecided'),
  );
  const { collection } = (await call(wallet, 'listCardApplications', { status: 3 })).body.data;
  expect(collection).toMatchObject([
    { id: rejected.id, rejectionReason: 'No income' },
    { id: pending.id, rejectionReason: 'The wallet was closed', decidedAt: '2026-11-20T10:00:00.000Z' },
  ]);
  expect((await call(wallet, 'validateCardApplication', { id: other.id })).status).toBe(200);
  expect(await does(wallet, 'activate', { id: cardId, PhoneNumber: phone })).toMatchObject(
    errorOf('issuedCardUnknown'),
  );
});
