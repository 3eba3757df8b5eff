import type { SQLInputValue } from 'node:sqlite';
import { momentOf } from '../../wallet/times.ts';
import type { Core } from './core.ts';
import type { Database } from './database.ts';

/** Not shown in v2.3: larger pages are cut to this. */
export const PAGE_SIZE_MAX = 100;

/** Part of a WHERE, with the values of its places. */
export type Condition = readonly [sql: string, ...values: SQLInputValue[]];

interface Paged {
  readonly from: string;
  /** All of them hold. Those that are undefined were not asked for. */
  readonly where: readonly (Condition | undefined)[];
  /** Never what somebody sent: it is not a value. */
  readonly orderBy: string;
  /** Pages start at 1. */
  readonly number: number;
  readonly size: number;
}

/** One page of the rows that fulfil all conditions, and how many there are altogether. */
export function pageOf<Row>(db: Database, { from, where, orderBy, number, size }: Paged) {
  const conditions = where.filter((condition) => condition !== undefined);
  const all = conditions.map(([sql]) => `(${sql})`).join(' AND ');
  const values = conditions.flatMap(([, ...each]) => each);
  const take = Math.min(size, PAGE_SIZE_MAX);
  const counted = db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${from} WHERE ${all}`, ...values);
  const sql = `SELECT * FROM ${from} WHERE ${all} ORDER BY ${orderBy} LIMIT ? OFFSET ?`;
  return { rows: db.all<Row>(sql, ...values, take, (number - 1) * take), count: counted?.count ?? 0 };
}

/** Made at this moment (ISO 8601) or later. No condition where none is given. */
export function since(moment: string | undefined): Condition | undefined {
  return moment === undefined ? undefined : ['createdAt >= ?', momentOf(moment)];
}

/** Made at this moment or before (open question 89). */
export function until(moment: string | undefined, { settings }: Core): Condition | undefined {
  return moment === undefined
    ? undefined
    : [`createdAt ${settings.lastMoment === 'included' ? '<=' : '<'} ?`, momentOf(moment)];
}

/** @param column one, or several joined in SQL */
export function containing(column: string, keyword: string | undefined): Condition | undefined {
  return keyword ? [`instr(lower(${column}), lower(?)) > 0`, keyword] : undefined;
}
