import { expect, test } from 'vitest';
import { versionAfter } from '../../src/store/version.ts';

test('versions only grow, stay exact and are unique', () => {
  const after = Array.from({ length: 1_000 }, () => versionAfter(7));
  for (const version of after) expect(Number.isSafeInteger(version) && version > 7).toBe(true);
  expect(new Set(after).size).toBeGreaterThan(990);
  // A million writes of one document leave room.
  expect(Number.isSafeInteger(versionAfter(1e6 * 1e6))).toBe(true);
});
