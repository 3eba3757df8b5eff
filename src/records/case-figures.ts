import { CASE_KINDS, type Case, type CaseStep } from '../conversation/cases/case.ts';
import { channelOf } from '../conversation/channel.ts';
import { DAY_MS } from './tallies.ts';
import { ACTS_OF_TIME } from './tally-query.ts';

/**
 * The part of a case that figures and reports count: columns of its row. They name no customer, and stay when a customer is erased.
 * Moments are in ms since 1970.
 */
interface CaseFigures {
  /** The agent who has it, by their id. Empty: nobody. */
  readonly agent: string;
  /** The team that it was given to, by its id. Empty: none. */
  readonly team: string;
  readonly channel: string;
  readonly language: string;
  readonly openedAt: number;
  /** Null: it is open. */
  readonly closedAt: number | null;
  readonly answeredAt: number | null;
  /** How long an agent had it and nobody waited for the customer, in ms. */
  readonly handledMs: number;
  readonly reopened: number;
  readonly end: string;
  /** 1: somebody had to do something about it, and was late. Also where they have done it since. */
  readonly late: 0 | 1;
  /** 1 good, 2 fair, 3 poor. */
  readonly rating: number | null;
  /** The ids of its labels, as a JSON list. */
  readonly labels: string;
}

export function figuresIn(it: Case): CaseFigures {
  const { steps, breachedAt, openedAt, closedAt = null } = it;
  const isLate = breachedAt !== undefined || steps.some(({ what }) => what === 'breached');
  return {
    agent: it.owner?.id ?? '',
    team: it.team ?? '',
    channel: it.address ? channelOf(it.address) : '',
    language: it.language ?? '',
    openedAt,
    closedAt,
    answeredAt: it.firstAnswerAt ?? null,
    handledMs: closedAt === null ? 0 : handledIn(steps, closedAt),
    reopened: steps.filter(({ what }) => what === 'reopened').length,
    end: it.end ?? '',
    late: isLate ? 1 : 0,
    rating: it.rating ?? null,
    labels: JSON.stringify(it.labels ?? []),
  };
}

/** Steps after which nobody works on a case for a while, and steps that end that. */
const RESTS: ReadonlySet<string> = new Set(['waiting', 'snoozed']);
const GOES_ON: ReadonlySet<string> = new Set(['assigned', 'goesOn', 'customerWrote', 'cameBack', 'reopened']);
/** Steps after which an agent has a case, and steps after which nobody does. */
const TAKEN: ReadonlySet<string> = new Set(['assigned']);
const FREED: ReadonlySet<string> = new Set(['toTeam', 'returned', 'closed', 'merged', 'reopened']);

/** An agent works on a case while they have it, but for the time in which it waits or is put off. */
function handledIn(steps: readonly CaseStep[], closedAt: number): number {
  let [isTaken, rests, since, ms] = [false, false, closedAt, 0];
  for (const { what, at } of [...steps, { what: 'closed', at: closedAt }]) {
    if (isTaken && !rests) ms += Math.max(0, at - since);
    since = at;
    isTaken = TAKEN.has(what) || (isTaken && !FREED.has(what));
    rests = RESTS.has(what) || (rests && !GOES_ON.has(what));
  }
  return ms;
}

/**
 * Figures of a time, from the counts of turns and payments and from the closed cases. The first two values are the time.
 * @param labels how the database takes a case's list of labels apart, each as a `value`
 */
export function figuresOf(labels: string): string {
  return `WITH closed AS (SELECT * FROM cases WHERE "closedAt" >= $1 AND "closedAt" < $2), figure AS (
    SELECT at, what, name, detail, channel, language, n, ms FROM tally WHERE at >= $1 AND at < $2
    UNION ALL SELECT "closedAt", 'closed', kind, "end", channel, language, 1, "closedAt" - "openedAt" FROM closed
    UNION ALL SELECT "closedAt", 'answered', kind, '', channel, language, 1, "answeredAt" - "openedAt" FROM closed
      WHERE "answeredAt" IS NOT NULL
    UNION ALL SELECT "closedAt", 'late', kind, '', channel, language, 1, 0 FROM closed WHERE late = 1
    UNION ALL SELECT "closedAt", 'rated', kind, CAST(rating AS TEXT), channel, language, 1, 0 FROM closed
      WHERE rating IS NOT NULL
    UNION ALL SELECT "closedAt", 'labelled', value, kind, channel, language, 1, 0 FROM closed, ${labels})`;
}

/** The same added up. */
export function allFigures(labels: string): string {
  return `${figuresOf(labels)} SELECT what, name, detail, channel, language, sum(n) AS n, sum(ms) AS ms FROM figure
    GROUP BY what, name, detail, channel, language HAVING sum(n) <> 0`;
}

/** The same by days. @param isOneOf how the database says that a name is one of a list, its third value */
export function dayFigures(labels: string, isOneOf: string): string {
  return `${figuresOf(labels)} SELECT CAST(at - $1 AS BIGINT) / ${DAY_MS} AS day, what, detail, channel, language, sum(n) AS n, sum(ms) AS ms
    FROM figure WHERE what IN ('entered', 'paid', 'closed', 'late', 'answered') AND NOT ${isOneOf}
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0`;
}

/** Forgets closed ones of the oldest `$2` ms from before a moment (`Records.forget`). */
export const FORGET_CASES = `DELETE FROM cases WHERE "closedAt" < $1
  AND "closedAt" < (SELECT min("closedAt") FROM cases) + $2`;

/** Forgets which updates of cases are applied, from before a moment. */
export const FORGET_CASE_UPDATES = 'DELETE FROM "caseUpdate" WHERE at < $1';

/** How many conversations each agent took over in that time. Teams have none of their own, as agents change them. */
const TALKED = {
  agent: `SELECT a.who, count(*) AS n FROM ${ACTS_OF_TIME} AND a.act = 'takeOver' AND coalesce(c."end", a."end") = 'done' GROUP BY 1`,
  team: `SELECT '' AS who, 0 AS n WHERE 1 = 0`,
} as const;

/** Reports of a time (`Report`). The values are the time. @param by the column by which closed cases are grouped */
export function reportsBy(by: 'agent' | 'team'): string {
  const isSolved = `closed."end" IN ('solved', 'byCustomer')`;
  return `WITH closed AS (SELECT * FROM cases WHERE "closedAt" >= $1 AND "closedAt" < $2), talked AS (${TALKED[by]}),
    named AS (SELECT ${by} AS who FROM closed WHERE ${by} <> '' UNION SELECT who FROM talked)
    SELECT named.who, ${by === 'agent' ? 'coalesce(talked.n, 0)' : 'NULL'} AS conversations, count(closed.id) AS closed,
      ${count(isSolved)} AS solved, ${count('late = 1')} AS late, ${count('reopened > 0')} AS reopened,
      ${mean('"answeredAt" - "openedAt"')} AS "firstAnswerMs", ${mean('"handledMs"')} AS "handlingMs",
      ${mean(`CASE WHEN ${isSolved} THEN "closedAt" - "openedAt" END`)} AS "resolutionMs",
      ${count('rating = 1')} AS good, ${count('rating = 2')} AS fair, ${count('rating = 3')} AS poor
    FROM named LEFT JOIN closed ON closed.${by} = named.who LEFT JOIN talked ON talked.who = named.who
    GROUP BY named.who, talked.n ORDER BY count(closed.id) DESC, named.who`;
}

/**
 * How many cases of each kind an agent or the customer has closed in a time, and how many of them had their first answer in time. An end
 * without a written answer counts as one. The values are the time, then the targets in ms, in the order of `CASE_KINDS`.
 */
export const LEVELS = `SELECT kind, count(*) AS n, ${count(`coalesce("answeredAt", "closedAt") - "openedAt" <= CASE kind
    ${CASE_KINDS.map((kind, i) => `WHEN '${kind}' THEN CAST($${i + 3} AS BIGINT)`).join(' ')} ELSE 0 END`)} AS "inTime"
  FROM cases WHERE "closedAt" >= $1 AND "closedAt" < $2 AND "end" IN ('solved', 'byCustomer') GROUP BY kind ORDER BY kind`;

function count(condition: string): string {
  return `coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
}

/** Rows without a value count for nothing. */
function mean(of: string): string {
  return `CAST(round(avg(${of})) AS BIGINT)`;
}
