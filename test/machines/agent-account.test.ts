import { describe, test } from 'vitest';
import { CHANNELS, testOn, theWorld } from '../kit/world.ts';
import { agentAtMenu } from './agent-orders.ts';

describe('the account of an agent', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is a step away from the menu, on %s', async (channel) => {
    const { agent } = await agentAtMenu(world, channel);
    await agent.chooses('agent-account').sees('agent-account.choose');
    await agent.chooses('agent-record').sees('agent-record.shown');
  });

  test.each([
    ['1', 'agent-cash-in.ask'],
    ['2', 'agent-cash-out.ask'],
    ['3', 'agent-check.ask'],
    ['6', 'agent-day.askPin'],
    ['7', 'agent-account.choose'],
    ['7*1', 'agent-record.shown'],
    ['7*2', 'pin-change.askOldPin'],
    ['7*3', 'language.choose'],
    ['8', 'menu.choose'],
    ['8*2', 'balance.askPin'],
    ['8*1', 'transfer.askRecipient'],
    ['9', 'help.help'],
  ])('*123*%s# is known by heart', async (digits, screen) => {
    const { agent } = await agentAtMenu(world);
    await agent.dials(...digits.split('*')).sees(screen);
  });

  test.each(['4', '5', '10'])('%s is nothing on the menu', async (digit) => {
    const { agent } = await agentAtMenu(world);
    await agent.says(digit).sees('menu.chooseAgent').isTold('nav.chooseOne');
  });
});
