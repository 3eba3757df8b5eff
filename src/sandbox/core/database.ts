import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA, SCHEMA_VERSION, TABLES, TRIGGERS } from './schema.ts';

/** The sandbox's own SQLite file: statements are prepared once, by their text. */
export type Database = ReturnType<typeof openDatabase>;

/** How much of the file is read as memory, so that a long past is not read again and again. */
const MAPPED_BYTES_MAX = 2 ** 31 - 1;

const drop = (kind: 'TABLE' | 'TRIGGER', names: readonly string[]) =>
  names.map((name) => `DROP ${kind} IF EXISTS ${name};`).join(' ');

/** @param file a path, or `:memory:`. Throws when another process has it open. */
export function openDatabase(file: string) {
  const sqlite = new DatabaseSync(file);
  try {
    // One process at a time, and no waiting for the disk: it is play money, and safe against a killed process.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    sqlite.exec(`PRAGMA mmap_size = ${MAPPED_BYTES_MAX}`);
    const { user_version: version } = sqlite.prepare('PRAGMA user_version').get() as { user_version: number };
    const outdated =
      version === SCHEMA_VERSION ? '' : `${drop('TABLE', TABLES)} PRAGMA user_version = ${SCHEMA_VERSION};`;
    sqlite.exec(`BEGIN IMMEDIATE; ${outdated} ${SCHEMA} COMMIT`);
  } catch (error) {
    sqlite.close();
    throw error;
  }

  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };

  const get = <Row>(sql: string, ...values: SQLInputValue[]) =>
    prepare(sql).get(...values) as Row | undefined;
  const lasting = new Map<string, unknown>();
  let era = 0;
  const turn = () => {
    era++;
    lasting.clear();
  };

  return {
    get,
    /** As `get`, for rows that stay as they are: read once, until `forget`. */
    lasting<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
      const question = [sql, ...values].join('\0');
      const known = lasting.get(question) as Row | undefined;
      if (known) return known;
      const row = get<Row>(sql, ...values);
      if (row) lasting.set(question, row);
      return row;
    },
    /** Call it after changing a row that is read as `lasting`. */
    forget: () => lasting.clear(),
    all: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    /** Gives the id of the row it inserted. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(prepare(sql).run(...values).lastInsertRowid),
    /** All of the work or, if it throws, nothing. Work is synchronous, so no two ever overlap. */
    transaction<T>(work: () => T): T {
      prepare('BEGIN').run();
      try {
        const result = work();
        prepare('COMMIT').run();
        return result;
      } catch (error) {
        prepare('ROLLBACK').run();
        lasting.clear();
        throw error;
      }
    },
    empty() {
      sqlite.exec(TABLES.map((table) => `DELETE FROM ${table};`).join(' '));
      turn();
    },
    /** Rises whenever all rows are other ones: what was begun before belongs to rows that are gone. */
    era: () => era,
    /** Rises with every row that is written. */
    changes: () => get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0,
    /** Copies everything into a new file. */
    copyTo(path: string): void {
      sqlite.prepare('VACUUM INTO ?').run(path);
    },
    /** Takes everything from such a copy, in one step. False, and nothing taken, where its tables are of another version. */
    takeFrom(path: string): boolean {
      sqlite.prepare('ATTACH ? AS copy').run(path);
      try {
        const { user_version: version } = sqlite.prepare('PRAGMA copy.user_version').get() as {
          user_version: number;
        };
        if (version !== SCHEMA_VERSION) return false;
        const each = TABLES.map(
          (table) => `DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM copy.${table};`,
        );
        // Without triggers SQLite copies whole tables with their indexes, and what they would have written is copied too.
        sqlite.exec(`BEGIN; ${drop('TRIGGER', TRIGGERS)} ${each.join(' ')} ${SCHEMA} COMMIT`);
        turn();
        return true;
      } finally {
        if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
        sqlite.exec('DETACH copy');
      }
    },
    close: () => sqlite.close(),
  };
}
