import { describe, expect, test } from 'vitest';
import { CHANNELS, type Customer, LOST, testOn, theWorld } from '../kit/world.ts';
import { ordersWater, SINGLE } from '../machines/bill-orders.ts';
import { CAFE } from '../machines/merchant-orders.ts';
import { buys } from '../machines/voucher-orders.ts';

/** Customers who have paid a wrong number, or want a payment back: the bot cannot, and says so. */
const TO = '+212655000000';
const WRONG_NUMBER = [
  'je me suis trompé de numéro',
  'غلطت فالرقم',
  'ghlet f nmra',
  'sent to the wrong number',
];
const TAKE_BACK = [
  'annuler mon dernier envoi',
  'je veux annuler ma recharge',
  'je veux annuler cet envoi',
  'إلغاء آخر تحويل',
  'bghit nlghi lvirement',
  'cancel the transfer',
];

const world = theWorld({ bot: 'webhook' });
const pays = async (customer: Customer) => {
  await customer.chooses('transfer').says('0655000000').says('100').enters();
  await world.passes(1_500);
};

describe('at the menu', () => {
  test.each([...WRONG_NUMBER, ...TAKE_BACK])('"%s" leads to an adviser, and back', async (words) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(words).sees('help.undo').offers('adviser', 'continue');
    await fatima.chooses('continue').sees('menu.choose').isToldNothing();
  });

  testOn(CHANNELS)('the last payment is named with its reference, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await pays(fatima);
    if (channel === 'ussd') fatima.dials();
    await fatima.goes('menu').says('annuler mon envoi').sees('help.undoThis');
    const { payment, reference } = fatima.reply().screen.values ?? {};
    expect(payment).toMatchObject({
      lines: [{ key: 'transfer.called', values: { amount: { money: 10_000 }, to: { phone: TO } } }],
    });
    const [sent] = await world.engine.desk.payments(fatima.phone, 1);
    expect(reference).toEqual({ code: String(sent?.operationId) });
    await fatima.chooses('adviser').sees('help.asked');
    expect(await world.engine.desk.cases.about('asked', fatima.address)).toBeDefined();
  });

  test('"annuler" says that nothing is under way, or is about the last payment', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('annuler').sees('menu.choose').isTold('help.idle');
    await pays(fatima);
    await fatima.goes('menu').says('annuler').sees('help.undoThis');
  });

  test('a payment is named only where it was made, and on the day after no more', async () => {
    const fatima = world.customer({ channel: 'web' });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu();
    await pays(fatima);
    await chat.goes('menu').says('annuler mon envoi').sees('help.undo');
    await world.passes(25 * 3_600_000);
    await fatima.goes('menu').says('annuler mon envoi').sees('help.undo');
  });

  test.each(['quels sont vos frais', "c'est combien les frais", 'شحال الرسوم', 'what are your fees'])(
    '"%s" is answered',
    (words) => world.customer({ channel: 'web' }).isAtMenu().says(words).isTold('nav.feesBefore'),
  );
});

/** The line above the page that names a payment. */
const lineOfLast = (customer: Customer) => {
  const { payment } = customer.reply().screen.notice?.values ?? {};
  return payment && 'lines' in payment ? payment.lines[0] : undefined;
};

/** Customers who read that a payment was not made would make it again: what is answered is the payment that they have named. */
describe('the payment that a complaint names', () => {
  const HER_NUMBER = '0655000000';
  /** 100 sent, then 45 to top up another number. */
  const her = (channel: 'web' | 'ussd' = 'web') => world.customer({ channel, balance: '500' });
  const paysTwice = async (fatima: Customer, channel = 'web') => {
    await fatima.isAtMenu().chooses('transfer').says(HER_NUMBER).says('100').enters();
    await world.passes(1_500);
    if (channel === 'ussd') await fatima.dials();
    await fatima.goes('menu').says('recharge 0655000022 45').chooses('2').enters();
    await world.passes(1_500);
    if (channel === 'ussd') await fatima.dials();
    await fatima.goes('menu');
  };

  test.each([
    [`المبلغ لم يصل إلى ${HER_NUMBER}`, 'transfer.done'],
    [`mon envoi à 06 55 00 00 00 n'est pas arrivé`, 'transfer.done'],
    ["mon virement n'est pas arrivé", 'transfer.done'],
    ['لم يصل التحويل', 'transfer.done'],
    ['صيفطت 100 درهم وما وصلاتش الفلوس', 'transfer.done'],
    ["l'argent envoyé il y a 20 minutes n'est pas arrivé", 'transfer.done'],
    ['où est ma recharge', 'top-up.done'],
    ["l'argent n'est pas arrivé", 'top-up.done'],
  ])('is answered: %s', async (words, key) => {
    const fatima = her();
    await paysTwice(fatima);
    const isNamed = words !== "l'argent n'est pas arrivé";
    await fatima
      .says(words)
      .sees('help.urgent')
      .isTold(isNamed ? 'help.named' : 'help.last');
    expect(lineOfLast(fatima)?.key).toBe(key);
  });

  test.each([
    'لم يصل التحويل إلى 0612345678',
    "mon virement de 70 dh n'est pas arrivé",
    'المبلغ لم يصل إلى 06550000',
    "le paiement de ma facture n'est pas arrivé",
    'the transfer of 1.500 has not arrived',
  ])('and no other one, where it was not made here: %s', async (words) => {
    const fatima = her('ussd');
    await paysTwice(fatima, 'ussd');
    await fatima.says(words).sees('help.unmatched').offers('adviser', 'statement', 'continue');
    await fatima.isToldNothing().chooses('statement').sees('statement.askPin');
  });

  test('had a number where that was wrong', async () => {
    const fatima = her();
    await fatima.isAtMenu().walks(ordersWater(SINGLE)).enters();
    await world.passes(1_500);
    await fatima.goes('menu').says('annuler mon paiement').sees('help.undoThis').goes('menu');
    await fatima.says('je me suis trompé de numéro').sees('help.undo').goes('menu');
    await fatima.says('غلطت فالرقم').sees('help.undo');
  });

  test.each([
    ['je me suis trompé de numéro', 'top-up.called'],
    ['صيفطت لرقم غالط', 'transfer.called'],
    ['أرسلت 100 بالغلط', 'transfer.called'],
    [`أريد استرجاع 100 درهم أرسلتها إلى ${HER_NUMBER}`, 'transfer.called'],
    ['أرسلت 5000 بالغلط', undefined],
    ['annuler ma facture payée par erreur', undefined],
  ])('is the one that is wanted back: %s', async (words, key) => {
    const fatima = her();
    await paysTwice(fatima);
    await fatima.says(words).sees(key ? 'help.undoThis' : 'help.undo');
    const { payment } = fatima.reply().screen.values ?? {};
    if (key) expect(payment).toMatchObject({ lines: [{ key }] });
  });
});

/** Nothing that was paid from here can be what has not come in: the statement shows that, and an adviser looks for it. */
describe('money that has not come in', () => {
  const INCOMING = [
    'لم يصلني المبلغ',
    'ما وصلاتنيش الفلوس',
    'صيفطت ليا ختي الفلوس وما جاوش',
    'الرصيد غير صحيح',
    "je n'ai pas reçu l'argent",
    "mon fils m'a envoyé de l'argent et rien n'est arrivé",
    "mon solde n'est pas juste",
    'khti siftat liya lflous w mawslonich',
    'wrong balance',
    "my salary hasn't come in",
  ];

  test.each(INCOMING)('is no payment that was made here: %s', async (words) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.goes('menu').says(words).sees('help.urgent').isTold('help.received');
    await fatima.offers('adviser', 'statement', 'freeze', 'lost-card', 'continue');
    await fatima.chooses('statement').sees('statement.askPin');
  });

  test.each(INCOMING.slice(0, 5))('may be a deposit that is still open: %s', async (words) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu().says('/cash-in 100').chooses('agents').sees('cash-in.shown');
    await fatima.goes('menu').says(words).sees('help.person').isTold('references.ended');
  });

  test.each([
    ['débité deux fois', 'help.last'],
    ['vous m’avez débité deux fois', 'help.last'],
    ["je n'ai pas reçu ma recharge", 'help.unmatched'],
    ["j'ai envoyé de l'argent à 0655000000 et je n'ai rien reçu", 'help.named'],
    ["ma soeur n'a pas reçu l'argent", 'help.named'],
  ])('is not what "%s" says', async (words, told) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu();
    await pays(fatima);
    await fatima.goes('menu').says(words);
    if (told === 'help.unmatched') await fatima.sees(told);
    else await fatima.isTold(told as 'help.last');
  });
});

describe('the payment that a complaint names by its payee', () => {
  const pays = async (fatima: Customer, to: string, amount: string) => {
    await fatima.says(`/transfer ${to} ${amount}`).enters();
    await world.passes(1_500);
    await fatima.goes('menu');
  };
  /** 60 to Maman, who is saved, then 45 to somebody else. */
  const paysMaman = async (fatima: Customer) => {
    await world.api.saveBeneficiary(fatima.phone, { name: 'Maman', phoneNumber: '+212655000000' });
    await fatima.isAtMenu();
    await pays(fatima, '0655000000', '60');
    await pays(fatima, '0655000009', '45');
  };
  const MISSING = [
    "mon envoi à Maman n'est pas arrivé",
    "maman n'a pas reçu l'argent",
    'the money for Maman never arrived',
  ];

  test.each(MISSING)('is answered: %s', async (words) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await paysMaman(fatima);
    await fatima.says(words).sees('help.urgent').isTold('help.named');
    expect(lineOfLast(fatima)?.values?.to).toEqual({ phone: '+212655000000' });
  });

  test.each([
    "mon envoi à Samira n'est pas arrivé",
    'الفلوس ديال يوسف ما وصلوش',
    'lflous li sift l youssef mawslouch',
    'the money I sent to Youssef never arrived',
  ])('and no other one, where nobody is saved so: %s', async (words) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await paysMaman(fatima);
    await fatima.says(words).sees('help.unmatched').offers('adviser', 'statement', 'continue');
  });

  test.each(['خويا ما وصلوش الفلوس', 'لم يصل المبلغ لصديقي', 'my friend never got the money'])(
    'is the last transfer of a relative or a friend who is not saved: %s',
    async (words) => {
      const fatima = world.customer({ channel: 'web', balance: '500' });
      await paysMaman(fatima);
      await fatima.says('/top-up 0655000003 10').enters();
      await fatima.goes('menu').says(words).sees('help.urgent').isTold('help.named');
      expect(lineOfLast(fatima)?.values?.amount).toEqual({ money: 4_500 });
    },
  );

  test('names none while the saved recipients are not known', async () => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await paysMaman(fatima);
    world.wallet.next('beneficiaries', LOST);
    await fatima.says(MISSING[0] ?? '').sees('help.unmatched');
  });

  test('also days later, and by its day', async () => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await paysMaman(fatima);
    await world.passes(26 * 3_600_000);
    await pays(fatima, '0655000009', '30');
    await fatima.says(MISSING[0] ?? '').isTold('help.named');
    expect(lineOfLast(fatima)?.values?.to).toEqual({ phone: '+212655000000' });
    await fatima.goes('menu').says("mon envoi d'hier n'est pas arrivé").isTold('help.named');
    expect(lineOfLast(fatima)?.values?.amount).toEqual({ money: 4_500 });
    await fatima.goes('menu').says("mon envoi d'avant-hier n'est pas arrivé").sees('help.unmatched');
    await fatima.goes('menu').says("l'argent n'est pas arrivé").isTold('help.last');
    expect(lineOfLast(fatima)?.values?.amount).toEqual({ money: 3_000 });
  });
});

describe('a payment that is corrected twice', () => {
  const NEW = '0655000021';
  const RIBS = ['007780000123456789012396', '007780000123456789012493'] as const;
  const toNew = (it: Customer) => it.says(NEW);
  const topsUpNew = (it: Customer) => it.says(NEW).chooses('3').chooses('classic');
  const CORRECTED: [string, (it: Customer) => Customer, (it: Customer) => Customer, string][] = [
    ['transfer', (it) => it.says('envoyer 100 à 0655000000'), toNew, 'transfer.askPinOpenLoop'],
    [
      'top-up with a choice',
      (it) => it.says('recharger 20 à 0655000000').chooses('3').chooses('classic'),
      topsUpNew,
      'top-up.askPin',
    ],
    [
      'merchant',
      (it) => it.says(`payer commerçant ${CAFE} 12`),
      (it) => it.says('0600000012'),
      'merchant-payment.askPin',
    ],
    [
      'bank',
      (it) => it.says(`virement 100 ${RIBS[0]}`).says('Samira'),
      (it) => it.says(RIBS[1]).says('Samira'),
      'bank-transfer.askPin',
    ],
  ];

  test.each(CORRECTED)(
    'the number is corrected after the amount, which stays as it was corrected: %s',
    async (_kind, orders, again, asks) => {
      const fatima = world.customer({ channel: 'web', balance: '500', language: 'fr' });
      await fatima.isAtMenu().walks(orders).says("non c'est 30");
      await fatima.says('je me suis trompé de numéro').isTold('mobile.kept', { amount: 3_000 });
      await fatima.walks(again).sees(asks, { amount: 3_000 });
    },
  );

  test.each(CORRECTED)(
    'the amount is corrected after the number, which stays as it was corrected: %s',
    async (kind, orders, again, asks) => {
      const fatima = world.customer({ channel: 'web', balance: '500', language: 'fr' });
      await fatima.isAtMenu().walks(orders).says('je me suis trompé de numéro').walks(again).sees(asks);
      await fatima.says("non c'est 30");
      if (kind.startsWith('top-up')) fatima.chooses('classic');
      await fatima.sees(asks, { amount: 3_000 });
    },
  );
});

describe('the kind of a top-up is asked', () => {
  const orders = (it: Customer) =>
    it.isAtMenu().says('recharger 20 à 0655000000').chooses('3').sees('top-up.chooseProduct');

  test.each(["non c'est 30", 'plutôt 30', 'actually 30', 'لا 30'])(
    'and the amount is another one: %s',
    async (words) => {
      for (const channel of ['ussd', 'web'] as const) {
        const fatima = world.customer({ channel, balance: '500', language: 'ar' }).walks(orders);
        await fatima.says(words).sees('top-up.chooseProduct', { amount: 3_000, to: TO });
      }
      const fatima = world.customer({ channel: 'web', balance: '500' }).walks(orders);
      await fatima.says('changer le montant').sees('top-up.askAmount').says('50');
      await fatima.sees('top-up.chooseProduct', { amount: 5_000, to: TO });
    },
  );

  test.each(["c'est pas le bon opérateur", "je me suis trompé d'opérateur", 'wrong operator', 'المشغل خاطئ'])(
    'and its operator was wrong: %s',
    async (words) => {
      const fatima = world.customer({ channel: 'web', balance: '500' }).walks(orders);
      await fatima.says(words).sees('top-up.askNumber').isTold('mobile.kept', { amount: 2_000 });
      await fatima.says('0655000000').sees('top-up.chooseOperator').chooses('2');
      await fatima
        .sees('top-up.chooseProduct', { amount: 2_000 })
        .chooses('classic')
        .sees('top-up.askPin')
        .enters();
      await world.passes(1_500);
      await fatima.goes('menu').says('recharger 45 à 0655000000').sees('top-up.askPin', { amount: 4_500 });
      await fatima.says(words).sees('top-up.chooseOperator');
    },
  );

  test.each(["c'est pas le bon", 'le bon numéro alors', "c'est bon"])(
    'and "%s" means no voucher',
    async (words) => {
      const fatima = world.customer({ channel: 'web' }).walks(orders);
      await fatima.says(words).says(words);
      expect(JSON.stringify(fatima.reply().screen)).not.toContain('voucher');
    },
  );
});

describe('before anything is paid', () => {
  test.each(WRONG_NUMBER)('"%s" asks for the number again', (words) =>
    world
      .customer({ channel: 'web' })
      .isAtMenu()
      .chooses('transfer')
      .says('0655000000')
      .says(words)
      .sees('transfer.askRecipient'),
  );

  const ordersTopUp = (it: Customer) => it.says('recharger 12 à 0655000000').chooses('3');
  const PAID = {
    transfer: [(it: Customer) => it.says('envoyer 100 à 0655000000'), 'transfer.askRecipient'],
    'more than there is': [
      (it: Customer) => it.says('envoyer 999 à 0655000000').sees('pay.short'),
      'transfer.askRecipient',
    ],
    'top-up': [ordersTopUp, 'top-up.askNumber'],
    merchant: [(it: Customer) => it.says(`payer commerçant ${CAFE} 12`), 'merchant-payment.askMerchant'],
    gift: [buys('0655000000'), 'voucher.askNumber'],
  } as const;

  test.each(Object.entries(PAID))(
    'asks whom to pay, and keeps the amount: %s',
    async (kind, [orders, asks]) => {
      for (const words of [
        'mauvais numéro',
        "c'est pas le bon commerçant",
        'changer le numéro',
        'نبدل الرقم',
      ]) {
        const fatima = world.customer({ channel: 'web', balance: '500', language: 'fr' });
        await fatima.isAtMenu().walks(orders).says(words).sees(asks);
        if (kind === 'gift') continue;
        await fatima.isTold('mobile.kept');
        if (kind === 'top-up')
          await fatima.says('0655000021').chooses('3').sees('top-up.askPin', { amount: 1200 });
        if (kind === 'transfer')
          await fatima
            .says('0655000021')
            .sees('transfer.askPinOpenLoop', { amount: 10_000, to: '+212655000021' });
      }
    },
  );

  test.each([
    'je me suis trompé de montant',
    'changer le montant',
    'modifier le montant',
    'change the amount',
    'نبدل المبلغ',
    'plutôt 1500',
  ])('the amount is asked for again, and the number stays: %s', async (words) => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu().says('envoyer 100 à 0655000021').says(words).sees('transfer.askAmount');
    await fatima.says('50').sees('transfer.askPinOpenLoop', { amount: 5_000, to: '+212655000021' });
  });

  test.each([
    ['envoie plutôt 150', 15_000],
    ['actually 60', 6_000],
    ['plutôt 140 dh', 14_000],
    ['بدلها 60', 6_000],
  ])('another amount takes the place of the first one: %s', async (words, amount) => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.isAtMenu().says('envoyer 100 à 0655000021').says(words);
    await fatima.sees('transfer.askPinOpenLoop', { amount, to: '+212655000021' });
  });

  test('a wrong amount that was paid is wanted back, and at the menu none is changed', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('changer le montant').sees('menu.choose');
    await pays(fatima);
    await fatima.says('je me suis trompé de montant').sees('help.undoThis');
  });

  test.each(["je n'en veux plus", 'quitter', 'non attends'])('"%s" gives it up at the PIN', (words) =>
    world
      .customer({ channel: 'web' })
      .isAtMenu()
      .says('envoyer 100 à 0655000021')
      .says(words)
      .sees('menu.choose')
      .isTold('transfer.cancelled'),
  );

  test('another number is no request where there is none', () =>
    world.customer({ channel: 'web' }).isAtMenu().says('changer le numéro').sees('menu.choose'));

  test.each(WRONG_NUMBER)(
    '"%s" asks for it where no number was typed yet, and says how to ask for a payment that was made',
    async (words) => {
      const fatima = world.customer({ channel: 'web' }).isAtMenu();
      await fatima.chooses('transfer').says(words).sees('transfer.askRecipient').isTold('mobile.again');
      await fatima.says('annulation du dernier envoi').sees('help.undo').chooses('continue');
      await fatima.sees('transfer.askRecipient');
    },
  );

  const OF_LAST = /dernier|last|آخر/;
  const ordered = (words: string) =>
    world
      .customer({ channel: 'web' })
      .isAtMenu()
      .chooses('transfer')
      .says('0655000000')
      .says('100')
      .says(words);

  test.each(TAKE_BACK.filter((words) => !OF_LAST.test(words)))('"%s" gives the request up', (words) =>
    ordered(words).sees('menu.choose').isTold('transfer.cancelled'),
  );

  test.each(TAKE_BACK.filter((words) => OF_LAST.test(words)))(
    '"%s" is about the payment before, and the request waits',
    (words) => ordered(words).sees('help.undo').chooses('continue').sees('transfer.askPinOpenLoop'),
  );
});

test.each(['mauvais montant', 'mauvais numéro', 'wrong amount'])(
  '"%s" gives up an order whose payment was not chosen yet',
  async (words) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu();
    await fatima.says('payer 30 au 0655000000').sees('help.several');
    await fatima.says(words).sees('menu.choose');
  },
);
