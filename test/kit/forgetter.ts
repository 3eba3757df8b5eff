import { intentKey } from '../../src/conversation/intents/intent.ts';
import type { Book } from '../../src/conversation/session/book.ts';
import { sessionKey } from '../../src/conversation/session/sessions.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../src/store/partition.ts';
import type { Customer } from './customer.ts';
import type { World } from './world.ts';

/**
 * A failover: the store goes back to what it has of a customer's session now, without the payment that is claimed since.
 * @returns what makes it forget
 */
export async function forgetter(world: World, { phone, address }: Customer): Promise<() => Promise<void>> {
  const partition = partitionOf(phone);
  const [before] = await world.store.read(partition, [sessionKey(address)]);
  if (!before) throw new Error('there is no session');
  return async () => {
    const [{ id } = { id: undefined }] = await world.engine.desk.payments(phone, 1);
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
    if (!(await world.store.commit(partition, { writes }))) throw new Error('somebody was faster');
  };
}

/** Has the store go back to where a customer's PIN was being checked, once the wallet has their next transfer. */
export function forgetsSinceLogin(world: World, customer: Customer): void {
  let forget = async () => {};
  world.wallet.next('login', async (ask) => {
    forget = await forgetter(world, customer);
    return ask();
  });
  world.wallet.next('transfer', async (ask) => {
    const answer = await ask();
    await forget();
    return answer;
  });
}
