import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import type { VoucherArticle, VoucherBrand } from '../../src/wallet/services.ts';
import { CHANNELS, type Customer, LOST, ok, refused, testOn, theWorld, UNSENT } from '../kit/world.ts';
import { buys, picks } from './voucher-orders.ts';

const BROTHER = msisdn('0655000000');
const choices = (customer: Customer) => customer.reply().screen.choices?.map(({ id }) => id) ?? [];

describe('buying a voucher', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('for oneself, on %s', async (channel) => {
    const fatima = world.customer({ channel, firstName: 'Fatima', lastName: 'Alaoui' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').sees('voucher.chooseBrand');
    const isPage = channel === 'ussd';
    const brand = 'Souk Frais (test)';
    await fatima
      .chooses('1')
      .sees(isPage ? 'voucher.chooseArticleValid' : 'voucher.chooseArticle', { brand });
    await fatima.chooses('article1');
    const article = 'Souk Frais 100 DH (test)';
    if (!isPage) await fatima.sees('voucher.chooseForValid', { amount: 10_000, article }).chooses('me');
    await fatima.sees('voucher.askPin', {
      beneficiary: 'Fatima Alaoui',
      to: fatima.phone,
      fees: 200,
      total: 10_200,
    });
    await fatima.enters().sees('voucher.done', { article: 'Souk Frais 100 DH (test)', total: 10_200 });
    expect(world.wallet.calls(fatima.phone, 'buyVoucher')).toHaveLength(1);
  });

  test.each(['0655000000', '+212 655 00 00 00'])(
    'as a gift to a number that is typed where it is asked whom it is for: %s',
    async (number) => {
      const fatima = world.customer({ channel: 'web', firstName: 'Fatima', lastName: 'Alaoui' });
      await fatima.isAtMenu().walks(picks).says(number).sees('voucher.askName', { to: BROTHER });
      await fatima.says('Youssef').sees('voucher.askPin', { beneficiary: 'Youssef', to: BROTHER });
      await fatima
        .goes('menu')
        .walks(picks)
        .says(`0${fatima.phone.slice(4)}`);
      await fatima.sees('voucher.askPin', { beneficiary: 'Fatima Alaoui', to: fatima.phone });
    },
  );

  testOn(CHANNELS)('as a gift: the code goes to who paid, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().walks(picks);
    await fatima.chooses('gift').sees('voucher.askNumber', { article: 'Souk Frais 50 DH (test)' });
    await fatima.says('06 55 00 00 00').sees('voucher.askName', { to: BROTHER }).says('  يوسف   بنعلي ');
    const key = channel === 'ussd' ? 'voucher.askPinGift' : 'voucher.askPin';
    await fatima.sees(key, { beneficiary: 'يوسف بنعلي', to: BROTHER, amount: 5000, total: 5200 });
    await fatima.enters().sees('voucher.done', { beneficiary: 'يوسف بنعلي', to: BROTHER });
    if (channel !== 'ussd') await fatima.hears('voucher.code', { beneficiary: 'يوسف بنعلي' });
    else await world.rests();
    expect(world.sms(BROTHER)).toEqual([]);
    await fatima
      .goes('menu')
      .walks(picks)
      .chooses('gift')
      .says(`0${fatima.phone.slice(4)}`);
    await fatima.sees('voucher.askPin', { to: fatima.phone });
    // It has no other amount than its own.
    await fatima.says('non 100').sees('voucher.askPin', { amount: 5000 }).isTold('pin.noPin');
  });

  test.each([
    "bon d'achat cadeau",
    "bon d'achat pour ma femme",
    'offrir un bon',
    'voucher for my sister',
    'قسيمة هدية',
    'قسيمة لماما',
  ])('as a gift that was asked for as one, in a line without a brand: %s', async (line) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().says(line);
    await fatima.sees('voucher.chooseBrandGift').isToldNothing().chooses('1').says('50 dh');
    await fatima.sees('voucher.askNumber').goes('back').sees('voucher.chooseForValid').chooses('me');
    await fatima.sees('voucher.askPin', { to: fatima.phone });
  });

  test('as a gift of a brand that the line names', async () => {
    const line = "bon d'achat souk frais pour ma femme";
    const fatima = world.customer({ channel: 'web' }).isAtMenu().says(line);
    await fatima.sees('voucher.chooseArticle').chooses('article0').sees('voucher.askNumber');
    const byHand = world.customer({ channel: 'web' }).isAtMenu().walks(picks);
    await byHand.says('offrir').sees('voucher.askNumber');
  });

  test('is for oneself where the line says nothing else', async () => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().says('carte cadeau');
    await fatima.sees('voucher.chooseBrand').chooses('1').chooses('article0').sees('voucher.chooseForValid');
  });
});

const world = theWorld();

describe('the catalog', () => {
  const brand = (id: number): VoucherBrand => ({ id, name: `Enseigne ${id}`, picture: `/brands/${id}.svg` });
  const article = (i: number): VoucherArticle => ({
    sku: `A-${i}`,
    providerId: 41,
    brandId: 1,
    name: `Bon ${i}`,
    price: centimes(i * 1_000),
  });
  const page = <T>(make: (i: number) => T, from: number, to: number, count: number) =>
    ok({ entries: Array.from({ length: to - from + 1 }, (_, i) => make(from + i)), count });

  test('pictures and prices are there for the channels that show them', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher');
    expect(fatima.reply().screen.choices).toHaveLength(8);
    expect(fatima.reply().screen.choices?.[0]?.picture).toContain('/pictures/souk.png');
    await fatima.chooses('1');
    expect(fatima.reply().screen.choices?.[4]).toMatchObject({
      picture: expect.stringContaining('/pictures/souk-1000.png'),
      values: { price: { money: 100_000 } },
    });
  });

  test.each([20, 10])('a long list of brands, in pages of %i, forth and back', async (size) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const last = 2 * size + 5;
    world.wallet.next('voucherBrands', page(brand, 1, size, last));
    await fatima.chooses('shopping').chooses('voucher').sees('voucher.chooseBrand');
    expect(choices(fatima)).toEqual([...Array.from({ length: size }, (_, i) => String(i + 1)), 'more']);
    world.wallet.next('voucherBrands', page(brand, size + 1, 2 * size, last));
    await fatima.chooses('more');
    expect([choices(fatima)[0], choices(fatima).at(-1)]).toEqual([String(size + 1), 'more']);
    world.wallet.next('voucherBrands', page(brand, 2 * size + 1, last, last));
    await fatima.chooses('more').sees('voucher.chooseBrand');
    expect(choices(fatima)).toEqual([1, 2, 3, 4, 5].map((i) => String(2 * size + i)));
    world.wallet.next('voucherBrands', page(brand, size + 1, 2 * size, last));
    await fatima.goes('back').sees('voucher.chooseBrand');
    expect(choices(fatima)[0]).toBe(String(size + 1));
    world.wallet.next('voucherBrands', page(brand, 1, size, last));
    await fatima.goes('back').sees('voucher.chooseBrand').goes('back').sees('shopping.choose');
  });

  test('the article chosen on a later page of a long list is the one bought', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher');
    world.wallet.next('voucherArticles', page(article, 1, 20, 23));
    await fatima.chooses('1').sees('voucher.chooseArticle');
    world.wallet.next('voucherArticles', page(article, 21, 23, 23));
    await fatima.chooses('more').offers('article0', 'article1', 'article2');
    await fatima.chooses('article2').sees('voucher.chooseForValid', { article: 'Bon 23', amount: 23_000 });
    await fatima.goes('back').sees('voucher.chooseArticle');
    world.wallet.next('voucherArticles', page(article, 1, 20, 23));
    await fatima.goes('back').sees('voucher.chooseArticle').goes('back').sees('voucher.chooseBrand');
  });

  test('the page on show stays when the next page is empty or cannot be read', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('voucherBrands', page(brand, 1, 20, 45));
    await fatima.chooses('shopping').chooses('voucher');
    world.wallet.next('voucherBrands', LOST);
    await fatima.chooses('more').sees('voucher.chooseBrand').isTold('problem.unavailable');
    expect(choices(fatima).at(-1)).toBe('more');
    world.wallet.next('voucherBrands', page(brand, 1, 0, 45));
    await fatima.chooses('more').sees('voucher.chooseBrand').isToldNothing();
    expect(choices(fatima)).toHaveLength(20);
  });

  test('an article without words and a brand without a term', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('voucherBrands', page(brand, 1, 2, 2));
    await fatima.chooses('shopping').chooses('voucher');
    world.wallet.next('voucherArticles', page(article, 1, 1, 1));
    await fatima.chooses('1').chooses('article0').sees('voucher.chooseFor', { description: 'Enseigne 1' });
  });

  test('a brand without articles, and articles that cannot be read: another brand', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher');
    world.wallet.next('voucherArticles', page(article, 1, 0, 0));
    await fatima.chooses('2').sees('voucher.chooseBrand').isTold('voucher.noArticles');
    world.wallet.next('voucherArticles', UNSENT);
    await fatima.chooses('2').sees('voucher.chooseBrand').isTold('problem.unavailable');
    await fatima.chooses('2').sees('voucher.chooseArticle');
  });

  test.each([
    ['lost', LOST, 'problem.unavailable'],
    ['refused', refused('20005'), 'problem.20005'],
  ])('brands that are %s: a sentence, and nothing was debited', async (_, instead, told) => {
    const fatima = world.customer().isAtMenu();
    await fatima;
    world.wallet.next('voucherBrands', instead);
    await fatima.chooses('shopping').chooses('voucher').sees('voucher.unread').isTold(told).goes('menu');
    await fatima.chooses('shopping').sees('shopping.choose');
    expect(choices(fatima)).toContain('voucher');
  });
});

describe('vouchers that are not there', () => {
  const isLeftOut = async (fatima: Customer) => {
    await fatima.sees('voucher.notEnabled').goes('menu').chooses('shopping').sees('shopping.choose');
    await fatima.offersNo('voucher');
  };

  test('a partner without vouchers has an empty catalog (204), and is asked again on the next visit', async () => {
    world.sandbox.setModules({ vouchers: false });
    const fatima = world.customer();
    await isLeftOut(fatima.isAtMenu().chooses('shopping').chooses('voucher'));
    world.sandbox.setModules({ vouchers: true });
    await fatima.dials().sees('menu.choose').chooses('shopping');
    await fatima.chooses('voucher').sees('voucher.chooseBrand');
  });

  test.each([
    ['an empty list (200)', ok({ entries: [], count: 0 })],
    ['403', refused('http403')],
    ['404', refused('http404')],
  ])('%s', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('voucherBrands', instead);
    await isLeftOut(fatima.chooses('shopping').chooses('voucher'));
  });

  test.each(['voucherArticles', 'previewVoucher'] as const)('404 at %s', async (call) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher');
    world.wallet.next(call, refused('http404'));
    fatima.chooses('1');
    await isLeftOut(call === 'voucherArticles' ? fatima : fatima.chooses('article0').chooses('me'));
  });
});

describe('the beneficiary', () => {
  const asked = () => world.customer({ channel: 'web' }).isAtMenu().walks(picks).chooses('gift');

  test.each([
    ['not readable', LOST],
    ['empty', (name: string) => ok({ fullName: name, phone: BROTHER, level: 2 }) as never],
  ])('a profile that is %s leaves the number in place of the name', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().walks(picks);
    await fatima;
    world.wallet.next('profile', typeof instead === 'function' ? instead(' ') : instead);
    await fatima.chooses('me').sees('voucher.askPin', { beneficiary: `0${fatima.phone.slice(4)}` });
  });

  test.each(['0522123456', 'Youssef', '99', '\u202e'])('no number: %j', (text) =>
    asked()
      .says(text)
      .sees('voucher.askNumber')
      .isTold(/^[\p{L}\s]{2,}$/u.test(text) ? 'mobile.noName' : 'mobile.notANumber'),
  );

  test.each([
    ['one line, its spaces and marks put right', ' Youssef\t\u202e  Ben\u200bali ', 'Youssef Benali'],
    ['two letters', 'Al', 'Al'],
    ['Arabic', 'يوسف', 'يوسف'],
    ['free text', 'Maman & Papa, 2026', 'Maman & Papa, 2026'],
    ['fifty characters', 'a'.repeat(50), 'a'.repeat(50)],
  ])('a name: %s', (_, text, beneficiary) =>
    asked().says(BROTHER).says(text).sees('voucher.askPin', { beneficiary }),
  );

  test.each(['A', '12', '...', '\u200b\u200b', '🎁🎁', 'a'.repeat(51)])('no name: %j', (text) =>
    asked().says(BROTHER).says(text).sees('voucher.askName').isTold('voucher.notAName'),
  );

  test('the page of the article says its price and how long it is valid once', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.isAtMenu().walks(picks).sees('voucher.chooseForValid');
    const { text } = world.renderer.chat(fatima.reply().screen, 'fr');
    expect(text.match(/180/g)).toHaveLength(1);
    expect(text).toMatch(/Prix\s:\s50,00/);
    expect(text).not.toMatch(/Bon d'achat de/);
  });

  test.each(LANGUAGES)('is named with the brand where the PIN is asked for, in %s', async (language) => {
    for (const channel of ['ussd', 'web'] as const) {
      const fatima = world.customer({ channel, language });
      await fatima.isAtMenu().walks(buys(BROTHER));
      const { screen } = fatima.reply();
      const { pages } = world.renderer.ussd(screen, language, 0);
      const text =
        channel === 'web'
          ? world.renderer.chat(screen, language).text
          : Array.from(
              { length: pages },
              (_, page) => world.renderer.ussd(screen, language, page).text,
            ).join();
      for (const part of ['Souk Frais', 'Youssef']) expect(text).toContain(part);
    }
  });

  test('back at each step', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(BROTHER)).goes('back').sees('voucher.chooseForValid').chooses('gift');
    await fatima.says(BROTHER).sees('voucher.askName').goes('back').sees('voucher.askNumber');
    await fatima.goes('back').sees('voucher.chooseForValid').goes('back').sees('voucher.chooseArticle');
    await fatima.goes('back').sees('voucher.chooseBrand').goes('back').sees('shopping.choose');
  });

  test('back at each step, on USSD', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys(BROTHER)).goes('back').sees('voucher.chooseArticleValid');
    await fatima.chooses('article0').sees('voucher.askPin', { to: fatima.phone });
    // An Arabic page names the shop there, and has the choice on its next page.
    if (pageOf(world.renderer, fatima.reply()).choices === 0) await fatima.says('98');
    await fatima.says('1').sees('voucher.askNumber').goes('back').sees('voucher.chooseArticleValid');
  });

  test.each([
    ['the number', (customer: Customer) => customer.walks(picks).chooses('gift'), 'voucher.askNumber'],
    ['the PIN: never past it', buys(BROTHER), 'voucher.askPinGift'],
  ] as const)('a session that broke off at %s is gone on with on the next dial', async (_, path, key) => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(path);
    await fatima.dials();
    await fatima.sees('voucher.resumePayment', { article: 'Souk Frais 50 DH (test)', amount: 5_000 });
    await fatima.chooses('continue').sees(key);
  });
});
