import { z } from 'zod';
import { type JsonColumn, jsonColumn } from '../core/json-column.ts';

/** The sandbox's own idea of the time, in ms since 1970. */
export interface Clock {
  now(): number;
}

export const REAL_TIME: Clock = { now: () => Date.now() };

/** How a movable clock differs from the time underneath. */
interface Hands {
  /** How far it is ahead, in ms. Below zero it is behind, because it was stopped for a while. */
  readonly aheadMs: number;
  /** The moment at which it is stopped. Absent: it runs. */
  readonly frozenAt?: number | undefined;
}

/** The hands as they are kept over a restart. */
export const HANDS: JsonColumn<Hands> = jsonColumn(
  'meta.clock',
  z.object({ aheadMs: z.number(), frozenAt: z.number().optional() }),
);

/** A clock that can be pushed forward on top of the one it was given, which goes on ticking underneath, or stopped. */
export interface MovableClock extends Clock {
  /** Moves to a moment ahead. One already past changes nothing. */
  moveTo(moment: number): void;
  /** Stops now, or at a moment. */
  freeze(at?: number): void;
  /** Runs again, from the moment at which it was stopped. */
  run(): void;
  isFrozen(): boolean;
  /** Back to the time underneath. */
  reset(): void;
}

/**
 * @param before its hands when they were last kept
 * @param keep remembers its hands, so that a restart does not turn time back
 */
export function movable(clock: Clock, before: Hands, keep: (hands: Hands) => void): MovableClock {
  let hands = before;
  const now = () => hands.frozenAt ?? clock.now() + hands.aheadMs;
  const turn = (next: Hands) => {
    hands = next;
    keep(next);
  };
  return {
    now,
    moveTo(moment) {
      const missing = moment - now();
      if (missing <= 0) return;
      turn(
        hands.frozenAt === undefined ? { aheadMs: hands.aheadMs + missing } : { ...hands, frozenAt: moment },
      );
    },
    freeze: (at = now()) => turn({ ...hands, frozenAt: at }),
    run: () => turn({ aheadMs: now() - clock.now() }),
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
