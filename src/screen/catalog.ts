import { createInstance, type i18n } from 'i18next';
import type { Language } from '../conversation/incoming.ts';
import { transliterate } from './gsm7.ts';
import type { Locales } from './locales.ts';
import { NBSP, startingRight, withoutMarks } from './marks.ts';
import { compile, type Template } from './template.ts';
import type { Medium } from './values.ts';

/** Finds the template of a sentence, in the plural form for `count`. Throws for a key that the language does not have. */
type FindTemplate = (key: string, count: number | undefined) => Template;

/** Makes the finder of one language on one medium. */
export type Catalog = (language: Language, medium: Medium) => FindTemplate;

/**
 * i18next chooses the sentence (medium, plural form) once for each combination. We prepare its choice for the medium,
 * cut it at its placeholders and keep it. A turn only joins strings, and a value can never be taken for a placeholder.
 */
export function createCatalog(locales: Locales): Catalog {
  const i18n = createInstance();
  i18n.init({
    resources: locales,
    initAsync: false,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    returnEmptyString: false,
    parseMissingKeyHandler: () => '',
    interpolation: { escapeValue: false },
  });
  return (language, medium) => finder(i18n, language, medium);
}

function finder(i18n: i18n, language: Language, medium: Medium): FindTemplate {
  const known = new Map<string, Template>();
  const plurals = new Intl.PluralRules(language);
  return (key, count) => {
    const form = count === undefined ? key : `${key} ${count === 0 ? 'zero' : plurals.select(count)}`;
    let template = known.get(form);
    if (!template) {
      template = prepared(
        sentenceOf(i18n, { key, count, language, medium }),
        language,
        medium,
        WITH_ARABIC.test(key),
      );
      known.set(form, template);
    }
    return template;
  };
}

interface Wanted {
  readonly key: string;
  readonly count: number | undefined;
  readonly language: Language;
  readonly medium: Medium;
}

function sentenceOf(i18n: i18n, { key, count, language, medium }: Wanted): string {
  const dot = key.indexOf('.');
  const name = key.slice(dot + 1);
  // A sentence without a short form is the same on every kind of page.
  const sentence = i18n.t(medium === 'brief' ? [`${name}_brief`, name] : name, {
    lng: language,
    ns: key.slice(0, dot),
    ...(medium !== 'chat' && { context: medium === 'brief' ? 'ussd' : medium }),
    ...(count !== undefined && { count }),
    skipInterpolation: true,
  });
  if (!sentence) throw new Error(`no sentence ${key} in language ${language}`);
  return sentence;
}

/** French sets a space before these and after `«`, and a line or page must not begin or end with one. */
const SPACE_AT_MARK = / (?=[?!:;»])|(?<=«) /g;

/** The names of the languages: one of them is in Arabic letters, so that their page has all letters. */
const WITH_ARABIC = /^language\.(?!choose)/;

function prepared(sentence: string, language: Language, medium: Medium, hasAll: boolean): Template {
  if (medium === 'chat' || medium === 'short')
    return compile(language === 'ar' ? startingRight(sentence) : sentence.replace(SPACE_AT_MARK, NBSP));
  const written = language === 'ar' ? sentence.replace(ISOLATED_NUMBER, nationally) : sentence;
  // A part can be empty (`DETAILS`), which a blank at the end of a text is not.
  const visible = written.split('\f').map(withoutMarks).join('\f');
  return compile(
    (language === 'ar' || hasAll ? visible : transliterate(visible)).replace(SPACE_AT_MARK, NBSP),
  );
}

/** The operator's number in an Arabic sentence. A page has no isolates, and there the groups of digits would change places. */
const ISOLATED_NUMBER = /\u2066[+0][\d\u00a0]{8,}\u2069/g;

function nationally(number: string): string {
  return number.replaceAll(/[^+\d]/g, '').replace(/^\+212/, '0');
}
