import { checkCommit, checkPartition, TURNS_MAX, TURNS_PER_TRIM } from './rules.ts';
import { type ClockSource, MACHINE, openClock } from './sqlite-clock.ts';
import { openDatabase, orDown } from './sqlite-database.ts';
import type { Commit, Doc, Due, Partition, Scheduled, Store, TurnEntry, Watcher, Write } from './store.ts';

export interface SqliteStoreOptions {
  /** Where `wasl.db` is; made if missing, readable by its owner only. */
  readonly directory: string;
  /** Turn records kept per partition. */
  readonly turnsMax?: number;
  /** Where the time comes from: tests have clocks that lie. */
  readonly clock?: ClockSource;
}

/** Documents whose retention one call of `due` looks at. */
const SWEEP_DOCS = 200;

const SWEEP_START: Due = { partition: -1, key: '' };

const KEPT = '(keepUntil IS NULL OR keepUntil > ?)';
const SQL = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  find: `SELECT version, value FROM doc WHERE partition = ? AND key = ? AND ${KEPT}`,
  version: `SELECT version FROM doc WHERE partition = ? AND key = ? AND ${KEPT}`,
  put: 'INSERT OR REPLACE INTO doc (partition, key, version, value, dueAt, keepUntil) VALUES (?, ?, ?, ?, ?, ?)',
  drop: 'DELETE FROM doc WHERE partition = ? AND key = ?',
  due: `SELECT partition, key FROM doc WHERE dueAt <= ? AND ${KEPT} ORDER BY dueAt, partition, key LIMIT ?`,
  lease: 'UPDATE doc SET dueAt = ? WHERE partition = ? AND key = ?',
  scheduled: `SELECT key, dueAt AS at FROM doc WHERE partition = ? AND key >= ? AND key < ? AND dueAt IS NOT NULL
    AND ${KEPT} ORDER BY dueAt, key LIMIT ?`,
  page: `SELECT partition, key, keepUntil FROM doc WHERE (partition, key) > (?, ?)
    ORDER BY partition, key LIMIT ${SWEEP_DOCS}`,
  addTurn: `INSERT INTO turn (partition, id, record)
    SELECT ?1, coalesce(max(id), 0) + 1, ?2 FROM turn WHERE partition = ?1`,
  trimTurns:
    'DELETE FROM turn WHERE partition = ?1 AND id <= (SELECT max(id) FROM turn WHERE partition = ?1) - ?2',
  turns: 'SELECT id, record FROM turn WHERE partition = ? AND id < ? ORDER BY id DESC LIMIT ?',
};

/**
 * The embedded store: one SQLite file in WAL mode, held by one process. The exclusive lock is the operating system's
 * and ends with the process, however that ends; a second opening rejects with a `StoreDown` that says so.
 *
 * A commit survives the end of the process as soon as it resolves, and with `durable` the end of the machine.
 * `keepUntil` says how long a document is kept from the moment that it is written, in the store's own time
 * (`sqlite-clock.ts`): neither a start with a clock that is far off nor the `now` given to `due` makes it forget anything.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { directory, turnsMax = TURNS_MAX } = options;
  const db = openDatabase(directory);
  const clock = openClock(db, options.clock ?? MACHINE);
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)] as const);
  const sql = Object.fromEntries(prepared) as Record<keyof typeof SQL, (typeof prepared)[number][1]>;

  const watchers = new Set<Watcher>();
  let turnsUntilTrim = 0;
  let sweptTo: Due = SWEEP_START;

  function inTransaction<T>(work: () => T): T {
    sql.begin.run();
    try {
      const result = work();
      sql.commit.run();
      return result;
    } catch (error) {
      // SQLite has rolled back by itself where the disk was full.
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function read(partition: Partition, keys: readonly string[]): (Doc | undefined)[] {
    checkPartition(partition);
    const at = clock.now();
    return keys.map((key) => {
      const row = sql.find.get(partition, key, at) as { version: number; value: string } | undefined;
      return row && { value: row.value, version: row.version };
    });
  }

  function commit(partition: Partition, { writes, turn }: Commit): boolean {
    const at = clock.now();
    return inTransaction(() => {
      for (const { key, version } of writes) {
        if ((sql.version.get(partition, key, at)?.version ?? 0) !== version) return false;
      }
      for (const write of writes) put(partition, write);
      if (turn !== undefined) addTurn(partition, turn);
      return true;
    });
  }

  function put(
    partition: Partition,
    { key, version, next = version + 1, value, dueAt, keepUntil }: Write,
  ): void {
    if (value === null) sql.drop.run(partition, key);
    else {
      const keptUntil = keepUntil === undefined ? null : clock.ownOf(keepUntil);
      sql.put.run(partition, key, next, value, dueAt ?? null, keptUntil);
    }
  }

  function addTurn(partition: Partition, record: string): void {
    sql.addTurn.run(partition, record);
    turnsUntilTrim = (turnsUntilTrim || TURNS_PER_TRIM) - 1;
    if (turnsUntilTrim === 0) sql.trimTurns.run(partition, turnsMax);
  }

  function commitDurably(partition: Partition, money: Commit): boolean {
    // The pragma holds from the next transaction on; nothing else can come between, as all of this is synchronous.
    db.exec('PRAGMA synchronous = FULL');
    try {
      return commit(partition, money);
    } finally {
      db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  function due(now: number, limit: number, leaseMs: number): Due[] {
    const at = clock.now();
    clock.note('nowAndThen');
    return inTransaction(() => {
      sweep(at);
      const rows = sql.due.all(now, at, Math.max(0, limit)) as unknown as Due[];
      for (const { partition, key } of rows) sql.lease.run(now + leaseMs, partition, key);
      return rows.map(({ partition, key }) => ({ partition, key }));
    });
  }

  /**
   * Deletes what is past its retention, some documents further at each call and round again. Reads hide them anyway,
   * and an index to find them at once would cost every turn a third more.
   */
  function sweep(at: number): void {
    const rows = sql.page.all(sweptTo.partition, sweptTo.key) as unknown as (Due & {
      keepUntil: number | null;
    })[];
    for (const { partition, key, keepUntil } of rows) {
      if (keepUntil !== null && keepUntil <= at) sql.drop.run(partition, key);
    }
    sweptTo = (rows.length === SWEEP_DOCS && rows.at(-1)) || SWEEP_START;
  }

  function turns(partition: Partition, limit: number, before?: string): TurnEntry[] {
    checkPartition(partition);
    const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
    const rows = sql.turns.all(partition, from, Math.max(0, Math.min(limit, turnsMax)));
    return (rows as { id: number; record: string }[]).map(({ id, record }) => ({ id: String(id), record }));
  }

  function scheduled(partition: Partition, prefix: string, limit: number): Scheduled[] {
    checkPartition(partition);
    const rows = sql.scheduled.all(partition, prefix, afterAll(prefix), clock.now(), Math.max(0, limit));
    return (rows as unknown as Scheduled[]).map(({ key, at }) => ({ key, at }));
  }

  return {
    read: async (partition, keys) => orDown(() => read(partition, keys)),
    commit: async (partition, it) => {
      checkCommit(partition, it);
      const written = orDown(() => (it.durable ? commitDurably(partition, it) : commit(partition, it)));
      // This process is the only one: who watches is in it.
      if (written && it.turn !== undefined) for (const watcher of watchers) watcher.turn(it.turn);
      return written;
    },
    due: async (now, limit, leaseMs) => orDown(() => due(now, limit, leaseMs)),
    turns: async (partition, limit, before) => orDown(() => turns(partition, limit, before)),
    scheduled: async (partition, prefix, limit) => orDown(() => scheduled(partition, prefix, limit)),
    lacksReplicas: () => false,
    watch: async (watcher) => {
      watchers.add(watcher);
      return async () => void watchers.delete(watcher);
    },
    close: async () => {
      if (!db.isOpen) return;
      clock.note('last');
      db.close();
    },
  };
}

/** Greater than every key that begins with `prefix`: SQLite compares the bytes of UTF-8, and none is 0xFF. */
function afterAll(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
