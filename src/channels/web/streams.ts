import { randomUUID } from 'node:crypto';
import type { Address, Deliver, Push } from '../../conversation/incoming.ts';
import { createOpenStreams } from '../../http/event-streams.ts';
import type { Failures } from '../../log/lines.ts';

/** Tabs and phones of one customer. The oldest is closed for one more. */
const STREAMS_MAX_PER_ADDRESS = 4;
/** Of one network address, which may be many customers of an operator. */
const STREAMS_MAX_PER_NETWORK = 250;
const STREAMS_MAX = 20_000;

/** Chats that may all have missed something look for it within so long, and not at once. */
const LOOK_WITHIN_MS = 5_000;

/** How the processes tell each other that something waits for a chat: the store's `tell` and `listen`. */
export interface Elsewhere {
  tell(address: Address, name: string): Promise<void>;
  listen(listener: { named(name: string): void; missed(): void }): Promise<() => Promise<void>>;
}

/** One open chat. */
interface Listener {
  readonly push: (push: Push) => void;
  /** Something may wait for this chat in the store. */
  readonly look: () => void;
  readonly close: () => void;
}

/** The chats open in this process: the one thing a web channel remembers, and all of it may be lost. */
export interface Streams {
  /**
   * Adds an open chat, and gives the function that removes it, once this process hears the other ones (or cannot for
   * now). Undefined: this process holds all it can.
   */
  readonly open: (address: Address, listener: Listener) => Promise<(() => void) | undefined>;
  /**
   * Counts one more open chat of a network. Gives the function that counts it out, which may be called again.
   * Undefined: the network has as many as it may.
   */
  readonly enter: (network: string) => (() => void) | undefined;
  /** Writes to the chats that are open here, and has those that are open elsewhere look. */
  readonly push: (address: Address, push: Push) => Promise<void>;
  /** Ends every stream, so that the server can stop. Browsers come back to another process by themselves. */
  readonly close: () => void;
}

/** @param onError told when other processes cannot be told: their chats look by themselves, later */
export function createStreams(elsewhere: Elsewhere, onError: Failures['onError'] = () => {}): Streams {
  const open = createOpenStreams<Address, Listener>({
    max: STREAMS_MAX,
    maxPerOwner: STREAMS_MAX_PER_ADDRESS,
  });
  const networks = new Map<string, number>();
  const own = randomUUID();
  const fail = (error: unknown) => onError(error, 'Open chats could not be told');
  const allLook = () => {
    for (const { look } of open.all()) setTimeout(look, Math.random() * LOOK_WITHIN_MS).unref();
  };
  const named = (name: string) => {
    const [by, address] = name.split(' ', 2);
    if (by !== own) for (const { look } of open.of(address as Address)) look();
  };
  let listening: Promise<(() => Promise<void>) | undefined> | undefined;
  return {
    async open(address, listener) {
      const remove = open.add(address, listener);
      // From the first chat on.
      listening ??= elsewhere.listen({ named, missed: allLook }).catch((error) => void fail(error));
      await listening;
      return remove;
    },
    enter: (network) => enter(networks, network),
    async push(address, push) {
      for (const listener of open.of(address)) listener.push(push);
      await elsewhere.tell(address, `${own} ${address}`).catch(fail);
    },
    close() {
      open.close();
      void listening?.then((stop) => stop?.()).catch(fail);
    },
  };
}

function enter(networks: Map<string, number>, network: string): (() => void) | undefined {
  const count = networks.get(network) ?? 0;
  if (count >= STREAMS_MAX_PER_NETWORK) return undefined;
  networks.set(network, count + 1);
  let isOut = false;
  return () => {
    if (isOut) return;
    isOut = true;
    const others = (networks.get(network) ?? 1) - 1;
    if (others > 0) networks.set(network, others);
    else networks.delete(network);
  };
}

/**
 * Delivers to `web:` addresses: written to the chats open in this process, and held until the page says that the
 * customer saw it. A chat open in another process looks for it when it is told so.
 * @param notify tells the browser that something was said, where its customer has asked for that
 */
export function deliverWeb(
  streams: Streams,
  notify: (address: Address, push: Push) => void = () => {},
): Deliver {
  return async (address, push) => {
    await streams.push(address, push);
    notify(address, push);
    return 'held';
  };
}
