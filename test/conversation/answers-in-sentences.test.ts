import { describe, expect, test } from 'vitest';
import { theWorld } from '../kit/world.ts';

/** An answer with words around it is still the answer, where it can be read in one way only. */
const world = theWorld({ bot: 'webhook' });
const TO = '+212655000021';
const asked = (order: string) => world.customer({ channel: 'web', balance: '500' }).isAtMenu().says(order);

describe('the amount in a sentence', () => {
  test.each(['100 dh svp', 'je veux 100 dh', 'disons 100', 'la somme de 100 dh', 'cent dirhams svp'])(
    'is taken: %s',
    (words) =>
      asked('envoyer au 0655000021').says(words).sees('transfer.askPinOpenLoop', { amount: 10_000, to: TO }),
  );

  test.each(['100 ou 200 dh', 'pas 100 dh', 'environ 100 dh', '100 euros', 'dans 3 jours', '10000 ryal'])(
    'is asked for again, where it is not certain: %s',
    (words) => asked('envoyer au 0655000021').says(words).sees('transfer.askAmount'),
  );
});

describe('the number in a sentence', () => {
  test.each(["c'est le 0655000021", 'plutôt 0655000021', 'le numéro de ma femme est 06 55 00 00 21'])(
    'is taken: %s',
    async (words) => {
      await asked("envoyer de l'argent").says(words).sees('transfer.askAmount', { to: TO });
      await asked('recharger').says(words).sees('top-up.chooseOperator', { to: TO });
    },
  );

  test.each(['pas le 0655000021', '0655000021 ou 0655000022', 'le 0655000021 appartement 5'])(
    'is asked for again, where it is not certain: %s',
    (words) => asked('recharger').says(words).sees('top-up.askNumber'),
  );
});

describe('words at the question for a number', () => {
  test.each(["cinquante dirhams s'il vous plait", 'relevé de novembre', 'à qui je peux envoyer ?'])(
    'are nobody who is not saved: %s',
    (words) => asked('envoyer 100').says(words).sees('transfer.askRecipient').isTold('mobile.noName'),
  );
});

test('the word of a receipt saves whom it paid', async () => {
  const fatima = asked('envoyer 100 à 0655000021');
  await fatima.enters();
  await world.passes(1_500);
  await fatima.says('enregistrer').sees('beneficiaries.askName');
});

describe('a payment of a number that may be a merchant', () => {
  test.each(['oui', '1234', 'youssef'])('is kept until its customer has chosen: %s', async (words) => {
    const fatima = asked('payer 45 au 0655000021');
    await fatima.sees('help.several').offers('merchant-payment', 'transfer', 'continue');
    const [merchant] = fatima.reply().screen.choices ?? [];
    expect(merchant?.values).toMatchObject({ amount: { money: 4_500 }, to: { phone: TO } });
    await fatima.says(words).sees('help.several').isTold('nav.chooseOne');
    await fatima.chooses('transfer').sees('transfer.askPinOpenLoop', { amount: 4_500, to: TO });
  });
});
