import type { Desk } from '../conversation/desk/desk.ts';
import type { Address } from '../conversation/incoming.ts';
import { CONVERSATION_IDLE_MS } from '../conversation/session/session.ts';
import type { TurnRecord } from '../conversation/turn/record.ts';
import { type Board, createBoard } from './board.ts';
import { createStats, type Stats } from './stats.ts';

/** What board and figures are made of when the first agent comes: no day is longer, and no session idles for so long. */
const BACKLOG_MS = 25 * 60 * 60_000;

/** Told of each turn of one address; `undefined`: some may have been missed, so everything is to be read again. */
export type Listener = (record: TurnRecord | undefined) => void;

/** What this process knows of everybody's turns, as they happen. */
export interface Live {
  readonly board: Board;
  readonly stats: Stats;
  /** Begins to watch, if nobody has yet; done when every turn from now on is told. */
  watching(): Promise<void>;
  /** … and done when board and figures know what happened before: seconds, after a busy day. */
  ready(): Promise<void>;
  /** Tells of the turns of one address until the function that it gives is called. */
  follow(address: Address, listener: Listener): () => void;
  /** Told after every turn, whoever's it was. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * One subscription to the desk for all agents of this process, opened by the first. Board and figures are made of the
 * records alone; what was missed is made good by reading them again.
 */
export function createLive(
  desk: Pick<Desk, 'watch' | 'backlog'>,
  idOf: (address: Address) => string,
  onError: (error: unknown) => void,
): Live {
  const board = createBoard(idOf, CONVERSATION_IDLE_MS);
  const stats = createStats();
  const listeners = new Map<Address, Set<Listener>>();
  const onlookers = new Set<() => void>();
  /** What is told while the past is being read, to come after it; undefined once it is known. */
  let meanwhile: TurnRecord[] | undefined;
  let started: Promise<() => Promise<void>> | undefined;
  let reading: Promise<void> = Promise.resolve();

  const live: Live = {
    board,
    stats,
    async watching() {
      started ??= begin();
      try {
        await started;
      } catch (error) {
        started = undefined;
        throw error;
      }
    },
    async ready() {
      await live.watching();
      await reading;
    },
    follow(address, listener) {
      const others = listeners.get(address) ?? new Set();
      listeners.set(address, others.add(listener));
      return () => {
        others.delete(listener);
        if (others.size === 0 && listeners.get(address) === others) listeners.delete(address);
      };
    },
    onChange(listener) {
      onlookers.add(listener);
      return () => onlookers.delete(listener);
    },
    async close() {
      await (await started?.catch(() => undefined))?.();
    },
  };
  return live;

  async function begin(): Promise<() => Promise<void>> {
    const stop = await desk.watch({
      turn(record) {
        if (meanwhile) meanwhile.push(record);
        else take(record);
        for (const listener of listeners.get(record.address) ?? []) listener(record);
        for (const onlooker of onlookers) onlooker();
      },
      missed() {
        read();
        for (const each of listeners.values()) for (const listener of each) listener(undefined);
      },
    });
    read();
    return stop;
  }

  /** Reads the past anew, once at a time. A process that cannot read it now goes on with what it is told. */
  function read(): void {
    reading = reading
      .then(readBacklog)
      .catch(onError)
      .finally(() => {
        const records = meanwhile ?? [];
        meanwhile = undefined;
        // The backlog has told some of these already.
        for (const record of records) if (record.at > lastOf(record)) take(record);
        for (const onlooker of onlookers) onlooker();
      });
  }

  async function readBacklog(): Promise<void> {
    meanwhile = [];
    board.clear();
    stats.clear();
    for await (const records of desk.backlog(BACKLOG_MS)) {
      // What comes too late to be put in its order is left out.
      for (const record of records) if (record.at >= lastOf(record)) take(record);
    }
  }

  /** When its address was last heard of. */
  function lastOf({ address }: TurnRecord): number {
    return board.row(address)?.at ?? 0;
  }

  function take(record: TurnRecord): void {
    board.add(record);
    stats.add(record);
  }
}
