import { partitionOf } from '../store/partition.ts';
import type { Doc, Store, Write } from '../store/store.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Address } from './incoming.ts';
import type { Session } from './session.ts';
import type { Loaded } from './sessions.ts';

/** How many chats one wallet can be linked to; the oldest gives way. */
const LINKED_MAX = 10;

/** What belongs to a wallet as such: the chats that may be told about its money. */
interface WalletDoc {
  readonly linked: readonly Address[];
}

export function walletKey(wallet: Msisdn): string {
  return `wallet:${wallet}`;
}

/** Every address where a wallet's customer can be told something, chats first. */
export async function addressesOf(store: Store, wallet: Msisdn): Promise<Address[]> {
  const [doc] = await store.read(partitionOf(wallet), [walletKey(wallet)]);
  return [...read(doc).linked, `ussd:${wallet}`];
}

/** The write that adds a chat to its wallet, in the commit that has just linked it; undefined in every other one. */
export async function linkWrite(store: Store, before: Loaded, session: Session): Promise<Write | undefined> {
  const { wallet } = session;
  if (!session.linked || before.session.linked || !wallet) return undefined;
  const key = walletKey(wallet);
  const [doc] = await store.read(before.partition, [key]);
  const others = read(doc).linked.filter((address) => address !== before.address);
  const after: WalletDoc = { linked: [...others, before.address].slice(-LINKED_MAX) };
  return { key, version: doc?.version ?? 0, value: JSON.stringify(after) };
}

function read(doc: Doc | undefined): WalletDoc {
  return doc ? (JSON.parse(doc.value) as WalletDoc) : { linked: [] };
}
