import type { Update } from 'grammy/types';
import { type Context, Hono } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import { knows } from '../../http/secret.ts';
import { type Log, thrown } from '../../log/thrown.ts';

/** A text of 4,096 characters with all its entities and a replied message is some 60 kB. */
const BODY_MAX_BYTES = 1024 * 1024;

/** Takes a call of the Bot API that goes out as the answer to an update: a call without a request of its own. */
export type WebhookReply = (json: string) => void;

interface WebhookOptions {
  readonly secrets: readonly string[];
  readonly handle: (update: Update, reply: WebhookReply) => Promise<void>;
  readonly log: Log;
}

/**
 * `POST /webhook`: Telegram's updates. Answered 200 once the turn is saved. That answer also answers a press, if it was
 * not needed sooner. Any other status makes Telegram bring the update again (facts B1), and the engine knows it by its
 * id.
 */
export function webhookRoutes({ secrets, handle, log }: WebhookOptions): Hono {
  const app = new Hono();
  const limit = bodyAtMost(BODY_MAX_BYTES);
  // The limiter opens the body as a stream, which costs as much as the turn: only where nobody says how long it is.
  app.use((c, next) => (lengthOf(c) <= BODY_MAX_BYTES ? next() : limit(c, next)));
  app.onError((error, c) => {
    log.say('An error ended turns', { channel: 'telegram', ...thrown(error) });
    return c.text('unavailable\n', 503);
  });
  const isSecret = knows(secrets);
  app.post('/webhook', (c) => takeUpdate(c, isSecret, handle));
  return app;
}

async function takeUpdate(
  c: Context,
  isSecret: (secret: string) => boolean,
  handle: WebhookOptions['handle'],
): Promise<Response> {
  if (!isSecret(c.req.header('x-telegram-bot-api-secret-token') ?? '')) return c.text('unauthorized\n', 401);
  const update = await c.req.json().catch(() => undefined);
  if (!Number.isSafeInteger(update?.update_id)) return c.text('bad request: no update\n', 400);
  let reply: string | undefined;
  await handle(update as Update, (json) => {
    reply = json;
  });
  return reply === undefined ? c.text('ok\n') : c.body(reply, 200, { 'content-type': 'application/json' });
}

/** NaN where it is not said. A server reads no more than was said. */
function lengthOf(c: Context): number {
  return c.req.header('transfer-encoding')
    ? Number.NaN
    : Number(c.req.header('content-length') ?? Number.NaN);
}
