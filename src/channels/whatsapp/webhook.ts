import { createHmac } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import { knows } from '../../http/secret.ts';
import { type Log, thrown } from '../../log/thrown.ts';

/** Meta's own limit on a webhook (facts C1). */
const BODY_MAX_BYTES = 3 * 1024 * 1024;

interface WebhookOptions {
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Resolves once everything in it is stored. */
  readonly take: (raw: string) => Promise<void>;
  readonly log: Log;
}

/**
 * `GET /webhook`: Meta asks whether the address is ours, and is answered by its own challenge. `POST /webhook`: messages and
 * statuses. 401 for a wrong signature, which covers the raw bytes. 200 once everything is stored. 503 where it cannot
 * be, so that Meta sends it again.
 */
export function webhookRoutes({ appSecret, verifyToken, take, log }: WebhookOptions): Hono {
  const app = new Hono();
  const isToken = knows([verifyToken]);
  app.use(bodyAtMost(BODY_MAX_BYTES));
  app.onError((error, c) => {
    log.say('An error ended turns', { channel: 'whatsapp', ...thrown(error) });
    return c.text('unavailable\n', 503);
  });
  app.get('/webhook', (c) => {
    const {
      'hub.mode': mode,
      'hub.verify_token': token = '',
      'hub.challenge': challenge = '',
    } = c.req.query();
    return mode === 'subscribe' && isToken(token) ? c.text(challenge) : c.text('forbidden\n', 403);
  });
  app.post('/webhook', async (c) => {
    const raw = await signedBody(c, appSecret);
    if (!raw) return c.text('unauthorized\n', 401);
    await take(raw.toString('utf8'));
    return c.text('ok\n');
  });
  return app;
}

/** The bytes of a request that Meta has signed. Undefined for a wrong signature. */
export async function signedBody(c: Context, appSecret: string): Promise<Buffer | undefined> {
  const raw = Buffer.from(await c.req.arrayBuffer());
  const expected = createHmac('sha256', appSecret).update(raw).digest('hex');
  return knows([`sha256=${expected}`])(c.req.header('x-hub-signature-256') ?? '') ? raw : undefined;
}
