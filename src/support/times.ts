import type { Language } from '../conversation/incoming.ts';
import { moroccan } from '../wallet/times.ts';

/** Digits are the Latin ones in every language, as everywhere in Wasl. */
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

const DURATIONS: Readonly<Record<Language, Intl.DurationFormat>> = {
  fr: new Intl.DurationFormat('fr', { style: 'short' }),
  ar: new Intl.DurationFormat('ar-MA', { style: 'narrow' }),
  en: new Intl.DurationFormat('en', { style: 'short' }),
};
/** The words that these put between hours and minutes. */
const BETWEEN_UNITS = /( et|,) /;
/** Moments are written alike in every language, always from the left, as everywhere in Wasl (facts E4). */
const TIME = { timeZone: 'Africa/Casablanca', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const CLOCK = new Intl.DateTimeFormat('en-GB', { ...TIME, second: '2-digit' });
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  ...TIME,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});

/** How long, as roughly as people say it: `12 sec`, `3 min`, `1 hr 5 min`, `2 days`. The page's script goes on with it (`pages.js`). */
export function duration(ms: number, language: Language): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const parts =
    seconds < MINUTE_S
      ? { seconds }
      : seconds < HOUR_S
        ? { minutes: Math.floor(seconds / MINUTE_S) }
        : seconds < DAY_S
          ? { hours: Math.floor(seconds / HOUR_S), minutes: Math.floor((seconds % HOUR_S) / MINUTE_S) }
          : { days: Math.floor(seconds / DAY_S) };
  return DURATIONS[language].format(seconds === 0 ? { seconds: 1 } : parts).replace(BETWEEN_UNITS, ' ');
}

/** How long something took, which may be less than a second: `42 ms`. */
export function took(ms: number, language: Language): string {
  return ms < 1_000 ? DURATIONS[language].format({ milliseconds: Math.max(1, ms) }) : duration(ms, language);
}

/** `14:05:12`: today's, in Morocco. */
export function clock(at: number): string {
  return CLOCK.format(at);
}

/** `21/11/2026`, in Morocco. */
export function day(at: number): string {
  return moment(at).slice(0, 10);
}

/** `21/11/2026 14:05`, in Morocco. */
export function moment(at: number): string {
  return MOMENT.format(at).replace(',', '');
}

const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Casablanca', dateStyle: 'short' });
const DAY_MS = DAY_S * 1_000;

/** `2026-11-22`: the day of a moment, in Morocco. A later day is greater. */
export function dayOf(at: number): string {
  return DAY.format(at);
}

/** The beginning of a day of Morocco, in ms since 1970. Undefined for an invalid day. */
export function dayBegins(day: string): number | undefined {
  const asUtc = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const at = moroccan(asUtc);
  return dayOf(at) === day ? at : undefined;
}

/** When it ends: the moment that is the next one's already. */
export function dayEnds(day: string): number | undefined {
  const begins = dayBegins(day);
  // An hour more or less: noon of the next day is always the next day.
  return begins === undefined ? undefined : dayBegins(dayOf(begins + DAY_MS * 1.5));
}
