import { describe, expect, test } from 'vitest';
import { TERMS_VERSION } from '../../machines/consent.ts';
import { CHOSEN_PIN, type Customer } from '../kit/customer.ts';
import { inArabicDigits } from '../kit/number.ts';
import { CHANNELS_ON, LOST, loses, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';

describe.each(STORES)('opening a wallet, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'from an unknown number to the first look at the balance, on %s',
    async (channel) => {
      const salma = world.stranger({ channel });
      await salma.arrives().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
      await salma.says('Salma').sees('onboarding.askLastName', { firstName: 'Salma' });
      await salma.says('El-Idrissi').sees('onboarding.askCin').says('ab 123456');
      await salma.sees('onboarding.review', {
        name: 'Salma El-Idrissi',
        cin: 'AB123456',
        phone: salma.phone,
      });
      await salma.chooses('confirm').sees('onboarding.askCode', { phone: salma.phone });
      await salma.entersCodeFromSms().sees('onboarding.askNewPin').enters().sees('onboarding.repeatPin');
      await salma.enters().sees('onboarding.opened', { phone: salma.phone }).goes('menu').sees('menu.choose');
      await salma.chooses('balance').sees('balance.askPin').enters().sees('balance.empty', { balance: 0 });
      await salma.chooses('cash-in').sees('cash-in.askAmountLeft', { left: 100_000 });
      const { consent, language: spoken } = await world.session(salma);
      expect(consent).toEqual({ version: TERMS_VERSION, at: expect.any(Number) });
      expect(spoken).toBe(salma.language);
    },
  );
});

/** Agrees, and stands before the review of what was typed. */
const fillsInTheForm = (salma: Customer) =>
  salma
    .arrives()
    .chooses('agree')
    .says('Salma')
    .says('Idrissi')
    .says('AB123456')
    .sees('onboarding.review', { name: 'Salma Idrissi' });
const registers = (salma: Customer) =>
  salma.walks(fillsInTheForm).chooses('confirm').sees('onboarding.askCode');
const confirms = (salma: Customer) => salma.walks(registers).entersCodeFromSms().sees('onboarding.askNewPin');

const world = theWorld();

describe('a name', () => {
  test('a last name that was typed with the first one is there once', async () => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says('Salma Ait Lahcen').says('ait lahcen').says('AB123456');
    await salma.sees('onboarding.review', { name: 'Salma ait lahcen' });
  });

  test.each([
    ['je m’appelle Salma', 'Salma'],
    ["Moi c'est Salma", 'Salma'],
    ['My name is Salma Amina', 'Salma Amina'],
    ['smiti Salma', 'Salma'],
  ])('a name is taken without the words that introduce it: %s', async (words, name) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says(words).sees('onboarding.askLastName', { firstName: name });
  });
});

describe('the form', () => {
  test('a merchant opens one for their business, and stands at the menu of merchants', async () => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').sees('onboarding.askFirstName');
    await salma.chooses('business').sees('onboarding.askFirstNameBusiness').chooses('me');
    await salma.sees('onboarding.askFirstName').chooses('business').says('Salma').says('Idrissi');
    await salma.says('AB123456');
    await salma.sees('onboarding.review').chooses('confirm').entersCodeFromSms().enters().enters();
    await salma.sees('onboarding.opened').goes('menu').sees('menu.choose');
    expect(salma.reply().screen.choices?.map(({ id }) => id)).toContain('receive-payment');
    const [[registered]] = world.wallet.told(salma.phone, 'register') as [[{ walletType: string }]];
    expect(registered.walletType).toBe('C');
  });

  test('a newcomer who opens a wallet can deposit at once, by one choice', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters().enters().sees('onboarding.opened');
    await salma.chooses('cash-in').sees('cash-in.askAmountWithin', { limit: 100_000 });
  });

  test.each(['balance', 'solde', 'رصيد', 'mon rib', 'geler'])('"%s" is no name', async (words) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says(words).sees('onboarding.askFirstName').isTold('nav.noName');
    await salma.says('Salma').says(words).sees('onboarding.askLastName').isTold('nav.noName');
  });

  test('each answer can be changed, before and at the review', async () => {
    const salma = world.stranger();
    await salma.walks(fillsInTheForm).goes('back').sees('onboarding.askCin');
    await salma.goes('back').sees('onboarding.askLastName').goes('back').sees('onboarding.askFirstName');
    await salma.says('Sara').sees('onboarding.review', { name: 'Sara Idrissi', cin: 'AB123456' });
    // Back from the correction of one answer loses none.
    for (const one of ['firstName', 'lastName', 'cin'])
      await salma.chooses('change').chooses(one).goes('back').sees('onboarding.askChange').goes('back');
    await salma.sees('onboarding.review', { name: 'Sara Idrissi', cin: 'AB123456' });
    expect(world.wallet.calls(salma.phone, 'register')).toEqual([]);
  });

  test.each([
    ['firstName', 'onboarding.askFirstName', 'Sara', { name: 'Sara Idrissi', cin: 'AB123456' }],
    ['lastName', 'onboarding.askLastName', 'Alami', { name: 'Salma Alami', cin: 'AB123456' }],
    ['cin', 'onboarding.askCin', 'CD654321', { name: 'Salma Idrissi', cin: 'CD654321' }],
  ] as const)(
    'at the review %s alone is asked for again, and the rest is kept',
    async (id, asks, says, review) => {
      const salma = world.stranger();
      await salma.walks(fillsInTheForm).chooses('change').sees('onboarding.askChange');
      await salma.chooses(id).sees(asks).says(says).sees('onboarding.review', review);
    },
  );

  test.each([
    ['one letter', 'A'],
    ['digits', '1234'],
    ['a digit inside', 'Salm4'],
    ['another alphabet', 'سلمى'],
    ['both alphabets', 'Salma سلمى'],
    ['markup', '<b>Salma</b>'],
    ['a right-to-left override', 'Sal\u202ema'],
    ['an emoji', 'Salma 🙂'],
    ['an injection', "Robert'); DROP TABLE customers;--"],
    ['41 letters', 'a'.repeat(41)],
    ['only spaces', '   '],
    ['only an apostrophe', "''"],
    ['a question', "c'est quoi vos conditions"],
    ['a question of two words', 'Quels papiers'],
    ['a question of one word, introduced', "moi c'est quoi"],
    ['an order', 'bghit nchouf'],
    ['a wish', 'je souhaite un compte'],
    ['a question in Darija, spelt in another way', 'kifash ndir'],
  ])('no name: %s', async (_, name) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree');
    await salma.says(name).sees('onboarding.askFirstName').isTold('onboarding.notAName').says('Salma');
    await salma.says(name).sees('onboarding.askLastName', { firstName: 'Salma' });
    await salma.isTold('onboarding.notAName');
  });

  test.each([
    'Élodie',
    'Quoi',
    'Want',
    'Ben Chnouf',
    "O'Brien",
    'El-Amrani',
    '  Fatima   Zahra ',
    'Ał',
    'a'.repeat(40),
  ])('a name: %s', async (name) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree');
    await salma.says(name).sees('onboarding.askLastName').isToldNothing();
  });

  test.each([
    ['no letters', '123456'],
    ['three letters', 'ABC1234'],
    ['three digits', 'AB123'],
    ['nine digits', 'AB123456789'],
    ['letters after the digits', '123456AB'],
    ['another alphabet', 'أب123456'],
    ['an injection', "AB1234' OR 1=1"],
  ])('no national ID number: %s', async (_, cin) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says('Salma').says('Idrissi');
    await salma.says(cin).sees('onboarding.askCin').isTold('onboarding.notACin');
  });
});

describe('a customer without a national ID', () => {
  const untilCin = async (salma: Customer) => {
    await salma.arrives().chooses('agree').says('Salma').says('Idrissi');
  };

  test.each([
    ['fr', "je n'ai pas de cin", 'conseiller'],
    ['fr', 'carte de séjour', 'conseiller'],
    ['ar', 'ماعنديش البطاقة', 'مستشار'],
    ['en', 'passport', 'adviser'],
  ] as const)(
    'who has none reads of an adviser, and keeps the answers, in %s: %s',
    async (language, words, person) => {
      const salma = world.stranger({ channel: 'web', language });
      await salma.walks(untilCin).says(words).sees('onboarding.askCin').isTold('onboarding.noCin');
      await salma.says(person).sees('help.asked').chooses('continue').sees('onboarding.askCin');
    },
  );
});

describe('the code of a registration', () => {
  test('a wrong one is told, a new one can be asked for, and only the newest counts', async () => {
    const salma = world.stranger();
    await salma.walks(registers).says('12345').sees('onboarding.askCode').isTold('onboarding.codeFormat');
    await salma.says('abcdef').isTold('linking.codeComes');
    await salma.says('000-001').sees('onboarding.askCode').isTold('problem.90003');
    const first = codeIn(world.sms(salma.phone));
    await salma.chooses('resend').sees('onboarding.askCode').isTold('onboarding.codeSent');
    await salma.says(first).isTold('problem.90003');
    await salma.entersCodeFromSms().sees('onboarding.askNewPin').isToldNothing();
  });

  test.each([
    ['without its dash', (code: string) => code.replace('-', '')],
    ['in Arabic digits', inArabicDigits],
  ])('may be typed %s', async (_, writing) => {
    const salma = world.stranger();
    await salma.walks(registers);
    await salma.says(writing(codeIn(world.sms(salma.phone)))).sees('onboarding.askNewPin');
  });

  test('expires after ten minutes', async () => {
    const salma = world.stranger();
    await salma.walks(registers).after(10 * 60_000);
    await salma.entersCodeFromSms().sees('onboarding.askCode').isTold('problem.90004').chooses('resend');
    await salma.entersCodeFromSms().sees('onboarding.askNewPin');
  });

  test('five wrong ones lock the registration for a while', async () => {
    const salma = world.stranger();
    await salma.walks(registers);
    for (let i = 0; i < 5; i++) await salma.says(`000-00${i}`).isTold('problem.90003');
    await salma.entersCodeFromSms().sees('onboarding.askCode').isTold('problem.20008');
    await salma.chooses('resend').isTold('problem.20008');
  });
});

describe('a new PIN', () => {
  test.each([
    ['letters', 'abcd'],
    ['five digits', '12345'],
    ['three digits', '123'],
    ['a space inside', '12 34'],
    ['an emoji', '🙂🙂'],
    ['nothing readable', '\u202e'],
  ])('of %s is asked again', (_, pin) =>
    world.stranger().walks(confirms).says(pin).sees('onboarding.askNewPin').isTold('pin.format'),
  );

  test.each(['1234', '0000', '1998'])('%s is refused, and why: anybody would try it first', async (weak) => {
    const salma = world.stranger();
    await salma.walks(confirms).enters(weak).sees('onboarding.askNewPin').isTold('pin.weak');
    await salma.enters('2590').sees('onboarding.repeatPin');
  });

  test('two that differ are asked again, and nothing was sent', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters('2590');
    await salma.enters('2581').sees('onboarding.askNewPin').isTold('onboarding.pinsDiffer').enters('2590');
    await salma.enters('letters').sees('onboarding.askNewPin').isTold('onboarding.pinsDiffer');
    expect(world.wallet.calls(salma.phone, 'createPin')).toEqual([]);
    await salma.enters('2590').enters(inArabicDigits('2590')).sees('onboarding.opened');
  });

  test('a first PIN left alone for two minutes is forgotten', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters().sees('onboarding.repeatPin');
    await salma.after(2 * 60_000);
    await salma.enters().sees('onboarding.askNewPin').enters().sees('onboarding.repeatPin');
    await salma.enters().sees('onboarding.opened');
  });

  test('the first one can be chosen anew', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters('2590').goes('back').sees('onboarding.askNewPin').enters();
    await salma.enters().sees('onboarding.opened');
  });
});

describe('the answers of the wallet', () => {
  test.each([
    ['20006', 'onboarding.askChange'],
    ['10001', 'onboarding.askChange'],
    ['20008', 'onboarding.refused'],
    ['90002', 'onboarding.refused'],
  ])('to the registration: %s', async (code, screen) => {
    world.wallet.next('register', refused(code));
    await world.stranger().walks(fillsInTheForm).chooses('confirm').sees(screen).isTold(`problem.${code}`);
  });

  test('to the registration: an unknown code', async () => {
    world.wallet.next('register', refused('47110'));
    const salma = world.stranger();
    await salma.walks(fillsInTheForm);
    await salma.chooses('confirm').sees('onboarding.refused').isTold('problem.other', { code: '47110' });
  });

  test('to the registration: it waits for its code already (20009)', async () => {
    world.wallet.next('register', refused('20009'));
    const salma = world.stranger();
    await salma.walks(fillsInTheForm).chooses('confirm').sees('onboarding.askCode').isToldNothing();
  });

  test('to the code: no registration waits for it (20017)', async () => {
    world.wallet.next('confirm', refused('20017'));
    const salma = world.stranger();
    await salma.walks(registers).entersCodeFromSms().isTold('problem.20017');
  });

  test('to another code: it cannot be sent now', async () => {
    const salma = world.stranger();
    await salma.walks(registers);
    world.wallet.next('resendOtp', LOST);
    await salma.chooses('resend').sees('onboarding.askCode').isTold('problem.unavailable');
  });

  test('to another code: five were sent in an hour, with the one of the registration', async () => {
    const salma = world.stranger();
    await salma.walks(registers);
    for (let i = 1; i < 5; i++) await salma.chooses('resend').isTold('onboarding.codeSent');
    await salma.chooses('resend').sees('onboarding.askCode').isTold('onboarding.noNewCode');
    expect(salma.reply().screen.choices).toBeUndefined();
    expect(world.wallet.calls(salma.phone).filter((call) => call === 'resendOtp')).toHaveLength(4);
  });

  test('to the PIN: it has the wrong form (26005)', async () => {
    world.wallet.next('createPin', refused('26005'));
    const salma = world.stranger();
    await salma.walks(confirms).enters().enters().sees('onboarding.askNewPin').isTold('problem.26005');
  });

  test('to the PIN: the same PIN is set already (26004), as an earlier answer was lost', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters();
    await world.api.createPin({ phone: salma.phone, pin: CHOSEN_PIN });
    await salma.enters().sees('onboarding.opened');
  });

  test.each(['ussd', 'web'] as const)(
    'to the PIN: another PIN is set already, so that nothing opens and a code is needed, on %s',
    async (channel) => {
      const salma = world.stranger({ channel });
      await salma.walks(confirms).enters();
      await world.api.createPin({ phone: salma.phone, pin: '1379' });
      await salma.enters().sees('pin-reset.explain').isTold('onboarding.otherPin');
      expect((await world.session(salma)).linked).toBe(channel === 'ussd' ? true : undefined);
    },
  );

  test.each([
    ['is lost', LOST],
    ['never left', UNSENT],
  ])('to the PIN: a PIN is set already, and the check of the typed one %s', async (_, instead) => {
    const salma = world.stranger({ channel: 'web' });
    await salma.walks(confirms).enters();
    await world.api.createPin({ phone: salma.phone, pin: CHOSEN_PIN });
    world.wallet.next('login', instead);
    await salma.enters().sees('unlocking.askPin').isTold('onboarding.interrupted');
  });
});

describe('the first PIN', () => {
  test('is refused in a chat without the code of the registration, until it proves the number anew', async () => {
    const ussd = world.stranger();
    await ussd.walks(confirms);
    const chat = world.chatOf(ussd);
    await chat.arrives().sees('onboarding.askNewPin');
    await chat.goes('menu').sees('linking.askPhone').isTold('onboarding.proveAgain');
    expect(await world.session(chat)).not.toHaveProperty('wallet');
    await chat.says(ussd.phone).entersCodeFromSms().sees('onboarding.askNewPin').enters().enters();
    await chat.sees('onboarding.opened');
  });

  test('is taken on USSD, where the SIM proves the number', async () => {
    const ussd = world.stranger();
    await world.chatOf(ussd).walks(confirms);
    await ussd.arrives().sees('onboarding.askNewPin').enters().enters().sees('onboarding.opened');
  });
});

describe('a lost answer leads to where the wallet got to', () => {
  test.each([
    ['the registration never arrived', LOST, 'consent.ask'],
    ['the registration was never sent', UNSENT, 'consent.ask'],
    ['the registration was made', loses, 'onboarding.askCode'],
  ] as const)('%s', async (_, instead, screen) => {
    const salma = world.stranger();
    await salma.walks(fillsInTheForm);
    world.wallet.next('register', instead);
    await salma.chooses('confirm').sees(screen).isTold('onboarding.interrupted');
  });

  test('the code was right', async () => {
    const salma = world.stranger();
    await salma.walks(registers);
    world.wallet.next('confirm', loses);
    await salma.entersCodeFromSms().sees('onboarding.askNewPin').isTold('onboarding.interrupted');
  });

  test('the PIN was set', async () => {
    const salma = world.stranger();
    await salma.walks(confirms).enters();
    world.wallet.next('createPin', loses);
    await salma.enters().sees('menu.choose').isTold('onboarding.interrupted');
  });

  test('and the wallet cannot be reached after it', async () => {
    const salma = world.stranger();
    await salma.walks(fillsInTheForm);
    world.wallet.next('register', loses);
    world.wallet.next('customerStatus', LOST);
    await salma.chooses('confirm').sees('menu.unavailable').goes('menu').sees('onboarding.askCode');
    await salma.entersCodeFromSms().sees('onboarding.askNewPin');
  });
});

function codeIn(messages: readonly string[]): string {
  return /\d{3}-\d{3}/.exec(messages.at(-1) ?? '')?.[0] ?? '';
}

describe('where no documents of merchants can be sent', () => {
  const world = theWorld({ without: ['documents'] });

  test('nobody is offered a wallet for a business', async () => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').sees('onboarding.askFirstName');
    expect(salma.reply().screen.choices ?? []).toEqual([]);
    await salma.says('2').sees('onboarding.askFirstName').isTold('onboarding.notAName');
    await salma.says('1').sees('onboarding.askFirstName').isTold('onboarding.notAName');
  });
});
