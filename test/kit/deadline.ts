import { afterAll, beforeAll, vi } from 'vitest';

/** A patience that nobody else has, and shorter than that of any channel. */
const DEADLINE_MS = 7_531;

/** The deadline of a turn: it strikes when the test says so. */
interface Deadline {
  /** For `hasPatience`. */
  readonly ms: number;
  strikes(): void;
}

/**
 * One for all tests of a file or a `describe`. A turn whose deadline strikes before a call does not make that call any
 * more. With a deadline of a few milliseconds the speed of the machine would decide the test.
 */
export function theDeadline(): Deadline {
  let strike = () => {};
  let timers: { mockRestore(): void };
  beforeAll(() => {
    const setTimer = globalThis.setTimeout;
    const setsTimer = (callback: () => void, ms?: number, ...args: []) => {
      if (ms !== DEADLINE_MS) return setTimer(callback, ms, ...args);
      strike = callback;
      return setTimer(() => {}, 0);
    };
    timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(setsTimer as typeof setTimeout);
  });
  afterAll(() => timers.mockRestore());
  return { ms: DEADLINE_MS, strikes: () => strike() };
}
