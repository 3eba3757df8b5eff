import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { type Customer, theWorld } from '../kit/world.ts';

/** Pages on a handset that take a PIN: each names what it confirms, and each that asks for a PIN takes it. */
const world = theWorld({ safety: SAFETY_DEFAULTS });
const ELSEWHERE = '0655000000';
const seen = (customer: Customer) => pageOf(world.renderer, customer.reply());
const ordering = (language: 'fr' | 'ar' | 'en', to = ELSEWHERE, amount = '200') =>
  world.customer({ language, balance: '2000' }).isAtMenu().chooses('transfer').says(to).says(amount);

describe('a new recipient', () => {
  test.each(LANGUAGES)(
    'is named with fee and total where a wrong PIN is asked for again, in %s',
    async (language) => {
      const fatima = ordering(language);
      await fatima.sees('pay.askNew');
      await fatima.enters('4321').sees('pay.askNew').isTold('pin.wrongWithTries', { count: 2 });
      expect(seen(fatima).pages).toBe(1);
      for (const named of [/(?:رسوم|Frais|Fee MAD) 4/, /204/, /0655000000/, /الرمز السري؟$|PIN ?\?$/m])
        expect(seen(fatima).text).toMatch(named);
      await fatima.says('1234').sees('transfer.processing');
    },
  );

  test.each([
    [ELSEWHERE, '200'],
    [ELSEWHERE, '199,55'],
    [undefined, '200'],
  ])(
    'is two pages in Arabic: the warning, then all of the payment and the PIN: to %s, %s',
    async (to, amount) => {
      const fatima = ordering('ar', to ?? world.customer().phone.replace('+212', '0'), amount);
      await fatima.sees('pay.askNew');
      const warning = to
        ? /^[\d,]+ لمستفيد جديد بمؤسسة أخرى\. ارفضوا إن استعجلكم أحد\.\n1 متابعة\n0 </
        : /^200 درهم لمستفيد جديد\. ارفضوا إن استعجلكم أحد\.\n1 متابعة\n0 </;
      expect(seen(fatima)).toMatchObject({ pages: 2, text: expect.stringMatching(warning) });
      await fatima.says('98');
      expect(seen(fatima).text).toMatch(
        /^(?:إرسال )?(?:200|199,55) إلى 06\d{8}.*؟\nرسوم \d مجموع 20\d(?:,55)? درهم\nالرمز السري؟/,
      );
      await fatima.says('1234').sees('transfer.processing');
    },
  );

  test.each(['0612345678', '06 12 34 56 78', '123456'])(
    'a number on the page of the warning leads no page on, and that is said: %s',
    async (text) => {
      const fatima = ordering('ar');
      await fatima.says(text).sees('pay.askNew').isTold('pin.asksLater');
      expect(seen(fatima)).toMatchObject({ page: 0, text: expect.stringMatching(/^لم نأخذ جوابكم\./) });
      expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
    },
  );
});

describe('the top-up of a known number at the operator with the longest name', () => {
  const again = async (fatima: Customer) => {
    await fatima.isAtMenu().chooses('top-up').chooses('me').chooses('1').says('20').chooses('classic');
    await fatima.enters();
    await world.passes(3_600_000);
    await fatima.goes('menu').chooses('top-up').chooses('me').says('20').sees('top-up.askPin');
    expect(seen(fatima).text).toMatch(/الرمز السري؟|PIN/);
  };

  test.each(LANGUAGES)('takes the PIN on the page that asks for it, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '900' });
    await again(fatima);
    await fatima.says('1234').sees('top-up.done');
  });

  test.each(LANGUAGES)('takes it also after a wrong one, and names all of it, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '900' });
    await again(fatima);
    await fatima.says('4321').isTold('pin.wrongWithTries', { count: 2 });
    for (const named of ['20', fatima.phone.replace('+212', '0')]) expect(seen(fatima).text).toContain(named);
    await fatima.says('1234').sees('top-up.done');
  });

  test('stands above the choice where a mistake has taken it off the first page', async () => {
    const fatima = world.customer({ language: 'ar', balance: '900' });
    await again(fatima);
    await fatima.says('100000').isTold('pin.format').goes('more');
    expect(seen(fatima).text).toMatch(/^Maroc Telecom\nالرمز السري؟\n1 عرض آخر/);
  });

  test('takes another operator by the digit on the next page, and not before', async () => {
    const fatima = world.customer({ language: 'ar', balance: '900' });
    await again(fatima);
    await fatima.says('1').sees('top-up.askPin');
    expect(seen(fatima)).toMatchObject({ page: 1, text: expect.stringContaining('1 عرض آخر') });
    await fatima.says('1').sees('top-up.chooseOperator');
  });
});

test.each([
  ['fr', /^Nouveau commercant\. /],
  ['ar', /^200 درهم لتاجر جديد\. /],
  ['en', /^New merchant\. /],
] as const)('a merchant who was never paid is called a new merchant, in %s', async (language, called) => {
  const fatima = world.customer({ language, balance: '2000' });
  await fatima.isAtMenu().chooses('shopping').chooses('merchant-payment').says('0600000012').says('200');
  await fatima.sees('pay.askNew');
  expect(seen(fatima).text).toMatch(called);
});
