/**
 * The tables of cases, the same in PostgreSQL and SQLite. `cases` has the open and the closed ones, `caseUpdate` what has been applied
 * already, and `caseTold` is the outbox of events for the company's own tools.
 */
export const CASE_TABLES = `CREATE TABLE cases (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, address TEXT, wallet TEXT, state TEXT NOT NULL, due BIGINT NOT NULL,
    "lookAt" BIGINT, "isListed" INTEGER NOT NULL, document TEXT NOT NULL, version INTEGER NOT NULL,
    agent TEXT NOT NULL, team TEXT NOT NULL, channel TEXT NOT NULL, language TEXT NOT NULL, "openedAt" BIGINT NOT NULL,
    "closedAt" BIGINT, "answeredAt" BIGINT, "handledMs" BIGINT NOT NULL, reopened INTEGER NOT NULL, "end" TEXT NOT NULL,
    late INTEGER NOT NULL, rating INTEGER, labels TEXT NOT NULL
  );
  CREATE UNIQUE INDEX "casesAbout" ON cases (kind, subject) WHERE "closedAt" IS NULL;
  CREATE INDEX "casesSubject" ON cases (subject, "openedAt");
  CREATE INDEX "casesAddress" ON cases (address) WHERE "closedAt" IS NULL;
  CREATE INDEX "casesWallet" ON cases (wallet, "closedAt") WHERE wallet IS NOT NULL;
  CREATE INDEX "casesLookAt" ON cases ("lookAt") WHERE "lookAt" IS NOT NULL;
  CREATE INDEX "casesListed" ON cases (due) WHERE "isListed" = 1;
  CREATE INDEX "casesClosed" ON cases ("closedAt") WHERE "closedAt" IS NOT NULL;
  CREATE TABLE "caseUpdate" (id TEXT PRIMARY KEY, at BIGINT NOT NULL);
  CREATE INDEX "caseUpdateAt" ON "caseUpdate" (at);
  CREATE TABLE "caseTold" (id TEXT PRIMARY KEY, event TEXT NOT NULL);`;

/** The columns that lists of cases are chosen and sorted by, in one index. */
export const CASE_ORDER = `ALTER TABLE cases ADD COLUMN "notUrgent" INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE cases ADD COLUMN "snoozedUntil" BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE cases ADD COLUMN "waitsSince" BIGINT;
  ALTER TABLE cases ADD COLUMN "ownerName" TEXT NOT NULL DEFAULT '';
  ALTER TABLE cases ADD COLUMN mentions TEXT NOT NULL DEFAULT '';
  ALTER TABLE cases ADD COLUMN "orderedAs" INTEGER NOT NULL DEFAULT 0;
  DROP INDEX "casesListed";
  CREATE INDEX "casesListed" ON cases ("notUrgent", due, id, state, agent, team, kind, language, channel, "snoozedUntil", "waitsSince",
    "openedAt", wallet, "ownerName") WHERE "isListed" = 1;
  CREATE INDEX "casesMentions" ON cases (id) WHERE "isListed" = 1 AND mentions <> '';
  CREATE INDEX "casesBehind" ON cases (id) WHERE "isListed" = 1 AND "orderedAs" <> version;`;

/** Takes away what told cases without these columns. No release has written any: 0.3 has no table of cases. */
export const CASES_WITHOUT_VERSION = `DROP INDEX "casesBehind";
  ALTER TABLE cases DROP COLUMN version;
  ALTER TABLE cases DROP COLUMN "orderedAs";`;
