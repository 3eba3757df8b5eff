import { Hono } from 'hono';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { sightOf } from '../masks.ts';
import { REASON_MAX_CHARACTERS, REASON_MIN_CHARACTERS } from './acts.ts';
import { answer, notFound } from './answer.ts';
import type { Tools } from './options.ts';
import { isSaid } from './parts.ts';
import { webhookPage } from './webhook.ts';

/** One webhook that waits for a person: what it is about, another try, and its end. */
export function webhookRoutes({ desk, audit, webhooks, queue, now }: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  const pathOf = (id: string) => `${BASE}/webhooks/${encodeURIComponent(id)}`;

  app.get('/webhooks/:id', async (c) => {
    const webhook = await webhooks.find(c.req.param('id'));
    if (!webhook) return notFound(c);
    const { who, language } = c.var;
    const { requestId, operationId } = webhook;
    const payment =
      (requestId !== undefined && (await desk.payment(requestId))) ||
      (operationId !== undefined && (await desk.payment(String(operationId)))) ||
      undefined;
    const said = c.req.query('said');
    const view = { who, language, now: now(), sight: sightOf(who.role) };
    const it = await desk.cases.about('webhook', webhook.id);
    return c.html(webhookPage(webhook, it, payment, isSaid(said) ? said : undefined, view));
  });

  app.post('/webhooks/:id/retry', async (c) => {
    const id = c.req.param('id');
    await audit.append({ who: c.var.who.id, act: 'webhooks', on: id, what: 'retry' });
    const webhook = await webhooks.find(id);
    if (webhook) await webhooks.retry(id);
    queue.expire();
    return answer(c, webhook ? 'done' : 'notFound', BASE);
  });

  app.post('/webhooks/:id/close', async (c) => {
    const id = c.req.param('id');
    const { why } = await c.req.parseBody();
    const reason = typeof why === 'string' ? why.trim().slice(0, REASON_MAX_CHARACTERS) : '';
    await audit.append({ who: c.var.who.id, act: 'closeWebhook', on: id, why: reason });
    if (reason.length < REASON_MIN_CHARACTERS) return answer(c, 'noReason', pathOf(id));
    const webhook = await webhooks.find(id);
    if (webhook) await webhooks.close(id);
    const it = webhook && (await desk.cases.about('webhook', id));
    if (it) await desk.cases.close(it.id, 'solved', c.var.who.id, reason);
    queue.expire();
    return answer(c, webhook ? 'done' : 'notFound', BASE);
  });
  return app;
}
