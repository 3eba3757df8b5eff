import { describe, expect, test } from 'vitest';
import { CHANNELS, testOn, theWorld } from '../kit/world.ts';
import { visits } from './submenus.ts';

describe('shopping', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('leads to all its entries, and back, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await visits(fatima, 'shopping', {
      'merchant-payment': 'merchant-payment.askMerchant',
      voucher: 'voucher.chooseBrand',
    });
  });

  test('a digit belongs to its entry, also where another entry is left out', async () => {
    const fatima = world.customer();
    world.sandbox.setModules({ vouchers: false });
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').sees('voucher.notEnabled').goes('menu');
    await fatima.says('8').sees('shopping.choose').says('2').isTold('nav.chooseOne');
    await fatima.says('1').sees('merchant-payment.askMerchant');
    world.sandbox.setModules({ vouchers: true });
    await fatima.dials().sees('menu.choose').says('8').says('2').sees('voucher.chooseBrand');
  });

  test.each([
    ['1', 'transfer.askRecipient'],
    ['2', 'balance.askPin'],
    ['3', 'top-up.askNumber'],
    ['4', 'bill-payment.chooseCreditor'],
    ['6', 'statement.askPin'],
    ['7', 'account.choose'],
    ['7*4', 'pin-change.askOldPin'],
    ['8*1', 'merchant-payment.askMerchant'],
    ['9', 'help.help'],
  ])('*123*%s# is known by heart', async (digits, screen) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.dials(...digits.split('*')).sees(screen);
  });

  test.each(['10'])('%s is nothing on the menu', async (digit) => {
    const fatima = world.customer();
    await fatima.isAtMenu().says(digit).sees('menu.choose').isTold('nav.chooseOne');
    expect(fatima.reply().screen.choices?.some(({ digit: own }) => own === Number(digit))).toBe(false);
  });
});
