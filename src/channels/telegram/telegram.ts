import { setTimeout as sleep } from 'node:timers/promises';
import { Api, type ApiClientOptions, Bot } from 'grammy';
import type { Update } from 'grammy/types';
import type { Hono } from 'hono';
import type { ChatAt, Conversations, Deliver, Language } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { createDigest } from '../digest.ts';
import { type Log, thrown } from '../log.ts';
import type { ReadQr } from '../qr/decode.ts';
import { type Heard, listen } from './bot.ts';
import { ALLOWED_UPDATES, nameCommands } from './commands.ts';
import { chatsOf, deliverTelegram } from './deliver.ts';
import { createTellHeld } from './held.ts';
import { fetched } from './order.ts';
import { createPhotos, type PhotoOptions } from './photo.ts';
import { createPictures } from './picture.ts';
import { startPolling } from './polling.ts';
import { createStage } from './show.ts';
import { createTurns } from './turn.ts';
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
  /** Where the world reaches us: then updates come by webhook, else they are fetched. */
  readonly publicUrl?: string | undefined;
  /** Where the wallet's pictures are. Absent: none are shown. */
  readonly walletUrl?: string | undefined;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly readQr: ReadQr;
  readonly language: Language;
  readonly log: Log;
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

export function createTelegram(options: TelegramOptions): Telegram {
  const { token, apiRoot, publicUrl, renderer, readQr, language, log } = options;
  const client = (timeoutSeconds: number): ApiClientOptions => ({
    timeoutSeconds,
    ...(apiRoot && { apiRoot }),
    ...(options.fetch && { fetch: options.fetch }),
  });
  const bot = new Bot<Heard>(token, { client: client(CALL_MAX_SECONDS) });
  const { api } = bot;
  const stage = createStage(api, renderer, createPictures(options.walletUrl));
  const digest = createDigest(options.secrets);
  // Of the token too: beside the sandbox the key of the secrets is known to all.
  const secret = digest('telegram webhook', token);
  const deliver = deliverTelegram(stage, log);
  const chatAt = chatsOf(api, stage);

  return {
    deliver,
    chatAt,
    open(conversations) {
      const tellHeld = createTellHeld(conversations, deliver, chatAt);
      listen(bot, {
        stage,
        turns: createTurns({ api, conversations, stage, tellHeld, digest, language, log }),
        tellHeld,
        photos: createPhotos({ api, token, apiRoot, readQr, fetch: options.fetch as PhotoOptions['fetch'] }),
        language,
      });
      const handle = async (update: Update, earlier?: Promise<void>) => {
        await bot.init();
        if (earlier !== undefined) fetched.set(update, earlier);
        await bot.handleUpdate(update).catch(unwrapped);
      };
      const stopping = new AbortController();
      let polling: ReturnType<typeof startPolling> | undefined;
      let starting = Promise.resolve();
      return {
        routes: publicUrl ? webhookRoutes({ secret, handle, log }) : undefined,
        handle,
        start() {
          starting = introduce(stopping.signal).then((isDone) => {
            if (!isDone || publicUrl) return;
            polling = startPolling({ api: new Api(token, client(POLL_MAX_SECONDS)), handle, log });
          });
        },
        async close() {
          stopping.abort();
          await starting;
          // Turns under way are not waited for longer than other requests: what is not acknowledged comes again.
          await Promise.race([polling?.stop(), sleep(STOP_GRACE_MS, undefined, { ref: false })]);
        },
      };
    },
  };

  /** Says who we are and how we listen, again until Telegram has heard it. False: told to stop before that. */
  async function introduce(signal: AbortSignal): Promise<boolean> {
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        await bot.init();
        if (publicUrl) {
          await api.setWebhook(`${publicUrl.replace(/\/$/, '')}/telegram/webhook`, {
            secret_token: secret,
            allowed_updates: ALLOWED_UPDATES,
            max_connections: CONNECTIONS_MAX,
          });
        } else await api.deleteWebhook();
        await nameCommands(api, stage, language);
        return true;
      } catch (error) {
        log.error(
          { channel: 'telegram', ...thrown(error) },
          'Telegram cannot be reached, or knows no such token',
        );
        const ms = BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)];
        await sleep(ms, undefined, { signal }).catch(() => {});
      }
    }
    return false;
  }
}

/** What a handler has thrown, without grammY's wrapping, which quotes it. */
function unwrapped(error: unknown): never {
  throw error instanceof Error && error.name === 'BotError' && 'error' in error ? error.error : error;
}
