/** The sandbox's own idea of the time, in ms since 1970. */
export interface Clock {
  now(): number;
}

export const REAL_TIME: Clock = { now: () => Date.now() };

/** How a movable clock stands to the time underneath. */
export interface Hands {
  /** How far it is ahead, in ms; behind where below zero: it stood still for a while. */
  readonly aheadMs: number;
  /** The moment at which it stands still; absent: it goes. */
  readonly frozenAt?: number | undefined;
}

/** A clock that can be pushed forward on top of the one it was given, which goes on ticking underneath, or stopped. */
export interface MovableClock extends Clock {
  /** Moves to a moment ahead; one already past changes nothing. */
  moveTo(moment: number): void;
  /** Stands still from now on, or at a moment. */
  freeze(at?: number): void;
  /** Goes on from where it stands. */
  run(): void;
  isFrozen(): boolean;
  /** Back to the time underneath. */
  reset(): void;
}

/**
 * @param before how it stood when it was last kept
 * @param keep remembers how it stands, so that a restart does not turn time back
 */
export function movable(clock: Clock, before: Hands, keep: (hands: Hands) => void): MovableClock {
  let hands = before;
  const now = () => hands.frozenAt ?? clock.now() + hands.aheadMs;
  const stand = (next: Hands) => {
    hands = next;
    keep(next);
  };
  return {
    now,
    moveTo(moment) {
      const missing = moment - now();
      if (missing <= 0) return;
      stand(
        hands.frozenAt === undefined ? { aheadMs: hands.aheadMs + missing } : { ...hands, frozenAt: moment },
      );
    },
    freeze: (at = now()) => stand({ ...hands, frozenAt: at }),
    run: () => stand({ aheadMs: now() - clock.now() }),
    isFrozen: () => hands.frozenAt !== undefined,
    reset() {
      hands = { aheadMs: 0 };
    },
  };
}

/** The time now, as the API writes it. */
export function nowIso({ clock }: { readonly clock: Clock }): string {
  return new Date(clock.now()).toISOString();
}
