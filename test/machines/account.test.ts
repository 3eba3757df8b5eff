import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { CHANNELS, testOn, theWorld } from '../kit/world.ts';
import { visits } from './submenus.ts';

describe('the account', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('leads to all its entries, and back, on %s', async (channel) => {
    const fatima = world.customer({ channel, walletType: 'C' });
    await fatima.isAtMenu();
    await visits(fatima, 'account', {
      profile: 'profile.askPin',
      'pin-change': 'pin-change.askOldPin',
      'pin-reset': 'pin-reset.explain',
      language: 'language.choose',
      closing: 'closing.askReason',
    });
  });

  test('a language chosen here is spoken from then on', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('account').chooses('language').chooses('ar').sees('menu.choose');
    await fatima.chooses('account').sees('account.choose');
    expect(fatima.reply().language).toBe('ar');
  });

  test.each([
    ['profile', 'account.choose'],
    ['pin-change', 'account.choose'],
    // The reset is also reached by those whose wallet is locked, who have no account to go back to.
    ['pin-reset', 'account.choose'],
    ['closing', 'account.choose'],
  ])('back from %s leads to the account', async (choice, screen) => {
    const fatima = world.customer({ walletType: 'C' });
    await fatima.isAtMenu().chooses('account').chooses(choice).goes('back').sees(screen);
    await fatima.goes('back').sees('menu.choose');
  });

  test('an answer that is no choice is asked again, and the wallet is not called', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('account');
    const calls = world.wallet.calls(fatima.phone).length;
    for (const text of ['10', '12', '-1', '1.5', ':)', '\u202e1']) {
      await fatima.says(text).sees('account.choose').isTold('nav.chooseOne');
    }
    if (pageOf(world.renderer, fatima.reply()).choices < 4) await fatima.says('98');
    await fatima.says('٤').sees('pin-change.askOldPin');
    expect(world.wallet.calls(fatima.phone)).toHaveLength(calls);
  });

  test('a redial begins at the menu', () =>
    world.customer().isAtMenu().chooses('account').dials().sees('menu.choose').isToldNothing());
});
