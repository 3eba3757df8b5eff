import { describe, expect, test } from 'vitest';
import type { AuditRow } from '../../../src/records/records.ts';
import { createAccounts } from '../../../src/support/access/accounts.ts';
import { createAudit } from '../../../src/support/audit/audit.ts';
import type { Link } from '../../../src/support/audit/chain.ts';
import type { Verdict } from '../../../src/support/audit/verify.ts';
import { type AuditPlace, anAudit, PLACES } from './kit.ts';

type Attack = readonly [what: string, found: Partial<Verdict>, attack: (it: AuditPlace) => Promise<unknown>];
const broken = (n: number, why: Extract<Verdict, { ok: false }>['why']) => ({ ok: false, n, why }) as const;
/** Changes the text of an entry in the records. */
const rewrite = (it: AuditPlace, n: number, from: string, to: string) =>
  it.inRecords(`UPDATE audit SET link = replace(link, '${from}', '${to}') WHERE n = ${n}`);

/** Eight entries are in the records. */
const ON_RECORDS: readonly Attack[] = [
  ['nothing', { ok: true }, async () => {}],
  ['one byte of an entry is flipped', broken(4, 'changed'), (it) => rewrite(it, 4, 'omar', 'omaq')],
  ['a subject is taken away', broken(5, 'changed'), (it) => rewrite(it, 5, ',"on":"web:5"', '')],
  [
    'two entries are changed: the first is named',
    broken(2, 'changed'),
    async (it) => {
      await rewrite(it, 6, 'seeSession', 'write');
      await rewrite(it, 2, 'seeSession', 'write');
    },
  ],
  [
    'two entries are swapped',
    broken(2, 'changed'),
    (it) =>
      it.inRecords(
        'UPDATE audit SET n = -2 WHERE n = 2; UPDATE audit SET n = 2 WHERE n = 3; UPDATE audit SET n = 3 WHERE n = -2',
      ),
  ],
  ['an entry is deleted', broken(3, 'missing'), (it) => it.inRecords('DELETE FROM audit WHERE n = 3')],
  [
    'an entry is made up at the end',
    broken(9, 'changed'),
    (it) =>
      it.inRecords(
        `INSERT INTO audit (n, at, who, act, link) VALUES (9, 1, 'omar', 'write', '{"n":9,"at":1,"who":"omar","act":"write","prev":"x","prevAt":1,"mac":"x"}')`,
      ),
  ],
  [
    'the seal of the end is made up',
    broken(8, 'head'),
    (it) => it.inRecords(`UPDATE audit_end SET sealed = replace(sealed, '"seal":"', '"seal":"x')`),
  ],
  ['the seal of the end is deleted', broken(8, 'head'), (it) => it.inRecords('DELETE FROM audit_end')],
  [
    'the last entries are cut, here and in the outbox',
    broken(7, 'missing'),
    async (it) => {
      await it.inRecords('DELETE FROM audit WHERE n > 6');
      for (const s of [7, 8]) await it.forge(`audit-outbox:${s}`, () => null);
    },
  ],
  [
    'the last entries are cut with the seal of the end, and the outbox is wiped',
    broken(6, 'head'),
    async (it) => {
      await it.inRecords('DELETE FROM audit WHERE n > 6; DELETE FROM audit_end');
      await it.wipe();
    },
  ],
  [
    'all of it is wiped but the outbox, whose first entries are gone',
    broken(1, 'missing'),
    async (it) => {
      await it.inRecords('DELETE FROM audit; DELETE FROM audit_end');
      for (const s of [1, 2]) await it.forge(`audit-outbox:${s}`, () => null);
    },
  ],
  [
    'the mark of the outbox is made up',
    broken(8, 'head'),
    (it) => it.forge('audit-outbox:taken', (taken) => ({ ...taken, n: 7 })),
  ],
  [
    'the mark of the outbox names an entry that was never there',
    broken(8, 'head'),
    (it) => it.forge('audit-outbox:taken', (taken) => ({ ...taken, n: 900 })),
  ],
];

/** Five entries are in the records, and three wait in the outbox. */
const ON_OUTBOX: readonly Attack[] = [
  [
    'one byte of a waiting entry is flipped',
    broken(7, 'changed'),
    (it) => it.forge('audit-outbox:7', (entry) => ({ ...entry, who: 'omaq' })),
  ],
  [
    'two waiting entries are swapped',
    broken(6, 'changed'),
    async (it) => {
      const [six, seven] = [await it.document('audit-outbox:6'), await it.document('audit-outbox:7')];
      await it.forge('audit-outbox:6', () => JSON.parse(seven?.value ?? ''));
      await it.forge('audit-outbox:7', () => JSON.parse(six?.value ?? ''));
    },
  ],
  ['a waiting entry is deleted', broken(7, 'missing'), (it) => it.forge('audit-outbox:7', () => null)],
  ['the last waiting entry is deleted', broken(8, 'missing'), (it) => it.forge('audit-outbox:8', () => null)],
  [
    'the last waiting entry is deleted, and the head made up',
    broken(7, 'head'),
    async (it) => {
      await it.forge('audit-outbox:8', () => null);
      await it.forge('audit-outbox:head', (head) => ({ ...head, next: 8 }));
    },
  ],
  [
    'the same, and somebody goes on behind it',
    broken(7, 'head'),
    async (it) => {
      await it.forge('audit-outbox:8', () => null);
      await it.forge('audit-outbox:head', (head) => ({ ...head, next: 8 }));
      await it.fill(2);
    },
  ],
  [
    'an older entry is put again, as a new one',
    broken(8, 'head'),
    async (it) => {
      const two = await it.document('audit-outbox:2');
      await it.forge('audit-outbox:9', () => JSON.parse(two?.value ?? ''));
      await it.forge('audit-outbox:head', (head) => ({ ...head, next: 10 }));
    },
  ],
  ['the head is deleted', broken(5, 'head'), (it) => it.forge('audit-outbox:head', () => null)],
  [
    'the head is deleted, and somebody goes on behind it',
    broken(8, 'head'),
    async (it) => {
      await it.forge('audit-outbox:head', () => null);
      await it.fill(2);
    },
  ],
  [
    'the head and the mark are deleted, and somebody goes on: what waited is in the chain',
    { ok: true },
    async (it) => {
      await it.forge('audit-outbox:head', () => null);
      await it.forge('audit-outbox:taken', () => null);
      await it.fill(1);
      await it.take();
      expect(await it.filed()).toHaveLength(9);
    },
  ],
];

describe.each(PLACES)('an attack without the key, on %s', (place) => {
  const it = anAudit(place);

  test.each(ON_RECORDS)('on the records: %s', async (_what, found, attack) => {
    await it().fill(8);
    await it().take();
    await attack(it());
    expect(await it().verify()).toMatchObject(found);
  });

  test.each(ON_OUTBOX)('on the outbox: %s', async (_what, found, attack) => {
    await it().fill(5);
    await it().take();
    await it().fill(3);
    await attack(it());
    expect(await it().verify()).toMatchObject(found);
  });
});

describe.each(PLACES)('an attack without the key on one entry, on %s', (place) => {
  const it = anAudit(place);
  const FIELDS = ['from', 'session', 'about', 'what', 'of', 'end', 'endWhy', 'who', 'act', 'why'];
  test.each(FIELDS)('a check finds a forged field: %s', async (field) => {
    const audit = it().audit();
    await audit.during(
      () => ({ from: '192.0.2.7', session: 'abc' }),
      () => audit.append({ who: 'nadia', act: 'reveal', about: '+212600000001', what: 'x', why: 'asked' }),
      () => ({ end: 'refused', endWhy: 'tooMany' }),
    );
    await it().take();
    const n = field === 'of' || field === 'endWhy' ? 2 : 1;
    const [row] = await it().records().audit.range(n, n);
    const link = JSON.parse(row?.link ?? '{}') as Record<string, unknown>;
    const forged = JSON.stringify({ ...link, [field]: field === 'of' ? 9 : 'done' });
    await it().inRecords(`UPDATE audit SET link = '${forged}' WHERE n = ${n}`);
    expect(await it().verify()).toEqual(broken(n, 'changed'));
  });

  test.each<[string, (row: AuditRow) => readonly AuditRow[]]>([
    ['as the end of another one', (row) => [{ ...row, of: 1 }]],
    ['at another moment', (row) => [{ ...row, at: 0 }]],
    ['as another person’s', (row) => [{ ...row, who: 'x' }]],
    ['as about another customer', (row) => [{ ...row, about: '+212600000009' }]],
    ['under another name', (row) => [{ ...row, origin: 'e:x' }]],
  ])('a check finds an entry that the records file %s', async (_, filed) => {
    await it().fill(5);
    await it().take();
    const range = async (from: number, to: number) =>
      (await it().records().audit.range(from, to)).flatMap((row) => (row.n === 3 ? filed(row) : [row]));
    const { store, secrets, clock } = it();
    const audit = createAudit(store, secrets, clock.now, { ...it().records().audit, range });
    expect(await audit.verify()).toEqual(broken(3, 'changed'));
    expect(await it().verify()).toMatchObject({ ok: true, count: 5 });
  });

  test('a reader is not shown what stands beside the fields that the digest proves', async () => {
    await it().fill(1);
    await it().take();
    await rewrite(it(), 1, '"who"', '"endedAt":5,"foo":"bar","who"');
    const { entries } = await it().audit().page({ limit: 1 });
    expect(entries).toEqual([{ n: 1, at: it().begun + 1, who: 'nadia', act: 'seeSession', on: 'web:1' }]);
    expect(await it().verify()).toMatchObject({ ok: true });
  });
});

describe.each(PLACES)('an attack without the key on the whole audit, on %s', (place) => {
  const it = anAudit(place);
  const account = () =>
    createAccounts({ ...it(), settings: it().records().settings, now: it().clock.now }).create({
      id: 'nadia',
      name: 'Nadia',
      role: 'admin',
    });
  const wipeAll = async () => {
    await it().wipe();
    await it().inRecords('DELETE FROM audit; DELETE FROM audit_end');
  };

  test('an audit that was wiped is missed where somebody has an account', async () => {
    await it().fill(8);
    await account();
    await it().take();
    await wipeAll();
    expect(await it().verify()).toEqual(broken(1, 'missing'));
    expect((await it().audit().page({ limit: 5 })).entries).toEqual([]);
  });

  test('an audit that was begun anew is younger than the accounts', async () => {
    await it().fill(8);
    await account();
    expect(await it().verify()).toMatchObject({ ok: true });
    await wipeAll();
    it().clock.ahead += 1_000;
    await it().fill(3);
    expect(await it().verify()).toEqual(broken(1, 'begun'));
  });

  test('only a witness finds that store and records were both put back to yesterday', async () => {
    await it().fill(3);
    await it().take();
    const [store, records] = [await it().copyOfStore(), await it().copyOfRecords()];
    await it().fill(2);
    const today = await it().verify();
    if (!today.ok) throw new Error('broken already');
    await store();
    await records();
    expect(await it().verify()).toMatchObject({ ok: true, count: 3, isEndUnproven: true });
    expect(await it().verify(today.head)).toEqual(broken(4, 'missing'));
    await it().fill(2);
    expect(await it().verify(today.head), 'others in their place do not help').toEqual(broken(5, 'changed'));
  });

  test('a deed behind a chain that was cut says for ever that it was', async () => {
    await it().fill(5);
    await it().take();
    await it().inRecords('DELETE FROM audit WHERE n > 3; DELETE FROM audit_end');
    await it().wipe();
    await it().fill(3);
    await it().take();
    expect(await it().verify()).toEqual(broken(3, 'head'));
    const [row] = await it().records().audit.range(4, 4);
    expect((JSON.parse(row?.link ?? '{}') as Link).unproven).toBe('');
  });
});
