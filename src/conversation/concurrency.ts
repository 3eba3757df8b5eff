/** The limit that a process begins with. It is low, because work under little load takes as long as by itself. */
const LIMIT_AT_FIRST = 20;
const LIMIT_MIN = 10;
const LIMIT_MAX = 1_000;
/** Work of a kind takes as long as by itself up to this factor, … */
const TOLERANCE = 1.5;
/** … and always where it takes less than this: a collection of garbage says nothing. */
const QUICK_MS = 50;
/** The present duration is an average over about this many. */
const NOW_OVER = 10;
/** The limit is at most halved in the time in which everything under way ends once. */
const GRADIENT_MIN = 0.5;

/** How much of one kind of work this process does at once, found out by how long it takes. */
export interface Concurrency {
  /** So many at once, now. */
  limit(): number;
  underWay(): number;
  hasRoom(): boolean;
  /** One more has begun, whether or not there was room. Gives the function that says that it has ended, and whether well. */
  begin(kind: string): (isWell: boolean) => void;
}

/** The durations of one kind of work, in ms. */
interface Duration {
  count: number;
  now: number;
  /** The least that `now` has been since the limit was last at its least. */
  byItself: number;
}

interface State {
  readonly now: () => number;
  readonly durations: Map<string, Duration>;
  limit: number;
  underWay: number;
}

/**
 * Raises the limit while each piece of work takes as long as by itself, and lowers it when the work takes longer.
 * Longer work means that a queue has formed at the wallet, in this process or at the store, and more work would only
 * make it longer. It is the Gradient limit of Netflix's concurrency-limits, with each kind's own duration, so a wallet
 * that always takes two seconds is not slow. A wallet that has become slow by itself is found out at the least limit,
 * where our load does not explain the duration.
 * @param now milliseconds that only grow
 */
export function createConcurrency(now: () => number = () => performance.now()): Concurrency {
  const state: State = { now, durations: new Map(), limit: LIMIT_AT_FIRST, underWay: 0 };
  const limit = () => Math.floor(state.limit);
  return {
    limit,
    underWay: () => state.underWay,
    hasRoom: () => state.underWay < limit(),
    begin: (kind) => begin(state, kind),
  };
}

function begin(state: State, kind: string): (isWell: boolean) => void {
  const startedAt = state.now();
  state.underWay++;
  return (isWell) => {
    // Where there is little to do its duration says nothing of more.
    const isBusy = state.underWay >= state.limit / 2;
    state.underWay--;
    const gradient = isWell ? gradientOf(state, kind, state.now() - startedAt) : GRADIENT_MIN;
    if (!isBusy && gradient === 1) return;
    // A few more than there is room for. Otherwise the process would never find out that there is more room.
    const aim = state.limit * gradient + (isBusy ? Math.sqrt(state.limit) : 0);
    const limit = state.limit + (aim - state.limit) / state.limit;
    state.limit = Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit));
  };
}

/** At 1 the work takes as long as by itself. Below 1 it takes longer. */
function gradientOf({ durations, limit }: State, kind: string, took: number): number {
  const ms = Math.max(took, QUICK_MS);
  const known = durations.get(kind) ?? { count: 0, now: ms, byItself: ms };
  durations.set(kind, known);
  known.count++;
  known.now += (ms - known.now) / Math.min(known.count, NOW_OVER);
  known.byItself = limit <= LIMIT_MIN ? known.now : Math.min(known.byItself, known.now);
  return Math.max(GRADIENT_MIN, Math.min(1, (TOLERANCE * known.byItself) / known.now));
}
