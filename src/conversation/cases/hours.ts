const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_DAYS = 7;
/** Morocco's clocks, which the law moves now and then. */
const TIME_ZONE = 'Africa/Casablanca';

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

/** The times in which somebody is there, from the day of a moment on. */
function* spansFrom(at: number, hours: OpeningHours): Generator<readonly [from: number, until: number]> {
  const { weekday, minutes } = localTime(at);
  const midnight = at - (at % MINUTE_MS) - minutes * MINUTE_MS;
  for (let day = 0; day < AHEAD_DAYS; day++) {
    const begins = midnight + day * DAY_MINUTES * MINUTE_MS;
    for (const [from, until] of hours[(weekday + day) % WEEK_DAYS] ?? [])
      yield [begins + from * MINUTE_MS, begins + until * MINUTE_MS];
  }
}

const LOCAL = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

function localTime(at: number): { readonly weekday: number; readonly minutes: number } {
  const parts = Object.fromEntries(LOCAL.formatToParts(at).map(({ type, value }) => [type, value]));
  const weekday = DAYS.indexOf(parts.weekday as (typeof DAYS)[number]);
  return { weekday, minutes: Number(parts.hour) * 60 + Number(parts.minute) };
}
