import { describe, expect, test } from 'vitest';
import { type Customer, theWorld } from '../kit/world.ts';

/** Requests in customers’ own words while something else is going on. */
const world = theWorld({ bot: 'webhook' });
const web = (balance = '500') => world.customer({ channel: 'web', balance }).isAtMenu();
const withdrawal = (customer: Customer) => customer.chooses('cash').chooses('cash-out').says('100').enters();

describe('a reference for cash', () => {
  test.each([
    'annuler le retrait',
    'je veux annuler mon retrait',
    'cancel the withdrawal',
    'إلغاء السحب',
    'bghit nlghi lretrait',
  ])('stays valid, which a customer who wants to cancel it reads: %s', async (words) => {
    const fatima = web();
    await withdrawal(fatima).sees('cash-out.shown').says(words);
    await fatima.sees('references.list').isTold('references.stays').chooses('reference0');
    await fatima.sees('references.withdrawalOpen');
    await fatima.goes('menu').says(words).sees('references.list').isTold('references.stays');
  });

  test('that is not made yet is given up', () =>
    web().chooses('cash').chooses('cash-out').says('100').says('annuler le retrait').isTold('nav.cancelled'));

  test.each(["j'ai déposé l'argent mais je n'ai rien reçu", 'i deposited money and received nothing'])(
    'for a deposit is named to a customer who misses the money: %s',
    async (words) => {
      const fatima = web();
      await fatima.chooses('cash').chooses('cash-in').says('100').chooses('agents').sees('cash-in.shown');
      await fatima
        .goes('menu')
        .says(words)
        .sees('help.person')
        .isTold('references.ended', { amount: 10_000 });
      await fatima.offers('adviser', 'continue');
      await fatima.chooses('adviser').sees('help.asked');
    },
  );
});

describe('beside an open case', () => {
  test.each([
    ['solde', 'balance.askPin', undefined],
    ['mon solde svp', 'balance.askPin', undefined],
    ['الرصيد', 'balance.askPin', undefined],
    ['relevé', 'statement.askPin', undefined],
    ['frais', 'help.asked', 'nav.feesBefore'],
    ['où en est ma réclamation', 'help.askedBefore', 'help.dueBy'],
    ['bloquer mes paiements', 'freeze.frozen', undefined],
    ['menu', 'menu.choose', undefined],
  ])('a question is answered: %s', async (words, key, told) => {
    const fatima = web();
    await fatima.says('parler à un conseiller').sees('help.asked').says(words).sees(key);
    await (told ? fatima.isTold(told) : fatima.isToldNothing());
    const [last] = await world.engine.desk.turns(fatima.address, 1);
    expect(last?.event).not.toMatchObject({ toPerson: true });
  });

  test.each(['mon solde est faux', 'karim', 'le relevé de mars ne montre pas mon dépôt'])(
    'other words are for the adviser: %s',
    async (words) => {
      const fatima = web();
      await fatima.says('parler à un conseiller').says(words).sees('help.asked');
      const [last] = await world.engine.desk.turns(fatima.address, 1);
      expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
    },
  );
});

describe('a payment that is wanted back', () => {
  test('is the last one of the kind that was named, and the case says that nothing is cancelled', async () => {
    const fatima = web();
    await fatima.chooses('transfer').says('0655000000').says('100').enters();
    await world.passes(1_500);
    await fatima.goes('menu').says('payer un commerçant').says('0600000011').says('20').enters();
    await world.passes(1_500);
    await fatima.goes('menu').says('annuler mon dernier paiement').sees('help.undoThis');
    expect(fatima.reply().screen.values?.payment).toMatchObject({
      lines: [{ key: 'merchant-payment.called' }],
    });
    await fatima.chooses('continue').says('annuler mon dernier envoi').sees('help.undoThis');
    expect(fatima.reply().screen.values?.payment).toMatchObject({ lines: [{ key: 'transfer.called' }] });
    await fatima.chooses('adviser').sees('help.asked').isTold('help.caseOfPaid');
  });
});

describe('vouchers', () => {
  const articles = (customer: Customer) => customer.chooses('shopping').chooses('voucher').chooses('1');

  test('the price chooses the only row that costs so much', async () => {
    const fatima = web();
    await articles(fatima).says('50').sees('voucher.chooseForValid', { amount: 5_000 }).goes('back');
    await fatima.says('100 dh').sees('voucher.chooseForValid', { amount: 10_000 }).goes('back');
    await fatima.says('51,5').sees('voucher.chooseArticle').isTold('nav.chooseOne');
  });

  test.each(["c'est pour ma soeur", 'un cadeau', 'for my sister', 'هدية'])('%s is a gift', (words) =>
    articles(web()).chooses('article0').says(words).sees('voucher.askNumber'),
  );
});

describe('a number', () => {
  test.each(['recharger mon numéro de 20 dh', 'recharge my number 20 dh', 'شارجي نمرتي 20 درهم'])(
    'of their own is not asked for: %s',
    async (words) => {
      const fatima = web();
      await fatima.says(words).sees('top-up.chooseOperator', { to: fatima.phone });
    },
  );

  test.each(['envoyer', 'Continuer', 'متابعة'])('is asked for again, and nobody is called so: %s', (words) =>
    web().chooses('transfer').says(words).sees('transfer.askRecipient').isToldNothing(),
  );
});

test.each(['il y a une faute dans mon nom', 'there is a mistake', 'كاين غلط'])(
  'what was typed is corrected before a wallet is opened: %s',
  async (words) => {
    const salma = world.stranger({ channel: 'web' }).arrives();
    await salma.chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await salma.sees('onboarding.review').says(words).sees('onboarding.askChange');
  },
);

test.each([
  ['chno hiya les frais', 'menu.choose', 'nav.feesBefore'],
  ['comment je fais pour retirer', 'cash-out.askAmount', 'pay.atMostUntil'],
])('%s', (words, key, told) => web().says(words).sees(key).isTold(told));

test.each(['payer', 'je veux payer', 'bghit nkhelles', 'بغيت نخلص'])('%s: whom is asked', async (words) => {
  const fatima = web();
  await fatima.says(words).sees('help.several');
  await fatima.offers('bill-payment', 'merchant-payment', 'transfer', 'continue');
});

describe('half of a label on the screen', () => {
  test.each([
    ['cash', 'par carte', 'card-cash-in.askAmountWithin'],
    ['cash', 'carte', 'card-cash-in.askAmountWithin'],
    ['cash', 'solde', 'balance.askPin'],
    ['cash', 'retirer 200', 'cash-out.askPin'],
    ['account', 'mon plafond svp', 'upgrade.explain'],
  ])('outranks a request, and nothing more does: %s, %s', (entry, words, key) =>
    web().chooses(entry).says(words).sees(key),
  );

  test('has its figures, too', async () => {
    const fatima = web();
    await fatima.chooses('shopping').chooses('voucher').chooses('5').says('Atlas Jeux 50 DH');
    await fatima.sees('voucher.chooseForValid', { amount: 5_000 }).goes('back').says('Atlas Jeux 75 DH');
    await fatima.sees('voucher.chooseArticle').isTold('nav.chooseOne');
  });

  test.each(['par carte', 'by card', 'بالبطاقة'])('at the amount of a deposit: %s', (words) =>
    web().chooses('cash').chooses('cash-in').says(words).sees('card-cash-in.askAmountWithin'),
  );
});

describe('bills', () => {
  const bills = (customer: Customer) =>
    customer.chooses('bill-payment').says('maroc telecom').says('mobile').says('0990000909');

  test.each([
    ['09/2026', 37_860],
    ['la facture de septembre', 37_860],
    ['شتنبر', 37_860],
    ['août et octobre 2026', 47_667],
    ['toutes', 85_527],
  ])('are chosen by their months: %s', async (words, amount) => {
    await bills(web('2000'))
      .sees('bill-payment.reviewFor')
      .says(words)
      .sees('bill-payment.askPin', { amount });
    const fatima = bills(web());
    await fatima.says('choisir').says(words).sees('bill-payment.select', { total: amount });
  });

  test.each(['septembre 2025', 'mars'])('of another month are not there: %s', (words) =>
    bills(web()).says(words).sees('bill-payment.reviewFor').isTold('bill-payment.notSeveral'),
  );

  test.each(['sauf septembre', "jusqu'à septembre", 'pas octobre'])('are not guessed: %s', (words) =>
    bills(web()).says(words).sees('bill-payment.reviewFor').isTold('nav.chooseOne'),
  );

  test('a single one is paid by the word for all', () =>
    web()
      .chooses('bill-payment')
      .says('maroc telecom')
      .says('mobile')
      .says('0612345678')
      .says('toutes')
      .sees('bill-payment.askPin'));

  test.each(['mes factures', 'payer une facture', 'فواتيري'])(
    'nobody bills who is called so, and a customer at the question for a creditor reads it again: %s',
    (words) =>
      web()
        .chooses('bill-payment')
        .says('zzzz')
        .says(words)
        .sees('bill-payment.chooseCreditor')
        .isToldNothing(),
  );

  test('of another creditor are asked for where bills are shown', async () => {
    const fatima = bills(web());
    await fatima.says('payer redal').sees('bill-payment.resume').chooses('bill-payment');
    await fatima.sees('bill-payment.askUnder').isTold('bill-payment.foundOnly', { creditor: 'Redal (test)' });
  });

  test.each([
    ['facture lydec eau 1234567', 'SRM Casa-Settat (test)'],
    ['facture lydec 1234567', 'SRM Casa-Settat (test)'],
  ])('keep the number of a contract: %s', async (words, creditor) => {
    const fatima = web();
    await fatima.says(words).sees('bill-payment.chooseReceivable', { creditor }).says('1');
    await fatima.sees('bill-payment.reviewFor');
  });
});
