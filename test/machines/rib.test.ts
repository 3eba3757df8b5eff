import { describe, expect, test } from 'vitest';
import { CHANNELS_ON, LOST, STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('the RIB, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('is shown to a customer who knows the PIN, on %s', async (channel) => {
    const fatima = world.customer({ channel, firstName: 'Fatima', lastName: 'Amrani' });
    await fatima.isAtMenu();
    // The owner of a number is read once a day, by its profile.
    const before = world.wallet.calls(fatima.phone, 'profile');
    await fatima.says('mon rib').sees('rib.askPin');
    expect(world.wallet.calls(fatima.phone, 'profile')).toEqual(before);
    await fatima.enters();
    await fatima.sees('rib.shown', { name: 'Fatima Amrani', rib: expect.stringMatching(/^\d{24}$/) });
    world.wallet.next('profile', LOST);
    await fatima.goes('menu').says('/rib').enters().sees('rib.unavailable').isTold('problem.unavailable');
  });
});
