import { describe, expect, test } from 'vitest';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON } from '../kit/rotation.ts';
import { STORES, theWorld } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from './cash-orders.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe.each(STORES)('cash is paid in with a reference, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('which is shown, executed at a network, and told once, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '0' });
    await fatima.isAtMenu().says('dépôt').sees('cash-in.askAmountWithin', { limit: 400_000 });
    await fatima.says('300').sees('cash-in.shown', { amount: 30_000 });
    const reference = await numberOf(world, fatima);
    await fatima.sees('cash-in.shown', { reference });
    expect(await executes(world, 'network', 'cash-in', reference)).toBe(200);
    await world.passes(1_500);
    if (channel === 'ussd') {
      await world.rests();
      expect(world.sms(fatima.phone).at(-1)).toContain(reference);
      await fatima.dials().sees('menu.choose').isTold('cash-in.executed', { amount: 30_000, reference });
    } else await fatima.hears('cash-in.executed', { amount: 30_000, reference }).hearsNothing();
    await world.passes(2 * HOUR_MS);
    if (channel !== 'ussd') await fatima.hearsNothing();
  });
});
