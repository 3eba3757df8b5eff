import { describe, expect, test } from 'vitest';
import { theWorld } from '../kit/world.ts';

const [TRANSFER, TOP_UP, RECIPIENT] = ['1', '3', '0655000000'];

describe('a longer dial that ends in an amount', () => {
  const world = theWorld();
  /** Has chosen the language once, and hung up. */
  const known = () => world.customer().isAtMenu();

  test.each<[string, string[], string, string[], string, number]>([
    ['*123*3*50#', [TOP_UP, '50'], 'top-up.askNumber', [RECIPIENT, '3'], 'top-up.chooseProduct', 5_000],
    ['*123*3*45#, for oneself', [TOP_UP, '45'], 'top-up.askNumber', ['1', '3'], 'top-up.askPin', 4_500],
    ['*123*3*1*45#', [TOP_UP, '1', '45'], 'top-up.chooseOperator', ['3'], 'top-up.askPin', 4_500],
    ['*123*1*45#', [TRANSFER, '45'], 'transfer.askRecipient', [RECIPIENT], 'transfer.askPinOpenLoop', 4_500],
    [
      '*123*1*12,50#',
      [TRANSFER, '12,50'],
      'transfer.askRecipient',
      [RECIPIENT],
      'transfer.askPinOpenLoop',
      1_250,
    ],
    ['*123*3*٤٥#', [TOP_UP, '٤٥'], 'top-up.askNumber', ['1', '3'], 'top-up.askPin', 4_500],
  ])('the amount in %s is kept', async (_, answers, first, typed, last, amount) => {
    const fatima = known();
    await fatima.dials(...answers).sees(first);
    await fatima.isToldNothing();
    for (const text of typed) await fatima.says(text);
    await fatima.sees(last, { amount });
  });

  test.each([
    ['fr', '98'],
    ['ar', '٩٩'],
    ['en', '99'],
  ] as const)('a key of the pages is no amount where one is asked for, in %s: %s', async (language, key) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says(key);
    await fatima.sees('transfer.askAmount').isTold('nav.isKey');
    await fatima.says('098').sees('transfer.askPinOpenLoop', { amount: 9_800 });
    // A whole dial and a chat have no such keys.
    await fatima.dials(TRANSFER, RECIPIENT, '98').sees('transfer.askPinOpenLoop', { amount: 9_800 });
    const chat = world.customer({ channel: 'web', language });
    await chat.isAtMenu().chooses('transfer').says(RECIPIENT).says(key).sees('transfer.askPinOpenLoop');
  });

  test.each<[string, string[], string]>([
    ['one digit may be a choice', [TOP_UP, '5'], 'top-up.askNumber'],
    ['four digits may be a PIN', [TOP_UP, '1234'], 'top-up.askNumber'],
    ['it could be two amounts', [TRANSFER, '1.500'], 'transfer.askRecipient'],
    ['it is no amount', [TRANSFER, '000'], 'transfer.askRecipient'],
    ['it goes on', [TOP_UP, '50', '1'], 'top-up.askNumber'],
    ['nothing is paid there', ['4', '50'], 'bill-payment.chooseCreditor'],
  ])('no amount is taken from a dial where %s', async (_, answers, screen) => {
    const fatima = known();
    await fatima.dials(...answers).sees(screen);
    const { conversation } = await world.session(fatima);
    expect(conversation?.context.amount).toBeUndefined();
  });
});
