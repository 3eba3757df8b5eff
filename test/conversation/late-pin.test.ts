import { describe, expect, test } from 'vitest';
import { secretIn } from '../../src/conversation/turn/read/typed-secret.ts';
import { type Customer, PIN, theWorld, UNGUARDED } from '../kit/world.ts';
import { KARIM } from '../machines/bank-orders.ts';

const world = theWorld({ safety: UNGUARDED });
const recipient = () => world.customer().phone;
/** Stands at an amount, and the screen before it asked for the PIN. */
const unlockedFor = (amount = '') => {
  const fatima = world.customer({ channel: 'web', balance: '5000' });
  return fatima
    .arrives()
    .says(`/transfer ${recipient()} ${amount}`)
    .sees('unlocking.askPin')
    .enters()
    .sees(amount ? 'transfer.askPin' : 'transfer.askAmount');
};

describe('a PIN at a screen that asks for none', () => {
  test('is no amount at the question for the holder of an account', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(`virement ${KARIM}`).sees('bank-transfer.askHolder').says(PIN);
    await fatima.sees('bank-transfer.askHolder').isTold('bank-transfer.notAHolder');
    expect(JSON.stringify(fatima.reply().screen)).not.toContain('123400');
  });

  test('is no amount right after the PIN, unless it is typed again', async () => {
    const fatima = unlockedFor();
    await fatima.says(PIN).sees('transfer.askAmount').isTold('nav.pinNotAsked');
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toEqual([]);
    await fatima.says('2000').sees('transfer.askPin', { amount: 200_000 });
  });

  test.each([
    ['another amount', '150', { amount: 15_000 }],
    ['the same digits with the currency', '1234 DH', { amount: 123_400 }],
    ['the same digits with centimes', '1234,00', { amount: 123_400 }],
  ])('%s is read at once', (_, text, values) => unlockedFor().says(text).sees('transfer.askPin', values));

  test('an amount of four digits is read at once after another answer', async () => {
    const fatima = world.customer({ channel: 'web', balance: '5000' });
    await fatima.isAtMenu().chooses('transfer').says(recipient());
    await fatima.says('2000').sees('transfer.askPin', { amount: 200_000 });
  });

  test('an amount of four digits is read at once after a step back from the PIN', () =>
    unlockedFor('100').goes('back').sees('transfer.askAmount').says('2000').sees('transfer.askPin'));
});

describe.each(['fr', 'ar', 'en'] as const)('a page of choices that takes an amount, in %s', (language) => {
  const world = theWorld();
  const customer = (balance: string) => world.customer({ channel: 'web', balance, language }).isAtMenu();
  const pays = (amount: string) => (who: Customer) => who.says('/transfer').says('0655000000').says(amount);
  const afterUsual = () => customer('9000').walks(pays('300')).enters().after(3_000_000).goes('menu');

  describe.each([
    ['pay.askUnusual', 'pay.askUnusual', () => afterUsual().walks(pays('1000'))],
    ['pay.short', 'pay.shortAt', () => customer('100').walks(pays('300'))],
  ])('%s', (key, later, comes) => {
    test.each([PIN, '0642', '٥٨٢٩', '1500'])('takes %s for no amount', async (text) => {
      const fatima = comes().sees(key).says(text).sees(later).isTold('nav.pinOrAmount');
      await fatima;
      expect(secretIn({ type: 'said', text }, fatima.reply().screen)).toBe('pin');
    });

    test('takes an amount with its unit', () =>
      comes().says('45 DH').sees('transfer.askPinOpenLoop', { amount: 4_500 }));
  });
});
