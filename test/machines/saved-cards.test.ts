import { afterEach, describe, expect, test } from 'vitest';
import { WRONG_CVV } from '../../src/sandbox/cards/test-cards.ts';
import { CHANNELS, type Customer, HOUR_MS, loses, testOn, theWorld, UNSENT } from '../kit/world.ts';
import { atBank, atForm, CARD, formOf, sends, typedCard } from './card-forms.ts';

const world = theWorld({ form: true, bot: 'webhook' });

afterEach(() => {
  expect(world.errors).toEqual([]);
  expect(world.formLog.lines).toEqual([]);
});

describe('a saved card', () => {
  /** Deposits once, with the consent. */
  async function withSavedCard(channel: (typeof CHANNELS)[number] = 'web') {
    const { fatima, form } = await atForm(world, channel);
    const { bank } = await sends(form, typedCard(CARD, { keep: 'yes' }));
    await atBank(bank);
    await fatima.after(16 * 60_000).hears('card-cash-in.done');
    return { fatima };
  }
  const again = (fatima: Customer) =>
    fatima.opens().goes('menu').says('/card-cash-in 50').enters().sees('card-cash-in.chooseCard');

  test('is chosen after the PIN, needs its CVV on the form, and a refusal is told by the end of the wait', async () => {
    const { fatima } = await withSavedCard();
    const [card] = await cardsOf(fatima);
    await again(fatima).chooses(String(card?.id)).sees('card-cash-in.askCvv', { card: 'VISA •••• 4242' });
    const form = formOf(world, fatima);
    expect((await sends(form, { cvv: '12' })).status).toBe(422);
    const { bank } = await sends(form, { cvv: WRONG_CVV });
    await atBank(bank);
    await fatima.after(HOUR_MS + 60_000).hears('card-cash-in.notFound', { amount: 50_00 });
    await again(fatima).chooses(String(card?.id));
    await atBank((await sends(formOf(world, fatima), { cvv: '737' })).bank);
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 50_00 });
  });

  test('is not kept without the consent', async () => {
    const { fatima, form } = await atForm(world);
    await atBank((await sends(form, typedCard())).bank);
    await world.passes(2_000);
    expect(await cardsOf(fatima)).toEqual([]);
  });

  testOn(CHANNELS)('is deleted on %s, behind the PIN, and once', async (channel) => {
    const { fatima } = await withSavedCard(channel);
    const [card] = await cardsOf(fatima);
    if (channel === 'ussd') await fatima.dials();
    await fatima.says('/saved-cards').sees('saved-cards.askPin').enters().sees('saved-cards.choose');
    await fatima.chooses(String(card?.id)).sees('saved-cards.confirm');
    await fatima.chooses('keep').sees('saved-cards.choose');
    await fatima.chooses(String(card?.id));
    await fatima.chooses('delete').sees('saved-cards.deleted', { card: 'VISA •••• 4242' });
    expect(await cardsOf(fatima)).toEqual([]);
    await fatima.says('/saved-cards').enters().sees('saved-cards.none');
  });

  test.each([
    ['whose answer is lost', loses, 'saved-cards.none', undefined],
    ['that never left', UNSENT, 'saved-cards.choose', 'saved-cards.notKnown'],
    [
      'that the wallet refuses',
      { kind: 'refused', code: '90001', description: '' },
      'saved-cards.choose',
      'problem.90001',
    ],
    [
      'that was done already',
      { kind: 'refused', code: '90204', description: '' },
      'saved-cards.deleted',
      undefined,
    ],
  ] as const)('a deletion %s is read from the list', async (_, answer, screen, told) => {
    const { fatima } = await withSavedCard();
    const [card] = await cardsOf(fatima);
    await fatima.opens().goes('menu').says('/saved-cards').enters().chooses(String(card?.id));
    world.wallet.next('deleteSavedCard', answer);
    await fatima.chooses('delete').sees(screen);
    if (told) await fatima.isTold(told);
  });

  test('the customer types a card when the wallet does not list the saved ones', async () => {
    const { fatima } = await withSavedCard();
    world.wallet.next('savedCards', { kind: 'unknown', why: 'timeout' });
    await fatima.opens().goes('menu').says('/card-cash-in 50').enters();
    await fatima.sees('card-cash-in.askCard');
  });

  async function cardsOf({ phone }: Customer) {
    const answer = await world.api.savedCards(phone);
    return answer.kind === 'ok' ? answer.value : [];
  }
});
