import { join } from 'node:path';
import { createEngine } from '../src/conversation/engine.ts';
import { changeBatch } from '../src/conversation/payouts/batch.ts';
import { CASH_DEFAULTS } from '../src/conversation/references/cash-settings.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import type { Answer } from '../src/wallet/answer.ts';
import { centimes } from '../src/wallet/money.ts';
import { msisdn } from '../src/wallet/phone.ts';
import type { Wallet } from '../src/wallet/wallet.ts';
import { never } from './measure.ts';

/** How the cost of a line grows with its file. */
const SIZES = [10, 100, 1_000] as const;
const CODE = 'PA-1001';
const RELEASER = msisdn('0612345678');

export async function benchPayouts(directory: string): Promise<readonly object[]> {
  const rows: object[] = [];
  // The first one only warms up.
  for (const [i, lines] of [100, ...SIZES].entries()) {
    const store = await openSqliteStore({ directory: join(directory, `payouts-${i}`) });
    const startedAt = process.cpuUsage();
    const { bytes } = await payFile(store, lines);
    const { user, system } = process.cpuUsage(startedAt);
    await store.close();
    if (i > 0)
      rows.push({
        lines,
        cpuUsPerLine: Math.round((user + system) / lines),
        bytesPerLine: Math.round(bytes / lines),
      });
  }
  return rows;
}

/** A file of so many lines through the whole engine: given, checked, released and paid. Gives what was written for that. */
export async function payFile(to: Store, lines: number): Promise<{ readonly bytes: number }> {
  let bytes = 0;
  const store: Store = {
    ...to,
    commit: (partition, commit) => {
      for (const { key, value } of commit.writes) bytes += key.length + (value?.length ?? 0);
      return to.commit(partition, commit);
    },
  };
  const engine = createEngine({
    store,
    api: floatWallet(),
    secrets: createSecrets('a secrets key for the bench, 32 characters'),
    sendCode: async () => 'none',
    deliver: async () => 'delivered',
    served: { cash: { ...CASH_DEFAULTS, ownAgent: CODE } },
    alone: true,
    onError: (error) => {
      throw error;
    },
  });
  const principal = engine.desk.principal ?? never();
  await principal.proposeBinding(RELEASER, { id: 'a', name: 'A' }, 'bench');
  const [number] = await principal.numbers();
  await principal.approveBinding(RELEASER, { id: 'b', name: 'B' }, number?.proposal?.at ?? never());
  const text = Array.from({ length: lines }, (_, i) => `06${10_000_000 + i};Salma Idrissi;10;Salaire`);
  const file = new TextEncoder().encode(text.join('\n'));
  const given = await principal.giveFile(file, 'salaires.csv', { id: 'c', name: 'C' });
  if (given.kind !== 'given') never();
  const { id } = given;
  const stateOf = async () => (await principal.file(id))?.batch.state;
  await goesOn(engine, id, async () => (await stateOf()) === 'ready');
  const released = { by: RELEASER, address: `web:${'x'.repeat(22)}` as const, at: Date.now() };
  const ready = (await principal.file(id))?.batch ?? never();
  await changeBatch(store, ready, Date.now(), ({ batch }) => ({
    batch: { ...batch, state: 'running', released },
  }));
  await goesOn(engine, id, async () => (await stateOf()) === 'done');
  await engine.close();
  return { bytes };
}

async function goesOn(
  engine: { payOut(id: string): Promise<void> },
  id: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  do await engine.payOut(id);
  while (!(await isThere()));
}

/** A wallet whose principal agent pays everybody, at once. */
function floatWallet(): Wallet {
  const ok = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ kind: 'ok', value });
  let made = 0;
  const calls: Partial<Wallet> = {
    customerStatus: () => ok({ status: 3 as const }),
    requestCashIn: ({ amount }) =>
      ok({ reference: String(936_100_000_000 + made++), amount, madeAt: Date.now(), status: 1 as const }),
    operations: () => ok({ operations: [], count: 0 }),
    agentCashIn: () => ok({ isFinal: true }),
    principalAgent: () => ok({ code: CODE, balance: centimes(100_000_000_00) }),
  };
  return calls as Wallet;
}
