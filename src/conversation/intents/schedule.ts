import { type Intent, isOpen, needsPerson } from './intent.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After so long without a trace the customer is told that no operation was found; the intent is still watched. */
export const HORIZON_MS = 72 * HOUR_MS;
/** When an open intent is looked for, counted from the send: first in seconds, then every 5 min, then hourly (rule 7). */
const FIRST_MS: readonly number[] = [5, 15, 30, 60, 120].map((seconds) => seconds * SECOND_MS);
const OFTEN = { everyMs: 5 * MINUTE_MS, untilMs: HOUR_MS } as const;
const SELDOM = { everyMs: HOUR_MS, untilMs: HORIZON_MS } as const;

/** How often people are told again of a payment that only they can settle. */
const REMIND_MS = 24 * HOUR_MS;

/**
 * When an intent is to be looked for next, or its need of a person said again, in ms since 1970; undefined once its outcome
 * is known.
 */
export function nextCheck(intent: Intent, now: number): number | undefined {
  if (needsPerson(intent)) return now + REMIND_MS;
  if (!isOpen(intent)) return undefined;
  const age = now - intent.sentAt;
  const first = FIRST_MS.find((after) => after > age);
  if (first !== undefined) return intent.sentAt + first;
  const { everyMs, untilMs } = age < OFTEN.untilMs ? OFTEN : SELDOM;
  const next = (Math.floor(age / everyMs) + 1) * everyMs;
  return intent.sentAt + Math.min(next, untilMs > age ? untilMs : next);
}
