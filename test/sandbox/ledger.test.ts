import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/sandbox/database.ts';
import { createLedger } from '../../src/sandbox/ledger.ts';
import { MAGIC } from '../../src/sandbox/magic.ts';
import { createSandbox, SEEDED } from '../../src/sandbox/sandbox.ts';
import { BALANCE_MAX_CENTIMES } from '../../src/wallet/contract/limits.ts';
import { balanceOf, call, NOBODY, NOON, transfer } from './kit.ts';

const phone = fc.constantFrom(...SEEDED.map((customer) => customer.phone), NOBODY, MAGIC.failsLater);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ from: phone, to: phone, centimes: fc.integer({ min: -5, max: 500_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ advanceMs: fc.integer({ min: 0, max: 3_000 }) }) },
);

test('whatever is sent, the ledger balances and no wallet leaves its bounds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const wallet = createSandbox({ file: ':memory:', seed: 'property', clock: { now: () => NOON } });
      try {
        for (const each of steps) {
          if ('advanceMs' in each) await wallet.clock.advance(each.advanceMs);
          else await call(wallet, 'executeTransfer', transfer(each.from, each.to, each.centimes / 100));
          const { faults, totals } = wallet.checkLedger();
          expect(faults).toEqual([]);
          expect(Object.values(totals).reduce((sum, total) => sum + total, 0)).toBe(0);
        }
        const comesBack = steps.some((each) => 'to' in each && each.to === MAGIC.failsLater);
        for (const { phone: each, level } of SEEDED) {
          const balance = Math.round((await balanceOf(wallet, each)) * 100);
          expect(balance).toBeGreaterThanOrEqual(0);
          // Money that comes back after a failure may find the wallet fuller than it left it.
          if (!comesBack) expect(balance).toBeLessThanOrEqual(BALANCE_MAX_CENTIMES[level]);
        }
      } finally {
        await wallet.close();
      }
    }),
    { numRuns: 25 },
  );
});

test('a posting that does not add up, or overdraws a wallet, is not written', () => {
  const db = openDatabase(':memory:');
  const ledger = createLedger(db);
  const wallet = ledger.openAccount(1, 'wallet');
  const float = ledger.openAccount(1, 'float');
  const post = (...sides: [number, number][]) => db.transaction(() => ledger.post(1, 0, null, sides));
  post([float, -100], [wallet, 100]);
  expect(() => post([float, -100], [wallet, 99])).toThrow('do not add up');
  expect(() => post([wallet, -101], [float, 101])).toThrow('CHECK');
  expect(ledger.balance(wallet)).toBe(100);
  expect(ledger.check()).toMatchObject({ balanced: true, transactions: 1, postings: 2 });
  db.close();
});

test('the check finds what does not add up', () => {
  const db = openDatabase(':memory:');
  const ledger = createLedger(db);
  const wallet = ledger.openAccount(1, 'wallet');
  const float = ledger.openAccount(1, 'float');
  ledger.post(1, 0, null, [
    [float, -100],
    [wallet, 100],
  ]);
  db.run('UPDATE postings SET amount = 99 WHERE account = ?', wallet);
  expect(ledger.check().faults).toEqual([
    'transaction 1 does not add up',
    `account ${wallet} does not hold what was posted to it`,
  ]);
  db.close();
});
