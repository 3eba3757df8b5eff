import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import { openPostgresRecords } from '../../../src/records/postgres.ts';
import type { Records } from '../../../src/records/records.ts';
import { openSqliteRecords } from '../../../src/records/sqlite.ts';
import { openRedisStore } from '../../../src/store/redis.ts';
import { openSqliteStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { createAudit } from '../../../src/support/audit/audit.ts';
import { keptFor } from '../../../src/support/audit/chain.ts';
import { PARTITION } from '../../../src/support/audit/outbox.ts';
import { takeAll } from '../../../src/support/audit/take.ts';
import { type PostgresServer, query, startPostgres } from '../../kit/postgres-server.ts';
import { type RedisServer, startRedis } from '../../kit/redis-server.ts';

/** Where an audit is: the embedded store and its records, or what production has. */
export const PLACES = ['SQLite', 'Redis and PostgreSQL'] as const;

export const SECRETS_KEY = 'a secrets key of the tests, 32 characters';
/** Documents of the outbox that a test looks at. */
const DOCUMENTS = 250;

/** An empty audit for each test of a group. */
export function anAudit(place: (typeof PLACES)[number]): () => AuditPlace {
  const open = audits(place);
  let it: AuditPlace;
  beforeEach(async () => {
    it = await open();
  });
  afterEach(() => it.close());
  return () => it;
}

function audits(place: (typeof PLACES)[number]) {
  const isServed = place !== 'SQLite';
  let redis: RedisServer | undefined;
  let postgres: PostgresServer | undefined;
  let stores = 0;
  beforeAll(async () => {
    if (isServed) [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  });
  afterAll(() => Promise.all([redis?.stop(), postgres?.stop()]));
  return async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wasl-audit-'));
    const url = await postgres?.place();
    const openRecords = async () => (url ? openPostgresRecords(url) : openSqliteRecords(directory));
    const store = redis
      ? await openRedisStore({ url: redis.url, prefix: `audit${stores++}:` })
      : await openSqliteStore({ directory });
    const inRecords = async (sql: string): Promise<void> => {
      if (url) return void (await query(url, sql));
      const db = new DatabaseSync(join(directory, 'records.db'));
      db.exec(sql.replaceAll('audit_end', 'auditEnd'));
      db.close();
    };
    return auditAt(store, openRecords, inRecords, () => rmSync(directory, { recursive: true, force: true }));
  };
}

export type AuditPlace = Awaited<ReturnType<typeof auditAt>>;

/** An audit on an empty store and empty records, a clock that stands still, and the hands of an attacker who has no key. */
async function auditAt(
  store: Store,
  openRecords: () => Promise<Records>,
  inRecords: (sql: string) => Promise<void>,
  remove: () => void,
) {
  const secrets = createSecrets(SECRETS_KEY);
  const begun = Date.now();
  const clock = { ahead: 0, now: () => begun + clock.ahead };
  let records = await openRecords();
  const gaps: number[][] = [];
  const onTaking = { onGap: (...gap: number[]) => void gaps.push(gap) };
  const it = {
    store,
    secrets,
    clock,
    begun,
    /** Gaps that the log was told of. */
    gaps,
    records: () => records,
    audit: (key = secrets, keptDays?: number) =>
      createAudit(store, key, clock.now, records.audit, { onTaking, ...(keptDays && { keptDays }) }),
    /** Moves what waits into the records, as a worker does. */
    take: (key = secrets, from = store) =>
      takeAll({
        store: from,
        secrets: key,
        records: records.audit,
        keptMs: keptFor(),
        now: clock.now,
        ...onTaking,
      }),
    /** So many looks at sessions, of two agents by turns. */
    async fill(count: number, key = secrets): Promise<void> {
      for (let n = 1; n <= count; n++) {
        clock.ahead++;
        await it.audit(key).append({ who: n % 2 ? 'nadia' : 'omar', act: 'seeSession', on: `web:${n}` });
      }
    },
    verify: (witness?: string) => it.audit().verify(witness),
    /** The numbers of the newest entries that a filter leaves. */
    async numbers(filter: object): Promise<number[]> {
      const { entries } = await it.audit().page({ limit: 10, ...filter });
      return entries.map(({ n }) => n);
    },
    /** The chain as the records have it: `4 omar seeSession web:4`. */
    async filed(): Promise<readonly string[]> {
      const rows = await records.audit.range(1, 100);
      return rows.map(({ n, who, act, on = '' }) => `${n} ${who} ${act} ${on}`.trim());
    },
    document: async (key: string) => (await store.read(PARTITION, [key]))[0],
    /** Writes into the store what nobody should. Null: removes it. */
    async forge(key: string, change: (value: Record<string, unknown>) => unknown): Promise<void> {
      const doc = await it.document(key);
      const value = change(JSON.parse(doc?.value ?? '{}') as Record<string, unknown>);
      const text = value === null ? null : JSON.stringify(value);
      if (!doc && text === null) return;
      const writes = [{ key, version: doc?.version ?? 0, value: text }];
      if (!(await store.commit(PARTITION, { writes }))) throw new Error(`${key} was not written`);
    },
    /** Writes into the records what nobody should. */
    async inRecords(sql: string): Promise<void> {
      await records.close();
      await inRecords(sql);
      records = await openRecords();
    },
    /** Removes all of the audit from the store. */
    async wipe(): Promise<void> {
      for (const key of keysOf()) await it.forge(key, () => null);
    },
    /** The audit in the store as it is now, to be put back later. */
    async copyOfStore(): Promise<() => Promise<void>> {
      const keys = keysOf();
      const before = await store.read(PARTITION, keys);
      return async () => {
        const now = await store.read(PARTITION, keys);
        const writes = keys.flatMap((key, i) => {
          const [old, { version = 0 } = {}] = [before[i], now[i]];
          return old || version > 0 ? [{ key, version, value: old?.value ?? null }] : [];
        });
        if (!(await store.commit(PARTITION, { writes }))) throw new Error('the store was not put back');
      };
    },
    /** The same of the records. */
    async copyOfRecords(): Promise<() => Promise<void>> {
      await it.inRecords(
        'CREATE TABLE old_audit AS SELECT * FROM audit; CREATE TABLE old_end AS SELECT * FROM audit_end;',
      );
      return () =>
        it.inRecords(
          'DELETE FROM audit; INSERT INTO audit SELECT * FROM old_audit; DELETE FROM audit_end; INSERT INTO audit_end SELECT * FROM old_end;',
        );
    },
    async close(): Promise<void> {
      await records.close();
      await store.close();
      remove();
    },
  };
  return it;
}

function keysOf(): readonly string[] {
  const entries = Array.from({ length: DOCUMENTS }, (_, i) => [`audit-outbox:${i + 1}`, `audit:${i + 1}`]);
  return ['audit-outbox:head', 'audit-outbox:taken', 'audit:head', ...entries.flat()];
}
