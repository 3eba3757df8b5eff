import { z } from 'zod';
import { type Codec, codec, type KeyedDoc, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import { type Store, StoreDown } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import type { Background } from './background.ts';
import { type Address, type ChannelName, channelOf } from './channel.ts';
import { createRecent } from './recent.ts';
import type { Secrets } from './secrets.ts';

/** How long a provider may bring the same piece again: WhatsApp does so for seven days (facts C1). */
const KEPT_MS = 7 * 24 * 3_600_000;
/** The time in which the process that saved a piece must work it. Longer than a channel waits for a turn. */
const LEASE_MS = 30_000;
/** Waits between tries to work a piece. The last one is repeated. */
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000] as const;
/** A piece that fails so often is given up: about a day. Nothing behind it in the chat is worked before. */
const TRIES_MAX = 290;
/** Of one person. More than that is an attack, or a provider that repeats itself: it brings the others again. */
const WAITING_MAX = 100;
/** How many worked pieces of a person are known by their ids. Later, everything older counts as known. */
const DONE_MAX = 100;
/** People whose chats this process works through at once. Workers take the others. */
const UNDERWAY_MAX = 1_000;

/** A message or a press of one person, as the provider has posted it. */
export interface Piece {
  /** The provider's id: the same over every redelivery. */
  readonly id: string;
  /** Pieces that wait together are worked in this order. */
  readonly order: number;
  readonly body: string;
}

/** Works one piece. It rejects where nothing could be kept, and is then tried again. */
type WorkPiece = (from: Address, body: string) => Promise<void>;

/**
 * Messages that providers post to us. They are stored sealed before the provider has its answer, worked in order for
 * each person, once for each id, and erased once they are worked. A process that dies leaves them to the next one.
 */
export interface ProviderInbox {
  /** How the pieces of a channel are worked. */
  works(channel: ChannelName, work: WorkPiece): void;
  /**
   * Stores pieces, and begins to work them. Resolves once they are stored. Rejects with `StoreDown` where they cannot
   * be, or where too many of this person wait.
   */
  save(from: Address, pieces: readonly Piece[]): Promise<void>;
  /** Works what waits for a person. Called by the worker, where the process that saved it did not. */
  process(from: Address): Promise<void>;
  /** Resolves once this process works nothing more of this person. */
  rests(from: Address): Promise<void>;
}

type Sealed = ReturnType<Secrets['seal']>;

interface Waiting {
  /** A digest: the ids of some providers contain a number. */
  readonly id: string;
  readonly order: number;
  readonly sealed: Sealed;
}
interface Queue {
  readonly waiting: readonly Waiting[];
  /** Worked ones, the latest last. */
  readonly done: readonly string[];
  /** The latest place in the order that was forgotten among them. */
  readonly before?: number;
  /** The places of those in `done`. */
  readonly orders: readonly number[];
  /** How often the first one that waits has failed. */
  readonly tries?: number;
}
const EMPTY: Queue = { waiting: [], done: [], orders: [] };
const queueCodec: Codec<Queue> = codec<Queue>(
  'provider',
  z.object({
    waiting: z.array(z.object({ id: z.string(), order: z.number(), sealed: textOf<Sealed>() })),
    done: z.array(z.string()),
    orders: z.array(z.number()),
    before: z.number().exactOptional(),
    tries: z.number().exactOptional(),
  }),
);

interface InboxDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'seal' | 'open' | 'digest'>;
  readonly background: Background;
  readonly now: () => number;
  readonly onError: (error: unknown, channel: ChannelName) => void;
}

interface Deps extends InboxDeps {
  readonly work: Map<ChannelName, WorkPiece>;
  /** The people whose chats this process works through now. */
  readonly underway: Map<Address, Promise<void>>;
}

export function createProviderInbox(options: InboxDeps): ProviderInbox {
  const deps: Deps = { ...options, work: new Map(), underway: new Map() };
  return {
    works: (channel, work) => void deps.work.set(channel, work),
    save: (from, pieces) => save(deps, from, pieces),
    process: (from) => workThrough(deps, from),
    rests: async (from) => deps.underway.get(from),
  };
}

async function save(deps: Deps, from: Address, pieces: readonly Piece[]): Promise<void> {
  const { store, secrets, underway, background, now } = deps;
  const key = keyOf(from);
  const named = pieces.map((piece) => ({ ...piece, id: secrets.digest(`${key} ${piece.id}`) }));
  const isNew = await update(store, partitionOf(key), [key], (doc) => {
    const queue = queueCodec.read(doc) ?? EMPTY;
    const fresh = named.filter((piece) => !isKnown(queue, piece));
    if (fresh.length === 0) return { result: false };
    if (queue.waiting.length + fresh.length > WAITING_MAX) throw new StoreDown('too many messages wait');
    const added = fresh.map(({ id, order, body }) => ({ id, order, sealed: secrets.seal(body, key, now()) }));
    const waiting = [...queue.waiting, ...added].toSorted((a, b) => a.order - b.order);
    return { writes: [written(doc, { ...queue, waiting }, now(), LEASE_MS)], durable: true, result: true };
  });
  if (isNew && underway.size < UNDERWAY_MAX)
    background.add(workThrough(deps, from), 'A message of a provider could not be worked');
}

/** Known by its id, or so old that its id would be forgotten. */
function isKnown({ waiting, done, before }: Queue, { id, order }: Piece): boolean {
  return done.includes(id) || waiting.some((each) => each.id === id) || (before ?? -1) >= order;
}

/** One process works through a chat once at a time. What comes meanwhile is worked behind it. */
function workThrough(deps: Deps, from: Address): Promise<void> {
  const before = deps.underway.get(from) ?? Promise.resolve();
  const work = before.catch(() => {}).then(() => workAll(deps, from));
  deps.underway.set(from, work);
  const clear = () => {
    if (deps.underway.get(from) === work) deps.underway.delete(from);
  };
  work.then(clear, clear);
  return work;
}

async function workAll(deps: Deps, from: Address): Promise<void> {
  const { store } = deps;
  const key = keyOf(from);
  const work = deps.work.get(channelOf(from));
  const seen = createRecent<string, true>(WAITING_MAX);
  while (work) {
    const [doc] = await readDocs(store, partitionOf(key), [key]);
    const [first] = (queueCodec.read(doc) ?? EMPTY).waiting;
    // A piece that has failed has been put off.
    if (!first || seen.get(first.id)) return;
    seen.set(first.id, true);
    await workFirst(deps, from, first, work);
  }
}

async function workFirst(deps: Deps, from: Address, first: Waiting, work: WorkPiece): Promise<void> {
  const { store, secrets, now, onError } = deps;
  const key = keyOf(from);
  const body = secrets.open(first.sealed, key, now(), KEPT_MS);
  let isDone = true;
  try {
    // Sealed under a key that is gone: nobody can ever read it.
    if (body !== undefined) await work(from, body);
  } catch (error) {
    isDone = false;
    onError(error, channelOf(from));
  }
  await update(store, partitionOf(key), [key], (doc) => {
    const queue = queueCodec.read(doc);
    if (!queue?.waiting.some(({ id }) => id === first.id)) return { result: undefined };
    const { tries = 0, ...rest } = queue;
    const waitMs = BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)];
    const write =
      isDone || tries >= TRIES_MAX
        ? written(doc, without(rest, first), now(), LEASE_MS)
        : written(doc, { ...rest, tries: tries + 1 }, now(), waitMs);
    return { writes: [write], result: undefined };
  });
}

/** The queue once a piece is worked: only its digest is left. */
function without(queue: Queue, piece: Waiting): Queue {
  const done = [...queue.done, piece.id];
  const orders = [...queue.orders, piece.order];
  const forgotten = orders.slice(0, -DONE_MAX);
  const before = Math.max(queue.before ?? -1, ...forgotten);
  return {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => id !== piece.id),
    done: done.slice(-DONE_MAX),
    orders: orders.slice(-DONE_MAX),
    ...(before >= 0 && { before }),
  };
}

function written(doc: KeyedDoc, queue: Queue, now: number, dueInMs: number | undefined) {
  const dueAt = queue.waiting.length > 0 ? now + (dueInMs ?? LEASE_MS) : null;
  return queueCodec.write(doc, queue, { dueAt, keepUntil: now + KEPT_MS });
}

function keyOf(from: Address): string {
  return `provider:${from}`;
}
