import type { Update } from 'grammy/types';
import { type Context, Hono } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import { knows } from '../../http/secret.ts';
import { type Log, thrown } from '../../log/thrown.ts';

/** A text of 4,096 characters with all its entities and a replied message is some 60 kB. */
const BODY_MAX_BYTES = 1024 * 1024;

interface WebhookOptions {
  readonly secrets: readonly string[];
  /** Resolves once the update is stored, or its turn is saved. */
  readonly take: (update: Update) => Promise<void>;
  readonly log: Log;
}

/**
 * `POST /webhook`: Telegram's updates. Answered 200 once the update is stored. Any other status makes Telegram bring it
 * again (facts B1), and the inbox knows it by its id.
 */
export function webhookRoutes({ secrets, take, log }: WebhookOptions): Hono {
  const app = new Hono();
  app.use(bodyAtMost(BODY_MAX_BYTES));
  app.onError((error, c) => {
    log.say('An error ended turns', { channel: 'telegram', ...thrown(error) });
    return c.text('unavailable\n', 503);
  });
  const isSecret = knows(secrets);
  app.post('/webhook', (c) => takeUpdate(c, isSecret, take));
  return app;
}

async function takeUpdate(
  c: Context,
  isSecret: (secret: string) => boolean,
  take: WebhookOptions['take'],
): Promise<Response> {
  if (!isSecret(c.req.header('x-telegram-bot-api-secret-token') ?? '')) return c.text('unauthorized\n', 401);
  const update = await c.req.json().catch(() => undefined);
  if (!Number.isSafeInteger(update?.update_id)) return c.text('bad request: no update\n', 400);
  await take(update as Update);
  return c.text('ok\n');
}
