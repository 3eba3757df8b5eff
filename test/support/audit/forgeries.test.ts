import { describe, expect, test } from 'vitest';
import type { Head } from '../../../src/support/audit/chain.ts';
import type { Verdict } from '../../../src/support/audit/verify.ts';
import { type AuditPlace, anAudit, PLACES } from './kit.ts';

/** The head of the outbox behind three entries. */
let oldHead: object = {};
const readHead = async (it: AuditPlace) =>
  JSON.parse((await it.document('audit-outbox:head'))?.value ?? '{}') as object;

const broken = (n: number, why: Extract<Verdict, { ok: false }>['why']) => ({ ok: false, n, why }) as const;
const madeUp = (n: number, at: number) =>
  `INSERT INTO audit (n, at, who, act, link) VALUES (${n}, ${at}, 'omar', 'write', '{"n":${n},"at":${at},"who":"omar","act":"write","prev":"x","prevAt":1,"mac":"x"}')`;

type Forgery = readonly [what: string, found: Partial<Verdict>, forge: (it: AuditPlace) => Promise<unknown>];

/** Eight entries are in the records, and everything that an attacker does is followed by deeds. */
const FORGERIES: readonly Forgery[] = [
  [
    'all that was is deleted behind an entry that was made up long ago',
    broken(1, 'missing'),
    async (it) => {
      await it.inRecords(madeUp(9, 1));
      await it.fill(2);
      await it.take();
      await it.inRecords('DELETE FROM audit WHERE n <= 9');
    },
  ],
  [
    'a deed is made up in the older chain, under the seal of the end of the records',
    broken(9, 'changed'),
    async (it) => {
      const { seal } = JSON.parse((await it.records().audit.end())?.sealed ?? '{}') as Head;
      const deed = { n: 20, at: 1, who: 'omar', act: 'freeze', prev: '', prevAt: 0, mac: seal };
      await it.forge('audit:20', () => ({ ...deed, was: { n: 1, mac: 'any', at: 1 } }));
      await it.forge('audit:head', () => ({ n: 20, at: 1, mac: seal, seal: '' }));
    },
  ],
  ['an entry is made up before the first one', broken(-3, 'changed'), (it) => it.inRecords(madeUp(-3, 1))],
  [
    'an entry is made up among those that were forgotten in time',
    broken(2, 'changed'),
    async (it) => {
      it.clock.ahead += 800 * 24 * 3_600_000;
      await it.fill(2);
      await it.take();
      await it.inRecords('DELETE FROM audit WHERE n <= 8');
      expect(await it.verify()).toMatchObject({ ok: true });
      await it.inRecords(madeUp(2, it.clock.now()));
    },
  ],
  [
    'the head is put back so that deeds get numbers that the records have passed',
    { ok: true, count: 12 },
    async (it) => {
      for (let s = 1; s <= 8; s++) await it.forge(`audit-outbox:${s}`, () => null);
      await it.forge('audit-outbox:head', (head) => ({ ...head, ...oldHead }));
      await it.fill(4);
    },
  ],
];

describe.each(PLACES)('a forgery without the key, on %s', (place) => {
  const it = anAudit(place);
  test.each(FORGERIES)('%s', async (_what, found, forge) => {
    await it().fill(3);
    oldHead = await readHead(it());
    await it().fill(5);
    const before = await it().verify();
    await forge(it());
    await it().take();
    const witness = before.ok ? before.head : '';
    expect([await it().verify(), await it().verify(witness)]).toMatchObject([found, found]);
  });

  test('deeds have no moment that a forged head says', async () => {
    await it().fill(1);
    await it().forge('audit-outbox:head', (head) => ({ ...head, at: it().clock.now() + 1e9 }));
    await it().fill(1);
    await it().take();
    const { entries } = await it().audit().page({ limit: 1 });
    expect(entries[0]?.at).toBe(it().clock.now());
  });
});

/** Five entries are in the records. Nothing that an attacker writes keeps later deeds out of the audit. */
const HINDRANCES: readonly (readonly [string, (it: AuditPlace) => Promise<unknown>])[] = [
  ...[1e15, 2 ** 53, 2 ** 60, 1e300, 1e308, 8.5, 0.5, -5, -1e300, 1, 3].map(
    (next) =>
      [
        `the head says ${next}`,
        (it: AuditPlace) => it.forge('audit-outbox:head', (head) => ({ ...head, next })),
      ] as const,
  ),
  ['an older head is put back', (it) => it.forge('audit-outbox:head', () => oldHead)],
  ['the head is no head', (it) => it.forge('audit-outbox:head', () => [])],
  ...[1e15, -1e9, 1e308, -1e308, 0.5].map(
    (s) =>
      [
        `the mark says ${s}`,
        (it: AuditPlace) => it.forge('audit-outbox:taken', (taken) => ({ ...taken, s })),
      ] as const,
  ),
  ['the mark names entry 1e300', (it) => it.forge('audit-outbox:taken', (taken) => ({ ...taken, n: 1e300 }))],
  ...[
    { at: 1e300 },
    { at: 1.5 },
    { at: 'x' },
    { at: 4e12 },
    { who: 5 },
    { who: { a: 1 } },
    { who: 'a\0b' },
    { who: undefined },
    { act: null },
    { on: 5 },
    { about: ['x'] },
    { end: {} },
    { end: 'a\0b' },
    { mac: 5 },
    { mac: 'a\0b' },
    { mac: 'é'.repeat(60_000) },
    { closes: {} },
    { closes: 5 },
    { who: longText() },
    { about: longText() },
  ].map(
    (more) =>
      [
        `a waiting entry has ${JSON.stringify(more).slice(0, 40)}`,
        async (it: AuditPlace) => {
          await it.fill(1);
          await it.forge('audit-outbox:6', (entry) => ({ ...entry, ...more }));
        },
      ] as const,
  ),
  ...[2.5, 3e9, 1e300, -4, 9].map(
    (n) =>
      [
        `an older chain ends at ${n}`,
        async (it: AuditPlace) => {
          await it.forge(`audit:${n}`, () => ({ n, at: 1e300, who: 5, of: 'x', on: 7, was: 5, mac: 'm' }));
          await it.forge('audit:head', () => ({ n, at: 1, mac: 'm', seal: '' }));
        },
      ] as const,
  ),
  ['the last row cannot be read', (it) => it.inRecords(`UPDATE audit SET link = 'x' WHERE n = 5`)],
  ['the last row is another one', (it) => it.inRecords(`UPDATE audit SET link = '{"n":7}' WHERE n = 5`)],
  [
    'the last row was never',
    (it) =>
      it.inRecords(
        `INSERT INTO audit (n, at, who, act, link) VALUES (6, 1, 'x', 'y', '{"n":6,"at":1e300,"mac":5,"was":3}')`,
      ),
  ],
  [
    'the end is no end',
    (it) => it.inRecords(`UPDATE audit_end SET sealed = '{"n":1e300,"at":1,"mac":"","seal":""}'`),
  ],
  ['a row stands far behind the others', (it) => it.inRecords(madeUp(2_000_000_000, 1))],
];

describe.each(PLACES)('a hindrance without the key, on %s', (place) => {
  const it = anAudit(place);
  test.each(HINDRANCES)('later deeds are in the chain, and the check ends: %s', async (_, hinder) => {
    await it().fill(3);
    oldHead = await readHead(it());
    await it().fill(2);
    await it().take();
    await hinder(it());
    for (const act of ['freeze', 'nudge'] as const) await it().audit().append({ who: 'sara', act });
    await it().take();
    const { entries } = await it().audit().page({ limit: 2 });
    expect(entries.map(({ who, act }) => [who, act])).toEqual([
      ['sara', 'nudge'],
      ['sara', 'freeze'],
    ]);
    expect(entries.every(({ at }) => at <= it().clock.now() + 1)).toBe(true);
    expect(await it().verify()).toHaveProperty('ok');
  });
});

/** A person may have typed these. */
const TEXTS = [
  'a\0b',
  '\ud800',
  `${'x'.repeat(1_999)}😀`,
  `${'x'.repeat(599)}😀`,
  '漢'.repeat(2_000),
  longText(),
  'é\u0301\u202e',
];
describe.each(PLACES)('an odd text, on %s', (place) => {
  const it = anAudit(place);
  test.each(TEXTS)('is kept, and the audit is whole: %#', async (text) => {
    await it().audit().append({
      who: text,
      act: 'search',
      on: text,
      about: text,
      why: text,
      what: text,
      end: 'refused',
      endWhy: text,
    });
    await it().take();
    expect(await it().verify()).toMatchObject({ ok: true, count: 1 });
  });
});

describe.each(PLACES)('an odd question, on %s', (place) => {
  const it = anAudit(place);
  test.each([
    { before: 1e15 },
    { who: 'a\0b' },
    { act: 'x\0' },
    { on: 'a\0b' },
    { on: longText() },
    { about: ['a\0b', '\ud800'] },
    { from: 8.64e15, to: -8.64e15 },
  ])('is answered: %#', async (filter) => {
    await it().fill(1);
    const { entries } = await it()
      .audit()
      .page({ limit: 5, ...filter });
    expect(entries).toHaveLength('before' in filter ? 1 : 0);
  });

  test('an entry is found by the text that it was written with', async () => {
    for (const text of TEXTS) {
      const audit = it().audit();
      await audit.append({ who: text, act: 'search', on: text, about: text });
      for (const filter of [{ who: text }, { on: text }, { about: [text] }])
        expect((await audit.page({ limit: 5, ...filter })).entries.length).toBeGreaterThan(0);
    }
  });
});

/** A long text that no database makes shorter. */
function longText(): string {
  return Array.from({ length: 60_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join(
    '',
  );
}
