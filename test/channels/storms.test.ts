import { describe, expect, test } from 'vitest';
import type { Conversations } from '../../src/conversation/incoming.ts';
import type { ProviderInbox } from '../../src/conversation/provider-inbox.ts';
import { type Customer, DAY_MS, STORES, theWorld, type World } from '../kit/world.ts';

/** Duplicates and disorder: each of five messages comes at least twice. */
const STORM = [4, 2, 1, 2, 5, 3, 1, 4, 3, 5, 2, 1];
const TEXT = 'bonjour';

/** Message number `id` of a customer, as Telegram posts it. */
function updateOf(world: World, { address }: Customer, id: number, isForged = false) {
  const from = { id: Number(address.slice('telegram:'.length)), is_bot: false, first_name: 'F' };
  const chat = { id: from.id, type: 'private' };
  const update = {
    update_id: from.id * 1_000 + id,
    message: { message_id: 900_000 + id, date: 1, chat, from, text: TEXT },
  };
  const secret = isForged ? 'a guess' : (world.bot.api.updates.webhook?.secret ?? '');
  const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-type': 'application/json' };
  return { url: '/webhook', method: 'POST', headers, body: JSON.stringify(update) } as const;
}

/** The ids of the turns of one customer, from now on. */
function turnsOf(world: World, { address }: Customer): string[] {
  const turns: string[] = [];
  const engine: { receive: Conversations['receive'] } = world.engine;
  const { receive } = engine;
  engine.receive = (incoming, ...rest) => {
    if (incoming.address === address) turns.push(incoming.id);
    return receive(incoming, ...rest);
  };
  return turns;
}

/*
 * What providers post, at its worst: twice, out of order, forged, days late, and statuses of messages that nobody knows yet. The wallet's
 * storm is T5 (`test/battery/webhooks.test.ts`).
 */
describe.each(STORES)('a storm of webhooks, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  /** Posts message number `id` of a customer. Gives the status of the answer. */
  const POSTS = {
    whatsapp: ({ address }: Customer, id: number, isForged = false) => {
      const user = address.slice('whatsapp:'.length);
      const at = Math.floor(world.clock.now() / 1_000);
      const message = {
        from_user_id: user,
        id: `wamid.${user}.${id}`,
        timestamp: String(at + id),
        type: 'text',
        text: { body: TEXT },
      };
      world.whatsapp.api.heard.set(user, world.clock.now());
      const secret = isForged ? 'another secret of thirty-two chars' : undefined;
      return world.whatsapp.api.webhook({ messages: [message] }, secret);
    },
    telegram: async (of: Customer, id: number, isForged = false) => {
      const { url, ...request } = updateOf(world, of, id, isForged);
      return (await fetch(`${world.bot.url}/telegram${url}`, request)).status;
    },
  } as const;

  test.each(['whatsapp', 'telegram'] as const)('by %s loses and repeats no message', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    const { inbox } = channel === 'whatsapp' ? world.whatsapp : world.bot;
    const post = POSTS[channel];
    const turns = turnsOf(world, fatima);

    // Forged ones come first, so that they could take the place of the true ones.
    for (const id of [1, 2, 9]) expect(await post(fatima, id, true)).toBe(401);
    expect(await Promise.all(STORM.map((id) => post(fatima, id)))).toEqual(STORM.map(() => 200));
    await inbox.rests(fatima.address);
    expect(turns).toHaveLength(5);
    expect(new Set(turns).size, 'each message is one turn').toBe(5);

    await world.passes(3 * DAY_MS);
    for (const id of STORM) expect(await post(fatima, id), 'it comes again days later').toBe(200);
    expect(await post(fatima, 6)).toBe(200);
    await inbox.rests(fatima.address);
    expect(turns).toHaveLength(6);
    expect(await post(fatima, 9, true)).toBe(401);
    expect(turns).toHaveLength(6);
  });

  test('statuses of messages that nobody knows yet are taken, and change nothing', async () => {
    const fatima = world.customer({ channel: 'whatsapp' });
    await fatima.isAtMenu();
    const turns = turnsOf(world, fatima);
    for (const status of ['read', 'failed', 'delivered', 'read'])
      expect(
        await world.whatsapp.api.webhook({
          statuses: [{ id: 'wamid.later', status, biz_opaque_callback_data: fatima.address }],
        }),
      ).toBe(200);
    await world.whatsapp.inbox.rests(fatima.address);
    expect(turns).toEqual([]);
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(fatima.phone).says('20').enters();
    await fatima.after(1_500).hears('received.from', { amount: 2_000 });
  });
});

describe.each(STORES)('what a provider must bring again, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test('one more than may wait for a customer is refused, so that it comes again behind them', async () => {
    const fatima = world.customer({ channel: 'telegram' });
    await fatima.isAtMenu();
    const turns = turnsOf(world, fatima);
    const engine: { receive: Conversations['receive'] } = world.engine;
    const { receive } = engine;
    const gate = Promise.withResolvers<void>();
    engine.receive = async (...turn) => {
      await gate.promise;
      return receive(...turn);
    };
    // At once, without what it leads to.
    const post = async (id: number) => {
      const { url, ...request } = updateOf(world, fatima, id);
      return (await world.bot.bot.routes?.request(url, request))?.status;
    };
    for (let id = 1; id <= 100; id++) expect(await post(id)).toBe(200);
    expect(await post(101)).toBe(503);
    expect(world.bot.log.lines.splice(0)).toEqual([expect.stringContaining('An error ended turns')]);
    gate.resolve();
    await world.bot.inbox.rests(fatima.address);
    engine.receive = receive;
    expect(turns).toHaveLength(100);
    expect(await post(101)).toBe(200);
    await world.bot.inbox.rests(fatima.address);
    expect(turns).toHaveLength(101);
  });

  test('a message that cannot be stored holds back nobody else of its webhook', async () => {
    const [fatima, omar] = [world.customer({ channel: 'whatsapp' }), world.customer({ channel: 'whatsapp' })];
    await fatima.isAtMenu();
    await omar.isAtMenu();
    const turns = turnsOf(world, omar);
    const inbox: { save: ProviderInbox['save'] } = world.whatsapp.inbox;
    const { save } = inbox;
    inbox.save = (from, pieces) =>
      from === fatima.address ? Promise.reject(new Error('too many wait')) : save(from, pieces);
    const messages = [fatima, omar].map(({ address }) => {
      const user = address.slice('whatsapp:'.length);
      world.whatsapp.api.heard.set(user, world.clock.now());
      const timestamp = String(Math.floor(world.clock.now() / 1_000));
      return { from_user_id: user, id: `wamid.${user}.1`, timestamp, type: 'text', text: { body: TEXT } };
    });
    expect(await world.whatsapp.api.webhook({ messages }), 'it comes again').toBe(503);
    await world.whatsapp.inbox.rests(omar.address);
    expect(turns).toHaveLength(1);
    inbox.save = save;
    expect(world.whatsapp.log.lines.splice(0)).toEqual([expect.stringContaining('An error ended turns')]);
  });
});
