import { describe } from 'vitest';
import { CHANNELS, testOn, theWorld } from '../kit/world.ts';
import { merchantIn } from './merchant-orders.ts';
import { visits } from './submenus.ts';

describe('other services of a merchant', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('are those of every customer, and lead back, on %s', async (channel) => {
    const shop = merchantIn(world, channel);
    await shop.isAtMenu();
    await visits(shop, 'services', {
      transfer: 'transfer.askRecipient',
      'top-up': 'top-up.askNumber',
      'bill-payment': 'bill-payment.chooseCreditor',
      cash: 'cash.choose',
      shopping: 'shopping.choose',
    });
  });
});
