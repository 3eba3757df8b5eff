/** The sandbox's own idea of the time, in ms since 1970. */
export interface Clock {
  now(): number;
}

export const REAL_TIME: Clock = { now: () => Date.now() };

/** A clock that can be pushed forward on top of the one it was given, which goes on ticking underneath. */
export interface MovableClock extends Clock {
  /** Moves to a moment ahead; one already past changes nothing. */
  moveTo(moment: number): void;
  /** Back to the time underneath. */
  reset(): void;
}

/**
 * @param aheadMs how far it is ahead to begin with
 * @param keep remembers how far ahead it is, so that a restart does not turn time back
 */
export function movable(clock: Clock, aheadMs: number, keep: (aheadMs: number) => void): MovableClock {
  let ahead = aheadMs;
  return {
    now: () => clock.now() + ahead,
    moveTo(moment) {
      const missing = moment - (clock.now() + ahead);
      if (missing <= 0) return;
      ahead += missing;
      keep(ahead);
    },
    reset() {
      ahead = 0;
    },
  };
}
