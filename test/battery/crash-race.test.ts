import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { nameOf } from './crash-points.ts';
import { transferTo } from './town/kinds.ts';
import { Payer } from './town/payer.ts';
import { createTownWallet } from './town/wallet.ts';
import { engineOf } from './town/wasl.ts';

const DEADLINE_MS = 5_000;

/**
 * T1 found it on Redis at `transfer arrives late`, `before commit of intent succeeded`. One process gives up the answer of
 * a dead one, and another process finds the outcome. The finder leaves the message to the answer. The answer was composed
 * before the outcome was known. The process that comes second must notice.
 */
test('a found outcome is told, although its lost answer is given up at the same time', async () => {
  const wallet = createTownWallet({ settings: { settleAfterMs: 0 }, firstPhone: 20_009_001 });
  const { sandbox, clock } = wallet;
  const [phone, to] = [wallet.customer(), wallet.customer()];
  const served = await sandbox.listen(0);
  const api = createWallet({ url: served.url, apiKey: sandbox.apiKey });
  const directory = newDirectory('race');
  const store = await openSqliteStore({ directory });
  const told: string[] = [];
  const engine = (on = store, by = api) =>
    engineOf({
      ...{ store: on, api: by, alone: false, now: clock.now, onError() {} },
      deliver: async (_address, { screen }) => {
        told.push(screen.key);
        return 'held';
      },
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
  const who = { phone, errand: transferTo(to), repeats: false, insists: false };
  const payer = new Payer(who, { receive: (incoming) => dead.receive(incoming, DEADLINE_MS) });
  void payer.pays().catch(() => {});
  await sent.promise;
  const [{ requestId = '' } = {}] = sandbox.executions();

  clock.aheadMs += 60_000;
  const finder = engine();
  // Nobody saved an answer, and the wallet is silent: the outcome is unknown, and not told yet.
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
});
