import { dayBegins, dayEnds, dayOf } from './times.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A morning begins then, or when somebody is there. */
const MORNING_MS = 9 * HOUR_MS;
const MONDAY = 1;

/** Until when a case is put off, as agents choose it most often. */
export const SNOOZES = ['hour', 'hours', 'tomorrow', 'monday', 'customer'] as const;

export function isSnooze(value: string): value is (typeof SNOOZES)[number] {
  return SNOOZES.some((each) => each === value);
}

interface SnoozeAsked {
  /** One of `SNOOZES`. */
  readonly for?: unknown;
  /** Instead of it a moment of Morocco, `2026-11-24T15:30`, as browsers give it. */
  readonly at?: unknown;
}

/**
 * The end of a snooze, in ms since 1970, or `customer`: until its customer writes. Undefined for neither.
 * @param opensAt when an agent is there next, from a moment on. Undefined where one is there
 */
export function snoozedUntil(
  asked: SnoozeAsked,
  now: number,
  opensAt: (at: number) => number | undefined,
): number | 'customer' | undefined {
  if (typeof asked.at === 'string' && asked.at !== '') return momentIn(asked.at);
  const morning = (at: number | undefined) => (at === undefined ? at : (opensAt(at) ?? at));
  switch (asked.for) {
    case 'hour':
      return now + HOUR_MS;
    case 'hours':
      return now + 4 * HOUR_MS;
    case 'tomorrow':
      return morning(morningAfter(now));
    case 'monday':
      return morning(mondayAfter(now));
    case 'customer':
      return 'customer';
    default:
      return undefined;
  }
}

function momentIn(text: string): number | undefined {
  const [, day = '', hours, minutes] = /^([\d-]{10})T(\d\d):(\d\d)$/.exec(text) ?? [];
  const begins = dayBegins(day);
  const [h, m] = [Number(hours), Number(minutes)];
  return begins === undefined || h > 23 || m > 59 ? undefined : begins + h * HOUR_MS + m * MINUTE_MS;
}

function morningAfter(at: number): number | undefined {
  const begins = dayEnds(dayOf(at));
  return begins === undefined ? undefined : begins + MORNING_MS;
}

function mondayAfter(at: number): number | undefined {
  const morning = morningAfter(at);
  if (morning === undefined) return undefined;
  const isMonday = new Date(`${dayOf(morning)}T12:00:00Z`).getUTCDay() === MONDAY;
  return isMonday ? morning : mondayAfter(morning);
}
