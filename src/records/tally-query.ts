import { DAY_MS, FOLDED_AT_MS } from './tallies.ts';

/** The moment of a day at which its figures lie (`FOLDED_AT_MS`), from `at`: both databases divide whole numbers. */
export const FOLDED_DAY = `at / ${DAY_MS} * ${DAY_MS} + ${FOLDED_AT_MS}`;

export const AGENT_TALLIES = `SELECT a.who, a.act, coalesce(c."end", a."end", '') AS "end", count(*) AS n FROM audit a
  LEFT JOIN audit c ON c."of" = a.n WHERE a."of" IS NULL AND a.at >= $1 AND a.at < $2 GROUP BY 1, 2, 3`;
