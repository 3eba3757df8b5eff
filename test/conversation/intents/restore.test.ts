import { describe, expect, test } from 'vitest';
import { intentKey } from '../../../src/conversation/intents/intent.ts';
import type { Book } from '../../../src/conversation/session/book.ts';
import { sessionKey } from '../../../src/conversation/session/sessions.ts';
import { walletKey } from '../../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import type { Customer } from '../../kit/customer.ts';
import { LOST, UNSENT } from '../../kit/meddler.ts';
import { STORES, theWorld } from '../../kit/world.ts';
import { buys } from '../../machines/voucher-orders.ts';

const RECIPIENT = '0655000000';
const atPin = (customer: Customer) => customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');

/** A failover while the wallet is asked: the claim was acknowledged, and is gone when the answer comes. */
describe.each(STORES)('a claim that the store loses while the money is sent, on %s', (store) => {
  const world = theWorld({ store });
  const paymentsOf = ({ phone }: Customer) => world.engine.desk.payments(phone, 10);

  /** Puts back what the claim of the payment under way has changed. Called while the wallet is asked. */
  async function forgetter({ phone, address }: Customer): Promise<() => Promise<void>> {
    const partition = partitionOf(phone);
    const [before] = await world.store.read(partition, [sessionKey(address)]);
    if (!before) throw new Error('there is no session');
    return async () => {
      const { id } = (await paymentsOf({ phone } as Customer))[0] ?? {};
      if (!id) throw new Error('nothing was claimed');
      const keys = [intentKey(id), walletKey(phone), sessionKey(address)] as const;
      const [intent, book, session] = await world.store.read(partition, keys);
      if (!intent || !book || !session) throw new Error('there is nothing to forget');
      const { entries, ...rest } = JSON.parse(book.value) as Book;
      const value = JSON.stringify({ ...rest, entries: entries.filter((entry) => entry.id !== id) });
      const writes = [
        { key: keys[0], version: intent.version, value: null },
        { key: keys[1], version: book.version, value },
        { key: keys[2], version: session.version, value: before.value },
      ];
      expect(await world.store.commit(partition, { writes })).toBe(true);
    };
  }

  test.each(['ussd', 'web'] as const)(
    'its answer is lost: who is asked for the PIN again, on %s, reads first that the payment is open',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      const forget = await forgetter(fatima);
      world.wallet.next('transfer', async () => {
        await forget();
        return LOST;
      });
      await fatima
        .enters()
        .sees('transfer.askPinOpenLoop')
        .isTold('transfer.notConfirmed', { amount: 10_000 });
      const [payment] = await paymentsOf(fatima);
      expect(payment).toMatchObject({ state: 'unknown' });
      expect(payment?.audit.map(([, , why]) => typeof why === 'object' && why.kind)).toEqual([
        'quoted',
        'confirmed',
        'restored',
        'learnt',
      ]);
      await fatima.enters().sees('transfer.confirmUnconfirmed');
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    },
  );

  test('it was never sent: said so, and the next one is not held back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin);
    const forget = await forgetter(fatima);
    world.wallet.next('transfer', async () => {
      await forget();
      return UNSENT;
    });
    await fatima.enters().sees('transfer.askPinOpenLoop').hears('transfer.refused', { amount: 10_000 });
    await fatima.enters().sees('transfer.processing');
  });

  test('a voucher, of which no event ever comes: its code arrives, once', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(fatima.phone));
    const forget = await forgetter(fatima);
    world.wallet.next('buyVoucher', async (ask) => {
      const answer = await ask();
      await forget();
      return answer;
    });
    await fatima.enters().hears('voucher.done').hears('voucher.code').hearsNothing();
    expect((await paymentsOf(fatima))[0]).toMatchObject({ state: 'succeeded' });
  });
});
