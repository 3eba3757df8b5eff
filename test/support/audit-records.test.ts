import { describe, expect, test } from 'vitest';
import type { AuditRow } from '../../src/records/records.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { secrets, theAudit, WITH_RECORDS } from './audit-stage.ts';

describe.each(WITH_RECORDS)('an audit that is copied into the records, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, forge, copy, fill, clock, gaps } = it;

  test('misses an entry that only the records have, also without a witness', async () => {
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
  ])('fails the check when the records file an entry %s', async (_, filed) => {
    const kept = it.records;
    await fill(5);
    await copy();
    const auditRange = async (from: number, to: number) =>
      (await kept.auditRange(from, to)).flatMap((row) => (row.n === 3 ? filed(row) : [row]));
    const audit = createAudit(it.store, secrets, clock.now, { records: { ...kept, auditRange } });
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    expect(await audit.verify()).toEqual({ ok: false, n: 3, why: 'changed' });
  });

  test('fills new records from the store, and misses entries that neither has', async () => {
    await fill(450);
    for (let n = 1; n <= 300; n++) await forge(`audit:${n}`, () => null);
    await copy();
    expect(await it.records.auditedTo()).toBe(450);
    expect((await it.records.auditRange(1, 450)).map(({ n }) => n)).toEqual(
      Array.from({ length: 150 }, (_, i) => 301 + i),
    );
    await copy();
    expect(gaps, 'it is said once').toEqual([[1, 300]]);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 1, why: 'missing' });
  });

  test('copies nothing and reports nothing when the store has no entries', async () => {
    await fill(3);
    for (let n = 1; n <= 3; n++) await forge(`audit:${n}`, () => null);
    await copy();
    expect([await it.records.auditedTo(), gaps]).toEqual([0, []]);
  });
});
