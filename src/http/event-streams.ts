import type { SSEStreamingApi } from 'hono/streaming';

/** A line now and then, or proxies take the silence for a dead connection. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser comes back after a lost connection. */
const RETRY_MS = 1_500;

/** One open stream of server-sent events. */
interface Watch {
  /** Sends what is new. Called at once and after every wait. */
  readonly look: () => Promise<void>;
  /** Resolves when it is time to look again. */
  readonly wait: () => Promise<unknown>;
  /** Asked at every heartbeat: false ends the stream. Absent: the stream is open for as long as the browser wants it. */
  readonly isStillWanted?: () => Promise<boolean>;
}

/** Keeps a stream open until the browser or `isStillWanted` ends it: an `open` event, then what is new, and heartbeats. */
export async function keepOpen(stream: SSEStreamingApi, watch: Watch): Promise<void> {
  await stream.writeSSE({ event: 'open', data: '', retry: RETRY_MS });
  let beatAt = performance.now();
  while (!stream.aborted) {
    await watch.look();
    await watch.wait();
    if (performance.now() - beatAt < HEARTBEAT_MS) continue;
    beatAt = performance.now();
    if (watch.isStillWanted && !(await watch.isStillWanted())) return;
    await stream.write(':\n\n');
  }
}

/** Wakes a stream that waits, or the next one that does. */
export interface Signal {
  tell(): void;
  /** Begins to look at it. False: there is nothing. */
  taken(): boolean;
  /** Done as soon as there is something new, or after so long. */
  orAfter(ms: number): Promise<void>;
}

export function createSignal(): Signal {
  let isThere = true;
  let wake = () => {};
  return {
    tell() {
      isThere = true;
      wake();
    },
    taken() {
      const wasThere = isThere;
      isThere = false;
      return wasThere;
    },
    orAfter: (ms) =>
      new Promise<void>((resolve) => {
        if (isThere) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** Somebody who listens. `close` ends the stream. */
interface Listener {
  readonly close: () => void;
}

/** The streams that this process holds open, by who listens. All of it may be lost: browsers come back. */
interface OpenStreams<Owner, L extends Listener> {
  /**
   * Adds a stream, and ends the owner's oldest one if they have too many. Gives the function that removes it, or undefined
   * if this process holds all it can.
   */
  readonly add: (owner: Owner, listener: L) => (() => void) | undefined;
  readonly of: (owner: Owner) => Iterable<L>;
  readonly all: () => Iterable<L>;
  /** Ends every stream, so that the server can stop. Browsers come back to another process by themselves. */
  readonly close: () => void;
}

export function createOpenStreams<Owner, L extends Listener>({
  max,
  maxPerOwner,
}: {
  readonly max: number;
  readonly maxPerOwner: number;
}): OpenStreams<Owner, L> {
  const open = new Map<Owner, Set<L>>();
  let count = 0;
  const all = () => [...open.values()].flatMap((listeners) => [...listeners]);
  return {
    add: (owner, listener) => {
      if (count >= max) return undefined;
      const listeners = open.get(owner) ?? new Set();
      open.set(owner, listeners.add(listener));
      count++;
      const [oldest] = listeners;
      if (listeners.size > maxPerOwner) oldest?.close();
      return () => {
        if (!listeners.delete(listener)) return;
        count--;
        if (listeners.size === 0 && open.get(owner) === listeners) open.delete(owner);
      };
    },
    of: (owner) => open.get(owner) ?? [],
    all,
    close: () => {
      for (const listener of all()) listener.close();
    },
  };
}
