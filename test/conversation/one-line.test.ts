import { describe, expect, test } from 'vitest';
import { CHANNELS, CHATS, describeOn, testOn, theWorld } from '../kit/world.ts';
import { ordersWater, SINGLE } from '../machines/bill-orders.ts';
import { CAFE } from '../machines/merchant-orders.ts';

const TO = '+212655000000';

const world = theWorld({ bot: 'webhook' });

describe('words that strangers have used', () => {
  test.each(['payer 35 à café atlas', 'pay 35 to cafe atlas', 'régler 35 dh chez la pharmacie du coin'])(
    'the number of a merchant who is not saved is asked for, and the amount stays: %s',
    async (text) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().says(text).sees('merchant-payment.askMerchant');
      await fatima.isTold('beneficiaries.noneCalledKept', { amount: 3_500 });
    },
  );

  test.each(['payer 12 au cafe', 'pay 12 to the cafe', 'payer 12 au Café', 'خلص 12 في cafe'])(
    'a merchant who is saved is paid by their name: %s',
    async (text) => {
      const fatima = world.customer({ channel: 'web' });
      await world.api.saveBeneficiary(fatima.phone, { name: 'cafe', phoneNumber: CAFE });
      const named = { amount: 1_200, merchant: CAFE, recipientName: 'cafe' };
      await fatima.isAtMenu().says(text).sees('merchant-payment.askPinNamed', named);
      await fatima.goes('menu').chooses('transfer').chooses('merchant').says('cafe');
      await fatima.sees('merchant-payment.askAmount').says('12').sees('merchant-payment.askPinNamed', named);
    },
  );

  test.each<[string, string, string | undefined]>([
    ['commerçant 99999', 'merchant-payment.askMerchant', 'mobile.unfinished'],
    ['payer 35 à maman', 'transfer.askRecipient', 'beneficiaries.noneCalledKept'],
    ['payer 35 à samira', 'help.several', undefined],
    ['recharger 20 dh à ma femme', 'top-up.askNumber', 'beneficiaries.noneCalledKept'],
    ['offrir un bon de 50', 'voucher.chooseBrandGift', 'nav.amountLater'],
    ['mes bons', 'voucher-codes.none', undefined],
    ['problème', 'help.help', undefined],
    ['مشكل', 'help.help', undefined],
  ])('%s', async (text, key, told) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(text).sees(key);
    await (told ? fatima.isTold(told) : fatima.isToldNothing());
  });

  test('somebody else is named in the middle of a top-up, and the number on show is not offered for them', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima
      .isAtMenu()
      .says('/topup 0655000000 10')
      .says('recharger 20 dh à ma femme')
      .sees('top-up.resume');
    const offered = fatima.reply().screen.choices?.find(({ id }) => id === 'top-up');
    expect(offered?.values?.to).toEqual({ name: 'ma femme' });
  });

  test.each([
    ...[
      'refaire',
      'encore',
      'again',
      'عاود',
      'le même',
      'encore pareil',
      'same please',
      'نفسه',
      'بحال ديك المرة',
    ],
    "refaites la même opération s'il vous plaît",
  ])('the last payment is made again by "%s", with its amount', async (text) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('/transfer 0655000000 50').enters();
    await fatima.after(1_500).goes('menu').says(text);
    await fatima.sees('transfer.confirmAgain', { to: TO, amount: 5_000 });
    await fatima.goes('menu').says('encore 60').sees('transfer.askPinOpenLoop', { to: TO, amount: 6_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('the last payment of any kind is made again, and of a bill the list', async () => {
    const fatima = world.customer({ channel: 'web', balance: '2000' });
    await fatima.isAtMenu().says('/transfer 0655000000 50').enters().after(1_500);
    await fatima.goes('menu').says('payer commerçant 0600000011 12').enters().after(1_500);
    await fatima.goes('menu').says('encore').sees('merchant-payment.confirmAgain', { amount: 1_200 });
    await fatima.goes('menu').walks(ordersWater(SINGLE)).enters().after(1_500);
    await fatima.goes('menu').says('encore').sees('bill-payment.chooseCreditor');
    await fatima.goes('menu').says('renvoyer la même chose');
    await fatima.sees('transfer.confirmAgain', { to: TO, amount: 5_000 });
  });
});

describe('a request in one line', () => {
  testOn(CHANNELS)('a number and an amount leave only the confirmation, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await fatima.says('/transfer 0655000000 200').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
  });

  test('in French words', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await fatima.says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
  });

  test('in Arabic words and digits', async () => {
    const fatima = world.customer({ channel: 'web', language: 'ar' });
    await fatima.isAtMenu();
    await fatima.says('إرسال ٢٠٠ إلى ٠٦٥٥٠٠٠٠٠٠').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
  });

  test('missing parts are asked for, and the other parts are not', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('envoyer 200').sees('transfer.askRecipient');
    await fatima.says('0655000000').sees('transfer.askPinOpenLoop', { amount: 20_000 }).goes('menu');
    await fatima.says('envoyer à 0655000000').sees('transfer.askAmount', { to: TO });
  });

  test.each([
    ['top-up', 'إرسال 200 إلى 0655000000', 'transfer.askPinOpenLoop'],
    ['transfer', 'envoyer 200 à 0655000000', 'transfer.askPinOpenLoop'],
    ['top-up', 'à 0655000000 200', 'top-up.askNumber'],
    ['top-up', 'envoyer à Karim', 'transfer.askRecipient'],
  ])('a whole one is read at the question for a number of a %s: %s', async (entry, text, key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses(entry).says(text).sees(key);
  });

  test('a customer who names another day reads that a payment goes at once', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('envoyer 200 à 0655000000 demain').sees('transfer.askRecipient');
    await fatima.isTold('nav.paysNow');
  });

  test('an ambiguous request is asked about', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('envoyer 1.500 à 0655000000').sees('transfer.askAmount', { to: TO });
    await fatima.isTold('amount.ambiguous');
  });

  test.each([
    ['رصيد', 'balance.askPin'],
    ['/statement', 'statement.askPin'],
    ['mon compte', 'account.choose'],
    ['recharge 50', 'top-up.askNumber'],
    ["bons d'achat", 'voucher.chooseBrand'],
  ])('%s', (text, key) => world.customer({ channel: 'web' }).isAtMenu().says(text).sees(key));

  test('a creditor is looked for', () =>
    world
      .customer({ channel: 'web' })
      .isAtMenu()
      .says('facture redal')
      .sees('bill-payment.askUnder')
      .isTold('bill-payment.foundOnly'));

  test.each([
    ['kitab', 'voucher.chooseArticle', undefined],
    ['CINÉ ritz', 'voucher.chooseArticle', undefined],
    ['netflix', 'voucher.chooseBrand', 'voucher.noMatch'],
    ['test', 'voucher.chooseBrand', undefined],
  ])('a brand of vouchers is looked for: %s', async (search, key, told) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(`bon d'achat ${search}`).sees(key);
    await (told ? fatima.isTold(told) : fatima.isToldNothing());
    if (key === 'voucher.chooseArticle') await fatima.goes('back').sees('voucher.chooseBrand');
    expect(fatima.reply().screen.choices).toHaveLength(8);
  });

  test('a brand that may be on a later page is not called missing', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const entries = [{ id: 1, name: 'Souk' }];
    world.wallet.next('voucherBrands', { kind: 'ok', value: { entries, count: 2 } });
    await fatima.says('/voucher netflix').sees('voucher.chooseBrand');
    expect(fatima.reply().screen.notice).toBeUndefined();
  });

  test.each([
    ['web', 'unlink.confirm'],
    ['ussd', 'menu.choose'],
  ] as const)('only a chat can be unlinked, so not on %s', (channel, key) =>
    world.customer({ channel }).isAtMenu().says('/unlink').sees(key),
  );

  test('what only reads is answered in the middle of anything, and the question comes back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer');
    await fatima.says('solde').sees('balance.askPin').goes('back').sees('transfer.askRecipient');
    await fatima.says('/balance').sees('balance.askPin').enters().sees('transfer.askRecipient');
    await fatima.says('relevé').sees('transfer.askRecipient').isTold('statement.empty');
  });
});

describe('a request in one line at other moments', () => {
  describe('words in a search', () => {
    const BILLERS = 'bill-payment.chooseCreditor';
    const atBillers = () => world.customer({ channel: 'web' }).isAtMenu().says('facture').sees(BILLERS);

    test.each([
      ['annuler', 'menu.choose'],
      ['إلغاء', 'menu.choose'],
      ['cancel', 'menu.choose'],
      ['retirer 300', 'cash-out.askPin'],
      ['mes références', 'references.empty'],
      ['je veux déposer 150 par carte', 'card-cash-in.askPin'],
    ])('%s is no biller', (text, key) => atBillers().says(text).sees(key));

    test.each<[text: string, key: string]>([
      ...['annulex', 'arabe', 'accueil 2'].map((text) => [text, BILLERS] as [string, string]),
      ['redal 300', 'bill-payment.askUnder'],
      ['recharge', 'top-up.askNumber'],
      ['carte', 'cards.none'],
    ])('%s is looked for', (text, key) => atBillers().says(text).sees(key));
  });

  test('after the conversation has ended', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().after(31 * 60_000);
    await fatima.says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
  });

  test('while money is under way, another conversation may begin', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('/transfer 0655000000 200').enters().sees('transfer.processing');
    await fatima.says('/balance').sees('balance.askPin');
  });
});

describe('a request in one line before the wallet is there', () => {
  describeOn(CHATS)('a request before the wallet is there, on %s', (channel) => {
    type Someone = ReturnType<typeof world.customer>;
    const someone = (balance = '500') => world.customer({ channel, balance });
    const proves = (fatima: Someone) =>
      channel === 'telegram'
        ? fatima.sharesNumber()
        : fatima.says(fatima.phone).sees('linking.askCode').entersCodeFromSms();

    test('a payment comes after linking and the PIN, and still asks for its own', () =>
      someone()
        .says('/transfer 0655000000 200')
        .sees('linking.askPhone')
        .walks(proves)
        .sees('unlocking.askPin')
        .enters('4321')
        .sees('unlocking.askPin')
        .enters()
        .sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 })
        .walks((fatima) =>
          fatima.meanwhile(() => expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([])),
        ));

    test.each([
      ['/topup 0612345678 50', 'top-up.chooseOperator'],
      ['/bill redal', 'bill-payment.askUnder'],
      ['/voucher', 'voucher.chooseBrand'],
      ['/balance', 'balance.askPin'],
    ])('%s leads to %s', (line, key) =>
      someone().says(line).sees('linking.askPhone').walks(proves).enters().sees(key),
    );

    test('a chat left alone for long asks for the PIN, and goes on', async () => {
      const fatima = someone();
      await fatima.isAtMenu().after(31 * 24 * 3_600_000);
      await fatima.says('/transfer 0655000000 200').sees('unlocking.askPin');
      await fatima.enters().sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
    });

    test('a request during linking and unlocking counts, and the last one wins', async () => {
      const fatima = someone();
      await fatima.opens().says('/balance').sees('linking.askPhone').walks(proves).sees('unlocking.askPin');
      await fatima.says('/transfer 0655000000 200').sees('unlocking.askPin');
      await fatima.enters().sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
    });

    test('a customer who goes to the menu instead has withdrawn it', async () => {
      const fatima = someone();
      await fatima.says('/transfer 0655000000 200').walks(proves).sees('unlocking.askPin');
      await fatima.goes('menu').sees('unlocking.askPin').enters().sees('menu.choose');
    });

    test('it is done once, and the menu after it is the menu', async () => {
      const fatima = someone();
      await fatima.says('/balance').walks(proves).enters().sees('balance.askPin');
      await fatima.goes('back').sees('menu.choose').goes('menu').sees('menu.choose');
    });

    test('a stranger without a wallet is asked to open one, after any request', async () => {
      const salma = world.stranger({ channel });
      await salma.says('/transfer 0655000000 200').sees('linking.askPhone').walks(proves).sees('consent.ask');
    });
  });

  test('nobody gets past the PIN of a chat that is not linked', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().sees('unlocking.askPin').says('/balance').sees('unlocking.askPin');
  });

  test('a locked wallet stays locked', async () => {
    const fatima = world.customer({ status: 5 });
    await fatima.arrives().sees('menu.locked').says('/transfer 0655000000 200').sees('menu.locked');
  });

  test('a service that is not enabled is left out for the rest of the visit', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.sandbox.setModules({ telco: false });
    await fatima.chooses('top-up').sees('top-up.notEnabled').goes('menu').sees('menu.choose');
    await fatima.offersNo('top-up');
    await fatima.says('recharge 50').sees('menu.choose');
    world.sandbox.setModules({ telco: true });
    await fatima.dials().sees('menu.choose').chooses('top-up').sees('top-up.askNumber');
  });

  test('a deep dial does the same', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.dials('1', '0655000000', '200').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
  });
});

describe('what a line does not say for certain', () => {
  test.each([
    ['envoie 200 dh à 0655000000 stp, et dis moi mon solde', ['transfer', 'balance']],
    ['send 200 to 0655000000 and show my balance', ['transfer', 'balance']],
    ['payer 200 à 0655000000', ['merchant-payment', 'transfer']],
    ['pay 200 to 0655000000', ['merchant-payment', 'transfer']],
    ['خلص 200 ل0655000000', ['merchant-payment', 'transfer']],
    ['khelles 200 l 0655000000', ['merchant-payment', 'transfer']],
  ])('of two things the customer chooses, and what is certain is kept: %s', async (text, meanings) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima
      .isAtMenu()
      .says(text)
      .sees('help.several')
      .isToldNothing()
      .offers(...meanings, 'continue');
    await fatima.chooses('transfer').sees('transfer.askPinOpenLoop', { to: TO, amount: 20_000 });
    await fatima.goes('menu').chooses('transfer').says(text).sees('help.several').chooses('continue');
    await fatima.sees('transfer.askRecipient').says(text).chooses('transfer').sees('transfer.askPinOpenLoop');
  });

  test.each(['envoie 200 à 0655000000 et recharge 20', 'envoie 200 à 0655000000 et recharge mon téléphone'])(
    'of two payments nobody knows whose amount it is: %s',
    async (text) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().says(text).sees('help.several').isTold('nav.notAll');
      await fatima.chooses('transfer').sees('transfer.askRecipient');
      await fatima.says('envoyer ou recharger').sees('help.several').chooses('continue');
      await fatima.sees('transfer.askRecipient');
    },
  );

  test('a figure that is not taken is not dropped in silence', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('recharge 1.500').sees('top-up.askNumber').isTold('amount.ambiguous');
    await fatima.goes('menu').says('envoyer -50').sees('transfer.askRecipient').isTold('nav.notAll');
    await fatima.goes('menu').says('envoyer 200').sees('transfer.askRecipient').isToldNothing();
  });
});
