import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { patiently, patientStore } from '../../src/store/patience.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type Commit, type Store, StoreAway, StoreDown } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';

/** The end of one call to the store. */
type Fate =
  | 'undone'
  /** It is done, and nobody hears so. */
  | 'unheard'
  /** Nobody hears of it, and it is not done … */
  | 'lost'
  /** … until the next commit has begun: it was on its way. */
  | 'late'
  /** Nobody hears of it, it is not done, and somebody else writes. */
  | 'overtaken'
  | 'full'
  | 'well';

const GONE = new StoreAway('gone', { isUndone: true });
const SILENT = new StoreAway('silent', { isUndone: false });
const FULL = new StoreDown('full');

let directory: string;
let real: Store;
let reads: Fate[];
let commits: Fate[];
let store: Store;
const late: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  directory = newDirectory('patience');
  real = await openSqliteStore({ directory });
  await real.commit(1, { writes: [{ key: 'a', version: 0, next: 10, value: 'before' }] });
  reads = [];
  commits = [];
  late.length = 0;
  store = patientStore({
    ...real,
    read: (partition, keys) => meets(reads.shift(), () => real.read(partition, keys)),
    async commit(partition, it) {
      for (const write of late.splice(0)) await write();
      return meets(commits.shift(), () => real.commit(partition, it));
    },
  });
});
afterEach(async () => {
  await real.close();
  vi.restoreAllMocks();
});

async function meets<T>(fate: Fate | undefined, work: () => Promise<T>): Promise<T> {
  if (fate === 'undone') throw GONE;
  if (fate === 'full') throw FULL;
  if (fate === 'unheard') await work();
  if (fate === 'late') late.push(work);
  if (fate === 'overtaken')
    await real.commit(1, { writes: [{ key: 'a', version: 10, next: 20, value: 'theirs' }] });
  if (fate === undefined || fate === 'well') return work();
  throw SILENT;
}

const OURS: Commit = { writes: [{ key: 'a', version: 10, next: 33, value: 'ours' }], turn: 'ours' };
const always = () => false;

describe('a commit by a patient caller while the store is down', () => {
  test.each<[string, Fate[], Fate[], Partial<Commit>, boolean | Error, string]>([
    ['is made once the store is back', ['undone', 'undone', 'undone'], [], {}, true, 'ours'],
    ['is not made again when it was made unheard', ['unheard'], [], {}, true, 'ours'],
    ['is made again when it was not', ['lost', 'lost'], [], {}, true, 'ours'],
    ['is known again when it arrives late', ['late'], [], {}, true, 'ours'],
    [
      'is known again after a while in which nothing can be read',
      ['unheard'],
      ['undone', 'lost'],
      {},
      true,
      'ours',
    ],
    ['loses against somebody else', ['overtaken'], [], {}, false, 'theirs'],
    ['is not tried again by a full store', ['full'], [], {}, FULL, 'before'],
    [
      'that replicas must have is tried again while it is surely undone',
      ['undone'],
      [],
      { replicated: true },
      true,
      'ours',
    ],
    [
      'that replicas must have is left uncertain',
      ['undone', 'lost'],
      [],
      { replicated: true },
      SILENT,
      'before',
    ],
    [
      'without a version of its own is left uncertain',
      ['lost'],
      [],
      { writes: [{ key: 'a', version: 10, value: 'ours' }] },
      SILENT,
      'before',
    ],
    [
      'that deletes is left uncertain',
      ['lost'],
      [],
      { writes: [{ key: 'a', version: 10, next: 33, value: null }] },
      SILENT,
      'before',
    ],
  ])('%s', async (_label, ofCommits, ofReads, more, result, value) => {
    commits = ofCommits;
    reads = ofReads;
    const done = await patiently(always, () => store.commit(1, { ...OURS, ...more })).catch((error) => error);
    expect(done).toBe(result);
    expect((await real.read(1, ['a']))[0]?.value).toBe(value);
    expect(await real.turns(1, 9)).toHaveLength(value === 'ours' ? 1 : 0);
  });

  test('is not made once nobody waits for it', async () => {
    commits = ['lost', 'well'];
    let asked = 0;
    const isOver = () => ++asked > 1;
    await expect(patiently(isOver, () => store.commit(1, OURS))).rejects.toBe(SILENT);
    expect(commits).toEqual(['well']);
  });
});

describe('a read while the store is down', () => {
  const value = async () => (await store.read(1, ['a']))[0]?.value;

  test('is repeated for a patient caller after any failure', async () => {
    reads = ['undone', 'lost', 'undone'];
    expect(await patiently(always, value)).toBe('before');
  });

  test.each<[string, Fate, () => boolean]>([
    ['by who has no time left', 'undone', () => true],
    ['by who is patient, where waiting is no use', 'full', always],
  ])('is not: %s', async (_label, fate, isOver) => {
    reads = [fate, 'well'];
    await expect(patiently(isOver, value)).rejects.toThrow(StoreDown);
    expect(reads).toEqual(['well']);
  });

  test('a call outside of it is not repeated', async () => {
    reads = ['undone', 'well'];
    await expect(value()).rejects.toBe(GONE);
  });

  test('500 callers wait at once, the next is refused, and calls to a part that answers are served', async () => {
    const away = Array.from({ length: 500 }, (): Fate => 'undone');
    reads = [...away];
    const waiting = away.map(() => patiently(always, value));
    reads = ['undone'];
    await expect(patiently(always, value)).rejects.toBe(GONE);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['before']));
    reads = ['undone'];
    expect(await patiently(always, value)).toBe('before');
  });

  test('after half a minute nobody waits for a part, but callers wait for others', async () => {
    const now = vi.spyOn(performance, 'now');
    let at = 0;
    now.mockImplementation(() => at);
    const triedOnce = () => {
      reads = ['undone'];
      return patiently(() => true, value).catch(() => {});
    };
    await triedOnce();
    // Long ago, and nobody has looked since: this is another time.
    at += 60_000;
    reads = ['undone'];
    expect(await patiently(always, value)).toBe('before');
    for (let tens = 0; tens < 4; tens++) {
      at += 10_000;
      await triedOnce();
    }
    reads = ['undone', 'well'];
    await expect(patiently(always, value)).rejects.toBe(GONE);
    reads = ['undone'];
    expect(await patiently(always, () => store.read(2, ['a']))).toEqual([undefined]);
  });
});
