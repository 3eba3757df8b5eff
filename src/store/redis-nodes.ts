import {
  NotSent,
  probeOf,
  REDIS_DEADLINE_MS,
  type RedisConnection,
  type RedisServer,
  refusal,
} from './redis-connection.ts';
import { askSentinels, switchedTo } from './redis-sentinel.ts';
import { watchSentinels } from './redis-sentinel-watch.ts';
import { StoreAway, StoreDown } from './store.ts';

/** How long opening waits for a Redis that is still starting. */
const REDIS_CONNECT_MS = 5_000;
/** How many other nodes something may be sent to before it is given up. */
const REDIRECTS_MAX = 5;

/** The place of Redis: one server, the nodes of a cluster, or the server that the Sentinels name. */
export interface RedisAddress {
  /** `redis[s]://[user[:password]@]host[:port][/database]`. Several, joined by commas, are nodes of one cluster. */
  readonly url: string;
  /** One URL may stand for a whole cluster. */
  readonly cluster?: boolean | undefined;
  /** URLs of Sentinels, joined by commas: the host of `url` is the name by which they know the primary. */
  readonly sentinels?: string | undefined;
  readonly ca?: string | undefined;
  /** Begins every key: letters, digits and `: . _ -`. */
  readonly prefix?: string | undefined;
  readonly deadlineMs?: number | undefined;
  readonly connectMs?: number | undefined;
}

/** A connection, or what is made of one, to a server. */
interface Node extends Pick<RedisConnection, 'isConnected' | 'losses' | 'opened' | 'send'> {
  close(): Promise<void>;
}

/** The servers that keys may live on, each with one `N`. */
export interface RedisNodes<N extends Node> {
  /**
   * Does something at the node where a key lives. `home` names the keys that live together (a partition). `work` must send
   * at once. If the node has surely done nothing, because it could not be reached or says so, the work is done at the right
   * node. Otherwise rejects as `work` does.
   */
  at<T>(home: number, work: (node: N) => Promise<T>): Promise<T>;
  /** The node of a key, as far as it is known. */
  homeOf(home: number): string;
  /** False where all keys live on one server. */
  readonly isCluster: boolean;
  close(): Promise<void>;
}

interface State<N extends Node> {
  readonly address: RedisAddress;
  readonly roots: readonly string[];
  readonly isCluster: boolean;
  readonly open: (server: RedisServer) => N;
  readonly nodes: Map<string, N>;
  readonly homes: Map<number, string>;
  /** The primary, as far as Sentinels have said. */
  primary: string;
  question: Promise<string | undefined> | undefined;
  stopListening: () => Promise<void>;
}

/**
 * Opens the first node that answers. A node that hangs or is gone holds up only the keys that live on it, because each node
 * has its own connection and deadlines. The answers of nodes (`MOVED`) tell where a partition lives. The Sentinels tell
 * where the primary is, when the known one does not answer or only reads. One address without either stands for the primary:
 * its connections leave a server that says it is none.
 */
export async function openNodes<N extends Node>(
  address: RedisAddress,
  open: (server: RedisServer) => N,
): Promise<RedisNodes<N>> {
  const roots = address.url.split(',');
  const isCluster = address.cluster === true || roots.length > 1;
  const primary = roots[0] as string;
  const state: State<N> = {
    address,
    roots,
    isCluster,
    open,
    nodes: new Map(),
    homes: new Map(),
    primary,
    question: undefined,
    stopListening: async () => {},
  };
  try {
    await openFirst(state);
    if (address.sentinels) await listen(state, address.sentinels.split(','));
  } catch (error) {
    await close(state);
    throw error;
  }
  return {
    at: (home, work) => at(state, home, work),
    homeOf: (home) => homeOf(state, home),
    isCluster,
    close: () => close(state),
  };
}

/**
 * Hears of a new primary from the Sentinels: for seconds the old one may still take writes, which nobody will know of. Money does
 * not depend on that where payments wait for replicas, as it then has none.
 */
async function listen<N extends Node>(state: State<N>, sentinels: readonly string[]): Promise<void> {
  state.stopListening = await watchSentinels({
    sentinels,
    ca: state.address.ca,
    channel: '+switch-master',
    said: (message) => follow(state, switchedTo(state.address.url, message)),
    missed: () => void findPrimary(state),
  });
}

/** Waits until one of the nodes that are named in the settings answers. */
async function openFirst<N extends Node>(state: State<N>): Promise<void> {
  const { address, roots } = state;
  const { connectMs = REDIS_CONNECT_MS } = address;
  if (address.sentinels) state.primary = await firstPrimary(state, Date.now() + connectMs);
  const first = address.sentinels ? [state.primary] : roots;
  await Promise.any(first.map((url) => nodeAt(state, url).opened(connectMs))).catch(
    (error: AggregateError) => {
      throw error.errors[0];
    },
  );
}

async function firstPrimary<N extends Node>(state: State<N>, until: number): Promise<string> {
  for (;;) {
    const found = await findPrimary(state);
    if (found) return found;
    if (Date.now() >= until)
      throw new NotSent(`no Sentinel names the primary of ${hostOf(state.address.url)}`);
  }
}

async function at<N extends Node, T>(
  state: State<N>,
  home: number,
  work: (node: N) => Promise<T>,
): Promise<T> {
  const url = homeOf(state, home);
  const node = nodeAt(state, url);
  // A server that is back may be a replica now, which would answer reads with old data.
  if (state.address.sentinels && node.losses > 0) return atPrimary(state, work);
  try {
    // A lost connection refuses at once. A new one is waited for.
    if (!node.isConnected) await node.opened(patienceOf(state));
    return await work(node);
  } catch (error) {
    return elsewhere(state, home, work, url, error);
  }
}

/** Asks where the primary is, and does something there, on a connection that knew no other role of it. */
async function atPrimary<N extends Node, T>(state: State<N>, work: (node: N) => Promise<T>): Promise<T> {
  const primary = await findPrimary(state);
  if (primary === undefined)
    throw new NotSent(`no Sentinel names the primary of ${hostOf(state.address.url)}`);
  const known = state.nodes.get(primary);
  if (known && known.losses > 0) leave(state, primary);
  const node = nodeAt(state, primary);
  await node.opened(patienceOf(state));
  return work(node);
}

/** Only what was surely not done at one node is done at another. */
async function elsewhere<N extends Node, T>(
  state: State<N>,
  home: number,
  work: (node: N) => Promise<T>,
  from: string,
  first: unknown,
): Promise<T> {
  let error = first;
  let url = from;
  const tried = new Set([url]);
  for (let redirects = 0; redirects < REDIRECTS_MAX; redirects++) {
    const next = await nextNode(state, url, error, tried);
    if (next === undefined) break;
    url = next;
    tried.add(url);
    try {
      const isGuest = refusal(error).startsWith('ASK ');
      const node = nodeAt(state, url);
      await node.opened(patienceOf(state));
      if (isGuest) void node.send(['ASKING']).catch(() => {});
      const done = await work(node);
      if (state.isCluster && !isGuest) settle(state, home, url);
      return done;
    } catch (again) {
      error = again;
    }
  }
  // The caller can use the news that a node cannot be reached, but not that it is still said to be the right one.
  throw refusal(error).startsWith('MOVED ') ? first : error;
}

/** A partition lives there now. A node that nothing lives on and nobody reaches has left the cluster. */
function settle<N extends Node>(state: State<N>, home: number, url: string): void {
  const { homes, roots, nodes } = state;
  const before = homes.get(home);
  homes.set(home, url);
  if (before === undefined || before === url || roots.includes(before)) return;
  if (![...homes.values()].includes(before) && !nodes.get(before)?.isConnected) leave(state, before);
}

function leave<N extends Node>({ nodes }: State<N>, url: string): void {
  const node = nodes.get(url);
  nodes.delete(url);
  void node?.close();
}

/**
 * The node to ask after another one has not done something. Undefined: it may have done it, or nobody else knows better.
 */
async function nextNode<N extends Node>(
  state: State<N>,
  url: string,
  error: unknown,
  tried: ReadonlySet<string>,
): Promise<string | undefined> {
  const moved = movedTo(error, url);
  if (moved !== undefined) return tried.has(moved) && !refusal(error).startsWith('ASK ') ? undefined : moved;
  if (!isUndone(error)) return undefined;
  if (state.isCluster) return [...state.roots, ...state.nodes.keys()].find((other) => !tried.has(other));
  if (!state.address.sentinels) return undefined;
  const primary = await findPrimary(state);
  return primary === undefined || tried.has(primary) ? undefined : primary;
}

/** Asks the Sentinels where the primary is, once for all callers. Undefined: none of them says. */
function findPrimary<N extends Node>(state: State<N>): Promise<string | undefined> {
  state.question ??= askSentinels(state.address)
    .then((url) => {
      follow(state, url);
      return url;
    })
    .finally(() => {
      state.question = undefined;
    });
  return state.question;
}

/** The old primary may come back as a replica. Nothing more is asked of it. */
function follow<N extends Node>(state: State<N>, primary: string | undefined): void {
  if (primary === undefined || primary === state.primary) return;
  leave(state, state.primary);
  state.primary = primary;
}

function homeOf<N extends Node>({ homes, roots, primary, isCluster }: State<N>, home: number): string {
  return isCluster ? (homes.get(home) ?? (roots[0] as string)) : primary;
}

function nodeAt<N extends Node>({ nodes, open, address, isCluster }: State<N>, url: string): N {
  let node = nodes.get(url);
  if (node === undefined) {
    const { ca, deadlineMs, sentinels, prefix } = address;
    const probe = isCluster || sentinels ? undefined : probeOf(prefix);
    node = open({ url, ca, deadlineMs, probe });
    nodes.set(url, node);
  }
  return node;
}

async function close<N extends Node>({ nodes, stopListening }: State<N>): Promise<void> {
  await stopListening();
  await Promise.all(Array.from(nodes.values(), (node) => node.close()));
}

function patienceOf<N extends Node>({ address: { deadlineMs = REDIS_DEADLINE_MS } }: State<N>): number {
  return deadlineMs;
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}

function isUndone(error: unknown): boolean {
  return error instanceof StoreAway && error.isUndone;
}

/** The node that a cluster says a key has moved to, with what the URL of the one that said so knows beside it. */
function movedTo(error: unknown, from: string): string | undefined {
  if (!(error instanceof StoreDown)) return undefined;
  const [, host, port] = /^(?:MOVED|ASK) \d+ (.*):(\d+)$/.exec(refusal(error)) ?? [];
  if (port === undefined) return undefined;
  const url = new URL(from);
  if (host) url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = port;
  return url.href;
}
