import { describe, expect, test } from 'vitest';
import { createPulse } from '../../../src/conversation/intents/pulse.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import { type Customer, LOST, loses, refused, STORES, theWorld, UNSENT } from '../../kit/world.ts';
import { FATIMA } from './sample.ts';

describe('the wallet’s pulse', () => {
  function scene() {
    const woken: string[][] = [];
    const says: unknown[] = [];
    const wallet = { balance: async () => says.shift() } as unknown as Wallet;
    const pulse = createPulse((ids) => void woken.push([...ids]));
    const api = pulse.hear(wallet);
    const hears = (answer: unknown) => {
      says.push(answer);
      return api.balance(FATIMA);
    };
    return { pulse, woken, hears };
  }

  test.each<[string, unknown, boolean]>([
    ['an answer', { kind: 'ok', value: 1 }, true],
    ['a refusal', refused('20005'), true],
    ['silence', LOST, false],
    ['no connection', UNSENT, false],
  ])('%s', async (_, answer, isAlive) => {
    const { pulse, woken, hears } = scene();
    pulse.missed('one');
    pulse.missed('two');
    expect(await hears(answer)).toBe(answer);
    expect(woken).toEqual(isAlive ? [['one', 'two']] : []);
  });

  test('no payment is woken twice or during a second look', async () => {
    const { pulse, woken, hears } = scene();
    for (const id of ['one', 'two', 'two']) pulse.missed(id);
    pulse.asked('one');
    await hears({ kind: 'ok', value: 1 });
    await hears({ kind: 'ok', value: 1 });
    expect(woken).toEqual([['two']]);
  });

  test('its memory is limited', async () => {
    const { pulse, woken, hears } = scene();
    for (let i = 0; i < 5_000; i++) pulse.missed(`${i}`);
    await hears({ kind: 'ok', value: 1 });
    expect(woken[0]).toHaveLength(1_000);
  });
});

describe.each(STORES)('a payment that a silent wallet did not answer for, on %s', (store) => {
  const world = theWorld({ store });
  let isSilent = false;
  const stateOf = async ({ phone }: Customer) => (await world.engine.desk.payments(phone, 1))[0]?.state;

  /** Executed, with a lost answer. No webhook comes, and the list cannot be read until `speaks`. */
  async function paid(): Promise<{ readonly fatima: Customer; speaks(): void }> {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    world.wallet.next('transfer', loses);
    isSilent = false;
    for (let i = 0; i < 20; i++) world.wallet.next('operations', async (ask) => (isSilent ? LOST : ask()));
    await fatima.enters().sees('transfer.notConfirmed');
    isSilent = true;
    // Six looks in vain: the next one is a minute away.
    for (const seconds of [6, 6, 11, 21, 31, 61]) await world.passes(seconds * 1_000);
    expect(await stateOf(fatima)).toBe('unknown');
    return {
      fatima,
      speaks: () => {
        isSilent = false;
      },
    };
  }

  test('waits for the next look while the wallet is silent', async () => {
    const { fatima, speaks } = await paid();
    speaks();
    await world.passes(6_000);
    expect(await stateOf(fatima)).toBe('unknown');
    await fatima.after(60_000).hears('transfer.done', { amount: 10_000 });
  });

  test('is found soon after the wallet answers anybody again', async () => {
    const { fatima, speaks } = await paid();
    speaks();
    await world.customer({ channel: 'web' }).isAtMenu();
    await fatima.after(6_000).hears('transfer.done', { amount: 10_000 });
  });

  test('is looked at soon after a process has started', async () => {
    const { fatima, speaks } = await paid();
    speaks();
    await world.crashes();
    await fatima.after(6_000).hears('transfer.done', { amount: 10_000 });
  });
});
