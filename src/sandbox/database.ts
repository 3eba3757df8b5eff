import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Money is whole centimes, moments are ms since 1970, flags are 0 and 1. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS tenants (
    id INTEGER PRIMARY KEY, apiKey TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL,
    webhookUrl TEXT, webhookKey TEXT) STRICT;

  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, kind TEXT NOT NULL, balance INTEGER NOT NULL DEFAULT 0,
    CHECK (kind <> 'wallet' OR balance >= 0)) STRICT;
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
    senderId INTEGER NOT NULL, sender TEXT NOT NULL, receiverId INTEGER, receiver TEXT NOT NULL,
    openLoop INTEGER NOT NULL, requestId TEXT NOT NULL, createdAt INTEGER NOT NULL,
    settleAt INTEGER NOT NULL, settlesAs INTEGER NOT NULL, executedAt INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS operationsBySender ON operations (senderId);
  CREATE INDEX IF NOT EXISTS operationsByReceiver ON operations (receiverId);
  CREATE INDEX IF NOT EXISTS openOperations ON operations (settleAt) WHERE status = 1;
  CREATE INDEX IF NOT EXISTS openByReceiver ON operations (receiverId, status, amount) WHERE status = 1;
  CREATE INDEX IF NOT EXISTS operationsByTenant ON operations (tenant);

  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL,
    at INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, webhookId TEXT NOT NULL, event TEXT NOT NULL,
    body TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    firstAt INTEGER, dueAt INTEGER NOT NULL, lastAnswer TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS dueDeliveries ON deliveries (dueAt) WHERE state = 'due';
`;
const TABLES = 'meta tenants accounts transactions postings customers operations messages deliveries'.split(
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
    sqlite.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
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

  return {
    get: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).get(...values) as Row | undefined,
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
        throw error;
      }
    },
    empty: () => sqlite.exec(TABLES.map((table) => `DELETE FROM ${table};`).join(' ')),
    close: () => sqlite.close(),
  };
}
