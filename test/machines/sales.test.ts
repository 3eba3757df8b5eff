import { describe, expect, test } from 'vitest';
import { CHANNELS, theWorld } from '../kit/world.ts';
import { merchantIn } from './merchant-orders.ts';

describe('a merchant’s menu', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each(CHANNELS)('leads to what a merchant has and took, and back, on %s', async (channel) => {
    const shop = merchantIn(world, channel);
    await shop.isAtMenu();
    for (const [choice, screen] of [
      ['balance', 'balance.askPin'],
      ['takings', 'takings.askPin'],
    ] as const)
      await shop.chooses('sales').sees('sales.choose').chooses(choice).sees(screen).goes('menu');
    await shop.sees('menu.choose').chooses('sales').goes('back').sees('menu.choose');
  });

  test.each([
    ['1', 'receive-payment.askAmount'],
    ['1*45', 'receive-payment.shownFor'],
    ['2', 'sales.choose'],
    ['2*1', 'balance.askPin'],
    ['2*2', 'takings.askPin'],
    ['3', 'merchant-refund.none'],
    ['5', 'card-payments.choose'],
    ['6', 'statement.askPin'],
    ['7', 'account.choose'],
    ['7*4', 'pin-change.askOldPin'],
    ['8*1', 'transfer.askRecipient'],
    ['8*8*1', 'merchant-payment.askMerchant'],
    ['9', 'help.help'],
  ])('*123*%s# is known by heart', async (digits, screen) => {
    await merchantIn(world, 'ussd')
      .isAtMenu()
      .dials(...digits.split('*'))
      .sees(screen);
  });

  test.each(['4', '10'])('%s is nothing on it', async (digit) => {
    await merchantIn(world, 'ussd').isAtMenu().says(digit).sees('menu.choose').isTold('nav.chooseOne');
  });

  test('a consumer has none of it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const offered = fatima.reply().screen.choices?.map(({ id }) => id);
    for (const id of ['receive-payment', 'sales', 'merchant-refund', 'card-payments', 'services'])
      expect(offered).not.toContain(id);
  });
});
