import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../conversation/incoming.ts';

/** The first language of the browser's that we speak: `ar-MA` is Arabic. */
export function browserLanguage(c: Context): Language {
  return accepts(c, {
    header: 'Accept-Language',
    supports: [...LANGUAGES],
    default: DEFAULT_LANGUAGE,
    match: (languages) =>
      [...languages]
        .sort((a, b) => b.q - a.q)
        .flatMap(
          ({ type }) => LANGUAGES.find((language) => language === type.slice(0, 2).toLowerCase()) ?? [],
        )
        .at(0) ?? DEFAULT_LANGUAGE,
  }) as Language;
}
