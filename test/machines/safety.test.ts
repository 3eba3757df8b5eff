import { describe, expect, test } from 'vitest';
import type { Customer } from '../kit/customer.ts';
import { CHANNELS, theWorld } from '../kit/world.ts';
import { KARIM } from './bank-orders.ts';

const KNOWN = '0655000000';
const HOUR_MS = 3_600_000;
const orders =
  (amount: string, to = KNOWN) =>
  (customer: Customer) =>
    customer.says('/transfer').says(to).says(amount);

describe('what a customer may not expect', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each(CHANNELS)('somebody new is asked about once, on a screen of its own, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '5000' });
    await fatima.isAtMenu().walks(orders('499')).sees('transfer.askPinOpenLoop').chooses('cancel');
    await fatima.walks(orders('500')).sees('pay.askNew').chooses('cancel').sees('transfer.cancelled');
    await fatima.walks(orders('500')).sees('pay.askNew').chooses('confirm').sees('transfer.askPinOpenLoop');
    await fatima.enters();
    await world.passes(5_000);
    await fatima.goes('menu').walks(orders('600')).sees('transfer.askPinOpenLoop');
  });

  test('the answer is kept where the quote has grown old meanwhile', async () => {
    const fatima = world.customer({ channel: 'web', balance: '5000' });
    await fatima.isAtMenu().walks(orders('500')).sees('pay.askNew');
    await fatima
      .meanwhile(() => world.passes(121_000))
      .chooses('confirm')
      .sees('transfer.askPinOpenLoop');
    await fatima.goes('back').sees('transfer.askAmount').says('510').sees('pay.askNew');
  });

  test('an amount far above the usual', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().walks(orders('300')).enters();
    await world.passes(3_000_000);
    await fatima.dials().walks(orders('900')).sees('transfer.askPinOpenLoop').chooses('cancel');
    await fatima
      .walks(orders('1000'))
      .sees('pay.askUnusual')
      .chooses('confirm')
      .sees('transfer.askPinOpenLoop');
    await fatima.goes('menu').walks(orders('1000', '0655000001')).sees('pay.askBoth');
  });

  test('an account of a bank, and a merchant, are somebody as well', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima
      .isAtMenu()
      .says('/bank-transfer')
      .says(KARIM)
      .says('Karim Alami')
      .says('600')
      .sees('pay.askNew');
  });
});

describe('a large payment', () => {
  const world = theWorld({ bot: 'webhook' });
  const large = orders('1001');

  test('waits in a chat that was linked today, and not where the SIM proves who dials', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima
      .isAtMenu()
      .walks(large)
      .sees('problem.newLink', { amount: 100_000 })
      .chooses('amend')
      .sees('transfer.askAmount');
    await fatima.says('1000').sees('pay.askNew');
    await world.dialer(fatima).isAtMenu().walks(large).sees('pay.askNew');
    await world.passes(24 * HOUR_MS);
    await fatima.goes('menu').walks(large).sees('pay.askNew');
  });

  test('waits everywhere after a new PIN; a withdrawal too', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().chooses('account').chooses('pin-change').enters().enters('2580').enters('2580');
    await fatima.sees('pin-change.changed').goes('menu').walks(large).sees('problem.newPin');
    await fatima.goes('menu').says('/cash-out 1001').sees('problem.newPin');
    expect(world.wallet.calls(fatima.phone, 'requestCashOut')).toEqual([]);
    await world.passes(24 * HOUR_MS);
    await fatima.dials().walks(large).sees('pay.askNew');
  });

  test('waits also after the PIN was reset, and after a thaw', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().chooses('account').chooses('pin-reset').chooses('send').entersCodeFromSms();
    await fatima.enters('5937').enters('5937').sees('menu.choose').walks(large).sees('problem.newPin');
    await world.passes(24 * HOUR_MS);
    await fatima
      .dials()
      .says('/geler')
      .chooses('thaw')
      .enters('5937')
      .entersCodeFromSms()
      .sees('freeze.thawed');
    await fatima.dials().walks(large).sees('problem.newThaw');
  });

  test('a PIN that changes while it is confirmed holds it back', async () => {
    const fatima = world.customer({ balance: '9000' });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().walks(large).chooses('confirm').sees('transfer.askPinOpenLoop');
    await chat.chooses('account').chooses('pin-change').enters().enters('2580').enters('2580');
    await fatima.enters('2580').sees('problem.newPin');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });
});
