import { describe, expect, test } from 'vitest';
import { known } from '../../machines/kit/conversation.ts';
import type { Sentence } from '../../machines/kit/screen.ts';
import { LOST, ok, theWorld } from '../kit/world.ts';

describe('the history', () => {
  const world = theWorld();
  const at = Date.UTC(2026, 9, 5);
  const payments = (count: number, status = 'CONFIRME') =>
    Array.from({ length: count }, (_, i) => ({
      creditor: `Creditor ${i}`,
      amount: (100_00 + i) as never,
      status,
      at,
      operationId: i + 1,
    }));

  test('is paged', async () => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().chooses('bill-payment');
    await fatima;
    world.wallet.next('billPayments', ok({ entries: payments(20), count: 23 }));
    await fatima.chooses('history').sees('bill-payment.listHistory');
    expect(ids(fatima)).toContain('older');
    expect(ids(fatima)).not.toContain('newer');
    world.wallet.next('billPayments', ok({ entries: payments(3), count: 23 }));
    await fatima.chooses('older').sees('bill-payment.listHistory');
    expect(ids(fatima)).toEqual(['0', '1', '2', 'newer']);
    world.wallet.next('billPayments', ok({ entries: payments(20), count: 23 }));
    await fatima.chooses('newer');
    expect(ids(fatima)).toContain('older');
  });

  test.each([
    ['EN_ATTENTE', 'stateWaiting', false],
    ['AUTORISE', 'stateProcessing', false],
    ['CONFIRME', 'stateDone', true],
    ['ANNULE', 'stateCancelled', false],
    ['REMBOURSE', 'stateRefunded', false],
    ['FAILED', 'stateFailed', false],
    ['SOMETHING_NEW', 'stateUnknown', false],
  ])('shows the state of a payment in %s', async (status, key, hasFile) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().chooses('bill-payment');
    await fatima;
    world.wallet.next('billPayments', ok({ entries: payments(1, status), count: 1 }));
    await fatima.chooses('history');
    await fatima.chooses('0').sees('bill-payment.detail', { status: `bill-payment.${key}` });
    expect(fatima.reply().screen.document !== undefined).toBe(hasFile);
    // It is looked at, and not prepared: the way back from help names no payment to go on with.
    await fatima.goes('help');
    expect(fatima.reply().screen.choices?.map((choice) => choice.key)).toContain('help.continue');
  });

  test.each([
    [{ operationId: 25, reference: '554400000005' }, ['factReference 25', 'factNetwork 554400000005']],
    [{ reference: '554400000005' }, ['factReference 554400000005']],
    [{ operationId: 25 }, ['factReference 25']],
  ])('has the reference of the receipt and of the SMS: %o', async (names, said) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().chooses('bill-payment');
    await fatima;
    const { operationId: _, ...one } = known(payments(1)[0]);
    world.wallet.next('billPayments', ok({ entries: [{ ...one, ...names }], count: 1 }));
    await fatima.chooses('history').chooses('0').sees('bill-payment.detail');
    const { facts } = fatima.reply().screen.values as { facts: { lines: Sentence[] } };
    const codes = facts.lines.flatMap(({ key, values }) => {
      const value = values?.value;
      return value && typeof value === 'object' && 'code' in value
        ? [`${key.split('.')[1]} ${value.code}`]
        : [];
    });
    expect(codes).toEqual(said);
  });

  test('the customer is told when it cannot be read', async () => {
    const fatima = world.customer().isAtMenu().chooses('bill-payment');
    await fatima;
    world.wallet.next('billPayments', LOST);
    await fatima.chooses('history').sees('bill-payment.chooseCreditor').isTold('problem.unavailable');
  });

  function ids(customer: { reply(): { screen: { choices?: readonly { id: string }[] } } }) {
    return customer.reply().screen.choices?.map(({ id }) => id);
  }
});
