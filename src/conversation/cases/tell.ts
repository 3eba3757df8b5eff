import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { type CaseNews, carried } from './news.ts';

/** Writes news of cases down where no other commit carries it. Rejects with `StoreDown`. @param of whom it is about */
export async function tellCases(store: Store, of: Address | Msisdn, ...told: CaseNews[]): Promise<void> {
  await store.commit(partitionOf(of), { writes: [], ...carried(told), durable: true });
}
