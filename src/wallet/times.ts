/** A date to ms since 1970. Without a zone it is Moroccan time, which is UTC since 2026-09-20 (facts E4). */
export function momentOf(dateTime: string): number {
  const asUtc = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(dateTime) ? dateTime : `${dateTime}Z`);
  // A date in other words than those of ISO 8601 says its zone in other words too.
  return Number.isNaN(asUtc) ? Date.parse(dateTime) : asUtc;
}
