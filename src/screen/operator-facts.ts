import type { Language } from '../conversation/incoming.ts';
import type { Locales } from './locales.ts';
import { LRI, NBSP, PDI } from './marks.ts';

/** Facts that only the operator knows and sentences name: `{{supportPhone}}`, `{{terms}}` and the others. */
export interface OperatorFacts {
  /** The number that customers call, as they read it: `0801 000 000`. */
  readonly supportPhone?: string | undefined;
  /** Where the terms of use are to be read: `https://wallet.example/terms`. */
  readonly terms?: PageOf;
  /** Where the tariffs are to be read. */
  readonly tariffs?: PageOf;
  /** The code that customers dial: `*123#`. */
  readonly ussdCode?: string | undefined;
  /** The amounts of a top-up that operators sell, in whole dirhams: `10, 20, 50` or `5-1000`. */
  readonly topUpAmounts?: string | undefined;
  /** The hours after a thaw in which large payments are refused: `24`. Absent: none. */
  readonly coolDownHours?: string | undefined;
}

/** The address of a page: one for all, or one by language. */
type PageOf = string | Readonly<Partial<Record<Language, string>>> | undefined;

/** `locked_unset` is said in the place of `locked` where that one names a fact that the operator has not given. */
const UNSET = '_unset';
const FACT = /\{\{(supportPhone|terms|tariffs|ussdCode|topUpAmounts|coolDownHours)\}\}/g;

/**
 * Puts the operator's facts into the sentences once, when they are loaded. They are the same for every customer, and no
 * conversation needs to know them. Where a fact is missing, the variant `_unset` takes the place of the sentence. A
 * sentence without that variant stays as it is, and cannot be said. A second run changes nothing.
 */
export function withOperatorFacts(locales: Locales, facts: OperatorFacts): Locales {
  const byFacts = finished.get(locales) ?? new Map<string, Locales>();
  finished.set(locales, byFacts);
  const key = JSON.stringify(facts);
  const before = byFacts.get(key);
  if (before) return before;
  const done = mapped(locales, (files, language) =>
    mapped(files, (sentences) => completed(sentences, factsIn(language as Language, facts))),
  );
  byFacts.set(key, done);
  return done;
}

/** Locales with their facts. A process reads its locales once, and the tests make many renderers of them. */
const finished = new WeakMap<Locales, Map<string, Locales>>();

/** The address of a page in one language. */
export function pageIn(page: PageOf, language: Language): string | undefined {
  return typeof page === 'object' ? page[language] : page;
}

type Facts = Readonly<Partial<Record<keyof OperatorFacts, string>>>;

function completed(sentences: Readonly<Record<string, string>>, facts: Facts) {
  const named = Object.keys(sentences).filter((name) => !name.endsWith(UNSET));
  return Object.fromEntries(
    named.map((name) => {
      const own = sentences[name] ?? '';
      const lacks = [...own.matchAll(FACT)].some(
        ([, fact]) => facts[fact as keyof OperatorFacts] === undefined,
      );
      const sentence = (lacks && sentences[name + UNSET]) || own;
      return [name, sentence.replace(FACT, (asked, fact: keyof OperatorFacts) => facts[fact] ?? asked)];
    }),
  );
}

/** As one piece, which reads from the left inside an Arabic line. */
function factsIn(language: Language, facts: OperatorFacts): Facts {
  const pages = { terms: pageIn(facts.terms, language), tariffs: pageIn(facts.tariffs, language) };
  const own = { ...facts, ...pages } as Readonly<Record<string, string>>;
  return mapped(own, (fact: string | undefined, name) => {
    const [, least, most] = (name === 'topUpAmounts' && RANGE.exec(fact ?? '')) || [];
    if (least && most) return BETWEEN[language](grouped(least, language), grouped(most, language));
    const glued = fact?.replaceAll(' ', NBSP);
    return glued && language === 'ar' ? LRI + glued + PDI : glued;
  }) as Facts;
}

/** `5-1000`: the least and the most. */
const RANGE = /^(\d+)-(\d+)$/;
const BETWEEN: Readonly<Record<Language, (least: string, most: string) => string>> = {
  fr: (least, most) => `de ${least} à ${most}`,
  ar: (least, most) => `من ${least} إلى ${most}`,
  en: (least, most) => `${least} to ${most}`,
};

/** Whole dirhams, as amounts are written. On an Arabic page groups would change places. */
function grouped(dirhams: string, language: Language): string {
  const between = { fr: NBSP, ar: '', en: ',' }[language];
  return dirhams.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, between);
}

function mapped<From, To>(
  table: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value, name)]));
}
