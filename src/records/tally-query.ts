import { DAY_MS, FOLDED, FOLDED_AT_MS } from './tallies.ts';

const TALLY = 'at, shard, what, name, detail, channel, language, n, ms';
/** Adds counts to those that are there. @param rows the question that gives them */
function added(rows: string): string {
  return `INSERT INTO tally (${TALLY}) ${rows} ON CONFLICT (at, shard, what, name, detail, channel, language)
    DO UPDATE SET n = tally.n + excluded.n, ms = tally.ms + excluded.ms`;
}

/** @param from a list of counts (`Database.rows`) */
export function addTallies(from: string): string {
  return added(`SELECT ${TALLY} FROM ${from} WHERE TRUE`);
}

/** Counts by the hour from before a moment, `$1`. */
export const FOLDED_ROWS = `WHERE at < $1 AND shard <> ${FOLDED}`;
/** Puts these together by days (`FOLDED_AT_MS`): both databases divide whole numbers. */
export function foldInto(from: 'tally' | 'gone'): string {
  return added(`SELECT at / ${DAY_MS} * ${DAY_MS} + ${FOLDED_AT_MS}, ${FOLDED}, what, name, detail, channel, language,
    sum(n), sum(ms) FROM ${from} ${FOLDED_ROWS} GROUP BY 1, what, name, detail, channel, language`);
}

/** The counts of a time, added up. The values are the time. */
export const TALLIES = `SELECT what, name, detail, channel, language, sum(n) AS n, sum(ms) AS ms FROM tally
  WHERE at >= $1 AND at < $2 GROUP BY what, name, detail, channel, language HAVING sum(n) <> 0`;

/**
 * Acts of a time, `a`, each with the entry of its end, `c`. Entries are in the order of their moments. Without that bound a database
 * reads the ends of all years.
 */
export const ACTS_OF_TIME = `audit a LEFT JOIN audit c ON c."of" = a.n
  AND c."of" >= (SELECT n FROM audit WHERE at >= $1 ORDER BY at, n LIMIT 1) WHERE a."of" IS NULL AND a.at >= $1 AND a.at < $2`;

/** The acts of each agent, the busiest first. */
export const AGENT_TALLIES = `SELECT a.who, a.act, coalesce(c."end", a."end", '') AS "end", count(*) AS n FROM ${ACTS_OF_TIME}
  GROUP BY 1, 2, 3 ORDER BY sum(count(*)) OVER (PARTITION BY a.who) DESC, a.who, count(*) DESC`;
