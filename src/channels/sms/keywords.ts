import type { Language } from '../../conversation/incoming.ts';
import { languageOfWords } from '../../conversation/shortcuts/vocabulary.ts';

/** A customer's request by SMS. */
export type SmsRequest = 'balance' | 'help' | 'stop' | 'start';

/** The words for it, as `plain` writes them. The first list of each is answered in French, the others as they say. */
const WORDS: Readonly<Record<SmsRequest, Readonly<Record<Language, string>>>> = {
  balance: {
    // With Darija in Latin letters.
    fr: 'solde|mon solde|chhal 3ndi|chhal 3andi|ch7al 3ndi|ch7al 3andi|flousi|flouss|lflous',
    ar: 'رصيد|رصيدي|الرصيد|شحال عندي|فلوسي',
    en: 'balance|my balance',
  },
  help: {
    fr: 'aide|info|infos|menu|3awni|3awnni|3aouni',
    ar: 'مساعده|المساعده|عاوني|عاونوني|معلومات',
    en: 'help',
  },
  stop: {
    fr: 'stop|arret|arreter|stopper|desabonner|7bess|7bes|hbess|baraka',
    ar: 'توقف|اوقف|ايقاف|قف|حبس|باراكا|الغاء',
    en: 'unsubscribe|end|quit|cancel',
  },
  start: { fr: 'reprendre|reprise', ar: 'ابدا|استئناف|رجع', en: 'start|unstop|resume' },
};

const MEANING: ReadonlyMap<string, readonly [SmsRequest, Language]> = new Map(
  Object.entries(WORDS).flatMap(([request, languages]) =>
    Object.entries(languages).flatMap(([language, words]) =>
      words.split('|').map((word) => [word, [request as SmsRequest, language as Language]] as const),
    ),
  ),
);

/**
 * The request of a customer's SMS, and the language of its answer. Undefined for all else, which may be a PIN: it is
 * kept nowhere.
 */
export function requestIn(text: string): {
  readonly request: SmsRequest | undefined;
  readonly language: Language;
} {
  const [request, language] = MEANING.get(plain(text)) ?? [];
  return { request, language: language ?? languageOfWords(text) };
}

/** Without case, accents, vowel signs, punctuation and the ways to write an alif. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
