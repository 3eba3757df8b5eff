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
      await fatima.says('parler à un conseiller').says(words).sees('help.written');
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

describe('whom a line names', () => {
  const saved = async (customer: Customer, name: string, phone: string) => {
    await customer.says('mes bénéficiaires').chooses('add').says(phone).says(name);
  };

  test.each([
    ['recharge samira 30', 3_000],
    ['recharge 30 dh Samira', 3_000],
  ])('is a saved recipient: %s', async (words, amount) => {
    const fatima = web();
    await saved(fatima, 'Samira', '0655000011');
    await fatima.goes('menu').says(words).sees('top-up.chooseOperator', { to: '+212655000011' });
    await fatima.chooses('1').sees('top-up.chooseProduct', { amount });
  });

  test('is a saved recipient at the question for a number, also with a wrong key', async () => {
    const fatima = web();
    await saved(fatima, 'Youssef', '0655000011');
    await fatima.goes('menu').chooses('top-up').says('youssef').sees('top-up.chooseOperator').goes('back');
    await fatima.says('yousef').sees('top-up.askNumber').isTold('beneficiaries.meant').chooses(0);
    await fatima.sees('top-up.chooseOperator', { to: '+212655000011' });
  });

  test.each([
    'recharge 50 pour moi',
    'recharge-moi 50',
    'عمر ليا 50',
    'top up 50 for me',
    'recharge mon téléphone',
  ])('are they themselves: %s', async (words) => {
    const fatima = web();
    await fatima.says(words).sees('top-up.chooseOperator', { to: fatima.phone });
  });

  test('are not they themselves where somebody else is named, too', () =>
    web().says('recharge 50 pour moi et ma soeur').sees('top-up.askNumber'));

  test('is whoever was paid last', async () => {
    const fatima = web('2000');
    await fatima.says('renvoie la même chose').sees('transfer.askRecipient').goes('menu');
    await fatima.says('envoyer 100 à 0655000000').enters();
    await world.passes(1_500);
    await fatima.goes('menu').says('envoyer encore 200 au même');
    await fatima.sees('transfer.askPinOpenLoop', { to: '+212655000000', amount: 20_000 }).goes('menu');
    await fatima.says('renvoie la même chose').sees('transfer.askAmount', { to: '+212655000000' });
  });

  test.each([
    ['envoyer 20 à 06 12 34 56', 'mobile.unfinishedKept'],
    ['envoyer 20 à fatima et 50 à maman', 'beneficiaries.noneCalledKept'],
  ])('is asked for, and the amount is kept: %s', async (words, told) => {
    const fatima = web();
    await fatima.says(words).sees('transfer.askRecipient').isTold(told).says('0655000000');
    await fatima.sees('transfer.askPinOpenLoop', { amount: 2_000 });
  });

  test('like a saved one is asked for, and the amount is kept', async () => {
    const fatima = web();
    await saved(fatima, 'Youssef', '0655000011');
    await fatima.goes('menu').says('envoyer 20 à yousef').sees('transfer.askRecipient');
    await fatima.isTold('beneficiaries.meantKept', { amount: 2_000 }).chooses(0);
    await fatima.sees('transfer.askPinOpenLoopNamed', { amount: 2_000 });
  });

  test('of two orders is that of the first', () =>
    web()
      .says('envoyer 20 à 0655000000 et 50 à 0655000001')
      .sees('transfer.askPinOpenLoop', { to: '+212655000000', amount: 2_000 })
      .isTold('nav.firstOnly'));

  test.each([
    ['payer inwi', ['bill-payment', 'top-up']],
    ['maroc telecom', ['bill-payment', 'top-up']],
    ['payer karim', ['bill-payment', 'merchant-payment', 'transfer']],
  ])('may bill, or be paid otherwise: %s', (words, meanings) =>
    web()
      .says(words)
      .sees('help.several')
      .offers(...meanings, 'continue'),
  );

  test('bills, and is found', async () => {
    const fatima = web();
    await fatima.says('payer iam').chooses('bill-payment');
    await fatima.sees('bill-payment.chooseReceivable', { creditor: 'Maroc Telecom (test)' });
    await fatima.goes('menu').says("payer l'école").sees('bill-payment.ask').isTold('bill-payment.foundOnly');
  });
});

test.each(['annuler mon dernier envoi', 'cancel my last transfer', 'إلغاء آخر تحويل'])(
  'on the statement no request is under way, and a payment is wanted back: %s',
  (words) => web().chooses('statement').enters().says(words).sees('help.undo'),
);

test.each([
  ['ouvrir un compte', 'menu.isOpen'],
  ['je veux recharger 20 dh et payer ma facture lydec', 'nav.amountLater'],
])('what is said of a request: %s', (words, told) => web().says(words).isTold(told));

test.each([
  ['demander 100 dh à 0655000000', 'menu.choose', 'menu.noRequests'],
  ['où en est-il ?', 'help.urgent', 'help.noLast'],
  ['où trouver un agent', 'cash.choose', undefined],
  ["je n'arrive pas à payer", 'help.help', undefined],
])('at the menu: %s', async (words, key, told) => {
  const fatima = web().goes('menu').says(words).sees(key);
  await (told ? fatima.isTold(told) : fatima.isToldNothing());
});

test.each(['où en est mon envoi', 'où en est-il ?', 'واش تأكدات العملية'])(
  'a payment that is open is told, beside a case and where another one must wait: %s',
  async (words) => {
    const fatima = web();
    await fatima.chooses('transfer').says('0699000117').says('20').enters().goes('menu');
    await fatima.says('envoyer 20 à 0655000000').sees('pay.busy').says(words).sees('help.urgent');
    await fatima.isTold('help.last').goes('menu').says('parler à un conseiller').sees('help.asked');
    await fatima.says(words).sees('help.urgent').isTold('help.last');
    const [last] = await world.engine.desk.turns(fatima.address, 1);
    expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
  },
);
