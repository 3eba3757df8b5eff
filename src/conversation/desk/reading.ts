import { partitionOf } from '../../store/partition.ts';
import { PARTITIONS, type Partition, type Store } from '../../store/store.ts';
import { abilitiesOf, ownWallet } from '../channel.ts';
import type { HelpDoc } from '../effects/ask-for-person.ts';
import type { Address } from '../incoming.ts';
import { type Book, bookKey } from '../intents/book.ts';
import { type Intent, intentKey, needsPerson, readIntent } from '../intents/intent.ts';
import { intentNamed } from '../intents/names.ts';
import { currentScreen, languageOf } from '../session/current-screen.ts';
import type { createSessions, Loaded } from '../session/sessions.ts';
import { addressesOf } from '../session/wallet-doc.ts';
import { readRecord, type TurnRecord } from '../turn/record.ts';
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

/** What the console reads. Nothing here changes anything. */
export function createReading(
  store: Store,
  sessions: ReturnType<typeof createSessions>,
  intentOf: (id: string) => Promise<Intent | undefined>,
  now: () => number,
): Reading {
  return {
    chart: chartOf,
    addressesOf: (wallet) => addressesOf(store, wallet),

    async turns(address, limit) {
      const { partition } = await sessions.load(address, now());
      // Before it was linked, a chat was in a partition of its own.
      const partitions = new Set([partition, partitionOf(ownWallet(address) ?? address)]);
      const found = await Promise.all([...partitions].map((each) => turnsIn(each, address, limit)));
      return found
        .flat()
        .sort((a, b) => b.at - a.at)
        .slice(0, limit);
    },

    async *backlog(spanMs) {
      const since = now() - spanMs;
      for (const beforeLinking of [true, false]) {
        for (let partition = 0; partition < PARTITIONS; partition++) {
          const found: TurnRecord[] = [];
          // Whoever knows no wallet says so in their record.
          for await (const record of records(
            partition,
            (text) => !beforeLinking || !text.includes('"wallet":'),
          )) {
            if (record.at < since) break;
            if (isUnlinked(record, partition) === beforeLinking) found.push(record);
          }
          yield found.reverse();
        }
      }
    },

    watch: (listener) =>
      store.watch({
        turn: (json) => {
          const record = readRecord(json);
          if (record) listener.turn(record);
        },
        missed: () => listener.missed(),
      }),

    async session(address) {
      const loaded = await sessions.load(address, now());
      return loaded.version === 0 ? undefined : watched(loaded);
    },

    async payment(reference) {
      const id = await intentNamed(store, reference);
      return id === undefined ? undefined : intentOf(id);
    },

    async payments(wallet, limit) {
      const partition = partitionOf(wallet);
      const [doc] = await store.read(partition, [bookKey(wallet)]);
      const { entries } = doc ? (JSON.parse(doc.value) as Book) : { entries: [] };
      const newest = entries.slice(-limit).reverse();
      const docs = await store.read(
        partition,
        newest.map(({ id }) => intentKey(id)),
      );
      return docs.flatMap((each) => (each ? [readIntent(each.value)] : []));
    },

    async unsettled() {
      const intents = await scheduled<Intent>('intent:');
      return intents.filter(needsPerson).sort((a, b) => a.sentAt - b.sentAt);
    },

    async helpRequests() {
      const wishes = await scheduled<HelpDoc>('help:');
      const requests = await Promise.all(wishes.map(requestOf));
      return requests.sort((a, b) => a.at - b.at);
    },
  };

  async function turnsIn(partition: Partition, address: Address, limit: number): Promise<TurnRecord[]> {
    const found: TurnRecord[] = [];
    for await (const record of records(partition, (text) => text.includes(address))) {
      if (record.address === address && found.push(record) === limit) break;
    }
    return found;
  }

  /** The records that a partition keeps and that may be meant, by their text, the newest first. */
  async function* records(partition: Partition, may: (text: string) => boolean): AsyncGenerator<TurnRecord> {
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
  async function scheduled<T>(prefix: string): Promise<T[]> {
    const found: T[] = [];
    for (let first = 0; first < PARTITIONS; first += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, i) => ofPartition<T>(first + i, prefix));
      found.push(...(await Promise.all(some)).flat());
    }
    return found;
  }

  async function ofPartition<T>(partition: Partition, prefix: string): Promise<T[]> {
    const keys = (await store.scheduled(partition, prefix, WAITING_MAX)).map(({ key }) => key);
    const docs = await store.read(partition, keys);
    return docs.flatMap((doc) => (doc ? [JSON.parse(doc.value) as T] : []));
  }

  async function requestOf({ address, language, at }: HelpDoc): Promise<HelpRequest> {
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
