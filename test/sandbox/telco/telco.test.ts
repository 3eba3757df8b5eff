import { describe, expect, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import { PLAIN_FAULT_NAMES, type PlainFaultName } from '../../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { centimes } from '../../../src/wallet/money.ts';
import {
  balanceOf,
  CANNOT_PAY,
  CHECKED_AT,
  call,
  errorOf,
  FATIMA,
  IN_BALANCE,
  NOBODY,
  newcomer,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { served } from '../served.ts';

const MINUTE_MS = 60_000;

/** A classic top-up by Maroc Telecom, or what is given instead. */
function topUp(more: Record<string, unknown> = {}) {
  const order = { customerPhoneNumber: FATIMA, recipientPhoneNumber: NOBODY, amount: 50, operator: 1 };
  return { ...order, rechargeType: 0, ...more };
}
const product = (productCode?: number) => topUp({ rechargeType: 1, ...(productCode && { productCode }) });
const b2b = (more: Record<string, unknown> = {}) => {
  const { customerPhoneNumber, ...order } = topUp({ code: PRINCIPAL_AGENT.code, ...more });
  return order;
};

async function states(wallet: Sandbox): Promise<number[]> {
  const said = await call(wallet, 'listTopUps', { phoneNumber: FATIMA });
  return said.body.data.map(({ status }: { status: number }) => status);
}

describe('the catalog', () => {
  const catalog = async (amount: unknown, operator: unknown) =>
    call(sandbox(), 'topUpCatalog', { recipientPhoneNumber: NOBODY, amount, operator });

  test.each([
    [1, 50, 4, 0],
    [1, 10, 4, 1],
    [2, 20, 2, 1],
    [3, 200, 1, 0],
    [3, 70, 0, 0],
  ])('operator %s for %s DH: %s products, %s of them disabled', async (operator, amount, count, disabled) => {
    const { status, body } = await catalog(amount, operator);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(count);
    expect(body.data.filter(({ enabled }: { enabled: boolean }) => !enabled)).toHaveLength(disabled);
  });

  test('says each product in French and Arabic', async () => {
    expect((await catalog(5, 1)).body.data[0]).toEqual({
      productCode: 1101,
      description: 'Pass *3 : 500 Mo internet, 1 jour (test)',
      arDescription: 'باقة *3: 500 ميغا إنترنت، يوم واحد (تجريبي)',
      enabled: true,
    });
  });

  test.each<[string, unknown, unknown, ErrorName]>([
    ['an operator there is not', 50, 4, 'parameterInvalid'],
    ['no operator', 50, undefined, 'missingParameters'],
    ['no amount', undefined, 1, 'missingParameters'],
    ['less than nothing', -5, 1, 'amountInvalid'],
  ])('refuses %s', async (_, amount, operator, error) => {
    expect(await catalog(amount, operator)).toMatchObject(errorOf(error));
  });
});

describe('a top-up', () => {
  test.each([
    ['small', 5, 1],
    ['up to where it costs', 19, 1],
    ['free from here', 20, 0],
    ['the largest', 1_000, 0],
  ])('a preview gives the price and changes nothing: %s', async (_, amount, fees) => {
    const said = await call(wallet, 'previewTopUp', topUp({ amount }));
    expect(said.body).toEqual({
      data: {
        type: 10,
        operation: topUp({ amount }),
        feesAmount: fees,
        totalAmount: amount + fees,
        checkedAt: CHECKED_AT,
        openLoop: false,
      },
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3_500);
  });

  test('is delivered before the answer, and has no webhook', async () => {
    const { wallet, partner } = await served();
    const said = await call(wallet, 'executeTopUp', topUp({ amount: 10 }), { 'C-Request-Id': 'ours' });
    expect(said.body.data).toEqual({
      operationId: 1,
      transactionStatus: 2,
      operationType: 10,
      amount: 10,
      feesAmount: 1,
      totalAmount: 11,
      reason: 'Recharge Maroc Telecom',
      recipientPhoneNumber: NOBODY,
      checkedAt: CHECKED_AT,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3_489);
    await wallet.clock.advance(60 * MINUTE_MS);
    expect(partner.received).toEqual([]);
    expect(wallet.executions('ours')).toMatchObject([
      { type: 10, amount: 10_00, receiver: NOBODY, status: 2 },
    ]);
    expect(wallet.checkLedger()).toMatchObject({
      ...IN_BALANCE,
      totals: { transit: 0, switch: 10_00, fees: 1_00 },
    });
  });

  test('is in the statement and read by its id', async () => {
    await call(wallet, 'executeTopUp', topUp({ recipientPhoneNumber: YOUSSEF }));
    const detail = { operationId: 1, operationType: 10, sens: 2, amount: 50, receiver: YOUSSEF };
    const listed = await call(wallet, 'listOperations', { PhoneNumber: FATIMA, OperationType: [10] });
    expect(listed.body.data).toMatchObject({ count: 1, collection: [detail] });
    expect((await call(wallet, 'readOperation', { id: 1, PhoneNumber: FATIMA })).body.data).toMatchObject(
      detail,
    );
    // The owner of the phone received no money in the wallet.
    expect((await call(wallet, 'readOperation', { id: 1, PhoneNumber: YOUSSEF })).status).toBe(400);
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1_200);
  });

  test('of a product', async () => {
    expect((await call(wallet, 'previewTopUp', product())).body.data).toMatchObject({ totalAmount: 50 });
    expect((await call(wallet, 'executeTopUp', product(1114))).status).toBe(200);
    const said = await call(wallet, 'listTopUps', { phoneNumber: FATIMA });
    expect(said.body.data).toMatchObject([{ type: 1, product: 'Pass *3 : 10 Go internet, 30 jours (test)' }]);
  });
});

describe('a refused top-up', () => {
  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['without an operator', topUp({ operator: undefined }), 'missingParameters'],
    ['by an operator there is not', topUp({ operator: 4 }), 'parameterInvalid'],
    ['of a third kind', topUp({ rechargeType: 2 }), 'parameterInvalid'],
    ['of too little', topUp({ amount: 4 }), 'amountInvalid'],
    ['of too much', topUp({ amount: 1_001 }), 'amountInvalid'],
    ['of half a dirham', topUp({ amount: 10.5 }), 'amountInvalid'],
    ['of nothing', topUp({ amount: 0 }), 'amountInvalid'],
    ['in words', topUp({ amount: '50' }), 'amountInvalid'],
    ['to a landline', topUp({ recipientPhoneNumber: '+212522123456' }), 'phoneInvalid'],
    ['to a national number', topUp({ recipientPhoneNumber: '0612345678' }), 'phoneInvalid'],
    ...CANNOT_PAY.map(([from, customerPhoneNumber, error]): [string, Record<string, unknown>, ErrorName] => [
      from,
      topUp({ customerPhoneNumber }),
      error,
    ]),
    ['of a product where there is none', { ...product(1114), amount: 70 }, 'productUnknown'],
    ['of a product where the only one is disabled', { ...product(9999), amount: 40 }, 'productUnknown'],
  ])('is refused by preview and execution alike: %s', async (_, order, error) => {
    const before = wallet.checkLedger();
    expect(await call(wallet, 'previewTopUp', order)).toMatchObject(errorOf(error));
    expect(await call(wallet, 'executeTopUp', order)).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
    expect(await states(wallet)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['a product without its code', product(), 'missingParameters'],
    ['another operator’s product', product(2109), 'productUnknown'],
    ['a product of another amount', product(1101), 'productUnknown'],
    ['a disabled product', { ...product(1106), amount: 10 }, 'productUnknown'],
    ['a product in words', { ...product(), productCode: '1114' }, 'parameterInvalid'],
    ['a classic one with a product', topUp({ productCode: 1114 }), 'parameterInvalid'],
    [
      'a number that its operator refuses',
      topUp({ recipientPhoneNumber: MAGIC.topUpRefused }),
      'topUpRefused',
    ],
  ])('is refused by the execution after a preview without objection: %s', async (_, order, error) => {
    const before = wallet.checkLedger();
    expect((await call(wallet, 'previewTopUp', order)).status).toBe(200);
    expect(await call(wallet, 'executeTopUp', order)).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
    expect(await states(wallet)).toEqual([]);
  });

  test.each([
    ['a centime short of the fee', 10.99, 400],
    ['to the last centime', 11, 200],
  ])('takes the fee into account: %s', async (_, dirhams, status) => {
    const from = '+212611111111';
    wallet.addCustomer(newcomer(from, dirhams));
    const order = topUp({ customerPhoneNumber: from, amount: 10 });
    expect((await call(wallet, 'previewTopUp', order)).status).toBe(status);
    const said = await call(wallet, 'executeTopUp', order);
    expect(said.status).toBe(status);
    if (status === 400) expect(said).toMatchObject(errorOf('insufficientFunds'));
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
  });
});

describe('by a principal agent', () => {
  test('the agent pays, no customer does', async () => {
    const before = wallet.checkLedger().totals.agent ?? 0;
    const said = await call(wallet, 'executeTopUpB2b', b2b({ rechargeType: 1, productCode: 1114 }));
    expect(said.body).toEqual({
      data: { operationType: 10, Amount: 50, feesAmount: 0, checkedAt: CHECKED_AT, openLoop: false },
    });
    expect(wallet.checkLedger()).toMatchObject({
      ...IN_BALANCE,
      totals: { agent: before - 50_00, switch: 50_00 },
    });
    expect(await states(wallet)).toEqual([]);
    const all = await call(wallet, 'listAllOperations');
    expect(all.body.data.collection).toMatchObject([{ sender: PRINCIPAL_AGENT.code, sens: 2, amount: 50 }]);
  });

  test('a reversal gives it back to the agent', async () => {
    const { agent = 0 } = wallet.checkLedger().totals;
    wallet.faults.set({ name: 'reversal', operation: 'executeTopUpB2b' });
    await call(wallet, 'executeTopUpB2b', b2b());
    await wallet.clock.advance(5_000);
    const totals = { agent, switch: 0, transit: 0 };
    expect(wallet.checkLedger()).toMatchObject({ ...IN_BALANCE, totals });
  });

  test('stops at the end of the float', async () => {
    const { agent = 0 } = wallet.checkLedger().totals;
    wallet.setFloat(centimes(1_004_00));
    expect((await call(wallet, 'executeTopUpB2b', b2b({ amount: 1_000 }))).status).toBe(200);
    expect(await call(wallet, 'executeTopUpB2b', b2b({ amount: 5 }))).toMatchObject(
      errorOf('insufficientFunds'),
    );
    const left = agent - PRINCIPAL_AGENT.balance + 4_00;
    expect(wallet.checkLedger()).toMatchObject({ ...IN_BALANCE, totals: { agent: left } });
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['a code that is no agent’s', { code: 'PA-9999' }, 'agentUnknown'],
    ['a customer’s number for a code', { code: FATIMA }, 'agentUnknown'],
    ['no code', { code: undefined }, 'missingParameters'],
    ['an amount that is none', { amount: 4 }, 'amountInvalid'],
    ['an unknown product', { rechargeType: 1, productCode: 1 }, 'productUnknown'],
    ['a number that its operator refuses', { recipientPhoneNumber: MAGIC.topUpRefused }, 'topUpRefused'],
  ])('refuses %s', async (_, more, error) => {
    const before = wallet.checkLedger();
    expect(await call(wallet, 'executeTopUpB2b', b2b(more))).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });
});

describe('the history', () => {
  test.each([
    [0, 'created', MAGIC.topUpWaits, 0],
    [1, 'open', MAGIC.staysOpen, 60 * MINUTE_MS],
    [2, 'completed', NOBODY, 0],
    [2, 'completed after it waited', MAGIC.topUpWaits, MINUTE_MS],
    [3, 'failed', MAGIC.failsLater, MINUTE_MS],
    [4, 'cancelled', MAGIC.reversal, MINUTE_MS],
  ])('reaches %s, %s', async (state, _, recipientPhoneNumber, afterMs) => {
    await call(wallet, 'executeTopUp', topUp({ recipientPhoneNumber }));
    await wallet.clock.advance(afterMs);
    expect(await states(wallet)).toEqual([state]);
    const [item] = (await call(wallet, 'listTopUps', { phoneNumber: FATIMA })).body.data;
    expect(item.completedAt === null).toBe(![2, 4].includes(state));
    expect(await balanceOf(wallet, FATIMA)).toBe(state < 3 ? 3_450 : 3_500);
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
  });

  test('has all details', async () => {
    await call(wallet, 'executeTopUp', topUp({ amount: 20, operator: 3 }));
    expect((await call(wallet, 'listTopUps', { phoneNumber: FATIMA })).body).toEqual({
      data: [
        {
          telcoRechargeOperationId: 1,
          customerId: 1,
          createdAt: CHECKED_AT,
          completedAt: CHECKED_AT,
          operatorId: 3,
          amount: 20,
          product: null,
          type: 0,
          status: 2,
          destinationPhoneNumber: NOBODY,
        },
      ],
    });
    expect((await call(wallet, 'listTopUps', { phoneNumber: YOUSSEF })).body).toEqual({ data: [] });
  });

  test.each<[string, Record<string, unknown>, number[]]>([
    ['newest first, ten to a page', {}, [15, 14, 13, 12, 11, 10, 9, 8, 7, 6]],
    ['the second page', { pageNumber: 2 }, [5]],
    ['pages of four', { pageSize: 4, pageNumber: 3 }, [7, 6, 5]],
    ['a page past the end', { pageNumber: 3 }, []],
    ['failed', { status: 3, pageSize: 5 }, [15]],
    ['failed and cancelled', { status: [3, 4] }, [15, 14]],
    ['a status there is not', { status: 9 }, []],
  ])('lists %s', async (_, filter, amounts) => {
    for (let amount = 5; amount <= 15; amount++) {
      const magic: Record<number, string> = { 14: MAGIC.reversal, 15: MAGIC.failsLater };
      await call(wallet, 'executeTopUp', topUp({ amount, recipientPhoneNumber: magic[amount] ?? NOBODY }));
    }
    await wallet.clock.advance(MINUTE_MS);
    const said = await call(wallet, 'listTopUps', { phoneNumber: FATIMA, ...filter });
    expect(said.body.data.map(({ amount }: { amount: number }) => amount)).toEqual(amounts);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['nobody', { phoneNumber: NOBODY }, 'customerNotFound'],
    ['a page before the first', { phoneNumber: FATIMA, pageNumber: 0 }, 'parameterInvalid'],
    ['a status in words', { phoneNumber: FATIMA, status: 'open' }, 'parameterInvalid'],
    ['no number', {}, 'missingParameters'],
  ])('refuses %s', async (_, given, error) => {
    expect(await call(sandbox(), 'listTopUps', given)).toMatchObject(errorOf(error));
  });

  test('lags behind during a fault', async () => {
    await call(wallet, 'executeTopUp', topUp({ recipientPhoneNumber: MAGIC.listLag }));
    await wallet.clock.advance(MINUTE_MS - 1);
    expect(await states(wallet)).toEqual([]);
    await wallet.clock.advance(1);
    expect(await states(wallet)).toEqual([2]);
  });
});

/** HTTP status of the answer, and the statuses of the executions two hours later. A forgotten row does not compile. */
const TABLE: Record<PlainFaultName, readonly [answer: number, executed: readonly number[]]> = {
  resetBefore: [500, []],
  serverErrorBefore: [500, []],
  tooManyRequests: [429, []],
  answerLost: [500, [2]],
  resetAfter: [500, [2]],
  serverErrorAfter: [500, [2]],
  malformedBody: [200, [2]],
  slowAnswer: [200, [2]],
  webhookTwice: [200, [2]],
  webhookLate: [200, [2]],
  webhookEarly: [200, [2]],
  webhookOutOfOrder: [200, [2]],
  webhookForgedKey: [200, [2]],
  webhookForgedAmount: [200, [2]],
  webhookNever: [200, [2]],
  listLag: [200, [2]],
  staysOpen: [200, [1]],
  reversal: [200, [4]],
};

describe.each(['executeTopUp', 'executeTopUpB2b', 'executeVoucher'] as const)('faults of %s', (name) => {
  test.each(PLAIN_FAULT_NAMES)('%s', async (fault) => {
    const wallet = sandbox({ settings: { faultDelaysMs: { slowAnswer: 0 } } });
    const order = {
      executeTopUp: topUp({ recipientPhoneNumber: MAGIC[fault] }),
      executeTopUpB2b: b2b({ recipientPhoneNumber: MAGIC[fault] }),
      executeVoucher: {
        customerPhoneNumber: FATIMA,
        destinationPhoneNumber: MAGIC[fault],
        beneficiaryName: 'Amina',
        providerSkuId: 'SOUK-50',
        providerId: 41,
      },
    }[name];
    const said = await call(wallet, name, order);
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
    await wallet.clock.advance(2 * 60 * MINUTE_MS);
    expect([said.status, wallet.executions().map(({ status }) => status)]).toEqual(TABLE[fault]);
    expect(wallet.deliveries()).toEqual([]);
    expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
  });
});
