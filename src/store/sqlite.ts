import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { checkCommit, checkPartition, paymentsIn, TURNS_MAX, TURNS_PER_TRIM } from './rules.ts';
import { type ClockSource, MACHINE, openClock, type RetentionClock } from './sqlite-clock.ts';
import { openDatabase, orDown } from './sqlite-database.ts';
import { closeErased, inTransaction } from './sqlite-file.ts';
import {
  type Commit,
  type Doc,
  type Due,
  type Listener,
  type Partition,
  SAME,
  type Scheduled,
  type Store,
  type TurnEntry,
  type TurnStream,
  type Watcher,
  type Write,
} from './store.ts';

interface SqliteStoreOptions {
  /** The folder of `wasl.db`. It is made if missing, readable by its owner only. */
  readonly directory: string;
  /** Turn records kept per partition. */
  readonly turnsMax?: number;
  /** A recorder takes them from there: at the limit those of payments are kept all the same. */
  readonly recorded?: boolean;
  /** The source of time. Tests have clocks that lie. */
  readonly clock?: ClockSource;
}

/** Documents whose retention one call of `due` looks at. */
const SWEEP_DOCS = 200;

const KEPT = '(keepUntil IS NULL OR keepUntil > ?)';
const IF_IT_IS_AS_READ =
  'WHERE partition = ?1 AND key = ?2 AND version = ?6 AND (keepUntil IS NULL OR keepUntil > ?7)';
const SQL = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  toDisk: 'PRAGMA synchronous = FULL',
  toSystem: 'PRAGMA synchronous = NORMAL',
  find: `SELECT version, value FROM doc WHERE partition = ? AND key = ? AND ${KEPT}`,
  version: `SELECT version FROM doc WHERE partition = ? AND key = ? AND ${KEPT}`,
  put: `INSERT INTO doc (partition, key, version, value, keepUntil, dueAt) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (partition, key) DO UPDATE SET version = ?3, value = ?4, keepUntil = ?5, dueAt = ?6`,
  replace: `UPDATE doc SET version = ?3, value = ?4, keepUntil = ?5, dueAt = ?8 ${IF_IT_IS_AS_READ}`,
  /** Leaves the due entry and its index alone. */
  rewrite: `UPDATE doc SET version = ?3, value = ?4, keepUntil = ?5 ${IF_IT_IS_AS_READ}`,
  drop: 'DELETE FROM doc WHERE partition = ? AND key = ?',
  due: `SELECT partition, key FROM doc WHERE dueAt <= ? AND ${KEPT} ORDER BY dueAt, partition, key LIMIT ?`,
  lease: 'UPDATE doc SET dueAt = ? WHERE partition = ? AND key = ?',
  scheduled: `SELECT key, dueAt AS at FROM doc INDEXED BY docDueKey WHERE partition = ? AND key >= ? AND key < ? AND dueAt IS NOT NULL
    AND ${KEPT} ORDER BY dueAt, key LIMIT ?`,
  page: `SELECT id, keepUntil FROM doc WHERE id > ? ORDER BY id LIMIT ${SWEEP_DOCS}`,
  forget: 'DELETE FROM doc WHERE id = ?',
  forgetAll: 'DELETE FROM doc WHERE keepUntil <= ?',
  addTurn: 'INSERT INTO turn (partition, record, payments) VALUES (?, ?, ?)',
  trimTurns: `DELETE FROM turn WHERE partition = ?1 AND id <=
    (SELECT id FROM turn WHERE partition = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
  /** The same, but for what is of payments and not recorded yet: what goes and is not recorded is counted first. */
  countLost: `UPDATE recording SET lost = lost + (SELECT count(*) FROM turn WHERE partition = ?1 AND payments IS NULL
    AND id > coalesce(recording.upTo, 0)
    AND id <= (SELECT id FROM turn WHERE partition = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)) WHERE partition = ?1`,
  overflow: `DELETE FROM turn WHERE partition = ?1 AND id <=
    (SELECT id FROM turn WHERE partition = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
    AND (payments IS NULL OR id <= (SELECT coalesce(upTo, 0) FROM recording WHERE partition = ?1))`,
  knowRecording: 'INSERT OR IGNORE INTO recording (partition) VALUES (?)',
  recorded: 'UPDATE recording SET upTo = ? WHERE partition = ?',
  forgetTurns: 'DELETE FROM turn WHERE partition = ? AND id < ?',
  /** An id that is gone would be given again where it was the last one. */
  eraseTurn: "UPDATE turn SET record = '' WHERE partition = ? AND id = ?",
  turnsAfter: 'SELECT id, record, payments FROM turn WHERE partition = ? AND id > ? ORDER BY id LIMIT ?',
  stream: `SELECT count(*) AS length, max(id) AS last, (SELECT upTo FROM recording WHERE partition = ?1) AS recordedTo,
    (SELECT lost FROM recording WHERE partition = ?1) AS lost FROM turn WHERE partition = ?1`,
  turns: 'SELECT id, record FROM turn WHERE partition = ? AND id < ? ORDER BY id DESC LIMIT ?',
};

type Statements = Record<keyof typeof SQL, StatementSync>;

interface State {
  readonly db: DatabaseSync;
  readonly sql: Statements;
  readonly clock: RetentionClock;
  readonly turnsMax: number;
  readonly isRecorded: boolean;
  readonly watchers: Set<Watcher>;
  readonly listeners: Set<Listener>;
  /** Commits that come in one turn of the event loop go to the file together. */
  readonly queue: Queued[];
  turnsUntilTrim: number;
  sweptTo: number;
  /** Turns were erased for good, and with them what belongs to their customer. */
  hasErased: boolean;
}

interface Queued {
  readonly partition: Partition;
  readonly commit: Commit;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The embedded store: one SQLite file in WAL mode, held by one process. The exclusive lock is the operating system's and
 * ends with the process, however that ends. A second opening rejects with a `StoreDown` that says so.
 *
 * A commit survives the end of the process as soon as it resolves, and with `durable` the end of the machine. `keepUntil`
 * says how long a document is kept from the moment that it is written, in the store's own time (`sqlite-clock.ts`). Neither
 * a start with a clock that is far off nor the `now` given to `due` makes it forget anything.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const state = openState(options);
  const { db, watchers, listeners } = state;
  return {
    read: async (partition, keys) => orDown(() => read(state, partition, keys)),
    commit: (partition, commit) => enqueue(state, partition, commit),
    due: async (now, limit, leaseMs) => orDown(() => due(state, now, limit, leaseMs)),
    turns: async (partition, limit, before) => orDown(() => turns(state, partition, limit, before)),
    turnsAfter: async (partition, after, limit) => orDown(() => turnsAfter(state, partition, after, limit)),
    recorded: async (partition, to, keepFrom) => orDown(() => recorded(state, partition, to, keepFrom)),
    eraseTurns: async (partition, ids) => orDown(() => eraseTurns(state, partition, ids)),
    scheduled: async (partition, prefix, limit) => orDown(() => scheduled(state, partition, prefix, limit)),
    lacksReplicas: () => false,
    mayLoseWrites: () => false,
    watch: async (watcher) => {
      watchers.add(watcher);
      return async () => void watchers.delete(watcher);
    },
    tell: async (_partition, name) => {
      for (const { named } of listeners) named(name);
    },
    listen: async (listener) => {
      listeners.add(listener);
      return async () => void listeners.delete(listener);
    },
    close: async () => {
      if (!db.isOpen) return;
      flush(state);
      state.clock.note('last');
      if (state.hasErased) orDown(() => closeSwept(state));
      else db.close();
    },
  };
}

function openState(options: SqliteStoreOptions): State {
  const { directory, turnsMax = TURNS_MAX, recorded: isRecorded = false, clock = MACHINE } = options;
  const db = openDatabase(directory);
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)] as const);
  return {
    db,
    sql: Object.fromEntries(prepared) as Statements,
    clock: openClock(db, clock),
    turnsMax,
    isRecorded,
    watchers: new Set(),
    listeners: new Set(),
    queue: [],
    turnsUntilTrim: 0,
    sweptTo: 0,
    hasErased: false,
  };
}

function read({ sql, clock }: State, partition: Partition, keys: readonly string[]): (Doc | undefined)[] {
  checkPartition(partition);
  const at = clock.now();
  return keys.map((key) => {
    const row = sql.find.get(partition, key, at) as { version: number; value: string } | undefined;
    return row && { value: row.value, version: row.version };
  });
}

async function enqueue(state: State, partition: Partition, commit: Commit): Promise<boolean> {
  checkCommit(partition, commit);
  return new Promise((resolve, reject) => {
    if (state.queue.push({ partition, commit, resolve, reject }) === 1) setImmediate(flush, state);
  });
}

/**
 * Writes the waiting commits in one transaction. Each is still all or nothing by itself: its versions are checked before its
 * first write. If SQLite refuses the group, each is tried by itself, so that nobody fails for another's sake.
 */
function flush(state: State, group: readonly Queued[] = state.queue.splice(0)): void {
  if (group.length === 0) return;
  let written: readonly boolean[];
  try {
    written = orDown(() => writeGroup(state, group));
  } catch (error) {
    if (group.length === 1) group[0]?.reject(error);
    else for (const one of group) flush(state, [one]);
    return;
  }
  for (const [i, { resolve }] of group.entries()) resolve(written[i] === true);
  tellWatchers(state, group, written);
}

function writeGroup(state: State, group: readonly Queued[]): boolean[] {
  const { sql } = state;
  const isDurable = group.some(({ commit }) => commit.durable);
  // The pragma holds from the next transaction on. All of this is synchronous, so nothing else can come between.
  if (isDurable) sql.toDisk.run();
  try {
    const at = state.clock.now();
    return inTransaction(state, () =>
      group.map(({ partition, commit }) => write(state, partition, commit, at)),
    );
  } finally {
    if (isDurable) sql.toSystem.run();
  }
}

/** This process is the only one: who watches is in it. */
function tellWatchers({ watchers }: State, group: readonly Queued[], written: readonly boolean[]): void {
  if (watchers.size === 0) return;
  for (const [i, { commit }] of group.entries()) {
    if (!written[i] || commit.turn === undefined) continue;
    for (const watcher of watchers) watcher.turn(commit.turn);
  }
}

function write(state: State, partition: Partition, commit: Commit, at: number): boolean {
  const { writes, turn } = commit;
  // The first one is not asked for: it is written only where it is as it was read, and before all others.
  for (const each of writes.slice(1)) if (!isAsRead(state, partition, each, at)) return false;
  for (const each of writes) if (!put(state, partition, each, at)) return false;
  if (turn !== undefined) addTurn(state, partition, turn, paymentsIn(commit).join() || null);
  return true;
}

function isAsRead({ sql }: State, partition: Partition, { key, version }: Write, at: number): boolean {
  return (sql.version.get(partition, key, at)?.version ?? 0) === version;
}

/** Writes a document, or nothing where it is not as it was read. */
function put(state: State, partition: Partition, it: Write, at: number): boolean {
  const { sql, clock } = state;
  const { key, version, next = version + 1, value, dueAt, keepUntil } = it;
  const isNew = version === 0;
  if ((isNew || value === null) && !isAsRead(state, partition, it, at)) return false;
  if (value === null) {
    sql.drop.run(partition, key);
    return true;
  }
  const due = dueAt === SAME ? null : (dueAt ?? null);
  const row = [partition, key, next, value, keepUntil === undefined ? null : clock.ownOf(keepUntil)] as const;
  if (isNew) return sql.put.run(...row, due).changes === 1;
  const { changes } =
    dueAt === SAME ? sql.rewrite.run(...row, version, at) : sql.replace.run(...row, version, at, due);
  return changes === 1;
}

function addTurn(state: State, partition: Partition, record: string, payments: string | null): void {
  const { sql, turnsMax, isRecorded } = state;
  sql.addTurn.run(partition, record, payments);
  state.turnsUntilTrim = (state.turnsUntilTrim || TURNS_PER_TRIM) - 1;
  if (state.turnsUntilTrim > 0) return;
  if (!isRecorded) sql.trimTurns.run(partition, turnsMax);
  else {
    sql.knowRecording.run(partition);
    sql.countLost.run(partition, turnsMax);
    sql.overflow.run(partition, turnsMax);
  }
}

function due(state: State, now: number, limit: number, leaseMs: number): Due[] {
  const { sql, clock } = state;
  const at = clock.now();
  clock.note('nowAndThen');
  return inTransaction(state, () => {
    sweep(state, at);
    const rows = sql.due.all(now, at, Math.max(0, limit)) as unknown as Due[];
    for (const { partition, key } of rows) sql.lease.run(now + leaseMs, partition, key);
    return rows.map(({ partition, key }) => ({ partition, key }));
  });
}

/**
 * Deletes what is past its retention, some documents further at each call and round again. Reads hide them anyway,
 * and an index to find them at once would cost every turn a third more.
 */
function sweep(state: State, at: number): void {
  const rows = state.sql.page.all(state.sweptTo) as { id: number; keepUntil: number | null }[];
  for (const { id, keepUntil } of rows) {
    if (keepUntil !== null && keepUntil <= at) state.sql.forget.run(id);
  }
  state.sweptTo = rows.length === SWEEP_DOCS ? (rows.at(-1)?.id ?? 0) : 0;
}

/** Of whoever was forgotten, what is past its retention and hidden from every reader goes as well. */
function closeSwept({ db, sql, clock }: State): void {
  sql.forgetAll.run(clock.now());
  closeErased(db);
}

function turns({ sql, turnsMax }: State, partition: Partition, limit: number, before?: string): TurnEntry[] {
  checkPartition(partition);
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
  const rows = sql.turns.all(partition, from, Math.max(0, Math.min(limit, turnsMax)));
  return (rows as { id: number; record: string }[]).map(({ id, record }) => ({ id: String(id), record }));
}

function turnsAfter(
  { sql }: State,
  partition: Partition,
  after: string | undefined,
  limit: number,
): TurnStream {
  checkPartition(partition);
  const rows = sql.turnsAfter.all(partition, Number(after ?? 0), Math.max(0, limit));
  const { length, last, recordedTo, lost } = sql.stream.get(partition) as unknown as {
    length: number;
    last: number | null;
    recordedTo: number | null;
    lost: number | null;
  };
  return {
    entries: (rows as { id: number; record: string; payments: string | null }[]).map(
      ({ id, record, payments }) => ({
        id: String(id),
        record,
        ...(payments !== null && { payments: payments.split(',') }),
      }),
    ),
    length,
    ...(last !== null && { last: String(last) }),
    ...(recordedTo !== null && { recordedTo: String(recordedTo) }),
    lost: lost ?? 0,
  };
}

function recorded(state: State, partition: Partition, to: string, keepFrom: string | undefined): void {
  checkPartition(partition);
  const { sql } = state;
  inTransaction(state, () => {
    sql.knowRecording.run(partition);
    sql.recorded.run(Number(to), partition);
    if (keepFrom !== undefined) sql.forgetTurns.run(partition, Number(keepFrom));
  });
}

function eraseTurns(state: State, partition: Partition, ids: readonly string[]): void {
  checkPartition(partition);
  // Also where there is none any more: an erasure that was broken off is done again, to its end.
  state.hasErased = true;
  inTransaction(state, () => {
    for (const id of ids) state.sql.eraseTurn.run(partition, Number(id));
  });
}

function scheduled({ sql, clock }: State, partition: Partition, prefix: string, limit: number): Scheduled[] {
  checkPartition(partition);
  const rows = sql.scheduled.all(partition, prefix, afterAll(prefix), clock.now(), Math.max(0, limit));
  return (rows as unknown as Scheduled[]).map(({ key, at }) => ({ key, at }));
}

/** Greater than every key that begins with `prefix`: SQLite compares the bytes of UTF-8, and none is 0xFF. */
function afterAll(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
