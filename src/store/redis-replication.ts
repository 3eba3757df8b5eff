import { ClientOfflineError } from 'redis';
import {
  connectRedis,
  REDIS_DEADLINE_MS,
  type RedisAddress,
  type RedisConnection,
} from './redis-connection.ts';
import type { Script } from './redis-scripts.ts';
import { ReplicasMissing, StoreDown } from './store.ts';

/** How long replicas may take to acknowledge: less than the deadline of the command that waits for them. */
const REPLICAS_WAIT_MS = 1_000;
/** How often it is looked whether missing replicas are back … */
const PROBE_EVERY_MS = 500;
/** … and how long they may take to answer that: commits wait behind it. */
const PROBE_WAIT_MS = 200;
/** How long what a probe writes is kept. */
const PROBE_KEPT_MS = 60_000;
/** How many other nodes of a cluster a commit may be sent to before it is given up. */
const REDIRECTS_MAX = 5;

/** Commits that must be on replicas before they resolve, on connections of their own. */
export interface Replication {
  /**
   * Runs a commit script and resolves once enough replicas have what it wrote. Rejects with `ReplicasMissing` where they
   * are known to be missing: nothing was written then. Any other `StoreDown`: it may have been written, and a failover
   * could lose it. `rest`: number of keys, keys, arguments; `key`: one of the keys.
   */
  run(script: Script, key: string, rest: readonly string[]): Promise<unknown>;
  /** Looks whether there are enough replicas now. `key` is written, and soon forgotten. */
  probe(key: string): Promise<boolean>;
  /** True while the node that owns a key, or any, is known to have too few replicas. */
  isMissing(key?: string): boolean;
  close(): Promise<void>;
}

/** The connection to one node, which has its own replicas. */
interface Lane {
  readonly url: string;
  readonly connection: RedisConnection;
  /** What waits until the commits before it are on the replicas. */
  readonly queue: Waiting[];
  isBusy: boolean;
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
  readonly address: RedisAddress;
  readonly replicasMin: number;
  readonly roots: readonly string[];
  readonly lanes: Map<string, Promise<Lane>>;
  /** The node of a cluster that owns a key, as far as it is known. */
  readonly homes: Map<string, string>;
  /** The nodes whose lanes are missing replicas. */
  readonly missing: Set<string>;
  isClosed: boolean;
}

/**
 * `WAIT` holds back the connection that it comes on, and counts what that connection has written. So these commits have
 * a connection of their own to every primary, and everybody else's commands pass them by. A commit and its `WAIT` are
 * written to the socket together: on a connection that was lost in between, `WAIT` would count nothing. Commits that come
 * while one waits go together after it, and share the next `WAIT`.
 */
export function createReplication(address: RedisAddress, replicasMin: number): Replication {
  const state: State = {
    address,
    replicasMin,
    roots: address.url.split(','),
    lanes: new Map(),
    homes: new Map(),
    missing: new Set(),
    isClosed: false,
  };
  return {
    run: (script, key, rest) => {
      // The text itself: behind a script that Redis does not know, `WAIT` would confirm what was never written.
      const command = ['EVAL', script.text, ...rest];
      return atHome(state, key, (lane) => enqueued(state, lane, key, command));
    },
    // Nothing waits behind the first probe, so replicas may take as long as they may for a commit.
    probe: (key) => atHome(state, key, (lane) => probe(state, lane, key, commitWaitMs(state))),
    isMissing: (key) => {
      const { missing, homes, roots } = state;
      return key === undefined ? missing.size > 0 : missing.has(homes.get(key) ?? (roots[0] as string));
    },
    close: () => close(state),
  };
}

/** Does something on the lane to the node that owns a key: the one that is known, or the one that others point to. */
async function atHome<T>(state: State, key: string, work: (lane: Lane) => Promise<T>): Promise<T> {
  const { homes, roots, lanes } = state;
  let url = homes.get(key) ?? (roots[0] as string);
  for (let redirects = 0; ; redirects++) {
    try {
      const done = await work(await laneTo(state, url));
      homes.set(key, url);
      return done;
    } catch (error) {
      const nodes = [...new Set([...roots, ...lanes.keys()])];
      // Only what was surely not done there is done elsewhere.
      const next = movedTo(error, url) ?? (isUnsent(error) ? after(nodes, url) : undefined);
      if (next === undefined || redirects === REDIRECTS_MAX) throw error;
      homes.delete(key);
      url = next;
    }
  }
}

function laneTo(state: State, url: string): Promise<Lane> {
  const { lanes, address } = state;
  const known = lanes.get(url);
  if (known !== undefined) return known;
  const { deadlineMs = REDIS_DEADLINE_MS } = address;
  const lane = openLane({ url, cluster: false, deadlineMs, connectMs: deadlineMs });
  lanes.set(url, lane);
  lane.catch(() => lanes.delete(url));
  return lane;
}

async function openLane(address: RedisAddress): Promise<Lane> {
  try {
    const connection = await connectRedis(address);
    return { url: address.url, connection, queue: [], isBusy: false, isMissing: false };
  } catch (error) {
    throw new NotConnected((error as Error).message, { cause: error });
  }
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
  const commits = group.map(({ key, command }) => lane.connection.send(key, command));
  const acknowledged = wait(state, lane, (group[0] as Waiting).key, commitWaitMs(state));
  const results = await Promise.allSettled(commits);
  const unsafe = await acknowledged.then(
    (count) => (count < state.replicasMin ? tooFew(count, state.replicasMin) : undefined),
    (error: unknown) => error,
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

/** Half of the deadline at most: the other half is the commit's own. */
function commitWaitMs({ address: { deadlineMs = REDIS_DEADLINE_MS } }: State): number {
  return Math.min(REPLICAS_WAIT_MS, Math.floor(deadlineMs / 2));
}

/** How many replicas have everything that this connection has written. */
async function wait({ replicasMin }: State, { connection }: Lane, key: string, ms: number): Promise<number> {
  return Number(await connection.send(key, ['WAIT', String(replicasMin), String(ms)]));
}

/** From now on commits are refused before they are written, until a probe finds the replicas back. */
function giveUp(state: State, lane: Lane, key: string): void {
  lane.isMissing = true;
  state.missing.add(lane.url);
  if (lane.probing || state.isClosed) return;
  // What is written for it lives in the slot of a key that this node owns.
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
    const written = lane.connection.send(key, ['SET', key, '', 'PX', String(PROBE_KEPT_MS)]);
    const [, count] = await Promise.all([written, wait(state, lane, key, waitMs)]);
    if (count < state.replicasMin) giveUp(state, lane, key);
    else {
      lane.isMissing = false;
      state.missing.delete(lane.url);
      clearInterval(lane.probing);
      delete lane.probing;
    }
    return !lane.isMissing;
  } finally {
    lane.isBusy = false;
    void flush(state, lane);
  }
}

async function close(state: State): Promise<void> {
  state.isClosed = true;
  const lanes = await Promise.allSettled(state.lanes.values());
  const open = lanes.flatMap((lane) => (lane.status === 'fulfilled' ? [lane.value] : []));
  for (const { probing } of open) clearInterval(probing);
  await Promise.all(open.map(({ connection }) => connection.close()));
}

function missing(replicasMin: number): ReplicasMissing {
  return new ReplicasMissing(`fewer than ${replicasMin} replicas can be reached, so nothing was written`);
}

function tooFew(count: number, replicasMin: number): StoreDown {
  return new StoreDown(`${count} of ${replicasMin} replicas have the commit`);
}

/** There is no connection: nothing can have been sent over it. */
class NotConnected extends StoreDown {}

function isUnsent(error: unknown): boolean {
  if (error instanceof NotConnected) return true;
  return error instanceof StoreDown && error.cause instanceof ClientOfflineError;
}

/** The node that a cluster says a key has moved to, with what the URL of the one that said so knows beside it. */
function movedTo(error: unknown, from: string): string | undefined {
  const cause = error instanceof StoreDown ? error.cause : undefined;
  const [, host, port] = (cause instanceof Error && /^MOVED \d+ (.*):(\d+)$/.exec(cause.message)) || [];
  if (port === undefined) return undefined;
  const url = new URL(from);
  if (host) url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = port;
  return url.href;
}

function after(nodes: readonly string[], url: string): string | undefined {
  return nodes.length > 1 ? nodes[(nodes.indexOf(url) + 1) % nodes.length] : undefined;
}
