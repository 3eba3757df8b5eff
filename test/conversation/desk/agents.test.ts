import { describe, expect, test } from 'vitest';
import { NADIA, OMAR, theWorld } from '../../kit/world.ts';
import { agentAtMenu, referenceOf } from '../../machines/agent-orders.ts';

const WHY = 'customers complain about this till: PIN 1234';

describe('support stops an agent', () => {
  const world = theWorld();
  const desk = () => world.engine.desk;

  test('at once, even between confirmation and PIN, and two people restore them', async () => {
    const { agent, code } = await agentAtMenu(world, 'web');
    const { phone } = world.customer();
    const reference = await referenceOf(world, 'cash-out', phone, 200);
    await agent.chooses('agent-cash-out').says(reference).sees('agent-cash-out.askPin');
    expect(await desk().stopAgent(agent.phone, NADIA, WHY)).toBe('done');
    expect(await desk().stopAgent(agent.phone, OMAR, WHY)).toBe('notNow');
    await agent.hears('problem.noAgent');
    await agent.enters().sees('agent-cash-out.ask').isTold('problem.noAgent');
    await agent.goes('menu').sees('menu.choose');
    await agent.says(`je suis agent ${code}`).sees('problem.noAgent');
    expect(world.wallet.calls(phone, 'agentCashOut')).toEqual([]);

    const stopped = async () => (await desk().session(agent.address))?.agent?.stopped;
    expect((await stopped())?.reason).not.toContain('1234');
    expect(await desk().approveRestore(agent.phone, OMAR, 0)).toBe('notNow');
    expect(await desk().proposeRestore(agent.phone, NADIA, WHY)).toBe('done');
    const { at = 0 } = (await stopped())?.proposal ?? {};
    expect(await desk().approveRestore(agent.phone, NADIA, at)).toBe('sameAgent');
    expect(await desk().withdrawRestore(agent.phone, OMAR)).toBe('done');
    expect(await desk().proposeRestore(agent.phone, NADIA, WHY)).toBe('done');
    const again = (await stopped())?.proposal?.at ?? 0;
    expect(await desk().approveRestore(agent.phone, OMAR, again)).toBe('done');
    await agent.hears('agent.restored');
    await agent.goes('menu').sees('menu.chooseAgent', { code });
  });

  test('but not a customer who is no agent', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    expect(await desk().stopAgent(fatima.phone, NADIA, WHY)).toBe('notNow');
  });
});
