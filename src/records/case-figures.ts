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
 * The closed cases of a time, the first two values. The next two are the channel and the language of their customers. An empty one
 * stands for all, and a case without a language is in every one.
 */
const CLOSED = `closed AS (SELECT * FROM cases WHERE "closedAt" >= $1 AND "closedAt" < $2
  AND ($3 = '' OR channel = $3) AND ($4 = '' OR language IN ('', $4)))`;

/**
 * Figures of each day, from the counts of turns and payments and from the closed cases.
 * @param isOneOf how the database says that a name is one of a list, its values from the fifth on
 */
export function dayFigures(isOneOf: string): string {
  return `WITH ${CLOSED}, figure AS (
      SELECT at, what, name, detail, channel, language, n, ms FROM tally
        WHERE at >= $1 AND at < $2 AND what IN ('entered', 'paid')
      UNION ALL SELECT "closedAt", 'closed', kind, '', channel, language, 1, 0 FROM closed
      UNION ALL SELECT "closedAt", 'answered', kind, '', channel, language, 1, "answeredAt" - "openedAt" FROM closed
        WHERE "answeredAt" IS NOT NULL
      UNION ALL SELECT "closedAt", 'late', kind, '', channel, language, 1, 0 FROM closed WHERE late = 1)
    SELECT CAST(at - $1 AS BIGINT) / ${DAY_MS} AS day, what, detail, channel, language, sum(n) AS n, sum(ms) AS ms
    FROM figure WHERE NOT ${isOneOf} GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0`;
}

/**
 * How many closed cases have a label, the most frequent one first.
 * @param labels how the database takes a case's list of labels apart, each as a `value`
 */
export function labelFigures(labels: string): string {
  return `WITH ${CLOSED} SELECT value AS label, count(*) AS n FROM closed, ${labels} GROUP BY 1 ORDER BY 2 DESC, 1`;
}

/** Forgets closed ones of the oldest `$2` ms from before a moment (`Records.forget`). */
export const FORGET_CASES = `DELETE FROM cases WHERE "closedAt" < $1
  AND "closedAt" < (SELECT min("closedAt") FROM cases) + $2`;

/** Forgets which updates of cases are applied, from before a moment. */
export const FORGET_CASE_UPDATES = 'DELETE FROM "caseUpdate" WHERE at < $1';

/** How many conversations each agent took over in that time. Teams have none of their own, as agents change them. */
const TALKED = `SELECT a.who, count(*) AS n FROM ${ACTS_OF_TIME} AND a.act = 'takeOver' AND coalesce(c."end", a."end") = 'done' GROUP BY 1`;
const NOBODY = `SELECT '' AS who, 0 AS n WHERE 1 = 0`;

/** Reports of closed cases (`Report`). @param by the column by which these are grouped */
export function reportsBy(by: 'agent' | 'team' | 'kind'): string {
  const isSolved = `closed."end" IN ('solved', 'byCustomer')`;
  return `WITH ${CLOSED}, talked AS (${by === 'agent' ? TALKED : NOBODY}),
    named AS (SELECT ${by} AS who FROM closed WHERE ${by} <> '' UNION SELECT who FROM talked)
    SELECT named.who, ${by === 'agent' ? 'coalesce(talked.n, 0)' : 'NULL'} AS conversations, count(closed.id) AS closed,
      ${count(isSolved)} AS solved, ${count(`closed."end" = 'byCustomer'`)} AS "byCustomer",
      ${count(`closed."end" = 'byItself'`)} AS "byItself", ${count(`closed."end" = 'merged'`)} AS merged,
      ${count('late = 1')} AS late, ${count('reopened > 0')} AS reopened,
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
