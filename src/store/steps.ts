/** A value for a place in a statement. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** A statement in words that both databases understand, with the values for `$1`, `$2`, … */
export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Statements that are done together or not at all: each gives its rows to the next step. Both drivers run them. */
export type Steps<Result> = Generator<Query, Result, readonly Row[]>;
