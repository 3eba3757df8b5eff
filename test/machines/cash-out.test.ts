import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { NBSP, plain } from '../../src/screen/marks.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Listed } from '../../src/wallet/wallet.ts';
import { CHANNELS_ON, HOUR_MS, LOST, ok, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from './cash-orders.ts';

describe.each(STORES)('cash is withdrawn with a reference, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', cash: CASH_DEFAULTS });

  test.each(CHANNELS_ON[store])(
    'is shown after the PIN, stored nowhere in clear, and told once it was executed, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('retrait 200').sees('cash-out.askPin', { amount: 20_000 });
      expect(world.wallet.calls(fatima.phone, 'requestCashOut')).toEqual([]);
      await fatima.enters().sees('cash-out.shown', { amount: 20_000 });
      const reference = await numberOf(world, fatima);
      await fatima.sees('cash-out.shown', { reference });
      // A chat shows it after a tap. A handset loses its screen, so that one SMS repeats it there.
      expect(fatima.reply().screen.values?.reference).toEqual({ hidden: reference });
      await world.rests();
      expect(world.sms(fatima.phone).filter((text) => text.includes(reference))).toHaveLength(
        channel === 'ussd' ? 1 : 0,
      );
      expect(await world.everythingStored()).not.toContain(reference);
      await executes(world, 'network', 'cash-out', reference);
      await world.passes(1_500);
      if (channel === 'ussd') await fatima.dials().isTold('cash-out.executedPriced', { amount: 20_000 });
      else await fatima.hears('cash-out.executedPriced', { amount: 20_000 });
      await world.passes(3 * HOUR_MS);
      if (channel !== 'ussd') await fatima.hearsNothing();
      expect(await world.everythingStored()).not.toContain(reference);
    },
  );
});

const world = theWorld({ cash: CASH_DEFAULTS });

describe('a reference for a withdrawal', () => {
  const chatting = (who = {}) => world.customer({ channel: 'web', ...who }).isAtMenu();

  test('is not given for a wrong PIN', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-out 200');
    await fatima.enters('4321').sees('cash-out.askPin').isTold('pin.wrongWithTries');
    expect(await referencesOf(world, fatima.phone)).toEqual([]);
  });

  test('is shown again after the PIN, in every chat of the wallet, and nobody cancels it', async () => {
    const fatima = chatting();
    await fatima.says('/cash-out 200').enters().sees('cash-out.shown');
    const reference = await numberOf(world, fatima);
    const other = world.chatOf(fatima);
    await other.isAtMenu().says('/cash-out 200').sees('cash-out.alike', { amount: 20_000 }).chooses('again');
    await other.sees('cash-out.askPinAgain').enters().sees('cash-out.shown', { reference });
    await fatima.says('/references').chooses('reference0').sees('references.withdrawalOpen');
    await fatima.offers('again', 'list');
    await fatima.chooses('again').enters().sees('cash-out.shown', { reference });
    await other.says('/cash-out 200').chooses('another').sees('cash-out.askPin');
    await other.enters().sees('cash-out.shown');
    expect(await referencesOf(world, fatima.phone)).toHaveLength(2);
  });

  test('is offered after the PIN, where another chat made the same one while that was typed', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().says('/cash-out 300').sees('cash-out.askPin');
    await chat.says('/cash-out 300').sees('cash-out.askPin').enters().sees('cash-out.shown');
    const reference = await numberOf(world, chat);
    await fatima.enters().sees('cash-out.alike', { amount: 30_000 });
    expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
    await fatima.chooses('again').enters().sees('cash-out.shown', { reference });
    await fatima.dials().says('/cash-out 300').chooses('another').enters().sees('cash-out.shown');
    expect(await referencesOf(world, fatima.phone)).toHaveLength(2);
  });

  test('is offered to a customer who goes on with the same one after another chat made it', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().says('/cash-out 300').sees('cash-out.askPin');
    await chat.says('/cash-out 300').enters().sees('cash-out.shown');
    await fatima.dials().sees('cash-out.resume', { amount: 30_000 }).chooses('continue');
    await fatima.sees('cash-out.alike', { amount: 30_000 });
    expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
  });

  test('is told as given back when the withdrawal was undone, and as expired when nobody came', async () => {
    const [fatima, youssef] = [chatting(), chatting()];
    await fatima.says('/cash-out 2.18').enters().sees('cash-out.shown');
    await executes(world, 'agent', 'cash-out', await numberOf(world, fatima));
    await fatima.opens().hears('cash-out.executedPriced', { amount: 218 });
    await world.passes(61_000);
    await fatima.hears('cash-out.reversed', { amount: 218 });
    await youssef.says('/cash-out 30').enters().sees('cash-out.shown');
    await world.passes(49 * HOUR_MS);
    await youssef.hears('cash-out.expired', { amount: 3_000 });
    await world.passes(100 * HOUR_MS);
    await youssef.hearsNothing();
  });

  test('stays open when the counter refuses it for lack of money', async () => {
    const fatima = chatting({ balance: '100' });
    await fatima.says('/cash-out 80').enters().sees('cash-out.shown');
    await fatima.says('/cash-out 70').enters().sees('cash-out.shown');
    const [first = '', second = ''] = await referencesOf(world, fatima.phone);
    expect(await executes(world, 'agent', 'cash-out', first)).toBe(200);
    expect(await executes(world, 'agent', 'cash-out', second)).toBe(400);
    await fatima.opens().hears('cash-out.executedPriced', { amount: 8_000 });
    await world.passes(2 * HOUR_MS);
    await fatima.hearsNothing();
  });
});

describe('a refused or lost reference for a withdrawal', () => {
  test.each([
    ['money that is lacking', '90010', 'problem.90010'],
    ['a wallet without a PIN', '90007', 'problem.90007'],
    ['a wallet locked for now', '90005', 'problem.90005'],
    ['a wallet that is locked', '90006', 'problem.90006'],
    ['a code that nobody knows', '47110', 'problem.other'],
  ])('is refused for %s', async (_, code, told) => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-out 200');
    world.wallet.next('requestCashOut', refused(code));
    await fatima.enters().sees('cash-out.askAmount').isTold(told).dials();
    await fatima.says('/references').sees('references.empty');
  });

  test('is refused before the PIN when it exceeds the balance, which is not named', async () => {
    const fatima = world.customer({ balance: '50' });
    await fatima.isAtMenu().says('/cash-out 60').sees('pay.short').says('50.01').sees('pay.short');
    await fatima.says('50').sees('cash-out.askPin', { amount: 5_000 }).enters().sees('cash-out.shown');
    // A similar open one is shown again at any balance. A new one needs a check of the balance.
    await fatima.dials().says('/cash-out 50').sees('cash-out.alike');
    world.wallet.next('balance', ok(centimes(49_99)));
    await fatima.chooses('another').sees('pay.short');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test('is refused after the PIN by the sandbox when the balance has fallen meanwhile', async () => {
    const fatima = world.customer({ balance: '50' });
    await fatima.isAtMenu().says('/cash-out 40').sees('cash-out.askPin');
    const youssef = world.customer();
    await world.chatOf(fatima).isAtMenu().chooses('transfer').says(youssef.phone).says('30').enters();
    await fatima.enters().isTold('problem.90010');
  });

  test.each([
    ['a wallet that does not answer', LOST],
    ['a wallet that knows no balance', refused('20005')],
  ])('is not kept back for %s before the PIN', async (_, instead) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('balance', instead);
    await fatima.says('/cash-out 200').sees('cash-out.askPin').enters().sees('cash-out.shown');
  });

  test('cannot be used when its answer is lost, and another one needs the PIN again', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-out 1.04').enters().sees('cash-out.lost').chooses('another');
    await fatima.sees('cash-out.askPin');
    expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
  });

  test('becomes a case for an agent when its answer is lost while the balance falls', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('/cash-out 200');
    world.wallet.next('requestCashOut', LOST);
    world.wallet.next('balance', ok(centimes(500_00)));
    world.wallet.next('balance', ok(centimes(300_00)));
    await fatima.enters().sees('cash-out.held', { amount: 20_000 });
    const cases = await world.engine.desk.cases.list();
    expect(JSON.stringify(cases)).toContain(fatima.address);
  });

  test('is in no list when it was never sent', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-out 200');
    world.wallet.next('requestCashOut', UNSENT);
    await fatima.enters().isTold('problem.unavailable').dials().says('/references').sees('references.empty');
  });
});

describe('the price of a withdrawal', () => {
  const cash = { ...CASH_DEFAULTS, outFees: [{ upToDirhams: 500, feeDirhams: 5 }] };
  const priced = theWorld({ cash });
  const operation = (fees: number, more = {}) => ({
    ...{ id: fees, type: 2, status: 2 as const, direction: 2 as const, amount: centimes(300_00) },
    ...{ fees: centimes(fees), total: centimes(300_00 + fees), at: priced.clock.now() },
    ...{ sender: 'x', receiver: 'y', ...more },
  });
  const listed = (...operations: object[]) => ok({ operations, count: operations.length } as Listed);
  const drawn = async (language: Language, instead: object) => {
    const fatima = priced.customer({ channel: 'web', language });
    await fatima.isAtMenu().says('/cash-out 300').sees('cash-out.askPinPriced').enters();
    const reference = await numberOf(priced, fatima);
    priced.wallet.next('operations', instead as Answer<Listed>);
    await executes(priced, 'agent', 'cash-out', reference);
    await priced.passes(61_000);
    return { fatima };
  };
  const text = (words: string) => plain(words).replaceAll(NBSP, ' ');

  test.each<[Language, string, string]>([
    [
      'fr',
      'Frais 5,00 DH. Total 305,00 DH',
      'Wasl : retrait de 300,00 DH effectué, frais 6,00 DH, total 306,00 DH.',
    ],
    ['ar', 'رسوم 5 مجموع 305 درهم', 'تم سحب 300 درهم نقدا\nرسوم 6 مجموع 306 درهم'],
    ['en', 'Fee MAD 5.00. Total MAD 305.00', 'Wasl: MAD 300.00 withdrawn, fee MAD 6.00, total MAD 306.00.'],
  ])(
    'stands on the page of the PIN, and in the receipt as the wallet took it, in %s',
    async (language, page, sms) => {
      const youssef = priced.customer({ language });
      await youssef.isAtMenu();
      await youssef.says('/cash-out 300').sees('cash-out.askPinPriced', { fees: 500, total: 30_500 });
      const asked = priced.renderer.ussd(youssef.reply().screen, language, 0);
      expect([text(asked.text), asked.pages]).toEqual([expect.stringContaining(page), 1]);
      const { fatima } = await drawn(language, listed(operation(600)));
      await fatima.hears('cash-out.executedPriced', { fees: 600, total: 30_600 });
      const screen = { key: 'cash-out.executedPriced', expects: 'nothing' } as const;
      const cost = { fees: { money: centimes(6_00) }, total: { money: centimes(306_00) } };
      const values = { amount: { money: centimes(300_00) }, ...cost };
      expect(text(priced.renderer.sms({ ...screen, values }, language).text)).toBe(sms);
    },
  );

  test.each<[string, () => object]>([
    ['is not answered', () => LOST],
    ['is refused', () => refused('20005')],
    ['names none', () => listed()],
    ['names two that cost differently', () => listed(operation(600), operation(700))],
    ['names one of another amount', () => listed(operation(600, { amount: centimes(200_00) }))],
    ['names one of another day', () => listed(operation(600, { at: priced.clock.now() - 24 * HOUR_MS }))],
    ['names a deposit', () => listed(operation(600, { type: 1 }))],
    ['names one that failed', () => listed(operation(600, { status: 3 }))],
    ['has a row that cannot be read', () => ok({ ...listed(operation(600)).value, leftOut: [7] })],
    ['is longer than one page', () => ok({ ...listed(operation(600)).value, count: 99 })],
  ])('is not guessed where the wallet’s list %s', async (_, instead) => {
    const { fatima } = await drawn('fr', instead());
    await fatima.hears('cash-out.executed', { amount: 30_000 });
  });

  test('is not named above what the tariff says, and counts where the balance would not do for it', async () => {
    const fatima = priced.customer({ balance: '302' });
    await fatima.isAtMenu().says('/cash-out 300').sees('pay.short');
    await fatima.says('297').sees('cash-out.askPinPriced', { total: 30_200 });
    const rich = priced.customer({ balance: '5000' });
    await rich.isAtMenu().says('/cash-out 500').sees('cash-out.askPinPriced').goes('menu');
    await rich.says('/cash-out 500.01').sees('cash-out.askPin');
  });
});

describe('the requests for a withdrawal', () => {
  const chatting = (who = {}) => world.customer({ channel: 'web', ...who }).isAtMenu();

  test.each([
    ['retrait 200', 20_000],
    ['retirer 200', 20_000],
    ['سحب 200', 20_000],
    ['withdraw 200', 20_000],
  ])('is asked for in one line: %s', async (line, amount) => {
    await chatting().says(line).sees('cash-out.askPin', { amount });
  });

  test.each(['retrait 200 300', 'retirer ٢00', 'سحب', 'retrait 200 fois 2'])(
    'is asked about when the line is not clear: %s',
    async (line) => {
      await chatting().says(line).sees('cash-out.askAmount');
    },
  );
});

describe('a reference for a withdrawal, without SMS', () => {
  const world = theWorld({ cash: { ...CASH_DEFAULTS, sms: false } });

  test('the next dial mentions it without its number, as a dial asks for no PIN', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-out 200').enters().sees('cash-out.shown');
    const reference = await numberOf(world, fatima);
    await fatima.dials().isTold('cash-out.waiting', { amount: 20_000 });
    expect(JSON.stringify(fatima.reply())).not.toContain(reference);
    expect(world.sms(fatima.phone).join()).not.toContain(reference);
    await fatima.says('/references').chooses('reference0').chooses('again').enters();
    await fatima.sees('cash-out.shown', { reference });
  });
});
