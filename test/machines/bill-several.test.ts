import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { theWorld } from '../kit/world.ts';
import { findsWater, known, SEVERAL } from './bill-orders.ts';

/** Its bills are paid here. */
const TO_PAY = '4711005';

describe('several bills in one entry', () => {
  const world = theWorld();
  /** On USSD one digit of the PIN's page leads to the bills. In French they are on one page. */
  const listing = (contract = SEVERAL) =>
    world
      .customer({ language: 'fr', balance: '2000' })
      .isAtMenu()
      .walks(findsWater(contract))
      .sees('bill-payment.askPinAllFree')
      .chooses('some')
      .sees('bill-payment.selectNone');
  const chosenBy = async (text: string) => {
    const fatima = listing();
    await fatima.says(text);
    const { order, unpaid } = await known(world, fatima);
    return { fatima, chosen: order?.items.map((item) => unpaid.items.findIndex(({ id }) => id === item.id)) };
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
    ['2', [1]],
    ['4,1', [3, 0]],
    ['toutes', [0, 1, 2, 3]],
    ['Tout', [0, 1, 2, 3]],
    ['الكل', [0, 1, 2, 3]],
    ['all', [0, 1, 2, 3]],
  ])('%s', async (text, places) => {
    const { fatima, chosen } = await chosenBy(text);
    expect(chosen).toEqual(places.toSorted());
    await fatima.sees('bill-payment.askPinAllFree').isToldNothing();
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
    expect(chosen).toBeUndefined();
    await fatima.sees('bill-payment.selectNone').isTold(told);
  });

  test.each(LANGUAGES)(
    'the page of a number that is none of the list shows bills, in %s',
    async (language) => {
      const fatima = world.customer({ language, balance: '2000' }).isAtMenu().walks(findsWater(SEVERAL));
      await fatima.chooses('some').sees('bill-payment.selectNone').says('98').says('1,9');
      await fatima.isTold('bill-payment.notSeveral');
      expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page: 0 });
      expect(pageOf(world.renderer, fatima.reply()).choices).toBeGreaterThan(0);
    },
  );

  test('the page names their total, and they are paid together', async () => {
    const fatima = listing(TO_PAY);
    await fatima;
    const { unpaid } = await known(world, fatima);
    const sum = (unpaid.items[0]?.amount ?? 0) + (unpaid.items[1]?.amount ?? 0);
    await fatima.says('1-2').sees('bill-payment.askPinAllFree', { amount: sum }).enters();
    await fatima.sees('bill-payment.doneSettled', { amount: sum });
  });

  test('in a chat they are marked first, and the page names their total', async () => {
    const fatima = world.customer({ channel: 'web', balance: '2000' }).isAtMenu().walks(findsWater(SEVERAL));
    await fatima.chooses('some').sees('bill-payment.selectNone').says('1-2');
    const { unpaid } = await known(world, fatima);
    const sum = (unpaid.items[0]?.amount ?? 0) + (unpaid.items[1]?.amount ?? 0);
    await fatima.sees('bill-payment.select', { total: sum }).chooses('pay');
    await fatima.sees('bill-payment.askPin', { amount: sum });
  });

  test('the list is left for the PIN of all, and comes back from it', async () => {
    const fatima = listing()
      .chooses('all')
      .sees('bill-payment.askPinAllFree', {
        bills: expect.stringMatching(/\(4\)$/),
      });
    await fatima.goes('back').sees('bill-payment.selectNone').goes('back').sees('bill-payment.ask');
  });
});

describe('several bills in words, on pages', () => {
  const world = theWorld();

  test.each([
    ['fr', 'la deuxième et la première', 2],
    ['ar', 'الثانية', 1],
  ] as const)('rows are named in words once they were shown, in %s', async (language, words, count) => {
    const fatima = world.customer({ language, balance: '2000' }).isAtMenu().walks(findsWater(SEVERAL));
    await fatima
      .chooses('some')
      .sees('bill-payment.selectNone')
      .says(words)
      .sees('bill-payment.askPinAllFree');
    expect((await known(world, fatima)).order?.items).toHaveLength(count);
  });

  test('a row that stands on a later page is not taken by its word', async () => {
    const fatima = world.customer({ language: 'ar', balance: '2000' }).isAtMenu().walks(findsWater(SEVERAL));
    await fatima.chooses('some').says('الرابعة').sees('bill-payment.selectNone');
    expect((await known(world, fatima)).order).toBeUndefined();
  });
});

const PLACES = LANGUAGES.flatMap((language) => [['web', language] as const, ['ussd', language] as const]);

describe.each(PLACES)('what stays due of a contract, on %s in %s', (channel, language) => {
  const world = theWorld();

  test('is said before the PIN and after it', async () => {
    const fatima = world.customer({ channel, language, balance: '2000' }).isAtMenu();
    await fatima.walks(findsWater(SEVERAL)).chooses('some').chooses('0');
    if (channel === 'web') await fatima.chooses('pay');
    const { unpaid } = await known(world, fatima);
    const left = unpaid.items.slice(1).reduce((sum, { amount }) => sum + amount, 0) / 100;
    const shown = () => {
      const reply = fatima.reply();
      if (channel === 'web') return world.renderer.chat(reply.screen, language).text;
      const { pages } = pageOf(world.renderer, reply);
      const page = (_: unknown, at: number) => world.renderer.ussd(reply.screen, language, at).text;
      return Array.from({ length: pages }, page).join('\n');
    };
    const words = new RegExp(`(?:Reste|Left|يبقى).*${String(left).replace('.', '[.,]')}`);
    expect(shown()).toMatch(words);
    await fatima.enters().after(2_000);
    expect(shown()).toMatch(words);
  });
});
