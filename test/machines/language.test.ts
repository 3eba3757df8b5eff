import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CHATS, describeOn, STORES, testOn, theWorld } from '../kit/world.ts';

describe.each(STORES)('the language, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(LANGUAGES)('is asked on the first dial and kept: %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima.dials().sees('language.choose').chooses(language).sees('menu.choose');
    expect(fatima.reply().language).toBe(language);
    await fatima.dials().sees('menu.choose');
    expect(fatima.reply().language).toBe(language);
  });

  describeOn(CHATS)('on %s', (channel) => {
    test.each(LANGUAGES)('of a page or a phone is taken for the first guess: %s', async (language) => {
      const fatima = world.customer({ channel, language });
      await fatima.opens().sees('linking.askPhone');
      expect(fatima.reply().language).toBe(language);
    });
  });

  testOn(CHATS)('can be changed anywhere, and the screen stays, on %s', async (channel) => {
    const fatima = world.customer({ channel, language: 'fr' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await fatima.says('/language').sees('language.choose');
    await fatima.chooses('ar').sees('transfer.askAmount', { to: '+212655000000' });
    expect(fatima.reply().language).toBe('ar');
    await fatima.says('/menu').chooses('account').chooses('language').chooses('en').sees('menu.choose');
    expect(fatima.reply().language).toBe('en');
  });

  test('can be left as it is', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu().chooses('account').chooses('language').goes('back').sees('account.choose');
    expect(fatima.reply().language).toBe('ar');
  });

  test.each(['bonjour', '7', '0', '00', '98', '99', '/help', '/menu', '/cancel'])(
    'the very first page says what this is and has the languages, after any answer: %s',
    async (text) => {
      const fatima = world.customer();
      const isFirst = () => {
        const { text: page } = pageOf(world.renderer, fatima.reply());
        expect(page).toBe('Wasl: portefeuille, محفظة, wallet\n1 Français\n2 العربية\n3 English');
      };
      await fatima.dials().meanwhile(isFirst).says(text).sees('language.choose').meanwhile(isFirst);
      await fatima.says('2').sees('menu.choose');
      expect(fatima.reply().language).toBe('ar');
    },
  );

  test.each([
    ['تعرضت للنصب', 'ar', 'help.urgent'],
    ['i was robbed', 'en', 'help.urgent'],
    ["j'ai été volé", 'fr', 'help.urgent'],
    ['جمد حسابي', 'ar', 'freeze.frozen'],
    ['رصيد', 'ar', 'balance.askPin'],
    ['solde', 'fr', 'balance.askPin'],
    ['مساعدة', 'ar', 'help.help'],
    ['arabe', 'ar', 'menu.choose'],
    ['كلام غريب', 'ar', 'menu.choose'],
  ] as const)('is that of a request on the very first page, and kept: %s', async (text, language, key) => {
    const fatima = world.customer();
    await fatima.dials().says(text).sees(key);
    expect(fatima.reply().language).toBe(language);
    expect(pageOf(world.renderer, fatima.reply()).text).not.toContain('portefeuille, محفظة');
    await fatima.dials().sees('menu.choose');
    expect(fatima.reply().language).toBe(language);
  });

  test.each(['اريد فتح محفظة', 'open a wallet'])(
    'of the wish for a wallet asks for consent: %s',
    async (text) => {
      const salma = world.stranger();
      await salma
        .dials()
        .says(text)
        .sees('consent.ask')
        .isToldNothing()
        .says(text)
        .sees('consent.ask')
        .isToldNothing();
    },
  );

  test('of the first words in a chat that knows none is not asked for', async () => {
    const fatima = world.customer({ channel: 'whatsapp' });
    await fatima.says('تعرضت للنصب').sees('help.urgent');
    expect(fatima.reply().language).toBe('ar');
  });

  test.each(['ussd', 'web'] as const)(
    'called by its name at a question, it is the language of that, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, language: 'fr' });
      await fatima.isAtMenu().says('العربية').sees('menu.choose');
      expect(fatima.reply().language).toBe('ar');
      await fatima.chooses('transfer').says('0655000000').says('français').sees('transfer.askAmount');
      expect(fatima.reply().language).toBe('fr');
      await fatima.says('100').says('English').sees('transfer.askPinOpenLoop', { amount: 10_000 });
      expect(fatima.reply().language).toBe('en');
      await fatima.goes('menu').says('facture').says('arabe').sees('bill-payment.chooseCreditor');
      expect(fatima.reply().language).toBe('ar');
      // Where words are an answer, it is one.
      await fatima.goes('menu').says('bénéficiaires').chooses('add').says('0655000001').says('English');
      await fatima.sees('beneficiaries.done', { name: 'English' });
      expect(fatima.reply().language).toBe('ar');
    },
  );

  // Telegram has no such place: there the language is chosen in the conversation.
  test('picked on the page changes the language and nothing else', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').speaks('en').sees('transfer.askAmount');
    expect(fatima.reply().language).toBe('en');
  });
});
