import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll } from 'vitest';
import { createQrReader } from '../../../src/channels/qr/decode.ts';
import { createTelegram, type OpenTelegram, type Telegram } from '../../../src/channels/telegram/telegram.ts';
import type { Address, Conversations, Deliver, Push, Reply } from '../../../src/conversation/incoming.ts';
import { createWorld, type WorldOptions } from '../../kit/world.ts';
import { fakeLog } from '../fakes.ts';
import { type BotApi, startBotApi } from './server.ts';

export interface StageOptions extends WorldOptions {
  readonly updates?: 'webhook' | 'polling';
}

/** A world with the real bot in it, which talks over HTTP to a Bot API server of our own. */
export async function createBotStage({ updates = 'webhook', ...options }: StageOptions = {}) {
  const api = await startBotApi();
  const log = fakeLog();
  /** What the conversation showed last, and what was pushed, by address: chats are compared with it. */
  const replies = new Map<Address, Reply>();
  const pushes = new Map<Address, Push[]>();
  let hearing: Deliver = async () => 'held';
  const world = await createWorld({ ...options, telegram: (address, push) => hearing(address, push) });
  const patience = { ms: Number.POSITIVE_INFINITY };
  const watch = (engine: () => Conversations) => watched(engine, replies, patience);
  // A world may restart its engine.
  const conversations = watch(() => world.engine);

  const app = new Hono();
  const server = await new Promise<{ url: string; close(): void }>((resolve) => {
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => {
          http.close();
          if ('closeAllConnections' in http) http.closeAllConnections();
        },
      }),
    );
  });
  const join = () =>
    createTelegram({
      token: api.token,
      apiRoot: api.url,
      ...(updates === 'webhook' && { publicUrl: server.url }),
      walletUrl: world.walletUrl,
      renderer: world.renderer,
      secrets: world.secrets,
      readQr: createQrReader(),
      language: 'fr',
      log: log.log,
    });
  const telegram = join();
  const bot: OpenTelegram = telegram.open(conversations);
  const doors = [bot.routes];
  let next = 0;
  app.mount(
    '/telegram',
    (request) => doors[next++ % doors.length]?.fetch(request) ?? new Response(null, { status: 404 }),
  );
  const hears =
    ({ deliver }: Telegram): Deliver =>
    async (address, push) => {
      const came = await deliver(address, push);
      if (came === 'delivered' || (typeof came === 'object' && came.came === 'delivered'))
        pushes.set(address, [...(pushes.get(address) ?? []), push]);
      return came;
    };
  hearing = hears(telegram);
  bot.start();
  await until(() => api.commands.size === 4, 'the bot has introduced itself');

  return {
    api,
    world,
    bot,
    log,
    /** The bot waits no longer for a turn. */
    patience,
    replies,
    pushes,
    url: server.url,
    /** Another process with the same bot: on the same engine, or one of its own. */
    another(engine?: (deliver: Deliver) => Conversations): OpenTelegram {
      const telegram = join();
      const own = engine?.(hears(telegram));
      return telegram.open(own ? watch(() => own) : conversations);
    },
    /** From now on updates go to this process and the first one by turns. */
    balances({ routes }: OpenTelegram) {
      doors.push(routes);
    },
    async close() {
      await bot.close();
      await world.close();
      server.close();
      api.close();
    },
  };
}

/** One stage for all tests of a `describe`. */
export function theBotStage(options: StageOptions = {}): BotStage {
  let stage: BotStage;
  beforeAll(async () => {
    stage = await createBotStage(options);
  });
  afterAll(() => stage?.close());
  return new Proxy({} as BotStage, { get: (_, name) => Reflect.get(stage, name) });
}

/** An engine of which it is seen what it replies. */
function watched(
  engine: () => Conversations,
  replies: Map<Address, Reply>,
  patience: { ms: number },
): Conversations {
  return {
    async receive(incoming, deadlineMs, onSecret) {
      const reply = await engine().receive(incoming, Math.min(deadlineMs, patience.ms), onSecret);
      replies.set(incoming.address, reply);
      return reply;
    },
    waiting: (address) => engine().waiting(address),
    document: (address, document) => engine().document(address, document),
    saw: (address, ids) => engine().saw(address, ids),
    shown: (address, screenId, view, reply) => engine().shown(address, screenId, view, reply),
    owes: (address, afterMs) => engine().owes(address, afterMs),
  };
}

export async function until(is: () => boolean, what: string): Promise<void> {
  for (let i = 0; !is(); i++) {
    if (i > 1_000) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export type BotStage = Awaited<ReturnType<typeof createBotStage>>;
export type { BotApi };
