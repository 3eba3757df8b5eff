import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import { Database } from '../../../src/sandbox/core/database.ts';
import { PLAIN_FAULT_NAMES } from '../../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { Ledger } from '../../../src/sandbox/ledger/ledger.ts';
import { createSandbox, SEEDED } from '../../../src/sandbox/sandbox.ts';
import { ARTICLES, PROVIDER_ID } from '../../../src/sandbox/vouchers/catalog.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { BALANCE_MAX_CENTIMES } from '../../../src/wallet/contract/limits.ts';
import { balanceOf, call, NOBODY, NOON, transfer } from '../kit.ts';

const customer = fc.constantFrom(...SEEDED.map((each) => each.phone), NOBODY);
const magic = fc.constantFrom(...Object.values(MAGIC));
const someone = fc.oneof({ weight: 3, arbitrary: customer }, magic);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      from: customer,
      to: someone,
      centimes: fc.integer({ min: -5, max: 500_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      payer: fc.oneof(customer, fc.constant(PRINCIPAL_AGENT.code)),
      phone: someone,
      dirhams: fc.integer({ min: 4, max: 1_001 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ buyer: customer, gift: someone, article: fc.constantFrom(...ARTICLES) }),
  },
  { weight: 2, arbitrary: fc.record({ advanceMs: fc.integer({ min: 0, max: 6_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constantFrom(...PLAIN_FAULT_NAMES),
      probability: fc.constantFrom(0.5, 1),
    }),
  },
);

type Order = Exclude<
  typeof step extends fc.Arbitrary<infer T> ? T : never,
  { advanceMs: number } | { name: string }
>;

/** A step as a partner would ask for it. */
function ordered(order: Order): [ApiName, Record<string, unknown>] {
  if ('from' in order) return ['executeTransfer', transfer(order.from, order.to, order.centimes / 100)];
  if ('payer' in order) {
    const { payer, phone, dirhams } = order;
    const body = { recipientPhoneNumber: phone, amount: dirhams, operator: 2, rechargeType: 0 };
    return payer === PRINCIPAL_AGENT.code
      ? ['executeTopUpB2b', { ...body, code: payer }]
      : ['executeTopUp', { ...body, customerPhoneNumber: payer }];
  }
  const { buyer, gift, article } = order;
  const whose = { customerPhoneNumber: buyer, destinationPhoneNumber: gift, beneficiaryName: 'Amina' };
  return ['executeVoucher', { ...whose, providerSkuId: article.sku, providerId: PROVIDER_ID }];
}

test('with any requests and faults, the ledger balances, no wallet leaves its bounds and nothing is executed twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const settings = { faultDelaysMs: { slowAnswer: 0 } };
      const clock = { now: () => NOON };
      const wallet = createSandbox({ file: ':memory:', seed: 'property', clock, settings });
      try {
        for (const [i, each] of steps.entries()) {
          if ('advanceMs' in each) await wallet.clock.advance(each.advanceMs);
          else if ('name' in each) wallet.faults.set({ ...each, operation: 'money' });
          else {
            const [name, order] = ordered(each);
            await call(wallet, name, order, { 'C-Request-Id': `request-${i}` });
            expect(wallet.executions(`request-${i}`).length).toBeLessThanOrEqual(1);
          }
          const { faults, totals } = wallet.checkLedger();
          expect(faults).toEqual([]);
          expect(Object.values(totals).reduce((sum, total) => sum + total, 0)).toBe(0);
        }
        const comesBack = wallet.executions().some(({ status }) => status === 3 || status === 4);
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
    { numRuns: 40 },
  );
});

test('a posting that does not add up, or overdraws a wallet, is not written', () => {
  const db = new Database(':memory:');
  const ledger = new Ledger(db);
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

test('the check finds a ledger that does not add up', () => {
  const db = new Database(':memory:');
  const ledger = new Ledger(db);
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
  db.run('DELETE FROM postings');
  expect(ledger.check().faults[0]).toBe('transaction 1 has fewer than two sides');
  db.close();
});

test('the check finds money that was given back twice', () => {
  const db = new Database(':memory:');
  onTestFinished(() => db.close());
  const ledger = new Ledger(db);
  const [payer, payee] = [ledger.openAccount(1, 'wallet'), ledger.openAccount(1, 'wallet')];
  const float = ledger.openAccount(1, 'float');
  const operation = (id: number, status: number, original: number | null) =>
    db.run(
      `INSERT INTO operations (id, status, original, payer, amount, tenant, type, fees, reason, transactionId, reference,
         sender, receiver, told, openLoop, refunds, requestId, createdAt, listedAt, settleAt, settlesAs, faults)
       VALUES (?, ?, ?, ?, 100, 1, 3, 0, '', 1, '', '', '', '{}', 0, 0, '', 0, 0, 0, 2, '{}')`,
      ...[id, status, original, original ? payee : payer],
    );
  const pay = (id: number | null, from: number, to: number, amount = 100) =>
    ledger.post(1, 0, id, [
      [from, -amount],
      [to, amount],
    ]);
  pay(null, float, payer);
  pay(null, float, payee);
  operation(1, 2, null);
  pay(1, payer, payee);
  operation(2, 2, 1);
  pay(2, payee, payer);
  expect(ledger.check().faults).toEqual([]);
  pay(1, payee, payer, 1);
  expect(ledger.check().faults).toEqual(['operation 1 has given back more than was paid']);
});
