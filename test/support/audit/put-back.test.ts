import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import type { Store } from '../../../src/store/store.ts';
import { keptFor } from '../../../src/support/audit/chain.ts';
import { takeAll } from '../../../src/support/audit/take.ts';
import { type AuditPlace, anAudit, PLACES } from './kit.ts';

const lookAt = (n: number) => `${n} ${n % 2 ? 'nadia' : 'omar'} seeSession web:${n}`;

/** Five entries are in the records, of which the store has lost the last two. */
async function lose(it: AuditPlace): Promise<void> {
  await it.fill(3);
  const putBack = await it.copyOfStore();
  await it.audit().append({ who: 'omar', act: 'seeSession', on: 'web:4' });
  await it.audit().append({ who: 'nadia', act: 'seeSession', on: 'web:5' });
  await it.take();
  await putBack();
}

/** Does something, with a failover between the act and its end. */
async function reveals(it: AuditPlace, failover: () => Promise<void>): Promise<readonly string[]> {
  const audit = it.audit();
  await audit.during(
    () => ({ from: '192.0.2.7' }),
    async () => {
      await audit.append({ who: 'sara', act: 'reveal', on: 'web:9', why: 'asked for' });
      await failover();
    },
    () => ({ end: 'done' }),
  );
  const { entries } = await audit.page({ act: 'reveal', limit: 100 });
  expect(await audit.verify()).toMatchObject({ ok: true, open: 0 });
  return entries.map(({ n, act, end, on, why }) => `${n} ${act} ${end} ${on} ${why}`);
}

describe.each(PLACES)('an audit whose store was put back to an older state, on %s', (place) => {
  const it = anAudit(place);
  const five = [1, 2, 3, 4, 5].map(lookAt);

  test('the chain keeps what the records have', async () => {
    await lose(it());
    await it().take();
    expect(await it().filed()).toEqual(five);
    expect(await it().verify()).toMatchObject({ ok: true, count: 5, putBack: [6] });
  });

  test.each([1, 2, 7])('the chain goes on with what was written meanwhile: %s entries', async (count) => {
    await lose(it());
    for (let i = 1; i <= count; i++) {
      it().clock.ahead++;
      await it()
        .audit()
        .append({ who: 'sara', act: 'nudge', on: `web:${i}`, why: 'no answer' });
    }
    const { entries } = await it().audit().page({ limit: 100 });
    const added = Array.from({ length: count }, (_, i) => `${6 + i} sara nudge web:${i + 1}`);
    expect(await it().filed()).toEqual([...five, ...added]);
    expect(entries[0]).toMatchObject({ n: 5 + count, why: 'no answer', at: it().clock.now() });
    expect(await it().verify()).toMatchObject({ ok: true, count: 5 + count, putBack: [6] });
  });

  test('an act that was begun and ended meanwhile has its end', async () => {
    await lose(it());
    const audit = it().audit();
    await audit.during(
      () => ({ from: '192.0.2.7' }),
      () => audit.append({ who: 'sara', act: 'reveal', on: 'web:9' }),
      () => ({ end: 'refused', endWhy: 'tooMany' }),
    );
    const { entries } = await audit.page({ act: 'reveal', limit: 5 });
    expect(entries).toMatchObject([{ n: 6, who: 'sara', end: 'refused', endWhy: 'tooMany' }]);
    expect(await audit.verify()).toMatchObject({ ok: true, count: 7, open: 0 });
  });

  test('the end finds an act that the records have, and the store has lost', async () => {
    await it().fill(3);
    const putBack = await it().copyOfStore();
    const done = await reveals(it(), async () => {
      await it().take();
      await putBack();
    });
    expect(done).toEqual(['4 reveal done web:9 asked for']);
  });

  test('the end of an act that nobody has any more is an entry with all of it', async () => {
    await it().fill(3);
    const putBack = await it().copyOfStore();
    expect(await reveals(it(), putBack)).toEqual(['4 reveal done web:9 asked for']);
  });

  test('a store that was put back a second time doubles nothing', async () => {
    await lose(it());
    await it().audit().append({ who: 'sara', act: 'reveal', on: 'web:9' });
    const putBack = await it().copyOfStore();
    await it().take();
    it().clock.ahead += 24 * 3_600_000;
    await putBack();
    await it().take();
    await it().audit().append({ who: 'sara', act: 'nudge' });
    await it().take();
    expect(await it().filed()).toEqual([...five, '6 sara reveal web:9', '7 sara nudge']);
    expect(await it().verify()).toMatchObject({ ok: true, count: 7, putBack: [6] });
  });

  test('entries that were forgotten in time do not come back with an old copy of the store', async () => {
    await it().fill(3);
    const longAgo = await it().copyOfStore();
    await it().take();
    it().clock.ahead += keptFor() + 1;
    await it().fill(2);
    await it().take();
    await it().inRecords('DELETE FROM audit WHERE n <= 3');
    await longAgo();
    await it().take();
    expect(await it().filed()).toEqual(['4 nadia seeSession web:1', '5 omar seeSession web:2']);
    expect(await it().verify()).toMatchObject({ ok: true, count: 5 });
  });

  test('a store that was emptied begins its outbox anew, behind the chain', async () => {
    await it().fill(5);
    await it().take();
    await it().wipe();
    await it().audit().append({ who: 'sara', act: 'reveal' });
    await it().take();
    expect(await it().filed()).toEqual([...five, '6 sara reveal']);
    expect(await it().verify()).toMatchObject({ ok: true, count: 6, putBack: [6] });
  });

  test('hundreds of entries that come again are passed over, also behind a chain whose outbox began anew', async () => {
    await it().fill(210);
    await it().take();
    const putBack = await it().copyOfStore();
    await it().wipe();
    await it().fill(2);
    await it().take();
    await putBack();
    await it().fill(1);
    await it().take();
    expect(await it().verify()).toMatchObject({ ok: true, count: 213, putBack: [211] });
  });

  test('a process that has another key writes nothing that a check takes for ours', async () => {
    await lose(it());
    await it().take(createSecrets('another key of another company, 32 long'));
    await it().fill(1, createSecrets('another key of another company, 32 long'));
    expect(await it().verify()).toMatchObject({ ok: false, why: 'changed' });
  });
});

describe.each(PLACES)('an audit whose records were put back to an older state, on %s', (place) => {
  const it = anAudit(place);
  test('they get again what the outbox still has, as it was', async () => {
    await it().fill(3);
    await it().take();
    const yesterday = await it().copyOfRecords();
    await it().fill(2);
    const today = await it().verify();
    await yesterday();
    expect(await it().filed()).toHaveLength(3);
    await it().fill(1);
    expect(today.ok && (await it().verify(today.head))).toMatchObject({ ok: true, count: 6 });
    expect(await it().filed()).toHaveLength(6);
  });

  test('records that are new get what the outbox still has, and what nobody has is missing', async () => {
    await it().fill(45);
    await it().take();
    for (let s = 1; s <= 30; s++) await it().forge(`audit-outbox:${s}`, () => null);
    await it().inRecords('DELETE FROM audit; DELETE FROM audit_end');
    await it().take();
    expect((await it().filed()).length).toBe(15);
    expect(await it().verify()).toEqual({ ok: false, n: 1, why: 'missing' });
  });

  test('the log is told once of entries that left the outbox before the records had them', async () => {
    await it().fill(3);
    await it().take();
    await it().fill(4);
    for (const s of [4, 5, 7]) await it().forge(`audit-outbox:${s}`, () => null);
    await it().take();
    await it().take();
    expect(it().gaps).toEqual([
      [4, 5],
      [7, 7],
    ]);
  });
});

/** Moves the entries, and does something just before a call of the store. True where there was such a call. */
async function takesWhile(it: AuditPlace, nth: number, act: () => Promise<void>): Promise<boolean> {
  let calls = 0;
  const goesOn =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (++calls === nth) await act();
      return call(...args);
    };
  const busy: Store = { ...it.store, read: goesOn(it.store.read), commit: goesOn(it.store.commit) };
  await it.take(it.secrets, busy);
  return calls >= nth;
}

describe.each(PLACES)('an audit that many processes move, on %s', (place) => {
  const it = anAudit(place);
  test.each(Array.from({ length: 8 }, (_, i) => i + 1))(
    'entries that are written while others move them are moved once: before call %s of the store',
    async (nth) => {
      await it().fill(3);
      const isMet = await takesWhile(it(), nth, async () => {
        await it().audit().append({ who: 'sara', act: 'nudge' });
        await it().take();
      });
      await it().take();
      const isIn = isMet ? 1 : 0;
      expect(await it().filed()).toHaveLength(3 + isIn);
      expect(await it().verify()).toMatchObject({ ok: true, count: 3 + isIn });
    },
  );

  test.each(Array.from({ length: 9 }, (_, i) => i + 1))(
    'an entry behind a store that is put back meanwhile is moved: before call %s of the store',
    async (nth) => {
      await it().fill(3);
      const putBack = await it().copyOfStore();
      await it().fill(210);
      const isMet = await takesWhile(it(), nth, async () => {
        await putBack();
        await it().audit().append({ who: 'sara', act: 'nudge' });
      });
      const { entries } = await it().audit().page({ who: 'sara', limit: 2 });
      expect(entries).toHaveLength(isMet ? 1 : 0);
      expect(await it().verify()).toMatchObject({ ok: true });
    },
  );

  test.each(Array.from({ length: 20 }, (_, i) => [(i >> 1) + 1, i % 2 ? 'after' : 'before'] as const))(
    'an entry is neither lost nor doubled where a process dies at call %s, %s it is made',
    async (nth, when) => {
      await it().fill(5);
      let calls = 0;
      const { promise: death, reject } = Promise.withResolvers<never>();
      death.catch(() => {});
      const mortal =
        <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
        async (...args: Args): Promise<Result> => {
          if (++calls < nth) return call(...args);
          if (calls === nth && when === 'after') await call(...args);
          reject(new Error('killed'));
          return death;
        };
      const { store, secrets, clock } = it();
      const { audit } = it().records();
      const records = {
        ...audit,
        ...{
          range: mortal(audit.range),
          known: mortal(audit.known),
          add: mortal(audit.add),
          end: mortal(audit.end),
        },
      };
      const dying = { ...store, read: mortal(store.read), commit: mortal(store.commit) };
      const deps = { store: dying, secrets, records, keptMs: keptFor(), now: clock.now, onGap: () => {} };
      await takeAll(deps).catch(() => {});
      await it().fill(2);
      await it().take();
      expect(await it().filed()).toHaveLength(7);
      expect(await it().verify()).toMatchObject({ ok: true, count: 7 });
    },
  );
});
