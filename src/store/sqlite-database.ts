import type { DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from './sqlite-file.ts';
import { StoreDown, StoreInUse } from './store.ts';

export const STORE_FILE = 'wasl.db';
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** Primary result codes that are the world's fault: perm, busy, locked, nomem, readonly, ioerr, corrupt, full, cantopen, notadb. */
const WORLD_ERRORS = new Set([3, SQLITE_BUSY, 6, 7, 8, 10, SQLITE_CORRUPT, 13, 14, SQLITE_NOTADB]);

/** The format of the file (`user_version`). 0: a new file, or one of release 0.2. */
const FORMAT = 2;
/** Rows are found by their number, which costs a write a third of what a table in the order of its keys does. */
const SCHEMA = `
  CREATE TABLE doc (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
    dueAt INTEGER, keepUntil INTEGER, value TEXT NOT NULL, UNIQUE (partition, key)
  ) STRICT;
  CREATE INDEX docDue ON doc (dueAt) WHERE dueAt IS NOT NULL;
  CREATE TABLE turn (id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX turnOf ON turn (partition);
  CREATE TABLE IF NOT EXISTS clock (
    id INTEGER PRIMARY KEY CHECK (id = 1), own INTEGER NOT NULL, wall INTEGER NOT NULL
  ) STRICT;`;
/** Due documents by their keys: a list of open payments looks at no session. */
const LISTING = 'CREATE INDEX IF NOT EXISTS docDueKey ON doc (partition, key) WHERE dueAt IS NOT NULL';
/**
 * The payments of a turn, and how far the turns of a partition are recorded. The release before writes turns without
 * the one and knows nothing of the other.
 */
const RECORDING = `CREATE TABLE IF NOT EXISTS recording (
    partition INTEGER PRIMARY KEY, upTo INTEGER, lost INTEGER NOT NULL DEFAULT 0
  ) STRICT;`;
const PAYMENTS_OF_TURN = 'ALTER TABLE turn ADD COLUMN payments TEXT';
/** Memory for pages, and how far the log may grow before it is moved into the file: both spare writing a page twice. */
const CACHE_KIB = 65_536;
const CHECKPOINT_PAGES = 8_000;

/**
 * Opens `wasl.db` in a directory for this process alone, making both if they are missing. Throws `StoreInUse`
 * when another process (or an earlier opening in this one) holds it, `StoreDown` when the disk refuses, or when the file is damaged.
 */
export function openDatabase(directory: string): DatabaseSync {
  try {
    return openSqliteFile(directory, STORE_FILE, (db) => {
      db.exec('PRAGMA synchronous = NORMAL;');
      db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
      checkWhole(db);
      makeTables(db);
      db.exec(LISTING);
      addRecording(db);
      return db;
    });
  } catch (error) {
    if (errorCode(error) === SQLITE_BUSY) {
      throw new StoreInUse(`Another process is using the store in ${directory}.`, { cause: error });
    }
    const { message } = error as Error;
    const why = isDamage(error) ? `wasl.db is damaged (${message}). ${RESTORE}` : message;
    throw new StoreDown(`The store in ${directory} cannot be opened: ${why}.`, { cause: error });
  }
}

/** Makes the tables of a new file. Throws for a file of a newer release, or of one before 0.3. */
function makeTables(db: DatabaseSync): void {
  const { user_version: format } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (format === FORMAT) return;
  if (format > FORMAT) throw new Error(`it was written by a newer release (format ${format})`);
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'doc'").get() !== undefined)
    throw new Error('it was written by a release before 0.3: start Wasl 0.3 on it once, which takes it over');
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${FORMAT}; COMMIT;`);
}

function addRecording(db: DatabaseSync): void {
  db.exec(RECORDING);
  const columns = db.prepare('PRAGMA table_info(turn)').all();
  if (!columns.some(({ name }) => name === 'payments')) db.exec(PAYMENTS_OF_TURN);
}

/** The operator's way out of a damaged file. */
const RESTORE =
  'Move it and wasl.db-wal away and restore the last backup; without one, the start makes an empty store';

/** The findings of `quick_check`. */
class Damaged extends Error {}

/**
 * Throws for a damaged file: a store that loses half of its documents is worse than none. It reads the whole file, about 2 s
 * for each GB that is in memory already. The file has no checksums, so changed bytes inside a document's text are not found.
 */
function checkWhole(db: DatabaseSync): void {
  const [finding] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (finding !== 'ok') throw new Damaged(String(finding).replaceAll('\n', ' '));
}

function isDamage(error: unknown): boolean {
  return error instanceof Damaged || [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errorCode(error));
}

/** Runs `work`. A store that is closed, full, damaged or gone throws `StoreDown`. A bug stays a bug. */
export function orDown<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const closed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
    if (!closed && !WORLD_ERRORS.has(errorCode(error))) throw error;
    throw new StoreDown(`SQLite: ${(error as Error).message}`, { cause: error });
  }
}

/** The primary result code of an error of SQLite, or 0 for any other error. */
function errorCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}
