import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Commit, type Partition, type Store, StoreAway } from './store.ts';

/** How long a part of the store may be away before nobody waits for it any more: a Cluster elects within 20 s by default. */
const AWAY_MAX_MS = 30_000;
/** How many calls of a process may wait at once: those whose part of the store is there need the room. */
const WAITING_MAX = 500;
/** Between two tries, on average: half of it to one and a half times, so that they do not come together. */
const PAUSE_MS = 200;

/** Asked before each further try: true once nobody waits for the answer any more. */
type IsOver = () => boolean;

const scope = new AsyncLocalStorage<IsOver>();

/** Does something with patience: what it asks of a `patientStore` that is away is asked again until `isOver`. */
export function patiently<T>(isOver: IsOver, work: () => Promise<T>): Promise<T> {
  return scope.run(isOver, work);
}

interface State {
  readonly store: Pick<Store, 'read' | 'commit'>;
  /** Since when a part is away, and when that was noticed last. */
  readonly away: Map<Partition, { readonly since: number; readonly seen: number }>;
  waiting: number;
}

/**
 * A store that repeats reads and commits while it is away (`StoreAway`), for callers that work `patiently`. A failover of a
 * few seconds costs a customer those seconds, and not the turn. A commit that may have been written is repeated only if its
 * own version, which nobody else gives, says whether it was (`version.ts`). A `replicated` commit is never repeated, because
 * being written does not mean that replicas have it. Everything else, and every other caller, meets the store itself.
 */
export function patientStore(store: Store): Store {
  const state: State = { store, away: new Map(), waiting: 0 };
  return {
    ...store,
    read: (partition, keys) =>
      again(
        state,
        partition,
        () => store.read(partition, keys),
        () => true,
      ),
    commit: (partition, it) => commit(state, partition, it),
  };
}

function commit(state: State, partition: Partition, it: Commit): Promise<boolean> {
  const { store } = state;
  const proof = it.replicated
    ? undefined
    : it.writes.find(({ next, value }) => next !== undefined && value !== null);
  let uncertain: StoreAway | undefined;
  const isWritten = async () => {
    if (!uncertain || !proof) return false;
    const [doc] = await store.read(partition, [proof.key]);
    return doc?.version === proof.next;
  };
  const attempt = async () => {
    try {
      // Refused by a version after an uncertain end: that version may be its own.
      return (await isWritten()) || (await store.commit(partition, it)) || (await isWritten());
    } catch (error) {
      if (error instanceof StoreAway && !error.isUndone) uncertain ??= error;
      throw uncertain ?? error;
    }
  };
  return again(state, partition, attempt, ({ isUndone }) => isUndone || proof !== undefined);
}

async function again<T>(
  state: State,
  partition: Partition,
  ask: () => Promise<T>,
  mayBeRepeated: (error: StoreAway) => boolean,
): Promise<T> {
  const isOver = scope.getStore();
  if (!isOver) return ask();
  let isWaiting = false;
  try {
    for (;;) {
      try {
        const answer = await ask();
        state.away.delete(partition);
        return answer;
      } catch (error) {
        if (!(error instanceof StoreAway && mayBeRepeated(error))) throw error;
        if (!isWaiting && !isWaitedFor(state, partition)) throw error;
        if (!isWaiting) state.waiting++;
        isWaiting = true;
        if (!isOver()) await sleep(PAUSE_MS * (0.5 + Math.random()));
        if (isOver()) throw error;
      }
    }
  } finally {
    if (isWaiting) state.waiting--;
  }
}

/** Whether one more may wait for this part of the store. */
function isWaitedFor({ away, waiting }: State, partition: Partition): boolean {
  const now = performance.now();
  const known = away.get(partition);
  const since = known && now - known.seen < AWAY_MAX_MS ? known.since : now;
  away.set(partition, { since, seen: now });
  return now - since < AWAY_MAX_MS && waiting < WAITING_MAX;
}
