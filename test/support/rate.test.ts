import { expect, test } from 'vitest';
import { createRate } from '../../src/support/rate.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');

test('turns a second, over the last ten whole seconds', () => {
  const rate = createRate();
  expect(rate.perSecond(NOW)).toBe(0);
  for (let ms = -20_000; ms < 0; ms += 100) rate.add(NOW + ms);
  expect(rate.perSecond(NOW)).toBe(10);
  rate.add(NOW + 1);
  expect(rate.perSecond(NOW + 500), 'the second that is going on is not over').toBe(10);
  expect(rate.perSecond(NOW + 5_000)).toBe(5.1);
  expect(rate.perSecond(NOW + 60_000)).toBe(0);
});

test('a late turn is counted in its own second, or not at all', () => {
  const rate = createRate();
  rate.add(NOW);
  rate.add(NOW - 3_000);
  rate.add(NOW - 60_000);
  expect(rate.perSecond(NOW + 1_000)).toBe(0.2);
});
