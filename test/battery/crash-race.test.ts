import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../../src/conversation/engine.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { nameOf } from './crash-points.ts';
import { transferTo } from './town/kinds.ts';
import { createPayer, PIN } from './town/payer.ts';

const phone = msisdn('+212620009001');
const to = msisdn('+212620009002');
const DEADLINE_MS = 5_000;

/**
 * Found by T1 on Redis at `transfer arrives late`, `before commit of intent succeeded`: while one process gives up
 * waiting for the answer of a dead one, another finds the outcome. It leaves telling the customer to the answer; the
 * answer was thought of before the outcome was known. Whoever comes second has to notice.
 */
test('an outcome that is found while its lost answer is being given up is told', async () => {
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const sandbox = createSandbox({ file: ':memory:', settings: { settleAfterMs: 0 }, clock });
  for (const each of [phone, to]) {
    const balance = centimes(50_000);
    sandbox.addCustomer({
      phone: each,
      firstName: 'A',
      lastName: 'B',
      level: 2,
      status: 3,
      pin: PIN,
      balance,
    });
  }
  const served = await sandbox.listen(0);
  const api = createWallet({ url: served.url, apiKey: sandbox.apiKey });
  const directory = mkdtempSync(join(tmpdir(), 'wasl-race-'));
  const store = await openSqliteStore({ directory });
  const told: string[] = [];
  const engine = (on: Store, wallet = api) =>
    createEngine({
      store: on,
      api: wallet,
      secrets: createSecrets('a secrets key of the battery, 32 characters'),
      sendCode: async () => 'none',
      deliver: async (_address, { screen }) => {
        told.push(screen.key);
        return 'held';
      },
      alone: false,
      now: clock.now,
    });

  // The first process sends, and never comes back.
  const sent = Promise.withResolvers<void>();
  const dead = engine(store, {
    ...api,
    async transfer(order, call) {
      await api.transfer(order, call);
      sent.resolve();
      return new Promise(() => {});
    },
  });
  const payer = createPayer({ phone, errand: transferTo(to), repeats: false, insists: false }, (it) =>
    dead.receive(it, DEADLINE_MS),
  );
  void payer.pays().catch(() => {});
  await sent.promise;
  const [{ requestId = '' } = {}] = sandbox.executions();

  clock.aheadMs += 60_000;
  const finder = engine(store);
  // Nobody saved an answer, and the wallet is silent: unknown, and not told yet.
  const silent = async () => ({ kind: 'unknown', why: 'timeout' }) as const;
  await engine(store, { ...api, operations: silent, operation: silent }).reconcile(requestId);
  expect((await finder.intentOf(requestId))?.state).toBe('unknown');
  let isFound = false;
  const giver = engine({
    ...store,
    async commit(partition, it) {
      if (!isFound && nameOf(it.writes).startsWith('transfer.notConfirmed')) {
        isFound = true;
        await finder.reconcile(requestId);
        expect((await finder.intentOf(requestId))?.state).toBe('succeeded');
      }
      return store.commit(partition, it);
    },
  });
  await giver.wake(`ussd:${phone}`);
  // Longer than a message waits for the process that wrote it.
  clock.aheadMs += 20_000;
  await giver.wake(`ussd:${phone}`);
  await giver.close();
  await finder.close();
  expect(isFound).toBe(true);
  expect(told).toContain('transfer.done');

  await served.close();
  await sandbox.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});
