import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import type { Operation } from '../../src/wallet/wallet.ts';
import { type Customer, STORES, theWorld } from '../kit/world.ts';
import { merchantIn } from '../machines/merchant-orders.ts';

const FOREIGN = 'of another application';
/** An operation is open for longer than a machine stands still. */
const SETTLES_MS = 3_000;

type Store = (typeof STORES)[number];
type Paid = Awaited<ReturnType<ReturnType<typeof aPayment>['paid']>>;

/** A payment of which the test sends the webhook. */
function aPayment(store: Store) {
  const world = theWorld({ store, settings: { settleAfterMs: SETTLES_MS } });

  /** Three linked customers, and 100 DH from the first to the second. The test sends the webhook itself. */
  async function paid() {
    const [fatima, youssef, salma] = [1, 2, 3].map(() => world.customer({ channel: 'web' })) as [
      Customer,
      Customer,
      Customer,
    ];
    for (const each of [fatima, youssef, salma]) await each.isAtMenu();
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    await fatima.chooses('transfer').says(youssef.phone).says('100').enters();
    const executed = world.sandbox.executions().find(({ sender }) => sender === fatima.phone);
    const { operationId = 0, requestId = '' } = executed ?? {};
    const truth = {
      EventId: 'transfer.received',
      WebhookId: 'the truth',
      CRequestId: requestId,
      OperationId: operationId,
      OperationType: 3,
      OperationStatus: 2,
      CreatedAt: new Date(world.clock.now()).toISOString(),
      ExecutedAt: new Date(world.clock.now()).toISOString(),
      Amount: 100,
      FeeAmount: 2,
      PrimaryAccountNumber: fatima.phone,
      SecondaryAccountNumber: youssef.phone,
    };
    return { fatima, youssef, salma, truth };
  }

  async function comes(event: object): Promise<void> {
    const body = JSON.stringify({ data: { ...event, WebhookId: randomUUID() } });
    const headers = { 'x-api-key': world.webhookKey };
    expect((await fetch(world.webhookUrl, { method: 'POST', body, headers })).status).toBe(200);
    await world.rests();
  }

  /** The notices of money received that wait for a customer. */
  const received = async ({ address }: Customer) =>
    (await world.engine.waiting(address)).filter(({ screen }) => screen.key.startsWith('received.'));
  /** The wallet's next answer about the operation, as it shows it to this customer, with something else in it. */
  const shows = (to: Customer, operationId: number, more: Partial<Operation>) =>
    world.wallet.next('operation', async () => {
      const answer = await world.api.operation(to.phone, operationId);
      return answer.kind === 'ok' ? { ...answer, value: { ...answer.value, ...more } } : answer;
    });
  return { world, paid, comes, received, shows };
}

/** The body of a webhook is a hint. The recipient, the amount and the sender are read from the wallet. */
describe.each(STORES)('a webhook whose body is not what the wallet says, on %s', (store) => {
  const { world, paid, comes, received, shows } = aPayment(store);

  test('comes again after its customer has another address: nobody hears of the payment twice', async () => {
    const { youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    await comes(truth);
    await youssef.hears('received.from', { amount: 10_000 });
    const handset = world.dialer(youssef);
    await handset.dials();
    const before = world.sms(youssef.phone);
    for (let i = 0; i < 2; i++) await comes(truth);
    await handset.hearsNothing();
    await youssef.hearsNothing();
    expect(world.sms(youssef.phone)).toEqual(before);
  });

  test('lies about the amount and the sender: the recipient hears the wallet’s answer', async () => {
    const { fatima, youssef, salma, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    await comes({ ...truth, Amount: 99_999, PrimaryAccountNumber: salma.phone });
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone });
    await fatima.hears('transfer.done', { amount: 10_000 });
    await comes(truth);
    await youssef.hearsNothing();
    await fatima.hearsNothing();
  });

  test.each<[string, (paid: Paid) => object]>([
    ['a third wallet as the recipient', ({ salma }) => ({ SecondaryAccountNumber: salma.phone })],
    [
      'a third wallet, to which the wallet shows everything',
      ({ salma, youssef, truth }) => {
        shows(youssef, truth.OperationId, {});
        return { SecondaryAccountNumber: salma.phone, CRequestId: FOREIGN };
      },
    ],
    [
      'the payer as the recipient',
      ({ fatima }) => ({ SecondaryAccountNumber: fatima.phone, CRequestId: FOREIGN }),
    ],
    [
      'the payer as the recipient, where the wallet names no number',
      ({ fatima, truth }) => {
        shows(fatima, truth.OperationId, { receiver: 'account 7' });
        return { SecondaryAccountNumber: fatima.phone, CRequestId: FOREIGN };
      },
    ],
    ['another kind of event', () => ({ EventId: 'payment.received' })],
  ])('names %s: nobody hears of it, until the true webhook tells the recipient', async (_, lie) => {
    const here = await paid();
    const { fatima, youssef, salma, truth } = here;
    await world.passes(SETTLES_MS + 500);
    await comes({ ...truth, ...lie(here) });
    for (const each of [fatima, youssef, salma]) expect(await received(each)).toEqual([]);
    await comes(truth);
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone }).hearsNothing();
    for (const each of [fatima, salma]) expect(await received(each)).toEqual([]);
  });

  test.each<[string, object]>([
    ['CRequestId: null', { CRequestId: null }],
    ['CRequestId: absent', { CRequestId: undefined }],
    ['CRequestId: a number', { CRequestId: 7 }],
    ['FeeAmount: null', { FeeAmount: null }],
    ['FeeAmount: absent', { FeeAmount: undefined }],
    ['FeeAmount: dust', { FeeAmount: 1.4e-14 }],
    ['Amount: words', { Amount: 'cent' }],
    ['OperationStatus: 7', { OperationStatus: 7 }],
    ['OperationType: words', { OperationType: 'TRANSFER' }],
    ['ExecutedAt: null', { ExecutedAt: null }],
    ['CreatedAt: absent', { CreatedAt: undefined }],
    ['TransactionId: words', { TransactionId: 'T-1' }],
    ['Method: a number', { Method: 3 }],
    ['PrimaryAccountNumber: null', { PrimaryAccountNumber: null }],
    ['OperationId: in words', { OperationId: '7' }],
    [
      'everything but who, what and which',
      { CRequestId: null, FeeAmount: null, Amount: null, ExecutedAt: '' },
    ],
  ])('is odd (%s): the operation is read, and both sides hear of it once', async (_case, odd) => {
    const { fatima, youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    const stuckBefore = (await world.inbox.stuck()).length;
    await comes({
      ...truth,
      ...odd,
      ...('OperationId' in odd && { OperationId: String(truth.OperationId) }),
    });
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone });
    await fatima.hears('transfer.done', { amount: 10_000 });
    expect(await world.inbox.stuck()).toHaveLength(stuckBefore);
    await comes(truth);
    await youssef.hearsNothing();
    await fatima.hearsNothing();
  });
});

describe.each(STORES)('a webhook that leaves something out, on %s', (store) => {
  const { world, paid, comes, received, shows } = aPayment(store);

  test('names no operation: its payment is looked up, and its sender hears of it', async () => {
    const { fatima, youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    await comes({ ...truth, OperationId: null });
    await fatima.hears('transfer.done', { amount: 10_000 });
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone });
  });

  test.each<[string, object]>([
    ['its kind', { EventId: null }],
    ['any number', { CRequestId: null, OperationId: null, PrimaryAccountNumber: null }],
  ])('does not say %s: it is kept for a person', async (_case, odd) => {
    const { truth } = await paid();
    const before = await world.inbox.stuck();
    await comes({ ...truth, ...odd });
    expect(await world.inbox.stuck()).toHaveLength(before.length + 1);
  });

  test('names a receiver by an account: its owner hears of it', async () => {
    const { fatima, youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    shows(youssef, truth.OperationId, { receiver: 'account 7' });
    await comes({ ...truth, CRequestId: FOREIGN });
    await youssef.hears('received.from', { amount: 10_000, from: fatima.phone }).hearsNothing();
  });

  test('is of another application’s card payment: nobody hears of it, and nothing is kept', async () => {
    const { fatima, youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    const before = (await world.inbox.stuck()).length;
    await comes({ ...truth, EventId: 'payment.card.authorized', CRequestId: FOREIGN });
    for (const each of [fatima, youssef]) expect(await received(each)).toEqual([]);
    await fatima.hearsNothing();
    expect(await world.inbox.stuck()).toHaveLength(before);
  });

  test('is of a wallet elsewhere: nothing is kept', async () => {
    const { truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    const before = (await world.inbox.stuck()).length;
    await comes({ ...truth, SecondaryAccountNumber: '+212655000000' });
    expect(await world.inbox.stuck()).toHaveLength(before);
  });

  test('is kept for a person when the wallet contradicts it', async () => {
    const { fatima, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    const before = (await world.inbox.stuck()).length;
    await comes({ ...truth, SecondaryAccountNumber: fatima.phone, CRequestId: FOREIGN });
    const stuck = await world.inbox.stuck();
    expect(stuck).toHaveLength(before + 1);
    expect(stuck.at(-1)).toMatchObject({ state: 'kept', tries: 1 });
  });
});

describe.each(STORES)('a webhook of a payment that is open or undone, on %s', (store) => {
  const { world, paid, comes, received, shows } = aPayment(store);

  test.each([
    ['ours', {}],
    ['another application’s', { CRequestId: FOREIGN }],
  ])('comes while the operation is open (%s): the recipient hears of it when it is done', async (_, of) => {
    const { youssef, truth } = await paid();
    await comes({ ...truth, ...of });
    await youssef.hearsNothing();
    await youssef.after(20_000).hears('received.from', { amount: 10_000 }).hearsNothing();
  });

  test.each([
    ['executeTransfer', 'transfer', 'received.from'],
    ['executeMerchantPayment', 'merchant-payment', 'received.payment'],
  ] as const)(
    'says that %s was undone seconds later: both sides read both events once',
    async (operation, kind, heard) => {
      const fatima = world.customer({ channel: 'web', balance: '500' });
      const shop = kind === 'transfer' ? world.customer({ channel: 'web' }) : merchantIn(world);
      await shop.isAtMenu();
      world.sandbox.faults.set({ name: 'reversal', operation, count: 1 });
      await fatima.isAtMenu().says(`/${kind} ${shop.phone} 50`).enters();
      await fatima.after(SETTLES_MS + 1_000).hears(`${kind}.done`);
      await shop.hears(heard, { amount: 5_000 }).hearsNothing();
      await fatima.after(6_000).hears(`${kind}.reversed`).hearsNothing();
      await shop.hears('received.undone', { amount: 5_000 }).hearsNothing();
      await shop.after(10 * 60_000).hearsNothing();
    },
  );

  test('says that a payment was undone before the next dial: the dial shows only that', async () => {
    const fatima = world.customer({ balance: '500' });
    const youssef = world.customer();
    await youssef.isAtMenu();
    world.sandbox.faults.set({ name: 'reversal', operation: 'executeTransfer', count: 1 });
    await fatima.isAtMenu().says(`/transfer ${youssef.phone} 50`).enters();
    await world.passes(SETTLES_MS + 1_000);
    await youssef.after(6_000).dials().isTold('received.undone', { amount: 5_000 });
    expect(youssef.reply().missed.map(({ screen }) => screen.key)).toEqual(['received.undone']);
  });

  test('says that a payment was undone before anybody heard of it: nobody hears of it', async () => {
    const { youssef, truth } = await paid();
    await world.passes(SETTLES_MS + 500);
    shows(youssef, truth.OperationId, { status: 4 });
    await comes({ ...truth, OperationStatus: 4, CRequestId: FOREIGN });
    expect(await received(youssef)).toEqual([]);
    // The webhook of the payment may come after the one that undoes it.
    await comes(truth);
    expect(await received(youssef)).toEqual([]);
  });
});

describe.each(STORES)('a payment that was made outside Wasl, on %s', (store) => {
  const world = theWorld({ store, settings: { settleAfterMs: SETTLES_MS } });
  /** Pays by another application, without a fee. */
  const paysElsewhere = async (from: Customer, to: Customer, amount = 10_000) => {
    const order = { from: from.phone, to: to.phone, amount, reason: 'x' };
    const paid = await world.api.transfer(order as never, { requestId: randomUUID() });
    expect(paid).toMatchObject({ kind: 'ok' });
    return paid.kind === 'ok' ? (paid.value.operationId ?? 0) : 0;
  };
  /** Two customers in chats. */
  const two = async () => {
    const fatima = world.customer({ channel: 'web', balance: '500' });
    const youssef = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await youssef.isAtMenu();
    return { fatima, youssef };
  };

  test('is told to its payer once, as a debit, and to its recipient', async () => {
    const { fatima, youssef } = await two();
    await paysElsewhere(fatima, youssef);
    await fatima.after(SETTLES_MS + 1_000).hears('pay.debited', { total: 10_000 });
    await youssef.hears('received.from', { amount: 10_000 });
    await fatima.after(10 * 60_000).hearsNothing();
    await youssef.hearsNothing();
  });

  test.each([
    ['at once beside one that stays open as its own operation', MAGIC.staysOpen, 2],
    ['within two hours beside one that was never found', MAGIC.resetBefore, 120],
  ])('is told %s', async (_, to, minutes) => {
    const { fatima, youssef } = await two();
    await fatima.chooses('transfer').says(to).says('50').enters();
    await world.passes(60_000);
    await paysElsewhere(fatima, youssef);
    for (let i = 0; i < minutes; i += 10) await world.passes(Math.min(minutes, 10) * 60_000);
    const heard = await world.engine.waiting(fatima.address);
    expect(heard.filter(({ screen }) => screen.key === 'pay.debited')).toHaveLength(1);
  });

  test('is told within two hours also where its webhook names no request', async () => {
    const { fatima, youssef } = await two();
    await fatima.chooses('transfer').says(MAGIC.resetBefore).says('50').enters();
    await world.passes(60_000);
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    const OperationId = await paysElsewhere(fatima, youssef);
    await world.passes(SETTLES_MS + 1_000);
    const event = { EventId: 'transfer.received', WebhookId: randomUUID(), CRequestId: '', OperationId };
    const data = { ...event, PrimaryAccountNumber: fatima.phone, SecondaryAccountNumber: youssef.phone };
    const headers = { 'x-api-key': world.webhookKey };
    await fetch(world.webhookUrl, { method: 'POST', body: JSON.stringify({ data }), headers });
    for (let i = 0; i < 12; i++) await world.passes(10 * 60_000);
    const heard = await world.engine.waiting(fatima.address);
    expect(heard.filter(({ screen }) => screen.key === 'pay.debited')).toHaveLength(1);
  });

  test('begins the next dial of a payer on USSD', async () => {
    const { youssef } = await two();
    const fatima = world.customer({ balance: '500' });
    await fatima.isAtMenu();
    await paysElsewhere(fatima, youssef);
    await world.passes(SETTLES_MS + 1_000);
    await fatima.dials().isTold('pay.debited', { total: 10_000 });
  });

  test('and undone: its payer reads that the money is back', async () => {
    const { fatima, youssef } = await two();
    world.sandbox.faults.set({ name: 'reversal', operation: 'executeTransfer', count: 1 });
    await paysElsewhere(fatima, youssef);
    await fatima.after(SETTLES_MS + 1_000).hears('pay.debited', { total: 10_000 });
    await fatima.after(6_000).hears('pay.debitUndone', { amount: 10_000 }).hearsNothing();
  });

  test('beside a payment by Wasl: each is told as what it is', async () => {
    const { fatima, youssef } = await two();
    await fatima.chooses('transfer').says(youssef.phone).says('100').enters();
    await paysElsewhere(fatima, youssef, 5_000);
    await world.passes(SETTLES_MS + 1_000);
    await world.passes(60_000);
    const heard = await world.engine.waiting(fatima.address);
    expect(heard.map(({ screen }) => screen.key).toSorted()).toEqual(['pay.debited', 'transfer.done']);
  });
});
