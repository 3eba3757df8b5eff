import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { type Customer, theWorld } from '../kit/world.ts';
import { referencesOf } from '../machines/cash-orders.ts';

const renderer = createRenderer();
const CANCEL = { fr: 'annuler', ar: 'إلغاء', en: 'cancel' };

const world = theWorld({ cash: CASH_DEFAULTS, bot: 'webhook' });
const told = (customer: Customer) => customer.reply().screen.notice?.key;

describe.each(['ussd', 'web'] as const)('a customer who gives up, on %s', (channel) => {
  test.each(LANGUAGES)('reads that an open reference stays valid, in %s', async (language) => {
    const fatima = world.customer({ channel, language });
    const cancels = () => fatima.says(CANCEL[language]).sees('menu.choose').isTold('references.stays');
    await fatima.isAtMenu().says('/cash-out 100').enters().sees('cash-out.shown');
    if (channel === 'web') await cancels();
    else await fatima.dials();
    await fatima.says('/references').sees('references.list');
    await cancels();
    await fatima.says('/references').chooses('reference0').sees('references.withdrawalOpen');
    await cancels();
    await fatima.says('/references').chooses('reference0').chooses('again').sees('cash-out.askPinAgain');
    await cancels();
    await fatima.says('/cash-out 100').sees('cash-out.alike');
    await cancels();
    expect(await referencesOf(world, fatima.phone)).toHaveLength(1);
  });

  test('reads that the wallet stays open, where that was to be closed', async () => {
    const fatima = world.customer({ channel }).isAtMenu().says('/closing').sees('closing.askReason');
    await fatima.says('annuler').sees('menu.choose').isTold('closing.kept');
    await fatima.says('/closing').chooses('ending').chooses('continue').sees('closing.askPin');
    await fatima.says('annuler').sees('menu.choose').isTold('closing.kept');
  });

  test.each([
    ['a freeze', ['/freeze'], 'freeze.frozen'],
    ['a list', ['/cash'], 'cash.choose'],
    ['the cards', ['/cards'], 'cards.none'],
  ] as const)('reads nothing of a request where there is none: %s', async (_, path, key) => {
    const fatima = world.customer({ channel }).isAtMenu();
    for (const step of path) await fatima.says(step);
    await fatima.sees(key).says('annuler').sees('menu.choose');
    expect(told(fatima)).toBeUndefined();
  });

  test('reads so of a withdrawal before its PIN, which asks the wallet for nothing', async () => {
    const fatima = world.customer({ channel }).isAtMenu();
    await fatima.says('/cash-out 100').sees('cash-out.askPin').says('annuler').sees('menu.choose');
    await fatima.isTold('nav.cancelled');
    expect(await referencesOf(world, fatima.phone)).toEqual([]);
  });

  test.each([
    ['a refusal', ['/transfer 0655000000 40'], 'freeze.stopped'],
    ['a freeze', [], 'freeze.frozen'],
    ['a question that nothing was answered to', ['/top-up'], 'top-up.askNumber'],
  ])('begins something new without a question after %s', async (_, path, key) => {
    const fatima = world.customer({ channel }).isAtMenu();
    if (key.startsWith('freeze.')) await fatima.says('/freeze').sees('freeze.frozen');
    for (const step of path) await fatima.says(step);
    await fatima.sees(key).says('dépôt').sees('cash-in.askAmountWithin');
  });
});

describe('before the PIN of a withdrawal', () => {
  test.each([
    ['fr', 'La référence ne pourra pas être annulée'],
    ['ar', 'لن يمكن إلغاء المرجع'],
    ['en', 'The reference cannot be cancelled'],
  ] as const)('it is said that the reference cannot be cancelled, in %s', async (language, words) => {
    const fatima = world.customer({ channel: 'web', language });
    await fatima.isAtMenu().says('/cash-out 100').sees('cash-out.askPin');
    const { screen } = fatima.reply();
    expect(renderer.chat(screen, language).text).toContain(words);
  });
});
