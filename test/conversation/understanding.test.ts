import { describe, expect, test } from 'vitest';
import { understand } from '../../src/conversation/shortcuts/understand.ts';
import { NBSP, plain } from '../../src/screen/marks.ts';
import { CHANNELS, type Customer, testOn, theWorld } from '../kit/world.ts';

const TO = '+212655000000';

const world = theWorld({ bot: 'webhook' });
const notice = (customer: Customer) => customer.reply().screen.notice?.key;
const choices = (customer: Customer) => customer.reply().screen.choices?.map(({ id }) => id);

describe('a customer who is not understood', () => {
  testOn(CHANNELS)(
    'chooses among the nearest meanings, and then is offered a person, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('truc bidule').sees('menu.choose');
      await fatima.says('je sais pas trop pour la facture et le solde je crois bien').sees('help.meant');
      expect(choices(fatima)).toEqual(expect.arrayContaining(['bill-payment', 'balance', 'continue']));
      expect(choices(fatima)?.length).toBeLessThanOrEqual(4);
      await fatima
        .says('machin chose')
        .sees('help.person')
        .isTold('nav.chooseOne')
        .offers('adviser', 'continue');
      await fatima.chooses('adviser').sees('help.asked').chooses('continue').sees('menu.choose');
    },
  );

  test('opens a meaning, which asks for all that it needs', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().says('blabla');
    await fatima.says('hmm je sais pas envoyer ou facture de 300 au 0655000000').sees('help.meant');
    await fatima.chooses('transfer').sees('transfer.askRecipient');
  });

  test('gets the question back with what was given', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('je sais pas');
    await fatima.says('euh le solde la bas ou quoi');
    await fatima.sees('help.meant').chooses('continue').sees('transfer.askAmount', { to: TO });
    await fatima.says('100').sees('transfer.askPinOpenLoop', { amount: 10_000 });
  });

  test.each(['help.meant', 'help.person'])('answers the question that waits below %s', async (key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('euh');
    await fatima.says('le solde la bas ou quoi');
    if (key === 'help.person') await fatima.says('blabla');
    await fatima.sees(key).says('je veux envoyer 100 dh').sees('transfer.askPinOpenLoop', { amount: 10_000 });
  });

  test.each<[string, (it: Customer) => Customer, string]>([
    ['the fifth of a list', (it) => it.chooses('bill-payment'), '5'],
    ['the twelfth of a list, in Arabic digits', (it) => it.chooses('bill-payment'), '١٢'],
    ['an amount', (it) => it.chooses('transfer').says('0655000000'), '7'],
    ['an entry of the menu', (it) => it, '8'],
  ])('chooses nothing of the hidden question by a wrong number: %s', async (_, path, digits) => {
    const fatima = world.customer({ channel: 'ussd' });
    await path(fatima.isAtMenu()).says('euh quoi').says('euh le solde la bas ou quoi').sees('help.meant');
    await fatima.says(digits).sees('help.meant').isTold('nav.chooseOne');
  });

  test('is offered nothing for numbers that do not fit, nor for a wrong PIN', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('12').says('123');
    await fatima.says('1234567').sees('transfer.askRecipient');
    await fatima.goes('menu').chooses('balance').says('abc').says('abcd');
    await fatima.says('abcde').sees('balance.askPin');
  });

  test('one who is understood in between begins anew', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('truc bidule').chooses('transfer').goes('menu');
    await fatima.says('je sais pas trop solde ou facture dis donc').sees('menu.choose');
  });
});

describe('money that is missing, theft and fraud', () => {
  test.each([
    ["l'argent n'est pas arrivé", 'transfer'],
    ["j'ai envoyé 300 au 0612345678 et l'argent n'est jamais arrivé", 'transfer'],
    ["on m'a volé mon téléphone", 'transfer'],
    ["on m'a volé", 'top-up'],
    ['je me suis fait arnaquer de 500 dh', 'bill-payment'],
    ['I was scammed', 'transfer'],
    ['my money has not arrived', 'cash'],
    ['t7arramt nsabo 3lia', 'transfer'],
    ['flousi mawslouch', 'transfer'],
    ['تسرق ليا التيليفون', 'transfer'],
    ['نصبو عليا', 'balance'],
    ['لم تصل الفلوس', 'transfer'],
  ])('"%s" leads from %s to a freeze and a person, and back', async (text, entry) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses(entry);
    const { key } = fatima.reply().screen;
    await fatima.says(text).sees('help.urgent');
    const isMissed = /arriv|mawslouch|تصل/.test(text);
    await (isMissed
      ? fatima.offers('adviser', 'statement', 'freeze', 'lost-card', 'continue')
      : fatima.offers('freeze', 'lost-card', 'adviser', 'continue'));
    await fatima.chooses('continue').sees(key);
  });

  test.each([
    'سرقت',
    'سرقت محفظتي وبطاقتي',
    'خصمتم مني مرتين',
    'الرصيد غير صحيح',
    "l'argent n'est pas arrivé",
    'sr9o liya flousi',
    'I was robbed',
  ])('"%s" at the menu', async (text) => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().says(text).sees('help.urgent').chooses('freeze').sees('freeze.ask');
    await fatima.chooses('yes').sees('freeze.frozen');
  });
});

describe('fraud in plain words', () => {
  test.each([
    ["j'ai donné mon code pin à quelqu'un", 'fr'],
    ["on m'a demandé mon code pin au téléphone", 'fr'],
    ['on me demande mon code par téléphone', 'fr'],
    ['on a piraté mon compte', 'fr'],
    ["j'ai mis mon pin sur un faux site", 'fr'],
    ["il y a une opération que je n'ai pas faite", 'fr'],
    ["ce n'est pas moi qui ai fait cet achat", 'fr'],
    ['je ne reconnais pas ce paiement', 'fr'],
    ['3tit lcode dyali l wa7ed', 'fr'],
    ['had l3amaliya machi ana li dertha', 'fr'],
    ['عطيت الكود ديالي لواحد', 'ar'],
    ['هاد العملية ماشي أنا اللي درتها', 'ar'],
    ['I gave my PIN to someone', 'en'],
    ['this payment was not made by me', 'en'],
  ] as const)('"%s" leads to the freeze and a person', async (words, language) => {
    const fatima = world.customer({ channel: 'ussd', language });
    await fatima
      .isAtMenu()
      .says(words)
      .sees('help.urgent')
      .offers('freeze', 'lost-card', 'adviser', 'continue');
  });

  test.each([
    ["j'ai été débité mais le commerçant n'a rien reçu", 'merchant'],
    ['le magasin dit que je ne suis pas passé mais je suis débité', 'merchant'],
    ['khlest w moul l7anout ma wslo walo', 'merchant'],
    ['خلصت والتاجر ما وصلو والو', 'merchant'],
    ['the shop did not receive my payment', 'merchant'],
    ["la facture n'est pas payée", 'bill'],
    ['ma facture est payée mais toujours impayée', 'bill'],
    ['lfactura khlestha w ba9a katban', 'bill'],
    ["le bon d'achat ne marche pas", 'voucher'],
    ['البون ما خدامش', 'voucher'],
    ["my voucher doesn't work", 'voucher'],
    ["j'ai payé deux fois", 'paid'],
  ])('"%s" complains of what was paid, and pays nothing', async (words, of) => {
    expect(understand(words)).toMatchObject({ shortcut: { isUrgent: 'missing', about: { of } } });
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(words).sees('help.urgent').isTold('help.noLast');
    await fatima.offers('adviser', 'statement', 'freeze', 'lost-card', 'continue');
  });

  test.each([
    ...["j'ai payé ma facture redal hier", "je n'ai pas encore payé ma facture", 'khlest lfactura'],
    ...['changer mon code pin', "j'ai oublié mon code pin", 'mon code ne marche pas', 'payer ma facture'],
    ...['donne moi mon code', 'I forgot my pin', 'خلصت الفاتورة', 'nkhelles lfactura dyali', 'envoyer 100'],
  ])('"%s" is neither', (words) => {
    const understood = understand(words);
    expect(understood?.kind === 'wants' && understood.shortcut.isUrgent).toBeFalsy();
  });

  test('an open deposit is not what was paid twice', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().says('/cash-in 300').chooses('agents').sees('cash-in.shown').goes('menu');
    await fatima.says("j'ai payé deux fois").sees('help.urgent').isTold('help.noLast');
  });
});

test('a payment of another conversation is not denied: the statement shows it', async () => {
  const fatima = world.customer({ channel: 'ussd' });
  const chat = world.chatOf(fatima);
  await fatima.isAtMenu().says('/transfer 0655000000 50').enters().after(10_000);
  await chat.isAtMenu().says("mon envoi n'est pas arrivé").sees('help.urgent').isTold('help.noLast');
  await chat.chooses('statement').sees('statement.askPin');
});

describe('a customer who looks for their money', () => {
  test.each([
    ['web', 'fr', 'où est mon argent'],
    ['telegram', 'en', 'where is my money'],
    ['web', 'ar', 'فلوسي فين'],
    ['ussd', 'ar', 'fin flousi'],
  ] as const)('reads how the last payment stands, on %s in %s', async (channel, language, words) => {
    const fatima = world.customer({ channel, language });
    await fatima.isAtMenu().says(words).sees('help.urgent').isTold('help.noLast').chooses('continue');
    await fatima.says('/transfer 0655000000 50').enters().sees('transfer.processing').goes('menu');
    await fatima.says(words).sees('help.urgent').isTold('transfer.notConfirmed');
    await fatima.chooses('continue').sees('menu.choose').after(10_000).says(words).isTold('help.last');
    expect(lastIn(fatima)).toMatchObject([{ key: 'transfer.done' }]);
    await fatima.offers('adviser', 'freeze', 'lost-card', 'continue');
  });
});

function lastIn(customer: Customer): unknown {
  const { payment } = customer.reply().screen.notice?.values ?? {};
  return payment && 'lines' in payment ? payment.lines : undefined;
}

describe('a person who is asked for by name', () => {
  test.each([
    ['web', 'fr', 'parler à un conseiller'],
    ['ussd', 'ar', 'شكاية'],
    ['ussd', 'ar', 'شكوى'],
    ['web', 'ar', 'بغيت نشكي'],
    ['ussd', 'ar', 'بغيت نهضر مع شي حد'],
    ['web', 'ar', 'تكلم مع مستشار'],
  ] as const)('is asked for at once, on %s in %s: %s', async (channel, language, words) => {
    const fatima = world.customer({ channel, language });
    await fatima.isAtMenu().says(words).sees('help.asked').chooses('continue').sees('menu.choose');
    await fatima.chooses('top-up').says(words).chooses('continue').sees('top-up.askNumber');
    expect(await world.engine.desk.cases.about('asked', fatima.address)).toBeDefined();
  });
});

test.each([
  ['اورنج', 'Orange'],
  ['أورنج', 'Orange'],
  ['إنوي', 'Inwi'],
  ['اتصالات المغرب', 'Maroc Telecom'],
])('an operator is called in Arabic script as well: %s', async (words, operator) => {
  const fatima = world.customer({ channel: 'ussd', language: 'ar' });
  await fatima.isAtMenu().chooses('top-up').says('0655443322').sees('top-up.chooseOperator');
  await fatima.says(words).says('45').sees('top-up.askPin', { operator });
});

test('a whole request in the middle of one like it is asked about', async () => {
  const fatima = world.customer({ channel: 'web' });
  await fatima.isAtMenu().chooses('top-up').says('0612345678').sees('top-up.chooseOperator');
  await fatima.says('recharge 0612345679 20').sees('top-up.resume').chooses('top-up');
  await fatima.sees('top-up.chooseOperator');
});

test.each([
  ['top-up', '/top-up 0612345678', 'recharge 20', 'top-up.resume', 'top-up.chooseOperator'],
  ['transfer', '/transfer 0655000000 50', 'envoyer 70', 'transfer.resumePayment', 'transfer.askPinOpenLoop'],
])(
  'another amount in the middle of a %s is offered, and keeps the number',
  async (machine, order, words, resume, next) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(order).says(words).sees(resume);
    expect(fatima.reply().screen.choices?.map(({ id, key }) => [id, key])).toEqual([
      ['continue', machine === 'transfer' ? 'transfer.goOnWith' : 'help.continue'],
      [machine, 'help.ofAmountTo'],
    ]);
    await fatima.chooses(machine).sees(next);
  },
);

describe('a kind word', () => {
  test.each([
    ['merci', 'nav.welcome'],
    ['شكرا بزاف', 'nav.welcome'],
    ['salam', 'nav.greeting'],
    ['hello', 'nav.greeting'],
    ['ok', 'nav.fine'],
    ['wakha', 'nav.fine'],
    ['👍', 'nav.fine'],
    ['🙏🏽', 'nav.welcome'],
    ['au revoir', 'nav.bye'],
    ['bslama', 'nav.bye'],
    ['مع السلامة', 'nav.bye'],
  ])('"%s" is answered, and the question comes back', async (text, key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    await fatima.says(text).sees('transfer.askAmount', { to: TO }).isTold(key);
    await fatima.goes('menu').says(text).sees('menu.choose');
    await fatima.isTold(key === 'nav.greeting' ? 'nav.hello' : key);
  });

  test.each(['merci', '👍', 'ok', 'd’accord', 'wakha', 'thanks'])(
    '"%s" agrees to no payment',
    async (text) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop');
      await fatima.says(text).sees('transfer.askPinOpenLoop', { amount: 20_000 });
      await fatima.enters().sees('transfer.processing');
      await fatima.meanwhile(() => world.passes(1_500));
      await fatima.opens().says('envoyer 200 à 0655000000').sees('transfer.confirmAgain');
      await fatima.says(text).sees('transfer.confirmAgain');
    },
  );

  test('behind the end of a request leads to the menu', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.shown');
    await fatima.says('merci').sees('menu.choose').isTold('nav.welcome');
  });
});

describe('the fee of an amount', () => {
  test.each([
    ["c'est combien les frais pour 300 ?", 'fr'],
    ['what is the fee for 300', 'en'],
    ['شحال الرسوم ديال 300 درهم', 'ar'],
    ['ch7al lfrais dyal 300 dh', 'fr'],
  ] as const)('"%s" is answered at the question for the amount, which comes back', async (text, language) => {
    const fatima = world.customer({ channel: 'web', language });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    await fatima.says(text).sees('transfer.askAmount', { to: TO });
    expect(fatima.reply().screen.notice).toMatchObject({
      key: 'nav.fees',
      values: { amount: { money: 30_000 } },
    });
    await fatima.says('100').sees('transfer.askPinOpenLoop', { amount: 10_000 });
  });

  test('elsewhere it is said to come before the PIN', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().says('frais pour 300 dh').sees('menu.choose').isTold('nav.feesBefore');
    await fatima.chooses('transfer').says('frais pour 300 dh').sees('transfer.askRecipient');
    await fatima.isTold('nav.feesBefore');
  });

  test('an amount that the wallet does not hold is refused as a payment of it is', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('frais pour 9000 dh');
    await fatima.sees('transfer.askAmount');
    expect(notice(fatima)).not.toBe('nav.fees');
  });
});

describe('in the middle of a request', () => {
  const REQUESTS = {
    'transfer.askAmount': (it: Customer) => it.chooses('transfer').says('0655000000'),
    'transfer.askRecipient': (it: Customer) => it.chooses('transfer'),
    'top-up.askNumber': (it: Customer) => it.chooses('top-up'),
    'bill-payment.chooseCreditor': (it: Customer) => it.chooses('bill-payment'),
  };

  testOn(CHANNELS)(
    'the balance is read, and the question comes back with all that was given, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '500' });
      await fatima.isAtMenu().chooses('transfer').says('0655000000').says('mon solde').sees('balance.askPin');
      await fatima.enters().sees('transfer.askAmount', { to: TO });
      expect(fatima.reply().screen.notice).toMatchObject({
        key: 'balance.shown',
        values: { balance: { money: 50_000 } },
      });
      expect(fatima.reply().isPrivate).toBe(true);
      await fatima.repeats().sees('transfer.askAmount', { to: TO });
      await fatima.says('100').sees('transfer.askPinOpenLoop', { to: TO, amount: 10_000 });
      expect(fatima.reply().isPrivate).toBeUndefined();
    },
  );

  test.each(Object.entries(REQUESTS))(
    'the balance may be asked for at %s, and given up',
    async (key, path) => {
      const fatima = world.customer({ channel: 'web' });
      await path(fatima.isAtMenu())
        .sees(key)
        .says('3tini rassid')
        .sees('balance.askPin')
        .goes('back')
        .sees(key);
      await fatima.says('solde').says('annuler').sees(key).says('solde').enters().sees(key);
      await fatima.goes('menu').sees('menu.choose');
    },
  );

  test.each([
    ['relevé', 'statement.askPin', 'statement.list'],
    ['كشف العمليات', 'statement.askPin', 'statement.list'],
    ['mon rib', 'rib.askPin', undefined],
  ])('"%s" is read', async (text, asks, shown) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('envoyer 10 à 0655000000').enters().sees('transfer.processing');
    await fatima.meanwhile(() => world.passes(2_000)).goes('menu');
    await fatima.chooses('transfer').says('0655000000').says(text).sees(asks);
    await fatima.enters();
    if (shown) await fatima.sees(shown).goes('back');
    await fatima.sees('transfer.askAmount', { to: TO });
  });

  test('a PIN that is typed twice for the balance confirms no payment', async () => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu().says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop').says('solde');
    await fatima.enters();
    await fatima.sees('balance.shown').enters().sees('balance.shownAt').says('1234').sees('balance.shownAt');
    await fatima.offers('continue');
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop', { amount: 20_000 });
    await fatima.enters().sees('transfer.processing');
  });

  test.each([
    ['fr', 'Reprendre votre envoi de 200,00 DH au 06 55 00 00 00', 'Retour au menu'],
    ['ar', 'متابعة إرسال 200,00 درهم إلى 06 55 00 00 00', 'العودة إلى القائمة'],
    ['en', 'Go on with your transfer of MAD 200.00 to 06 55 00 00 00', 'Back to the menu'],
  ] as const)(
    'the way back names the payment that waits, or the menu, in %s',
    async (language, payment, menu) => {
      const fatima = world.customer({ channel: 'web', balance: '500', language });
      const wayBack = () => {
        const { choices } = world.renderer.chat(fatima.reply().screen, language);
        return plain(choices.at(-1)?.label ?? '').replaceAll(NBSP, ' ');
      };
      await fatima.isAtMenu().goes('help');
      expect(wayBack()).toBe(menu);
      await fatima.goes('back').says('/transfer 0655000000 200').sees('transfer.askPinOpenLoop').goes('help');
      expect(wayBack()).toBe(payment);
      await fatima.goes('back').says('/balance').enters().sees('balance.shown');
      expect(wayBack()).toBe(payment);
      await fatima.says('continuer').sees('transfer.askPinOpenLoop');
    },
  );

  test('a preview that has grown old meanwhile is made again', async () => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    await fatima.isAtMenu().says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop').says('solde');
    await fatima.enters();
    const previews = () =>
      world.wallet.calls(fatima.phone).filter((call) => /simul|preview/i.test(JSON.stringify(call))).length;
    const before = previews();
    await fatima.meanwhile(() => world.passes(130_000));
    await fatima.goes('back').sees('transfer.askPinOpenLoop');
    expect(previews()).toBeGreaterThan(before);
  });
});

describe('in the middle of a request, for help or something else,', () => {
  test('payments are frozen at once, and the question that comes back says so', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    await fatima.says('geler mes paiements').sees('freeze.frozen');
    await fatima.goes('back').sees('transfer.askAmount', { to: TO }).isTold('freeze.still');
  });

  test('a person is asked for, and the question comes back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000');
    await fatima.says('parler à un conseiller').sees('help.asked');
    await fatima.chooses('continue').sees('transfer.askAmount', { to: TO });
  });

  test('help in the middle of a guest leads back to the question', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('solde');
    await fatima.goes('help').sees('help.help');
    await fatima.chooses('continue').sees('transfer.askAmount', { to: TO });
  });

  test('a dial that broke off there offers to go on with the request', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('solde');
    await fatima.enters().sees('transfer.askAmount');
    await fatima.dials().sees('transfer.resume').chooses('continue').sees('transfer.askAmount', { to: TO });
  });

  test.each([
    ['recharge 50', 'top-up', 'top-up.askNumber'],
    ['payer une facture', 'bill-payment', 'bill-payment.chooseCreditor'],
  ])('another payment asks whether to leave this one: %s', async (text, machine, key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima
      .isAtMenu()
      .chooses('transfer')
      .says('0655000000')
      .says(text)
      .sees('transfer.resume', { to: TO });
    await fatima.offers('continue', machine);
    await fatima.chooses('continue').sees('transfer.askAmount', { to: TO });
    await fatima.says(text).chooses(machine).sees(key);
  });

  test('an amount in a sentence is the amount that is asked for', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('je veux envoyer 120 dh');
    await fatima.sees('transfer.askPinOpenLoop', { amount: 12_000 });
  });
});
