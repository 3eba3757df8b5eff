import { beforeEach, describe, expect, test } from 'vitest';
import type { Store, Write } from '../../src/store/store.ts';

const NOW = 1_700_000_000_000;

const writeTo = (store: Store, ...writes: Write[]) => store.commit(17, { writes });

/** The questions of a console to a store: the documents that are due now or later. `keys` have any characters. */
export function describeSchedule(open: () => Store, keys: readonly string[]): void {
  describe('scheduled documents', () => {
    const keysOf = async (prefix: string, limit = 100) =>
      (await open().scheduled(17, prefix, limit)).map(({ key }) => key);

    test('are those with a moment, past or future, the earliest first', async () => {
      await writeTo(
        open(),
        { key: 'intent:b', version: 0, value: '', dueAt: NOW + 2 },
        { key: 'intent:a', version: 0, value: '', dueAt: NOW + 9e9 },
        { key: 'intent:c', version: 0, value: '', dueAt: 1 },
        { key: 'intent:settled', version: 0, value: '' },
        { key: 'intents', version: 0, value: '', dueAt: NOW },
        { key: 'help:a', version: 0, value: '', dueAt: NOW },
      );
      await open().commit(18, { writes: [{ key: 'intent:d', version: 0, value: '', dueAt: NOW }] });
      expect(await open().scheduled(17, 'intent:', 100)).toEqual([
        { key: 'intent:c', at: 1 },
        { key: 'intent:b', at: NOW + 2 },
        { key: 'intent:a', at: NOW + 9e9 },
      ]);
      expect(await keysOf('intent:', 2)).toEqual(['intent:c', 'intent:b']);
      expect(await keysOf('intent:', 0)).toEqual([]);
      expect(await keysOf('nothing:')).toEqual([]);
    });

    test('are no more once they are deleted or not due any more', async () => {
      await writeTo(
        open(),
        { key: 'a', version: 0, value: '', dueAt: NOW },
        { key: 'b', version: 0, value: '', dueAt: NOW },
      );
      await writeTo(open(), { key: 'a', version: 1, value: null }, { key: 'b', version: 1, value: '' });
      expect(await keysOf('')).toEqual([]);
    });

    test.each(keys)('are found by a prefix of any characters: %j', async (key) => {
      await writeTo(
        open(),
        { key, version: 0, value: '', dueAt: NOW },
        { key: `not ${key}`, version: 0, value: '', dueAt: NOW },
      );
      expect(await keysOf(key)).toEqual([key]);
    });

    test('a prefix is no pattern', async () => {
      await writeTo(open(), { key: 'anything', version: 0, value: '', dueAt: NOW });
      for (const prefix of ['*', 'a*', '?', '[a]', 'any\\thing']) expect(await keysOf(prefix)).toEqual([]);
    });

    test('many thousands of others do not hide one', async () => {
      const others = Array.from({ length: 3_000 }, (_, i) => ({
        key: `session:${i}`,
        version: 0,
        value: '',
        dueAt: NOW,
      }));
      await writeTo(open(), ...others, { key: 'intent:a', version: 0, value: '', dueAt: NOW });
      expect(await keysOf('intent:')).toEqual(['intent:a']);
    });
  });
}

/** … and to be told of turns as they are committed. */
export function describeWatcher(open: () => Store): void {
  describe('a watcher', () => {
    const heard: string[] = [];
    const watcher = {
      turn: (record: string) => void heard.push(record),
      missed: () => void heard.push('missed'),
    };
    beforeEach(() => {
      heard.length = 0;
    });

    test('hears every turn of every partition once, in the partition’s order, until it stops', async () => {
      await open().commit(1, { writes: [], turn: 'before' });
      const stop = await open().watch(watcher);
      for (const [partition, turn] of [
        [3, 'one'],
        [250, 'elsewhere {"é":"رصيدك"}'],
        [3, 'two'],
      ] as const) {
        await open().commit(partition, { writes: [], turn });
      }
      await expect.poll(() => heard.toSorted()).toEqual(['elsewhere {"é":"رصيدك"}', 'one', 'two']);
      expect(heard.indexOf('one')).toBeLessThan(heard.indexOf('two'));
      await stop();
      await open().commit(3, { writes: [], turn: 'after' });
      expect(heard).toHaveLength(3);
    });

    test('hears nothing of a refused commit or one without a turn', async () => {
      const stop = await open().watch(watcher);
      await writeTo(open(), { key: 'a', version: 0, value: '' });
      await open().commit(17, { writes: [{ key: 'a', version: 0, value: '' }], turn: 'refused' });
      await open().commit(17, { writes: [], turn: 'last' });
      await expect.poll(() => heard).toEqual(['last']);
      await stop();
    });

    test('is one of several', async () => {
      const others: string[] = [];
      const stops = [
        await open().watch(watcher),
        await open().watch({ turn: (record) => void others.push(record), missed() {} }),
      ];
      await open().commit(0, { writes: [], turn: 'both' });
      await expect.poll(() => [heard, others]).toEqual([['both'], ['both']]);
      for (const stop of stops) await stop();
    });
  });
}

/** … and to be told of names by other processes. */
export function describeListener(open: () => Store): void {
  describe('a listener', () => {
    test('hears every published name of any partition once, until it stops', async () => {
      const heard: string[] = [];
      const others: string[] = [];
      await open().tell(3, 'before');
      const stops = [
        await open().listen({ named: (name) => void heard.push(name), missed() {} }),
        await open().listen({ named: (name) => void others.push(name), missed() {} }),
      ];
      await open().tell(3, 'one');
      await open().tell(250, 'web:é رصيدك');
      // A turn is another matter.
      await open().commit(3, { writes: [], turn: 'turn' });
      await open().tell(3, 'two');
      await expect.poll(() => heard.toSorted()).toEqual(['one', 'two', 'web:é رصيدك']);
      await expect.poll(() => others.toSorted()).toEqual(heard.toSorted());
      expect(heard.indexOf('one')).toBeLessThan(heard.indexOf('two'));
      for (const stop of stops) await stop();
      await open().tell(3, 'after');
      expect(heard).toHaveLength(3);
    });
  });
}
