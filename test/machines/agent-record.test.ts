import { describe, test } from 'vitest';
import { CHANNELS, LOST, testOn, theWorld } from '../kit/world.ts';
import { agentAtMenu } from './agent-orders.ts';

describe('the record of an agent', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is read from the wallet, on %s', async (channel) => {
    const { agent, code } = await agentAtMenu(world, channel);
    await agent.chooses('agent-account');
    await agent.chooses('agent-record').sees('agent-record.shown', { code, name: 'Tabac Central' });
  });

  test('is unavailable when the wallet does not answer', async () => {
    const { agent } = await agentAtMenu(world);
    await agent.chooses('agent-account').meanwhile(() => world.wallet.next('retailAgent', LOST));
    await agent.chooses('agent-record').sees('agent-record.unavailable');
  });
});
