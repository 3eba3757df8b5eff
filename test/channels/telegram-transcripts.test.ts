import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';
import { expectNoTrouble } from './bot-api/way.ts';

const WRONG = '4321';

/** By webhook, and on both stores, the transcripts of `test/machines` go. */
describe('a chat whose updates are fetched', () => {
  const stage = theBotStage({ updates: 'polling' });
  const customer = (language: Language = 'fr', balance = '500') => {
    const { phone } = stage.world.customer({ balance });
    return createBotCustomer(stage, phone, language);
  };
  afterEach(() => expectNoTrouble(stage));

  describe.each(LANGUAGES)('in %s', (language) => {
    test('a wallet is linked by sharing the number, then the PIN', async () => {
      const fatima = customer(language);
      await fatima.opens().sees('linking.askPhone');
      expect(fatima.person.chat.keyboard?.keyboard?.flat()).toMatchObject([{ request_contact: true }]);
      await fatima.sharesNumber().sees('unlocking.askPin', { phone: fatima.phone }).enters(WRONG);
      await fatima.sees('unlocking.askPin').isTold('pin.wrongWithTries').enters().sees('menu.choose');
      await fatima.isTold('unlocking.unlocked');
      expect(fatima.person.chat.keyboard).toBeUndefined();
      // The message that took the keyboard away is gone, too.
      expect(fatima.person.visible().map(({ text }) => text)).not.toContain(
        stage.world.renderer.chat({ key: 'telegram.moment', expects: 'nothing' }, language).text,
      );
      expect(stage.world.sms(fatima.phone)).toEqual([]);
    });

    test('the balance', () =>
      customer(language, '1234.50')
        .isAtMenu()
        .chooses('balance')
        .sees('balance.askPin')
        .enters()
        .sees('balance.shown', { balance: 123_450 })
        .goes('menu')
        .sees('menu.choose'));

    test('a transfer, and its outcome as a message of its own', async () => {
      const fatima = customer(language);
      await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
      await fatima.says('0655000000').sees('transfer.askAmount');
      await fatima.says('100').sees('transfer.askPinOpenLoop', { amount: 10_000 });
      await fatima.enters().sees('transfer.processing');
      await fatima.meanwhile(() => stage.world.passes(1_500)).hears('transfer.done', { amount: 10_000 });
      await fatima.goes('menu').sees('menu.choose');
      const done = fatima.person.visible().filter(({ text }) => text.includes('✅'));
      expect(done.length).toBeGreaterThanOrEqual(1);
      expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    });

    test('opening a wallet', async () => {
      const { phone } = stage.world.stranger();
      await createBotCustomer(stage, phone, language)
        .opens()
        .sharesNumber()
        .sees('consent.ask')
        .chooses('agree')
        .says('Salma')
        .says('Idrissi')
        .says('AB123456')
        .chooses('confirm')
        .entersCodeFromSms()
        .sees('onboarding.askNewPin')
        .enters('2590')
        .sees('onboarding.repeatPin')
        .enters('2590')
        .sees('onboarding.opened', { phone });
    });
  });
});
