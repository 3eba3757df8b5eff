import { expect, test } from 'vitest';
import { createPace } from '../../src/conversation/pace.ts';

test('a repeated request is done once per interval, for each name', () => {
  let now = 0;
  const isDue = createPace(10, () => now);
  expect([isDue('a'), isDue('a'), isDue('b')]).toEqual([true, false, true]);
  now = 9;
  expect(isDue('a')).toBe(false);
  now = 10;
  expect([isDue('a'), isDue('a')]).toEqual([true, false]);
});

test('it forgets the oldest of too many names', () => {
  const isDue = createPace(10, () => 0);
  expect(isDue('first')).toBe(true);
  for (let n = 0; n < 10_000; n++) isDue(String(n));
  expect([isDue('9999'), isDue('first')]).toEqual([false, true]);
});
