import { describe, expect, test } from 'vitest';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS, CHANNELS_ON, STORES, testOn, theWorld } from '../kit/world.ts';
import { merchantIn } from './merchant-orders.ts';

describe.each(STORES)('the balance, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('is shown after the PIN, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '1234.50' });
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    expect(world.wallet.calls(fatima.phone, 'balance')).toEqual([]);
    await fatima.enters().sees('balance.shown', { balance: 123_450 });
    await fatima.goes('menu').sees('menu.choose').isToldNothing();
  });

  test.each(CHANNELS_ON[store])('is not shown for a wrong PIN, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('balance');
    await fatima.enters('4321').sees('balance.askPin').isTold('pin.wrongWithTries', { count: 2 });
    await fatima.enters('0000').isTold('pin.lastTry').goes('back').sees('menu.choose');
    expect(world.wallet.calls(fatima.phone, 'balance')).toEqual([]);
  });
});

describe('the balance', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each([
    ['the wallet is slow', LOST, 'problem.unavailable'],
    ['the wallet cannot be reached', UNSENT, 'problem.unavailable'],
    ['the wallet refuses', refused('20005'), 'problem.20005'],
  ] as const)('%s', async (_, instead, told) => {
    world.wallet.next('balance', instead);
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.unavailable').isTold(told).dials();
    await fatima.chooses('balance').enters().sees('balance.shown', { balance: 50_000 });
  });

  test('a lost login answer may have cost a try, and is asked again', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance');
    world.wallet.next('login', loses);
    await fatima.enters().sees('balance.askPin').isTold('pin.lost');
    await fatima.enters().sees('balance.shown', { balance: 50_000 });
  });

  test.each([
    ['1', 'statement.empty'],
    ['2', 'upgrade.explain'],
  ])('*123*2# goes on to the next request: %s', async (digit, screen) => {
    await world.customer().isAtMenu().dials('2').enters().sees('balance.shown').says(digit).sees(screen);
  });

  testOn(CHANNELS)(
    'a merchant’s limit is negotiated, and its digit opens nothing else, on %s',
    async (channel) => {
      const shop = merchantIn(world, channel);
      await shop.isAtMenu().chooses('sales').chooses('balance').enters().sees('balance.shown');
      expect(shop.reply().screen.choices?.map(({ id, digit }) => [id, digit])).toEqual([['statement', 1]]);
      await shop.chooses('statement').sees('statement.empty');
    },
  );

  test('in a chat a line of words is understood below it, as below any last screen', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.shown');
    await fatima.says('recharge').sees('top-up.askNumber');
  });

  test('it is read again every time', async () => {
    const fatima = world.customer({ balance: '7' });
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.shown', { balance: 700 });
    world.wallet.next('balance', { kind: 'ok', value: 900 as never });
    await fatima.goes('menu').chooses('balance').enters().sees('balance.shown', { balance: 900 });
  });
});
