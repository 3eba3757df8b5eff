import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Customer, HOUR_MS, LOST, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';

describe.each(STORES)('the mark of a merchant, on %s', (store) => {
  const world = theWorld({ store });
  const asked = ({ phone }: Customer) => world.wallet.calls(phone, 'staticQr').length;

  /** The customer comes again. */
  const isOffered = async (customer: Customer): Promise<boolean> => {
    await customer.dials().sees('menu.choose');
    return customer.reply().screen.choices?.some(({ id }) => id === 'receive-payment') ?? false;
  };

  /** As the wallet says it: no operation, and no request of ours. */
  const levelUpdated = async (PrimaryAccountNumber: string) => {
    const at = new Date(world.clock.now()).toISOString();
    const data = {
      ...{ EventId: 'customer.level.updated', WebhookId: randomUUID(), CRequestId: randomUUID() },
      ...{ OperationId: 0, OperationType: 0, OperationStatus: 0, Amount: 0, FeeAmount: 0 },
      ...{ CreatedAt: at, ExecutedAt: at, PrimaryAccountNumber },
    };
    const answer = await fetch(world.webhookUrl, {
      method: 'POST',
      headers: { 'x-api-key': world.webhookKey, 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });
    expect(answer.status).toBe(200);
    await world.rests();
  };

  test('is read once a day, for all addresses of the wallet', async () => {
    const shop = world.customer({ walletType: 'C' });
    await shop.isAtMenu();
    expect(await isOffered(shop)).toBe(true);
    await world.passes(23 * HOUR_MS);
    await world.chatOf(shop).isAtMenu();
    expect(asked(shop)).toBe(1);
    await world.passes(2 * HOUR_MS);
    expect(await isOffered(shop)).toBe(true);
    expect(asked(shop)).toBe(2);
  });

  test('a consumer is remembered as well, and an answer without a type does not change it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    expect([await isOffered(fatima), asked(fatima)]).toEqual([false, 1]);
  });

  test.each([
    ['nobody answers', LOST],
    ['it could not be sent', UNSENT],
    ['the wallet has no codes', refused('http404')],
    ['the key may not ask', refused('http403')],
    ['the service is not enabled', refused('90017')],
  ])('is kept when %s, and is asked for again soon', async (_, instead) => {
    const [shop, fatima] = [world.customer({ walletType: 'C' }), world.customer()];
    for (const each of [shop, fatima]) await each.isAtMenu();
    await world.passes(25 * HOUR_MS);
    for (const [each, is] of [
      [shop, true],
      [fatima, false],
    ] as const) {
      world.wallet.next('staticQr', instead);
      expect(await isOffered(each)).toBe(is);
      expect([await isOffered(each), asked(each)]).toEqual([is, 2]);
      await world.passes(6 * 60_000);
      expect([await isOffered(each), asked(each)]).toEqual([is, 3]);
    }
  });

  test('is asked for again after a new level', async () => {
    const shop = world.customer({ walletType: 'C' });
    await shop.isAtMenu();
    await levelUpdated(shop.phone);
    expect(await isOffered(shop)).toBe(true);
    // Once for what is told of the level, and once at the visit.
    expect(asked(shop)).toBe(3);
    await levelUpdated('12');
    expect([await isOffered(shop), asked(shop)]).toEqual([true, 3]);
    // Of a wallet that nobody has met there is nothing to forget.
    await world.engine.levelChanged(world.stranger().phone);
  });

  test('is not asked for while the wallet is not active', async () => {
    for (const status of [1, 2, 4, 5] as const) {
      const shop = world.customer({ walletType: 'C', status });
      await shop.arrives();
      expect(asked(shop), `status ${status}`).toBe(0);
    }
  });
});
