import { describe, expect, test } from 'vitest';
import { readRecord } from '../../src/conversation/record/record.ts';
import { readDelivery } from '../../src/conversation/session/delivery-record.ts';
import { type Customer, createWorld, type World } from '../kit/world.ts';

/** A transfer whose customer hangs up before its outcome is known. */
async function pays(world: World, from: Customer) {
  await from.isAtMenu();
  await from.chooses('transfer').says('0655000000').says('200').enters();
  const [payment] = await world.engine.desk.payments(from.phone, 1);
  if (!payment) throw new Error('nothing was paid');
  return payment;
}
const shown = async (world: World, payment: Awaited<ReturnType<typeof pays>>) =>
  (await world.engine.desk.deliveries(payment)).map(({ event: { outcome, by, tries, says } }) => [
    outcome,
    by,
    tries,
    says,
  ]);

describe('the fate of a message is stored beside its payment', () => {
  test('an SMS leaves at the third try, and its record is no turn and outlives the store', async () => {
    const world = await createWorld({ records: 'sqlite' });
    try {
      const fatima = world.customer();
      world.post.refuses = 2;
      const payment = await pays(world, fatima);
      await world.passes(2_000);
      expect(await shown(world, payment), 'nothing is settled while it is tried').toEqual([]);
      await world.passes(60_000);
      await expect.poll(() => shown(world, payment)).toEqual([['held', 'sms', 3, 'transfer.done']]);
      await world.recording.recorder.drain();
      const named = await world.records.turnsNaming(payment.id, 50);
      const deliveries = named.flatMap(({ record }) => readDelivery(record) ?? []);
      expect(deliveries).toMatchObject([
        { address: fatima.address, wallet: fatima.phone, event: { intent: payment.id, tries: 3 } },
      ]);
      expect(deliveries[0]?.lagMs, 'counted from its first try').toBeGreaterThanOrEqual(60_000);
      expect(named.filter(({ record }) => readDelivery(record) && readRecord(record))).toEqual([]);
      expect(JSON.stringify(deliveries), 'nothing of what it says').not.toMatch(/0655000000|200,00/);
      expect(await shown(world, payment), 'found twice, shown once').toHaveLength(1);
      const turns = await world.engine.desk.turns(fatima.address, 100);
      expect(turns.every(({ screen }) => screen.key.length > 0)).toBe(true);
    } finally {
      await world.close();
    }
  });

  test('without SMS it waits for the next visit', async () => {
    const world = await createWorld({ sms: false });
    try {
      const payment = await pays(world, world.customer());
      await world.passes(5_000);
      await expect.poll(() => shown(world, payment)).toEqual([['held', undefined, 1, 'transfer.done']]);
    } finally {
      await world.close();
    }
  });
});

test.each([
  ['a turn', '{"v":2,"event":{"kind":"input"}}'],
  ['no JSON', '"kind":"delivery"'],
  ['another form', '{"v":2,"event":{"kind":"delivery"}}'],
  [
    'an outcome that nobody knows',
    '{"v":1,"at":1,"address":"web:x","language":"fr","event":{"kind":"delivery","message":"m","says":"k","outcome":"lost","tries":1}}',
  ],
])('%s does not count as a delivery', (_, json) => {
  expect(readDelivery(json)).toBeUndefined();
});
