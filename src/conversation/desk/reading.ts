import type { Codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { PARTITIONS, type Partition, type Store, StoreDown, type TurnEntry } from '../../store/store.ts';
import { positionOf } from '../../store/turn-id.ts';
import { readDocs } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { canPush, numberOf, ownWallet } from '../channel.ts';
import { MACHINES } from '../chart/machines.ts';
import { type HelpDoc, helpCodec } from '../effects/ask-for-person.ts';
import type { Address } from '../incoming.ts';
import type { Archive, ArchivedTurn, Whose } from '../intents/archive.ts';
import { type Intent, intentCodec, intentKey, needsPerson } from '../intents/intent.ts';
import { openBeginning } from '../intents/search-names.ts';
import { readRecord, type TurnRecord } from '../record/record.ts';
import { currentScreen, languageOf } from '../session/current-screen.ts';
import { type DeliveryRecord, readDelivery } from '../session/delivery-record.ts';
import { isAccepted } from '../session/session.ts';
import type { LoadedSession, Sessions } from '../session/sessions.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import { chartOf } from './chart-of.ts';
import type { DeskReading, HelpRequest, Past, Watched } from './desk.ts';

const TURNS_PER_PAGE = 500;
/** Turns of one partition that are read when the first agent comes: of all partitions, twice as many as the console lists sessions. */
const BACKLOG_TURNS_MAX = 400;
/** The prefix of the states in which a chat is being linked to a wallet. */
const LINKING = 'linking.';
/** Turns and deliveries that one payment is looked for in. */
const NAMING_MAX = 200;
/** The number of payments that wait for a person in one partition. More than that is not a queue but an incident. */
const WAITING_MAX = 200;
/** Partitions asked at the same time. */
const AT_ONCE = 32;

export interface ReadingDeps {
  readonly store: Store;
  readonly archive: Archive;
  readonly sessions: Sessions;
  readonly intentOf: (id: string) => Promise<Intent | undefined>;
  readonly now: () => number;
}

/** The console's reads. Nothing here changes anything. */
export function createReading(deps: ReadingDeps): DeskReading {
  const { store } = deps;
  return {
    chart: chartOf,
    machines: () => Object.keys(MACHINES),
    turns: (address, limit) => turnsOf(deps, address, limit),
    backlog: (spanMs) => backlog(deps, spanMs),
    watch: (listener) => watch(store, listener),
    session: (address) => sessionAt(deps, address),
    payment: async (reference) => (await paymentsNamed(deps, reference))[0],
    payments: (wallet, limit, before) => paymentsOf(deps, wallet, limit, before),
    deliveries: (payment) => deliveriesOf(deps, payment),
    deliveredTo: (address, limit) => deliveredTo(deps, address, limit),
    unsettled: () => unsettled(store),
    helpRequests: () => helpRequests(deps),
  };
}

async function turnsOf(
  { store, archive, sessions, now }: ReadingDeps,
  address: Address,
  limit: number,
): Promise<TurnRecord[]> {
  const { partition } = await sessions.load(address, now());
  // Before it was linked, a chat was in a partition of its own.
  const partitions = new Set([partition, partitionOf(ownWallet(address) ?? address)]);
  const of = (record: TurnRecord) => record.address === address;
  const live = await Promise.all([...partitions].map((each) => turnsIn(store, each, address, of, limit)));
  const found = new Map(live.flat());
  // Without the archive, the present turns are shown all the same.
  const archived = await keptTurns(archive, { address }, of, limit).catch(whenAway);
  for (const [name, record] of archived ?? []) found.set(name, record);
  return [...found.values()].sort((a, b) => b.at - a.at).slice(0, limit);
}

/**
 * The newest turns that were kept, at least `limit` of them where there are as many. Deliveries and closed cases lie
 * among them, so it reads twice as far back until there are enough.
 */
export async function keptTurns(
  archive: Pick<Archive, 'turnsOf'>,
  whose: Whose,
  of: (record: TurnRecord) => boolean,
  limit: number,
  before?: number,
): Promise<[name: string, record: TurnRecord][]> {
  for (let rows = limit; ; rows *= 2) {
    const kept = await archive.turnsOf(whose, rows, before);
    const found = kept.flatMap(namedRecord).filter(([, record]) => of(record));
    if (found.length >= limit || kept.length < rows) return found;
  }
}

/** A turn that was kept, by its partition and its place there: so it is known again where the store still has it. */
export function namedRecord({
  partition,
  id,
  record: json,
}: ArchivedTurn): [name: string, record: TurnRecord][] {
  const record = readRecord(json);
  return record ? [[`${partition} ${positionOf(id)}`, record]] : [];
}

/** More payments that are called alike than a person would look through. */
const NAMED_ALIKE_MAX = 10;

/** The payments that somebody may mean by a reference, those that are open first. */
export async function paymentsNamed(
  { store, archive, intentOf }: Pick<ReadingDeps, 'store' | 'archive' | 'intentOf'>,
  reference: string,
): Promise<Intent[]> {
  const open = await openBeginning(store, reference);
  const ids = new Set([
    ...open,
    ...((await archive.named(reference, NAMED_ALIKE_MAX).catch(whenAway)) ?? []),
    reference.toLowerCase(),
  ]);
  const found = await Promise.all([...ids].map((id) => intentOf(id).catch(whenAway)));
  return found.filter((intent) => intent !== undefined);
}

async function* backlog(deps: ReadingDeps, spanMs: number): AsyncGenerator<Past> {
  const since = deps.now() - spanMs;
  /** Turns of chats whose own partition is read later. That partition also has their turns from before they were linked. */
  const linked = new Map<Address, TurnRecord[]>();
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const { records, leftOutBefore } = await pastOf(deps, partition, since);
    const known: TurnRecord[] = [];
    for (const record of records) {
      const { address, wallet, from } = record;
      const isFirst = from.startsWith(LINKING) && partitionOf(address) > partition && !ownWallet(address);
      if (wallet && isFirst) linked.set(address, linked.get(address) ?? []);
      const later = wallet ? linked.get(address) : undefined;
      (later ?? known).push(record);
    }
    yield { records: known, leftOutBefore };
  }
  for (const records of linked.values()) yield { records };
}

/** The last records of a partition: those in the store, and from where it ends those in the archive, unless that is away. */
async function pastOf({ store, archive }: ReadingDeps, partition: Partition, since: number): Promise<Past> {
  const live = await store.turns(partition, BACKLOG_TURNS_MAX);
  const [newest, missing] = [live.flatMap(recordIn), BACKLOG_TURNS_MAX - live.length];
  const isEnough = missing === 0 || (newest.at(-1)?.at ?? since) < since;
  const older = isEnough ? [] : await archive.turns(partition, missing, live.at(-1)?.id).catch(whenAway);
  const all = [...newest, ...(older ?? []).flatMap(recordIn)];
  const records = all.filter(({ at }) => at >= since).reverse();
  const isCut = older === undefined || live.length + older.length === BACKLOG_TURNS_MAX;
  const leftOutBefore = records.length === all.length && isCut ? records[0]?.at : undefined;
  return { records, leftOutBefore };
}

function recordIn({ record }: TurnEntry): TurnRecord[] {
  return [readRecord(record) ?? []].flat();
}

/** Empty where the archive is away: the store's part is shown without it. */
export function whenAway(error: unknown): undefined {
  if (!(error instanceof StoreDown)) throw error;
}

function watch(store: Store, listener: Parameters<DeskReading['watch']>[0]): ReturnType<Store['watch']> {
  return store.watch({
    turn: (json) => {
      const record = readRecord(json);
      if (record) listener.turn(record);
    },
    missed: () => listener.missed(),
  });
}

/** A session as agents see it now. Undefined where nobody has spoken at that address. */
export async function sessionAt(
  { sessions, now }: ReadingDeps,
  address: Address,
): Promise<Watched | undefined> {
  const loaded = await sessions.load(address, now());
  return loaded.version === 0 ? undefined : watched(loaded, now());
}

/** Those of the last days, as they are now, and those that have left the store. */
export async function paymentsOf(
  { store, archive }: Pick<ReadingDeps, 'store' | 'archive'>,
  wallet: Msisdn,
  limit: number,
  before?: number,
): Promise<Intent[]> {
  const partition = partitionOf(wallet);
  const [walletDoc] = await readDocs(store, partition, [walletKey(wallet)]);
  const { entries } = walletStateOf(walletDoc).value;
  const asked = entries.filter(({ at }) => before === undefined || at < before);
  const newest = asked.slice(-limit).reverse();
  const docs = await readDocs(
    store,
    partition,
    newest.map(({ id }) => intentKey(id)),
  );
  const live = docs.flatMap((doc) => intentCodec.read(doc) ?? []);
  const known = new Set(live.map(({ id }) => id));
  const kept = (await archive.ofWallet(wallet, limit, before).catch(whenAway)) ?? [];
  return [...live, ...kept.filter(({ id }) => !known.has(id))]
    .sort((a, b) => b.sentAt - a.sentAt)
    .slice(0, limit);
}

async function unsettled(store: Store): Promise<Intent[]> {
  const intents = await scheduled(store, 'intent:', intentCodec);
  return intents.filter(needsPerson).sort((a, b) => a.sentAt - b.sentAt);
}

async function helpRequests(deps: ReadingDeps): Promise<HelpRequest[]> {
  const wishes = await scheduled(deps.store, 'help:', helpCodec);
  const requests = await Promise.all(wishes.map((wish) => requestOf(deps, wish)));
  return requests.sort((a, b) => a.at - b.at);
}

/**
 * The newest turns of a customer that a partition of the store still has, by partition and place.
 * @param name stands in each of them: an address, or a wallet
 */
export async function turnsIn(
  store: Store,
  partition: Partition,
  name: string,
  of: (record: TurnRecord) => boolean,
  limit: number,
): Promise<[name: string, record: TurnRecord][]> {
  const found: [string, TurnRecord][] = [];
  for await (const { id, record: json } of entries((...page) => store.turns(partition, ...page))) {
    const record = json.includes(name) ? readRecord(json) : undefined;
    if (record && of(record) && found.push([`${partition} ${positionOf(id)}`, record]) === limit) break;
  }
  return found;
}

/** Those in the stream of its customer, and those that the archive has. Messages to a payee are in the payee's own stream. */
async function deliveriesOf(
  { store, archive }: ReadingDeps,
  { id, wallet }: Pick<Intent, 'id' | 'wallet'>,
): Promise<DeliveryRecord[]> {
  const partition = partitionOf(wallet);
  const found = new Map<string, DeliveryRecord>();
  const add = (name: string, json: string) => {
    const delivery = json.includes(id) ? readDelivery(json) : undefined;
    if (delivery) found.set(name, delivery);
  };
  for await (const turn of entries((...page) => store.turns(partition, ...page)))
    add(`${partition} ${positionOf(turn.id)}`, turn.record);
  for (const turn of (await archive.turnsNaming(id, NAMING_MAX).catch(whenAway)) ?? [])
    add(`${turn.partition} ${positionOf(turn.id)}`, turn.record);
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** Those in the store, and the newest ones that the archive has. */
async function deliveredTo(
  { store, archive, sessions, now }: ReadingDeps,
  address: Address,
  limit: number,
): Promise<DeliveryRecord[]> {
  const { partition } = await sessions.load(address, now());
  const kept = (await archive.turnsOf({ address }, limit).catch(whenAway)) ?? [];
  const named: [name: string, json: string][] = kept.map((turn) => [
    `${turn.partition} ${positionOf(turn.id)}`,
    turn.record,
  ]);
  for await (const { id, record } of entries((...page) => store.turns(partition, ...page)))
    if (record.includes(address)) named.push([`${partition} ${positionOf(id)}`, record]);
  const found = [...new Map(named).values()].flatMap((json) => readDelivery(json) ?? []);
  return found.filter((each) => each.address === address).sort((a, b) => a.at - b.at);
}

/** All of them, the newest first, read page by page. */
async function* entries(
  read: (limit: number, before?: string) => Promise<readonly TurnEntry[]>,
): AsyncGenerator<TurnEntry> {
  let before: string | undefined;
  do {
    const page = await read(TURNS_PER_PAGE, before);
    yield* page;
    before = page.length < TURNS_PER_PAGE ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

/** Every scheduled document of a kind, of all partitions. */
async function scheduled<T>(store: Store, prefix: string, kind: Codec<T>): Promise<T[]> {
  const found: T[] = [];
  for (let first = 0; first < PARTITIONS; first += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, async (_, i) => {
      const entries = await store.scheduled(first + i, prefix, WAITING_MAX);
      const docs = await readDocs(
        store,
        first + i,
        entries.map(({ key }) => key),
      );
      return docs.flatMap((doc) => kind.read(doc) ?? []);
    });
    found.push(...(await Promise.all(some)).flat());
  }
  return found;
}

async function requestOf(
  { sessions, now }: ReadingDeps,
  { address, language, at }: HelpDoc,
): Promise<HelpRequest> {
  const { session } = await sessions.load(address, now());
  const { wallet, suspended, conversation } = session;
  const about = suspended ?? conversation;
  return {
    address,
    language,
    at,
    callBack: !canPush(address, session, now()),
    ...(wallet && { wallet }),
    ...(about && { about: placeOf(about) }),
  };
}

function placeOf({ machine, state }: { readonly machine: string; readonly state: string }): string {
  return `${machine}.${state}`;
}

function watched(loaded: LoadedSession, now: number): Watched {
  const { address, session } = loaded;
  const { safety: { frozen } = {}, agent } = loaded.wallet.value;
  const { conversation, suspended, wallet, underway, owner, intent } = session;
  return {
    address,
    language: languageOf(loaded),
    at: session.at,
    canPush: canPush(address, session, now),
    screen: currentScreen(session),
    waiting: session.outbox?.filter((message) => !isAccepted(message)).length ?? 0,
    ...(wallet && { wallet, provenBy: numberOf(address, session).provenBy }),
    ...(conversation && {
      machine: conversation.machine,
      state: conversation.state,
      context: conversation.context,
    }),
    ...(suspended && { suspended: placeOf(suspended) }),
    ...(underway && { call: { src: underway.src, ref: underway.ref } }),
    ...(owner && { owner }),
    ...(intent && { intent }),
    ...(frozen && { frozen }),
    ...(agent && { agent }),
  };
}
