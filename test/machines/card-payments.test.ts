import { afterEach, describe, expect, test } from 'vitest';
import { CHANNELS_ON, type Customer, DAY_MS, LOST, loses, refused, STORES, theWorld } from '../kit/world.ts';
import { authorized, paidByCard } from './card-forms.ts';
import { merchantIn } from './merchant-orders.ts';

/** From the menu to what can be done with the newest one that is reserved. */
const decides = (shop: Customer): Customer =>
  shop
    .chooses('card-payments')
    .chooses('reservations')
    .sees('card-payments.chooseReserved')
    .says('1')
    .sees('card-payments.reserved', { amount: 80_00 });
/** From the menu to how much of the newest payment is given back. */
const givesBack = (shop: Customer): Customer =>
  shop
    .chooses('card-payments')
    .chooses('card-refund')
    .sees('card-payments.chooseCaptured')
    .says('1')
    .sees('card-payments.howMuchRefund');
/** Nothing is left to be decided, or to be given back. */
const noneReserved = (shop: Customer): Customer =>
  shop.goes('menu').chooses('card-payments').chooses('reservations').sees('card-payments.noneReserved');
const noneCaptured = (shop: Customer): Customer =>
  shop.goes('menu').chooses('card-payments').chooses('card-refund').sees('card-payments.noneCaptured');
const part = (amount: string) => (shop: Customer) =>
  shop.chooses('part').sees('card-payments.askAmount').says(amount);

function cardShop(store: (typeof STORES)[number]) {
  const world = theWorld({ store, form: true, bot: 'webhook' });
  afterEach(() => expect(world.errors).toEqual([]));
  const sells = async (shop: Customer, ...sale: [amount?: string, way?: 'reserve']) => {
    await shop.isAtMenu();
    await paidByCard(world, shop, ...sale);
  };
  const balance = async ({ phone }: Customer) => {
    const answer = await world.api.balance(phone);
    return answer.kind === 'ok' ? answer.value : undefined;
  };
  return { world, sells, balance };
}

describe.each(STORES)('a merchant and card payments, on %s', (store) => {
  const { world, sells, balance } = cardShop(store);

  test('another payment under way holds back neither the list of links nor a new one', async () => {
    const shop = merchantIn(world);
    await shop.isAtMenu().says('/transfer 0655000000 5').sees('transfer.askPinOpenLoop');
    world.wallet.next('transfer', LOST);
    await shop.enters().goes('menu').says('/card-payments').sees('card-payments.choose');
    await shop.chooses('card-payment').sees('card-payment.askAmount').isToldNothing();
    await shop.says('100').chooses('collect').sees('card-payment.link');
  });

  test.each(CHANNELS_ON[store])(
    'a part of a reservation is captured and refunded in parts, on %s',
    async (channel) => {
      const shop = merchantIn(world, channel);
      await sells(shop, '80', 'reserve');
      expect(await balance(shop)).toBe(10_00);
      await shop.walks(decides).chooses('capture').sees('card-payments.howMuchCapture', { amount: 80_00 });
      await shop.walks(part('80,01')).sees('card-payments.askAmount').isTold('card-payments.tooMuch');
      await shop.says('50').sees('card-capture.askPin', { amount: 50_00, reserved: 80_00 }).enters();
      await shop.sees('card-capture.done', { amount: 50_00 });
      expect(await balance(shop)).toBe(60_00);
      // It is done with, and can be given back, up to what was taken.
      await shop.walks(noneReserved);
      await shop.goes('menu').walks(givesBack).sees('card-payments.howMuchRefund', { amount: 50_00 });
      await shop.says('20').sees('card-refund.askPin', { amount: 20_00, total: 20_00 }).enters();
      await shop.sees('card-refund.done', { amount: 20_00 });
      await shop.goes('menu').walks(givesBack).sees('card-payments.howMuchRefund', { amount: 30_00 });
      await shop.chooses('all').sees('card-refund.confirmAgain', { amount: 30_00 }).chooses('confirm');
      await shop.enters();
      await shop.sees('card-refund.done', { amount: 30_00 });
      await shop.walks(noneCaptured);
      expect(await balance(shop)).toBe(10_00);
      // The list is looked at once more: none of these has made anything that belongs to nobody.
      await world.passes(3 * 60_000);
      const payments = await world.engine.desk.payments(shop.phone, 10);
      expect(payments.map(({ state }) => state)).toEqual(Array(4).fill('succeeded'));
      expect(world.sandbox.checkLedger().balanced).toBe(true);
    },
  );

  test('a released reservation never was the merchant’s money', async () => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    await shop.walks(decides).chooses('release').sees('card-reverse.askPin', { amount: 80_00 }).enters();
    await shop.sees('card-reverse.done', { amount: 80_00 });
    expect(await balance(shop)).toBe(10_00);
    await shop.walks(noneReserved);
  });

  test.each([
    ['capture', 'captureCard', 'card-capture', 90_00],
    ['release', 'reverseCard', 'card-reverse', 10_00],
  ] as const)(
    'when the answer to a %s is lost, the payment itself has the outcome',
    async (way, call, kind, after) => {
      const shop = merchantIn(world);
      await sells(shop, '80', 'reserve');
      await shop.walks(decides).chooses(way);
      if (way === 'capture') await shop.chooses('all');
      world.wallet.next(call, loses);
      await shop.sees(`${kind}.askPin`).enters();
      await shop.sees(`${kind}.notConfirmed`, { amount: 80_00 });
      await shop.after(16_000).hears(`${kind}.done`, { amount: 80_00 });
      expect(await balance(shop)).toBe(after);
      expect(world.wallet.calls(shop.phone, call)).toHaveLength(1);
      await shop.walks(noneReserved);
    },
  );

  test('when a capture is lost on the way there, it is still reserved and asked about before a second one', async () => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    await shop.walks(decides).chooses('capture').chooses('all');
    await shop.meanwhile(() => world.wallet.next('captureCard', LOST));
    await shop.enters().sees('card-capture.notConfirmed');
    await world.passes(3 * 60_000);
    await shop.goes('menu').walks(decides).chooses('capture').chooses('all');
    await shop.sees('card-capture.confirmUnconfirmed').chooses('confirm').enters();
    await shop.sees('card-capture.done');
    expect(await balance(shop)).toBe(90_00);
  });

  test('when the answer to a refund is lost, the list has it', async () => {
    const shop = merchantIn(world);
    await sells(shop, '80');
    await shop.walks(givesBack).chooses('all');
    await shop.meanwhile(() => world.wallet.next('refundCard', loses));
    await shop.enters().sees('card-refund.notConfirmed', { amount: 80_00 });
    await shop.after(16_000).hears('card-refund.done', { amount: 80_00 });
    await shop.walks(noneCaptured);
  });

  test.each([
    ['taken in part', 'capture', 'card-capture.done'],
    ['released', 'release', 'card-reverse.done'],
  ] as const)('a repeated event after it was %s tells nothing new', async (_, way, done) => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    await shop.walks(decides).chooses(way);
    if (way === 'capture') await shop.walks(part('50'));
    await shop.enters().sees(done).hears(done);
    await authorized(world, shop);
    await shop.after(60_000).hearsNothing();
    const payments = await world.engine.desk.payments(shop.phone, 10);
    expect(payments.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });
});

describe.each(STORES)('the choices of a merchant, on %s', (store) => {
  const { world, sells } = cardShop(store);

  test('a merchant is reminded after 1, 3 and 6 days, and told once it has lapsed', async () => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    for (const days of [1, 2, 3]) {
      await shop.after(days * DAY_MS).hears('card-payments.reminder', { amount: 80_00 });
    }
    await shop.after(2 * DAY_MS).hears('card-payments.lapsed', { amount: 80_00 });
    await shop.after(10 * DAY_MS).hearsNothing();
    await shop.walks(noneReserved);
  });

  test.each([
    ['captureCard', 'capture', '90206', 'card-capture'],
    ['captureCard', 'capture', '90207', 'card-capture'],
    ['reverseCard', 'release', '90208', 'card-reverse'],
    ['reverseCard', 'release', '90210', 'card-reverse'],
    ['captureCard', 'capture', '90205', 'card-capture'],
  ] as const)('%s is refused with %s %s, and nothing moves', async (call, way, code, kind) => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    await shop.walks(decides).chooses(way);
    if (way === 'capture') await shop.chooses('all');
    world.wallet.next(call, refused(code));
    await shop.sees(`${kind}.askPin`).enters();
    await shop.sees(`${kind}.refused`, { amount: 80_00 }).isTold(`problem.${code}`);
    await shop.goes('menu').walks(decides);
  });

  test.each([
    ['90209', 'card-payments.howMuchRefund'],
    ['90205', 'card-payments.chooseCaptured'],
  ] as const)('the preview of a refund is refused with %s: %s again', async (code, seen) => {
    const shop = merchantIn(world);
    await sells(shop);
    await shop.walks(givesBack).meanwhile(() => world.wallet.next('previewCardRefund', refused(code)));
    await shop.chooses('all').sees(seen).isTold(`problem.${code}`);
  });

  test('a refund of more than the balance holds', async () => {
    const shop = merchantIn(world);
    await sells(shop);
    await shop.walks(givesBack).meanwhile(() => world.wallet.next('previewCardRefund', refused('90010')));
    await shop.chooses('all').sees('pay.short').goes('back').sees('card-payments.howMuchRefund');
  });

  test('a key without the scope for refunds hides them for the visit', async () => {
    const shop = merchantIn(world);
    await sells(shop);
    await shop.walks(givesBack).meanwhile(() => world.wallet.next('previewCardRefund', refused('http403')));
    await shop.chooses('all').sees('card-refund.notEnabled').goes('menu').chooses('card-payments');
    await shop.offers('card-payment', 'reservations');
  });

  test('a payment captured or released elsewhere is named before the PIN', async () => {
    const shop = merchantIn(world);
    await sells(shop, '80', 'reserve');
    const operation = { kind: 'ok', value: { status: 4, amount: 80_00 } };
    await shop.walks(decides).meanwhile(() => world.wallet.next('operation', operation as never));
    await shop.chooses('release').sees('card-payments.chooseReserved').isTold('problem.90206');
  });
});

describe('in a dial and in one line', () => {
  const world = theWorld({ form: true });

  test.each([
    ['5*1*80', 'card-payment.chooseWay'],
    ['5*2', 'card-payments.noneReserved'],
    ['5*3', 'card-payments.noneCaptured'],
  ])('*123*%s#', async (dial, seen) => {
    const shop = merchantIn(world, 'ussd');
    await shop.isAtMenu();
    await shop.dials(...dial.split('*')).sees(seen);
  });

  test.each([
    ['paiements par carte', 'card-payments.choose'],
    ['card payments', 'card-payments.choose'],
    ['lien de paiement', 'card-payment.askAmount'],
    ['payment link 80', 'card-payment.chooseWay'],
    ['رابط أداء', 'card-payment.askAmount'],
  ])('%s', async (line, seen) => {
    await merchantIn(world).isAtMenu().says(line).sees(seen);
  });
});
