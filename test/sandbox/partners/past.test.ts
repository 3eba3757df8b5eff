import { describe, expect, test } from 'vitest';
import { type Sandbox, SEEDED } from '../../../src/sandbox/sandbox.ts';
import { balanceOf, call, FATIMA, NOON, sandbox, YOUSSEF } from '../kit.ts';

const HALF_A_DAY_MS = 12 * 60 * 60_000;

describe('a past', () => {
  const statement = async (wallet: Sandbox, phone: string) =>
    (await call(wallet, 'listOperations', { PhoneNumber: phone, PageSize: 50 })).body.data.collection;

  test('fills the statements, and leaves every balance as the seed says', async () => {
    const wallet = sandbox({ past: true });
    const fresh = sandbox();
    for (const { phone } of SEEDED)
      expect(await balanceOf(wallet, phone)).toBe(await balanceOf(fresh, phone));
    const fatima = await statement(wallet, FATIMA);
    expect(new Set(fatima.map((each: { operationType: number }) => each.operationType))).toEqual(
      new Set([3, 10, 23, 25]),
    );
    const moments = fatima.map((each: { transactionDate: string }) => each.transactionDate);
    expect(moments).toEqual([...moments].sort().reverse());
    expect(moments[0] < new Date(NOON - HALF_A_DAY_MS).toISOString()).toBe(true);
    expect((await call(wallet, 'listTopUps', { phoneNumber: FATIMA })).body.data.length).toBeGreaterThan(2);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
  });

  test('is told to nobody, and is the same after a reset', async () => {
    const wallet = sandbox({ past: true });
    const before = await statement(wallet, YOUSSEF);
    expect(before.length).toBeGreaterThan(3);
    await wallet.settle();
    expect(wallet.deliveries()).toEqual([]);
    wallet.reset();
    expect(await statement(wallet, YOUSSEF)).toEqual(before);
  });

  test('is possible with any seed and any bills', async () => {
    const counts = Array.from(
      { length: 30 },
      (_, n) => sandbox({ past: true, seed: `seed ${n}` }).executions().length,
    );
    expect(new Set(counts)).toEqual(new Set([16]));
  });
});
