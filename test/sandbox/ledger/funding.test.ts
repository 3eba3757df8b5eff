import { describe, expect, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { balanceOf, call, errorOf, FATIMA, transfer, wallet, YOUSSEF } from '../kit.ts';

async function ask(of: Sandbox, path: string, body?: unknown) {
  const order = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await of.app.request(`/sandbox/${path}`, order);
  return { status: answer.status, body: (await answer.json()) as object };
}

const recharge = {
  customerPhoneNumber: FATIMA,
  recipientPhoneNumber: FATIMA,
  amount: 20,
  operator: 1,
  rechargeType: 0,
};
const { customerPhoneNumber: _, ...b2b } = recharge;
const gift = { customerPhoneNumber: FATIMA, destinationPhoneNumber: FATIMA, beneficiaryName: 'Fatima' };
const voucher = { ...gift, providerSkuId: 'SOUK-50', providerId: 41 };
const local = { ...gift, skuId: 'LOCAL-SOUK-50' };
const bank = {
  CustomerPhoneNumber: FATIMA,
  Amount: 10,
  Reason: 'Loyer',
  Rib: ribWith('007780', 1),
  BeneficiaryName: 'Amal',
};
const bill = {
  phoneNumber: FATIMA,
  creancierId: '1001',
  creanceId: '01',
  refTxNetwork: '100000000001',
  totalPayment: true,
  listeArticleSelectionnes: [],
  creancierVals: [],
  globalParams: [],
};

describe('without float', () => {
  test.each<[ApiName, object]>([
    ['previewTransfer', transfer(FATIMA, YOUSSEF, 10)],
    ['executeTransfer', transfer(FATIMA, YOUSSEF, 10)],
    ['previewBankTransfer', bank],
    ['executeBankTransfer', bank],
    ['previewTopUp', recharge],
    ['executeTopUp', recharge],
    ['executeTopUpB2b', { ...b2b, code: PRINCIPAL_AGENT.code }],
    ['previewVoucher', voucher],
    ['executeVoucher', voucher],
    ['previewServiceVoucher', local],
    ['executeServiceVoucher', local],
    ['previewBill', bill],
    ['executeBill', bill],
  ])('%s is refused, and not with it', async (name, order) => {
    const { float } = { float: wallet.float() };
    expect(await ask(wallet, 'float', { centimes: 0 })).toEqual({ status: 200, body: { centimes: 0 } });
    expect(await call(wallet, name, { ...order })).toMatchObject(errorOf('agentNotFunded'));
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
    await ask(wallet, 'float', { centimes: float });
    expect(await call(wallet, name, { ...order })).not.toMatchObject(errorOf('agentNotFunded'));
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('calls without a debit work', async () => {
    await ask(wallet, 'float', { centimes: 0 });
    const request = await call(wallet, 'requestCashIn', { PhoneNumber: FATIMA, Amount: 10 });
    const { reference } = request.body.data;
    expect((await call(wallet, 'executeNetworkCashIn', { reference })).status).toBe(200);
    expect((await call(wallet, 'listOperations', { PhoneNumber: FATIMA })).body.data.count).toBe(1);
  });
});

test('float is there from the start, and again after a reset', async () => {
  const { balance } = PRINCIPAL_AGENT;
  expect(await ask(wallet, 'float')).toEqual({ status: 200, body: { centimes: balance } });
  await ask(wallet, 'float', { centimes: 1 });
  await ask(wallet, 'float', { centimes: 1 });
  expect((await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10))).status).toBe(200);
  await ask(wallet, 'reset', {});
  expect((await ask(wallet, 'float')).body).toEqual({ centimes: balance });
});

test.each([
  ['nothing', undefined],
  ['less than nothing', { centimes: -1 }],
  ['a fraction', { centimes: 0.5 }],
  ['words', { centimes: 'all' }],
  ['another unit', { dirhams: 5 }],
])('refuses %s as float', async (_, body) => {
  expect((await ask(wallet, 'float', body ?? 'x')).status).toBe(400);
  expect(wallet.float()).toBe(PRINCIPAL_AGENT.balance);
});

describe('settings', () => {
  test('can be switched while it runs, the others stay, and a reset undoes it', async () => {
    const before = (await ask(wallet, 'settings')).body;
    const { body } = await ask(wallet, 'settings', { billNetwork: 'down', settleAfterMs: 0 });
    expect(body).toEqual({ ...before, billNetwork: 'down', settleAfterMs: 0 });
    const creditors = await call(wallet, 'listCreditors');
    expect(creditors.body).toMatchObject({ codeRetour: '908' });
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10));
    expect(wallet.executions()).toMatchObject([{ status: 2 }]);
    await ask(wallet, 'settings', { billNetwork: 'up' });
    expect((await call(wallet, 'listCreditors')).body).toMatchObject({ codeRetour: '000' });
    await ask(wallet, 'reset', {});
    expect((await ask(wallet, 'settings')).body).toEqual(before);
  });

  test.each([
    ['no JSON', 'x'],
    ['one there is not', { colour: 'red' }],
    ['a network that is neither', { billNetwork: 'slow' }],
    ['a time before now', { settleAfterMs: -1 }],
    ['half a millisecond', { otpValidMs: 0.5 }],
    ['no attempts at all', { pinAttemptsMax: 0 }],
  ])('refuses %s', async (_, body) => {
    const before = wallet.settings();
    expect((await ask(wallet, 'settings', body)).status).toBe(400);
    expect(wallet.settings()).toEqual(before);
  });
});
