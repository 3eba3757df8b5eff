import { describe, test } from 'vitest';
import { type Customer, theWorld } from '../kit/world.ts';

const world = theWorld({ bot: 'webhook' });

describe('a receipt that was read is not said again', () => {
  const settles = (fatima: Customer) =>
    fatima.isAtMenu().says('envoyer 50 à 0655000000').enters().after(1_500).hears('transfer.done');
  const pays = (fatima: Customer) => settles(fatima).opens().sees('transfer.done');

  test.each([
    ['help', 'help.help'],
    ["j'ai fait une erreur de numéro", 'help.undoThis'],
  ])('after %s, which leads on to the menu', async (words, key) => {
    const fatima = world.customer({ channel: 'web' });
    await pays(fatima);
    await (words === 'help' ? fatima.goes('help') : fatima.says(words)).sees(key);
    await fatima.chooses('continue').sees('menu.choose');
    await fatima.goes('help').goes('back').sees('menu.choose');
  });

  test.each([
    ['tarifs', 'nav.feesBefore'],
    ['merci', 'nav.welcome'],
    ['4111111111111111', 'nav.cardNumber'],
    ['a'.repeat(300), 'nav.tooLong'],
  ])('after words that only get a notice: %s', async (words, notice) => {
    const fatima = world.customer({ channel: 'web' });
    await pays(fatima);
    await fatima.says(words).sees('menu.choose').isTold(notice);
  });

  test.each(['web', 'telegram', 'whatsapp'] as const)(
    'and what it offers stays until a request begins, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await settles(fatima);
      await fatima.says('xyzzy').sees('menu.choose').isTold('nav.chooseOne');
      await fatima.says('merci').sees('menu.choose').chooses('save').sees('beneficiaries.askName');
      await fatima.goes('menu').sees('menu.choose').offersNo('save');
      const youssef = world.customer({ channel });
      await settles(youssef);
      await youssef.says('xyzzy').says('enregistrer').sees('beneficiaries.askName');
      const salma = world.customer({ channel });
      await settles(salma);
      await salma.says('xyzzy').chooses('balance').sees('balance.askPin').goes('menu').offersNo('save');
    },
  );
});

test.each([
  ['fr', 'débloquer mes paiements'],
  ['fr', 'je veux débloquer mes paiements'],
  ['en', 'unfreeze my payments'],
  ['ar', 'رفع تجميد أداءاتي'],
] as const)('a payment that the freeze has stopped: %s: %s', async (language, words) => {
  const fatima = world.customer({ channel: 'web', language });
  await fatima.isAtMenu().says('/freeze').sees('freeze.frozen').goes('menu');
  await fatima.says('/transfer').sees('freeze.stopped').says(words).sees('freeze.askPin');
  await fatima.goes('menu').says('/transfer 0655000000 50').sees('freeze.stopped');
  await fatima.says(words).sees('freeze.askPin');
  // It was frozen elsewhere meanwhile.
  const youssef = world.customer({ channel: 'web', language });
  const phone = world.chatOf(youssef);
  await phone.isAtMenu();
  await youssef.isAtMenu().says('/transfer 0655000000 50').sees('transfer.askPinOpenLoop');
  await phone.says('/freeze').sees('freeze.frozen');
  await youssef.enters().sees('freeze.stopped').says(words).sees('freeze.askPin');
});
