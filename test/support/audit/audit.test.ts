import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import { LINES, type Log } from '../../../src/log/lines.ts';
import { RecordsDown } from '../../../src/records/records.ts';
import { type Store, StoreDown } from '../../../src/store/store.ts';
import { createAudit } from '../../../src/support/audit/audit.ts';
import { keptFor } from '../../../src/support/audit/chain.ts';
import type { End } from '../../../src/support/audit/deeds.ts';
import { AuditFull, WAITING_MAX } from '../../../src/support/audit/outbox.ts';
import { createWitnessing } from '../../../src/support/audit/witness.ts';
import { anAudit, PLACES, SECRETS_KEY } from './kit.ts';

describe.each(PLACES)('the audit on %s keeps entries', (place) => {
  const it = anAudit(place);
  test('a page has the newest entries first, and the next page goes on', async () => {
    await it().fill(7);
    await it().audit().append({ who: 'nadia', act: 'reveal', on: 'web:3', why: 'asked by the customer' });
    const first = await it().audit().page({ limit: 3 });
    expect(first.entries.map(({ n }) => n)).toEqual([8, 7, 6]);
    expect(first.entries[0]).toEqual({
      n: 8,
      at: it().clock.now(),
      ...{ who: 'nadia', act: 'reveal', on: 'web:3', why: 'asked by the customer' },
    });
    const second = await it()
      .audit()
      .page({ limit: 10, ...(first.next && { before: first.next }) });
    expect(second.entries.map(({ n }) => n)).toEqual([5, 4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
  });

  test('filters find entries by account, act and subject', async () => {
    await it().fill(7);
    await it().audit().append({ who: 'nadia', act: 'reveal', on: 'web:3' });
    expect(await it().numbers({ who: 'omar' })).toEqual([6, 4, 2]);
    expect(await it().numbers({ on: 'web:3' })).toEqual([8, 3]);
    expect(await it().numbers({ on: 'web:3', act: 'reveal' })).toEqual([8]);
    expect(await it().numbers({ who: 'nobody' })).toEqual([]);
  });

  test('filters find entries by time and by customer', async () => {
    const entry = (who: string, more: object) =>
      it()
        .audit()
        .append({ who, act: 'seeSession', ...more });
    await entry('nadia', { on: 'web:1', about: '+212600000001' });
    await entry('omar', { on: 'ussd:+212600000001' });
    it().clock.ahead += 60_000;
    await entry('nadia', { on: 'web:2', about: '+212600000002' });
    await it().audit().append({ who: 'nadia', act: 'search', on: '+212600000001' });
    const about = ['+212600000001', 'ussd:+212600000001'];
    expect(await it().numbers({ about })).toEqual([4, 2, 1]);
    expect(await it().numbers({ about, who: 'nadia' })).toEqual([4, 1]);
    expect(await it().numbers({ about, to: it().begun + 30_000 })).toEqual([2, 1]);
    expect(await it().numbers({ from: it().begun + 30_000 })).toEqual([4, 3]);
    expect(await it().numbers({ from: it().begun + 90_000 })).toEqual([]);
    expect(await it().numbers({ about: ['+212600000009'] })).toEqual([]);
  });

  test('entries that several processes write at once are all in one chain, each once', async () => {
    const processes = [it().audit(), it().audit(), it().audit(), it().audit()];
    const deeds = Array.from({ length: 40 }, (_, i) =>
      processes[i % 4]?.append({ who: `agent${i}`, act: 'nudge' }),
    );
    await Promise.all([...deeds, it().take(), it().take(), it().take()]);
    await Promise.all([it().take(), it().take(), it().take()]);
    const { entries } = await it().audit().page({ limit: 100 });
    expect(new Set(entries.map(({ who }) => who)).size).toBe(40);
    expect(await it().verify()).toMatchObject({ ok: true, count: 40 });
  });

  test('a check of an empty audit, and of an untouched one, says that it is whole', async () => {
    expect(await it().verify()).toMatchObject({ ok: true, count: 0 });
    await it().fill(220);
    expect(await it().verify()).toMatchObject({ ok: true, count: 220, open: 0 });
    await it().take();
    expect(await it().verify()).toMatchObject({ ok: true, count: 220, open: 0 });
  });

  test('an entry is on the disk, and on the replicas that are awaited, before its act', async () => {
    const commits: unknown[] = [];
    const commit: Store['commit'] = (partition, { durable, replicated, ...rest }) => {
      commits.push({ durable, replicated });
      return it().store.commit(partition, rest);
    };
    const store = { ...it().store, commit };
    await createAudit(store, it().secrets, it().clock.now, it().records().audit).append({
      who: 'x',
      act: 'write',
    });
    expect(commits).toEqual([{ durable: true, replicated: true }]);
  });

  test('a closed store refuses an entry', async () => {
    await it().store.close();
    await expect(it().audit().append({ who: 'nadia', act: 'write' })).rejects.toBeInstanceOf(StoreDown);
  });
});

describe.each(PLACES)('the audit on %s forgets entries in time', (place) => {
  const it = anAudit(place);

  test('entries whose time is over may be gone, and others may not', async () => {
    await it().fill(3);
    await it().take();
    it().clock.ahead = keptFor() + 1;
    await it().fill(2);
    expect(await it().verify()).toMatchObject({ ok: true, count: 5 });
    await it().inRecords('DELETE FROM audit WHERE n <= 3');
    expect(await it().verify()).toMatchObject({ ok: true, count: 5 });
    expect(await it().numbers({})).toEqual([5, 4]);
    await it().inRecords('DELETE FROM audit WHERE n = 4');
    // Nobody can say any more when the ones before it were due.
    expect(await it().verify()).toMatchObject({ ok: false, why: 'missing' });
  });

  test('the chain goes on after all its entries were forgotten in time', async () => {
    await it().fill(3);
    await it().take();
    it().clock.ahead = keptFor() + 10;
    await it().inRecords('DELETE FROM audit');
    await it().fill(1);
    expect(await it().numbers({})).toEqual([4]);
    expect(await it().verify()).toMatchObject({ ok: true, count: 4 });
  });

  test('the operator sets how long entries are kept', async () => {
    const audit = () => it().audit(it().secrets, 365);
    for (const on of ['web:1', 'web:2']) await audit().append({ who: 'nadia', act: 'seeSession', on });
    await it().take();
    it().clock.ahead = keptFor(365) + 1;
    await audit().append({ who: 'nadia', act: 'seeSession', on: 'web:3' });
    await it().take();
    await it().inRecords('DELETE FROM audit WHERE n <= 2');
    expect(await audit().verify()).toMatchObject({ ok: true, count: 3 });
    expect(await it().verify(), 'of an audit that is kept for longer').toMatchObject({ why: 'missing' });
  });
});

describe.each(PLACES)('the audit on %s while the records are away', (place) => {
  const it = anAudit(place);
  const away = async () => {
    throw new RecordsDown('away');
  };
  const without = () =>
    createAudit(it().store, it().secrets, it().clock.now, {
      ...it().records().audit,
      lastNumber: away,
      page: away,
    });

  test('an act is written down, and found when they are back', async () => {
    await without().append({ who: 'nadia', act: 'reveal', on: 'web:1' });
    await expect(without().page({ limit: 5 })).rejects.toBeInstanceOf(RecordsDown);
    await expect(without().verify()).rejects.toBeInstanceOf(RecordsDown);
    expect(await it().audit().page({ limit: 5 })).toMatchObject({
      entries: [{ act: 'reveal', on: 'web:1' }],
    });
  });

  test('an act that finds no room in the outbox is refused, and the end of one that did is not', async () => {
    const audit = without();
    const done = audit.during(
      () => ({ from: '192.0.2.7' }),
      async () => {
        await audit.append({ who: 'nadia', act: 'reveal', on: 'web:1' });
        const next = WAITING_MAX + 1;
        const seal = it().secrets.digest(JSON.stringify(['audit-outbox', next]));
        await it().forge('audit-outbox:head', () => ({ next, seal }));
        await audit.append({ who: 'nadia', act: 'nudge' });
      },
      () => ({ end: 'done' }),
    );
    await expect(done).rejects.toBeInstanceOf(AuditFull);
    expect(JSON.parse((await it().document(`audit-outbox:${WAITING_MAX + 1}`))?.value ?? '{}')).toMatchObject(
      { ...{ act: 'reveal', end: 'failed', endWhy: 'AuditFull' } },
    );
  });
});

describe.each(PLACES)('the audit on %s knows how acts ended', (place) => {
  const it = anAudit(place);
  const ends: readonly (readonly [what: string, end: End])[] = [
    ['done', { end: 'done' }],
    ['refused', { end: 'refused', endWhy: 'forbidden' }],
    ['failed', { end: 'failed', endWhy: 'StoreDown' }],
  ];
  test.each(ends)(
    'an entry says from where, before the act is done, and then how it ended: %s',
    async (_, end) => {
      const audit = it().audit();
      await audit.during(
        () => ({ from: '192.0.2.7', session: 'abc' }),
        async () => {
          await audit.append({ who: 'nadia', act: 'reveal', on: 'web:1', about: '+212600000001' });
          const others = (await it().audit().page({ limit: 5 })).entries;
          expect(others).toMatchObject([{ who: 'nadia', from: '192.0.2.7', session: 'abc', end: 'open' }]);
          const [own] = (await audit.page({ limit: 5 })).entries;
          expect(own, 'its reader knows the end from the answer').not.toHaveProperty('end');
          it().clock.ahead += 500;
        },
        () => end,
      );
      const { entries } = await it().audit().page({ limit: 5 });
      expect(entries).toMatchObject([{ n: 1, act: 'reveal', about: '+212600000001', ...end }]);
      expect((entries[0]?.endedAt ?? 0) - (entries[0]?.at ?? 0)).toBe(500);
      expect(await it().verify()).toMatchObject({ ok: true, count: 2, open: 0 });
    },
  );

  test('an act whose process died stays open, and a check counts it', async () => {
    const audit = it().audit();
    const { promise: written, resolve } = Promise.withResolvers<void>();
    void audit.during(
      () => ({ from: '192.0.2.7' }),
      async () => {
        await audit.append({ who: 'nadia', act: 'resend', on: 'payment' });
        resolve();
        return new Promise(() => {});
      },
      () => ({ end: 'done' }),
    );
    await written;
    expect(await it().audit().page({ limit: 5 })).toMatchObject({
      entries: [{ act: 'resend', end: 'open' }],
    });
    expect(await it().verify()).toMatchObject({ ok: true, open: 1 });
    const found = async (end: 'open' | 'done') => (await it().audit().page({ end, limit: 5 })).entries.length;
    expect([await found('open'), await found('done')]).toEqual([1, 0]);
  });

  test('each of several acts of one request is closed with its own end', async () => {
    const audit = it().audit();
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

  test('two requests at once keep their own ends, and one that throws has failed', async () => {
    const audit = it().audit();
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
    const { entries } = await it().audit().page({ limit: 10 });
    const known = entries.map(({ who, from, end, endWhy = '' }) => `${who} ${from} ${end} ${endWhy}`.trim());
    expect(known.sort()).toEqual(['a a done', 'b b failed TypeError', 'c c done']);
  });
});

describe.each(PLACES)('the audit on %s has witnesses', (place) => {
  const it = anAudit(place);
  test('the log and a receiver are told the end of the chain, until the receiver has taken it', async () => {
    const receiver = await startReceiver();
    const lines: [level: string, witness: unknown][] = [];
    const log: Pick<Log, 'say'> = {
      say: (line, { witness, status } = {}) => void lines.push([LINES[line].level, witness ?? status]),
    };
    const { store, secrets, clock } = it();
    const witnessing = () =>
      createWitnessing({
        store,
        secrets,
        records: it().records().audit,
        url: receiver.url,
        log,
        now: clock.now,
      });
    await witnessing().begin();
    await witnessing().begin();
    await it().fill(2);
    await it().take();
    await witnessing().run();
    await witnessing().run();
    expect(lines.map(([level]) => level)).toEqual(['info', 'error', 'error']);
    expect(receiver.taken).toEqual([]);
    receiver.answers(200);
    await witnessing().run();
    await witnessing().run();
    expect(receiver.taken).toEqual([lines[0]?.[1]]);
    await it().fill(1);
    await it().take();
    await witnessing().run();
    expect(receiver.taken).toHaveLength(2);
    const [first, second] = receiver.taken as [string, string];
    expect(await it().verify(first)).toMatchObject({ ok: true });
    expect(await it().verify(second)).toMatchObject({ ok: true, head: second });
    await it().wipe();
    await it().inRecords('DELETE FROM audit; DELETE FROM audit_end');
    await witnessing().run();
    expect(lines.at(-1)?.[0]).toBe('error');
    expect(await it().verify(first)).toMatchObject({ ok: false, why: 'missing' });
  });

  test.each([
    ['nothing', ''],
    ['no witness', 'all is well'],
    ['another signature', '2:abc:AAAAAAAAAAAAAAAA'],
    ['a number that was changed', 'other number'],
  ])('a text that is no witness of ours checks nothing: %s', async (_, text) => {
    await it().fill(2);
    const verdict = await it().verify();
    const witness = text === 'other number' && verdict.ok ? verdict.head.replace(/^2/, '1') : text;
    expect(await it().verify(witness)).toEqual({ ok: false, n: 0, why: 'witness' });
  });
});

describe.each(PLACES)('the audit on %s has keys', (place) => {
  const it = anAudit(place);
  const FRESH = 'another key, of 32 characters or more';
  test('a check under one key finds entries that were written under another one', async () => {
    await it().fill(2);
    await it().take();
    await it().fill(1, createSecrets(FRESH));
    await it().take(createSecrets(FRESH));
    await it().fill(1);
    expect(await it().verify()).toEqual({ ok: false, n: 3, why: 'changed' });
  });

  test('an owner of old and new key proves a chain that goes on under a new key', async () => {
    await it().fill(2);
    await it().take();
    await it().fill(1, createSecrets(FRESH));
    await it().take(createSecrets(FRESH));
    expect(await it().audit(createSecrets(FRESH, SECRETS_KEY)).verify()).toMatchObject({
      ok: true,
      count: 3,
    });
    await it().inRecords(`UPDATE audit_end SET sealed = replace(sealed, '"seal":"', '"seal":"x')`);
    await it().fill(1, createSecrets(FRESH));
    expect(await it().audit(createSecrets(FRESH, SECRETS_KEY)).verify()).toEqual({
      ok: false,
      n: 3,
      why: 'head',
    });
  });
});

/** Somebody else's server, to which the end of the audit is sent. It refuses at first. */
async function startReceiver() {
  const taken: string[] = [];
  let answer = 503;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      if (answer === 200) taken.push((JSON.parse(body) as { witness: string }).witness);
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    taken,
    answers(status: number): void {
      answer = status;
    },
  };
}
