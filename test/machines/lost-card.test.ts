import { describe, expect, test } from 'vitest';
import { CHANNELS, LOST, loses, refused, testOn, theWorld } from '../kit/world.ts';
import { cardAt, issue, purchase } from './card-issuing.ts';

const world = theWorld({ bot: 'webhook' });

describe('a lost card', () => {
  testOn(CHANNELS)(
    'is suspended in three entries without a PIN, then blocked with it, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu();
      const id = await issue(world, fatima);
      await fatima.goes('help').sees('help.help').chooses('lost-card').sees('lost-card.choose');
      await fatima.chooses('suspend').sees('lost-card.suspended');
      expect(await cardAt(world, id)).toMatchObject({ cardStatus: 4, reason: 'Lost or stolen' });
      expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(channel === 'ussd' ? 0 : 1);
      expect(await purchase(world, id, { amount: 10, channel: 'POS' })).toBe(false);
      await fatima.chooses('block').sees('cards.askPin').enters().sees('cards.blocked');
      expect((await cardAt(world, id)).cardStatus).toBe(3);
      await fatima.chooses('order').sees('card-order.choose');
      await fatima.says('carte perdue').sees('help.urgent');
      await fatima.isTold('cards.line', { state: 'cards.isBlocked' });
    },
  );

  test.each([
    ['carte perdue'],
    ['carte volée'],
    ['Bloquer ma carte'],
    ['J’ai perdu ma carte'],
    ['lost card'],
    ['ضاعت بطاقتي'],
    ['سرقت بطاقتي'],
  ])('%s leads to it', async (words) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await issue(world, fatima);
    await fatima.says(words).sees('lost-card.choose');
  });

  test('a card that is on show can be blocked in words, and a request that was begun waits', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await issue(world, fatima);
    await fatima.says('ma carte').sees('cards.card').says('bloquer ma carte').sees('lost-card.choose');
    await fatima.goes('menu').chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await fatima.says('bloquer ma carte').sees('help.urgent').chooses('continue').sees('transfer.askAmount');
  });

  test.each([
    ['carte cadeau', 'voucher.chooseBrand'],
    ['bloquer mon envoi', 'menu.choose'],
  ])('%s does not', (words, sees) => world.customer().isAtMenu().says(words).sees(sees));

  test.each([
    [['9', '2'], 'lost-card.choose'],
    [['8', '3'], 'cards.card'],
    [['8', '4'], 'card-order.choose'],
    [['7', '3'], 'upgrade.explain'],
    [['9', '2', '1'], 'lost-card.choose'],
    [['8', '3', '1'], 'cards.card'],
    [['8', '4', '1'], 'card-order.choose'],
  ] as const)('*123*%s# leads to %s', async (digits, sees) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const card = await issue(world, fatima);
    await fatima.dials(...digits).sees(sees);
    expect((await cardAt(world, card)).cardStatus).toBe(2);
  });
});

describe('finding the lost card', () => {
  test('a dial chooses none of several cards', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const cards = [await issue(world, fatima), await issue(world, fatima)];
    await fatima.dials('9', '2', '1', '1').sees('lost-card.chooseCard');
    await fatima.dials('8', '3', '1').sees('cards.list');
    for (const card of cards) expect((await cardAt(world, card)).cardStatus).toBe(2);
  });

  test('a card that is suspended already is called so, and a dial does not block it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const card = await issue(world, fatima);
    await fatima.says('carte perdue').chooses('suspend').sees('lost-card.suspended').chooses('block');
    await fatima.sees('cards.askPin').goes('back').sees('lost-card.suspended').goes('menu');
    await fatima.says('carte perdue').sees('lost-card.suspended').chooses('leave').sees('menu.choose');
    await fatima.dials('9', '2', '1').sees('lost-card.suspended');
    expect((await cardAt(world, card)).cardStatus).toBe(4);
  });

  test.each([
    ['ussd', 'ar'],
    ['web', 'fr'],
  ] as const)('a customer without a card is led on, on %s in %s', async (channel, language) => {
    const fatima = world.customer({ channel, language });
    await fatima.isAtMenu().says(language === 'ar' ? 'ضاعت بطاقتي' : 'carte perdue');
    await fatima.sees('help.urgent').isTold('lost-card.none').offers('freeze', 'adviser', 'continue');
    await fatima.chooses('freeze').sees('freeze.ask').chooses('no').sees('help.urgent').isToldNothing();
    await fatima.chooses('continue').sees('menu.choose');
    await fatima
      .says(language === 'ar' ? 'ضاعت بطاقتي' : 'carte perdue')
      .chooses('adviser')
      .sees('help.asked');
  });

  test('the customer chooses among several cards that can still pay', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const [first, second, third] = [
      await issue(world, fatima),
      await issue(world, fatima),
      await issue(world, fatima),
    ];
    await fatima.says('ma carte').chooses(String(first)).chooses('block').enters().sees('cards.blocked');
    await fatima.says('carte volée').sees('lost-card.chooseCard');
    expect(fatima.reply().screen.choices?.map(({ id }) => id)).toEqual([third, second].map(String));
    await fatima.chooses(String(second)).chooses('suspend').sees('lost-card.suspended').chooses('leave');
    await fatima.sees('menu.choose').says('carte volée').chooses(String(second)).sees('lost-card.suspended');
  });

  test.each([
    ['done', loses, 'lost-card.suspended', 4],
    ['not done', LOST, 'lost-card.choose', 2],
  ] as const)(
    'when the answer to a suspension is lost, the card itself says that it is %s',
    async (_, instead, sees, status) => {
      const fatima = world.customer();
      await fatima.isAtMenu();
      const id = await issue(world, fatima);
      await fatima.says('carte perdue');
      world.wallet.next('changeCard', instead);
      await fatima.chooses('suspend').sees(sees);
      expect((await cardAt(world, id)).cardStatus).toBe(status);
      if (sees === 'lost-card.choose')
        await fatima.isTold('cards.notChanged').chooses('suspend').sees('lost-card.suspended');
    },
  );

  test('it does not wait for programmes and applications, and an unread list is named and read again', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await issue(world, fatima);
    world.wallet.next('cardPrograms', LOST);
    world.wallet.next('issuedCards', LOST);
    await fatima.says('carte perdue').sees('lost-card.unavailable').isTold('problem.unavailable');
    await fatima.chooses('again').sees('lost-card.choose');
    world.wallet.next('cardPrograms', { kind: 'ok', value: [] });
  });

  test('a wallet without cards hides the entry for this visit', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('issuedCards', refused('http404'));
    await fatima.says('carte perdue').sees('help.urgent').isTold('cards.notEnabled');
    await fatima.goes('menu').goes('help').sees('help.help').offersNo('lost-card');
  });

  test('a customer without a proven wallet proves it first', async () => {
    const chat = world.customer({ channel: 'web' });
    await chat.arrives().sees('unlocking.askPin').goes('help').sees('help.help').offersNo('lost-card');
    const locked = world.customer({ status: 4 });
    await locked.arrives().sees('menu.lockedForNow').says('carte perdue').sees('help.urgent');
  });
});
