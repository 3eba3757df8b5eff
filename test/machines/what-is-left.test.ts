import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { CHANNELS, type Customer, LOST, testOn, theWorld, UNGUARDED } from '../kit/world.ts';
import { findsWater, SEVERAL, SINGLE } from './bill-orders.ts';
import { tops } from './top-up-orders.ts';
import { isForOneself, picks } from './voucher-orders.ts';

const KNOWN = '0655000000';
/** Payments of an amount that the customer does not type. */
const FIXED: readonly [kind: string, (customer: Customer) => unknown, back: RegExp][] = [
  ['voucher', (who) => who.walks(picks).walks(isForOneself), /^voucher\.chooseForValid$/],
  [
    'bill',
    (who) => who.walks(findsWater(SINGLE)).sees('bill-payment.reviewFor').chooses('all'),
    /^bill-payment\.reviewFor$/,
  ],
];
const PAYMENTS: readonly [kind: string, (customer: Customer) => unknown, asked: string, paid: string][] = [
  [
    'transfer',
    (who) => who.says('/transfer').says(KNOWN).says('500'),
    'transfer.askAmount',
    'transfer.askPinOpenLoop',
  ],
  ['top-up', tops(KNOWN, '500'), 'top-up.askAmount', 'top-up.askPin'],
  ['withdrawal', (who) => who.says('/cash-out 500'), 'cash-out.askAmount', 'cash-out.askPin'],
];

describe('what is left of the balance', () => {
  const world = theWorld({ bot: 'webhook', cash: CASH_DEFAULTS });
  const choices = ({ reply }: Customer) => reply().screen.choices?.map(({ id }) => id);

  testOn(CHANNELS)('is told after the PIN where the amount is too high, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '85' });
    await fatima.isAtMenu();
    await fatima.walks((who) => who.says('/transfer').says(KNOWN).says('500')).sees('pay.short');
    await fatima.chooses('left').sees('pay.askLeft').enters('4321').sees('pay.askLeft');
    await fatima.enters().sees('pay.shortOf', { left: 8_500 });
    expect(choices(fatima)).toEqual(['load', 'amend', 'cancel']);
    await fatima.says('50').sees('transfer.askPinOpenLoop', { amount: 5_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test.each(PAYMENTS)('of a %s: another amount, a deposit, or what is left', async (_, walk, asked, paid) => {
    const fatima = world.customer({ balance: '85' });
    await fatima.isAtMenu().walks(walk).sees('pay.short');
    expect(choices(fatima)).toEqual(['load', 'amend', 'left', 'cancel']);
    await fatima.chooses('left').enters().sees('pay.shortOf', { left: 8_500 }).chooses('amend').sees(asked);
    await fatima.says('60').sees(paid).goes('back').says('500').sees('pay.shortOf', { left: 8_500 });
    await fatima.chooses('load').sees('cash-in.askAmountLeft', { left: 391_500 });
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test.each(FIXED)('of a %s: a deposit, what is left, or nothing more', async (_, walk, back) => {
    const fatima = world.customer({ channel: 'web', balance: '45' });
    await fatima.isAtMenu().walks(walk).sees('pay.short').isToldNothing();
    expect(choices(fatima)).toEqual(['load', 'left', 'cancel']);
    await fatima.chooses('left').enters().sees('pay.shortOf', { left: 4_500 });
    expect(choices(fatima)).toEqual(['load', 'cancel']);
    await fatima.goes('back');
    expect(fatima.reply().screen.key).toMatch(back);
  });

  testOn(CHANNELS)('leads from several bills to those that it holds, on %s', async (channel) => {
    const fatima = world.customer({ channel, language: 'fr', balance: '150' });
    await fatima.isAtMenu().walks(findsWater(SEVERAL));
    if (channel !== 'ussd') await fatima.sees('bill-payment.reviewFor').chooses('all');
    await fatima.sees('pay.short').isToldNothing();
    expect(choices(fatima)).toEqual(['load', 'some', 'left', 'cancel']);
    await fatima.chooses('left').enters().sees('pay.shortOf', { left: 15_000 });
    expect(choices(fatima)).toEqual(['load', 'some', 'cancel']);
    await fatima.chooses('some').sees('bill-payment.selectNone').says('4');
    if (channel !== 'ussd') await fatima.sees('bill-payment.select').chooses('pay');
    await fatima.sees(channel === 'ussd' ? 'bill-payment.askPinAllFree' : 'bill-payment.askPin', {
      amount: 10_962,
    });
  });

  test.each(LANGUAGES)(
    'is one page on USSD with the sum due and the way to the bills, in %s',
    async (language) => {
      const fatima = world.customer({ language, balance: '50' });
      await fatima.isAtMenu().walks(findsWater(SEVERAL)).sees('pay.short');
      const { text } = pageOf(world.renderer, fatima.reply());
      expect(text).toMatch(/^[^\n]*\d{3}[,.]\d\d/);
      if (language !== 'ar') expect(text).toMatch(/^[^\n]* (?:à|to) Amendis/);
      expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ pages: 1, choices: 4 });
      await fatima.chooses('some').sees('bill-payment.selectNone');
    },
  );

  test.each(LANGUAGES)('is one page on USSD with all of its choices, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '85' });
    await fatima.isAtMenu().says('/transfer').says(KNOWN).says('500').sees('pay.short');
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ pages: 1, choices: 4 });
    await fatima.chooses('cancel').sees('transfer.notSent', { amount: 50_000 });
  });

  test('is told without another PIN beside the balance, and not two minutes later', async () => {
    const fatima = world.customer({ channel: 'web', balance: '85' });
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.shown').goes('menu');
    await fatima.walks(PAYMENTS[0]?.[1] ?? (() => {})).sees('pay.shortOf', { left: 8_500 });
    await fatima.after(120_000).says('400').sees('pay.short').goes('menu');
    await fatima.says('/cash-out 500').sees('pay.short');
    await fatima.says('/cash-in').sees('cash-in.askAmountWithin').isToldNothing();
  });

  test('is left out where the balance does not come in time', async () => {
    const fatima = world.customer({ channel: 'web', balance: '85' });
    await fatima.isAtMenu().walks(PAYMENTS[0]?.[1] ?? (() => {}));
    await fatima.chooses('left');
    world.wallet.next('balance', LOST);
    await fatima.enters().sees('pay.short').says('50').sees('transfer.askPinOpenLoop');
  });

  test('is not said again once money has come meanwhile', async () => {
    const fatima = world.customer({ channel: 'web', balance: '85' });
    await fatima.isAtMenu().walks(PAYMENTS[0]?.[1] ?? (() => {}));
    await fatima.chooses('left').enters().sees('pay.shortOf', { left: 8_500 });
    const youssef = world.customer({ balance: '2000' });
    await youssef.isAtMenu().chooses('transfer').says(fatima.phone).says('500').enters();
    await fatima.after(5_000).says('who sent me that').sees('pay.shortAt');
    await fatima.says('500').sees('pay.askNew', { amount: 50_000 });
  });

  test('a PIN that is typed to read it pays nothing, also where the money has come meanwhile', async () => {
    const fatima = world.customer({ channel: 'web', balance: '85' });
    await fatima.isAtMenu();
    await fatima.walks((who) => who.says('/transfer').says(KNOWN).says('90')).sees('pay.short');
    const youssef = world.customer({ balance: '500' });
    await fatima.chooses('left');
    await youssef.isAtMenu().chooses('transfer').says(fatima.phone).says('100').enters();
    await fatima.after(5_000).enters().sees('transfer.askPinOpenLoop', { amount: 9_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });
});

describe('an amount above what the wallet may hold', () => {
  const world = theWorld({ bot: 'webhook', cash: CASH_DEFAULTS, safety: UNGUARDED });

  test.each(CHANNELS)('another amount is typed at once, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '85' });
    await fatima
      .isAtMenu()
      .walks((who) => who.says('/transfer').says(KNOWN).says('9000'))
      .sees('pay.aboveLimit');
    await fatima
      .says('3 000')
      .sees('pay.short')
      .says('2 500 dh')
      .sees('pay.short')
      .says('100')
      .sees('pay.short');
    await fatima.says('7').sees(channel === 'ussd' ? 'pay.short' : 'pay.shortAt');
    await fatima.says('50').sees('transfer.askPinOpenLoop', { amount: 5_000 });
  });

  testOn(CHANNELS)('is refused for that, and no deposit is offered, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '85' });
    await fatima.isAtMenu().says('/transfer').says(KNOWN).says('900000');
    await fatima.sees('pay.aboveLimit', { limit: 400_000 });
    const choices = () => fatima.reply().screen.choices?.map(({ id }) => id);
    expect(choices()).toEqual(['amend', 'left', 'upgrade', 'cancel']);
    await fatima.chooses('left').sees('pay.askLeft').enters();
    await fatima.sees('pay.shortOf', { left: 8_500 });
    if (channel === 'web') await fatima.opens().sees('pay.shortAt');
    expect(choices()).toEqual(['amend', 'upgrade', 'cancel']);
    await world.passes(120_000);
    await fatima.goes('menu').says('/transfer').says(KNOWN).says('900000').sees('pay.aboveLimit');
    await fatima.chooses('amend').sees('transfer.askAmount').says('4000').sees('pay.short');
    await fatima.goes('menu').says('/cash-out 900000').sees('pay.aboveLimit', { limit: 400_000 });
    await fatima.chooses('upgrade').sees('upgrade.explain');
  });

  test.each(LANGUAGES)('is one page on USSD, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '85' });
    await fatima.isAtMenu().says('/transfer').says(KNOWN).says('900000').sees('pay.aboveLimit');
    const page = pageOf(world.renderer, fatima.reply());
    expect(page).toMatchObject({ pages: 1, choices: 4 });
    // The most that the wallet may hold is no amount that can be sent.
    expect(page.text).toMatch({ fr: /^Solde insuffisant/, ar: /^رصيدكم لا يكفي/, en: /^/ }[language]);
    await fatima.chooses('left').enters().sees('pay.shortOf');
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ pages: 1, choices: 3 });
  });

  test('is not known of a merchant, who has negotiated the limit', async () => {
    const shop = world.customer({ walletType: 'C', level: 4, balance: '85' });
    await shop.isAtMenu().says('/transfer').says(KNOWN).says('900000').sees('pay.short');
  });

  test('is not known where the level does not come in time', async () => {
    const fatima = world.customer({ balance: '85' });
    await fatima.isAtMenu().says('/transfer').says(KNOWN);
    world.wallet.next('profile', LOST);
    await fatima.says('900000').sees('pay.short');
  });
});

describe('the amount above which payments wait', () => {
  const world = theWorld({ bot: 'webhook' });
  const newPin = (who: Customer) =>
    who
      .isAtMenu()
      .chooses('account')
      .chooses('pin-change')
      .enters()
      .enters('2590')
      .enters('2590')
      .goes('menu');

  testOn(CHANNELS)('stands at the question for the amount, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await newPin(fatima).says('/transfer').says(KNOWN).sees('transfer.askAmount');
    // Only a chat has room for the end of it.
    const key = channel === 'ussd' ? 'pay.atMost' : 'pay.atMostUntil';
    await fatima.isTold(key, { amount: 100_000 }).says('1000').sees('pay.askNew');
    await fatima.goes('menu').says('/cash-out').sees('cash-out.askAmount').isTold(key);
    await fatima.says('/cash-in').sees('cash-in.askAmountWithin').isToldNothing();
  });

  test.each(LANGUAGES)('needs no page of its own on USSD, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '9000' });
    await newPin(fatima).says('/transfer').says(KNOWN).says('999').sees('pay.askNew', { amount: 99_900 });
  });

  test('is not said a day later', async () => {
    const fatima = world.customer({ balance: '9000' });
    await newPin(fatima);
    await world.passes(24 * 3_600_000);
    await fatima.dials().says('/transfer').says(KNOWN).sees('transfer.askAmount').isToldNothing();
  });
});

describe('what is left to deposit', () => {
  const world = theWorld({ cash: CASH_DEFAULTS });

  test('is not said to a holder of the phone who dials again and goes on', async () => {
    const mehdi = world.customer({ level: 1, balance: '980' });
    await mehdi.isAtMenu().says('/cash-in 21').chooses('room').enters().chooses('amend');
    await mehdi.sees('cash-in.askAmountLeft', { left: 2_000 });
    await mehdi.after(120_000).dials().says('/cash-in').sees('cash-in.askAmountWithin', { limit: 100_000 });
  });
});
