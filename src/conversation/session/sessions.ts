import { z } from 'zod';
import { codec, type KeyedDoc, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { type Commit, type Partition, SAME, type Store, type Write } from '../../store/store.ts';
import { OVERTAKEN, readDocs, untilCommitted } from '../../store/update.ts';
import { versionAfter } from '../../store/version.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Address, numberOf, ownAddress, ownWallet } from '../channel.ts';
import { loadCharts } from '../chart/releases.ts';
import {
  type CardInHand,
  DEFAULT_LANGUAGE,
  type FilesInHand,
  type InHand,
  type Language,
  type Origin,
} from '../incoming.ts';
import type { UploadedTable } from '../payouts/file.ts';
import { createRecent, type Recent } from '../recent.ts';
import { type OpenPayment, openIn } from './book.ts';
import { keptUntil, LINK_IDLE_MS, newSession, nextDue, type Session, sessionCodec } from './session.ts';
import { stillSo } from './state-of.ts';
import { NO_WALLET, type WalletState, walletKey, walletStateOf } from './wallet-doc.ts';

/** A session and where it was found. `version` 0: there is none yet. */
export interface LoadedSession {
  readonly address: Address;
  readonly partition: Partition;
  readonly version: number;
  readonly session: Session;
  /** When the store has it due (null: never), as written with that version. Of any other version it says nothing. */
  readonly due?: { readonly version: number; readonly at: number | null };
  /** The document of the session's wallet, read in the same round trip. */
  readonly wallet: WalletState;
  /** The payments of that wallet whose outcome is not known. */
  readonly open: readonly OpenPayment[];
  /** Spoken where the session has no language. */
  readonly defaultLanguage: Language;
  /** A chat shows its current screen again, perhaps below newer messages: the turn that it answers has made no other. */
  readonly isAgain?: boolean;
  /** The origin of the running turn's input. Absent where it is not known, or where no input has come. */
  readonly origin?: Origin | undefined;
  readonly card?: CardInHand | undefined;
  readonly document?: FilesInHand | undefined;
  readonly table?: InHand<UploadedTable> | undefined;
}

/** The wallet that an address belongs to. It is stored in the address's own partition. */
const homeCodec = codec('home', z.object({ wallet: textOf<Msisdn>() }));

const HOMES_MAX = 100_000;
const NOTES_MAX = 100_000;
/** This many of them are written at once when the process ends. */
const NOTES_AT_ONCE = 32;

/** A channel's note of a chat (`Conversations.screenShown`) that the session's next commit takes along. */
interface PendingNote {
  readonly view: string;
  /** The session that it belongs to: by its version, or, where it has been written since, by the note that it replaces. */
  readonly version: number;
  readonly replaces: string | undefined;
}

interface SessionUpdate {
  readonly session: Session;
  readonly writes?: readonly Write[];
  readonly turn?: string | undefined;
  readonly durable?: boolean;
}

/** Finds and moves sessions. All of a customer is in one partition. */
export interface Sessions {
  /**
   * The session of an address, or a new one. It takes one read, and more only for a moved session that this process has
   * not met. A chat that was idle for too long is loaded without its link, so nobody can read anything of the wallet
   * there.
   */
  load(address: Address, now: number): Promise<LoadedSession>;
  /**
   * Keeps the channel's note of a chat in this process: sessions are loaded with it, and so the next commit writes it. A
   * process that dies, or another one that is faster, goes on from the note before it.
   */
  keepNote(loaded: LoadedSession, view: string): void;
  /** Writes the notes that no commit has written since: the process ends, and another one goes on. */
  writeNotes(now: () => number): Promise<void>;
  /**
   * Changes the session of an address, again until nobody was faster. Gives it as it is written, or undefined where the
   * change gave none. Rejects with `TooContended`.
   * @param first the session as it was read already, if it was
   */
  update(
    address: Address,
    now: () => number,
    change: (loaded: LoadedSession) => SessionUpdate | undefined | Promise<SessionUpdate | undefined>,
    first?: LoadedSession,
  ): Promise<LoadedSession | undefined>;
  /**
   * Moves a session whose number was just proven into that wallet's partition. It first writes the new session. Then,
   * in one commit, it deletes the old one and lets the address point to the new one. After a crash in between, the old
   * session still holds.
   */
  move(
    from: LoadedSession,
    session: Session,
    wallet: Msisdn,
    turn: Pick<Commit, 'turn' | 'carries'>,
  ): Promise<LoadedSession | undefined>;
  /**
   * The sessions that some addresses have in a wallet. An address that has gone to another wallet since is none of them, even
   * where both wallets live in one partition.
   */
  ofWallet(wallet: Msisdn, addresses: readonly Address[]): Promise<LoadedSession[]>;
  /** Those of every address where a wallet's customer can read something, chats first. */
  everywhere(wallet: Msisdn): Promise<LoadedSession[]>;
  /** `load` of a number's own address, from the document of its session and its wallet's data that were read already. */
  ofNumber(number: Msisdn, session: KeyedDoc, wallet: WalletState, now: number): Promise<LoadedSession>;
}

interface SessionsDeps {
  readonly store: Store;
  readonly defaultLanguage: Language;
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
    writeNotes: (now) => writeNotes(deps, now),
    update: (address, now, change, first) => updateSession(deps, address, now, change, first),
    move: (from, session, wallet, turn) => move(deps, from, session, wallet, turn),
    ofWallet: async (wallet, addresses) => (await ofWallet(deps, wallet, addresses)).found,
    everywhere: (wallet) => everywhere(deps, wallet),
    ofNumber: (number, session, wallet, now) => withCharts(ofNumber(deps, number, session, wallet, now)),
  };
}

async function loadWhole(deps: SessionsDeps, address: Address, now: number): Promise<LoadedSession> {
  return withCharts(lockedIfIdle(await load(deps, address, now), now));
}

async function withCharts(loaded: LoadedSession): Promise<LoadedSession> {
  const charts = loadCharts(loaded.session);
  if (charts !== undefined) await charts;
  return loaded;
}

async function load(deps: SessionsDeps, address: Address, now: number): Promise<LoadedSession> {
  const { store, homes, defaultLanguage } = deps;
  const own = ownWallet(address);
  if (own) {
    const [doc, walletDoc] = await readDocs(store, partitionOf(own), [sessionKey(address), walletKey(own)]);
    return ofNumber(deps, own, doc, walletStateOf(walletDoc), now);
  }
  const known = homes.get(address);
  if (known) {
    const loaded = await inWallet(deps, known, address);
    if (loaded) return loaded;
    homes.delete(address);
  }
  const partition = partitionOf(address);
  const [doc, homeDoc] = await readDocs(store, partition, [sessionKey(address), homeKey(address)]);
  const home = homeCodec.read(homeDoc);
  if (home) {
    homes.set(address, home.wallet);
    const loaded = await inWallet(deps, home.wallet, address);
    if (loaded) return loaded;
  }
  const session = withNote(deps, address, doc.version, sessionCodec.read(doc) ?? newSession(now));
  return withWallet({ address, partition, version: doc.version, session, defaultLanguage }, NO_WALLET);
}

/** A session with the channel's note of its chat, where this process has a newer one than is written. */
function withNote({ notes }: SessionsDeps, address: Address, version: number, session: Session): Session {
  const note = notes.get(address);
  const isNewer = note && (note.version === version || note.replaces === session.view);
  return isNewer ? { ...session, view: note.view } : session;
}

async function writeNotes(deps: SessionsDeps, now: () => number): Promise<void> {
  const pending = [...deps.notes.entries()];
  const writeNext = async (): Promise<void> => {
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [address, { version }] = next;
      await updateSession(deps, address, now, (loaded) =>
        loaded.version === version ? { session: loaded.session } : undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: NOTES_AT_ONCE }, writeNext));
}

/** A session with the document of its wallet as it is now, and without the messages that are no longer true. */
export function withWallet(
  loaded: Omit<LoadedSession, 'wallet' | 'open'>,
  wallet: WalletState,
): LoadedSession {
  const { outbox } = loaded.session;
  const said = outbox && stillSo(outbox, wallet.value);
  const session = said === outbox ? loaded.session : { ...loaded.session, outbox: said ?? [] };
  return { ...loaded, session, wallet, open: openIn(wallet.value) };
}

/** The session of an address in its wallet's partition, and the wallet's own document, in one round trip. */
async function inWallet(
  deps: SessionsDeps,
  own: Msisdn,
  address: Address,
): Promise<LoadedSession | undefined> {
  const [doc, walletDoc] = await readDocs(deps.store, partitionOf(own), [
    sessionKey(address),
    walletKey(own),
  ]);
  return readIn(deps, own, address, doc, walletStateOf(walletDoc));
}

/** The session in a document. Undefined where there is none. */
function readIn(
  deps: SessionsDeps,
  own: Msisdn,
  address: Address,
  doc: KeyedDoc,
  wallet: WalletState,
): LoadedSession | undefined {
  const { defaultLanguage } = deps;
  const stored = sessionCodec.read(doc);
  if (!stored) return undefined;
  const { version } = doc;
  const session = withNote(deps, address, version, stored);
  const due = { version, at: nextDue(stored) ?? null };
  return withWallet({ address, partition: partitionOf(own), version, due, session, defaultLanguage }, wallet);
}

function ofNumber(
  deps: SessionsDeps,
  own: Msisdn,
  doc: KeyedDoc,
  wallet: WalletState,
  now: number,
): LoadedSession {
  const { defaultLanguage } = deps;
  const address = ownAddress(own);
  const found = readIn(deps, own, address, doc, wallet);
  if (found) return found;
  const session = { ...newSession(now), wallet: own, linked: true };
  return withWallet({ address, partition: partitionOf(own), version: 0, session, defaultLanguage }, wallet);
}

function updateSession(
  deps: SessionsDeps,
  address: Address,
  now: () => number,
  change: Parameters<Sessions['update']>[2],
  first?: LoadedSession,
): Promise<LoadedSession | undefined> {
  let known = first;
  return untilCommitted(async () => {
    const loaded = known ?? (await loadWhole(deps, address, now()));
    known = undefined;
    const changed = await change(loaded);
    if (!changed) return undefined;
    const { session, writes = [], turn, durable = false } = changed;
    const { write, after } = rewritten(loaded, session);
    const commit = { writes: [write, ...writes], ...(turn !== undefined && { turn }), durable };
    return (await deps.store.commit(loaded.partition, commit)) ? after : OVERTAKEN;
  });
}

async function move(
  { store, homes, defaultLanguage }: SessionsDeps,
  from: LoadedSession,
  session: Session,
  wallet: Msisdn,
  turn: Pick<Commit, 'turn' | 'carries'>,
): Promise<LoadedSession | undefined> {
  const { address } = from;
  const partition = partitionOf(wallet);
  const isMoved = partition !== from.partition;
  const [found, walletDoc] = await readDocs(store, partition, [sessionKey(address), walletKey(wallet)]);
  const there = isMoved ? found : from;
  const [homeDoc] = await readDocs(store, partitionOf(address), [homeKey(address)]);
  const written = sessionWrite({ address, version: there.version, session });
  const moved = withWallet(
    { address, partition, version: written.next, session, defaultLanguage },
    walletStateOf(walletDoc),
  );
  if (!(await store.commit(partition, { writes: [written], ...turn, durable: true }))) return;
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
): Promise<{ readonly found: LoadedSession[]; readonly linked: readonly Address[] }> {
  const { store, defaultLanguage } = deps;
  const partition = partitionOf(wallet);
  const keys = [walletKey(wallet), ...addresses.map(sessionKey)] as const;
  const [walletDoc, ...docs] = await readDocs(store, partition, keys);
  const state = walletStateOf(walletDoc);
  const found = addresses.flatMap((address, i) => {
    const doc = docs[i];
    const stored = sessionCodec.readable(doc);
    if (!doc || stored?.wallet !== wallet) return [];
    const session = withNote(deps, address, doc.version, stored);
    return withWallet({ address, partition, version: doc.version, session, defaultLanguage }, state);
  });
  await Promise.all(found.map(({ session }) => loadCharts(session)));
  return { found, linked: state.value.linked ?? [] };
}

/** Most wallets are linked to no chat: then it is one read. */
async function everywhere(deps: SessionsDeps, wallet: Msisdn): Promise<LoadedSession[]> {
  const own = ownAddress(wallet);
  const { found, linked } = await ofWallet(deps, wallet, [own]);
  return linked.length > 0 ? (await ofWallet(deps, wallet, [...linked, own])).found : found;
}

export function sessionKey(address: Address): string {
  return `session:${address}`;
}

/** How a session is written back: with the moment it needs looking at, and until when it is kept. */
export function sessionWrite(
  { address, version, due, session }: Pick<LoadedSession, 'address' | 'version' | 'due' | 'session'>,
  dueAt = nextDue(session) ?? null,
): Write & { readonly next: number } {
  const isSame = due?.version === version && due.at === dueAt && !mayBeLeased(dueAt, session);
  return {
    key: sessionKey(address),
    version,
    next: versionAfter(version),
    value: JSON.stringify(session),
    dueAt: isSame ? SAME : dueAt,
    keepUntil: keptUntil(session),
  };
}

/** The clocks of two processes differ by less. */
const CLOCKS_APART_MS = 20_000;

/** A worker may have leased a due session, and then its due entry is not where it was written. */
function mayBeLeased(dueAt: number | null, { at }: Session): boolean {
  return dueAt !== null && dueAt < at + CLOCKS_APART_MS;
}

export function rewritten(
  loaded: LoadedSession,
  session: Session,
): { readonly write: Write; readonly after: LoadedSession } {
  const at = nextDue(session) ?? null;
  const write = sessionWrite({ ...loaded, session }, at);
  return { write, after: { ...loaded, session, version: write.next, due: { version: write.next, at } } };
}

/**
 * The session of a customer whose wallet is closed. The number stays proven. On USSD, where the SIM proves it, it is
 * still the customer's own. A chat is linked to nothing, and the customer must agree to the terms again.
 */
export function withoutWallet(session: Session, address: Address): Session {
  const { linked: _was, consent: _given, ...rest } = session;
  return numberOf(address, session).provenBy === 'network' ? { ...rest, linked: true } : rest;
}

/** The session of a chat that its customer has unlinked: it knows no wallet. */
export function unlinked(session: Session): Session {
  const {
    wallet: _forgotten,
    provenBy: _by,
    linked: _was,
    consent: _given,
    without: _too,
    ...rest
  } = session;
  return rest;
}

/** A chat that was not used for this time may be another person's by now. On USSD the SIM proves its owner every time. */
function linkExpired(
  session: Session,
  { address, now }: { readonly address: Address; readonly now: number },
): boolean {
  const isOld = numberOf(address, session).provenBy !== 'network' && now - session.at > LINK_IDLE_MS;
  return session.linked === true && isOld;
}

/** True where the reader at an address may read about a wallet's money now. */
export function mayRead(
  { address, session }: Pick<LoadedSession, 'address' | 'session'>,
  wallet: Msisdn,
  now: number,
): boolean {
  return session.linked === true && session.wallet === wallet && !linkExpired(session, { address, now });
}

/** Such a chat without its link: its PIN is asked for next. */
function lockedIfIdle(loaded: LoadedSession, now: number): LoadedSession {
  const { session, address } = loaded;
  if (!linkExpired(session, { address, now })) return loaded;
  const { linked: _was, conversation: _left, suspended: _too, ...rest } = session;
  return { ...loaded, session: rest };
}

/** The key that tells the wallet of an address. It lies in the address's own partition. */
export function homeKey(address: Address): string {
  return `home:${address}`;
}
