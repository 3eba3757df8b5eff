import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { enqueue, type Outgoing } from './session.ts';
import { type Loaded, mayRead, type Sessions } from './sessions.ts';

/** How long it is remembered that a customer was told something. */
const TOLD_MS = 7 * 24 * 3_600_000;

export interface TellDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  /** Called with each session that has news in its outbox. */
  readonly pushed: (loaded: Loaded) => void;
  readonly now: () => number;
}

/** News for whoever may read about a wallet. `name` says what it is about: each address is told of that once. */
export interface News {
  readonly name: string;
  readonly message: Omit<Outgoing, 'tries' | 'tryAt'>;
}

/** Tells a customer something wherever they can be reached: once at each address, however often it is called. */
export async function tellWallet(deps: TellDeps, wallet: Msisdn, news: News): Promise<void> {
  const { sessions, pushed } = deps;
  for (const { address } of await sessions.everywhere(wallet)) {
    const after = await tellOnce(deps, wallet, news, address);
    if (after) pushed(after);
  }
}

function tellOnce(
  { store, sessions, now }: TellDeps,
  wallet: Msisdn,
  { name, message }: News,
  address: Address,
): Promise<Loaded | undefined> {
  const partition = partitionOf(wallet);
  const key = `told:${name}:${address}`;
  return sessions.update(address, now, async ({ session }) => {
    const [done] = await store.read(partition, [key]);
    if (done || !mayRead({ address, session }, wallet, now())) return undefined;
    const marker = { key, version: 0, value: '1', keepUntil: now() + TOLD_MS };
    const next = enqueue(session, { ...message, tries: 0, tryAt: now() });
    return { session: next, writes: [marker], durable: true };
  });
}
