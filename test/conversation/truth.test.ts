import { describe, expect, test } from 'vitest';
import { PROMISES } from '../../machines/kit/claims.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { loadLocales } from '../../src/screen/locales.ts';
import { centimes } from '../../src/wallet/money.ts';
import { theDeadline } from '../kit/deadline.ts';
import { type Customer, LOST, loses, MINUTE_MS, RECIPIENT, refused, STORES, theWorld } from '../kit/world.ts';
import { pays } from '../machines/merchant-orders.ts';
import { boundAtMenu } from '../machines/principal-orders.ts';
import { tops, topsAgain } from '../machines/top-up-orders.ts';

/** Words that only a payment's own screen may say. */
const ABOUT_MONEY = /débité|debited|خصم|Réessayez|try again/;

const orders = (amount: string) => (customer: Customer) =>
  customer.chooses('transfer').says(RECIPIENT).says(amount).sees('transfer.askPinOpenLoop');
const atPin = (customer: Customer) => customer.isAtMenu().walks(orders('100'));

/** The text of a handset, in one piece. */
const page = (world: ReturnType<typeof theWorld>, customer: Customer): string => pageOf(world, customer).text;

function pageOf(world: ReturnType<typeof theWorld>, { reply }: Customer, at = 0) {
  const { screen, language, missed } = reply();
  const before = missed.map((each) => each.screen);
  return world.renderer.ussd(screen, language, at, { septets: 182, ucs2: 80 }, before);
}

const NOT_CONFIRMED = /non confirmé|pas encore confirmé|لم يؤكد|not confirmed/;

/** All pages of it. */
function pagesOf(world: ReturnType<typeof theWorld>, customer: Customer): string[] {
  const { pages } = pageOf(world, customer, 0);
  return Array.from({ length: pages }, (_, at) => pageOf(world, customer, at).text);
}

describe('open payments stand behind an answer', () => {
  const world = theWorld();

  test.each(LANGUAGES)('to what was just read or done with a PIN, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '5000' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima
      .enters()
      .sees('transfer.notConfirmed')
      .after(3 * MINUTE_MS);
    const answers = async (says: RegExp) => {
      const pages = pagesOf(world, fatima.isTold('transfer.notConfirmed', { amount: 10_000 }));
      expect(pages[0]).toMatch(says);
      expect(pages.join(' ').match(NOT_CONFIRMED)?.index).toBeGreaterThan(pages[0]?.match(says)?.index ?? 0);
    };
    await fatima.dials().sees('menu.choose').chooses('balance').enters().sees('balance.shown');
    await answers(/\d{3}/);
    await fatima.dials().says('/cash-out 200').enters().sees('cash-out.shown');
    await answers(/\d{9}/);
    await fatima.dials().walks(pays()).enters().sees('merchant-payment.processing');
    await answers(/en cours|قيد المعالجة|being/);
    await fatima.dials().sees('menu.choose');
    expect(pagesOf(world, fatima)[0]).toMatch(NOT_CONFIRMED);
  });
});

describe.each(STORES)('open payments come first, on %s', (store) => {
  const world = theWorld({ store });

  test.each(['fr', 'ar', 'en'] as const)(
    'the wallet is down right after a payment with a lost answer, in %s',
    async (language) => {
      const fatima = world.customer({ language }).walks(atPin);
      world.wallet.next('transfer', loses);
      await fatima.enters().sees('transfer.notConfirmed');
      world.wallet.next('customerStatus', LOST);
      await fatima.dials().sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 });
      expect(page(world, fatima)).not.toMatch(ABOUT_MONEY);
      await fatima.dials().sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 });
      await fatima.after(MINUTE_MS).dials().sees('menu.choose').isTold('transfer.done');
      expect(fatima.reply().screen.first).toBeUndefined();
    },
  );

  test('with nothing open the menu says that the wallet is down, and to try again', async () => {
    const fatima = world.customer({ language: 'fr' }).isAtMenu();
    await fatima;
    // The mark of a merchant is remembered for a day.
    await world.passes(25 * 60 * MINUTE_MS);
    world.wallet.next('customerStatus', LOST);
    await fatima.dials().sees('menu.unavailable').isToldNothing();
    expect(page(world, fatima)).toMatch(/Réessayez/);
    expect(page(world, fatima)).not.toMatch(/débité/);
  });

  test('a customer of today keeps the menu while the wallet is down, and each choice there asks it again', async () => {
    const fatima = world.customer({ language: 'fr' }).isAtMenu();
    await fatima;
    world.wallet.next('customerStatus', LOST);
    await fatima.dials().sees('menu.choose').isToldNothing();
    world.wallet.next('login', LOST);
    await fatima.chooses('balance').enters().isTold('pin.lost');
    const omar = world.customer().isAtMenu();
    await omar;
    world.wallet.next('customerStatus', refused('90026'));
    await omar.dials().sees('menu.unavailable');
  });

  test('a chat with a late opening reads them on the screen that it has by then', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed').goes('menu');
    const opening = { address: fatima.address, id: 'opening', inputs: [{ type: 'opened' }] } as const;
    await world.engine.receive(opening, 5_000);
    await fatima.chooses('transfer').sees('pay.busy');
    const { screen } = await world.engine.receive(opening, 5_000);
    const { first = [] } = screen as { readonly first?: readonly { readonly key: string }[] };
    expect([...first, screen].map(({ key }) => key)).toEqual(['transfer.notConfirmed', 'pay.busy']);
  });

  test('they are told only while they are open', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', loses);
    await fatima.enters().says('envoyer 10 à 0655000001').sees('pay.busy');
    await fatima.after(MINUTE_MS).hears('transfer.done').opens().sees('pay.free').isToldNothing();
    await fatima.chooses('again').sees('transfer.askPinOpenLoop');
  });

  test('in a chat at its opening, and at the end of any other conversation', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed').isToldNothing().opens().isToldNothing();
    await fatima.goes('menu').sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 });
    await fatima.chooses('balance').sees('balance.askPin').isToldNothing();
    await fatima.enters().sees('balance.shown').isTold('transfer.notConfirmed');
    const other = world.chatOf(fatima);
    await other.isAtMenu().isTold('transfer.notConfirmed');
  });

  test('the newest of several is named first, and the others are counted', async () => {
    const fatima = world.customer({ channel: 'web', balance: '5000' }).isAtMenu();
    for (const amount of ['10', '20', '30', '40', '50']) {
      await fatima.walks(orders(amount));
      world.wallet.next('transfer', LOST);
      await fatima.enters().sees('transfer.notConfirmed').goes('menu');
      await world.passes(3 * MINUTE_MS);
    }
    await fatima.goes('menu');
    const { first = [] } = fatima.reply().screen;
    expect(
      first.map(({ key, values }) => [key, Object.values(values?.amount ?? values?.count ?? {})[0]]),
    ).toEqual([
      ['transfer.notConfirmed', 5_000],
      ['transfer.notConfirmed', 4_000],
      ['transfer.notConfirmed', 3_000],
      ['pay.moreOpen', 2],
    ]);
  });

  test('a chat that nobody has unlocked reads nothing of the wallet', async () => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters();
    const chat = world.chatOf(fatima);
    await chat.arrives().sees('unlocking.askPin').isToldNothing();
  });

  test('another payment waits before its first question, with what was ordered, until the open one holds it back no more', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().says('envoyer à 0655000001').sees('pay.busy').isTold('transfer.notConfirmed');
    await fatima.chooses('again').sees('pay.busy').isTold('pay.stillBusy');
    // What only reads waits for nothing.
    await fatima.says('solde').sees('balance.askPin').goes('menu');
    await fatima.says('envoyer à 0655000001').sees('pay.busy');
    await world.passes(3 * MINUTE_MS);
    await fatima.chooses('again').sees('transfer.askAmount', { to: '+212655000001' });
  });
});

const world = theWorld();

describe('a customer who declines to pay a second time', () => {
  test.each<[string, (it: Customer) => Customer]>([
    ['cancels', (it) => it.chooses('cancel').sees('pay.noSecond')],
    ['says so', (it) => it.says('/cancel').sees('menu.choose')],
    [
      'is refused by the wallet',
      (it) => {
        it.meanwhile(() => world.wallet.next('transfer', refused('90010')));
        return it.chooses('confirm').enters().sees('pay.noSecond');
      },
    ],
  ])('and %s reads nothing false about the first one', async (_, declines) => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().goes('menu');
    await world.passes(3 * MINUTE_MS);
    await fatima.chooses('transfer').says(RECIPIENT).says('100').sees('transfer.confirmUnconfirmed');
    await fatima.walks(declines).isTold('transfer.notConfirmed', { amount: 10_000 });
    expect(world.renderer.chat(fatima.reply().screen, 'fr').text).not.toMatch(/débité|annulé/);
  });
});

describe('a customer who gives up another payment while one is open', () => {
  const world = theWorld({ safety: SAFETY_DEFAULTS });
  const opensTopUp = (customer: Customer) =>
    customer
      .isAtMenu()
      .walks(tops('0699000117'))
      .enters()
      .after(3 * MINUTE_MS);

  test.each(LANGUAGES)(
    'on USSD in %s the given-up payment is named, and the open one keeps its warning',
    async (language) => {
      const fatima = world.customer({ language });
      await fatima.walks(opensTopUp).dials().sees('menu.choose').chooses('transfer').says(RECIPIENT);
      await fatima.says('100');
      await fatima.sees('pay.askNew');
      await fatima.goes('cancel').sees('menu.choose');
      await fatima.isTold('transfer.givenUp', { amount: 10_000, to: '+212655000000' });
      await fatima.isTold('top-up.notConfirmed', { amount: 4_500, to: '+212699000117' });
      const { text } = pagesOf(fatima);
      expect(text).toMatch(
        { fr: /Ne la refaites pas/, ar: /لا تعيدو(?:ا العملية|ه|ها)/, en: /don't make it again/ }[language],
      );
    },
  );

  test('in a chat, by a word', async () => {
    const chat = world.customer({ channel: 'web' }).walks(opensTopUp);
    await chat.goes('menu').chooses('transfer').says(RECIPIENT).says('100');
    await chat.says('/cancel').sees('menu.choose').isTold('transfer.givenUp', { amount: 10_000 });
    await chat.isTold('top-up.notConfirmed');
    await chat.walks(topsAgain('0699000117')).says('/cancel').sees('menu.choose').isTold('pay.noSecond');
    // Nothing is ordered yet that could be named.
    await chat.chooses('transfer').says('/cancel').sees('menu.choose').isTold('nav.cancelledNew');
  });

  test('in a chat, held back by the open one', async () => {
    const chat = world.customer({ channel: 'web' }).isAtMenu();
    await chat.walks(tops('0699000117')).enters().goes('menu');
    await chat.says(`/transfer ${RECIPIENT} 100`).sees('pay.busy');
    await chat.says('/cancel').sees('menu.choose').isTold('transfer.givenUp', { amount: 10_000 });
  });

  /** Everything that its pages say. */
  function pagesOf(customer: Customer): { text: string } {
    const { screen } = customer.reply();
    const pageAt = (at: number) => world.renderer.ussd(screen, customer.language, at);
    return { text: Array.from({ length: pageAt(0).pages }, (_, at) => pageAt(at).text).join('\n') };
  }
});

describe.each(STORES)('the store stands still, on %s', (store) => {
  const world = theWorld({ store });
  const stalls = () => {
    world.weather.isDown = true;
  };
  const goesOn = () => {
    world.weather.isDown = false;
  };
  /** For a turn before it sends: longer than a busy machine takes for what comes before the store stands still. */
  const BEFORE_SENDING_MS = 1_500;
  /** Once a payment is being sent, which the store standing still makes last. */
  const SENDING_MS = 100;

  test('after the send the customer is answered from memory, and the outcome comes', async () => {
    const fatima = world.customer().walks(atPin).hasPatience(20_000, SENDING_MS);
    world.wallet.next('transfer', async (ask) => {
      stalls();
      return ask();
    });
    await fatima.enters().sees('transfer.processing', { amount: 10_000 });
    const reply = world.engine.fallback(fatima.address, 'fr');
    expect(reply.screen).toMatchObject({ key: 'nav.unavailable', first: [{ key: 'transfer.processing' }] });
    goesOn();
    await fatima.after(MINUTE_MS).hears('transfer.done').dials().isTold('transfer.done');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test.each<[string, (it: Customer) => Customer]>([
    ['a definite refusal', (it) => it.dials().isTold('transfer.refusedAt')],
  ])('an answer in hand is stored: %s', async (_, hears) => {
    const fatima = world.customer().walks(atPin).hasPatience(20_000, SENDING_MS);
    world.wallet.next('transfer', async () => {
      stalls();
      return refused('90010');
    });
    await fatima.enters().sees('transfer.processing');
    goesOn();
    await world.rests();
    await hears(fatima);
    expect(fatima.reply().screen.first).toBeUndefined();
  });

  test('the code of a voucher survives it', async () => {
    const fatima = world
      .customer({ channel: 'web', balance: '900' })
      .isAtMenu()
      .hasPatience(20_000, SENDING_MS);
    await fatima.chooses('shopping').chooses('voucher').chooses('1').chooses('article0');
    await fatima.chooses('me').sees('voucher.askPin');
    await fatima;
    world.wallet.next('buyVoucher', async (ask) => {
      const answer = await ask();
      stalls();
      return answer;
    });
    await fatima.enters().sees('voucher.processing');
    goesOn();
    await fatima.hears('voucher.code');
  });

  test('a late claim without a call is settled as never sent', async () => {
    const fatima = world.customer().walks(atPin).hasPatience(20_000);
    await fatima;
    world.weather.writesLate = '"state":"sent"';
    await fatima.enters().sees('transfer.notSent').isTold('problem.unavailable');
    expect(fatima.reply().rests).toBe(true);
    goesOn();
    // The late write comes with the next look at the store, and this process knows that it never made the call.
    await expect.poll(() => world.session(fatima).then((session) => session.underway)).toBeUndefined();
    await fatima.dials();
    expect(fatima.reply().screen.first).toBeUndefined();
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test('a PIN that was right too long ago sends nothing, and the customer reads so', async () => {
    const fatima = world.customer({ language: 'fr' }).walks(atPin).hasPatience(BEFORE_SENDING_MS);
    world.wallet.next('login', async (ask) => {
      const answer = await ask();
      stalls();
      return answer;
    });
    await fatima.enters().sees('transfer.notSent', { amount: 10_000 }).isTold('problem.unavailable');
    world.clock.ahead += 11_000;
    goesOn();
    await world.rests();
    await world.passes(MINUTE_MS);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
    expect(world.sms(fatima.phone).at(-1)).toMatch(/100,00 DH au .* du .* n'a pas été effectué/);
  });

  test('before a payment or after it, the sentence is true, and in their own language', async () => {
    const fatima = world.customer({ language: 'ar' }).isAtMenu();
    await fatima;
    stalls();
    await expect(fatima.dials()).rejects.toThrow('stands still');
    goesOn();
    expect(world.engine.fallback(fatima.address, 'fr')).toMatchObject({
      language: 'ar',
      screen: { key: 'nav.unavailable' },
    });
    expect(world.engine.fallback('ussd:+212699887766', 'en')).toMatchObject({ language: 'en' });
  });
});

describe('a message is read later than it was written', () => {
  const REFUSED_BUSY = '90010';
  /** The same payment from the same wallet, made on the phone while the chat is not looked at. */
  const paysByPhone = async (chat: Customer) => {
    await world.dialer(chat).dials().chooses('fr').walks(orders('100')).enters().sees('transfer.processing');
    await world.passes(MINUTE_MS);
  };
  const refusedInChat = () => {
    const chat = world.customer({ channel: 'web' }).walks(atPin);
    return chat
      .meanwhile(() => world.wallet.next('transfer', refused(REFUSED_BUSY)))
      .enters()
      .sees('transfer.refused');
  };

  test('a refusal names its moment once another payment was sent, in the message and on the screen', async () => {
    const chat = refusedInChat().hears('transfer.refused').opens().sees('transfer.refused');
    const repeated = refusedInChat();
    await chat;
    await repeated;
    await paysByPhone(chat);
    await paysByPhone(repeated);
    await chat.opens().sees('transfer.refusedAt', { amount: 10_000 });
    await repeated.hears('transfer.refusedAt').repeats().sees('transfer.refusedAt');
  });

  test('the refusal of a second payment does not read as that of the first, which is open', async () => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(3 * MINUTE_MS);
    const chat = world.chatOf(fatima).isAtMenu().isTold('transfer.notConfirmed');
    await chat;
    await fatima.dials().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.confirmUnconfirmed');
    world.wallet.next('transfer', async () => {
      // A chat that was there since the send has read that it is open, and hears the outcome.
      await chat.opens();
      return refused(REFUSED_BUSY);
    });
    await fatima.chooses('confirm').enters().sees('pay.noSecond');
    await chat.hears('transfer.refusedAt', { amount: 10_000 });
  });

  test('it names the moment of the payment, even when support has it told again days later', async () => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('transfer', refused(REFUSED_BUSY));
    await fatima.enters().sees('transfer.refused');
    const { intent = '' } = await world.session(fatima);
    const paidAt = world.clock.now();
    await world.passes(2 * 24 * 60 * MINUTE_MS);
    await fatima.dials().isTold('transfer.refusedAt').chooses('help');
    expect(await world.engine.desk.resend(intent, { id: 'nadia', name: 'Nadia' })).toBe('done');
    await fatima.dials().isTold('transfer.refusedAt');
    const { at } = fatima.reply().missed[0]?.screen.values ?? {};
    expect(at && 'date' in at && at.date).toBeLessThanOrEqual(paidAt);
  });

  test('giving up a payment does not deny one just like it that was made on the phone meanwhile', async () => {
    const [atPrompt, atOutage] = ['web', 'web'].map(() => world.customer({ channel: 'web' }).walks(atPin));
    if (!atPrompt || !atOutage) throw new Error('nobody is there');
    await atPrompt;
    await paysByPhone(atPrompt);
    await atPrompt.chooses('cancel').sees('pay.noSecond');
    await atOutage.goes('back').sees('transfer.askAmount');
    world.wallet.next('previewTransfer', LOST);
    await atOutage.says('100').sees('pay.unavailable');
    await paysByPhone(atOutage);
    await atOutage.chooses('cancel').sees('pay.noSecond');
  });

  test('"cancelled, nothing was debited" does not stand beside a newer payment', async () => {
    const chat = world.customer({ channel: 'web' }).walks(atPin).chooses('cancel').sees('transfer.cancelled');
    await chat.opens().sees('transfer.cancelled');
    await paysByPhone(chat);
    await chat.opens().sees('nav.cancelled');
  });

  test.each<[string, (chat: Customer) => Customer]>([
    ['the chat is opened again', (chat) => chat.opens()],
    ['a photo without a code is no answer', (chat) => chat.photographs()],
    ['another language is picked', (chat) => chat.speaks('en')],
    ['an input comes again', (chat) => chat.repeats()],
  ])('a balance names its moment when it is shown again, because %s', async (_, again) => {
    const chat = world.customer({ channel: 'web' }).isAtMenu().chooses('balance').enters();
    await chat.sees('balance.shown', { balance: 50_000 }).walks(again);
    await chat.sees('balance.shownAt', { balance: 50_000 });
  });

  test('the room in a wallet and the float of a principal agent name their moment, too', async () => {
    const chat = world.customer({ channel: 'web' }).isAtMenu().says('/upgrade').chooses('room').enters();
    await chat.sees('upgrade.room', { balance: 50_000 }).opens().sees('upgrade.roomAt', { balance: 50_000 });
    const aicha = boundAtMenu(world).chooses('principal').chooses('principal-float').enters();
    await aicha.sees('principal-float.shown').opens().sees('principal-float.shownAt');
  });

  test('an outage of the service is not repeated when the chat is opened again', async () => {
    const chat = world.customer({ channel: 'web' }).isAtMenu().chooses('shopping');
    await chat;
    world.wallet.next('voucherBrands', LOST);
    await chat.chooses('voucher').sees('voucher.unread').opens().sees('menu.choose');
    await world.passes(25 * 60 * MINUTE_MS);
    world.wallet.next('customerStatus', LOST);
    await chat.goes('menu').sees('menu.unavailable').opens().sees('menu.choose');
  });

  test('a late screen does not call a finished payment under way', async () => {
    const chat = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', loses);
    await chat.enters().goes('menu').chooses('transfer').chooses('again').isTold('pay.stillBusy');
    await world.engine.screenNotShown(chat.address);
    const late = async () => (await world.engine.waiting(chat.address)).map(({ screen }) => screen.key);
    expect(await late()).toContain('pay.busy');
    await world.passes(MINUTE_MS);
    expect(await late()).not.toContain('pay.busy');
  });
});

describe('the end of a session fits one page with any other content', () => {
  const deadline = theDeadline();
  const KEYS: readonly SentenceKey[] = [
    'nav.unavailable',
    'nav.slow',
    'nav.down',
    'pay.checkingPin',
    'pay.noSecond',
  ];
  const values = { amount: { money: centimes(1_234_550) } };

  test.each(KEYS.flatMap((key) => LANGUAGES.map((language) => [key, language] as const)))(
    '%s in %s',
    (key, language) => {
      const { pages } = world.renderer.ussd({ key, values, expects: 'nothing' }, language, 0);
      expect(pages).toBe(1);
    },
  );

  test('a longer text can be turned while the PIN is checked', async () => {
    const fatima = world.customer({ language: 'ar', balance: '900' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(3 * MINUTE_MS);
    await fatima.dials().chooses('transfer').says(RECIPIENT).says('30');
    const login = world.wallet.holds('login');
    const paying = fatima.hasPatience(deadline.ms).enters();
    await login.reached;
    deadline.strikes();
    await paying.sees('pay.checkingPin').isTold('transfer.notConfirmed');
    await fatima.hasPatience(15_000).says('98');
    expect(fatima.reply().page).toBe(1);
    login.go();
    await world.rests();
  });
});

describe('a PIN without a check', () => {
  test('does not say that nothing was sent while a payment is open', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().goes('menu');
    await fatima.after(3 * MINUTE_MS).walks(orders('10'));
    world.wallet.next('login', LOST);
    await fatima.enters().sees('transfer.askPinOpenLoop').isTold('pin.lost');
    world.wallet.next('login', refused('26004'));
    await fatima.enters().sees('transfer.givenUp', { amount: 1_000 }).isTold('transfer.notConfirmed');
  });

  test('does not invite to try again while a payment is open and the service is down', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().goes('menu');
    await world.passes(3 * MINUTE_MS);
    world.wallet.next('previewTransfer', LOST);
    await fatima.chooses('transfer').says(RECIPIENT).says('10');
    await fatima.sees('pay.unavailable').isTold('transfer.notConfirmed');
    expect(fatima.reply().screen.choices?.map(({ key }) => key)).toEqual(['pin.continue', 'pay.cancel']);
    await fatima.chooses('again').sees('transfer.askPinOpenLoop');
  });

  test('is not asked for again after the second failure, and the customer reads “later”', async () => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('login', LOST);
    await fatima.enters().sees('transfer.askPinOpenLoop').isTold('pay.pinLost');
    world.wallet.next('login', refused('26001'));
    await fatima.enters().sees('transfer.askPinOpenLoop').isTold('pin.wrong');
    for (const told of ['pay.pinLost', 'pin.unchecked']) {
      world.wallet.next('login', LOST);
      await fatima.enters().isTold(told);
    }
    await fatima.sees('transfer.notSent');
    world.wallet.next('login', LOST);
    await fatima.dials().chooses('balance').enters().sees('balance.askPin').isTold('pin.lost');
    world.wallet.next('login', LOST);
    await fatima.enters().sees('pin.refused').isTold('pin.unchecked');
  });

  /** Twice nobody answers: the request ends, and another one is begun. */
  const isLeftAlone = async (customer: Customer) => {
    world.wallet.next('login', LOST);
    await customer.enters().sees('transfer.askPinOpenLoop').isTold('pay.pinLost');
    world.wallet.next('login', LOST);
    await customer.enters().sees('transfer.notSent').isTold('pin.unchecked');
    await customer.dials().walks(orders('100'));
  };

  test('six unanswered logins with the right PIN do not lock anybody out', async () => {
    const fatima = world.customer().walks(atPin);
    for (let i = 0; i < 3; i++) await isLeftAlone(fatima);
    await fatima.enters().sees('transfer.processing');
  });

  test('after many of them the wallet is left in peace, and no PIN is called wrong', async () => {
    const fatima = world.customer().walks(atPin);
    for (let i = 0; i < 10; i++) await isLeftAlone(fatima);
    await fatima.enters().sees('transfer.notSent').isTold('pin.unchecked');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(20);
    await world.passes(16 * MINUTE_MS);
    await fatima.dials().walks(orders('100')).enters().sees('transfer.processing');
  });

  test('wrong ones still count, over all channels, with any lost answer in between', async () => {
    const fatima = world.customer().walks(atPin);
    world.sandbox.faults.clear();
    for (let i = 0; i < 5; i++) {
      world.wallet.next('login', LOST);
      await fatima.enters('4321').isTold('pay.pinLost');
      world.wallet.next('login', refused('26001'));
      await fatima.enters('4321').isTold('pin.wrong');
    }
    await fatima.enters().sees('transfer.notSent').isTold('pin.tooMany');
  });
});

/** Words of a sentence that promises the outcome of a payment in another place or at another time. */
const PROMISING = {
  fr: /résultat.*(?:SMS|composez|conversation)|SMS.*résultat/,
  ar: /النتيجة.*(?:رسالة|ركبوا|محادثت)|للنتيجة|قصيرة.*النتيجة/,
  en: /outcome.*(?:SMS|chat)|(?:SMS|[Dd]ial).*outcome/,
} as const;

test.each(LANGUAGES)('no page but those of PROMISES says how an outcome comes, in %s', (language) => {
  const { console: _ofAgents, ...files } = loadLocales()[language] ?? {};
  const said = Object.entries(files).flatMap(([file, sentences]) =>
    Object.entries(sentences)
      .filter(([name]) => !/_(?:sms|brief|unset)$/.test(name))
      .filter(([, text]) => PROMISING[language].test(text))
      .map(([name]) => `${file}.${name.replace(/_ussd$/, '')}`),
  );
  expect(new Set(said)).toEqual(new Set(PROMISES.keys()));
});

/** Words that promise to write by ourselves. A page of USSD is gone, and without a paid SMS nobody writes. */
const WRITES = {
  fr: /nous vous (?:écri|dir|préven|inform|avert|en donn|tien)|vous écrir/i,
  ar: /سنخبركم|نخبركم|سنكتب|نكتب لكم|سيكتب|سنراسلكم/,
  en: /we(?:'ll| will)? (?:write|tell you|let you know|inform)|will write to you/i,
} as const;
/** They are shown in chats alone. */
const CHATS_ONLY = ['payouts.released', 'principal-agents.asked'];

test.each(LANGUAGES)('no page of USSD promises that we write, in %s', (language) => {
  const { console: _ofAgents, simulator: _shown, ...files } = loadLocales()[language] ?? {};
  const promising = Object.entries(files).flatMap(([file, sentences]) =>
    Object.entries(sentences)
      .filter(([name]) => !/_(?:sms|brief|short)(?:_|$)/.test(name))
      // Without a form of its own a page says what a chat says.
      .filter(([name]) => name.includes('_ussd') || !(`${name.replace(/_unset$/, '')}_ussd` in sentences))
      .filter(([, text]) => WRITES[language].test(text) && !/(?:composez|ركبوا|dial)/i.test(text))
      .map(([name]) => `${file}.${name.replace(/_(?:ussd|unset)/g, '')}`),
  );
  expect([...new Set(promising)].filter((key) => !CHATS_ONLY.includes(key))).toEqual([]);
});
