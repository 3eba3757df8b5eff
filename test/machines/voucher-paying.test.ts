import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { type Customer, LOST, loses, refused, STORES, theWorld, UNSENT, type World } from '../kit/world.ts';
import { paysLikeAll } from './payment-cases.ts';
import { buys, codeIn, isForOneself, picks } from './voucher-orders.ts';

const BROTHER = msisdn('0655000000');

/** The code that waits for a chat. */
async function waitingCode(world: World, { address }: Customer): Promise<string> {
  const waiting = await world.engine.waiting(address);
  const value = waiting.find(({ screen }) => screen.key === 'voucher.code')?.screen.values?.code;
  return value && 'hidden' in value ? value.hidden : '';
}

describe('the preview of a voucher decides', () => {
  const world = theWorld();

  test.each([
    ['an article that is gone: another one', '90020', 'voucher.chooseArticle'],
    ['an article that is sold out: another one', '90021', 'voucher.chooseArticle'],
    ['a price that is none: another article', '90015', 'voucher.chooseArticle'],
    ['a number that is none: who it is for', '20000', 'voucher.chooseForValid'],
    ['the customer is not found', '20005', 'voucher.chooseForValid'],
    ['a parameter that is missing', '10001', 'voucher.chooseForValid'],
    ['a value that is not allowed', '90001', 'voucher.chooseForValid'],
  ])('%s', async (_, code, asked) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('previewVoucher', refused(code));
    await fatima.walks(picks).walks(isForOneself).sees(asked).isTold(`problem.${code}`);
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toEqual([]);
  });

  test('as the sandbox plays it: too little money, and sold out', async () => {
    const poor = world.customer({ channel: 'web', balance: '51' });
    await poor.isAtMenu().walks(picks);
    await poor.walks(isForOneself).sees('pay.short').goes('back').sees('voucher.chooseForValid');
    const fatima = world.customer({ channel: 'web', balance: '1000' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('7').chooses('article3');
    await fatima.chooses('me');
    await fatima.sees('voucher.chooseArticle').isTold('problem.90021');
  });

  test.each([LOST, UNSENT])('a wallet that gives %o: again, or leave it', async (instead) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('previewVoucher', instead);
    await fatima.walks(picks).walks(isForOneself).sees('pay.unavailable');
    await fatima.chooses('again').sees('voucher.askPin');
    await fatima.chooses('cancel').sees('voucher.cancelled');
  });
});

describe.each(STORES)('the code of a voucher, on %s', (store) => {
  const world = theWorld({ store });

  test('on USSD it comes once, by one SMS, and not on the next dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done').isToldNothing();
    await world.rests();
    const codes = world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? []);
    expect(codes).toHaveLength(1);
    await fatima.dials().sees('menu.choose');
    expect(fatima.reply().missed.map(({ screen }) => screen.key)).not.toContain('voucher.code');
    await world.passes(HOUR_MS);
    expect(world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? [])).toEqual(codes);
    expect(await world.everythingStored()).not.toContain(codes[0]);
  });

  test('in a chat it is hidden until it is tapped, comes once, and is then stored nowhere', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(BROTHER)).enters().sees('voucher.done');
    const code = await waitingCode(world, fatima);
    expect(code).toBe(codeIn(code));
    // While it waits it is only there sealed.
    expect(await world.everythingStored()).not.toContain(code);
    await fatima.hears('voucher.code', { code, to: BROTHER });
    expect(await waitingCode(world, fatima)).toBe('');
    expect(await world.everythingStored()).not.toContain(code);
    expect(world.sms(fatima.phone).join()).not.toContain(code);
  });

  test('a closed chat finds it when its customer comes back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys()).enters();
    await world.passes(71 * HOUR_MS);
    await fatima.opens().hears('voucher.code').hears('voucher.done').hearsNothing();
  });

  test('it survives a restart, sealed', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    const code = await waitingCode(world, fatima);
    await world.restarts();
    await fatima.hears('voucher.code', { code });
  });

  test('after three days nobody but an adviser can say it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await fatima.after(73 * HOUR_MS).hears('voucher.codeExpired');
  });
});

describe.each(STORES)('the purchase of a voucher, on %s', (store) => {
  const world = theWorld({ store });
  paysLikeAll({
    ...{ world, kind: 'voucher', call: 'buyVoucher', asks: 'voucher.askPin' },
    ...{ refusals: ['90020', '90021'], found: 'voucher.doneWithoutCode' },
    atPin: (channel) => world.customer({ channel }).isAtMenu().walks(buys()),
  });

  test.each([
    ['as the sandbox plays it', MAGIC.answerLost, undefined],
    ['at the last moment', BROTHER, loses],
  ])('a lost answer, %s, is found by its operation, and an adviser has the code', async (_, to, instead) => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().walks(buys(to));
    if (instead) world.wallet.next('buyVoucher', instead);
    await fatima.enters().sees('voucher.notConfirmed', { amount: 5000 });
    await fatima.after(6_000).hears('voucher.doneWithoutCode', { total: 5200 });
    expect(world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? [])).toEqual([]);
    expect(world.sms(fatima.phone).at(-1)).toMatch(/un conseiller/);
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(1);
  });

  test('a process that dies before it reads the answer finds it too', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys(BROTHER));
    const bought = Promise.withResolvers<void>();
    world.wallet.next('buyVoucher', async (ask) => {
      await ask();
      bought.resolve();
      return new Promise<never>(() => {});
    });
    void fatima.enters();
    await bought.promise;
    await world.crashes();
    await world.passes(MINUTE_MS);
    await world.passes(MINUTE_MS);
    await world.again(fatima).dials().sees('menu.choose').isTold('voucher.doneWithoutCode');
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(1);
  });

  test('the same voucher is asked about first, unless it is for another person', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys(BROTHER)).enters().sees('voucher.done').dials();
    await fatima.walks(picks).chooses('gift').says(BROTHER).says('Mon frère');
    await fatima.sees('voucher.confirmAgain', { to: BROTHER }).goes('menu');
    await fatima.walks(picks).walks(isForOneself).sees('voucher.askPin');
  });

  test.each(LANGUAGES)('on USSD a second one is asked whom it is for, in %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done').dials();
    await fatima.walks(picks).sees('voucher.chooseForValid').isToldNothing();
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ pages: 1, choices: 2 });
    await fatima.chooses('me').sees('voucher.confirmAgain', { to: fatima.phone }).offers('confirm', 'cancel');
    await fatima.goes('back').sees('voucher.chooseForValid').chooses('gift').sees('voucher.askNumber');
    await fatima.says(BROTHER).says('Youssef').sees('voucher.askPinGift', { to: BROTHER });
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(1);
  });

  test('on USSD a second one for oneself is paid once it was confirmed', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done').dials();
    await fatima.walks(picks).chooses('me').sees('voucher.confirmAgain').chooses('confirm');
    await fatima.sees('voucher.askPin').enters().sees('voucher.done');
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(2);
  });

  test.each([['un cadeau'], ['هدية'], ['A gift']])(
    'a chat that asks about a second one for oneself takes "%s" for a gift',
    async (text) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done').goes('menu');
      await fatima.walks(picks).walks(isForOneself).sees('voucher.confirmAgain', { to: fatima.phone });
      await fatima.says(text).sees('voucher.askNumber').says(BROTHER).says('Youssef');
      await fatima.sees('voucher.askPin', { to: BROTHER, beneficiary: 'Youssef' }).offersNo('gift');
      expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(1);
    },
  );

  test('one with an unknown outcome is pointed out', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(BROTHER));
    world.wallet.next('buyVoucher', LOST);
    await fatima.enters().sees('voucher.notConfirmed').goes('menu').isTold('voucher.notConfirmed');
    await world.passes(3 * MINUTE_MS);
    await fatima.walks(picks).chooses('gift').says(BROTHER).says('Youssef');
    await fatima.sees('voucher.confirmUnconfirmed');
  });

  test('a purchase that fails later is told, and has no code', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys(MAGIC.failsLater)).enters().sees('voucher.processing');
    await fatima.after(10_000).hears('voucher.failed');
    expect(world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? [])).toEqual([]);
  });
});

describe.each([false, 'down'] as const)('a voucher with SMS: %s', (sms) => {
  const world = theWorld({ sms });

  test('its page promises no SMS and names the place of the code, in every language', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    const { screen } = fatima.reply();
    const page = (language: Language, at: number) => world.renderer.ussd(screen, language, at);
    const text = (language: Language) =>
      Array.from({ length: page(language, 0).pages }, (_, at) => page(language, at).text).join('\n');
    for (const language of LANGUAGES) {
      expect(text(language)).toMatch(/8[,،] (?:Mes bons d'achat|قسائمي|My vouchers)/);
      expect(text(language)).not.toMatch(/SMS|رسالة/);
    }
    await fatima.goes('menu').says('8').says('5').enters().sees('voucher-codes.choose');
  });

  test('a handset that opens links by SMS is offered nothing without SMS', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().says('5').sees('cash.choose');
    const offered = fatima.reply().screen.choices?.some(({ id }) => id === 'card-cash-in');
    expect(offered).toBe(sms !== false);
  });
});
