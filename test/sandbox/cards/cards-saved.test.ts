import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { balanceOf, call, errorOf, FATIMA, NOBODY, sandbox, wallet, YOUSSEF } from '../kit.ts';
import { AGENT, answers, CAFE, card, ledgerOf } from './cards-kit.ts';

const KEPT = { keepAlive: true, cardName: 'Ma carte', '3dSecure': false };
const MASTERCARD = '5555555555554444';
const load = (of: Sandbox, more: Record<string, unknown> = {}) =>
  call(of, 'executeCardCashIn', { phoneNumber: FATIMA, ...card(10, { ...KEPT, ...more }) });
const listed = async (of: Sandbox, PhoneNumber = FATIMA, more = {}) =>
  (await call(of, 'listCustomerCards', { PhoneNumber, ...more })).body.data;
const agentLoads = (of: Sandbox, more: Record<string, unknown> = {}) =>
  call(of, 'executeAgentCardCashIn', { code: AGENT, ...card(10, { ...KEPT, ...more }) });

describe('a customer’s cards', () => {
  test('are saved when keepAlive is true, and shown by their last digits', async () => {
    await load(wallet);
    await load(wallet, { pan: MASTERCARD, cardName: undefined });
    await load(wallet, { pan: TEST_CARDS.withoutCvv.pan, keepAlive: false });
    const { collection, count } = await listed(wallet);
    expect(count).toBe(2);
    expect(collection).toEqual([
      {
        customerBankCardId: 1,
        maskedPan: '4242',
        issuer: 'Banque Zellige (test)',
        scheme: 'VISA',
        cardName: 'Ma carte',
      },
      expect.objectContaining({ maskedPan: '4444', scheme: 'MASTERCARD', cardName: '' }),
    ]);
    const one = await call(wallet, 'readCustomerCard', { PhoneNumber: FATIMA, id: 1 });
    expect(one.body.data).toEqual(collection[0]);
    expect(await listed(wallet, YOUSSEF)).toEqual({ collection: [], count: 0 });
  });

  test('the same card again is the same card, with its new name', async () => {
    await load(wallet);
    await load(wallet, { cardName: 'Salaire' });
    expect((await listed(wallet)).collection).toMatchObject([{ customerBankCardId: 1, cardName: 'Salaire' }]);
  });

  test('are saved after a successful 3D Secure, and only then', async () => {
    const begin = async () => (await load(wallet, { '3dSecure': true })).body.data.redirectionURL;
    await answers(wallet, await begin(), 'decline');
    expect((await listed(wallet)).count).toBe(0);
    const url = await begin();
    expect((await listed(wallet)).count).toBe(0);
    await answers(wallet, url, 'confirm');
    expect((await listed(wallet)).count).toBe(1);
    await load(wallet, { pan: TEST_CARDS.declined.pan });
    expect((await listed(wallet)).count).toBe(1);
  });

  test('are paged, oldest first', async () => {
    for (const expiryDate of ['2801', '2802', '2803'])
      await load(wallet, { expiryDate, cardName: expiryDate });
    const page = async (PageNumber: number) =>
      (await listed(wallet, FATIMA, { PageSize: 2, PageNumber })).collection.map(
        ({ cardName }: { cardName: string }) => cardName,
      );
    expect([await page(1), await page(2), await page(3)]).toEqual([['2801', '2802'], ['2803'], []]);
  });

  test('load the wallet again with the CVV alone, through 3D Secure', async () => {
    await load(wallet);
    const order = { PhoneNumber: FATIMA, cardId: 1, Cvv: '731', Amount: 50 };
    const { body } = await call(wallet, 'executeSavedCardCashIn', order);
    expect(body.data).toMatchObject({ redirect: true, amount: 50, operationId: null });
    await answers(wallet, body.data.redirectionURL, 'confirm');
    expect(await balanceOf(wallet, FATIMA)).toBe(3560);
    ledgerOf(wallet);
  });

  test('an international card that was accepted once is accepted again', async () => {
    await load(wallet, { pan: TEST_CARDS.international.pan, allowInternationalCards: true });
    const order = { PhoneNumber: FATIMA, cardId: 1, Cvv: '731', Amount: 50 };
    expect((await call(wallet, 'executeSavedCardCashIn', order)).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['another customer’s', { PhoneNumber: YOUSSEF }, 'savedCardUnknown'],
    ['no such card', { cardId: 9 }, 'savedCardUnknown'],
    ['nobody’s', { PhoneNumber: NOBODY }, 'customerNotFound'],
    ['without its CVV', { Cvv: undefined }, 'missingParameters'],
    ['with two digits of a CVV', { Cvv: '73' }, 'parameterInvalid'],
    ['for nothing', { Amount: 0 }, 'amountInvalid'],
    ['for more than may be held', { Amount: 600 }, 'recipientLimit'],
    ['by a word', { cardId: 'mine' }, 'parameterInvalid'],
  ])('refused: %s', async (_, wrong, error) => {
    await load(wallet);
    const order = { PhoneNumber: FATIMA, cardId: 1, Cvv: '731', Amount: 50, ...wrong };
    expect(await call(wallet, 'executeSavedCardCashIn', order)).toMatchObject(errorOf(error));
  });

  test('expire with their month', async () => {
    await load(wallet, { expiryDate: '2611' });
    await wallet.clock.advance(15 * 24 * 3_600_000);
    const order = { PhoneNumber: FATIMA, cardId: 1, Cvv: '731', Amount: 50 };
    expect(await call(wallet, 'executeSavedCardCashIn', order)).toMatchObject(errorOf('cardExpired'));
  });

  test('are deleted for good, and no other gets their number', async () => {
    await load(wallet);
    const mine = { phoneNumber: FATIMA, cardId: 1 };
    expect(await call(wallet, 'deleteCustomerCard', { ...mine, phoneNumber: YOUSSEF })).toMatchObject(
      errorOf('savedCardUnknown'),
    );
    expect((await call(wallet, 'deleteCustomerCard', mine)).body).toEqual({ data: true });
    expect(await call(wallet, 'deleteCustomerCard', mine)).toMatchObject(errorOf('savedCardUnknown'));
    await load(wallet);
    expect((await listed(wallet)).collection).toMatchObject([{ customerBankCardId: 2 }]);
  });
});

describe('a merchant’s saved cards', () => {
  test('pay that merchant again, and no other', async () => {
    await call(wallet, 'executeCardPayment', { phoneNumber: CAFE, ...card(10, KEPT) });
    const order = { PhoneNumber: CAFE, cardId: 1, Cvv: '731', Amount: 50 };
    const { body } = await call(wallet, 'executeSavedCardPayment', order);
    await answers(wallet, body.data.redirectionURL, 'confirm');
    expect(await balanceOf(wallet, CAFE)).toBe(2510);
    const elsewhere = { ...order, PhoneNumber: '+212600000012' };
    expect(await call(wallet, 'executeSavedCardPayment', elsewhere)).toMatchObject(
      errorOf('savedCardUnknown'),
    );
    expect(await call(wallet, 'executeSavedCardPayment', { ...order, PhoneNumber: FATIMA })).toMatchObject(
      errorOf('merchantUnknown'),
    );
    ledgerOf(wallet);
  });
});

describe('an agent’s cards', () => {
  test('say whether they need their CVV again', async () => {
    await agentLoads(wallet);
    await agentLoads(wallet, { pan: TEST_CARDS.withoutCvv.pan });
    const { body } = await call(wallet, 'listAgentCards', { code: AGENT });
    expect(body.data).toEqual({
      collection: [
        { customerTokenizedCardId: 1, maskedPan: '4242', requiredCvv: true, cardName: 'Ma carte' },
        { customerTokenizedCardId: 2, maskedPan: '0077', requiredCvv: false, cardName: 'Ma carte' },
      ],
      count: 2,
    });
    expect((await call(wallet, 'readAgentCard', { code: AGENT, cardId: 2 })).body.data).toEqual(
      body.data.collection[1],
    );
  });

  test('are renamed and deleted, each answered with a 200 and nothing else', async () => {
    await agentLoads(wallet);
    const mine = { code: AGENT, cardId: 1 };
    const renamed = await call(wallet, 'renameAgentCard', { ...mine, cardName: 'Caisse 2' });
    expect(renamed).toMatchObject({ status: 200, body: '' });
    expect((await call(wallet, 'readAgentCard', mine)).body.data).toMatchObject({ cardName: 'Caisse 2' });
    expect(await call(wallet, 'deleteAgentCard', mine)).toMatchObject({ status: 200, body: '' });
    expect(await call(wallet, 'readAgentCard', mine)).toMatchObject(errorOf('savedCardUnknown'));
  });

  test.each<[string, ApiName, Record<string, unknown>, ErrorName]>([
    ['renamed to nothing', 'renameAgentCard', { cardName: '' }, 'missingParameters'],
    ['renamed without a name', 'renameAgentCard', {}, 'missingParameters'],
    ['renamed to 51 letters', 'renameAgentCard', { cardName: 'x'.repeat(51) }, 'parameterInvalid'],
    ['renamed, though it is not there', 'renameAgentCard', { cardId: 2, cardName: 'x' }, 'savedCardUnknown'],
    ['read by another agent', 'readAgentCard', { code: 'RA-2001' }, 'savedCardUnknown'],
    ['renamed by another agent', 'renameAgentCard', { code: 'RA-2001', cardName: 'x' }, 'savedCardUnknown'],
    ['deleted by another agent', 'deleteAgentCard', { code: 'RA-2001' }, 'savedCardUnknown'],
    ['read by nobody', 'readAgentCard', { code: 'PA-9999' }, 'agentUnknown'],
    ['deleted by nobody', 'deleteAgentCard', { code: 'PA-9999' }, 'agentUnknown'],
    ['listed for nobody', 'listAgentCards', { code: 'PA-9999' }, 'agentUnknown'],
    ['on page 0', 'listAgentCards', { pageNumber: 0 }, 'parameterInvalid'],
  ])('refused: %s', async (_, name, wrong, error) => {
    await agentLoads(wallet);
    expect(await call(wallet, name, { code: AGENT, cardId: 1, ...wrong })).toMatchObject(errorOf(error));
  });
});

test.each<[ApiName, string]>([
  ['executeCardCashIn', 'operations:cashin'],
  ['captureCardPayment', 'operations:merchant-payment'],
  ['reverseCardPayment', 'operations:merchant-payment'],
  ['refundCardPayment', 'operations:refund'],
])('%s needs its scope', async (name, scope) => {
  const wallet = sandbox({
    partners: [
      { apiKey: 'with', scopes: scope },
      { apiKey: 'without', scopes: 'operations:read cards:manage' },
    ],
  });
  expect((await call(wallet, name, {}, { 'Svc-Api-Key': 'with' })).status).toBe(400);
  expect((await call(wallet, name, {}, { 'Svc-Api-Key': 'without' })).status).toBe(403);
});
