import { moroccan, shownAt } from '../../wallet/times.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** When somebody is there, by the day of the week from Sunday: from and until, in minutes of the day. */
export type OpeningHours = readonly (readonly (readonly [from: number, until: number])[])[];

/** The moment after so much time in which somebody is there, in ms since 1970. Without hours, somebody always is. */
export function afterOpenTime(at: number, ms: number, hours: OpeningHours | undefined): number {
  if (!hours) return at + ms;
  let left = ms;
  for (const [from, until] of spansFrom(at, hours)) {
    const begins = Math.max(at, from);
    if (begins + left <= until) return begins + left;
    left -= Math.max(0, until - begins);
  }
  return at + ms;
}

/** When somebody is there next, in ms since 1970; undefined while somebody is. */
export function opensAt(at: number, hours: OpeningHours | undefined): number | undefined {
  if (!hours) return undefined;
  for (const [from, until] of spansFrom(at, hours)) if (until > at) return from > at ? from : undefined;
  return undefined;
}

/** How far ahead it is looked for: more than any service level. */
const AHEAD_DAYS = 60;

/** The times in which somebody is there, from the day of a moment on. Clocks may be moved within and between these days. */
function* spansFrom(at: number, hours: OpeningHours): Generator<readonly [from: number, until: number]> {
  const shown = shownAt(at);
  for (let day = 0; day < AHEAD_DAYS; day++) {
    const begins = shown - (shown % DAY_MS) + day * DAY_MS;
    for (const [from, until] of hours[new Date(begins).getUTCDay()] ?? [])
      yield [moroccan(begins + from * MINUTE_MS), moroccan(begins + until * MINUTE_MS)];
  }
}
