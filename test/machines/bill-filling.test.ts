import { describe, expect, test } from 'vitest';
import { theWorld } from '../kit/world.ts';
import { CREDITORS, findsWater, goesTo, known } from './bill-orders.ts';

/** A contract that no other test has paid. */
let last = 5_500_000;
const contract = () => String(last++);

describe('the form', () => {
  const world = theWorld();
  const at = (creditor: string, channel: 'ussd' | 'web' = 'ussd') =>
    world.customer({ channel }).isAtMenu().walks(goesTo(creditor));

  test.each([
    ['letters', 'abc123', 'digitsOnly'],
    ['too few digits', '123', 'tooShort'],
    ['too many', '12345678901', 'tooLong'],
    ['a sentence', 'mon contrat', 'digitsOnly'],
    ['an emoji', '😀', 'digitsOnly'],
  ])('asks again after %s', (_, text, why) =>
    at(CREDITORS.redal)
      .says(text)
      .sees('bill-payment.askUnder')
      .isTold(`bill-payment.${why}`)
      .says(contract())
      .sees('bill-payment.offer')
      .isToldNothing(),
  );

  test('back leads through all questions to the creditors', () =>
    at(CREDITORS.redal)
      .says(contract())
      .sees('bill-payment.offer')
      .chooses('fill')
      .sees('bill-payment.ask', { label: 'Numéro de police' })
      .goes('back')
      .sees('bill-payment.askUnder')
      .goes('back')
      .sees('bill-payment.chooseCreditor'));

  test('back leads from the bills to the last question, and from the first one to what can be paid', () =>
    world
      .customer()
      .isAtMenu()
      .walks(findsWater(contract()))
      .sees('bill-payment.reviewFor')
      .goes('back')
      .sees('bill-payment.ask')
      .goes('back')
      .sees('bill-payment.chooseReceivable')
      .goes('back')
      .sees('bill-payment.chooseCreditor'));

  test('a typed 0 where it may be the answer is asked about, and is the answer', async () => {
    const fatima = at(CREDITORS.syndic);
    await fatima.says('12').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' });
    await fatima.says('0').sees('bill-payment.askWhetherBack', { typed: '0' });
    await fatima.says('0').sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' }).says('0');
    await fatima.chooses('answer');
    const { answers } = await known(world, fatima);
    expect(answers).toContainEqual({ name: 'etage', value: '0' });
  });

  test('a typed 0 that meant back goes back, and 00 that meant the menu leads there', () =>
    at(CREDITORS.syndic)
      .says('12')
      .says('0')
      .chooses('leave')
      .sees('bill-payment.ask', { label: 'Numéro de lot' })
      .says('12')
      .says('00')
      .sees('bill-payment.askWhetherMenu', { typed: '00' })
      .chooses('leave')
      .sees('menu.choose'));

  test('00 is sent as it is when it is the answer', async () => {
    const fatima = at(CREDITORS.syndic).says('12').says('00').chooses('answer');
    await fatima;
    const { answers } = await known(world, fatima);
    expect(answers).toContainEqual({ name: 'etage', value: '00' });
  });

  test('a typed 0 goes back at once where it cannot be the answer', () =>
    at(CREDITORS.redal).says('0').sees('bill-payment.chooseCreditor').says('0').sees('menu.choose'));

  test('in a chat a typed 0 is an answer, and the button goes back', () =>
    at(CREDITORS.syndic, 'web')
      .says('12')
      .goes('back')
      .sees('bill-payment.ask', { label: 'Numéro de lot' })
      .says('0')
      .sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' })
      .goes('menu')
      .sees('menu.choose'));

  test('an interrupted form is offered on the next dial with its answers', () =>
    at(CREDITORS.syndic)
      .says('12')
      .dials()
      .sees('bill-payment.resume', { creditor: 'Syndic Rés. Atlas (test)' })
      .chooses('continue')
      .sees('bill-payment.ask', { label: 'Étage (0 pour le rez-de-chaussée)' }));

  test('bills broken off are offered on the next dial', () =>
    world
      .customer()
      .isAtMenu()
      .walks(findsWater(contract()))
      .dials()
      .sees('bill-payment.resume')
      .chooses('continue')
      .sees('bill-payment.reviewFor'));
});
