import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { AUDIT_KEPT_MS, createAudit, type Verdict } from '../../src/support/audit/audit.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';

const PARTITION = partitionOf('support:audit');
const secrets = createSecrets('a secrets key of the tests, 32 characters');

let redis: RedisServer;
let redisStores = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe.each(['sqlite', 'redis'])('the audit on %s', (kind) => {
  let store: Store;
  let directory: string;
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const auditOf = (key = secrets) => createAudit(store, key, clock.now);
  beforeEach(async () => {
    clock.ahead = 0;
    directory = mkdtempSync(join(tmpdir(), 'wasl-audit-'));
    store =
      kind === 'redis'
        ? await openRedisStore({ url: redis.url, prefix: `audit${redisStores++}:` })
        : await openSqliteStore({ directory });
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const document = async (key: string) => (await store.read(PARTITION, [key]))[0];
  /** What somebody does who can write the store, but has no key. */
  async function forge(key: string, change: (value: Record<string, unknown>) => unknown): Promise<void> {
    const doc = await document(key);
    const value = change(JSON.parse(doc?.value ?? '{}') as Record<string, unknown>);
    const text = value === null ? null : JSON.stringify(value);
    expect(
      await store.commit(PARTITION, { writes: [{ key, version: doc?.version ?? 0, value: text }] }),
    ).toBe(true);
  }
  async function fill(count: number): Promise<void> {
    const audit = auditOf();
    for (let n = 1; n <= count; n++)
      await audit.append({ who: n % 2 ? 'nadia' : 'omar', act: 'seeSession', on: `web:${n}` });
  }

  test('what is written can be read back, newest first, a page at a time and filtered', async () => {
    await fill(7);
    await auditOf().append({ who: 'nadia', act: 'reveal', on: 'web:3', why: 'asked by the customer' });
    const first = await auditOf().page({ limit: 3 });
    expect(first.entries.map(({ n }) => n)).toEqual([8, 7, 6]);
    expect(first.entries[0]).toMatchObject({ who: 'nadia', act: 'reveal', why: 'asked by the customer' });
    expect(first.entries[0]).not.toHaveProperty('mac');
    const second = await auditOf().page({ limit: 10, ...(first.next && { before: first.next }) });
    expect(second.entries.map(({ n }) => n)).toEqual([5, 4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
    const numbers = async (filter: object) =>
      (await auditOf().page({ limit: 10, ...filter })).entries.map(({ n }) => n);
    expect(await numbers({ who: 'omar' })).toEqual([6, 4, 2]);
    expect(await numbers({ on: 'web:3' })).toEqual([8, 3]);
    expect(await numbers({ on: 'web:3', act: 'reveal' })).toEqual([8]);
    expect(await numbers({ who: 'nobody' })).toEqual([]);
  });

  test('many at once, from several processes, are all there and in one chain', async () => {
    const processes = [auditOf(), auditOf(), auditOf(), auditOf()];
    const deeds = Array.from({ length: 40 }, (_, i) =>
      processes[i % 4]?.append({ who: `agent${i}`, act: 'nudge' }),
    );
    await Promise.all(deeds);
    const { entries } = await auditOf().page({ limit: 100 });
    expect(new Set(entries.map(({ who }) => who)).size).toBe(40);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 40 });
  });

  test('an untouched audit is whole, also an empty one', async () => {
    expect(await auditOf().verify()).toEqual({ ok: true, count: 0, head: '0:' });
    await fill(120);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 120 });
  });

  type Forgery = readonly [what: string, forgery: () => Promise<void>, found: Verdict];
  const forgeries: readonly Forgery[] = [
    [
      'an entry changed',
      () => forge('audit:4', (entry) => ({ ...entry, who: 'somebody else' })),
      { ok: false, n: 4, why: 'changed' },
    ],
    [
      'its reason taken away',
      () => forge('audit:5', ({ on: _gone, ...entry }) => entry),
      { ok: false, n: 5, why: 'changed' },
    ],
    [
      'its moment changed',
      () => forge('audit:5', (entry) => ({ ...entry, at: Number(entry.at) - 1 })),
      { ok: false, n: 5, why: 'changed' },
    ],
    ['an entry removed', () => forge('audit:3', () => null), { ok: false, n: 3, why: 'missing' }],
    [
      'two entries changed: the first is named',
      async () => {
        await forge('audit:6', (entry) => ({ ...entry, act: 'write' }));
        await forge('audit:2', (entry) => ({ ...entry, act: 'write' }));
      },
      { ok: false, n: 2, why: 'changed' },
    ],
    [
      'two entries in the other order',
      async () => {
        const [two, three] = [await document('audit:2'), await document('audit:3')];
        await forge('audit:2', () => JSON.parse(three?.value ?? ''));
        await forge('audit:3', () => JSON.parse(two?.value ?? ''));
      },
      { ok: false, n: 2, why: 'changed' },
    ],
    [
      'the same, with their numbers put right',
      async () => {
        const [two, three] = [await document('audit:2'), await document('audit:3')];
        await forge('audit:2', () => ({ ...JSON.parse(three?.value ?? ''), n: 2 }));
        await forge('audit:3', () => ({ ...JSON.parse(two?.value ?? ''), n: 3 }));
      },
      { ok: false, n: 2, why: 'changed' },
    ],
    [
      'the last entries cut off, and the head forgotten',
      () => forge('audit:8', () => null),
      { ok: false, n: 8, why: 'missing' },
    ],
    [
      'the head set back, the entries left',
      () => forge('audit:head', (head) => ({ ...head, n: 6 })),
      { ok: false, n: 6, why: 'changed' },
    ],
    [
      'the last entries cut off, and a head made from the one before',
      async () => {
        const six = JSON.parse((await document('audit:6'))?.value ?? '');
        await forge('audit:8', () => null);
        await forge('audit:7', () => null);
        await forge('audit:head', ({ seal }) => ({ n: 6, at: six.at, mac: six.mac, seal }));
      },
      { ok: false, n: 6, why: 'head' },
    ],
    ['the head removed', () => forge('audit:head', () => null), { ok: false, n: 1, why: 'head' }],
    [
      'an entry made up at the end',
      () =>
        forge('audit:9', () => ({ n: 9, at: 1, who: 'omar', act: 'write', prev: 'x', prevAt: 1, mac: 'x' })),
      { ok: false, n: 9, why: 'head' },
    ],
  ];

  test.each(forgeries)('%s: found', async (_what, forgery, found) => {
    await fill(8);
    await forgery();
    expect(await auditOf().verify()).toEqual(found);
  });

  test('everything put back to an older copy is found with a witness that was kept elsewhere', async () => {
    await fill(3);
    const old = await document('audit:head');
    await fill(2);
    const witness = await auditOf().verify();
    if (!witness.ok) throw new Error('broken already');
    expect(await auditOf().verify(witness.head)).toMatchObject({ ok: true, count: 5 });
    await forge('audit:5', () => null);
    await forge('audit:4', () => null);
    await forge('audit:head', () => JSON.parse(old?.value ?? ''));
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 3 });
    expect(await auditOf().verify(witness.head)).toEqual({ ok: false, n: 4, why: 'missing' });
    // Nor does it help to write others in their place.
    await fill(2);
    expect(await auditOf().verify(witness.head)).toEqual({ ok: false, n: 5, why: 'changed' });
  });

  test('entries under another key are found', async () => {
    await fill(2);
    await auditOf(createSecrets('another key, of 32 characters or more')).append({ who: 'x', act: 'write' });
    await fill(1);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 3, why: 'changed' });
  });

  test('entries whose retention is over may be gone, others may not', async () => {
    await fill(3);
    clock.ahead = AUDIT_KEPT_MS + 1;
    await fill(2);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    for (const n of [1, 2, 3]) await forge(`audit:${n}`, () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    expect((await auditOf().page({ limit: 10 })).entries.map(({ n }) => n)).toEqual([5, 4]);
    // Nobody can say any more when the ones before it were due.
    await forge('audit:4', () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: false, why: 'missing' });
  });

  test('what cannot be written down is refused', async () => {
    await store.close();
    await expect(auditOf().append({ who: 'nadia', act: 'write' })).rejects.toBeInstanceOf(StoreDown);
  });
});
