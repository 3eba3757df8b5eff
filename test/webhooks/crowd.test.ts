import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBackground } from '../../src/conversation/background.ts';
import { createConcurrency } from '../../src/conversation/concurrency.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';

/** More than a process applies at once when it has just started. */
const MANY = 60;

test('of many webhooks at once as many are applied at once as there may be; workers find the others due at once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-crowd-'));
  const store = await openSqliteStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const applied = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const concurrency = createConcurrency();
  const background = createBackground((error) => {
    throw error;
  });
  const inbox = createInbox({
    store,
    secrets: createSecrets('a secrets key of this test, 32 characters'),
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
  await Promise.all(bodies.map((body) => inbox.save(body)));
  const first = concurrency.limit();
  await expect.poll(() => applied.size).toBe(first);
  expect([concurrency.hasRoom(), concurrency.underWay()]).toEqual([false, first]);

  const due = await store.due(Date.now(), 1_000, 1_000);
  expect(due).toHaveLength(MANY - first);
  gate.resolve();
  for (const { key } of due) await inbox.process(key);
  await background.done();
  expect(applied).toEqual(new Set(bodies));
  expect(concurrency.underWay()).toBe(0);
  expect(await store.due(Date.now() + 3_600_000, 1_000, 1_000)).toEqual([]);
});
