import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { LINES, type Log } from '../../src/log/lines.ts';
import type { AuditRow, Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { keptFor, type Link, type LinkId } from '../../src/support/audit/chain.ts';
import { copyAudit } from '../../src/support/audit/copy.ts';
import type { End } from '../../src/support/audit/deeds.ts';
import type { PutBack } from '../../src/support/audit/put-back.ts';
import type { Verdict } from '../../src/support/audit/verify.ts';
import { createWitnessing, witnessOf } from '../../src/support/audit/witness.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';

const PARTITION = partitionOf('support:audit');
const secrets = createSecrets('a secrets key of the tests, 32 characters');

let redis: RedisServer;
let redisStores = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe.each(['sqlite', 'redis', 'sqlite with records', 'redis with records'])('the audit on %s', (kind) => {
  let store: Store;
  let records: Records | undefined;
  let directory: string;
  // It stands still, so that a slow machine makes no difference.
  const begun = Date.now();
  const clock = { ahead: 0, now: () => begun + clock.ahead };
  const auditOf = (key = secrets) => createAudit(store, key, clock.now, { records });
  beforeEach(async () => {
    clock.ahead = 0;
    gaps.length = 0;
    putBack.length = 0;
    refused.length = 0;
    directory = mkdtempSync(join(tmpdir(), 'wasl-audit-'));
    store = kind.startsWith('redis')
      ? await openRedisStore({ url: redis.url, prefix: `audit${redisStores++}:` })
      : await openSqliteStore({ directory });
    records = kind.endsWith('with records') ? await openSqliteRecords(directory) : undefined;
  });
  afterEach(async () => {
    await records?.close();
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
  /** What was amiss as entries were copied into the records, where there are any. */
  const gaps: number[][] = [];
  const putBack: PutBack[] = [];
  const refused: number[] = [];
  async function copy(into = records, key = secrets, from = store): Promise<void> {
    if (!into) return;
    const onGap = (...gap: number[]) => void gaps.push(gap);
    const onPutBack = (each: PutBack) => void putBack.push(each);
    const onRefused = (last: number) => void refused.push(last);
    const on = { onGap, onPutBack, onRefused };
    const deps = { store: from, secrets: key, records: into, keptMs: keptFor(), now: clock.now, ...on };
    await copyAudit(deps);
  }
  async function fill(count: number): Promise<void> {
    const audit = auditOf();
    for (let n = 1; n <= count; n++) {
      clock.ahead++;
      await audit.append({ who: n % 2 ? 'nadia' : 'omar', act: 'seeSession', on: `web:${n}` });
    }
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
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 0 });
    await fill(120);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 120, open: 0 });
    await copy();
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 120, open: 0 });
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

  test('a head under a key that is gone is proven again by whoever has it', async () => {
    await fill(2);
    const [fresh, old] = [
      'another key, of 32 characters or more',
      'a secrets key of the tests, 32 characters',
    ];
    await auditOf(createSecrets(fresh)).append({ who: 'x', act: 'write' });
    expect(await auditOf(createSecrets(fresh, old)).verify()).toMatchObject({ ok: true, count: 3 });
    await forge('audit:head', (head) => ({ ...head, seal: 'made up' }));
    await auditOf(createSecrets(fresh)).append({ who: 'x', act: 'write' });
    expect(await auditOf(createSecrets(fresh, old)).verify()).toEqual({ ok: false, n: 3, why: 'head' });
  });

  test('entries whose retention is over may be gone, others may not', async () => {
    await fill(3);
    clock.ahead = keptFor() + 1;
    await fill(2);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    for (const n of [1, 2, 3]) await forge(`audit:${n}`, () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    expect((await auditOf().page({ limit: 10 })).entries.map(({ n }) => n)).toEqual([5, 4]);
    if (records) return;
    // Nobody can say any more when the ones before it were due.
    await forge('audit:4', () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: false, why: 'missing' });
  });

  test('how long that is, is a setting', async () => {
    const keptDays = 365;
    const audit = () => createAudit(store, secrets, clock.now, { records, keptDays });
    for (const on of ['web:1', 'web:2']) await audit().append({ who: 'nadia', act: 'seeSession', on });
    clock.ahead = keptFor(keptDays) + 1;
    await audit().append({ who: 'nadia', act: 'seeSession', on: 'web:3' });
    for (const n of [1, 2]) await forge(`audit:${n}`, () => null);
    expect(await audit().verify()).toMatchObject({ ok: true, count: 3 });
    expect(await auditOf().verify(), 'of an audit that is kept for longer').toMatchObject({ why: 'missing' });
  });

  const accounts = () => createAccounts(store, secrets, clock.now);
  const admin = { id: 'nadia', name: 'Nadia', role: 'admin' } as const;
  async function wipe(): Promise<void> {
    for (const key of ['head', ...Array.from({ length: 8 }, (_, i) => i + 1)])
      if (await document(`audit:${key}`)) await forge(`audit:${key}`, () => null);
  }

  test('without a chain nothing is whole where somebody has an account', async () => {
    await fill(8);
    await accounts().create(admin);
    await wipe();
    expect(await auditOf().verify()).toEqual({ ok: false, n: 1, why: 'missing' });
    const never = await auditOf().page({ limit: 5 });
    expect(never.entries).toEqual([]);
  });

  test('nor is a chain that was begun anew', async () => {
    await fill(8);
    await accounts().create(admin);
    expect(await auditOf().verify()).toMatchObject({ ok: true });
    await wipe();
    clock.ahead += 1_000;
    await fill(3);
    expect(await auditOf().verify()).toMatchObject({ ok: false, n: 1, why: 'begun' });
  });

  test('what was copied into the records is missed there, although no witness is given', async () => {
    if (!records) return;
    await fill(3);
    const old = await document('audit:head');
    await fill(2);
    await copy();
    // After its time in the live store, an entry is in the records alone.
    await forge('audit:2', () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    await forge('audit:5', () => null);
    await forge('audit:4', () => null);
    await forge('audit:head', () => JSON.parse(old?.value ?? ''));
    expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'putBack' });
    await fill(2);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'putBack' });
    await forge('audit:5', (entry) => ({ ...entry, who: 'x' }));
    expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'changed' });
  });

  test.each<[string, (row: AuditRow) => readonly AuditRow[]]>([
    ['as the end of another one', (row) => [{ ...row, of: 1 }]],
    ['at another moment', (row) => [{ ...row, at: 0 }]],
    ['as somebody else’s', (row) => [{ ...row, who: 'x' }]],
    ['as about somebody else', (row) => [{ ...row, about: '+212600000009' }]],
    ['not at all', () => []],
  ])(
    'an entry that the records file %s is not found by its filters, and so by the check',
    async (_, filed) => {
      const kept = records;
      if (!kept) return;
      await fill(5);
      await copy();
      const auditRange = async (from: number, to: number) =>
        (await kept.auditRange(from, to)).flatMap((row) => (row.n === 3 ? filed(row) : [row]));
      const audit = createAudit(store, secrets, clock.now, { records: { ...kept, auditRange } });
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
      expect(await audit.verify()).toEqual({ ok: false, n: 3, why: 'changed' });
    },
  );

  test('records that are new, or were put back, get what the store still has; what neither has is missing', async () => {
    if (!records) return;
    await fill(450);
    for (let n = 1; n <= 300; n++) await forge(`audit:${n}`, () => null);
    await copy();
    expect(await records.auditedTo()).toBe(450);
    expect((await records.auditRange(1, 450)).map(({ n }) => n)).toEqual(
      Array.from({ length: 150 }, (_, i) => 301 + i),
    );
    await copy();
    expect(gaps, 'it is said once').toEqual([[1, 300]]);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 1, why: 'missing' });
  });

  test('where the store has nothing more than the records, nothing is copied, and nothing said', async () => {
    if (!records) return;
    await fill(3);
    for (let n = 1; n <= 3; n++) await forge(`audit:${n}`, () => null);
    await copy();
    expect([await records.auditedTo(), gaps]).toEqual([0, []]);
  });

  /** The whole of the chain as it is in the store now, to be put back later. */
  async function snapshot(): Promise<() => Promise<void>> {
    const keys = ['audit:head', ...Array.from({ length: 30 }, (_, i) => `audit:${i + 1}`)];
    const before = await store.read(PARTITION, keys);
    return async () => {
      const now = await store.read(PARTITION, keys);
      const writes = keys.flatMap((key, i) => {
        const [old, { version = 0 } = {}] = [before[i], now[i]];
        return old || version > 0 ? [{ key, version, value: old?.value ?? null }] : [];
      });
      expect(await store.commit(PARTITION, { writes })).toBe(true);
    };
  }
  /** What somebody does who can write the records, but has no key. */
  async function inRecords(sql: string): Promise<void> {
    await records?.close();
    const db = new DatabaseSync(join(directory, 'records.db'));
    db.exec(sql);
    db.close();
    records = await openSqliteRecords(directory);
  }
  const filed = async () =>
    (await records?.auditRange(1, 100))?.map((row) =>
      `${row.n} ${row.who} ${row.act} ${row.on ?? ''}`.trim(),
    );

  describe('a store that was put back to an older state', () => {
    const lost = ['4 omar seeSession web:2', '5 nadia seeSession web:3'];
    const first = [1, 2, 3].map((n) => `${n} ${n === 2 ? 'omar' : 'nadia'} seeSession web:${n}`);
    /** Five entries, of which the store has lost the last two after they were copied. */
    async function lose(): Promise<void> {
      await fill(3);
      const putBackNow = await snapshot();
      await auditOf().append({ who: 'omar', act: 'seeSession', on: 'web:2' });
      await auditOf().append({ who: 'nadia', act: 'seeSession', on: 'web:3' });
      await copy();
      await putBackNow();
    }

    test('has its chain go on behind what the records have, also where nothing was written meanwhile', async () => {
      if (!records) return;
      await lose();
      expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'putBack' });
      await copy();
      expect(putBack).toEqual([{ from: 4, to: 5, moved: 0 }]);
      expect(await filed()).toEqual([...first, ...lost, '6 wasl rejoinAudit']);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 6, putBack: [6] });
      expect((await document('audit:5'))?.value, 'in the store as well').toBe(
        (await records.auditRange(5, 5))[0]?.link,
      );
      await fill(2);
      await copy();
      expect(putBack, 'it is done once').toHaveLength(1);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 8 });
    });

    test.each([1, 2, 7])('keeps what was written meanwhile, behind it: %s entries', async (count) => {
      if (!records) return;
      await lose();
      const at = clock.now() + 1;
      for (let i = 1; i <= count; i++) {
        clock.ahead = at + i - begun;
        await auditOf().append({ who: 'sara', act: 'nudge', on: `web:${i}`, why: 'no answer' });
      }
      clock.ahead += 5_000;
      const { entries } = await auditOf().page({ limit: 100 });
      const moved = Array.from({ length: count }, (_, i) => `${6 + i} sara nudge web:${i + 1}`);
      expect(await filed()).toEqual([...first, ...lost, ...moved, `${6 + count} wasl rejoinAudit`]);
      expect(entries[1]).toMatchObject({ n: 5 + count, why: 'no answer', at: at + count });
      expect(entries[0]).toMatchObject({ what: `4-5, ${count} entered anew`, end: 'done' });
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 6 + count });
      // A check finds both places to have the same.
      expect((await document('audit:4'))?.value).toBe((await records.auditRange(4, 4))[0]?.link);
    });

    test('so do how things ended that were begun meanwhile', async () => {
      if (!records) return;
      await lose();
      const audit = auditOf();
      await audit.during(
        () => ({ from: '192.0.2.7' }),
        () => audit.append({ who: 'sara', act: 'reveal', on: 'web:9' }),
        () => ({ end: 'refused', endWhy: 'tooMany' }),
      );
      await copy();
      const { entries } = await audit.page({ act: 'reveal', limit: 5 });
      expect(entries).toMatchObject([{ n: 6, who: 'sara', end: 'refused', endWhy: 'tooMany' }]);
      expect(await audit.verify()).toMatchObject({ ok: true, count: 8, open: 0 });
    });

    /** Does something, with a failover before it is known how it ended. */
    async function reveals(meanwhile: () => Promise<void>): Promise<string[]> {
      const audit = createAudit(store, secrets, clock.now, { records });
      await audit.during(
        () => ({ from: '192.0.2.7' }),
        async () => {
          await audit.append({ who: 'sara', act: 'reveal', on: 'web:9', why: 'asked for' });
          await meanwhile();
        },
        () => ({ end: 'done' }),
      );
      await copy();
      const { entries } = await audit.page({ limit: 100 });
      expect(await audit.verify()).toMatchObject({ ok: true, open: 0 });
      return entries
        .toReversed()
        .flatMap(({ n, act, end, on = '', why = '' }) =>
          act === 'seeSession' ? [] : [`${n} ${act} ${end} ${on} ${why}`.trim()],
        );
    }

    test('how something ended that was begun in between is written where it is now', async () => {
      if (!records) return;
      await lose();
      expect(await reveals(() => copy())).toEqual(['6 reveal done web:9 asked for', '7 rejoinAudit done']);
    });

    test('and of what was begun before, once that is back from the records', async () => {
      if (!records) return;
      await fill(3);
      const putBackNow = await snapshot();
      const done = await reveals(async () => {
        await copy();
        await putBackNow();
      });
      expect(done).toEqual(['4 reveal done web:9 asked for', '5 rejoinAudit done']);
    });

    test('what is nowhere any more is written anew, whole', async () => {
      if (!records) return;
      await fill(3);
      await copy();
      const putBackNow = await snapshot();
      expect(await reveals(putBackNow)).toEqual(['4 reveal done web:9 asked for']);
    });

    test('lost once more with all that was put right, it has nothing twice', async () => {
      if (!records) return;
      await lose();
      await auditOf().append({ who: 'sara', act: 'reveal', on: 'web:9' });
      const before = await snapshot();
      await copy();
      clock.ahead += 24 * 3_600_000;
      await before();
      await copy();
      await auditOf().append({ who: 'sara', act: 'nudge' });
      await copy();
      expect((await filed())?.filter((each) => !each.includes('seeSession'))).toEqual([
        ...['6 sara reveal web:9', '7 wasl rejoinAudit', '8 wasl rejoinAudit', '9 sara nudge'],
      ]);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 9, putBack: [7, 8] });
    });

    test('a witness of what was written in between stays one', async () => {
      if (!records) return;
      await lose();
      await auditOf().append({ who: 'sara', act: 'reveal' });
      const head = JSON.parse((await document('audit:head'))?.value ?? '{}') as LinkId;
      const witness = witnessOf(secrets, head);
      await copy();
      expect(await auditOf().verify(witness)).toMatchObject({ ok: true, count: 7 });
    });

    test('what its records have forgotten in their time is not missed', async () => {
      if (!records) return;
      await fill(3);
      clock.ahead += keptFor() + 1;
      await fill(3);
      await copy();
      await inRecords('DELETE FROM audit WHERE n <= 3');
      await wipe();
      await auditOf().append({ who: 'sara', act: 'reveal' });
      await copy();
      expect(await filed()).toEqual([
        ...['4 omar seeSession web:1', '5 nadia seeSession web:2', '6 omar seeSession web:3'].map((each, i) =>
          each.replace(/omar|nadia/, i % 2 ? 'omar' : 'nadia'),
        ),
        ...['7 sara reveal', '8 wasl rejoinAudit'],
      ]);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 8 });
    });

    test.each<[string, () => Promise<void>]>([
      [
        'an entry that was not copied yet is put under by taking the head away',
        async () => {
          await fill(5);
          await copy();
          await fill(1);
          await forge('audit:head', () => null);
          await forge('audit:1', () => null);
        },
      ],
      [
        'the tail is cut off in both places',
        async () => {
          await fill(8);
          await copy();
          await inRecords('DELETE FROM audit WHERE n > 5');
          await wipe();
        },
      ],
      [
        'entries are cut out of the records, beyond where the store is',
        async () => {
          await lose();
          await inRecords('DELETE FROM audit WHERE n = 4');
        },
      ],
      [
        'the tail is cut off in both places, and the head is left',
        async () => {
          await fill(8);
          await copy();
          await inRecords('DELETE FROM audit WHERE n > 5; DELETE FROM auditEnd');
          for (const n of [6, 7, 8]) await forge(`audit:${n}`, () => null);
          await copy();
          for (const key of ['head', 1, 2, 3, 4, 5]) await forge(`audit:${key}`, () => null);
        },
      ],
      [
        'the tail is cut off in both places, and a head made up, behind which somebody goes on',
        async () => {
          await fill(8);
          await copy();
          await inRecords('DELETE FROM audit WHERE n > 5; DELETE FROM auditEnd');
          for (const n of [6, 7, 8]) await forge(`audit:${n}`, () => null);
          const five = JSON.parse((await document('audit:5'))?.value ?? '') as Link;
          await forge('audit:head', () => ({ n: 5, at: five.at, mac: five.mac, seal: 'made up' }));
          await fill(1);
          await copy();
        },
      ],
      [
        'an entry that was not copied yet is cut off, with the end of the records for a head',
        async () => {
          await fill(5);
          await copy();
          const end = await records?.auditEnd();
          await fill(1);
          await forge('audit:6', () => null);
          await forge('audit:head', () => JSON.parse(end?.sealed ?? ''));
          await fill(1);
          await copy();
        },
      ],
      [
        'what was put behind a head that somebody made up is moved',
        async () => {
          await fill(3);
          const putBackNow = await snapshot();
          await fill(3);
          await copy();
          await putBackNow();
          await fill(2);
          await forge('audit:5', () => null);
          const four = JSON.parse((await document('audit:4'))?.value ?? '') as Link;
          await forge('audit:head', () => ({ n: 4, at: four.at, mac: four.mac, seal: 'made up' }));
          await fill(1);
        },
      ],
      [
        'the store is put back, with a space behind what it has',
        async () => {
          await fill(3);
          const putBackNow = await snapshot();
          await fill(2);
          await copy();
          await putBackNow();
          const [doc] = await store.read(PARTITION, ['audit:3']);
          const write = { key: 'audit:3', version: doc?.version ?? 0, value: `${doc?.value} ` };
          await store.commit(PARTITION, { writes: [write] });
        },
      ],
    ])('is no way to hide or repeat what was done: %s', async (_, attack) => {
      if (!records) return;
      await attack();
      const done = async () => (await filed())?.filter((each) => !each.includes('rejoinAudit'));
      const before = await done();
      await copy();
      expect(await auditOf().verify()).toMatchObject({ ok: false });
      expect(await done(), 'nothing was added').toEqual(before);
    });

    test('is no way to do again what is forgotten', async () => {
      if (!records) return;
      await fill(3);
      const longAgo = await snapshot();
      await copy();
      clock.ahead += keptFor() + 1;
      await fill(2);
      await copy();
      await inRecords('DELETE FROM audit WHERE n <= 3');
      await longAgo();
      await copy();
      expect((await filed())?.map((each) => each.split(' ')[2])).toEqual([
        ...['seeSession', 'seeSession', 'rejoinAudit'],
      ]);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 6 });
    });

    test('is left to those who have the key', async () => {
      if (!records) return;
      await lose();
      await fill(2);
      const before = await filed();
      await copy(records, createSecrets('another key of somebody else, 32 long'));
      expect([await filed(), refused]).toEqual([before, [5]]);
      await copy();
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 8, putBack: [8] });
    });

    test.each(Array.from({ length: 14 }, (_, i) => i + 1))(
      'is met while others go on: before call %s of the store',
      async (nth) => {
        if (!records) return;
        await lose();
        await fill(3);
        const other = auditOf();
        let calls = 0;
        const goesOn =
          <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
          async (...args: Args) => {
            if (++calls === nth) await other.append({ who: 'sara', act: 'nudge' });
            return call(...args);
          };
        const busy: Store = { ...store, read: goesOn(store.read), commit: goesOn(store.commit) };
        await copy(records, secrets, busy);
        await copy();
        expect([refused, putBack.length]).toEqual([[], 1]);
        const isIn = calls >= nth ? 1 : 0;
        expect(await auditOf().verify()).toMatchObject({ ok: true, count: 9 + isIn });
      },
    );

    test('nor is what stands in a document beside what its digest proves', async () => {
      await fill(1);
      await forge('audit:1', (entry) => ({ ...entry, endedAt: 5, foo: 'bar' }));
      const { entries } = await auditOf().page({ limit: 1 });
      expect(entries).toEqual([{ n: 1, at: begun + 1, who: 'nadia', act: 'seeSession', on: 'web:1' }]);
    });

    test('has all of it again where it was emptied', async () => {
      if (!records) return;
      await fill(8);
      await copy();
      await wipe();
      await fill(1);
      await copy();
      expect(putBack).toEqual([{ from: 1, to: 8, moved: 1 }]);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 10 });
    });

    test('is met by several processes at once', async () => {
      if (!records) return;
      await lose();
      const doing = Array.from({ length: 6 }, async (_, i) => {
        await auditOf().append({ who: `agent${i}`, act: 'nudge' });
        await copy();
      });
      await Promise.all(doing);
      await copy();
      const acts = (await filed())
        ?.filter((each) => each.includes('nudge'))
        .map((each) => each.split(' ')[1]);
      expect(acts?.sort()).toEqual([0, 1, 2, 3, 4, 5].map((i) => `agent${i}`));
      expect(putBack).toHaveLength(1);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 12 });
    });

    test('keeps entries that were written while the records could not be asked, in thousands', async () => {
      if (!records) return;
      await lose();
      const others = auditOf();
      for (let i = 0; i < 1_200; i++) await others.append({ who: 'sara', act: 'nudge' });
      await copy();
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 + 1_200 + 1 });
      expect(await records.auditedTo()).toBe(1_206);
    });

    test.each<[string, () => Promise<void>]>([
      ['an entry forged', () => forge('audit:5', (entry) => ({ ...entry, who: 'somebody else' }))],
      ['an entry of nobody', () => forge('audit:4', () => 'nothing')],
      ['one cut out', () => forge('audit:4', () => null)],
      ['its end forged', () => forge('audit:head', (head) => ({ ...head, seal: 'x' }))],
      ['its end taken away', () => forge('audit:head', () => null)],
      ['its end set back once more', () => forge('audit:head', (head) => ({ ...head, n: 4 }))],
    ])('is left for the check where somebody has been at it: %s', async (_, forgery) => {
      if (!records) return;
      await lose();
      await fill(2);
      await forgery();
      const before = await store.read(PARTITION, ['audit:head', 'audit:4', 'audit:5']);
      await copy();
      expect(putBack).toEqual([]);
      expect(refused.length, 'which is said').toBeGreaterThan(0);
      expect(await store.read(PARTITION, ['audit:head', 'audit:4', 'audit:5'])).toEqual(before);
      expect(await auditOf().verify()).toMatchObject({ ok: false });
    });

    test('nor does it take over what somebody has changed in the records', async () => {
      const kept = records;
      if (!kept) return;
      await lose();
      await fill(2);
      const auditRange = async (from: number, to: number) =>
        (await kept.auditRange(from, to)).map((row) =>
          row.n === 4 ? { ...row, link: row.link.replace('omar', 'sara') } : row,
        );
      const before = await document('audit:4');
      await copy({ ...kept, auditRange });
      expect([putBack, await document('audit:4')]).toEqual([[], before]);
    });

    test('is not led on by an entry that somebody has put into the records', async () => {
      if (!records) return;
      await fill(3);
      await copy();
      const link = { n: 9, at: 1, who: 'omar', act: 'write', prev: 'x', prevAt: 1, mac: 'x' };
      const [three] = await records.auditRange(3, 3);
      const row = { n: 9, at: 1, who: 'omar', act: 'write', link: JSON.stringify(link) };
      await records.addAudit([row], three?.link);
      await copy();
      expect([putBack, await document('audit:9')]).toEqual([[], undefined]);
      expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'missing' });
    });
  });

  const ends: readonly (readonly [what: string, end: End])[] = [
    ['done', { end: 'done' }],
    ['refused', { end: 'refused', endWhy: 'forbidden' }],
    ['failed', { end: 'failed', endWhy: 'StoreDown' }],
  ];
  test.each(ends)(
    'what somebody does says from where, before it is done, and how it ended: %s',
    async (_, end) => {
      const audit = auditOf();
      const origin = () => ({ from: '192.0.2.7', session: 'abc' });
      await audit.during(
        origin,
        async () => {
          await audit.append({ who: 'nadia', act: 'reveal', on: 'web:1', about: '+212600000001' });
          const during = (await auditOf().page({ limit: 5 })).entries;
          expect(during).toMatchObject([{ who: 'nadia', from: '192.0.2.7', session: 'abc', end: 'open' }]);
          clock.ahead += 500;
        },
        () => end,
      );
      const { entries } = await auditOf().page({ limit: 5 });
      expect(entries).toMatchObject([{ n: 1, act: 'reveal', about: '+212600000001', ...end }]);
      expect((entries[0]?.endedAt ?? 0) - (entries[0]?.at ?? 0)).toBe(500);
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 2, open: 0 });
    },
  );

  test('what a process has died over stays open, and a check counts it', async () => {
    const audit = auditOf();
    void audit.during(
      () => ({ from: '192.0.2.7' }),
      async () => {
        await audit.append({ who: 'nadia', act: 'resend', on: 'payment' });
        return new Promise(() => {});
      },
      () => ({ end: 'done' }),
    );
    await expect
      .poll(async () => (await auditOf().verify()).ok && (await auditOf().page({ limit: 5 })).entries)
      .toMatchObject([{ act: 'resend', end: 'open' }]);
    expect(await auditOf().verify()).toMatchObject({ ok: true, open: 1 });
    const found = async (end: 'open' | 'done') => (await auditOf().page({ end, limit: 5 })).entries.length;
    expect([await found('open'), await found('done')]).toEqual([1, 0]);
  });

  test('of several things that one request does, each is closed with how it itself ended', async () => {
    const audit = auditOf();
    await audit.during(
      () => ({ from: '192.0.2.7', session: 'abc' }),
      async () => {
        for (const on of ['c-1', 'c-2'])
          await audit.part(
            async () => {
              await audit.append({ who: 'nadia', act: 'closeCase', on });
              return on === 'c-1' ? ('done' as const) : ('refused' as const);
            },
            (end): End => (end === 'done' ? { end } : { end, endWhy: 'notNow' }),
          );
      },
      () => ({ end: 'failed', endWhy: 'the request' }),
    );
    const from = { from: '192.0.2.7', session: 'abc' };
    expect((await audit.page({ limit: 5 })).entries).toMatchObject([
      { on: 'c-2', end: 'refused', endWhy: 'notNow', ...from },
      { on: 'c-1', end: 'done', ...from },
    ]);
    expect((await audit.verify()).ok).toBe(true);
  });

  test('two requests at once are not taken for each other, and what throws has failed', async () => {
    const audit = auditOf();
    const acts = (who: string, isBroken: boolean) =>
      audit.during(
        () => ({ from: who }),
        async () => {
          await audit.append({ who, act: 'nudge' });
          if (isBroken) throw new TypeError('lost');
        },
        () => ({ end: 'done' }),
      );
    const [, broken] = await Promise.allSettled([acts('a', false), acts('b', true), acts('c', false)]);
    expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'lost' } });
    const { entries } = await auditOf().page({ limit: 10 });
    const known = entries.map(({ who, from, end, endWhy = '' }) => `${who} ${from} ${end} ${endWhy}`.trim());
    expect(known.sort()).toEqual(['a a done', 'b b failed TypeError', 'c c done']);
  });

  const FIELDS = ['from', 'session', 'about', 'what', 'of', 'end', 'endWhy', 'who', 'act', 'why'];
  test.each(FIELDS)('whoever forges where, of whom, what or how it ended is found: %s', async (field) => {
    const audit = auditOf();
    await audit.during(
      () => ({ from: '192.0.2.7', session: 'abc' }),
      () => audit.append({ who: 'nadia', act: 'reveal', about: '+212600000001', what: 'x', why: 'asked' }),
      () => ({ end: 'refused', endWhy: 'tooMany' }),
    );
    const n = field === 'of' || field === 'endWhy' ? 2 : 1;
    await forge(`audit:${n}`, (entry) => ({ ...entry, [field]: field === 'of' ? 9 : 'done' }));
    expect(await auditOf().verify()).toEqual({ ok: false, n, why: 'changed' });
  });

  test('entries are found by person, by time and by what they are about', async () => {
    const entry = (who: string, more: object) => auditOf().append({ who, act: 'seeSession', ...more });
    await entry('nadia', { on: 'web:1', about: '+212600000001' });
    await entry('omar', { on: 'ussd:+212600000001' });
    clock.ahead += 60_000;
    await entry('nadia', { on: 'web:2', about: '+212600000002' });
    await auditOf().append({ who: 'nadia', act: 'search', on: '+212600000001' });
    const numbers = async (filter: object) =>
      (await auditOf().page({ limit: 10, ...filter })).entries.map(({ n }) => n);
    const about = ['+212600000001', 'ussd:+212600000001'];
    expect(await numbers({ about })).toEqual([4, 2, 1]);
    expect(await numbers({ about, who: 'nadia' })).toEqual([4, 1]);
    expect(await numbers({ about, to: begun + 30_000 })).toEqual([2, 1]);
    expect(await numbers({ from: begun + 30_000 })).toEqual([4, 3]);
    expect(await numbers({ from: begun + 90_000 })).toEqual([]);
    expect(await numbers({ about: ['+212600000009'] })).toEqual([]);
  });

  test('the end of the chain is told to the log and to a receiver, until that has taken it', async () => {
    const told: { witness: string }[] = [];
    let answer = 503;
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        if (answer === 200) told.push(JSON.parse(body));
        response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const lines: [level: string, witness: unknown][] = [];
    const log: Pick<Log, 'say'> = {
      say: (line, { witness, status } = {}) => void lines.push([LINES[line].level, witness ?? status]),
    };
    const url = `http://127.0.0.1:${port}/`;
    const { begin, run } = createWitnessing({ store, secrets, url, log, now: clock.now });
    await begin();
    await begin();
    await fill(2);
    await run();
    await run();
    expect(lines.map(([level]) => level)).toEqual(['info', 'error', 'error']);
    expect(told).toEqual([]);
    answer = 200;
    await run();
    await run();
    expect(told.map(({ witness }) => witness)).toEqual([lines[0]?.[1]]);
    await fill(1);
    await run();
    expect(told).toHaveLength(2);
    const [first, second] = told.map(({ witness }) => witness) as [string, string];
    expect(await auditOf().verify(first)).toMatchObject({ ok: true });
    expect(await auditOf().verify(second)).toMatchObject({ ok: true, head: second });
    await wipe();
    await run();
    expect(lines.at(-1)?.[0]).toBe('error');
    expect(await auditOf().verify(first)).toMatchObject({ ok: false, why: 'missing' });
  });

  test.each([
    ['nothing', ''],
    ['no witness', 'all is well'],
    ['another signature', '2:abc:AAAAAAAAAAAAAAAA'],
    ['a number that was changed', 'other number'],
  ])('what is no witness of ours checks nothing: %s', async (_, text) => {
    await fill(2);
    const verdict = await auditOf().verify();
    const witness = text === 'other number' && verdict.ok ? verdict.head.replace(/^2/, '1') : text;
    expect(await auditOf().verify(witness)).toEqual({ ok: false, n: 0, why: 'witness' });
  });

  test('entries of a release that knew no ends are as they were written', async () => {
    const bare = { n: 1, at: 5, who: 'nadia', act: 'write', prev: '', prevAt: 0 };
    const mac = secrets.digest(JSON.stringify(['audit', 1, 5, 'nadia', 'write', null, null, '', 0]));
    const seal = secrets.digest(JSON.stringify(['audit-head', 1, 5, mac]));
    await forge('audit:1', () => ({ ...bare, mac }));
    await forge('audit:head', () => ({ n: 1, at: 5, mac, seal }));
    await fill(1);
    expect(await auditOf().verify(`1:${mac}`)).toMatchObject({ ok: true, count: 2 });
    expect((await auditOf().page({ limit: 5 })).entries.at(-1)).toEqual({
      n: 1,
      at: 5,
      who: 'nadia',
      act: 'write',
    });
  });

  test('what cannot be written down is refused', async () => {
    await store.close();
    await expect(auditOf().append({ who: 'nadia', act: 'write' })).rejects.toBeInstanceOf(StoreDown);
  });
});
