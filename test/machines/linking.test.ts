import { describe, expect, test } from 'vitest';
import { numberOf } from '../../src/conversation/channel.ts';
import type { Session } from '../../src/conversation/session/session.ts';
import { unlinked } from '../../src/conversation/session/sessions.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { inArabicDigits } from '../kit/number.ts';
import { CHATS_ON, type Customer, HOUR_MS, STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('linking a chat, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  // With the button of Telegram: `isAtMenu`.
  test.each(CHATS_ON[store])(
    'needs a typed number, our code and the PIN, and nothing is asked before the code is right, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.opens().sees('linking.askPhone');
      await fatima.says(fatima.phone).sees('linking.askCode', { phone: fatima.phone });
      await fatima.says('000-000').sees('linking.askCode').isTold('linking.wrongCode');
      expect(world.wallet.calls(fatima.phone)).toEqual([]);
      await fatima.entersCodeFromSms().sees('unlocking.askPin', { phone: fatima.phone });
      await fatima.meanwhile(() => expect(world.wallet.calls(fatima.phone)).toEqual(['customerStatus']));
      await fatima.enters().sees('menu.choose').isTold('unlocking.unlocked');
      expect(await world.session(fatima)).toMatchObject({ wallet: fatima.phone, linked: true });
    },
  );
});

describe('the number of a person says by what it was proven', () => {
  const world = theWorld({ bot: 'webhook', whatsapp: true });
  const provenBy = async (customer: Customer) => {
    const known = (await world.session(customer)) as Session;
    const seen = await world.engine.desk.session(customer.address);
    const number = numberOf(customer.address, known);
    expect(number.provenBy, 'agents see it').toBe(seen?.provenBy);
    return number;
  };

  test.each([
    ['a dial', 'ussd', 'network'],
    ['a page', 'web', 'code'],
    ['a contact card', 'telegram', 'contact'],
  ] as const)('%s', async (_, channel, by) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    expect(await provenBy(fatima)).toEqual({ phone: fatima.phone, provenBy: by });
  });

  test('our code, where a chat with contact cards was given the number in words', async () => {
    const fatima = world.customer({ channel: 'telegram' });
    await fatima.opens().says(fatima.phone).sees('linking.askCode');
    expect(await provenBy(fatima), 'named is not proven').toEqual({});
    await fatima.entersCodeFromSms().sees('unlocking.askPin');
    expect(await provenBy(fatima)).toEqual({ phone: fatima.phone, provenBy: 'code' });
  });

  test('one that a release before has kept without a proof counts as proven by the weakest', () =>
    expect(numberOf('telegram:1', { wallet: msisdn('+212600000001') })).toMatchObject({ provenBy: 'code' }));

  test('a chat that is unlinked knows no number', async () => {
    const fatima = world.customer({ channel: 'telegram' });
    await fatima.isAtMenu();
    const linked = (await world.session(fatima)) as Session;
    expect(numberOf(fatima.address, unlinked(linked))).toEqual({});
    expect(unlinked(linked)).not.toHaveProperty('provenBy');
  });
});

const world = theWorld();

describe('the number for a chat', () => {
  const chat = () => world.customer({ channel: 'web' });

  test.each([
    ['as people write it', (national: string) => national.replace(/(..)(?!$)/g, '$1 ')],
    ['with the country', (national: string) => `00212${national.slice(1)}`],
    ['with dots', (national: string) => national.replace(/(..)(?!$)/g, '$1.')],
    ['in Arabic digits', inArabicDigits],
  ])('a number %s', async (_, writing) => {
    const fatima = chat();
    await fatima.opens();
    await fatima.says(writing(`0${fatima.phone.slice(4)}`)).sees('linking.askCode', { phone: fatima.phone });
  });

  test.each([
    ['a landline', '0522123456'],
    ['a foreign number', '+33612345678'],
    ['a word', 'blabla'],
    ['an emoji', '📱'],
    ['a right-to-left override', '\u202e'],
    ['an injection', "0612345678'; DROP TABLE session;--"],
    ['a USSD code', '*123#'],
  ])('no number: %s', (_, text) =>
    chat()
      .opens()
      .says(text)
      .sees('linking.askPhone')
      .isTold(/^[\p{L}\s]{2,}$/u.test(text) ? 'mobile.noName' : 'mobile.notANumber'),
  );

  test.each(['061234567', '06123456789'])('not as many digits as a number has: %s', (text) =>
    chat().opens().says(text).sees('linking.askPhone').isTold('mobile.unfinished'),
  );
});

describe('the code for a chat', () => {
  const chat = () => world.customer({ channel: 'web' });
  /** A chat of somebody else who claims the same number. */
  const claims = (fatima: Customer) => world.chatOf(fatima).opens().says(fatima.phone);
  const codesSentTo = ({ phone }: Customer) =>
    world.sms(phone).map((text: string) => /\d{3}-\d{3}/.exec(text)?.[0] ?? '');

  test.each([
    "je n'ai pas reçu le code",
    "j'ai pas reçu",
    "je n'ai rien reçu",
    'ما وصلنيش الكود',
    'I got no code',
  ])('words say that the SMS has not come, where another can be asked for: %s', async (words) => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone).says(words).sees('linking.askCode');
    await fatima.isTold('linking.codeComes').says('renvoyer le code').isTold('onboarding.codeSent');
  });

  test('a code of the wrong form is no try', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    for (const text of ['12345', '1234567', '12-3456', '🙂', '98-765']) {
      await fatima.says(text).sees('linking.askCode').isTold('linking.codeFormat');
    }
    await fatima.entersCodeFromSms().sees('unlocking.askPin');
  });

  test('after five wrong codes the right one counts no more', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    for (let i = 0; i < 5; i++) await fatima.says(`000-00${i}`).isTold('linking.wrongCode');
    await fatima.entersCodeFromSms().sees('linking.askPhone').isTold('linking.codeExpired');
    expect(world.wallet.calls(fatima.phone)).toEqual([]);
    await fatima.says(fatima.phone).entersCodeFromSms().sees('unlocking.askPin');
  });

  test('a code expires after ten minutes', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    await fatima.after(10 * 60_000);
    await fatima.entersCodeFromSms().sees('linking.askPhone').isTold('linking.codeExpired');
  });

  test('a new code replaces the one before', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    const [first = ''] = codesSentTo(fatima);
    await fatima.chooses('resend').sees('linking.askCode').isTold('onboarding.codeSent');
    await fatima.says(first).isTold('linking.wrongCode').entersCodeFromSms().sees('unlocking.askPin');
  });

  test('a number that is typed once more gets no second code while the first one can be used', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone).says('/menu').sees('linking.askPhone').says(fatima.phone);
    await fatima.sees('linking.askCode').isTold('linking.codeStill');
    expect(codesSentTo(fatima)).toHaveLength(1);
    await fatima.entersCodeFromSms().sees('unlocking.askPin');
  });

  test('a code is of use only in the chat that asked for it', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    const thief = claims(fatima);
    await thief.sees('linking.askCode');
    const [hers = '', his = ''] = codesSentTo(fatima);
    await thief.says(hers).isTold('linking.wrongCode');
    await fatima.says(his).isTold('linking.wrongCode');
    expect(world.wallet.calls(fatima.phone)).toEqual([]);
  });

  test('one chat has three codes sent to one number in an hour, and five in all', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    for (let i = 1; i < 3; i++) await fatima.chooses('resend').sees('linking.askCode');
    await fatima.chooses('resend').sees('linking.askShown').isTold('linking.tooMany');
    expect(fatima.reply().screen.choices).toEqual([]);
    expect(codesSentTo(fatima)).toHaveLength(3);
    // The refused one counts, too.
    await fatima.goes('back').says('0612000001').sees('linking.askCode').goes('back');
    await fatima.says('0612000002').sees('linking.askShown').isTold('linking.tooMany');
    await fatima.after(HOUR_MS).opens().says(fatima.phone).sees('linking.askCode');
  });

  test('one number gets twelve codes in an hour, over all chats', async () => {
    const fatima = chat();
    for (let i = 0; i < 12; i++) await claims(fatima).sees('linking.askCode');
    await claims(fatima).sees('linking.askShown').isTold('linking.tooManyByOthers');
    expect(codesSentTo(fatima)).toHaveLength(12);
  });

  test('a code that another chat asks for does not replace it', async () => {
    const fatima = chat();
    await fatima.opens().says(fatima.phone);
    const [hers = ''] = codesSentTo(fatima);
    await claims(fatima).sees('linking.askCode');
    await fatima.says(hers).sees('unlocking.askPin');
  });

  test('the number can be changed before the code', async () => {
    const fatima = chat();
    await fatima.opens();
    await fatima.says('0612000000').sees('linking.askCode', { phone: msisdn('0612000000') });
    await fatima.goes('back').sees('linking.askPhone').says(fatima.phone);
    await fatima.entersCodeFromSms().sees('unlocking.askPin', { phone: fatima.phone });
  });

  test.each(['/menu', '/start', '/cancel', '/back'])('without a link, %s leads to linking', (command) =>
    chat().opens().says('0612000000').says(command).sees('linking.askPhone'),
  );

  test('a customer who begins with a request does not read that it expired', () =>
    chat().says('bonjour').sees('linking.askPhone').isToldNothing());
});

describe('an operator without USSD', () => {
  const world = theWorld({ sms: false, without: ['link-chat'] });

  test('nobody is told to dial: the number is asked for again', () => {
    const fatima = world.customer({ channel: 'web' });
    return fatima.opens().says(fatima.phone).sees('linking.askPhone').isTold('linking.noSms');
  });
});

describe('a newcomer in a chat', () => {
  const world = theWorld({ bot: 'webhook' });
  const agrees = (salma: Customer) => salma.chooses('agree').says('Salma').says('Idrissi').says('AB123456');

  test('a shared number gets one code, the wallet’s, and a typed number is first proven by ours', async () => {
    const [shares, types] = [world.stranger({ channel: 'telegram' }), world.stranger({ channel: 'web' })];
    for (const [salma, codes] of [[shares, 1] as const, [types, 2] as const]) {
      await salma.arrives().sees('consent.ask').walks(agrees).chooses('confirm').sees('onboarding.askCode');
      if (codes === 1) await salma.isToldNothing();
      else await salma.isTold('onboarding.secondCode');
      expect(world.sms(salma.phone)).toHaveLength(codes);
      await salma.entersCodeFromSms().sees('onboarding.askNewPin');
    }
  });

  // Why the wallet's code does not stand for ours: it is sent for a name that is taken and never asked again.
  test('nobody registers a number of somebody else, as its owner could not take another name any more', async () => {
    const salma = world.stranger();
    const thief = world.chatOf(salma).opens().says(salma.phone).sees('linking.askCode');
    for (const guess of ['Voleur', 'AB123456', '000-000']) await thief.says(guess);
    expect(world.wallet.calls(salma.phone)).toEqual([]);

    // Through another partner's door he does, and the wallet takes no other name.
    const person = { phone: salma.phone, lastName: 'Test', cin: 'ZZ999999', walletType: 'P' } as const;
    const register = (firstName: string) => world.api.register({ ...person, firstName });
    expect(await register('Voleur')).toMatchObject({ kind: 'ok' });
    expect(await register('Salma')).toMatchObject({ kind: 'refused', code: '20009' });
    await salma.arrives().sees('onboarding.askCode');
  });
});

describe.each([
  ['none is configured', false, 'linking.noSms'],
  ['the provider takes none', 'down', 'linking.later'],
] as const)('linking without SMS: %s', (_, sms, told) => {
  const world = theWorld({ sms });

  test('the customer is told, and the wallet is asked nothing', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.opens().says(fatima.phone).sees('linking.askShown').isTold(told);
    expect(world.wallet.calls(fatima.phone)).toEqual([]);
  });
});

describe('words on the first page', () => {
  const TOLD: readonly (readonly [string, string])[] = [
    ['I want to open an account', 'linking.toOpen'],
    ['ouvrir un compte', 'linking.toOpen'],
    ['بغيت نحل كونط', 'linking.toOpen'],
    ['envoyer 100 à 0600000002', 'linking.waitsAmount'],
    ['صيفط 100 درهم ل 0600000002', 'linking.waitsAmount'],
    ['recharge 20', 'linking.waitsAmount'],
    ['solde', 'linking.waits'],
    ['رصيد', 'linking.waits'],
    ['facture redal', 'linking.waits'],
    ['mon rib', 'unlocking.kept'],
    ['bonjour', 'nav.greeting'],
    ['qui êtes-vous', 'mobile.noName'],
  ];

  test.each(TOLD)('%s', (text, told) =>
    world.customer({ channel: 'web' }).opens().says(text).sees('linking.askPhone').isTold(told),
  );

  test.each(['conseiller', 'مستشار'])('"%s" asks for the person', (text) =>
    world.customer({ channel: 'web' }).opens().says(text).sees('help.asked'),
  );

  test('an order waits for the PIN, also beside other words', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.opens().says('envoyer 100 à 0655000000').says('bonjour').says(fatima.phone);
    await fatima.entersCodeFromSms().enters().sees('transfer.askPinOpenLoop', { amount: 10_000 });
  });

  test.each(['mon numéro est le #', 'my number is #', 'رقمي #', "c'est le #"])(
    'a number is taken from "%s"',
    (text) => {
      const fatima = world.customer({ channel: 'web' });
      const said = text.replace('#', fatima.phone.replace('+212', '0'));
      return fatima.opens().says(said).sees('linking.askCode', { phone: fatima.phone });
    },
  );

  test.each(["ce n'est pas 0655000000", 'celui de karim 0655000000'])('but not from "%s"', (text) =>
    world.customer({ channel: 'web' }).opens().says(text).sees('linking.askPhone'),
  );
});
