import { describe, expect, test } from 'vitest';
import type { Link } from '../../src/support/audit/chain.ts';
import { PARTITION, theAudit, WITH_RECORDS } from './audit-stage.ts';

describe.each(WITH_RECORDS)('an attack with a store that was put back, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, forge, inRecords, copy, fill, wipe, snapshot, lose, filed } = it;

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
        const end = await it.records.auditEnd();
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
        const [doc] = await it.store.read(PARTITION, ['audit:3']);
        const write = { key: 'audit:3', version: doc?.version ?? 0, value: `${doc?.value} ` };
        await it.store.commit(PARTITION, { writes: [write] });
      },
    ],
  ])('hides and repeats nothing: %s', async (_, attack) => {
    await attack();
    const done = async () => (await filed())?.filter((each) => !each.includes('rejoinAudit'));
    const before = await done();
    await copy();
    expect(await auditOf().verify()).toMatchObject({ ok: false });
    expect(await done(), 'nothing was added').toEqual(before);
  });
});

describe.each(WITH_RECORDS)('a forged audit in a store that was put back, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, forge, copy, fill, lose, putBack, refused } = it;

  test.each<[string, () => Promise<void>]>([
    ['an entry forged', () => forge('audit:5', (entry) => ({ ...entry, who: 'somebody else' }))],
    ['an entry of nobody', () => forge('audit:4', () => 'nothing')],
    ['one cut out', () => forge('audit:4', () => null)],
    ['its end forged', () => forge('audit:head', (head) => ({ ...head, seal: 'x' }))],
    ['its end taken away', () => forge('audit:head', () => null)],
    ['its end set back once more', () => forge('audit:head', (head) => ({ ...head, n: 4 }))],
  ])('is not repaired, and the check finds it: %s', async (_, forgery) => {
    await lose();
    await fill(2);
    await forgery();
    const before = await it.store.read(PARTITION, ['audit:head', 'audit:4', 'audit:5']);
    await copy();
    expect(putBack).toEqual([]);
    expect(refused.length, 'which is said').toBeGreaterThan(0);
    expect(await it.store.read(PARTITION, ['audit:head', 'audit:4', 'audit:5'])).toEqual(before);
    expect(await auditOf().verify()).toMatchObject({ ok: false });
  });

  test('is not filled with forged entries of the records', async () => {
    const kept = it.records;
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

  test('does not go on behind a forged entry of the records', async () => {
    await fill(3);
    await copy();
    const link = { n: 9, at: 1, who: 'omar', act: 'write', prev: 'x', prevAt: 1, mac: 'x' };
    const [three] = await it.records.auditRange(3, 3);
    const row = { n: 9, at: 1, who: 'omar', act: 'write', link: JSON.stringify(link) };
    await it.records.addAudit([row], three?.link);
    await copy();
    expect([putBack, await document('audit:9')]).toEqual([[], undefined]);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'missing' });
  });
});
