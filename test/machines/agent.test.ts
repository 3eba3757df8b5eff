import { describe, expect, test } from 'vitest';
import { LOST, refused } from '../kit/meddler.ts';
import { CHANNELS, theWorld } from '../kit/world.ts';
import { agentAtMenu, agentIn, becomes } from './agent-orders.ts';

const HOUR_MS = 3_600_000;

describe('a customer says to be an agent', () => {
  const world = theWorld({ bot: 'webhook' });
  const asked = async () => {
    const one = await agentIn(world);
    await one.agent.isAtMenu().chooses('account').chooses('agent').sees('agent.askCode');
    return one;
  };

  test.each(CHANNELS)('by the code of their own number, and has the agent’s menu, on %s', async (channel) => {
    const { agent, code } = await agentIn(world, channel);
    await agent.isAtMenu().walks(becomes(code));
    expect(agent.reply().screen.choices?.map(({ id, digit }) => [digit, id])).toEqual([
      [1, 'agent-cash-in'],
      [2, 'agent-cash-out'],
      [3, 'agent-check'],
      [6, 'agent-day'],
      [7, 'agent-account'],
      [8, 'own-wallet'],
      [9, 'help'],
    ]);
    await agent.chooses('own-wallet').sees('menu.choose').goes('back').sees('menu.chooseAgent');
  });

  test('in one line', async () => {
    const { agent, code } = await agentIn(world, 'web');
    await agent.isAtMenu().says(`je suis agent ${code}`).sees('agent.welcome', { code });
  });

  test('not by the code of another number, which is never another one’s menu', async () => {
    const { agent } = await asked();
    await agent.says('RA-2001').sees('agent.askCode').isTold('agent.notYours');
    await agent.goes('menu').sees('menu.choose');
  });

  test.each(['RA-9', 'ra 2001', '../2001', 'x'.repeat(21), '?'])('not by %s, which is none', async (text) => {
    const { agent } = await asked();
    await agent.says(text).sees('agent.askCode').isTold('problem.90140');
  });

  test('five codes an hour, over all channels', async () => {
    const { agent, code } = await asked();
    for (let i = 0; i < 5; i++) await agent.says(`RA-9${i}`).sees('agent.askCode');
    await agent.says(code).sees('agent.tooMany');
    await world.passes(HOUR_MS);
    await agent.dials().walks(becomes(code));
  });

  test.each([
    [LOST, 'problem.unavailable'],
    [refused('47110'), 'problem.other'],
  ])('where the wallet says %o they are asked again', async (instead, told) => {
    const { agent, code } = await asked();
    world.wallet.next('retailAgent', instead);
    await agent.says(code).sees('agent.askCode').isTold(told);
    await agent.says(code).sees('agent.welcome');
  });

  test('a wallet without agents', async () => {
    const { agent, code } = await asked();
    world.wallet.next('retailAgent', refused('http404'));
    await agent.says(code).sees('agent.notEnabled');
    await agent.goes('menu').chooses('account').sees('account.choose');
    expect(agent.reply().screen.choices?.map(({ id }) => id)).not.toContain('agent');
  });

  test('asked again once a day: who is none any more has the menu of everybody', async () => {
    const { agent, code } = await agentAtMenu(world);
    const looks = () => world.wallet.calls(code, 'retailAgent').length;
    const before = looks();
    await agent.dials().sees('menu.chooseAgent');
    expect(looks()).toBe(before);
    await world.passes(25 * HOUR_MS);
    world.wallet.next('retailAgent', LOST);
    await agent.dials().sees('menu.chooseAgent');
    await world.passes(HOUR_MS);
    world.wallet.next('retailAgent', refused('90140'));
    await agent.dials().sees('menu.choose');
    await agent.dials('1', '0612345678').sees('transfer.askAmount');
  });
});
