import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import { cardPaymentResult, threeDsReturn } from '../../../src/wallet/contract/card-cash-in.ts';
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
  newcomer,
  SALMA_WITHOUT_PIN,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { receiver } from '../receiver.ts';
import { AGENT, answers, CAFE, card, ledgerOf } from './cards-kit.ts';

const URLS = { acceptUrl: 'https://shop.example.com/ok?cart=7', declineUrl: 'https://shop.example.com/no' };
const cashIn = (amount: number, more = {}) => ({ phoneNumber: FATIMA, ...card(amount, more) });
const at = (pan: keyof typeof TEST_CARDS) => ({ pan: TEST_CARDS[pan].pan });
const DIRECT = { '3dSecure': false };

describe('a wallet is loaded by card', () => {
  test('previewed, it changes nothing', async () => {
    const before = wallet.checkLedger();
    const { body } = await call(wallet, 'previewCardCashIn', { PhoneNumber: FATIMA, Amount: 200 });
    expect(body.data).toMatchObject({
      type: 1,
      operation: { phoneNumber: FATIMA, amount: 200, method: 'Card' },
      feesAmount: 0,
      openLoop: false,
    });
    expect(wallet.checkLedger()).toEqual(before);
  });

  test('with 3D Secure: nothing moves until the payer confirms, then the browser is sent back', async () => {
    const { body } = await call(wallet, 'executeCardCashIn', cashIn(200, URLS));
    expect(cardPaymentResult.parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({
      redirect: true,
      amount: 200,
      operationId: null,
      acceptURL: URLS.acceptUrl,
      declineURL: URLS.declineUrl,
      feesAmount: 0,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);

    const back = await answers(wallet, body.data.redirectionURL, 'confirm');
    expect(back).toEqual({
      to: 'https://shop.example.com/ok',
      cart: '7',
      RESPONSE_CODE: '0',
      REASON_CODE: 'SUCCESS',
      OPERATION: 'PAYMENT',
      orderId: body.data.orderId,
      transactionTrackId: body.data.transactionTrackId,
    });
    expect(threeDsReturn.safeParse(back).success).toBe(true);
    expect(await balanceOf(wallet, FATIMA)).toBe(3700);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -200, transit: 0 });
  });

  test('declined on the page, nothing was debited', async () => {
    const { body } = await call(wallet, 'executeCardCashIn', cashIn(200, URLS));
    expect(await answers(wallet, body.data.redirectionURL, 'decline')).toMatchObject({
      to: URLS.declineUrl,
      RESPONSE_CODE: '17',
      REASON_CODE: 'CANCELED',
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3500);
    expect(wallet.executions()).toEqual([]);
  });

  test('without 3D Secure it is done with the answer', async () => {
    const { body } = await call(wallet, 'executeCardCashIn', cashIn(200, DIRECT));
    expect(body.data).toMatchObject({ redirect: false, redirectionURL: null, amount: 200 });
    const read = await call(wallet, 'readOperation', { PhoneNumber: FATIMA, id: body.data.operationId });
    expect(read.body.data).toMatchObject({
      operationType: 1,
      transactionStatus: 2,
      sens: 1,
      amount: 200,
      sender: '**** 4242',
      receiver: FATIMA,
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3700);
  });

  test('is told as cashin.card.authorized, with the gateway’s ids and our reference', async () => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url });
    const order = cashIn(200, { externalReference: 'cart 7' });
    const { body } = await call(wallet, 'executeCardCashIn', order, { 'C-Request-Id': 'ours' });
    await wallet.settle();
    expect(partner.received).toEqual([]);
    await answers(wallet, body.data.redirectionURL, 'confirm');
    await wallet.settle();
    const [event, ...more] = partner.received;
    expect(more).toEqual([]);
    expect(webhookBody.safeParse({ data: event?.data }).success).toBe(true);
    expect(event?.data).toMatchObject({
      EventId: 'cashin.card.authorized',
      CRequestId: 'ours',
      OperationType: 1,
      OperationStatus: 2,
      Method: 'Card',
      Amount: 200,
      PrimaryAccountNumber: FATIMA,
      SecondaryAccountNumber: null,
      CustomData: 'cart 7',
      GatewayTrackId: body.data.transactionTrackId,
      GatewayOrderId: body.data.orderId,
      GatewayReferenceId: body.data.transactionReferenceId,
    });
  });
});

describe('the fees, limits and refusals of a load by card', () => {
  test.each([
    ['a percentage, paid by the payer', { feesPercent: 2.5 }, 5],
    ['rounded to the centime', { feesPercent: 0.333 }, 0.67],
    [
      'that of international cards counts for them',
      { ...at('international'), allowInternationalCards: true, feesPercent: 1, internationalFeesPercent: 3 },
      6,
    ],
    ['and for no others', { feesPercent: 1, internationalFeesPercent: 3 }, 2],
    [
      'international cards pay the usual one if they have none',
      { ...at('international'), allowInternationalCards: true, feesPercent: 1 },
      2,
    ],
  ])('with fees: %s', async (_, more, fees) => {
    const { body } = await call(wallet, 'executeCardCashIn', cashIn(200, { ...DIRECT, ...more }));
    expect(body.data).toMatchObject({ amount: 200, feesAmount: fees });
    expect(await balanceOf(wallet, FATIMA)).toBe(3700);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: -200 - fees, fees });
  });

  test('up to the limit of its level, also when it was reached while the page was open', async () => {
    expect(await call(wallet, 'previewCardCashIn', { PhoneNumber: FATIMA, Amount: 500.01 })).toMatchObject(
      errorOf('recipientLimit'),
    );
    const [one, two] = [
      await call(wallet, 'executeCardCashIn', cashIn(300, URLS)),
      await call(wallet, 'executeCardCashIn', cashIn(300, URLS)),
    ];
    expect(await answers(wallet, one.body.data.redirectionURL, 'confirm')).toMatchObject({
      RESPONSE_CODE: '0',
    });
    expect(await answers(wallet, two.body.data.redirectionURL, 'confirm')).toMatchObject({
      RESPONSE_CODE: '61',
      REASON_CODE: 'LIMIT_EXCEEDED',
    });
    expect(await balanceOf(wallet, FATIMA)).toBe(3800);
    ledgerOf(wallet);
  });

  test('a merchant’s wallet has no limit of a level', async () => {
    const { status } = await call(wallet, 'executeCardCashIn', {
      phoneNumber: CAFE,
      ...card(200_000, DIRECT),
    });
    expect(status).toBe(200);
  });

  test('a wallet that is closed while the page is open is not loaded', async () => {
    wallet.addCustomer(newcomer('+212611111111', 0));
    const order = { phoneNumber: '+212611111111', ...card(10, URLS) };
    const { body } = await call(wallet, 'executeCardCashIn', order);
    await call(wallet, 'unregisterCustomer', { PhoneNumber: '+212611111111', Reason: 5 });
    expect(await answers(wallet, body.data.redirectionURL, 'confirm')).toMatchObject({ to: URLS.declineUrl });
    expect(ledgerOf(wallet).gateway).toBe(0);
  });

  test.each<[string, Record<string, unknown>, ErrorName]>([
    ['nobody', { phoneNumber: NOBODY }, 'customerNotFound'],
    ['a locked customer', { phoneNumber: NADIA_LOCKED }, 'locked'],
    ['a customer without a PIN', { phoneNumber: SALMA_WITHOUT_PIN }, 'pinNotCreated'],
    ['more than may be held', { phoneNumber: MEHDI_NEARLY_FULL }, 'recipientLimit'],
    ['a national number', { phoneNumber: '0600000001' }, 'phoneInvalid'],
    ['nothing', { amount: 0 }, 'amountInvalid'],
    ['less than nothing', { amount: -5 }, 'amountInvalid'],
    ['a tenth of a centime', { amount: 10.001 }, 'amountInvalid'],
    ['no amount', { amount: undefined }, 'missingParameters'],
    ['a digit of the number wrong', { pan: '4242424242424241' }, 'cardNumberInvalid'],
    ['two digits swapped', { pan: '4242424242424224' }, 'cardNumberInvalid'],
    ['letters in the number', { pan: '4242-4242-4242-4242' }, 'parameterInvalid'],
    ['too short a number', { pan: '42424242420' }, 'parameterInvalid'],
    ['no number', { pan: '' }, 'missingParameters'],
    ['a month that is over', { expiryDate: '2610' }, 'cardExpired'],
    ['a month there is not', { expiryDate: '2913' }, 'parameterInvalid'],
    ['the month first', { expiryDate: '0929' }, 'parameterInvalid'],
    ['a CVV of four digits', { cvv: '7310' }, 'parameterInvalid'],
    ['a CVV as a number', { cvv: 731 }, 'parameterInvalid'],
    ['no CVV', { cvv: undefined }, 'missingParameters'],
    ['no first name', { firstName: undefined }, 'missingParameters'],
    ['keepAlive left out', { keepAlive: undefined }, 'missingParameters'],
    ['keepAlive as a word', { keepAlive: 'yes' }, 'parameterInvalid'],
    ['a percentage below zero', { feesPercent: -1 }, 'parameterInvalid'],
    ['a percentage above a hundred', { feesPercent: 101 }, 'parameterInvalid'],
    ['a script as an address', { acceptUrl: 'javascript:alert(1)' }, 'parameterInvalid'],
    ['a path as an address', { notificationUrl: '/hooks' }, 'parameterInvalid'],
    ['a reference of 129 characters', { externalReference: 'x'.repeat(129) }, 'parameterInvalid'],
    ['an international card', at('international'), 'cardInternational'],
  ])('refused: %s', async (_, wrong, error) => {
    const before = wallet.checkLedger();
    const said = await call(wallet, 'executeCardCashIn', { ...cashIn(50), ...wrong });
    expect(said).toMatchObject(errorOf(error));
    expect(JSON.stringify(said.body)).not.toMatch(/4242|731/);
    expect(wallet.checkLedger()).toEqual(before);
  });

  test('a card is good to the end of its month, by the sandbox’s clock', async () => {
    const order = cashIn(50, { ...DIRECT, expiryDate: '2611' });
    expect((await call(wallet, 'executeCardCashIn', order)).status).toBe(200);
    await wallet.clock.advance(11 * 24 * 3_600_000);
    expect(await call(wallet, 'executeCardCashIn', order)).toMatchObject(errorOf('cardExpired'));
  });
});

describe('a card that is not accepted', () => {
  const REFUSALS = [
    ['declined', at('declined'), '5', 'DECLINED'],
    ['without money', at('insufficientFunds'), '51', 'INSUFFICIENT_FUNDS'],
    ['expired, says its issuer', at('expired'), '54', 'EXPIRED_CARD'],
    ['with the wrong CVV', { cvv: '000' }, '82', 'INVALID_CVV'],
  ] as const;

  test.each([...REFUSALS, ['failing 3D Secure', at('threeDsFails'), '63', 'AUTHENTICATION_FAILED']] as const)(
    '%s: the browser says so',
    async (_, wrong, RESPONSE_CODE, REASON_CODE) => {
      const { body } = await call(wallet, 'executeCardCashIn', cashIn(200, { ...URLS, ...wrong }));
      expect(body.data.redirect).toBe(true);
      const back = await answers(wallet, body.data.redirectionURL, 'confirm');
      expect(back).toMatchObject({ to: URLS.declineUrl, RESPONSE_CODE, REASON_CODE });
      expect(await balanceOf(wallet, FATIMA)).toBe(3500);
      expect(ledgerOf(wallet).gateway).toBe(0);
    },
  );

  test.each(REFUSALS)(
    '%s: without 3D Secure a cash-in is refused, a payment says its code',
    async (_, wrong, code) => {
      const direct = { ...DIRECT, ...wrong };
      expect(await call(wallet, 'executeCardCashIn', cashIn(200, direct))).toMatchObject(
        errorOf('cardRefused'),
      );
      const paid = await call(wallet, 'executeCardPayment', { phoneNumber: CAFE, ...card(200, direct) });
      expect(paid.body.data).toMatchObject({
        redirect: false,
        responseCode: Number(code),
        operationId: null,
      });
      expect(wallet.executions()).toEqual([]);
    },
  );

  test('an international card is accepted when the settings allow it', async () => {
    const allowed = { ...DIRECT, ...at('international'), allowInternationalCards: true };
    expect((await call(wallet, 'executeCardCashIn', cashIn(50, allowed))).status).toBe(200);
  });
});

describe('an agent’s float is loaded by card', () => {
  test('with its code, or that of the principal agent', async () => {
    const preview = await call(wallet, 'previewAgentCardCashIn', { code: AGENT, Amount: 500 });
    expect(preview.body.data).toMatchObject({ type: 1, operation: { code: AGENT, amount: 500 } });
    const before = ledgerOf(wallet).agent ?? 0;
    for (const whose of [{ code: AGENT }, {}])
      expect((await call(wallet, 'executeAgentCardCashIn', { ...whose, ...card(500, DIRECT) })).status).toBe(
        200,
      );
    expect(ledgerOf(wallet)).toMatchObject({ agent: before + 1000, gateway: -1000 });
    expect(wallet.executions()).toMatchObject([{ receiver: AGENT }, { receiver: AGENT }]);
  });

  test.each(['previewAgentCardCashIn', 'executeAgentCardCashIn'] as const)(
    'not by %s for an unknown code',
    async (name) => {
      const order = { code: 'PA-9999', Amount: 5, ...card(5) };
      expect(await call(sandbox(), name, order)).toMatchObject(errorOf('agentUnknown'));
    },
  );
});

test('two partners’ cards are on two ledgers, and neither sees the other’s', async () => {
  const wallet = sandbox({ partners: [{ apiKey: 'other', scopes: '*' }] });
  await call(
    wallet,
    'executeCardCashIn',
    { phoneNumber: YOUSSEF, ...card(100, DIRECT) },
    { 'Svc-Api-Key': 'other' },
  );
  expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
  ledgerOf(wallet);
});
