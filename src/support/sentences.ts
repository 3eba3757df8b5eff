import ar from '../../locales/ar/console.json' with { type: 'json' };
import en from '../../locales/en/console.json' with { type: 'json' };
import fr from '../../locales/fr/console.json' with { type: 'json' };
import type { Values } from '../../machines/kit/screen.ts';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import { createCatalog } from '../screen/catalog.ts';
import { createVoice } from '../screen/renderer.ts';

const catalog = createCatalog({ fr: { console: fr }, ar: { console: ar }, en: { console: en } });
const VOICES = new Map(
  LANGUAGES.map((language) => [language, createVoice<string>(catalog, language, 'chat')]),
);

/**
 * A sentence of the console, `say('fr', 'console.takeOver')`, as plain text: `html` escapes it.
 * @throws for a key or value that is missing.
 */
export function say(language: Language, key: string, values?: Values): string {
  return VOICES.get(language)?.({ key, ...(values && { values }) }) ?? key;
}
