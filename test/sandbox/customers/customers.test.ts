import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { BANK_MAGIC } from '../../../src/sandbox/transfers/bank-magic.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  HAMZA_LOCKED_FOR_NOW,
  lastOtp,
  NADIA_LOCKED,
  NOBODY,
  newcomer,
  OMAR_NOT_CONFIRMED,
  SALMA_WITHOUT_PIN,
  sandbox,
  transfer,
  wallet,
} from '../kit.ts';

const ALI = { phoneNumber: NOBODY, firstName: 'Ali', lastName: 'Bennani', cin: 'AB12345', walletType: 'P' };
const YES = { status: 200, body: { data: true } };
const statusOf = async (of: ReturnType<typeof sandbox>, phone: string) =>
  (await call(of, 'customerStatus', { PhoneNumber: phone })).body.data.status;

describe('opening a wallet', () => {
  test('register, confirm by the code of the SMS, create a PIN, log in', async () => {
    expect(await statusOf(wallet, NOBODY)).toBe(0);
    expect(await call(wallet, 'registerCustomer', ALI)).toMatchObject({ status: 202, body: { data: true } });
    expect(await statusOf(wallet, NOBODY)).toBe(1);
    expect(wallet.sms(NOBODY)).toHaveLength(1);

    const code = lastOtp(wallet, NOBODY);
    expect(await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code })).toMatchObject(YES);
    expect(await statusOf(wallet, NOBODY)).toBe(2);

    expect(await call(wallet, 'createPin', { phoneNumber: NOBODY, pin: '4321' })).toMatchObject(YES);
    expect(await statusOf(wallet, NOBODY)).toBe(3);
    expect(await call(wallet, 'loginCustomer', { phoneNumber: NOBODY, pin: '4321' })).toMatchObject({
      status: 200,
      body: { data: { logged: true, remainingAttempts: 3 } },
    });
    const info = await call(wallet, 'customerInfo', { phoneNumber: NOBODY });
    expect(info.body.data).toMatchObject({
      fullName: 'Ali Bennani',
      accountLevel: 1,
      balance: 0,
      customerStatus: 3,
    });
    expect(BigInt(info.body.data.rib) % 97n).toBe(0n);
    expect((await call(wallet, 'customerDefault', { phoneNumber: NOBODY })).body).toEqual({ data: true });
  });

  test('close loop only, so that it is known here and not to the switch', async () => {
    await call(wallet, 'registerCustomer', { ...ALI, closeLoopOnly: true });
    const code = lastOtp(wallet, NOBODY);
    await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code, autoActivate: true });
    expect((await call(wallet, 'customerDefault', { phoneNumber: NOBODY })).body).toEqual({ data: false });
    await call(wallet, 'executeTransfer', transfer(FATIMA, NOBODY, 500));
    await wallet.clock.advance(1_200);
    for (const [name, to] of [
      ['previewTransfer', '+212611111111'],
      ['executeTransfer', '+212611111111'],
      ['executeMerchantPayment', MAGIC.failsLater],
    ] as const) {
      expect(await call(wallet, name, transfer(NOBODY, to, 100))).toMatchObject(errorOf('notEnrolled'));
    }
    expect((await call(wallet, 'executeTransfer', transfer(NOBODY, FATIMA, 100))).status).toBe(200);
    await wallet.clock.advance(1_200);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('activated without a PIN, which can still be created', async () => {
    await call(wallet, 'registerCustomer', ALI);
    const code = lastOtp(wallet, NOBODY);
    await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code, autoActivate: true });
    expect(await statusOf(wallet, NOBODY)).toBe(3);
    expect(await call(wallet, 'loginCustomer', { phoneNumber: NOBODY, pin: '1234' })).toMatchObject(
      errorOf('pinNotCreated'),
    );
    expect(await call(wallet, 'createPin', { phoneNumber: NOBODY, pin: '1234' })).toMatchObject(YES);
  });

  test('a code sent again replaces the first, and old codes expire', async () => {
    await call(wallet, 'registerCustomer', ALI);
    const first = lastOtp(wallet, NOBODY);
    await call(wallet, 'resendOtp', { phoneNumber: NOBODY });
    const second = lastOtp(wallet, NOBODY);
    expect(second).not.toBe(first);
    expect(await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code: first })).toMatchObject(
      errorOf('otpIncorrect'),
    );
    await wallet.clock.advance(10 * 60_000);
    expect(await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code: second })).toMatchObject(
      errorOf('otpExpired'),
    );
  });

  test('five wrong codes lock the registration for a quarter of an hour', async () => {
    await call(wallet, 'registerCustomer', ALI);
    const wrong = {
      phoneNumber: NOBODY,
      code: lastOtp(wallet, NOBODY) === '000-000' ? '000-001' : '000-000',
    };
    for (let i = 0; i < 5; i++) {
      expect(await call(wallet, 'confirmCustomer', wrong)).toMatchObject(errorOf('otpIncorrect'));
    }
    const locked = errorOf('registrationLocked');
    expect(await call(wallet, 'confirmCustomer', wrong)).toMatchObject(locked);
    expect(await call(wallet, 'registerCustomer', ALI)).toMatchObject(locked);
    expect(await call(wallet, 'resendOtp', { phoneNumber: NOBODY })).toMatchObject(locked);
    await wallet.clock.advance(15 * 60_000);
    await call(wallet, 'resendOtp', { phoneNumber: NOBODY });
    const code = lastOtp(wallet, NOBODY);
    expect(await call(wallet, 'confirmCustomer', { phoneNumber: NOBODY, code })).toMatchObject(YES);
  });
});

describe('PINs', () => {
  const login = (wallet: ReturnType<typeof sandbox>, pin: string) =>
    call(wallet, 'loginCustomer', { phoneNumber: FATIMA, pin });

  test('three wrong PINs lock the wallet for now, and a code and a new PIN open it again', async () => {
    for (const remainingAttempts of [2, 1, 0]) {
      expect(await login(wallet, '0000')).toMatchObject({
        status: 400,
        body: { errorCode: 26001, remainingAttempts },
      });
    }
    expect(await statusOf(wallet, FATIMA)).toBe(4);
    expect(await login(wallet, '1234')).toMatchObject(errorOf('lockedTemporarily'));

    await call(wallet, 'resendOtp', { phoneNumber: FATIMA });
    const reset = { phoneNumber: FATIMA, otp: lastOtp(wallet, FATIMA), pin: '9876' };
    expect(await call(wallet, 'resetPin', reset)).toMatchObject(YES);
    expect(await call(wallet, 'resetPin', reset)).toMatchObject(errorOf('otpExpired'));
    expect(await login(wallet, '9876')).toMatchObject({
      body: { data: { logged: true, remainingAttempts: 3 } },
    });
  });

  test('a right PIN gives the attempts back', async () => {
    await login(wallet, '0000');
    await login(wallet, '1234');
    expect((await login(wallet, '0000')).body.remainingAttempts).toBe(2);
  });

  test('changing it needs the old one, and a wrong old one costs an attempt', async () => {
    const change = (oldPin: string) =>
      call(wallet, 'changePin', { phoneNumber: FATIMA, oldPin, newPin: '5555' });
    expect(await change('0000')).toMatchObject({
      status: 400,
      body: { errorCode: 26001, remainingAttempts: 2 },
    });
    expect(await change('1234')).toMatchObject(YES);
    expect(await login(wallet, '5555')).toMatchObject({ status: 200 });
  });

  test('the other reading of a wrong PIN is a success with “no”', async () => {
    const wallet = sandbox({ settings: { wrongPin: 'notLogged' } });
    expect(await login(wallet, '0000')).toMatchObject({
      status: 200,
      body: { data: { logged: false, remainingAttempts: 2 } },
    });
  });
});

describe('closing a wallet', () => {
  test('only an empty one, and then the number is free again', async () => {
    const close = (phone: string) => call(wallet, 'unregisterCustomer', { PhoneNumber: phone, Reason: 3 });
    expect(await close(FATIMA)).toMatchObject(errorOf('balanceNotZero'));
    expect(await close(SALMA_WITHOUT_PIN)).toMatchObject(YES);
    expect(await statusOf(wallet, SALMA_WITHOUT_PIN)).toBe(0);
    const again = await call(wallet, 'registerCustomer', { ...ALI, phoneNumber: SALMA_WITHOUT_PIN });
    expect(again.status).toBe(202);
  });

  test('not while money may still return to it', async () => {
    const phone = '+212611111111';
    wallet.addCustomer(newcomer(phone, 105));
    const close = () => call(wallet, 'unregisterCustomer', { PhoneNumber: phone, Reason: 3 });
    const order = { CustomerPhoneNumber: phone, Amount: 100, BeneficiaryName: 'Amal', Reason: 'Loyer' };
    await call(wallet, 'executeBankTransfer', { ...order, Rib: BANK_MAGIC.returnedLater.rib });
    expect(await close()).toMatchObject(errorOf('balanceNotZero'));
    await wallet.clock.advance(6_000);
    expect(await balanceOf(wallet, phone)).toBe(0);
    expect(await close()).toMatchObject(errorOf('balanceNotZero'));
    await wallet.clock.advance(24 * 60 * 60_000);
    expect(await balanceOf(wallet, phone)).toBe(105);
  });
});

const who = (phoneNumber: string) => ({ phoneNumber });
test.each<[string, ApiName, Record<string, unknown>, ErrorName]>([
  ['register without a name', 'registerCustomer', { ...ALI, lastName: undefined }, 'missingParameters'],
  ['register with an empty name', 'registerCustomer', { ...ALI, lastName: '' }, 'missingParameters'],
  ['register a national number', 'registerCustomer', { ...ALI, phoneNumber: '0612345678' }, 'phoneInvalid'],
  ['register a one-letter name', 'registerCustomer', { ...ALI, firstName: 'A' }, 'registrationInvalid'],
  ['register an Arabic name', 'registerCustomer', { ...ALI, firstName: 'علي' }, 'registrationInvalid'],
  [
    'register markup for a name',
    'registerCustomer',
    { ...ALI, firstName: '<b>Ali</b>' },
    'registrationInvalid',
  ],
  ['register a short CIN', 'registerCustomer', { ...ALI, cin: 'AB12' }, 'registrationInvalid'],
  ['register an unknown wallet type', 'registerCustomer', { ...ALI, walletType: 'X' }, 'registrationInvalid'],
  ['register an owner of a wallet', 'registerCustomer', { ...ALI, phoneNumber: FATIMA }, 'alreadyRegistered'],
  [
    'register who must confirm',
    'registerCustomer',
    { ...ALI, phoneNumber: OMAR_NOT_CONFIRMED },
    'registrationPending',
  ],
  ['confirm nobody', 'confirmCustomer', { ...who(NOBODY), code: '123-456' }, 'noPendingRequest'],
  ['confirm the confirmed', 'confirmCustomer', { ...who(FATIMA), code: '123-456' }, 'noPendingRequest'],
  [
    'confirm without a dash',
    'confirmCustomer',
    { ...who(OMAR_NOT_CONFIRMED), code: '123456' },
    'otpIncorrect',
  ],
  [
    'confirm with walletType',
    'confirmCustomer',
    { ...who(NOBODY), code: '123-456', walletType: 'P' },
    'registrationInvalid',
  ],
  ['resend to nobody', 'resendOtp', who(NOBODY), 'customerNotFound'],
  ['resend to the locked', 'resendOtp', who(NADIA_LOCKED), 'locked'],
  ['log in as nobody', 'loginCustomer', { ...who(NOBODY), pin: '1234' }, 'customerNotFound'],
  ['log in unconfirmed', 'loginCustomer', { ...who(OMAR_NOT_CONFIRMED), pin: '1234' }, 'notConfirmed'],
  ['log in without a PIN', 'loginCustomer', { ...who(SALMA_WITHOUT_PIN), pin: '1234' }, 'pinNotCreated'],
  [
    'log in locked for now',
    'loginCustomer',
    { ...who(HAMZA_LOCKED_FOR_NOW), pin: '1234' },
    'lockedTemporarily',
  ],
  ['log in locked', 'loginCustomer', { ...who(NADIA_LOCKED), pin: '1234' }, 'locked'],
  ['log in with letters', 'loginCustomer', { ...who(FATIMA), pin: 'abcd' }, 'pinIncorrect'],
  ['create a second PIN', 'createPin', { ...who(FATIMA), pin: '1234' }, 'pinAlreadySet'],
  ['create a PIN of five', 'createPin', { ...who(SALMA_WITHOUT_PIN), pin: '12345' }, 'pinFormat'],
  ['create a PIN of Arabic digits', 'createPin', { ...who(SALMA_WITHOUT_PIN), pin: '١٢٣٤' }, 'pinFormat'],
  ['create a PIN unconfirmed', 'createPin', { ...who(OMAR_NOT_CONFIRMED), pin: '1234' }, 'notConfirmed'],
  ['change to letters', 'changePin', { ...who(FATIMA), oldPin: '1234', newPin: 'abcd' }, 'pinFormat'],
  ['reset without a code sent', 'resetPin', { ...who(FATIMA), otp: '123-456', pin: '1234' }, 'otpExpired'],
  ['reset the locked', 'resetPin', { ...who(NADIA_LOCKED), otp: '123-456', pin: '1234' }, 'locked'],
  ['balance of nobody', 'customerBalance', who(NOBODY), 'customerNotFound'],
  ['balance of no one given', 'customerBalance', {}, 'missingParameters'],
  ['info of two', 'customerInfo', { phoneNumber: [FATIMA, NOBODY] }, 'phoneInvalid'],
  ['info by injection', 'customerInfo', who(`${FATIMA}'; DROP TABLE customers`), 'phoneInvalid'],
  ['status of a landline format', 'customerStatus', { PhoneNumber: '+21252212345' }, 'phoneInvalid'],
  [
    'close for an unknown reason',
    'unregisterCustomer',
    { PhoneNumber: FATIMA, Reason: 6 },
    'parameterInvalid',
  ],
])('refused: %s', async (_, name, given, error) => {
  const said = await call(wallet, name, given);
  expect(said).toMatchObject(errorOf(error));
  expect(said.body.errorDescription).not.toMatch(/12345|1234|abcd/);
});
