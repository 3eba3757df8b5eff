import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { type Input, LANGUAGES, type Reply } from '../../src/conversation/incoming.ts';
import { type Customer, LOST, theWorld } from '../kit/world.ts';
import { findsWater, SEVERAL } from '../machines/bill-orders.ts';
import { cardAt, issue } from '../machines/card-issuing.ts';
import { isForOneself, picks } from '../machines/voucher-orders.ts';

const world = theWorld();
/** A wallet of another provider: that is said as well. */
const ELSEWHERE = '0655000000';
/** It takes an Arabic prompt to a second page. */
const LONG_AMOUNT = '499,55';
const sendsElsewhere = (fatima: Customer) =>
  fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says(LONG_AMOUNT);
const seen = (customer: Customer) => pageOf(world.renderer, customer.reply());
/** How a page begins whose customer has answered before it was shown. */
const NOT_TAKEN = /^(?:اقرؤوا|Votre réponse n'est pas prise|Your answer was not taken)/;

/** Types the same until it counts: its choice was shown, or every page. Until then the page is turned, and that is said. */
async function typesTooEarly(customer: Customer, text: string, key: string): Promise<void> {
  const counts = () => {
    const { page, pages, choices } = seen(customer);
    return page === pages - 1 || Number(text) <= choices;
  };
  expect(counts()).toBe(false);
  while (!counts()) {
    const { page } = seen(customer);
    await customer.says(text).sees(key);
    expect(seen(customer)).toMatchObject({ page: page + 1, text: expect.stringMatching(NOT_TAKEN) });
  }
}

test('a PIN confirms nothing before all pages that name the payment were shown', async () => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  // A wrong PIN takes its question to the second page.
  await sendsElsewhere(fatima).enters('4321').sees('transfer.askPinOpenLoop');
  await fatima.says('1234').sees('transfer.askPinOpenLoop').isTold('pin.asksLater');
  expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  await fatima.says('1').says('1234').sees('transfer.processing');
});

test.each([
  ['the next page', '98', 'transfer.askPinOpenLoop'],
  ['the way back', '0', 'transfer.askAmount'],
  ['the menu', '00', 'menu.choose'],
  ['a command', '/help', 'help.help'],
])('%s is asked for on the first page as anywhere', async (_, text, key) => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  await sendsElsewhere(fatima).says(text).sees(key);
});

test('after a wrong PIN the next one counts once the payment was named again', async () => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  await sendsElsewhere(fatima).enters('4321');
  await fatima.isTold('pin.wrongWithTries', { count: 2 });
  expect(seen(fatima)).toMatchObject({ pages: 2, text: expect.stringMatching(/^رمز خطأ، فرصتان\n1 متابعة/) });
  await fatima.says('1');
  expect(seen(fatima).text).toMatch(
    /^إرسال 499,55 لـ0655000000\nمؤسسة أخرى\nرسوم 4 مجموع 503,55\nالرمز السري؟/,
  );
  await fatima.says('1234').sees('transfer.processing');
});

test('what is no PIN leads no page on to its question, and that is said', async () => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  await sendsElsewhere(fatima).enters('4321');
  await fatima.says('12').isTold('pin.asksLater');
  expect(seen(fatima)).toMatchObject({ page: 0, text: expect.stringMatching(/^لم نأخذ جوابكم\.\n/) });
  await fatima.says('1234').sees('transfer.askPinOpenLoop');
  expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
});

test('a second payment is asked about on the first page, and its date and total stand behind that', async () => {
  const fatima = world.customer({ language: 'ar', balance: '1000' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100');
  await fatima.enters().sees('transfer.processing');
  await world.passes(1_500);
  await fatima.dials().chooses('transfer').says(ELSEWHERE).says('100').sees('transfer.confirmAgain');
  expect(seen(fatima)).toMatchObject({ choices: 2, pages: 2 });
  await fatima.says('98');
  expect(seen(fatima).text).toMatch(/^في .*\nرسوم 2 مجموع 102 درهم/);
  await fatima.says('1').sees('transfer.askPinOpenLoop');
});

describe('open payments that fill the first page of a dial', () => {
  const dialling = async () => {
    const fatima = world.customer({ language: 'ar', balance: '5000' });
    await fatima.isAtMenu().walks(picks).walks(isForOneself);
    world.wallet.next('buyVoucher', LOST);
    await fatima.enters();
    await fatima.dials().sees('menu.choose').isTold('voucher.notConfirmed');
    expect(seen(fatima)).toMatchObject({ choices: 0, text: expect.stringMatching(/لا تعيدوه\.\n98 >$/) });
    return { fatima };
  };

  test.each(['00', '0'])('are left by %s, which leads to the menu below them', async (key) => {
    const { fatima } = await dialling();
    await fatima.says(key);
    expect(seen(fatima).text).toMatch(/^1 إرسال/);
    await fatima.says('2').sees('balance.askPin');
  });

  test.each(['7a', 'zz', '55'])('are not told beside a word about a wrong answer: %s', async (text) => {
    const { fatima } = await dialling();
    await fatima.says(text).sees('menu.choose');
    expect(seen(fatima).text).toMatch(/^اقرؤوا التتمة أولا:\n1 إرسال/);
    await fatima.says('2').sees('balance.askPin');
  });
});

describe('an open payment', () => {
  const dialling = async () => {
    const fatima = world.customer({ language: 'ar', balance: '5000' });
    await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('50');
    await fatima.enters().sees('transfer.processing');
    await fatima.dials().sees('menu.choose');
    return { fatima };
  };

  test('is never named beside a payment without the word not to make it again', async () => {
    const { fatima } = await dialling();
    expect(seen(fatima).text).toMatch(/لا تعيدوه\.\n1 إرسال/);
    await fatima.says('77').sees('menu.choose');
    expect(seen(fatima).text).toMatch(/لا تعيدوه\./);
  });

  test('leaves the digits of the menu to those who know them, where it leaves room for a choice', async () => {
    const { fatima } = await dialling();
    expect(seen(fatima).choices).toBeLessThan(7);
    await fatima.says('7').sees('account.choose');
  });

  test('stands above a word about what was not understood', async () => {
    const { fatima } = await dialling();
    await fatima.says('كرموص هندي').sees('menu.choose');
    expect(seen(fatima).text).toMatch(/لا تعيدوه\.\nلم نفهم\./);
    await fatima.says('98').says('2').sees('balance.askPin');
  });

  test.each([
    ['fr', /Pas compris\./],
    ['ar', /لم نفهم\./],
    ['en', /Not understood\./],
  ] as const)('so does a freeze, in %s', async (language, word) => {
    const fatima = world.customer({ language });
    await fatima
      .isAtMenu()
      .says('/freeze')
      .sees('freeze.frozen')
      .dials()
      .sees('menu.choose')
      .isTold('freeze.still');
    await fatima.says('blabla').sees('menu.choose');
    expect(seen(fatima)).toMatchObject({ text: expect.stringMatching(word) });
    expect(seen(fatima).choices).toBeGreaterThan(0);
  });

  test('holds another one back before its first question, and that it is still open is said', async () => {
    const { fatima } = await dialling();
    await fatima.goes('menu').chooses('transfer').sees('pay.busy');
    await fatima.dials().goes('menu').chooses('top-up').sees('pay.busy');
    await fatima.says('1').sees('pay.busy').isTold('pay.stillBusy');
    expect(seen(fatima).text).toMatch(/لا تعيدوه\.\nلا جديد\./);
  });

  test('leaves a choice on the first page of help and of a second payment', async () => {
    const { fatima } = await dialling();
    await fatima.says('ماوصلوش الفلوس');
    expect(seen(fatima)).toMatchObject({ choices: 1, text: expect.stringMatching(/لا تعيدوه\./) });
    await fatima.dials().goes('menu').chooses('transfer').sees('pay.busy');
    expect(seen(fatima)).toMatchObject({ choices: 1, text: expect.stringMatching(/لا تعيدوه\./) });
  });
});

describe('an adviser who talks to a customer on a handset', () => {
  const WORDS =
    'Bonjour, je regarde votre dossier. Dites-moi s’il vous plaît combien de fois vous avez payé, à qui, et vers quelle heure, pour que je retrouve ces paiements.';
  const NADIA = { id: 'nadia', name: 'Nadia' };

  test.each(['fr', 'ar'] as const)('is read to the end, in %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu();
    await world.engine.desk.takeOver(fatima.address, NADIA);
    await world.engine.desk.write(fatima.address, NADIA, WORDS);
    await fatima.dials().sees('support.talking');
    const { pages } = pageOf(world.renderer, fatima.reply());
    expect(pages).toBeGreaterThan(1);
    for (let page = 1; page < pages; page++) {
      await fatima.says('98').sees('support.talking');
      expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page });
    }
    expect(fatima.reply().toPerson).toBeUndefined();
    await fatima.says('98').sees('support.sent');
    expect(fatima.reply().toPerson).toBe(true);
  });

  test.each(['1', '2'])('does not lose them by %s before the consequence is shown', async (digit) => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu();
    await world.engine.desk.takeOver(fatima.address, NADIA);
    await fatima.dials().sees('support.talking');
    await typesTooEarly(fatima, digit, 'support.talking');
    await fatima.says(digit).meanwhile(() => expect(fatima.reply().screen.key).not.toBe('support.talking'));
  });
});

test('no digit begins a thaw before the page with that offer was shown', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu();
  const card = await issue(world, fatima);
  await fatima.says('99').says('1').says('1').sees('freeze.frozen');
  await typesTooEarly(fatima, '2', 'freeze.frozen');
  expect(world.wallet.calls(fatima.phone, 'changeCard')).toEqual([]);
  await fatima.says('1').sees('freeze.frozen').isTold('freeze.cardsSuspended');
  expect((await cardAt(world, card)).cardStatus).toBe(4);
});

test('a fully shown screen can be answered on the page of a mistake, which holds less of it', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').enters().goes('menu');
  await world.passes(3 * 60_000);
  await fatima.dials().chooses('top-up').says('0655000000').sees('top-up.chooseOperator');
  expect(seen(fatima)).toMatchObject({ pages: 1, choices: 3 });
  await fatima.says('9').isTold('nav.chooseOne');
  await fatima.says('3').sees('top-up.askAmount');
});

test('after a PIN of the wrong length, a right one counts on the page of the mistake', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(world.customer().phone).says('50').sees('transfer.askPin');
  expect(seen(fatima).pages).toBe(1);
  await fatima.says('12').isTold('pin.format');
  expect(seen(fatima)).toMatchObject({
    pages: 1,
    text: expect.stringMatching(/إرسال 50 إلى \d+\nرسوم 0 مجموع 50 درهم\nالرمز السري؟/),
  });
  await fatima.says('123').isTold('pin.format').says('1234').sees('transfer.processing');
});

test('a creditor whose number is known by heart is chosen from the first page of the list', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('bill-payment').sees('bill-payment.chooseCreditor');
  expect(seen(fatima).choices).toBeLessThan(8);
  await fatima.says('8').isToldNothing();
  expect(fatima.reply().screen.values).toMatchObject({ creditor: { name: 'Maroc Telecom (test)' } });
});

test('98 behind the last page shows the first one, without a word about the earlier input', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('account').sees('account.choose');
  const first = seen(fatima);
  await typesTooEarly(fatima, '8', 'account.choose');
  await fatima.says('98').sees('account.choose');
  expect(seen(fatima).text).toEqual(first.text);
  await fatima.says('98').sees('account.choose');
  expect(seen(fatima).text).not.toMatch(NOT_TAKEN);
});

test('below an open payment the next page continues the last one, and a digit takes no entry between them', async () => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  await fatima.isAtMenu().walks(picks).walks(isForOneself);
  world.wallet.next('buyVoucher', LOST);
  await fatima.enters();
  await fatima.dials().sees('menu.choose');
  expect(seen(fatima)).toMatchObject({ page: 0, choices: 0 });
  await fatima.says('1').sees('menu.choose');
  expect(seen(fatima).text).toMatch(/^اقرؤوا التتمة أولا:\n1 إرسال/);
});

test('a digit does not take an entry of the next page', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('account').sees('account.choose');
  await typesTooEarly(fatima, '8', 'account.choose');
  await fatima.says('8').sees('closing.askReason');
});

test('several numbers take no bill of the next page', async () => {
  const fatima = world.customer({ language: 'ar', balance: '9000' });
  await fatima.isAtMenu().walks(findsWater(SEVERAL)).chooses('some').sees('bill-payment.selectNone');
  await fatima.says('1,3').sees('bill-payment.selectNone');
  expect(seen(fatima)).toMatchObject({ page: 1, text: expect.stringMatching(NOT_TAKEN) });
  await fatima.says('1,3').sees('bill-payment.askPinAllFree');
});

test.each(LANGUAGES)(
  'the question of the consent, its yes and its no are one page, in %s',
  async (language) => {
    const salma = world.stranger({ language });
    await salma.dials().chooses(language).sees('consent.ask');
    // The other languages have room on the next page: one was chosen just before.
    expect(seen(salma)).toMatchObject(
      language === 'ar' ? { pages: 2, choices: 2 } : { pages: 1, choices: 3 },
    );
    expect(seen(salma).text).toMatch(/^(?:فتح محفظة|Ouvrir un portefeuille|Open)/);
  },
);

test('98 on a page shows newer messages from their first page', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100');
  await fatima.enters().sees('transfer.processing');
  await fatima.after(1_500).says('98').sees('transfer.done');
  expect(seen(fatima).page).toBe(0);
});

test.each(['1', '1234', 'bonjour'])('%s does nothing on a newer screen', async (text) => {
  const fatima = world.customer({ language: 'fr' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').sees('transfer.askPinOpenLoop');
  await world.passes(2 * 60_000);
  await fatima.says(text).sees('pin.lapsed').isToldNothing();
  expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
});

test.each(['fr', 'ar', 'en'] as const)(
  'a PIN that was not typed in time names its payment, in %s',
  async (language) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').sees('transfer.askPinOpenLoop');
    await world.passes(2 * 60_000);
    await fatima.says('1234').sees('pin.lapsed');
    const says = {
      fr: /Continuer votre envoi de 100,00 DH au/,
      ar: /إرسال 100 درهم.*\nبلا خصم\./,
      en: /Continue your transfer of/,
    };
    expect(seen(fatima)).toMatchObject({
      choices: 2,
      text: expect.stringMatching(says[language]),
    });
  },
);

describe('a gateway that joins answers by *', () => {
  const types = async (typed: readonly string[], dialog: string) => {
    const fatima = world.customer({ language: 'fr' });
    let last: Reply | undefined;
    const all: Input[] = [];
    for (const text of ['', '1', '1', '0612345678', ...typed]) {
      if (text) all.push(...text.split('*').map((said): Input => ({ type: 'said', text: said })));
      const { address } = fatima;
      last = await world.engine.receive(
        { address, id: `${dialog} ${all.length}`, dialog, inputs: [...all] },
        5_000,
      );
    }
    return { fatima, last };
  };

  test.each(['12*50', '1*0', '50*'])('%s at the amount is invalid, and is asked for again', async (text) => {
    const { last } = await types([text], text);
    expect(last?.screen).toMatchObject({ key: 'transfer.askAmount', notice: { key: 'amount.notAnAmount' } });
  });

  test('the answer after it is read as usual', async () => {
    const { last } = await types(['12*50', '12,50'], 'after');
    expect(last?.screen).toMatchObject({
      key: 'transfer.askPinOpenLoop',
      values: { amount: { money: 1_250 } },
    });
  });

  test('two joined choices do not count', async () => {
    const { fatima, last } = await types(['100', '1*1234'], 'pin');
    expect(last?.screen.notice?.key).toBe('pin.format');
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  });
});

test.each([
  // The French menu is one page.
  ['fr', 'account.choose', ['7']],
  ['ar', 'menu.choose', []],
] as const)('98 tells a new outcome above the first page, in %s', async (language, key, dialled) => {
  const fatima = world.customer({ language });
  await fatima.isAtMenu().chooses('transfer').says(world.customer().phone).says('50').enters();
  await fatima
    .sees('transfer.processing')
    .dials(...dialled)
    .sees(key)
    .isTold('transfer.notConfirmed');
  expect(seen(fatima)).toMatchObject({ page: 0, pages: 2 });
  await fatima.after(1_500).says('98').sees(key).isTold('transfer.done');
  const { text } = seen(fatima);
  expect(seen(fatima).page).toBe(0);
  // It is read on as any screen, and said once.
  await fatima.says('98').sees(key);
  expect(seen(fatima).text).not.toBe(text);
  await fatima.goes('menu').chooses('balance').dials().sees('menu.choose').isToldNothing();
});

test('98 is the next page, and no amount where none follows', async () => {
  const fatima = world.customer({ language: 'ar', balance: '2000' });
  await fatima.isAtMenu().chooses('transfer').says(world.customer().phone).says(LONG_AMOUNT).enters();
  await fatima.sees('transfer.processing').dials('5', '1').sees('cash-in.askAmountWithin');
  expect(seen(fatima)).toMatchObject({ page: 0, pages: 2, text: expect.stringContaining('98 >') });
  await fatima.says('98').sees('cash-in.askAmountWithin');
  expect(seen(fatima).page).toBe(1);
  await fatima.says('98').sees('cash-in.askAmountWithin').isTold('nav.isKey');
  await fatima.says('098').sees('cash-in.chooseWay', { amount: 9_800 });
});
