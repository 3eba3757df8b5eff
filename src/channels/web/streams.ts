import type { Address, Deliver, Push } from '../../conversation/incoming.ts';
import { createOpenStreams } from '../../http/event-streams.ts';

/** Tabs and phones of one customer; the oldest is closed for one more. */
const STREAMS_MAX_PER_ADDRESS = 4;
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
  readonly push: (address: Address, push: Push) => void;
  /** Ends every stream, so that the server can stop; browsers come back to another process by themselves. */
  readonly close: () => void;
}

export function createStreams(): Streams {
  const open = createOpenStreams<Address, Listener>({
    max: STREAMS_MAX,
    maxPerOwner: STREAMS_MAX_PER_ADDRESS,
  });
  return {
    open: open.add,
    push: (address, push) => {
      for (const listener of open.of(address)) listener.push(push);
    },
    close: open.close,
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
