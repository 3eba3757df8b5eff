import { describe, expect, test } from 'vitest';
import { rangeOf } from '../../src/conversation/effects/takings.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Operation } from '../../src/wallet/wallet.ts';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, type Customer, STORES, theWorld, type World } from '../kit/world.ts';
import { looksAtTakings, merchantIn, paidBy } from './merchant-orders.ts';

const choices = (customer: Customer) => customer.reply().screen.choices?.map(({ id }) => id) ?? [];

describe.each(STORES)('takings, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'are added up after the PIN, and each payment can be looked at and given back, on %s',
    async (channel) => {
      const shop = merchantIn(world, channel);
      const [fatima, ali] = [world.customer(), world.customer()];
      for (const [payer, amount] of [
        [fatima, '45,50'],
        [ali, '20'],
      ] as const)
        await paidBy(world, payer, shop, amount);
      await shop.isAtMenu().walks(looksAtTakings).sees('takings.askPin').enters();
      await shop.sees('takings.shown', { payments: 2, total: 6_550, givenBack: 0 });
      await shop.chooses('yesterday').sees('takings.none').goes('back').sees('sales.choose').goes('menu');
      await shop.walks(looksAtTakings).enters().chooses('list').sees('takings.listed');
      const [newest] = choices(shop);
      await shop.chooses(newest ?? '').sees('takings.detail', { amount: 2_000, from: ali.phone, fees: 0 });
      expect(shop.reply().screen.values?.from).toEqual({ masked: ali.phone });
      await shop.chooses('refund').sees('merchant-refund.howMuch', { paid: 2_000, to: ali.phone });
      await shop.chooses('all').sees('merchant-refund.askPin').enters();
      await shop.sees('merchant-refund.done', { amount: 2_000 });
      await shop.goes('menu').walks(looksAtTakings).enters();
      await shop.sees('takings.shown', { payments: 2, total: 6_550, givenBack: 2_000 });
      // Reading the takings leaves nothing to resume.
      if (channel === 'ussd') await shop.dials().sees('menu.choose');
    },
  );
});

const world = theWorld();

describe('the sum', () => {
  const payment = (id: number, what: Partial<Operation> = {}): Operation => ({
    ...{
      id,
      type: 5,
      status: 2,
      direction: 1,
      amount: centimes(100),
      fees: centimes(0),
      total: centimes(100),
    },
    ...{ at: Date.now(), sender: '+212611223344', receiver: '+212687654321' },
    ...what,
  });
  /** The wallet's next pages: of payments first, of what was given back second, as they are asked for side by side. */
  const pages = (of: readonly (readonly number[])[], count: number) =>
    of.forEach((ids, i) => {
      const page = { operations: ids.map((id) => payment(id)), count };
      world.wallet.next('operations', { kind: 'ok', value: page });
      if (i === 0) world.wallet.next('operations', { kind: 'ok', value: { operations: [], count: 0 } });
    });
  const shop = (reached: World = world) => merchantIn(reached).isAtMenu().walks(looksAtTakings);
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

  test('covers all pages, and counts a payment once that comes twice because the list has moved', async () => {
    const merchant = shop();
    await merchant.meanwhile(() => pages([ids(1, 50), ids(50, 50), ids(100, 5)], 105)).enters();
    await merchant.sees('takings.shown', { payments: 104, total: 10_400 });
    const asked = world.wallet.told(merchant.phone, 'operations').map(([, filter]) => filter);
    expect(asked).toMatchObject([
      { types: [5, 24], direction: 1, status: 2, page: 1, pageSize: 50 },
      { types: [7, 12], direction: 2, status: 2, page: 1 },
      { types: [5, 24], page: 2 },
      { types: [5, 24], page: 3 },
    ]);
  });

  test('stops after ten pages, and then nothing is called the sum', async () => {
    const many = Array.from({ length: 10 }, (_, i) => ids(50 * i, 50));
    await shop()
      .meanwhile(() => pages(many, 501))
      .enters()
      .sees('takings.tooMany', { most: 500 })
      .chooses('yesterday')
      .sees('takings.none');
  });

  test.each<[string, number[], Partial<Operation>]>([
    ['that cannot be read', [9], {}],
    ['of an unknown status', [], { status: 0 }],
  ])('leaves out a payment %s, and says so', async (_case, leftOut, odd) => {
    const merchant = shop();
    await merchant.meanwhile(() => {
      const operations = [payment(1), ...('status' in odd ? [payment(2, odd)] : [])];
      const value = { operations, count: 2, ...(leftOut.length > 0 && { leftOut }) };
      world.wallet.next('operations', { kind: 'ok', value });
    });
    await merchant.enters().sees('takings.shown', { payments: 1, total: 100 });
    expect(merchant.reply().screen.notice).toEqual({ key: 'takings.leftOut' });
  });

  test.each([
    ['lost', LOST],
    ['not sent', UNSENT],
    ['refused', refused('20005')],
  ])('cannot be read when one page is %s', async (_, instead) => {
    const merchant = shop();
    await merchant.meanwhile(() => {
      pages([ids(1, 50)], 60);
      world.wallet.next('operations', instead);
    });
    await merchant.enters().sees('takings.unavailable');
  });

  test('a payer without a number is not named, and their payment is given back in another way', async () => {
    const merchant = shop();
    await merchant.meanwhile(() => pages([[1]], 1)).enters();
    const value = { operations: [payment(1, { sender: '011780000012345678901234' })], count: 1 };
    world.wallet.next('operations', { kind: 'ok', value });
    await merchant.chooses('list').chooses('1').sees('takings.detailOnly').offers('list');
  });

  test('lists only payments that arrived, even if the wallet ignores the filter', async () => {
    const merchant = shop();
    await merchant.meanwhile(() => pages([[1]], 1)).enters();
    const operations = [payment(1, { status: 1 }), payment(2, { direction: 2 }), payment(3)];
    world.wallet.next('operations', { kind: 'ok', value: { operations, count: 3 } });
    await merchant.chooses('list').sees('takings.listed').offers('3');
  });
});

describe('in one line', () => {
  test.each([
    ['recettes', 'today'],
    ["recettes d'hier", 'yesterday'],
    ['takings this week', 'week'],
    ['مداخيل أمس', 'yesterday'],
  ] as const)('%s', async (line, period) => {
    const shop = merchantIn(world);
    await shop.isAtMenu().says(line).sees('takings.askPin').enters().sees('takings.none');
    expect(shop.reply().screen.values?.period).toEqual({ say: `takings.${period}` });
  });

  test.each(['recettes de cuisine', 'takings 200', 'recettes hier et demain'])('not %s', async (line) => {
    const shop = merchantIn(world);
    await shop.isAtMenu().says(line).sees('menu.choose');
  });

  test('a consumer has none', () =>
    world.customer({ channel: 'web' }).isAtMenu().says('recettes').sees('receive-payment.notMerchant'));
});

describe('days begin in Morocco', () => {
  const at = (iso: string) => Date.parse(iso);
  test.each([
    // An hour ahead of UTC, but in Ramadan: on 23 February 2025 the clock went back, on 6 April forward.
    ['today', '2025-07-10T09:00:00Z', '2025-07-09T23:00:00Z', undefined],
    ['today', '2025-07-10T23:30:00Z', '2025-07-10T23:00:00Z', undefined],
    ['today', '2025-03-10T00:30:00Z', '2025-03-10T00:00:00Z', undefined],
    ['today', '2025-02-23T12:00:00Z', '2025-02-22T23:00:00Z', undefined],
    ['yesterday', '2025-02-24T12:00:00Z', '2025-02-22T23:00:00Z', '2025-02-23T23:59:59.999Z'],
    ['yesterday', '2025-04-07T12:00:00Z', '2025-04-06T00:00:00Z', '2025-04-06T22:59:59.999Z'],
    ['week', '2025-07-10T09:00:00Z', '2025-07-03T23:00:00Z', undefined],
    // On 20 September 2026 the clock went back for good.
    ['yesterday', '2026-09-20T12:00:00Z', '2026-09-18T23:00:00Z', '2026-09-19T22:59:59.999Z'],
    ['today', '2026-09-20T12:00:00Z', '2026-09-19T23:00:00Z', undefined],
    ['yesterday', '2026-09-21T12:00:00Z', '2026-09-19T23:00:00Z', '2026-09-20T23:59:59.999Z'],
    ['week', '2026-09-22T12:00:00Z', '2026-09-15T23:00:00Z', undefined],
    ['yesterday', '2025-03-01T12:00:00Z', '2025-02-28T00:00:00Z', '2025-02-28T23:59:59.999Z'],
  ] as const)('%s at %s', (period, now, from, to) => {
    const range = rangeOf(period, at(now));
    expect(range.from.toISOString()).toBe(new Date(from).toISOString());
    expect(range.to?.toISOString()).toBe(to);
  });
});
