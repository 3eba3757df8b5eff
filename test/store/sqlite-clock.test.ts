import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { CLOSED_MAX_MS } from '../../src/store/sqlite-clock.ts';
import type { Store } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 90 * DAY_MS;

/** A store on a machine whose clock can be set to anything, and where time passes only as told. */
function createHost() {
  const directory = newDirectory('clock');
  let wall = 1_800_000_000_000;
  let elapsed = 0;
  const clock = { now: () => wall, elapsed: () => elapsed };
  return {
    open: () => openSqliteStore({ directory, clock }),
    /** Time passes, as everybody's clock shows. */
    passes(ms: number) {
      wall += ms;
      elapsed += ms;
    },
    /** The machine's clock is changed, and no time passes. */
    jumps(ms: number) {
      wall += ms;
    },
    /** Writes a document that is kept for so long from now on. */
    keeps: (store: Store, key: string, ms: number) =>
      store.commit(1, { writes: [{ key, version: 0, value: 'x', dueAt: 1, keepUntil: wall + ms }] }),
  };
}

/** The documents that readers find, and those left after the deletion of all expired ones. */
async function kept(store: Store): Promise<boolean> {
  const [before] = await store.read(1, ['session']);
  for (let i = 0; i < 3; i++) await store.due(0, 1, 1);
  const [after] = await store.read(1, ['session']);
  const scheduled = await store.scheduled(1, '', 10);
  expect([after !== undefined, scheduled.length > 0]).toEqual([before !== undefined, before !== undefined]);
  return before !== undefined;
}

type Host = ReturnType<typeof createHost>;
/** Opens the store, does what there is to do, and closes it. */
async function runs(host: Host, work: (store: Store) => unknown = () => {}): Promise<boolean> {
  const store = await host.open();
  await work(store);
  const isKept = await kept(store);
  await store.close();
  return isKept;
}

describe('the retention of the SQLite store', () => {
  test.each<[string, boolean, (host: Host) => unknown]>([
    ['a start with a clock 92 days ahead', true, (host) => host.jumps(92 * DAY_MS)],
    ['a start with a clock ten years ahead', true, (host) => host.jumps(3_650 * DAY_MS)],
    ['a start with a clock ten years back', true, (host) => host.jumps(-3_650 * DAY_MS)],
    ['a start after a night', true, (host) => host.passes(DAY_MS / 2)],
    [
      'a hundred starts with a clock that is ahead',
      true,
      async (host) => {
        host.jumps(92 * DAY_MS);
        for (let i = 0; i < 100; i++) await runs(host, () => host.passes(1_000));
      },
    ],
    ['89 days of running', true, (host) => runs(host, () => host.passes(89 * DAY_MS))],
    ['91 days of running', false, (host) => runs(host, () => host.passes(91 * DAY_MS))],
    [
      '91 days of running, with a clock that is ten years back',
      false,
      (host) => {
        host.jumps(-3_650 * DAY_MS);
        return runs(host, () => host.passes(91 * DAY_MS));
      },
    ],
    [
      '91 days of running and closing every evening',
      false,
      async (host) => {
        for (let i = 0; i < 91; i++) {
          await runs(host, () => host.passes(DAY_MS / 2));
          host.passes(DAY_MS / 2);
        }
      },
    ],
    [
      'ten days of being closed count for one, with 88 of running',
      true,
      async (host) => {
        host.passes(10 * DAY_MS);
        await runs(host, () => host.passes(88 * DAY_MS));
      },
    ],
    [
      'ten days of being closed count for one, with 89 of running',
      false,
      async (host) => {
        host.passes(10 * DAY_MS);
        await runs(host, () => host.passes(KEPT_MS - CLOSED_MAX_MS));
      },
    ],
  ])('%s: kept %s', async (_, isKept, happens) => {
    const host = createHost();
    await runs(host, (store) => host.keeps(store, 'session', KEPT_MS));
    await happens(host);
    expect(await runs(host)).toBe(isKept);
  });

  test.each([
    ['92 days ahead', 92 * DAY_MS, KEPT_MS],
    // Setting it right is a jump ahead, which counts for a day at the next start.
    ['ten years back', -3_650 * DAY_MS, KEPT_MS - CLOSED_MAX_MS],
    ['right', 0, KEPT_MS],
  ])('a document written under a clock that is %s is kept for its retention', async (_, off, keptMs) => {
    const host = createHost();
    await runs(host);
    host.jumps(off);
    await runs(host, (store) => host.keeps(store, 'session', KEPT_MS));
    host.jumps(-off);
    expect(await runs(host, () => host.passes(keptMs - 1))).toBe(true);
    expect(await runs(host, () => host.passes(1))).toBe(false);
  });

  test('a clock that jumps while the store is open changes nothing', async () => {
    const host = createHost();
    const store = await host.open();
    await host.keeps(store, 'session', KEPT_MS);
    for (const jump of [92, -200, 3_650]) {
      host.jumps(jump * DAY_MS);
      expect(await kept(store)).toBe(true);
    }
    await store.close();
  });

  test('a short retention ends in time under any clock at the start', async () => {
    const host = createHost();
    await runs(host);
    host.jumps(92 * DAY_MS);
    const store = await host.open();
    await host.keeps(store, 'session', 3_600_000);
    host.passes(3_599_999);
    expect(await kept(store)).toBe(true);
    host.passes(1);
    expect(await kept(store)).toBe(false);
    await store.close();
  });
});
