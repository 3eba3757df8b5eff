import type { Address, Deliver, Push } from '../../conversation/incoming.ts';
import { createOpenStreams } from '../../http/event-streams.ts';

/** Tabs and phones of one customer; the oldest is closed for one more. */
const STREAMS_MAX_PER_ADDRESS = 4;
/** Of one network address, which may be many customers of an operator. */
const STREAMS_MAX_PER_NETWORK = 250;
/** What one process holds open. */
const STREAMS_MAX = 20_000;

/** One open chat. */
export interface Listener {
  readonly push: (push: Push) => void;
  readonly close: () => void;
}

/** The chats open in this process: the one thing a web channel remembers, and all of it may be lost. */
export interface Streams {
  /** Adds an open chat; gives the function that removes it. Undefined: this process holds all it can. */
  readonly open: (address: Address, listener: Listener) => (() => void) | undefined;
  /**
   * Counts one more open chat of a network; gives the function that counts it out, which may be called again. Undefined: the
   * network has as many as it may.
   */
  readonly enter: (network: string) => (() => void) | undefined;
  readonly push: (address: Address, push: Push) => void;
  /** Ends every stream, so that the server can stop; browsers come back to another process by themselves. */
  readonly close: () => void;
}

export function createStreams(): Streams {
  const open = createOpenStreams<Address, Listener>({
    max: STREAMS_MAX,
    maxPerOwner: STREAMS_MAX_PER_ADDRESS,
  });
  const networks = new Map<string, number>();
  return {
    open: open.add,
    enter: (network) => enter(networks, network),
    push: (address, push) => {
      for (const listener of open.of(address)) listener.push(push);
    },
    close: open.close,
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
 * customer saw it. A chat open in another process finds it when it looks (`events.ts`).
 */
export function deliverWeb(streams: Streams): Deliver {
  return async (address, push) => {
    streams.push(address, push);
    return 'held';
  };
}
