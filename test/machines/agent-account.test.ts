import { describe, test } from 'vitest';
import { theWorld } from '../kit/world.ts';
import { agentAtMenu } from './agent-orders.ts';

describe('the account of an agent', () => {
  const world = theWorld();

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
