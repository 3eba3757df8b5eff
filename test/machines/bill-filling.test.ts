import { describe, expect, test } from 'vitest';
import { theWorld } from '../kit/world.ts';
import { CREDITORS, findsWater, goesTo, known, SEVERAL } from './bill-orders.ts';

/** A contract that no other test has paid. */
let last = 5_500_000;
const contract = () => String(last++);

describe('the form', () => {
  const world = theWorld();
  const at = (creditor: string, channel: 'ussd' | 'web' = 'ussd') =>
    world.customer({ channel }).isAtMenu().walks(goesTo(creditor));

  test.each([
    ['letters', 'abc123', 'digitsOnly'],
    ['too few digits', '123', 'digitsAtLeast'],
    ['too many', '12345678901', 'digitsAtMost'],
    ['a sentence', 'mon contrat', 'digitsOnly'],
    ['an emoji', '😀', 'digitsOnly'],
  ])('asks again after %s', async (_, text, why) => {
    const fatima = at(CREDITORS.redal);
    await fatima.says(text).sees('bill-payment.askUnder').isTold(`bill-payment.${why}`);
    await fatima.says(contract()).sees('bill-payment.offer').isToldNothing();
  });

  const optional = () => at(CREDITORS.redal).says(contract()).sees('bill-payment.offer');

  test.each(['1234', '12', 'non'])('is not answered by what may be a choice or a PIN: %s', (text) =>
    optional().says(text).sees('bill-payment.offer'),
  );

  test('what may be left out is typed at once where that is offered', async () => {
    const fatima = optional().says('AB').sees('bill-payment.offer').isTold('bill-payment.tooShort');
    await fatima.says('AB12345');
    expect((await known(world, fatima)).answers).toMatchObject([{}, { value: 'AB12345' }]);
  });

  test('back leads through all questions to the creditors', async () => {
    const fatima = at(CREDITORS.redal);
    await fatima.says(contract()).sees('bill-payment.offer');
    await fatima.chooses('fill').sees('bill-payment.ask', { label: 'Numéro de police' });
    await fatima.goes('back').sees('bill-payment.askUnder').goes('back').sees('bill-payment.chooseCreditor');
  });

  test('back leads from the bills to the last question, and from the first question to the list of services', async () => {
    const fatima = world.customer({ balance: '2000' });
    await fatima.isAtMenu().walks(findsWater(SEVERAL)).sees('bill-payment.askPinAllFree');
    await fatima.goes('back').sees('bill-payment.selectNone').goes('back').sees('bill-payment.ask');
    await fatima.goes('back').sees('bill-payment.chooseReceivable');
    await fatima.goes('back').sees('bill-payment.chooseCreditor');
  });

  test('a typed 0 that may be the answer is asked about, and can be the answer', async () => {
    const fatima = at(CREDITORS.syndic);
    await fatima.says('12').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' });
    await fatima.says('0').sees('bill-payment.askWhetherBack', { typed: '0' });
    await fatima.says('0').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' }).says('0');
    await fatima.chooses('answer');
    const { answers } = await known(world, fatima);
    expect(answers).toContainEqual({ name: 'etage', value: '0' });
  });

  test('a typed 0 that meant back goes back, and 00 that meant the menu leads there', async () => {
    const fatima = at(CREDITORS.syndic);
    await fatima.says('12').says('0').chooses('leave').sees('bill-payment.ask', { label: 'Numéro de lot' });
    await fatima.says('12').says('00').sees('bill-payment.askWhetherMenu', { typed: '00' });
    await fatima.chooses('leave').sees('menu.choose');
  });

  test('00 is sent as it is when it is the answer', async () => {
    const fatima = at(CREDITORS.syndic).says('12').says('00').chooses('answer');
    await fatima;
    const { answers } = await known(world, fatima);
    expect(answers).toContainEqual({ name: 'etage', value: '00' });
  });

  test('a typed 0 goes back at once if it cannot be the answer', () =>
    at(CREDITORS.redal).says('0').sees('bill-payment.chooseCreditor').says('0').sees('menu.choose'));

  test('in a chat a typed 0 is an answer, and the button goes back', async () => {
    const fatima = at(CREDITORS.syndic, 'web');
    await fatima.says('12').goes('back').sees('bill-payment.ask', { label: 'Numéro de lot' });
    await fatima.says('0').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' });
    await fatima.goes('menu').sees('menu.choose');
  });

  test('an interrupted form is offered on the next dial with its answers', async () => {
    const fatima = at(CREDITORS.syndic);
    await fatima.says('12').dials().sees('bill-payment.resume', { creditor: 'Syndic Rés. Atlas (test)' });
    await fatima.chooses('continue').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' });
  });

  test('interrupted bills are offered on the next dial', async () => {
    const fatima = world.customer({ balance: '2000' });
    await fatima.isAtMenu().walks(findsWater(SEVERAL)).goes('back').dials().sees('bill-payment.resume');
    await fatima.chooses('continue').sees('bill-payment.selectNone');
  });
});
