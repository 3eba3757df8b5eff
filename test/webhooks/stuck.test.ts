import { describe, expect, test } from 'vitest';
import { DAY_MS, loses, STORES, theWorld } from '../kit/world.ts';
import { orders } from '../machines/transfer-orders.ts';

/** An operation is open for longer than a machine stands still. */
const SETTLES_MS = 3_000;

function theInbox(store: (typeof STORES)[number]) {
  const world = theWorld({ store, settings: { settleAfterMs: SETTLES_MS } });
  const comes = async (body: unknown) => {
    const answer = await fetch(world.webhookUrl, {
      method: 'POST',
      headers: { 'x-api-key': world.webhookKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    await world.rests();
  };
  const event = (WebhookId: string, more: object = {}) => ({
    data: {
      EventId: 'transfer.received',
      WebhookId,
      // Like one of ours, but of an intent that nobody knows.
      CRequestId: '11000000-0000-4000-8000-000000000000',
      OperationId: 77,
      OperationType: 3,
      OperationStatus: 2,
      CreatedAt: new Date(world.clock.now()).toISOString(),
      ExecutedAt: new Date(world.clock.now()).toISOString(),
      Amount: 10,
      FeeAmount: 0,
      PrimaryAccountNumber: '+212600000001',
      SecondaryAccountNumber: '+212600000002',
      ...more,
    },
  });
  const stuck = async (id: string) => {
    const listed = (await world.inbox.stuck()).find((each) => each.id === id);
    expect(await world.inbox.find(id), 'alone it is what it is in the list').toEqual(listed);
    return listed;
  };
  return { world, comes, event, stuck };
}

describe.each(STORES)('webhooks that wait for a person, on %s', (store) => {
  const { world, comes, event, stuck } = theInbox(store);

  test('an orphan is tried again, and can be tried at once or closed', async () => {
    await comes(event('orphan'));
    expect(await stuck('orphan')).toEqual({
      id: 'orphan',
      state: 'waiting',
      tries: 1,
      since: expect.any(Number),
      event: 'transfer.received',
      operationId: 77,
      requestId: '11000000-0000-4000-8000-000000000000',
    });
    expect(await world.inbox.retry('orphan')).toBe(true);
    expect(await stuck('orphan')).toMatchObject({ state: 'waiting', tries: 2 });
    expect(await world.inbox.close('orphan')).toBe(true);
    expect(await stuck('orphan')).toBeUndefined();
    expect(await world.inbox.close('orphan')).toBe(false);
    expect(await world.inbox.retry('orphan')).toBe(false);
    // A closed one that is delivered again stays closed, and says nothing any more.
    await comes(event('orphan'));
    expect(await stuck('orphan')).toBeUndefined();
  });

  test('an unreadable webhook is kept for the retention of webhooks', async () => {
    await comes(event('strange', { EventId: 'lottery.won' }));
    const { since } = (await stuck('strange')) ?? { since: 0 };
    expect(world.clock.now() - since).toBeLessThan(60_000);
    await world.passes(3 * DAY_MS);
    expect(await stuck('strange')).toMatchObject({ state: 'kept', tries: 1, since });
    expect(await world.inbox.retry('strange')).toBe(true);
    expect(await stuck('strange')).toMatchObject({ state: 'kept', tries: 2 });
  });

  test('a listed webhook shows only valid fields', async () => {
    await comes(
      event('odd', { EventId: '+212600000001', OperationId: 4_000_000_000_000_002, CRequestId: '1234' }),
    );
    expect(Object.keys((await stuck('odd')) ?? {}).sort()).toEqual(['id', 'since', 'state', 'tries']);
  });

  test('the content of a webhook is shown without the number of a reference', async () => {
    await comes(event('told', { EventId: 'lottery.won', Reference: '123456789012', Amount: 12.5 }));
    const content = await world.inbox.content('told');
    expect(content).toMatchObject({ wallet: '+212600000001', amount: 1_250, operationId: 77 });
    expect(Object.fromEntries(content?.fields ?? [])).toMatchObject({
      EventId: 'lottery.won',
      Amount: '12.5',
    });
    expect(JSON.stringify(content)).not.toContain('123456789012');
    await comes({ anything: 'else' });
    const [unread] = (await world.inbox.stuck()).filter(({ id }) => id.startsWith('unreadable'));
    expect(await world.inbox.content(unread?.id ?? '')).toEqual({ fields: [['anything', 'else']] });
    await world.inbox.close('told');
    expect(await world.inbox.content('told')).toBeUndefined();
  });

  test('its operation becomes that of an open payment when the wallet’s data fits and two people agree', async () => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web' });
    const [nadia, omar] = [
      { id: 'nadia', name: 'Nadia' },
      { id: 'omar', name: 'Omar' },
    ];
    world.wallet.next('transfer', loses);
    await fatima.isAtMenu().walks(orders('0655000000', '100')).enters().sees('transfer.notConfirmed');
    const [payment] = await desk.payments(fatima.phone, 1);
    const id = payment?.id ?? '';
    const [operation] = world.sandbox.executions(id);
    const evidence = 'the wallet’s support names it';
    const applies = (operationId: number) =>
      desk.applyWebhook(id, nadia, { webhook: 'orphan', operationId, evidence });
    expect(await applies(999_999)).toBe('notShown');
    expect(await applies(operation?.operationId ?? 0)).toBe('stillOpen');
    // Before anybody looks for it, and nothing tells of it.
    world.sandbox.setWebhook('http://127.0.0.1:9/', world.webhookKey);
    await world.passes(SETTLES_MS + 100);
    expect(await applies(operation?.operationId ?? 0)).toBe('done');
    expect((await desk.payment(id))?.state).toBe('unknown');
    const { proposal } = (await desk.payment(id)) ?? {};
    expect(proposal).toMatchObject({
      as: 'succeeded',
      webhook: 'orphan',
      operationId: operation?.operationId,
    });
    expect(await desk.approve(id, nadia, proposal?.at ?? 0)).toBe('sameAgent');
    expect(await desk.approve(id, omar, proposal?.at ?? 0)).toBe('done');
    expect(await desk.payment(id)).toMatchObject({ state: 'succeeded', operationId: operation?.operationId });
    await fatima.hears('transfer.done');
    expect(await applies(operation?.operationId ?? 0), 'it has ended').toBe('notNow');
  });

  test('an applied webhook does not wait for a person', async () => {
    await comes(event('fine', { EventId: 'customer.level.updated', OperationId: 0 }));
    expect(await stuck('fine')).toBeUndefined();
    expect(await world.inbox.retry('nobody')).toBe(false);
  });
});
