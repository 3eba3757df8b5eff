import { expect, test } from 'vitest';
import { nearest } from './kit/nearest.ts';

test.each([
  ['a module', 'src/http/own-host.ts', 'test/http/own-host.test.ts'],
  ['a conversation', 'machines/balance.ts', 'test/machines/balance.test.ts'],
  ['a test itself', 'test/log.test.ts', 'test/log.test.ts'],
  ['sentences, which tests read from the disk', 'locales/fr/menu.json', 'test/claims.test.ts'],
  ['a page of the manual', 'docs/safety.md', 'test/tidy.test.ts'],
])('a change of %s (%s) is tested by %s', (_what, file, expected) => {
  expect(nearest([file])).toContain(expected);
});

test('tests that are nearer come first', () => {
  const [first, ...others] = nearest(['src/store/unpack.ts']);
  expect(first).toBe('test/store/unpack.test.ts');
  expect(others).toContain('test/battery/versions.test.ts');
});

test('a file that nothing reads has no test', () => {
  expect(nearest(['src/no-such-file.ts'])).toEqual([]);
});
