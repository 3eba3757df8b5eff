import { checkCommit, checkPartition, TURNS_MAX } from './rules.ts';
import { openDatabase, orDown } from './sqlite-database.ts';
import type { Commit, Doc, Due, Partition, Store, TurnEntry, Write } from './store.ts';

export interface SqliteStoreOptions {
  /** Where `wasl.db` is; made if missing, readable by its owner only. */
  readonly directory: string;
  /** Turn records kept per partition. */
  readonly turnsMax?: number;
}

/** Documents past their `keepUntil` that one call of `due` deletes at most. */
const SWEEP_MAX = 200;

const KEPT = '(keepUntil IS NULL OR keepUntil > :clock)';
const SQL = {
  find: `SELECT version, value FROM doc WHERE partition = :partition AND key = :key AND ${KEPT}`,
  version: `SELECT version FROM doc WHERE partition = :partition AND key = :key AND ${KEPT}`,
  put: 'INSERT OR REPLACE INTO doc VALUES (:partition, :key, :version, :value, :dueAt, :keepUntil)',
  drop: 'DELETE FROM doc WHERE partition = :partition AND key = :key',
  due: `SELECT partition, key FROM doc WHERE dueAt <= :now AND ${KEPT} ORDER BY dueAt, partition, key LIMIT :limit`,
  lease: 'UPDATE doc SET dueAt = :until WHERE partition = :partition AND key = :key',
  sweep: `DELETE FROM doc WHERE (partition, key) IN
    (SELECT partition, key FROM doc WHERE keepUntil <= :clock LIMIT ${SWEEP_MAX})`,
  lastTurn: 'SELECT coalesce(max(id), 0) AS id FROM turn WHERE partition = :partition',
  addTurn: 'INSERT INTO turn VALUES (:partition, :id, :record)',
  trimTurns: 'DELETE FROM turn WHERE partition = :partition AND id <= :id',
  turns: 'SELECT id, record FROM turn WHERE partition = :partition ORDER BY id DESC LIMIT :limit',
};

/**
 * The embedded store: one SQLite file in WAL mode, held by one process. The exclusive lock is the operating system's
 * and ends with the process, however that ends; a second opening rejects with a `StoreDown` that says so.
 *
 * A commit survives the end of the process as soon as it resolves, and with `durable` the end of the machine.
 * `keepUntil` is compared with this machine's clock, not with the `now` given to `due`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { directory, turnsMax = TURNS_MAX } = options;
  const db = openDatabase(directory);
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)] as const);
  const sql = Object.fromEntries(prepared) as Record<keyof typeof SQL, (typeof prepared)[number][1]>;

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself where the disk was full.
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function read(partition: Partition, keys: readonly string[]): (Doc | undefined)[] {
    checkPartition(partition);
    const clock = Date.now();
    return keys.map((key) => {
      const row = sql.find.get({ partition, key, clock }) as { version: number; value: string } | undefined;
      return row && { value: row.value, version: row.version };
    });
  }

  function commit(partition: Partition, { writes, turn }: Commit): boolean {
    const clock = Date.now();
    return inTransaction(() => {
      for (const { key, version } of writes) {
        if ((sql.version.get({ partition, key, clock })?.version ?? 0) !== version) return false;
      }
      for (const write of writes) put(partition, write);
      if (turn !== undefined) addTurn(partition, turn);
      return true;
    });
  }

  function put(partition: Partition, { key, version, value, dueAt, keepUntil }: Write): void {
    if (value === null) sql.drop.run({ partition, key });
    else {
      const row = { partition, key, version: version + 1, value };
      sql.put.run({ ...row, dueAt: dueAt ?? null, keepUntil: keepUntil ?? null });
    }
  }

  function addTurn(partition: Partition, record: string): void {
    const id = (sql.lastTurn.get({ partition }) as { id: number }).id + 1;
    sql.addTurn.run({ partition, id, record });
    sql.trimTurns.run({ partition, id: id - turnsMax });
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
    const clock = Date.now();
    return inTransaction(() => {
      sql.sweep.run({ clock });
      const rows = sql.due.all({ now, clock, limit: Math.max(0, limit) }) as unknown as Due[];
      for (const { partition, key } of rows) sql.lease.run({ partition, key, until: now + leaseMs });
      return rows.map(({ partition, key }) => ({ partition, key }));
    });
  }

  function turns(partition: Partition, limit: number): TurnEntry[] {
    checkPartition(partition);
    const rows = sql.turns.all({ partition, limit: Math.max(0, limit) });
    return (rows as { id: number; record: string }[]).map(({ id, record }) => ({ id: String(id), record }));
  }

  return {
    read: async (partition, keys) => orDown(() => read(partition, keys)),
    commit: async (partition, it) => {
      checkCommit(partition, it);
      return orDown(() => (it.durable ? commitDurably(partition, it) : commit(partition, it)));
    },
    due: async (now, limit, leaseMs) => orDown(() => due(now, limit, leaseMs)),
    turns: async (partition, limit) => orDown(() => turns(partition, limit)),
    close: async () => {
      if (db.isOpen) db.close();
    },
  };
}
