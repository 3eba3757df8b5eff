import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { ownAddress } from '../channel.ts';
import type { Address, Topic } from '../incoming.ts';
import { enqueue, type Outgoing, type Session } from './session.ts';
import { type LoadedSession, mayRead, type Sessions } from './sessions.ts';

/** How long it is remembered that a customer was told something. */
const TOLD_MS = 7 * 24 * 3_600_000;

export interface TellDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly pushed: (loaded: LoadedSession) => void;
  readonly now: () => number;
  /** True where the operator pays an SMS for such a message. Absent: nowhere. */
  readonly pays?: (topic: Topic) => boolean;
}

/** A message for the customer who may read about a wallet. `name` says what it is about: each address gets one message of a name. */
export interface Announcement {
  readonly name: string;
  /**
   * The announcement that this one takes back. An address that did not get the earlier one does not get this one. The
   * earlier message is not sent where it still waits.
   */
  readonly after?: { readonly name: string; readonly message: string };
  readonly message: Omit<Outgoing, 'tries' | 'tryAt'>;
}

/**
 * Tells a customer something wherever they can be reached: once at each address, however often it is called. Once all
 * addresses have the message, an address that becomes known later does not get it. A customer who reads twice of the
 * same money may pay twice.
 */
export async function tellWallet(deps: TellDeps, wallet: Msisdn, announcement: Announcement): Promise<void> {
  const { sessions, pushed, pays } = deps;
  const { topic } = announcement.message;
  const found = (await sessions.everywhere(wallet)).map(({ address }) => address);
  // Nobody was ever here from this wallet: its number hears of money by SMS, where the operator pays for that.
  const isNew = found.length === 0 && topic === 'received' && pays?.(topic) === true;
  const addresses = isNew ? [ownAddress(wallet)] : found;
  for (const address of addresses) {
    const after = await tellOnce(deps, wallet, announcement, address, address === addresses.at(-1));
    if (after) pushed(after);
  }
}

/** @param isLast remembers with it that all addresses were told; if a process dies before, the next call tells the others */
function tellOnce(
  { store, sessions, now }: TellDeps,
  wallet: Msisdn,
  { name, after, message }: Announcement,
  address: Address,
  isLast: boolean,
): Promise<LoadedSession | undefined> {
  const partition = partitionOf(wallet);
  const everywhere = `told:${name}`;
  const here = `${everywhere}:${address}`;
  return sessions.update(address, now, async ({ session }) => {
    const sent = await store.read(partition, [everywhere, here]);
    if (sent.some(Boolean) || !mayRead({ address, session }, wallet, now())) return undefined;
    const keepUntil = now() + TOLD_MS;
    const written = (key: string) => ({ key, version: 0, value: '1', keepUntil });
    const before = `told:${after?.name}:${address}`;
    const isSaid = after === undefined || (await store.read(partition, [before])).some(Boolean);
    // The message that this one takes back may be on its way from another process. It is not sent after this.
    if (!isSaid) return { session, writes: [written(before)], durable: true };
    const writes = (isLast ? [here, everywhere] : [here]).map(written);
    const next = enqueue(without(session, after?.message), { ...message, tries: 0, tryAt: now() });
    return { session: next, writes, durable: true };
  });
}

function without({ outbox = [], ...session }: Session, message: string | undefined): Session {
  const left = outbox.filter(({ id, shown }) => id !== message || shown);
  return left.length > 0 ? { ...session, outbox: left } : session;
}
