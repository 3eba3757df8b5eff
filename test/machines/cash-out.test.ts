import { describe, expect, test } from 'vitest';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { centimes } from '../../src/wallet/money.ts';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON } from '../kit/rotation.ts';
import { STORES, theWorld } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from './cash-orders.ts';

const HOUR_MS = 3_600_000;

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
      if (channel === 'ussd') await fatima.dials().isTold('cash-out.executed', { amount: 20_000 });
      else await fatima.hears('cash-out.executed', { amount: 20_000 });
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
    expect(fatima.reply().screen.choices?.map(({ id }) => id)).toEqual(['again', 'list']);
    await fatima.chooses('again').enters().sees('cash-out.shown', { reference });
    await other.says('/cash-out 200').chooses('another').sees('cash-out.askPin');
    await other.enters().sees('cash-out.shown');
    expect(await referencesOf(world, fatima.phone)).toHaveLength(2);
  });

  test.each([
    ['cash-in', '', 'askAmountWithin'],
    ['cash-out', '', 'askAmount'],
    ['cash-out', ' 300', 'askPin'],
  ] as const)(
    'is offered to a customer who goes on with /%s%s after another chat made it',
    async (kind, typed, left) => {
      const fatima = world.customer();
      const chat = world.chatOf(fatima);
      await chat.isAtMenu();
      await fatima.isAtMenu().says(`/${kind}${typed}`).sees(`${kind}.${left}`);
      await chat.says(`/${kind} 300`);
      if (kind === 'cash-out') await chat.enters();
      await chat.sees(`${kind}.shown`);
      await fatima.dials().sees(`${kind}.resume`).chooses('continue');
      if (!typed) await fatima.sees(`${kind}.${left}`).says('300');
      await fatima.sees(`${kind}.alike`, { amount: 30_000 });
      expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
    },
  );

  test('is told as given back when the withdrawal was undone, and as expired when nobody came', async () => {
    const [fatima, youssef] = [chatting(), chatting()];
    await fatima.says('/cash-out 2.18').enters().sees('cash-out.shown');
    await executes(world, 'agent', 'cash-out', await numberOf(world, fatima));
    await fatima.opens().hears('cash-out.executed', { amount: 218 });
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
    await fatima.opens().hears('cash-out.executed', { amount: 8_000 });
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
    await fatima.isAtMenu().says('/cash-out 60').sees('cash-out.askAmount');
    await fatima.isTold('cash-out.tooMuch', { amount: 6_000 }).says('50.01').isTold('cash-out.tooMuch');
    await fatima.says('50').sees('cash-out.askPin', { amount: 5_000 }).enters().sees('cash-out.shown');
    // A similar open one is shown again at any balance. A new one needs a check of the balance.
    await fatima.dials().says('/cash-out 50').sees('cash-out.alike');
    world.wallet.next('balance', { kind: 'ok', value: centimes(49_99) });
    await fatima.chooses('another').sees('cash-out.askAmount').isTold('cash-out.tooMuch');
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
    world.wallet.next('balance', { kind: 'ok', value: centimes(500_00) });
    world.wallet.next('balance', { kind: 'ok', value: centimes(300_00) });
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
