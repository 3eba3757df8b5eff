import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/conversation/desk/desk.ts';
import { createRenderer } from '../../../src/screen/renderer.ts';
import { paymentPart } from '../../../src/support/pages/payment.ts';
import { type Customer, LOST, MINUTE_MS, NADIA, OMAR, STORES, theWorld } from '../../kit/world.ts';
import { boundAtMenu } from '../../machines/principal-orders.ts';
import { tops, topsAgain } from '../../machines/top-up-orders.ts';
import { buys } from '../../machines/voucher-orders.ts';

const topsB2b = (to: string) => (customer: Customer) =>
  customer.chooses('principal').chooses('b2b-top-up').says(to).chooses('3').says('45');

function doublesOn(store: (typeof STORES)[number]) {
  const world = theWorld({ store });
  const desk = () => world.engine.desk;
  /**
   * @param answer the operation whose answer arrives
   * @param silent the operation without a webhook
   */
  async function doubled(answer: 'first' | 'lost', silent?: 'first' | 'second') {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    const never = () =>
      world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    world.wallet.next('transfer', async (ask) => {
      if (silent === 'first') never();
      const first = await ask();
      if (silent === 'second') never();
      await ask();
      return answer === 'first' ? first : LOST;
    });
    await fatima.enters();
    const ids = world.sandbox
      .executions()
      .filter(({ sender }) => sender === fatima.phone)
      .map(({ operationId }) => operationId);
    expect(ids).toHaveLength(2);
    return { fatima, ids };
  }
  const paymentOf = async ({ phone }: Customer): Promise<Intent> => {
    const [intent] = await desk().payments(phone, 1);
    if (!intent) throw new Error('nothing was paid');
    return intent;
  };
  function shownTo(intent: Intent): string {
    const sight = { amounts: true, personal: true } as never;
    const who = { id: 'nadia', name: 'Nadia', role: 'supervisor' } as never;
    const view = { who, language: 'fr' as const, now: world.clock.now(), sight };
    return String(paymentPart(intent, [], view, createRenderer()));
  }
  return { world, desk, doubled, paymentOf, shownTo };
}

/** One request, which the network delivers twice: the wallet makes two operations of it, and announces them both. */
describe.each(STORES)('a network that doubles an execution, on %s', (store) => {
  const { world, desk, doubled, paymentOf, shownTo } = doublesOn(store);

  test.each<[string, Parameters<typeof doubled>]>([
    ['the answer of one, then the webhook of the other', ['first', 'first']],
    ['the answer and the webhook of one, then the webhook of the other', ['first']],
    ['no answer, and both webhooks', ['lost']],
  ])('%s: a person looks, the customer is told of both, and only people settle it', async (_, how) => {
    const { fatima, ids } = await doubled(...how);
    await world.passes(1_500);
    const intent = await paymentOf(fatima);
    expect(intent).toMatchObject({ state: 'human', trouble: { kind: 'double' } });
    expect([...(intent.trouble?.operationIds ?? [])].sort()).toEqual(ids);
    const reference = String(intent.operationId);
    const second = String(ids.find((id) => id !== intent.operationId));
    await fatima.hears('pay.double', { amount: 10_000, to: '+212655000000', reference, second });
    // Every webhook comes again, and the payment is looked for as often as anybody likes.
    for (const { body } of world.sandbox.deliveries().filter((each) => each.body.includes(fatima.phone))) {
      const again = body.replace(/"WebhookId":"[^"]*"/, `"WebhookId":"again ${Math.random()}"`);
      await fetch(world.webhookUrl, {
        method: 'POST',
        body: again,
        headers: { 'x-api-key': world.webhookKey },
      });
    }
    await world.engine.reconcile(intent.id);
    await world.passes(5 * MINUTE_MS);
    expect((await paymentOf(fatima)).state).toBe('human');
    expect((await desk().unsettled()).map(({ id }) => id)).toContain(intent.id);
  });

  test('both operations are shown in the console', async () => {
    const { fatima, ids } = await doubled('first');
    await world.passes(1_500);
    const shown = shownTo(await paymentOf(fatima));
    expect(shown).toContain('Deux opérations pour une seule demande');
    const row = /Opérations en cause<\/dt><dd>(.*?)<\/dd>/s.exec(shown)?.[1] ?? '';
    expect([...row.matchAll(/>(\d+)</g)].map(([, id]) => Number(id)).sort()).toEqual(ids);
  });

  test('two people settle it, and the facts they knew do not open it again', async () => {
    const { fatima } = await doubled('first');
    await fatima.after(1_500).hears('pay.double');
    const { id } = await paymentOf(fatima);
    await desk().propose(id, NADIA, { as: 'succeeded', evidence: 'the second one was paid back by hand' });
    await desk().approve(id, OMAR, (await desk().payment(id))?.proposal?.at ?? 0);
    await fatima.hears('transfer.done');
    await world.passes(5 * MINUTE_MS);
    expect((await paymentOf(fatima)).state).toBe('succeeded');
    await fatima.hearsNothing();
  });

  test('one more look finds a second operation without a webhook: the customer is told, and a person looks', async () => {
    const { fatima, ids } = await doubled('first', 'second');
    await fatima.after(1_500).hears('transfer.done');
    await world.passes(MINUTE_MS);
    const intent = await paymentOf(fatima);
    expect(intent).toMatchObject({ state: 'human', trouble: { kind: 'alike' } });
    const alike = ids.filter((id) => id !== intent.operationId);
    const reference = String(intent.operationId);
    await fatima.hears('pay.alike', { amount: 10_000, reference, second: String(alike[0]) });
    expect((await desk().unsettled()).map(({ id }) => id)).toContain(intent.id);
    expect(intent.evidence.at(-1)).toMatchObject({ kind: 'look-alikes', operationIds: alike });
    expect(shownTo(intent)).toContain(String(alike[0]));
    await fatima.hearsNothing();
  });
});

describe.each(STORES)('a second operation, on %s', (store) => {
  const { world, desk, paymentOf } = doublesOn(store);

  test.each([
    ['topUp', 'top-up.done', tops('0655000041')],
    ['buyVoucher', 'voucher.done', buys()],
    ['topUpB2b', 'b2b-top-up.done', topsB2b('0655000042')],
  ] as const)(
    '%s: the customer is told of the second one although no event tells of it',
    async (call, done, walk) => {
      const isOfAgent = call === 'topUpB2b';
      const fatima = isOfAgent ? boundAtMenu(world) : world.customer({ channel: 'web' }).isAtMenu();
      await fatima.walks(walk);
      world.wallet.next(call, async (ask) => {
        const first = await ask();
        await ask();
        return first;
      });
      await fatima.enters();
      await fatima.after(1_500).hears(done);
      await world.passes(MINUTE_MS);
      const intent = await paymentOf(fatima);
      expect(intent).toMatchObject({ state: 'human', trouble: { kind: 'alike' } });
      await fatima.hears('pay.alike');
      expect((await desk().unsettled()).map(({ id }) => id)).toContain(intent.id);
    },
  );

  test('a second payment on request is no double of the first', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(tops('0655000043')).enters().sees('top-up.done');
    await fatima.goes('menu').walks(topsAgain('0655000043')).chooses('confirm').enters().sees('top-up.done');
    await world.passes(1_500);
    await world.passes(MINUTE_MS);
    expect((await desk().payments(fatima.phone, 2)).map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    await fatima.hears('top-up.done').hears('top-up.done').hearsNothing();
  });

  test('a payment that was made once has no look-alike, and is read again after an hour and a day, and never after that', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100').enters();
    await world.passes(1_500);
    await world.passes(MINUTE_MS);
    expect((await paymentOf(fatima)).evidence.at(-1)).toMatchObject({
      kind: 'look-alikes',
      operationIds: [],
    });
    const asked = world.wallet.calls(fatima.phone).length;
    for (const hours of [1, 5, 24, 48, 72]) await world.passes(hours * 60 * MINUTE_MS);
    expect(world.wallet.calls(fatima.phone).slice(asked)).toEqual(['operation', 'operation']);
  });
});
