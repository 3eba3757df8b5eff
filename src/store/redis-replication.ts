import {
  connectRedis,
  REDIS_DEADLINE_MS,
  type RedisConnection,
  type RedisServer,
} from './redis-connection.ts';
import { openNodes, type RedisAddress, type RedisNodes } from './redis-nodes.ts';
import type { Script } from './redis-scripts.ts';
import { ReplicasMissing, StoreAway, StoreDown } from './store.ts';

/** How long replicas may take to acknowledge: less than the deadline of the command that waits for them. */
const REPLICAS_WAIT_MS = 1_000;
/** How often it is looked whether missing replicas are back … */
const PROBE_EVERY_MS = 500;
/** … and how long they may take to answer that: commits wait behind it. */
const PROBE_WAIT_MS = 200;
const PROBE_KEPT_MS = 60_000;

/** Commits that must be on replicas before they resolve, on connections of their own. */
export interface Replication {
  /**
   * Runs a commit script and resolves once enough replicas have the writes. Rejects with `ReplicasMissing` if they are known
   * to be missing: nothing was written then. After any other `StoreDown` it may have been written, and a failover could lose
   * it. `rest`: number of keys, keys, arguments. `key`: one of the keys of the partition `home`.
   */
  run(home: number, script: Script, key: string, rest: readonly string[]): Promise<unknown>;
  /** Looks whether there are enough replicas now. `key` is written, and soon forgotten. */
  probe(home: number, key: string): Promise<boolean>;
  /** True while the node of a partition, or any, is known to have too few replicas. */
  isMissing(home?: number): boolean;
  close(): Promise<void>;
}

/** The connection to one node, which has its own replicas. */
interface Lane extends Pick<RedisConnection, 'isConnected' | 'losses' | 'opened' | 'send' | 'close'> {
  readonly connection: RedisConnection;
  /** The commits that wait until those before them are on the replicas. */
  readonly queue: Waiting[];
  isBusy: boolean;
  isClosed: boolean;
  /** The last commit, or probe, was not on enough replicas in time. */
  isMissing: boolean;
  probing?: NodeJS.Timeout;
}

interface Waiting {
  readonly key: string;
  readonly command: string[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface State {
  readonly replicasMin: number;
  readonly waitMs: number;
  /** The URLs of nodes whose lanes are missing replicas. */
  readonly missing: Set<string>;
}

/**
 * `WAIT` holds back the connection that it comes on, and counts what that connection has written. So these commits have
 * a connection of their own to every primary, and everybody else's commands pass them by. A commit and its `WAIT` are
 * written to the socket together: on a connection that was lost in between, `WAIT` would count nothing. Commits that come
 * while one waits go together after it, and share the next `WAIT`.
 */
export async function openReplication(address: RedisAddress, replicasMin: number): Promise<Replication> {
  const { deadlineMs = REDIS_DEADLINE_MS } = address;
  const state: State = {
    replicasMin,
    // Half of the deadline at most: the other half is the commit's own.
    waitMs: Math.min(REPLICAS_WAIT_MS, Math.floor(deadlineMs / 2)),
    missing: new Set(),
  };
  const lanes = await openNodes(address, (server) => openLane(state, server));
  return {
    run: (home, script, key, rest) => {
      // The text itself: behind a script that Redis does not know, `WAIT` would confirm what was never written.
      const command = ['EVAL', script.text, ...rest];
      return lanes.at(home, (lane) => enqueued(state, lane, key, command));
    },
    // Nothing waits behind the first probe, so replicas may take as long as they may for a commit.
    probe: (home, key) => lanes.at(home, (lane) => probe(state, lane, key, state.waitMs)),
    isMissing: (home) => isMissing(state, lanes, home),
    close: () => lanes.close(),
  };
}

function isMissing({ missing }: State, lanes: RedisNodes<Lane>, home: number | undefined): boolean {
  return home === undefined ? missing.size > 0 : missing.has(lanes.homeOf(home));
}

function openLane({ missing }: State, server: RedisServer): Lane {
  const connection = connectRedis(server);
  const lane: Lane = {
    connection,
    queue: [],
    isBusy: false,
    isClosed: false,
    isMissing: false,
    get isConnected() {
      return connection.isConnected;
    },
    get losses() {
      return connection.losses;
    },
    opened: (ms) => connection.opened(ms),
    send: (command) => connection.send(command),
    close: () => {
      lane.isClosed = true;
      clearInterval(lane.probing);
      missing.delete(connection.url);
      return connection.close();
    },
  };
  return lane;
}

async function enqueued(state: State, lane: Lane, key: string, command: string[]): Promise<unknown> {
  if (lane.isMissing) throw missing(state.replicasMin);
  return new Promise((resolve, reject) => {
    lane.queue.push({ key, command, resolve, reject });
    void flush(state, lane);
  });
}

/** Sends what waits, one group after the other, each once the replicas have the one before. */
async function flush(state: State, lane: Lane): Promise<void> {
  if (lane.isBusy) return;
  lane.isBusy = true;
  while (lane.queue.length > 0) {
    const group = lane.queue.splice(0);
    if (lane.isMissing) for (const { reject } of group) reject(missing(state.replicasMin));
    else await commitTogether(state, lane, group);
  }
  lane.isBusy = false;
}

async function commitTogether(state: State, lane: Lane, group: readonly Waiting[]): Promise<void> {
  const commits = group.map(({ command }) => lane.connection.send(command));
  const acknowledged = wait(state, lane, state.waitMs);
  const results = await Promise.allSettled(commits);
  const unsafe = await acknowledged.then(
    (count) => (count < state.replicasMin ? tooFew(count, state.replicasMin) : undefined),
    // However the question ended, the commit before it may be written.
    (cause: unknown) => new StoreAway('replicas did not answer', { cause, isUndone: false }),
  );
  for (const [i, { key, resolve, reject }] of group.entries()) {
    const result = results[i];
    if (result?.status !== 'fulfilled') reject(result?.reason);
    // Refused by a version: nothing was written that could be lost.
    else if (unsafe !== undefined && result.value === 1) reject(unsafe);
    else resolve(result.value);
    if (unsafe !== undefined && result?.status === 'fulfilled') giveUp(state, lane, key);
  }
}

/** How many replicas have everything that this connection has written. */
async function wait({ replicasMin }: State, { connection }: Lane, ms: number): Promise<number> {
  return Number(await connection.send(['WAIT', String(replicasMin), String(ms)]));
}

/** From now on commits are refused before they are written, until a probe finds the replicas back. */
function giveUp(state: State, lane: Lane, key: string): void {
  if (lane.isClosed) return;
  lane.isMissing = true;
  state.missing.add(lane.connection.url);
  if (lane.probing) return;
  // The writes of the probe are in the slot of a key that this node owns.
  lane.probing = setInterval(
    () => void probe(state, lane, `${key}:replicas`).catch(() => {}),
    PROBE_EVERY_MS,
  );
  lane.probing.unref();
}

/** Writes something small, as a connection that has written nothing counts every replica, also one that hangs. */
async function probe(state: State, lane: Lane, key: string, waitMs = PROBE_WAIT_MS): Promise<boolean> {
  if (lane.isBusy) return !lane.isMissing;
  lane.isBusy = true;
  try {
    const written = lane.connection.send(['SET', key, '', 'PX', String(PROBE_KEPT_MS)]);
    const [, count] = await Promise.all([written, wait(state, lane, waitMs)]);
    if (count < state.replicasMin) giveUp(state, lane, key);
    else {
      lane.isMissing = false;
      state.missing.delete(lane.connection.url);
      clearInterval(lane.probing);
      delete lane.probing;
    }
    return !lane.isMissing;
  } finally {
    lane.isBusy = false;
    void flush(state, lane);
  }
}

function missing(replicasMin: number): ReplicasMissing {
  return new ReplicasMissing(`fewer than ${replicasMin} replicas can be reached, so nothing was written`);
}

function tooFew(count: number, replicasMin: number): StoreDown {
  return new StoreDown(`${count} of ${replicasMin} replicas have the commit`);
}
