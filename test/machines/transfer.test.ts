import { afterAll, beforeAll, describe, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createWorld, type World } from '../support/world.ts';

describe.each(['sqlite', 'redis'] as const)('sending money, on %s', (store) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ store });
  });
  afterAll(() => world.close());

  describe.each(LANGUAGES)('in %s', (language) => {
    test.each(['ussd', 'web'] as const)(
      'a customer sends money and hears the outcome, on %s',
      async (channel) => {
        const youssef = world.customer({ channel: 'web', language, balance: '10' });
        await youssef.isAtMenu();
        const fatima = world.customer({ channel, language, balance: '500' });
        await fatima
          .isAtMenu()
          .chooses('transfer')
          .sees('transfer.askRecipient')
          .says(youssef.phone)
          .sees('transfer.askAmount', { to: youssef.phone })
          .says('200')
          .sees('transfer.confirm', { amount: 20000, fees: 200, total: 20200 })
          .chooses('confirm')
          .sees('transfer.askPin', { total: 20200 })
          .enters()
          .sees('transfer.processing');
        await world.passes(1_500);
        await fatima.hears('transfer.done', { amount: 20000, to: youssef.phone, total: 20200 });
        await youssef.sees('menu.choose').hears('received.from', { amount: 20000, from: fatima.phone });
      },
    );
  });
});
