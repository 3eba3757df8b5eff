import { Hono } from 'hono';
import { createQrReader } from '../../../src/channels/qr/decode.ts';
import { createWhatsApp } from '../../../src/channels/whatsapp/whatsapp.ts';
import { createBackground } from '../../../src/conversation/background.ts';
import { CHANNELS } from '../../../src/conversation/channel.ts';
import type { Conversations } from '../../../src/conversation/incoming.ts';
import { createProviderInbox } from '../../../src/conversation/provider-inbox.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import { listening } from '../../../src/http/listening.ts';
import { type Log, thrown } from '../../../src/log/thrown.ts';
import type { Renderer } from '../../../src/screen/renderer.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeLog } from '../fakes.ts';
import { watchChats } from '../watched-chats.ts';
import { startCloudApi } from './server.ts';

export const VERIFY_TOKEN = 'a token that sets the webhook up';

export interface WhatsAppStageOptions {
  /** A world may restart its engine. */
  readonly engine: () => Conversations;
  readonly store: Store;
  readonly renderer: Renderer;
  readonly secrets: Secrets;
  readonly formAt: string;
  readonly now: () => number;
  readonly walletUrl?: string;
  readonly templates?: boolean | undefined;
  /** Absent: a log of its own, whose lines can be read. */
  readonly log?: Log;
}

// Transcripts are faster than people. `pair-pace.test.ts` has the limit of one person.
Object.assign(CHANNELS.whatsapp.pairPace, { burst: Number.POSITIVE_INFINITY });

/** The real channel of a world, which talks over HTTP to a Cloud API of our own. */
export async function openWhatsApp(options: WhatsAppStageOptions) {
  const { engine, store, renderer, secrets, formAt, now } = options;
  const api = await startCloudApi(now);
  const log = fakeLog();
  const to = options.log ?? log.log;
  const background = createBackground((error, line) => to.say(line, thrown(error)));
  const inbox = createProviderInbox({ store, secrets, background, now });
  const whatsapp = createWhatsApp({
    ...{ ...api.settings, verifyToken: VERIFY_TOKEN, formAt, renderer, secrets, inbox, now },
    walletUrl: options.walletUrl,
    templates: options.templates,
    readQr: createQrReader({ maxMs: 60_000 }),
    language: 'fr',
    log: to,
  });
  const chats = watchChats();
  const app = new Hono();
  const server = await listening(app, 0, '127.0.0.1');
  const routes = whatsapp.open(chats.watch(engine));
  app.mount('/whatsapp', (request) => routes.fetch(request));
  api.hook.url = `${server.url}/whatsapp/webhook`;
  return {
    ...{ ...chats, api, inbox, log, url: server.url },
    deliver: chats.watchDelivery(whatsapp.deliver, 'accepted'),
    chatAt: whatsapp.chatAt,
    async close() {
      await background.done();
      await server.close();
      await api.close();
    },
  };
}

export type WorldWhatsApp = Awaited<ReturnType<typeof openWhatsApp>>;
