import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Intent, intentKey } from '../../../src/conversation/intents/intent.ts';
import { newRef } from '../../../src/conversation/record/ref.ts';
import type { Book } from '../../../src/conversation/session/book.ts';
import { walletKey } from '../../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { textOf } from '../../kit/turn-text.ts';
import { type Customer, STORES, theWorld } from '../../kit/world.ts';
import { ordersWater } from '../../machines/bill-orders.ts';

const pays = (to: string) => (customer: Customer) =>
  customer.chooses('transfer').says(to).says('100').enters().sees('transfer.processing');

function forgetful(store: (typeof STORES)[number]) {
  const world = theWorld({ store });
  const desk = () => world.engine.desk;
  const executed = ({ phone }: Customer) => {
    const found = world.sandbox.executions().find(({ sender }) => sender === phone);
    if (!found) throw new Error('nothing was executed');
    return found;
  };
  const paymentsOf = ({ phone }: Customer) => desk().payments(phone, 10);
  /** Takes the intent and its entry in the book out of the store, as if they had never been written. */
  async function forgets({ phone }: Customer): Promise<void> {
    const { requestId } = executed({ phone } as Customer);
    const partition = partitionOf(phone);
    const [intent, book] = await world.store.read(partition, [intentKey(requestId), walletKey(phone)]);
    if (!intent || !book) throw new Error('there is nothing to forget');
    const { entries, ...rest } = JSON.parse(book.value) as Book;
    const value = JSON.stringify({ ...rest, entries: entries.filter(({ id }) => id !== requestId) });
    const writes = [
      { key: intentKey(requestId), version: intent.version, value: null },
      { key: walletKey(phone), version: book.version, value },
    ];
    expect(await world.store.commit(partition, { writes })).toBe(true);
  }
  async function comes(event: object): Promise<void> {
    const body = JSON.stringify({ data: { ...event, WebhookId: randomUUID() } });
    const headers = { 'x-api-key': world.webhookKey };
    expect((await fetch(world.webhookUrl, { method: 'POST', body, headers })).status).toBe(200);
    await world.rests();
  }
  const eventOf = (customer: Customer) => {
    const delivery = world.sandbox.deliveries().find(({ body }) => body.includes(customer.phone));
    return JSON.parse(delivery?.body ?? '{}').data as Record<string, unknown>;
  };
  /** The webhook of a payment whose own one never comes. */
  const truthOf = (customer: Customer) => {
    const { requestId, operationId } = executed(customer);
    const at = new Date(world.clock.now()).toISOString();
    return {
      EventId: 'transfer.received',
      CRequestId: requestId,
      OperationId: operationId,
      OperationType: 3,
      OperationStatus: 2,
      CreatedAt: at,
      ExecutedAt: at,
      Amount: 100,
      FeeAmount: 2,
      PrimaryAccountNumber: customer.phone,
      SecondaryAccountNumber: '+212655000000',
    };
  };
  return { world, desk, executed, paymentsOf, forgets, comes, eventOf, truthOf };
}

/** A failover has lost the store's last writes: the payment was made, and nobody here knows of it. */
describe.each(STORES)('a payment that the store has lost, on %s', (store) => {
  const { world, desk, executed, paymentsOf, forgets, comes, eventOf } = forgetful(store);

  test('its webhook writes it down again, and its customer is told once', async () => {
    const youssef = world.customer({ channel: 'web' });
    await youssef.isAtMenu();
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays(youssef.phone));
    const before = (await paymentsOf(fatima))[0] as Intent;
    await forgets(fatima);
    expect(await paymentsOf(fatima)).toEqual([]);
    await world.passes(1_500);
    const { operationId } = executed(fatima);
    await fatima.hears('transfer.done', {
      amount: 10_000,
      fees: before.quote.fees,
      total: before.quote.total,
      to: youssef.phone,
      reference: String(operationId),
    });
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone });
    const [rebuilt] = await paymentsOf(fatima);
    expect(rebuilt).toMatchObject({ id: before.id, order: before.order, state: 'succeeded', operationId });
    await comes(eventOf(fatima));
    await fatima.hearsNothing();
    await youssef.hearsNothing();
    expect(await paymentsOf(fatima)).toHaveLength(1);
    expect((await desk().payment(before.id))?.operationId).toBe(operationId);
    const events = (await desk().turns(fatima.address, 100)).map(({ event }) => textOf(event));
    expect(events).toContain('payment rebuilt > succeeded: webhook');
  });

  test('it is told on every device, and to a customer who has moved on', async () => {
    const fatima = world.customer({ channel: 'web' });
    const tablet = world.chatOf(fatima);
    await tablet.isAtMenu();
    await fatima.isAtMenu();
    await tablet.hears('linking.linkedElsewhere');
    await fatima.walks(pays('0655000000')).says('/menu').sees('menu.choose');
    await forgets(fatima);
    await world.passes(1_500);
    for (const device of [fatima, tablet]) await device.hears('transfer.done').hearsNothing();
  });

  test('it counts against a second one like it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays('0655000000'));
    await forgets(fatima);
    await world.passes(1_500);
    await fatima.hears('transfer.done').says('/menu').chooses('transfer').says('0655000000').says('100');
    await fatima.sees('transfer.confirmAgain');
  });

  test('a failed operation is told as failed', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays('0655000000'));
    await forgets(fatima);
    const { operationId } = executed(fatima);
    world.wallet.next('operation', async (ask) => {
      const answer = await ask();
      return answer.kind === 'ok' ? { ...answer, value: { ...answer.value, status: 3 as const } } : answer;
    });
    await fatima.after(1_500).hears('transfer.failed', { reference: String(operationId) });
  });
});

describe.each(STORES)('the order of a lost payment, on %s', (store) => {
  const { world, paymentsOf, forgets, comes, truthOf } = forgetful(store);

  test('a payment to a merchant by number', async () => {
    const shop = world.customer({ channel: 'web', walletType: 'C' } as never);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').chooses('merchant').says(shop.phone).says('100').enters();
    await forgets(fatima);
    await fatima.after(1_500).hears('merchant-payment.done', { amount: 10_000, merchant: shop.phone });
  });

  test('a bill takes its details from the history of bills', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeBill', count: 1 });
    world.sandbox.faults.set({ name: 'answerLost', operation: 'executeBill', count: 1 });
    await fatima.isAtMenu().walks(ordersWater('7000001')).enters().sees('bill-payment.notConfirmed');
    const before = (await paymentsOf(fatima))[0] as Intent;
    await forgets(fatima);
    await world.passes(60_000);
    await comes({ ...truthOf(fatima), EventId: 'payment.confirmed', OperationType: 25 });
    const [rebuilt] = await paymentsOf(fatima);
    expect(rebuilt).toMatchObject({ id: before.id, state: 'succeeded' });
    const { reference, creditor } = before.order as { reference?: string; creditor?: { name: string } };
    expect(rebuilt?.order).toMatchObject({
      kind: 'bill-payment',
      reference,
      creditor: { name: creditor?.name },
    });
    await fatima.hears('bill-payment.done', { creditor: creditor?.name });
  });

  test.each<[string, (event: Record<string, unknown>, customer: Customer) => object]>([
    ['an id of another application', () => ({ CRequestId: randomUUID() })],
    ['an id that is changed', ({ CRequestId }) => ({ CRequestId: `${String(CRequestId).slice(0, -1)}x` })],
    [
      'an id of another wallet of ours',
      ({ CRequestId }) => {
        const partition = (Number.parseInt(String(CRequestId).slice(0, 2), 16) + 1) % 256;
        return { CRequestId: newRef(partition, world.secrets) };
      },
    ],
    ['another payer', () => ({ PrimaryAccountNumber: '+212655000000' })],
    ['no operation', () => ({ OperationId: 0 })],
  ])('is not invented from a webhook with %s', async (_, lie) => {
    const fatima = world.customer({ channel: 'web' });
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    await fatima.isAtMenu().walks(pays('0655000000'));
    await forgets(fatima);
    await world.passes(1_500);
    const truth = truthOf(fatima);
    await comes({ ...truth, ...lie(truth, fatima) });
    expect(await paymentsOf(fatima)).toEqual([]);
    await fatima.hearsNothing();
    await comes({ ...truth, Amount: 99_999 });
    await fatima.hears('transfer.done', { amount: 10_000 });
  });

  test('an existing payment is not rebuilt', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(pays('0655000000'));
    await fatima.after(1_500).hears('transfer.done');
    const [before] = await paymentsOf(fatima);
    const { operationId = 0, id = '' } = before ?? {};
    const trace = {
      operationId,
      requestId: id,
      event: 'transfer.received',
      payer: fatima.phone,
      webhook: { happenedAt: 0 },
    };
    expect(await world.engine.rebuild(trace)).toBe('rebuilt');
    expect(await paymentsOf(fatima)).toEqual([before]);
    await fatima.hearsNothing();
  });
});
