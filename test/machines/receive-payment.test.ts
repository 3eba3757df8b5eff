import { describe, expect, test } from 'vitest';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import type { ChannelName } from '../../src/conversation/incoming.ts';
import { AMOUNT_MAX_CENTIMES } from '../../src/wallet/money.ts';
import { drawQr } from '../../src/wallet/qr/draw.ts';
import { readMerchantQr } from '../../src/wallet/qr/merchant-qr.ts';
import { theDeadline } from '../kit/deadline.ts';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS, CHATS_ON, type Customer, STORES, testOn, theWorld, type World } from '../kit/world.ts';
import { pays } from './merchant-orders.ts';

const camera = createQrReader({ maxMs: 60_000 });

const merchantOf = (world: World, channel: ChannelName = 'web') =>
  world.customer({
    channel,
    walletType: 'C',
    firstName: 'Épicerie',
    lastName: 'Bâ',
    balance: '10',
  });
const receives = (customer: Customer) =>
  customer.chooses('receive-payment').sees('receive-payment.askAmount');
const asksFor = (amount: string) => (customer: Customer) => customer.walks(receives).says(amount);

/** The content of the code on show. */
function codeOf(merchant: Customer): string {
  const { picture } = merchant.reply().screen;
  if (typeof picture !== 'object') throw new Error('no code is on show');
  return picture.qr;
}

/** The content that another phone reads in its picture. */
async function photoOf(merchant: Customer): Promise<string | undefined> {
  const reading = await camera((await drawQr(codeOf(merchant), 6))?.png ?? new Uint8Array(), 'tests');
  return reading.kind === 'found' ? reading.texts[0] : undefined;
}

describe.each(STORES)('a merchant receives a payment, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])(
    'the code for an amount is photographed and paid, and the merchant hears of it, on %s',
    async (channel) => {
      const shop = merchantOf(world, channel);
      await shop.isAtMenu().walks(asksFor('45,50'));
      await shop.sees('receive-payment.shownFor', { amount: 4_550, phone: shop.phone });
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu();
      await fatima.photographs(await photoOf(shop)).sees('merchant-payment.askPin', { amount: 4_550 });
      await fatima.enters().sees('merchant-payment.processing');
      await fatima.after(1_500).hears('merchant-payment.done', { amount: 4_550 });
      await shop.sees('receive-payment.shownFor');
      await shop.hears('received.payment', { amount: 4_550, from: fatima.phone }).hearsNothing();
    },
  );

  test.each(CHATS_ON[store])(
    'the customer types the amount for a code without one, again and again, on %s',
    async (channel) => {
      const shop = merchantOf(world, channel);
      await shop.isAtMenu().walks(receives);
      await shop.chooses('withoutAmount').sees('receive-payment.shown', { phone: shop.phone });
      const qr = await photoOf(shop);
      for (const amount of [3_500, 1_200]) {
        const fatima = world.customer({ channel: 'web' });
        await fatima.isAtMenu().photographs(qr).sees('merchant-payment.askAmount');
        await fatima.says(String(amount / 100)).sees('merchant-payment.askPin', { amount });
        await fatima.enters();
        await shop.after(1_500).hears('received.payment', { amount, from: fatima.phone });
      }
    },
  );

  test('USSD shows no picture but the number to pay to, and the payment is told by SMS', async () => {
    const shop = merchantOf(world, 'ussd');
    await shop.isAtMenu();
    await shop.walks(asksFor('60')).sees('receive-payment.shownFor', { amount: 6_000, phone: shop.phone });
    const { text } = world.renderer.ussd(shop.reply().screen, shop.language, 0);
    expect(text).toMatch(/Telegram|تيليغرام/);
    expect(text.replace(/\D/g, '')).toContain(`0${shop.phone.slice(4)}`);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays(`0${shop.phone.slice(4)}`, '60'));
    await fatima.enters();
    await world.passes(1_500);
    expect(world.sms(shop.phone).at(-1)).toMatch(/60(?:[.,]00| درهم)/);
  });

  test('a code is made once, even when its answer is lost with the process, and the amount is asked again', async () => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(receives);
    await world.crashesDuring('dynamicQr', shop.says('45'));
    const back = world.again(shop);
    await back.after(60_000).opens().sees('receive-payment.askAmount').isTold('problem.unavailable');
    await back.says('45').sees('receive-payment.shownFor');
    expect(world.wallet.calls(shop.phone, 'dynamicQr')).toHaveLength(2);
  });
});

describe('the codes', () => {
  const world = theWorld();
  const deadline = theDeadline();

  test('name the merchant and the amount, and only the static one is always the same', async () => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(receives).chooses('withoutAmount').sees('receive-payment.shown');
    const counter = codeOf(shop);
    await shop.goes('menu').walks(receives).chooses('withoutAmount').sees('receive-payment.shown');
    expect(codeOf(shop)).toBe(counter);
    expect(readMerchantQr(counter)).toMatchObject({ ok: true, qr: { merchant: shop.phone } });
    const forOne: string[] = [];
    for (const amount of ['45', '45']) {
      await shop.goes('menu').walks(asksFor(amount)).sees('receive-payment.shownFor');
      forOne.push(codeOf(shop));
    }
    expect(new Set(forOne).size).toBe(2);
    expect(readMerchantQr(forOne[0] ?? '')).toMatchObject({ ok: true, qr: { amount: 4_500 } });
  });

  test('one line is enough', async () => {
    const fatima = merchantOf(world);
    await fatima.isAtMenu().says('encaisser 45 DH').sees('receive-payment.shownFor', { amount: 4_500 });
    await fatima.says('encaisser').sees('receive-payment.askAmount');
  });

  test('are there again when the chat is opened again', async () => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(receives).chooses('withoutAmount').sees('receive-payment.shown');
    const qr = codeOf(shop);
    await shop.opens().sees('receive-payment.shown');
    expect(codeOf(shop)).toBe(qr);
  });

  test('a code that comes too late for its answer is told with its picture', async () => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(receives);
    const { reached, go } = world.wallet.holds('dynamicQr');
    await shop.hasPatience(deadline.ms);
    const turn = Promise.resolve(shop.says('45').sees('receive-payment.preparing'));
    await reached;
    deadline.strikes();
    await turn;
    go();
    await shop.hears('receive-payment.shownFor', { amount: 4_500 }).hasPatience(5_000).opens();
    expect(readMerchantQr(codeOf(shop))).toMatchObject({ ok: true, qr: { amount: 4_500 } });
  });

  test('back', () => merchantOf(world).isAtMenu().walks(receives).goes('back').sees('menu.choose'));

  test('on USSD a digit is an amount and no choice', async () => {
    const shop = merchantOf(world, 'ussd');
    await shop.isAtMenu().walks(receives);
    expect(world.renderer.ussd(shop.reply().screen, 'fr', 0).text).not.toContain('1 ');
    await shop.says('1').sees('receive-payment.shownFor', { amount: 100 });
  });

  test.each([
    ['0,00', 'amount.zero'],
    ['1.500', 'amount.ambiguous'],
    ['12,3456', 'amount.tooPrecise'],
    ['beaucoup', 'amount.notAnAmount'],
    ['-45', 'amount.notAnAmount'],
    [String(AMOUNT_MAX_CENTIMES), 'amount.tooLarge'],
  ])('no amount: %s', async (text, told) => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(asksFor(text)).sees('receive-payment.askAmount').isTold(told);
    expect(world.wallet.calls(shop.phone, 'dynamicQr')).toEqual([]);
  });

  test.each([
    ['not sent', UNSENT, 'problem.unavailable'],
    ['lost', LOST, 'problem.unavailable'],
    ['lost after it was made', loses, 'problem.unavailable'],
    ['too large for the wallet', refused('90010'), 'problem.90010'],
  ])('are unavailable: %s', async (_, instead, told) => {
    const shop = merchantOf(world);
    await shop.isAtMenu();
    world.wallet.next('staticQr', instead);
    await shop.walks(receives).chooses('withoutAmount').sees('receive-payment.askAmount').isTold(told);
    world.wallet.next('dynamicQr', instead);
    await shop.says('45').sees('receive-payment.askAmount').isTold(told);
    expect(world.wallet.calls(shop.phone, 'dynamicQr')).toHaveLength(1);
    await shop.says('45').sees('receive-payment.shownFor', { amount: 4_500 });
  });
});

describe('a wallet of a consumer', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is not offered it, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().offersNo('receive-payment');
  });

  test.each(['encaisser 45', 'mon qr'])('reads so when it asks for it: %s', async (line) => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.isAtMenu().says(line);
    if (line === 'mon qr') fatima.sees('receive-payment.askAmount').chooses('withoutAmount');
    await fatima.sees('receive-payment.notMerchant');
  });

  test.each([
    ['withoutAmount', 'staticQr', 'http404'],
    ['withoutAmount', 'staticQr', 'http403'],
    ['withAmount', 'dynamicQr', 'http404'],
  ] as const)('a partner without codes: %s, %s answers %s', async (choice, call, code) => {
    const shop = merchantOf(world);
    await shop.isAtMenu().walks(receives);
    world.wallet.next(call, refused(code));
    if (choice === 'withAmount') shop.says('45');
    else shop.chooses(choice);
    await shop.sees('receive-payment.notEnabled').goes('menu').offersNo('receive-payment');
  });
});
