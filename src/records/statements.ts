import { applyCaseUpdate } from '../conversation/cases/apply.ts';
import { CASE_KINDS } from '../conversation/cases/case.ts';
import { CASE_DEFAULTS } from '../conversation/cases/changes.ts';
import type { CaseUpdate } from '../conversation/cases/update.ts';
import type { Query, Row, Steps, Value } from '../store/steps.ts';
import { idAt, positionOf } from '../store/turn-id.ts';
import { auditQuestion, auditRowOf } from './audit-query.ts';
import { allFigures, dayFigures, LEVELS, reportsBy } from './case-figures.ts';
import { caseTx, eraseCases } from './case-rows.ts';
import { isNewName, nameOf, namesQuestion, type Word } from './name-query.ts';
import { pseudonymous } from './pseudonym.ts';
import {
  type AgentTally,
  type AuditEnd,
  type AuditRow,
  type Batch,
  type DayTally,
  type Erased,
  type FoundAudit,
  isDamage,
  type KeptEvent,
  type NameRow,
  type PaymentRow,
  type Records,
  type Report,
  type ServiceLevel,
  type Tally,
} from './records.ts';
import { changeSettings, settingsOf } from './settings.ts';
import { AGENT_TALLIES } from './tally-query.ts';

/** A database, as the statements that both have in common see it. Its methods reject with `RecordsDown`. */
export interface Database {
  /** Reads, or writes one statement. */
  ask(text: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** Does all of it, or nothing. */
  inOne<Result>(steps: Steps<Result>): Promise<Result>;
  /** Makes transactions that change the same come one after the other. None where they do so anyway. */
  lockOf(what: string): readonly Query[];
  /** The table that says where the audit ends. */
  readonly auditEnd: string;
  /** The labels of a case, each as a `value`. */
  readonly labels: string;
  /** What a question adds so that the rows are nobody else's until the end of the transaction. */
  readonly lock: string;
  /** True for an event that is about cases, and for the earliest one of these. */
  readonly ofCases: string;
  readonly firstOfCases: string;
  /** Events, and payments, that are called `$1`. */
  readonly eventsNamed: string;
  readonly paymentsNamed: string;
}

/** The part of the records that is the same statements for both databases. */
type Common = Omit<Records, 'record' | 'foldTallies' | 'forget' | 'inventory' | 'isWell' | 'close'>;

/** Positions are greater than JavaScript's safe integers, so they go in and come out as text. */
export const EVENT = 'SELECT event.partition, CAST(position AS text) AS position, at, record FROM event';
/** Without a star, as a plan that is kept outlives no change of its columns. */
export const PAYMENT = 'SELECT id, wallet, "sentAt", state, steps, names, document, "lookAt" FROM payment';
/** Greater than every position. */
const LAST = `${2n ** 63n - 1n}`;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** These statements. */
export function statementsOn(db: Database): Common {
  const events = async (which: string, ...values: readonly Value[]) =>
    eventsIn(await db.ask(`${EVENT} WHERE ${which}`, ...values));
  return {
    async cursors(partitions) {
      if (partitions.length === 0) return [];
      const text = `SELECT partition, CAST(position AS text) AS position FROM cursor WHERE partition IN ${listFrom(1, partitions)}`;
      return cursorsIn(await db.ask(text, ...partitions));
    },
    turns: (partition, limit, before) =>
      events(
        'partition = $1 AND position < CAST($2 AS bigint) ORDER BY event.position DESC LIMIT $3',
        partition,
        before === undefined ? LAST : `${positionOf(before)}`,
        limit,
      ),
    turnsNaming: async (ref, limit) =>
      eventsIn(await db.ask(`${db.eventsNamed} ORDER BY at DESC, event.position DESC LIMIT $2`, ref, limit)),
    turnsOf(whose, limit, before = Number.MAX_SAFE_INTEGER) {
      const [column, value] = 'wallet' in whose ? ['wallet', whose.wallet] : ['address', whose.address];
      const which = `${column} = $1 AND at < $2 ORDER BY at DESC, event.position DESC LIMIT $3`;
      return events(which, value, before, limit);
    },
    ...paymentsOn(db),
    tallies: async (from, to) => (await db.ask(allFigures(db.labels), from, to)).map(numbered<Tally>),
    async tallyDays(from, to, without) {
      const isOneOf = without.length > 0 ? `name IN ${listFrom(3, without)}` : 'FALSE';
      return (await db.ask(dayFigures(db.labels, isOneOf), from, to, ...without)).map(numbered<DayTally>);
    },
    agentTallies: async (from, to) => (await db.ask(AGENT_TALLIES, from, to)).map(numbered<AgentTally>),
    reports: async (by, from, to) => (await db.ask(reportsBy(by), from, to)).map(reportIn),
    levels: async (from, to, targets) =>
      (await db.ask(LEVELS, from, to, ...CASE_KINDS.map((kind) => targets[kind]))).map(
        numbered<ServiceLevel>,
      ),
    setName: (name) => db.inOne(setName(db, name)),
    async walletsNamed(words, limit) {
      const { text, values } = namesQuestion(words, limit);
      return (await db.ask(text, ...values)).map(({ wallet }) => String(wallet));
    },
    nameOf: async (wallet) => nameOf(wordsIn(await db.ask(WORDS, wallet))),
    audit: auditOn(db),
    cases: casesOn(db),
    erase: (...whom) => db.inOne(erase(...whom)),
    settings: {
      of: (kind) => db.inOne(settingsOf(kind)),
      change: (...change) => db.inOne(changeSettings(...change)),
    },
  };
}

function casesOn(db: Database): Records['cases'] {
  return {
    async events(from, to) {
      const text = `SELECT at, record FROM event WHERE at >= $1 AND at < $2 AND ${db.ofCases} ORDER BY at, position`;
      return (await db.ask(text, from, to)).map(({ at, record }) => ({
        at: Number(at),
        record: String(record),
      }));
    },
    async firstEventAt() {
      const [first] = await db.ask(`SELECT at FROM event WHERE ${db.firstOfCases} ORDER BY at LIMIT 1`);
      return first && Number(first.at);
    },
    read: (work) => asked(db, work(caseTx())),
    write: (work) => db.inOne(work(caseTx(db.lock))),
  };
}

/** Only reads: each statement is by itself. */
async function asked<Result>(db: Database, steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await db.ask(step.value.text, ...step.value.values));
  return step.value;
}

/** Applies updates of cases, one at a time, as people have few. One that cannot be applied is put aside. */
export function* applyCases(
  updates: readonly CaseUpdate[],
  lock: string,
  { settings = CASE_DEFAULTS, onRefused }: Pick<Batch, 'settings' | 'onRefused'>,
  isBug: (error: unknown) => boolean,
): Steps<void> {
  for (const each of updates) {
    yield { text: 'SAVEPOINT before', values: [] };
    try {
      yield* applyCaseUpdate(caseTx(lock), settings, each);
    } catch (error) {
      if (!isDamage(error) && !isBug(error)) throw error;
      yield { text: 'ROLLBACK TO before', values: [] };
      onRefused?.(each, error);
    }
    yield { text: 'RELEASE before', values: [] };
  }
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

function paymentsOn(db: Database) {
  const payments = async (which: string, ...values: readonly Value[]) =>
    paymentsIn(await db.ask(`${PAYMENT} WHERE ${which}`, ...values));
  return {
    payment: async (id) => (UUID.test(id) ? (await payments('id = $1', id))[0] : undefined),
    paymentsNamed: async (name, limit) =>
      paymentsIn(
        await db.ask(`${db.paymentsNamed} ORDER BY "sentAt" DESC LIMIT $2`, name.toLowerCase(), limit),
      ),
    paymentsOf: (wallet, limit, before = Number.MAX_SAFE_INTEGER) =>
      payments('wallet = $1 AND "sentAt" < $2 ORDER BY "sentAt" DESC LIMIT $3', wallet, before, limit),
    livePayments: (from, after, limit) =>
      payments(
        '"lookAt" >= $1 AND ("lookAt", id) > ($1, $2) ORDER BY "lookAt", id LIMIT $3',
        ...[from, after, limit],
      ),
    paymentsToLookAt: (at, limit) => payments('"lookAt" <= $1 ORDER BY "lookAt" LIMIT $2', at, limit),
    async setLook({ id, steps, lookAt }) {
      await db.ask('UPDATE payment SET "lookAt" = $3 WHERE id = $1 AND steps = $2', id, steps, lookAt);
    },
  } satisfies Partial<Records>;
}

const AUDIT = 'n, at, who, act, "on", about, "of", "end", origin, link';

function auditOn(db: Database): Records['audit'] {
  return {
    async lastNumber(upTo = 2 ** 31 - 1) {
      return Number((await db.ask('SELECT coalesce(max(n), 0) AS n FROM audit WHERE n <= $1', upTo))[0]?.n);
    },
    async known(origins) {
      if (origins.length === 0) return [];
      const text = `SELECT origin, n FROM audit WHERE origin IN ${listFrom(1, origins)}`;
      return (await db.ask(text, ...origins)).map(({ origin, n }) => [String(origin), Number(n)] as const);
    },
    add: (...added) => db.inOne(addAudit(db, ...added)),
    async end() {
      const [row] = await db.ask(`SELECT n, sealed FROM ${db.auditEnd}`);
      return row && { n: Number(row.n), sealed: String(row.sealed) };
    },
    async page(query, limit) {
      const { text, values } = auditQuestion(query, limit);
      return (await db.ask(text, ...values)).map(
        ({ n, at, act, link, closing }): FoundAudit => ({
          n: Number(n),
          at: Number(at),
          act: String(act),
          link: String(link),
          ...(closing !== null && { closing: String(closing) }),
        }),
      );
    },
    async range(from, to) {
      const text = `SELECT ${AUDIT} FROM audit WHERE n BETWEEN $1 AND $2 ORDER BY n`;
      return (await db.ask(text, from, to)).map(auditRowOf);
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

const WORDS = 'SELECT word, at FROM name WHERE wallet = $1';

function* setName(db: Database, name: NameRow): Steps<void> {
  const { wallet, words, at } = name;
  yield* db.lockOf(wallet);
  if (!isNewName(name, wordsIn(yield { text: WORDS, values: [wallet] }))) return;
  yield { text: 'DELETE FROM name WHERE wallet = $1', values: [wallet] };
  for (const word of new Set(words))
    yield { text: 'INSERT INTO name (wallet, word, at) VALUES ($1, $2, $3)', values: [wallet, word, at] };
}

/** Places for so many values: `($3, $4)`. */
function listFrom(first: number, values: readonly unknown[]): string {
  return `(${values.map((_, i) => `$${first + i}`).join(', ')})`;
}

/** PostgreSQL writes large numbers as text, here and below. */
export function cursorsIn(rows: readonly Row[]) {
  return rows.map(({ partition, position }) => ({
    partition: Number(partition),
    to: idAt(BigInt(String(position))),
  }));
}

export function eventsIn(rows: readonly Row[]): KeptEvent[] {
  return rows.map(({ partition, position, at, record }) => ({
    partition: Number(partition),
    id: idAt(BigInt(String(position))),
    at: Number(at),
    record: String(record),
  }));
}

/** SQLite keeps the names of a payment as JSON. */
export function paymentsIn(rows: readonly Row[]): PaymentRow[] {
  return rows.map(({ names, sentAt, lookAt, ...row }) => {
    const list: unknown = typeof names === 'string' ? JSON.parse(names) : names;
    return {
      ...(row as Omit<PaymentRow, 'names' | 'sentAt' | 'lookAt'>),
      names: Array.isArray(list) ? list.map(String) : [],
      sentAt: Number(sentAt),
      lookAt: lookAt === null ? null : Number(lookAt),
    };
  });
}

function wordsIn(rows: readonly Row[]): Word[] {
  return rows.map(({ word, at }) => ({ word: String(word), at: Number(at) }));
}

/** A count. The rest of its row is text. */
function numbered<T extends AgentTally | DayTally | ServiceLevel | Tally>(row: Row): T {
  const numbers = ['n', 'ms', 'day', 'inTime'].flatMap((name) =>
    name in row ? [[name, Number(row[name])]] : [],
  );
  return { ...row, ...Object.fromEntries(numbers) } as T;
}

function reportIn({ who, ...counts }: Row): Report {
  const numbers = Object.entries(counts).map(([name, value]) => [
    name,
    value === null ? null : Number(value),
  ]);
  return { who, ...Object.fromEntries(numbers) } as Report;
}
