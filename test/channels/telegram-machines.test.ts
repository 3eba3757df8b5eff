import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { MACHINES } from '../../src/conversation/machines.ts';
import { LINK_IDLE_MS } from '../../src/conversation/session.ts';
import { type BotCustomer, createBotCustomer } from './bot-api/customer.ts';
import { createPerson } from './bot-api/person.ts';
import { theBotStage } from './bot-api/stage.ts';

const NEW = '2580';
const DAY_MS = 24 * 3_600_000;

const stage = theBotStage();
afterEach(() => {
  expect(stage.api.broken(), 'requests that the Bot API refuses').toEqual([]);
  expect(stage.api.unanswered(), 'presses without an answer').toEqual([]);
  expect(stage.log.lines).toEqual([]);
});

const someone = (language: Language = 'fr', balance = '9000') =>
  createBotCustomer(stage, stage.world.customer({ balance, firstName: 'Fatima' }).phone, language);
const merchant = (language: Language = 'fr') => {
  const { phone } = stage.world.customer({ walletType: 'C', firstName: 'Épicerie', balance: '10' });
  return createBotCustomer(stage, phone, language);
};
const settles = () => stage.world.passes(1_500);
let contract = 7_000_000;

type Path = (fatima: BotCustomer, language: Language) => PromiseLike<unknown>;

/** From the menu to the end, with the real bot. Taps, presses and texts are all real updates. */
const PATHS: Readonly<Record<string, Path>> = {
  account: (fatima) =>
    fatima.chooses('account').sees('account.choose').chooses('language').sees('language.choose'),
  'bill-payment': (fatima) =>
    fatima
      .chooses('bill-payment')
      .sees('bill-payment.chooseCreditor')
      .chooses('1003')
      .sees('bill-payment.chooseReceivable')
      .chooses('01')
      .sees('bill-payment.ask')
      .says(String(contract++))
      .sees('bill-payment.reviewFor')
      .chooses('all')
      .sees('bill-payment.confirm')
      .chooses('confirm')
      .sees('bill-payment.askPin')
      .enters()
      .sees('bill-payment.doneSettled')
      .goes('menu')
      .sees('menu.choose'),
  closing: (fatima) =>
    fatima
      .chooses('account')
      .chooses('closing')
      .sees('closing.askReason')
      .chooses('ending')
      .sees('closing.explain')
      .chooses('continue')
      .sees('closing.askPin')
      .enters()
      .sees('closing.confirm', { phone: fatima.phone })
      .chooses('keep')
      .sees('closing.kept'),
  help: (fatima) => fatima.chooses('help').sees('help.help').chooses('continue').sees('menu.choose'),
  language: (fatima) =>
    fatima.chooses('language').sees('language.choose').chooses('ar').sees('menu.choose').chooses('account'),
  'merchant-payment': async (fatima, language) => {
    const shop = merchant(language);
    await shop.isAtMenu();
    await fatima
      .chooses('transfer')
      .chooses('merchant')
      .sees('merchant-payment.askMerchant')
      .says(shop.phone)
      .sees('merchant-payment.askAmount')
      .says('45,50')
      .sees('merchant-payment.confirm', { merchant: shop.phone, amount: 4_550 })
      .chooses('confirm')
      .enters()
      .sees('merchant-payment.processing')
      .meanwhile(settles)
      .hears('merchant-payment.done', { amount: 4_550 });
    await shop.hears('received.payment', { amount: 4_550, from: fatima.phone });
  },
  'pin-change': (fatima) =>
    fatima
      .chooses('account')
      .chooses('pin-change')
      .sees('pin-change.askOldPin')
      .enters()
      .sees('pin.askNew')
      .enters(NEW)
      .sees('pin.repeatNew')
      .enters(NEW)
      .sees('pin-change.changed')
      .goes('menu')
      .chooses('balance')
      .enters(NEW)
      .sees('balance.shown'),
  'pin-reset': (fatima) =>
    fatima
      .chooses('account')
      .chooses('pin-reset')
      .sees('pin-reset.explain')
      .chooses('send')
      .sees('pin-reset.askCode')
      .entersCodeFromSms()
      .sees('pin.askNew')
      .enters(NEW)
      .enters(NEW)
      .sees('menu.choose')
      .isTold('pin-reset.reset'),
  profile: (fatima) =>
    fatima.chooses('account').chooses('profile').sees('profile.askPin').enters().sees('profile.shown'),
  'receive-payment': async (fatima, language) => {
    const shop = merchant(language);
    await shop
      .isAtMenu()
      .chooses('account')
      .chooses('receive-payment')
      .sees('receive-payment.choose')
      .chooses('withoutAmount')
      .sees('receive-payment.shown', { phone: shop.phone })
      .goes('menu')
      .chooses('account')
      .chooses('receive-payment')
      .chooses('withAmount')
      .sees('receive-payment.askAmount')
      .says('45,50')
      .sees('receive-payment.shownFor', { amount: 4_550 });
    const [counter, forOne, ...more] = shop.person.visible().flatMap(({ photo }) => photo?.bytes ?? []);
    expect(counter, 'both codes stay in the chat').not.toEqual(forOne);
    expect(more).toEqual([]);
    if (forOne) await fatima.person.sendsPhoto(forOne);
    await fatima
      .sees('merchant-payment.confirm', { amount: 4_550 })
      .chooses('confirm')
      .enters()
      .sees('merchant-payment.processing')
      .meanwhile(settles)
      .hears('merchant-payment.done', { amount: 4_550 });
    await shop.hears('received.payment', { amount: 4_550, from: fatima.phone });
  },
  statement: (fatima) =>
    fatima
      .chooses('transfer')
      .says('0655000000')
      .says('30')
      .chooses('confirm')
      .enters()
      .meanwhile(settles)
      .goes('menu')
      .chooses('statement')
      .sees('statement.askPin')
      .enters()
      .sees('statement.list')
      .goes('menu')
      .sees('menu.choose'),
  'top-up': (fatima) =>
    fatima
      .chooses('top-up')
      .sees('top-up.askNumber')
      .chooses('me')
      .sees('top-up.chooseOperator', { to: fatima.phone })
      .chooses('3')
      .sees('top-up.askAmount')
      .says('15')
      .sees('top-up.confirm', { amount: 1_500 })
      .chooses('confirm')
      .enters()
      .sees('top-up.done', { amount: 1_500 }),
  unlink: (fatima) =>
    fatima
      .chooses('account')
      .chooses('unlink')
      .sees('unlink.confirm', { phone: fatima.phone })
      .chooses('unlink')
      .sees('linking.askPhone')
      .isTold('unlink.unlinked'),
  voucher: (fatima) =>
    fatima
      .chooses('voucher')
      .sees('voucher.chooseBrand')
      .chooses('1')
      .chooses('article1')
      .sees('voucher.chooseForValid')
      .chooses('gift')
      .sees('voucher.askNumber')
      .says('0655000000')
      .sees('voucher.askName')
      .says('Salma')
      .sees('voucher.confirm')
      .chooses('confirm')
      .enters()
      .sees('voucher.done')
      .goes('menu')
      .sees('menu.choose'),
};
/** Told in `telegram-transcripts.test.ts`, on both stores and both ways of getting updates. */
const ELSEWHERE = ['balance', 'consent', 'linking', 'menu', 'onboarding', 'transfer', 'unlocking'];
/** What only a new dial leads to. */
const ON_USSD_ONLY = ['resume'];

describe.each(Object.entries(PATHS))('%s', (_, path) => {
  test.each(LANGUAGES)('in a chat, in %s', async (language) => {
    const fatima = someone(language);
    await fatima.isAtMenu();
    await path(fatima, language);
    expect(fatima.person.menus().length).toBeLessThanOrEqual(1);
  });
});

test('there is a transcript of every conversation', () => {
  const told = [...Object.keys(PATHS), ...ELSEWHERE, ...ON_USSD_ONLY];
  expect(told.sort()).toEqual(Object.keys(MACHINES).sort());
});

describe('a link', () => {
  test('expires when nobody uses the chat; who comes back is asked for the PIN', async () => {
    const fatima = someone();
    await fatima.isAtMenu().meanwhile(() => stage.world.passes(LINK_IDLE_MS - DAY_MS));
    await fatima.opens().sees('menu.choose');
    await stage.world.passes(LINK_IDLE_MS + DAY_MS);
    await fatima.opens().sees('unlocking.askPin').enters().sees('menu.choose');
  });

  test('that came with a wish leads to it, and no further than to its confirmation', async () => {
    const fatima = someone();
    await fatima
      .opens('transfer_0655000000_200')
      .sees('linking.askPhone')
      .sharesNumber()
      .sees('unlocking.askPin')
      .enters()
      .sees('transfer.confirmOpenLoop', { amount: 20_000 })
      .chooses('confirm')
      .sees('transfer.askPin');
    expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test('the wish is kept while a language is chosen, too', async () => {
    const { phone } = stage.world.customer();
    const klaus = createPerson(stage.api, { language: 'de' });
    await klaus.says('/start balance');
    await klaus.presses('English');
    expect(klaus.screen().text).toContain('mobile number');
    await klaus.sharesContact(phone.slice(1));
    for (const digit of '1234') await klaus.presses(digit);
    expect(klaus.screen().text).toMatch(/PIN to see your balance/);
  });
});

describe('what only its customer may see', () => {
  test('a RIB is hidden until it is tapped, and cannot be passed on', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('account').chooses('profile').enters().sees('profile.shown');
    const { spoilers, isProtected } = fatima.person.screen();
    expect(spoilers.map((text) => text.replace(/\D/g, ''))).toEqual([expect.stringMatching(/^\d{24}$/)]);
    expect(isProtected).toBe(true);
  });
});

test('in Arabic an amount and a number stand by themselves, from left to right', async () => {
  const fatima = someone('ar');
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('1200,50');
  const { text } = fatima.person.screen();
  expect(text).toMatch(/\u2066[^\u2066]*06\u00a055\u00a000\u00a000\u00a000\u2069/);
  expect(text).toMatch(/\u20661\u00a0200,50\u2069/);
});
