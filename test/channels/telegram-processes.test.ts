import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenTelegram } from '../../src/channels/telegram/telegram.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import type { Store } from '../../src/store/store.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { createBotCustomer, RECIPIENT } from './bot-api/customer.ts';
import { buttonsOf, createPerson } from './bot-api/person.ts';
import { type BotStage, createBotStage, theBotStage, until } from './bot-api/stage.ts';

describe('two processes on one Redis, each with an engine of its own', () => {
  let redis: RedisServer;
  let stage: BotStage;
  let store: Store;
  let engine: ReturnType<typeof createEngine>;
  let other: OpenTelegram;

  beforeAll(async () => {
    redis = await startRedis();
    stage = await createBotStage({ store: { url: redis.url } });
    store = await openRedisStore({ url: redis.url });
    const { api, secrets, clock } = stage.world;
    other = stage.another((deliver, chatAt) => {
      const onError = (error: unknown) => stage.world.errors.push(error);
      const sendCode = async () => 'none' as const;
      engine = createEngine({
        store,
        api,
        secrets,
        alone: false,
        now: clock.now,
        onError,
        sendCode,
        deliver,
        chatAt,
      });
      return engine;
    });
    stage.balances(other);
  });
  afterAll(async () => {
    await engine.close();
    await other.close();
    await stage.close();
    await store.close();
    await redis.stop();
  });

  test('updates that go to them by turns are one conversation', async () => {
    const fatima = createBotCustomer(stage, stage.world.customer().phone);
    await fatima
      .isAtMenu()
      .chooses('transfer')
      .sees('transfer.askRecipient')
      .says(RECIPIENT)
      .sees('transfer.askAmount')
      .says('100')
      .sees('transfer.askPinOpenLoop', { amount: 10_000 })
      // Each digit is tapped in another process than the one before it.
      .enters()
      .sees('transfer.processing')
      .meanwhile(() => stage.world.passes(1_500))
      .meanwhile(() => engine.close())
      .hears('transfer.done')
      .goes('menu')
      .sees('menu.choose');
    expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    expect(fatima.person.visible().filter(({ text }) => /✅ .*100,00/.test(text))).toHaveLength(1);
    expect(fatima.person.menus()).toHaveLength(1);
    expect(stage.world.errors).toEqual([]);
  });

  test('a press that comes to both at the same moment is one turn, and shown once', async () => {
    const fatima = createBotCustomer(stage, stage.world.customer().phone);
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
    stage.api.updates.twice();
    await fatima.enters().sees('transfer.processing');
    stage.api.updates.twice(false);
    await stage.world.passes(1_500);
    await engine.close();
    expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    expect(stage.world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });
});

describe('several processes on one Redis', () => {
  const stage = theBotStage({ store: 'redis' });

  test('whichever takes an update goes on in the same chat', async () => {
    const fatima = createBotCustomer(stage, stage.world.customer().phone);
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    const other = stage.another();
    const screen = fatima.person.screen();
    const back = buttonsOf(screen).find(({ text }) => text === 'Retour');
    await other.handle({
      update_id: 900_001,
      callback_query: {
        id: stage.api.newQuery(),
        from: { id: fatima.person.id, is_bot: false, first_name: 'Test' },
        chat_instance: '1',
        data: back?.callback_data ?? '',
        message: {
          message_id: screen.id,
          date: 1,
          chat: { id: fatima.person.id, type: 'private', first_name: 'Test' },
        },
      },
    } as never);
    await fatima.sees('menu.choose');
    expect(fatima.person.screen().id).toBe(screen.id);
  });

  test('the same update in both at once is one turn', async () => {
    const fatima = createBotCustomer(stage, stage.world.customer().phone);
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
    const other = stage.another();
    await fatima.sees('transfer.askPinOpenLoop');
    const update = {
      update_id: 900_002,
      message: {
        message_id: 1,
        date: 1,
        chat: { id: fatima.person.id, type: 'private', first_name: 'Test' },
        from: { id: fatima.person.id, is_bot: false, first_name: 'Test' },
        text: '1234',
      },
    } as never;
    await Promise.all([stage.bot.handle(update), other.handle(update)]);
    await stage.world.rests();
    expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    expect(stage.world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });
});

test('two processes fetch updates of one bot: they say so, and customers are answered', async () => {
  const stage = await createBotStage({ store: 'redis', updates: 'polling' });
  const other = stage.another();
  other.start();
  const conflicts = () => stage.api.calls.filter(({ came }) => came.startsWith('Conflict')).length;
  await until(() => stage.log.lines.length > 1 && conflicts() > 4, 'both have noticed, and tried again');
  const fatima = createPerson(stage.api, { language: 'en' });
  await fatima.says('/start');
  await fatima.says('/start');
  expect(fatima.menus().length).toBeLessThanOrEqual(1);
  await other.close();
  await stage.close();
  for (const line of stage.log.lines) expect(line).toMatch(/Another process fetches the updates of this bot/);
});
