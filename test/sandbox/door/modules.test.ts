import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { bills } from '../../../src/wallet/contract/bills.ts';
import { cardCashIn } from '../../../src/wallet/contract/card-cash-in.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { merchantCards } from '../../../src/wallet/contract/merchant-cards.ts';
import { telco } from '../../../src/wallet/contract/telco.ts';
import { tokenizedCards } from '../../../src/wallet/contract/tokenized-cards.ts';
import { vouchers } from '../../../src/wallet/contract/vouchers.ts';
import { call, FATIMA, sandbox, transfer, wallet, YOUSSEF } from '../kit.ts';

const cards = { ...cardCashIn, ...merchantCards, ...tokenizedCards };
const CALLS = { telco, bills, vouchers, cards };
const ON = { telco: true, bills: true, vouchers: true, cards: true };

async function modules(of: Sandbox, body?: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const order = body === undefined ? {} : { method: 'POST', body: text };
  const answer = await of.app.request('/sandbox/modules', order);
  return { status: answer.status, body: await answer.json() };
}

const notFound = { status: 404, body: {} };
/** Empty as it is: no body at all. */
const noContent = { status: 204, body: '' };

describe.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('without %s', (module) => {
  const names = Object.keys(CALLS[module]) as ApiName[];

  test.each(names)('%s is turned away', async (name) => {
    const given = { phoneNumber: FATIMA, id: 1, operationId: 1, brandId: 1 };
    wallet.setModules({ [module]: false });
    const { status, body } = await call(wallet, name, given);
    const empty = ['listBrands', 'listArticles', 'listVouchers'].includes(name);
    const { code, means } = ERRORS.serviceNotEnabled;
    const telcoSays = { status: 400, body: { errorCode: code, errorDescription: means } };
    expect({ status, body }).toEqual(module === 'telco' ? telcoSays : empty ? noContent : notFound);
    expect((await call(wallet, name, given, { 'Svc-Api-Key': 'unknown' })).status).toBe(401);
  });

  test('all else works', async () => {
    wallet.setModules({ [module]: false });
    const brands = await call(wallet, 'listBrands', { phoneNumber: FATIMA });
    expect(brands.status).toBe(module === 'vouchers' ? 204 : 200);
    const history = await call(wallet, 'listTopUps', { phoneNumber: FATIMA });
    expect(history.status).toBe(module === 'telco' ? 400 : 200);
    expect((await call(wallet, 'listCreditors')).status).toBe(module === 'bills' ? 404 : 200);
    expect((await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10))).status).toBe(200);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
  });

  test('a fault has nothing to strike', async () => {
    wallet.setModules({ [module]: false });
    wallet.faults.set({ name: 'tooManyRequests' });
    for (const name of names) expect((await call(wallet, name, { id: 1 })).status).not.toBe(429);
    expect(wallet.faults.list()).toMatchObject([{ met: 0 }]);
  });
});

describe('the admin API', () => {
  test('tells and changes them, and leaves the others as they are', async () => {
    expect(await modules(wallet)).toEqual({ status: 200, body: ON });
    expect(await modules(wallet, { telco: false })).toEqual({ status: 200, body: { ...ON, telco: false } });
    expect((await modules(wallet, { bills: false })).body).toEqual({
      telco: false,
      bills: false,
      vouchers: true,
      cards: true,
    });
    expect((await modules(wallet, { telco: true, vouchers: false })).body).toEqual({
      telco: true,
      bills: false,
      vouchers: false,
      cards: true,
    });
    expect((await modules(wallet, {})).body).toEqual(wallet.modules());
    wallet.reset();
    expect((await modules(wallet)).body).toEqual(ON);
  });

  test.each([
    ['no JSON', '{'],
    ['a list', []],
    ['a module there is not', { loans: false }],
    ['what is neither yes nor no', { telco: 'off' }],
  ])('refuses %s', async (_, body) => {
    expect((await modules(wallet, body)).status).toBe(400);
    expect(wallet.modules()).toEqual(ON);
  });
});

test('one partner’s modules are not another’s', async () => {
  const wallet = sandbox({ partners: [{ apiKey: 'other-key', scopes: '*' }] });
  wallet.setModules({ telco: false });
  const theirs = await call(wallet, 'listTopUps', { phoneNumber: FATIMA }, { 'Svc-Api-Key': 'other-key' });
  expect(theirs.status).toBe(200);
});
