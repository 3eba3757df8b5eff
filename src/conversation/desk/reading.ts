import type { Codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { PARTITIONS, type Partition, type Store } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { abilitiesOf, ownWallet } from '../channel.ts';
import { type HelpDoc, helpCodec } from '../effects/ask-for-person.ts';
import type { Address } from '../incoming.ts';
import { type Intent, intentCodec, intentKey, needsPerson } from '../intents/intent.ts';
import { intentNamed } from '../intents/names.ts';
import { readRecord, type TurnRecord } from '../record/record.ts';
import { currentScreen, languageOf } from '../session/current-screen.ts';
import { addressesOf } from '../session/linking.ts';
import type { Loaded, Sessions } from '../session/sessions.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import { chartOf } from './chart-of.ts';
import type { Desk, HelpRequest, Watched } from './desk.ts';

type Reading = Pick<
  Desk,
  | 'turns'
  | 'backlog'
  | 'watch'
  | 'session'
  | 'addressesOf'
  | 'payment'
  | 'payments'
  | 'unsettled'
  | 'helpRequests'
  | 'chart'
>;

/** Turn records read at a time. */
const TURNS_PER_PAGE = 500;
/** What waits for a person in one partition: more than that is not a queue but an incident. */
const WAITING_MAX = 200;
/** Partitions asked at the same time. */
const AT_ONCE = 32;

export interface ReadingDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly intentOf: (id: string) => Promise<Intent | undefined>;
  readonly now: () => number;
}

/** What the console reads. Nothing here changes anything. */
export function createReading(deps: ReadingDeps): Reading {
  const { store, intentOf } = deps;
  return {
    chart: chartOf,
    addressesOf: (wallet) => addressesOf(store, wallet),
    turns: (address, limit) => turnsOf(deps, address, limit),
    backlog: (spanMs) => backlog(deps, spanMs),
    watch: (listener) => watch(store, listener),
    session: (address) => sessionAt(deps, address),
    payment: async (reference) => {
      const id = await intentNamed(store, reference);
      return id === undefined ? undefined : intentOf(id);
    },
    payments: (wallet, limit) => paymentsOf(store, wallet, limit),
    unsettled: () => unsettled(store),
    helpRequests: () => helpRequests(deps),
  };
}

async function turnsOf(
  { store, sessions, now }: ReadingDeps,
  address: Address,
  limit: number,
): Promise<TurnRecord[]> {
  const { partition } = await sessions.load(address, now());
  // Before it was linked, a chat was in a partition of its own.
  const partitions = new Set([partition, partitionOf(ownWallet(address) ?? address)]);
  const found = await Promise.all([...partitions].map((each) => turnsIn(store, each, address, limit)));
  return found
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}

async function* backlog({ store, now }: ReadingDeps, spanMs: number): AsyncGenerator<TurnRecord[]> {
  const since = now() - spanMs;
  for (const beforeLinking of [true, false]) {
    // Whoever knows no wallet says so in their record.
    const may = (text: string) => !beforeLinking || !text.includes('"wallet":');
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const found: TurnRecord[] = [];
      for await (const record of records(store, partition, may)) {
        if (record.at < since) break;
        if (isUnlinked(record, partition) === beforeLinking) found.push(record);
      }
      yield found.reverse();
    }
  }
}

function watch(store: Store, listener: Parameters<Reading['watch']>[0]): ReturnType<Store['watch']> {
  return store.watch({
    turn: (json) => {
      const record = readRecord(json);
      if (record) listener.turn(record);
    },
    missed: () => listener.missed(),
  });
}

async function sessionAt({ sessions, now }: ReadingDeps, address: Address): Promise<Watched | undefined> {
  const loaded = await sessions.load(address, now());
  return loaded.version === 0 ? undefined : watched(loaded);
}

async function paymentsOf(store: Store, wallet: Msisdn, limit: number): Promise<Intent[]> {
  const partition = partitionOf(wallet);
  const [walletDoc] = await readDocs(store, partition, [walletKey(wallet)]);
  const { entries } = walletStateOf(walletDoc).value;
  const newest = entries.slice(-limit).reverse();
  const docs = await readDocs(
    store,
    partition,
    newest.map(({ id }) => intentKey(id)),
  );
  return docs.flatMap((doc) => intentCodec.read(doc) ?? []);
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

async function turnsIn(
  store: Store,
  partition: Partition,
  address: Address,
  limit: number,
): Promise<TurnRecord[]> {
  const found: TurnRecord[] = [];
  for await (const record of records(store, partition, (text) => text.includes(address))) {
    if (record.address === address && found.push(record) === limit) break;
  }
  return found;
}

/** The records that a partition keeps and that may be meant, by their text, the newest first. */
async function* records(
  store: Store,
  partition: Partition,
  may: (text: string) => boolean,
): AsyncGenerator<TurnRecord> {
  let before: string | undefined;
  do {
    const page = await store.turns(partition, TURNS_PER_PAGE, before);
    for (const { record: json } of page) {
      const record = may(json) ? readRecord(json) : undefined;
      if (record) yield record;
    }
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
    callBack: abilitiesOf(address).pushes === 'never',
    ...(wallet && { wallet }),
    ...(about && { about: placeOf(about) }),
  };
}

/** A chat that is linked to no wallet yet lives in a partition of its own, which may be its wallet's by chance. */
function isUnlinked({ wallet, address }: TurnRecord, partition: Partition): boolean {
  return !wallet && !ownWallet(address) && partitionOf(address) === partition;
}

function placeOf({ machine, state }: { readonly machine: string; readonly state: string }): string {
  return `${machine}.${state}`;
}

function watched(loaded: Loaded): Watched {
  const { address, session } = loaded;
  const { conversation, suspended, wallet, underway, owner, intent } = session;
  return {
    address,
    language: languageOf(loaded),
    at: session.at,
    screen: currentScreen(session),
    waiting: session.outbox?.length ?? 0,
    ...(wallet && { wallet }),
    ...(conversation && {
      machine: conversation.machine,
      state: conversation.state,
      context: conversation.context,
    }),
    ...(suspended && { suspended: placeOf(suspended) }),
    ...(underway && { call: { src: underway.src, ref: underway.ref } }),
    ...(owner && { owner }),
    ...(intent && { intent }),
  };
}
