import type { Value } from '../../machines/kit/screen.ts';
import type { Language } from '../conversation/incoming.ts';
import { type Centimes, centimes } from '../wallet/money.ts';
import { cleanCode, cleanName, cleanWords } from '../wallet/names.ts';
import { type Msisdn, nationalNumber } from '../wallet/phone.ts';
import { type Rib, ribEnd, ribInGroups } from '../wallet/rib.ts';
import { transliterate } from './gsm7.ts';
import { FSI, HIDE, LRI, NBSP, PDI, SHOW, withoutMarks } from './marks.ts';
import type { MoneyFormat } from './template.ts';

/**
 * The medium of a sentence: a chat, a USSD page or an SMS. `brief`: a USSD page that it shares with the screen below it. `short`: a small button or
 * the title of a row in a chat, whose other line has all of the words.
 */
export type Medium = 'chat' | 'ussd' | 'sms' | 'brief' | 'short';

/** A value that is not a sentence of its own. */
type Datum = Exclude<Value, { say: string } | { lines: readonly unknown[] } | { sealed: string }>;

const CHAT_NAME_CHARS_MAX = 40;
const TEXT_NAME_CHARS_MAX = 25;
const SENTENCE_CHARS_MAX = 160;
/** Enough of a name to tell it by, where the whole one stands elsewhere. */
const BARE_NAME_CHARS_MAX = 15;
const NUMBER = /^\d{6,}$/;
/** The text that an agent writes at once. */
const WORDS_CHARS_MAX = 1_000;

interface NumberStyle {
  readonly group: string;
  readonly point: string;
  readonly before: string;
  readonly after: string;
  /** Whole amounts are written without their `,00`. */
  readonly isWhole?: true;
}

/** Written by our own code rather than by Intl, whose separators and currency names change between ICU versions (facts E4). */
const STYLES: Readonly<Record<Language, NumberStyle>> = {
  fr: { group: NBSP, point: ',', before: '', after: `${NBSP}DH` },
  ar: { group: NBSP, point: ',', before: '', after: `${NBSP}درهم` },
  en: { group: ',', point: '.', before: `MAD${NBSP}`, after: '' },
};

/** The sign of money that came in or went out. The true minus is not in GSM-7. */
const CHAT_SIGNS: Readonly<Record<number, string>> = { [-1]: '−', 0: '', 1: '+' };
const PLAIN_SIGNS: Readonly<Record<number, string>> = { ...CHAT_SIGNS, [-1]: '-' };

/**
 * Formats values in one language on one medium. Only names contain plain spaces, so a page is never cut inside an
 * amount, a number, a date or a code. `format` is for money whose currency stands elsewhere. `bare` is also for a date of these days, which needs no
 * year, for a phone or a number of a contract that its end tells, and for a name that its first words tell, up to a colon.
 * @param hosts the operator's own sites: an agent's links to them are kept
 */
export function createWriter(
  language: Language,
  medium: Medium,
  hosts: readonly string[] = [],
): (value: Datum, format?: MoneyFormat) => string {
  const styles = numberStyles(language, medium);
  const isChat = medium === 'chat' || medium === 'short';
  const signs = isChat ? CHAT_SIGNS : PLAIN_SIGNS;
  const { phone, account, moment, name, words, code, hidden, leftToRight } = {
    ...(isChat ? chatHand(language) : plainHand(language)),
    ...(medium === 'short' && SHORT_HAND),
  };

  const money = (amount: Centimes, format: MoneyFormat | 'full') => {
    const style = styles[format];
    return style.before + leftToRight(decimal(amount, style)) + style.after;
  };
  const signed = (amount: Centimes, format: MoneyFormat | 'full') => {
    const style = styles[format];
    const written = style.before + decimal(centimes(Math.abs(amount)), style);
    return leftToRight(signs[Math.sign(amount)] + written) + style.after;
  };
  const sentence = ({ text, arText, enText, byAgent }: Extract<Datum, { text: string }>) =>
    byAgent
      ? words(cleanWords(text, WORDS_CHARS_MAX, hosts))
      : name(inLanguage(language, text, arText, enText), SENTENCE_CHARS_MAX);
  const whole = (value: Extract<Datum, { text: string } | { name: string }>) =>
    'text' in value ? sentence(value) : name(inLanguage(language, value.name, value.arName));
  const bare = (text: string) =>
    NUMBER.test(text)
      ? text.slice(-4)
      : name(text.replace(/\s*:.*/, ''), BARE_NAME_CHARS_MAX + 1).replace(/[\s-]*(?:…|\.{3})$/, '');
  return (value, format: MoneyFormat | 'full' = 'full') => {
    if ('money' in value) return money(value.money, format);
    if ('signed' in value) return signed(value.signed, format);
    if ('phone' in value) return leftToRight(phone(value.phone, format));
    if ('masked' in value)
      return leftToRight(maskPhone(value.masked, medium, language).replaceAll(' ', NBSP));
    if ('account' in value) return leftToRight(account(value.account));
    if ('count' in value) return grouped(value.count, styles.full.group);
    if ('date' in value) return leftToRight(moment(value.date, format));
    if ('day' in value) return leftToRight(DAY.format(value.day));
    if ('code' in value) return leftToRight(code(value.code));
    if ('hidden' in value) return hidden(value.hidden);
    if (format !== 'bare') return whole(value);
    const { text, arText } = 'text' in value ? value : { text: value.name, arText: value.arName };
    return bare(inLanguage(language, text, arText));
  };
}

/** The text in this language, or the French one if there is none. */
function inLanguage(language: Language, text: string, arText = '', enText = ''): string {
  return (language === 'ar' && arText) || (language === 'en' && enText) || text;
}

interface Hand {
  phone(value: Msisdn, format?: MoneyFormat | 'full'): string;
  account(value: Rib): string;
  moment(milliseconds: number, format?: MoneyFormat | 'full'): string;
  name(text: string, charsMax?: number): string;
  /** Text that a person has written. */
  words(text: string): string;
  code(text: string): string;
  /** Text for its customer alone: a chat shows it when they tap it. */
  hidden(text: string): string;
  /** Protects what reads from the left inside a line that reads from the right. */
  leftToRight(text: string): string;
}

function chatHand(language: Language): Hand {
  return {
    phone: (value, format) => (format === 'bare' ? `…${value.slice(-4)}` : spacedPhone(value)),
    account: (value) => ribInGroups(value).replaceAll(' ', NBSP),
    moment,
    name: (text, charsMax = CHAT_NAME_CHARS_MAX) => FSI + cleanName(text, charsMax) + PDI,
    words: (text) => FSI + text + PDI,
    code: cleanCode,
    hidden: (text) => HIDE + LRI + cleanCode(text) + PDI + SHOW,
    leftToRight: language === 'ar' ? (text) => LRI + text + PDI : (text) => text,
  };
}

/** As little of a value as tells it from others. */
const SHORT_HAND: Partial<Hand> = {
  phone: nationalNumber,
  account: (value) => `…${ribEnd(value)}`,
  moment: (value) => DAY.format(value),
};

/** Latin names and codes in GSM-7 letters, in Arabic too: a page of names only then holds 160 of them. */
function plainHand(language: Language): Hand {
  // Dots beside digits change places in a line that reads from the right.
  const withoutDots = (text: string) => (language === 'ar' ? text.replace(/^\.{3}/, '') : text);
  return {
    phone: (value, format) =>
      format === 'bare' ? withoutDots(`...${value.slice(-4)}`) : nationalNumber(value),
    account: (value) => withoutDots(`...${ribEnd(value)}`),
    moment,
    name: (text, charsMax = TEXT_NAME_CHARS_MAX) => transliterate(cleanName(withoutMarks(text), charsMax)),
    words: (text) => transliterate(withoutMarks(text)),
    code: (text) => withoutDots(transliterate(cleanCode(withoutMarks(text)))),
    hidden: (text) => cleanCode(withoutMarks(text)),
    leftToRight: (text) => text,
  };
}

/**
 * USSD and SMS have no isolates. Between two groups of digits in an Arabic line a space would swap them on screen (`1
 * 234,50` shown as `234,50 1`, UAX #9 rule N1). So they are written without a space there. An Arabic page has 70
 * characters: it leaves out the centimes of a whole amount.
 */
function numberStyles(language: Language, medium: Medium): Record<MoneyFormat | 'full', NumberStyle> {
  const style = STYLES[language];
  const isClose = language === 'ar' && medium !== 'chat';
  const full: NumberStyle = {
    ...style,
    ...((isClose || medium === 'short') && { isWhole: true }),
    ...(isClose && { group: '' }),
  };
  const bare = { ...full, before: '', after: '' };
  return { full, bare, whole: { ...bare, isWhole: true } };
}

function decimal(amount: Centimes, style: NumberStyle): string {
  if (!Number.isSafeInteger(amount)) throw new Error('not a whole number of centimes');
  const positive = Math.abs(amount);
  const rest = positive % 100;
  const whole = (amount < 0 ? '-' : '') + grouped((positive - rest) / 100, style.group);
  return style.isWhole && rest === 0 ? whole : `${whole}${style.point}${rest < 10 ? '0' : ''}${rest}`;
}

function grouped(whole: number, separator: string): string {
  let digits = String(whole);
  if (whole < 1000) return digits;
  let groups = '';
  for (; digits.length > 3; digits = digits.slice(0, -3)) groups = separator + digits.slice(-3) + groups;
  return digits + groups;
}

function spacedPhone(phone: Msisdn): string {
  const [a, b, c, d, e] = pairs(phone);
  return a + NBSP + b + NBSP + c + NBSP + d + NBSP + e;
}

function pairs(phone: Msisdn): [string, string, string, string, string] {
  const n = nationalNumber(phone);
  return [n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), n.slice(6, 8), n.slice(8)];
}

/**
 * A number that its owner recognises and nobody else learns: `06 •• •• •• 78`, on USSD and SMS `06******78`. Arabic has
 * letters there: stars between two groups of digits would swap these (UAX #9 rule N1).
 */
export function maskPhone(phone: Msisdn, medium: Medium, language: Language): string {
  const [first, , , , last] = pairs(phone);
  if (medium === 'chat' || medium === 'short') return `${first} •• •• •• ${last}`;
  return first + (language === 'ar' ? 'xxxxxx' : '******') + last;
}

/** Morocco's offset changes by decree, so it is left to the time zone database (facts E4). Making a format costs 20 µs. */
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Casablanca',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
/** A day as short as it can be written: `21/11`. */
const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Casablanca',
  day: '2-digit',
  month: '2-digit',
});

function moment(milliseconds: number, format?: MoneyFormat | 'full'): string {
  const written = MOMENT.format(milliseconds).replace(', ', NBSP);
  return format === 'bare' ? written.replace(/\/\d{4}/, '') : written;
}
