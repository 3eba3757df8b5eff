import { csvLine } from '../csv.ts';
import type { Entry } from './deeds.ts';

const COLUMNS = [
  'n',
  'at',
  'who',
  'from',
  'session',
  'act',
  'on',
  'about',
  'what',
  'why',
  'end',
  'endWhy',
  'endedAt',
] as const satisfies (keyof Entry)[];

/** Entries as a CSV with the names of its columns. @param shown what becomes of a text, which may have to be masked */
export async function* csvOf(
  entries: AsyncIterable<Entry>,
  shown: (text: string) => string,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const entry of entries)
    yield csvLine(COLUMNS.map((name) => textOf(name, entry)).map((each) => each && shown(each)));
}

/** The same as a line of JSON for each. */
export async function* jsonLinesOf(
  entries: AsyncIterable<Entry>,
  shown: (text: string) => string,
): AsyncGenerator<string> {
  for await (const entry of entries) yield `${shown(jsonOf(entry))}\n`;
}

/** An entry as a line of JSON, with moments as ISO 8601 has them. */
export function jsonOf(entry: Entry): string {
  return JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, textOf(name, entry)])));
}

function textOf(name: (typeof COLUMNS)[number], entry: Entry): string | undefined {
  const value = entry[name];
  if (value === undefined) return undefined;
  return name === 'at' || name === 'endedAt' ? new Date(value).toISOString() : String(value);
}
