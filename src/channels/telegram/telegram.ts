import { setTimeout as sleep } from 'node:timers/promises';
import { Api, type ApiClientOptions, Bot, type Transformer } from 'grammy';
import type { Update } from 'grammy/types';
import type { Hono } from 'hono';
import { QueueFull } from '../../conversation/inbox.ts';
import type { Address, ChatAt, Conversations, Deliver, Language } from '../../conversation/incoming.ts';
import type { ProviderInbox } from '../../conversation/provider-inbox.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { parseJson } from '../../http/json.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { createInputIds, type InputIds } from '../digest.ts';
import { createPictures } from '../picture.ts';
import type { ReadQr } from '../qr/decode.ts';
import { createAlbums } from './album.ts';
import { type BotContext, type BotOptions, listen } from './bot.ts';
import { ALLOWED_UPDATES, nameCommands } from './commands.ts';
import { chatsOf, deliverTelegram } from './deliver.ts';
import { createDeliverHeld } from './deliver-held.ts';
import type { FilesOptions } from './files.ts';
import { createOwed } from './owed-chats.ts';
import { promptly } from './patience.ts';
import { createPhotos } from './photo.ts';
import { type Polling, startPolling, userOf } from './polling.ts';
import { describeBot } from './profile.ts';
import { createStage, type Stage } from './show.ts';
import { addressOf, createTurns } from './turn.ts';
import { webhookRoutes } from './webhook.ts';

/** A call that takes longer is taken as failed. */
const CALL_MAX_SECONDS = 10;
/** Longer than Telegram holds a long poll. */
const POLL_MAX_SECONDS = 40;
/** Of the 40 that are the default: we answer only when a turn is saved. */
const CONNECTIONS_MAX = 100;
const STOP_GRACE_MS = 5_000;
/** Waits until Telegram can be reached at the start: the last one is repeated. */
const BACKOFF_MS = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

export interface TelegramOptions {
  readonly token: string;
  /** A Bot API server of one's own. */
  readonly apiRoot?: string | undefined;
  /** In place of the network: the bench and the simulator answer by themselves. */
  readonly fetch?: ApiClientOptions['fetch'];
  /** Our public address. With it updates come by webhook, else they are fetched. */
  readonly publicUrl?: string | undefined;
  /**
   * The address of our forms for a customer's browser, `https://…/form`. Absent: secrets are tapped or typed in the
   * chat.
   */
  readonly formAt?: string | undefined;
  /** The origin of the wallet's pictures. Absent: none are shown. */
  readonly walletUrl?: string | undefined;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly readQr: ReadQr;
  /** Keeps updates until they are worked. Absent: each is worked as it comes. */
  readonly inbox?: ProviderInbox | undefined;
  readonly language: Language;
  readonly log: Log;
  readonly now?: () => number;
}

/** The Telegram channel: it delivers by itself, and `open` has it listen for an engine. */
export interface Telegram {
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  open(conversations: Conversations): OpenTelegram;
}

export interface OpenTelegram {
  /** `POST /webhook`, to be mounted at `/telegram`. Nothing is there where updates are fetched. */
  readonly routes: Hono | undefined;
  /** Takes one update, as Telegram sends it. Rejects when it must come again. */
  handle(update: Update): Promise<void>;
  /** Tells Telegram about us, as soon as it can be reached, and begins to listen. */
  start(): void;
  close(): Promise<void>;
}

interface TelegramDeps extends TelegramOptions {
  readonly bot: Bot<BotContext>;
  readonly stage: Stage;
  readonly inputIds: InputIds;
  /** By these Telegram proves itself when it posts updates. It is told the first one. The others are of keys that this one replaces. */
  readonly webhookSecrets: readonly string[];
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  readonly listening: Transformer;
  /** Gives a chat the messages that it is owed, once there is an engine. */
  give: (address: Address) => Promise<unknown>;
}

export function createTelegram(options: TelegramOptions): Telegram {
  const { token, renderer, secrets, walletUrl, log } = options;
  const bot = new Bot<BotContext>(token, { client: clientOf(options, CALL_MAX_SECONDS) });
  const stage = createStage(bot.api, renderer, createPictures(walletUrl), options.formAt);
  const inputIds = createInputIds(secrets);
  // Of the token too: where the sandbox is used the key of the secrets is known to all.
  const webhookSecrets = secrets.digests(JSON.stringify(['telegram webhook', token]));
  const owed = createOwed(deliverTelegram(stage, log), (address) => void deps.give(address));
  const { deliver, listening } = owed;
  bot.api.config.use(listening);
  const chatAt = chatsOf(bot.api, stage, filesOf(options, bot.api));
  const give = async () => {};
  const deps: TelegramDeps = {
    ...options,
    bot,
    stage,
    inputIds,
    webhookSecrets,
    deliver,
    chatAt,
    listening,
    give,
  };
  return { deliver, chatAt, open: (conversations) => open(deps, conversations) };
}

function open(deps: TelegramDeps, conversations: Conversations): OpenTelegram {
  listen(deps.bot, botOptions(deps, conversations));
  const { publicUrl, webhookSecrets, inbox, log } = deps;
  const handle = (update: Update) => handleUpdate(deps, update);
  inbox?.works('telegram', (_from, body) => handle(parseJson(body) as Update));
  const take = (update: Update) => keep(deps, update, handle);
  return {
    routes: publicUrl ? webhookRoutes({ secrets: webhookSecrets, take, log }) : undefined,
    handle,
    ...createListening(deps, take),
  };
}

/** Stores an update. Where that cannot be done, it is worked at once: its customer then hears that the store is down. */
async function keep(
  { bot, inbox, now = Date.now }: TelegramDeps,
  update: Update,
  handle: OpenTelegram['handle'],
): Promise<void> {
  const user = userOf(update);
  if (!inbox || user === undefined) return handle(update);
  promptly(bot.api, update);
  // Updates are numbered anew after a quiet week, so they are worked as they come.
  const piece = { id: String(update.update_id), order: now(), body: JSON.stringify(update) };
  await inbox.save(addressOf(user), [piece]).catch((error) => {
    // It must not be worked before those that wait.
    if (error instanceof QueueFull) throw error;
    return handle(update);
  });
}

function botOptions(deps: TelegramDeps, conversations: Conversations): BotOptions {
  const { bot, stage, inputIds, language, log, deliver, chatAt, readQr, now = Date.now } = deps;
  const { api } = bot;
  const deliverHeld = createDeliverHeld(conversations, deliver, chatAt);
  // Messages that cannot be read now come when they are due.
  deps.give = async (address) =>
    chatAt(address)
      ?.inOrder(() => deliverHeld(address))
      .catch(() => {});
  return {
    stage,
    takeTurn: createTurns({ api, conversations, stage, deliverHeld, inputIds, language, log, now }),
    deliverHeld,
    albums: createAlbums(),
    asksFile: conversations.asksFile,
    readPhoto: createPhotos({ ...filesOf(deps, api), readQr }),
    language,
  };
}

function filesOf({ token, apiRoot, fetch }: TelegramOptions, api: Api): FilesOptions {
  return { api, token, apiRoot, fetch: fetch as FilesOptions['fetch'] };
}

/** Takes one update through its turn. */
async function handleUpdate({ bot }: TelegramDeps, update: Update): Promise<void> {
  await bot.init();
  await bot.handleUpdate(update).catch(unwrapped);
}

/** How updates reach the bot, from its introduction to Telegram until it is closed. */
function createListening(
  deps: TelegramDeps,
  take: OpenTelegram['handle'],
): Pick<OpenTelegram, 'start' | 'close'> {
  const stopping = new AbortController();
  let begun: Promise<Polling | undefined> = Promise.resolve(undefined);
  return {
    start() {
      begun = begin(deps, take, stopping.signal);
    },
    async close() {
      stopping.abort();
      const polling = await begun;
      // Polling is waited for no longer than other requests: an update that is not acknowledged comes again.
      await Promise.race([polling?.stop(), sleep(STOP_GRACE_MS, undefined, { ref: false })]);
    },
  };
}

/** Introduces the bot, and fetches its updates where Telegram does not post them. */
async function begin(
  deps: TelegramDeps,
  take: OpenTelegram['handle'],
  signal: AbortSignal,
): Promise<Polling | undefined> {
  const { bot, stage, token, language, log } = deps;
  if (!(await introduce(deps, signal))) return undefined;
  // Nobody waits for how the bot looks: where Telegram does not take it now, the next start tries again.
  void describeBot(bot.api, stage, language).catch((error) =>
    log.say('Telegram does not take how the bot looks', thrown(error)),
  );
  if (deps.publicUrl) return undefined;
  const api = new Api(token, clientOf(deps, POLL_MAX_SECONDS));
  api.config.use(deps.listening);
  return startPolling({ api, take, log });
}

/** Says who we are and how we listen, again until Telegram has taken it. False: stopped before that. */
async function introduce(deps: TelegramDeps, signal: AbortSignal): Promise<boolean> {
  const { bot, stage, language, log } = deps;
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      await bot.init();
      await chooseUpdates(deps);
      await nameCommands(bot.api, stage, language);
      log.over('Telegram cannot be reached, or knows no such token');
      return true;
    } catch (error) {
      log.say('Telegram cannot be reached, or knows no such token', thrown(error));
      const ms = BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)];
      await sleep(ms, undefined, { signal }).catch(() => {});
    }
  }
  return false;
}

/** Has Telegram post updates to our webhook, or keep them to be fetched. */
async function chooseUpdates({ bot, publicUrl, webhookSecrets: [secret = ''] }: TelegramDeps): Promise<void> {
  if (!publicUrl) {
    await bot.api.deleteWebhook();
    return;
  }
  await bot.api.setWebhook(`${publicUrl.replace(/\/$/, '')}/telegram/webhook`, {
    secret_token: secret,
    allowed_updates: ALLOWED_UPDATES,
    max_connections: CONNECTIONS_MAX,
  });
}

function clientOf({ apiRoot, fetch }: TelegramOptions, timeoutSeconds: number): ApiClientOptions {
  return { timeoutSeconds, ...(apiRoot && { apiRoot }), ...(fetch && { fetch }) };
}

/** Throws a handler's own error, without grammY's wrapping, which quotes it. */
function unwrapped(error: unknown): never {
  throw error instanceof Error && error.name === 'BotError' && 'error' in error ? error.error : error;
}
