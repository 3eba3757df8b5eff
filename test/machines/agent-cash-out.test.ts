import { describe, expect, test } from 'vitest';
import { CHANNELS_ON, LOST, loses, MINUTE_MS, refused, SECOND_MS, STORES, theWorld } from '../kit/world.ts';
import { agentAtMenu, balanceOf, referenceOf } from './agent-orders.ts';

describe.each(STORES)('an agent pays cash out, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'by the customer’s reference, and hands it out once it is done, on %s',
    async (channel) => {
      const { agent } = await agentAtMenu(world, channel);
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu();
      const reference = await referenceOf(world, 'cash-out', fatima.phone, 200);
      await agent.chooses('agent-cash-out').sees('agent-cash-out.ask');
      await agent.says(reference).sees('agent-cash-out.askPin', { amount: 20_000, to: fatima.phone });
      await agent.enters().sees('agent-cash-out.done', { amount: 20_000, to: fatima.phone });
      expect(agent.reply().screen.values?.to).toEqual({ masked: fatima.phone });
      expect(await balanceOf(world, fatima.phone)).toBe(30_000);
      await fatima.hears('received.withdrawalPriced', { amount: 20_000 });
      await fatima.after(2 * MINUTE_MS).hearsNothing();
      expect(await world.everythingStored()).not.toContain(reference);
    },
  );

  test('after a lost answer no cash is handed out until the reference counts as executed', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-out', fatima.phone, 200);
    await agent.chooses('agent-cash-out').says(reference).sees('agent-cash-out.askPin');
    world.wallet.next('agentCashOut', loses);
    world.wallet.next('cashReference', LOST);
    await agent.enters().sees('agent-cash-out.notConfirmed', { amount: 20_000 });
    await agent.after(5 * SECOND_MS).hearsNothing();
    await agent.after(5 * SECOND_MS).hears('agent-cash-out.done', { amount: 20_000 });
    expect(world.wallet.calls(reference, 'agentCashOut').length).toBeLessThan(2);
    expect(world.sandbox.checkLedger().balanced).toBe(true);
  });

  test('an agent who dials again reads that this same withdrawal is done', async () => {
    const { agent } = await agentAtMenu(world);
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-out', fatima.phone, 200);
    await agent.dials('2', reference).enters().sees('agent-cash-out.done', { amount: 20_000 });
    await agent.dials().sees('menu.chooseAgent').isTold('agent-cash-out.doneAt', { amount: 20_000 });
  });

  test('an agent who hangs up between PIN and answer first reads about the open withdrawal', async () => {
    const { agent } = await agentAtMenu(world);
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-out', fatima.phone, 200);
    await agent.chooses('agent-cash-out').says(reference);
    await world.crashesDuring('agentCashOut', agent.enters());
    const again = world.again(agent);
    await world.passes(MINUTE_MS);
    await again.dials().sees('menu.chooseAgent').isTold('agent-cash-out.notConfirmed', { amount: 20_000 });
    // Never sent again by us: the reference is open, and after two minutes the agent may try anew.
    await world.passes(MINUTE_MS + SECOND_MS);
    await again
      .dials('2', reference)
      .sees('agent-cash-out.confirmUnconfirmed')
      .chooses('confirm')
      .enters()
      // The first attempt has no end yet: the cash is for both of them.
      .sees('agent-cash-out.doneAt', { amount: 20_000 });
    expect(await balanceOf(world, fatima.phone)).toBe(30_000);
  });
});

describe('no withdrawal is paid out', () => {
  const world = theWorld();
  const asked = async (dirhams = 200) => {
    const { agent, code } = await agentAtMenu(world);
    const fatima = world.customer();
    const reference = await referenceOf(world, 'cash-out', fatima.phone, dirhams);
    return { agent, code, fatima, reference };
  };

  test('twice, and the second attempt does not pass for the first', async () => {
    const { agent, fatima, reference } = await asked();
    const chat = world.chatOf(agent);
    await chat.isAtMenu().chooses('agent-cash-out').says(reference).sees('agent-cash-out.askPin');
    await agent.dials('2', reference).enters().sees('agent-cash-out.done');
    await chat.enters().sees('agent-cash-out.confirmAgain').chooses('confirm');
    world.wallet.next('agentCashOut', LOST);
    await chat.enters().sees('agent-cash-out.notConfirmed');
    await chat.after(MINUTE_MS).hears('agent-cash-out.noSecond', { amount: 20_000 });
    expect(await balanceOf(world, fatima.phone)).toBe(30_000);
  });

  test.each([
    ['000000000000', 'agent-cash-out.noSuch'],
    ['0612345678', 'agent-cash-out.byReferenceOnly'],
    ['BILLREF-123456789012', 'agent-cash-out.byReferenceOnly'],
    ['12', 'agent-cash-out.notThat'],
  ])('by %s', async (text, told) => {
    const { agent } = await asked();
    await agent.dials('2', text).sees('agent-cash-out.ask').isTold(told);
  });

  test('with a used reference, or with the reference of a deposit', async () => {
    const { agent, code, fatima, reference } = await asked();
    await world.api.agentCashOut({ code, reference }, { requestId: 'used' });
    await agent.dials('2', reference).sees('agent-cash-out.ask').isTold('agent-cash-out.used');
    const deposit = await referenceOf(world, 'cash-in', fatima.phone, 100);
    await agent.says(deposit).sees('agent-cash-out.ask').isTold('agent-cash-out.noSuch');
    // A question for a reference understands such requests, too.
    await agent.says(`dépôt client ${deposit}`).sees('agent-cash-in.askPin', { amount: 10_000 });
  });

  test('with an expired reference', async () => {
    const { agent, reference } = await asked();
    await world.passes(49 * 60 * MINUTE_MS);
    await agent.dials('2', reference).sees('agent-cash-out.ask').isTold('problem.90121');
  });

  test('when the customer has too little money, and the reference stays open', async () => {
    const { agent, fatima, reference } = await asked(400);
    // References are told apart by whose they are and when they were made: these are two.
    await world.passes(SECOND_MS);
    const second = await referenceOf(world, 'cash-out', fatima.phone, 400);
    await agent.dials('2', reference).enters().sees('agent-cash-out.done');
    await agent.dials('2', second).enters().sees('agent-cash-out.refused', { amount: 40_000 });
    await agent.isTold('agent-cash-out.balanceTooLow');
  });

  test.each([
    ['90024', 'problem.90140'],
    ['90122', 'agent-cash-out.used'],
    ['90121', 'problem.90121'],
  ])('refused with %s', async (code, told) => {
    const { agent, reference } = await asked();
    await agent.dials('2', reference);
    world.wallet.next('agentCashOut', refused(code));
    await agent.enters().sees('agent-cash-out.refused').isTold(told);
  });

  test('a payout of another till at another time does not count as this one', async () => {
    const { agent, code, reference } = await asked();
    await agent.dials('2', reference);
    world.wallet.next('agentCashOut', LOST);
    await agent.enters().sees('agent-cash-out.notConfirmed');
    await world.passes(5 * MINUTE_MS);
    await world.api.agentCashOut({ code, reference }, { requestId: 'another till' });
    await world.passes(10 * MINUTE_MS);
    await agent.dials().isTold('agent-cash-out.notConfirmed');
  });

  test('a payout of another till at the same time does not count either if the key may read its owner', async () => {
    const { agent, reference } = await asked();
    await agent.dials('2', reference);
    world.wallet.next('agentCashOut', LOST);
    await agent.enters().sees('agent-cash-out.notConfirmed');
    await world.api.agentCashOut({ code: 'RA-2001', reference }, { requestId: 'another till' });
    await agent.after(10_000).dials().isTold('agent-cash-out.notConfirmed');
  });

  test('the agent hears of a withdrawal that was undone', async () => {
    const { agent, reference } = await asked();
    await agent.dials('2', reference);
    world.sandbox.faults.set({ name: 'reversal', operation: 'executeAgentCashOut', count: 1 });
    await agent.enters().sees('agent-cash-out.done');
    await world.passes(6 * SECOND_MS);
    await agent.after(MINUTE_MS).dials().isTold('agent-cash-out.reversed', { amount: 20_000 });
  });

  test('without the scope of the key', async () => {
    const { agent, reference } = await asked();
    world.wallet.next('cashReference', refused('http404'));
    await agent.dials('2', reference).sees('agent-cash-out.notEnabled');
  });
});
