import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * Opens a file of SQLite for this process alone. Makes the file and its folder if they are missing, readable by their owner
 * only. Throws the errors of SQLite, the disk or `prepare`. The file is closed then.
 * @param prepare makes its tables
 */
export function openSqliteFile<T>(directory: string, name: string, prepare: (db: DatabaseSync) => T): T {
  const file = join(directory, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // SQLite gives its journal the mode of the file it finds.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // In this order: an exclusive WAL takes its lock at once, keeps it, and needs no shared memory.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    return prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Closes a file out of which something was erased for good. SQLite only marks the room of deleted rows as free, and their
 * bytes stay in the file and in its log until something else needs the room. This rewrites the whole file, which needs about
 * as much room again on the disk. Throws the errors of SQLite or the disk. The file is closed then too.
 */
export function closeErased(db: DatabaseSync): void {
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
  } finally {
    db.close();
  }
}

/** An open file with what begins and ends its transactions. */
interface Transactional {
  readonly db: DatabaseSync;
  readonly sql: Readonly<Record<'begin' | 'commit' | 'rollback', StatementSync>>;
}

/** Does all of this or nothing: what it throws takes back what it has written. */
export function inTransaction<T>({ db, sql }: Transactional, work: () => T): T {
  sql.begin.run();
  try {
    const result = work();
    sql.commit.run();
    return result;
  } catch (error) {
    // SQLite has rolled back by itself where the disk was full.
    if (db.isOpen && db.isTransaction) sql.rollback.run();
    throw error;
  }
}
