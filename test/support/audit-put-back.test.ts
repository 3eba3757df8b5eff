import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Store } from '../../src/store/store.ts';
import { keptFor, type LinkId } from '../../src/support/audit/chain.ts';
import { witnessOf } from '../../src/support/audit/witness.ts';
import { secrets, theAudit, WITH_RECORDS } from './audit-stage.ts';

const lost = ['4 omar seeSession web:2', '5 nadia seeSession web:3'];
const first = [1, 2, 3].map((n) => `${n} ${n === 2 ? 'omar' : 'nadia'} seeSession web:${n}`);

describe.each(WITH_RECORDS)('an audit whose store was put back, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, copy, fill, lose, filed, clock, begun, putBack } = it;

  test('goes on behind the last entry of the records, also without new entries', async () => {
    await lose();
    expect(await auditOf().verify()).toEqual({ ok: false, n: 4, why: 'putBack' });
    await copy();
    expect(putBack).toEqual([{ from: 4, to: 5, moved: 0 }]);
    expect(await filed()).toEqual([...first, ...lost, '6 wasl rejoinAudit']);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 6, putBack: [6] });
    expect((await document('audit:5'))?.value, 'in the store as well').toBe(
      (await it.records.auditRange(5, 5))[0]?.link,
    );
    await fill(2);
    await copy();
    expect(putBack, 'it is done once').toHaveLength(1);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 8 });
  });

  test.each([1, 2, 7])(
    'keeps the entries written since, behind those of the records: %s entries',
    async (count) => {
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
      expect((await document('audit:4'))?.value).toBe((await it.records.auditRange(4, 4))[0]?.link);
    },
  );
});

describe.each(WITH_RECORDS)('an audit whose store was put back to long ago, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, inRecords, copy, fill, wipe, snapshot, lose, filed, clock, putBack, refused } =
    it;

  test('does not miss entries whose retention is over', async () => {
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

  test('has no entry twice after a second loss', async () => {
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

  test('still matches a witness of the time in between', async () => {
    await lose();
    await auditOf().append({ who: 'sara', act: 'reveal' });
    const head = JSON.parse((await document('audit:head'))?.value ?? '{}') as LinkId;
    const witness = witnessOf(secrets, head);
    await copy();
    expect(await auditOf().verify(witness)).toMatchObject({ ok: true, count: 7 });
  });

  test('does not bring back entries whose retention is over', async () => {
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

  test('is not touched by a process without the key', async () => {
    await lose();
    await fill(2);
    const before = await filed();
    await copy(it.records, createSecrets('another key of somebody else, 32 long'));
    expect([await filed(), refused]).toEqual([before, [5]]);
    await copy();
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 8, putBack: [8] });
  });

  test('has all entries again after the store was emptied', async () => {
    await fill(8);
    await copy();
    await wipe();
    await fill(1);
    await copy();
    expect(putBack).toEqual([{ from: 1, to: 8, moved: 1 }]);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 10 });
  });
});

describe.each(WITH_RECORDS)('an act during which the store was put back, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, copy, fill, snapshot, lose } = it;

  test('ends as it did, with the entry that was moved', async () => {
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
    const audit = auditOf();
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

  test('ends at the new place of its entry', async () => {
    await lose();
    expect(await reveals(() => copy())).toEqual(['6 reveal done web:9 asked for', '7 rejoinAudit done']);
  });

  test('ends at its entry once that is back from the records', async () => {
    await fill(3);
    const putBackNow = await snapshot();
    const done = await reveals(async () => {
      await copy();
      await putBackNow();
    });
    expect(done).toEqual(['4 reveal done web:9 asked for', '5 rejoinAudit done']);
  });

  test('is written anew when its entry is lost in both places', async () => {
    await fill(3);
    await copy();
    const putBackNow = await snapshot();
    expect(await reveals(putBackNow)).toEqual(['4 reveal done web:9 asked for']);
  });
});

describe.each(WITH_RECORDS)('an audit whose store was put back while processes go on, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, copy, fill, lose, filed, putBack, refused } = it;

  test.each(Array.from({ length: 14 }, (_, i) => i + 1))(
    'goes on while another process writes: before call %s of the store',
    async (nth) => {
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
      const busy: Store = { ...it.store, read: goesOn(it.store.read), commit: goesOn(it.store.commit) };
      await copy(it.records, secrets, busy);
      await copy();
      expect([refused, putBack.length]).toEqual([[], 1]);
      const isIn = calls >= nth ? 1 : 0;
      expect(await auditOf().verify()).toMatchObject({ ok: true, count: 9 + isIn });
    },
  );

  test('goes on once when several processes find it', async () => {
    await lose();
    const doing = Array.from({ length: 6 }, async (_, i) => {
      await auditOf().append({ who: `agent${i}`, act: 'nudge' });
      await copy();
    });
    await Promise.all(doing);
    await copy();
    const acts = (await filed())?.filter((each) => each.includes('nudge')).map((each) => each.split(' ')[1]);
    expect(acts?.sort()).toEqual([0, 1, 2, 3, 4, 5].map((i) => `agent${i}`));
    expect(putBack).toHaveLength(1);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 12 });
  });

  test('keeps a thousand entries that were written while the records were down', async () => {
    await lose();
    const others = auditOf();
    for (let i = 0; i < 1_200; i++) await others.append({ who: 'sara', act: 'nudge' });
    await copy();
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 5 + 1_200 + 1 });
    expect(await it.records.auditedTo()).toBe(1_206);
  });
});
