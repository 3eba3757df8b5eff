import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA, SCHEMA_VERSION, TABLES, TRIGGERS } from './schema.ts';

/** How much of the file is read as memory, so that a long past is not read again and again. */
const MAPPED_BYTES_MAX = 2 ** 31 - 1;

/** The sandbox's own SQLite file: statements are prepared once, by their text. */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #lasting = new Map<string, unknown>();
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
    const question = [sql, ...values].join('\0');
    const known = this.#lasting.get(question) as Row | undefined;
    if (known) return known;
    const row = this.get<Row>(sql, ...values);
    if (row) this.#lasting.set(question, row);
    return row;
  }

  /** Call it after changing a row that is read as `lasting`. */
  forget(): void {
    this.#lasting.clear();
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Gives the id of the row it inserted. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** Inserts a row by the names of its columns, never by names that somebody sent. Gives its id. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): number {
    const names = Object.keys(row);
    const places = names.map(() => '?').join(', ');
    return this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }

  /** A value that outlives a restart, by its name. */
  meta(name: string): string | undefined {
    return this.lasting<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
  }

  setMeta(name: string, value: string): void {
    this.run('REPLACE INTO meta VALUES (?, ?)', name, value);
    this.forget();
  }

  /** All of the work or, if it throws, nothing. Work is synchronous, so no two ever overlap. */
  transaction<T>(work: () => T): T {
    this.#prepare('BEGIN').run();
    try {
      const result = work();
      this.#prepare('COMMIT').run();
      return result;
    } catch (error) {
      this.#prepare('ROLLBACK').run();
      this.forget();
      throw error;
    }
  }

  empty(): void {
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
    this.#sqlite.prepare('VACUUM INTO ?').run(path);
  }

  /** Takes everything from such a copy, in one step. False, and nothing taken, where its tables are of another version. */
  takeFrom(path: string): boolean {
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
    this.#sqlite.close();
  }
}

function opened(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file);
  try {
    // One process at a time, and no waiting for the disk: it is play money, and safe against a killed process.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    sqlite.exec(`PRAGMA mmap_size = ${MAPPED_BYTES_MAX}`);
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
