import { describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/conversation/incoming.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import { type Customer, DAY_MS, LOST, loses, MINUTE_MS, STORES, theWorld } from '../../kit/world.ts';

const RECIPIENT = '0655000000';

const pays = (customer: Customer) => customer.chooses('transfer').says(RECIPIENT).says('100').enters();
const leaves = (customer: Customer) =>
  customer.chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');

/** Another number whose wallet lives in the same partition. */
function neighbourOf(phone: Msisdn): Msisdn {
  for (let i = 0; ; i++) {
    const other = msisdn(`+2127${String(i).padStart(8, '0')}`);
    if (partitionOf(other) === partitionOf(phone)) return other;
  }
}

describe.each(STORES)('a chat that has been left, on %s', (store) => {
  const world = theWorld({ store });

  test('does not hear the outcome of its last payment, but the paying number does', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().meanwhile(() => world.wallet.next('transfer', loses));
    await pays(fatima).sees('transfer.notConfirmed').goes('menu');
    await leaves(fatima);
    await fatima.after(MINUTE_MS).hearsNothing();
    expect(world.sms(fatima.phone)).toHaveLength(2);
    await world.dialer(fatima).isAtMenu().isTold('transfer.done', { amount: 10_000 });
  });

  test('of another wallet in the same partition hears nothing of the one before', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().meanwhile(() => forget(fatima));
    const neighbour = world.customer({ phone: neighbourOf(fatima.phone) });
    await fatima.opens().says(neighbour.phone).sees('linking.askCode');
    const code = /\d{3}-\d{3}/.exec(world.sms(neighbour.phone).at(-1) ?? '')?.[0] ?? '';
    await fatima.says(code).sees('unlocking.askPin', { phone: neighbour.phone }).enters().sees('menu.choose');

    const dialer = world.dialer(fatima);
    await dialer.isAtMenu().meanwhile(() => world.wallet.next('transfer', loses));
    await pays(dialer).sees('transfer.notConfirmed');
    await fatima.goes('menu').isToldNothing();
    await world.customer().isAtMenu().chooses('transfer').says(fatima.phone).says('7').enters();
    await world.chatOf(fatima).isAtMenu();
    await fatima.after(MINUTE_MS).hearsNothing();
    await dialer.dials().isTold('transfer.done').isTold('received.from');
  });

  /** Deletes a session, as the store does after three months without use. */
  async function forget({ phone, address }: Customer): Promise<void> {
    const key = `session:${address}`;
    const [doc] = await world.store.read(partitionOf(phone), [key]);
    await world.store.commit(partitionOf(phone), {
      writes: [{ key, version: doc?.version ?? 0, value: null }],
    });
  }
});

describe('a chat unused for a month', () => {
  const world = theWorld();

  /** Somebody who holds such a chat, while its number has just paid with an outcome that nobody knows. */
  async function idle() {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().after(31 * DAY_MS);
    const dialer = world.dialer(fatima);
    await dialer.isAtMenu().meanwhile(() => world.wallet.next('transfer', LOST));
    await pays(dialer).sees('transfer.notConfirmed');
    return { fatima };
  }
  const receive = (fatima: Customer, incoming: Partial<Incoming>, deadlineMs = 20_000) =>
    world.engine.receive(
      { address: fatima.address, id: `input-${Math.random()}`, inputs: [{ type: 'opened' }], ...incoming },
      deadlineMs,
    );

  test('reads nothing of the wallet from a button of an old screen', async () => {
    const { fatima } = await idle();
    const { screen } = await receive(fatima, {
      screenId: 1,
      inputs: [{ type: 'chose', choice: 'transfer' }],
    });
    expect([screen.key, screen.first]).toEqual(['unlocking.askPin', undefined]);
  });

  test('reads nothing of the wallet when the turn takes too long', async () => {
    const { fatima } = await idle();
    const never = Promise.withResolvers<never>();
    world.wallet.next('customerStatus', () => never.promise);
    const { screen } = await receive(fatima, {}, 300);
    never.reject(new Error('over'));
    expect([screen.key, screen.first]).toEqual(['nav.slow', undefined]);
  });

  test('fetches no receipt', async () => {
    const { fatima } = await idle();
    const asked: unknown[] = [];
    world.wallet.next('billReceipt', async (ask) => {
      asked.push('asked');
      return ask();
    });
    expect(
      await world.engine.document(fatima.address, { kind: 'bill-receipt', operationId: 17 }),
    ).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
