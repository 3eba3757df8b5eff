import { describe, expect, test } from 'vitest';
import { type Customer, theWorld } from '../kit/world.ts';

/** Requests in customers’ own words while something else is going on. */
const world = theWorld({ bot: 'webhook' });
const web = (balance = '500') => world.customer({ channel: 'web', balance }).isAtMenu();
const withdrawal = (customer: Customer) => customer.chooses('cash').chooses('cash-out').says('100').enters();

describe('a new order on a page of a payment', () => {
  const MAMAN = '+212655000021';
  const YOUSSEF = '+212655000022';
  const begins = (order: string, language: 'fr' | 'ar' = 'fr') => {
    const fatima = world.customer({ channel: 'web', language });
    const saves = (name: string, phoneNumber: string) =>
      world.api.saveBeneficiary(fatima.phone, { name, phoneNumber });
    fatima.meanwhile(async () => {
      await saves('Maman', MAMAN);
      await saves('Youssef Benali', YOUSSEF);
    });
    return fatima.isAtMenu().says(order);
  };
  const ORDER = 'envoyer 33 à Maman';
  const PAGES: Readonly<Record<string, (customer: Customer) => Customer>> = {
    'the amount': (it) => it.goes('menu').says('envoyer à Maman').sees('transfer.askAmountSaved'),
    'the PIN': (it) => it.sees('transfer.askPinOpenLoopNamed'),
    'the balance before the PIN': (it) => it.says('solde').enters().sees('balance.shown'),
    'a second time': (it) => it.enters().after(1_500).goes('menu').says(ORDER).sees('transfer.confirmAgain'),
  };
  const ORDERS = [
    ['envoyer 50 à 0655000003', 'transfer'],
    ['envoyer 50 à Youssef Benali', 'transfer'],
    ['envoyer à Youssef Benali', 'transfer'],
    ['envoyer 50 à Yousef Benalli', 'transfer'],
    ['envoyer 50 à Zorglub', 'transfer'],
    ['bghit nsift 50 l khouya', 'transfer'],
    ['صيفط 50 ل Youssef Benali', 'transfer'],
    ['صيفط 50 لخويا', 'transfer'],
    ['envoyer', 'transfer'],
    ["je veux envoyer de l'argent", 'transfer'],
    ['recharge 20', 'top-up'],
    ['payer redal', 'bill-payment'],
    ["bon d'achat", 'voucher'],
    ['retirer 200', 'cash-out'],
    ['payer 45 au 0600000011', 'merchant-payment'],
  ] as const;

  test.each(Object.entries(PAGES))('is offered, and is no answer there: %s', async (_, leads) => {
    const fatima = begins(ORDER);
    await leads(fatima);
    const choices = () => fatima.reply().screen.choices?.map(({ id }) => id);
    for (const [words, machine] of ORDERS) {
      await fatima.says(words);
      expect(choices(), words).toContain(machine);
      expect(choices(), words).toContain('continue');
      await fatima.chooses('continue');
    }
    expect(world.wallet.calls(fatima.phone, 'transfer').length).toBeLessThan(2);
  });

  test('a PIN at its offer is no amount, and pays nothing', async () => {
    const fatima = begins('envoyer 10 à Maman').sees('transfer.askPinOpenLoopNamed').goes('back');
    await fatima.sees('transfer.askAmountSaved').says('envoyer 20 à 0655000003').sees('transfer.resume');
    await fatima.says('0642').sees('transfer.askAmountSaved').isTold('nav.pinNotAsked');
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toHaveLength(1);
  });

  test.each(['annuler mon envoi', 'aide'])(
    'a payment that was sent is not prepared any more, beside %s',
    async (words) => {
      const fatima = begins('envoyer 10 à 0655000003').enters().sees('transfer.processing');
      await fatima.says(words);
      const keys = fatima.reply().screen.choices?.map(({ key }) => key);
      expect(keys).toContain('help.continue');
    },
  );

  test.each([
    ['envoyer 50 à Youssef Benali', 'fr'],
    ['صيفط 50 ل Youssef Benali', 'ar'],
  ] as const)('goes to whom it names: %s', async (words, language) => {
    const fatima = begins(ORDER, language);
    await fatima.says(words).sees('transfer.resumePayment', { amount: 3_300, to: MAMAN });
    const [, order] = fatima.reply().screen.choices ?? [];
    expect(order).toMatchObject({ key: 'help.sendTo', values: { name: { name: 'Youssef Benali' } } });
    await fatima.chooses('transfer');
    await fatima.sees('transfer.askPinOpenLoopNamed', { amount: 5_000, to: YOUSSEF });
  });

  test.each(['صيفط 50 لخويا', 'bghit nsift 50 l khouya', 'envoyer 50 à mon frère', 'envoyer 50 à Zorglub'])(
    'goes to nobody who was named before: %s',
    async (words) => {
      const fatima = begins(ORDER);
      await fatima.says(words).chooses('transfer').sees('transfer.askRecipient');
      await fatima.goes('menu').says('envoyer à Maman').says(words).chooses('transfer');
      await fatima.sees('transfer.askRecipient');
    },
  );

  const PHONE = '+212655000003';
  test.each([
    ['recharger 20 dh a ma femme', 'ma femme'],
    ['recharger 9 pour papa', 'papa'],
    ['شارجي 20 لخويا', 'خويا'],
  ])('that tops up a phone does not take the number on the page: %s', async (words, name) => {
    const fatima = begins('recharger 12 à 0655000003 inwi').sees('top-up.askPin', { to: PHONE });
    await fatima.says(words).sees('top-up.resumePayment', { to: PHONE });
    expect(fatima.reply().screen.choices?.[1]).toMatchObject({ values: { to: { name } } });
    await fatima.chooses('top-up').sees('top-up.askNumber').isTold('beneficiaries.noneCalledKept');
    await fatima.goes('menu').says('recharger 30 pour maman').sees('top-up.chooseOperator', { to: MAMAN });
  });

  test.each(['non', 'la', 'لا', 'pas maintenant'])('is none of a no, which gives it up: %s', (words) =>
    begins(ORDER).says(words).sees('transfer.cancelled'),
  );

  test('goes on with a yes where that is offered first', async () => {
    const fatima = begins(ORDER);
    await fatima.says('recharge 20').says('oui').sees('transfer.askPinOpenLoopNamed');
    await fatima
      .says('solde')
      .enters()
      .sees('balance.shown')
      .says('oui')
      .sees('transfer.askPinOpenLoopNamed');
    await fatima.says('oui').sees('transfer.askPinOpenLoopNamed').isTold('pin.noPin');
  });
});

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

  test.each([
    'karim',
    'je veux débloquer mon compte',
    'débloquer',
    'le relevé de mars ne montre pas mon dépôt',
  ])('other words are for the adviser: %s', async (words) => {
    const fatima = web();
    await fatima.says('parler à un conseiller').says(words).sees('help.written');
    const [last] = await world.engine.desk.turns(fatima.address, 1);
    expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
  });
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

test.each(['rembourser', 'remboursement', 'je veux être remboursé', 'رجعو ليا فلوسي', 'refund'])(
  'a customer who is no merchant wants their own money back: %s',
  async (words) => {
    const fatima = web();
    await fatima.says('envoyer 20 à 0655000000').enters();
    await world.passes(1_500);
    await fatima.goes('menu').says(words).sees('help.undoThis');
  },
);

test('the word of a merchant means the same in the middle of a request', () =>
  web()
    .says('recharge 20')
    .says('remboursement')
    .sees('help.undo')
    .chooses('continue')
    .sees('top-up.askNumber'));

describe('a wallet that is locked', () => {
  const locked = () => {
    const fatima = web().says('solde');
    return fatima.enters('4321').enters('4321').enters('4321').sees('pin.locked');
  };

  test('asks for no PIN to show the balance: a new one comes first', async () => {
    const fatima = locked();
    await fatima.chooses('pin-reset').says('solde').sees('pin-reset.explain').isTold('pin-reset.first');
    await fatima.says('الرصيد').sees('pin-reset.explain').isTold('pin-reset.first');
  });

  const SAYS_SO = [
    'débloquer mon portefeuille',
    'je veux débloquer',
    'mon compte est bloqué',
    'محفظتي محجوزة',
  ];
  test.each([...SAYS_SO, 'my wallet is locked'])(
    'is never told that nothing is blocked, nor frozen: %s',
    async (words) => {
      await locked().says(words).sees('menu.lockedForNow').isToldNothing();
      await locked().says('solde').says(words).sees('menu.lockedForNow').isToldNothing();
      await locked().says('solde').chooses('help').says(words).sees('menu.lockedForNow').isToldNothing();
    },
  );

  test.each(['web', 'ussd'] as const)('has the new PIN beside its case, on %s', async (channel) => {
    const fatima = world.customer({ channel, status: 4 });
    await fatima.arrives().sees('menu.lockedForNow').chooses('adviser').sees('help.asked');
    await fatima.offers('continue', 'pin-reset').says('mon portefeuille est bloqué');
    await fatima.sees('help.written').isTold('menu.lockedForNow');
    const [last] = await world.engine.desk.turns(fatima.address, 1);
    expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
    await fatima.says('envoyer 20 à 0655000003').sees('help.written').offersNo('transfer');
    await fatima.says('nouveau code').sees('pin-reset.explain').goes('menu').chooses('adviser');
    await fatima.sees('help.askedBefore').chooses('pin-reset').sees('pin-reset.explain');
  });

  test('says so whatever is asked of it', () =>
    locked().says('solde').sees('menu.lockedForNow').says('envoyer 20 à 0655000003').isToldNothing());
});

test.each([
  ['menu', 'web'],
  ['/menu', 'web'],
  ['القائمة', 'ussd'],
  ['00', 'ussd'],
] as const)('%s at the PIN of a payment says that nothing was debited, on %s', async (words, channel) => {
  const fatima = world.customer({ channel, language: 'ar' }).isAtMenu().says('envoyer 30 à 0655000003');
  await fatima.says(words).sees('menu.choose').isTold('transfer.cancelled', { amount: 3_000 });
  await fatima.says('8').sees('shopping.choose');
});

test.each(['Mon plafond', 'سقف حسابي', 'my limits'])(
  '%s is read in the middle of a transfer',
  async (words) => {
    const fatima = web().says('envoyer 30 à 0655000003').says(words).sees('upgrade.explain');
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop', { amount: 3_000 });
    await fatima.says(words).chooses('room').enters().sees('upgrade.room').chooses('continue');
    await fatima.sees('transfer.askPinOpenLoop', { amount: 3_000 });
  },
);

test.each(['solde', 'mon RIB', 'mon plafond', 'aide'])(
  '%s keeps a payment that another one holds back',
  async (words) => {
    const fatima = web().says('envoyer 30 à 0655000003').enters().goes('menu');
    await fatima.says('envoyer à 0655000001').sees('pay.busy').says(words);
    if (fatima.reply().screen.expects === 'pin') await fatima.enters();
    await fatima.chooses('continue').sees('pay.busy').says('solde').enters().sees('balance.shown');
    await fatima
      .says('aide')
      .chooses('continue')
      .sees('pay.busy')
      .after(3 * 60_000);
    await fatima.chooses('again').sees('transfer.askAmount', { to: '+212655000001' });
  },
);

describe('a PIN that was not typed in time', () => {
  const late = () =>
    web()
      .says('envoyer 30 à 0655000003')
      .after(8 * 60_000)
      .opens()
      .sees('pin.lapsed');

  test.each(['oui', 'نعم', 'Continuer'])('names the payment, and goes on with %s', async (words) => {
    const fatima = late();
    await fatima;
    expect(fatima.reply().screen.below).toMatchObject({
      key: 'transfer.waits',
      values: { amount: { money: 3_000 } },
    });
    await fatima.says(words).sees('transfer.askPinOpenLoop');
  });

  test.each(['non', 'Annuler'])('is given up with %s', (words) =>
    late().says(words).sees('transfer.cancelled'),
  );
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

test.each([
  'il y a une faute dans mon nom',
  'je me suis trompé de prénom',
  'je me suis trompée',
  'there is a mistake',
  'كاين غلط',
])('what was typed is corrected before a wallet is opened: %s', async (words) => {
  const salma = world.stranger({ channel: 'web' }).arrives();
  await salma.chooses('agree').says('Salma').says('Idrissi').says('AB123456');
  await salma.sees('onboarding.review').says(words).sees('onboarding.askChange');
});

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
    ['je veux payer seulement septembre', 37_860],
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

  test.each([
    ['payer', 47_667],
    ['Payer', 47_667],
    ['payer 476,67', 47_667],
    ['payer 476', 47_667],
    ['pay', 47_667],
    ['valider', 47_667],
    ['ok', 47_667],
    ['تأكيد', 47_667],
  ])('ticked are paid by the words of the button, on the page of the PIN: %s', (words, amount) =>
    bills(web('2000'))
      .says('choisir')
      .says('août et octobre')
      .says(words)
      .sees('bill-payment.askPin', { amount }),
  );

  test.each(['payer 67', 'payer 378,60', 'payer 2', 'payer tout de suite la semaine prochaine'])(
    'ticked are not paid by other words: %s',
    (words) =>
      bills(web('2000')).says('choisir').says('août et octobre').says(words).sees('bill-payment.select'),
  );

  test('that are named one after the other are all ticked, and one alone by "seulement"', async () => {
    const fatima = bills(web('2000')).says('choisir').says('2').says('octobre');
    await fatima.sees('bill-payment.select', { total: 66_980 });
    await fatima.says('seulement septembre').sees('bill-payment.select', { total: 37_860 });
  });

  test.each([
    ['la deuxième et la troisième', 66_980],
    ['payer la première', 18_547],
    ['payer toutes les factures', 85_527],
    ['أداء الكل', 85_527],
  ])('are chosen in words: %s', (words, amount) =>
    bills(web('2000')).says(words).sees('bill-payment.askPin', { amount }),
  );

  test.each(['payer les deux mois', 'les 2', 'both bills', 'الشهرين'])(
    'of two are both chosen by such a word: %s',
    async (words) => {
      const fatima = web('2000').says('facture redal 12345671');
      await fatima
        .chooses('skip')
        .sees('bill-payment.reviewFor')
        .says(words)
        .sees('bill-payment.askPin', { amount: 30_622 });
    },
  );

  test.each(['les deux', 'deux', 'la deux'])('of three are not chosen by a word for two: %s', (words) =>
    bills(web()).says(words).sees('bill-payment.reviewFor'),
  );

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
    await fatima.says('renvoie la même chose').sees('transfer.confirmAgain', { amount: 10_000 });
  });

  test.each([
    ['envoyer 20 à 06 12 34 56', 'mobile.unfinishedKept'],
    ['envoyer 20 à fatima et 50 à maman', 'beneficiaries.noneCalledKept'],
  ])('is asked for, and the amount is kept: %s', async (words, told) => {
    const fatima = web();
    await fatima.says(words).sees('transfer.askRecipient').isTold(told);
    expect(fatima.reply().screen.notice?.values).toMatchObject({ amount: { money: 2_000 } });
    await fatima.says('0655000000').sees('transfer.askPinOpenLoop', { amount: 2_000 });
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
    await fatima
      .isTold('transfer.notConfirmed')
      .goes('menu')
      .says('parler à un conseiller')
      .sees('help.asked');
    await fatima.says(words).sees('help.urgent').isTold('transfer.notConfirmed');
    const [last] = await world.engine.desk.turns(fatima.address, 1);
    expect(last?.event).toMatchObject({ kind: 'input', toPerson: true });
  },
);
