import { describe, expect, test } from 'vitest';
import { CHANNELS, LOST, testOn, theWorld } from '../kit/world.ts';
import { agentAtMenu, referenceOf } from './agent-orders.ts';

describe('an agent checks a reference', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('of a deposit and of a withdrawal, on %s', async (channel) => {
    const { agent, code } = await agentAtMenu(world, channel);
    const { phone } = world.customer();
    const deposit = await referenceOf(world, 'cash-in', phone, 300);
    const withdrawal = await referenceOf(world, 'cash-out', phone, 200);
    const checks = (reference: string) => agent.goes('menu').chooses('agent-check').says(reference);
    const open = { state: 'agent-check.stateOpen', to: phone };
    await checks(deposit).sees('agent-check.deposit', { amount: 30_000, ...open });
    await checks(withdrawal).sees('agent-check.withdrawal', { amount: 20_000, ...open });
    await world.api.agentCashOut({ code, reference: withdrawal }, { requestId: 'x' });
    await checks(withdrawal).sees('agent-check.withdrawal', { state: 'agent-check.stateDone' });
    await world.passes(49 * 3_600_000);
    if (channel === 'ussd') await agent.dials();
    else await agent.goes('menu');
    expect(agent.reply().screen.key).toMatch(/menu|unlocking/);
  });

  test.each([
    ['000000000000', 'problem.90120'],
    ['BILLREF-123456789012', 'agent-cash-in.billNetwork'],
    ['12', 'agent-cash-out.notThat'],
  ])('%s', async (text, told) => {
    const { agent } = await agentAtMenu(world);
    await agent.chooses('agent-check').says(text).sees('agent-check.ask').isTold(told);
  });

  test('wrong guesses are counted over all chats, found references and lost answers are not', async () => {
    const { agent } = await agentAtMenu(world);
    const { phone } = world.customer();
    const reference = await referenceOf(world, 'cash-out', phone, 200);
    const tries = (text: string) => agent.dials('3', text);
    for (let i = 0; i < 12; i++) await tries(reference).sees('agent-check.withdrawal');
    world.wallet.next('cashReference', LOST);
    await tries(reference).isTold('problem.unavailable');
    for (let i = 0; i < 5; i++) await tries(`00000000000${i}`).isTold('problem.90120');
    for (let i = 5; i < 10; i++) await agent.dials('2', `00000000000${i}`).isTold('agent-cash-out.noSuch');
    await tries(reference).sees('agent-check.ask').isTold('problem.manyReferences');
    await agent.dials('2', reference).sees('agent-cash-out.ask').isTold('problem.manyReferences');
    // A deposit's reference is worth nothing to who guesses it.
    await agent.dials('1', await referenceOf(world, 'cash-in', phone, 300)).sees('agent-cash-in.askPin');
    await world.passes(3_600_000);
    await tries(reference).sees('agent-check.withdrawal');
  });

  test('when the wallet does not answer', async () => {
    const { agent } = await agentAtMenu(world);
    world.wallet.next('cashReference', LOST);
    await agent.dials('3', '936100000001').sees('agent-check.ask').isTold('problem.unavailable');
  });
});
