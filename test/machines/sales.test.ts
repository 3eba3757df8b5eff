import { describe, expect, test } from 'vitest';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { CHANNELS, testOn, theWorld } from '../kit/world.ts';
import { KARIM } from './bank-orders.ts';
import { merchantIn } from './merchant-orders.ts';
import { visits } from './submenus.ts';

/** The merchant's own account, at a bank. */
const OWN = ribWith('007780', 9876543210987);

describe('a merchant’s menu', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('leads to the money and takings of a merchant, and back, on %s', async (channel) => {
    const shop = merchantIn(world, channel);
    await shop.isAtMenu();
    await visits(shop, 'sales', {
      balance: 'balance.askPin',
      takings: 'takings.askPin',
    });
  });

  test.each([
    ['1', 'receive-payment.askAmount'],
    ['1*45', 'receive-payment.shownFor'],
    ['2', 'sales.choose'],
    ['2*1', 'balance.askPin'],
    ['2*2', 'takings.askPin'],
    ['2*3', 'takings.askPin'],
    ['3', 'merchant-refund.none'],
    ['4', 'bank-transfer.askRib'],
    [`4*${KARIM}`, 'bank-transfer.askHolder'],
    ['5', 'card-payments.choose'],
    ['6', 'statement.askPin'],
    ['7', 'account.choose'],
    ['7*4', 'pin-change.askOldPin'],
    ['8*1', 'transfer.askRecipient'],
    ['8*5*3', 'cash-out.askAmount'],
    ['8*8*1', 'merchant-payment.askMerchant'],
    ['9', 'help.help'],
  ])('*123*%s# is known by heart', async (digits, screen) => {
    await merchantIn(world, 'ussd')
      .isAtMenu()
      .dials(...digits.split('*'))
      .sees(screen);
  });

  test('*123*2*3# shows the takings of yesterday', async () => {
    const shop = merchantIn(world, 'ussd');
    await shop.isAtMenu().dials('2', '3').enters().sees('takings.none');
    expect(shop.reply().screen.values?.period).toEqual({ say: 'takings.yesterday' });
  });

  test('10 is nothing on it', async () => {
    await merchantIn(world, 'ussd').isAtMenu().says('10').sees('menu.choose').isTold('nav.chooseOne');
  });

  test('*123*4*<rib>*2# asks for the holder and the PIN, and for a known account only for the PIN', async () => {
    const shop = world.customer({ walletType: 'C', balance: '900' });
    await shop.isAtMenu();
    expect(await world.api.saveBeneficiary(shop.phone, { name: 'Ma banque', rib: OWN })).toMatchObject({
      kind: 'ok',
    });
    await shop.dials('4', OWN, '2').sees('bank-transfer.askPin', { to: 'Ma banque', amount: 200 });
    await shop.dials('4', KARIM, '2').sees('bank-transfer.askHolderFor', { sum: 200 }).says('Karim');
    await shop.sees('bank-transfer.askPin', { to: 'Karim', amount: 200 });
    await shop.enters().sees('bank-transfer.accepted');
    await world.passes(6_000);
    await shop.dials('4', KARIM, '1').sees('bank-transfer.askPin', { to: 'Karim', amount: 100 });
    await shop.dials('4', '1').sees('bank-transfer.askRib');
  });

  test('a consumer has none of it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const offered = fatima.reply().screen.choices?.map(({ id }) => id);
    for (const id of ['receive-payment', 'sales', 'merchant-refund', 'card-payments', 'services'])
      expect(offered).not.toContain(id);
  });
});
