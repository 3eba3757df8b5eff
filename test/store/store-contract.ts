import { describe, expect, test } from 'vitest';
import { type Due, SAME, type Store, StoreDown, type Write } from '../../src/store/store.ts';
import { forEachTest } from '../kit/for-each-test.ts';
import { describeListener, describeSchedule, describeWatcher } from './store-console.ts';
import { describeReplicated } from './store-replicated.ts';

/** Opens an empty store of its own for one test. */
export type OpenStore = (options?: { turnsMax?: number; recorded?: boolean }) => Promise<Store>;

const NOW = 1_700_000_000_000;
const LEASE_MS = 5_000;

const VALUES: readonly [label: string, value: string][] = [
  ['nothing', ''],
  ['JSON', '{"state":"askingAmount","to":"+212612345678"}'],
  ['the separator of versions', '7|8|'],
  ['new lines', 'a\nb\r\nc\r\n'],
  ['control characters', '\u0000\u0001\u001b[2J\u007f'],
  ['Arabic, emoji and marks of direction', 'رصيدك ١٢٠٠ درهم 🧾 \u2067x\u2069\u200f'],
  ['100 kB', 'é'.repeat(50_000)],
  ['a number', '12'],
  ['Lua and SQL', `'; DROP TABLE doc; --]] return redis.call("FLUSHALL")`],
];

const KEYS = [
  'ussd:+212612345678',
  'telegram:42',
  'with spaces and\nlines',
  '{p001}',
  '{other}:x',
  '}{',
  '{}',
  'due',
  'turns',
  ':',
  '%s %d \\',
  'مفتاح🔑',
  'x'.repeat(500),
];

/** The contract that every driver of `Store` keeps. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`documents of ${name}`, () => keepsDocuments(open));
  describe(`compare and set, on ${name}`, () => comparesAndSets(open));
  describe(`due documents of ${name}`, () => leasesDueDocuments(open));
  describe(`retention of ${name}`, () => forgetsDocuments(open));
  describe(`turn records of ${name}`, () => keepsTurns(open));
  describe(`${name} keeps the contract of the console`, () => {
    const store = forEachTest(open);
    describeSchedule(() => store, KEYS);
    describeWatcher(() => store);
    describeListener(() => store);
  });
  describeReplicated(name, open);
}

/** Before each test: an empty store, and short ways to use it. */
function theStore(open: OpenStore) {
  const store = forEachTest(open);
  const write = (...writes: Write[]) => store.commit(17, { writes });
  const readOne = async (key: string) => (await store.read(17, [key]))[0];
  const dueKeys = async (now: number, limit = 100) =>
    (await store.due(now, limit, LEASE_MS)).map(({ key }) => key);
  return { store, write, readOne, dueKeys };
}

function keepsDocuments(open: OpenStore): void {
  const { store, write, readOne, dueKeys } = theStore(open);

  test('a document that was never written is absent', async () => {
    expect(await store.read(17, ['a', 'b'])).toEqual([undefined, undefined]);
    expect(await store.read(17, ['a'])).toEqual([undefined]);
    expect(await store.read(17, [])).toEqual([]);
  });

  test.each(VALUES)('a value is read back as it was written: %s', async (_label, value) => {
    expect(await write({ key: 'a', version: 0, value })).toBe(true);
    expect(await readOne('a')).toEqual({ value, version: 1 });
    expect(await write({ key: 'a', version: 1, value: `${value}!` })).toBe(true);
    expect(await store.read(17, ['a', 'b'])).toEqual([{ value: `${value}!`, version: 2 }, undefined]);
  });

  test('keys of any characters are different documents of one partition', async () => {
    const writes = KEYS.map((key, i) => ({ key, version: 0, value: `${i}`, dueAt: NOW }));
    expect(await write(...writes)).toBe(true);
    expect(await store.read(17, KEYS)).toEqual(KEYS.map((_, i) => ({ value: `${i}`, version: 1 })));
    expect((await dueKeys(NOW)).sort()).toEqual([...KEYS].sort());
  });

  test('the same key in two partitions is two documents', async () => {
    await store.commit(0, { writes: [{ key: 'a', version: 0, value: 'first' }] });
    await store.commit(255, { writes: [{ key: 'a', version: 0, value: 'last' }] });
    expect(await store.read(0, ['a'])).toEqual([{ value: 'first', version: 1 }]);
    expect(await store.read(255, ['a'])).toEqual([{ value: 'last', version: 1 }]);
  });

  test('a version may jump, and only forward', async () => {
    expect(await write({ key: 'a', version: 0, next: 412_345, value: 'x' })).toBe(true);
    expect(await readOne('a')).toEqual({ value: 'x', version: 412_345 });
    expect(await write({ key: 'a', version: 1, value: 'y' })).toBe(false);
    expect(await write({ key: 'a', version: 412_345, next: 9_007_199_254_740_000, value: 'z' })).toBe(true);
    expect(await readOne('a')).toEqual({ value: 'z', version: 9_007_199_254_740_000 });
    await expect(write({ key: 'b', version: 3, next: 3, value: '' })).rejects.toThrow(RangeError);
  });

  test('versions count past one digit', async () => {
    for (let version = 0; version < 101; version++) {
      expect(await write({ key: 'a', version, value: 'x' })).toBe(true);
    }
    expect(await write({ key: 'a', version: 10, value: 'stale' })).toBe(false);
    expect(await write({ key: 'a', version: 1, value: 'stale' })).toBe(false);
    expect(await readOne('a')).toEqual({ value: 'x', version: 101 });
  });

  test('an empty commit succeeds', async () => {
    expect(await write()).toBe(true);
  });

  test('a closed store is down, and can be closed again', async () => {
    await store.close();
    await store.close();
    await expect(store.read(17, ['a'])).rejects.toThrow(StoreDown);
    await expect(write({ key: 'a', version: 0, value: 'x' })).rejects.toThrow(StoreDown);
    await expect(store.commit(17, { writes: [], turn: 'x', durable: true })).rejects.toThrow(StoreDown);
    await expect(store.due(NOW, 1, LEASE_MS)).rejects.toThrow(StoreDown);
    await expect(store.turns(17, 1)).rejects.toThrow(StoreDown);
  });
}

function comparesAndSets(open: OpenStore): void {
  const { store, write, readOne, dueKeys } = theStore(open);

  const CONFLICTS: readonly [label: string, stale: Write][] = [
    ['an older version', { key: 'a', version: 1, value: 'stale' }],
    ['a version still to come', { key: 'a', version: 3, value: 'stale' }],
    ['a second creation', { key: 'a', version: 0, value: 'stale' }],
    ['a deletion of an older version', { key: 'a', version: 1, value: null }],
    ['a deletion of what should not exist', { key: 'a', version: 0, value: null }],
    ['an update of what does not exist', { key: 'absent', version: 1, value: 'stale' }],
    ['a deletion of what does not exist', { key: 'absent', version: 1, value: null }],
  ];

  test.each(CONFLICTS)('%s is refused, and nothing else of its commit is written', async (_label, stale) => {
    await write({ key: 'a', version: 0, value: 'one' });
    await write({ key: 'a', version: 1, value: 'two', dueAt: NOW }, { key: 'b', version: 0, value: 'b' });
    const innocent: Write[] = [
      { key: 'b', version: 1, value: null },
      { key: 'c', version: 0, value: 'new', dueAt: NOW },
    ];
    expect(await store.commit(17, { writes: [...innocent, stale], turn: 'never' })).toBe(false);
    expect(await store.commit(17, { writes: [stale, ...innocent], turn: 'never' })).toBe(false);
    expect(await store.read(17, ['a', 'b', 'c', 'absent'])).toEqual([
      { value: 'two', version: 2 },
      { value: 'b', version: 1 },
      undefined,
      undefined,
    ]);
    expect(await store.turns(17, 10)).toEqual([]);
    expect(await dueKeys(NOW)).toEqual(['a']);
  });

  test('exactly one of many commits on one version wins', async () => {
    for (let version = 0; version < 10; version++) {
      const tries = Array.from({ length: 30 }, (_, i) => write({ key: 'a', version, value: `${i}` }));
      const won = (await Promise.all(tries)).flatMap((isWon, i) => (isWon ? [`${i}`] : []));
      expect(won).toHaveLength(1);
      expect(await readOne('a')).toEqual({ value: won[0], version: version + 1 });
    }
  });

  test('no update is lost when many count at once', async () => {
    const count = async () => {
      for (let done = 0; done < 5; ) {
        const { value, version } = (await readOne('sum')) ?? { value: '0', version: 0 };
        if (await write({ key: 'sum', version, value: `${Number(value) + 1}` })) done++;
      }
    };
    await Promise.all(Array.from({ length: 20 }, count));
    expect(await readOne('sum')).toEqual({ value: '100', version: 100 });
  });

  test('a deleted document can be created again', async () => {
    await write({ key: 'a', version: 0, value: 'one' });
    expect(await write({ key: 'a', version: 1, value: null })).toBe(true);
    expect(await readOne('a')).toBeUndefined();
    expect(await write({ key: 'a', version: 1, value: 'stale' })).toBe(false);
    expect(await write({ key: 'a', version: 0, value: 'new' })).toBe(true);
    expect(await readOne('a')).toEqual({ value: 'new', version: 1 });
  });

  test('deleting what is absent succeeds and changes nothing', async () => {
    expect(await write({ key: 'a', version: 0, value: null })).toBe(true);
    expect(await readOne('a')).toBeUndefined();
  });

  const BUGS: readonly [label: string, partition: number, write: Partial<Write>][] = [
    ['a partition past the last', 256, {}],
    ['a negative partition', -1, {}],
    ['half a partition', 1.5, {}],
    ['a negative version', 17, { version: -1 }],
    ['a version that is no number', 17, { version: Number.NaN }],
    ['a fraction of a millisecond to be due', 17, { dueAt: 1.5 }],
    ['no moment to be forgotten', 17, { keepUntil: Number.NaN }],
    ['an infinite retention', 17, { keepUntil: Number.POSITIVE_INFINITY }],
    ['the same document twice', 17, { key: 'before' }],
  ];

  test.each(BUGS)(
    'a mistake of the caller throws before anything is written: %s',
    async (_l, partition, bad) => {
      const writes = [
        { key: 'before', version: 0, value: 'x' },
        { key: 'a', version: 0, value: 'x', ...bad },
      ];
      await expect(store.commit(partition, { writes })).rejects.toThrow(RangeError);
      expect(await store.read(17, ['before', 'a'])).toEqual([undefined, undefined]);
    },
  );
}

function leasesDueDocuments(open: OpenStore): void {
  const { store, write, readOne, dueKeys } = theStore(open);

  test('come from their moment on, the earliest first', async () => {
    await write(
      { key: 'third', version: 0, value: 'x', dueAt: NOW + 3 },
      { key: 'first', version: 0, value: 'x', dueAt: NOW + 1 },
      { key: 'second', version: 0, value: 'x', dueAt: NOW + 2 },
      { key: 'later', version: 0, value: 'x', dueAt: NOW + 4 },
      { key: 'never', version: 0, value: 'x' },
    );
    expect(await store.due(NOW, 100, LEASE_MS)).toEqual([]);
    expect(await store.due(NOW + 3, 100, LEASE_MS)).toEqual(
      ['first', 'second', 'third'].map((key) => ({ partition: 17, key })),
    );
  });

  test('are leased to one caller until the lease ends', async () => {
    await write({ key: 'a', version: 0, value: 'x', dueAt: NOW });
    expect(await dueKeys(NOW)).toEqual(['a']);
    expect(await dueKeys(NOW + LEASE_MS - 1)).toEqual([]);
    expect(await dueKeys(NOW + LEASE_MS)).toEqual(['a']);
    expect(await readOne('a')).toEqual({ value: 'x', version: 1 });
  });

  test('are given to one of many callers at once', async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    await write(...keys.map((key) => ({ key, version: 0, value: 'x', dueAt: NOW })));
    const given = await Promise.all(Array.from({ length: 5 }, () => dueKeys(NOW)));
    expect(given.flat().sort()).toEqual([...keys].sort());
  });

  const ENDS: readonly [label: string, Partial<Write>, at: number | null][] = [
    ['a commit without a moment ends it', {}, null],
    ['a commit with null ends it', { dueAt: null }, null],
    ['a deletion ends it', { value: null }, null],
    ['a deletion ends it, whatever it says', { value: null, dueAt: NOW }, null],
    ['"same" leaves the lease as it is', { dueAt: SAME }, NOW + LEASE_MS],
    ['a later moment puts it off', { dueAt: NOW + 60_000 }, NOW + 60_000],
    ['an earlier moment, within the lease, counts', { dueAt: NOW + 10 }, NOW + 10],
  ];

  test.each(ENDS)('%s', async (_label, change, at) => {
    await write({ key: 'a', version: 0, value: 'x', dueAt: NOW });
    expect(await dueKeys(NOW)).toEqual(['a']);
    expect(await write({ key: 'a', version: 1, value: 'y', ...change })).toBe(true);
    if (at !== null) {
      expect(await dueKeys(at - 1)).toEqual([]);
      expect(await dueKeys(at)).toEqual(['a']);
    } else expect(await dueKeys(NOW + 10 * LEASE_MS)).toEqual([]);
  });

  test('a refused commit leaves the due entry as it was', async () => {
    await write({ key: 'a', version: 0, value: 'x', dueAt: NOW });
    expect(await write({ key: 'a', version: 7, value: 'y' })).toBe(false);
    expect(await dueKeys(NOW)).toEqual(['a']);
  });

  test('are limited over all partitions, and the rest comes next', async () => {
    const all: Due[] = [];
    for (const partition of [0, 17, 200, 255]) {
      const keys = Array.from({ length: 5 }, (_, i) => `k${i}`);
      all.push(...keys.map((key) => ({ partition, key })));
      await store.commit(partition, {
        writes: keys.map((key) => ({ key, version: 0, value: 'x', dueAt: NOW })),
      });
    }
    const given: Due[][] = [];
    for (let i = 0; i < 4; i++) given.push(await store.due(NOW, 6, LEASE_MS));
    expect(given.map((some) => some.length)).toEqual([6, 6, 6, 2]);
    const text = (some: Due[]) => some.map(({ partition, key }) => `${partition} ${key}`).sort();
    expect(text(given.flat())).toEqual(text(all));
    expect(await store.due(NOW, 0, LEASE_MS)).toEqual([]);
  });
}

function forgetsDocuments(open: OpenStore): void {
  const { store, write, readOne, dueKeys } = theStore(open);

  const kept = { key: 'kept', version: 0, value: 'x', keepUntil: Date.now() + 3_600_000 };

  test.each([0, 1, Date.now() - 1])(
    'a document past its retention is absent: until %i',
    async (keepUntil) => {
      expect(await write({ key: 'old', version: 0, value: 'x', dueAt: NOW, keepUntil }, kept)).toBe(true);
      expect(await store.read(17, ['old', 'kept'])).toEqual([undefined, { value: 'x', version: 1 }]);
      expect(await readOne('old')).toBeUndefined();
      expect(await write({ key: 'old', version: 1, value: 'y' })).toBe(false);
      expect(await dueKeys(NOW)).toEqual([]);
    },
  );

  test('a document goes at the end of its retention, and can be created again without a due moment', async () => {
    const keepUntil = Date.now() + 150;
    await write({ key: 'old', version: 0, value: 'x', dueAt: NOW, keepUntil });
    await expect.poll(() => readOne('old'), { interval: 20 }).toBeUndefined();
    expect(await write({ key: 'old', version: 0, value: 'new' })).toBe(true);
    expect(await dueKeys(NOW)).toEqual([]);
    expect(await readOne('old')).toEqual({ value: 'new', version: 1 });
  });

  test('a later write decides anew how long it is kept', async () => {
    const keepUntil = Date.now() + 1_500;
    await write({ key: 'a', version: 0, value: 'x', keepUntil });
    expect(await write({ key: 'a', version: 1, value: 'y' })).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, keepUntil + 100 - Date.now()));
    expect(await readOne('a')).toEqual({ value: 'y', version: 2 });
  });
}

function keepsTurns(open: OpenStore): void {
  const { store } = theStore(open);

  test('come newest first, each with its own id', async () => {
    for (let i = 0; i < 5; i++) await store.commit(17, { writes: [], turn: `{"n":${i}}` });
    const entries = await store.turns(17, 3);
    expect(entries.map(({ record }) => record)).toEqual(['{"n":4}', '{"n":3}', '{"n":2}']);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
    expect(await store.turns(17, 0)).toEqual([]);
    expect(await store.turns(18, 3)).toEqual([]);
  });

  test('come page by page, each from before the last one', async () => {
    for (let i = 0; i < 12; i++) await store.commit(17, { writes: [], turn: `${i}` });
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const page = await store.turns(17, 5, before);
      pages.push(page.map(({ record }) => record));
      before = page.at(-1)?.id;
      // A later page never has newer turns.
      await store.commit(17, { writes: [], turn: 'new' });
    } while (before !== undefined);
    expect(pages).toEqual([['11', '10', '9', '8', '7'], ['6', '5', '4', '3', '2'], ['1', '0'], []]);
  });

  test('the oldest are forgotten, in each partition apart', async () => {
    const small = await open({ turnsMax: 7 });
    await small.commit(18, { writes: [], turn: 'other' });
    for (let i = 0; i < 250; i++) await small.commit(17, { writes: [], turn: `${i}` });
    const records = (await small.turns(17, 1_000)).map(({ record }) => record);
    expect(records).toEqual(['249', '248', '247', '246', '245', '244', '243']);
    expect((await small.turns(18, 10)).map(({ record }) => record)).toEqual(['other']);
    await small.close();
  });

  test.each(VALUES.slice(1))('any text is kept as it is: %s', async (_label, turn) => {
    await store.commit(17, { writes: [], turn, durable: true });
    expect((await store.turns(17, 1))[0]?.record).toBe(turn);
  });
}
