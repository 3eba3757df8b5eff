import { partitionOf } from '../../store/partition.ts';
import type { Doc, Partition, Store, Write } from '../../store/store.ts';
import { versionAfter } from '../../store/version.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, ownWallet } from '../channel.ts';
import { DEFAULT_LANGUAGE, type Language } from '../incoming.ts';
import { type Book, bookKey, type OpenPayment, openIn } from '../intents/book.ts';
import { createRecent } from '../recent.ts';
import { LINK_IDLE_MS, newSession, nextDue, SESSION_KEPT_MS, type Session } from './session.ts';

/** A session and where it was found. `version` 0: there is none yet. */
export interface Loaded {
  readonly address: Address;
  readonly partition: Partition;
  readonly version: number;
  readonly session: Session;
  /** The payments of the session's wallet whose outcome is not known, read in the same round trip. */
  readonly open: readonly OpenPayment[];
  /** Spoken where the session has no language. */
  readonly defaultLanguage: Language;
}

/** Which wallet an address belongs to. Lives in the address's own partition. */
interface Home {
  readonly wallet: Msisdn;
}

/** How many addresses' homes a process keeps in memory. */
const HOMES_MAX = 100_000;

/** Finds sessions and says how they are written (design rule 7). */
export function createSessions(store: Store, defaultLanguage: Language = DEFAULT_LANGUAGE) {
  const homes = createRecent<Address, Msisdn>(HOMES_MAX);

  return {
    /** The session of an address, or a new one. One read, but for a moved session that this process has not met. */
    async load(address: Address, now: number): Promise<Loaded> {
      const own = ownWallet(address);
      const known = own ?? homes.get(address);
      if (known) {
        const { loaded, book } = await read(known, address);
        if (loaded) return loaded;
        if (own) {
          const session = { ...newSession(now), wallet: own, linked: true };
          return {
            address,
            partition: partitionOf(own),
            version: 0,
            session,
            open: openOf(book),
            defaultLanguage,
          };
        }
        homes.delete(address);
      }
      const partition = partitionOf(address);
      const [session, home] = await store.read(partition, [sessionKey(address), homeKey(address)]);
      if (home) {
        const { wallet } = JSON.parse(home.value) as Home;
        homes.set(address, wallet);
        const { loaded } = await read(wallet, address);
        if (loaded) return loaded;
      }
      if (session) return loadedFrom(session, { address, partition, defaultLanguage });
      return { address, partition, version: 0, session: newSession(now), open: [], defaultLanguage };
    },

    /**
     * Moves a session whose number was just proven into that wallet's partition. First the new one is written, then, in
     * one commit, the old one is deleted and the address points to the new: a crash in between leaves the old in force.
     */
    async move(from: Loaded, session: Session, wallet: Msisdn, turn: string): Promise<Loaded | undefined> {
      const { address } = from;
      const partition = partitionOf(wallet);
      const [there] = partition === from.partition ? [] : await store.read(partition, [sessionKey(address)]);
      const [home] = await store.read(partitionOf(address), [homeKey(address)]);
      const version = partition === from.partition ? from.version : (there?.version ?? 0);
      const written = sessionWrite({ address, version, session });
      const moved = { address, partition, version: written.next, session, open: [], defaultLanguage };
      if (!(await store.commit(partition, { writes: [written], turn, durable: true }))) return;
      const writes: Write[] = [
        {
          key: homeKey(address),
          version: home?.version ?? 0,
          value: JSON.stringify({ wallet } satisfies Home),
        },
      ];
      const old = { key: sessionKey(address), version: from.version, value: null };
      const isMoved = partition !== from.partition && from.version > 0;
      const isAtHome = from.partition === partitionOf(address);
      if (isMoved && isAtHome) writes.push(old);
      if (!(await store.commit(partitionOf(address), { writes, durable: true }))) return;
      homes.set(address, wallet);
      // A chat that was unlinked from another wallet lived with that one. Nothing points there any more.
      if (isMoved && !isAtHome) await store.commit(from.partition, { writes: [old] });
      return moved;
    },

    /** The sessions of some addresses of one wallet that exist. */
    async ofWallet(wallet: Msisdn, addresses: readonly Address[]): Promise<Loaded[]> {
      const partition = partitionOf(wallet);
      const [book, ...docs] = await store.read(partition, [bookKey(wallet), ...addresses.map(sessionKey)]);
      return docs.flatMap((doc, i) =>
        doc ? [loadedFrom(doc, { address: addresses[i] as Address, partition, defaultLanguage }, book)] : [],
      );
    },
  };

  /** The session of an address in its wallet's partition, and the wallet's book, in one round trip. */
  async function read(wallet: Msisdn, address: Address) {
    const partition = partitionOf(wallet);
    const [doc, book] = await store.read(partition, [sessionKey(address), bookKey(wallet)]);
    return { loaded: doc && loadedFrom(doc, { address, partition, defaultLanguage }, book), book };
  }
}

function loadedFrom(
  doc: Doc,
  at: Pick<Loaded, 'address' | 'partition' | 'defaultLanguage'>,
  book?: Doc,
): Loaded {
  const session = JSON.parse(doc.value) as Session;
  return { ...at, version: doc.version, session, open: openOf(book) };
}

function openOf(book: Doc | undefined): readonly OpenPayment[] {
  return book ? openIn(JSON.parse(book.value) as Book) : [];
}

export function sessionKey(address: Address): string {
  return `session:${address}`;
}

/** How a session is written back: with the moment it needs looking at, and until when it is kept. */
export function sessionWrite({
  address,
  version,
  session,
}: Pick<Loaded, 'address' | 'version' | 'session'>): Write & { readonly next: number } {
  return {
    key: sessionKey(address),
    version,
    next: versionAfter(version),
    value: JSON.stringify(session),
    dueAt: nextDue(session) ?? null,
    keepUntil: session.at + SESSION_KEPT_MS,
  };
}

/**
 * The session of someone whose wallet is closed. The number stays proven, and on USSD, where the SIM proves it, it is
 * still the customer's own; a chat is linked to nothing, and the terms are agreed to anew.
 */
export function withoutWallet(session: Session, address: Address): Session {
  const { linked: _was, consent: _given, ...rest } = session;
  return ownWallet(address) ? { ...rest, linked: true } : rest;
}

/** The session of a chat that its customer has unlinked: it knows no wallet. */
export function unlinked(session: Session): Session {
  const { wallet: _forgotten, linked: _was, consent: _given, without: _too, ...rest } = session;
  return rest;
}

/** A chat that was not used for so long may be somebody else's by now. On USSD the SIM proves its owner every time. */
export function linkExpired(
  session: Session,
  { address, now }: { readonly address: Address; readonly now: number },
): boolean {
  return session.linked === true && !ownWallet(address) && now - session.at > LINK_IDLE_MS;
}

/** The session of such a chat: its PIN is asked for next. */
export function lockedAgain(session: Session): Session {
  const { linked: _was, conversation: _left, suspended: _too, ...rest } = session;
  return rest;
}

function homeKey(address: Address): string {
  return `home:${address}`;
}
