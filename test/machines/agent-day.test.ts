import { describe, expect, test } from 'vitest';
import { CHANNELS, LOST, ok, refused, testOn, theWorld } from '../kit/world.ts';
import { agentAtMenu, referenceOf } from './agent-orders.ts';

describe('an agent reads the operations of the day', () => {
  const world = theWorld({ bot: 'webhook' });
  /** One deposit and one withdrawal, and one deposit of which nobody knows. */
  const served = async (channel: (typeof CHANNELS)[number]) => {
    const { agent, code } = await agentAtMenu(world, channel);
    const { phone } = world.customer();
    for (const dirhams of [300, 100]) {
      const reference = await referenceOf(world, 'cash-in', phone, dirhams);
      await agent.goes('menu').chooses('agent-cash-in').says(reference).enters().sees('agent-cash-in.done');
    }
    const reference = await referenceOf(world, 'cash-out', phone, 200);
    await agent.goes('menu').chooses('agent-cash-out').says(reference).enters().sees('agent-cash-out.done');
    return { agent, code, phone };
  };
  const looks = { deposits: 2, deposited: 40_000, withdrawals: 1, withdrawn: 20_000 };

  testOn(CHANNELS)('as the wallet lists it, after the PIN, on %s', async (channel) => {
    const { agent } = await served(channel);
    await agent.goes('menu').chooses('agent-day').sees('agent-day.askPin');
    await agent.enters().sees('agent-day.shown', looks);
    await agent.chooses('list').sees('agent-day.listed').goes('back').sees('agent-day.shown');
  });

  test('as Wasl knows them when the key may not read all, with the open ones', async () => {
    const { agent, phone } = await served('web');
    const reference = await referenceOf(world, 'cash-in', phone, 50);
    await agent.goes('menu').chooses('agent-cash-in').says(reference);
    world.wallet.next('agentCashIn', LOST);
    await agent.enters().sees('agent-cash-in.notConfirmed');
    world.wallet.next('agentOperations', refused('http403'));
    await agent.goes('menu').chooses('agent-day').enters().sees('agent-day.shownOwn', looks).chooses('list');
    const { operations } = agent.reply().screen.values ?? {};
    expect(operations && 'lines' in operations && operations.lines.map(({ key }) => key)).toEqual([
      'agent-day.depositOpen',
      'agent-day.withdrawal',
      'agent-day.deposit',
      'agent-day.deposit',
    ]);
  });

  test('no row of another agent is shown', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    world.wallet.next(
      'agentOperations',
      ok({
        operations: [
          {
            ...{ id: 1, type: 1, status: 2, direction: 2, at: world.clock.now() },
            ...{ amount: 30_000, fees: 0, total: 30_000, sender: 'RA-2001', receiver: '+212600000001' },
          } as never,
        ],
        count: 1,
      }),
    );
    await agent.chooses('agent-day').enters().sees('agent-day.shown', { deposits: 0, deposited: 0 });
  });

  test('a quiet day is empty, and the day before is separate', async () => {
    const { agent } = await served('ussd');
    await world.passes(24 * 3_600_000);
    await agent.dials('6').enters().sees('agent-day.shown', { deposits: 0, withdrawals: 0 });
  });
});
