import type { Steps } from '../store/steps.ts';
import { positionOf } from '../store/turn-id.ts';
import { FORGET_CASE_UPDATES, FORGET_CASES } from './case-figures.ts';
import { type Connections, connectPostgres, isBug, type Queries, WRITE_MS } from './postgres-connection.ts';
import { EVENTS, MIGRATIONS, PAYMENTS, type Parted, WEEK_MS } from './postgres-schema.ts';
import type { Batch, EventRow, Inventory, Kind, PaymentRow, Records } from './records.ts';
import {
  applyCases,
  cursorsIn,
  type Database,
  EVENT,
  PAYMENT,
  paymentsIn,
  statementsOn,
} from './statements.ts';
import { type Counted, FOLDED, summed, takenBack, talliesOfPayment } from './tallies.ts';
import { FOLDED_DAY } from './tally-query.ts';

/** A process that makes tables holds this lock, so that two processes that start together do not make the same. */
const LOCK = 0x7761736c;
/** A part is made for moments up to so far ahead. A moment beyond that comes from a wrong clock. */
const AHEAD_MAX_MS = 2 * WEEK_MS;
const MISSING_MAX = 10;
/** An index of years of turns takes its time. Turns wait in the live store meanwhile. */
const MIGRATE_MS = 30 * 60_000;
/** Another process made the same part at the same moment. A row for it lies in `…_other` already. */
const PART_EXISTS = new Set(['42P07', '23505', '23514']);

interface State {
  readonly db: Connections;
  readonly now: () => number;
  /** Parts that are there, by name. */
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
  return {
    ...statementsOn(databaseOf(db)),
    record: (batch) => record(state, batch),
    foldTallies: (before) => foldTallies(db, before),
    forget: (kind, before) => forget(state, kind, before),
    inventory: () => inventory(db),
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
    lockOf: (what) => [{ text: 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', values: [LOCK, what] }],
    auditEnd: 'audit_end',
    labels: 'json_array_elements_text(closed.labels::json) AS value',
    lock: LOCKS,
    ofCases: OF_CASES,
    firstOfCases: OF_CASES,
    eventsNamed: `${EVENT} WHERE refs @> ARRAY[$1]`,
    paymentsNamed: `${PAYMENT} WHERE names @> ARRAY[$1]`,
  };
}

/** What is read in a transaction is nobody else's until its end. */
const LOCKS = 'FOR UPDATE';

/** As the index of these events has it. */
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

async function record(
  state: State,
  { events, payments: paid, cursors: moved, ...more }: Batch,
): Promise<void> {
  for (const { at } of events) await makePart(state, EVENTS, at);
  for (const { sentAt } of paid) await makePart(state, PAYMENTS, sentAt);
  await state.db.inTransaction(async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${WRITE_MS}`);
    const counted = [...(await addEvents(client, events, more)), ...(await addPayments(client, paid))];
    await addTallies(client, shardOf({ events, payments: paid }), counted);
    await client.query(
      `INSERT INTO cursor SELECT * FROM unnest($1::smallint[], $2::bigint[])
        ON CONFLICT (partition) DO UPDATE SET position = excluded.position`,
      [moved.map(({ partition }) => partition), moved.map(({ to }) => String(positionOf(to)))],
    );
  });
}

/** Gives what is to be counted: of events that are there already, nothing. */
async function addEvents(
  client: Queries,
  events: readonly EventRow[],
  more: Pick<Batch, 'settings' | 'onRefused'>,
): Promise<readonly Counted[]> {
  if (events.length === 0) return [];
  const { rows } = await client.query<{ partition: number; position: string; at: string }>(
    `INSERT INTO event (partition, position, at, address, wallet, kind, refs, record)
      SELECT partition, position, at, address, nullif(wallet, ''), kind, nullif(string_to_array(refs, ' '), '{}'), record
      FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        AS row (partition, position, at, address, wallet, kind, refs, record)
      ON CONFLICT DO NOTHING RETURNING partition, position, at`,
    columnsOf(
      events.map(({ partition, id, at, address, wallet = '', kind, refs, record: text }) => [
        ...[partition, String(positionOf(id)), at, address, wallet, kind, refs.join(' '), text],
      ]),
    ),
  );
  const added = new Set(rows.map(({ partition, position, at }) => `${partition} ${position} ${at}`));
  const isNew = ({ partition, id, at }: EventRow) => added.delete(`${partition} ${positionOf(id)} ${at}`);
  const fresh = rows.length === events.length ? events : events.filter(isNew);
  const updates = fresh.flatMap(({ caseUpdates = [] }) => caseUpdates);
  await doneBy(client, applyCases(updates, LOCKS, more, isBug));
  return fresh.flatMap(({ tallies: counted = [] }) => counted);
}

/** Stands between the names of a payment, none of which has it. */
const BETWEEN_NAMES = '\u001f';

const PAYMENT_ROWS = `SELECT id, wallet, sent, state, steps, string_to_array(names, $9) AS names, document, look
  FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::bigint[])
    AS row (id, wallet, sent, state, steps, names, document, look)`;

/**
 * A copy that has taken fewer steps than the one that is there is older. Gives what is to be counted. First those that are new:
 * from then on all are there, and are locked before it is read what they were.
 */
async function addPayments(client: Queries, paid: readonly PaymentRow[]): Promise<readonly Counted[]> {
  if (paid.length === 0) return [];
  const values = paymentValues(paid);
  const { rows: added } = await client.query<{ id: string }>(
    `INSERT INTO payment (id, wallet, "sentAt", state, steps, names, document, "lookAt") ${PAYMENT_ROWS}
      ON CONFLICT DO NOTHING RETURNING id`,
    values,
  );
  const isNew = new Set(added.map(({ id }) => id));
  const fresh = paid.filter(({ id }) => isNew.has(id)).flatMap(talliesOfPayment);
  const rest = paid.filter(({ id }) => !isNew.has(id));
  if (rest.length === 0) return fresh;
  const ids = rest.map(({ id }) => id);
  const known = await payments(client, 'WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
  const before = new Map(known.map((row) => [row.id, row]));
  const changed = rest.filter(({ id, steps }) => (before.get(id)?.steps ?? 0) < steps);
  await client.query(
    `UPDATE payment SET wallet = row.wallet, state = row.state, steps = row.steps, names = row.names,
      document = row.document, "lookAt" = row.look FROM (${PAYMENT_ROWS}) row
      WHERE payment.id = row.id AND payment."sentAt" = row.sent`,
    paymentValues(changed),
  );
  const was = changed.flatMap(({ id }) => before.get(id) ?? []);
  return [...fresh, ...changed.flatMap(talliesOfPayment), ...takenBack(was.flatMap(talliesOfPayment))];
}

function paymentValues(paid: readonly PaymentRow[]): unknown[] {
  const rows = paid.map(({ id, wallet, sentAt, state, steps, names, document, lookAt }) => [
    ...[id, wallet, sentAt, state, steps, names.join(BETWEEN_NAMES), document, lookAt],
  ]);
  return [...columnsOf(rows, 8), BETWEEN_NAMES];
}

/** Rows as `unnest` takes them: the values of each column. @param count of columns, for no rows */
function columnsOf(rows: readonly (readonly unknown[])[], count = rows[0]?.length ?? 0): unknown[][] {
  return Array.from({ length: count }, (_, i) => rows.map((row) => row[i]));
}

/** Recorders of several groups count the same things at the same time: each in rows of its own, so that none waits for another. */
function shardOf({ events, payments: paid }: Pick<Batch, 'events' | 'payments'>): number {
  const partition = events[0]?.partition ?? Number.parseInt(paid[0]?.id.slice(0, 2) ?? '0', 16);
  return partition >> 5;
}

async function addTallies(client: Queries, shard: number, counted: readonly Counted[]): Promise<void> {
  const sums = summed(counted);
  if (sums.length === 0) return;
  await client.query(
    `INSERT INTO tally (at, shard, what, name, detail, channel, language, n, ms)
      SELECT at, $9, what, name, detail, channel, language, n, ms
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
        AS row (at, what, name, detail, channel, language, n, ms)
      ON CONFLICT (at, shard, what, name, detail, channel, language) DO UPDATE
        SET n = tally.n + excluded.n, ms = tally.ms + excluded.ms`,
    [
      ...columnsOf(
        sums.map(({ at, what, name, detail, channel, language, n, ms }) => [
          ...[at, what, name, detail, channel, language, n, ms],
        ]),
      ),
      shard,
    ],
  );
}

async function foldTallies(db: Connections, before: number): Promise<void> {
  await db.inTransaction(async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${WRITE_MS}`);
    await client.query(
      `WITH gone AS (DELETE FROM tally WHERE at < $1 AND shard <> ${FOLDED} RETURNING *)
        INSERT INTO tally (at, shard, what, name, detail, channel, language, n, ms)
        SELECT ${FOLDED_DAY}, ${FOLDED}, what, name, detail, channel, language, sum(n), sum(ms) FROM gone
        GROUP BY 1, what, name, detail, channel, language
        ON CONFLICT (at, shard, what, name, detail, channel, language) DO UPDATE
          SET n = tally.n + excluded.n, ms = tally.ms + excluded.ms`,
      [before],
    );
  });
}

async function payments(client: Queries, which: string, values: readonly unknown[]): Promise<PaymentRow[]> {
  return paymentsIn((await client.query(`${PAYMENT} ${which}`, [...values])).rows);
}

async function forget(state: State, kind: Kind, before: number): Promise<number> {
  const { db } = state;
  // They name agents, as the audit does.
  if (kind === 'audit') await db.run(FORGET_CASES, [before, WEEK_MS]);
  if (kind === 'audit') await db.run(FORGET_CASE_UPDATES, [before]);
  const whole = { audit: 'audit', names: 'name' }[kind as string];
  if (whole)
    return deleted(db, `DELETE FROM ${whole} WHERE at < $1 AND at < (SELECT min(at) FROM ${whole}) + $2`, [
      before,
      WEEK_MS,
    ]);
  const { table, column, spanMs } = kind === 'events' ? EVENTS : PAYMENTS;
  const strays = await deleted(db, `DELETE FROM ${table}_other WHERE "${column}" < $1`, [before]);
  const rows = await db.run<{ name: string; rows: number }>(
    `SELECT relname AS name, greatest(reltuples, 1)::float8 AS rows FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = $1::regclass AND relname ~ '_[0-9]+$' ORDER BY length(relname), relname LIMIT 1`,
    [table],
  );
  const [oldest] = rows;
  if (!oldest || (Number(oldest.name.slice(table.length + 1)) + 1) * spanMs > before) return strays;
  await db.run(`DROP TABLE ${oldest.name}`);
  state.parts.delete(oldest.name);
  return strays + oldest.rows;
}

async function deleted(db: Connections, text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.run<{ n: string }>(
    `WITH gone AS (${text} RETURNING 1) SELECT count(*) AS n FROM gone`,
    values,
  );
  return Number(row?.n);
}

/** Reads everything, which takes its time. */
function inventory(db: Connections): Promise<Inventory> {
  return db.inTransaction(async (client) => {
    const { rows } = await client.query<Record<Kind | 'migrations', string>>(
      `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM payment) AS payments,
        (SELECT count(*) FROM audit) AS audit, (SELECT count(DISTINCT wallet) FROM name) AS names,
        (SELECT max(n) FROM migration) AS migrations`,
    );
    const missing = await client.query<{ id: string }>(
      `SELECT DISTINCT record::json->'event'->>'intent' AS id FROM event WHERE kind = 'payment'
        AND NOT EXISTS (SELECT FROM payment WHERE payment.id::text = record::json->'event'->>'intent') LIMIT $1`,
      [MISSING_MAX],
    );
    const moved = await client.query<{ partition: number; position: string }>('SELECT * FROM cursor');
    const { events, payments: paid, audit, names, migrations } = rows[0] ?? {};
    return {
      migrations: { made: Number(migrations), known: MIGRATIONS.length },
      count: { events: Number(events), payments: Number(paid), audit: Number(audit), names: Number(names) },
      missing: missing.rows.map(({ id }) => id),
      cursors: cursorsIn(moved.rows),
    };
  });
}
