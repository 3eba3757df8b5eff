import { applyNews } from '../conversation/cases/apply.ts';
import { CASE_DEFAULTS, type CaseSettings } from '../conversation/cases/changes.ts';
import type { Partition } from '../store/store.ts';
import { idAt, positionOf } from '../store/turn-id.ts';
import { auditQuestion, auditRowOf } from './audit-query.ts';
import { allFigures, dayFigures, FORGET_CASES, FORGET_NEWS, reportsBy } from './case-figures.ts';
import { caseTx, eraseCases } from './case-rows.ts';
import { isNewName, nameOf, namesQuestion, type Word } from './name-query.ts';
import { type Connections, connectPostgres, type Queries, WRITE_MS } from './postgres-connection.ts';
import { EVENTS, MIGRATIONS, PAYMENTS, type Parted, WEEK_MS } from './postgres-schema.ts';
import { pseudonymous } from './pseudonym.ts';
import type {
  AgentTally,
  AuditEnd,
  AuditQuery,
  AuditRow,
  Batch,
  CaseRecords,
  Cursor,
  DayTally,
  Erased,
  EventRow,
  FoundAudit,
  Inventory,
  KeptEvent,
  Kind,
  NameRow,
  PaymentRow,
  Records,
  Report,
  Tally,
  TallyOf,
  Whose,
} from './records.ts';
import { changeSettings, settingsOf } from './settings.ts';
import type { Steps } from './steps.ts';
import { type Counted, FOLDED, summed, takenBack, talliesOfPayment } from './tallies.ts';
import { AGENT_TALLIES, FOLDED_DAY } from './tally-query.ts';

/** A process that makes tables holds this lock, so that two processes that start together do not make the same. */
const LOCK = 0x7761736c;
/** A part is made for moments up to so far ahead. A moment beyond that comes from a wrong clock. */
const AHEAD_MAX_MS = 2 * WEEK_MS;
const MISSING_MAX = 10;
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
    cursors: (partitions) => cursors(db, partitions),
    record: (batch) => record(state, batch),
    turns: (partition, limit, before) => turns(db, partition, limit, before),
    turnsOf: (whose, limit, before) => turnsOf(db, whose, limit, before),
    turnsNaming: async (ref, limit) =>
      eventsIn(
        await db.run(`${EVENT} WHERE refs @> ARRAY[$1] ORDER BY at DESC, position DESC LIMIT $2`, [
          ref,
          limit,
        ]),
      ),
    payment: async (id) => (UUID.test(id) ? (await payments(db, 'WHERE id = $1', [id]))[0] : undefined),
    paymentsNamed: (name, limit) =>
      payments(db, 'WHERE names @> ARRAY[$1] ORDER BY "sentAt" DESC LIMIT $2', [name.toLowerCase(), limit]),
    paymentsOf: (wallet, limit, before = Number.MAX_SAFE_INTEGER) =>
      payments(db, 'WHERE wallet = $1 AND "sentAt" < $2 ORDER BY "sentAt" DESC LIMIT $3', [
        wallet,
        before,
        limit,
      ]),
    livePayments: (...asked) => payments(db, LIVE, asked),
    paymentsToLookAt: (at, limit) =>
      payments(db, 'WHERE "lookAt" <= $1 ORDER BY "lookAt" LIMIT $2', [at, limit]),
    setLook: async ({ id, steps, lookAt }) =>
      void (await db.run('UPDATE payment SET "lookAt" = $3 WHERE id = $1 AND steps = $2', [
        id,
        steps,
        lookAt,
      ])),
    tallies: (from, to) => tallies(db, from, to),
    tallyDays: (from, to, without) => tallyDays(db, from, to, without),
    agentTallies: (from, to) => agentTallies(db, from, to),
    reports: (by, from, to) => reports(db, by, from, to),
    foldTallies: (before) => foldTallies(db, before),
    setName: (name) => setName(db, name),
    walletsNamed: (words, limit) => walletsNamed(db, words, limit),
    nameOf: async (wallet) => nameOf(wordsIn(await db.run(WORDS, [wallet]))),
    audit: auditOf(db),
    settings: {
      of: (kind) => done(db, settingsOf(kind)),
      change: (...change) => done(db, changeSettings(...change)),
    },
    cases: casesOf(db),
    forget: (kind, before) => forget(state, kind, before),
    erase: (wallet, addresses, pseudonym) => erase(db, wallet, addresses, pseudonym),
    inventory: () => inventory(db),
    isWell: async () => (await db.run('SELECT 1')).length === 1,
    close: () => db.close(),
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EVENT = 'SELECT partition, position, at, record FROM event';

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

/** Runs statements that both databases understand. */
function done<Result>(db: Connections, steps: Steps<Result>): Promise<Result> {
  return db.inTransaction((client) => doneBy(client, steps));
}

async function doneBy<Result>(db: Queries | Connections, steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const { text, values } = step.value;
    step = steps.next('run' in db ? await db.run(text, values) : (await db.query(text, [...values])).rows);
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
      await client.query(sql);
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
  { events, payments: paid, cursors: moved, settings }: Batch,
): Promise<void> {
  for (const { at } of events) await makePart(state, EVENTS, at);
  for (const { sentAt } of paid) await makePart(state, PAYMENTS, sentAt);
  await state.db.inTransaction(async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${WRITE_MS}`);
    const counted = [...(await addEvents(client, events, settings)), ...(await addPayments(client, paid))];
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
  settings: CaseSettings = CASE_DEFAULTS,
): Promise<readonly Counted[]> {
  if (events.length === 0) return [];
  const { rows } = await client.query<{ partition: number; position: string; at: string }>(
    `INSERT INTO event (partition, position, at, address, wallet, kind, refs, record)
      SELECT partition, position, at, address, nullif(wallet, ''), kind, nullif(string_to_array(refs, ' '), '{}'), record
      FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        AS row (partition, position, at, address, wallet, kind, refs, record)
      ON CONFLICT DO NOTHING RETURNING partition, position, at`,
    [
      events.map(({ partition }) => partition),
      events.map(({ id }) => String(positionOf(id))),
      events.map(({ at }) => at),
      events.map(({ address }) => address),
      events.map(({ wallet = '' }) => wallet),
      events.map(({ kind }) => kind),
      events.map(({ refs }) => refs.join(' ')),
      events.map((event) => event.record),
    ],
  );
  const added = new Set(rows.map(({ partition, position, at }) => `${partition} ${position} ${at}`));
  const isNew = ({ partition, id, at }: EventRow) => added.delete(`${partition} ${positionOf(id)} ${at}`);
  const news = rows.length === events.length ? events : events.filter(isNew);
  // One at a time: people have few cases.
  for (const each of news.flatMap(({ news: told = [] }) => told))
    await doneBy(client, applyNews(caseTx(LOCKS), settings, each));
  return news.flatMap(({ tallies: counted = [] }) => counted);
}

/** What is read in a transaction is nobody else's until its end. */
const LOCKS = 'FOR UPDATE';

function casesOf(db: Connections): CaseRecords {
  return {
    events: (from, to) => caseEvents(db, from, to),
    async firstEventAt() {
      const [first] = await db.run<{ at: string | null }>('SELECT min(at) AS at FROM event');
      return first?.at == null ? undefined : Number(first.at);
    },
    read: (work) => doneBy(db, work(caseTx())),
    write: (work) => done(db, work(caseTx(LOCKS))),
  };
}

async function caseEvents(db: Connections, from: number, to: number) {
  const rows = await db.run<{ at: string; record: string }>(
    `SELECT at, record FROM event WHERE at >= $1 AND at < $2 AND (kind = 'case' OR refs @> ARRAY['cases'])
      ORDER BY at, position`,
    [from, to],
  );
  return rows.map(({ at, record: text }) => ({ at: Number(at), record: text }));
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
  const news = paid.filter(({ id }) => isNew.has(id)).flatMap(talliesOfPayment);
  const rest = paid.filter(({ id }) => !isNew.has(id));
  if (rest.length === 0) return news;
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
  return [...news, ...changed.flatMap(talliesOfPayment), ...takenBack(was.flatMap(talliesOfPayment))];
}

function paymentValues(paid: readonly PaymentRow[]): unknown[] {
  return [
    paid.map(({ id }) => id),
    paid.map(({ wallet }) => wallet),
    paid.map(({ sentAt }) => sentAt),
    paid.map(({ state }) => state),
    paid.map(({ steps }) => steps),
    paid.map(({ names }) => names.join(BETWEEN_NAMES)),
    paid.map(({ document }) => document),
    paid.map(({ lookAt }) => lookAt),
    BETWEEN_NAMES,
  ];
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
      sums.map(({ at }) => at),
      sums.map(({ what }) => what),
      sums.map(({ name }) => name),
      sums.map(({ detail }) => detail),
      sums.map(({ channel }) => channel),
      sums.map(({ language }) => language),
      sums.map(({ n }) => n),
      sums.map(({ ms }) => ms),
      shard,
    ],
  );
}

/** The labels of a case, each as a `value`. */
const LABELS = 'json_array_elements_text(closed.labels::json) AS value';

async function tallies(db: Connections, from: number, to: number): Promise<Tally[]> {
  const rows = await db.run<TallyOf & { n: string; ms: string }>(allFigures(LABELS), [from, to]);
  return rows.map(({ n, ms, ...of }) => ({ ...of, n: Number(n), ms: Number(ms) }));
}

const LIVE = 'WHERE "lookAt" >= $1 AND ("lookAt", id) > ($1, $2::uuid) ORDER BY "lookAt", id LIMIT $3';

async function tallyDays(
  db: Connections,
  from: number,
  to: number,
  without: readonly string[],
): Promise<DayTally[]> {
  const rows = await db.run<Omit<DayTally, 'day' | 'n' | 'ms'> & Record<'day' | 'n' | 'ms', string>>(
    dayFigures(LABELS, 'name = ANY($3)'),
    [from, to, without],
  );
  return rows.map(({ day, n, ms, ...of }) => ({ ...of, day: Number(day), n: Number(n), ms: Number(ms) }));
}

async function agentTallies(db: Connections, from: number, to: number): Promise<AgentTally[]> {
  const rows = await db.run<Omit<AgentTally, 'n'> & { n: string }>(AGENT_TALLIES, [from, to]);
  return rows.map(({ n, ...of }) => ({ ...of, n: Number(n) }));
}

/** PostgreSQL writes sums and means as text. */
async function reports(db: Connections, by: 'agent' | 'team', from: number, to: number): Promise<Report[]> {
  const rows = await db.run<Record<keyof Report, string | null>>(reportsBy(by), [from, to]);
  return rows.map(({ who, ...counts }) => {
    const numbers = Object.entries(counts).map(([name, value]) => [
      name,
      value === null ? null : Number(value),
    ]);
    return { who, ...Object.fromEntries(numbers) } as Report;
  });
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

async function cursors(db: Connections, partitions: readonly Partition[]): Promise<Cursor[]> {
  const rows = await db.run<{ partition: number; position: string }>(
    'SELECT partition, position FROM cursor WHERE partition = ANY($1)',
    [partitions],
  );
  return cursorsIn(rows);
}

function cursorsIn(rows: readonly { readonly partition: number; readonly position: string }[]): Cursor[] {
  return rows.map(({ partition, position }) => ({ partition, to: idAt(BigInt(position)) }));
}

async function turns(
  db: Connections,
  partition: Partition,
  limit: number,
  before?: string,
): Promise<KeptEvent[]> {
  const isOlder = before === undefined ? '' : 'AND position < $3';
  const values = [partition, limit, ...(before === undefined ? [] : [String(positionOf(before))])];
  return eventsIn(
    await db.run(`${EVENT} WHERE partition = $1 ${isOlder} ORDER BY position DESC LIMIT $2`, values),
  );
}

async function turnsOf(
  db: Connections,
  whose: Whose,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<KeptEvent[]> {
  const [column, value] = 'wallet' in whose ? ['wallet', whose.wallet] : ['address', whose.address];
  return eventsIn(
    await db.run(`${EVENT} WHERE ${column} = $1 AND at < $2 ORDER BY at DESC, position DESC LIMIT $3`, [
      value,
      before,
      limit,
    ]),
  );
}

function eventsIn(rows: readonly unknown[]): KeptEvent[] {
  return (rows as { partition: number; position: string; at: string; record: string }[]).map(
    ({ partition, position, at, record: text }) => ({
      partition,
      id: idAt(BigInt(position)),
      at: Number(at),
      record: text,
    }),
  );
}

async function payments(
  db: Queries | Connections,
  which: string,
  values: readonly unknown[],
): Promise<PaymentRow[]> {
  const text = `SELECT * FROM payment ${which}`;
  const rows = 'run' in db ? await db.run(text, values) : (await db.query(text, [...values])).rows;
  return (rows as (Omit<PaymentRow, 'sentAt' | 'lookAt'> & { sentAt: string; lookAt: string | null })[]).map(
    ({ sentAt, lookAt, ...row }) => ({
      ...row,
      sentAt: Number(sentAt),
      lookAt: lookAt === null ? null : Number(lookAt),
    }),
  );
}

const WORDS = 'SELECT word, at FROM name WHERE wallet = $1';

function wordsIn(rows: readonly unknown[]): Word[] {
  return (rows as { word: string; at: string }[]).map(({ word, at }) => ({ word, at: Number(at) }));
}

async function walletsNamed(
  db: Connections,
  words: readonly (readonly string[])[],
  limit: number,
): Promise<string[]> {
  const { text, values } = namesQuestion(words, limit);
  return (await db.run<{ wallet: string }>(text, values)).map(({ wallet }) => wallet);
}

async function setName(db: Connections, name: NameRow): Promise<void> {
  const { wallet, words, at } = name;
  await db.inTransaction(async (client) => {
    // Two that are told at once come one after the other.
    await client.query('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCK, wallet]);
    if (!isNewName(name, wordsIn((await client.query(WORDS, [wallet])).rows))) return;
    await client.query('DELETE FROM name WHERE wallet = $1', [wallet]);
    await client.query('INSERT INTO name (wallet, word, at) SELECT $1, unnest($2::text[]), $3', [
      wallet,
      [...new Set(words)],
      at,
    ]);
  });
}

function auditOf(db: Connections): Records['audit'] {
  return {
    async lastNumber(upTo = 2 ** 31 - 1) {
      const text = 'SELECT coalesce(max(n), 0) AS n FROM audit WHERE n <= $1';
      return Number((await db.run(text, [upTo]))[0]?.n);
    },
    async known(origins) {
      const text = 'SELECT origin, n FROM audit WHERE origin = ANY($1)';
      const rows = await db.run<{ origin: string; n: number }>(text, [origins]);
      return rows.map(({ origin, n }) => [origin, n] as const);
    },
    add: (...added) => addAudit(db, ...added),
    end: async () => (await db.run<AuditEnd>('SELECT n, sealed FROM audit_end'))[0],
    page: (query, limit) => auditPage(db, query, limit),
    async range(from, to) {
      const columns = 'n, at, who, act, "on", about, "of", "end", origin, link';
      const text = `SELECT ${columns} FROM audit WHERE n BETWEEN $1 AND $2 ORDER BY n`;
      return (await db.run(text, [from, to])).map(auditRowOf);
    },
  };
}

async function addAudit(
  db: Connections,
  rows: readonly AuditRow[],
  behind: string | undefined,
  ending?: AuditEnd,
): Promise<boolean> {
  return db.inTransaction(async (client) => {
    // The second process reads the entries that the first one added.
    await client.query("SELECT pg_advisory_xact_lock($1::int, hashtext('audit'))", [LOCK]);
    const last = await client.query<{ link: string }>('SELECT link FROM audit ORDER BY n DESC LIMIT 1');
    if (last.rows[0]?.link !== behind) return false;
    for (const {
      n,
      at,
      who,
      act,
      on = null,
      about = null,
      of = null,
      end = null,
      origin = null,
      link,
    } of rows)
      await client.query(
        `INSERT INTO audit (n, at, who, act, "on", about, "of", "end", origin, link)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [n, at, who, act, on, about, of, end, origin, link],
      );
    if (ending)
      await client.query(
        `INSERT INTO audit_end (one, n, sealed) VALUES (1, $1, $2)
          ON CONFLICT (one) DO UPDATE SET n = excluded.n, sealed = excluded.sealed`,
        [ending.n, ending.sealed],
      );
    return true;
  });
}

async function auditPage(db: Connections, query: AuditQuery, limit: number): Promise<FoundAudit[]> {
  const { text, values } = auditQuestion<readonly string[]>(query, limit, {
    oneOf: (column) => `${column} = ANY(?)`,
    list: (names) => names,
  });
  const rows = await db.run<Omit<FoundAudit, 'at' | 'closing'> & { at: string; closing: string | null }>(
    text,
    values,
  );
  return rows.map(({ at, closing, ...row }) => ({
    ...row,
    at: Number(at),
    ...(closing !== null && { closing }),
  }));
}

async function forget(state: State, kind: Kind, before: number): Promise<number> {
  const { db } = state;
  // They name agents, as the audit does.
  if (kind === 'audit') await db.run(FORGET_CASES, [before, WEEK_MS]);
  if (kind === 'audit') await db.run(FORGET_NEWS, [before]);
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

function erase(
  db: Connections,
  wallet: string,
  addresses: readonly string[],
  pseudonym: string,
): Promise<Erased> {
  return db.inTransaction(async (client) => {
    const { rowCount } = await client.query(
      'DELETE FROM event WHERE wallet = $1 OR (wallet IS NULL AND address = ANY($2))',
      [wallet, addresses],
    );
    await client.query('DELETE FROM name WHERE wallet = $1', [wallet]);
    await doneBy(client, eraseCases(wallet, addresses));
    const theirs = await payments(client, 'WHERE wallet = $1', [wallet]);
    for (const { id, document } of theirs)
      await client.query('UPDATE payment SET wallet = $2, document = $3 WHERE id = $1', [
        id,
        pseudonym,
        pseudonymous(document, wallet, addresses, pseudonym),
      ]);
    return { events: rowCount ?? 0, payments: theirs.length };
  });
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
