import type { Update } from 'grammy/types';
import { Hono } from 'hono';
import { afterAll, beforeAll } from 'vitest';
import { createQrReader } from '../../../src/channels/qr/decode.ts';
import { userOf } from '../../../src/channels/telegram/polling.ts';
import { createTelegram, type OpenTelegram, type Telegram } from '../../../src/channels/telegram/telegram.ts';
import { addressOf } from '../../../src/channels/telegram/turn.ts';
import { createBackground } from '../../../src/conversation/background.ts';
import type { ChatAt, Conversations, Deliver } from '../../../src/conversation/incoming.ts';
import { createProviderInbox, type ProviderInbox } from '../../../src/conversation/provider-inbox.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import { listening } from '../../../src/http/listening.ts';
import { thrown } from '../../../src/log/thrown.ts';
import type { Renderer } from '../../../src/screen/renderer.ts';
import type { Store } from '../../../src/store/store.ts';
import { createWorld, type UpdatesBy, type WorldOptions } from '../../kit/world.ts';
import { fakeLog } from '../fakes.ts';
import { watchChats } from '../watched-chats.ts';
import { startBotApi } from './server.ts';

export interface StageOptions extends Omit<WorldOptions, 'bot'> {
  readonly updates?: UpdatesBy;
}

export interface BotOptions {
  readonly updates: UpdatesBy;
  /** A world may restart its engine. */
  readonly engine: () => Conversations;
  readonly walletUrl: string;
  readonly formAt?: string | undefined;
  readonly renderer: Renderer;
  readonly secrets: Secrets;
  readonly store: Store;
  readonly now?: () => number;
}

/** The real bot of a world, which talks over HTTP to a Bot API server of our own. */
export async function openBot({
  updates,
  engine,
  walletUrl,
  formAt,
  renderer: asked,
  secrets,
  store,
  now = Date.now,
}: BotOptions) {
  const api = await startBotApi(now);
  const renderer = loud(asked, api.updates.breaks);
  const log = fakeLog();
  const chats = watchChats();
  const conversations = chats.watch(engine);

  const app = new Hono();
  const server = await listening(app, 0, '127.0.0.1');
  const background = createBackground((error, line) => log.log.say(line, thrown(error)));
  const inboxOf = () => createProviderInbox({ store, secrets, background, now });
  const join = (inbox = inboxOf()) =>
    createTelegram({
      inbox,
      token: api.token,
      apiRoot: api.url,
      ...(updates === 'webhook' && { publicUrl: server.url }),
      walletUrl,
      formAt,
      renderer,
      secrets,
      readQr: createQrReader({ maxMs: 60_000 }),
      language: 'fr',
      log: log.log,
      now,
    });
  const inbox = inboxOf();
  const telegram = join(inbox);
  const bot: OpenTelegram = telegram.open(conversations);
  const inboxes = new Map([[bot, inbox]]);
  /** Done with what the update leads to. What cannot be noted while the store stands still is tried again later. */
  const rests = async (update: Partial<Update>, of: Iterable<ProviderInbox | undefined>) => {
    const from = addressOf(userOf(update as Update) ?? 0);
    for (const inbox of of) await inbox?.rests(from).catch(() => {});
  };
  /** Answers once what the update leads to is done: a person here looks at the chat then. */
  const doorOf = (bot: OpenTelegram) => async (request: Request) => {
    const update = request
      .clone()
      .json()
      .catch(() => ({})) as Promise<Partial<Update>>;
    const answer = await bot.routes?.fetch(request);
    await rests(await update, [inboxes.get(bot)]);
    return answer ?? new Response(null, { status: 404 });
  };
  api.updates.hands.rests = (update) => rests(update as Partial<Update>, inboxes.values());
  const doors = [doorOf(bot)];
  let next = 0;
  app.mount('/telegram', (request) => (doors[next++ % doors.length] ?? doorOf(bot))(request));
  const hears = ({ deliver }: Telegram) => chats.watchDelivery(deliver, 'delivered');
  bot.start();
  await until(() => api.profile.has('photo'), 'the bot has introduced itself');

  return {
    api,
    bot,
    inbox,
    deliver: hears(telegram),
    chatAt: telegram.chatAt,
    log,
    ...chats,
    url: server.url,
    /** Another process with the same bot: on the same engine, or one of its own. */
    another(engine?: (deliver: Deliver, chatAt: ChatAt) => Conversations): OpenTelegram {
      const inbox = inboxOf();
      const telegram = join(inbox);
      const own = engine?.(hears(telegram), telegram.chatAt);
      const bot = telegram.open(own ? chats.watch(() => own) : conversations);
      inboxes.set(bot, inbox);
      return bot;
    },
    /** From now on updates go to this process and the first one by turns. */
    balances(bot: OpenTelegram) {
      doors.push(doorOf(bot));
    },
    async close() {
      await bot.close();
      await background.done();
      await server.close();
      await api.close();
    },
  };
}

/** Tells of a sentence that is not there: the bot would answer with an error, and be brought the same update again and again. */
function loud(renderer: Renderer, breaks: (error: unknown) => void): Renderer {
  const chat: Renderer['chat'] = (...said) => {
    try {
      return renderer.chat(...said);
    } catch (error) {
      breaks(error);
      throw error;
    }
  };
  return { ...renderer, chat };
}

/** A world with the bot in it. */
export async function createBotStage({ updates = 'webhook', ...options }: StageOptions = {}) {
  const world = await createWorld({ ...options, bot: updates });
  return { ...world.bot, world, close: world.close };
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

export async function until(is: () => boolean, what: string): Promise<void> {
  for (let i = 0; !is(); i++) {
    if (i > 6_000) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export type WorldBot = Awaited<ReturnType<typeof openBot>>;
export type BotStage = Awaited<ReturnType<typeof createBotStage>>;
