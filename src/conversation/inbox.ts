import type { Line } from '../log/lines.ts';
import type { Codec, KeyedDoc } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import { type Commit, type Store, StoreDown } from '../store/store.ts';
import { OVERTAKEN, readDocs, untilCommitted, update } from '../store/update.ts';
import type { Background } from './background.ts';
import type { Concurrency } from './concurrency.ts';
import type { Secrets } from './secrets.ts';

/** How long a piece is sealed at most, and the time in which a provider may bring it again: WhatsApp does for seven days (facts C1). */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** The time in which the process that saved a piece must work it. Longer than a channel waits for a turn. */
const LEASE_MS = 30_000;
/** Waits after a failure. The last one is repeated. */
const FAILED_MS = [1_000, 5_000, 15_000, 60_000, 300_000] as const;
/** How often a person is reminded of a piece that is kept for them. */
const REMIND_MS = 24 * 3_600_000;
/** Of one queue. More than that is an attack, or a provider that repeats itself: it brings the others again. */
const WAITING_MAX = 100;
/** How many worked pieces of a queue are known by their ids. Later, everything older counts as known. */
const DONE_MAX = 100;
/** Queues that this process works through at once. Workers take the others. */
const UNDERWAY_MAX = 1_000;

/** One thing that a provider has posted. */
export interface Piece {
  /** The same over every redelivery. It is stored as it is given. */
  readonly id: string;
  /** Pieces that wait together are worked in this order. */
  readonly order: number;
  readonly body: string;
}

/** The result for a piece. `later` is tried again, `kept` stays for a person. */
export type Worked = 'done' | 'later' | 'kept';

type Sealed = ReturnType<Secrets['seal']>;

interface Waiting {
  readonly id: string;
  readonly order: number;
  readonly sealed: Sealed;
}
/** The pieces of one person or of one event, as they are stored. */
export interface Queue {
  readonly waiting: readonly Waiting[];
  /** Worked ones, the latest last. */
  readonly done: readonly string[];
  /** The latest place in the order that was forgotten among them. */
  readonly before?: number;
  /** The places of those in `done`. */
  readonly orders: readonly number[];
  /** How often the first one that waits was tried in vain. */
  readonly tries?: number;
  /** When the queue began, in ms since 1970, where its source keeps that. */
  readonly at?: number;
  /** The first one that waits is kept for a person. */
  readonly isKept?: boolean;
}
/** As many pieces wait as may: the provider brings the others again, behind them. */
export class QueueFull extends StoreDown {}

const EMPTY: Queue = { waiting: [], done: [], orders: [] };

/** One kind of provider: how its queues are stored, and how its pieces are worked. */
export interface Source {
  /** The queue of another piece, for queues of one piece each. Absent: a queue has many. */
  anotherQueue?(name: string, piece: Piece): string;
  /** The prefix of its keys, and of the worker's chore. */
  readonly prefix: string;
  readonly form: Pick<Codec<Queue>, 'read' | 'write'>;
  /** Works one piece. `body` is undefined where nobody can read it any more. A rejection is tried again. */
  work(name: string, body: string | undefined): Promise<Worked>;
  /** Waits after `later`. The last one is repeated. */
  readonly laterMs: readonly number[];
  /** The end of a piece that was tried in vain for too long. Undefined: it is tried again. */
  gaveUp(queue: Queue, now: number): Exclude<Worked, 'later'> | undefined;
  /** When the store forgets a queue, in ms since 1970. */
  keepUntil(queue: Queue, now: number): number;
  /** Limits the queues that are worked at once by the process that saved them. Absent: only the number of all. */
  readonly concurrency?: Pick<Concurrency, 'hasRoom' | 'begin'> | undefined;
  /** Written in the commit that keeps a piece for a person, and in each that reminds of it. */
  keeps?(name: string, now: number): Pick<Commit, 'turn' | 'carries'>;
  /** Called after that commit. */
  alert?(name: string): void;
  /** The log's line for a piece that fails behind the answer. */
  readonly failed: Line;
}

/**
 * Things that providers post to us: messages of customers, and the wallet's events. They are stored sealed before the
 * provider has its answer, worked in order for each queue, once for each id, and erased once they are worked. A process
 * that dies leaves them to the next one.
 */
export interface Inbox {
  /**
   * Stores pieces, and begins to work them. Resolves once they are stored. Rejects with `StoreDown` where they cannot
   * be, or where too many of this queue wait.
   */
  save(name: string, pieces: readonly Piece[]): Promise<void>;
  /** Works what waits. Called by the worker, where the process that saved it did not. Rejects where a piece fails. */
  process(name: string): Promise<void>;
  /** Resolves once this process works nothing more of this queue. */
  rests(name: string): Promise<void>;
  /** Changes a queue in which something waits, and makes it due. False where there is none. */
  change(name: string, to: (queue: Queue) => Queue): Promise<boolean>;
}

export interface InboxDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'seal' | 'open' | 'digest'>;
  readonly background: Background;
  readonly now: () => number;
}

interface Deps extends InboxDeps {
  readonly source: Source;
  /** The queues that this process works through now. */
  readonly underway: Map<string, Promise<void>>;
}

export function createInbox(options: InboxDeps, source: Source): Inbox {
  const deps: Deps = { ...options, source, underway: new Map() };
  return {
    save: (name, pieces) => save(deps, name, pieces),
    process: (name) => workThrough(deps, name),
    rests: async (name) => deps.underway.get(name)?.catch(() => {}),
    change: (name, to) => change(deps, name, to),
  };
}

async function save(deps: Deps, name: string, pieces: readonly Piece[]): Promise<void> {
  const { store, secrets, source, background, now } = deps;
  const key = keyOf(source, name);
  const ends = placeIn(deps);
  // Each event is new, unless its provider brings it again.
  const first = source.anotherQueue && ([{ key, version: 0, value: '' }] as const);
  let saved: KeyedDoc | undefined;
  let another: string | undefined;
  let fresh: readonly Piece[] = [];
  const add = (doc: KeyedDoc) => {
    const queue = source.form.read(doc) ?? EMPTY;
    fresh = pieces.filter((piece) => !isKnown(queue, piece));
    const [next] = fresh;
    another = next && queue !== EMPTY ? source.anotherQueue?.(name, next) : undefined;
    if (!next || another !== undefined) return { result: undefined };
    if (queue.waiting.length + fresh.length > WAITING_MAX) throw new QueueFull('too many messages wait');
    const added = fresh.map(({ body, ...piece }) => ({ ...piece, sealed: secrets.seal(body, key, now()) }));
    const waiting = [...queue.waiting, ...added].toSorted((a, b) => a.order - b.order);
    const write = written(deps, doc, { ...queue, waiting }, ends ? LEASE_MS : 0);
    return { writes: [write], durable: true, result: after(write) };
  };
  try {
    saved = await update(store, partitionOf(key), [key], add, first);
  } finally {
    if (!saved) ends?.(true);
  }
  if (another !== undefined) return save(deps, another, pieces);
  if (!saved || !ends) return;
  const working = workThrough(deps, name, saved, fresh);
  working.then(
    () => ends(true),
    () => ends(false),
  );
  background.add(working, source.failed);
}

/** A place among the queues that this process works. Undefined where there is none: workers take what is due now. */
function placeIn({ source: { concurrency, prefix }, underway }: Deps) {
  if (underway.size >= UNDERWAY_MAX || concurrency?.hasRoom() === false) return undefined;
  return concurrency?.begin(prefix) ?? (() => {});
}

/** Known by its id, or so old that its id would be forgotten. */
function isKnown({ waiting, done, before }: Queue, { id, order }: Piece): boolean {
  return done.includes(id) || waiting.some((each) => each.id === id) || (before ?? -1) >= order;
}

/**
 * One process works through a queue once at a time. What comes meanwhile is worked behind it.
 * @param doc the queue as it was just written. It is read again where work is under way, as that changes it
 * @param fresh the pieces that were just added to it: their seals need not be opened
 */
function workThrough(deps: Deps, name: string, doc?: KeyedDoc, fresh?: readonly Piece[]): Promise<void> {
  const { underway } = deps;
  const before = underway.get(name)?.catch(() => {});
  const work = before?.then(() => workAll(deps, name)) ?? workAll(deps, name, doc, fresh);
  underway.set(name, work);
  const clear = () => {
    if (underway.get(name) === work) underway.delete(name);
  };
  work.then(clear, clear);
  return work;
}

async function workAll(
  deps: Deps,
  name: string,
  doc?: KeyedDoc,
  fresh: readonly Piece[] = [],
): Promise<void> {
  const { source, secrets, now } = deps;
  const bodyOf = ({ id, sealed }: Waiting) =>
    fresh.find((piece) => piece.id === id)?.body ?? secrets.open(sealed, keyOf(source, name), now(), KEPT_MS);
  let read = doc ? { doc, queue: source.form.read(doc) } : await readQueue(deps, name);
  for (;;) {
    const { queue } = read;
    const first = queue?.waiting[0];
    if (!queue || !first) return;
    const work = async () => (queue.isKept ? 'kept' : source.work(name, bodyOf(first)));
    const [tried] = await Promise.allSettled([work()]);
    const result = tried.status === 'fulfilled' ? tried.value : 'failed';
    read = await settled(deps, name, read, first, result);
    if (tried.status === 'rejected') throw tried.reason;
    // An entry that could not be worked has been put off, and those behind it wait.
    if (result !== 'done') return;
  }
}

/** Writes down what has become of a piece, and gives the queue as it is then. Where another process was faster, it counts. */
function settled(
  deps: Deps,
  name: string,
  before: ReadQueue,
  first: Waiting,
  result: Worked | 'failed',
): Promise<ReadQueue> {
  const { store, source, now } = deps;
  let read = before;
  return untilCommitted(async () => {
    const { doc, queue } = read;
    if (!queue?.waiting.some(({ id }) => id === first.id)) return read;
    const [next, waitMs] = ended(deps, queue, first, result);
    const write = written(deps, doc, next, waitMs);
    const kept = next.isKept ? source.keeps?.(name, now()) : undefined;
    if (!(await store.commit(partitionOf(doc.key), { writes: [write], ...kept }))) {
      read = await readQueue(deps, name);
      return OVERTAKEN;
    }
    if (next.isKept) source.alert?.(name);
    return { doc: after(write), queue: next };
  });
}

function ended(
  { source, now }: Deps,
  queue: Queue,
  first: Waiting,
  result: Worked | 'failed',
): readonly [queue: Queue, waitMs: number] {
  const { tries = 0 } = queue;
  const end = result === 'done' || result === 'kept' ? result : source.gaveUp(queue, now());
  if (end === 'done') return [without(queue, first), LEASE_MS];
  if (end === 'kept') return [{ ...queue, tries: queue.isKept ? tries : tries + 1, isKept: true }, REMIND_MS];
  const waits = result === 'later' ? source.laterMs : FAILED_MS;
  return [{ ...queue, tries: tries + 1 }, waits[Math.min(tries, waits.length - 1)] ?? LEASE_MS];
}

/** The queue once a piece is worked: only its id is left. */
function without({ tries: _, ...queue }: Queue, piece: Waiting): Queue {
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

function change(deps: Deps, name: string, to: (queue: Queue) => Queue) {
  const key = keyOf(deps.source, name);
  return update(deps.store, partitionOf(key), [key], (doc) => {
    const queue = deps.source.form.read(doc);
    if (!queue || queue.waiting.length === 0) return { result: false };
    return { writes: [written(deps, doc, to(queue), LEASE_MS)], durable: true, result: true };
  });
}

function written({ source, now }: Deps, doc: KeyedDoc, queue: Queue, waitMs: number) {
  const dueAt = queue.waiting.length > 0 ? now() + waitMs : null;
  return source.form.write(doc, queue, { dueAt, keepUntil: source.keepUntil(queue, now()) });
}

function after({ key, next, value }: ReturnType<Codec<Queue>['write']>): KeyedDoc {
  return { key, version: next, value: value ?? '' };
}

/** A queue and its document. */
type ReadQueue = Awaited<ReturnType<typeof readQueue>>;

async function readQueue({ store, source }: Deps, name: string) {
  const key = keyOf(source, name);
  const [doc] = await readDocs(store, partitionOf(key), [key]);
  return { doc, queue: source.form.read(doc) };
}

function keyOf({ prefix }: Source, name: string): string {
  return `${prefix}:${name}`;
}
