import { describe, test } from 'vitest';
import { CHANNELS, theWorld } from '../kit/world.ts';
import { merchantIn } from './merchant-orders.ts';

describe('other services of a merchant', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each(CHANNELS)('are what every customer does, and lead back, on %s', async (channel) => {
    const shop = merchantIn(world, channel);
    await shop.isAtMenu();
    for (const [choice, screen] of [
      ['transfer', 'transfer.askRecipient'],
      ['top-up', 'top-up.askNumber'],
      ['bill-payment', 'bill-payment.chooseCreditor'],
      ['cash', 'cash.choose'],
      ['shopping', 'shopping.choose'],
    ] as const)
      await shop.chooses('services').sees('services.choose').chooses(choice).sees(screen).goes('menu');
    await shop.sees('menu.choose').chooses('services').goes('back').sees('menu.choose');
  });
});
