import type { Language } from '../../conversation/incoming.ts';
import { type ConsoleKey, wordFor } from '../sentences.ts';
import { took } from '../times.ts';
import type { Counted, Table } from './figures-tables.ts';
import type { Tools } from './options.ts';

/** A cell: what a file has (as Wasl itself calls it), and what the page shows. */
export interface Cell {
  readonly value: string | number;
  readonly shown?: string;
  readonly link?: string;
  /** Drawn as a bar: the share of all, 0 to 1. */
  readonly share?: number;
}

/** For whom a table is made. @see `tableOf` */
export interface For {
  readonly language: Language;
  readonly query: string | undefined;
  readonly chartOf: (machine: string) => ReturnType<Tools['desk']['chart']>;
}

/** A table as it is made of what was counted. */
export interface Drawn extends Pick<Table, 'title' | 'hint' | 'definitions'> {
  readonly heads: readonly (readonly [name: string, shown: ConsoleKey | number])[];
  readonly rows: (counted: Counted, shown: For) => readonly (readonly Cell[])[];
}

/** A column: its name, its head (a number is a time in ms), and its cell of a row. */
export type Column<Row> = readonly [
  name: string,
  head: ConsoleKey | number,
  cell: (row: Row, shown: For) => Cell | Cell['value'],
];

/** @param all the rows, of what was counted */
export function drawn<Row>(
  titled: Pick<Table, 'title' | 'hint' | 'definitions'>,
  all: (counted: Counted, shown: For) => readonly Row[],
  columns: readonly Column<Row>[],
): Drawn {
  const cellOf = (cell: Cell | Cell['value']) => (typeof cell === 'object' ? cell : { value: cell });
  return {
    ...titled,
    heads: columns.map(([name, head]) => [name, head]),
    rows: (counted, shown) =>
      all(counted, shown).map((row) => columns.map(([, , cell]) => cellOf(cell(row, shown)))),
  };
}

/** A share, drawn as a bar. */
export function percent(share: number): Cell {
  return { value: share.toFixed(3), shown: `${Math.round(share * 100)} %`, share };
}

/** How long something took on average. */
export function lasted(ms: number | null | undefined, language: Language): Cell {
  return typeof ms !== 'number' ? { value: '', shown: '–' } : { value: ms, shown: took(ms, language) };
}

/** The kind of a case. */
export function kindCell(kind: string, language: Language): Cell {
  return wordCell('case', kind, language);
}

/** A name of code, in the words that its family has for it. */
export function wordCell(family: string, name: string, language: Language): Cell {
  return { value: name, shown: wordFor(language, family, name) };
}

/** The name of something. Of a thing without one: itself. */
export function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}
