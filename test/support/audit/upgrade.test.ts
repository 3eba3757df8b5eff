import { beforeEach, describe, expect, test } from 'vitest';
import { headOf, type Link, linkAfter, NOTHING, rowOf } from '../../../src/support/audit/chain.ts';
import { PARTITION } from '../../../src/support/audit/outbox.ts';
import { type AuditPlace, anAudit, PLACES } from './kit.ts';

const looked = (n: number) => `${n} omar nudge web:${n}`;

/** A process of the release before, whose chain is in the store. */
function anOlderProcess(it: () => AuditPlace) {
  let chain: Link[] = [];
  beforeEach(() => {
    chain = [];
  });

  /** It writes. */
  async function older(count: number): Promise<void> {
    const writes: { key: string; version: number; value: string }[] = [];
    for (let i = 1; i <= count; i++) {
      const last = chain.at(-1) ?? NOTHING;
      const link = linkAfter(
        it(),
        last,
        { who: 'omar', act: 'nudge', on: `web:${last.n + 1}` },
        it().clock.now(),
      );
      chain.push(link);
      writes.push({ key: `audit:${link.n}`, version: 0, value: JSON.stringify(link) });
    }
    const { n, at, mac } = chain.at(-1) ?? NOTHING;
    const seal = it().secrets.digest(JSON.stringify(['audit-head', n, at, mac]));
    const version = (await it().document('audit:head'))?.version ?? 0;
    writes.push({ key: 'audit:head', version, value: JSON.stringify({ n, at, mac, seal }) });
    expect(await it().store.commit(PARTITION, { writes })).toBe(true);
  }
  /** A worker of that release copies up to that entry, and says where the records end. */
  async function copied(to: number, { isSealed = true } = {}): Promise<void> {
    const n = await it().records().audit.lastNumber();
    const [row] = await it().records().audit.range(n, n);
    const links = chain.slice(n, to);
    const end = isSealed && { n: to, sealed: JSON.stringify(headOf(it(), chain[to - 1] as Link)) };
    const rows = links.map((link) => ({ ...rowOf(link), link: JSON.stringify(link) }));
    expect(
      await it()
        .records()
        .audit.add(rows, row?.link, end || undefined),
    ).toBe(true);
  }
  return { chain: () => chain, older, copied };
}

describe.each(PLACES)('an audit of the release before, on %s', (place) => {
  const it = anAudit(place);
  const { chain, older, copied } = anOlderProcess(it);

  test.each([
    ['all of it', 6],
    ['a part of it', 4],
    ['nothing', 0],
  ])('goes on where it was, once the records have got %s before', async (_, to) => {
    await older(6);
    if (to > 0) await copied(to);
    await it().fill(2);
    expect(await it().verify()).toMatchObject({ ok: true, count: 8 });
    expect(await it().filed()).toEqual([
      ...[1, 2, 3, 4, 5, 6].map(looked),
      '7 nadia seeSession web:1',
      '8 omar seeSession web:2',
    ]);
    await it().take();
    expect(await it().filed()).toHaveLength(8);
  });

  test('is vouched for by its own head where that release had not sealed the end of the records', async () => {
    await older(6);
    await copied(6, { isSealed: false });
    await it().fill(1);
    expect(await it().verify()).toMatchObject({ ok: true, count: 7 });
  });

  test('is not vouched for by a head that somebody made up', async () => {
    await older(6);
    await copied(6, { isSealed: false });
    await it().forge('audit:head', (head) => ({ ...head, seal: 'made up' }));
    await it().fill(1);
    expect(await it().verify()).toMatchObject({ ok: false, n: 6, why: 'head' });
  });

  test('is kept whole while processes of both releases write during a deploy', async () => {
    await older(3);
    await it().fill(2);
    await it().take();
    await older(2);
    await it().fill(1);
    await it().take();
    await older(1);
    await it().take();
    expect(await it().filed()).toEqual([
      ...[1, 2, 3].map(looked),
      '4 nadia seeSession web:1',
      '5 omar seeSession web:2',
      '6 omar nudge web:4',
      '7 omar nudge web:5',
      '8 nadia seeSession web:1',
      '9 omar nudge web:6',
    ]);
    expect(await it().verify()).toMatchObject({ ok: true, count: 9 });
  });

  test('is whole after a rollback, in which that release has moved entries behind those of this one', async () => {
    await older(2);
    await it().fill(2);
    await it().take();
    const [last] = await it().records().audit.range(4, 4);
    const before = JSON.parse(last?.link ?? '{}') as Link;
    const was = { n: 3, mac: 'as it was', at: it().clock.now() };
    const moved = linkAfter(it(), before, { who: 'omar', act: 'nudge', was }, it().clock.now());
    const end = { n: 5, sealed: JSON.stringify(headOf(it(), moved)) };
    const { origin: _itKnowsNone, ...row } = rowOf(moved);
    expect(await it().records().audit.add([row], last?.link, end)).toBe(true);
    await it().fill(1);
    expect(await it().verify()).toMatchObject({ ok: true, count: 6 });
  });

  test('has the end of an act that was begun before the deploy', async () => {
    await older(1);
    const [first] = chain();
    await it().take();
    const closing = linkAfter(
      it(),
      first as Link,
      { who: 'omar', act: 'nudge', of: 1, end: 'done' },
      it().clock.now(),
    );
    chain().push(closing);
    const seal = it().secrets.digest(JSON.stringify(['audit-head', 2, closing.at, closing.mac]));
    await it().forge('audit:2', () => closing);
    await it().forge('audit:head', () => ({ n: 2, at: closing.at, mac: closing.mac, seal }));
    expect((await it().audit().page({ limit: 5 })).entries).toMatchObject([{ n: 1, end: 'done' }]);
  });

  test.each([
    ['before the first start', async () => {}],
    [
      'while both write',
      async () =>
        it()
          .fill(1)
          .then(() => it().take()),
    ],
  ])('shows an entry that somebody changed in the store %s', async (_, before) => {
    await older(2);
    await before();
    await older(2);
    await it().forge('audit:4', (entry) => ({ ...entry, who: 'x' }));
    await it().fill(1);
    expect(await it().verify()).toMatchObject({ ok: false, why: 'changed' });
  });
});

describe.each(PLACES)('an audit of an early release, on %s', (place) => {
  const it = anAudit(place);
  test('is read with its entries that knew no ends, as they were written', async () => {
    const bare = { n: 1, at: 5, who: 'nadia', act: 'write', prev: '', prevAt: 0 };
    const mac = it().secrets.digest(JSON.stringify(['audit', 1, 5, 'nadia', 'write', null, null, '', 0]));
    const seal = it().secrets.digest(JSON.stringify(['audit-head', 1, 5, mac]));
    await it().forge('audit:1', () => ({ ...bare, mac }));
    await it().forge('audit:head', () => ({ n: 1, at: 5, mac, seal }));
    await it().fill(1);
    expect(await it().verify(`1:${mac}`)).toMatchObject({ ok: true, count: 2 });
    const { entries } = await it().audit().page({ limit: 5 });
    expect(entries.at(-1)).toEqual({ n: 1, at: 5, who: 'nadia', act: 'write' });
  });
});
