/** Morocco's offset changes by decree, so it is left to the time zone database (facts E4). */
const OFFSET = new Intl.DateTimeFormat('en', { timeZone: 'Africa/Casablanca', timeZoneName: 'longOffset' });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A date of the wallet to ms since 1970. Without a zone it is Moroccan time, by the rules of that day. Of an hour that the clocks
 * show twice it is the second one.
 */
export function momentOf(dateTime: string): number {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(dateTime);
  const asUtc = hasZone ? Number.NaN : Date.parse(`${dateTime}Z`);
  // A date in other words than those of ISO 8601 says its zone in other words too.
  return Number.isNaN(asUtc) ? Date.parse(dateTime) : moroccan(asUtc);
}

/** When a day of Morocco begins, so many days before the day of a moment. In ms since 1970. */
export function midnight(at: number, daysAgo = 0): number {
  const shown = shownAt(at);
  return moroccan(shown - (shown % DAY_MS) - daysAgo * DAY_MS);
}

/** The clock in Morocco at a moment, as the moment at which UTC shows the same. */
export function shownAt(at: number): number {
  return at + offsetAt(at);
}

/** When clocks in Morocco show what UTC shows at a moment. */
export function moroccan(asUtc: number): number {
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}

function offsetAt(at: number): number {
  return Number(/GMT([+-]\d\d)/.exec(OFFSET.format(at))?.[1] ?? 0) * HOUR_MS;
}
