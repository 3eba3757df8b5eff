import { dayBegins, dayEnds, dayOf } from './times.ts';

const DAY_MS = 24 * 3_600_000;
/** So many days there are in one point of a course: the fewest with which it has `SPANS_MAX` points at most. */
const STEPS = [1, 7, 28, 364] as const;
const SPANS_MAX = 62;

/** Days that are counted together: the first and the last one, `2026-11-22`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A range in spans of equal length. The last one may be shorter. */
export interface Spans {
  readonly days: number;
  readonly all: readonly Span[];
}

/** @param from, to the first and the last day. No span where the last one is before the first. */
export function spansOf(from: string, to: string): Spans {
  const [begins = 0, ends = 0] = [dayBegins(from), dayEnds(to)];
  const count = Math.max(0, Math.round((ends - begins) / DAY_MS));
  const days = STEPS.find((step) => count / step <= SPANS_MAX) ?? 364;
  // Noon belongs to the same day, even when Morocco's clocks change.
  const nth = (n: number) => dayOf(begins + (n + 0.5) * DAY_MS);
  const all = Array.from({ length: Math.ceil(count / days) }, (_, i) => ({
    from: nth(i * days),
    to: nth(Math.min(count, (i + 1) * days) - 1),
  }));
  return { days, all };
}
