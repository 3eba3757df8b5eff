import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { intentKey } from '../../src/conversation/intents/intent.ts';
import { partitionOfRef } from '../../src/conversation/record/ref.ts';
import { GROUPS, isRecordedUntil } from '../../src/records/recorder.ts';
import { RecordsDown } from '../../src/records/records.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { type Commit, PARTITIONS, type Partition } from '../../src/store/store.ts';
import { type PostgresServer, query, startPostgres } from '../kit/postgres-server.ts';
import { type Customer, createWorld, DAY_MS, HOUR_MS, LOST, STORES, theWorld } from '../kit/world.ts';

/** A world with records: in a file beside SQLite, in PostgreSQL beside Redis. */
function aRecordedWorld(store: (typeof STORES)[number]) {
  const postgres = { url: '' };
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    if (store === 'redis') server = await startPostgres();
    postgres.url = server?.url ?? '';
  });
  afterAll(() => server?.stop());
  const world = theWorld({ store, records: store === 'redis' ? postgres : 'sqlite', turnsMax: 40 });

  /** A transfer, and what the wallet says of it. */
  async function pays(from: Customer): Promise<string> {
    await from.isAtMenu();
    await from.chooses('transfer').says('0655000000').says('200').enters();
    await world.passes(5_000);
    const [payment] = await world.engine.desk.payments(from.phone, 1);
    if (!payment) throw new Error('nothing was paid');
    return payment.id;
  }
  const live = async (id: string) =>
    (await world.store.read(partitionOfRef(id) ?? 0, [intentKey(id)]))[0] !== undefined;
  /** The worker reads a payment again after a minute, an hour and a day. All of that is done when the time has come. */
  async function nearlyFourDays(): Promise<void> {
    await world.passes(4 * DAY_MS - HOUR_MS);
    await world.recording.recorder.drain();
  }
  return { world, pays, live, nearlyFourDays };
}

describe.each(STORES)('records beside %s', (store) => {
  const { world, pays, live, nearlyFourDays } = aRecordedWorld(store);

  test('every turn and payment of a customer is in the records once, word for word', async () => {
    const fatima = world.customer();
    const id = await pays(fatima);
    await world.recording.recorder.drain();
    await world.recording.recorder.drain();
    const kept = await world.records.turnsOf({ address: fatima.address }, 100);
    const inStream = await world.store.turns(partitionOf(fatima.phone), 100);
    const theirs = inStream.filter(({ record }) => record.includes(`"${fatima.address}"`));
    expect(kept.map(({ record }) => record)).toEqual(theirs.map(({ record }) => record));
    expect(kept.length).toBeGreaterThan(5);
    const payment = await world.records.payment(id);
    const [doc] = await world.store.read(partitionOfRef(id) ?? 0, [intentKey(id)]);
    expect(payment).toMatchObject({ wallet: fatima.phone, state: 'succeeded', document: doc?.value });
    const named = await world.records.turnsNaming(id, 10);
    expect(named.some(({ record }) => record.includes('"kind":"payment"'))).toBe(true);
    const { missing, migrations } = await world.records.inventory();
    expect([missing, migrations.made]).toEqual([[], migrations.known]);
  });

  test('turns leave the store after thirty days, and not before', async () => {
    const fatima = world.customer();
    await pays(fatima);
    await world.recording.recorder.drain();
    const inStream = async () =>
      (await world.store.turnsAfter(partitionOf(fatima.phone), undefined, 1_000)).entries;
    const before = await inStream();
    // Time goes by for her session, too.
    const known = new Set(before.map(({ id }) => id));
    const left = async () => (await inStream()).filter(({ id }) => known.has(id));
    const kept = await world.records.turnsOf({ address: fatima.address }, 100);
    await world.recording.upkeep.begin();
    world.clock.ahead += 29 * DAY_MS;
    await world.recording.upkeep.run('turns');
    expect(await left()).toEqual(before);
    const salma = world.customer();
    await salma.isAtMenu();
    world.clock.ahead += 2 * DAY_MS;
    await world.recording.upkeep.run('turns');
    // The last one says up to where they are recorded.
    expect(await left()).toEqual(before.slice(-1));
    // Turns that are not recorded yet stay at any age.
    world.clock.ahead += 60 * DAY_MS;
    await world.recording.upkeep.run('turns');
    expect((await world.store.turns(partitionOf(salma.phone), 9)).length).toBeGreaterThan(0);
    await world.recording.recorder.drain();
    const records = await world.records.turnsOf({ address: fatima.address }, 100);
    expect(records.filter(({ id }) => known.has(id))).toEqual(kept.filter(({ id }) => known.has(id)));
    expect((await world.records.turnsOf({ address: salma.address }, 9)).length).toBeGreaterThan(0);
  });

  test('a settled payment leaves the store after four days, and is still found by every name', async () => {
    const fatima = world.customer();
    const id = await pays(fatima);
    const { operationId } = (await world.engine.intentOf(id)) ?? {};
    await nearlyFourDays();
    await world.recording.upkeep.begin();
    await world.recording.upkeep.run('payments');
    expect(await live(id)).toBe(true);
    world.clock.ahead += 2 * HOUR_MS;
    await world.recording.upkeep.run('payments');
    expect(await live(id)).toBe(false);
    const found = await Promise.all(
      [id, id.slice(0, 8), String(operationId)].map((name) => world.engine.desk.payment(name)),
    );
    expect(found.map((each) => each?.id)).toEqual([id, id, id]);
    expect((await world.engine.desk.payments(fatima.phone, 5)).map((each) => each.id)).toEqual([id]);
    await world.recording.upkeep.run('payments');
    expect(await world.records.paymentsToLookAt(world.clock.now(), 10)).toEqual([]);
  });

  test('a late webhook brings an archived payment back once, and its customer hears of it', async () => {
    const fatima = world.customer({ channel: 'web' });
    const id = await pays(fatima);
    await nearlyFourDays();
    world.clock.ahead += 2 * HOUR_MS;
    await world.recording.upkeep.run('payments');
    expect(await live(id)).toBe(false);
    const { operationId = 0 } = (await world.engine.intentOf(id)) ?? {};
    const { evidence: before = [] } = (await world.engine.intentOf(id)) ?? {};
    await world.engine.confirm(
      (await world.engine.intentOf(id)) ?? never(),
      operationId,
      'transfer.refunded',
    );
    await world.engine.confirm(
      (await world.engine.intentOf(id)) ?? never(),
      operationId,
      'transfer.refunded',
    );
    expect((await world.engine.intentOf(id))?.evidence).toHaveLength(before.length + 1);
    expect(await live(id)).toBe(true);
    await world.recording.recorder.drain();
    const steps = (await world.engine.intentOf(id))?.audit.length;
    expect(await world.records.payment(id)).toMatchObject({ steps });
    await nearlyFourDays();
    world.clock.ahead += 2 * HOUR_MS;
    await world.recording.upkeep.run('payments');
    expect(await live(id)).toBe(false);
  });
});

describe.each(STORES)('records and lost payments, beside %s', (store) => {
  const { world, pays, live, nearlyFourDays } = aRecordedWorld(store);
  beforeAll(() => world.recording.upkeep.begin());

  test('a webhook is tried again while the records are down, and its payment is not rebuilt', async () => {
    const fatima = world.customer();
    const id = await pays(fatima);
    const { operationId = 0 } = (await world.engine.intentOf(id)) ?? {};
    await nearlyFourDays();
    world.clock.ahead += 2 * HOUR_MS;
    await world.recording.upkeep.run('payments');
    const find = world.records.payment;
    const away = async () => {
      throw new RecordsDown('away');
    };
    Object.assign(world.records, { payment: away });
    await expect(world.engine.intentOf(id)).rejects.toThrow(RecordsDown);
    const at = new Date(world.clock.now()).toISOString();
    const data = {
      EventId: 'transfer.received',
      WebhookId: `late-${id}`,
      CRequestId: id,
      OperationId: operationId,
      OperationType: 3,
      OperationStatus: 2,
      CreatedAt: at,
      ExecutedAt: at,
      Amount: 200,
      FeeAmount: 2,
      PrimaryAccountNumber: fatima.phone,
      SecondaryAccountNumber: '+212655000000',
    };
    const headers = { 'x-api-key': world.webhookKey };
    const sent = await fetch(world.webhookUrl, { method: 'POST', body: JSON.stringify({ data }), headers });
    expect(sent.status).toBe(200);
    await world.settles();
    // On a machine that stands still for a while it is tried a second time before this test looks.
    expect(new Set(world.errors.splice(0).map((error) => (error as Error).name))).toEqual(
      new Set(['RecordsDown']),
    );
    expect(await live(id)).toBe(false);
    Object.assign(world.records, { payment: find });
    await world.passes(60_000);
    expect(world.errors).toEqual([]);
    expect(
      (await world.engine.intentOf(id))?.audit.some(
        ([, , why]) => typeof why === 'object' && why.kind === 'rebuilt',
      ),
    ).toBe(false);
  });

  test('an open payment stays in the store, and comes back when the store has lost it', async () => {
    const fatima = world.customer();
    // It never came to the wallet: no event tells of an end, however slow the machine is.
    world.wallet.next('transfer', async () => LOST);
    await fatima.isAtMenu();
    await fatima.chooses('transfer').says('0655000000').says('300').enters();
    const [payment] = await world.engine.desk.payments(fatima.phone, 1);
    const id = payment?.id ?? never();
    await world.recording.recorder.drain();
    const partition = partitionOfRef(id) ?? 0;
    const [doc] = await world.store.read(partition, [intentKey(id)]);
    await world.store.commit(partition, {
      writes: [{ key: intentKey(id), version: doc?.version ?? 0, value: null }],
    });
    world.clock.ahead += 4 * DAY_MS + HOUR_MS;
    // The due moment is read from the commit, as the worker sets a later one soon after.
    const { commit } = world.store;
    const wakes: Commit['writes'][number]['dueAt'][] = [];
    Object.assign(world.store, {
      commit(of: Partition, batch: Commit) {
        wakes.push(...batch.writes.filter(({ key }) => key === intentKey(id)).map(({ dueAt }) => dueAt));
        return commit(of, batch);
      },
    });
    await world.recording.upkeep.run('payments');
    Object.assign(world.store, { commit });
    expect(await live(id)).toBe(true);
    expect(wakes[0]).toBeLessThanOrEqual(world.clock.now());
    expect(await world.store.scheduled(partition, intentKey(id), 1)).toHaveLength(1);
  });

  test('a transcript goes on in the records where the store ends, with each turn once', async () => {
    const fatima = world.customer({ language: 'fr' });
    const dials = 70;
    for (let i = 0; i < dials; i++) {
      world.clock.ahead += 1_000;
      await fatima.dials();
      if (i % 10 === 0) await world.recording.recorder.drain();
    }
    const partition = partitionOf(fatima.phone);
    const inStore = await world.store.turns(partition, 1_000);
    const turns = await world.engine.desk.turns(fatima.address, 1_000);
    expect(turns).toHaveLength(dials);
    expect(new Set(turns.map(({ at }) => at)).size).toBe(dials);
    expect(inStore.length).toBeLessThan(dials);
    const all = [];
    for await (const { records } of world.engine.desk.backlog(DAY_MS)) all.push(...records);
    expect(all.filter(({ address }) => address === fatima.address)).toHaveLength(dials);
  });
});

function never(): never {
  throw new Error('it is there');
}

describe('PostgreSQL that is down', () => {
  test('loses only turns that have no room to wait, no payments, and reports the count', async () => {
    const server = await startPostgres();
    const limit = 30;
    const world = await createWorld({ store: 'redis', records: { url: server.url }, turnsMax: limit });
    try {
      await world.recording.recorder.begin();
      const partition = 7;
      const group = '0';
      const says = (i: number) =>
        world.store.commit(partition, {
          writes:
            i % 10 === 0
              ? [
                  { key: `other:${i}`, version: 0, value: '{}' },
                  { key: `intent:${i}`, version: 0, value: '{}' },
                ]
              : [],
          turn: JSON.stringify({ at: world.clock.now(), address: 'web:x', i }),
        });
      await world.recording.recorder.run(group);
      await server.kill();
      let said = 0;
      while (said < limit - 2) await says(said++);
      world.clock.ahead += HOUR_MS;
      await world.recording.recorder.run(group);
      expect(world.progress.at(-1)).toMatchObject({ isWell: false, lost: 0 });
      expect(world.progress.at(-1)?.lagMs).toBeGreaterThanOrEqual(HOUR_MS);
      expect(world.progress.at(-1)?.fill).toBeGreaterThan(0.8);
      await server.starts();
      await world.recording.recorder.run(group);
      expect(await world.records.turns(partition, 1_000)).toHaveLength(said);
      expect(world.progress.at(-1)).toMatchObject({ isWell: true, lost: 0 });
      expect(world.progress.at(-1)?.lagMs).toBeLessThan(HOUR_MS);

      await server.kill();
      while (said < 400) await says(said++);
      await expect
        .poll(async () => {
          await world.recording.recorder.run(group);
          return world.progress.reduce((sum, { lost }) => sum + lost, 0);
        })
        .toBeGreaterThan(100);
      await server.starts();
      await world.recording.recorder.run(group);
      const kept = (await world.records.turns(partition, 1_000)).map(({ record }) =>
        Number(JSON.parse(record).i),
      );
      const paid = Array.from({ length: 40 }, (_, i) => i * 10);
      expect(kept.filter((i) => i % 10 === 0).sort((a, b) => a - b)).toEqual(paid);
      expect(kept.length + world.progress.reduce((sum, { lost }) => sum + lost, 0)).toBe(said);
    } finally {
      await world.close();
      await server.stop();
    }
  });
});

test('every partition is recorded', async () => {
  const world = await createWorld({ records: 'sqlite' });
  for (let partition = 0; partition < PARTITIONS; partition++)
    await world.store.commit(partition, { writes: [], turn: '{}' });
  await world.recording.recorder.drain();
  expect((await world.records.inventory()).count.events).toBe(PARTITIONS);
  await world.close();
});

test('records that answer but cannot be written are noticed by the recorder', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const world = await createWorld({ records: { url: server.url } });
  onTestFinished(() => world.close());
  const { recorder } = world.recording;
  const isKeptUp = async () => [
    await world.records.isWell(),
    await isRecordedUntil(world.store, world.clock.now()),
  ];
  const passes = async () => {
    await world.customer().isAtMenu();
    world.clock.ahead += 31_000;
    for (let group = 0; group < GROUPS; group++) await recorder.run(`${group}`);
    return isKeptUp();
  };
  await recorder.begin();
  expect(await passes()).toEqual([true, true]);
  const becomes = (how: string) =>
    query(server.url, `ALTER SYSTEM SET default_transaction_read_only = ${how}`).then(() =>
      query(server.url, 'SELECT pg_reload_conf()'),
    );
  await becomes('on');
  await expect.poll(passes).toEqual([true, false]);
  await becomes('off');
  await expect.poll(passes).toEqual([true, true]);
});
