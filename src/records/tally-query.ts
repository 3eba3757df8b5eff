import { DAY_MS, FOLDED_AT_MS } from './tallies.ts';

/** The moment of a day at which its figures lie (`FOLDED_AT_MS`), from `at`: both databases divide whole numbers. */
export const FOLDED_DAY = `at / ${DAY_MS} * ${DAY_MS} + ${FOLDED_AT_MS}`;

/**
 * The question behind a course over days. @param isOneOf how the database says that a name is one of a list, its third
 * value.
 */
export function dayTallies(isOneOf: string): string {
  return `SELECT CAST(at - $1 AS BIGINT) / ${DAY_MS} AS day, what, detail, channel, language, sum(n) AS n, sum(ms) AS ms FROM tally
    WHERE at >= $1 AND at < $2 AND what IN ('entered', 'paid', 'closed', 'late', 'answered') AND NOT ${isOneOf}
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0`;
}

export const AGENT_TALLIES = `SELECT a.who, a.act, coalesce(c."end", a."end", '') AS "end", count(*) AS n FROM audit a
  LEFT JOIN audit c ON c."of" = a.n WHERE a."of" IS NULL AND a.at >= $1 AND a.at < $2 GROUP BY 1, 2, 3`;
