import type { AuditQuery, AuditRow } from './records.ts';

/** A question to a database: its text, and what stands for the placeholders. */
export interface Question<Value> {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * Finds entries of the agents' audit.
 * @param oneOf a condition that a column is one of several values, with one placeholder for all of them
 * @param list how a list is given to the database
 */
export function auditQuestion<Value>(
  query: AuditQuery,
  limit: number,
  { oneOf, list }: { oneOf(column: string): string; list(values: readonly string[]): Value },
): Question<Value | string | number> {
  const { about } = query;
  const conditions: readonly (readonly [text: string, value: Value | string | number | undefined])[] = [
    ['a.who = ?', query.who],
    ['a.act = ?', query.act],
    ['a."on" = ?', query.on],
    ['coalesce(c."end", a."end") = ?', query.end],
    [`(${oneOf('a.about')} OR ${oneOf('a."on"')})`, about && list(about)],
    ['a.at >= ?', query.from],
    ['a.at < ?', query.to],
    ['a.n < ?', query.before],
  ];
  const asked = conditions.filter(([, value]) => value !== undefined && value !== '');
  const values = [...asked.map(([, value]) => value as Value | string | number), limit];
  let place = 0;
  // A condition that asks twice asks for the same value.
  const numbered = [...asked.map(([text]) => text), '?'].map((text) => {
    place++;
    return text.replaceAll('?', `$${place}`);
  });
  const where = ['a."of" IS NULL', ...numbered.slice(0, -1)].join(' AND ');
  const text = `SELECT a.n, a.at, a.act, a.link, c.link AS closing FROM audit a LEFT JOIN audit c ON c."of" = a.n
    WHERE ${where} ORDER BY a.n DESC LIMIT ${numbered.at(-1)}`;
  return { text, values };
}

/** An entry as a database gives it: what is absent is null there, and PostgreSQL writes large numbers as text. */
export function auditRowOf(row: Readonly<Record<string, unknown>>): AuditRow {
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    fields.map(([column, value]) => [column, NUMBERS.has(column) ? Number(value) : value]),
  ) as unknown as AuditRow;
}

const NUMBERS: ReadonlySet<string> = new Set(['n', 'at', 'of']);
