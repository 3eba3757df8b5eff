import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Agent, Intent } from '../../../src/conversation/desk/desk.ts';
import { intentKey } from '../../../src/conversation/intents/intent.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { alone } from '../../kit/alone.ts';
import { type Customer, DAY_MS, LOST, loses, NADIA, OMAR, STORES, theWorld } from '../../kit/world.ts';
import { ordersWater } from '../../machines/bill-orders.ts';
import { buys } from '../../machines/voucher-orders.ts';

/** An operation that the wallet does not know: no webhook and no list can settle it. */
const NOT_THIS_ONE = 9_999_999;

function deskOn(store: (typeof STORES)[number]) {
  const world = theWorld({ store, records: 'sqlite' });
  const desk = () => world.engine.desk;
  async function paid(): Promise<{ fatima: Customer; intent: Intent }> {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await fatima.enters().sees('transfer.processing');
    const [intent] = await desk().payments(fatima.phone, 1);
    if (!intent) throw new Error('nothing was paid');
    return { fatima, intent };
  }
  /** A payment that the machine could not explain, as `learn` leaves it. */
  async function frozen() {
    const { fatima, intent } = await paid();
    const partition = partitionOf(fatima.phone);
    const [doc] = await world.store.read(partition, [intentKey(intent.id)]);
    const value = JSON.stringify({
      ...JSON.parse(doc?.value ?? ''),
      state: 'human',
      operationId: NOT_THIS_ONE,
    });
    const write = {
      key: intentKey(intent.id),
      version: doc?.version ?? 0,
      value,
      dueAt: world.clock.now() + DAY_MS,
    };
    expect(await world.store.commit(partition, { writes: [write] })).toBe(true);
    return { fatima, id: intent.id };
  }
  /** Approves the current proposal, as an agent who has just read it. */
  const approves = async (id: string, by: Agent) =>
    desk().approve(id, by, (await desk().payment(id))?.proposal?.at ?? 0);
  const unsettled = async (id: string) => (await desk().unsettled()).some((intent) => intent.id === id);
  return { world, desk, paid, frozen, approves, unsettled };
}

describe.each(STORES)('two people settle a payment, on %s', (store) => {
  const { world, desk, paid, frozen, approves, unsettled } = deskOn(store);

  test('one agent proposes with evidence, another one agrees, and the customer hears it', async () => {
    const { fatima, id } = await frozen();
    expect(await unsettled(id)).toBe(true);
    const settlement = { as: 'succeeded', evidence: 'statement of the bank, line 12' } as const;
    expect(await approves(id, OMAR)).toBe('notNow');
    const told = { ...settlement, evidence: 'the customer says pin=08264, cvv 917' };
    expect(await desk().propose(id, NADIA, told)).toBe('done');
    const kept = JSON.stringify(await desk().payment(id));
    expect(kept).not.toMatch(alone('08264'));
    expect(kept).not.toContain('cvv 917');
    expect(await desk().withdraw(id, NADIA)).toBe('done');
    expect(await desk().propose(id, NADIA, settlement)).toBe('done');
    expect(await approves(id, NADIA)).toBe('sameAgent');
    expect(await unsettled(id)).toBe(true);
    expect(await approves(id, OMAR)).toBe('done');
    expect(await unsettled(id)).toBe(false);
    const intent = await desk().payment(id);
    expect(intent).toMatchObject({ state: 'succeeded' });
    expect(intent?.proposal).toBeUndefined();
    expect(intent?.audit.at(-1)?.[2]).toMatchObject({
      kind: 'learnt',
      fact: { kind: 'settled', by: 'nadia', approvedBy: 'omar', evidence: settlement.evidence },
    });
    await fatima.hears('transfer.done');
    expect(await approves(id, OMAR)).toBe('notNow');
  });

  test('an agent cannot approve a version that they have not read', async () => {
    const { id } = await frozen();
    await desk().propose(id, NADIA, { as: 'failed', evidence: 'refused by the switch' });
    const read = (await desk().payment(id))?.proposal?.at ?? 0;
    const other = { as: 'succeeded', evidence: 'statement of the bank, line 12' } as const;
    expect(await desk().propose(id, NADIA, other)).toBe('notNow');
    await world.passes(1_000);
    expect(await desk().withdraw(id, NADIA)).toBe('done');
    expect(await desk().propose(id, NADIA, other)).toBe('done');
    expect(await desk().approve(id, OMAR, read)).toBe('notNow');
    expect(await desk().approve(id, OMAR, Number.NaN)).toBe('notNow');
    expect((await desk().payment(id))?.state).toBe('human');
    expect(await approves(id, OMAR)).toBe('done');
    expect((await desk().payment(id))?.state).toBe('succeeded');
  });

  test('two approvals at the same moment settle it once', async () => {
    const { fatima, id } = await frozen();
    await desk().propose(id, NADIA, { as: 'failed', evidence: 'refused by the switch' });
    const acts = await Promise.all([approves(id, OMAR), approves(id, { id: 'sara', name: 'Sara' })]);
    expect(acts.toSorted()).toEqual(['done', 'notNow']);
    await fatima.hears('transfer.failed').hearsNothing();
  });

  test('a proposal can be taken back, and newer evidence stands', async () => {
    const { id } = await frozen();
    await desk().propose(id, NADIA, { as: 'failed', evidence: 'I thought so' });
    expect(await desk().withdraw(id, OMAR)).toBe('done');
    expect(await approves(id, OMAR)).toBe('notNow');
    expect((await desk().payment(id))?.state).toBe('human');
  });

  test.each([
    ['a payment on its way', async () => (await paid()).intent.id],
    ['nothing', async () => crypto.randomUUID()],
  ])('%s is not settled by people', async (_, find) => {
    const id = await find();
    const settlement = { as: 'succeeded', evidence: 'because I say so' } as const;
    expect(['notNow', 'notFound']).toContain(await desk().propose(id, NADIA, settlement));
  });

  test('people are reminded of a frozen payment every day, and it is never forgotten', async () => {
    const { id } = await frozen();
    await world.passes(3 * DAY_MS);
    expect(await unsettled(id)).toBe(true);
    await desk().propose(id, NADIA, { as: 'failed', evidence: 'nothing was moved' });
    await approves(id, OMAR);
    expect(await unsettled(id)).toBe(false);
  });
});

describe.each(STORES)('an agent looks for a payment and tells its outcome, on %s', (store) => {
  const { world, desk, paid, approves, unsettled } = deskOn(store);

  test('an agent hands over a voucher whose code was lost', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(fatima.phone));
    await fatima.meanwhile(() => world.wallet.next('buyVoucher', loses)).enters();
    await world.passes(60_000);
    const [voucher] = await desk().payments(fatima.phone, 1);
    const id = voucher?.id ?? '';
    expect(await unsettled(id)).toBe(true);
    expect(await desk().propose(id, NADIA, { as: 'failed', evidence: 'the code is gone' })).toBe('notNow');
    const settlement = { as: 'handedOver', evidence: 'code read to the customer by phone' } as const;
    expect(await desk().propose(id, NADIA, settlement)).toBe('done');
    expect(await approves(id, OMAR)).toBe('done');
    expect(await unsettled(id)).toBe(false);
    expect((await desk().payment(id))?.state).toBe('succeeded');
  });

  test('an outcome is told again', async () => {
    const { fatima, intent } = await paid();
    expect(await desk().resend(intent.id, NADIA)).toBe('notNow');
    await fatima.after(1_500).hears('transfer.done');
    expect(await desk().resend(intent.id, NADIA)).toBe('done');
    await fatima.hears('transfer.done');
    // Written down once, and only what was done: the first try was too early.
    const { audit = [] } = (await desk().payment(intent.id)) ?? {};
    expect(
      audit.filter(([, , why]) => isDeepStrictEqual(why, { kind: 'told-again', by: 'nadia' })),
    ).toHaveLength(1);
    const operation = (await desk().payment(intent.id))?.operationId ?? 0;
    expect(operation).toBeGreaterThan(0);
    await fatima.hearsNothing();
  });

  test('a waiting outcome is told once, however often it is told again', async () => {
    const { fatima, intent } = await paid();
    await world.passes(1_500);
    const { waiting = 0 } = (await desk().session(fatima.address)) ?? {};
    for (let i = 0; i < 3; i++) expect(await desk().resend(intent.id, NADIA)).toBe('done');
    expect((await desk().session(fatima.address))?.waiting).toBe(waiting);
    await fatima.hears('transfer.done').hearsNothing();
    for (let i = 0; i < 3; i++) expect(await desk().resend(intent.id, NADIA)).toBe('done');
    await fatima.hears('transfer.done').hearsNothing();
  });

  test('a payment is found by its long or short reference and by its operation, before and after it is recorded', async () => {
    const { intent } = await paid();
    expect((await desk().payment(intent.id))?.id).toBe(intent.id);
    expect((await desk().payment(intent.id.slice(0, 8).toUpperCase()))?.id).toBe(intent.id);
    await world.passes(1_500);
    await world.recording.recorder.drain();
    const { operationId } = (await desk().payment(intent.id)) ?? {};
    expect((await desk().payment(String(operationId)))?.id).toBe(intent.id);
    expect((await desk().payment(intent.id.slice(0, 8)))?.id).toBe(intent.id);
    for (const unknown of ['', '99999999999', 'ABCDEF12', 'not a reference', `${intent.id}0`])
      expect(await desk().payment(unknown)).toBeUndefined();
  });

  test('a bill is found by its name in the bill network', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.isAtMenu().walks(ordersWater('7000001'));
    await fatima.meanwhile(() => world.wallet.next('payBill', LOST));
    await fatima.enters().sees('bill-payment.notConfirmed');
    const [intent] = await desk().payments(fatima.phone, 1);
    const { reference = '' } = intent?.order.kind === 'bill-payment' ? intent.order : {};
    expect(reference).toMatch(/^\d{12}$/);
    await world.recording.recorder.drain();
    expect((await desk().payment(reference))?.id).toBe(intent?.id);
  });
});
