import type { Query, Row, Value } from '../store/steps.ts';
import type { AuditQuery, AuditRow, FoundAudit } from './records.ts';

/** Endings that few entries have: an index has only them. */
const RARE: ReadonlySet<AuditQuery['end']> = new Set(['refused', 'failed']);

/** Finds entries of the agents' audit. */
export function auditQuestion(query: AuditQuery, limit: number): Query {
  const { who, act, on, end, about, from, to, before } = query;
  const values: Value[] = [];
  const placed = (value: Value) => `$${values.push(value)}`;
  const conditions = ['a."of" IS NULL'];
  const ask = (value: Value | undefined, condition: (place: string) => string) => {
    if (value !== undefined && value !== '') conditions.push(condition(placed(value)));
  };
  ask(who, (place) => `a.who = ${place}`);
  ask(act, (place) => `a.act = ${place}`);
  ask(on, (place) => `a."on" = ${place}`);
  // Written out, as a database uses a partial index only where the question says that it may.
  if (RARE.has(end))
    conditions.push(`a.n IN (SELECT coalesce(e."of", e.n) FROM audit e WHERE e."end" = '${end}')`);
  ask(end, (place) => `coalesce(c."end", a."end") = ${place}`);
  if (about) {
    const names = `(${about.map(placed).join(', ') || 'NULL'})`;
    conditions.push(`(a.about IN ${names} OR a."on" IN ${names})`);
  }
  ask(from, (place) => `a.at >= ${place}`);
  ask(to, (place) => `a.at < ${place}`);
  ask(before, (place) => `a.n < ${place}`);
  const text = `SELECT a.n, a.at, a.act, a.link, c.link AS closing FROM audit a LEFT JOIN audit c ON c."of" = a.n
    WHERE ${conditions.join(' AND ')} ORDER BY a.n DESC LIMIT ${placed(limit)}`;
  return { text, values };
}

/** An entry as a database gives it: what is absent is null there, and PostgreSQL writes large numbers as text. */
export function auditRowOf<T extends AuditRow | FoundAudit>(row: Row): T {
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    fields.map(([column, value]) => [column, NUMBERS.has(column) ? Number(value) : value]),
  ) as unknown as T;
}

const NUMBERS: ReadonlySet<string> = new Set(['n', 'at', 'of']);
