import { z } from 'zod';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, ownAddress } from '../channel.ts';
import { enqueue, type Session, sessionCodec } from './session.ts';
import { type Loaded, sessionKey, sessionWrite, withoutWallet } from './sessions.ts';

/** How many chats one wallet can be linked to; the oldest gives way. */
const LINKED_MAX = 10;

/** What belongs to a wallet as such: the chats that may read about its money. */
interface WalletDoc {
  readonly linked: readonly Address[];
}
const walletCodec = codec<WalletDoc>('wallet', z.object({ linked: z.array(textOf<Address>()) }));

function walletKey(wallet: Msisdn): string {
  return `wallet:${wallet}`;
}

/** Every address where a wallet's customer can read something, chats first. */
export async function addressesOf(store: Store, wallet: Msisdn): Promise<Address[]> {
  const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  return [...(walletCodec.read(doc)?.linked ?? []), ownAddress(wallet)];
}

/**
 * What else is written in the commit that links a chat to its wallet, unlinks it, or closes the wallet: then every other address
 * is put back in the same commit, so that no chat of before is in a wallet that the number is given next.
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
  const [doc] = await readDocs(store, before.partition, [walletKey(wallet)]);
  const { linked = [] } = walletCodec.read(doc) ?? {};
  const others = linked.filter((address) => address !== before.address);
  const after = { linked: [...others, before.address].slice(-LINKED_MAX) };
  const notices = linked.includes(before.address)
    ? []
    : await noticeWrites(store, before, { wallet, others, now });
  return [...notices, walletCodec.write(doc, after)];
}

/** The wallet's other chats read of a new one, in the commit that links it: its owner may not be who linked it. */
async function noticeWrites(
  store: Store,
  { address, partition, version }: Loaded,
  {
    wallet,
    others,
    now,
  }: { readonly wallet: Msisdn; readonly others: readonly Address[]; readonly now: number },
): Promise<Write[]> {
  const docs = await readDocs(store, partition, others.map(sessionKey));
  return others.flatMap((other, i) => {
    const doc = docs[i];
    const session = sessionCodec.read(doc);
    if (!doc || !session?.linked || session.wallet !== wallet) return [];
    const screen = { key: 'linking.linkedElsewhere', expects: 'nothing' } as const;
    const id = `linked-${address}-${version}`;
    const next = enqueue(session, { id, screen, money: false, tries: 0, tryAt: now });
    return [sessionWrite({ address: other, version: doc.version, session: next })];
  });
}

/** A chat that its customer unlinks reads nothing of the wallet any more. */
async function leaveWrites(store: Store, { address, partition, session }: Loaded): Promise<Write[]> {
  if (!session.wallet) return [];
  const [doc] = await readDocs(store, partition, [walletKey(session.wallet)]);
  const wallet = walletCodec.read(doc);
  return wallet
    ? [walletCodec.write(doc, { linked: wallet.linked.filter((other) => other !== address) })]
    : [];
}

async function unlinkWrites(store: Store, { address, partition }: Loaded, wallet: Msisdn): Promise<Write[]> {
  const [doc] = await readDocs(store, partition, [walletKey(wallet)]);
  const known = walletCodec.read(doc);
  const addresses = [...(known?.linked ?? []), ownAddress(wallet)].filter((other) => other !== address);
  const docs = await readDocs(store, partition, addresses.map(sessionKey));
  const others = addresses.flatMap((other, i) => {
    const found = docs[i];
    const session = sessionCodec.read(found);
    if (!found || session?.wallet !== wallet) return [];
    return [sessionWrite({ address: other, version: found.version, session: putBack(session, other) })];
  });
  return known ? [...others, walletCodec.write(doc, { linked: [] })] : others;
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
