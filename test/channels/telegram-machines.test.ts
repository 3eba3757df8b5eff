import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { LINK_IDLE_MS } from '../../src/conversation/session/session.ts';
import { executes, numberOf } from '../machines/cash-orders.ts';
import { type BotCustomer, createBotCustomer } from './bot-api/customer.ts';
import { createPerson } from './bot-api/person.ts';
import { theBotStage } from './bot-api/stage.ts';
import { expectNoTrouble } from './bot-api/way.ts';

const DAY_MS = 24 * 3_600_000;

const stage = theBotStage();
afterEach(() => expectNoTrouble(stage));

const someone = (language: Language = 'fr') =>
  createBotCustomer(stage, stage.world.customer({ balance: '9000', firstName: 'Fatima' }).phone, language);
const merchant = () => {
  const { phone } = stage.world.customer({ walletType: 'C', firstName: 'Épicerie', balance: '10' });
  return createBotCustomer(stage, phone);
};

/** Told in the transcripts of others, which begin at the menu, or where a wallet is opened. */
const ON_THE_WAY: readonly string[] = ['consent', 'menu'];
/** Conversations that only a new dial leads to. */
const ON_USSD_ONLY: readonly string[] = ['resume'];

test.each(Object.keys(MACHINES).filter((name) => ![...ON_THE_WAY, ...ON_USSD_ONLY].includes(name)))(
  'a transcript of %s goes through the bot',
  (name) => {
    const transcripts = new URL(`../machines/${name}.test.ts`, import.meta.url);
    expect(readFileSync(transcripts, 'utf8')).toMatch(
      /bot: 'webhook'[\s\S]*(each|testOn|describeOn)\((CHANNELS|CHATS)(_ON\[store\])?\)/,
    );
  },
);

test.each([
  ['cash-in', 'dépôt 300', 'where it stands', async () => {}],
  ['cash-in', 'dépôt 300', 'further up, hours later', (fatima: BotCustomer) => fatima.goes('menu')],
  ['cash-out', 'retrait 200', 'further up, without its number', (fatima: BotCustomer) => fatima.goes('menu')],
] as const)(
  'the chat that showed a reference hears of its execution, too: %s, %s, %s',
  async (kind, says, _, goesOn) => {
    const fatima = createBotCustomer(stage, stage.world.customer({ balance: '900' }).phone);
    await fatima.isAtMenu().says(says);
    await (kind === 'cash-out' ? fatima.enters() : fatima.chooses('agents'));
    await fatima.sees(`${kind}.shown`);
    const reference = await numberOf(stage.world, fatima);
    const shownBy = fatima.person.screen().id;
    await goesOn(fatima);
    await stage.world.passes(2 * 3_600_000);
    expect(await executes(stage.world, 'network', kind, reference)).toBe(200);
    await stage.world.passes(1_500);
    await fatima.hears(kind === 'cash-in' ? 'cash-in.executed' : 'cash-out.executedPriced');
    const texts = fatima.person
      .visible()
      .filter(({ id }) => id >= shownBy)
      .map(({ id, text }) => [id, text]);
    const news = fatima.person.screen().text;
    expect(texts).toContainEqual([shownBy, news]);
    await fatima.opens().sees('menu.choose');
  },
);

test('the picture of a code, as the bot has sent it, is photographed and paid', async () => {
  const shop = merchant();
  await shop.isAtMenu().chooses('receive-payment').chooses('withoutAmount');
  await shop.sees('receive-payment.shown', { phone: shop.phone }).goes('menu').chooses('receive-payment');
  await shop.says('45,50').sees('receive-payment.shownFor', { amount: 4_550 });
  const [counter, forOne, ...more] = shop.person.visible().flatMap(({ photo }) => photo?.bytes ?? []);
  expect(counter, 'both codes stay in the chat').not.toEqual(forOne);
  expect(more).toEqual([]);
  const fatima = someone();
  await fatima.isAtMenu();
  if (forOne) await fatima.person.sendsPhoto(forOne);
  await fatima.sees('merchant-payment.askPin', { amount: 4_550 });
  await fatima.enters().sees('merchant-payment.processing');
  await fatima.meanwhile(() => stage.world.passes(1_500)).hears('merchant-payment.done', { amount: 4_550 });
  await shop.hears('received.payment', { amount: 4_550, from: fatima.phone });
});

describe('a link', () => {
  test('expires without use, and the customer who comes back is asked for the PIN', async () => {
    const fatima = someone();
    await fatima.isAtMenu().meanwhile(() => stage.world.passes(LINK_IDLE_MS - DAY_MS));
    await fatima.opens().sees('menu.choose');
    await stage.world.passes(LINK_IDLE_MS + DAY_MS);
    await fatima.opens().sees('unlocking.askPin').enters().sees('menu.choose');
  });

  test('with a request leads to its confirmation and no further', async () => {
    const fatima = someone();
    await fatima.opens('transfer_0655000000_200').sees('linking.askPhone').sharesNumber();
    await fatima.sees('unlocking.askPin').enters().sees('transfer.askPinOpenLoop', { amount: 20_000 });
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

describe('data that only its customer may see', () => {
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
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('200,50');
  const { text } = fatima.person.screen();
  expect(text).toMatch(/\u2066[^\u2066]*06\u00a055\u00a000\u00a000\u00a000\u2069/);
  expect(text).toMatch(/\u2066200,50\u2069/);
});
