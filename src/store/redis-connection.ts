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
  const connection = new Connection(address);
  await connection.open();
  return connection;
}

/** A command that waits for its answer. */
interface Waiting {
  readonly since: number;
  readonly reject: (error: StoreDown) => void;
}

class Connection implements RedisConnection {
  readonly #address: RedisAddress;
  readonly #deadlineMs: number;
  readonly #timer: NodeJS.Timeout;
  /** In the order in which they were sent. */
  readonly #waiting = new Set<Waiting>();
  #client: Client;
  /** What the client library said last: it reports lost connections apart from commands. */
  #trouble: unknown;
  #isClosed = false;
  #tick = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(address: RedisAddress) {
    this.#address = address;
    this.#deadlineMs = address.deadlineMs ?? REDIS_DEADLINE_MS;
    this.#client = this.#newClient();
    this.#timer = setInterval(() => this.#checkDeadlines(), this.#deadlineMs / TICKS_PER_DEADLINE).unref();
  }

  /** Resolves once Redis answers; rejects, and is closed, when it does not in time. */
  async open(): Promise<void> {
    const { connectMs = REDIS_CONNECT_MS } = this.#address;
    const late = new AbortController();
    const isConnected = await Promise.race([
      this.#connect().then(() => true),
      sleep(connectMs, false, { signal: late.signal }).catch(() => false),
    ]);
    late.abort();
    if (isConnected) return;
    this.#end();
    throw this.#down(this.#trouble ?? `no answer within ${connectMs} ms`);
  }

  send(key: string, command: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { since: this.#tick, reject };
      this.#waiting.add(call);
      this.#client.send(key, command).then(
        (reply) => {
          this.#waiting.delete(call);
          resolve(reply);
        },
        (error) => {
          this.#waiting.delete(call);
          reject(this.#down(error));
        },
      );
    });
  }

  async run(script: Script, key: string, rest: string[]): Promise<unknown> {
    try {
      return await this.send(key, ['EVALSHA', script.sha, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return this.send(key, ['EVAL', script.text, ...rest]);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // A Redis that hangs must not hold the process: what is still waiting then is given up.
    const given = sleep(this.#deadlineMs, undefined, { ref: false });
    await Promise.race([this.#client.close().catch(() => {}), given]);
    this.#end();
  }

  #newClient(): Client {
    return makeClient(this.#address, (error) => {
      this.#trouble = error;
    });
  }

  async #connect(): Promise<void> {
    const mine = this.#client;
    while (!this.#isClosed && this.#client === mine) {
      try {
        await mine.connect();
        return;
      } catch (error) {
        this.#trouble = error;
        await sleep(RECONNECT_MAX_MS);
      }
    }
  }

  #checkDeadlines(): void {
    this.#tick++;
    let isLate = false;
    for (const call of this.#waiting) {
      if (this.#tick - call.since <= TICKS_PER_DEADLINE) break;
      this.#waiting.delete(call);
      call.reject(this.#down(`no answer within ${this.#deadlineMs} ms`));
      isLate = true;
    }
    if (isLate) this.#renew();
  }

  #renew(): void {
    if (this.#tick - this.#renewedAt < TICKS_PER_RENEWAL) return;
    this.#renewedAt = this.#tick;
    this.#client.destroy();
    this.#client = this.#newClient();
    void this.#connect();
  }

  #down(error: unknown): StoreDown {
    const reason = error instanceof Error ? error.message : String(error);
    return new StoreDown(`Redis at ${hostsOf(this.#address.url)}: ${reason}`, { cause: error });
  }

  #end(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#client.destroy();
  }
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
