import { describe, expect, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { BANK_MAGIC } from '../../../src/sandbox/transfers/bank-magic.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  MEHDI_NEARLY_FULL,
  NADIA_LOCKED,
  NOBODY,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

const BANK = ribWith('007780', 1234567890);
const WRONG_KEY = `${BANK.slice(0, -1)}${(Number(BANK.at(-1)) + 1) % 10}`;
const DAY_MS = 24 * 60 * 60_000;

const order = (dirhams: number, more: object = {}) => ({
  CustomerPhoneNumber: FATIMA,
  Amount: dirhams,
  Reason: 'Loyer de mars',
  Rib: BANK,
  BeneficiaryName: 'Société Amal',
  ...more,
});
const byAgent = (dirhams: number, more: object = {}) =>
  order(dirhams, { CustomerPhoneNumber: undefined, AgentCode: PRINCIPAL_AGENT.code, ...more });
const ribOf = async (wallet: Sandbox, phoneNumber: string): Promise<string> =>
  (await call(wallet, 'customerInfo', { phoneNumber })).body.data.rib;

describe('a bank transfer', () => {
  test('is previewed without changing anything', async () => {
    const { body } = await call(wallet, 'previewBankTransfer', order(1000));
    expect(body.data).toMatchObject({
      type: 9,
      operation: { customerPhoneNumber: FATIMA, amount: 1000, rib: BANK, beneficiaryName: 'Société Amal' },
      feesAmount: 5,
      openLoop: true,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
  });

  test('takes the money at once, and gives it to the banks when it settles', async () => {
    const { body } = await call(wallet, 'executeBankTransfer', order(1000, { Reason: undefined }));
    expect(body.data).toMatchObject({
      operationType: 9,
      transactionStatus: 1,
      totalAmount: 1005,
      sender: FATIMA,
      receiver: BANK,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(2495);
    await wallet.clock.advance(5_000);
    expect(wallet.executions()).toMatchObject([{ type: 9, status: 2 }]);
    expect(wallet.checkLedger()).toMatchObject({
      balanced: true,
      totals: { transit: 0, banks: 1000_00, fees: 5_00 },
    });
  });

  test('of an agent is paid by its float', async () => {
    const before = wallet.float();
    const { body } = await call(wallet, 'executeBankTransfer', byAgent(2000));
    expect(body.data).toMatchObject({ sender: PRINCIPAL_AGENT.code, sens: 2, feesAmount: 10 });
    expect(wallet.float()).toBe(before - 2010_00);
  });

  test.each([
    ['rejected', BANK_MAGIC.rejected.rib, [3], 3500],
    ['returned', BANK_MAGIC.returned.rib, [4], 3500],
    ['settled and then returned', BANK_MAGIC.returnedLater.rib, [2, 4], 3500],
    ['settled', BANK, [2], 3395],
    ['settled late', BANK_MAGIC.settlesLate.rib, [2], 3395],
    ['a RIB that fails', ribWith('998780', Number(MAGIC.webhookTwice.slice(1))), [2, 2], 3395],
  ])('%s is told as initiated, then completed with its status', async (_, Rib, statuses, balance) => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    await call(wallet, 'executeBankTransfer', order(100, { Rib }), { 'C-Request-Id': 'ours' });
    await wallet.settle();
    await wallet.clock.advance(3 * DAY_MS);
    expect(partner.received.every(({ data }) => webhookBody.safeParse({ data }).success)).toBe(true);
    expect(partner.received.map(({ data }) => [data.EventId, data.OperationStatus])).toEqual([
      ['bank-transfer.initiated', 1],
      ...statuses.map((status) => ['bank-transfer.completed', status]),
    ]);
    expect(partner.received[0]?.data).toMatchObject({
      CRequestId: 'ours',
      PrimaryAccountNumber: FATIMA,
      SecondaryAccountNumber: Rib,
      BankTransferBeneficiaryName: 'Société Amal',
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(balance);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0 } });
  });

  test('to the RIB of a wallet here arrives there, and is told as received', async () => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    const Rib = await ribOf(wallet, YOUSSEF);
    expect((await call(wallet, 'previewBankTransfer', order(100, { Rib }))).body.data.openLoop).toBe(false);
    await call(wallet, 'executeBankTransfer', order(100, { Rib }));
    await wallet.clock.advance(5_000);
    expect(partner.received.map(({ data }) => data.EventId).sort()).toEqual([
      'bank-transfer.completed',
      'bank-transfer.initiated',
      'bank-transfer.received',
    ]);
    const received = partner.received.find(({ data }) => data.EventId === 'bank-transfer.received');
    expect(received?.data).toMatchObject({ SecondaryAccountNumber: YOUSSEF, OperationStatus: 2 });
    expect(await balanceOf(wallet, YOUSSEF)).toBe(1300);
  });

  test('takes as long as the settings say', async () => {
    const wallet = sandbox({ settings: { bankSettleAfterMs: DAY_MS } });
    await call(wallet, 'executeBankTransfer', order(100));
    await wallet.clock.advance(DAY_MS - 1);
    expect(wallet.executions()).toMatchObject([{ status: 1 }]);
    await wallet.clock.advance(1);
    expect(wallet.executions()).toMatchObject([{ status: 2 }]);
  });
});

describe('a refused bank transfer', () => {
  test.each<[string, object, ErrorName]>([
    ['a customer and an agent', order(10, { AgentCode: PRINCIPAL_AGENT.code }), 'parameterInvalid'],
    ['neither', order(10, { CustomerPhoneNumber: undefined }), 'missingParameters'],
    ['an agent there is not', byAgent(10, { AgentCode: 'PA-9' }), 'agentUnknown'],
    ['nobody', order(10, { CustomerPhoneNumber: NOBODY }), 'customerNotFound'],
    ['a locked customer', order(10, { CustomerPhoneNumber: NADIA_LOCKED }), 'locked'],
    ['no RIB', order(10, { Rib: undefined }), 'missingParameters'],
    ['no name', order(10, { BeneficiaryName: undefined }), 'missingParameters'],
    ['a name of one letter', order(10, { BeneficiaryName: 'A' }), 'parameterInvalid'],
    ['a RIB of 23 digits', order(10, { Rib: BANK.slice(1) }), 'parameterInvalid'],
    ['a RIB with letters', order(10, { Rib: `A${BANK.slice(1)}` }), 'parameterInvalid'],
    ['a RIB whose key is wrong', order(10, { Rib: WRONG_KEY }), 'bankUnreachable'],
    // 98 leaves the remainder of the key 01.
    ['a RIB whose key is out of range', order(10, { Rib: '011519000001205000500098' }), 'bankUnreachable'],
    ['a RIB of ours that nobody has', order(10, { Rib: ribWith('999780', 999_999) }), 'bankUnreachable'],
    ['a reason in Arabic', order(10, { Reason: 'كراء' }), 'parameterInvalid'],
    ['a reason of 36 letters', order(10, { Reason: 'a'.repeat(36) }), 'parameterInvalid'],
    ['nothing', order(0), 'amountInvalid'],
    ['a tenth of a centime', order(1.001), 'amountInvalid'],
    ['more than there is, with fees', order(3500), 'insufficientFunds'],
    ['a beneficiary there is not', order(10, { BeneficiaryId: 999_999 }), 'beneficiaryUnknown'],
    ['a beneficiary of an agent', byAgent(10, { BeneficiaryId: 1 }), 'beneficiaryUnknown'],
  ])('refused by preview and execution alike: %s', async (_, given, error) => {
    const before = wallet.checkLedger();
    for (const name of ['previewBankTransfer', 'executeBankTransfer'] as const)
      expect(await call(wallet, name, { ...given })).toMatchObject(errorOf(error));
    expect(wallet.checkLedger()).toEqual(before);
  });

  test('refused: to oneself, to a full wallet, and without a reason in the preview', async () => {
    const to = async (phone: string, dirhams: number) =>
      call(wallet, 'executeBankTransfer', order(dirhams, { Rib: await ribOf(wallet, phone) }));
    expect(await to(FATIMA, 10)).toMatchObject(errorOf('selfTransfer'));
    expect(await to(MEHDI_NEARLY_FULL, 100)).toMatchObject(errorOf('recipientLimit'));
    expect(await to(NADIA_LOCKED, 10)).toMatchObject(errorOf('bankUnreachable'));
    expect(await call(wallet, 'previewBankTransfer', order(10, { Reason: undefined }))).toMatchObject(
      errorOf('missingParameters'),
    );
  });
});

describe('a bank transfer to a beneficiary', () => {
  const kept = async (wallet: Sandbox): Promise<number> =>
    (await call(wallet, 'createBeneficiary', { phoneNumber: FATIMA, name: 'Amal', rib: BANK })).body.data.id;
  const to = (BeneficiaryId: number, more: object = {}) =>
    order(100, { BeneficiaryId, Rib: undefined, BeneficiaryName: undefined, ...more });

  test('is paid to the stored RIB', async () => {
    const id = await kept(wallet);
    const { body } = await call(wallet, 'executeBankTransfer', to(id));
    expect(body.data).toMatchObject({ receiver: BANK });
    expect((await call(wallet, 'executeBankTransfer', to(id, { Rib: BANK }))).status).toBe(200);
  });

  test.each<[string, object, ErrorName]>([
    ['has another RIB', { Rib: BANK_MAGIC.rejected.rib }, 'beneficiaryOther'],
    ['is another customer’s', { CustomerPhoneNumber: YOUSSEF }, 'beneficiaryUnknown'],
  ])('refused when it %s', async (_, more, error) => {
    const id = await kept(wallet);
    expect(await call(wallet, 'executeBankTransfer', to(id, more))).toMatchObject(errorOf(error));
  });

  test('refused without a RIB', async () => {
    const list = await call(wallet, 'listBeneficiaries', { PhoneNumber: FATIMA, Name: 'Maman' });
    const order = to(list.body.data.collection[0].id);
    expect(await call(wallet, 'executeBankTransfer', order)).toMatchObject(errorOf('bankUnreachable'));
  });
});
