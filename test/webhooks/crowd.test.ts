import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBackground } from '../../src/conversation/background.ts';
import { createConcurrency } from '../../src/conversation/concurrency.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type ApplyResult, createInbox } from '../../src/webhooks/inbox.ts';
import { createVirtualClock } from '../battery/simulation/clock.ts';
import { createMemory, storeOf } from '../battery/simulation/memory-store.ts';
import { newDirectory } from '../kit/new-directory.ts';

const SECRETS = createSecrets('a secrets key of this test, 32 characters');
/** More than a process applies at once when it has just started. */
const MANY = 60;

test('of many webhooks at once the limit is applied, and workers find the others due', async () => {
  const directory = newDirectory('crowd');
  const store = await openSqliteStore({ directory });
  onTestFinished(async () => {
    await store.close();
  });
  const applied = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const concurrency = createConcurrency();
  const background = createBackground((error) => {
    throw error;
  });
  const inbox = createInbox({
    store,
    secrets: SECRETS,
    apply: async (raw) => {
      applied.add(raw);
      await gate.promise;
      return 'done';
    },
    background,
    concurrency,
    now: Date.now,
  });
  const bodies = Array.from({ length: MANY }, (_, i) => JSON.stringify({ data: { WebhookId: `w${i}` } }));
  const answered = Promise.all(bodies.map((body) => inbox.save(body)));
  const first = concurrency.limit();
  await expect.poll(() => applied.size).toBe(first);
  expect([concurrency.hasRoom(), concurrency.underWay()]).toEqual([false, first]);

  const due = await vi.waitUntil(
    async () => {
      const found = await store.due(Date.now(), 1_000, 0);
      return found.length === MANY - first && found;
    },
    { timeout: 60_000 },
  );
  gate.resolve();
  await answered;
  for (const { key } of due) await inbox.process(key.slice('webhook:'.length));
  await background.done();
  expect(applied).toEqual(new Set(bodies));
  expect(concurrency.underWay()).toBe(0);
  expect(await store.due(Date.now() + 3_600_000, 1_000, 1_000)).toEqual([]);
});

const BODY = JSON.stringify({ data: { WebhookId: 'one' } });
const KEY = 'webhook:one';

/** An inbox whose webhooks end as `ends` says. `errors` are those after the answer. */
function inboxOf(ends: (raw: string) => Promise<ApplyResult>) {
  const clock = createVirtualClock(Date.now());
  const store = storeOf(createMemory(Date.now), clock, () => ({ thereMs: 0, backMs: 0 }));
  const errors: unknown[] = [];
  const alerts: string[] = [];
  const background = createBackground((error) => void errors.push(error));
  const inbox = createInbox({
    store,
    secrets: SECRETS,
    apply: ends,
    background,
    now: Date.now,
    alert: (id) => void alerts.push(id),
  });
  const saved = async () => {
    const [doc] = await store.read(partitionOf(KEY), [KEY]);
    return doc && (JSON.parse(doc.value) as { state: string; tries: number; sealed?: string });
  };
  return { inbox, background, errors, alerts, saved, store };
}

describe('an accepted webhook', () => {
  test('is applied once however often it comes, and leaves no body', async () => {
    let applied = 0;
    const { inbox, background, saved } = inboxOf(async () => {
      applied++;
      return 'done';
    });
    for (let comes = 0; comes < 3; comes++) {
      await inbox.save(BODY);
      await background.done();
    }
    expect(applied).toBe(1);
    expect(await saved()).toEqual({
      at: expect.any(Number),
      body: expect.any(String),
      state: 'done',
      tries: 0,
    });
  });

  test.each(['done', 'later', 'kept'] as const)(
    'that was another event under the same id is applied, while the first is %s',
    async (first) => {
      const applied: string[] = [];
      const { inbox, background } = inboxOf(async (raw) => {
        applied.push(raw);
        return raw === BODY ? first : 'done';
      });
      const reversal = JSON.stringify({ data: { WebhookId: 'one', EventId: 'transfer.reversed' } });
      for (const comes of [BODY, reversal, BODY, reversal]) {
        await inbox.save(comes);
        await background.done();
      }
      expect(applied).toEqual([BODY, reversal]);
    },
  );

  test.each(['later', 'kept'] as const)(
    'is %s: it is stored, and is not applied again when it comes again',
    async (end) => {
      const { inbox, background, saved, alerts } = inboxOf(async () => end);
      for (let comes = 0; comes < 2; comes++) {
        await inbox.save(BODY);
        await background.done();
      }
      expect(await saved()).toMatchObject({ state: end === 'kept' ? 'kept' : 'waiting', tries: 1 });
      expect(alerts, 'a person is told once').toEqual(end === 'kept' ? ['one'] : []);
    },
  );

  test('has no id: a person finds it once, also when it comes again', async () => {
    const { inbox, background, alerts } = inboxOf(async () => 'kept');
    for (let comes = 0; comes < 3; comes++) await inbox.save('{"data":{"x":1}}');
    await inbox.save('{"data":{"x":2}}');
    await background.done();
    expect(alerts).toEqual([expect.stringMatching(/^unreadable-/), expect.stringMatching(/^unreadable-/)]);
  });

  test.each([
    ['of 200 signs', 'x'.repeat(200), 'x'.repeat(200)],
    ['of 201 signs', 'x'.repeat(201), expect.stringMatching(/^unreadable-[\w-]{1,64}$/)],
    ['of 60 kB', 'x'.repeat(60_000), expect.stringMatching(/^unreadable-[\w-]{1,64}$/)],
    ['of no sign', '', expect.stringMatching(/^unreadable-[\w-]{1,64}$/)],
    ['that is a number', 7, expect.stringMatching(/^unreadable-[\w-]{1,64}$/)],
  ])('has an id %s: it is known by the id, or by a digest of its body', async (_, WebhookId, known) => {
    const { inbox, background, alerts } = inboxOf(async () => 'kept');
    for (let comes = 0; comes < 2; comes++) await inbox.save(JSON.stringify({ data: { WebhookId } }));
    await background.done();
    expect(alerts).toEqual([known]);
  });

  test('cannot be applied: it is stored, and the failure is logged once', async () => {
    const { inbox, background, saved, errors } = inboxOf(() => Promise.reject(new Error('a bug')));
    await inbox.save(BODY);
    await background.done();
    expect(await saved()).toMatchObject({ state: 'waiting', tries: 1, sealed: expect.any(String) });
    expect(errors.map(String)).toEqual(['Error: a bug']);
  });

  test('is answered once it is stored, however long the wallet takes', async () => {
    const ends = Promise.withResolvers<ApplyResult>();
    const { inbox, background, saved } = inboxOf(() => ends.promise);
    await inbox.save(BODY);
    expect(await saved()).toMatchObject({ state: 'waiting', tries: 0, sealed: expect.any(String) });
    ends.resolve('done');
    await background.done();
    expect(await saved()).toEqual({
      at: expect.any(Number),
      body: expect.any(String),
      state: 'done',
      tries: 0,
    });
  });

  test.each(['waiting', 'kept'] as const)(
    'that the release before has stored as %s is worked',
    async (state) => {
      const { inbox, background, saved, store, alerts } = inboxOf(async () => 'done');
      const sealed = SECRETS.seal(BODY, KEY, Date.now());
      const value = JSON.stringify({ at: Date.now(), sealed, tries: 1, state });
      await store.commit(partitionOf(KEY), { writes: [{ key: KEY, version: 0, value, dueAt: Date.now() }] });
      await inbox.save(BODY);
      await background.done();
      expect(await saved(), 'it is known when it comes again').toMatchObject({ state, tries: 1 });
      expect(await inbox.find('one')).toMatchObject({ state, tries: 1 });
      await inbox.process('one');
      if (state === 'kept') {
        expect(alerts).toEqual(['one']);
        await inbox.retry('one');
      }
      expect(await saved()).toEqual({ at: expect.any(Number), state: 'done', tries: 0 });
    },
  );
});
