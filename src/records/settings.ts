import type { Query, Row, Steps, Value } from '../store/steps.ts';
import type { Database } from './statements.ts';

/** An entry that people have written at the console: an account, a team, a label. */
export interface Setting {
  readonly id: string;
  readonly value: string;
}

export interface SettingsOf {
  /** Grows with each change of the kind, from 0. */
  readonly version: number;
  /** In the order in which they were first written. */
  readonly all: readonly Setting[];
}

/** The writes of a change, and its result. Without `writes` nothing is changed. */
export interface Change<Result> {
  /** A value of null removes the entry. An entry of another `kind` is written in the same transaction. */
  readonly writes?: readonly { readonly kind?: string; readonly id: string; readonly value: string | null }[];
  readonly result: Result;
}

/** The settings of the console: accounts, teams, labels and the like. Every method rejects with `RecordsDown`. */
export type Settings = ReturnType<typeof settingsOn>;

export function settingsOn({ inOne }: Pick<Database, 'inOne'>) {
  return {
    of: (kind: string) => inOne(settingsOf(kind)),
    /**
     * Changes entries of a kind. Nobody else changes that kind meanwhile.
     * @param atLeast the version grows beyond this one too
     */
    change: <Result>(kind: string, to: (now: SettingsOf) => Change<Result>, atLeast?: number) =>
      inOne(changeSettings(kind, to, atLeast)),
  };
}

/** The tables of both databases. */
export const SETTING_TABLES = `CREATE TABLE "settingKind" (kind text PRIMARY KEY, version bigint NOT NULL);
  CREATE TABLE setting (kind text NOT NULL, id text NOT NULL, n bigint NOT NULL, value text NOT NULL, PRIMARY KEY (kind, id));`;

/** One row without an id where there is no entry. */
const OF = `SELECT (SELECT version FROM "settingKind" WHERE kind = $1) AS version, s.id, s.value
  FROM (SELECT 1) AS one LEFT JOIN setting s ON s.kind = $1 ORDER BY s.n`;
/** The row of the kind is locked until the end of the transaction. */
const LOCK = `INSERT INTO "settingKind" (kind, version) VALUES ($1, 0)
  ON CONFLICT (kind) DO UPDATE SET version = "settingKind".version`;
const COUNT = 'UPDATE "settingKind" SET version = $2 WHERE kind = $1';
const WRITE = `INSERT INTO setting (kind, id, n, value)
  VALUES ($1, $2, (SELECT coalesce(max(n), 0) + 1 FROM setting WHERE kind = $1), $3)
  ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`;
const REMOVE = 'DELETE FROM setting WHERE kind = $1 AND id = $2';

function* settingsOf(kind: string): Steps<SettingsOf> {
  return settingsIn(yield asked(OF, kind));
}

function* changeSettings<Result>(
  kind: string,
  to: (now: SettingsOf) => Change<Result>,
  atLeast = 0,
): Steps<Result> {
  yield asked(LOCK, kind);
  const now = settingsIn(yield asked(OF, kind));
  const { writes, result } = to(now);
  if (!writes) return result;
  for (const { kind: other = kind, id, value } of writes)
    yield value === null ? asked(REMOVE, other, id) : asked(WRITE, other, id, value);
  yield asked(COUNT, kind, Math.max(now.version, atLeast) + 1);
  return result;
}

function asked(text: string, ...values: readonly Value[]): Query {
  return { text, values };
}

/** PostgreSQL writes large numbers as text. */
function settingsIn(rows: readonly Row[]): SettingsOf {
  const all = rows.flatMap(({ id, value }) =>
    id === null ? [] : [{ id: String(id), value: String(value) }],
  );
  return { version: Number(rows[0]?.version ?? 0), all };
}
