import { describe, expect, test } from 'vitest';
import type { End } from '../../src/support/audit/deeds.ts';
import { AUDITS, theAudit } from './audit-stage.ts';

describe.each(AUDITS)('the end of an act in the audit, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, clock } = it;

  const ends: readonly (readonly [what: string, end: End])[] = [
    ['done', { end: 'done' }],
    ['refused', { end: 'refused', endWhy: 'forbidden' }],
    ['failed', { end: 'failed', endWhy: 'StoreDown' }],
  ];
  test.each(ends)('an entry says from where the act comes, and then how it ended: %s', async (_, end) => {
    const audit = auditOf();
    const origin = () => ({ from: '192.0.2.7', session: 'abc' });
    await audit.during(
      origin,
      async () => {
        await audit.append({ who: 'nadia', act: 'reveal', on: 'web:1', about: '+212600000001' });
        const during = (await auditOf().page({ limit: 5 })).entries;
        expect(during).toMatchObject([{ who: 'nadia', from: '192.0.2.7', session: 'abc', end: 'open' }]);
        clock.ahead += 500;
      },
      () => end,
    );
    const { entries } = await auditOf().page({ limit: 5 });
    expect(entries).toMatchObject([{ n: 1, act: 'reveal', about: '+212600000001', ...end }]);
    expect((entries[0]?.endedAt ?? 0) - (entries[0]?.at ?? 0)).toBe(500);
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 2, open: 0 });
  });

  test('an act during which the process died stays open, and the check counts it', async () => {
    const audit = auditOf();
    void audit.during(
      () => ({ from: '192.0.2.7' }),
      async () => {
        await audit.append({ who: 'nadia', act: 'resend', on: 'payment' });
        return new Promise(() => {});
      },
      () => ({ end: 'done' }),
    );
    await expect
      .poll(async () => (await auditOf().verify()).ok && (await auditOf().page({ limit: 5 })).entries)
      .toMatchObject([{ act: 'resend', end: 'open' }]);
    expect(await auditOf().verify()).toMatchObject({ ok: true, open: 1 });
    const found = async (end: 'open' | 'done') => (await auditOf().page({ end, limit: 5 })).entries.length;
    expect([await found('open'), await found('done')]).toEqual([1, 0]);
  });

  test('each act of one request ends with its own result', async () => {
    const audit = auditOf();
    await audit.during(
      () => ({ from: '192.0.2.7', session: 'abc' }),
      async () => {
        for (const on of ['c-1', 'c-2'])
          await audit.part(
            async () => {
              await audit.append({ who: 'nadia', act: 'closeCase', on });
              return on === 'c-1' ? ('done' as const) : ('refused' as const);
            },
            (end): End => (end === 'done' ? { end } : { end, endWhy: 'notNow' }),
          );
      },
      () => ({ end: 'failed', endWhy: 'the request' }),
    );
    const from = { from: '192.0.2.7', session: 'abc' };
    expect((await audit.page({ limit: 5 })).entries).toMatchObject([
      { on: 'c-2', end: 'refused', endWhy: 'notNow', ...from },
      { on: 'c-1', end: 'done', ...from },
    ]);
    expect((await audit.verify()).ok).toBe(true);
  });

  test('two requests at once keep their own entries, and an error is a failure', async () => {
    const audit = auditOf();
    const acts = (who: string, isBroken: boolean) =>
      audit.during(
        () => ({ from: who }),
        async () => {
          await audit.append({ who, act: 'nudge' });
          if (isBroken) throw new TypeError('lost');
        },
        () => ({ end: 'done' }),
      );
    const [, broken] = await Promise.allSettled([acts('a', false), acts('b', true), acts('c', false)]);
    expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'lost' } });
    const { entries } = await auditOf().page({ limit: 10 });
    const known = entries.map(({ who, from, end, endWhy = '' }) => `${who} ${from} ${end} ${endWhy}`.trim());
    expect(known.sort()).toEqual(['a a done', 'b b failed TypeError', 'c c done']);
  });
});
