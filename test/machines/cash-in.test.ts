import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { CHANNELS_ON, HOUR_MS, LOST, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from './cash-orders.ts';

describe.each(STORES)('cash is deposited with a reference, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', cash: CASH_DEFAULTS });

  test.each(CHANNELS_ON[store])('is shown, executed at a network, and told once, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '0' });
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.empty').chooses('cash-in');
    await fatima.sees('cash-in.askAmountLeft', { left: 400_000 });
    await fatima.says('300').sees('cash-in.shown', { amount: 30_000 });
    const reference = await numberOf(world, fatima);
    await fatima.sees('cash-in.shown', { reference });
    expect(await executes(world, 'network', 'cash-in', reference)).toBe(200);
    await world.passes(1_500);
    if (channel === 'ussd') {
      expect(world.sms(fatima.phone).filter((text) => text.includes(reference))).toHaveLength(2);
      await fatima.dials().sees('menu.choose').isTold('cash-in.executed', { amount: 30_000, reference });
    } else await fatima.hears('cash-in.executed', { amount: 30_000, reference });
    await fatima.goes('menu');
    await world.passes(2 * HOUR_MS);
    if (channel !== 'ussd') await fatima.hearsNothing();
    await (channel === 'ussd' ? fatima.dials() : fatima.opens());
    await fatima.sees('menu.choose').chooses('balance').enters().sees('balance.shown', { balance: 30_000 });
    expect(world.wallet.calls(fatima.phone, 'requestCashIn')).toHaveLength(1);
  });
});

const world = theWorld({ cash: CASH_DEFAULTS });

describe('a reference for a deposit', () => {
  const chatting = (who = {}) => world.customer({ channel: 'web', ...who }).isAtMenu();

  test.each(LANGUAGES)('is named where the balance is empty, in %s', async (language) => {
    for (const channel of ['web', 'ussd'] as const) {
      const fatima = world.customer({ channel, language, balance: '0' }).isAtMenu();
      await fatima.says('/cash-in 300').sees('cash-in.shown');
      await (channel === 'ussd' ? fatima.dials() : fatima.goes('menu')).chooses('balance').enters();
      await fatima.sees('balance.emptyOpen', { balance: 0, amount: 30_000 }).chooses('references');
      await fatima.sees('references.list').goes('menu');
    }
  });

  test('is found executed by an agent, without an event, when its customer comes', async () => {
    const fatima = chatting();
    await fatima.says('/cash-in 40').sees('cash-in.shown');
    await executes(world, 'agent', 'cash-in', await numberOf(world, fatima));
    await fatima.opens().hears('cash-in.executed', { amount: 4_000 }).hearsNothing();
  });

  test.each([
    ['when it falls due, a minute later', 61_000],
    ['after an hour', HOUR_MS],
  ])('is found executed by an agent %s', async (_, ms) => {
    const fatima = chatting();
    await fatima.says('/cash-in 41').sees('cash-in.shown');
    if (ms === HOUR_MS) await world.passes(30 * 60_000);
    await executes(world, 'agent', 'cash-in', await numberOf(world, fatima));
    await fatima.hearsNothing();
    await fatima.after(ms).hears('cash-in.executed', { amount: 4_100 });
  });

  test('expires when nobody uses it, and the customer hears that, as well as a reversal', async () => {
    const [fatima, youssef] = [chatting(), chatting()];
    await fatima.says('/cash-in 42').sees('cash-in.shown');
    await world.passes(49 * HOUR_MS);
    await fatima.hears('cash-in.expired', { amount: 4_200, reference: await numberOf(world, fatima) });
    await youssef.says('/cash-in 2.18').sees('cash-in.shown');
    await executes(world, 'agent', 'cash-in', await numberOf(world, youssef));
    await youssef.opens().hears('cash-in.executed', { amount: 218 });
    await youssef.after(61_000).hears('cash-in.reversed', { amount: 218 });
    await fatima.after(100 * HOUR_MS).hearsNothing();
    await youssef.hearsNothing();
  });

  test('is shown again for the same amount, and a second one is made only on request', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('dépôt 50').sees('cash-in.shown');
    const first = await numberOf(world, fatima);
    await fatima.dials().says('dépôt 50').sees('cash-in.alike', { amount: 5_000 });
    await fatima.chooses('again').sees('cash-in.shown', { reference: first });
    await fatima.dials().says('dépôt 60').sees('cash-in.shown', { amount: 6_000 });
    await fatima.dials().says('dépôt 50').chooses('another').sees('cash-in.shown');
    const [, , second] = await referencesOf(world, fatima.phone);
    expect(await referencesOf(world, fatima.phone)).toEqual([first, expect.anything(), second]);
    // Once it was executed it is no look-alike any more.
    await executes(world, 'agent', 'cash-in', String(second));
    await fatima.dials();
    await world.rests();
    await fatima.dials().says('dépôt 50').chooses('again').sees('cash-in.shown', { reference: first });
  });
});

describe('a refused or lost reference for a deposit', () => {
  test.each([
    ['a wallet that cannot receive', '90014', 'cash-in.cannotReceive', 'cash-in.askAmountWithin'],
    ['an amount that is none', '90015', 'problem.90015', 'cash-in.askAmountWithin'],
    ['a number that is no customer’s', '20005', 'problem.20005', 'cash-in.askAmountWithin'],
    ['something missing', '10001', 'problem.10001', 'cash-in.askAmountWithin'],
    ['a code that nobody knows', '47110', 'problem.other', 'cash-in.askAmountWithin'],
  ])('is refused for %s, and the amount is asked again', async (_, code, told, asked) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('requestCashIn', refused(code));
    await fatima.says('/cash-in 30').sees(asked).isTold(told);
    await fatima.says('30').sees('cash-in.shown');
  });

  test('is refused by the sandbox for more than the first level holds', async () => {
    const mehdi = world.customer({ level: 1, balance: '980' });
    await mehdi.isAtMenu().says('/cash-in').sees('cash-in.askAmountWithin', { limit: 100_000 });
    await mehdi.says('21').sees('cash-in.overLimit', { limit: 100_000 }).isToldNothing();
    await mehdi.chooses('amend').sees('cash-in.askAmountWithin').says('20').sees('cash-in.shown');
  });

  test.each(['ussd', 'web'] as const)(
    'tells what is left below the limit only after the PIN, on %s',
    async (channel) => {
      const mehdi = world.customer({ channel, level: 1, balance: '980' });
      await mehdi.isAtMenu().says('/cash-in 21').sees('cash-in.overLimit').chooses('room');
      await mehdi.sees('cash-in.askPin').enters('4321').sees('cash-in.askPin').isTold('pin.wrongWithTries');
      await mehdi.enters().sees('card-cash-in.overRoom', { limit: 100_000, left: 2_000 }).chooses('amend');
      await mehdi.sees('cash-in.askAmountLeft', { left: 2_000 }).says('20').sees('cash-in.shown');
    },
  );

  test.each([
    ['is lost', LOST],
    ['was never sent', UNSENT],
    ['is refused', refused('20005')],
  ])('tells no room where the balance %s', async (_, instead) => {
    const mehdi = world.customer({ level: 1, balance: '980' });
    await mehdi.isAtMenu().says('/cash-in 21').chooses('room').sees('cash-in.askPin');
    world.wallet.next('balance', instead);
    await mehdi.enters().sees('cash-in.overLimit', { limit: 100_000 }).isToldNothing();
    await mehdi.goes('back').sees('cash-in.askAmountWithin');
  });

  test('names no limit when the level is unknown', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('profile', UNSENT);
    world.wallet.next('requestCashIn', refused('90011'));
    await fatima.says('/cash-in').sees('cash-in.askAmount').isToldNothing();
    await fatima.says('5000').sees('cash-in.overLevel').offers('upgrade', 'amend');
    await fatima.chooses('upgrade').sees('upgrade.explain');
  });

  test.each([
    ['is lost as the sandbox loses it', '1.04', undefined],
    ['cannot be read', '1.07', undefined],
    ['is an error', '1.06', undefined],
  ])('cannot be used when its answer %s, and the customer asks for another one', async (_, amount) => {
    const fatima = world.customer();
    await fatima.isAtMenu().says(`/cash-in ${amount}`).sees('cash-in.lost');
    expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
    await fatima.goes('back').says('9').sees('cash-in.shown');
    await fatima.dials().says('/references').sees('references.list');
    const [open, lost, ...others] = fatima.reply().screen.choices ?? [];
    expect(others).toEqual([]);
    expect(open?.values?.reference, 'an open deposit is listed with its number').toBeDefined();
    expect(lost?.values?.state).toEqual({ say: 'references.lost' });
  });

  test('is in no list when it was never sent', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('requestCashIn', UNSENT);
    await fatima.says('/cash-in 30').sees('cash-in.askAmountWithin').isTold('problem.unavailable');
    await fatima.dials().says('/references').sees('references.empty');
  });
});

describe('the requests for a deposit', () => {
  const chatting = (who = {}) => world.customer({ channel: 'web', ...who }).isAtMenu();

  test('is given twenty times a day, and no more', async () => {
    const fatima = chatting();
    for (let dirhams = 101; dirhams <= 120; dirhams++)
      await fatima.says(`/cash-in ${dirhams}`).sees('cash-in.shown');
    await fatima.says('/cash-in 121').sees('cash-in.askAmountWithin').isTold('cash-in.tooMany');
    await world.passes(25 * HOUR_MS);
    await fatima.says('/cash-in 121').sees('cash-in.shown');
  });

  test('leaves the menu for the visit when the wallet has no such service', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('requestCashIn', refused('http404'));
    await fatima.says('/cash-in 30').sees('cash-in.notEnabled').goes('menu');
    await fatima.says('/cash-in').sees('menu.choose');
  });

  test.each([
    ['dépôt 300', 30_000],
    ['deposer 300', 30_000],
    ['cash in 300', 30_000],
    ['إيداع 300', 30_000],
    ['dépôt de 300 dh', 30_000],
  ])('is asked for in one line: %s', async (line, amount) => {
    await chatting().says(line).sees('cash-in.shown', { amount });
  });

  test.each(['dépôt 300 400', 'dépôt 300 moins 50', 'dépôt ٣00', 'dépôt 300 au 0612345678', 'dépôt'])(
    'is asked about when the line is not clear: %s',
    async (line) => {
      await chatting().says(line).sees('cash-in.askAmountWithin');
    },
  );

  test.each(['0', '-5', '1,234', 'deux ou trois cents', '12.345', '99999999999'])(
    'is not given for %s, which is no amount',
    async (said) => {
      const fatima = chatting();
      await fatima.says('/cash-in').says(said).sees('cash-in.askAmountWithin');
      expect(world.wallet.calls(fatima.phone, 'requestCashIn')).toEqual([]);
    },
  );
});

describe('the operator decides on the places for deposits', () => {
  const points = { fr: 'Agences Atlas', ar: 'وكالات أطلس', en: 'Atlas branches' };
  const world = theWorld({
    cash: { ways: ['agents', 'bill-network'], feesPercent: 1.5, validHours: 24, points, sms: false },
  });

  test.each(LANGUAGES)(
    'two ways mean one more question, and hours and places are named: %s',
    async (language) => {
      const fatima = world.customer({ language, channel: 'web' });
      await fatima.isAtMenu().says('/cash-in 300').sees('cash-in.chooseWay').chooses('bill-network');
      await fatima.sees('cash-in.shown', { reference: await numberOf(world, fatima) });
      expect(await numberOf(world, fatima)).toMatch(/^BILLREF-/);
      const { text } = world.renderer.chat(fatima.reply().screen, language);
      expect(text).toContain(points[language]);
      expect(text).toContain('24');
      expect(world.wallet.told(fatima.phone, 'requestBillNetworkCashIn')).toMatchObject([
        [{ feesPercent: 1.5 }],
      ]);
    },
  );

  test('a dial that finds it paid says so, and does not name the places again', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-in 310').chooses('agents').sees('cash-in.shown');
    await executes(world, 'agent', 'cash-in', await numberOf(world, fatima));
    await fatima.dials().isTold('cash-in.executed', { amount: 31_000 });
    expect(fatima.reply().missed?.map(({ screen }) => screen.key)).toEqual(['cash-in.executed']);
  });

  test('a dial does not wait long for a silent wallet, and the next one has the outcome', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-in 320').chooses('agents').sees('cash-in.shown');
    const reference = await numberOf(world, fatima);
    await executes(world, 'agent', 'cash-in', reference);
    const look = world.wallet.holds('cashReference');
    await fatima.dials().isTold('cash-in.reference', { reference });
    look.go();
    await world.rests();
    await fatima.dials().isTold('cash-in.executed', { amount: 32_000 });
  });

  test('without SMS the reference is told on the next dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/cash-in 300').chooses('agents').sees('cash-in.shown');
    const reference = await numberOf(world, fatima);
    await world.rests();
    expect(world.sms(fatima.phone).join()).not.toContain(reference);
    await fatima.dials().isTold('cash-in.reference', { reference });
  });
});

describe('an operator without places for deposits', () => {
  const world = theWorld({ cash: { ...CASH_DEFAULTS, principalAgent: 'PA-1001' } });

  test('the retail agents that have an address are named', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('/cash-in 300').sees('cash-in.shown');
    const { text } = world.renderer.chat(fatima.reply().screen, 'fr');
    expect(text).toContain('12, rue des Orangers, Casablanca');
    expect(text).not.toContain('Amal');
  });
});
