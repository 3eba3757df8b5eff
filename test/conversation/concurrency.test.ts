import { expect, test } from 'vitest';
import { createConcurrency } from '../../src/conversation/concurrency.ts';

/** Somebody who does work: `capacity` at once take `ms` each, and more of it waits, so that each takes longer. */
function place() {
  let at = 0;
  const concurrency = createConcurrency(() => at);
  return {
    concurrency,
    /** So many rounds of as much as there may be, or of `load`. */
    rounds(
      count: number,
      {
        ms,
        capacity,
        load = Number.POSITIVE_INFINITY,
        kind = 'work',
        isWell = true,
      }: {
        readonly ms: number;
        readonly capacity: number;
        readonly load?: number;
        readonly kind?: string;
        readonly isWell?: boolean;
      },
    ): number {
      for (let round = 0; round < count; round++) {
        const begun = Array.from({ length: Math.min(load, concurrency.limit()) }, () =>
          concurrency.begin(kind),
        );
        at += ms * Math.max(1, begun.length / capacity);
        for (const ends of begun) ends(isWell);
      }
      return concurrency.limit();
    },
  };
}

test('steady work runs more and more in parallel, at any duration', () => {
  for (const ms of [5, 20, 2_000]) expect(place().rounds(300, { ms, capacity: 10_000 })).toBe(1_000);
});

test('the limit of parallel work is found from below and from above', () => {
  for (const capacity of [30, 300]) {
    const limit = place().rounds(300, { ms: 500, capacity });
    expect(limit).toBeGreaterThan(capacity * 0.5);
    expect(limit).toBeLessThan(capacity * 3);
  }
});

test('work that becomes slow runs less in parallel, and more again once it is quick', () => {
  const here = place();
  const before = here.rounds(100, { ms: 100, capacity: 500 });
  const slow = here.rounds(10, { ms: 100, capacity: 10 });
  expect(slow).toBeLessThan(before / 2);
  expect(slow).toBeGreaterThanOrEqual(10);
  expect(here.rounds(200, { ms: 100, capacity: 500 })).toBeGreaterThan(before / 2);
  // A wallet that is ten times as slow at any load is not spared for ever.
  expect(here.rounds(200, { ms: 1_000, capacity: 500 })).toBeGreaterThan(before / 2);
});

test('one slow kind of work does not slow another kind down', () => {
  const here = place();
  for (let i = 0; i < 200; i++) {
    here.rounds(1, { ms: 3_000, capacity: 10_000, kind: 'intent' });
    here.rounds(1, { ms: 60, capacity: 10_000, kind: 'session' });
  }
  expect(here.concurrency.limit()).toBe(1_000);
});

test('failing work runs less in parallel, down to a minimum', () => {
  expect(place().rounds(500, { ms: 1, capacity: 10_000, isWell: false })).toBe(10);
});

test('a little work gives no hint about a higher limit', () => {
  expect(place().rounds(500, { ms: 100, capacity: 10_000, load: 3 })).toBe(20);
});

test('there is room up to the limit, and again after one has ended', () => {
  const { concurrency } = place();
  const all = Array.from({ length: 20 }, () => concurrency.begin('work'));
  expect([concurrency.hasRoom(), concurrency.underWay()]).toEqual([false, 20]);
  all[0]?.(true);
  expect([concurrency.hasRoom(), concurrency.underWay()]).toEqual([true, 19]);
});
