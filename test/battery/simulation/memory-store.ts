import { checkCommit } from '../../../src/store/rules.ts';
import {
  type Commit,
  type Doc,
  type Due,
  type Partition,
  SAME,
  type Scheduled,
  type Store,
  StoreDown,
} from '../../../src/store/store.ts';
import type { VirtualClock } from './clock.ts';

interface Cell extends Doc {
  readonly partition: Partition;
  readonly key: string;
  dueAt: number | undefined;
  readonly keepUntil: number | undefined;
}

interface Entry {
  readonly at: number;
  readonly before: readonly (readonly [name: string, cell: Cell | undefined])[];
}

/** The documents of a store that all processes share. It can lose its last writes, as a failover does. */
export type Memory = ReturnType<typeof createMemory>;

export function createMemory(now: () => number) {
  const cells = new Map<string, Cell>();
  let journal: Entry[] = [];
  const memory = {
    /** Called when a document will be due. */
    onDue: (_at: number) => {},
    /** Called when a document is written for the first time. */
    onNew: [] as ((key: string) => void)[],

    read(partition: Partition, key: string): Doc | undefined {
      const cell = cells.get(`${partition} ${key}`);
      return cell && !isOver(cell) ? { value: cell.value, version: cell.version } : undefined;
    },

    commit(partition: Partition, commit: Commit): boolean {
      checkCommit(partition, commit);
      const moved = commit.writes.some(
        ({ key, version }) => (memory.read(partition, key)?.version ?? 0) !== version,
      );
      if (moved) return false;
      const before: [string, Cell | undefined][] = [];
      for (const { key, version, next = version + 1, value, dueAt, keepUntil } of commit.writes) {
        const name = `${partition} ${key}`;
        before.push([name, cells.get(name)]);
        if (value === null) cells.delete(name);
        else
          cells.set(name, {
            partition,
            key,
            value,
            version: next,
            dueAt: dueAt === SAME ? cells.get(name)?.dueAt : (dueAt ?? undefined),
            keepUntil,
          });
        if (value !== null && typeof dueAt === 'number') memory.onDue(dueAt);
        if (version === 0) for (const isNew of memory.onNew) isNew(key);
      }
      journal.push({ at: now(), before });
      return true;
    },

    isDue: () => dueCells().length > 0,

    due(limit: number, leaseMs: number): Due[] {
      const found = dueCells()
        .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(0, limit);
      for (const cell of found) cell.dueAt = now() + leaseMs;
      if (found.length > 0) memory.onDue(now() + leaseMs);
      return found.map(({ partition, key }) => ({ partition, key }));
    },

    scheduled(partition: Partition, prefix: string, limit: number): Scheduled[] {
      return [...cells.values()]
        .filter((cell) => cell.partition === partition && cell.key.startsWith(prefix) && !isOver(cell))
        .flatMap(({ key, dueAt }) => (dueAt === undefined ? [] : [{ key, at: dueAt }]))
        .sort((a, b) => a.at - b.at)
        .slice(0, limit);
    },

    /** Every document whose key begins so. */
    all(prefix: string): Doc[] {
      return [...cells.values()].filter(({ key }) => key.startsWith(prefix));
    },

    /** Forgets every write since a moment, although it was acknowledged. Gives how many. */
    loseSince(at: number): number {
      const lost = journal.filter((entry) => entry.at >= at);
      journal = journal.slice(0, journal.length - lost.length);
      for (const { before } of lost.reverse()) {
        for (const [name, cell] of before) {
          if (cell) cells.set(name, cell);
          else cells.delete(name);
          if (cell?.dueAt !== undefined) memory.onDue(Math.max(now(), cell.dueAt));
        }
      }
      return lost.length;
    },
  };
  return memory;

  function dueCells(): Cell[] {
    return [...cells.values()].filter(
      (cell) => cell.dueAt !== undefined && cell.dueAt <= now() && !isOver(cell),
    );
  }

  function isOver({ keepUntil }: Cell): boolean {
    return keepUntil !== undefined && keepUntil <= now();
  }
}

/** The way of one operation to the store and back: its duration, and whether it is lost before or after its work. */
interface Travel {
  readonly thereMs: number;
  readonly backMs: number;
  readonly fails?: 'before' | 'after' | undefined;
}

/** The store as one process sees it. */
export function storeOf(memory: Memory, clock: VirtualClock, travel: (writes: boolean) => Travel): Store {
  async function take<T>(writes: boolean, work: () => T): Promise<T> {
    const { thereMs, backMs, fails } = travel(writes);
    if (thereMs > 0) await clock.sleep(thereMs);
    if (fails === 'before') throw new StoreDown('lost on its way there');
    const result = work();
    if (backMs > 0) await clock.sleep(backMs);
    if (fails === 'after') throw new StoreDown('lost on its way back');
    return result;
  }
  return {
    read: (partition, keys) => take(false, () => keys.map((key) => memory.read(partition, key))),
    commit: (partition, commit) => take(true, () => memory.commit(partition, commit)),
    due: (_now, limit, leaseMs) => take(false, () => memory.due(limit, leaseMs)),
    // Nobody looks over a shoulder in a simulation.
    turns: async () => [],
    turnsAfter: async () => ({ entries: [], length: 0, lost: 0 }),
    recorded: async () => {},
    eraseTurns: async () => {},
    scheduled: async (partition, prefix, limit) => memory.scheduled(partition, prefix, limit),
    watch: async () => async () => {},
    tell: async () => {},
    listen: async () => async () => {},
    lacksReplicas: () => false,
    mayLoseWrites: () => false,
    close: async () => {},
  };
}
