import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSharedSentences } from './shared-sentences.ts';

/** Sentences by language, conversation (the file's name) and name. */
export type Locales = Record<string, Record<string, Readonly<Record<string, string>>>>;

const LOCALES_DIRECTORY = fileURLToPath(new URL('../../locales', import.meta.url));

let ours: Locales | undefined;

/**
 * Reads every `<directory>/<language>/<conversation>.json`, so that no list is kept by hand. Each way to pay also has
 * the shared sentences of `payment.json`. Those of this release are read once.
 * @throws for a file that is not a flat table of sentences. The start stops and names the file.
 */
export function loadLocales(directory?: string): Locales {
  if (directory !== undefined) return localesIn(directory);
  ours ??= localesIn(LOCALES_DIRECTORY);
  return ours;
}

function localesIn(directory: string): Locales {
  const locales: Locales = {};
  for (const language of readdirSync(directory)) {
    const conversations: Record<string, Record<string, string>> = {};
    for (const file of readdirSync(join(directory, language))) {
      if (!file.endsWith('.json')) continue;
      conversations[file.slice(0, -'.json'.length)] = readSentences(join(directory, language, file));
    }
    locales[language] = withSharedSentences(conversations);
  }
  return locales;
}

function readSentences(path: string): Record<string, string> {
  const sentences = parse(path);
  if (typeof sentences !== 'object' || sentences === null)
    throw new Error(`${path} is not a table of sentences`);
  for (const [name, sentence] of Object.entries(sentences)) {
    if (typeof sentence !== 'string' || sentence === '')
      throw new Error(`${path}: ${name} is not a sentence`);
  }
  return sentences as Record<string, string>;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is not JSON`, { cause });
  }
}

/** All sentences of one language, by full key with its suffixes: `transfer.askAmount_ussd_one`. */
export function sentences(language: string, directory?: string): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [conversation, table] of Object.entries(loadLocales(directory)[language] ?? {})) {
    for (const [name, sentence] of Object.entries(table)) all.set(`${conversation}.${name}`, sentence);
  }
  return all;
}
