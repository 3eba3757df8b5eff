import { describe, expect, test } from 'vitest';
import { createRenderer } from '../../src/screen/renderer.ts';
import { type Customer, theWorld } from '../kit/world.ts';

const world = theWorld({ bot: 'webhook', form: true });
const asked = ({ address }: Customer) => world.engine.desk.cases.about('asked', address);

const STOLEN = [
  ['fr', "on m'a volé mon téléphone"],
  ['fr', 'on m a vole mon telephone'],
  ['fr', "j'ai perdu mon portable"],
  ['ar', 'سرق مني هاتفي'],
  ['ar', 'تسرق ليا التيليفون'],
  ['ar', 'ضاع هاتفي'],
  ['ar', 'tsre9 liya tilifoun'],
  ['fr', 'sr9o liya telephone'],
  ['en', 'my phone was stolen'],
  ['en', 'somebody stole my phone'],
] as const;

describe.each(['ussd', 'web', 'telegram'] as const)('on the help, on %s', (channel) => {
  test.each(STOLEN)('a stolen phone leads to the freeze and a person, in %s: %s', async (language, words) => {
    const fatima = world.customer({ channel, language });
    await fatima.isAtMenu().goes('help').says(words).sees('help.urgent');
    await fatima.offers('freeze', 'lost-card', 'adviser', 'continue');
    expect(await asked(fatima)).toBeUndefined();
    await fatima.says(words).sees('freeze.frozen');
  });

  test.each(STOLEN)(
    'so it does while a person is awaited, who reads it, in %s: %s',
    async (language, words) => {
      const fatima = world.customer({ channel, language });
      await fatima.isAtMenu().asksForAdviser().sees('help.asked');
      await fatima.says(words).sees('help.urgent').isTold('help.noted');
      const [last] = await world.engine.desk.turns(fatima.address, 1);
      expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
      await fatima.chooses('freeze').chooses('yes').sees('freeze.frozen');
    },
  );

  test.each([
    ['quel est mon plafond', 'upgrade.explain'],
    ['mon plafond', 'upgrade.explain'],
    ['plafond', 'upgrade.explain'],
    ['chhal 3ndi f solde', 'balance.askPin'],
    ['ما هو رصيدي', 'balance.askPin'],
    ['how do i pay a bill', 'bill-payment.chooseCreditor'],
    ['je veux envoyer 200 dh au 0655000000', 'transfer.askPinOpenLoop'],
    ['merci beaucoup', 'help.help'],
  ])('what is understood is answered, and asks for nobody: %s', async (words, key) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().goes('help').says(words).sees(key);
    expect(await asked(fatima)).toBeUndefined();
  });

  test.each(['مستشار', 'شكاية', 'شكوى', 'conseiller'])(
    'the word for a person asks for one, on whichever page the choice stands: %s',
    async (words) => {
      const fatima = world.customer({ channel, language: 'ar' });
      await fatima.isAtMenu().goes('help').says(words).sees('help.asked');
    },
  );

  test.each([
    'votre service ne marche jamais comme il faut',
    'je veux parler à un conseiller pour ma facture',
    "j'ai envoyé 200 dh hier et rien n'est arrivé",
    'mon frère a perdu son téléphone',
  ])('the rest becomes a message for a person: %s', async (words) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().goes('help').says(words).sees('help.written').isTold('help.caseIs');
    expect(await asked(fatima)).toBeDefined();
  });

  test('a request that waits behind it is kept, and another payment asks whether to leave it', async () => {
    const fatima = world.customer({ channel }).isAtMenu();
    await fatima.chooses('transfer').says('0655000000').goes('help').sees('help.help');
    await fatima.says('quel est mon solde').sees('balance.askPin').enters().sees('transfer.askAmount');
    await fatima.goes('help').says('je veux payer une facture').sees('transfer.resume');
    await fatima.chooses('continue').sees('transfer.askAmount');
  });
});

describe('a word is understood', () => {
  test.each([
    ['where money can be deposited after the balance', ['/balance', 'PIN'], 'dépôt', 'cash-in.askAmountLeft'],
    ['at the PIN of the balance: a deed', ['/balance'], 'factures', 'bill-payment.chooseCreditor'],
    [
      'at the PIN of the balance: a whole order',
      ['/balance'],
      'bghit nsifet 100 l 0655000000',
      'transfer.askPinOpenLoop',
    ],
    ['at the PIN of a payment', ['/transfer 0655000000 40'], 'factures', 'transfer.resumePayment'],
    ['at the code of a thaw', ['/freeze', 'thaw', 'PIN'], 'solde', 'balance.askPin'],
  ] as const)('%s', async (_, path, words, key) => {
    const fatima = world
      .customer({ channel: 'web', balance: key.startsWith('cash-in') ? '0' : '500' })
      .isAtMenu();
    for (const step of path)
      if (step === 'PIN') fatima.enters();
      else if (step === 'thaw') fatima.chooses('thaw');
      else fatima.says(step);
    await fatima.says(words).sees(key);
  });

  test.each([
    ['العربية', 'ar'],
    ['english', 'en'],
    ['français', 'fr'],
  ] as const)('%s at the question for a biller: its language', async (words, language) => {
    const fatima = world.customer({ channel: 'web', language: language === 'fr' ? 'en' : 'fr' });
    await fatima.isAtMenu().chooses('bill-payment').sees('bill-payment.chooseCreditor').says(words);
    await fatima.sees('bill-payment.chooseCreditor');
    expect(fatima.reply().language).toBe(language);
  });
});

describe('a question for fees', () => {
  test.each([
    ['web', 'frais pour envoyer 200 à 0655000000', 'transfer.askPinOpenLoop'],
    ['telegram', 'how much does it cost to send 200 to 0655000000', 'transfer.askPinOpenLoop'],
    ['ussd', 'combien coûte un retrait de 300', 'cash-out.askPin'],
    ['web', 'frais pour envoyer 200', 'transfer.askRecipient'],
  ] as const)('with a payment begins that, and sends nothing, on %s: %s', async (channel, words, key) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().says(words).sees(key).isTold('nav.feesShown');
    expect(world.wallet.told(fatima.phone, 'transfer')).toEqual([]);
    await fatima.goes('menu').sees('menu.choose');
  });

  test.each(['quels sont vos frais', 'tarifs', 'شحال الرسوم'])(
    'alone: what they depend on: %s',
    async (words) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().says(words).sees('menu.choose').isTold('nav.feesBefore');
      await fatima
        .chooses('transfer')
        .says('0655000000')
        .says('combien de frais pour 300')
        .isTold('nav.fees');
    },
  );

  test('names the page of tariffs where there is one, with a link in chats', () => {
    const tariffs = 'https://wallet.example/fees';
    const screen = { key: 'menu.choose', notice: { key: 'nav.feesBefore' }, expects: 'choice' } as const;
    const named = createRenderer(undefined, { tariffs }).chat(screen, 'fr');
    expect(named).toMatchObject({ text: expect.stringContaining(tariffs), reads: { url: tariffs } });
    const unnamed = createRenderer().chat(screen, 'fr');
    expect([unnamed.reads, unnamed.text.includes('{{')]).toEqual([undefined, false]);
  });
});
