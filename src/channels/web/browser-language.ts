import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../conversation/incoming.ts';

/** The first language of the browser's that we speak. */
export function browserLanguage(c: Context): Language {
  const supports = [...LANGUAGES];
  return accepts(c, { header: 'Accept-Language', supports, default: DEFAULT_LANGUAGE }) as Language;
}
