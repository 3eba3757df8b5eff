import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { NBSP } from '../../src/screen/marks.ts';
import { CHANNELS_ON, createWorld, LOST, NADIA, refused, STORES, theWorld } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from './cash-orders.ts';
import { merchantIn } from './merchant-orders.ts';
import { buys } from './voucher-orders.ts';

describe.each(STORES)('the references of a wallet, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', cash: CASH_DEFAULTS });

  test.each(CHANNELS_ON[store])(
    'are listed, the newest first, and looked up when they are opened, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      const comesBack = () => (channel === 'ussd' ? fatima.dials() : fatima.goes('menu'));
      await fatima.isAtMenu().says('/references').sees('references.empty');
      await comesBack().says('/cash-in 300').sees('cash-in.shown');
      const reference = await numberOf(world, fatima);
      await comesBack().says('/cash-out 200').enters().sees('cash-out.shown');
      await comesBack().says('mes références').sees('references.list');
      expect(fatima.reply().screen.choices?.map(({ values }) => values?.amount)).toEqual([
        { money: 20_000 },
        { money: 30_000 },
      ]);
      await fatima.chooses('reference1').sees('cash-in.shown', { reference });
      await fatima.chooses('list').sees('references.list');
      await executes(world, 'agent', 'cash-in', reference);
      await fatima.chooses('reference1');
      await fatima.sees('references.ended', { state: 'references.executed', amount: 30_000 });
      await fatima.goes('back').sees('references.list').goes('back').sees('menu.choose');
      // One step back from a screen of a list is that list. From a request in one line it is the menu.
      await fatima.chooses('cash').chooses('references').sees('references.list');
      await fatima.goes('back').sees('cash.choose').chooses('cash-in').sees('cash-in.askAmountWithin');
      await fatima.goes('help').goes('back').sees('cash-in.askAmountWithin').goes('back').sees('cash.choose');
      await fatima.goes('back').sees('menu.choose');
    },
  );
});

test('a list opened from a list is left step by step', async () => {
  const world = await createWorld({ cash: CASH_DEFAULTS });
  const shop = merchantIn(world);
  await shop.isAtMenu().chooses('services').chooses('cash');
  await shop.chooses('cash-in').sees('cash-in.askAmountWithin');
  await shop.goes('back').sees('cash.choose').goes('back').sees('services.choose');
  await shop.goes('back').sees('menu.choose');
  await shop.chooses('services').chooses('cash').goes('menu').says('/cash-in');
  await shop.goes('back').sees('menu.choose');
  await world.close();
});

describe('an opened reference', () => {
  const world = theWorld({ cash: CASH_DEFAULTS });

  test.each([
    ['is shown as it was known where the wallet does not answer', LOST],
    ['is shown as it was known where the wallet knows nothing of it', refused('90120')],
  ])('%s', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('/cash-in 300').says('/references');
    world.wallet.next('cashReference', instead);
    await fatima.chooses('reference0').sees('cash-in.shown');
    expect(JSON.stringify(fatima.reply().screen)).toContain('references.asKnown');
    await fatima.says('/cash-out 200').enters().sees('cash-out.shown').says('/references');
    world.wallet.next('cashReference', instead);
    await fatima.chooses('reference0').sees('references.withdrawalAsKnown', { amount: 20_000 });
    await fatima.chooses('list').chooses('reference0').sees('references.withdrawalOpen', { amount: 20_000 });
  });

  test.each(['ussd', 'web'] as const)(
    'is not called open by an old screen after it was paid, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      const looks = () =>
        fatima.says('mes références').chooses('reference0').sees('references.withdrawalOpen');
      const isPaid = async () => {
        await executes(world, 'network', 'cash-out', await numberOf(world, fatima));
        await world.passes(2_000);
      };
      const drawn = async (amount: string) => {
        const there = channel === 'ussd' ? fatima.dials() : fatima.goes('menu');
        await there.says(`/cash-out ${amount}`).enters().sees('cash-out.shown');
        await (channel === 'ussd' ? fatima.dials() : fatima.goes('menu'));
        await looks();
      };
      await fatima.isAtMenu();
      await drawn('200');
      await isPaid();
      await fatima.chooses('again').sees('menu.choose');
      // After a talk with an agent the bot goes on, but not with that.
      await drawn('300');
      await world.engine.desk.takeOver(fatima.address, NADIA);
      await isPaid();
      await world.engine.desk.handBack(fatima.address, NADIA);
      await fatima.says('300').sees('menu.choose');
    },
  );

  test('all open ones are on one screen, before those that are closed', async () => {
    const fatima = world.customer({ channel: 'web' });
    const amounts = () => fatima.reply().screen.choices?.map(({ values }) => values?.amount);
    const of = (...dirhams: number[]) => dirhams.map((each) => ({ money: each * 100 }));
    await fatima.isAtMenu();
    for (let dirhams = 11; dirhams <= 17; dirhams++)
      await fatima.says(`/cash-in ${dirhams}`).sees('cash-in.shown');
    await fatima.says('/references').sees('references.list');
    expect(amounts()).toEqual(of(17, 16, 15, 14, 13, 12, 11));
    const numbers = await referencesOf(world, fatima.phone);
    for (const number of numbers.slice(1)) await executes(world, 'network', 'cash-in', number);
    await fatima.after(2_000).says('/references').sees('references.list');
    expect(amounts()).toEqual(of(11, 17, 16, 15, 14));
    await fatima.chooses('reference1').sees('references.ended', { amount: 1_700 }).chooses('list');
    await fatima.chooses('reference0').sees('cash-in.shown', { reference: numbers[0] });
  });

  test.each<[Language, RegExp, RegExp]>([
    ['fr', /D[eé]p[oô]t 300,00 DH : \d{12}/, /Retrait 200,00 DH, ouverte/],
    ['ar', /إيداع 300 درهم: \d{12}/, /سحب 200 درهم، \S+/],
    ['en', /Deposit MAD 300.00: \d{12}/, /Withdrawal MAD 200.00, open/],
  ])(
    'a deposit has its number in the list, and a withdrawal has none, in %s',
    async (language, deposit, withdrawal) => {
      const fatima = world.customer({ language });
      await fatima.isAtMenu().says('/cash-in 300').dials();
      await fatima.says('/cash-out 200').enters().sees('cash-out.shown').dials();
      const secret = await numberOf(world, fatima);
      await fatima.says('/references').sees('references.list');
      const { screen } = fatima.reply();
      const { text } = world.renderer.ussd(screen, language, 0);
      expect(text.replaceAll(NBSP, ' ')).toMatch(deposit);
      expect(text.replaceAll(NBSP, ' ')).toMatch(withdrawal);
      expect(JSON.stringify(screen)).not.toContain(secret);
    },
  );

  test('vouchers are one choice away, also where there is no other reference', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/references').sees('references.empty').dials();
    await fatima.walks(buys()).enters().sees('voucher.done').dials();
    await fatima.says('/references').sees('references.empty');
    await fatima.chooses('vouchers').sees('voucher-codes.askPin').dials();
    await fatima.says('/cash-in 300').dials();
    await fatima.says('/references').sees('references.list').chooses('vouchers').sees('voucher-codes.askPin');
    await fatima.enters().sees('voucher-codes.choose');
  });
});
