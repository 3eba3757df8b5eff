import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import { startRedis } from '../kit/redis-server.ts';
import { CHANNELS, type Customer, createWorld, PIN, STORES, testOn, theWorld } from '../kit/world.ts';
import { alone } from '../screen/sample.ts';
import { cardAt, issue } from './card-issuing.ts';

const pays = (customer: Customer) => customer.says('/transfer 0655000000 100');
const thaws = (customer: Customer) => customer.chooses('thaw').walks(provesIt);
const provesIt = (customer: Customer) =>
  customer.sees('freeze.askPin').enters().sees('freeze.askCode').entersCodeFromSms().sees('freeze.thawed');

const world = theWorld({ bot: 'webhook' });
const operations = (customer: Customer) => world.wallet.calls(customer.phone, 'transfer').length;
const THAW = [
  ...['dégeler', 'degele mon compte', 'débloquer mes paiements', 'unfreeze', 'unfreeze my account'],
  ...['débloquer', 'unblock', 'nfek lblocage', 'فك التجميد', 'رفع التجميد'],
];
/** The newest code that this chat, and no other, was sent: the first of two. */
function codeFor({ phone }: Customer): string {
  const codes = world.sms(phone).flatMap((sms) => sms.match(/\d{3}-\d{3}/g) ?? []);
  return codes.at(-2) ?? '';
}

describe('a customer freezes their payments', () => {
  test('who has no card chooses from 1 on', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu().says('geler').sees('freeze.frozen');
    expect(pageOf(world.renderer, fatima.reply()).text).toMatch(/^1 رفع التجميد$/m);
    await fatima.says('1').sees('freeze.askPin');
  });

  testOn(CHANNELS)('by a choice and a yes, and thaws them with PIN and code, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().goes('help').chooses('freeze').sees('freeze.ask');
    await fatima.chooses('yes').sees('freeze.frozen');
    // The menu says so, and so does the first question of every payment.
    const isSaid = () => fatima.reply().screen.first?.map(({ key }) => key);
    await fatima.goes('menu').sees('menu.choose');
    expect(isSaid()).toEqual(['freeze.still']);
    await fatima.chooses('balance');
    expect(isSaid()).toBeUndefined();
    await fatima.goes('menu').says('/cash-out').sees('freeze.stopped').goes('back').sees('menu.choose');
    await fatima.says('/transfer').sees('freeze.stopped').chooses('thaw').sees('freeze.askPin');
    await fatima.goes('help').chooses('freeze').sees('freeze.askPin').goes('back').sees('freeze.frozen');
    await pays(fatima).sees('freeze.stopped').chooses('cancel').sees('menu.choose');
    await pays(fatima).sees('freeze.stopped').chooses('thaw').walks(provesIt);
    await fatima.goes('menu').sees('menu.choose');
    expect(isSaid()).toBeUndefined();
    await pays(fatima).enters();
    await world.passes(5_000);
    expect(operations(fatima)).toBe(1);
  });

  test.each(['fr', 'ar', 'en'] as const)(
    'and their menu is one page without what is frozen, whose digits say so, in %s',
    async (language) => {
      const fatima = world.customer({ language });
      await fatima.isAtMenu().says('/geler').dials().sees('menu.choose').isTold('freeze.still');
      expect(pageOf(world.renderer, fatima.reply()).pages).toBe(1);
      expect(fatima.reply().screen.choices?.map(({ id }) => id)).toEqual(
        expect.not.arrayContaining(['transfer', 'top-up', 'bill-payment']),
      );
      await fatima.says('4').sees('freeze.stopped').chooses('cancel').sees('menu.choose');
      // Nothing was paid before.
      await fatima.says('mes paiements de factures').sees('bill-payment.chooseCreditor');
    },
  );

  test.each([
    // A page prints the digits that its customers know by heart: that of a payment leads to the thaw.
    ['ussd', { 1: 'freeze.stopped', 2: 'balance.askPin', 5: 'cash.choose' }],
    // A chat prints none, so they count what is shown.
    ['web', { 1: 'balance.askPin', 2: 'cash.choose', 3: 'statement.askPin' }],
    ['telegram', { 1: 'balance.askPin', 2: 'cash.choose' }],
    ['whatsapp', { 1: 'balance.askPin', 2: 'cash.choose' }],
  ] as const)('each entry of their menu leads where it says, on %s', async (channel, digits) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().says('/geler').goes('menu').chooses('balance').sees('balance.askPin');
    await fatima.goes('menu').chooses('cash').sees('cash.choose');
    for (const [digit, key] of Object.entries(digits)) await fatima.goes('menu').says(digit).sees(key);
    await fatima.goes('menu').says('recharge').sees('freeze.stopped');
  });

  test('on every channel at once: the other chats are told, and refuse as well', async () => {
    const fatima = world.customer({ channel: 'web' });
    const chat = world.chatOf(fatima);
    await fatima.isAtMenu();
    await chat.isAtMenu();
    await fatima.says('geler').sees('freeze.frozen');
    await chat.hears('freeze.frozenElsewhere');
    await chat.goes('menu').sees('menu.choose');
    expect(chat.reply().screen.first).toEqual([{ key: 'freeze.still' }]);
    await pays(chat).sees('freeze.stopped').chooses('thaw').walks(provesIt);
    await fatima.hears('freeze.thawedElsewhere');
    await pays(fatima).sees('transfer.askPinOpenLoop');
  });

  test('a thaw left in a chat and finished by phone tells the chat, and nothing is frozen', async () => {
    const fatima = world.customer({ channel: 'web' });
    const chat = world.chatOf(fatima);
    const phone = world.dialer(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().says('geler').chooses('thaw').sees('freeze.askPin');
    await chat.says('dégeler').walks(provesIt);
    await phone.after(120_000).dials().chooses(phone.language);
    await phone.dials().sees('menu.choose');
    await fatima.hears('freeze.thawedElsewhere').hears('pin.lapsed').hearsNothing();
    await pays(chat).sees('transfer.askPinOpenLoop');
  });

  test('a customer who continues a thaw that another channel finished freezes nothing anew', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await fatima.isAtMenu();
    await chat.isAtMenu();
    await fatima.says('geler').sees('freeze.frozen').chooses('thaw').sees('freeze.askPin');
    await chat.says('dégeler').walks(provesIt);
    await fatima.says('0').sees('freeze.over').says('débloquer').sees('freeze.over').isToldNothing();
    await fatima.chooses('thaw').sees('menu.choose');
    await chat.hearsNothing();
    await pays(chat).sees('transfer.askPinOpenLoop');
  });
});

test.each([
  ['fr', 'mon compte est bloqué'],
  ['fr', 'mes paiements sont bloqués'],
  ['fr', 'lcompte dyali tbloka'],
  ['ar', 'محفظتي موقوفة'],
  ['en', 'my wallet is blocked'],
] as const)('who finds theirs blocked is not frozen, in %s: %s', async (language, words) => {
  for (const channel of ['web', 'ussd'] as const) {
    const fatima = world.customer({ language, channel });
    await fatima.isAtMenu().says(words).sees('help.help').isTold('freeze.none');
    await fatima.goes('menu').asksForAdviser().goes('menu').says(words).isTold('freeze.none');
    await fatima.says('/freeze').sees('freeze.frozen').goes('menu').says(words).sees('freeze.askPin');
  }
});

describe('a digit for a freeze', () => {
  test.each([
    ['ussd', 'fr'],
    ['ussd', 'ar'],
    ['web', 'en'],
  ] as const)('freezes nothing before a yes, on %s in %s', async (channel, language) => {
    const fatima = world.customer({ channel, language });
    await fatima.isAtMenu().goes('help').says('1').sees('freeze.ask');
    await fatima.says('2').sees('help.help').chooses('freeze').goes('back').sees('help.help');
    await fatima.goes('menu').sees('menu.choose');
    expect(fatima.reply().screen.first).toBeUndefined();
    await pays(fatima).sees('transfer.askPinOpenLoop');
  });

  test.each([
    ['fr', 'Pour débloquer : PIN, code SMS, puis 24 h à plafond réduit.'],
    ['ar', 'لرفع التجميد: الرمز السري ورمز برسالة.\nثم مبالغ محدودة لـ24 ساعة.'],
    ['en', 'Unfreezing takes PIN and SMS code, then 24 h at a lower limit.'],
  ] as const)(
    'asks on the first page, and says there or behind it what undoing it costs, in %s',
    (language, cost) => {
      const screen = {
        key: 'freeze.ask',
        choices: [
          { id: 'yes', key: 'freeze.yes' },
          { id: 'no', key: 'freeze.no' },
        ],
        expects: 'choice',
      } as const;
      const { ussd } = createRenderer(undefined, { coolDownHours: '24' });
      const [first, last] = [0, -1].map((page) => ussd(alone(screen), language, page));
      expect(first).toMatchObject({ asked: true, choices: 2 });
      expect(last?.text).toContain(cost);
      expect(createRenderer().ussd(alone(screen), language, -1).text).not.toContain('24');
    },
  );
});

describe('the words for a freeze', () => {
  test('customers ask for a thaw in their own words, and it does not freeze anything', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const first = () => fatima.reply().screen.choices?.[0]?.key;
    for (const words of THAW) {
      await fatima.goes('menu').says(words).sees('help.help').isTold('freeze.none');
      expect(first()).toBe('help.freeze');
    }
    await fatima.chooses('freeze').chooses('yes').sees('freeze.frozen').goes('help').sees('help.help');
    expect(first()).toBe('help.thaw');
    for (const words of THAW) await fatima.goes('menu').sees('menu.choose').says(words).sees('freeze.askPin');
    await fatima.goes('back').sees('freeze.frozen');
    await thaws(fatima);
  });

  test('a customer who was robbed or cheated gets the help for it at once', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    for (const words of [
      ...["on m'a volé mon argent", "on m'a volé 500 dh", 'arnaque', 'fraude', 'je me suis fait arnaquer'],
      ...['i was scammed', 'someone stole my money', 'شي واحد سرقني', 'سرقو ليا فلوسي', 'chi wahed sr9ni'],
    ]) {
      await fatima.goes('menu').sees('menu.choose').says(words).sees('help.urgent');
    }
  });

  test.each([
    ['geler'],
    ['Gèle mon compte'],
    ...['bloquer mon compte', 'bloquer', 'je veux bloquer', 'block', 'block my payments'].map((it) => [it]),
    ...['بلوكي', 'توقيف حسابي', 'إيقاف الحساب', 'nbloki'].map((it) => [it]),
    ['freeze'],
    ['freeze my wallet'],
    ['وقف'],
    ['تجميد محفظتي'],
    ['/geler'],
  ])('%s freezes', (words) => world.customer().isAtMenu().says(words).sees('freeze.frozen'));

  test('a word that begins the label of a button presses it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await issue(world, fatima);
    await fatima.says('carte perdue').sees('lost-card.choose').says('bloquer').sees('cards.askPin');
  });

  test.each([
    ['/geler', 'freeze.frozen'],
    ['bloquer', 'help.urgent'],
    ['geler', 'freeze.frozen'],
    ['gel douche', 'transfer.askAmount'],
  ])('in the middle of a payment %s leads to %s', (words, sees) =>
    world.customer().isAtMenu().chooses('transfer').says('0655000000').says(words).sees(sees),
  );
});

describe('a freeze always works', () => {
  test.each([
    ['locked for now', { status: 4 }, undefined],
    ['locked', { status: 5 }, undefined],
    ['not answering', {}, LOST],
  ] as const)('a freeze does not wait for a wallet that is %s', async (_, who, instead) => {
    const fatima = world.customer(who);
    await fatima.arrives();
    if (instead) world.wallet.next('customerStatus', instead);
    await fatima.dials('9', '1', '1').sees('freeze.frozen');
  });

  test('a freeze does not wait for a wallet that refuses to give its status', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('customerStatus', refused('90016'));
    await fatima.dials('9', '1', '1').sees('menu.unavailable').chooses('help');
    await fatima.chooses('freeze').chooses('yes').sees('freeze.frozen');
  });

  test('a payment in one dial is refused as a whole, and none of its details is asked for again', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().dials('9', '1', '1').sees('freeze.frozen');
    await fatima.dials('1', '0655000000', '10').sees('freeze.stopped');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
    // Dialled once more it says that payments are frozen, before it asks for what undoes that.
    await fatima.dials('9', '1').sees('freeze.askPin').goes('back').sees('freeze.frozen');
  });

  test('the customer is told when another code was sent', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('geler').chooses('thaw').enters().sees('freeze.askCode').isToldNothing();
    await fatima.chooses('resend').sees('freeze.askCode').isTold('onboarding.codeSent');
    await fatima.entersCodeFromSms().sees('freeze.thawed');
  });

  test.each([
    ['ussd', 'ar'],
    ['web', 'fr'],
  ] as const)(
    'a customer who left the question for the code finds it again with the code that they have, on %s in %s',
    async (channel, language) => {
      const fatima = world.customer({ channel, language });
      await fatima.isAtMenu().says('geler').chooses('thaw').enters().sees('freeze.askCode').isToldNothing();
      const sent = () => world.sms(fatima.phone).length;
      const before = sent();
      for (let i = 0; i < 5; i++) {
        await fatima
          .says(i % 2 ? 'solde' : '/menu')
          .goes('menu')
          .sees('menu.choose');
        await fatima.says('dégeler').sees('freeze.askPin').enters();
        await fatima.sees('freeze.askCode').isTold('linking.codeStill');
      }
      expect(sent()).toBe(before);
      await fatima.entersCodeFromSms().sees('freeze.thawed');
    },
  );

  test('a code of which too many were asked for can still be typed', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').chooses('thaw').enters().sees('freeze.askCode');
    await fatima.chooses('resend').chooses('resend').isTold('onboarding.codeSent');
    await fatima.chooses('resend').sees('freeze.askCode').isTold('linking.tooMany');
    // No other code is offered in vain: a person is.
    await fatima.offers('adviser');
    await fatima.entersCodeFromSms().sees('freeze.thawed');
  });
});

describe('a freeze without an open wallet', () => {
  test('a customer without a proven wallet freezes nothing', async () => {
    const chat = world.customer({ channel: 'web' });
    await chat.arrives().sees('unlocking.askPin').says('/geler').sees('unlocking.askPin').enters();
    await chat.sees('freeze.frozen');
  });

  test.each([
    ['ussd', 'fr', 'geler'],
    ['ussd', 'ar', 'وقف'],
    ['web', 'en', 'freeze my wallet'],
    ['telegram', 'ar', '/geler'],
  ] as const)(
    'a customer without a wallet reads that there is nothing to freeze, on %s in %s',
    async (channel, language, words) => {
      const salma = world.stranger({ channel, language });
      await salma.arrives().sees('consent.ask').says(words).sees('consent.ask').isTold('freeze.noWallet');
      await salma.goes('help').sees('help.help');
      const offered = () => salma.reply().screen.choices?.map(({ id }) => id);
      expect(offered()).toEqual(['adviser', 'continue']);
      await salma.chooses('continue').sees('consent.ask').chooses('agree');
      await salma.goes('help');
      expect(offered(), 'on the way to one').toEqual(['adviser', 'continue']);
      await salma.chooses('continue').says('Salma').says('Idrissi');
      await salma.says('AB123456').sees('onboarding.review');
      await salma.says(words).sees('consent.ask').isTold('freeze.noWallet');
    },
  );

  test.each(['fr', 'ar', 'en'] as const)(
    'nobody agrees to terms that a message has pushed to the next page, in %s',
    async (language) => {
      const salma = world.stranger({ channel: 'ussd', language });
      await salma.arrives().sees('consent.ask').says('freeze').isTold('freeze.noWallet');
      const agrees = String((salma.reply().screen.choices ?? []).findIndex(({ id }) => id === 'agree') + 1);
      let pages = 0;
      for (; salma.reply().screen.key === 'consent.ask' && pages < 5; pages++) {
        expect(salma.reply().page).toBe(pages);
        await salma.says(agrees);
      }
      expect(pages).toBeGreaterThan(1);
      await salma;
    },
  );

  test('a registered customer without a PIN continues the registration and freezes nothing', async () => {
    for (const status of [1, 2] as const) {
      const salma = world.customer({ status, balance: '0' });
      await salma.arrives().says('geler').isTold('freeze.noWallet');
    }
  });
});

test.each(['ussd', 'web', 'telegram'] as const)(
  'the payment that a freeze has stopped is offered after the thaw, on %s',
  async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().says('/geler').goes('menu');
    await pays(fatima).sees('freeze.stopped').walks(thaws).offers('take-up').chooses('take-up');
    await fatima.sees('transfer.askPinOpenLoop', { to: '+212655000000', amount: 10_000 });
    await fatima.goes('menu').says('/geler').chooses('thaw').walks(provesIt).offers();
    // Words for the thaw, and the way back to it, lose nothing.
    const youssef = world.customer({ channel });
    await youssef.isAtMenu().says('/geler').goes('menu');
    await pays(youssef).says('dégeler').sees('freeze.askPin').goes('back').sees('freeze.frozen');
    await youssef.goes('help').goes('back').sees('freeze.frozen').walks(thaws).chooses('take-up');
    await youssef.sees('transfer.askPinOpenLoop', { to: '+212655000000', amount: 10_000 });
    // Frozen elsewhere, while the page of the PIN is on show.
    const phone = world.chatOf(youssef);
    await phone.isAtMenu();
    await phone.says('/geler');
    await youssef.enters().sees('freeze.stopped').walks(thaws).offers('take-up').chooses('take-up');
    await youssef.sees('transfer.askPinOpenLoop', { to: '+212655000000', amount: 10_000 });
  },
);

describe('the cards and payments of a frozen customer', () => {
  test('one answer suspends all cards, and suspended ones stay so', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const cards = [await issue(world, fatima), await issue(world, fatima)];
    await fatima.says('geler').chooses('cards').sees('freeze.frozen').isTold('freeze.cardsSuspended');
    for (const card of cards) expect((await cardAt(world, card)).cardStatus).toBe(4);
    await fatima.offers('thaw', 'adviser');
    await fatima.says('geler').sees('freeze.frozen').offers('thaw', 'adviser');
    // None begins to pay again, and none is ordered, before payments are thawed.
    await fatima.goes('menu').says('ma carte').chooses(String(cards[0])).chooses('reactivate');
    await fatima.sees('freeze.stopped').goes('menu').says('commander une carte').sees('freeze.stopped');
  });

  test('a freeze from another chat after the question for the PIN wins over a card', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const chat = world.chatOf(fatima);
    const card = await issue(world, fatima);
    await fatima.says('ma carte').chooses('suspend').says('ma carte').chooses('reactivate');
    await chat.isAtMenu().says('geler').sees('freeze.frozen');
    await fatima.enters().isTold('problem.frozen');
    expect((await cardAt(world, card)).cardStatus).toBe(4);
    await chat.chooses('thaw').walks(provesIt);
    await fatima.goes('menu').says('commander une carte').chooses('1').sees('card-order.askPin');
    await chat.says('geler').sees('freeze.frozen');
    await fatima.enters().isTold('problem.frozen');
    expect(world.wallet.calls(fatima.phone, 'applyForCard')).toEqual([]);
  });

  testOn(CHANNELS)('a stolen phone leads on to the cards and to an adviser, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await issue(world, fatima);
    await fatima.says("on m'a volé mon téléphone").sees('freeze.frozen').offers('cards', 'thaw', 'adviser');
    await fatima.chooses('cards').isTold('freeze.cardsSuspended').chooses('adviser').sees('help.asked');
    await fatima.chooses('continue').sees('menu.choose');
    expect(await world.engine.desk.cases.about('asked', fatima.address)).toBeDefined();
  });

  test.each<[string, Parameters<typeof world.wallet.next>[1] | undefined, string[]]>([
    ['has none', undefined, ['thaw', 'adviser']],
    ['cannot have any', refused('http404'), ['thaw', 'adviser']],
    ['is not known to have one', LOST, ['cards', 'thaw', 'adviser']],
  ])('a customer who %s is offered what there is', async (_, instead, offered) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    if (instead) world.wallet.next('issuedCards', instead);
    await fatima.says('geler').sees('freeze.frozen').isToldNothing();
    expect(fatima.reply().screen.choices?.map(({ id }) => id)).toEqual(offered);
  });

  test.each<[string, Parameters<typeof world.wallet.next>, string]>([
    ['cannot be read', ['issuedCards', LOST], 'freeze.cardsNotSuspended'],
    ['cannot be suspended', ['changeCard', LOST], 'freeze.cardsNotSuspended'],
    ['are not issued here', ['issuedCards', refused('http404')], 'freeze.noCards'],
  ])('cards that %s: the customer is told, and payments stay frozen', async (_, instead, told) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await issue(world, fatima);
    await fatima.says('geler').meanwhile(() => world.wallet.next(...instead));
    await fatima.chooses('cards').sees('freeze.frozen').isTold(told);
    await pays(fatima).sees('freeze.stopped');
  });

  test.each([
    ['is refused', refused('90016')],
    ['gives no answer', LOST],
    ['cannot be reached', UNSENT],
  ])('a card that %s holds no other one back, and the customer is told at the end', async (_, instead) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const cards = [await issue(world, fatima), await issue(world, fatima)];
    const states = () => Promise.all(cards.map(async (card) => (await cardAt(world, card)).cardStatus));
    await fatima.says('geler').meanwhile(() => world.wallet.next('changeCard', instead));
    await fatima.chooses('cards').sees('freeze.frozen').isTold('freeze.cardsNotSuspended');
    expect((await states()).filter((state) => state === 4)).toHaveLength(1);
    // The same answer suspends the rest.
    await fatima.chooses('cards').sees('freeze.frozen').isTold('freeze.cardsSuspended');
    expect(await states()).toEqual([4, 4]);
  });

  test('an open withdrawal is named, a new one is refused, a deposit is not', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('/cash-out 200').enters().sees('cash-out.shown');
    await fatima.says('geler').sees('freeze.frozenBut');
    await fatima.says('/cash-out 100').sees('freeze.stopped').chooses('cancel');
    expect(world.wallet.calls(fatima.phone, 'requestCashOut')).toHaveLength(1);
    await fatima.says('/cash-in 300').chooses('agents').sees('cash-in.shown');
  });

  test('a claimed payment goes on and is named first', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await pays(fatima).meanwhile(() => world.wallet.next('transfer', LOST));
    await fatima.enters().sees('transfer.notConfirmed').says('/geler').sees('freeze.frozen');
  });
});

describe('a thaw', () => {
  test.each([
    [
      'a wrong PIN',
      (it: Customer) => it.chooses('thaw').enters('1111').sees('freeze.askPin').isTold('pin.wrongWithTries'),
    ],
    [
      'a wrong code',
      (it: Customer) =>
        it.chooses('thaw').enters().says('000-000').sees('freeze.askCode').isTold('linking.wrongCode'),
    ],
    [
      'no code',
      (it: Customer) => it.chooses('thaw').enters().says('12').isTold('linking.codeFormat').goes('back'),
    ],
    ['the PIN alone', (it: Customer) => it.chooses('thaw').enters().sees('freeze.askCode').goes('menu')],
  ])('%s thaws nothing', async (_, tries) => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').walks(tries);
    await pays(fatima).sees('freeze.stopped');
  });

  test('a freeze made during a thaw stays', async () => {
    const fatima = world.customer({ channel: 'web' });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().says('geler').chooses('thaw').enters().sees('freeze.askCode');
    await chat.says('geler').chooses('thaw').enters().entersCodeFromSms().sees('freeze.thawed');
    await chat.says('geler').sees('freeze.frozen');
    await fatima.says(codeFor(fatima)).sees('freeze.frozen').isTold('problem.frozen');
    await pays(fatima).sees('freeze.stopped');
  });

  test('the next owner of a closed wallet’s number finds nothing frozen', async () => {
    const fatima = world.customer({ balance: '0' });
    await fatima.isAtMenu().says('geler').sees('freeze.frozen');
    await fatima.says('/closing').chooses('ending').chooses('continue').enters().chooses('close');
    await fatima.sees('closing.closed');
    world.sandbox.addCustomer({
      phone: fatima.phone,
      firstName: 'Next',
      lastName: 'Owner',
      level: 2,
      status: 3,
      pin: PIN,
      balance: centimes(50_000),
    });
    await pays(fatima.dials()).sees('transfer.askPinOpenLoop');
  });
});

describe.each(STORES)('a freeze from another chat, on %s', (store) => {
  const world = theWorld({ store });

  test.each<[string, keyof Wallet, string, number]>([
    ['while it is previewed', 'previewTransfer', 'freeze.stopped', 0],
    ['while the PIN is checked', 'login', 'freeze.stopped', 0],
    ['before the claim, during the last look', 'operations', 'freeze.stopped', 0],
    ['once it is claimed: it goes on', 'transfer', 'transfer.processing', 1],
  ])('%s', async (_, call, sees, sent) => {
    const fatima = world.customer({ channel: 'web' });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().says('/transfer').says('0655000000');
    const freezes = async (ask: () => Promise<unknown>) => {
      await chat.says('geler').sees('freeze.frozen');
      return ask();
    };
    if (call === 'previewTransfer') world.wallet.next(call, freezes as never);
    await fatima.says('100');
    if (call !== 'previewTransfer') {
      world.wallet.next(call, freezes as never);
      await fatima.sees('transfer.askPinOpenLoop').enters();
    }
    await fatima.sees(sees);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(sent);
  });
});

/** Two processes, each with its own engine, memory and wallet. They share only the store. */
test.each<[keyof Wallet]>([['previewTransfer'], ['login'], ['operations']])(
  'another process freezes during %s, and this one sends nothing',
  async (call) => {
    const redis = await startRedis();
    const [here, there] = [
      await createWorld({ store: { url: redis.url } }),
      await createWorld({ store: { url: redis.url } }),
    ];
    try {
      const fatima = here.customer({ channel: 'web' });
      const phone = there.customer({ phone: fatima.phone });
      await phone.isAtMenu();
      await fatima.isAtMenu().says('/transfer').says('0655000000');
      const freezes = async (ask: () => Promise<unknown>) => {
        await phone.dials('9', '1', '1').sees('freeze.frozen');
        return ask();
      };
      const isAtOnce = call === 'previewTransfer';
      if (isAtOnce) here.wallet.next(call, freezes as never);
      await fatima.says('100').sees(isAtOnce ? 'freeze.stopped' : 'transfer.askPinOpenLoop');
      if (!isAtOnce) {
        here.wallet.next(call, freezes as never);
        await fatima.enters();
      }
      await fatima.sees('freeze.stopped');
      expect(here.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
    } finally {
      await Promise.all([here.close(), there.close()]);
      await redis.stop();
    }
  },
);
