import { setTimeout as sleep } from 'node:timers/promises';
import { ClientOfflineError, createClient } from 'redis';
import type { Script } from './redis-scripts.ts';
import { StoreAway, StoreDown } from './store.ts';

/** How long a command waits for Redis before it is given up. */
export const REDIS_DEADLINE_MS = 2_000;
/** Deadlines are checked this often in one deadline. */
const TICKS_PER_DEADLINE = 4;
/**
 * A connection that missed a deadline is replaced at most once in so many ticks. A connection that is not made within so
 * many ticks is begun anew.
 */
const TICKS_PER_RENEWAL = 6;
/** A connection to a server that is no primary any more is replaced at most this often. */
export const FOLLOW_EVERY_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
/** A connection that only listens is asked for a sign of life this often … */
const PING_EVERY_MS = 2_000;
/** … and given up after so long without any. */
const SILENCE_MAX_MS = 5_000;
/** Commands waiting in this process at the same time. */
const QUEUE_MAX = 100_000;

export interface RedisServer {
  /** `redis[s]://[user[:password]@]host[:port][/database]`. */
  readonly url: string;
  /** Certificates (PEM) that are trusted for `rediss://`, besides those that Node trusts. */
  readonly ca?: string | undefined;
  readonly deadlineMs?: number | undefined;
  /**
   * Set where the address stands for the primary, whichever server that is: a key without a value. Unlinking it changes nothing, and
   * a server that is not the primary refuses to. Such a server is left: a new connection to the address may reach another one.
   */
  readonly probe?: string | undefined;
}

/** Commands to one Redis server. A failure is a `StoreDown`, or `NotSent` if nothing can have happened. */
export interface RedisConnection {
  readonly url: string;
  /** False while the server cannot be reached: commands are refused with `NotSent`. */
  readonly isConnected: boolean;
  /** How often the connection was lost and made again. */
  readonly losses: number;
  send(command: string[]): Promise<unknown>;
  /** Runs a script that Redis may not know yet. `rest`: number of keys, keys, arguments. */
  run(script: Script, rest: string[]): Promise<unknown>;
  /**
   * Resolves once the server has answered. Rejects with `NotSent` if it has not after `ms`, and goes on trying. Time in
   * which the process stood still does not count.
   */
  opened(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** There was no connection over which the command could have gone, or who got it does not do it at this time or place. */
export class NotSent extends StoreAway {
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, isUndone: true });
  }
}

/** Answers of nodes that have done nothing, and may not be the right ones any more, or not yet. */
const NOT_HERE = /^(?:MOVED|ASK|TRYAGAIN|READONLY|CLUSTERDOWN|MASTERDOWN|LOADING|UNBLOCKED) /;

export const DEFAULT_PREFIX = 'wasl:';

/** Refusals of a server that is no primary: a replica, a replica without its primary, a server that still reads its files. */
const NOT_PRIMARY = /^(?:READONLY|MASTERDOWN|LOADING) /;

/** True where a command was refused because its server is not the primary, so that nothing was done. */
export function isNotPrimary(error: unknown): boolean {
  return NOT_PRIMARY.test(answerIn(error) || refusal(error));
}

/** A key that is never written: only a primary lets it be removed. */
export function probeOf(prefix = DEFAULT_PREFIX): string {
  return `${prefix}primary`;
}

/** The command that a server of this kind answers at once: its sign of life. */
export function signOfLife({ probe }: RedisServer): string[] {
  return probe === undefined ? ['PING'] : ['UNLINK', probe];
}

/**
 * A connection that stays. A lost connection comes back by itself, and commands are refused until then: a command that is
 * kept and sent late would surprise a caller that has given it up.
 *
 * Deadlines are ours. The client library's own command timeout costs a third of the throughput and ends when the command is
 * written, so a Redis that hangs would hold its callers for ever. Its limit of silence counts by the clock. A machine that
 * stood still for seconds, as during a migration, would lose every connection with all that waits on it. Here one timer
 * looks at all waiting commands, and asks for a sign of life once in a deadline. It counts its own ticks and no clock, so
 * Redis is not blamed for time in which this process stood still. A connection that missed a deadline is replaced. So is a
 * connection to a server that is no longer the primary, if the address stands for the primary.
 */
export function connectRedis(server: RedisServer): RedisConnection {
  return new Connection(server);
}

/**
 * A client of the library, with the settings that all of ours have.
 * @param isKept it comes back by itself when it is lost, and its owner keeps it from being silent for too long. Any other
 * client is given up then
 */
export function createRedisClient({ url, ca }: RedisServer, isKept = false) {
  return createClient({
    url,
    name: 'wasl',
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    ...(!isKept && { pingInterval: PING_EVERY_MS }),
    socket: {
      ...(!isKept && { socketTimeout: SILENCE_MAX_MS }),
      reconnectStrategy: isKept && ((retries) => Math.min(2 ** retries * 20, RECONNECT_MAX_MS)),
      ...(url.startsWith('rediss:') && { tls: true as const, ...(ca && { ca }) }),
    },
  });
}

/** A command that waits for its answer. */
interface Waiting {
  readonly since: number;
  readonly reject: (error: StoreDown) => void;
}

class Connection implements RedisConnection {
  readonly url: string;
  readonly #server: RedisServer;
  readonly #deadlineMs: number;
  readonly #tickMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #first = Promise.withResolvers<void>();
  /** In the order in which they were sent. */
  readonly #waiting = new Set<Waiting>();
  #client: ReturnType<typeof createRedisClient>;
  /** The last words of the client library, which reports lost connections apart from commands. */
  #trouble: unknown;
  #timesReady = 0;
  #isClosed = false;
  #tick = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #readyAt = 0;

  constructor(server: RedisServer) {
    this.url = server.url;
    this.#server = server;
    this.#deadlineMs = server.deadlineMs ?? REDIS_DEADLINE_MS;
    this.#client = this.#newClient();
    this.#tickMs = this.#deadlineMs / TICKS_PER_DEADLINE;
    this.#timer = setInterval(() => this.#checkDeadlines(), this.#tickMs).unref();
    void this.#connect();
  }

  get isConnected(): boolean {
    return this.#client.isReady;
  }

  get losses(): number {
    return Math.max(0, this.#timesReady - 1);
  }

  async opened(ms: number): Promise<void> {
    while (this.#timesReady === 0) {
      const left = ms - this.#tick * this.#tickMs;
      if (left <= 0 || this.#isClosed)
        throw new NotSent(said(this.url, this.#trouble ?? `no answer within ${ms} ms`));
      const late = new AbortController();
      const waited = sleep(Math.min(left, this.#tickMs), undefined, { signal: late.signal }).catch(() => {});
      await Promise.race([this.#first.promise, waited]);
      late.abort();
    }
  }

  send(command: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { since: this.#tick, reject };
      const client = this.#client;
      this.#waiting.add(call);
      client.sendCommand(command).then(
        (reply) => {
          this.#waiting.delete(call);
          resolve(reply);
        },
        (error) => {
          this.#waiting.delete(call);
          if (client === this.#client && isNotPrimary(error)) this.#follow();
          reject(this.#down(error));
        },
      );
    });
  }

  async run(script: Script, rest: string[]): Promise<unknown> {
    try {
      return await this.send(['EVALSHA', script.sha, ...rest]);
    } catch (error) {
      if (!refusal(error).startsWith('NOSCRIPT')) throw error;
      return this.send(['EVAL', script.text, ...rest]);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#first.resolve();
    // A Redis that hangs must not hold the process: what is still waiting then is given up.
    const timeout = sleep(this.#deadlineMs, undefined, { ref: false });
    if (this.#client.isReady) await Promise.race([this.#client.close().catch(() => {}), timeout]);
    clearInterval(this.#timer);
    this.#client.destroy();
  }

  #newClient(): ReturnType<typeof createRedisClient> {
    const client = createRedisClient(this.#server, true);
    client.on('error', (error) => {
      this.#trouble = error;
    });
    client.on('ready', () => {
      this.#timesReady++;
      this.#first.resolve();
    });
    return client;
  }

  async #connect(): Promise<void> {
    const mine = this.#client;
    while (!this.#isClosed && this.#client === mine) {
      try {
        await mine.connect();
        return;
      } catch (error) {
        this.#trouble = error;
        await sleep(RECONNECT_MAX_MS, undefined, { ref: false });
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
    if (this.#client.isReady) this.#readyAt = this.#tick;
    const isStuck = this.#tick - this.#readyAt >= TICKS_PER_RENEWAL;
    if (isLate || isStuck) this.#renew();
    else if (this.#tick % TICKS_PER_DEADLINE === 0) void this.#ping();
  }

  /** A sign of life, for which the deadline holds as for any command. */
  async #ping(): Promise<void> {
    if (this.#client.isReady) await this.send(signOfLife(this.#server)).catch(() => {});
  }

  #renew(): void {
    if (this.#tick - this.#renewedAt < TICKS_PER_RENEWAL) return;
    this.#client.destroy();
    this.#replace();
  }

  /** Leaves a server that is not the primary. Its pending commands are still answered, so that no end becomes uncertain. */
  #follow(): void {
    if (this.#server.probe === undefined || this.#isClosed) return;
    if ((this.#tick - this.#renewedAt) * this.#tickMs < FOLLOW_EVERY_MS) return;
    const left = this.#client;
    this.#replace();
    const timeout = sleep(this.#deadlineMs, undefined, { ref: false });
    void Promise.race([left.close().catch(() => {}), timeout]).then(() => left.destroy());
  }

  #replace(): void {
    this.#renewedAt = this.#tick;
    this.#client = this.#newClient();
    void this.#connect();
  }

  #down(error: unknown): StoreDown {
    return failure(this.url, error);
  }
}

/** The end of a command to a server, by the error that the client library gives. */
export function failure(url: string, error: unknown): StoreDown {
  const why = said(url, error);
  const answer = answerIn(error);
  if (error instanceof ClientOfflineError || NOT_HERE.test(answer)) return new NotSent(why, { cause: error });
  if (answer) return new StoreDown(why, { cause: error });
  return new StoreAway(why, { cause: error, isUndone: false });
}

/** The error and its place: host and port, without the password. */
function said(url: string, error: unknown): string {
  return `Redis at ${new URL(url).host}: ${error instanceof Error ? error.message : String(error)}`;
}

/** The answer of a server that refused to do what it was asked (`MOVED …`, `READONLY …`). Empty: it has not answered. */
export function refusal(error: unknown): string {
  return error instanceof StoreDown ? answerIn(error.cause) : '';
}

/** The answer of a server in an error of the client library. Empty: it has not answered. */
export function answerIn(error: unknown): string {
  return error instanceof Error && /^[A-Z]+ /.test(error.message) ? error.message : '';
}
