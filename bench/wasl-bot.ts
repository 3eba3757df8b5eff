import type { ApiClientOptions } from 'grammy';
import { createTelegram } from '../src/channels/telegram/telegram.ts';
import { webhookRoutes } from '../src/channels/telegram/webhook.ts';
import { createEngine } from '../src/conversation/engine.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import type { Renderer } from '../src/screen/renderer.ts';
import { partitionOf } from '../src/store/partition.ts';
import type { Store } from '../src/store/store.ts';
import { ASKS_FROM_500 } from '../test/kit/first-payments.ts';
import type { TestedBot } from './telegram.ts';
import { instantWallet, walletOf } from './transfers.ts';

/** The whole of Wasl behind a Telegram chat: compare-and-set, dedupe, sealed PINs, look-alikes, intents, turn records. */
export function createWaslBot(
  store: Store,
  renderer: Renderer,
  token: string,
  fetch: NonNullable<ApiClientOptions['fetch']>,
  secret: string,
): TestedBot {
  const secrets = createSecrets('a secrets key for the bench, 32 characters');
  const onError = (error: unknown) => {
    throw error;
  };
  const log = { say: () => {}, over: () => {} };
  const telegram = createTelegram({
    token,
    fetch,
    renderer,
    secrets,
    readQr: async () => ({ kind: 'none' }),
    language: 'fr',
    log,
  });
  const engine = createEngine({
    served: { safety: ASKS_FROM_500 },
    store,
    api: instantWallet(new Map()),
    secrets,
    sendCode: async () => 'none',
    deliver: telegram.deliver,
    alone: false,
    onError,
  });
  const bot = telegram.open(engine);
  // Numbers of their own: the other rows of the bench pay from the first ones.
  const wallet = (user: number) => walletOf(5_000_000 + user);

  return {
    name: 'wasl',
    init: async () => {},
    handle: bot.handle,
    app: webhookRoutes({ secrets: [secret], take: bot.handle, log }),
    async arrives(user, does) {
      await does.says(user, '/start');
      await does.sharesContact(user, wallet(user).slice(1));
      await does.says(user, '1234');
    },
    async bytesOf(user) {
      const key = `session:telegram:${user}`;
      const [doc] = await store.read(partitionOf(wallet(user)), [key]);
      return key.length + Buffer.byteLength(doc?.value ?? '');
    },
  };
}
