import type { Sentence } from '../../../machines/kit/screen.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, numberOf, ownAddress } from '../channel.ts';
import { withLink } from './safety.ts';
import { enqueue, type Session, sessionCodec } from './session.ts';
import { type LoadedSession, sessionKey, sessionWrite, unlinked, withoutWallet } from './sessions.ts';
import type { About } from './state-of.ts';
import { forgetVouchers } from './voucher-codes.ts';
import { type WalletDoc, walletCodec, walletKey } from './wallet-doc.ts';

/** The number of chats that one wallet can be linked to. Above it the oldest one is unlinked. */
const LINKED_MAX = 10;

export async function chatsOf(store: Store, wallet: Msisdn): Promise<readonly Address[]> {
  const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  return walletCodec.read(doc)?.linked ?? [];
}

/** Every address where a wallet's customer can read something, chats first. */
export async function addressesOf(store: Store, wallet: Msisdn): Promise<Address[]> {
  return [...(await chatsOf(store, wallet)), ownAddress(wallet)];
}

/**
 * The other documents to write in the commit that links a chat to its wallet, unlinks it, or closes the wallet. Closing
 * resets every other address in the same commit. So no old chat is in the wallet that the number is given next.
 * @param doc the wallet's document as the commit leaves it otherwise
 */
export async function linkChanges(
  store: Store,
  before: LoadedSession,
  session: Session,
  doc: WalletDoc,
  now: number,
) {
  const { wallet } = session;
  const { linked = [] } = doc;
  const unchanged = { wallet: doc, writes: [] };
  const isLost = isAnothers(doc, before.wallet.value);
  const owned = wallet ?? before.session.wallet;
  if (owned && (isLost || (isClosed(session) && !isClosed(before.session)))) {
    const unlinks = await unlinkWrites(store, before, { wallet: owned, linked, isLost });
    const codes = await forgetVouchers(store, owned, doc);
    return { wallet: forgotten(doc), writes: [...unlinks, ...codes] };
  }
  if (!wallet) {
    const isLeft = before.session.linked && linked.includes(before.address);
    const left = { ...doc, linked: linked.filter((address) => address !== before.address) };
    return isLeft ? { wallet: left, writes: [] } : unchanged;
  }
  if (!session.linked || before.session.linked) return unchanged;
  const others = linked.filter((address) => address !== before.address);
  const after = { ...doc, linked: [...others, before.address].slice(-LINKED_MAX) };
  if (linked.includes(before.address)) return { wallet: after, writes: [] };
  // The wallet's owner may be another person than the one who linked the chat. So they read of it, and large payments
  // wait there.
  const says = { key: 'linking.linkedElsewhere' } as const;
  const writes = await noticeWrites(store, before, { wallet, others, says, now });
  return { wallet: withLink(after, before.address, now), writes };
}

/** True once the number is known to have another wallet than the one that its data are about, or none. */
export function isAnothers({ owner }: Pick<WalletDoc, 'owner'>, before: Pick<WalletDoc, 'owner'>): boolean {
  return owner === null || (typeof before.owner === 'number' && owner !== before.owner);
}

/** True for the document of a number whose wallet was used through Wasl. */
export function hasOwner({ linked = [], safety, principal, paid, contracts, naming }: WalletDoc): boolean {
  return (
    linked.length > 0 ||
    [safety, principal, paid, contracts, naming?.provenAt].some((each) => each !== undefined)
  );
}

/** Drops the data that goes with a closed wallet: the number may be given to another person next. */
function forgotten({
  paid: _whom,
  recipients: _who,
  contracts: _whose,
  safety: _theirs,
  vouchers: _bought,
  givenBack: _returned,
  principal: _bound,
  merchant: _sold,
  kyb: _papers,
  asked: _request,
  naming: { asked = [] } = {},
  owner,
  agent,
  ...doc
}: WalletDoc): WalletDoc {
  // A stopped agent cannot come back by closing the wallet.
  return {
    ...doc,
    ...(agent?.stopped && { agent }),
    // The next owner has not typed a PIN, and closing a wallet gives nobody ten more names.
    ...(asked.length > 0 && { naming: { asked } }),
    ...(typeof owner === 'number' && { owner }),
    ...(doc.linked && { linked: [] }),
  };
}

/** The notices of this commit for the wallet's other chats: about a freeze, about its end, or from the effect's answer. */
export async function othersNotices(
  store: Store,
  before: LoadedSession,
  { safety, linked = [] }: WalletDoc,
  {
    tellsOthers,
    now,
  }: {
    readonly tellsOthers: Sentence | undefined;
    readonly now: number;
  },
): Promise<readonly Write[]> {
  const { wallet } = before.session;
  const [was, is] = [before.wallet.value.safety?.frozen, safety?.frozen];
  const hasChanged = (was === undefined) !== (is === undefined);
  const freeze = { key: is ? 'freeze.frozenElsewhere' : 'freeze.thawedElsewhere' } as const;
  const says = hasChanged ? freeze : tellsOthers;
  if (!wallet || !says) return [];
  const others = linked.filter((address) => address !== before.address);
  return noticeWrites(store, before, {
    ...{ wallet, others, says, now },
    ...(hasChanged && { about: { state: 'frozen', since: is?.at } }),
  });
}

/** A message for the wallet's other chats, in the commit of the change that it tells. */
async function noticeWrites(
  store: Store,
  { address, partition, version }: LoadedSession,
  {
    wallet,
    others,
    says,
    now,
    about: state,
  }: {
    readonly wallet: Msisdn;
    readonly others: readonly Address[];
    readonly says: Sentence;
    readonly now: number;
    readonly about?: About;
  },
): Promise<Write[]> {
  const docs = await readDocs(store, partition, others.map(sessionKey));
  return others.flatMap((other, i) => {
    const doc = docs[i];
    const theirs = sessionCodec.read(doc);
    if (!doc || !theirs?.linked || theirs.wallet !== wallet) return [];
    const screen = { ...says, expects: 'nothing' } as const;
    const id = `${says.key}-${address}-${version}`;
    const session = enqueue(theirs, {
      ...{ id, screen, money: false, tries: 0, tryAt: now },
      ...(state && { about: state }),
    });
    return [sessionWrite({ address: other, version: doc.version, session })];
  });
}

async function unlinkWrites(
  store: Store,
  { address, partition }: LoadedSession,
  {
    wallet,
    linked,
    isLost,
  }: { readonly wallet: Msisdn; readonly linked: readonly Address[]; readonly isLost: boolean },
): Promise<Write[]> {
  const addresses = [...linked, ownAddress(wallet)].filter((other) => other !== address);
  const docs = await readDocs(store, partition, addresses.map(sessionKey));
  return addresses.flatMap((other, i) => {
    const found = docs[i];
    const session = sessionCodec.read(found);
    if (!found || session?.wallet !== wallet) return [];
    return [
      sessionWrite({ address: other, version: found.version, session: putBack(session, other, isLost) }),
    ];
  });
}

/** The conversation there was about the wallet that is gone. */
function putBack(session: Session, address: Address, isLost: boolean): Session {
  const {
    conversation: _gone,
    suspended: _too,
    underway: _lost,
    intent: _done,
    keypad: _out,
    ...idle
  } = session;
  // A lost number may have another owner now. So a chat has to prove it anew before it may try a PIN.
  const isBySim = numberOf(address, session).provenBy === 'network';
  return isLost && !isBySim ? unlinked(idle) : withoutWallet(idle, address);
}

function isClosed({ conversation }: Session): boolean {
  return conversation?.ended?.closed === true;
}
