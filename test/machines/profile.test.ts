import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/wallet/wallet.ts';
import { CHANNELS, type Customer, LOST, refused, testOn, theWorld, UNSENT } from '../kit/world.ts';

const asks = (fatima: Customer) => fatima.chooses('account').chooses('profile').sees('profile.askPin');
const begins = (fatima: Customer) => fatima.isAtMenu().walks(asks);

describe('the profile', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is shown after the PIN, on %s', async (channel) => {
    const fatima = world.customer({
      channel,
      firstName: 'Fatima',
      lastName: 'Amrani',
      level: 2,
      balance: '500',
    });
    await fatima.isAtMenu();
    // The owner of a number is read once a day, by its profile.
    const before = world.wallet.calls(fatima.phone, 'profile');
    await fatima.walks(asks);
    expect(world.wallet.calls(fatima.phone, 'profile')).toEqual(before);
    await fatima.enters();
    await fatima.sees('profile.shown', {
      name: 'Fatima Amrani',
      phone: fatima.phone,
      level: 2,
      limit: 400_000,
      left: 350_000,
      rib: expect.stringMatching(/^\d{24}$/),
      next: 'profile.needsLevel3',
    });
    await fatima.goes('menu').sees('menu.choose');
  });

  test.each([
    [1, 100_000, 20_000, 'profile.needsLevel2'],
    [2, 400_000, 320_000, 'profile.needsLevel3'],
    [3, 2_000_000, 1_920_000, 'profile.needsLevel4'],
  ] as const)(
    'level %d has its limit, the room below it and the requirements of the next one',
    (level, limit, left, next) =>
      world
        .customer({ level, balance: '800' })
        .walks(begins)
        .enters()
        .sees('profile.shown', { level, limit, left, next }),
  );

  test('the highest level names no room, as a merchant may have negotiated another limit', async () => {
    const fatima = world.customer({ level: 4 });
    await fatima.walks(begins).enters();
    await fatima.sees('profile.shownHighest', { level: 4, limit: 10_000_000, next: 'profile.highest' });
    expect(Object.keys(fatima.reply().screen.values ?? {})).not.toContain('left');
  });

  test('a wallet above its limit has no room left', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    const value = { fullName: 'Fatima', phone: fatima.phone, balance: 500_000, status: 3, level: 2 };
    world.wallet.next('profile', { kind: 'ok', value: value as unknown as Profile });
    await fatima.enters().sees('profile.shown', { limit: 400_000, left: 0 });
  });

  test.each([
    ['a level that the table does not have', { level: 5, rib: '0'.repeat(24) }, { rib: '0'.repeat(24) }],
    ['a level of none', { level: 0 }, { rib: 'profile.noRib' }],
  ])('%s has no limit, as a contract sets it', async (_, known, values) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    const value = { fullName: 'Épicerie du Coin', phone: fatima.phone, balance: 0, status: 3, ...known };
    world.wallet.next('profile', { kind: 'ok', value: value as unknown as Profile });
    await fatima.enters().sees('profile.shownOther', { name: 'Épicerie du Coin', ...values });
    expect(Object.keys(fatima.reply().screen.values ?? {}).sort()).toEqual(['name', 'phone', 'rib']);
  });

  test('a wallet without a RIB', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    const value = { fullName: 'Fatima', phone: fatima.phone, balance: 0, status: 3, level: 1 };
    world.wallet.next('profile', { kind: 'ok', value: value as unknown as Profile });
    await fatima.enters().sees('profile.shown', { rib: 'profile.noRib' });
  });

  test.each([
    ['is slow', LOST, 'problem.unavailable'],
    ['cannot be reached', UNSENT, 'problem.unavailable'],
    ['refuses', refused('20005'), 'problem.20005'],
    ['refuses in its own words', refused('47110'), 'problem.other'],
  ] as const)('the wallet %s', async (_, instead, told) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    world.wallet.next('profile', instead);
    await fatima.enters().sees('profile.unavailable').isTold(told);
  });

  test('is not shown for a wrong PIN, and back leads to the account', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const before = world.wallet.calls(fatima.phone, 'profile');
    await fatima.walks(asks).enters('4321').sees('profile.askPin');
    await fatima.isTold('pin.wrongWithTries', { count: 2 }).goes('back').sees('account.choose');
    expect(world.wallet.calls(fatima.phone, 'profile')).toEqual(before);
  });

  test('a redial leads to the menu: nothing was said yet', () =>
    world.customer().walks(begins).dials().sees('menu.choose').isToldNothing());
});
