import type { DatabaseSync } from 'node:sqlite';

/** How much of the time that the store was closed counts for retention, at most, at one start. */
export const CLOSED_MAX_MS = 24 * 3_600_000;
/** How often the time is noted in the file. */
const NOTE_EVERY_MS = 60_000;

/** The sources of time: this machine's clock, which may be set to anything, and a counter that only runs. */
export interface ClockSource {
  /** Ms since 1970. */
  readonly now: () => number;
  /** Ms since some moment. It grows by as much as really passes. */
  readonly elapsed: () => number;
}
export const MACHINE: ClockSource = { now: Date.now, elapsed: () => performance.now() };

/** The store's own time, in ms. */
export interface RetentionClock {
  now(): number;
  /** When a document is forgotten by the store's own time, for a moment in ms since 1970. */
  ownOf(keepUntil: number): number;
  /** Notes the time in the file: now and then is enough, and once more when the store is closed. */
  note(when: 'nowAndThen' | 'last'): void;
}

/**
 * Retention does not believe this machine's clock, because a start with a clock far ahead would forget everything at once.
 * The store has a time of its own, kept in the file. It began as the machine's. It grows by the time that really passes
 * while the store is open. At a start it grows by the time that the machine's clock says has passed since its last note:
 * never less than nothing, never more than `CLOSED_MAX_MS`. A document is kept for its time by this clock. A clock that
 * jumps ahead costs it a day at most, and time beyond a day for which the store was closed is added.
 */
export function openClock(db: DatabaseSync, source: ClockSource): RetentionClock {
  const noted = db.prepare('SELECT own, wall FROM clock').get() as { own: number; wall: number } | undefined;
  const put = db.prepare('INSERT OR REPLACE INTO clock (id, own, wall) VALUES (1, ?, ?)');
  const openedAt = source.elapsed();
  const wall = source.now();
  const start = noted ? noted.own + Math.min(Math.max(wall - noted.wall, 0), CLOSED_MAX_MS) : wall;
  let noteNext = start;

  const now = () => start + Math.round(source.elapsed() - openedAt);
  return {
    now,
    ownOf: (keepUntil) => now() + keepUntil - source.now(),
    note(when) {
      if (when === 'nowAndThen' && now() < noteNext) return;
      noteNext = now() + NOTE_EVERY_MS;
      try {
        put.run(now(), source.now());
      } catch {
        // The disk is full, or gone: whoever has something to write hears of it.
      }
    },
  };
}
