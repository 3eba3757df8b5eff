import type { Steps } from '../store/steps.ts';
import { PAYMENT } from './payment-row.ts';
import { type Connections, connectPostgres, isBug, type Queries, WRITE_MS } from './postgres-connection.ts';
import { EVENTS, MIGRATIONS, PAYMENTS, type Parted, WEEK_MS } from './postgres-schema.ts';
import type { Records } from './records.ts';
import { type Database, EVENT, recordsOn } from './statements.ts';
import { FOLDED_ROWS, foldInto } from './tally-query.ts';

/** A process that makes tables holds this lock, so that two processes that start together do not make the same. */
const LOCK = 0x7761736c;
/** A part is made for moments up to so far ahead. A moment beyond that comes from a wrong clock. */
const AHEAD_MAX_MS = 2 * WEEK_MS;
/** An index of years of turns takes its time. Turns wait in the live store meanwhile. */
const MIGRATE_MS = 30 * 60_000;
/** Another process made the same part at the same moment. A row for it lies in `…_other` already. */
const PART_EXISTS = new Set(['42P07', '23505', '23514']);

interface State {
  readonly db: Connections;
  readonly now: () => number;
  readonly parts: Set<string>;
}

/**
 * The records in PostgreSQL 14 or newer. Its tables are made and renewed before their first use, so that a server that is
 * away does not keep customers waiting for a start.
 * @param connectMs how long it is tried to reach the server
 */
export function openPostgresRecords(url: string, now: () => number = Date.now, connectMs?: number): Records {
  const db = prepared(connectPostgres(url, connectMs), migrate);
  const state: State = { db, now, parts: new Set() };
  const records = recordsOn(databaseOf(db));
  return {
    ...records,
    async record(batch) {
      for (const { at } of batch.events) await makePart(state, EVENTS, at);
      for (const { sentAt } of batch.payments) await makePart(state, PAYMENTS, sentAt);
      await records.record(batch);
    },
    forget(kind, before) {
      const parted = { events: EVENTS, payments: PAYMENTS }[kind as string];
      return parted ? dropOldest(state, parted, before) : records.forget(kind, before);
    },
    isWell: async () => (await db.run('SELECT 1')).length === 1,
    close: () => db.close(),
  };
}

/** Connections that do nothing until `prepare` has been done, which is tried again each time until then. */
function prepared(db: Connections, prepare: (db: Connections) => Promise<void>): Connections {
  let preparing: Promise<void> | undefined;
  const ready = () => {
    preparing ??= prepare(db).catch((error) => {
      preparing = undefined;
      throw error;
    });
    return preparing;
  };
  return {
    run: (...query) => ready().then(() => db.run(...query)),
    inTransaction: (work) => ready().then(() => db.inTransaction(work)),
    close: db.close,
  };
}

/** As the statements see it that both databases have in common. */
function databaseOf(db: Connections): Database {
  return {
    ask: (text, ...values) => db.run(text, values),
    inOne: (steps) => db.inTransaction((client) => doneBy(client, steps)),
    isBug,
    lockOf: (what) => [{ text: 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', values: [LOCK, what] }],
    auditEnd: 'audit_end',
    labels: 'json_array_elements_text(closed.labels::json) AS value',
    lock: 'FOR UPDATE',
    longWrite: [{ text: `SET LOCAL statement_timeout = ${WRITE_MS}`, values: [] }],
    rows: (columns) =>
      `json_to_recordset($1::json) AS row (${Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)})`,
    *listed(text, _, rows) {
      // It refuses half of a surrogate pair in JSON: that becomes U+FFFD, as in a text of its own.
      const wellFormed = (_: string, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed() : value;
      return yield { text, values: [JSON.stringify(rows, wellFormed)] };
    },
    refs: [', refs', ", nullif(refs, '{}')"],
    fold: [`WITH gone AS (DELETE FROM tally ${FOLDED_ROWS} RETURNING *) ${foldInto('gone')}`],
    intentIn: "record::json->'event'->>'intent'",
    migrations: { made: '(SELECT max(n) FROM migration)', known: MIGRATIONS.length },
    ofCases: OF_CASES,
    firstOfCases: OF_CASES,
    eventsNamed: `${EVENT} WHERE refs @> ARRAY[$1]`,
    paymentsNamed: `${PAYMENT} WHERE names @> ARRAY[$1]`,
  };
}

const OF_CASES = "(kind = 'case' OR refs @> ARRAY['cases'])";

/** Runs statements that both databases understand. */
async function doneBy<Result>(db: Queries, steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const { text, values } = step.value;
    const answer = await db.query(text, [...values]).then(
      ({ rows }) =>
        () =>
          steps.next(rows),
      (error: unknown) => () => steps.throw(error),
    );
    step = answer();
  }
  return step.value;
}

/** Makes the additions of this release, once. A database of a later release is used as it is. */
async function migrate(db: Connections): Promise<void> {
  await db.inTransaction(async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (n integer PRIMARY KEY, "madeAt" timestamptz NOT NULL)',
    );
    const { rows } = await client.query('SELECT coalesce(max(n), 0) AS n FROM migration');
    for (const [i, sql] of MIGRATIONS.entries()) {
      if (i < Number(rows[0].n)) continue;
      const query = { text: sql, query_timeout: MIGRATE_MS };
      await client.query(query);
      await client.query('INSERT INTO migration VALUES ($1, now())', [i + 1]);
    }
  });
}

/** The name of the part that a moment lies in, or undefined for none. */
function partAt({ now }: State, { table, spanMs }: Parted, at: number): string | undefined {
  const n = Math.floor(at / spanMs);
  return n > 0 && at <= now() + AHEAD_MAX_MS ? `${table}_${n}` : undefined;
}

/** Makes the part that a moment lies in, where it is not there yet. */
async function makePart(state: State, parted: Parted, at: number): Promise<void> {
  const { db, parts } = state;
  const name = partAt(state, parted, at);
  if (name === undefined || parts.has(name)) return;
  const { table, spanMs } = parted;
  const from = Math.floor(at / spanMs) * spanMs;
  try {
    await db.inTransaction(async (client) => {
      await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${from + spanMs})`,
      );
    });
  } catch (error) {
    if (!PART_EXISTS.has((error as { code?: string }).code ?? '')) throw error;
  }
  parts.add(name);
}

/** Drops the oldest part, where all of it is from before a moment, with the rows that lie in no part. */
async function dropOldest(
  { db, parts }: State,
  { table, column, spanMs }: Parted,
  before: number,
): Promise<number> {
  const [strays] = await db.run<{ n: string }>(
    `WITH gone AS (DELETE FROM ${table}_other WHERE "${column}" < $1 RETURNING 1) SELECT count(*) AS n FROM gone`,
    [before],
  );
  const [oldest] = await db.run<{ name: string; rows: number }>(
    `SELECT relname AS name, greatest(reltuples, 1)::float8 AS rows FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = $1::regclass AND relname ~ '_[0-9]+$' ORDER BY length(relname), relname LIMIT 1`,
    [table],
  );
  if (!oldest || (Number(oldest.name.slice(table.length + 1)) + 1) * spanMs > before)
    return Number(strays?.n);
  await db.run(`DROP TABLE ${oldest.name}`);
  parts.delete(oldest.name);
  return Number(strays?.n) + oldest.rows;
}
