/** Raised with every change of the tables: a file of another version begins again, for it holds play money. */
export const SCHEMA_VERSION = 3;
/** Money is whole centimes, moments are ms since 1970, flags are 0 and 1. */
export const SCHEMA = `
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

export const TABLES = [...SCHEMA.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(
  ([, table = '']) => table,
);
