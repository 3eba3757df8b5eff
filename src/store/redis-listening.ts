import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRedisClient,
  FOLLOW_EVERY_MS,
  failure,
  isNotPrimary,
  NotSent,
  type RedisServer,
  signOfLife,
} from './redis-connection.ts';
import { openNodes, type RedisAddress, type RedisNodes } from './redis-nodes.ts';

/** A channel that was lost is joined again at once, maybe over a new connection, but tried no more often than this. */
const AGAIN_MS = FOLLOW_EVERY_MS;
/** How often a server that stands for the primary is asked whether it still is: nothing is written here that would tell. */
const PROBE_EVERY_MS = 500;
/**
 * A server is left when it has let so many of these times pass. They are counted, as after a process stood still its timer
 * comes before the answers that wait.
 */
const UNANSWERED_MAX = 4;
/** Channels that were lost together come back together: so long after the last of them it is said, once, that something was missed. */
const MISSED_AFTER_MS = 100;

/** The channel of each partition, and a key beside it (of the same slot). */
export interface Channel {
  readonly name: string;
  readonly key: string;
}

/** A listener to messages on any of the channels. */
interface Ears {
  said(text: string): void;
  /** The connection to a node was broken: something may have been said meanwhile. */
  missed(): void;
}

interface State {
  readonly address: RedisAddress;
  readonly channels: readonly Channel[];
  readonly ears: Ears;
  readonly stopping: AbortController;
  nodes: Promise<RedisNodes<Lane>> | undefined;
  missed: NodeJS.Timeout | undefined;
}

/**
 * Listens on a sharded channel for each partition, at the node where the partition lives, so that its messages cross no
 * other node. It has connections of its own, one to each node. Resolves once it listens everywhere, or as soon as it has
 * failed to. It goes on trying until it is stopped.
 */
export async function listenRedis(
  address: RedisAddress,
  channels: readonly Channel[],
  ears: Ears,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const state: State = { address, channels, ears, stopping, nodes: undefined, missed: undefined };
  const joining = channels.map((_, partition) => {
    const tried = Promise.withResolvers<void>();
    return { tried: tried.promise, done: keep(state, partition, tried.resolve) };
  });
  await Promise.all(joining.map(({ tried }) => tried));
  return async () => {
    stopping.abort();
    clearTimeout(state.missed);
    const nodes = await state.nodes?.catch(() => undefined);
    await nodes?.close();
    await Promise.all(joining.map(({ done }) => done));
  };
}

/** Joins the channel of a partition, and again whenever it is lost. */
async function keep(state: State, partition: number, tried: () => void): Promise<void> {
  const { stopping, channels, ears } = state;
  const channel = channels[partition] as Channel;
  for (let times = 0; !stopping.signal.aborted; times++) {
    const lost = Promise.withResolvers<void>();
    const begunAt = performance.now();
    try {
      const nodes = await nodesOf(state);
      await nodes.at(partition, (lane) => lane.join(channel, ears.said, lost.resolve));
      if (times > 0) tellMissed(state);
      tried();
      await lost.promise;
    } catch {
      tried();
    }
    const waitMs = Math.max(0, begunAt + AGAIN_MS - performance.now());
    await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

function nodesOf(state: State): Promise<RedisNodes<Lane>> {
  state.nodes ??= openNodes(state.address, (server) => new Lane(server)).catch((error) => {
    state.nodes = undefined;
    throw error;
  });
  return state.nodes;
}

function tellMissed(state: State): void {
  clearTimeout(state.missed);
  state.missed = setTimeout(state.ears.missed, MISSED_AFTER_MS);
}

type Client = ReturnType<typeof createRedisClient>;

/** The connection to one node. Once it is lost the next one that needs it makes another. */
class Lane {
  readonly url: string;
  readonly #server: RedisServer;
  /** The reaction to the loss of a channel that was joined here. */
  readonly #joined = new Map<string, () => void>();
  #client: Client | undefined;
  #opening: Promise<void> | undefined;
  #losses = 0;
  #isClosed = false;
  readonly #probing: NodeJS.Timeout | undefined;
  /** The one that was asked for a sign of life, and has not answered yet. */
  #asked: Client | undefined;
  /** How many times have passed since. */
  #unanswered = 0;

  constructor(server: RedisServer) {
    this.url = server.url;
    this.#server = server;
    if (server.probe !== undefined) this.#probing = setInterval(() => this.#probe(), PROBE_EVERY_MS).unref();
  }

  get isConnected(): boolean {
    return this.#client?.isReady ?? false;
  }

  get losses(): number {
    return this.#losses;
  }

  async opened(ms: number): Promise<void> {
    if (this.isConnected) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    const late = new AbortController();
    const isOpen = await Promise.race([
      this.#opening.then(() => this.isConnected),
      sleep(ms, false, { signal: late.signal }).catch(() => false),
    ]);
    late.abort();
    // One that nobody answers on is begun anew.
    if (!isOpen) this.#lose(this.#client);
    if (!isOpen) throw new NotSent(`no connection to ${new URL(this.url).host}`);
  }

  async send(command: string[]): Promise<unknown> {
    return this.#of((client) => client.sendCommand(command));
  }

  /** Joins a channel. `lost`: called once, when nothing more is heard on it here. */
  async join({ name, key }: Channel, said: (text: string) => void, lost: () => void): Promise<void> {
    // A replica lets one listen as well, but is not asked who does. For a key it sends one to its primary, or refuses to write.
    await this.send(this.#server.probe === undefined ? ['EXISTS', key] : signOfLife(this.#server));
    this.#joined.set(name, lost);
    await this.#of((client) => client.sSubscribe(name, said));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probing);
    this.#lose(this.#client);
  }

  async #of<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = this.#client;
    if (!client) throw new NotSent(`no connection to ${new URL(this.url).host}`);
    return work(client).catch((error) => {
      if (this.#server.probe !== undefined && isNotPrimary(error)) this.#lose(client);
      throw failure(this.url, error);
    });
  }

  async #open(): Promise<void> {
    const client = createRedisClient(this.#server);
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('sharded-channel-moved', (name: string) => this.#left(name));
    this.#client = client;
    await client.connect().catch(() => this.#lose(client));
    if (this.#isClosed) this.#lose(client);
  }

  /** Leaves a server that is not the primary any more, or has not answered since it was asked last. */
  #probe(): void {
    const client = this.#client;
    if (!client?.isReady) return;
    if (this.#asked === client) {
      this.#unanswered++;
      if (this.#unanswered >= UNANSWERED_MAX) this.#lose(client);
      return;
    }
    this.#asked = client;
    this.#unanswered = 0;
    const answered = () => {
      if (this.#asked === client) this.#asked = undefined;
    };
    this.send(signOfLife(this.#server)).then(answered, answered);
  }

  #lose(client: Client | undefined): void {
    if (!client || this.#client !== client) return;
    if (client.isReady) this.#losses++;
    this.#client = undefined;
    client.destroy();
    for (const name of [...this.#joined.keys()]) this.#left(name);
  }

  #left(name: string): void {
    const lost = this.#joined.get(name);
    this.#joined.delete(name);
    lost?.();
  }
}
