import { describe, expect, test } from 'vitest';
import { WEBHOOK_HEADERS } from '../../src/wallet/contract/webhooks.ts';
import { type Customer, STORES, theWorld } from '../kit/world.ts';

const pays =
  (to: string, amount = '100') =>
  (customer: Customer) =>
    customer.chooses('transfer').says(to).says(amount).enters().sees('transfer.processing');

describe.each(STORES)('the outcome of a payment, on %s', (store) => {
  const world = theWorld({ store });
  const chat = (language: 'fr' | 'ar' | 'en' = 'fr') => world.customer({ channel: 'web', language });

  test("the sender's conversation hears it, and shows it from then on", async () => {
    const fatima = chat();
    await fatima.isAtMenu().walks(pays('0655000000'));
    await world.passes(1_500);
    await fatima.hears('transfer.done', { amount: 10_000 }).hearsNothing().opens().sees('transfer.done');
    await fatima.says('merci').sees('menu.choose');
  });

  test('the recipient hears it in their own language, and is not disturbed', async () => {
    const youssef = chat('ar');
    await youssef.isAtMenu().chooses('transfer').says('0655000001').sees('transfer.askAmount');
    const fatima = chat('en');
    await fatima.isAtMenu().walks(pays(youssef.phone));
    await world.passes(1_500);
    const [push] = await world.engine.waiting(youssef.address);
    expect(push?.language).toBe('ar');
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone }).hearsNothing();
    await youssef.opens().sees('transfer.askAmount');
    await youssef.says('20').sees('transfer.askPinOpenLoop', { amount: 2_000 });
  });

  test('the recipient hears it on every device, once on each', async () => {
    const youssef = chat();
    const tablet = world.chatOf(youssef);
    await youssef.isAtMenu();
    await tablet.isAtMenu();
    await youssef.hears('linking.linkedElsewhere');
    const fatima = world.customer();
    await fatima.isAtMenu().walks(pays(youssef.phone));
    await world.passes(1_500);
    for (const device of [youssef, tablet]) await device.hears('received.from').hearsNothing();
  });

  test('a chat that is not unlocked hears nothing', async () => {
    const youssef = chat();
    await youssef.arrives().sees('unlocking.askPin');
    const fatima = world.customer();
    await fatima.isAtMenu().walks(pays(youssef.phone));
    await youssef.after(1_500).hearsNothing();
  });

  test('a webhook before the answer gives the outcome at once', async () => {
    const fatima = chat();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    world.wallet.next('transfer', async (ask) => {
      const answer = await ask();
      await world.sandbox.clock.advance(1_500);
      await world.sandbox.settle();
      await world.settles();
      return answer;
    });
    // It is said once more: the reply that says it may be lost, and a page shows a screen once.
    await fatima.enters().sees('transfer.done', { total: 10_200 }).hears('transfer.done').hearsNothing();
  });

  test('a customer who has moved on to the menu is told beside their task', async () => {
    const fatima = chat();
    await fatima.isAtMenu().walks(pays('0655000000')).says('/menu').isTold('transfer.notConfirmed');
    await fatima.chooses('balance').sees('balance.askPin');
    await fatima.after(1_500).hears('transfer.done').opens().sees('balance.askPin');
  });

  test('the slot is free again for the next payment', async () => {
    const fatima = chat();
    await fatima.isAtMenu().walks(pays('0655000000', '100'));
    await fatima.after(1_500).hears('transfer.done').says('/menu').walks(pays('0655000000', '110'));
  });
});

describe.each(STORES)('a webhook, on %s', (store) => {
  const world = theWorld({ store });
  const post = (
    body: string,
    headers: Record<string, string> = { [WEBHOOK_HEADERS.key]: world.webhookKey },
  ) => fetch(world.webhookUrl, { method: 'POST', body, headers }).then(({ status }) => status);
  /** The webhook that the sandbox has sent for this customer's payment. */
  const sentFor = (customer: Customer) =>
    world.sandbox.deliveries().find(({ body }) => body.includes(customer.phone))?.body ?? '';
  /** Fatima has paid Youssef, and both have read it. */
  const paid = async () => {
    const [fatima, youssef] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    await youssef.isAtMenu();
    await fatima.isAtMenu().walks(pays(youssef.phone));
    await fatima.after(1_500).hears('transfer.done');
    await youssef.hears('received.from');
    return { fatima, youssef };
  };

  test('is applied once when it arrives twice', async () => {
    const { fatima, youssef } = await paid();
    const again = sentFor(fatima);
    const renamed = again.replace(/"WebhookId":"[^"]*"/, '"WebhookId":"another"');
    expect(renamed).not.toBe(again);
    expect([await post(again), await post(renamed)]).toEqual([200, 200]);
    await fatima.hearsNothing();
    await youssef.hearsNothing();
  });

  test.each([
    ['no key', {}],
    ['a wrong key', { [WEBHOOK_HEADERS.key]: 'guessed' }],
    ['an empty key', { [WEBHOOK_HEADERS.key]: '' }],
  ])('with %s is refused and changes nothing', async (_, headers) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays('0655000000'));
    const forged = {
      data: {
        EventId: 'transfer.received',
        WebhookId: 'forged',
        CRequestId: (await world.session(fatima)).intent,
        OperationId: 1,
        OperationType: 3,
        OperationStatus: 3,
        CreatedAt: '2026-11-20T10:00:00Z',
        ExecutedAt: '2026-11-20T10:00:00Z',
        Amount: 100,
        FeeAmount: 2,
        PrimaryAccountNumber: fatima.phone,
      },
    };
    expect(await post(JSON.stringify(forged), headers)).toBe(401);
    await fatima.hearsNothing().opens().sees('transfer.processing');
  });

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['another event', '{"data":{"EventId":"made.up","WebhookId":"w1"}}'],
    ['no id', '{"data":{"EventId":"transfer.received"}}'],
    ['a list', '[]'],
    ['a deep one', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('is kept for a person when it cannot be read (%s)', async (_, body) => {
    expect(await post(body)).toBe(200);
    await world.rests();
    expect(world.errors).toEqual([]);
  });

  test('of another partner’s request does no harm', async () => {
    const { fatima, youssef } = await paid();
    for (const requestId of ['', 'nobody', 'c0ffee00-0000-4000-8000-000000000000']) {
      const foreign = sentFor(fatima)
        .replace(/"CRequestId":"[^"]*"/, `"CRequestId":"${requestId}"`)
        .replace(/"WebhookId":"[^"]*"/, `"WebhookId":"of ${requestId}"`);
      expect(await post(foreign)).toBe(200);
    }
    await fatima.hearsNothing();
    await youssef.hearsNothing();
    expect(world.errors).toEqual([]);
  });

  test('larger than any event is refused', async () => {
    expect(await post('x'.repeat(1_000_000))).toBe(413);
  });
});

describe.each(STORES)('a webhook while the store is down, on %s', (store) => {
  const world = theWorld({ store });

  test('is not acknowledged, and is delivered when the store is back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays('0655000000'));
    await world.store.close();
    world.clock.ahead += 1_500;
    await world.sandbox.settle();
    expect(world.sandbox.deliveries()).toMatchObject([{ state: 'due', lastAnswer: '503' }]);
    await world.crashes();
    await world.passes(60_000);
    expect(world.sandbox.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    await fatima.hears('transfer.done');
  });
});
