import { describe, expect, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { webhookBody } from '../../../src/wallet/contract/webhooks.ts';
import {
  call,
  errorOf,
  FATIMA,
  HAMZA_LOCKED_FOR_NOW,
  MEHDI_NEARLY_FULL,
  NADIA_LOCKED,
  NOBODY,
  NOON,
  newcomer,
  OMAR_NOT_CONFIRMED,
  SALMA_WITHOUT_PIN,
  sandbox,
  transfer,
  wallet,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

const CAFE = '+212600000011';
const YES = { status: 200, body: { data: true } };
const identify = (of: Sandbox, phone: string) => call(of, 'startIdentification', { PhoneNumber: phone });
const upgrade = (of: Sandbox, phone: string, level: unknown, headers = {}) =>
  call(of, 'requestUpgrade', { PhoneNumber: phone, AccountLevel: level }, headers);
const levelOf = async (of: Sandbox, phone: string) =>
  (await call(of, 'customerInfo', { phoneNumber: phone })).body.data.accountLevel;
const withPartner = async (options: Partial<SandboxOptions> = {}) => {
  const partner = await receiver();
  return { partner, wallet: sandbox({ webhookUrl: partner.url, ...options }) };
};

describe('identification', () => {
  test('gives an applicant and a short-lived token of its own', async () => {
    const { body } = await identify(sandbox(), FATIMA);
    expect(body.data.baseUrl).toMatch(/^https:\/\//);
    expect(body.data.applicant_id).toMatch(/^[\da-f-]{36}$/);
    const [, claims = ''] = body.data.token.split('.');
    const { sub, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([sub, iat, exp - iat]).toEqual([body.data.applicant_id, NOON / 1000, 600]);
  });

  test('asked again, it is the same applicant with a fresh token, and another one for another customer', async () => {
    const first = (await identify(wallet, FATIMA)).body.data;
    await wallet.clock.advance(60_000);
    const second = (await identify(wallet, FATIMA)).body.data;
    expect(second.applicant_id).toBe(first.applicant_id);
    expect(second.token).not.toBe(first.token);
    expect((await identify(wallet, MEHDI_NEARLY_FULL)).body.data.applicant_id).not.toBe(first.applicant_id);
  });

  test('same seed, same applicant', async () => {
    const one = await identify(sandbox(), FATIMA);
    expect((await identify(sandbox(), FATIMA)).body).toEqual(one.body);
    expect((await identify(sandbox({ seed: 'other' }), FATIMA)).body).not.toEqual(one.body);
  });
});

describe('an upgrade', () => {
  test('is told by customer.level.updated once the provider has verified, and raises the limit', async () => {
    const { partner, wallet } = await withPartner();
    const order = transfer(FATIMA, MEHDI_NEARLY_FULL, 500);
    expect(await call(wallet, 'executeTransfer', order)).toMatchObject(errorOf('recipientLimit'));

    await identify(wallet, MEHDI_NEARLY_FULL);
    expect(await upgrade(wallet, MEHDI_NEARLY_FULL, 2, { 'C-Request-Id': 'ours' })).toMatchObject(YES);
    await wallet.clock.advance(4_999);
    expect(await levelOf(wallet, MEHDI_NEARLY_FULL)).toBe(1);
    expect(partner.received).toEqual([]);
    await wallet.clock.advance(1);
    expect(await levelOf(wallet, MEHDI_NEARLY_FULL)).toBe(2);

    const [event, ...more] = partner.received;
    expect(more).toEqual([]);
    expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
    expect(event?.data).toMatchObject({
      EventId: 'customer.level.updated',
      CRequestId: 'ours',
      OperationId: 0,
      OperationStatus: 2,
      Amount: 0,
      PrimaryAccountNumber: MEHDI_NEARLY_FULL,
      CreatedAt: new Date(NOON).toISOString(),
      ExecutedAt: new Date(NOON + 5_000).toISOString(),
    });
    expect(await call(wallet, 'executeTransfer', order)).toMatchObject({ status: 200 });
    await wallet.clock.advance(2_000);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test.each([2, 3, 4])('to level %s lets a wallet hold what the level may', async (level) => {
    const most = { 2: 4_000, 3: 20_000, 4: 100_000 }[level] ?? 0;
    wallet.addCustomer(newcomer('+212611111111', 99_000));
    wallet.addCustomer(newcomer(NOBODY, 1_000, { level: 1 }));
    await identify(wallet, NOBODY);
    await upgrade(wallet, NOBODY, level);
    await wallet.clock.advance(5_000);
    const give = (dirhams: number) =>
      call(wallet, 'executeTransfer', transfer('+212611111111', NOBODY, dirhams));
    const room = Math.min(most - 1_000, 98_000);
    if (level < 4) expect(await give(room + 0.01)).toMatchObject(errorOf('recipientLimit'));
    expect((await give(room)).status).toBe(200);
    await wallet.clock.advance(2_000);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('waits as long as the settings say, and outlives a wait of any length', async () => {
    const { partner, wallet } = await withPartner({ settings: { verifyAfterMs: 24 * 60 * 60_000 } });
    await identify(wallet, FATIMA);
    await upgrade(wallet, FATIMA, 4);
    await wallet.clock.advance(23 * 60 * 60_000);
    expect(await upgrade(wallet, FATIMA, 4)).toMatchObject(errorOf('upgradePending'));
    expect(await identify(wallet, FATIMA)).toMatchObject(errorOf('upgradePending'));
    await wallet.clock.advance(60 * 60_000);
    expect(await levelOf(wallet, FATIMA)).toBe(4);
    expect(partner.received).toHaveLength(1);
  });

  test('of a person whom the provider does not believe changes nothing, and can be tried again', async () => {
    const { partner, wallet } = await withPartner();
    const ali = {
      phoneNumber: NOBODY,
      firstName: 'Ali',
      lastName: 'Bennani',
      cin: 'XX12345',
      walletType: 'P',
    };
    await call(wallet, 'registerCustomer', ali);
    const code = /\d{3}-\d{3}/.exec(wallet.sms(NOBODY)[0]?.text ?? '')?.[0];
    await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code });
    const first = (await identify(wallet, NOBODY)).body.data.applicant_id;
    await upgrade(wallet, NOBODY, 2);
    await wallet.clock.advance(60_000);
    expect([await levelOf(wallet, NOBODY), partner.received]).toEqual([1, []]);
    expect(await upgrade(wallet, NOBODY, 2)).toMatchObject(errorOf('identificationMissing'));
    expect((await identify(wallet, NOBODY)).body.data.applicant_id).not.toBe(first);
  });

  test('of a wallet that is closed meanwhile comes to nothing', async () => {
    const { partner, wallet } = await withPartner();
    wallet.addCustomer(newcomer(NOBODY, 0, { level: 1 }));
    await identify(wallet, NOBODY);
    await upgrade(wallet, NOBODY, 2);
    await call(wallet, 'unregisterCustomer', { PhoneNumber: NOBODY, Reason: 3 });
    await wallet.clock.advance(5_000);
    expect(partner.received).toEqual([]);
  });

  test('needs an identification for each', async () => {
    expect(await upgrade(wallet, FATIMA, 3)).toMatchObject(errorOf('identificationMissing'));
    await identify(wallet, FATIMA);
    await upgrade(wallet, FATIMA, 3);
    await wallet.clock.advance(5_000);
    expect(await upgrade(wallet, FATIMA, 4)).toMatchObject(errorOf('identificationMissing'));
  });

  test('is open to a customer without a PIN', async () => {
    await identify(wallet, SALMA_WITHOUT_PIN);
    expect(await upgrade(wallet, SALMA_WITHOUT_PIN, 2)).toMatchObject(YES);
  });
});

const whoMayNot: [string, string, ErrorName][] = [
  ['nobody', NOBODY, 'customerNotFound'],
  ['somebody not confirmed', OMAR_NOT_CONFIRMED, 'notConfirmed'],
  ['somebody locked for now', HAMZA_LOCKED_FOR_NOW, 'lockedTemporarily'],
  ['somebody locked', NADIA_LOCKED, 'locked'],
  ['a merchant', CAFE, 'merchantDocumentsOnly'],
  ['half a number', '+2126', 'phoneInvalid'],
  ['no number', '', 'missingParameters'],
];
test.each(whoMayNot)('%s is neither identified nor upgraded', async (_, phone, error) => {
  expect(await identify(wallet, phone)).toMatchObject(errorOf(error));
  expect(await upgrade(wallet, phone, 4)).toMatchObject(errorOf(error));
});

test.each<[string, unknown, ErrorName]>([
  ['the one the customer has', 2, 'levelNotHigher'],
  ['level 1', 1, 'parameterInvalid'],
  ['level 5', 5, 'parameterInvalid'],
  ['half a level', 2.5, 'parameterInvalid'],
  ['a word', 'gold', 'parameterInvalid'],
  ['none', '', 'missingParameters'],
])('an upgrade to %s is refused', async (_, level, error) => {
  await identify(wallet, FATIMA);
  expect(await upgrade(wallet, FATIMA, level)).toMatchObject(errorOf(error));
  await wallet.clock.advance(60_000);
  expect(await levelOf(wallet, FATIMA)).toBe(2);
});
