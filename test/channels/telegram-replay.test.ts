import { expect, test } from 'vitest';
import type { Conversations } from '../../src/conversation/incoming.ts';
import type { ProviderInbox } from '../../src/conversation/provider-inbox.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { createBotStage, until } from './bot-api/stage.ts';

/** Longer than the list of inputs that a session remembers. */
const TYPED = ['envoyer 50 à 0655000000', '1234', '/menu', '1', '/menu', '/menu'];

test('an update that comes again after another customer’s failure is not done again', async () => {
  const stage = await createBotStage({ updates: 'polling' });
  const { world, api } = stage;
  const fatima = createBotCustomer(stage, world.customer().phone);
  const omar = createBotCustomer(stage, world.customer().phone);
  await fatima.isAtMenu();
  await omar.isAtMenu();
  await until(() => api.updates.pending === 0, 'all is acknowledged');

  const engine: { receive: Conversations['receive'] } = world.engine;
  const { receive } = engine;
  const inbox: { save: ProviderInbox['save'] } = world.bot.inbox;
  const { save } = inbox;
  let failures = 0;
  inbox.save = (from, pieces) =>
    from === omar.address ? Promise.reject(new Error('it cannot be stored')) : save(from, pieces);
  engine.receive = (incoming, ...rest) => {
    if (incoming.address !== omar.address) return receive(incoming, ...rest);
    failures++;
    return Promise.reject(new Error('his turn fails'));
  };
  void omar.person.says('bonjour');
  await until(() => failures > 0, 'his turn has failed');

  const transfers = () => world.wallet.calls(fatima.phone, 'transfer').length;
  for (const text of TYPED) {
    const heard = world.bot.replies.get(fatima.address);
    void fatima.person.says(text);
    await until(() => world.bot.replies.get(fatima.address) !== heard, `an answer to ${text}`);
  }
  await world.passes(1_500);
  expect(transfers()).toBe(1);

  await stage.bot.close();
  await world.bot.inbox.rests(fatima.address);
  const asked = fatima.person.chat.messages.filter(({ by }) => by === 'bot').length;
  expect(api.updates.pending, 'nothing after his update is acknowledged').toBeGreaterThan(TYPED.length);
  engine.receive = receive;
  const next = stage.another();
  next.start();
  await until(() => api.updates.pending === 0, 'all has come again');
  await world.passes(1_500);
  expect(transfers()).toBe(1);
  expect(fatima.person.chat.messages.filter(({ by }) => by === 'bot').length).toBe(asked);
  await next.close();
  await stage.close();
});
