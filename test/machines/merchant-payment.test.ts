import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { LOST, loses, refused } from '../kit/meddler.ts';
import { CHANNELS_ON, CHATS, CHATS_ON, STORES, testOn, theWorld, UNGUARDED } from '../kit/world.ts';
import { merchantIn, pays, qrOf } from './merchant-orders.ts';
import { paysLikeAll } from './payment-cases.ts';

const NOBODY = '0655000000';
const NAMED = [
  {
    key: 'merchant-payment.byCodeIn',
    values: { name: { name: 'Épicerie Bâ' }, city: { name: 'Casablanca' } },
  },
];

describe.each(STORES)('paying a merchant, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', safety: UNGUARDED });

  test.each(CHANNELS_ON[store])('by number, on %s: both hear of it', async (channel) => {
    const shop = merchantIn(world);
    await shop.isAtMenu();
    const fatima = world.customer({ channel, balance: '2000' });
    await fatima.isAtMenu().walks(pays(shop.phone, '1200'));
    await fatima.sees('merchant-payment.askPin', {
      merchant: shop.phone,
      amount: 120_000,
      fees: 100,
      total: 120_100,
    });
    await fatima.enters().sees('merchant-payment.processing');
    await world.passes(1_500);
    await fatima.hears('merchant-payment.done', { amount: 120_000, merchant: shop.phone, total: 120_100 });
    await shop.sees('menu.choose').hears('received.payment', { amount: 120_000, from: fatima.phone });
    await shop.hearsNothing();
  });

  test.each(CHATS_ON[store])('by the code on the counter: the amount is asked, on %s', async (channel) => {
    const shop = merchantIn(world);
    const qr = await qrOf(world, shop);
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().photographs(qr).sees('merchant-payment.askAmount', { merchant: NAMED });
    await fatima.says('35,50');
    await fatima.sees('merchant-payment.askPin', { merchant: NAMED, amount: 3550, fees: 0, total: 3550 });
    await fatima.enters().sees('merchant-payment.processing');
    await fatima.after(1_500).hears('merchant-payment.done', { merchant: NAMED, total: 3550 });
    expect(world.wallet.told(fatima.phone, 'payMerchant')).toEqual([
      [{ from: fatima.phone, amount: 3550, qrContent: qr }],
    ]);
  });

  test.each(CHATS_ON[store])(
    'by a code for one payment: the amount is fixed, and it is paid once, on %s',
    async (channel) => {
      const qr = await qrOf(world, merchantIn(world), 45);
      const fatima = world.customer({ channel });
      await fatima.isAtMenu();
      await fatima.photographs(qr).sees('merchant-payment.askPin', { merchant: NAMED, amount: 4500 });
      await fatima.goes('back').sees('merchant-payment.askMerchant');
      await fatima.photographs(qr).sees('merchant-payment.askPin');
      await fatima.enters().sees('merchant-payment.processing');
      await fatima.after(1_500).hears('merchant-payment.done', { amount: 4500 });
      await fatima.photographs(qr).sees('merchant-payment.askMerchant').isTold('problem.90029');
      expect(world.wallet.calls(fatima.phone, 'payMerchant')).toHaveLength(1);
    },
  );

  test.each(CHANNELS_ON[store])(
    'an answer lost after the execution is "not confirmed", then done, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(pays());
      world.wallet.next('payMerchant', loses);
      await fatima.enters().sees('merchant-payment.notConfirmed', { amount: 10_000 });
      await fatima.after(1_500).hears('merchant-payment.done', { total: 10_000 });
      expect(world.wallet.calls(fatima.phone, 'payMerchant')).toHaveLength(1);
    },
  );

  testOn(CHATS)(
    'a payment that fails after it was accepted is told, and the money is back, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(pays(MAGIC.failsLater, '70')).enters();
      await world.passes(1_500);
      await fatima.hears('merchant-payment.failed', { amount: 7000 }).goes('menu').chooses('balance');
      await fatima.enters().sees('balance.shown', { balance: 50_000 });
    },
  );

  test('a lost answer without any webhook is found in the list', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().photographs(await qrOf(world, merchantIn(world)));
    await fatima.says('20');
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeQrPayment', count: 1 });
    world.wallet.next('payMerchant', loses);
    await fatima.enters().sees('merchant-payment.notConfirmed');
    for (const ms of [5_000, 10_000, 15_000]) await world.passes(ms);
    await fatima.hears('merchant-payment.done', { amount: 2000 });
  });
});

const world = theWorld({ safety: UNGUARDED });

describe('the money of a payment to a merchant', () => {
  paysLikeAll({
    ...{ world, kind: 'merchant-payment', call: 'payMerchant', asks: 'merchant-payment.askPin' },
    atPin: (channel) => world.customer({ channel }).isAtMenu().walks(pays()),
  });
});

describe('the payee', () => {
  const asked = (channel: 'ussd' | 'web' = 'ussd') =>
    world.customer({ channel }).isAtMenu().chooses('transfer').chooses('merchant');

  test.each([
    ['a landline', '0522123456', 'mobile.notANumber'],
    ['a name that nobody is saved under', 'Café Atlas', 'beneficiaries.noneCalled'],
    ['an address', 'https://x.test', 'mobile.noName'],
  ])('no number: %s', (_, text, told) =>
    asked().says(text).sees('merchant-payment.askMerchant').isTold(told),
  );

  test('oneself, by number and by one’s own code', async () => {
    const shop = merchantIn(world);
    const qr = await qrOf(world, shop);
    await shop.isAtMenu().chooses('services').chooses('transfer').chooses('merchant');
    await shop.says(`0${shop.phone.slice(4)}`).isTold('merchant-payment.toYourself');
    await shop.photographs(qr).sees('merchant-payment.askMerchant').isTold('merchant-payment.toYourself');
    expect(world.wallet.calls(shop.phone, 'previewMerchantPayment')).toEqual([]);
  });

  test.each([
    ['a person', () => world.customer().phone, '90026'],
    ['nobody here', () => msisdn(NOBODY), '90026'],
    ['no wallet anywhere', () => msisdn(MAGIC.noWallet), '90026'],
    ['a locked merchant', () => world.customer({ walletType: 'C', status: 5 }).phone, '90014'],
  ])('%s is no merchant to pay: another one is asked before any amount', async (_, phone, code) => {
    await asked()
      .says(phone())
      .sees('merchant-payment.askMerchant')
      .isTold(`problem.${code}`)
      .says('0600000011')
      .sees('merchant-payment.askAmount');
  });

  test('too little money: another amount by number, another code where it is fixed', async () => {
    const fatima = world.customer({ channel: 'web', balance: '40' });
    await fatima.isAtMenu();
    await fatima.walks(pays(undefined, '50')).sees('pay.short');
    await fatima.says('30').sees('merchant-payment.askPin').goes('menu');
    await fatima.photographs(await qrOf(world, merchantIn(world), 50)).sees('pay.short');
    await fatima.chooses('amend').sees('merchant-payment.askMerchant');
  });

  test.each([
    ['lost', LOST],
    ['about the money', refused('90010')],
  ])('a look-up that is %s leads to the amount all the same, without a word', async (_, answer) => {
    const fatima = asked();
    await fatima;
    world.wallet.next('previewMerchantPayment', answer);
    await fatima.says('0600000011').sees('merchant-payment.askAmount').isToldNothing();
  });

  test('the name in the preview is shown', async () => {
    const fatima = asked().says('0600000011');
    await fatima;
    world.wallet.next('previewMerchantPayment', async (ask) => {
      const answer = await ask();
      return answer.kind === 'ok' ? { ...answer, value: { ...answer.value, recipientName: 'Café' } } : answer;
    });
    await fatima.says('50').sees('merchant-payment.askPinNamed', { recipientName: 'Café' });
  });

  test('paying merchants is not enabled', async () => {
    const fatima = asked().says('0600000011');
    await fatima;
    world.wallet.next('previewMerchantPayment', refused('http403'));
    await fatima.says('50').sees('merchant-payment.notEnabled');
  });
});

describe('paying twice', () => {
  test('the same merchant and amount, by number and by code, is asked about', async () => {
    const shop = merchantIn(world);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays(shop.phone, '60')).enters();
    await world.passes(1_500);
    await fatima.photographs(await qrOf(world, shop));
    await fatima.says('60').sees('merchant-payment.confirmAgain', { amount: 6000 });
  });

  test('another merchant, or another code for one payment, is not', async () => {
    const shop = merchantIn(world);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().photographs(await qrOf(world, shop, 60));
    await fatima.enters();
    await world.passes(1_500);
    await fatima.photographs(await qrOf(world, shop, 60)).sees('merchant-payment.askPin');
    await fatima.goes('menu');
    await fatima.photographs(await qrOf(world, merchantIn(world), 60)).sees('merchant-payment.askPin');
  });

  test('another payer of the same code in between leads to a refusal, and nothing is debited', async () => {
    const shop = merchantIn(world);
    const qr = await qrOf(world, shop, 60);
    const [fatima, youssef] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    for (const each of [fatima, youssef]) await each.isAtMenu().photographs(qr);
    await youssef.enters().sees('merchant-payment.processing');
    await fatima.enters().sees('merchant-payment.refused').isTold('problem.90029');
    expect(world.sandbox.checkLedger().balanced).toBe(true);
  });
});

describe('in one line', () => {
  test.each([
    ['/merchant 0600000011 50', 'merchant-payment.askPin'],
    ['payer un commerçant 0600000011', 'merchant-payment.askAmount'],
    ['أداء لتاجر 0600000011 50', 'merchant-payment.askPin'],
    ['pay merchant', 'merchant-payment.askMerchant'],
  ])('%s', (text, seen) => world.customer({ channel: 'web' }).isAtMenu().says(text).sees(seen));

  test('a deep dial to a person still works', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().dials('1', NOBODY, '200').sees('transfer.askPinOpenLoop', { amount: 20_000 });
  });

  test('a deep dial to a merchant', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.dials('1', '1', '0600000011', '50').sees('merchant-payment.askPin', { amount: 5000 });
  });
});

describe('the merchant', () => {
  test('hears in every chat, on the next dial and by SMS, and a repeated webhook adds nothing', async () => {
    const phone = merchantIn(world, 'ussd');
    await phone.isAtMenu();
    const chats = [world.chatOf(phone), world.chatOf(phone, 'en')];
    for (const chat of chats) await chat.isAtMenu();
    const fatima = world.customer();
    world.sandbox.faults.set({ name: 'webhookTwice', operation: 'executeMerchantPayment', count: 1 });
    await fatima.isAtMenu().walks(pays(phone.phone, '80')).enters();
    await world.passes(1_500);
    for (const chat of chats) {
      await chat.hears('received.payment', { amount: 8000 });
      const waiting = await world.engine.waiting(chat.address);
      expect(waiting.filter(({ screen }) => screen.key.startsWith('received.'))).toEqual([]);
    }
    const told = world.sms(phone.phone).filter((text) => /\b80(?:[.,]00\b| درهم)/.test(text));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`06(?:\\*{6}|x{6})${fatima.phone.slice(-2)}`));
  });

  test('never reads an amount from a forger', async () => {
    const shop = merchantIn(world);
    await shop.isAtMenu();
    const fatima = world.customer();
    world.sandbox.faults.set({ name: 'webhookForgedAmount', operation: 'executeMerchantPayment', count: 1 });
    await fatima.isAtMenu().walks(pays(shop.phone, '80')).enters();
    await shop.after(3_000).hears('received.payment', { amount: 8000 }).hearsNothing();
    await fatima.hears('merchant-payment.done', { amount: 8000 });
  });
});
