import { CASE_ORDER, CASE_TABLES, CASES_WITHOUT_VERSION } from './case-schema.ts';
import { SETTING_TABLES } from './settings.ts';

/** The migrations of the tables, in this order. The file's `user_version` is the number of those that have run. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE event (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL, address TEXT NOT NULL,
    wallet TEXT, kind TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (partition, position, at)
  ) STRICT;
  CREATE INDEX eventAt ON event (at);
  CREATE INDEX eventAddress ON event (address, at);
  CREATE INDEX eventWallet ON event (wallet, at) WHERE wallet IS NOT NULL;
  CREATE TABLE eventRef (ref TEXT NOT NULL, event INTEGER NOT NULL REFERENCES event ON DELETE CASCADE, PRIMARY KEY (ref, event))
    STRICT, WITHOUT ROWID;
  CREATE INDEX eventRefOf ON eventRef (event);
  CREATE TABLE payment (
    id TEXT PRIMARY KEY, wallet TEXT NOT NULL, sentAt INTEGER NOT NULL, state TEXT NOT NULL, steps INTEGER NOT NULL,
    names TEXT NOT NULL, document TEXT NOT NULL, lookAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paymentSent ON payment (sentAt);
  CREATE INDEX paymentWallet ON payment (wallet, sentAt);
  CREATE INDEX paymentLook ON payment (lookAt) WHERE lookAt IS NOT NULL;
  CREATE TABLE paymentName (name TEXT NOT NULL, payment TEXT NOT NULL REFERENCES payment ON DELETE CASCADE,
    PRIMARY KEY (name, payment)) STRICT, WITHOUT ROWID;
  CREATE INDEX paymentNameOf ON paymentName (payment);
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL, act TEXT NOT NULL, "on" TEXT, link TEXT NOT NULL
  ) STRICT;
  CREATE INDEX auditOn ON audit ("on", n) WHERE "on" IS NOT NULL;
  CREATE INDEX auditAt ON audit (at);
  CREATE TABLE cursor (partition INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;`,
  `ALTER TABLE audit ADD COLUMN about TEXT;
  ALTER TABLE audit ADD COLUMN "of" INTEGER;
  ALTER TABLE audit ADD COLUMN "end" TEXT;
  CREATE INDEX auditAbout ON audit (about, n) WHERE about IS NOT NULL;
  CREATE INDEX auditOf ON audit ("of") WHERE "of" IS NOT NULL;
  CREATE INDEX auditWho ON audit (who, n);
  CREATE TABLE tally (
    at INTEGER NOT NULL, shard INTEGER NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL, detail TEXT NOT NULL,
    channel TEXT NOT NULL, language TEXT NOT NULL, n INTEGER NOT NULL, ms INTEGER NOT NULL,
    PRIMARY KEY (at, shard, what, name, detail, channel, language)
  ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE name (wallet TEXT NOT NULL, word TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (wallet, word))
    STRICT, WITHOUT ROWID;
  CREATE INDEX nameWord ON name (word, at);
  CREATE INDEX nameAt ON name (at);`,
  `CREATE TABLE auditEnd (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, sealed TEXT NOT NULL) STRICT;`,
  `ALTER TABLE audit ADD COLUMN origin TEXT;
  CREATE UNIQUE INDEX auditOrigin ON audit (origin) WHERE origin IS NOT NULL;`,
  SETTING_TABLES,
  `${CASE_TABLES}
  CREATE INDEX eventCase ON event (at) WHERE kind = 'case';`,
  `CREATE INDEX auditAct ON audit (act, n);
  CREATE INDEX auditRare ON audit ("end", n) WHERE "end" IN ('refused', 'failed');`,
  CASE_ORDER,
  CASES_WITHOUT_VERSION,
];
