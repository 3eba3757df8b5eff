import { z } from 'zod';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Partition, Store, Write } from '../../store/store.ts';
import { OVERTAKEN, readDocs, untilCommitted } from '../../store/update.ts';
import { versionAfter } from '../../store/version.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, ownWallet } from '../channel.ts';
import { loadCharts } from '../chart/releases.ts';
import { DEFAULT_LANGUAGE, type Language, type Origin } from '../incoming.ts';
import { createRecent, type Recent } from '../recent.ts';
import { bookCodec, bookKey, EMPTY_BOOK, type OpenPayment, openIn } from './book.ts';
import { LINK_IDLE_MS, newSession, nextDue, SESSION_KEPT_MS, type Session, sessionCodec } from './session.ts';

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
  /** Where the input of the running turn came from; absent where it is not known, or nothing has come in. */
  readonly origin?: Origin | undefined;
}

/** Which wallet an address belongs to. Lives in the address's own partition. */
interface Home {
  readonly wallet: Msisdn;
}
const homeCodec = codec<Home>('home', z.object({ wallet: textOf<Msisdn>() }));

/** How many addresses' homes a process keeps in memory. */
const HOMES_MAX = 100_000;
/** How many chats' notes a process keeps until they are written. */
const NOTES_MAX = 100_000;

/** A channel's note of a chat (`Conversations.shown`) that the session's next commit takes along. */
interface PendingNote {
  readonly view: string;
  /** The session that it belongs to: by its version, or, where it has been written since, by the note that it replaces. */
  readonly version: number;
  readonly replaces: string | undefined;
}

/** What a change makes of a session, and what is written with it. */
interface SessionUpdate {
  readonly session: Session;
  readonly writes?: readonly Write[];
  readonly durable?: boolean;
}

/** Finds and moves sessions. All of a customer is in one partition. */
export interface Sessions {
  /**
   * The session of an address, or a new one. One read, but for a moved session that this process has not met. A chat that was
   * left for too long is loaded without its link: whatever is asked of it, nothing of the wallet can be read there.
   */
  load(address: Address, now: number): Promise<Loaded>;
  /**
   * Keeps the channel's note of a chat in this process: sessions are loaded with it, and so the next commit writes it. A
   * process that dies, or another one that is faster, goes on from the note before it.
   */
  keepNote(loaded: Loaded, view: string): void;
  /**
   * Changes the session of an address, again until nobody was faster. Gives it as it is written, or undefined where the
   * change gave none. Rejects with `TooContended`.
   * @param first the session as it was read already, if it was
   */
  update(
    address: Address,
    now: () => number,
    change: (loaded: Loaded) => SessionUpdate | undefined | Promise<SessionUpdate | undefined>,
    first?: Loaded,
  ): Promise<Loaded | undefined>;
  /**
   * Moves a session whose number was just proven into that wallet's partition. First the new one is written, then, in
   * one commit, the old one is deleted and the address points to the new: a crash in between leaves the old in force.
   */
  move(from: Loaded, session: Session, wallet: Msisdn, turn: string): Promise<Loaded | undefined>;
  /**
   * The sessions that some addresses have in a wallet. An address that has gone to another wallet since is none of them, even
   * where both wallets live in one partition.
   */
  ofWallet(wallet: Msisdn, addresses: readonly Address[]): Promise<Loaded[]>;
}

interface SessionsDeps {
  readonly store: Store;
  readonly defaultLanguage: Language;
  /** The wallets of addresses that this process has met. */
  readonly homes: Recent<Address, Msisdn>;
  readonly notes: Recent<Address, PendingNote>;
}

export function createSessions(store: Store, defaultLanguage: Language = DEFAULT_LANGUAGE): Sessions {
  const homes: SessionsDeps['homes'] = createRecent(HOMES_MAX);
  const notes: SessionsDeps['notes'] = createRecent(NOTES_MAX);
  const deps: SessionsDeps = { store, defaultLanguage, homes, notes };
  return {
    load: (address, now) => loadWhole(deps, address, now),
    keepNote: ({ address, version, session }, view) =>
      notes.set(address, { view, version, replaces: session.view }),
    update: (address, now, change, first) => updateSession(deps, address, now, change, first),
    move: (from, session, wallet, turn) => move(deps, from, session, wallet, turn),
    ofWallet: (wallet, addresses) => ofWallet(deps, wallet, addresses),
  };
}

/** The session of an address as it may be used, with the charts of its conversations. */
async function loadWhole(deps: SessionsDeps, address: Address, now: number): Promise<Loaded> {
  const loaded = lockedIfIdle(await load(deps, address, now), now);
  const charts = loadCharts(loaded.session);
  if (charts !== undefined) await charts;
  return loaded;
}

async function load(deps: SessionsDeps, address: Address, now: number): Promise<Loaded> {
  const { store, homes, defaultLanguage } = deps;
  const own = ownWallet(address);
  const known = own ?? homes.get(address);
  if (known) {
    const { loaded, open } = await inWallet(deps, known, address);
    if (loaded) return loaded;
    if (own) {
      const session = { ...newSession(now), wallet: own, linked: true };
      return { address, partition: partitionOf(own), version: 0, session, open, defaultLanguage };
    }
    homes.delete(address);
  }
  const partition = partitionOf(address);
  const [doc, homeDoc] = await readDocs(store, partition, [sessionKey(address), homeKey(address)]);
  const home = homeCodec.read(homeDoc);
  if (home) {
    homes.set(address, home.wallet);
    const { loaded } = await inWallet(deps, home.wallet, address);
    if (loaded) return loaded;
  }
  const session = withNote(deps, address, doc.version, sessionCodec.read(doc) ?? newSession(now));
  return { address, partition, version: doc.version, session, open: [], defaultLanguage };
}

/** A session with the channel's note of its chat, where this process has a newer one than is written. */
function withNote({ notes }: SessionsDeps, address: Address, version: number, session: Session): Session {
  const note = notes.get(address);
  const isNewer = note && (note.version === version || note.replaces === session.view);
  return isNewer ? { ...session, view: note.view } : session;
}

/** The session of an address in its wallet's partition, and the wallet's open payments, in one round trip. */
async function inWallet(
  deps: SessionsDeps,
  wallet: Msisdn,
  address: Address,
): Promise<{ readonly loaded?: Loaded; readonly open: readonly OpenPayment[] }> {
  const { store, defaultLanguage } = deps;
  const partition = partitionOf(wallet);
  const [doc, bookDoc] = await readDocs(store, partition, [sessionKey(address), bookKey(wallet)]);
  const open = openIn(bookCodec.read(bookDoc) ?? EMPTY_BOOK);
  const stored = sessionCodec.read(doc);
  if (!stored) return { open };
  const session = withNote(deps, address, doc.version, stored);
  return { loaded: { address, partition, version: doc.version, session, open, defaultLanguage }, open };
}

function updateSession(
  deps: SessionsDeps,
  address: Address,
  now: () => number,
  change: Parameters<Sessions['update']>[2],
  first?: Loaded,
): Promise<Loaded | undefined> {
  let known = first;
  return untilCommitted(async () => {
    const loaded = known ?? (await loadWhole(deps, address, now()));
    known = undefined;
    const changed = await change(loaded);
    if (!changed) return undefined;
    const { session, writes = [], durable = false } = changed;
    const write = sessionWrite({ ...loaded, session });
    const commit = { writes: [write, ...writes], durable };
    if (!(await deps.store.commit(loaded.partition, commit))) return OVERTAKEN;
    return { ...loaded, session, version: write.next };
  });
}

async function move(
  { store, homes, defaultLanguage }: SessionsDeps,
  from: Loaded,
  session: Session,
  wallet: Msisdn,
  turn: string,
): Promise<Loaded | undefined> {
  const { address } = from;
  const partition = partitionOf(wallet);
  const isMoved = partition !== from.partition;
  const [there] = isMoved ? await readDocs(store, partition, [sessionKey(address)]) : [from];
  const [homeDoc] = await readDocs(store, partitionOf(address), [homeKey(address)]);
  const written = sessionWrite({ address, version: there.version, session });
  const moved = { address, partition, version: written.next, session, open: [], defaultLanguage };
  if (!(await store.commit(partition, { writes: [written], turn, durable: true }))) return;
  const old = { key: sessionKey(address), version: from.version, value: null };
  const isLeft = isMoved && from.version > 0;
  const isAtHome = from.partition === partitionOf(address);
  const writes: Write[] = [homeCodec.write(homeDoc, { wallet })];
  if (isLeft && isAtHome) writes.push(old);
  if (!(await store.commit(partitionOf(address), { writes, durable: true }))) return;
  homes.set(address, wallet);
  // A chat that was unlinked from another wallet lived with that one. Nothing points there any more.
  if (isLeft && !isAtHome) await store.commit(from.partition, { writes: [old] });
  return moved;
}

async function ofWallet(
  deps: SessionsDeps,
  wallet: Msisdn,
  addresses: readonly Address[],
): Promise<Loaded[]> {
  const { store, defaultLanguage } = deps;
  const partition = partitionOf(wallet);
  const keys = [bookKey(wallet), ...addresses.map(sessionKey)] as const;
  const [bookDoc, ...docs] = await readDocs(store, partition, keys);
  const open = openIn(bookCodec.read(bookDoc) ?? EMPTY_BOOK);
  const found = addresses.flatMap((address, i) => {
    const doc = docs[i];
    const stored = sessionCodec.readable(doc);
    if (!doc || stored?.wallet !== wallet) return [];
    const session = withNote(deps, address, doc.version, stored);
    return { address, partition, version: doc.version, session, open, defaultLanguage };
  });
  await Promise.all(found.map(({ session }) => loadCharts(session)));
  return found;
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
function linkExpired(
  session: Session,
  { address, now }: { readonly address: Address; readonly now: number },
): boolean {
  return session.linked === true && !ownWallet(address) && now - session.at > LINK_IDLE_MS;
}

/** True where whoever is at an address may read about a wallet's money now. */
export function mayRead(
  { address, session }: Pick<Loaded, 'address' | 'session'>,
  wallet: Msisdn,
  now: number,
): boolean {
  return session.linked === true && session.wallet === wallet && !linkExpired(session, { address, now });
}

/** Such a chat without its link: its PIN is asked for next. */
function lockedIfIdle(loaded: Loaded, now: number): Loaded {
  const { session, address } = loaded;
  if (!linkExpired(session, { address, now })) return loaded;
  const { linked: _was, conversation: _left, suspended: _too, ...rest } = session;
  return { ...loaded, session: rest };
}

function homeKey(address: Address): string {
  return `home:${address}`;
}
