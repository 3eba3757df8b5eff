import { CASE_ORDER, CASE_TABLES, CASES_WITHOUT_VERSION } from './case-schema.ts';
import { SETTING_TABLES } from './settings.ts';

/** Events lie in tables of a week each, and payments in tables of four, by the number of the week since 1970. */
export const WEEK_MS = 7 * 24 * 3_600_000;

/** A table whose rows lie in parts by time, and what is in one part. */
export interface Parted {
  readonly table: 'event' | 'payment';
  readonly column: 'at' | 'sentAt';
  readonly spanMs: number;
}
export const EVENTS: Parted = { table: 'event', column: 'at', spanMs: WEEK_MS };
export const PAYMENTS: Parted = { table: 'payment', column: 'sentAt', spanMs: 4 * WEEK_MS };

/**
 * The migrations of the tables, in this order. Each runs once, and a released one is never changed. The release before this
 * one goes on writing during a deploy, so a migration only adds.
 *
 * Every search would look through the entries that GIN indexes put off (`fastupdate`). Records are kept as text: they are
 * read whole, and a text takes a NUL that a customer typed, which jsonb refuses. A moment outside of every part (a clock
 * that is far off) lies in the part `…_other`.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE event (
    partition smallint NOT NULL, position bigint NOT NULL, at bigint NOT NULL, address text NOT NULL, wallet text,
    kind text NOT NULL, refs text[], record text NOT NULL, PRIMARY KEY (partition, position, at)
  ) PARTITION BY RANGE (at);
  CREATE TABLE event_other PARTITION OF event DEFAULT;
  CREATE INDEX event_address ON event (address, at);
  CREATE INDEX event_wallet ON event (wallet, at) WHERE wallet IS NOT NULL;
  CREATE INDEX event_refs ON event USING gin (refs) WITH (fastupdate = off) WHERE refs IS NOT NULL;
  CREATE TABLE payment (
    id uuid NOT NULL, wallet text NOT NULL, "sentAt" bigint NOT NULL, state text NOT NULL, steps integer NOT NULL,
    names text[] NOT NULL, document text NOT NULL, "lookAt" bigint, PRIMARY KEY (id, "sentAt")
  ) PARTITION BY RANGE ("sentAt");
  CREATE TABLE payment_other PARTITION OF payment DEFAULT;
  CREATE INDEX payment_wallet ON payment (wallet, "sentAt");
  CREATE INDEX payment_names ON payment USING gin (names) WITH (fastupdate = off);
  CREATE INDEX payment_look ON payment ("lookAt") WHERE "lookAt" IS NOT NULL;
  CREATE TABLE audit (
    n integer PRIMARY KEY, at bigint NOT NULL, who text NOT NULL, act text NOT NULL, "on" text, link text NOT NULL
  );
  CREATE INDEX audit_on ON audit ("on", n) WHERE "on" IS NOT NULL;
  CREATE INDEX audit_who ON audit (who, n);
  CREATE TABLE cursor (partition smallint PRIMARY KEY, position bigint NOT NULL);`,
  `ALTER TABLE audit ADD COLUMN about text, ADD COLUMN "of" integer, ADD COLUMN "end" text;
  CREATE INDEX audit_about ON audit (about, n) WHERE about IS NOT NULL;
  CREATE INDEX audit_of ON audit ("of") WHERE "of" IS NOT NULL;
  CREATE INDEX audit_at ON audit (at);
  CREATE TABLE tally (
    at bigint NOT NULL, shard smallint NOT NULL, what text NOT NULL, name text NOT NULL, detail text NOT NULL,
    channel text NOT NULL, language text NOT NULL, n bigint NOT NULL, ms bigint NOT NULL,
    PRIMARY KEY (at, shard, what, name, detail, channel, language)
  ) WITH (fillfactor = 80);`,
  `CREATE TABLE name (wallet text NOT NULL, word text NOT NULL, at bigint NOT NULL, PRIMARY KEY (wallet, word));
  CREATE INDEX name_word ON name (word, at);
  CREATE INDEX name_at ON name (at);`,
  `CREATE TABLE audit_end (one integer PRIMARY KEY CHECK (one = 1), n integer NOT NULL, sealed text NOT NULL);`,
  `ALTER TABLE audit ADD COLUMN origin text;
  CREATE UNIQUE INDEX audit_origin ON audit (origin) WHERE origin IS NOT NULL;`,
  SETTING_TABLES,
  `${CASE_TABLES}
  CREATE INDEX event_case ON event (at) WHERE kind = 'case' OR refs @> ARRAY['cases'];`,
  `CREATE INDEX audit_act ON audit (act, n);
  CREATE INDEX audit_rare ON audit ("end", n) WHERE "end" IN ('refused', 'failed');`,
  CASE_ORDER,
  CASES_WITHOUT_VERSION,
];
