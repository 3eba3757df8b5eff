import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { keptFor } from '../../src/support/audit/chain.ts';
import { copyAudit } from '../../src/support/audit/copy.ts';
import type { PutBack } from '../../src/support/audit/put-back.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';

export const WITH_RECORDS = ['sqlite with records', 'redis with records'] as const;
export const AUDITS = ['sqlite', 'redis', ...WITH_RECORDS] as const;
export const PARTITION = partitionOf('support:audit');
export const secrets = createSecrets('a secrets key of the tests, 32 characters');

/** Before each test: an empty audit on its store, with a clock that the test moves. */
export function theAudit(kind: (typeof AUDITS)[number]) {
  let redis: RedisServer | undefined;
  let count = 0;
  let store: Store;
  let records: Records | undefined;
  let directory: string;
  // It stands still, so that a slow machine makes no difference.
  const begun = Date.now();
  const clock = { ahead: 0, now: () => begun + clock.ahead };
  /** The faults that copying the audit into the records has found. */
  const gaps: number[][] = [];
  const putBack: PutBack[] = [];
  const refused: number[] = [];

  beforeAll(async () => {
    if (kind.startsWith('redis')) redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    clock.ahead = 0;
    for (const each of [gaps, putBack, refused]) each.length = 0;
    directory = mkdtempSync(join(tmpdir(), 'wasl-audit-'));
    store = redis
      ? await openRedisStore({ url: redis.url, prefix: `audit${count++}:` })
      : await openSqliteStore({ directory });
    records = kind.endsWith('with records') ? await openSqliteRecords(directory) : undefined;
  });
  afterEach(async () => {
    await records?.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The audit as one process has it. */
  const auditOf = (key = secrets, keptDays?: number) =>
    createAudit(store, key, clock.now, { records, ...(keptDays && { keptDays }) });
  const document = async (key: string) => (await store.read(PARTITION, [key]))[0];

  /** Changes a document, as an attacker can who writes the store but has no key. */
  async function forge(key: string, change: (value: Record<string, unknown>) => unknown): Promise<void> {
    const doc = await document(key);
    const value = change(JSON.parse(doc?.value ?? '{}') as Record<string, unknown>);
    const write = { key, version: doc?.version ?? 0, value: value === null ? null : JSON.stringify(value) };
    expect(await store.commit(PARTITION, { writes: [write] })).toBe(true);
  }

  /** Changes the records, as an attacker can who writes them but has no key. */
  async function inRecords(sql: string): Promise<void> {
    await records?.close();
    const db = new DatabaseSync(join(directory, 'records.db'));
    db.exec(sql);
    db.close();
    records = await openSqliteRecords(directory);
  }

  /** Copies the entries into the records, if there are any. */
  async function copy(into = records, key = secrets, from = store): Promise<void> {
    if (!into) return;
    const on = {
      onGap: (...gap: number[]) => void gaps.push(gap),
      onPutBack: (each: PutBack) => void putBack.push(each),
      onRefused: (last: number) => void refused.push(last),
    };
    await copyAudit({ store: from, secrets: key, records: into, keptMs: keptFor(), now: clock.now, ...on });
  }

  /** Adds entries, a millisecond apart. */
  async function fill(entries: number): Promise<void> {
    const audit = auditOf();
    for (let n = 1; n <= entries; n++) {
      clock.ahead++;
      await audit.append({ who: n % 2 ? 'nadia' : 'omar', act: 'seeSession', on: `web:${n}` });
    }
  }

  /** Removes the whole chain from the store. */
  async function wipe(): Promise<void> {
    for (const key of ['head', ...Array.from({ length: 8 }, (_, i) => i + 1)])
      if (await document(`audit:${key}`)) await forge(`audit:${key}`, () => null);
  }

  /** Takes a copy of the chain in the store. @returns puts the store back to it */
  const snapshot = () => snapshotOf(store);

  /** Adds and copies five entries, of which the store then loses the last two. */
  async function lose(): Promise<void> {
    await fill(3);
    const putBackNow = await snapshot();
    await auditOf().append({ who: 'omar', act: 'seeSession', on: 'web:2' });
    await auditOf().append({ who: 'nadia', act: 'seeSession', on: 'web:3' });
    await copy();
    await putBackNow();
  }

  /** The entries in the records. */
  const filed = async () =>
    (await records?.auditRange(1, 100))?.map((row) =>
      `${row.n} ${row.who} ${row.act} ${row.on ?? ''}`.trim(),
    );
  /** The numbers of the entries that a filter finds. */
  const numbers = async (filter: object) =>
    (await auditOf().page({ limit: 10, ...filter })).entries.map(({ n }) => n);

  return {
    ...{ clock, begun, gaps, putBack, refused, auditOf, document, forge, inRecords, copy, fill, wipe },
    ...{ snapshot, lose, filed, numbers },
    get store(): Store {
      return store;
    },
    get records(): Records {
      if (!records) throw new Error('this audit has no records');
      return records;
    },
  };
}

async function snapshotOf(store: Store): Promise<() => Promise<void>> {
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
