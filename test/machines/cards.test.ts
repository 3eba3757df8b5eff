import { describe, expect, test } from 'vitest';
import { CHANNELS, type Customer, LOST, loses, refused, testOn, theWorld, UNSENT } from '../kit/world.ts';
import { cardAt, issue, issuer, PLASTIC, purchase, told, VIRTUAL } from './card-issuing.ts';

const DAY_MS = 24 * 3_600_000;

const world = theWorld({ bot: 'webhook' });
const withCard = async (options: Parameters<typeof issue>[2] = {}, channel: 'ussd' | 'web' = 'ussd') => {
  const fatima = world.customer({ channel });
  await fatima.isAtMenu();
  return { fatima, id: await issue(world, fatima, options) };
};
const shown = async ({ phone }: Customer) => world.wallet.calls(phone, 'changeCard').length;

describe('issued cards', () => {
  testOn(CHANNELS)('from delivery to the last payment, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '500' });
    await fatima.isAtMenu();
    const id = await issue(world, fatima, { program: PLASTIC, isNew: true });
    await fatima.says('ma carte').sees('cards.cardOnItsWay', {
      card: expect.stringMatching(/^\.\.\.\d{4}$/),
      state: 'cards.issued',
      delivery: 'cards.preparing',
    });
    await fatima.chooses('activate').sees('cards.askPin').enters().sees('cards.activated');
    expect((await cardAt(world, id)).cardStatus).toBe(2);
    await purchase(world, id, { amount: 45.5, channel: 'POS', merchant: 'Café Atlas' });
    await fatima.says('ma carte').sees('cards.cardOnItsWay').chooses('services').chooses('allowOnline');
    await fatima.sees('cards.askPin').enters().sees('cards.refused', { service: 'cards.online' });
    const { allowAtm, allowOnline, allowPos, contactlessEnabled } = await cardAt(world, id);
    expect([allowAtm, allowOnline, allowPos, contactlessEnabled]).toEqual([true, false, true, true]);
    expect(await purchase(world, id, { amount: 20, channel: 'ONLINE' })).toBe(false);
    // A look at a card leaves nothing to resume.
    if (channel === 'ussd')
      await fatima.says('ma carte').sees('cards.cardOnItsWay').dials().sees('menu.choose');
    await fatima.says('ma carte').chooses('transactions').sees('cards.askPin').enters().sees('cards.paid');
    expect(JSON.stringify(fatima.reply().screen.values)).toMatch(
      /cards.paymentDeclined.*2000.*"cards.payment".*4550.*Café Atlas/,
    );
    await fatima.chooses('card').chooses('cancel').enters().sees('cards.cancelled');
    expect((await cardAt(world, id)).cardStatus).toBe(6);
    await fatima.says('ma carte').sees('cards.card', { state: 'cards.isCancelled' });
    await fatima.offers('order', 'transactions');
  });

  test('one service is switched alone, and the others keep their state in the wallet', async () => {
    const { fatima, id } = await withCard();
    await fatima.says('ma carte').chooses('services').sees('cards.chooseService');
    // Changed elsewhere while the customer reads.
    const body = { allowAtm: false, allowOnline: true, allowPos: true, contactlessEnabled: true };
    await told(issuer(world).setCardServices({ params: { id }, query: { PhoneNumber: fatima.phone }, body }));
    await fatima.chooses('contactlessEnabled');
    await fatima.enters().sees('cards.refused', { service: 'cards.contactless' });
    expect(await cardAt(world, id)).toMatchObject({ ...body, contactlessEnabled: false });
  });

  test('nothing that makes a card pay is asked for a frozen wallet: it leads to the thaw', async () => {
    const { fatima } = await withCard();
    await fatima.says('geler').sees('freeze.frozen').goes('menu');
    await fatima.says('commander une carte').sees('freeze.stopped').goes('menu');
    await fatima.says('ma carte').chooses('suspend').sees('cards.suspended');
    await fatima.says('ma carte').chooses('reactivate').sees('freeze.stopped').goes('menu');
    await fatima.says('ma carte').chooses('cancel').enters().sees('cards.cancelled').goes('menu');
    await fatima
      .says('ma carte')
      .chooses('order')
      .sees('freeze.stopped')
      .chooses('thaw')
      .sees('freeze.askPin');
  });

  test('a service is switched off for a frozen wallet, and not on', async () => {
    const { fatima } = await withCard();
    await fatima.says('ma carte').chooses('services').chooses('contactlessEnabled').enters();
    await fatima.says('geler').sees('freeze.frozen').goes('menu');
    await fatima.says('ma carte').chooses('services').chooses('contactlessEnabled').sees('freeze.stopped');
    await fatima.goes('menu').says('ma carte').chooses('services').chooses('allowPos').sees('cards.askPin');
  });

  test('a suspension needs no PIN, a reactivation does', async () => {
    const { fatima, id } = await withCard();
    await fatima.says('ma carte').chooses('suspend').sees('cards.suspended');
    expect((await cardAt(world, id)).cardStatus).toBe(4);
    await fatima.says('ma carte').sees('cards.card', { state: 'cards.isSuspended' }).chooses('reactivate');
    await fatima.sees('cards.askPin').enters('4321').isTold('pin.wrongWithTries').enters();
    await fatima.sees('cards.reactivated');
    expect((await cardAt(world, id)).cardStatus).toBe(2);
  });

  test('each state of a card has its choices and the progress of its delivery', async () => {
    const choices = async (fatima: Customer) => {
      await fatima.says('ma carte');
      return fatima.reply().screen.choices?.map((choice) => choice.id);
    };
    const { fatima, id } = await withCard({ isNew: true, program: PLASTIC });
    expect(await choices(fatima)).toEqual([
      'activate',
      'suspend',
      'block',
      'transactions',
      'services',
      'cancel',
    ]);
    await world.passes(2 * DAY_MS);
    await fatima.dials().says('ma carte').sees('cards.cardOnItsWay', { delivery: 'cards.ready' });
    await fatima.after(DAY_MS).dials().says('ma carte').sees('cards.card', { state: 'cards.issued' });
    const query = { PhoneNumber: fatima.phone };
    await told(issuer(world).blockCard({ params: { id }, query, body: {} }));
    await fatima.goes('menu');
    // Another one can be ordered from there.
    expect(await choices(fatima)).toEqual(['order', 'transactions', 'cancel']);
    await fatima.chooses('order').sees('card-order.choose');
  });
});

describe('the cards of a customer', () => {
  test('a choice is known by its words before the thing that it is about', async () => {
    const { fatima } = await withCard({}, 'web');
    await fatima
      .says('ma carte')
      .sees('cards.card')
      .says('je ne veux pas bloquer ma carte')
      .sees('cards.card');
    await fatima.says('bloquer définitivement ma carte').sees('cards.askPin');
  });

  test('a card is not blocked for good after a second thought', async () => {
    const { fatima } = await withCard({}, 'web');
    await fatima.says('ma carte').says('bloquer définitivement ma carte').sees('cards.askPin');
    await fatima.says("non attends je l'ai retrouvée").sees('menu.choose');
    await fatima
      .says('ma carte')
      .says('bloquer définitivement ma carte')
      .chooses('cancel')
      .sees('cards.card');
  });

  test('the customer chooses among several cards, and only their own', async () => {
    const { fatima, id } = await withCard();
    const stranger = world.customer();
    const other = await issue(world, stranger);
    const second = await issue(world, fatima, { program: PLASTIC });
    const own = [id, second].sort((a, b) => b - a).map(String);
    await fatima
      .says('mes cartes')
      .sees('cards.list')
      .offers(...own, 'order');
    // A wallet that would list the partner's cards shows none of them.
    const foreign = await told(issuer(world).readCard({ params: { id: other } }));
    expect(foreign.phoneNumber).toBe(stranger.phone);
    world.wallet.next('issuedCard', refused('90303'));
    await fatima.chooses(own[0] ?? '').chooses('block');
    world.wallet.next('changeCard', LOST);
    await fatima.enters().sees('cards.notKnown');
  });

  test.each([
    ['the answer is lost, and it is done', loses, 'cards.blocked', undefined, 3],
    ['the answer is lost, and it is not', LOST, 'cards.card', 'cards.notChanged', 2],
    ['it never left', UNSENT, 'cards.card', 'problem.unavailable', 2],
    ['its state has changed since', refused('90304'), 'cards.card', 'problem.90304', 2],
    ['it is gone', refused('90303'), 'cards.card', 'problem.90303', 2],
    ['a code that nobody knows', refused('47110'), 'cards.card', 'problem.other', 2],
  ] as const)('a block: %s', async (_, instead, sees, tells, status) => {
    const { fatima, id } = await withCard();
    await fatima.says('ma carte').chooses('block');
    world.wallet.next('changeCard', instead);
    await fatima.enters().sees(sees);
    await (tells ? fatima.isTold(tells) : fatima.isToldNothing());
    expect((await cardAt(world, id)).cardStatus).toBe(status);
    expect(await shown(fatima)).toBe(1);
  });

  test.each([
    ['programmes are not enabled', 'cardPrograms', refused('http404'), 'cards.notEnabled'],
    ['the scope is missing', 'cardPrograms', refused('http403'), 'cards.notEnabled'],
    ['the list is not answered', 'issuedCards', LOST, 'cards.unavailable'],
    ['the applications are not answered', 'cardApplications', UNSENT, 'cards.unavailable'],
    ['a refusal of the list', 'issuedCards', refused('20005'), 'cards.unavailable'],
  ] as const)('%s', async (_, call, instead, sees) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next(call, instead);
    await fatima.says('ma carte').sees(sees);
  });

  test('no programme, no card: it is not offered again in this visit', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('cardPrograms', { kind: 'ok', value: [] });
    await fatima.says('ma carte').sees('cards.notEnabled').says('ma carte').sees('menu.choose');
  });

  test('services without a state in the wallet are not offered', async () => {
    const { fatima, id } = await withCard({ program: VIRTUAL });
    world.wallet.next('issuedCards', { kind: 'ok', value: [{ id, state: 'unknown' }] });
    await fatima.says('ma carte').sees('cards.card', { card: String(id), state: 'cards.unknown' });
    expect(fatima.reply().screen.choices?.map((choice) => choice.id)).toEqual([
      'suspend',
      'block',
      'transactions',
      'cancel',
    ]);
  });
});
