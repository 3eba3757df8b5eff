import { describe, expect, test } from 'vitest';
import type { ChannelName } from '../../src/conversation/incoming.ts';
import type { CustomerStatus } from '../../src/wallet/wallet.ts';
import { CHATS, LOST, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';

/** The screen after each status of a customer, on USSD and in a chat with a proven number. */
const WHERE: [CustomerStatus, string, string][] = [
  [0, 'consent.ask', 'consent.ask'],
  [1, 'onboarding.askCode', 'onboarding.askCode'],
  [2, 'onboarding.askNewPin', 'onboarding.askNewPin'],
  [3, 'menu.choose', 'unlocking.askPin'],
  [4, 'menu.lockedForNow', 'menu.lockedForNow'],
  [5, 'menu.locked', 'menu.locked'],
];

describe.each(STORES)('the menu, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(WHERE)('a customer of status %i', async (status, onUssd, inChat) => {
    const someone = (channel: ChannelName) =>
      status === 0
        ? world.stranger({ channel })
        : world.customer({ channel, status, ...(status < 3 && { balance: '0' }) });
    await someone('ussd').arrives().sees(onUssd);
    for (const channel of CHATS) await someone(channel).arrives().sees(inChat);
  });

  test.each([
    ['lien de paiement 80', 'receive-payment.notMerchant'],
    ['/card-payment', 'receive-payment.notMerchant'],
    ['recettes', 'receive-payment.notMerchant'],
    ['/sales', 'receive-payment.notMerchant'],
    ['rembourser', 'help.undo'],
    ['paiements par carte', 'cards.none'],
    ['kyb', 'upgrade.explain'],
  ])('a consumer does not reach a service of merchants by its words: %s', async (words, seen) => {
    const fatima = world.customer();
    await fatima.isAtMenu().says(words).sees(seen).goes('menu').sees('menu.choose').isToldNothing();
  });

  test.each([
    ['lien de paiement 80', 'card-payment.chooseWay'],
    ['recettes', 'takings.askPin'],
    ['paiements par carte', 'card-payments.choose'],
  ])(
    'a merchant reaches it, even when the wallet did not give the type of the customer: %s',
    async (words, seen) => {
      const shop = world.customer({ walletType: 'C' });
      await shop.isAtMenu().says(words).sees(seen);
      const another = world.customer({ walletType: 'C' });
      for (let i = 0; i < 3; i++) world.wallet.next('staticQr', LOST);
      await another.isAtMenu().says(words).sees(seen);
    },
  );

  test('a customer who registered elsewhere without typing the code continues there', async () => {
    const fatima = world.customer({ status: 1, balance: '0' });
    await fatima.arrives().sees('onboarding.askCode').isTold('onboarding.begun');
    await fatima.goes('menu').sees('onboarding.left').isToldNothing().dials().isTold('onboarding.begun');
    await fatima.entersCodeFromSms().sees('onboarding.askNewPin').isToldNothing();
    await fatima.enters('2590').enters('2590').sees('onboarding.opened').goes('menu').chooses('balance');
    await fatima.enters('2590').sees('balance.empty', { balance: 0 });
  });

  test.each([
    ['an answer that is lost', LOST],
    ['a wallet that cannot be reached', UNSENT],
    ['a refusal', refused('47110')],
  ])('the customer reads about %s, and the next try goes on', async (_, instead) => {
    const fatima = world.customer();
    world.wallet.next('customerStatus', instead);
    fatima.arrives().sees('menu.unavailable');
    await (instead.kind === 'refused' ? fatima.isTold('problem.other') : fatima.isToldNothing());
    await fatima.dials().sees('menu.choose').isToldNothing();
  });

  test.each(['0', '10', '42', '-1', '1.', 'asdf', '', '¹', '1 2'])('%j is no choice', async (answer) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(answer).sees('menu.choose').isTold('nav.chooseOne');
  });

  test.each([
    ['bonjour', 'menu.choose', 'nav.hello'],
    ['merci beaucoup', 'menu.choose', 'nav.welcome'],
    ['je ne veux pas envoyer', 'menu.choose', 'nav.chooseOne'],
  ])('%j moves nothing', (text, key, notice) =>
    world.customer({ channel: 'web' }).isAtMenu().says(text).sees(key).isTold(notice),
  );

  test.each([
    ['3tini rassid', 'balance.askPin'],
    ['بغيت نصيفط', 'transfer.askRecipient'],
    ['je voudrais recharger mon téléphone', 'top-up.chooseOperator'],
    ['talk to a human', 'help.asked'],
  ])('%j is understood', (text, key) => world.customer({ channel: 'web' }).isAtMenu().says(text).sees(key));

  test('a choice may be typed in Arabic digits', () =>
    world.customer({ language: 'ar' }).isAtMenu().says('٢').sees('balance.askPin'));

  test('a customer with a locked wallet can ask for an adviser', async () => {
    const fatima = world.customer({ status: 5 });
    await fatima.arrives().sees('menu.locked').chooses('help').sees('help.help');
    await fatima.chooses('adviser').sees('help.asked').chooses('continue').sees('menu.locked');
  });

  test('the first entry of a locked wallet leads to an adviser, who asks what happened', async () => {
    const fatima = world.customer({ status: 5 });
    await fatima.arrives().says('1').sees('help.asked');
    await fatima.chooses('continue').sees('menu.locked');
  });

  test('a wallet locked for now is unlocked by a new PIN first, or by an adviser', async () => {
    const fatima = world.customer({ status: 4 });
    await fatima.arrives().sees('menu.lockedForNow');
    const { choices = [] } = fatima.reply().screen;
    expect(choices.map(({ id }) => id)).toEqual(['pin-reset', 'adviser', 'help']);
    await fatima.chooses('adviser').sees('help.asked').goes('back').sees('menu.lockedForNow');
  });

  test('a wallet locked meanwhile is noticed at the menu', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('customerStatus', { kind: 'ok', value: { status: 5 } });
    await fatima.goes('menu').sees('menu.locked').goes('menu').sees('menu.choose');
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  });
});
