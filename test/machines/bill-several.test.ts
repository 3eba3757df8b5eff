import { describe, expect, test } from 'vitest';
import { theWorld } from '../kit/world.ts';
import { findsWater, known } from './bill-orders.ts';

/** A contract with four bills. */
const CONTRACT = '4711001';

describe('several bills in one entry', () => {
  const world = theWorld();
  const selecting = () =>
    world
      .customer({ balance: '2000' })
      .isAtMenu()
      .walks(findsWater(CONTRACT))
      .goes('back')
      .chooses('some')
      .sees('bill-payment.selectNone');
  const chosenBy = async (text: string) => {
    const fatima = selecting();
    await fatima.says(text);
    const { conversation } = await world.session(fatima);
    return { fatima, chosen: conversation?.context.chosen };
  };

  test.each([
    ['1,3', [0, 2]],
    ['1-3', [0, 1, 2]],
    ['1 - 3', [0, 1, 2]],
    ['1–3', [0, 1, 2]],
    ['3-1', [0, 1, 2]],
    ['1،3', [0, 2]],
    ['١،٣', [0, 2]],
    ['1 3', [0, 2]],
    ['1*3', [0, 2]],
    ['1, 3', [0, 2]],
    ['1 et 3', [0, 2]],
    ['1 و 3', [0, 2]],
    ['1,3-4', [0, 2, 3]],
    ['2,2', [1]],
    ['4,1', [3, 0]],
    ['toutes', [0, 1, 2, 3]],
    ['Tout', [0, 1, 2, 3]],
    ['الكل', [0, 1, 2, 3]],
    ['all', [0, 1, 2, 3]],
  ])('%s', async (text, places) => {
    const { fatima, chosen } = await chosenBy(text);
    expect(chosen).toEqual(places);
    await fatima.sees('bill-payment.select').isToldNothing();
  });

  test.each([
    ['1,9', 'bill-payment.notSeveral'],
    ['0,1', 'bill-payment.notSeveral'],
    ['1-5', 'bill-payment.notSeveral'],
    ['1,', 'bill-payment.notSeveral'],
    ['1,,3', 'bill-payment.notSeveral'],
    ['1-2-3', 'bill-payment.notSeveral'],
    ['1 ou 3', 'bill-payment.notSeveral'],
    ['1 sauf 3', 'bill-payment.notSeveral'],
    ['1.3', 'bill-payment.notSeveral'],
    ['1-', 'bill-payment.notSeveral'],
    ['13', 'nav.chooseOne'],
    ['1234', 'nav.chooseOne'],
    ['toutes sauf 1', 'nav.chooseOne'],
  ])('not %s, and nothing is chosen by it', async (text, told) => {
    const { fatima, chosen } = await chosenBy(text);
    expect(chosen).toEqual([]);
    await fatima.sees('bill-payment.selectNone').isTold(told);
  });

  test('the page names their total, and they are paid together', async () => {
    const fatima = selecting();
    await fatima.says('1-2').sees('bill-payment.select');
    const { unpaid } = await known(world, fatima);
    const sum = (unpaid.items[0]?.amount ?? 0) + (unpaid.items[1]?.amount ?? 0);
    await fatima.sees('bill-payment.select', { total: sum }).chooses('pay');
    await fatima.sees('bill-payment.askPinAllFree', { amount: sum }).enters();
    await fatima.sees('bill-payment.doneSettled', { amount: sum });
  });
});
