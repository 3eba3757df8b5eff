import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { NBSP, plain } from '../../src/screen/marks.ts';
import { msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import { LOST, loses, refused } from '../kit/meddler.ts';
import { CHANNELS_ON, CHATS, type Customer, STORES, testOn, theWorld, type World } from '../kit/world.ts';
import { KARIM } from './bank-orders.ts';
import { CAFE } from './merchant-orders.ts';
import { picks } from './voucher-orders.ts';

const MAMAN = '+212655000001';
const OTHERS = ['Ali', 'Driss', 'Hiba', 'Karim', 'Mina', 'Omar', 'Rita', 'Salma', 'Yasmine'];

/** Saves people for a customer, by name: a number each, or what is said. */
async function saves(
  { api }: World,
  { phone }: Customer,
  ...all: readonly (string | { name: string; phoneNumber?: string; rib?: string; email?: string })[]
): Promise<void> {
  for (const [i, each] of all.entries()) {
    const who = typeof each === 'string' ? { name: each, phoneNumber: `+21265500001${i}` } : each;
    expect(await api.saveBeneficiary(phone, who)).toMatchObject({ kind: 'ok' });
  }
}

async function namesOf({ api }: World, { phone }: Customer): Promise<readonly object[]> {
  const answer = await api.beneficiaries(phone, { page: 1, pageSize: 50 });
  return answer.kind === 'ok' ? answer.value.entries.map(({ id: _any, ...rest }) => rest) : [];
}

const toppedUp = (customer: Customer) =>
  customer.chooses('top-up').says('0655000001').chooses('1').says('20').chooses('classic').enters();
const paidMerchant = (customer: Customer) =>
  customer
    .chooses('transfer')
    .chooses('merchant')
    .says(nationalNumber(msisdn(CAFE)))
    .says('20')
    .enters();
const givenVoucher = (customer: Customer) =>
  customer.walks(picks).chooses('gift').says('0655000001').says('Maman').enters();
const paidInOneLine = (customer: Customer) => customer.says('envoyer 20 à 0655000001').enters();

const choicesOf = (customer: Customer) =>
  (customer.reply().screen.choices ?? []).map(({ id, values }) => {
    const name = values?.name;
    return name && 'name' in name ? name.name : id;
  });

/** The id of the first choice. */
const firstOf = (customer: Customer) => customer.reply().screen.choices?.[0]?.id ?? '';

describe.each(STORES)('saved recipients, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'a recipient is paid by name, and the id goes with the number, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
      await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
      expect(choicesOf(fatima)).toEqual(['Maman', 'merchant']);
      const id = firstOf(fatima);
      await fatima.chooses(id).sees('transfer.askAmountSaved', { to: MAMAN, name: 'Maman' });
      await fatima.says('40');
      await fatima.sees('transfer.askPinOpenLoopNamed', { amount: 4000, to: MAMAN, recipientName: 'Maman' });
      await fatima.enters().sees('transfer.processing');
      expect(world.wallet.told(fatima.phone, 'transfer')).toEqual([
        [expect.objectContaining({ to: MAMAN, beneficiaryId: Number(id.slice('saved-'.length)) })],
      ]);
      const named = { amount: 4000, to: MAMAN, recipientName: 'Maman' };
      await fatima.after(10_000).hears('transfer.doneNamed', named);
    },
  );
});

const world = theWorld();

describe('the name under which a recipient is saved', () => {
  const asksFor = async (name: string, more: Parameters<typeof world.customer>[0]) => {
    const fatima = world.customer({ balance: '900', ...more });
    await saves(world, fatima, { name, phoneNumber: world.customer().phone });
    await fatima.isAtMenu().chooses('transfer');
    await fatima.chooses(firstOf(fatima)).says('40');
    return { screen: fatima.reply().screen, page: pageOf(world.renderer, fatima.reply()) };
  };

  test.each(
    (['fr', 'ar', 'en'] as const).flatMap((language) => [
      [language, 'Maman'] as const,
      [language, 'Youssef Benali'] as const,
    ]),
  )('is on the one page of the PIN beside the number, in %s: %s', async (language, name) => {
    const { screen, page } = await asksFor(name, { language });
    expect(screen.values?.recipientName).toEqual({ name });
    expect(page).toMatchObject({
      pages: 1,
      text: expect.stringMatching(RegExp(`${name}[^]*06\\d{8}|06\\d{8}\n${name}`)),
    });
  });

  test('stands beside the number at another institution, in the one line of an order', async () => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
    await fatima.isAtMenu().says('envoyer 20 à maman');
    await fatima.sees('transfer.askPinOpenLoopNamed', { to: MAMAN, recipientName: 'Maman' });
    for (const language of ['fr', 'ar', 'en'] as const) {
      const page = pageOf(world.renderer, { ...fatima.reply(), language });
      expect(page.pages, language).toBe(1);
    }
  });

  test('is on the receipt and on its card', async () => {
    const fatima = world.customer({ channel: 'web' });
    const youssef = world.customer();
    await saves(world, fatima, { name: 'Youssef Benali', phoneNumber: youssef.phone });
    await fatima.isAtMenu().says('envoyer 20 à youssef').enters().after(10_000).opens();
    await fatima.sees('transfer.doneNamed', { recipientName: 'Youssef Benali', to: youssef.phone });
    const { receipt } = world.renderer.chat(fatima.reply().screen, 'fr');
    expect(plain(receipt?.rows.find(({ name }) => name === 'to')?.value ?? '')).toMatch(
      /^Youssef Benali, 06[\s\d]+$/,
    );
  });

  test('a merchant is named at the PIN and on the receipt', async () => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, { name: 'Épicerie', phoneNumber: CAFE });
    await fatima.isAtMenu().chooses('transfer').chooses('merchant').says('0600000011').says('35');
    await fatima.sees('merchant-payment.askPinNamed', { recipientName: 'Épicerie' }).enters();
    await fatima.after(10_000).opens().sees('merchant-payment.doneNamed', { recipientName: 'Épicerie' });
  });

  test('is left out of a page where it is long, and not of a chat', async () => {
    const long = 'Tante Khadija El Amrani';
    expect((await asksFor(long, {})).screen.key).toBe('transfer.askPin');
    expect((await asksFor(long, { channel: 'web' })).screen.values?.recipientName).toEqual({ name: long });
  });
});

describe('the offered recipients', () => {
  test('the question stays the same when nobody is saved', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    expect(choicesOf(fatima)).toEqual(['merchant']);
  });

  test('four are offered, last paid first, then by name, and the others can be listed and searched', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await saves(world, fatima, ...OTHERS);
    await fatima.isAtMenu();
    for (const name of ['Rita', 'Omar']) {
      const at = OTHERS.indexOf(name);
      await fatima.chooses('transfer').says(`065500001${at}`).says('10').enters();
      await fatima.after(1_500).hears('transfer.doneNamed').goes('menu');
    }
    await fatima.chooses('transfer').sees('transfer.askRecipient');
    expect(choicesOf(fatima)).toEqual(['Omar', 'Rita', 'Ali', 'Driss', 'others', 'merchant']);
    await fatima.chooses('others').sees('beneficiaries.choose');
    expect(choicesOf(fatima)).toEqual([
      ...['Omar', 'Rita'],
      ...OTHERS.filter((each) => !'OmarRita'.includes(each)).slice(0, 6),
      'more',
    ]);
    await fatima.chooses('more').sees('beneficiaries.choose');
    expect(choicesOf(fatima)).toEqual(['Yasmine']);
    await fatima.says('mîna').isTold('beneficiaries.noMatch').says('min').sees('beneficiaries.choose');
    expect(choicesOf(fatima)).toEqual(['Mina', 'Yasmine']);
    await fatima.goes('back').sees('transfer.askRecipient');
  });

  test('the customer chooses between a number and a RIB, and a RIB leads to the bank', async () => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, { name: 'Karim', phoneNumber: MAMAN, rib: KARIM });
    await fatima.isAtMenu().chooses('transfer');
    const id = firstOf(fatima);
    await fatima.chooses(id).sees('beneficiaries.chooseAccount', { name: 'Karim' });
    await fatima.chooses('rib').sees('bank-transfer.askAmount', { to: 'Karim' }).says('40');
    await fatima.enters().sees('bank-transfer.accepted');
    expect(world.wallet.told(fatima.phone, 'bankTransfer')).toEqual([
      [
        expect.objectContaining({
          rib: KARIM,
          holder: 'Karim',
          beneficiaryId: Number(id.slice('saved-'.length)),
        }),
      ],
    ]);
  });

  test.each([
    ['the wallet does not answer', LOST],
    ['the wallet has no such list', refused('http404')],
  ])('the question is asked all the same: %s', async (_, answer) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('beneficiaries', answer);
    await fatima.chooses('transfer').sees('transfer.askRecipient').isToldNothing();
  });

  test('a recipient who was changed meanwhile is refused and not paid', async () => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
    await fatima.isAtMenu().chooses('transfer');
    const id = firstOf(fatima);
    await world.api.changeBeneficiary(fatima.phone, {
      ...{ id: Number(id.slice('saved-'.length)), name: 'Maman' },
      phoneNumber: '+212655000009',
    });
    await fatima.chooses(id).says('40').sees('transfer.askRecipient').isTold('problem.90150');
  });
});

describe('the recipients for each kind of payment', () => {
  describe('payments that need a number', () => {
    test('a merchant', async () => {
      const fatima = world.customer();
      await saves(world, fatima, { name: 'Épicerie', phoneNumber: CAFE });
      await fatima.isAtMenu().chooses('transfer').chooses('merchant').sees('merchant-payment.askMerchant');
      await fatima.chooses('beneficiaries').sees('beneficiaries.chooseNumber');
      await fatima.chooses(firstOf(fatima)).sees('merchant-payment.askAmount', { merchant: CAFE });
      await fatima.goes('back').sees('merchant-payment.askMerchant');
    });

    test('a phone to top up', async () => {
      const fatima = world.customer({ channel: 'web' });
      await saves(world, fatima, ...OTHERS);
      await fatima.isAtMenu().chooses('top-up').chooses('beneficiaries').says('sal');
      await fatima.chooses(firstOf(fatima)).sees('top-up.chooseOperator', { to: '+212655000017' });
    });

    test('the receiver of a gift voucher, whose name is known already', async () => {
      const fatima = world.customer();
      await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
      await fatima.isAtMenu().walks(picks).chooses('gift').chooses('beneficiaries');
      await fatima.chooses(firstOf(fatima)).enters().sees('voucher.done');
      expect(world.wallet.told(fatima.phone, 'buyVoucher')).toEqual([
        [expect.objectContaining({ to: MAMAN, beneficiary: 'Maman' })],
      ]);
    });

    const offers = (who: Customer) => who.reply().screen.choices?.some(({ id }) => id === 'beneficiaries');

    test.each<[string, (who: Customer) => Customer, string]>([
      ['a merchant', (who) => who.chooses('transfer').chooses('merchant'), 'merchant-payment.askMerchant'],
      ['a phone to top up', (who) => who.chooses('top-up'), 'top-up.askNumber'],
      ['the receiver of a gift', (who) => who.walks(picks).chooses('gift'), 'voucher.askNumber'],
    ])('%s: saved recipients are offered where there are some', async (_, goes, key) => {
      const [none, one] = [world.customer(), world.customer()];
      await goes(none.isAtMenu()).sees(key);
      expect(offers(none)).toBe(false);
      await saves(world, one, { name: 'Maman', phoneNumber: MAMAN });
      await goes(one.isAtMenu()).sees(key);
      expect(offers(one)).toBe(true);
    });

    test('a wallet that does not say who is saved is asked once more', async () => {
      const fatima = world.customer();
      await saves(world, fatima, { name: 'Karim', rib: KARIM });
      await fatima.isAtMenu().chooses('transfer');
      world.wallet.next('beneficiaries', LOST);
      await fatima.chooses('merchant').sees('merchant-payment.askMerchant').isToldNothing();
      world.wallet.next('beneficiaries', LOST);
      await fatima.chooses('beneficiaries').isTold('beneficiaries.unavailable');
      await fatima.chooses('beneficiaries').sees('beneficiaries.chooseNumber');
      await fatima.chooses(firstOf(fatima)).sees('merchant-payment.askMerchant');
      await fatima.isTold('beneficiaries.notPayable');
    });
  });

  test('a digit of a dial picks no recipient, and the list is shown instead', async () => {
    const fatima = world.customer();
    await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
    await fatima.isAtMenu().dials('1', '1', '40').sees('transfer.askRecipient');
    await fatima.says('1').sees('transfer.askAmountSaved', { to: MAMAN });
  });

  test.each<[Language, string]>([
    ['fr', 'Quel montant envoyer à Maman (06 55 00 00 01)'],
    ['ar', 'ما هو المبلغ الذي تريدون إرساله إلى Maman (06 55 00 00 01)'],
  ])(
    'have their names beside their numbers at the amount and among top-ups, in %s',
    async (language, asks) => {
      const fatima = world.customer({ language, channel: 'web' });
      const said = (text: string) => plain(text).replaceAll(NBSP, ' ');
      await saves(world, fatima, { name: 'Maman', phoneNumber: MAMAN });
      await fatima.isAtMenu().walks(toppedUp).goes('menu').chooses('transfer').chooses(0);
      expect(said(world.renderer.chat(fatima.reply().screen, language).text)).toContain(asks);
      await fatima.goes('menu').chooses('top-up').sees('top-up.askNumber');
      const { screen } = fatima.reply();
      expect(said(world.renderer.ussd(screen, language, 0).text)).toContain('2 Maman 0655000001');
    },
  );

  test('unsaved recipients of payments are offered too, last paid first, and a digit of a dial picks none', async () => {
    const fatima = world.customer({ balance: '900' });
    await saves(world, fatima, 'Maman', 'Hiba', 'Karim', 'Salma');
    await fatima.isAtMenu();
    for (const number of ['0655000021', '0655000010', '0655000022']) {
      await fatima.dials('1', number, '10').enters();
      await world.passes(1_500);
    }
    await fatima.dials('1', '2').sees('transfer.askRecipient');
    expect(choicesOf(fatima)).toEqual([
      ...['Maman', 'Hiba', 'paid-+212655000022', 'paid-+212655000021'],
      ...['others', 'merchant'],
    ]);
    await fatima.says('3').sees('transfer.askAmount', { to: '+212655000022' });
    await fatima.says('12').sees('transfer.askPinOpenLoop', { amount: 1200, to: '+212655000022' });
  });

  test('a paid account is offered with its holder, and a paid merchant at the question for a merchant', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await fatima.isAtMenu().walks(paidMerchant);
    await fatima.after(1_500).goes('menu').chooses('transfer').says(KARIM).says('Karim').says('10').enters();
    // The bank has answered: only what arrived makes somebody known.
    for (let i = 0; i < 3; i++) await world.passes(60_000);
    await fatima.hears('bank-transfer.done').goes('menu');
    world.wallet.next('beneficiaries', refused('http404'));
    await fatima.chooses('transfer').sees('transfer.askRecipient');
    expect(choicesOf(fatima)).toEqual(['Karim', 'merchant']);
    await fatima.chooses(firstOf(fatima)).sees('bank-transfer.askAmount', { to: 'Karim' });
    await fatima
      .goes('menu')
      .chooses('transfer')
      .says('karim')
      .sees('bank-transfer.askAmount', { to: 'Karim' });
    await fatima.goes('menu').chooses('transfer').chooses('merchant').sees('merchant-payment.askMerchant');
    expect(choicesOf(fatima)).toEqual([`paid-${CAFE}`]);
    await fatima.chooses(firstOf(fatima)).sees('merchant-payment.askAmount', { merchant: CAFE });
  });
});

describe('a recipient in one line', () => {
  const hers = async (...saved: readonly Parameters<typeof saves>[2][]) => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, ...saved);
    await fatima.isAtMenu();
    return [fatima] as const;
  };

  test.each(['envoyer 40 à maman', 'send 40 to Maman', 'إرسال 40 إلى maman'])('%s', async (text) => {
    const [fatima] = await hers({ name: 'Maman', phoneNumber: MAMAN }, 'Maman de Ali');
    await fatima.says(text).sees('transfer.askPinOpenLoopNamed', { amount: 4000, to: MAMAN });
  });

  test('several of that name are asked about', async () => {
    const [fatima] = await hers('Ali Benali', 'Ali Idrissi', 'Salma');
    await fatima.says('envoyer 40 à ali').sees('beneficiaries.choose');
    expect(choicesOf(fatima)).toEqual(['Ali Benali', 'Ali Idrissi']);
  });

  test('an unknown name is called so, and the recipient is asked for', async () => {
    const [fatima] = await hers('Salma');
    await fatima.says('envoyer 40 à papa').sees('transfer.askRecipient');
    await fatima.isTold('beneficiaries.noneCalledKept', { name: 'papa', amount: 4000 });
    await fatima.says('0655000002').sees('transfer.askPinOpenLoop', { amount: 4000 });
  });
});

describe('a name where the number is asked for', () => {
  const asked = async (...saved: readonly Parameters<typeof saves>[2][]) => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, ...saved);
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    return [fatima] as const;
  };

  test.each(['Youssef', 'youssef benali', 'BENALI'])('"%s" is the one who is called so', async (text) => {
    const [fatima] = await asked({ name: 'Youssef Benali', phoneNumber: MAMAN }, 'Salma');
    await fatima.says(text).sees('transfer.askAmountSaved', { to: MAMAN, name: 'Youssef Benali' });
  });

  test('several are asked about', async () => {
    const [fatima] = await asked('Ali Benali', 'Ali Idrissi', 'Salma');
    await fatima.says('ali').sees('beneficiaries.choose');
    expect(choicesOf(fatima)).toEqual(['Ali Benali', 'Ali Idrissi']);
  });

  test('nobody of that name is called so, and those who are saved stay on offer', async () => {
    const [fatima] = await asked('Youssef Benali');
    await fatima.says('Karim').sees('transfer.askRecipient');
    await fatima.isTold('beneficiaries.noneCalled', { name: 'Karim' });
    expect(choicesOf(fatima)).toContain('Youssef Benali');
  });

  test.each(['Yousef', 'yousef benalli', 'YUSSEF', 'يوسف'])(
    'one wrong key asks who is meant: %s',
    async (typed) => {
      const [fatima] = await asked('Youssef Benali', 'Salma');
      await fatima.says(typed).sees('transfer.askRecipient').isTold('beneficiaries.meant', { name: typed });
      expect(choicesOf(fatima).slice(0, -1)).toEqual(['Youssef Benali']);
      await fatima.chooses(0).sees('transfer.askAmountSaved', { name: 'Youssef Benali' });
    },
  );

  test('a name in the other script asks who is meant', async () => {
    const [fatima] = await asked('Maman', 'Salma');
    await fatima.says('ماما').sees('transfer.askRecipient').isTold('beneficiaries.meant');
    expect(choicesOf(fatima).slice(0, -1)).toEqual(['Maman']);
  });

  test('a number is taken as well where a mistyped name is asked about', async () => {
    const [fatima] = await asked('Youssef Benali');
    await fatima.says('Yousef').says('0655000009').sees('transfer.askAmount', { to: '+212655000009' });
  });

  test('a number with letters in it is a mistyped number', async () => {
    const [fatima] = await asked('Salma');
    await fatima.says('06 12 ab').sees('transfer.askRecipient').isTold('mobile.notANumber');
  });
});

describe('saving a recipient', () => {
  test('a chat offers it after a success, with one answer and a name, and not for saved recipients', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    const pays = async (amount: string, done = 'transfer.done') => {
      await fatima.chooses('transfer').says('0655000001').says(amount).enters();
      await fatima.after(1_500).hears(done).opens().sees(done);
    };
    await fatima.isAtMenu();
    await pays('10');
    await fatima.meanwhile(() => expect(choicesOf(fatima)).toEqual(['save', 'receipt']));
    await fatima.chooses('save').sees('beneficiaries.askName', { account: MAMAN });
    await fatima.says('solde').sees('balance.askPin').goes('back').sees('beneficiaries.askName');
    await fatima.says('M').isTold('beneficiaries.notAName');
    await fatima.says('Maman').sees('beneficiaries.done', { name: 'Maman' });
    expect(await namesOf(world, fatima)).toEqual([{ name: 'Maman', phoneNumber: MAMAN }]);
    await fatima.goes('menu');
    await pays('11', 'transfer.doneNamed');
    expect(choicesOf(fatima)).toEqual(['receipt']);
  });

  test.each([
    ['a phone that was topped up', toppedUp, 'top-up.done', 'beneficiaries.askName'],
    ['a merchant', paidMerchant, 'merchant-payment.done', 'beneficiaries.askName'],
    ['the receiver of a voucher, by name', givenVoucher, 'voucher.done', 'beneficiaries.done'],
    ['a recipient paid in one line', paidInOneLine, 'transfer.done', 'beneficiaries.askName'],
  ] as const)('%s can be saved, too', async (_, path, done, next) => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await fatima.isAtMenu().walks(path);
    await fatima.after(1_500).opens().sees(done);
    expect(choicesOf(fatima)).toEqual(['save', 'receipt']);
    await fatima.chooses('save').sees(next);
  });

  test('it is not offered for the own phone, nor when the wallet does not list the saved ones', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await fatima.isAtMenu().chooses('top-up').chooses('me').chooses('1').says('20').chooses('classic');
    await fatima.enters().sees('top-up.done');
    expect(choicesOf(fatima)).toEqual(['receipt']);
    world.wallet.next('beneficiaries', LOST);
    await fatima.goes('menu').walks(paidInOneLine);
    await fatima.after(1_500).opens().sees('transfer.done');
    expect(choicesOf(fatima)).toEqual(['receipt']);
  });

  test('an account of a bank is saved under its holder’s name at once', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(KARIM).says('Karim').says('10').enters();
    await fatima.after(6_000).hears('bank-transfer.done').opens().sees('bank-transfer.done');
    await fatima.chooses('save').sees('beneficiaries.done', { name: 'Karim' });
    expect(await namesOf(world, fatima)).toEqual([{ name: 'Karim', rib: KARIM }]);
  });

  test('a lost answer is looked up, and nobody is saved twice', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('bénéficiaires').sees('beneficiaries.none').chooses('add');
    await fatima.says('0655000001');
    world.wallet.next('saveBeneficiary', loses);
    await fatima.says('Maman').sees('beneficiaries.list').isTold('beneficiaries.notKnown');
    expect(choicesOf(fatima)).toEqual(['Maman', 'add']);
    await fatima.chooses('add').says('0655000001').says('Maman').sees('beneficiaries.there');
    expect(await namesOf(world, fatima)).toHaveLength(1);
  });
});

describe('the list of saved recipients', () => {
  const world = theWorld({ bot: 'webhook' });
  const WHOLE = { name: 'Maman', phoneNumber: MAMAN, rib: KARIM, email: 'maman@example.test' };
  const opens = async () => {
    const fatima = world.customer({ channel: 'web' });
    await saves(world, fatima, WHOLE);
    await fatima.isAtMenu().says('bénéficiaires').sees('beneficiaries.list');
    const id = firstOf(fatima);
    await fatima.chooses(id).sees('beneficiaries.shown', { name: 'Maman' });
    return [fatima] as const;
  };

  test('a name is changed, and the other fields are sent again unchanged', async () => {
    const [fatima] = await opens();
    await fatima.chooses('rename').sees('beneficiaries.askNewName').says('Maman chérie');
    await fatima.sees('beneficiaries.list').isTold('beneficiaries.renamed', { name: 'Maman chérie' });
    expect(await namesOf(world, fatima)).toEqual([{ ...WHOLE, name: 'Maman chérie' }]);
  });

  test('a recipient is deleted after a confirmation', async () => {
    const [fatima] = await opens();
    await fatima.chooses('delete').sees('beneficiaries.confirm').chooses('keep').sees('beneficiaries.shown');
    await fatima.chooses('delete');
    await fatima.chooses('delete').sees('beneficiaries.none').isTold('beneficiaries.deleted');
    expect(await namesOf(world, fatima)).toEqual([]);
  });

  testOn(CHATS)(
    'a change is told in the wallet’s other chats, and not in its own, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      const tablet = world.chatOf(fatima);
      await fatima.isAtMenu();
      await tablet.isAtMenu();
      await fatima.hears('linking.linkedElsewhere').says('bénéficiaires').chooses('add').says('0655000001');
      await fatima.says('Maman').sees('beneficiaries.done');
      await tablet.hears('beneficiaries.savedElsewhere', { name: 'Maman' });
      await fatima.goes('menu').says('bénéficiaires');
      await fatima.chooses(firstOf(fatima)).chooses('rename').says('Mama');
      await tablet.hears('beneficiaries.renamedElsewhere', { name: 'Mama' });
      await fatima.chooses(firstOf(fatima)).chooses('delete').chooses('keep');
      await tablet.hearsNothing();
      await fatima.chooses('delete').chooses('delete').sees('beneficiaries.none');
      await tablet.hears('beneficiaries.deletedElsewhere').hearsNothing();
      await fatima.hearsNothing();
    },
  );

  test('changes that the wallet refused or did not answer are told nowhere', async () => {
    const fatima = world.customer({ channel: 'web' });
    const tablet = world.chatOf(fatima);
    await fatima.isAtMenu();
    await tablet.isAtMenu();
    world.wallet.next('saveBeneficiary', refused('10001'));
    await fatima.says('bénéficiaires').chooses('add').says('0655000001').says('Maman');
    await tablet.hearsNothing();
  });

  test('a lost answer is read from the list, and a deleted recipient is named as deleted', async () => {
    const [fatima] = await opens();
    world.wallet.next('deleteBeneficiary', loses);
    await fatima.chooses('delete');
    await fatima.chooses('delete').sees('beneficiaries.none').isTold('beneficiaries.notKnown');
    const [salma] = await opens();
    const answer = await world.api.beneficiaries(salma.phone);
    const id = answer.kind === 'ok' ? (answer.value.entries[0]?.id ?? 0) : 0;
    await world.api.deleteBeneficiary(salma.phone, id);
    await salma.chooses('delete').chooses('delete').sees('beneficiaries.none').isTold('problem.90101');
  });

  test('a saved recipient leads to a payment, by number and by RIB', async () => {
    const [fatima] = await opens();
    await fatima.chooses('pay').sees('transfer.askAmount', { to: MAMAN });
    await fatima.goes('menu').says('bénéficiaires');
    const id = firstOf(fatima);
    await fatima.chooses(id).chooses('payRib').sees('bank-transfer.askAmount', { to: 'Maman' });
  });

  test('the customer is told when the list cannot be read', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('beneficiaries', LOST);
    await fatima.says('bénéficiaires').sees('beneficiaries.unavailable');
  });

  test('the own number and invalid numbers are not added', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('bénéficiaires').chooses('add').says(nationalNumber(fatima.phone));
    await fatima.sees('beneficiaries.askAccount').isTold('transfer.toYourself');
    await fatima.says('maman').isTold('mobile.noName');
  });
});
