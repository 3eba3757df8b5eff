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

/** A name of code as it stands in a key: `GivenUp` for `given-up`. */
type InKey<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${InKey<Rest>}`
  : Capitalize<Name>;

/** The names in a family of sentences: `done` of `console.saidDone`. */
export type NameIn<Family extends string> = ConsoleKey & `console.${Family}${string}` extends infer Key
  ? Key extends `console.${Family}${infer Name}`
    ? Uncapitalize<Name>
    : never
  : never;

/** The sentence for a name of code in its family: `console.caseStepNote` for the step `note`. The compiler knows whether there is one. */
export function keyIn<Family extends string, Name extends string | number>(family: Family, name: Name) {
  const words = `${name}`.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `console.${family}${words.join('')}` as `console.${Family}${InKey<`${Name}`>}`;
}

/** The same in words. A name that has none, such as one of another release, is left as it is. */
export function wordFor(language: Language, family: string, name: string): string {
  const key: string = keyIn(family, name);
  return name && isConsoleKey(key) ? say(language, key) : name;
}
