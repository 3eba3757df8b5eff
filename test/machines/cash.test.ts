import { describe, test } from 'vitest';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { CHANNELS, theWorld } from '../kit/world.ts';

describe('deposit and withdrawal', () => {
  const world = theWorld({ bot: 'webhook', cash: CASH_DEFAULTS });

  test.each(CHANNELS)('lead to cash in, cash out and the references, and back, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    for (const [choice, screen] of [
      ['cash-in', 'cash-in.askAmountWithin'],
      ['cash-out', 'cash-out.askAmount'],
    ] as const) {
      await fatima.chooses('cash').sees('cash.choose').chooses(choice).sees(screen).goes('menu');
    }
    await fatima.chooses('cash').chooses('references').sees('references.empty');
  });

  test.each([
    ['5', 'cash.choose'],
    ['5*1', 'cash-in.askAmountWithin'],
    ['5*1*300', 'cash-in.shown'],
    ['5*3', 'cash-out.askAmount'],
    ['5*3*200', 'cash-out.askPin'],
    ['5*4', 'references.empty'],
    ['5*2', 'cash.choose'],
    ['5*1*trois', 'cash-in.askAmountWithin'],
    ['5*3*deux', 'cash-out.askAmount'],
    ['5*3*200*1234', 'cash-out.askPin'],
  ])('*123*%s#', async (digits, screen) => {
    const fatima = world.customer();
    await fatima
      .isAtMenu()
      .dials(...digits.split('*'))
      .sees(screen);
  });
});
