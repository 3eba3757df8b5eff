import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA, SCHEMA_VERSION, TABLES, TRIGGERS } from './schema.ts';

/** How much of the file is read as memory, so that a long past is not read again and again. */
const MAPPED_BYTES_MAX = 2 ** 31 - 1;
/** Memory for pages, and how far the log may grow before it is moved into the file: both spare writing a page twice. */
const CACHE_KIB = 65_536;
const CHECKPOINT_PAGES = 8_000;

/** Rows of one question that are kept in memory. With more of them, all are read anew. */
const LASTING_ROWS_MAX = 20_000;

/**
 * The sandbox's own SQLite file. Statements are prepared once, by their text. All writes of one turn of the event loop go to
 * the file together (group commit). A caller that tells them on waits for `committed`, or calls `commit`.
 */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  /** Rows by the question that found them: its text, then its values. */
  readonly #lasting = new Map<string, Map<string, unknown>>();
  readonly #inserts = new Map<string, string>();
  /** The writes since the last commit. Undefined: there were none. */
  #group: PromiseWithResolvers<void> | undefined;
  /** Whether there is work under way that may be undone by itself, and whether it has written anything. */
  #work: 'none' | 'reading' | 'writing' = 'none';
  #era = 0;

  /** @param file a path, or `:memory:`. Throws when another process has it open. */
  constructor(file: string) {
    this.#sqlite = opened(file);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** As `get`, for rows that stay as they are: read once, until `forget`. */
  lasting<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const rows = this.#lasting.get(sql) ?? new Map<string, unknown>();
    const key = values.join('\0');
    const known = rows.get(key) as Row | undefined;
    if (known) return known;
    const row = this.get<Row>(sql, ...values);
    if (row && rows.size >= LASTING_ROWS_MAX) rows.clear();
    if (row) this.#lasting.set(sql, rows.set(key, row));
    return row;
  }

  /** Call it after changing a row that is read as `lasting`. Without the question it was read by, all are forgotten. */
  forget(sql?: string, ...values: SQLInputValue[]): void {
    if (sql === undefined) this.#lasting.clear();
    else this.#lasting.get(sql)?.delete(values.join('\0'));
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Gives the id of the row it inserted. */
  run(sql: string, ...values: SQLInputValue[]): number {
    this.#beginWriting();
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** Inserts a row by the names of its columns, never by names that somebody sent. Gives its id. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): number {
    const names = Object.keys(row).join(', ');
    const known = this.#inserts.get(`${table} ${names}`);
    return this.run(known ?? this.#insertion(table, names), ...Object.values(row));
  }

  #insertion(table: string, names: string): string {
    const places = names.replace(/\w+/g, '?');
    const sql = `INSERT INTO ${table} (${names}) VALUES (${places})`;
    this.#inserts.set(`${table} ${names}`, sql);
    return sql;
  }

  /** Changes a row by the names of its columns, never by names that somebody sent. What is undefined stays as it is. */
  update(table: string, id: number, to: Readonly<Record<string, SQLInputValue | undefined>>): void {
    const set = Object.entries(to).filter((each): each is [string, SQLInputValue] => each[1] !== undefined);
    const names = set.map(([name]) => `${name} = ?`).join(', ');
    if (names) this.run(`UPDATE ${table} SET ${names} WHERE id = ?`, ...set.map(([, value]) => value), id);
  }

  /** A value that outlives a restart, by its name. */
  meta(name: string): string | undefined {
    return this.lasting<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
  }

  setMeta(name: string, value: string): void {
    this.run('REPLACE INTO meta VALUES (?, ?)', name, value);
    this.forget();
  }

  /** All of the work or nothing. It is synchronous, so no two overlap. Others' writes in the group stay. */
  transaction<T>(work: () => T): T {
    if (this.#work !== 'none') throw new Error('a transaction within a transaction');
    this.#work = 'reading';
    try {
      const result = work();
      this.#release();
      return result;
    } catch (error) {
      this.#undo();
      throw error;
    } finally {
      this.#work = 'none';
    }
  }

  /** Resolves once all that was written is in the file, and rejects where SQLite refuses it. */
  async committed(): Promise<void> {
    await this.#group?.promise;
  }

  /** Whether something waits to be committed. */
  isPending(): boolean {
    return this.#group !== undefined;
  }

  /** Takes all that was written to the file now. Throws where SQLite refuses it: none of it has happened then. */
  commit(): void {
    if (!this.#group) return;
    try {
      this.#prepare('COMMIT').run();
    } catch (error) {
      this.#lose(error);
      throw error;
    }
    this.#group.resolve();
    this.#group = undefined;
  }

  /** Opens the group where this is its first row, and marks where the work under way begins. */
  #beginWriting(): void {
    if (!this.#sqlite.isTransaction) this.#beginGroup();
    if (this.#work !== 'reading') return;
    this.#prepare('SAVEPOINT work').run();
    this.#work = 'writing';
  }

  #beginGroup(): void {
    // A disk that is full ends the whole transaction, not only the statement that found it so.
    this.#lose(new Error('SQLite has rolled back'));
    const group = Promise.withResolvers<void>();
    group.promise.catch((error: unknown) => console.error('sandbox: what was written is lost', error));
    this.#prepare('BEGIN').run();
    this.#group = group;
    setImmediate(() => {
      if (this.#group === group) this.#commitLate();
    });
  }

  #commitLate(): void {
    try {
      this.commit();
    } catch {
      // Callers that wait for `committed` hear of it.
    }
  }

  #release(): void {
    if (this.#work === 'writing') this.#prepare('RELEASE work').run();
  }

  #undo(): void {
    if (this.#work !== 'writing') return;
    this.forget();
    if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK TO work; RELEASE work');
    else this.#lose(new Error('SQLite has rolled back'));
  }

  /** Nothing of what waits to be committed is in the file. */
  #lose(why: unknown): void {
    if (!this.#group) return;
    if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
    this.forget();
    this.#group.reject(why);
    this.#group = undefined;
  }

  empty(): void {
    this.#beginWriting();
    this.#sqlite.exec(TABLES.map((table) => `DELETE FROM ${table};`).join(' '));
    this.#beginEra();
  }

  /** Rises whenever all rows are other ones: what was begun before belongs to rows that are gone. */
  era(): number {
    return this.#era;
  }

  #beginEra(): void {
    this.#era++;
    this.forget();
  }

  /** Rises with every row that is written. */
  changes(): number {
    return this.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  }

  /** Copies everything into a new file. */
  copyTo(path: string): void {
    this.commit();
    this.#sqlite.prepare('VACUUM INTO ?').run(path);
  }

  /** Takes everything from such a copy, in one step. False, and nothing taken, where its tables are of another version. */
  takeFrom(path: string): boolean {
    this.commit();
    const sqlite = this.#sqlite;
    sqlite.prepare('ATTACH ? AS copy').run(path);
    try {
      if (versionOf(sqlite, 'copy') !== SCHEMA_VERSION) return false;
      const each = TABLES.map(
        (table) => `DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM copy.${table};`,
      );
      // Without triggers SQLite copies whole tables with their indexes, and what they would have written is copied too.
      sqlite.exec(`BEGIN; ${drop('TRIGGER', TRIGGERS)} ${each.join(' ')} ${SCHEMA} COMMIT`);
      this.#beginEra();
      return true;
    } finally {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      sqlite.exec('DETACH copy');
    }
  }

  close(): void {
    try {
      this.commit();
    } finally {
      this.#sqlite.close();
    }
  }
}

function opened(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file);
  try {
    // One process at a time, and no waiting for the disk: it is play money, and safe against a killed process.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    sqlite.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // Undo data of statements is kept in memory, not in a file of its own.
    sqlite.exec(`PRAGMA mmap_size = ${MAPPED_BYTES_MAX}; PRAGMA temp_store = MEMORY`);
    const outdated =
      versionOf(sqlite, 'main') === SCHEMA_VERSION
        ? ''
        : `${drop('TABLE', TABLES)} PRAGMA user_version = ${SCHEMA_VERSION};`;
    sqlite.exec(`BEGIN IMMEDIATE; ${outdated} ${SCHEMA} COMMIT`);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function versionOf(sqlite: DatabaseSync, schema: 'main' | 'copy'): number {
  return (sqlite.prepare(`PRAGMA ${schema}.user_version`).get() as { user_version: number }).user_version;
}

function drop(kind: 'TABLE' | 'TRIGGER', names: readonly string[]): string {
  return names.map((name) => `DROP ${kind} IF EXISTS ${name};`).join(' ');
}
