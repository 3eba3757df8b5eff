import { describe, expect, test } from 'vitest';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { CHANNELS, createWorld, testOn, theWorld } from '../kit/world.ts';
import { visits } from './submenus.ts';

describe('deposit and withdrawal', () => {
  const world = theWorld({ bot: 'webhook', form: true, cash: CASH_DEFAULTS });

  testOn(CHANNELS)('leads to all its entries, and back, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await visits(fatima, 'cash', {
      'cash-in': 'cash-in.askAmountWithin',
      'card-cash-in': 'card-cash-in.askAmountWithin',
      'cash-out': 'cash-out.askAmount',
      'saved-cards': 'saved-cards.askPin',
    });
    await fatima.chooses('cash').chooses('references').sees('references.empty');
  });

  test.each([
    ['5', 'cash.choose'],
    ['5*1', 'cash-in.askAmountWithin'],
    ['5*1*300', 'cash-in.shown'],
    ['5*2', 'card-cash-in.askAmountWithin'],
    ['5*2*100', 'card-cash-in.askPin'],
    ['5*3', 'cash-out.askAmount'],
    ['5*3*200', 'cash-out.askPin'],
    ['5*4', 'references.empty'],
    ['5*5', 'saved-cards.askPin'],
    ['5*6', 'cash.choose'],
    ['5*1*beaucoup', 'cash-in.askAmountWithin'],
    ['5*2*peu', 'card-cash-in.askAmountWithin'],
    ['5*3*tout', 'cash-out.askAmount'],
    ['5*3*200*1234', 'cash-out.askPin'],
  ])('*123*%s# is known by heart', async (digits, screen) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.dials(...digits.split('*')).sees(screen);
  });

  test('a wallet without a gateway for cards is told, and the entry goes', async () => {
    const fatima = world.customer();
    world.sandbox.setModules({ cards: false });
    await fatima.isAtMenu().says('5').says('2').says('100').sees('card-cash-in.notEnabled').goes('menu');
    await fatima.says('5').sees('cash.choose').says('2').isTold('nav.chooseOne');
    world.sandbox.setModules({ cards: true });
  });

  test('an operator without cards offers them in no menu and by no words', async () => {
    const closed = await createWorld({ without: ['card-cash-in', 'saved-cards'] });
    try {
      const fatima = closed.customer({ channel: 'web' });
      await fatima.isAtMenu().chooses('cash').sees('cash.choose');
      expect(fatima.reply().screen.choices?.map(({ id }) => id)).toEqual([
        'cash-in',
        'cash-out',
        'references',
      ]);
      await fatima.goes('menu').says('/card-cash-in 100').sees('menu.choose');
    } finally {
      await closed.close();
    }
  });
});
