import { describe, expect, test } from 'vitest';
import { CHANNELS_ON, LOST, loses, MINUTE_MS, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';
import { merchantIn, paidBy, refunds } from './merchant-orders.ts';

describe.each(STORES)('a merchant gives a payment back, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('all of it, and the payer hears of it, on %s', async (channel) => {
    const shop = merchantIn(world, channel);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const id = await paidBy(world, world.dialer(fatima), shop, '45,50');
    await fatima.hears('pay.debited');
    await fatima.goes('menu');
    await shop.isAtMenu();
    await shop.walks(refunds(id)).sees('merchant-refund.howMuch', { paid: 4_550, to: fatima.phone });
    await shop.chooses('all');
    await shop.sees('merchant-refund.askPin', { amount: 4_550, to: fatima.phone, fees: 0, total: 4_550 });
    await shop.enters().sees('merchant-refund.done', { amount: 4_550, total: 4_550 });
    expect(shop.reply().screen.values?.to).toEqual({ masked: fatima.phone });
    await world.rests();
    await fatima.hears('received.refund', { amount: 4_550, from: shop.phone });
    // Once, though the list is looked at again.
    await fatima.after(2 * MINUTE_MS).hearsNothing();
    expect(world.sandbox.checkLedger().balanced).toBe(true);
  });

  test('in parts, each further one is asked about, and the sum never exceeds the payment', async () => {
    const shop = merchantIn(world);
    const fatima = world.customer();
    const id = await paidBy(world, fatima, shop, '45,50');
    const gives = (amount: string) =>
      shop.goes('menu').walks(refunds(id)).chooses('part').sees('merchant-refund.askAmount').says(amount);
    await shop.isAtMenu().walks(refunds(id));
    // A wrong number of the list is no amount.
    for (const other of ['beaucoup', '3'])
      await shop.says(other).sees('merchant-refund.howMuch').isTold('nav.chooseOne');
    for (const more of ['50', '1234 dh'])
      await shop
        .says(more)
        .sees('merchant-refund.howMuch')
        .isTold('merchant-refund.tooMuch', { left: 4_550 });
    await shop.says('30').sees('merchant-refund.askPin', { amount: 3_000 });
    await gives('20').sees('merchant-refund.askPin', { amount: 2_000 }).enters();
    await shop.sees('merchant-refund.done');
    await gives('5,50').sees('merchant-refund.confirmAgain', { amount: 550 }).chooses('confirm').enters();
    await shop.sees('merchant-refund.done', { amount: 550 });
    // The rest is named in the question, and again when the amount exceeds it.
    await shop.goes('menu');
    await shop.walks(refunds(id)).sees('merchant-refund.howMuchLeft', { paid: 4_550, left: 2_000 });
    await shop.chooses('part').says('20,01').isTold('merchant-refund.tooMuch', { left: 2_000 });
    await shop.goes('back').sees('merchant-refund.howMuchLeft').chooses('all');
    await shop.sees('merchant-refund.confirmAgain', { amount: 2_000 }).chooses('confirm').enters();
    await shop.sees('merchant-refund.done', { amount: 2_000 });
    await shop.goes('menu');
    await shop.walks(refunds(id)).sees('merchant-refund.list').isTold('merchant-refund.givenBack');
    const lines = shop.reply().screen.choices?.map(({ key }) => key);
    expect(lines).toEqual(['merchant-refund.lineBack', 'merchant-refund.byTransfer']);
    // Another payment of the same customer is another one.
    const other = await paidBy(world, fatima, shop, '30');
    await shop.goes('menu').walks(refunds(other));
    await shop.chooses('all').sees('merchant-refund.askPin', { amount: 3_000 });
    expect(world.wallet.calls(shop.phone, 'chargeback')).toHaveLength(3);
  });

  test('a refused refund moves nothing, and all of the payment is left', async () => {
    const shop = merchantIn(world);
    const id = await paidBy(world, world.customer(), shop, '45,50');
    await shop.isAtMenu().walks(refunds(id)).chooses('all');
    world.wallet.next('chargeback', refused('90010'));
    await shop.enters().sees('merchant-refund.refused');
    await shop.goes('menu').walks(refunds(id)).sees('merchant-refund.howMuch', { paid: 4_550 });
  });

  /** A payer with a chat, and a shop that stands at the PIN of the refund. */
  const refunding = async () => {
    const shop = merchantIn(world);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const id = await paidBy(world, world.dialer(fatima), shop, '30');
    await fatima.hears('pay.debited');
    await fatima.goes('menu');
    await shop.isAtMenu().walks(refunds(id)).chooses('all');
    return { shop, fatima };
  };

  test('a lost answer is found in the list, and the payer is told then', async () => {
    const { shop, fatima } = await refunding();
    world.wallet.next('chargeback', loses);
    await shop.enters().sees('merchant-refund.notConfirmed', { amount: 3_000 });
    for (const ms of [5_000, 10_000]) await world.passes(ms);
    await shop.hears('merchant-refund.done', { amount: 3_000 });
    await fatima.hearsNothing();
    await fatima.after(2 * MINUTE_MS).hears('received.refund', { amount: 3_000 });
    expect(world.wallet.calls(shop.phone, 'chargeback')).toHaveLength(1);
  });

  test('a process that dies before the payer was told leaves it to the next one', async () => {
    const { shop, fatima } = await refunding();
    const { reached } = world.wallet.holds('operation');
    await shop.enters().sees('merchant-refund.done');
    await reached;
    await world.crashes();
    world.wallet.next('operation', LOST);
    await fatima.after(2 * MINUTE_MS).hearsNothing();
    await fatima.after(MINUTE_MS).hears('received.refund', { amount: 3_000 });
  });
});

const world = theWorld();

describe('a refund is not possible', () => {
  const reached = async () => {
    const shop = merchantIn(world);
    const id = await paidBy(world, world.customer(), shop, '45,50');
    await shop.isAtMenu();
    return { shop, id };
  };

  test.each([
    ['0', 'amount.zero'],
    ['1.500', 'amount.ambiguous'],
    ['12,3456', 'amount.tooPrecise'],
    ['tout', 'amount.notAnAmount'],
    ['-5', 'amount.notAnAmount'],
    ['45,51', 'merchant-refund.tooMuch'],
    ['100', 'merchant-refund.tooMuch'],
  ])('the amount %s', async (text, told) => {
    const { shop, id } = await reached();
    await shop.walks(refunds(id)).chooses('part').says(text).sees('merchant-refund.askAmount').isTold(told);
    expect(world.wallet.calls(shop.phone, 'previewChargeback')).toEqual([]);
  });

  test.each([
    ['90110', 'merchant-refund.list'],
    ['90111', 'merchant-refund.list'],
    ['90112', 'merchant-refund.list'],
    ['90014', 'merchant-refund.list'],
    ['90011', 'merchant-refund.list'],
    ['90113', 'merchant-refund.howMuch'],
  ] as const)('refused with %s: %s again, with the reason', async (code, seen) => {
    const { shop, id } = await reached();
    await shop.walks(refunds(id)).meanwhile(() => world.wallet.next('previewChargeback', refused(code)));
    await shop.chooses('all').sees(seen).isTold(`problem.${code}`);
  });

  test('of more than the balance holds', async () => {
    const { shop, id } = await reached();
    await shop.walks(refunds(id)).meanwhile(() => world.wallet.next('previewChargeback', refused('90010')));
    await shop.chooses('all').sees('pay.short').goes('back').sees('merchant-refund.howMuch');
  });

  test('when the wallet refuses the execution, and nothing was debited', async () => {
    const { shop, id } = await reached();
    await shop.walks(refunds(id)).chooses('all');
    world.wallet.next('chargeback', refused('90113'));
    await shop.enters().sees('merchant-refund.refused', { amount: 4_550 }).isTold('problem.90113');
  });

  test('to a payer of another provider, who has no number here', async () => {
    const { shop, id } = await reached();
    world.wallet.next('operations', async (ask) => {
      const answer = await ask();
      if (answer.kind !== 'ok') return answer;
      const operations = answer.value.operations.map((each) => ({ ...each, sender: '12' }));
      return { kind: 'ok', value: { operations, count: 1 } };
    });
    await shop.walks(refunds(id)).sees('merchant-refund.list').isTold('merchant-refund.notHere');
  });

  test.each(['web', 'ussd'] as const)(
    'of money that a person sent, which goes back by a transfer, on %s',
    async (channel) => {
      const shop = merchantIn(world, channel);
      await shop.isAtMenu();
      const fatima = world.customer();
      await fatima.isAtMenu().says(`/transfer ${shop.phone} 20`).enters();
      await shop.after(2_000).goes('menu').chooses('merchant-refund').sees('merchant-refund.none');
      await shop.chooses('transfer').sees('transfer.askRecipient').says(fatima.phone);
      await shop.sees('transfer.askAmount', { to: fatima.phone });
      await paidBy(world, fatima, shop, '45,50');
      await shop.goes('menu').chooses('merchant-refund').sees('merchant-refund.list');
      await shop.chooses('transfer').sees('transfer.askRecipient').goes('back').sees('menu.choose');
    },
  );

  test.each([
    ['lost', LOST],
    ['not sent', UNSENT],
  ])('when the list of payments is %s', async (_, instead) => {
    const shop = merchantIn(world);
    await shop.isAtMenu();
    world.wallet.next('operations', instead);
    await shop.chooses('merchant-refund').sees('merchant-refund.notRead');
  });

  test('without the scope of the key', async () => {
    const { shop, id } = await reached();
    await shop.walks(refunds(id)).meanwhile(() => world.wallet.next('previewChargeback', refused('http403')));
    await shop.chooses('all').sees('merchant-refund.notEnabled');
  });
});

describe('in one line', () => {
  test.each(['/merchant-refund', 'rembourser un client', 'refund', 'إرجاع المبلغ'])('%s', async (line) => {
    const shop = merchantIn(world);
    await paidBy(world, world.customer(), shop, '10');
    await shop.isAtMenu().says(line).sees('merchant-refund.list');
  });

  test.each(['rembourser 50', 'refund 20 dh'])('not %s: which payment is always asked', async (line) => {
    await merchantIn(world).isAtMenu().says(line).sees('menu.choose');
  });
});
