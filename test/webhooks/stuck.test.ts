import { describe, expect, test } from 'vitest';
import { STORES, theWorld } from '../kit/world.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(STORES)('webhooks that wait for a person, on %s', (store) => {
  const world = theWorld({ store });
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

  test('one that nobody can read is kept, for as long as webhooks are', async () => {
    await comes(event('strange', { EventId: 'lottery.won' }));
    const { since } = (await stuck('strange')) ?? { since: 0 };
    expect(world.clock.now() - since).toBeLessThan(60_000);
    await world.passes(3 * DAY_MS);
    expect(await stuck('strange')).toMatchObject({ state: 'kept', tries: 1, since });
    expect(await world.inbox.retry('strange')).toBe(true);
    expect(await stuck('strange')).toMatchObject({ state: 'kept', tries: 2 });
  });

  test('it says what it is about, and nothing that is not as it should be', async () => {
    await comes(
      event('odd', { EventId: '+212600000001', OperationId: 4_000_000_000_000_002, CRequestId: '1234' }),
    );
    expect(Object.keys((await stuck('odd')) ?? {}).sort()).toEqual(['id', 'since', 'state', 'tries']);
  });

  test('one that was applied waits for nobody', async () => {
    await comes(event('fine', { EventId: 'customer.level.updated', OperationId: 0 }));
    expect(await stuck('fine')).toBeUndefined();
    expect(await world.inbox.retry('nobody')).toBe(false);
  });
});
