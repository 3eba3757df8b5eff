import { describe, expect, test } from 'vitest';
import { pageOf } from '../../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../../src/conversation/incoming.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Customer, RECIPIENT, STORES, theWorld } from '../../kit/world.ts';
import { banks, RIBS } from '../../machines/bank-orders.ts';
import { tops, topsAgain } from '../../machines/top-up-orders.ts';

const told = (customer: Customer) => customer.reply().missed.map(({ screen }) => screen.key);
const pays = (customer: Customer) => customer.chooses('transfer').says(RECIPIENT).says('100').enters();

function dialsOn(store: (typeof STORES)[number], sms = true) {
  const world = theWorld({ store, sms });
  let operations = 1_000;
  const receives = async ({ phone: to }: Customer, dirhams: number) => {
    const amount = centimes(dirhams * 100);
    await world.engine.tellReceived({
      as: 'money',
      operationId: operations++,
      to,
      from: undefined,
      amount,
    });
    await world.rests();
  };
  return { world, receives };
}

describe.each(STORES)('a dial tells of money, on %s', (store) => {
  const { world, receives } = dialsOn(store);

  test('the own outcome comes before money received, which is one sentence, on the first page', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await pays(fatima);
    for (const dirhams of [10, 20, 30, 40, 50]) await receives(fatima, dirhams);
    await world.passes(1_500);
    await fatima.dials().sees('menu.choose').isTold('received.several', { count: 5, total: 15_000 });
    expect(told(fatima)).toEqual(['transfer.done', 'received.several']);
    const { screen, missed } = fatima.reply();
    expect(screen.notice).toBeUndefined();
    const before = missed.map((notice) => notice.screen);
    const { text } = world.renderer.ussd(screen, 'fr', 0, undefined, before);
    expect(text).toMatch(/au 0655000000 effectué[\s\S]*150,00 DH en 5 fois/);
  });

  test.each([
    ['one', [10], 'received.money', { amount: 1_000 }],
    ['two', [10, 20], 'received.several', { count: 2, total: 3_000 }],
    [
      'more than can wait',
      Array.from({ length: 25 }, () => 10),
      'received.several',
      { count: 25, total: 25_000 },
    ],
  ] as const)('all money received is counted: %s', async (_, amounts, key, values) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (const dirhams of amounts) await receives(fatima, dirhams);
    await fatima.dials().isTold(key, values);
    expect(told(fatima)).toEqual([key]);
  });

  test('a customer without a language reads it once the language is chosen, in that', async () => {
    const fatima = world.customer();
    const nadia = { id: 'nadia', name: 'Nadia' };
    await fatima.dials().sees('language.choose');
    await world.engine.desk.takeOver(fatima.address, nadia);
    expect(await world.engine.desk.toMenu(fatima.address, nadia)).toBe('done');
    await receives(fatima, 10);
    await world.passes(31 * 60_000);
    await fatima.dials().sees('language.choose').isToldNothing();
    await fatima.chooses('ar').sees('menu.choose').isTold('received.money', { amount: 1_000 });
    expect(fatima.reply().language).toBe('ar');
    await fatima.dials().sees('menu.choose').isToldNothing();
  });

  test('money received is told by one dial, also by its repetition and its other pages', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (const dirhams of [10, 20]) await receives(fatima, dirhams);
    await fatima.dials().isTold('received.several');
    await fatima.repeats().isTold('received.several');
    await fatima.goes('more').isTold('received.several');
    await fatima.dials().sees('menu.choose').isToldNothing();
  });

  test('money received after that dial is told by the next one alone', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (const dirhams of [10, 20]) await receives(fatima, dirhams);
    await fatima.dials().isTold('received.several', { count: 2 });
    await receives(fatima, 40);
    await fatima.dials().isTold('received.money', { amount: 4_000 });
    expect(told(fatima)).toEqual(['received.money']);
  });

  test('a told entry is not counted again when it gives way to more', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (const dirhams of [10, 20]) await receives(fatima, dirhams);
    await fatima.dials().isTold('received.several', { count: 2 });
    for (let i = 0; i < 25; i++) await receives(fatima, 1);
    await fatima.dials().isTold('received.several', { count: 25, total: 2_500 });
  });
});

describe.each(STORES)('a dial tells of an outcome, on %s', (store) => {
  const { world, receives } = dialsOn(store);

  test('the own outcome is told by every dial until an answer proves that it was read', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await pays(fatima);
    await world.passes(1_500);
    await receives(fatima, 10);
    await fatima.dials().isTold('transfer.done').isTold('received.money');
    await fatima.dials();
    expect(told(fatima)).toEqual(['transfer.done']);
    await fatima.chooses('balance').dials().isToldNothing();
  });

  test('an outcome with an answered page is not told again, an unanswered one is a reminder', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.walks(tops('0655000001'));
    await fatima.enters().sees('top-up.done').goes('menu').dials().sees('menu.choose').isToldNothing();
    await fatima.after(16 * 60_000).walks(topsAgain('0655000001'));
    await fatima.enters().sees('top-up.done').dials().isTold('top-up.done').isTold('nav.again');
    await fatima.dials().isTold('nav.again').repeats().isTold('nav.again').goes('menu');
    await fatima.dials().isToldNothing();
  });

  test('a text sent by SMS is a reminder on the first dial, and an unseen text is none', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.after(1_500).dials().isTold('transfer.done').isTold('nav.again').goes('menu');
    await receives(fatima, 10);
    await fatima.dials().isTold('received.money');
    expect(fatima.reply().missed.map(({ screen }) => screen.notice)).toEqual([undefined]);
  });

  test('the answer of a person stands before a reminder', async () => {
    const fatima = world.customer({ language: 'ar' });
    const nadia = { id: 'nadia', name: 'Nadia' };
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.after(1_500);
    await world.engine.desk.takeOver(fatima.address, nadia);
    await world.engine.desk.write(fatima.address, nadia, 'السلام عليكم');
    for (const dial of ['first', 'second']) {
      await fatima.dials().sees('support.talking');
      expect(told(fatima), dial).toEqual(['support.message', 'transfer.done']);
      expect(pageOf(world.renderer, fatima.reply()).text).toContain('السلام عليكم');
    }
    await fatima.says('شكرا').sees('support.sent');
    await fatima.dials();
    expect(told(fatima), 'only the first one was surely read').toEqual(['transfer.done']);
  });

  test.each(LANGUAGES)('an open payment stands whole above money received, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '900' });
    await fatima
      .isAtMenu()
      .walks(banks(RIBS.settlesLate, '50', 'Ali Tazi'))
      .enters();
    await receives(fatima, 100);
    await fatima.dials().isTold('bank-transfer.accepted').isTold('received.money');
    expect(pageOf(world.renderer, fatima.reply()).text).toMatch(/لا تعيدوه|ne pas refaire|don't repeat/);
  });

  test('a long dial shows its own page alone, and the next plain one tells the rest', async () => {
    const fatima = world.customer({ language: 'fr', balance: '900' });
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.after(1_500).dials('1', '0655000001', '20').sees('transfer.askPinOpenLoop').isToldNothing();
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page: 0, pages: 1 });
    await fatima.says('1234').sees('transfer.processing');
    await world.passes(1_500);
    await world.passes(31 * 60_000);
    await fatima.dials('2').sees('balance.askPin').isToldNothing();
    await fatima.dials();
    expect(told(fatima)).toEqual(['transfer.done', 'transfer.done']);
    await fatima.dials('2').sees('balance.askPin').isToldNothing();
  });

  test('below a reminder a digit of the menu is that entry, and what was shown whole is no reminder again', async () => {
    const fatima = world.customer({ language: 'ar', balance: '900' });
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.after(1_500).dials().isTold('transfer.done');
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page: 0, choices: 0 });
    await fatima.says('3').sees('top-up.askNumber').dials().isToldNothing();
  });

  test('money received never pushes the own outcome out', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await pays(fatima);
    await world.passes(1_500);
    for (let i = 0; i < 25; i++) await receives(fatima, 10);
    await fatima.dials().isTold('received.several', { count: 25 });
    expect(told(fatima)).toEqual(['transfer.done', 'received.several']);
  });

  test('a chat hears of each by itself', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    for (const dirhams of [10, 20]) await receives(fatima, dirhams);
    await fatima.hears('received.money', { amount: 1_000 }).hears('received.money', { amount: 2_000 });
    await fatima.hearsNothing();
  });
});

describe.each(STORES)('messages that go on to a page that nobody has turned, on %s', (store) => {
  const { world } = dialsOn(store);

  const { world: withoutSms } = dialsOn(store, false);

  /** Two outcomes wait, and the second one goes on to the next page. */
  const missesTwo = async (fatima: Customer, at = world) => {
    await fatima.isAtMenu();
    await pays(fatima);
    await at.passes(31 * 60_000);
    await fatima.dials('1', '0655000001', '150').sees('transfer.askPinOpenLoop');
    await fatima.says('1234').sees('transfer.processing');
    await at.passes(31 * 60_000);
    await fatima.dials();
    expect(told(fatima)).toEqual(['transfer.done', 'transfer.done']);
    expect(pageOf(at.renderer, fatima.reply()).told).toBe(0);
  };

  test.each(['3', '0', '00', 'solde'])(
    '%s below two outcomes loses none of which nobody has turned the page',
    async (answer) => {
      const fatima = world.customer({ language: 'fr', balance: '900' });
      await missesTwo(fatima);
      await fatima.says(answer);
      // The first one stood on the page that was answered.
      await fatima.dials().isTold('transfer.done', { amount: 15_000 });
      expect(told(fatima)).toEqual(['transfer.done']);
      await fatima.says('3').dials().isToldNothing();
    },
  );

  test.each([
    ['an answer', (it: Customer) => it.says('3').dials(), [undefined]],
    ['another dial', (it: Customer) => it.dials(), [undefined, 'nav.again']],
    ['the next page, and another dial', (it: Customer) => it.says('98').dials(), ['nav.again', 'nav.again']],
  ] as const)('behind %s without an SMS only what was shown is a reminder', async (_, goesOn, reminders) => {
    const fatima = withoutSms.customer({ language: 'fr', balance: '900' });
    await missesTwo(fatima, withoutSms);
    await fatima.walks(goesOn);
    expect(fatima.reply().missed.map(({ screen }) => screen.notice?.key)).toEqual(reminders);
  });

  test('a page that was asked for may be lost on its way: only the next answer says that it was read', async () => {
    const fatima = world.customer({ language: 'fr', balance: '900' });
    await missesTwo(fatima);
    await fatima.says('98').dials();
    expect(told(fatima)).toEqual(['transfer.done', 'transfer.done']);
    await fatima.says('98').says('3').dials().isToldNothing();
  });
});
