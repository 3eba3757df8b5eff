import { describe, expect, test } from 'vitest';
import { StoreDown, type Write } from '../../src/store/store.ts';
import { forEachTest } from '../kit/for-each-test.ts';
import type { OpenStore } from './store-contract.ts';

const NOW = 1_700_000_000_000;
const LEASE_MS = 5_000;

/** The contract of every driver for replicated commits, with enough replicas or without the need for them. */
export function describeReplicated(name: string, open: OpenStore): void {
  describe(`replicated commits, on ${name}`, () => {
    const store = forEachTest(open);
    const write = (writes: readonly Write[], turn?: string) =>
      store.commit(17, { writes, replicated: true, ...(turn && { turn }) });

    test('are written like any other, and are there for every reader', async () => {
      const writes = [
        { key: 'a', version: 0, value: 'x', dueAt: NOW },
        { key: 'b', version: 0, value: 'y' },
      ];
      expect(await write(writes, 'turn')).toBe(true);
      expect(await store.read(17, ['a', 'b'])).toEqual([
        { value: 'x', version: 1 },
        { value: 'y', version: 1 },
      ]);
      expect((await store.turns(17, 10)).map(({ record }) => record)).toEqual(['turn']);
      expect(await store.due(NOW, 10, LEASE_MS)).toEqual([{ partition: 17, key: 'a' }]);
    });

    test('are refused by a version that moved, and nothing is written', async () => {
      await store.commit(17, { writes: [{ key: 'a', version: 0, value: 'x' }] });
      const stale = { key: 'a', version: 0, value: 'stale' };
      expect(await write([{ key: 'b', version: 0, value: 'y' }, stale])).toBe(false);
      expect(await store.read(17, ['a', 'b'])).toEqual([{ value: 'x', version: 1 }, undefined]);
    });

    test('exactly one of many at once on one version wins', async () => {
      const tries = Array.from({ length: 30 }, (_, i) => write([{ key: 'a', version: 0, value: `${i}` }]));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    test('a mistake of the caller throws before anything is written', async () => {
      const twice = [1, 2].map((i) => ({ key: 'a', version: 0, value: `${i}` }));
      await expect(write(twice)).rejects.toThrow(RangeError);
      expect(await store.read(17, ['a'])).toEqual([undefined]);
    });

    test('a closed store is down', async () => {
      await store.close();
      await expect(write([])).rejects.toThrow(StoreDown);
    });
  });
}
