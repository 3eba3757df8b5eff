import { describe, expect, test } from 'vitest';
import { numberAt } from '../../src/conversation/session/choice.ts';
import { CHATS_ON } from '../kit/rotation.ts';
import { STORES, theWorld } from '../kit/world.ts';

const RECIPIENT = '0655000000';

describe.each(STORES)('help, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])('what the customer was doing comes back as it was, on %s', (channel) =>
    world
      .customer({ channel })
      .isAtMenu()
      .chooses('help')
      .sees('help.help')
      .chooses('continue')
      .sees('menu.choose')
      .chooses('transfer')
      .says(RECIPIENT)
      .says('/help')
      .sees('help.help')
      .chooses('continue')
      .sees('transfer.askAmount', { to: '+212655000000' })
      .says('100')
      .sees('transfer.askPinOpenLoop', { amount: 10_000 })
      .says('/help')
      .sees('help.help')
      .goes('back')
      .sees('transfer.askPinOpenLoop', { amount: 10_000 }),
  );

  test('where there is no menu to dial through, its list begins at 1', async () => {
    const salma = world.stranger({ language: 'fr' });
    await salma.dials().chooses('fr').sees('consent.ask').says('99').sees('help.help');
    const { choices = [] } = salma.reply().screen;
    expect(choices.map(numberAt)).toEqual(choices.map((_, place) => place + 1));
    await salma.chooses('continue').sees('consent.ask');
  });

  test('help about the help is help', () =>
    world
      .customer()
      .isAtMenu()
      .chooses('transfer')
      .goes('help')
      .says('99')
      .sees('help.help')
      .chooses('continue')
      .sees('transfer.askRecipient'));

  test('a PIN prompt closes behind it', () =>
    world
      .customer()
      .isAtMenu()
      .chooses('balance')
      .goes('help')
      .meanwhile(() => world.passes(120_000))
      .repeats()
      .sees('help.help')
      .chooses('continue')
      .sees('pin.lapsed'));

  test('an outcome that comes meanwhile is told, and help goes on', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima
      .isAtMenu()
      .chooses('transfer')
      .says(RECIPIENT)
      .says('100')
      .enters()
      .sees('transfer.processing')
      .says('/help')
      .sees('help.help');
    await world.passes(1_500);
    await fatima.hears('transfer.done').opens().sees('help.help').chooses('continue').sees('transfer.done');
  });

  test.each(['/cancel', '/menu'])(
    '%s from the help never denies money that is under way',
    async (command) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').enters();
      await fatima.sees('transfer.processing').says('/help').says(command);
      await (command === '/menu'
        ? fatima.sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 })
        : fatima.sees('transfer.processing').isToldNothing());
    },
  );
});
