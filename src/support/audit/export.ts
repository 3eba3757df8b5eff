import type { Language } from '../../conversation/incoming.ts';
import { csvLine } from '../csv.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Entry } from './deeds.ts';

const HEADINGS = {
  n: 'console.auditNumber',
  at: 'console.auditAt',
  who: 'console.auditWho',
  from: 'console.auditFrom',
  session: 'console.auditSession',
  act: 'console.auditAct',
  on: 'console.auditOn',
  about: 'console.customer',
  what: 'console.auditDetails',
  why: 'console.auditWhy',
  end: 'console.auditOutcome',
  endWhy: 'console.auditEndWhy',
  endedAt: 'console.auditEndedAt',
} as const satisfies Partial<Record<keyof Entry, ConsoleKey>>;
const COLUMNS = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];

/** Entries as a CSV with headings for its reader. @param shown what becomes of a text, which may have to be masked */
export async function* csvOf(
  entries: AsyncIterable<Entry>,
  shown: (text: string) => string,
  language: Language,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map((name) => say(language, HEADINGS[name])));
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
