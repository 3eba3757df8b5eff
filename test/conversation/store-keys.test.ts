import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { beginWithKey, knowsKey } from '../../src/conversation/store-keys.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `the ${name} key of these tests, 32 characters`,
) as [string, string, string];

describe('the keys known to a store', () => {
  let directory: string;
  let store: Store;
  const begins = (...keys: [string, ...string[]]) => beginWithKey(store, createSecrets(...keys), false);
  beforeEach(async () => {
    directory = newDirectory('keys');
    store = await openSqliteStore({ directory });
  });
  afterEach(async () => {
    await store.close();
  });

  test('one key replaces another in the three steps of docs/operator/keys.md, in any order of starts', async () => {
    for (const keys of [[OLD], [OLD, NEW], [NEW, OLD], [OLD, NEW], [NEW, OLD], [NEW]] as [
      string,
      ...string[],
    ][])
      expect(await begins(...keys), keys.join()).toBe(true);
  });

  test.each<[string, [string, ...string[]], boolean]>([
    ['the same', [OLD], true],
    ['a new one before it', [NEW, OLD], true],
    ['a new one alone', [NEW], false],
    ['two strangers', [NEW, OTHER], false],
  ])('%s', async (_label, keys, isKnown) => {
    await begins(OLD);
    expect(await knowsKey(store, createSecrets(...keys))).toBe(isKnown);
    expect(await begins(...keys)).toBe(isKnown);
    // A refused key leaves nothing behind.
    expect(await knowsKey(store, createSecrets(...keys))).toBe(isKnown);
    expect(await begins(OLD)).toBe(true);
  });

  test('after the old one is lost, it begins with the new one', async () => {
    await begins(OLD);
    expect(await beginWithKey(store, createSecrets(NEW), true)).toBe(true);
    expect(await begins(NEW)).toBe(true);
  });
});
