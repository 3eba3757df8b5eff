import { describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import { CHANNELS_ON, LOST, loses, MINUTE_MS, refused, STORES, theWorld } from '../kit/world.ts';
import { agentAtMenu, balanceOf, referenceOf } from './agent-orders.ts';

describe.each(STORES)('an agent takes a deposit, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'by a reference that Wasl has given, and its customer hears of it, on %s',
    async (channel) => {
      const { agent } = await agentAtMenu(world, channel);
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().says('dépôt 300').chooses('agents').sees('cash-in.shown');
      const { reference } = fatima.reply().screen.values ?? {};
      const number = reference && 'code' in reference ? reference.code : '';
      await agent.chooses('agent-cash-in').sees('agent-cash-in.ask');
      await agent.says(number).sees('agent-cash-in.askPin', { amount: 30_000, to: fatima.phone }).enters();
      await agent.sees('agent-cash-in.done', { amount: 30_000, to: fatima.phone, reference: number });
      await fatima.hears('cash-in.executed', { amount: 30_000 });
      await fatima.after(2 * MINUTE_MS).hearsNothing();
      expect(await balanceOf(world, fatima.phone)).toBe(80_000);
    },
  );

  test('by the number of a customer, who hears of it: four entries', async () => {
    const { agent } = await agentAtMenu(world);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await agent.dials('1', fatima.phone, '150');
    await agent.sees('agent-cash-in.askPin', { amount: 15_000, to: fatima.phone });
    await agent.meanwhile(() => expect(agent.reply().screen.values?.to).toEqual({ phone: fatima.phone }));
    await agent.enters().sees('agent-cash-in.done', { amount: 15_000 });
    await fatima.hears('received.deposit', { amount: 15_000 });
    await fatima.after(2 * MINUTE_MS).hearsNothing();
  });

  test('a large one waits in a chat linked today, and the same agent can dial it', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const { phone } = world.customer();
    await agent.chooses('agent-cash-in').says(phone);
    await agent.says('1500').sees('problem.newLink', { amount: 100_000 });
    const phoneOfAgent = world.dialer(agent);
    await phoneOfAgent.isAtMenu().sees('menu.chooseAgent');
    await phoneOfAgent.dials('1', phone, '1500').sees('agent-cash-in.askPin', { amount: 150_000, to: phone });
  });

  test('a lost answer is found by the reference, and nothing is sent again', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-in', fatima.phone, 300);
    await agent.chooses('agent-cash-in').says(reference);
    world.wallet.next('agentCashIn', loses);
    await agent.enters().sees('agent-cash-in.notConfirmed', { amount: 30_000 });
    await agent.after(5_000).hears('agent-cash-in.done', { amount: 30_000 });
    expect(await balanceOf(world, fatima.phone)).toBe(80_000);
  });

  test('a second deposit for the same number is asked about, although its reference is another one', async () => {
    const { agent } = await agentAtMenu(world);
    const fatima = world.customer();
    const again = () => agent.dials('1', fatima.phone, '150');
    world.wallet.next('agentCashIn', loses);
    await again().sees('agent-cash-in.askPin').enters().sees('agent-cash-in.notConfirmed');
    await world.passes(5_000);
    await again().sees('agent-cash-in.confirmAgain', { amount: 15_000, to: fatima.phone }).chooses('cancel');
    expect(await balanceOf(world, fatima.phone)).toBe(65_000);
  });

  test('the agent hears of a deposit that was undone', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const { phone } = world.customer();
    const reference = await referenceOf(world, 'cash-in', phone, 2.18);
    await agent.chooses('agent-cash-in').says(reference).enters().sees('agent-cash-in.done');
    await world.passes(6_000);
    await agent.after(MINUTE_MS).hears('agent-cash-in.reversed', { amount: 218, to: phone });
  });

  test('an answer with an open deposit is followed to its end', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const { phone } = world.customer();
    const reference = await referenceOf(world, 'cash-in', phone, 300);
    await agent.chooses('agent-cash-in').says(reference);
    world.sandbox.faults.set({
      name: 'staysOpen',
      operation: 'executeAgentCashIn',
      count: 1,
      delayMs: 20_000,
    });
    await agent.enters().sees('agent-cash-in.processing');
    await world.passes(15_000);
    await agent.after(10_000).hears('agent-cash-in.done', { amount: 30_000 });
  });
});

describe('no deposit is made', () => {
  const world = theWorld();
  const asked = async () => {
    const { agent, code } = await agentAtMenu(world);
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-in', fatima.phone, 300);
    return { agent, code, fatima, reference };
  };

  test.each([
    ['000000000000', 'agent-cash-in.noSuch'],
    ['BILLREF-123456789012', 'agent-cash-in.billNetwork'],
    ['12', 'agent-cash-in.notThat'],
  ])('by %s', async (text, told) => {
    const { agent } = await asked();
    await agent.dials('1', text).sees('agent-cash-in.ask').isTold(told);
  });

  test('with a used reference', async () => {
    const { agent, code, reference } = await asked();
    await world.api.agentCashIn({ code, reference }, { requestId: 'used' });
    await agent.dials('1', reference).sees('agent-cash-in.ask').isTold('problem.90122');
  });

  test('for a number without a wallet, or more than the customer may have', async () => {
    const { agent, fatima } = await asked();
    await agent.dials('1', '0698989898', '100').sees('agent-cash-in.ask').isTold('problem.20005');
    await agent
      .says(fatima.phone)
      // The agent who typed it can see whether it is right.
      .meanwhile(() => expect(agent.reply().screen.values?.to).toEqual({ phone: fatima.phone }))
      .sees('agent-cash-in.askAmount', { to: fatima.phone })
      .says('5000')
      .sees('agent-cash-in.askAmount')
      .isTold('problem.90011');
  });

  test('when the reference for a number is lost, and the agent is asked for another one', async () => {
    const { agent, fatima } = await asked();
    world.wallet.next('requestCashIn', LOST);
    await agent.dials('1', fatima.phone, '100').sees('agent-cash-in.askAmount');
    await agent.isTold('agent-cash-in.notMade');
    await agent.says('100').sees('agent-cash-in.askPin').enters().sees('agent-cash-in.done');
    expect(await balanceOf(world, fatima.phone)).toBe(60_000);
  });

  test('with more than the agent’s float', async () => {
    const { agent, code, fatima, reference } = await asked();
    world.sandbox.setFloat(centimes(299_00), code);
    await agent.dials('1', reference).enters().sees('agent-cash-in.refused', { amount: 30_000 });
    await agent.isTold('agent-cash-in.floatTooLow');
    expect(await balanceOf(world, fatima.phone)).toBe(50_000);
    // Nothing was executed: the reference is good for another time.
    world.sandbox.setFloat(centimes(20_000_00), code);
    await agent.dials('1', reference).enters().sees('agent-cash-in.done');
  });

  test('while the agent’s payments are frozen', async () => {
    const { agent, reference } = await asked();
    await agent.says('/freeze').sees('freeze.frozen');
    await agent.dials('1', reference).sees('freeze.stopped');
    expect(world.wallet.calls(reference, 'agentCashIn')).toEqual([]);
  });

  test('ten digits that are a number and a reference are asked about', async () => {
    const { agent, fatima } = await asked();
    const both = { kind: 'ok', value: { ...FOUND, phone: fatima.phone } } as const;
    world.wallet.next('cashReference', both);
    await agent.dials('1', '0612345678').sees('agent-cash-in.choose').chooses('number');
    await agent.sees('agent-cash-in.askAmount', { to: '+212612345678' }).goes('back');
    for (let i = 0; i < 2; i++) world.wallet.next('cashReference', both);
    await agent.says('0612345678');
    await agent.chooses('reference').sees('agent-cash-in.askPin', { amount: 4_000, to: fatima.phone });
  });

  test.each([
    ['http403', 'agent-cash-in.notEnabled'],
    ['47110', 'agent-cash-in.ask'],
  ])('when the look-up is refused with %s', async (code, seen) => {
    const { agent } = await asked();
    world.wallet.next('cashReference', refused(code));
    await agent.dials('1', '936100000001').sees(seen);
  });
});

const FOUND = { reference: '0612345678', amount: centimes(4_000), status: 1, madeAt: 1 } as const;
