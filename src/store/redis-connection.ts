import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createCluster } from 'redis';
import type { Script } from './redis-scripts.ts';
import { StoreDown } from './store.ts';

/** How long a command waits for Redis before it is given up. */
export const REDIS_DEADLINE_MS = 2_000;
/** How long opening waits for a Redis that is still starting. */
const REDIS_CONNECT_MS = 5_000;
/** Deadlines are checked this often in one deadline. */
const TICKS_PER_DEADLINE = 4;
/** A connection that missed a deadline is replaced at most once in so many ticks. */
const TICKS_PER_RENEWAL = 20;
const RECONNECT_MAX_MS = 1_000;
/** An idle connection is asked for a sign of life this often … */
const PING_EVERY_MS = 2_000;
/** … and given up after so long without any. */
const SILENCE_MAX_MS = 5_000;
/** Commands waiting in this process at the same time. */
const QUEUE_MAX = 100_000;

export interface RedisAddress {
  /** `redis[s]://[user[:password]@]host[:port][/database]`; several, joined by commas, are nodes of one cluster. */
  readonly url: string;
  /** One URL may stand for a whole cluster. */
  readonly cluster?: boolean;
  readonly deadlineMs?: number;
  readonly connectMs?: number;
}

/** Commands to one Redis or one Redis Cluster. Every failure is a `StoreDown` with its cause. */
export interface RedisConnection {
  /** `key` decides the node of a cluster: one of the keys in `command`. */
  send(key: string, command: string[]): Promise<unknown>;
  /** Runs a script that Redis may not know yet. `rest`: number of keys, keys, arguments. */
  run(script: Script, key: string, rest: string[]): Promise<unknown>;
  close(): Promise<void>;
}

interface Client {
  send(key: string, command: string[]): Promise<unknown>;
  connect(): Promise<unknown>;
  destroy(): void;
  close(): Promise<unknown>;
}

/**
 * Connects, and stays connected: a lost connection comes back by itself, and commands are refused until then, as a
 * command that is kept and sent late would surprise whoever has given it up.
 *
 * Deadlines are ours. The client library's own command timeout costs a third of the throughput and ends when the
 * command is written, so a Redis that hangs would hold its callers for ever. Here one timer looks at all waiting
 * commands. It counts its own ticks and no clock, so that time during which this process stood still is not held
 * against Redis. A connection that missed a deadline is replaced, in a cluster together with what it knew of the nodes.
 */
export async function connectRedis(address: RedisAddress): Promise<RedisConnection> {
  const { deadlineMs = REDIS_DEADLINE_MS, connectMs = REDIS_CONNECT_MS } = address;
  const name = hostsOf(address.url);
  const waiting = new Set<{ readonly since: number; readonly reject: (error: StoreDown) => void }>();
  let client = makeClient(address, remember);
  let trouble: unknown;
  let closed = false;
  let tick = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  /** The client library tells of lost connections apart from commands; ours are told by their commands. */
  function remember(error: unknown): void {
    trouble = error;
  }

  function down(error: unknown): StoreDown {
    const reason = error instanceof Error ? error.message : String(error);
    return new StoreDown(`Redis at ${name}: ${reason}`, { cause: error });
  }

  async function connect(): Promise<void> {
    const mine = client;
    while (!closed && client === mine) {
      try {
        await mine.connect();
        return;
      } catch (error) {
        trouble = error;
        await sleep(RECONNECT_MAX_MS);
      }
    }
  }

  function renew(): void {
    if (tick - renewedAt < TICKS_PER_RENEWAL) return;
    renewedAt = tick;
    client.destroy();
    client = makeClient(address, remember);
    void connect();
  }

  function checkDeadlines(): void {
    tick++;
    let missed = false;
    for (const call of waiting) {
      if (tick - call.since <= TICKS_PER_DEADLINE) break;
      waiting.delete(call);
      call.reject(down(`no answer within ${deadlineMs} ms`));
      missed = true;
    }
    if (missed) renew();
  }

  function send(key: string, command: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { since: tick, reject };
      waiting.add(call);
      client.send(key, command).then(
        (reply) => {
          waiting.delete(call);
          resolve(reply);
        },
        (error) => {
          waiting.delete(call);
          reject(down(error));
        },
      );
    });
  }

  async function run(script: Script, key: string, rest: string[]): Promise<unknown> {
    try {
      return await send(key, ['EVALSHA', script.sha, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return send(key, ['EVAL', script.text, ...rest]);
    }
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    // A Redis that hangs must not hold the process: what is still waiting then is given up.
    await Promise.race([client.close().catch(() => {}), sleep(deadlineMs, undefined, { ref: false })]);
    clearInterval(timer);
    client.destroy();
  }

  const timer = setInterval(checkDeadlines, deadlineMs / TICKS_PER_DEADLINE).unref();
  const late = new AbortController();
  const connected = await Promise.race([
    connect().then(() => true),
    sleep(connectMs, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  if (!connected) {
    closed = true;
    clearInterval(timer);
    client.destroy();
    throw down(trouble ?? `no answer within ${connectMs} ms`);
  }
  return { send, run, close };
}

function isUnknownScript(error: unknown): boolean {
  const cause = error instanceof StoreDown ? error.cause : undefined;
  return cause instanceof Error && cause.message.startsWith('NOSCRIPT');
}

/** Host and port of each URL, to name them without their passwords. */
function hostsOf(urls: string): string {
  return urls
    .split(',')
    .map((url) => new URL(url).host)
    .join(', ');
}

export const OPTIONS = {
  name: 'wasl',
  disableOfflineQueue: true,
  commandsQueueMaxLength: QUEUE_MAX,
  maintNotifications: 'disabled',
  pingInterval: PING_EVERY_MS,
  commandOptions: { timeout: 0 },
} as const;
export const SOCKET = {
  socketTimeout: SILENCE_MAX_MS,
  reconnectStrategy: (retries: number) => Math.min(2 ** retries * 20, RECONNECT_MAX_MS),
};

type OnError = (error: unknown) => void;

function makeClient({ url, cluster }: RedisAddress, onError: OnError): Client {
  return cluster || url.includes(',')
    ? makeClusterClient(url.split(','), onError)
    : makeSingleClient(url, onError);
}

function makeSingleClient(url: string, onError: OnError): Client {
  const client = createClient({ ...OPTIONS, url, socket: { ...SOCKET } });
  client.on('error', onError);
  return {
    send: (_key, command) => client.sendCommand(command),
    connect: () => client.connect(),
    destroy: () => client.destroy(),
    close: () => client.close(),
  };
}

function makeClusterClient(urls: readonly string[], onError: OnError): Client {
  const { username, password, protocol } = new URL(urls[0] as string);
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    // A node that is down must not keep the others from being used.
    minimizeConnections: true,
    commandOptions: OPTIONS.commandOptions,
    defaults: {
      ...OPTIONS,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      socket: { ...SOCKET, ...(protocol === 'rediss:' && { tls: true as const }) },
    },
  });
  cluster.on('error', onError);
  cluster.on('node-error', onError);
  return {
    send: (key, command) => cluster.sendCommand(key, false, command),
    connect: () => cluster.connect(),
    destroy: () => cluster.destroy(),
    close: () => cluster.close(),
  };
}
