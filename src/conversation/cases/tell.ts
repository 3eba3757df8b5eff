import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { type CaseUpdate, carried } from './update.ts';

/** Writes updates of cases down where no other commit carries them. Rejects with `StoreDown`. @param of whom it is about */
export async function tellCases(store: Store, of: Address | Msisdn, ...told: CaseUpdate[]): Promise<void> {
  await store.commit(partitionOf(of), { writes: [], ...carried(told), durable: true });
}
