import { CASE_KINDS, type CaseKind } from '../conversation/cases/case.ts';
import type { CaseTx } from '../conversation/cases/table.ts';
import type { Query, Row, Steps, Value } from '../store/steps.ts';
import type { Partition } from '../store/store.ts';
import { idAt, positionOf } from '../store/turn-id.ts';
import { auditQuestion, auditRowOf } from './audit-query.ts';
import { recordBatch } from './batch.ts';
import {
  dayFigures,
  FORGET_CASE_UPDATES,
  FORGET_CASES,
  LEVELS,
  labelFigures,
  reportsBy,
} from './case-figures.ts';
import { caseTx, eraseCases } from './case-rows.ts';
import { isNewName, nameOf, namesQuestion, type Word } from './name-query.ts';
import { PAYMENT, paymentsIn } from './payment-row.ts';
import { pseudonymous } from './pseudonym.ts';
import {
  type AgentTally,
  type AuditEnd,
  type AuditQuery,
  type AuditRow,
  type Batch,
  type DayTally,
  type Erased,
  type FoundAudit,
  type Inventory,
  type KeptEvent,
  type Kind,
  type NameRow,
  type PaymentRow,
  RETENTION_STEP_MS,
  type Report,
  type ServiceLevel,
  type Slice,
  type Tally,
  type Whose,
} from './records.ts';
import { settingsOn } from './settings.ts';
import { AGENT_TALLIES, TALLIES } from './tally-query.ts';

/** The columns of a list, and their types in PostgreSQL. */
type Columns = Readonly<Record<string, string>>;

/** A database, as the statements that both have in common see it. Its methods reject with `RecordsDown`. */
export interface Database {
  /** Reads, or writes one statement. */
  ask(text: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** Does all of it, or nothing. */
  inOne<Result>(steps: Steps<Result>): Promise<Result>;
  /** True for an error that a statement or its values have caused: it comes again. */
  isBug(error: unknown): boolean;
  /** Makes transactions that change the same come one after the other. None where they do so anyway. */
  lockOf(what: string): readonly Query[];
  /** Begins a transaction that may take its time. */
  readonly longWrite: readonly Query[];
  /** The table that says where the audit ends. */
  readonly auditEnd: string;
  /** The labels of a case, each as a `value`. */
  readonly labels: string;
  /** Added to a query, it locks the rows until the end of the transaction. */
  readonly lock: string;
  /** The rows of `listed` as a table `row`, in a statement. */
  rows(columns: Columns): string;
  /** Runs a statement over a list of rows. */
  listed(text: string, columns: Columns, rows: readonly object[]): Steps<readonly Row[]>;
  /** The names of an event in a column of its own, and its value. Empty: `nameEvents` writes them. */
  readonly refs: readonly [column: string, value: string];
  readonly nameEvents?: (rows: string) => string;
  readonly namePayments?: (rows: string) => string;
  /** Put figures of hours before `$1` together. */
  readonly fold: readonly string[];
  /** The payment that the record of an event names. */
  readonly intentIn: string;
  /** The statement's part that says how many were made, and how many this release knows. */
  readonly migrations: { readonly made: string; readonly known: number };
  /** True for an event that is about cases, and for the earliest one of these. */
  readonly ofCases: string;
  readonly firstOfCases: string;
  /** Events, and payments, that are called `$1`. */
  readonly eventsNamed: string;
  readonly paymentsNamed: string;
}

/** Positions are greater than JavaScript's safe integers, so they go in and come out as text. */
export const EVENT = 'SELECT event.partition, CAST(position AS text) AS position, at, record FROM event';
/** Greater than every position. */
const LAST = `${2n ** 63n - 1n}`;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MISSING_MAX = 10;

/** The part of `Records` that both databases do by the same statements. */
export function recordsOn(db: Database) {
  return {
    /** Writes a batch, on the disk before it resolves. Writing one again, or parts of it, changes nothing. */
    record: (batch: Batch) => db.inOne(recordBatch(db, batch)),
    ...turnsOn(db),
    ...paymentsOn(db),
    ...figuresOn(db),
    ...namesOn(db),
    audit: auditOn(db),
    settings: settingsOn(db),
    /** The cases that people handle, and the events that name them. */
    cases: casesOn(db),
    /**
     * Forgets the oldest rows of a kind (closed cases with the audit) from before a moment. It takes a part of them at a time (`RETENTION_STEP_MS`),
     * so that a clock that is far off costs little. Gives the number of rows that went, or 0 if there is nothing left to forget.
     */
    forget: (kind: Kind, before: number) => forget(db, kind, before),
    /** Erases the events of a customer and the words of their name, and hides who has made their payments. @param pseudonym what stands for the wallet */
    erase: (wallet: string, addresses: readonly string[], pseudonym: string) =>
      db.inOne(erase(wallet, addresses, pseudonym)),
    /** Looks whether everything is there. */
    inventory: () => db.inOne(inventory(db)),
  };
}

function turnsOn(db: Database) {
  const events = async (text: string, ...values: readonly Value[]) => eventsIn(await db.ask(text, ...values));
  return {
    /** How far the streams of partitions are recorded. A partition without a recorded turn is left out. */
    async cursors(partitions: readonly Partition[]) {
      if (partitions.length === 0) return [];
      return cursorsIn(
        await db.ask(`${CURSORS} WHERE partition IN ${listFrom(1, partitions)}`, ...partitions),
      );
    },
    /** The newest events of a partition, newest first. With `before`: those that are older than that id. */
    turns: (partition: Partition, limit: number, before?: string) =>
      events(
        `${EVENT} WHERE partition = $1 AND position < CAST($2 AS bigint) ORDER BY event.position DESC LIMIT $3`,
        ...[partition, before === undefined ? LAST : `${positionOf(before)}`, limit],
      ),
    /** The newest events of a customer, newest first. @param before when those that are asked for happened, in ms since 1970 */
    turnsOf(whose: Whose, limit: number, before = Number.MAX_SAFE_INTEGER) {
      const [column, value] = 'wallet' in whose ? ['wallet', whose.wallet] : ['address', whose.address];
      const which = `${column} = $1 AND at < $2 ORDER BY at DESC, event.position DESC LIMIT $3`;
      return events(`${EVENT} WHERE ${which}`, value, before, limit);
    },
    /** The newest events that name something: a payment, or one of our ids of a call. */
    turnsNaming: (ref: string, limit: number) =>
      events(`${db.eventsNamed} ORDER BY at DESC, event.position DESC LIMIT $2`, ref, limit),
  };
}

function paymentsOn(db: Database) {
  const payments = async (which: string, ...values: readonly Value[]) =>
    paymentsIn(await db.ask(`${PAYMENT} WHERE ${which}`, ...values));
  return {
    /** A payment by its id, or undefined. */
    payment: async (id: string): Promise<PaymentRow | undefined> =>
      UUID.test(id) ? (await payments('id = $1', id))[0] : undefined,
    /** The payments that are called so, newest first: by the first eight characters of an id, an operation's id, a bill's reference. */
    paymentsNamed: async (name: string, limit: number) =>
      paymentsIn(
        await db.ask(`${db.paymentsNamed} ORDER BY "sentAt" DESC LIMIT $2`, name.toLowerCase(), limit),
      ),
    /** The payments of a wallet, newest first. @param before when those that are asked for were sent, in ms since 1970 */
    paymentsOf: (wallet: string, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      payments('wallet = $1 AND "sentAt" < $2 ORDER BY "sentAt" DESC LIMIT $3', wallet, before, limit),
    /** Payments that have not left the live store, in the order in which they are to be looked at, behind a moment and an id. */
    livePayments: (from: number, after: string, limit: number) =>
      payments(
        '"lookAt" >= $1 AND ("lookAt", id) > ($1, $2) ORDER BY "lookAt", id LIMIT $3',
        ...[from, after, limit],
      ),
    /** Payments to be looked at by now, the longest waiting first. */
    paymentsToLookAt: (now: number, limit: number) =>
      payments('"lookAt" <= $1 ORDER BY "lookAt" LIMIT $2', now, limit),
    /** Writes when a payment is to be looked at next, unless it has taken a step since. */
    async setLook({ id, steps, lookAt }: Pick<PaymentRow, 'id' | 'steps' | 'lookAt'>): Promise<void> {
      await db.ask('UPDATE payment SET "lookAt" = $3 WHERE id = $1 AND steps = $2', id, steps, lookAt);
    },
  };
}

/** Of times in ms since 1970, whose end is not included. */
function figuresOn(db: Database) {
  return {
    /** Figures of whole hours: counts that grow with the events and payments they count. */
    tallies: async (from: number, to: number) => (await db.ask(TALLIES, from, to)).map(numbered<Tally>),
    /**
     * The conversations begun, payments made and cases closed on each day (24 hours, the first from `from` on).
     * @param without conversations and kinds that do not count
     */
    async tallyDays(from: number, to: number, without: readonly string[]) {
      const isOneOf = without.length > 0 ? `name IN ${listFrom(5, without)}` : 'FALSE';
      return (await db.ask(dayFigures(isOneOf), from, to, '', '', ...without)).map(numbered<DayTally>);
    },
    agentTallies: async (from: number, to: number) =>
      (await db.ask(AGENT_TALLIES, from, to)).map(numbered<AgentTally>),
    /** The work of agents or teams, or on a kind of case: the busiest first. */
    reports: async (
      by: 'agent' | 'team' | 'kind',
      from: number,
      to: number,
      { channel = '', language = '' }: Slice = {},
    ) => (await db.ask(reportsBy(by), from, to, channel, language)).map(numbered<Report>),
    /** How many cases with a label were closed, by its id: the most frequent one first. */
    labels: async (from: number, to: number, { channel = '', language = '' }: Slice = {}) =>
      (await db.ask(labelFigures(db.labels), from, to, channel, language)).map(
        numbered<{ readonly label: string; readonly n: number }>,
      ),
    /** Service levels by the kind of case. @param targets in ms */
    levels: async (from: number, to: number, targets: Readonly<Record<CaseKind, number>>) =>
      (await db.ask(LEVELS, from, to, ...CASE_KINDS.map((kind) => targets[kind]))).map(
        numbered<ServiceLevel>,
      ),
    /** Puts the hours of each day together that are from before a moment: a year is as quick to read as a week. */
    foldTallies: (before: number) => db.inOne(foldTallies(db, before)),
  };
}

function namesOn(db: Database) {
  return {
    /**
     * Replaces the digests of a customer's name. If two come at once, the later one stays. The same name is written again
     * after `NAME_AGAIN_MS`.
     */
    setName: (name: NameRow) => db.inOne(setName(db, name)),
    /**
     * Wallets whose name has all of these words, the one that was told last first. Each word is given as its digests under
     * every key.
     */
    async walletsNamed(words: readonly (readonly string[])[], limit: number): Promise<string[]> {
      const { text, values } = namesQuestion(words, limit);
      return (await db.ask(text, ...values)).map(({ wallet }) => String(wallet));
    },
    /** The number of words of a customer's name, and since when. Undefined: there are none. */
    nameOf: async (wallet: string) => nameOf(wordsIn(await db.ask(WORDS, wallet))),
  };
}

function casesOn(db: Database) {
  return {
    /**
     * Events about cases in a time (ms since 1970, `to` not included), the earliest first. The release before this one has recorded
     * closed cases so, and it cannot apply updates.
     */
    async events(from: number, to: number): Promise<readonly Pick<KeptEvent, 'at' | 'record'>[]> {
      return eventsIn(
        await db.ask(
          `${EVENT} WHERE at >= $1 AND at < $2 AND ${db.ofCases} ORDER BY at, event.position`,
          from,
          to,
        ),
      );
    },
    /** The moment of the earliest one, in ms since 1970. Undefined: there is none. */
    async firstEventAt(): Promise<number | undefined> {
      const [first] = await db.ask(`SELECT at FROM event WHERE ${db.firstOfCases} ORDER BY at LIMIT 1`);
      return first && Number(first.at);
    },
    read: <T>(work: (tx: CaseTx) => Steps<T>) => asked(db, work(caseTx())),
    write: <T>(work: (tx: CaseTx) => Steps<T>) => db.inOne(work(caseTx(db.lock))),
  };
}

/** Only reads: each statement is by itself. */
async function asked<Result>(db: Database, steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await db.ask(step.value.text, ...step.value.values));
  return step.value;
}

const AUDIT = 'n, at, who, act, "on", about, "of", "end", origin, link';

function auditOn(db: Database) {
  return {
    /** The number of the last entry, or 0. @param upTo of those up to this number */
    async lastNumber(upTo = 2 ** 31 - 1) {
      return Number((await db.ask('SELECT coalesce(max(n), 0) AS n FROM audit WHERE n <= $1', upTo))[0]?.n);
    },
    /** The entries that have one of these names (`origin`), and their numbers. */
    async known(origins: readonly string[]) {
      if (origins.length === 0) return [];
      const text = `SELECT origin, n FROM audit WHERE origin IN ${listFrom(1, origins)}`;
      return (await db.ask(text, ...origins)).map(({ origin, n }) => [String(origin), Number(n)] as const);
    },
    /**
     * Adds entries behind the last one that is here, all or none. Gives false if another entry than was read is the last by
     * now.
     * @param behind the text of that entry, or undefined for none
     * @param end says which entry is the last one then, for `end`
     */
    add: (rows: readonly AuditRow[], behind: string | undefined, end?: AuditEnd) =>
      db.inOne(addAudit(db, rows, behind, end)),
    /** The note about the last entry, whether or not that entry is still here. */
    async end(): Promise<AuditEnd | undefined> {
      const [row] = await db.ask(`SELECT n, sealed FROM ${db.auditEnd}`);
      return row && { n: Number(row.n), sealed: String(row.sealed) };
    },
    /** Acts, newest first. The end of an act comes with it, and is no row of its own. */
    async page(query: AuditQuery, limit: number): Promise<FoundAudit[]> {
      const { text, values } = auditQuestion(query, limit);
      return (await db.ask(text, ...values)).map(auditRowOf<FoundAudit>);
    },
    /** All entries from one number to another, both included: the earliest first. */
    async range(from: number, to: number): Promise<AuditRow[]> {
      const text = `SELECT ${AUDIT} FROM audit WHERE n BETWEEN $1 AND $2 ORDER BY n`;
      return (await db.ask(text, from, to)).map(auditRowOf<AuditRow>);
    },
  };
}

function* addAudit(
  db: Database,
  rows: readonly AuditRow[],
  behind: string | undefined,
  ending?: AuditEnd,
): Steps<boolean> {
  yield* db.lockOf('audit');
  const [last] = yield { text: 'SELECT link FROM audit ORDER BY n DESC LIMIT 1', values: [] };
  if (last?.link !== behind) return false;
  const text = `INSERT INTO audit (${AUDIT}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
  for (const { n, at, who, act, on = null, about = null, of = null, end = null, origin = null, link } of rows)
    yield { text, values: [n, at, who, act, on, about, of, end, origin, link] };
  if (ending)
    yield {
      text: `INSERT INTO ${db.auditEnd} (one, n, sealed) VALUES (1, $1, $2)
        ON CONFLICT (one) DO UPDATE SET n = excluded.n, sealed = excluded.sealed`,
      values: [ending.n, ending.sealed],
    };
  return true;
}

function* foldTallies({ longWrite, fold }: Database, before: number): Steps<void> {
  yield* longWrite;
  for (const text of fold) yield { text, values: [before] };
}

const WORDS = 'SELECT word, at FROM name WHERE wallet = $1';

function* setName(db: Database, name: NameRow): Steps<void> {
  const { wallet, words, at } = name;
  yield* db.lockOf(wallet);
  if (!isNewName(name, wordsIn(yield { text: WORDS, values: [wallet] }))) return;
  yield { text: 'DELETE FROM name WHERE wallet = $1', values: [wallet] };
  for (const word of new Set(words))
    yield { text: 'INSERT INTO name (wallet, word, at) VALUES ($1, $2, $3)', values: [wallet, word, at] };
}

const MOMENTS = {
  ...{ events: ['event', 'at'], payments: ['payment', '"sentAt"'] },
  ...{ audit: ['audit', 'at'], names: ['name', 'at'] },
} as const;

async function forget(db: Database, kind: Kind, before: number): Promise<number> {
  // They name agents, as the audit does.
  if (kind === 'audit') await db.ask(FORGET_CASES, before, RETENTION_STEP_MS);
  if (kind === 'audit') await db.ask(FORGET_CASE_UPDATES, before);
  const [table, at] = MOMENTS[kind];
  const oldest = `${at} < $1 AND ${at} < (SELECT min(${at}) FROM ${table}) + $2`;
  return (await db.ask(`DELETE FROM ${table} WHERE ${oldest} RETURNING 1`, before, RETENTION_STEP_MS)).length;
}

function* erase(wallet: string, addresses: readonly string[], pseudonym: string): Steps<Erased> {
  const theirs = addresses.length > 0 ? `OR (wallet IS NULL AND address IN ${listFrom(2, addresses)})` : '';
  const text = `DELETE FROM event WHERE wallet = $1 ${theirs} RETURNING 1`;
  const gone = yield { text, values: [wallet, ...addresses] };
  yield { text: 'DELETE FROM name WHERE wallet = $1', values: [wallet] };
  yield* eraseCases(wallet, addresses);
  const kept = paymentsIn(yield { text: `${PAYMENT} WHERE wallet = $1`, values: [wallet] });
  for (const { id, document } of kept) {
    const values = [id, pseudonym, pseudonymous(document, wallet, addresses, pseudonym)];
    yield { text: 'UPDATE payment SET wallet = $2, document = $3 WHERE id = $1', values };
  }
  return { events: gone.length, payments: kept.length };
}

/** Reads everything, which takes its time. */
function* inventory({ migrations: { made, known }, intentIn }: Database): Steps<Inventory> {
  const counts = `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM payment) AS payments,
    (SELECT count(*) FROM audit) AS audit, (SELECT count(DISTINCT wallet) FROM name) AS names, ${made} AS made`;
  const [row = {}] = yield { text: counts, values: [] };
  const of = (kind: Kind | 'made') => Number(row[kind]);
  const text = `SELECT DISTINCT ${intentIn} AS id FROM event WHERE kind = 'payment'
    AND NOT EXISTS (SELECT 1 FROM payment WHERE CAST(payment.id AS text) = ${intentIn}) LIMIT $1`;
  const missing = yield { text, values: [MISSING_MAX] };
  return {
    migrations: { made: of('made'), known },
    count: { events: of('events'), payments: of('payments'), audit: of('audit'), names: of('names') },
    missing: missing.map(({ id }) => String(id)),
    cursors: cursorsIn(yield { text: CURSORS, values: [] }),
  };
}

/** Places for so many values: `($3, $4)`. */
function listFrom(first: number, values: readonly unknown[]): string {
  return `(${values.map((_, i) => `$${first + i}`).join(', ')})`;
}

const CURSORS = 'SELECT partition, CAST(position AS text) AS position FROM cursor';

/** PostgreSQL writes large numbers as text, here and below. */
function cursorsIn(rows: readonly Row[]) {
  return rows.map(({ partition, position }) => ({
    partition: Number(partition),
    to: idAt(BigInt(String(position))),
  }));
}

function eventsIn(rows: readonly Row[]): KeptEvent[] {
  return rows.map(({ partition, position, at, record }) => ({
    partition: Number(partition),
    id: idAt(BigInt(String(position))),
    at: Number(at),
    record: String(record),
  }));
}

function wordsIn(rows: readonly Row[]): Word[] {
  return rows.map(({ word, at }) => ({ word: String(word), at: Number(at) }));
}

/** Columns of figures that are text. */
const NAMES = new Set([
  ...['what', 'name', 'detail', 'channel', 'language', 'who', 'act', 'end', 'kind', 'label'],
]);

function numbered<T extends object>(row: Row): T {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    NAMES.has(name) || value === null ? value : Number(value),
  ]);
  return Object.fromEntries(cells) as T;
}
