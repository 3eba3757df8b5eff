import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { applyNews } from '../conversation/cases/apply.ts';
import { CASE_DEFAULTS } from '../conversation/cases/changes.ts';
import { closeErased, inTransaction, openSqliteFile } from '../store/sqlite-file.ts';
import type { Partition } from '../store/store.ts';
import { idAt, positionOf } from '../store/turn-id.ts';
import { auditQuestion, auditRowOf } from './audit-query.ts';
import { allFigures, dayFigures, FORGET_CASES, FORGET_NEWS, reportsBy } from './case-figures.ts';
import { caseTx, eraseCases } from './case-rows.ts';
import { isNewName, nameOf, namesQuestion, type Word } from './name-query.ts';
import { pseudonymous } from './pseudonym.ts';
import {
  type AgentTally,
  type AuditEnd,
  type AuditQuery,
  type AuditRow,
  type Batch,
  type CaseRecords,
  type Cursor,
  type DayTally,
  type Erased,
  type EventRow,
  type FoundAudit,
  type Inventory,
  type KeptEvent,
  type Kind,
  type NameRow,
  type PaymentRow,
  RETENTION_STEP_MS,
  type Records,
  RecordsDown,
  type Report,
  type Tally,
  type Whose,
} from './records.ts';
import { changeSettings, settingsOf } from './settings.ts';
import { MIGRATIONS } from './sqlite-schema.ts';
import type { Row, Steps } from './steps.ts';
import { type Counted, FOLDED, summed, takenBack, talliesOfPayment } from './tallies.ts';
import { AGENT_TALLIES, FOLDED_DAY } from './tally-query.ts';

const FILE = 'records.db';
const MISSING_MAX = 10;
/** SQLite's primary result code of a constraint that does not hold. */
const CONSTRAINT = 19;
/** Positions are greater than JavaScript's safe integers: they go in as bigint and come out as text. */
const EVENT = 'SELECT event.partition, CAST(position AS TEXT) AS position, at, record FROM event';
/** The labels of a case, each as a `value`. */
const LABELS = 'json_each(closed.labels)';

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
  tallies: numbered(allFigures(LABELS)),
  tallyDays: numbered(dayFigures(LABELS, 'name IN (SELECT value FROM json_each($3))')),
  reportsAgent: numbered(reportsBy('agent')),
  reportsTeam: numbered(reportsBy('team')),
  agentTallies: AGENT_TALLIES.replace('$1', '?').replace('$2', '?'),
  foldTallies: `INSERT INTO tally (at, shard, what, name, detail, channel, language, n, ms)
    SELECT ${FOLDED_DAY}, ${FOLDED}, what, name, detail, channel, language, sum(n), sum(ms) FROM tally
    WHERE at < ? AND shard <> ${FOLDED} GROUP BY 1, what, name, detail, channel, language
    ON CONFLICT DO UPDATE SET n = n + excluded.n, ms = ms + excluded.ms`,
  forgetFolded: `DELETE FROM tally WHERE at < ? AND shard <> ${FOLDED}`,
  addName: 'INSERT OR IGNORE INTO paymentName (name, payment) VALUES (?, ?)',
  move: 'INSERT OR REPLACE INTO cursor (partition, position) VALUES (?, ?)',
  cursors: 'SELECT partition, CAST(position AS TEXT) AS position FROM cursor',
  turns: `${EVENT} WHERE partition = ? AND position < ? ORDER BY event.position DESC LIMIT ?`,
  ofAddress: `${EVENT} WHERE address = ? AND at < ? ORDER BY at DESC, event.position DESC LIMIT ?`,
  ofWallet: `${EVENT} WHERE wallet = ? AND at < ? ORDER BY at DESC, event.position DESC LIMIT ?`,
  naming: `${EVENT} JOIN eventRef ON eventRef.event = event.id WHERE ref = ? ORDER BY at DESC, event.position DESC LIMIT ?`,
  payment: 'SELECT * FROM payment WHERE id = ?',
  paymentsNamed: `SELECT payment.* FROM payment JOIN paymentName ON paymentName.payment = payment.id WHERE name = ?
    ORDER BY sentAt DESC LIMIT ?`,
  paymentsOf: 'SELECT * FROM payment WHERE wallet = ? AND sentAt < ? ORDER BY sentAt DESC LIMIT ?',
  toLookAt: 'SELECT * FROM payment WHERE lookAt <= ? ORDER BY lookAt LIMIT ?',
  livePayments: `SELECT * FROM payment WHERE lookAt >= ?1 AND (lookAt, id) > (?1, ?2) ORDER BY lookAt, id LIMIT ?3`,
  setLook: 'UPDATE payment SET lookAt = ? WHERE id = ? AND steps = ?',
  auditedTo: 'SELECT coalesce(max(n), 0) AS n FROM audit WHERE n <= ?',
  auditKnown: 'SELECT origin, n FROM audit WHERE origin IN (SELECT value FROM json_each(?))',
  addAudit: `INSERT INTO audit (n, at, who, act, "on", about, "of", "end", origin, link)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  lastAudit: 'SELECT link FROM audit ORDER BY n DESC LIMIT 1',
  auditEnd: 'SELECT n, sealed FROM auditEnd',
  endAudit: `INSERT INTO auditEnd (one, n, sealed) VALUES (1, ?, ?)
    ON CONFLICT (one) DO UPDATE SET n = excluded.n, sealed = excluded.sealed`,
  auditRange:
    'SELECT n, at, who, act, "on", about, "of", "end", origin, link FROM audit WHERE n BETWEEN ? AND ? ORDER BY n',
  forgetEvents: 'DELETE FROM event WHERE at < ?1 AND at < (SELECT min(at) FROM event) + ?2',
  forgetPayments: 'DELETE FROM payment WHERE sentAt < ?1 AND sentAt < (SELECT min(sentAt) FROM payment) + ?2',
  forgetAudit: 'DELETE FROM audit WHERE at < ?1 AND at < (SELECT min(at) FROM audit) + ?2',
  forgetCases: numbered(FORGET_CASES),
  forgetNews: FORGET_NEWS.replace('$1', '?'),
  caseEvents: `SELECT at, record FROM event WHERE at >= ?1 AND at < ?2 AND (kind = 'case' OR id IN
    (SELECT event FROM eventRef WHERE ref = 'cases')) ORDER BY at, position`,
  firstEventAt: 'SELECT min(at) AS at FROM event',
  forgetNames: 'DELETE FROM name WHERE at < ?1 AND at < (SELECT min(at) FROM name) + ?2',
  name: 'SELECT word, at FROM name WHERE wallet = ?',
  eraseName: 'DELETE FROM name WHERE wallet = ?',
  addWord: 'INSERT INTO name (wallet, word, at) VALUES (?, ?, ?)',
  eraseOf: 'DELETE FROM event WHERE wallet = ?',
  eraseAt: 'DELETE FROM event WHERE wallet IS NULL AND address = ?',
  hide: 'UPDATE payment SET wallet = ?, document = ? WHERE id = ?',
  count: `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM payment) AS payments,
    (SELECT count(*) FROM audit) AS audit, (SELECT count(DISTINCT wallet) FROM name) AS names`,
  missing: `SELECT DISTINCT record ->> '$.event.intent' AS id FROM event WHERE kind = 'payment'
    AND NOT EXISTS (SELECT 1 FROM payment WHERE payment.id = record ->> '$.event.intent') LIMIT ?`,
};

interface State {
  readonly db: DatabaseSync;
  readonly sql: Record<keyof typeof SQL, StatementSync>;
}

/** The records beside the embedded store: `records.db` in its folder, held by this process alone. Rejects with `RecordsDown`. */
export async function openSqliteRecords(directory: string): Promise<Records> {
  const state = orDown(() => openState(directory));
  const { db, sql } = state;
  let hasErased = false;
  const events = (which: StatementSync, ...values: (string | number)[]) =>
    orDown(() => eventsIn(which.all(...values)));
  return {
    cursors: async (partitions) =>
      orDown(() => cursors(state).filter(({ partition }) => partitions.includes(partition))),
    record: async (batch) => orDown(() => inTransaction(state, () => record(state, batch))),
    turns: async (partition, limit, before) => orDown(() => turns(state, partition, limit, before)),
    turnsOf: async (whose, limit, before) => turnsOf(events, state, whose, limit, before),
    turnsNaming: async (ref, limit) => events(sql.naming, ref, limit),
    payment: async (id) => orDown(() => paymentsIn([sql.payment.get(id)])[0]),
    paymentsNamed: async (name, limit) =>
      orDown(() => paymentsIn(sql.paymentsNamed.all(name.toLowerCase(), limit))),
    paymentsOf: async (wallet, limit, before = Number.MAX_SAFE_INTEGER) =>
      orDown(() => paymentsIn(sql.paymentsOf.all(wallet, before, limit))),
    livePayments: async (...asked) => orDown(() => paymentsIn(sql.livePayments.all(...asked))),
    paymentsToLookAt: async (now, limit) => orDown(() => paymentsIn(sql.toLookAt.all(now, limit))),
    setLook: async ({ id, steps, lookAt }) => orDown(() => void sql.setLook.run(lookAt, id, steps)),
    tallies: async (from, to) => orDown(() => sql.tallies.all(from, to) as unknown as Tally[]),
    tallyDays: async (from, to, without) =>
      orDown(() => sql.tallyDays.all(from, to, JSON.stringify(without)) as unknown as DayTally[]),
    agentTallies: async (from, to) => orDown(() => sql.agentTallies.all(from, to) as unknown as AgentTally[]),
    reports: async (by, from, to) =>
      orDown(
        () => (by === 'agent' ? sql.reportsAgent : sql.reportsTeam).all(from, to) as unknown as Report[],
      ),
    foldTallies: async (before) => orDown(() => inTransaction(state, () => fold(state, before))),
    setName: async (name) => orDown(() => inTransaction(state, () => setName(state, name))),
    walletsNamed: async (words, limit) => orDown(() => walletsNamed(state, words, limit)),
    nameOf: async (wallet) => orDown(() => nameOf(wordsOf(state, wallet))),
    audit: auditOf(state),
    settings: {
      of: async (kind) => orDown(() => done(state, settingsOf(kind))),
      change: async (...change) =>
        orDown(() => inTransaction(state, () => done(state, changeSettings(...change)))),
    },
    cases: casesOf(state),
    forget: async (kind, before) => orDown(() => forget(state, kind, before)),
    erase: async (...whom) => {
      hasErased = true;
      return orDown(() => inTransaction(state, () => erase(state, ...whom)));
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
    return { db, sql: Object.fromEntries(prepared) as State['sql'] };
  });
}

/** Runs statements that both databases understand. */
function done<Result>({ db }: State, steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    const { text, values } = step.value;
    const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
    step = steps.next(db.prepare(text).all(named) as Row[]);
  }
  return step.value;
}

function record(state: State, { events, payments, cursors: moved, settings = CASE_DEFAULTS }: Batch): void {
  const { sql } = state;
  const news = events.filter((event) => addEvent(sql, event));
  for (const each of news.flatMap(({ news: told = [] }) => told))
    done(state, applyNews(caseTx(), settings, each));
  const counted = [
    ...news.flatMap(({ tallies = [] }) => tallies),
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

function casesOf(state: State): CaseRecords {
  const { sql } = state;
  return {
    events: async (from, to) =>
      orDown(() => sql.caseEvents.all(from, to) as unknown as Pick<KeptEvent, 'at' | 'record'>[]),
    firstEventAt: async () => orDown(() => (sql.firstEventAt.get() as { at: number | null }).at ?? undefined),
    read: async (work) => orDown(() => done(state, work(caseTx()))),
    write: async (work) => orDown(() => inTransaction(state, () => done(state, work(caseTx())))),
  };
}

/** Gives what it counts for now, and no more for what it was. */
function addPayment(sql: State['sql'], payment: PaymentRow): readonly Counted[] {
  const { id, wallet, sentAt, state, steps, names, document, lookAt } = payment;
  const [before] = paymentsIn([sql.payment.get(id)]);
  const { changes } = sql.addPayment.run(
    id,
    wallet,
    sentAt,
    state,
    steps,
    JSON.stringify(names),
    document,
    lookAt,
  );
  for (const name of names) sql.addName.run(name, id);
  if (Number(changes) === 0) return [];
  return [...talliesOfPayment(payment), ...(before ? takenBack(talliesOfPayment(before)) : [])];
}

function fold({ sql }: State, before: number): void {
  sql.foldTallies.run(before);
  sql.forgetFolded.run(before);
}

function cursors({ sql }: State): Cursor[] {
  const rows = sql.cursors.all() as { partition: number; position: string }[];
  return rows.map(({ partition, position }) => ({ partition, to: idAt(BigInt(position)) }));
}

/** Greater than every position. */
const LAST = 2n ** 63n - 1n;

function turns({ sql }: State, partition: Partition, limit: number, before?: string): KeptEvent[] {
  return eventsIn(sql.turns.all(partition, before === undefined ? LAST : positionOf(before), limit));
}

function turnsOf(
  events: (which: StatementSync, ...values: (string | number)[]) => KeptEvent[],
  { sql }: State,
  whose: Whose,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): KeptEvent[] {
  return 'wallet' in whose
    ? events(sql.ofWallet, whose.wallet, before, limit)
    : events(sql.ofAddress, whose.address, before, limit);
}

function eventsIn(rows: readonly unknown[]): KeptEvent[] {
  return (rows as { partition: number; position: string; at: number; record: string }[]).map(
    ({ position, ...row }) => ({ ...row, id: idAt(BigInt(position)) }),
  );
}

function paymentsIn(rows: readonly unknown[]): PaymentRow[] {
  return rows.flatMap((row) => {
    if (row === undefined) return [];
    const { names, ...payment } = row as Omit<PaymentRow, 'names'> & { names: string };
    const read: unknown = JSON.parse(names);
    return [{ ...payment, names: Array.isArray(read) ? read.map(String) : [] }];
  });
}

function wordsOf({ sql }: State, wallet: string): readonly Word[] {
  return sql.name.all(wallet) as unknown as Word[];
}

function setName(state: State, name: NameRow): void {
  const { sql } = state;
  if (!isNewName(name, wordsOf(state, name.wallet))) return;
  sql.eraseName.run(name.wallet);
  for (const word of new Set(name.words)) sql.addWord.run(name.wallet, word, name.at);
}

function walletsNamed({ db }: State, words: readonly (readonly string[])[], limit: number): string[] {
  const { text, values } = namesQuestion(words, limit);
  const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
  return db
    .prepare(text)
    .all(named)
    .map(({ wallet }) => String(wallet));
}

function auditOf(state: State): Records['audit'] {
  const { sql } = state;
  return {
    lastNumber: async (upTo = 2 ** 31 - 1) => orDown(() => Number(sql.auditedTo.get(upTo)?.n)),
    known: async (origins) =>
      orDown(() =>
        sql.auditKnown
          .all(JSON.stringify(origins))
          .map(({ origin, n }) => [String(origin), Number(n)] as const),
      ),
    add: async (...added) => orDown(() => inTransaction(state, () => addAudit(state, ...added))),
    end: async () =>
      orDown(() => {
        const { n, sealed } = sql.auditEnd.get() ?? {};
        return sealed === undefined ? undefined : { n: Number(n), sealed: String(sealed) };
      }),
    page: async (query, limit) => orDown(() => auditPage(state, query, limit)),
    range: async (from, to) => orDown(() => sql.auditRange.all(from, to).map(auditRowOf)),
  };
}

function addAudit(
  { sql }: State,
  rows: readonly AuditRow[],
  behind: string | undefined,
  ending?: AuditEnd,
): boolean {
  if (sql.lastAudit.get()?.link !== behind) return false;
  for (const { n, at, who, act, on = null, about = null, of = null, end = null, origin = null, link } of rows)
    sql.addAudit.run(n, at, who, act, on, about, of, end, origin, link);
  if (ending) sql.endAudit.run(ending.n, ending.sealed);
  return true;
}

function auditPage({ db }: State, query: AuditQuery, limit: number): FoundAudit[] {
  const { text, values } = auditQuestion(query, limit, {
    oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
    list: (names) => JSON.stringify(names),
  });
  const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
  const rows = db.prepare(text).all(named) as unknown as (Omit<FoundAudit, 'closing'> & {
    closing: string | null;
  })[];
  return rows.map(({ closing, ...row }) => ({ ...row, ...(closing !== null && { closing }) }));
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
  if (kind === 'audit') sql.forgetNews.run(before);
  return Number(sql[FORGETS[kind]].run(before, RETENTION_STEP_MS).changes);
}

function erase(state: State, wallet: string, addresses: readonly string[], pseudonym: string): Erased {
  const { sql } = state;
  done(state, eraseCases(wallet, addresses));
  const gone = [sql.eraseOf.run(wallet), ...addresses.map((address) => sql.eraseAt.run(address))];
  sql.eraseName.run(wallet);
  const theirs = paymentsIn(sql.paymentsOf.all(wallet, Number.MAX_SAFE_INTEGER, -1));
  for (const { id, document } of theirs)
    sql.hide.run(pseudonym, pseudonymous(document, wallet, addresses, pseudonym), id);
  return { events: gone.reduce((sum, { changes }) => sum + Number(changes), 0), payments: theirs.length };
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
    cursors: cursors({ db, sql }),
  };
}

/** Errors of the disk, or of a file that is held or damaged. A broken constraint is a bug. */
function orDown<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || (Number(error.errcode) & 0xff) === CONSTRAINT)
      throw error;
    throw new RecordsDown(`SQLite: ${error.message}`, { cause: error });
  }
}
