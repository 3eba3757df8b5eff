import { Hono } from 'hono';
import { bodyAtMost } from '../http/body-limit.ts';
import { knows } from '../http/secret.ts';
import type { Failures } from '../log/lines.ts';
import { WEBHOOK_HEADERS } from '../wallet/contract/webhooks.ts';
import type { Inbox } from './inbox.ts';

/** Far above any event of the contract. */
const BODY_MAX_BYTES = 64 * 1024;

interface WebhookOptions {
  readonly inbox: Pick<Inbox, 'save'>;
  /** The secrets that the wallet may send: two while one replaces the other. */
  readonly keys: readonly string[];
  readonly onError: Failures['onError'];
}

/**
 * `POST /wallet`: the wallet's events (Partner API v2.3, "Delivery contract"). 401 for a wrong key. 200 with an empty
 * body once the event is saved. 503 when that is not possible, so that the wallet tries again (open question 25).
 */
export function webhookRoutes({ inbox, keys, onError }: WebhookOptions): Hono {
  const app = new Hono();
  const isKey = knows(keys);
  app.use(bodyAtMost(BODY_MAX_BYTES, (c) => c.json({ error: 'too large' }, 413)));
  app.post('/wallet', async (c) => {
    if (!isKey(c.req.header(WEBHOOK_HEADERS.key) ?? '')) return c.json({ error: 'wrong key' }, 401);
    try {
      await inbox.save(await c.req.text());
      return c.body(null, 200);
    } catch (error) {
      onError(error, 'A webhook could not be taken');
      return c.json({ error: 'cannot be stored now' }, 503);
    }
  });
  return app;
}
