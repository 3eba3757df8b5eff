import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Entry, ownerOf } from '../session/book.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import type { Intent } from './intent.ts';
import type { Outcomes } from './outcomes.ts';
import type { Reconciliation } from './reconcile.ts';

/**
 * Looks for a wallet's open payments, and finds the one that an operation belongs to, for an event without a request
 * id. `isOpen`: the operation belongs to none of them, and some that are still open have no operation yet.
 */
export async function paymentOf(
  {
    store,
    outcomes,
    reconciliation,
  }: {
    readonly store: Store;
    readonly outcomes: Pick<Outcomes, 'intentOf'>;
    readonly reconciliation: Pick<Reconciliation, 'reconcile'>;
  },
  wallet: Msisdn,
  operationId: number,
): Promise<{ intent?: Intent | undefined; isOpen?: boolean }> {
  const book = async () => {
    const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
    return walletStateOf(doc).value;
  };
  const before = await book();
  const open = before.entries.filter(({ state }) => state === 'open');
  if (ownerOf(before, operationId) === undefined)
    for (const { id } of open) await reconciliation.reconcile(id);
  const after = await book();
  const id = ownerOf(after, operationId);
  // One that has its own operation, such as a bank transfer for two days, is not about another one.
  const mayBeIts = ({ state, operationId: own }: Entry) => state === 'open' && own === undefined;
  if (id === undefined) return { isOpen: after.entries.some(mayBeIts) };
  return { intent: await outcomes.intentOf(id) };
}
