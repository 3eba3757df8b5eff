import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { closeErased, inTransaction, openSqliteFile } from '../store/sqlite-file.ts';
import type { Query, Row, Steps } from '../store/steps.ts';
import { positionOf } from '../store/turn-id.ts';
import { FORGET_CASE_UPDATES, FORGET_CASES } from './case-figures.ts';
import {
  type Batch,
  type EventRow,
  type Inventory,
  type Kind,
  type PaymentRow,
  RETENTION_STEP_MS,
  type Records,
  RecordsDown,
} from './records.ts';
import { MIGRATIONS } from './sqlite-schema.ts';
import { applyCases, cursorsIn, type Database, EVENT, paymentsIn, statementsOn } from './statements.ts';
import { type Counted, FOLDED, summed, takenBack, talliesOfPayment } from './tallies.ts';
import { FOLDED_DAY } from './tally-query.ts';

const FILE = 'records.db';
const MISSING_MAX = 10;
/** SQLite's primary result code of a constraint that does not hold. */
const CONSTRAINT = 19;
/** PostgreSQL's names of values, as SQLite has them. */
function numbered(text: string): string {
  return text.replaceAll(/\$(\d)/g, '?$1');
}

const SQL = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  addEvent: `INSERT INTO event (partition, position, at, address, wallet, kind, record) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`,
  addRef: 'INSERT OR IGNORE INTO eventRef (ref, event) VALUES (?, ?)',
  addPayment: `INSERT INTO payment (id, wallet, sentAt, state, steps, names, document, lookAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET wallet = excluded.wallet, state = excluded.state, steps = excluded.steps, names = excluded.names,
    document = excluded.document, lookAt = excluded.lookAt WHERE payment.steps < excluded.steps`,
  addTally: `INSERT INTO tally (at, shard, what, name, detail, channel, language, n, ms) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET n = n + excluded.n, ms = ms + excluded.ms`,
  foldTallies: `INSERT INTO tally (at, shard, what, name, detail, channel, language, n, ms)
    SELECT ${FOLDED_DAY}, ${FOLDED}, what, name, detail, channel, language, sum(n), sum(ms) FROM tally
    WHERE at < ? AND shard <> ${FOLDED} GROUP BY 1, what, name, detail, channel, language
    ON CONFLICT DO UPDATE SET n = n + excluded.n, ms = ms + excluded.ms`,
  forgetFolded: `DELETE FROM tally WHERE at < ? AND shard <> ${FOLDED}`,
  addName: 'INSERT OR IGNORE INTO paymentName (name, payment) VALUES (?, ?)',
  move: 'INSERT OR REPLACE INTO cursor (partition, position) VALUES (?, ?)',
  cursors: 'SELECT partition, CAST(position AS TEXT) AS position FROM cursor',
  payment: 'SELECT * FROM payment WHERE id = ?',
  forgetEvents: 'DELETE FROM event WHERE at < ?1 AND at < (SELECT min(at) FROM event) + ?2',
  forgetPayments: 'DELETE FROM payment WHERE sentAt < ?1 AND sentAt < (SELECT min(sentAt) FROM payment) + ?2',
  forgetAudit: 'DELETE FROM audit WHERE at < ?1 AND at < (SELECT min(at) FROM audit) + ?2',
  forgetCases: numbered(FORGET_CASES),
  forgetCaseUpdates: FORGET_CASE_UPDATES.replace('$1', '?'),
  forgetNames: 'DELETE FROM name WHERE at < ?1 AND at < (SELECT min(at) FROM name) + ?2',
  count: `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM payment) AS payments,
    (SELECT count(*) FROM audit) AS audit, (SELECT count(DISTINCT wallet) FROM name) AS names`,
  missing: `SELECT DISTINCT record ->> '$.event.intent' AS id FROM event WHERE kind = 'payment'
    AND NOT EXISTS (SELECT 1 FROM payment WHERE payment.id = record ->> '$.event.intent') LIMIT ?`,
};

interface State {
  readonly db: DatabaseSync;
  readonly sql: Record<keyof typeof SQL, StatementSync>;
  /** Statements that both databases have in common, by their text. */
  readonly prepared: Map<string, StatementSync>;
}

/** The records beside the embedded store: `records.db` in its folder, held by this process alone. Rejects with `RecordsDown`. */
export async function openSqliteRecords(directory: string): Promise<Records> {
  const state = orDown(() => openState(directory));
  const { db } = state;
  const common = statementsOn(databaseOf(state));
  let hasErased = false;
  return {
    ...common,
    record: async (batch) => orDown(() => inTransaction(state, () => record(state, batch))),
    foldTallies: async (before) => orDown(() => inTransaction(state, () => fold(state, before))),
    forget: async (kind, before) => orDown(() => forget(state, kind, before)),
    erase(...whom) {
      hasErased = true;
      return common.erase(...whom);
    },
    inventory: async () => orDown(() => inventory(state)),
    isWell: async () => db.isOpen,
    close: async () => {
      if (!db.isOpen) return;
      if (hasErased) orDown(() => closeErased(db));
      else db.close();
    },
  };
}

function openState(directory: string): State {
  return openSqliteFile(directory, FILE, (db) => {
    // A turn leaves the store once it is in the records, so it must be on the disk first.
    db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    const made = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    for (const [i, migration] of MIGRATIONS.entries())
      if (i >= made) db.exec(`BEGIN IMMEDIATE; ${migration} PRAGMA user_version = ${i + 1}; COMMIT;`);
    const prepared = Object.entries(SQL).map(([name, text]) => [name, db.prepare(text)] as const);
    return { db, sql: Object.fromEntries(prepared) as State['sql'], prepared: new Map() };
  });
}

/** As the statements see it that both databases have in common. */
function databaseOf(state: State): Database {
  return {
    ask: async (text, ...values) => orDown(() => ask(state, { text, values })),
    inOne: async (steps) => orDown(() => inTransaction(state, () => done(state, steps))),
    lockOf: () => [],
    auditEnd: 'auditEnd',
    labels: 'json_each(closed.labels)',
    lock: '',
    firstOfCases: "kind = 'case'",
    ofCases: "(kind = 'case' OR id IN (SELECT event FROM eventRef WHERE ref = 'cases'))",
    eventsNamed: `${EVENT} JOIN eventRef ON eventRef.event = event.id WHERE ref = $1`,
    paymentsNamed: `SELECT payment.* FROM payment JOIN paymentName ON paymentName.payment = payment.id WHERE name = $1`,
  };
}

/** Runs statements that both databases understand. */
function done<Result>(state: State, steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    let rows: readonly Row[];
    try {
      rows = ask(state, step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(rows);
  }
  return step.value;
}

function ask({ db, prepared }: State, { text, values }: Query): Row[] {
  const statement = prepared.get(text) ?? db.prepare(text);
  prepared.set(text, statement);
  return statement.all(Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]))) as Row[];
}

function record(state: State, { events, payments, cursors: moved, ...more }: Batch): void {
  const { sql } = state;
  const fresh = events.filter((event) => addEvent(sql, event));
  const updates = fresh.flatMap(({ caseUpdates = [] }) => caseUpdates);
  done(state, applyCases(updates, '', more, isConstraint));
  const counted = [
    ...fresh.flatMap(({ tallies = [] }) => tallies),
    ...payments.flatMap((payment) => addPayment(sql, payment)),
  ];
  for (const { at, what, name, detail, channel, language, n, ms } of summed(counted))
    sql.addTally.run(at, what, name, detail, channel, language, n, ms);
  for (const { partition, to } of moved) sql.move.run(partition, positionOf(to));
}

/** Gives false where the event is there already. */
function addEvent(sql: State['sql'], event: EventRow): boolean {
  const { partition, id, at, address, wallet = null, kind, refs } = event;
  const row = [partition, positionOf(id), at, address, wallet, kind, event.record] as const;
  const { changes, lastInsertRowid } = sql.addEvent.run(...row);
  if (Number(changes) === 0) return false;
  for (const ref of refs) sql.addRef.run(ref, lastInsertRowid);
  return true;
}

/** Gives what it counts for now, and no more for what it was. */
function addPayment(sql: State['sql'], payment: PaymentRow): readonly Counted[] {
  const { id, wallet, sentAt, state, steps, names, document, lookAt } = payment;
  const [before] = paymentsIn(sql.payment.all(id));
  const row = [id, wallet, sentAt, state, steps, JSON.stringify(names), document, lookAt] as const;
  const { changes } = sql.addPayment.run(...row);
  for (const name of names) sql.addName.run(name, id);
  if (Number(changes) === 0) return [];
  return [...talliesOfPayment(payment), ...(before ? takenBack(talliesOfPayment(before)) : [])];
}

function fold({ sql }: State, before: number): void {
  sql.foldTallies.run(before);
  sql.forgetFolded.run(before);
}

const FORGETS = {
  events: 'forgetEvents',
  payments: 'forgetPayments',
  audit: 'forgetAudit',
  names: 'forgetNames',
} as const satisfies Readonly<Record<Kind, keyof typeof SQL>>;

function forget({ sql }: State, kind: Kind, before: number): number {
  // They name agents, as the audit does.
  if (kind === 'audit') sql.forgetCases.run(before, RETENTION_STEP_MS);
  if (kind === 'audit') sql.forgetCaseUpdates.run(before);
  return Number(sql[FORGETS[kind]].run(before, RETENTION_STEP_MS).changes);
}

function inventory({ db, sql }: State): Inventory {
  const [finding] = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {});
  if (finding !== 'ok') throw new RecordsDown(`${FILE} is damaged: ${String(finding)}`);
  return {
    migrations: {
      made: Number(db.prepare('PRAGMA user_version').get()?.user_version),
      known: MIGRATIONS.length,
    },
    count: sql.count.get() as unknown as Inventory['count'],
    missing: sql.missing.all(MISSING_MAX).map(({ id }) => String(id)),
    cursors: cursorsIn(sql.cursors.all()),
  };
}

/** Errors of the disk, or of a file that is held or damaged. A broken constraint is a bug. */
function orDown<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || isConstraint(error)) throw error;
    throw new RecordsDown(`SQLite: ${error.message}`, { cause: error });
  }
}

function isConstraint(error: unknown): boolean {
  return (Number((error as { errcode?: number }).errcode) & 0xff) === CONSTRAINT;
}
