import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { StoreDown } from '../../src/store/store.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { keptFor } from '../../src/support/audit/chain.ts';
import type { Verdict } from '../../src/support/audit/verify.ts';
import { AUDITS, secrets, theAudit } from './audit-stage.ts';

describe.each(AUDITS)('the audit, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, copy, fill, numbers, clock, begun } = it;

  test('entries are read newest first, page by page, and by filters', async () => {
    await fill(7);
    await auditOf().append({ who: 'nadia', act: 'reveal', on: 'web:3', why: 'asked by the customer' });
    const first = await auditOf().page({ limit: 3 });
    expect(first.entries.map(({ n }) => n)).toEqual([8, 7, 6]);
    expect(first.entries[0]).toMatchObject({ who: 'nadia', act: 'reveal', why: 'asked by the customer' });
    expect(first.entries[0]).not.toHaveProperty('mac');
    const second = await auditOf().page({ limit: 10, ...(first.next && { before: first.next }) });
    expect(second.entries.map(({ n }) => n)).toEqual([5, 4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
    expect(await numbers({ who: 'omar' })).toEqual([6, 4, 2]);
    expect(await numbers({ on: 'web:3' })).toEqual([8, 3]);
    expect(await numbers({ on: 'web:3', act: 'reveal' })).toEqual([8]);
    expect(await numbers({ who: 'nobody' })).toEqual([]);
  });

  test('entries of several processes at once are all in one chain', async () => {
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

  test('entries are found by person, by time and by what they are about', async () => {
    const entry = (who: string, more: object) => auditOf().append({ who, act: 'seeSession', ...more });
    await entry('nadia', { on: 'web:1', about: '+212600000001' });
    await entry('omar', { on: 'ussd:+212600000001' });
    clock.ahead += 60_000;
    await entry('nadia', { on: 'web:2', about: '+212600000002' });
    await auditOf().append({ who: 'nadia', act: 'search', on: '+212600000001' });
    const about = ['+212600000001', 'ussd:+212600000001'];
    expect(await numbers({ about })).toEqual([4, 2, 1]);
    expect(await numbers({ about, who: 'nadia' })).toEqual([4, 1]);
    expect(await numbers({ about, to: begun + 30_000 })).toEqual([2, 1]);
    expect(await numbers({ from: begun + 30_000 })).toEqual([4, 3]);
    expect(await numbers({ from: begun + 90_000 })).toEqual([]);
    expect(await numbers({ about: ['+212600000009'] })).toEqual([]);
  });

  test('an act is refused when its entry cannot be written', async () => {
    await it.store.close();
    await expect(auditOf().append({ who: 'nadia', act: 'write' })).rejects.toBeInstanceOf(StoreDown);
  });
});

describe.each(AUDITS)('forged entries of the audit, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, forge, fill } = it;

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

  const FIELDS = ['from', 'session', 'about', 'what', 'of', 'end', 'endWhy', 'who', 'act', 'why'];
  test.each(FIELDS)('a forged field is found: %s', async (field) => {
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
});

describe.each(AUDITS)('the keys and the age of an audit, on %s', (kind) => {
  const { auditOf, forge, fill, clock, begun } = theAudit(kind);

  test('entries under another key are found', async () => {
    await fill(2);
    await auditOf(createSecrets('another key, of 32 characters or more')).append({ who: 'x', act: 'write' });
    await fill(1);
    expect(await auditOf().verify()).toEqual({ ok: false, n: 3, why: 'changed' });
  });

  test('a head sealed with the old key is proven by a process that has the old key', async () => {
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

  test('entries may be gone after their retention, and not before', async () => {
    await fill(3);
    clock.ahead = keptFor() + 1;
    await fill(2);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    for (const n of [1, 2, 3]) await forge(`audit:${n}`, () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 });
    expect((await auditOf().page({ limit: 10 })).entries.map(({ n }) => n)).toEqual([5, 4]);
    if (kind.endsWith('with records')) return;
    // Nobody can say any more when the ones before it were due.
    await forge('audit:4', () => null);
    expect(await auditOf().verify()).toMatchObject({ ok: false, why: 'missing' });
  });

  test('the retention is a setting', async () => {
    const keptDays = 365;
    const audit = () => auditOf(secrets, keptDays);
    for (const on of ['web:1', 'web:2']) await audit().append({ who: 'nadia', act: 'seeSession', on });
    clock.ahead = keptFor(keptDays) + 1;
    await audit().append({ who: 'nadia', act: 'seeSession', on: 'web:3' });
    for (const n of [1, 2]) await forge(`audit:${n}`, () => null);
    expect(await audit().verify()).toMatchObject({ ok: true, count: 3 });
    expect(await auditOf().verify(), 'of an audit that is kept for longer').toMatchObject({ why: 'missing' });
  });

  test('a field that the digest does not cover is not shown', async () => {
    await fill(1);
    await forge('audit:1', (entry) => ({ ...entry, endedAt: 5, foo: 'bar' }));
    const { entries } = await auditOf().page({ limit: 1 });
    expect(entries).toEqual([{ n: 1, at: begun + 1, who: 'nadia', act: 'seeSession', on: 'web:1' }]);
  });

  test('entries of a release without ends are still valid', async () => {
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
});

describe.each(AUDITS)('an audit that was emptied, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, fill, wipe, clock } = it;

  const accounts = () => createAccounts(it.store, secrets, clock.now);
  const admin = { id: 'nadia', name: 'Nadia', role: 'admin' } as const;
  test('an empty chain is broken when there is an account', async () => {
    await fill(8);
    await accounts().create(admin);
    await wipe();
    expect(await auditOf().verify()).toEqual({ ok: false, n: 1, why: 'missing' });
    const never = await auditOf().page({ limit: 5 });
    expect(never.entries).toEqual([]);
  });

  test('a chain that begins after the accounts is broken', async () => {
    await fill(8);
    await accounts().create(admin);
    expect(await auditOf().verify()).toMatchObject({ ok: true });
    await wipe();
    clock.ahead += 1_000;
    await fill(3);
    expect(await auditOf().verify()).toMatchObject({ ok: false, n: 1, why: 'begun' });
  });
});
