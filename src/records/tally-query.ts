import { DAY_MS, FOLDED_AT_MS } from './tallies.ts';

/** The moment of a day at which its figures lie (`FOLDED_AT_MS`), from `at`: both databases divide whole numbers. */
export const FOLDED_DAY = `at / ${DAY_MS} * ${DAY_MS} + ${FOLDED_AT_MS}`;

/**
 * Acts of a time, `a`, each with the entry of its end, `c`. Entries are in the order of their moments. Without that bound a database
 * reads the ends of all years.
 */
export const ACTS_OF_TIME = `audit a LEFT JOIN audit c ON c."of" = a.n
  AND c."of" >= (SELECT n FROM audit WHERE at >= $1 ORDER BY at, n LIMIT 1) WHERE a."of" IS NULL AND a.at >= $1 AND a.at < $2`;

export const AGENT_TALLIES = `SELECT a.who, a.act, coalesce(c."end", a."end", '') AS "end", count(*) AS n FROM ${ACTS_OF_TIME}
  GROUP BY 1, 2, 3`;
