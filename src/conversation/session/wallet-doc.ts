import { partitionOf } from '../../store/partition.ts';
import type { Doc, Store, Write } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, ownAddress } from '../channel.ts';
import { enqueue, type Session } from './session.ts';
import { type Loaded, sessionKey, sessionWrite, withoutWallet } from './sessions.ts';

/** How many chats one wallet can be linked to; the oldest gives way. */
const LINKED_MAX = 10;

/** What belongs to a wallet as such: the chats that may be told about its money. */
interface WalletDoc {
  readonly linked: readonly Address[];
}

function walletKey(wallet: Msisdn): string {
  return `wallet:${wallet}`;
}

/** Every address where a wallet's customer can be told something, chats first. */
export async function addressesOf(store: Store, wallet: Msisdn): Promise<Address[]> {
  const [doc] = await store.read(partitionOf(wallet), [walletKey(wallet)]);
  return [...read(doc).linked, ownAddress(wallet)];
}

/**
 * What else is written in the commit that links a chat to its wallet, unlinks it, or closes the wallet: then every other address
 * is put back in the same commit, so that no chat of before stands in a wallet that the number is given next.
 */
export async function linkWrites(
  store: Store,
  before: Loaded,
  session: Session,
  now: number,
): Promise<Write[]> {
  const { wallet } = session;
  if (!wallet) return before.session.linked ? leaveWrites(store, before) : [];
  if (isClosed(session) && !isClosed(before.session)) return unlinkWrites(store, before, wallet);
  if (!session.linked || before.session.linked) return [];
  const key = walletKey(wallet);
  const [doc] = await store.read(before.partition, [key]);
  const { linked } = read(doc);
  const others = linked.filter((address) => address !== before.address);
  const after: WalletDoc = { linked: [...others, before.address].slice(-LINKED_MAX) };
  const told = linked.includes(before.address) ? [] : await tellWrites(store, before, others, now);
  return [...told, { key, version: doc?.version ?? 0, value: JSON.stringify(after) }];
}

/** A new chat is told to the wallet's other ones, in the commit that links it: its owner may not be who linked it. */
async function tellWrites(
  store: Store,
  { address, partition, version }: Loaded,
  others: readonly Address[],
  now: number,
): Promise<Write[]> {
  const docs = await store.read(partition, others.map(sessionKey));
  return docs.flatMap((doc, i) => {
    const other = others[i];
    const session = doc && (JSON.parse(doc.value) as Session);
    if (!doc || !other || !session?.linked) return [];
    const screen = { key: 'linking.linkedElsewhere', expects: 'nothing' } as const;
    const id = `linked-${address}-${version}`;
    const next = enqueue(session, { id, screen, money: false, tries: 0, tryAt: now });
    return [sessionWrite({ address: other, version: doc.version, session: next })];
  });
}

/** A chat that its customer unlinks is told nothing of the wallet any more. */
async function leaveWrites(store: Store, { address, partition, session }: Loaded): Promise<Write[]> {
  if (!session.wallet) return [];
  const key = walletKey(session.wallet);
  const [doc] = await store.read(partition, [key]);
  const after: WalletDoc = { linked: read(doc).linked.filter((other) => other !== address) };
  return doc ? [{ key, version: doc.version, value: JSON.stringify(after) }] : [];
}

async function unlinkWrites(store: Store, { address, partition }: Loaded, wallet: Msisdn): Promise<Write[]> {
  const key = walletKey(wallet);
  const [doc] = await store.read(partition, [key]);
  const addresses = [...read(doc).linked, ownAddress(wallet)].filter((other) => other !== address);
  const docs = await store.read(partition, addresses.map(sessionKey));
  const others = docs.flatMap((found, i) => {
    const other = addresses[i];
    if (!found || !other) return [];
    const session = putBack(JSON.parse(found.value) as Session, other);
    return [sessionWrite({ address: other, version: found.version, session })];
  });
  const none: WalletDoc = { linked: [] };
  return doc ? [...others, { key, version: doc.version, value: JSON.stringify(none) }] : others;
}

/** Whatever the customer was about there was about the wallet that is gone. */
function putBack(session: Session, address: Address): Session {
  const {
    conversation: _gone,
    suspended: _too,
    underway: _lost,
    intent: _done,
    keypad: _out,
    ...idle
  } = session;
  return withoutWallet(idle, address);
}

function isClosed({ conversation }: Session): boolean {
  return conversation?.ended?.closed === true;
}

function read(doc: Doc | undefined): WalletDoc {
  return doc ? (JSON.parse(doc.value) as WalletDoc) : { linked: [] };
}
