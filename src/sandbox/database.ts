import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Raised with every change of the tables: a file of another version begins again, for it holds play money. */
const SCHEMA_VERSION = 3;
/** Money is whole centimes, moments are ms since 1970, flags are 0 and 1. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS tenants (
    id INTEGER PRIMARY KEY, apiKey TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL,
    webhookUrl TEXT, webhookKey TEXT, modules TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, kind TEXT NOT NULL, balance INTEGER NOT NULL DEFAULT 0,
    CHECK (kind NOT IN ('wallet', 'agent') OR balance >= 0)) STRICT;
  CREATE INDEX IF NOT EXISTS accountsByKind ON accounts (tenant, kind);

  CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, operation INTEGER, at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS postings (
    id INTEGER PRIMARY KEY, "transaction" INTEGER NOT NULL, account INTEGER NOT NULL, amount INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS customers (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, phone TEXT NOT NULL, account INTEGER NOT NULL,
    firstName TEXT NOT NULL, lastName TEXT NOT NULL, cin TEXT NOT NULL, walletType TEXT NOT NULL,
    level INTEGER NOT NULL, status INTEGER NOT NULL, pinHash TEXT, attemptsLeft INTEGER NOT NULL,
    otp TEXT, otpExpiresAt INTEGER NOT NULL DEFAULT 0, otpTriesLeft INTEGER NOT NULL DEFAULT 0,
    otpLockedUntil INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS customersByPhone ON customers (tenant, phone) WHERE status <> 0;

  CREATE TABLE IF NOT EXISTS operations (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, type INTEGER NOT NULL, status INTEGER NOT NULL,
    amount INTEGER NOT NULL, fees INTEGER NOT NULL, reason TEXT NOT NULL,
    transactionId INTEGER NOT NULL DEFAULT 0, reference TEXT NOT NULL DEFAULT '',
    payer INTEGER NOT NULL, senderId INTEGER, sender TEXT NOT NULL, receiverId INTEGER, receiver TEXT NOT NULL,
    openLoop INTEGER NOT NULL, refunds INTEGER NOT NULL, requestId TEXT NOT NULL, createdAt INTEGER NOT NULL,
    listedAt INTEGER NOT NULL, settleAt INTEGER NOT NULL, settlesAs INTEGER NOT NULL, executedAt INTEGER,
    faults TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS operationsBySender ON operations (senderId);
  CREATE INDEX IF NOT EXISTS operationsByReceiver ON operations (receiverId);
  CREATE INDEX IF NOT EXISTS movingOperations ON operations (settleAt) WHERE status <> settlesAs;
  CREATE INDEX IF NOT EXISTS openByReceiver ON operations (receiverId, amount) WHERE status = 1;

  CREATE TABLE IF NOT EXISTS agents (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, code TEXT NOT NULL, account INTEGER NOT NULL,
    UNIQUE (tenant, code)) STRICT;

  CREATE TABLE IF NOT EXISTS topUps (
    operation INTEGER PRIMARY KEY, operator INTEGER NOT NULL, rechargeType INTEGER NOT NULL, product TEXT,
    waits INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS bills (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, reference TEXT NOT NULL DEFAULT '',
    creditor TEXT NOT NULL, receivable TEXT NOT NULL, contract TEXT NOT NULL, items TEXT NOT NULL,
    params TEXT NOT NULL, createdAt INTEGER NOT NULL, operation INTEGER, answered TEXT, paid TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS billsByReference ON bills (reference);
  CREATE INDEX IF NOT EXISTS billsByContract ON bills (creditor, contract);

  CREATE TABLE IF NOT EXISTS qrCodes (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, merchant TEXT NOT NULL, amount INTEGER, masked INTEGER NOT NULL,
    reference TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT '', operation INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS qrCodesByReference ON qrCodes (reference);

  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL,
    at INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, webhookId TEXT NOT NULL, event TEXT NOT NULL,
    body TEXT NOT NULL, key TEXT, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    firstAt INTEGER, dueAt INTEGER NOT NULL, lastAnswer TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS dueDeliveries ON deliveries (dueAt) WHERE state = 'due';
`;
const TABLES =
  'meta tenants accounts transactions postings customers operations agents topUps bills qrCodes messages deliveries'.split(
    ' ',
  );

/** The sandbox's own SQLite file: statements are prepared once, by their text. */
export type Database = ReturnType<typeof openDatabase>;

/** @param file a path, or `:memory:`. Throws when another process has it open. */
export function openDatabase(file: string) {
  const sqlite = new DatabaseSync(file);
  try {
    // One process at a time, and no waiting for the disk: it is play money, and safe against a killed process.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    const { user_version: version } = sqlite.prepare('PRAGMA user_version').get() as { user_version: number };
    const drop = TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join(' ');
    const outdated = version === SCHEMA_VERSION ? '' : `${drop} PRAGMA user_version = ${SCHEMA_VERSION};`;
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
      lasting.clear();
    },
    close: () => sqlite.close(),
  };
}
