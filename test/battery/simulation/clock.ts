import { syncBuiltinESMExports } from 'node:module';
import promised from 'node:timers/promises';

const drained = setImmediate;

/** The process whose code an event runs. A dead process never does what it still had to do, and a frozen one does it later. */
export interface Owner {
  dead: boolean;
  frozenUntil: number;
}

interface Timer {
  cancelled: boolean;
}

interface Event extends Timer {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
  readonly owner: Owner | undefined;
}

/** Time that passes only from one event to the next, and a queue of them: everything happens in one fixed order. */
export type VirtualClock = ReturnType<typeof createVirtualClock>;

export function createVirtualClock(startsAt: number) {
  const queue: Event[] = [];
  let time = startsAt;
  let order = 0;
  let current: Owner | undefined;

  const clock = {
    now: () => time,
    /** The process that acts now. Undefined: the world. */
    current: () => current,

    /** Does something later, for the process that acts now. `owner` null: for the world, which never dies. */
    after(ms: number, work: () => void, owner: Owner | null | undefined = current): Timer {
      const event = {
        at: time + Math.max(0, Math.ceil(ms)),
        order: order++,
        work,
        owner: owner ?? undefined,
        cancelled: false,
      };
      push(queue, event);
      return event;
    },

    sleep: (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve)),

    /** Runs something as a process would. Everything that follows in this event belongs to that process. */
    as<T>(owner: Owner, work: () => T): T {
      current = owner;
      return work();
    },

    /** Asks a process for something, as soon as it can take it in: a frozen one does later, a dead one never. */
    ask: <T>(owner: Owner, work: () => Promise<T>) =>
      new Promise<T>((resolve) => void clock.after(0, () => resolve(work()), owner)),

    /** Lets everything happen that falls due until a moment. */
    async runUntil(end: number): Promise<void> {
      for (let event = queue[0]; event && event.at <= end; event = queue[0]) {
        pop(queue);
        const { owner } = event;
        if (event.cancelled || owner?.dead) continue;
        time = Math.max(time, event.at);
        if (owner && owner.frozenUntil > time) {
          clock.after(owner.frozenUntil - time, () => !event.cancelled && event.work(), owner);
          continue;
        }
        current = owner;
        event.work();
        // Promises that this event has settled are followed to their end before the next event.
        await new Promise((resolve) => drained(resolve));
        current = undefined;
      }
      time = Math.max(time, end);
    },
  };
  return clock;
}

/**
 * Makes the timers of the code under test virtual: the globals and `node:timers/promises`. The engine uses them for its
 * deadline and its retries, and the worker for its polling. The result puts the real timers back.
 */
export function installTimers(clock: VirtualClock): () => void {
  const real = { setTimeout, clearTimeout, sleep: promised.setTimeout };
  const virtual = {
    setTimeout: (work: () => void, ms = 0) => clock.after(ms, work),
    clearTimeout: (timer: Timer | undefined) => {
      if (timer) timer.cancelled = true;
    },
  };
  Object.assign(globalThis, virtual);
  // A module that has imported it already gets this one too.
  promised.setTimeout = sleepOn(clock);
  syncBuiltinESMExports();
  return () => {
    promised.setTimeout = real.sleep;
    syncBuiltinESMExports();
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  };
}

function sleepOn(clock: VirtualClock): typeof promised.setTimeout {
  return (ms = 1, value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = clock.after(ms, () => resolve(value as never));
      const abort = () => {
        timer.cancelled = true;
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
}

function earlier(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap, the earliest first. */
function push(heap: Event[], event: Event): void {
  let i = heap.length;
  heap.push(event);
  for (let up = (i - 1) >> 1; i > 0 && earlier(event, heap[up] as Event); i = up, up = (i - 1) >> 1) {
    heap[i] = heap[up] as Event;
    heap[up] = event;
  }
}

function pop(heap: Event[]): void {
  const last = heap.pop() as Event;
  if (heap.length === 0) return;
  let i = 0;
  for (;;) {
    let down = 2 * i + 1;
    if (down >= heap.length) break;
    if (down + 1 < heap.length && earlier(heap[down + 1] as Event, heap[down] as Event)) down++;
    if (!earlier(heap[down] as Event, last)) break;
    heap[i] = heap[down] as Event;
    i = down;
  }
  heap[i] = last;
}
