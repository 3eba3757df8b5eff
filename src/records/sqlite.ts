import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { closeErased, inTransaction, openSqliteFile } from '../store/sqlite-file.ts';
import type { Query, Row, Steps, Value } from '../store/steps.ts';
import { type Records, RecordsDown } from './records.ts';
import { MIGRATIONS } from './sqlite-schema.ts';
import { type Database, EVENT, recordsOn } from './statements.ts';
import { FOLDED_ROWS, foldInto } from './tally-query.ts';

const FILE = 'records.db';
/** SQLite's primary result code of a constraint that does not hold. */
const CONSTRAINT = 19;
const SQL = { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', rollback: 'ROLLBACK' };

interface State {
  readonly db: DatabaseSync;
  readonly sql: Record<keyof typeof SQL, StatementSync>;
  readonly prepared: Map<string, StatementSync>;
}

/** The records beside the embedded store: `records.db` in its folder, held by this process alone. Rejects with `RecordsDown`. */
export async function openSqliteRecords(directory: string): Promise<Records> {
  const state = orDown(() => openState(directory));
  const { db } = state;
  const records = recordsOn(databaseOf(state));
  let hasErased = false;
  return {
    ...records,
    erase(...whom) {
      hasErased = true;
      return records.erase(...whom);
    },
    async inventory() {
      const [finding] = Object.values(orDown(() => db.prepare('PRAGMA integrity_check(1)').get()) ?? {});
      if (finding !== 'ok') throw new RecordsDown(`${FILE} is damaged: ${String(finding)}`);
      return records.inventory();
    },
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
    isBug: isConstraint,
    lockOf: () => [],
    longWrite: [],
    auditEnd: 'auditEnd',
    labels: 'json_each(closed.labels)',
    lock: '',
    rows: (columns) => `(SELECT ${Object.keys(columns).map((name, i) => `$${i + 1} AS "${name}"`)}) AS row`,
    listed: eachOf,
    refs: ['', ''],
    nameEvents: (rows) => `INSERT OR IGNORE INTO eventRef (ref, event) SELECT value, event.id FROM ${rows}
      JOIN event USING (partition, position, at) JOIN json_each(row.refs)`,
    namePayments: (rows) =>
      `INSERT OR IGNORE INTO paymentName (name, payment) SELECT value, row.id FROM ${rows} JOIN json_each(row.names)`,
    fold: [foldInto('tally'), `DELETE FROM tally ${FOLDED_ROWS}`],
    intentIn: "record ->> '$.event.intent'",
    migrations: { made: '(SELECT user_version FROM pragma_user_version)', known: MIGRATIONS.length },
    firstOfCases: "kind = 'case'",
    ofCases: "(kind = 'case' OR id IN (SELECT event FROM eventRef WHERE ref = 'cases'))",
    eventsNamed: `${EVENT} JOIN eventRef ON eventRef.event = event.id WHERE ref = $1`,
    paymentsNamed: `SELECT payment.* FROM payment JOIN paymentName ON paymentName.payment = payment.id WHERE name = $1`,
  };
}

/** One row after the other, which is faster here than a list. */
function* eachOf(...[text, columns, rows]: Parameters<Database['listed']>): Steps<readonly Row[]> {
  const found: Row[] = [];
  const names = Object.keys(columns);
  for (const row of rows as readonly Row[])
    found.push(...(yield { text, values: names.map((name) => bound(row[name])) }));
  return found;
}

function bound(value: unknown): Value {
  return Array.isArray(value) ? JSON.stringify(value) : ((value as Value | undefined) ?? null);
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
  if (!prepared.has(text)) statement.setAllowUnknownNamedParameters(true);
  prepared.set(text, statement);
  return statement.all(Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]))) as Row[];
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
