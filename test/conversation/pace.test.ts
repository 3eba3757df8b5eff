import { expect, test } from 'vitest';
import { createPace } from '../../src/conversation/pace.ts';

test('what is asked for again and again is done at once, then once in so long, for each name', () => {
  let now = 0;
  const wait = createPace(10, () => now);
  expect([wait('a'), wait('a'), wait('a'), wait('b')]).toEqual([0, 10, undefined, 0]);
  now = 9;
  expect(wait('a'), 'it is still to be done').toBeUndefined();
  now = 10;
  expect([wait('a'), wait('a')], 'it was just done').toEqual([10, undefined]);
  now = 100;
  expect(wait('a')).toBe(0);
});

test('it forgets the oldest of too many names', () => {
  const wait = createPace(10, () => 0);
  expect(wait('first')).toBe(0);
  for (let n = 0; n < 10_000; n++) wait(String(n));
  expect([wait('9999'), wait('first')]).toEqual([10, 0]);
});
