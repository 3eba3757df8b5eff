import { type Context, Hono } from 'hono';
import type { Intent } from '../../conversation/desk/desk.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { isOpen, needsPerson } from '../../conversation/intents/intent.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { may } from '../access/roles.ts';
import { texts } from '../form.ts';
import type { StuckWebhook, WebhookContent } from '../queue.ts';
import { answer, audited, found, viewOf } from './answer.ts';
import { ownerOf } from './case-acts.ts';
import { paneBeside } from './case-pane.ts';
import { noticed, type Tools } from './options.ts';
import { revealFor } from './reveal.ts';
import { webhookPage } from './webhook.ts';
import { EVIDENCE, REASON, typedIn } from './words.ts';

/** Payments of the wallet that a webhook names which are looked at. */
const CANDIDATES_MAX = 20;

type Ctx = Context<Guarded, '/webhooks/:id'>;

/** One webhook that waits for a person: what it says, the payment that it is applied to, another try, and its end. */
export function webhookRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/webhooks/:id', (c) => see(tools, c));
  app.post('/webhooks/:id/reveal', (c) => reveal(tools, c as Ctx));
  app.post('/webhooks/:id/retry', (c) => retry(tools, c as Ctx));
  app.post('/webhooks/:id/apply', (c) => apply(tools, c as Ctx));
  app.post('/webhooks/:id/close', (c) => close(tools, c as Ctx));
  return app;
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, webhooks, reveals, renderer } = tools;
  const { who } = c.var;
  const webhook = found(await webhooks.find(c.req.param('id')));
  const content = may(who.role, 'readWebhook') ? await webhooks.content(webhook.id) : undefined;
  await audited(tools, c, 'seeWebhook', { on: webhook.id, about: content?.wallet });
  const payment = await namedBy(tools, webhook);
  const candidates = await candidatesFor(tools, content);
  const revealedUntil = await reveals.until(who.id, subjectOf(webhook.id));
  const it = await desk.cases.about('webhook', webhook.id).catch(whenAway);
  await noticed(tools, it, who);
  const view = viewOf(tools, c, revealedUntil !== undefined);
  const known = { webhook, content, payment, candidates, revealedUntil, it, offered: await tools.offered() };
  return c.html(webhookPage(known, await paneBeside(tools, c, it?.id), view, renderer));
}

/** The payment that a webhook names by its request or its operation. */
async function namedBy(
  { desk }: Tools,
  { requestId, operationId }: StuckWebhook,
): Promise<Intent | undefined> {
  const byRequest = requestId === undefined ? undefined : await desk.payment(requestId);
  return byRequest ?? (operationId === undefined ? undefined : await desk.payment(String(operationId)));
}

/** Payments that it could mean: of the wallet that it names, and nobody knows yet how they ended. */
async function candidatesFor({ desk }: Tools, content: WebhookContent | undefined): Promise<Intent[]> {
  if (!content?.wallet) return [];
  const all = await desk.payments(content.wallet, CANDIDATES_MAX);
  return all.filter(
    (intent) =>
      (isOpen(intent) || needsPerson(intent)) &&
      (content.amount === undefined || intent.order.amount === content.amount),
  );
}

async function reveal(tools: Tools, c: Ctx): Promise<Response> {
  const id = c.req.param('id');
  const { wallet: about } = found(await tools.webhooks.content(id));
  return revealFor(tools, c, { on: id, subject: subjectOf(id), about }, pathOf(id));
}

async function retry(tools: Tools, c: Ctx): Promise<Response> {
  const id = c.req.param('id');
  await audited(tools, c, 'webhooks', { on: id, what: 'retry' });
  const webhook = await tools.webhooks.find(id);
  if (webhook) await tools.webhooks.retry(id);
  tools.queue.expire();
  return answer(c, webhook ? 'done' : 'notFound', BASE);
}

/** Proposes its operation as the outcome of a payment. Another agent approves on the payment's page, as always. */
async function apply(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, webhooks, queue } = tools;
  const id = c.req.param('id');
  const { payment = '', other = '', evidence } = await texts(c);
  const named = [other, payment].map((each) => each.trim()).find(Boolean);
  const content = found(await webhooks.content(id));
  const intent = named === undefined ? undefined : await desk.payment(named);
  const { text: why, no } = typedIn(evidence, EVIDENCE);
  const what = `${intent?.id ?? '?'}, operation ${content.operationId ?? '?'}`;
  await audited(tools, c, 'applyWebhook', { on: id, about: content.wallet, what, why });
  if (no) return answer(c, no, pathOf(id));
  if (!intent) return answer(c, 'notFound', pathOf(id));
  const { operationId } = content;
  if (operationId === undefined || (content.wallet ?? intent.wallet) !== intent.wallet)
    return answer(c, 'differs', pathOf(id));
  const applied = { webhook: id, operationId, evidence: why };
  const acted = await desk.applyWebhook(intent.id, ownerOf(c.var.who), applied);
  queue.expire();
  return answer(c, acted, acted === 'done' ? `${BASE}/payments/${intent.id}` : pathOf(id));
}

async function close(tools: Tools, c: Ctx): Promise<Response> {
  const id = c.req.param('id');
  const { text: why, no } = typedIn((await texts(c)).why, REASON);
  await audited(tools, c, 'closeWebhook', { on: id, why });
  if (no) return answer(c, no, pathOf(id));
  const webhook = await tools.webhooks.find(id);
  if (webhook) await closeWebhook(tools, id, c.var.who.id, why);
  tools.queue.expire();
  return answer(c, webhook ? 'done' : 'notFound', BASE);
}

/** A webhook that has been dealt with, and its case. */
export async function closeWebhook(
  { desk, webhooks }: Pick<Tools, 'desk' | 'webhooks'>,
  id: string,
  by: string,
  reason: string,
): Promise<void> {
  const it = await desk.cases.about('webhook', id);
  await webhooks.close(id);
  if (it) await desk.cases.close(it.id, 'solved', { id: by, mayTake: true }, reason);
}

function pathOf(id: string): string {
  return `${BASE}/webhooks/${encodeURIComponent(id)}`;
}

/** The name under which its data are revealed to an agent for a while. */
function subjectOf(id: string): string {
  return `webhook:${id}`;
}
