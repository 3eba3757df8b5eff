import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { connectPostgres } from '../../src/records/postgres-connection.ts';
import { type Records, RecordsDown } from '../../src/records/records.ts';
import { type PostgresServer, query, startPostgres } from '../kit/postgres-server.ts';
import { describeRecords, event } from './records-contract.ts';

const DAY_MS = 24 * 3_600_000;

let server: PostgresServer;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describeRecords('PostgreSQL', async (isNew) => {
  if (isNew) url = await server.place();
  return openPostgresRecords(url);
});

describe('PostgreSQL', () => {
  const batch = (id: string, at = Date.now()) => ({ events: [event(id, { at })], payments: [], cursors: [] });

  test('two processes that begin at the same moment make one set of tables, and one part for a week', async () => {
    const place = await server.place();
    const both = [openPostgresRecords(place), openPostgresRecords(place)];
    await Promise.all(both.map((records, i) => records.record(batch(`${i + 1}`))));
    expect(await both[0]?.turns(17, 10)).toHaveLength(2);
    const parts = await query(
      place,
      "SELECT inhrelid FROM pg_inherits WHERE inhparent = 'event'::regclass AND inhrelid::regclass::text ~ '[0-9]$'",
    );
    expect(parts).toHaveLength(1);
    await Promise.all(both.map((records) => records.close()));
  });

  test('no statement is compiled by the server, which takes longer than to run it', async () => {
    const db = connectPostgres(await server.place());
    expect(await db.run('SHOW jit')).toEqual([{ jit: 'off' }]);
    await db.close();
  });

  test('a search among many weeks is planned once for a connection, whatever its values', async () => {
    const db = connectPostgres(await server.place());
    for (const n of [1, 2, 3]) expect(await db.run('SELECT $1::int AS n', [n])).toEqual([{ n }]);
    const plans =
      'SELECT statement, generic_plans::int AS once, custom_plans::int AS anew FROM pg_prepared_statements';
    expect(await db.run(plans)).toContainEqual({ statement: 'SELECT $1::int AS n', once: 3, anew: 0 });
    await db.close();
  });

  test('a payment is read on while a later release adds a column to its table', async () => {
    const place = await server.place();
    const records = openPostgresRecords(place);
    const reads = [
      () => records.payment('00000000-0000-4000-8000-000000000001'),
      () => records.paymentsNamed('4217', 1),
    ];
    for (const read of reads) await read();
    await query(place, 'ALTER TABLE payment ADD COLUMN later text');
    for (const read of reads) await expect(read()).resolves.not.toThrow();
    await records.close();
  });

  test('a server that is down refuses at once, and is used again when it is back', async () => {
    const records = openPostgresRecords(await server.place());
    await records.record(batch('1'));
    await server.kill();
    await expect(records.record(batch('2'))).rejects.toThrow(RecordsDown);
    await expect(records.turns(17, 1)).rejects.toThrow(RecordsDown);
    await server.starts();
    await records.record(batch('2'));
    expect(await records.turns(17, 10)).toHaveLength(2);
    await records.close();
  });

  test('a read-only server is left for the server behind its address', async () => {
    const place = await server.database();
    const name = new URL(place).pathname.slice(1);
    await openPostgresRecords(place).record(batch('1'));
    // It holds for connections that are made now, and no longer for those that are made later.
    await query(place, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const records = openPostgresRecords(place);
    await expect(records.record(batch('2'))).rejects.toThrow(RecordsDown);
    await query(
      place,
      `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    );
    await records.record(batch('2'));
    expect(await records.turns(17, 10)).toHaveLength(2);
    await records.close();
  });

  test('a process starts without PostgreSQL', async () => {
    const place = await server.place();
    await server.kill();
    const records = openPostgresRecords(place);
    await expect(records.isWell()).rejects.toThrow(RecordsDown);
    await server.starts();
    expect(await records.isWell()).toBe(true);
    await records.close();
  });

  test('a part with more rows than an int holds is deleted like any other', async () => {
    const place = await server.database();
    const records = openPostgresRecords(place);
    await records.record(batch('1', Date.now() - 500 * DAY_MS));
    await query(place, "UPDATE pg_class SET reltuples = 3e9 WHERE relname ~ '^event_[0-9]+$'");
    expect(await records.forget('events', Date.now() - 400 * DAY_MS)).toBe(3e9);
    expect(await records.turns(17, 10)).toEqual([]);
    await records.close();
  });

  test('its error messages quote no data', async () => {
    const refusing = await server.database();
    const records: Records = openPostgresRecords(refusing);
    await records.isWell();
    await query(
      refusing,
      `ALTER DATABASE ${new URL(refusing).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await records.close();
    const reopened = openPostgresRecords(refusing);
    const error = await reopened.record(batch('1')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordsDown);
    expect(String(error)).toBe('RecordsDown: PostgreSQL: 25006');
    await reopened.close();
  });
});
