-- Money is whole centimes, moments are ms since 1970, flags are 0 and 1.

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
  otpLockedUntil INTEGER NOT NULL DEFAULT 0, closeLoop INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX IF NOT EXISTS customersByAccount ON customers (account);
CREATE UNIQUE INDEX IF NOT EXISTS customersByPhone ON customers (tenant, phone) WHERE status <> 0;

CREATE TABLE IF NOT EXISTS operations (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, type INTEGER NOT NULL, status INTEGER NOT NULL,
  amount INTEGER NOT NULL, fees INTEGER NOT NULL, reason TEXT NOT NULL,
  transactionId INTEGER NOT NULL, reference TEXT NOT NULL,
  payer INTEGER NOT NULL, senderId INTEGER, sender TEXT NOT NULL,
  payee INTEGER, receiverId INTEGER, receiver TEXT NOT NULL, method TEXT, original INTEGER, told TEXT NOT NULL,
  openLoop INTEGER NOT NULL, refunds INTEGER NOT NULL, requestId TEXT NOT NULL, createdAt INTEGER NOT NULL,
  listedAt INTEGER NOT NULL, settleAt INTEGER NOT NULL, settlesAs INTEGER NOT NULL, executedAt INTEGER,
  faults TEXT NOT NULL) STRICT;
-- Without the status, which every operation changes once at least: three indexes would have to be written again.
CREATE INDEX IF NOT EXISTS operationsBySender ON operations (senderId, createdAt, id, type, listedAt);
CREATE INDEX IF NOT EXISTS operationsByReceiver ON operations (receiverId, createdAt, id, type, listedAt);
CREATE INDEX IF NOT EXISTS operationsByTenant ON operations (
  tenant, createdAt, id, type, listedAt, openLoop, method);
CREATE INDEX IF NOT EXISTS lateInLists ON operations (listedAt) WHERE listedAt > createdAt;
CREATE INDEX IF NOT EXISTS movingOperations ON operations (settleAt) WHERE status <> settlesAs;
CREATE INDEX IF NOT EXISTS operationsByOriginal ON operations (original) WHERE original IS NOT NULL;
CREATE INDEX IF NOT EXISTS openByReceiver ON operations (receiverId, amount) WHERE status = 1;

-- How many operations are not open any more, so that the page of a long past need not count them. The triggers add an
-- operation to the tallies of its partner and both its customers, or take it out.
CREATE TABLE IF NOT EXISTS tallies (
  side TEXT NOT NULL, owner INTEGER NOT NULL, type INTEGER NOT NULL, status INTEGER NOT NULL,
  openLoop INTEGER NOT NULL, method TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (side, owner, type, status, openLoop, method)) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS tallyNew AFTER INSERT ON operations WHEN NEW.status <> 1 BEGIN
  INSERT INTO tallies VALUES ('tenant', COALESCE(NEW.tenant, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('senderId', COALESCE(NEW.senderId, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('receiverId', COALESCE(NEW.receiverId, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
CREATE TRIGGER IF NOT EXISTS tallyBefore AFTER UPDATE OF status ON operations WHEN OLD.status <> 1 BEGIN
  INSERT INTO tallies VALUES ('tenant', COALESCE(OLD.tenant, 0), OLD.type, OLD.status, OLD.openLoop, COALESCE(OLD.method, ''), -1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('senderId', COALESCE(OLD.senderId, 0), OLD.type, OLD.status, OLD.openLoop, COALESCE(OLD.method, ''), -1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('receiverId', COALESCE(OLD.receiverId, 0), OLD.type, OLD.status, OLD.openLoop, COALESCE(OLD.method, ''), -1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
CREATE TRIGGER IF NOT EXISTS tallyAfter AFTER UPDATE OF status ON operations WHEN NEW.status <> 1 BEGIN
  INSERT INTO tallies VALUES ('tenant', COALESCE(NEW.tenant, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('senderId', COALESCE(NEW.senderId, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO tallies VALUES ('receiverId', COALESCE(NEW.receiverId, 0), NEW.type, NEW.status, NEW.openLoop, COALESCE(NEW.method, ''), 1)
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TABLE IF NOT EXISTS agents (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, code TEXT NOT NULL, account INTEGER NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, phone TEXT, firstName TEXT, lastName TEXT, cin TEXT, address TEXT,
  email TEXT, gender TEXT, createdAt INTEGER NOT NULL, UNIQUE (tenant, code)) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS agentsByPhone ON agents (tenant, phone);

CREATE TABLE IF NOT EXISTS beneficiaries (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, name TEXT NOT NULL, phone TEXT,
  rib TEXT, email TEXT, createdAt INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS beneficiariesByCustomer ON beneficiaries (customer);

CREATE TABLE IF NOT EXISTS upgrades (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, level INTEGER,
  state TEXT NOT NULL, requestId TEXT NOT NULL, askedAt INTEGER NOT NULL, dueAt INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS upgradesByCustomer ON upgrades (customer);
CREATE INDEX IF NOT EXISTS dueUpgrades ON upgrades (dueAt) WHERE state = 'verifying';

CREATE TABLE IF NOT EXISTS documents (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER, docType INTEGER NOT NULL,
  side TEXT NOT NULL, type TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS documentsByCustomer ON documents (customer);

CREATE TABLE IF NOT EXISTS topUps (
  operation INTEGER PRIMARY KEY, operator INTEGER NOT NULL, rechargeType INTEGER NOT NULL, product TEXT,
  waits INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS bills (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, reference TEXT NOT NULL DEFAULT '',
  creditor TEXT NOT NULL, receivable TEXT NOT NULL, contract TEXT NOT NULL, items TEXT NOT NULL,
  params TEXT NOT NULL, createdAt INTEGER NOT NULL, operation INTEGER, answered TEXT, paid TEXT) STRICT;
CREATE INDEX IF NOT EXISTS billsByReference ON bills (reference);
CREATE INDEX IF NOT EXISTS billsByContract ON bills (creditor, contract);

CREATE TABLE IF NOT EXISTS cashReferences (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, type INTEGER NOT NULL, billNetwork INTEGER NOT NULL,
  reference TEXT NOT NULL DEFAULT '', phone TEXT, code TEXT, amount INTEGER NOT NULL, fees INTEGER NOT NULL,
  description TEXT, createdAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL, operation INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS cashReferencesByReference ON cashReferences (reference);

CREATE TABLE IF NOT EXISTS qrCodes (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, merchant TEXT NOT NULL, amount INTEGER, masked INTEGER NOT NULL,
  reference TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT '', operation INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS qrCodesByReference ON qrCodes (reference);

CREATE TABLE IF NOT EXISTS cardPayments (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, purpose TEXT NOT NULL, account INTEGER NOT NULL,
  customer INTEGER, receiver TEXT NOT NULL, receiverName TEXT NOT NULL,
  last4 TEXT NOT NULL, scheme TEXT NOT NULL, issuer TEXT NOT NULL, kind TEXT NOT NULL, expiryDate TEXT NOT NULL,
  amount INTEGER NOT NULL, fees INTEGER NOT NULL, verdict TEXT NOT NULL, saveAs TEXT, holds INTEGER NOT NULL,
  acceptUrl TEXT, declineUrl TEXT, externalReference TEXT, notification INTEGER,
  token TEXT NOT NULL DEFAULT '', orderId TEXT NOT NULL DEFAULT '', trackId TEXT NOT NULL DEFAULT '',
  referenceId TEXT NOT NULL DEFAULT '', requestId TEXT NOT NULL, faults TEXT NOT NULL,
  expiresAt INTEGER NOT NULL, triesLeft INTEGER NOT NULL, reason TEXT, operation INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS cardPaymentsByToken ON cardPayments (token);
CREATE INDEX IF NOT EXISTS cardPaymentsByOrder ON cardPayments (orderId);
CREATE INDEX IF NOT EXISTS cardPaymentsByOperation ON cardPayments (operation);

CREATE TABLE IF NOT EXISTS savedCards (
  id INTEGER PRIMARY KEY, account INTEGER NOT NULL, last4 TEXT NOT NULL, scheme TEXT NOT NULL, issuer TEXT NOT NULL,
  kind TEXT NOT NULL, expiryDate TEXT NOT NULL, cardName TEXT NOT NULL, removed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS savedCardsByAccount ON savedCards (account, last4, scheme, expiryDate)
  WHERE removed = 0;

CREATE TABLE IF NOT EXISTS cardApplications (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, phone TEXT NOT NULL,
  program INTEGER NOT NULL, status INTEGER NOT NULL, rejectionReason TEXT, createdAt INTEGER NOT NULL,
  decidedAt INTEGER, card INTEGER) STRICT;
CREATE INDEX IF NOT EXISTS cardApplicationsByCustomer ON cardApplications (customer);
CREATE TABLE IF NOT EXISTS issuedCards (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, customer INTEGER NOT NULL, account INTEGER NOT NULL,
  phone TEXT NOT NULL, program INTEGER NOT NULL, type INTEGER NOT NULL, scheme INTEGER NOT NULL,
  last4 TEXT NOT NULL DEFAULT '', status INTEGER NOT NULL, reason TEXT, allowAtm INTEGER NOT NULL,
  allowOnline INTEGER NOT NULL, allowPos INTEGER NOT NULL, contactlessEnabled INTEGER NOT NULL,
  createdAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS issuedCardsByTenant ON issuedCards (tenant);
CREATE TABLE IF NOT EXISTS cardTransactions (
  id INTEGER PRIMARY KEY, card INTEGER NOT NULL, amount INTEGER NOT NULL, merchant TEXT NOT NULL,
  channel TEXT NOT NULL, status INTEGER NOT NULL, createdAt INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS cardTransactionsByCard ON cardTransactions (card);

CREATE TABLE IF NOT EXISTS messages (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS deliveries (
  id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, webhookId TEXT NOT NULL, event TEXT NOT NULL,
  body TEXT NOT NULL, key TEXT, url TEXT, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  firstAt INTEGER, dueAt INTEGER NOT NULL, lastAnswer TEXT) STRICT;
CREATE INDEX IF NOT EXISTS dueDeliveries ON deliveries (dueAt) WHERE state = 'due';
CREATE TABLE IF NOT EXISTS attempts (
  id INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, at INTEGER NOT NULL, answer TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS attemptsByDelivery ON attempts (delivery);
