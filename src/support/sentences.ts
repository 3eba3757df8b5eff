import ar from '../../locales/ar/console.json' with { type: 'json' };
import en from '../../locales/en/console.json' with { type: 'json' };
import fr from '../../locales/fr/console.json' with { type: 'json' };
import type { Values } from '../../machines/kit/screen.ts';
import type { ConsoleNames } from '../../machines/kit/sentence-names.ts';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import { createCatalog } from '../screen/catalog.ts';
import { createVoice } from '../screen/renderer.ts';

/** Every sentence of the console, `console.<name>`. French has them all. */
export type ConsoleKey = `console.${ConsoleNames['console']}`;

/** True for a key whose sentence has no plural forms: a name in code may have no words of its own. */
export function isConsoleKey(key: string): key is ConsoleKey {
  return Object.hasOwn(fr, key.replace(/^console\./, ''));
}

const catalog = createCatalog({ fr: { console: fr }, ar: { console: ar }, en: { console: en } });
const VOICES = new Map(
  LANGUAGES.map((language) => [language, createVoice<ConsoleKey>(catalog, language, 'chat')]),
);

/**
 * A sentence of the console, `say('fr', 'console.takeOver')`, as plain text: `html` escapes it.
 * @throws for a key or value that is missing.
 */
export function say(language: Language, key: ConsoleKey, values?: Values): string {
  return VOICES.get(language)?.({ key, ...(values && { values }) }) ?? key;
}
