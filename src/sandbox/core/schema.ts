import { readFileSync } from 'node:fs';

/** Raised with every change of the tables: a file of another version begins again, for it holds play money. */
export const SCHEMA_VERSION = 7;

/** The tables with their indexes and triggers. It makes those that are not there. */
export const SCHEMA = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');

const named = (kind: string) =>
  [...SCHEMA.matchAll(new RegExp(`CREATE (?:UNIQUE )?${kind} IF NOT EXISTS (\\w+)`, 'g'))].map(
    ([, name = '']) => name,
  );
export const TABLES = named('TABLE');
export const TRIGGERS = named('TRIGGER');
export const INDEXES = named('INDEX');
