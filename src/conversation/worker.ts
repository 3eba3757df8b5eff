import type { Failures } from '../log/lines.ts';
import type { Due, Store } from '../store/store.ts';
import { type Concurrency, createConcurrency } from './concurrency.ts';

/** How often the store is asked for due documents. */
const POLL_MS = 500;
/** How long a due document is ours before another process may take it. */
const LEASE_MS = 30_000;

const AWAY = 'The worker cannot ask the store for work';
/** An id that says nothing of a customer. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The work on a due document, by the prefix of its key (`session`, `webhook`, …). */
export type Chores = Readonly<Record<string, (name: string) => Promise<unknown>>>;

/**
 * Does the due work, of any process: timers, lost answers, messages, webhooks. Several workers on one store share the
 * work by leases, and compare-and-set makes it right ("at least once, in order").
 */
export interface Worker {
  /** One round: does everything that is due now. Gives how much that was. */
  round(): Promise<number>;
  /** Waits for the work that other rounds have begun. True when there was any. */
  settles(): Promise<boolean>;
  /** Begins nothing more, and waits for the work under way. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly now?: () => number;
  readonly onError?: Failures['onError'];
  readonly onBack?: Failures['onBack'];
  readonly pollMs?: number;
  /** How many chores are under way at once. */
  readonly concurrency?: Concurrency;
}

export function startWorker(
  store: Pick<Store, 'due'>,
  chores: Chores,
  {
    now = Date.now,
    onError = () => {},
    onBack = () => {},
    pollMs = POLL_MS,
    concurrency = createConcurrency(),
  }: WorkerOptions = {},
): Worker {
  const stopping = new AbortController();
  const deps: WorkerDeps = {
    store,
    chores,
    now,
    onError,
    onBack,
    pollMs,
    concurrency,
    stopping: stopping.signal,
    underWay: new Map(),
  };
  const running = poll(deps);
  return {
    round: async () => (await Promise.all(await begin(deps, concurrency.limit()))).length,
    settles: async () => (await Promise.all(deps.underWay.values())).length > 0,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(deps.underWay.values());
    },
  };
}

interface WorkerDeps extends Required<WorkerOptions> {
  readonly store: Pick<Store, 'due'>;
  readonly chores: Chores;
  readonly stopping: AbortSignal;
  /** The last chore begun for each document that has one under way. */
  readonly underWay: Map<string, Promise<void>>;
}

/** Begins the due work, again and again. It waits for none of it: a chore can be as slow as the wallet. */
async function poll(deps: WorkerDeps): Promise<void> {
  const { underWay, stopping, pollMs, concurrency, onError, onBack } = deps;
  while (!stopping.aborted) {
    const room = Math.max(0, concurrency.limit() - underWay.size);
    if (room === 0) {
      await Promise.race(underWay.values());
      continue;
    }
    const begun = await begin(deps, room).catch((error) => void onError(error, AWAY));
    if (begun) onBack(AWAY);
    // When the room is full there may be more: it is begun when one is done.
    if (begun?.length === room) await Promise.race(underWay.values());
    else await pause(pollMs, stopping);
  }
}

async function begin(deps: WorkerDeps, limit: number): Promise<Promise<void>[]> {
  const due = await deps.store.due(deps.now(), limit, LEASE_MS);
  return due.map((each) => beginChore(deps, each));
}

/** Each document has one chore at a time: it may have fallen due again meanwhile. */
function beginChore(deps: WorkerDeps, { key }: Due): Promise<void> {
  const { underWay } = deps;
  const before = underWay.get(key) ?? Promise.resolve();
  const chore = before
    .then(() => doChore(deps, key))
    .finally(() => underWay.get(key) === chore && underWay.delete(key));
  underWay.set(key, chore);
  return chore;
}

async function doChore({ chores, onError, concurrency }: WorkerDeps, key: string): Promise<void> {
  const [prefix = ''] = key.split(':', 1);
  const name = key.slice(prefix.length + 1);
  const ends = concurrency.begin(prefix);
  try {
    await chores[prefix]?.(name);
    ends(true);
  } catch (error) {
    ends(false);
    // Its lease runs out, and it is due again.
    onError(error, 'A chore failed', { chore: prefix, ...(UUID.test(name) && { id: name }) });
  }
}

/** Waits, but no longer than until the worker stops. */
function pause(ms: number, stopping: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = () => resolve();
  stopping.addEventListener('abort', wake, { once: true });
  if (stopping.aborted) resolve();
  return promise.finally(() => {
    clearTimeout(timer);
    stopping.removeEventListener('abort', wake);
  });
}
